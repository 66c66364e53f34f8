# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Recorded fixes of many devices through engines, as Arrow tables (docs/fleet.md). Needs the extra ``fleet``.

The rows are the same from one thread and from many processes. For a shell: ``python -m plotengine replay-fleet``.
"""

from __future__ import annotations

import argparse
import glob
import itertools
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Callable, NamedTuple

from ._convert import StrPath, Time, milliseconds, parse_time
from ._documents import NO_POSITION, Config, ConfigLike, Feed, FeedLike, config_of, feed_of
from ._engine import Engine
from ._errors import PlotError
from ._fleet import Fleet
from ._records import Decision, Event
from ._types import EffectKind, Status

try:
    import numpy
    import pyarrow
    import pyarrow.compute
    import pyarrow.csv
    import pyarrow.parquet
except ImportError as error:  # pragma: no cover
    raise ImportError("plotengine.fleet needs PyArrow and NumPy: pip install plotengine[fleet]") from error

__all__ = ["DECISIONS", "ROWS", "compare", "replay", "replay_files", "sorted_fixes"]

ROWS = pyarrow.schema(
    [
        pyarrow.field("device", pyarrow.string(), nullable=False),
        pyarrow.field("time", pyarrow.timestamp("ms", "UTC"), nullable=False),
        pyarrow.field("event", pyarrow.string(), nullable=False),
        pyarrow.field("sequence", pyarrow.int64()),
        pyarrow.field("region", pyarrow.string()),
        pyarrow.field("campaign", pyarrow.string()),
        pyarrow.field("ordinal", pyarrow.int64()),
        pyarrow.field("dwelling_minutes", pyarrow.int64()),
        pyarrow.field("arrival_seconds", pyarrow.int64()),
        pyarrow.field("status", pyarrow.string()),
    ]
)
"""The columns of what comes out: an event in each row, or a fix that was refused (docs/fleet.md)."""

DECISIONS = pyarrow.schema(
    [
        pyarrow.field("device", pyarrow.string(), nullable=False),
        pyarrow.field("time", pyarrow.timestamp("ms", "UTC"), nullable=False),
        pyarrow.field("campaign", pyarrow.string()),
        pyarrow.field("region", pyarrow.string()),
        pyarrow.field("visit", pyarrow.string()),
        pyarrow.field("step", pyarrow.string(), nullable=False),
        pyarrow.field("verdict", pyarrow.string(), nullable=False),
        pyarrow.field("reason", pyarrow.string(), nullable=False),
        pyarrow.field("detail", pyarrow.string()),
        pyarrow.field("inputs", pyarrow.string()),
        pyarrow.field("next_possible", pyarrow.timestamp("ms", "UTC")),
    ]
)
"""The columns of decisions (docs/decisions.md); ``inputs`` is JSON."""

NUMBERS = ("latitude", "longitude", "accuracy", "speed", "course")
"""The columns of fixes that are numbers, in the order by which fixes of one time are sorted."""
_COLUMNS = ("device", "time", *NUMBERS, "geometry")
_NEEDED = ("device", "time")
_PLACES = ("latitude", "longitude")
_ASKED = (EffectKind.FILTER_ASKED, EffectKind.GEOTRIGGERS_ASKED)
_ORDINAL = (EffectKind.REGION_ENTER, EffectKind.REGION_INSIDE, EffectKind.REGION_EXIT)
_NAMES = [kind.name.lower().replace("_", "-") for kind in EffectKind if kind not in _ASKED]
_NAMES[EffectKind.REFUSED] = "fix-refused"
_CHUNK = 200_000
"""About so many fixes go to a process at once."""


class Options(NamedTuple):
    """The options of a replay."""

    time_zone: str | None = None
    until: int | None = None
    decisions: bool = False

    @classmethod
    def of(cls, time_zone: str | None, until: Time | None, decisions: bool) -> Options:
        return cls(time_zone, None if until is None else milliseconds(until, "until"), decisions)

    @property
    def schema(self) -> Any:
        """That of the rows."""
        return DECISIONS if self.decisions else ROWS


def replay(
    fixes: Iterable[Any],
    feed: FeedLike,
    config: ConfigLike | None = None,
    *,
    time_zone: str | None = None,
    until: Time | None = None,
    decisions: bool = False,
) -> Iterator[Any]:
    """The rows that record batches of fixes lead to, a record batch for each or more, in this thread.

    All fixes of a device stand together, by time, also over several batches (``sorted_fixes``). Each device begins with
    its first fix, and ends with its last, or at ``until`` if that is later. ``time_zone``, an IANA name, is that of the
    devices; None is UTC. With ``decisions`` there is a row for each decision, not for each event (``DECISIONS``).
    """
    options = Options.of(time_zone, until, decisions)
    return rows_of(fixes, feed_of(feed), config_of({} if config is None else config), options)


def rows_of(fixes: Iterable[Any], feed: Feed, config: Config, options: Options) -> Iterator[Any]:
    """``replay``, when all has been read."""
    run = _Run(feed, config, options)
    try:
        for batch in fixes:
            yield run.take(batch)
        yield from run.end()
    finally:
        run.close()


def replay_files(
    fixes: StrPath | Sequence[StrPath],
    feed: FeedLike,
    config: ConfigLike | None = None,
    *,
    processes: int | None = None,
    time_zone: str | None = None,
    until: Time | None = None,
    decisions: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Any:
    """The table of rows that Parquet or CSV files of fixes lead to, worked out by many processes.

    ``fixes`` is a file, a folder, a pattern such as ``days/*.parquet``, or a sequence of them; the order of what is in
    them does not matter, but it all has to fit the memory. ``processes`` is by default one for each processor that this
    process may use. ``progress`` is called with the number of fixes done and that of all.
    """
    settings, places = config_of({} if config is None else config), feed_of(feed)
    options = Options.of(time_zone, until, decisions)
    count = len(os.sched_getaffinity(0)) if processes is None else processes
    if count < 1:
        raise ValueError(f"processes: expected 1 or more, found {count}")
    with tempfile.TemporaryDirectory(prefix="plotengine-") as folder:
        # The processes map both files: what is in them is in memory once.
        where, compiled = os.path.join(folder, "fixes.arrow"), os.path.join(folder, "feed")
        sizes = _write_chunks(sorted_fixes(_read(fixes)), where)
        places.save(compiled)
        if count == 1:
            results = (_chunk_rows(where, i, places, settings, options) for i in range(len(sizes)))
            return _collect(sizes, results, options, progress)
        # Not forked: a forked child has none of Arrow's threads.
        given = (where, compiled, settings.to_json(), options)
        with ProcessPoolExecutor(count, get_context("spawn"), _begin, given) as pool:
            return _collect(sizes, pool.map(_work, range(len(sizes))), options, progress)


def _collect(
    sizes: list[int],
    results: Iterable[list[Any]],
    options: Options,
    progress: Callable[[int, int], object] | None,
) -> Any:
    rows = []
    for done, result in zip(itertools.accumulate(sizes), results):
        rows += result
        if progress is not None:
            progress(done, sum(sizes))
    return pyarrow.Table.from_batches(rows, options.schema)


def compare(a: Any, b: Any) -> Any:
    """Compares two replays for each campaign: a table of events with their numbers, and of how many devices.

    ``a`` and ``b`` are tables of rows, of the same fixes under two feeds or configurations. A campaign and event that
    only one of them has is there with 0 of the other.
    """
    counted = []
    for table, end in ((a, "a"), (b, "b")):
        named = table.filter(pyarrow.compute.is_valid(table["campaign"])).select(["campaign", "event", "device"])
        groups = named.group_by(["campaign", "event"]).aggregate([("device", "count"), ("device", "count_distinct")])
        counted.append(groups.rename_columns(["campaign", "event", f"events_{end}", f"devices_{end}"]))
    both = counted[0].join(counted[1], ["campaign", "event"], join_type="full outer")
    names = ["events_a", "events_b", "devices_a", "devices_b"]
    columns = [both["campaign"], both["event"], *(pyarrow.compute.fill_null(both[name], 0) for name in names)]
    return pyarrow.table(columns, ["campaign", "event", *names]).sort_by(
        [("campaign", "ascending"), ("event", "ascending")]
    )


def sorted_fixes(fixes: Any) -> Any:
    """A table of fixes, each device's together and by time, as ``replay`` takes them.

    Devices come in the order of their ids' bytes, fixes of one time in the order of their numbers: the order in which
    they are given does not matter.
    """
    columns = _Fixes(fixes.combine_chunks().to_batches()[0] if fixes.num_rows else fixes)
    return columns.table().take(pyarrow.array(order_of(columns.numbers, columns.times, _ranks(columns))))


def order_of(numbers: dict[str, Any], *keys: Any) -> Any:
    """The order of fixes by the last of the keys, those before it, and at last their numbers."""
    return numpy.lexsort((*(numbers[name] for name in reversed(NUMBERS) if name in numbers), *keys))


def check_columns(names: Sequence[str]) -> None:
    """Raises ValueError where fixes lack a column."""
    needed = _NEEDED if "geometry" in names else _NEEDED + _PLACES
    missing = ", ".join(name for name in needed if name not in names)
    if missing:
        raise ValueError(f"fixes need the columns {', '.join(needed)}; {missing} is not there, but {', '.join(names)}")


def has_geometry(names: Sequence[str]) -> bool:
    """Whether the places of fixes are points, as GeoParquet has them."""
    return "geometry" in names and not all(name in names for name in _PLACES)


def points(column: Any) -> tuple[Any, Any]:
    """The latitudes and longitudes of points: WKB, or GeoArrow's structs of x and y. NaN for null."""
    column = _whole(column)
    if pyarrow.types.is_struct(column.type):
        x, y = (column.field(name).filter(column.is_valid()) for name in ("x", "y"))
        numbers = numpy.stack([x.to_numpy(zero_copy_only=False), y.to_numpy(zero_copy_only=False)], axis=1)
    else:
        texts = column.cast(pyarrow.large_binary()).drop_null()
        length = pyarrow.compute.binary_length(texts)
        starts = pyarrow.compute.binary_slice(texts, 0, 5)
        good = pyarrow.compute.is_in(starts, pyarrow.array(list(_WKB), pyarrow.large_binary()))
        good = pyarrow.compute.and_(good, pyarrow.compute.greater_equal(length, 21))
        if not pyarrow.compute.all(good, min_count=0).as_py():
            wrong = texts.filter(pyarrow.compute.invert(good))[0].as_py()
            raise ValueError(f"geometry: expected points as little-endian WKB, found {wrong[:21].hex()}")
        bodies = b"".join(pyarrow.compute.binary_slice(texts, 5, 21).to_pylist())
        numbers = numpy.frombuffer(bodies, "<f8").reshape(-1, 2)
    places = numpy.full((2, len(column)), numpy.nan)
    places[:, column.is_valid().to_numpy(zero_copy_only=False)] = numbers[:, ::-1].T
    return places[0], places[1]


_WKB = [b"\x01" + number.to_bytes(4, "little") for number in (1, 1001, 2001, 3001, 0x8000_0001)]
"""How points begin: with two, three or four numbers, and as PostGIS writes the third."""


class _Fixes:
    """The columns of a table or record batch of fixes, as the engines take them."""

    def __init__(self, fixes: Any) -> None:
        names = fixes.schema.names
        check_columns(names)
        device = _whole(fixes.column("device"))
        if not pyarrow.types.is_dictionary(device.type):
            device = device.cast(pyarrow.string()).dictionary_encode()
        time = _whole(fixes.column("time"))
        for name, column in (("device", device), ("time", time)):
            if column.null_count:
                raise ValueError(f"{name}: expected a value in each row, found {column.null_count} nulls")
        if not pyarrow.types.is_integer(time.type):
            time = time.cast(pyarrow.timestamp("ms", "UTC"), safe=False)
        self.devices = device
        self.codes = device.indices.to_numpy(zero_copy_only=False)
        self.times = time.cast(pyarrow.int64()).to_numpy(zero_copy_only=False)
        self.numbers = {
            name: _whole(fixes.column(name))
            .cast(pyarrow.float64())
            .fill_null(float("nan"))
            .to_numpy(zero_copy_only=False)
            for name in NUMBERS
            if name in names
        }
        if has_geometry(names):
            latitudes, longitudes = points(fixes.column("geometry"))
            self.numbers = {"latitude": latitudes, "longitude": longitudes, **self.numbers}

    def table(self) -> Any:
        times = pyarrow.array(self.times).cast(pyarrow.timestamp("ms", "UTC"))
        return pyarrow.table({"device": self.devices, "time": times, **self.numbers})


def _whole(column: Any) -> Any:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


def _ranks(fixes: _Fixes) -> Any:
    """Of each fix, the place of its device among all that there are."""
    names = [name.encode() for name in fixes.devices.dictionary.to_pylist()]
    ranks = numpy.empty(len(names), "int32")
    ranks[sorted(range(len(names)), key=names.__getitem__)] = numpy.arange(len(names), dtype="int32")
    return ranks[fixes.codes]


def begin(config: Config, feed: Feed, times: Any, time_zone: str | None) -> Engine:
    """The engine of a new device, whose fixes are made at these times, sorted."""
    earliest = config._earliest_time()
    # Fixes before that are refused by themselves.
    possible = times[numpy.searchsorted(times, earliest) :]
    return Engine(config, feed=feed, time=int(possible[0]) if len(possible) else earliest, time_zone=time_zone)


class _Run:
    """Goes through sorted fixes. Of the devices so far, only the newest has an engine."""

    def __init__(self, feed: Feed, config: Config, options: Options) -> None:
        self._feed, self._config, self._options = feed, config, options
        self._name: str | None = None
        self._engine: Engine | None = None
        self._done: set[str] = set()
        self._rows = Rows(feed)
        self._decisions: dict[str, list[Decision]] = {}

    def take(self, batch: Any) -> Any:
        fixes = _Fixes(batch)
        count = len(fixes.codes)
        if not count:
            return pyarrow.RecordBatch.from_pylist([], self._options.schema)
        starts = numpy.flatnonzero(numpy.diff(fixes.codes, prepend=fixes.codes[0] + 1))
        names = fixes.devices.dictionary.take(pyarrow.array(fixes.codes[starts])).to_pylist()
        ends = numpy.append(starts[1:], count)
        if self._name not in (None, names[0]):
            # The last batch's last device has no more fixes.
            names, starts, ends = [self._name, *names], numpy.append(0, starts), numpy.append(0, ends)
        engines = [self._next(name, fixes.times[start:end]) for name, start, end in zip(names, starts, ends)]
        devices = numpy.repeat(numpy.arange(len(names), dtype="uint32"), ends - starts)
        given = [fixes.numbers.get(name) for name in NUMBERS]
        # The last device may have more fixes, in the next batch; all others end here.
        ended = engines[:-1]
        effects = Fleet(engines).replay(devices, fixes.times, *given)
        if self._options.until is not None and ended:
            effects = numpy.append(effects, Fleet(ended).replay([], [], [], [], until=self._options.until))
            effects = effects[numpy.argsort(effects["device"], kind="stable")]
        for engine in ended:
            engine.close()
        return self._made(effects, names)

    def _made(self, effects: Any, names: list[str]) -> Any:
        if self._options.decisions:
            return _decision_rows((name, decision) for name in names for decision in self._decisions.pop(name, []))
        return self._rows.of_effects(effects, names)

    def end(self) -> Iterator[Any]:
        """The last device's rows after its last fix."""
        if self._engine is not None and self._options.until is not None:
            assert self._name is not None
            effects = Fleet([self._engine]).replay([], [], [], [], until=self._options.until)
            yield self._made(effects, [self._name])

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _next(self, name: str, times: Any) -> Engine:
        if self._engine is not None and name == self._name:
            return self._engine
        if name in self._done:
            raise ValueError(
                f"device {name!r} comes again behind others; the fixes of a device stand together: see sorted_fixes"
            )
        self._done.add(name)
        self._name = name
        self._engine = begin(self._config, self._feed, times, self._options.time_zone)
        if self._options.decisions:
            self._engine.on_decision(lambda decision: self._decisions.setdefault(name, []).append(decision))
        return self._engine


class Rows:
    """Makes rows of effects and events, under one feed."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._regions: dict[int, str | None] = {}
        self._campaigns: dict[int, str | None] = {}

    def of_effects(self, effects: Any, names: list[str]) -> Any:
        """The rows of what a fleet gives; ``names`` are the ids of its devices."""
        kinds = effects["kind"]
        asked = numpy.isin(kinds, _ASKED)
        if asked.any():
            effects, kinds = effects[~asked], kinds[~asked]
        refused = kinds == EffectKind.REFUSED
        detail = effects["detail"].astype("int64")
        status = numpy.full(len(effects), None, dtype=object)
        status[refused] = [Status(code).name for code in detail[refused].tolist()]
        columns = [
            _texts(names, effects["device"]),
            pyarrow.array(effects["time_ms"]).cast(pyarrow.timestamp("ms", "UTC")),
            _texts(_NAMES, kinds),
            pyarrow.array(effects["number"].astype("int64"), mask=refused),
            self._ids(effects["region"], self._regions, self._feed.region_id),
            self._ids(effects["campaign"], self._campaigns, self._feed.campaign_id),
            pyarrow.array(detail, mask=~numpy.isin(kinds, _ORDINAL)),
            pyarrow.array(detail, mask=kinds != EffectKind.REGION_DWELL),
            pyarrow.array(detail, mask=kinds != EffectKind.REGION_APPROACH),
            pyarrow.array(status, pyarrow.string()),
        ]
        return pyarrow.RecordBatch.from_arrays(columns, schema=ROWS)

    @staticmethod
    def of_events(events: Sequence[Event], name: str) -> Any:
        """The rows of a device's events."""
        rows = [
            {
                "device": name,
                "time": event.time,
                "event": event.event,
                "sequence": event.sequence,
                "region": event.region or None,
                "campaign": event.campaign,
                "ordinal": event.ordinal,
                "dwelling_minutes": event.dwelling_minutes,
                "arrival_seconds": event.arrival_seconds,
            }
            for event in events
        ]
        return pyarrow.RecordBatch.from_pylist(rows, ROWS)

    @staticmethod
    def _ids(positions: Any, known: dict[int, str | None], ask: Callable[[int], str | None]) -> Any:
        unique, places = numpy.unique(positions, return_inverse=True)
        names = []
        for position in unique.tolist():
            if position not in known:
                known[position] = None if position == NO_POSITION else ask(position)
            names.append(known[position])
        return _texts(names, places)


def _decision_rows(decisions: Iterable[tuple[str, Decision]]) -> Any:
    rows = [
        {
            "device": name,
            "time": decision.time,
            "campaign": decision.campaign,
            "region": decision.region,
            "visit": decision.visit,
            "step": decision.step,
            "verdict": decision.verdict,
            "reason": decision.reason,
            "detail": decision.detail,
            "inputs": json.dumps(decision.inputs, ensure_ascii=False) if decision.inputs else None,
            "next_possible": decision.next_possible,
        }
        for name, decision in decisions
    ]
    return pyarrow.RecordBatch.from_pylist(rows, DECISIONS)


def _texts(names: list[Any], places: Any) -> Any:
    return pyarrow.array(names, pyarrow.string()).take(pyarrow.array(places))


def files(fixes: StrPath | Sequence[StrPath]) -> list[str]:
    """The files that files, folders and patterns name, of each in the order of their names."""
    given = [fixes] if isinstance(fixes, (str, os.PathLike)) else list(fixes)
    found: list[str] = []
    for one in (os.fspath(path) for path in given):
        paths = sorted(glob.glob(one))
        if os.path.isdir(one):
            paths = sorted(str(path) for path in Path(one).rglob("*") if path.suffix in (".parquet", ".csv"))
        if not paths:
            raise FileNotFoundError(f"fixes: there is no file {one}")
        found += paths
    return found


def parquet_batches(path: str) -> Iterator[Any]:
    """The fixes of a file, as they are stored."""
    with pyarrow.parquet.ParquetFile(path) as file:
        columns = [name for name in _COLUMNS if name in file.schema_arrow.names]
        yield from file.iter_batches(_CHUNK, columns=columns)


def _read(fixes: StrPath | Sequence[StrPath]) -> Any:
    """The table of all files."""
    tables = [
        pyarrow.csv.read_csv(path) if path.endswith(".csv") else pyarrow.Table.from_batches(parquet_batches(path))
        for path in files(fixes)
    ]
    return pyarrow.concat_tables(tables, promote_options="permissive")


def _write_chunks(table: Any, path: str) -> list[int]:
    """Writes sorted fixes as record batches of about `_CHUNK`, each device in one of them. Gives how many each has."""
    whole = table.combine_chunks()
    codes = whole["device"].chunk(0).indices.to_numpy(zero_copy_only=False) if len(whole) else []
    sizes, start = [], 0
    with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_file(file, whole.schema) as out:
        for end in (*(numpy.flatnonzero(numpy.diff(codes)) + 1).tolist(), len(codes)):
            size = end - start
            if size >= _CHUNK or (end == len(codes) and size):
                out.write_table(whole.slice(start, size), max_chunksize=size)
                sizes.append(size)
                start = end
    return sizes


_mine: tuple[str, Feed, Config, Options]
"""In a process of ``replay_files``."""


def _begin(fixes: str, feed: str, config: str, options: Options) -> None:
    global _mine
    _mine = fixes, Feed.map(feed), Config.parse(config), options


def _work(index: int) -> list[Any]:
    fixes, feed, config, options = _mine
    return _chunk_rows(fixes, index, feed, config, options)


def _chunk_rows(fixes: str, index: int, feed: Feed, config: Config, options: Options) -> list[Any]:
    with pyarrow.memory_map(fixes) as file:
        return list(rows_of([pyarrow.ipc.open_file(file).get_batch(index)], feed, config, options))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a replay to a parser, wherever it runs."""
    parser.add_argument("--feed", required=True, help="the feed, JSON, on this machine")
    parser.add_argument("--config", help="plotconfig.json, on this machine; by default all its defaults")
    parser.add_argument("--time-zone", help="of the devices, an IANA name; by default UTC")
    parser.add_argument(
        "--until",
        type=parse_time,
        help="when the devices end, such as 2026-06-01T00:00:00Z; by default with their last fix",
    )
    parser.add_argument("--decisions", action="store_true", help="a row for each decision, not for each event")


def main(arguments: Sequence[str] | None = None) -> None:
    """``python -m plotengine replay-fleet``."""
    parser = argparse.ArgumentParser(
        "python -m plotengine replay-fleet",
        description="Gives the fixes of many devices to engines, on all processors, and writes what they led to.",
        epilog="The columns of both are in docs/fleet.md.",
    )
    parser.add_argument("fixes", nargs="+", help="Parquet or CSV files, folders or patterns of them")
    parser.add_argument("--out", required=True, help="the file to write: NAME.parquet or NAME.csv")
    parser.add_argument("--processes", type=int, help="by default one for each processor")
    add_arguments(parser)
    given = parser.parse_args(arguments)
    if not given.out.endswith((".parquet", ".csv")):
        parser.error(f"--out: expected a name that ends with .parquet or .csv, found {given.out}")
    try:
        rows = replay_files(
            given.fixes,
            given.feed,
            given.config,
            processes=given.processes,
            time_zone=given.time_zone,
            until=given.until,
            decisions=given.decisions,
            progress=_bar if sys.stderr.isatty() else None,
        )
        if given.out.endswith(".csv"):
            pyarrow.csv.write_csv(rows, given.out)
        else:
            pyarrow.parquet.write_table(rows, given.out)
    except (PlotError, OSError, ValueError) as error:
        sys.exit(f"replay-fleet: {error}")


def _bar(done: int, total: int) -> None:
    full = 40 * done // max(1, total)
    print(
        f"\r[{'#' * full}{'.' * (40 - full)}] {done:,} of {total:,} fixes",
        end="\n" if done == total else "",
        file=sys.stderr,
    )
