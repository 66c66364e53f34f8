"""A stream leads to the rows of a replay, whatever is killed meanwhile."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import stream_job
from pyspark.sql import SparkSession
from world import BEGIN, FEED, ORDER, fixes, rows_of, session

import plotengine
from plotengine import Engine, fleet, spark
from plotengine._convert import milliseconds

KILLS = int(os.environ.get("PLOT_SPARK_KILLS", "25"))
JOB = Path(stream_job.__file__)


def write(folder: Path, table: Any, parts: int) -> None:
    """The fixes as files for a stream, by time, as a live source gives them."""
    (folder / "in").mkdir(parents=True)
    table = table.sort_by("time")
    size = -(-table.num_rows // parts)
    for number in range(parts):
        path = folder / "in" / f"{number:03}.parquet"
        pyarrow.parquet.write_table(table.slice(number * size, size), path)
        # The source takes the oldest file first.
        os.utime(path, (number + 1, number + 1))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    made = session("local[2]", tmp_path_factory.mktemp("reader"), **spark.STATE_STORE)
    yield made
    made.stop()


def start(folder: Path, feeds: dict[int, str], config: dict[str, Any] | None = None) -> subprocess.Popen[bytes]:
    with (folder / "log").open("ab") as log:
        words = [sys.executable, str(JOB), str(folder), json.dumps(feeds), json.dumps(config or {})]
        return subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True)


def run(folder: Path, feeds: dict[int, str], config: dict[str, Any] | None = None) -> None:
    assert start(folder, feeds, config).wait(600) == 0, (folder / "log").read_text()[-4000:]


def out(reader: SparkSession, folder: Path) -> Any:
    return rows_of(reader.read.parquet(str(folder / "out")))


def engines(reader: SparkSession, folder: Path, batch: int | None = None) -> dict[str, tuple[bytes, int]]:
    """The saved engine of each device, and since when its feed is in force."""
    read = reader.read.format("statestore").option("stateVarName", "device")
    if batch is not None:
        read = read.option("batchId", batch)
    found = read.load(str(folder / "checkpoint")).select("key.device", "value.engine", "value.feed_time").collect()
    return {device: (bytes(engine), since) for device, engine, since in found}


def follow(engine: Engine, end: int) -> None:
    """All wakeups before a time."""
    while (wakeup := engine.next_wakeup()) is not None and milliseconds(wakeup) < end:
        engine.advance(time=wakeup)


def one_by_one(table: Any, feeds: dict[int, str], config: dict[str, Any], until: int) -> Any:
    """The rows of a stream, worked out without it: each device's engine is given one thing after the other."""
    settings = plotengine.Config.parse(json.dumps(config))
    rows = []
    by_device: dict[str, list[dict[str, Any]]] = {}
    for fix in fleet.sorted_fixes(table).to_pylist():
        by_device.setdefault(fix.pop("device"), []).append(fix)
    for name, given in by_device.items():
        changes = [(at, feed) for at, feed in feeds.items() if at]
        begin = milliseconds(given[0]["time"])
        with Engine(settings, feed=feeds[0], time=begin, time_zone=None) as engine:
            events: list[Any] = []
            engine.on_event(events.append)
            for fix in [*given, None]:
                at = until if fix is None else milliseconds(fix["time"])
                while changes and changes[0][0] <= at:
                    follow(engine, changes[0][0] + 1)
                    engine.set_feed(changes[0][1], time=changes.pop(0)[0])
                follow(engine, at + (fix is None))
                if fix is not None:
                    engine.update_location(fix["latitude"], fix["longitude"], accuracy=fix["accuracy"], time=at)
            rows.append(fleet.Rows.of_events(events, name))
    return pyarrow.Table.from_batches(rows).sort_by(ORDER)


def around(name: str, minutes: list[float], east: float = 4.8893) -> list[dict[str, Any]]:
    times = [BEGIN + int(minute * 60_000) for minute in minutes]
    return [{"device": name, "time": at, "latitude": 52.3686, "longitude": east, "accuracy": 10.0} for at in times]


def places(folder: Path, name: str, message: str) -> str:
    path = folder / name
    campaign = {"type": "notification", "message": message, "regions": ["cafe"]}
    feed = {
        "version": 1,
        "regions": [{"id": "cafe", "type": "geofence", "latitude": 52.3686, "longitude": 4.8893, "radius": 60}],
        "campaigns": [
            {**campaign, "id": message, "trigger": "inside", "insideAt": "10:30"},
            {**campaign, "id": f"{message}-left", "trigger": "exit"},
        ],
    }
    path.write_text(json.dumps(feed))
    return str(path)


def test_a_timer_reports_what_is_due_for_a_silent_device(reader: SparkSession, tmp_path: Path) -> None:
    silent, other = around("silent", [0, 1, 2]), around("other", list(range(0, 90, 2)), 4.95)
    feeds, config = {0: places(tmp_path, "a.json", "now")}, {"engine": {"proof": {"maxAge": 0}}}
    write(tmp_path, pyarrow.Table.from_pylist(silent + other), 9)
    run(tmp_path, feeds, config)
    found = out(reader, tmp_path).to_pylist()
    shown = [(row["device"], row["time"].isoformat()) for row in found if row["event"] == "notification-shown"]
    assert shown == [("silent", "2026-05-16T10:30:00+00:00")]
    table = pyarrow.Table.from_pylist(silent + other)
    assert found == one_by_one(table, feeds, config, BEGIN + 31 * 60_000).to_pylist()


def test_a_late_fix_is_refused_by_the_engine(reader: SparkSession, tmp_path: Path) -> None:
    early, late = around("a", [0, 60, 61]), around("a", [30])
    write(tmp_path, pyarrow.Table.from_pylist(early), 3)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(late), tmp_path / "in" / "late.parquet")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(around("a", [62])), tmp_path / "in" / "more.parquet")
    run(tmp_path, {0: FEED})
    refused = [row for row in out(reader, tmp_path).to_pylist() if row["event"] == "fix-refused"]
    assert [(row["time"].minute, row["status"]) for row in refused] == [(30, "OUT_OF_ORDER")]


def test_a_feed_takes_effect_at_its_time_once_for_each_device(reader: SparkSession, tmp_path: Path) -> None:
    chance = random.Random(5)
    table = pyarrow.Table.from_pylist(
        [
            fix
            for number in range(12)
            for minute in range(0, 120, 5)
            for fix in around(f"d{number}", [minute + number / 12], 4.8893 + chance.choice([0, 0.01]))
        ]
    )
    change = BEGIN + 61 * 60_000
    feeds = {0: places(tmp_path, "a.json", "old"), change: places(tmp_path, "b.json", "new")}
    config = {"engine": {"proof": {"maxAge": 0}}}
    expected = one_by_one(table, feeds, config, BEGIN + 115 * 60_000)
    campaigns = Counter((row["campaign"], row["event"]) for row in expected.to_pylist())
    assert campaigns["old-left", "notification-shown"] > 5 and campaigns["new-left", "notification-shown"] > 5

    known = tmp_path / "known"
    write(known, table, 8)
    run(known, feeds, config)
    assert out(reader, known).equals(expected)
    assert {since for _, since in engines(reader, known).values()} == {change}

    # The job is stopped halfway, and started again with the new feed.
    told = tmp_path / "told"
    write(told, table, 8)
    for number in range(4, 8):
        (told / "in" / f"{number:03}.parquet").rename(told / f"{number:03}.parquet")
    run(told, {0: feeds[0]}, config)
    for number in range(4, 8):
        (told / f"{number:03}.parquet").rename(told / "in" / f"{number:03}.parquet")
    run(told, feeds, config)
    assert out(reader, told).equals(expected)
    assert engines(reader, told) == engines(reader, known)


def workers(job: subprocess.Popen[bytes]) -> list[int]:
    """The processes of Python that run the engines."""
    parents, daemons = {}, set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command, status = (place / "cmdline").read_bytes(), (place / "stat").read_text()
        except OSError:
            continue
        if b"pyspark.daemon" in command and os.getsid(int(place.name)) == job.pid:
            parents[int(place.name)] = int(status.rsplit(")", 1)[1].split()[1])
            daemons.add(int(place.name))
    return [process for process, parent in parents.items() if parent in daemons]


def test_killed_workers_and_a_killed_driver_change_nothing(reader: SparkSession, tmp_path: Path) -> None:
    table = fixes(40, 400)
    feeds = {0: FEED, BEGIN + 4_000_000: places(tmp_path, "b.json", "new")}
    parts = max(8, KILLS)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    write(whole, table, parts)
    run(whole, feeds)
    expected = out(reader, whole)
    assert expected.num_rows > 400

    write(broken, table, parts)
    chance = random.Random(3)
    killed, drivers = 0, 0
    job = start(broken, feeds)
    deadline = time.monotonic() + 900
    while job.poll() is None:
        assert time.monotonic() < deadline, (broken / "log").read_text()[-4000:]
        time.sleep(chance.uniform(0.2, 0.8))
        found = workers(job)
        if found and killed < KILLS:
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
            if killed == KILLS // 2 and not drivers:
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
                drivers += 1
                job = start(broken, feeds)
    assert job.returncode == 0, (broken / "log").read_text()[-4000:]
    assert (killed, drivers) == (KILLS, 1)
    found_rows = out(reader, broken)
    assert found_rows.equals(expected)
    numbered = [(row["device"], row["sequence"]) for row in found_rows.to_pylist() if row["sequence"] is not None]
    assert len(numbered) == len(set(numbered))
    assert engines(reader, broken) == engines(reader, whole)


def test_a_state_does_not_grow_with_the_days(reader: SparkSession, tmp_path: Path) -> None:
    """Only with what is on the screen and counts for caps: at most 500 and 10,000 notifications."""
    days, feed = 30, tmp_path / "feed.json"
    cafe = {"id": "cafe", "type": "geofence", "latitude": 52.3686, "longitude": 4.8893, "radius": 60}
    door = {"id": "door", "type": "geotrigger", "name": "door", "data": "", "regions": ["cafe"], "resend": True}
    hello = {"id": "hello", "type": "notification", "message": "hello", "regions": ["cafe"]}
    feed.write_text(json.dumps({"version": 1, "regions": [cafe], "campaigns": [door, hello]}))
    chance = random.Random(7)
    table = pyarrow.Table.from_pylist(
        [
            fix
            for device in range(5)
            for minute in range(0, days * 24 * 60, 10)
            for fix in around(f"d{device}", [minute], 4.8893 + chance.choice([0, 0.01]))
        ]
    )
    write(tmp_path, table, days)
    run(tmp_path, {0: str(feed)})
    sizes = [max(len(engine) for engine, _ in engines(reader, tmp_path, day).values()) for day in range(days)]
    assert sizes[0] > 1000 and max(sizes[10:]) < 1.2 * max(sizes[5:10]), sizes
