"""Parts that the tests of plotengine.spark share: fixes, a session, and rows in an order."""

from __future__ import annotations

import math
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


EACH, CIRCLES = 500, 20_000
METRE = 1 / 111_195
"""In degrees of latitude."""
SOUTH, WEST, HEIGHT, WIDTH = 51.6, 4.0, 1.5, 2.0


def circles() -> tuple[dict[str, Any], Any, Any]:
    """A feed with two campaigns at 20,000 circles, and where these are."""
    chance = numpy.random.default_rng(1)
    latitudes, longitudes = SOUTH + chance.uniform(0, HEIGHT, CIRCLES), WEST + chance.uniform(0, WIDTH, CIRCLES)
    regions = [
        {"id": f"r{number}", "type": "geofence", "latitude": latitude, "longitude": longitude, "radius": 80}
        for number, (latitude, longitude) in enumerate(zip(latitudes.tolist(), longitudes.tolist()))
    ]
    everywhere = {"type": "geotrigger", "data": "", "regions": [region["id"] for region in regions], "resend": True}
    campaigns = [
        {**everywhere, "id": "hello", "name": "hello", "trigger": "enter"},
        {**everywhere, "id": "bye", "name": "bye", "trigger": "exit"},
    ]
    return {"version": 1, "regions": regions, "campaigns": campaigns}, latitudes, longitudes


def walks(first: int, devices: int) -> Any:
    """500 fixes of each device, which walks 80 m a minute and turns now and then; by device and time."""
    chance = numpy.random.default_rng(first)
    turns = numpy.cumsum(chance.normal(0, 0.5, (devices, EACH)), axis=1)
    north, east = numpy.cumsum(80 * numpy.cos(turns), axis=1), numpy.cumsum(80 * numpy.sin(turns), axis=1)
    latitudes = SOUTH + (chance.uniform(0, HEIGHT, (devices, 1)) + north * METRE) % HEIGHT
    scale = METRE / math.cos(math.radians(52.4))
    longitudes = WEST + (chance.uniform(0, WIDTH, (devices, 1)) + east * scale) % WIDTH
    names = pyarrow.array([f"device-{number:08}" for number in range(first, first + devices)])
    codes = pyarrow.array(numpy.repeat(numpy.arange(devices, dtype="int32"), EACH))
    times = numpy.tile(BEGIN + 60_000 * numpy.arange(EACH), devices)
    return pyarrow.table(
        {
            "device": pyarrow.DictionaryArray.from_arrays(codes, names).cast(pyarrow.string()),
            "time": pyarrow.array(times).cast(pyarrow.timestamp("ms", "UTC")),
            "latitude": latitudes.ravel(),
            "longitude": longitudes.ravel(),
            "accuracy": chance.uniform(5, 20, devices * EACH),
        }
    )


def session(master: str, folder: Path, **options: str) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("plotengine").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.local.dir", str(folder))
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    for name, value in {"spark.sql.session.timeZone": "Asia/Tokyo", **options}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def rows_of(frame: Any) -> Any:
    return frame.toArrow().cast(fleet.ROWS).sort_by(ORDER)
