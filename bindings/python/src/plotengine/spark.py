# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Fixes of many devices on Apache Spark, recorded or live (docs/fleet.md). Needs the extra ``spark``.

The rows are those of ``plotengine.fleet``.
"""

from __future__ import annotations

import argparse
import atexit
import bisect
import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Callable

from . import _convert, fleet
from ._convert import StrPath, Time
from ._documents import Config, ConfigLike, Feed, FeedLike, config_of, feed_of
from ._engine import Engine
from ._errors import PlotError
from ._fleet import Fleet
from ._records import Event

try:
    import numpy
    import pandas
    import pyarrow
    import pyspark
    from pyspark import SparkFiles
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession, functions
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor
    from pyspark.sql.types import StructType
except ImportError as error:  # pragma: no cover
    raise ImportError("plotengine.spark needs PySpark 4: pip install plotengine[spark]") from error

__all__ = ["STATE_STORE", "compare", "replay", "replay_files", "stream"]

STATE_STORE = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )
}
"""The configuration that ``stream`` needs of a session."""


def replay(
    fixes: Any,
    feed: FeedLike,
    config: ConfigLike | None = None,
    *,
    time_zone: str | None = None,
    until: Time | None = None,
    decisions: bool = False,
    is_sorted: bool = False,
    progress: Any = None,
) -> Any:
    """The data frame of rows that a data frame of fixes leads to; the columns of both are in docs/fleet.md.

    The fixes are shuffled by device and sorted. With ``is_sorted`` they are not: then each partition has whole devices,
    the fixes of each together and by time. Every worker maps one compiled file of the feed. The package
    ``plotengine[spark]`` is installed where the workers run. ``progress`` is an accumulator, such as
    ``sparkContext.accumulator(0)``, to which the workers add the number of fixes that are done.
    """
    chosen = _chosen(fixes)
    if not is_sorted:
        # Unknown values come last, as in ``fleet.sorted_fixes``.
        order = [functions.col(name).asc_nulls_last() for name in chosen.columns]
        chosen = chosen.repartition("device").sortWithinPartitions(*order)
    options = fleet.Options.of(time_zone, until, decisions)
    return _mapped(chosen, _work, feed, config, options, progress)


def replay_files(
    session: Any,
    fixes: StrPath | Sequence[StrPath],
    feed: FeedLike,
    config: ConfigLike | None = None,
    *,
    time_zone: str | None = None,
    until: Time | None = None,
    decisions: bool = False,
    progress: Any = None,
) -> Any:
    """``replay`` of Parquet files that are stored by device; twice as fast, because the workers read them themselves.

    ``fixes`` is a file, a folder, a pattern or a sequence of them, at the same place for the driver and all workers.
    Each file has whole devices, the fixes of each together and by time. It is the work of one task.
    """
    paths = [(path,) for path in fleet.files(fixes)]
    for (path,) in paths:
        if path.endswith(".csv"):
            raise ValueError(f"fixes: expected Parquet files, found {path}; read CSV into a data frame, and use replay")
    each = session.createDataFrame(session.sparkContext.parallelize(paths, len(paths)), "path string")
    options = fleet.Options.of(time_zone, until, decisions)
    return _mapped(each, _work_on_files, feed, config, options, progress)


def _mapped(
    frame: Any,
    work: Callable[..., Iterator[Any]],
    feed: FeedLike,
    config: ConfigLike | None,
    options: fleet.Options,
    progress: Any,
) -> Any:
    """The rows that the workers make of a data frame, when they have the feed and all else."""
    settings = config_of({} if config is None else config).to_json()
    name = _hand_out(feed_of(feed), frame.sparkSession)
    given = functools.partial(work, name=name, settings=settings, options=options, progress=progress)
    return frame.mapInArrow(given, from_arrow_schema(options.schema))


def stream(
    fixes: Any,
    feed: FeedLike,
    config: ConfigLike | None = None,
    *,
    updates: Mapping[Time, FeedLike] | None = None,
    time_zone: str | None = None,
    delay: str = "10 minutes",
) -> Any:
    """The streaming data frame of rows that a streaming data frame of fixes leads to, with an engine for each device.

    Spark's state of a device holds its engine as bytes, and Spark's timers are its wakeups. Time passes for all devices
    when fixes of any of them are newer by ``delay``. A fix that comes later is for the engine to take or to refuse.

    ``updates`` are feeds by the time from which they are in force, in the time of the fixes. To add one, stop the
    query, and start it again from the same checkpoint. Each device takes it once: with its next fix or timer.

    The session's configuration has ``STATE_STORE``; ``plotengine[spark]`` is installed where the workers run.
    """
    settings = config_of({} if config is None else config).to_json()
    later = sorted((_convert.milliseconds(at, "updates"), one) for at, one in (updates or {}).items())
    session = fixes.sparkSession
    feeds = [
        (_FIRST, _hand_out(feed_of(feed), session)),
        *((at, _hand_out(feed_of(one), session)) for at, one in later),
    ]
    fleet.check_columns(fixes.columns)
    time = functions.col("time")
    if not dict(fixes.dtypes)["time"].startswith("timestamp"):
        time = functions.timestamp_millis(time.cast("long"))
    marked = _chosen(fixes.withColumn("time", time.cast("timestamp"))).withWatermark("time", delay)
    # A column of its own, which Spark does not know to be the time: it would leave out late fixes itself.
    known = marked.withColumn("milliseconds", functions.unix_millis("time")).drop("time")
    return known.groupBy("device").transformWithStateInPandas(
        _Devices(feeds, settings, time_zone), from_arrow_schema(fleet.ROWS), "Append", "EventTime"
    )


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
    if fleet.has_geometry(fixes.columns):
        fixes = _with_numbers(fixes)
    numbers = [functions.col(name).cast("double").alias(name) for name in fleet.NUMBERS if name in fixes.columns]
    return fixes.select(functions.col("device").cast("string").alias("device"), "time", *numbers)


def _with_numbers(fixes: Any) -> Any:
    """Fixes with numbers in place of points."""
    others = fixes.select([name for name in ("device", "time", *fleet.NUMBERS) if name in fixes.columns])
    names = others.columns
    schema = StructType(list(others.schema.fields))
    for name in ("latitude", "longitude"):
        if name not in names:
            schema = schema.add(name, "double")

    def numbers(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            found = dict(zip(("latitude", "longitude"), map(pyarrow.array, fleet.points(batch.column("geometry")))))
            columns = [found[name] if name in found else batch.column(name) for name in schema.names]
            yield pyarrow.RecordBatch.from_arrays(columns, schema.names)

    return fixes.select(*names, "geometry").mapInArrow(numbers, schema)


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


@functools.lru_cache(maxsize=16)
def _feed(path: str) -> Feed:
    """Mapped once in each process of Python."""
    return Feed.map(path)


@functools.lru_cache(maxsize=16)
def _rows(path: str) -> fleet.Rows:
    return fleet.Rows(_feed(path))


def _work(batches: Iterable[Any], *, name: str, settings: str, options: fleet.Options, progress: Any) -> Iterator[Any]:
    def counted() -> Iterator[Any]:
        for batch in batches:
            yield batch
            if progress is not None:
                progress.add(batch.num_rows)

    schema = pyarrow.schema([_in_microseconds(field) for field in options.schema])
    for rows in fleet.rows_of(counted(), _feed(SparkFiles.get(name)), Config.parse(settings), options):
        yield rows.cast(schema)


def _work_on_files(batches: Iterable[Any], **given: Any) -> Iterator[Any]:
    for batch in batches:
        for path in batch.column("path").to_pylist():
            yield from _work(fleet.parquet_batches(path), **given)


def _in_microseconds(field: Any) -> Any:
    """Spark's times are microseconds."""
    return field.with_type(pyarrow.timestamp("us", "UTC")) if pyarrow.types.is_timestamp(field.type) else field


_FIRST = -(1 << 62)
"""Since when the first feed is in force."""


class _Devices(StatefulProcessor):  # type: ignore[misc]
    """The engines of a stream's devices, each there while it has something to do."""

    STATE = "engine binary, feed_time long, timer long"
    """The engine as bytes; since when its feed is in force; the one timer that Spark has for the device."""

    def __init__(self, feeds: list[tuple[int, str]], settings: str, time_zone: str | None) -> None:
        self._feeds, self._settings, self._time_zone = feeds, settings, time_zone

    def init(self, handle: Any) -> None:
        self._handle = handle
        self._state = handle.getValueState("device", self.STATE)
        self._config = Config.parse(self._settings)
        self._times = [at for at, _ in self._feeds]

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        frame = pandas.concat(list(rows), ignore_index=True)
        times = frame["milliseconds"].to_numpy("int64")
        numbers = {name: frame[name].to_numpy("float64") for name in fleet.NUMBERS if name in frame}
        order = fleet.order_of(numbers, times)
        times, numbers = times[order], {name: column[order] for name, column in numbers.items()}
        yield from self._go_on(str(key[0]), times, numbers, None)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Any]:
        nowhere = dict.fromkeys(("latitude", "longitude"), numpy.empty(0))
        yield from self._go_on(str(key[0]), numpy.empty(0, "int64"), nowhere, timerValues.getCurrentWatermarkInMs())

    def close(self) -> None:
        pass

    def _go_on(self, name: str, times: Any, numbers: dict[str, Any], until: int | None) -> Iterator[Any]:
        """Gives a device's engine its fixes, or lets it do what is due until a time; the rows of it."""
        state, since, timer = self._state.get() or (None, None, None)
        place = bisect.bisect_right(self._times, times[0] if since is None else since) - 1
        feed = _feed(self._path(place))
        if state is None:
            engine = fleet.begin(self._config, feed, times, self._time_zone)
        else:
            engine = Engine()
            Fleet([engine]).restore([state], self._config, feed=feed)
        with engine:
            device = _Device(name, engine, self._path(place))
            start, limit = 0, int(times[-1]) if until is None else until
            while place + 1 < len(self._times) and self._times[place + 1] <= limit:
                place += 1
                change = self._times[place]
                end = int(numpy.searchsorted(times, change))
                device.replay(times[start:end], {key: column[start:end] for key, column in numbers.items()}, change)
                device.set_feed(self._path(place), change)
                start = end
            device.replay(times[start:], {key: column[start:] for key, column in numbers.items()}, until)
            if until is not None:
                timer = None
            wakeup = engine.next_wakeup()
            next_times = self._times[place + 1 : place + 2] + (
                [] if wakeup is None else [_convert.milliseconds(wakeup)]
            )
            # A timer that is too early costs a look, and stays.
            if next_times and (timer is None or min(next_times) < timer):
                if timer is not None:
                    self._handle.deleteTimer(timer)
                timer = min(next_times)
                self._handle.registerTimer(timer)
            self._state.update((engine.save(), self._times[place], timer))
        for rows in device.rows:
            yield rows.to_pandas(integer_object_nulls=True)

    def _path(self, place: int) -> str:
        path: str = SparkFiles.get(self._feeds[place][1])
        return path


class _Device:
    """An engine that is given something, and the rows of what that leads to."""

    def __init__(self, name: str, engine: Engine, feed: str) -> None:
        self.rows: list[Any] = []
        self._name, self._engine, self._feed = name, engine, feed

    def replay(self, times: Any, numbers: dict[str, Any], until: int | None) -> None:
        devices = numpy.zeros(len(times), "uint32")
        given = [numbers.get(name) for name in fleet.NUMBERS]
        effects = Fleet([self._engine]).replay(devices, times, *given, until=until)
        if len(effects):
            self.rows.append(_rows(self._feed).of_effects(effects, [self._name]))

    def set_feed(self, feed: str, at: int) -> None:
        events: list[Event] = []
        self._engine.on_event(events.append)
        self._engine.set_feed(_feed(feed), time=at)
        self._engine.on_event(None)
        self._feed = feed
        if events:
            self.rows.append(fleet.Rows.of_events(events, self._name))


def main(arguments: list[str] | None = None) -> None:
    """``python -m plotengine spark``, which hands itself to ``spark-submit``."""
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(given)
    submit = os.path.join(os.environ.get("SPARK_HOME") or os.path.dirname(pyspark.__file__), "bin", "spark-submit")
    words = [submit, "--name", f"plotengine {options.command}"]
    if options.master:
        words += ["--master", options.master]
    for setting in options.conf:
        words += ["--conf", setting]
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        os.execv(submit, [*words, os.path.join(os.path.dirname(__file__), "_spark_job.py"), *given])
    except OSError as error:
        sys.exit(f"spark: {submit}: {error.strerror}")


def job(arguments: list[str]) -> None:
    """The program that ``spark-submit`` runs."""
    given = _parser().parse_args(arguments)
    session = SparkSession.builder.getOrCreate()
    try:
        fixes = session.read.option("mergeSchema", "true").parquet(*given.fixes)
        rows = replay(
            fixes,
            given.feed,
            given.config,
            time_zone=given.time_zone,
            until=given.until,
            decisions=given.decisions,
            is_sorted=given.sorted,
        )
        rows.write.parquet(given.out)
    except (PlotError, PySparkException, OSError, ValueError) as error:
        sys.exit(f"spark replay: {error}")
    finally:
        session.stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m plotengine spark", description="plotengine.spark for a shell.")
    commands = parser.add_subparsers(dest="command", required=True)
    replays = commands.add_parser(
        "replay",
        help="replay recorded fixes, and write the rows",
        description="Replays the fixes of many devices on Apache Spark, and writes what they led to as Parquet.",
        epilog="The columns of both are in docs/fleet.md.",
    )
    replays.add_argument("--fixes", required=True, nargs="+", help="Parquet files, folders or patterns of them")
    replays.add_argument("--out", required=True, help="the folder of rows to write; it must not be there")
    fleet.add_arguments(replays)
    replays.add_argument(
        "--sorted", action="store_true", help="the fixes are stored by device, and each device's by time"
    )
    replays.add_argument("--master", help="Spark's master, such as spark://host:7077 or local[*]")
    replays.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="one of Spark's settings")
    return parser
