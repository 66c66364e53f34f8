# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Plays a recording and prints it as it would be made now: replay.py RECORDING (docs/recording.md)"""

import sys

import plotengine

for line in plotengine.replay(sys.argv[1]):
    sys.stdout.buffer.write(line.encode() + b"\n")
