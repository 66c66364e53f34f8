"""The example of Apache Flink leads to the rows of a replay."""

from __future__ import annotations

import csv
import random
import subprocess
import sys
from pathlib import Path

import pyarrow

from plotengine import fleet

HERE = Path(__file__).resolve().parent
FEED = str(HERE.parents[2] / "demo" / "feed.json")
BEGIN = 1_778_925_600_000


def test_the_rows_of_a_replay(tmp_path: Path) -> None:
    chance = random.Random(1)
    fixes = []
    for device in range(40):
        latitude, longitude = 52.3686, 4.8893
        for minute in range(120):
            latitude, longitude = latitude + chance.gauss(0, 0.0003), longitude + chance.gauss(0, 0.0005)
            fixes.append((f"device {device}", BEGIN + minute * 60_000 + device * 1000, latitude, longitude))
    fixes.sort(key=lambda fix: fix[1])
    with (tmp_path / "fixes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("device", "time", "latitude", "longitude"), *fixes])
    command = [sys.executable, str(HERE / "devices.py"), FEED, str(tmp_path / "fixes.csv"), str(tmp_path / "rows.csv")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]
    with (tmp_path / "rows.csv").open(newline="") as file:
        found = sorted(
            (name, int(time), event, int(number), region) for name, time, event, number, region in csv.reader(file)
        )
    table = pyarrow.table(dict(zip(("device", "time", "latitude", "longitude"), zip(*fixes))))
    # At the end of a stream, Flink lets all time pass.
    end = BEGIN + 400 * 86_400_000
    rows = [
        row
        for batch in fleet.replay(fleet.sorted_fixes(table).to_batches(), FEED, until=end)
        for row in batch.to_pylist()
    ]
    assert len(rows) > 300
    expected = [
        (r["device"], int(r["time"].timestamp() * 1000), r["event"], r["sequence"], r["region"] or "") for r in rows
    ]
    assert found == sorted(expected)
