# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The results of two feeds for the same fixes, campaign by campaign."""

from __future__ import annotations

import json
from pathlib import Path

from plotengine import fleet


def main() -> None:
    feed = json.loads(Path("feed.json").read_text())
    rows = fleet.replay_files("fixes.parquet", feed)
    first = rows.to_pylist()[0]
    print(rows.num_rows, "rows; first:", first["device"], first["event"], first["region"])

    # What if tea were offered after five minutes?
    feed["campaigns"][1]["dwellingMinutes"] = 5
    changed = fleet.replay_files("fixes.parquet", feed)
    for row in fleet.compare(rows, changed).to_pylist():
        print(f"{row['campaign']}: shown on {row['devices_a']} devices, then on {row['devices_b']}")


if __name__ == "__main__":  # the processes that fleet starts read this file, too
    main()
