# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Plays a recording and prints it as it would be made now: replay.py RECORDING"""

import sys

import plotengine

if len(sys.argv) != 2:
    print("usage: replay.py RECORDING", file=sys.stderr)
    sys.exit(2)
try:
    for line in plotengine.replay(sys.argv[1]):
        sys.stdout.buffer.write(line.encode() + b"\n")
except (OSError, plotengine.PlotError) as error:
    sys.exit(f"replay: {error}")
