# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The ``plot`` tool of PlotEngine. ``plot`` on the command line runs it, and so does ``python -m plotengine_cli``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parent / "bin" / "plot"


def main() -> None:
    """Becomes the tool, with the arguments of this process."""
    os.execv(TOOL, ["plot", *sys.argv[1:]])
