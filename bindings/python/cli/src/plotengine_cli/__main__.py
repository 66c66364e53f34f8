# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""``python -m plotengine_cli simulate ...``"""

from plotengine_cli import main

main()
