"""How fast fixes are replayed on Apache Spark, beside a Fleet and beside joins that only look for containment.

    bench.py [FIXES]        make bench-spark

FIXES is how many fixes there are, 20,000,000 by default: 500 of each device, among 20,000 circles with two campaigns,
stored in Parquet files by device and time. Figures are fixes for a second of each core that is in use. The last line
has their ratios to the Fleet, which has its columns in memory.
"""

from __future__ import annotations

import functools
import json
import math
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import numpy
import pyarrow
import pyarrow.parquet
import sedonadb
from pyspark.sql import functions
from world import BEGIN, EACH, METRE, circles, session, walks

from plotengine import Engine, Feed, Fleet, spark

CORES, FILES = 2, 8


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(name: str, count: int, body: Callable[[], int], cores: int = 1, wall: bool = True) -> float:
    """Runs it three times; the best rate for each core."""
    best = 0.0
    for _ in range(3):
        start, began = processor(), time.monotonic()
        result = body()
        spent = (time.monotonic() - began) * cores if wall else processor() - start
        best = max(best, count / spent)
    print(f"  {name}: {best:,.0f} fixes for a second of each core; {result:,}", file=sys.stderr)
    return best


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
    devices = max(FILES, count // EACH // FILES * FILES)
    count = devices * EACH
    document, latitudes, longitudes = circles()
    feed = Feed(document)
    with tempfile.TemporaryDirectory(prefix="plotengine-") as name:
        folder = Path(name)
        part = devices // FILES
        for number in range(FILES):
            table = walks(number * part, part)
            pyarrow.parquet.write_table(table, folder / f"{number}.parquet", row_group_size=EACH * 200)
        measure(folder, feed, count, latitudes, longitudes)


def measure(folder: Path, feed: Feed, count: int, latitudes: Any, longitudes: Any) -> None:
    one = pyarrow.parquet.read_table(folder / "0.parquet").slice(0, min(count // FILES, 2_000_000))
    columns = [
        one["time"].cast(pyarrow.int64()).to_numpy(),
        *(one[name].to_numpy() for name in ("latitude", "longitude", "accuracy")),
    ]
    owners = numpy.repeat(numpy.arange(len(one) // EACH, dtype="uint32"), EACH)

    def raw() -> int:
        engines = [Engine({}, feed=feed, time=BEGIN, time_zone=None) for _ in range(len(one) // EACH)]
        effects = Fleet(engines).update_locations(owners, *columns)
        for engine in engines:
            engine.close()
        return len(effects)

    rates = {"Fleet": timed("Fleet.update_locations, columns in memory", len(one), raw, wall=False)}

    options = {
        "spark.driver.memory": "6g",
        "spark.sql.shuffle.partitions": "8",
        "spark.sql.files.maxPartitionBytes": "1g",
        "spark.sql.files.openCostInBytes": "1g",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
    }
    made = session(f"local[{CORES}]", folder, **options)
    fixes = made.read.parquet(str(folder))

    def rows(**options: bool) -> int:
        return spark.replay(fixes, feed, **options).count()

    rates["sorted"] = timed("Spark, stored by device", count, functools.partial(rows, is_sorted=True), CORES)
    rates["shuffle"] = timed("Spark, with the shuffle", count, rows, CORES)
    rates["files"] = timed(
        "Spark, files stored by device", count, lambda: spark.replay_files(made, folder, feed).count(), CORES
    )
    rates["haversine"] = timed(
        "PySpark, haversine join", count, lambda: haversine(made, fixes, latitudes, longitudes), CORES
    )
    join = functools.partial(sedona, one, latitudes, longitudes)
    rates["SedonaDB"] = timed("SedonaDB, spatial join", len(one), join, wall=False)
    made.stop()
    print(json.dumps({name: round(rate / rates["Fleet"], 3) for name, rate in rates.items()}))


def haversine(made: Any, fixes: Any, latitudes: Any, longitudes: Any) -> int:
    """Fixes within 80 m of a circle's middle: by cells of 0.002 degrees, and then by distance."""
    cell = 0.002
    middles = made.createDataFrame(list(zip(latitudes.tolist(), longitudes.tolist())), "a double, b double")
    shifts = functions.array(*(functions.lit(n) for n in (-1, 0, 1)))
    near = middles.select("a", "b", functions.explode(shifts).alias("i")).select(
        "*", functions.explode(shifts).alias("j")
    )
    near = near.select("a", "b", (functions.floor(functions.col("a") / cell) + functions.col("i")).alias("i"),
                       (functions.floor(functions.col("b") / cell) + functions.col("j")).alias("j"))  # fmt: skip
    mine = fixes.select("latitude", "longitude", functions.floor(functions.col("latitude") / cell).alias("i"),
                        functions.floor(functions.col("longitude") / cell).alias("j"))  # fmt: skip
    north = functions.radians(functions.col("latitude") - functions.col("a"))
    east = functions.radians(functions.col("longitude") - functions.col("b"))
    half = functions.pow(functions.sin(north / 2), 2) + functions.cos(functions.radians("latitude")) * functions.cos(
        functions.radians("a")
    ) * functions.pow(functions.sin(east / 2), 2)
    within = 2 * 6_371_009 * functions.asin(functions.sqrt(half)) <= 80
    return mine.join(functions.broadcast(near), ["i", "j"]).where(within).count()


def sedona(one: Any, latitudes: Any, longitudes: Any) -> int:
    """The same in SedonaDB, in metres of a plane."""
    db = sedonadb.connect()
    scale = math.cos(math.radians(52.4)) / METRE
    for name, ys, xs in (
        ("fixes", one["latitude"].to_numpy(), one["longitude"].to_numpy()),
        ("circles", latitudes, longitudes),
    ):
        db.create_data_frame(pyarrow.table({"x": xs * scale, "y": ys / METRE})).to_view(name, overwrite=True)
    join = "SELECT COUNT(*) AS n FROM fixes f JOIN circles c ON ST_DWithin(ST_Point(f.x, f.y), ST_Point(c.x, c.y), 80)"
    return int(pyarrow.table(db.sql(join))["n"][0].as_py())


if __name__ == "__main__":
    main()
