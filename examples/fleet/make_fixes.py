# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Writes fixes.parquet: a hundred devices, most of which pass the museum at some time."""

from __future__ import annotations

import pyarrow
import pyarrow.parquet

START = 1_778_925_600_000  # 2026-05-16T10:00:00Z, in ms


def main() -> None:
    fixes = []
    for minute in range(60):
        for device in range(100):
            east = (minute - device % 50) / 20 if device % 5 else 30  # km; every fifth is elsewhere
            fixes.append(
                {
                    "device": f"phone-{device:02}",
                    "time": START + 60_000 * minute,
                    "latitude": 52.36,
                    "longitude": 4.885 + east / 67.9,
                    "accuracy": 10.0,
                }
            )
    table = pyarrow.Table.from_pylist(fixes)
    time = table["time"].cast(pyarrow.timestamp("ms", "UTC"))
    pyarrow.parquet.write_table(table.set_column(1, "time", time), "fixes.parquet")


if __name__ == "__main__":
    main()
