# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""An app that keeps itself up to date: its notifications come from a campaign service, and its events go there.

python live.py CONFIG STORE     reads "LATITUDE LONGITUDE" lines from standard input, until they end
"""

import sys

from plotengine import Engine
from plotengine.sync import Sync


def main() -> None:
    """The app."""
    with Engine(
        sys.argv[1], store=sys.argv[2], on_show=lambda item: print("shown:", item.message, flush=True)
    ) as engine:
        with Sync(engine, facts={"platform": "linux"}):
            for line in sys.stdin:
                latitude, longitude = map(float, line.split())
                engine.update_location(latitude, longitude, accuracy=5)


if __name__ == "__main__":
    main()
