"""What the tests of plotengine.spark share: fixes, a session, and rows in an order."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy
import pyarrow
from pyspark.sql import SparkSession

from plotengine import fleet

os.environ["PYSPARK_PYTHON"] = sys.executable
ROOT = Path(__file__).resolve().parents[3]
FEED = str(ROOT / "demo" / "feed.json")
ORDER = [("device", "ascending"), ("sequence", "ascending"), ("time", "ascending"), ("event", "ascending")]
BEGIN = 1_778_925_600_000
"""A Saturday at 10:00 UTC."""


def fixes(devices: int, each: int) -> Any:
    """Walks around the places of the demo, in no order, some fixes twice at one time, and some that are impossible."""
    chance = numpy.random.default_rng(1)
    count = devices * each
    steps = numpy.tile(numpy.arange(each) // 2 * 2 + (numpy.arange(each) % 7 != 1), devices)
    latitudes = 52.3686 + chance.normal(0, 0.0002, (devices, each)).cumsum(axis=1).ravel()
    latitudes[:: each * 3 // 2] = numpy.nan
    table = pyarrow.table(
        {
            "device": pyarrow.array(numpy.repeat([f"é{number}" for number in range(devices)], each)),
            "time": pyarrow.array(steps * 20_000 + BEGIN).cast(pyarrow.timestamp("ms", "UTC")),
            "latitude": latitudes,
            "longitude": 4.8893 + chance.normal(0, 0.0003, (devices, each)).cumsum(axis=1).ravel(),
            "accuracy": pyarrow.array(chance.uniform(5, 30, count), mask=chance.random(count) < 0.1),
        }
    )
    return table.take(pyarrow.array(chance.permutation(count)))


def session(master: str, folder: Path, **options: str) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("plotengine").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.local.dir", str(folder))
    for name, value in {"spark.sql.session.timeZone": "Asia/Tokyo", **options}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def rows_of(frame: Any) -> Any:
    return frame.toArrow().cast(fleet.ROWS).sort_by(ORDER)
