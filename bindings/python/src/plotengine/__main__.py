# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""``python -m plotengine simulate ...`` runs the ``plot`` tool that came with this package."""

from __future__ import annotations

import os
import sys

from ._raw import candidates


def main() -> None:
    failures = []
    for path in candidates("bin/plot", "PLOTENGINE_TOOL"):
        try:
            os.execv(path, ["plot", *sys.argv[1:]])
        except OSError as error:
            failures.append(f"  {path}: {error.strerror}")
    sys.exit("the plot tool could not be run. Tried:\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
