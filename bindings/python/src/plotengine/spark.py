# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Recorded fixes of many devices on Apache Spark (docs/fleet.md). Needs the extra ``spark``.

The rows are those of ``plotengine.fleet``.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from . import fleet
from ._documents import Config, ConfigLike, Feed, FeedLike, config_of, feed_of

try:
    import pyarrow
    from pyspark import SparkFiles
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import from_arrow_schema
except ImportError as error:  # pragma: no cover
    raise ImportError("plotengine.spark needs PySpark 4: pip install plotengine[spark]") from error

__all__ = ["compare", "replay"]

_TIMES = pyarrow.field("time", pyarrow.timestamp("us", "UTC"), nullable=False)
"""Spark's times are microseconds."""


def replay(
    fixes: Any,
    feed: FeedLike,
    config: ConfigLike | None = None,
    *,
    time_zone: str | None = None,
    is_sorted: bool = False,
) -> Any:
    """The data frame of rows that a data frame of fixes leads to; the columns of both are in docs/fleet.md.

    The fixes are shuffled by device and sorted. With ``is_sorted`` they are not: then each partition has whole devices,
    the fixes of each together and by time. Every worker maps one compiled file of the feed. The package
    ``plotengine[fleet]`` is installed where the workers run.
    """
    settings = config_of({} if config is None else config).to_json()
    chosen = _chosen(fixes)
    if not is_sorted:
        chosen = chosen.repartition("device").sortWithinPartitions(*chosen.columns)
    name = _hand_out(feed_of(feed), fixes.sparkSession)
    work = functools.partial(_work, name=name, settings=settings, time_zone=time_zone)
    return chosen.mapInArrow(work, from_arrow_schema(fleet.ROWS))


def compare(a: Any, b: Any) -> Any:
    """``fleet.compare`` for data frames of rows, in no order."""
    both = None
    for rows, end in ((a, "a"), (b, "b")):
        counted = (
            rows.where(functions.col("campaign").isNotNull())
            .groupBy("campaign", "event")
            .agg(functions.count("*").alias(f"events_{end}"), functions.countDistinct("device").alias(f"devices_{end}"))
        )
        both = counted if both is None else both.join(counted, ["campaign", "event"], "full")
    assert both is not None
    names = ["events_a", "events_b", "devices_a", "devices_b"]
    return both.select("campaign", "event", *names).fillna(0, names)


def _chosen(fixes: Any) -> Any:
    """The columns that are replayed, those by which fixes are sorted first."""
    fleet.check_columns(fixes.columns)
    numbers = [
        functions.coalesce(functions.col(name).cast("double"), functions.lit(float("nan"))).alias(name)
        for name in fleet.NUMBERS
        if name in fixes.columns
    ]
    return fixes.select(functions.col("device").cast("string").alias("device"), "time", *numbers)


def _hand_out(feed: Feed, session: Any) -> str:
    """Gives all executors the compiled feed, as a file of this name."""
    folder = tempfile.mkdtemp(prefix="plotengine-")
    # The driver serves the file as long as it runs.
    atexit.register(shutil.rmtree, folder, True)
    name = f"{os.path.basename(folder)}.feed"
    path = os.path.join(folder, name)
    feed.save(path)
    session.sparkContext.addFile(path)
    return name


@functools.lru_cache(maxsize=4)
def _feed(path: str) -> Feed:
    """Mapped once in each process of Python."""
    return Feed.map(path)


def _work(batches: Iterable[Any], *, name: str, settings: str, time_zone: str | None) -> Iterator[Any]:
    feed = _feed(SparkFiles.get(name))
    for rows in fleet.replay(batches, feed, Config.parse(settings), time_zone=time_zone):
        place = rows.schema.get_field_index("time")
        yield rows.set_column(place, _TIMES, rows.column(place).cast(_TIMES.type))
