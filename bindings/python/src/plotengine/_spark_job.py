# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The program that ``python -m plotengine spark`` hands to ``spark-submit``."""

import sys

# This folder, in which ``asyncio`` is not Python's.
del sys.path[0]

from plotengine import spark  # noqa: E402

spark.job(sys.argv[1:])
