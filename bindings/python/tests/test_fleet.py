"""Fixes of many devices as tables: the same rows however they are worked out, and those of single engines."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, PYTHON, ROOT, T0, at

from plotengine import Engine, Feed, PlotError, fleet
from plotengine._convert import milliseconds

START = int(T0.timestamp() * 1000)
DEVICES = [f"device {number}" for number in range(12)] + ["é", "e\u0301", "\U0001f600"]


def walks() -> list[dict[str, Any]]:
    """Each device goes to the museum and away, at other times; sorted, as they happen."""
    chance = random.Random(3)
    fixes = []
    for name in sorted(DEVICES, key=str.encode):
        time = START + chance.randrange(10_000)
        for _ in range(40):
            latitude, longitude = chance.choice((MUSEUM, MUSEUM, AWAY))
            fixes.append({"device": name, "time": time, "latitude": latitude, "longitude": longitude})
            time += chance.randrange(1_000, 400_000)
    return fixes


FIXES = walks()


def table(fixes: list[dict[str, Any]]) -> Any:
    whole = pyarrow.Table.from_pylist(fixes)
    time = whole["time"].cast(pyarrow.timestamp("ms", "UTC"))
    return whole.set_column(whole.schema.get_field_index("time"), "time", time)


def follow(engine: Engine, end: int) -> None:
    """All wakeups before a time."""
    while (wakeup := engine.next_wakeup()) is not None and milliseconds(wakeup) < end:
        engine.advance(time=wakeup)


def told(fixes: list[dict[str, Any]], config: Any, until: int = 0) -> list[dict[str, Any]]:
    """The events of engines that get the fixes one by one, and whose hosts follow the wakeups."""
    rows: list[dict[str, Any]] = []
    for name in dict.fromkeys(fix["device"] for fix in fixes):
        mine = [fix for fix in fixes if fix["device"] == name]
        with Engine(config, feed=FEED, time=mine[0]["time"], time_zone=None) as engine:
            engine.on_event(lambda event, name=name: rows.append({"device": name, **json.loads(event.raw)}))  # type: ignore[misc]
            for fix in mine:
                follow(engine, fix["time"])
                engine.update_location(fix["latitude"], fix["longitude"], time=fix["time"])
            follow(engine, until + 1)
    return rows


@pytest.fixture(scope="module")
def rows() -> Any:
    batches = fleet.sorted_fixes(table(FIXES)).to_batches()
    return pyarrow.Table.from_batches(list(fleet.replay(batches, FEED, CONFIG)), fleet.ROWS)


def test_the_rows_are_what_single_engines_tell(rows: Any) -> None:
    check_rows(rows.to_pylist(), told(FIXES, CONFIG))


@pytest.mark.parametrize("size", [1, 41, 10_000])
def test_a_device_may_end_later_than_its_fixes(size: int) -> None:
    # Here an exit is sure after ten minutes, and the wakeup says so.
    config = {**CONFIG, "engine": {**CONFIG["engine"], "noise": {"minOutside": 600}}}
    until = max(fix["time"] for fix in FIXES) + 1_800_000
    batches = fleet.sorted_fixes(table(FIXES)).to_batches(max_chunksize=size)
    found = [row for batch in fleet.replay(batches, FEED, config, until=until) for row in batch.to_pylist()]
    last = {fix["device"]: milliseconds(fix["time"]) for fix in FIXES}
    assert sum(milliseconds(row["time"]) > last[row["device"]] for row in found) > 5
    check_rows(found, told(FIXES, config, until))


def check_rows(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert len(found) == len(expected) > 100
    renamed = {"dwelling_minutes": "dwellingMinutes", "arrival_seconds": "arrivalSeconds"}
    for row, event in zip(found, expected):
        assert row.pop("time") == plot_time(event["time"])
        assert row.pop("status") is None
        for name, value in row.items():
            # Only the events of crossings say a visit's number in a batch.
            if name != "ordinal" or event["event"] in ("region-enter", "region-exit"):
                assert value == event.get(renamed.get(name, name)), (row, event)


def plot_time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


@pytest.mark.parametrize("size", [1, 7, 41, 10_000])
def test_whatever_the_batches(rows: Any, size: int) -> None:
    batches = fleet.sorted_fixes(table(FIXES)).to_batches(max_chunksize=size)
    assert pyarrow.Table.from_batches(list(fleet.replay(batches, FEED, CONFIG)), fleet.ROWS).equals(rows)


def test_many_processes_and_files(rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "_CHUNK", 100)
    mixed = list(FIXES)
    random.Random(1).shuffle(mixed)
    (tmp_path / "deeper").mkdir()
    pyarrow.parquet.write_table(table(mixed[:300]), tmp_path / "a.parquet")
    pyarrow.csv.write_csv(table(mixed[300:]), tmp_path / "deeper" / "b.csv")
    feed = Feed(FEED)
    for processes in (1, 2):
        steps: list[tuple[int, int]] = []
        found = fleet.replay_files(
            tmp_path,
            feed,
            CONFIG,
            processes=processes,
            progress=lambda done, of: steps.append((done, of)),  # noqa: B023
        )
        assert found.equals(rows)
        assert len(steps) > 3 and steps[-1] == (len(FIXES), len(FIXES))
    each = [tmp_path / "a.parquet", f"{tmp_path}/deep*/*.csv"]
    assert fleet.replay_files(each, feed, CONFIG, processes=1).equals(rows)


def test_a_fix_that_is_refused_is_a_row() -> None:
    fixes = [{"device": "a", "time": 5, "latitude": 1.0, "longitude": 1.0}] + [
        {"device": "a", "time": START + second * 1000, "latitude": latitude, "longitude": 4.885}
        for second, latitude in ((0, 52.40), (60, None), (120, 52.36))
    ]
    batches = fleet.sorted_fixes(table(fixes)).to_batches()
    found = [row for batch in fleet.replay(batches, FEED, CONFIG) for row in batch.to_pylist()]
    assert [(row["event"], row["status"], row["sequence"]) for row in found[:3]] == [
        ("fix-refused", "INVALID_ARGUMENT", None),
        ("fix-refused", "INVALID_ARGUMENT", None),
        ("region-enter", None, 1),
    ]
    assert found[2]["time"] == at(120)


def test_columns_that_may_be_missing_or_of_other_types(rows: Any) -> None:
    whole = table(FIXES)
    unknown = pyarrow.nulls(len(FIXES), pyarrow.float32())
    other = whole.append_column("accuracy", unknown).append_column("speed", unknown).append_column("more", unknown)
    micro = pyarrow.timestamp("us", "Europe/Amsterdam")
    for index, column in (
        (0, whole["device"].dictionary_encode()),
        (1, whole["time"].cast(micro)),
        (1, whole["time"].cast(pyarrow.int64())),
    ):
        changed = other.set_column(index, other.schema.names[index], column)
        batches = fleet.sorted_fixes(changed).to_batches()
        assert pyarrow.Table.from_batches(list(fleet.replay(batches, FEED, CONFIG)), fleet.ROWS).equals(rows)
    assert fleet.sorted_fixes(whole.slice(0, 0)).num_rows == 0
    assert [batch.num_rows for batch in fleet.replay(whole.slice(0, 0).to_batches(), FEED, CONFIG)] in ([], [0])


@pytest.mark.parametrize("size", [1, 41, 10_000])
def test_decisions_as_rows(size: int) -> None:
    until = max(fix["time"] for fix in FIXES) + 1_800_000
    batches = fleet.sorted_fixes(table(FIXES)).to_batches(max_chunksize=size)
    found = list(fleet.replay(batches, FEED, CONFIG, until=until, decisions=True))
    rows = pyarrow.Table.from_batches(found, fleet.DECISIONS).to_pylist()
    expected = []
    for name in dict.fromkeys(fix["device"] for fix in FIXES):
        mine = [fix for fix in FIXES if fix["device"] == name]
        with Engine(CONFIG, feed=FEED, time=mine[0]["time"], time_zone=None) as engine:
            engine.on_decision(lambda decision, name=name: expected.append((name, json.loads(decision.raw))))  # type: ignore[misc]
            for fix in mine:
                follow(engine, fix["time"])
                engine.update_location(fix["latitude"], fix["longitude"], time=fix["time"])
            follow(engine, until + 1)
    assert len(rows) == len(expected) > 1000
    for row, (name, decision) in zip(rows, expected):
        assert row["device"] == name and row["time"] == plot_time(decision["time"])
        assert json.loads(row["inputs"] or "{}") == decision.get("inputs", {})
        for key in ("campaign", "region", "visit", "step", "verdict", "reason", "detail"):
            assert row[key] == decision.get(key)


def points(form: str, places: list[tuple[Any, Any]]) -> Any:
    """Longitudes and latitudes as a column of points."""
    if form == "structs":
        given = [None if x is None else {"x": x, "y": y} for x, y in places]
        return pyarrow.array(given, pyarrow.struct([("x", pyarrow.float64()), ("y", pyarrow.float64())]))
    kind, more = (1001, struct.pack("<d", 5.0)) if form == "three numbers" else (1, b"")
    given = [None if x is None else b"\x01" + struct.pack("<Idd", kind, x, y) + more for x, y in places]
    return pyarrow.array(given, pyarrow.binary())


@pytest.mark.parametrize("form", ["numbers", "three numbers", "structs"])
def test_points_as_geoparquet_has_them(rows: Any, form: str, tmp_path: Path) -> None:
    whole = table(FIXES)
    places = list(zip(whole["longitude"].to_pylist(), whole["latitude"].to_pylist()))
    moved = whole.drop_columns(["latitude", "longitude"]).append_column("geometry", points(form, places))
    pyarrow.parquet.write_table(moved, tmp_path / "fixes.parquet")
    assert fleet.replay_files(tmp_path, FEED, CONFIG, processes=1).equals(rows)


def test_a_point_that_is_none() -> None:
    fixes = table(FIXES[:2]).drop_columns(["latitude", "longitude"])
    nowhere = fixes.append_column("geometry", points("numbers", [(None, None), (4.885, 52.36)]))
    [found] = fleet.replay(fleet.sorted_fixes(nowhere).to_batches(), FEED, CONFIG)
    assert found["status"].to_pylist()[0] == "INVALID_ARGUMENT"
    line = fixes.append_column("geometry", pyarrow.array([b"\x01" + bytes(20), b"\x00" + bytes(20)]))
    with pytest.raises(ValueError, match="geometry: expected points as little-endian WKB, found 0100000000"):
        fleet.sorted_fixes(line)


def test_what_cannot_be_says_what_is_wrong(tmp_path: Path) -> None:
    whole = table(FIXES[:2])
    with pytest.raises(ValueError, match=r"need the columns device, .*; longitude is not there, but device"):
        fleet.sorted_fixes(whole.drop_columns("longitude"))
    for name in ("device", "time"):
        index = whole.schema.get_field_index(name)
        nulls = whole.set_column(index, name, pyarrow.nulls(2, whole.schema.field(name).type))
        with pytest.raises(ValueError, match=f"{name}: expected a value in each row, found 2 nulls"):
            fleet.sorted_fixes(nulls)
    mixed = table([FIXES[0], FIXES[40], FIXES[1]])
    with pytest.raises(ValueError, match="comes again behind others"):
        list(fleet.replay(mixed.to_batches(), FEED, CONFIG))
    with pytest.raises(FileNotFoundError, match=r"there is no file .*nothing\*"):
        fleet.replay_files(tmp_path / "nothing*", FEED)
    pyarrow.parquet.write_table(whole, tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="processes: expected 1 or more, found 0"):
        fleet.replay_files(tmp_path, FEED, processes=0)
    with pytest.raises(PlotError, match="feed"):
        fleet.replay_files(tmp_path, {"version": 99})


def test_compare(rows: Any) -> None:
    other = {**FEED, "campaigns": [campaign for campaign in FEED["campaigns"] if campaign["id"] != "stay"]}
    batches = fleet.sorted_fixes(table(FIXES[:200])).to_batches()
    changed = pyarrow.Table.from_batches(list(fleet.replay(batches, other, CONFIG)), fleet.ROWS)
    found = {(row.pop("campaign"), row.pop("event")): row for row in fleet.compare(rows, changed).to_pylist()}
    assert list(found) == sorted(found)
    for (campaign, event), row in found.items():
        for name, one in (("a", rows), ("b", changed)):
            mine = [r["device"] for r in one.to_pylist() if (r["campaign"], r["event"]) == (campaign, event)]
            assert row[f"events_{name}"] == len(mine) and row[f"devices_{name}"] == len(set(mine))
    assert found["stay", "notification-shown"]["events_b"] == 0 < found["stay", "notification-shown"]["events_a"]
    assert 0 < found["welcome", "notification-shown"]["devices_b"] == 5


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plotengine", "replay-fleet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=PYTHON / "src", timeout=120)


def test_the_command(rows: Any, tmp_path: Path) -> None:
    fixes, feed, config = tmp_path / "fixes.parquet", tmp_path / "feed.json", tmp_path / "plotconfig.json"
    pyarrow.parquet.write_table(table(FIXES), fixes)
    feed.write_text(json.dumps(FEED))
    config.write_text(json.dumps(CONFIG))
    for name in ("rows.parquet", "rows.csv"):
        done = run(fixes, "--feed", feed, "--config", config, "--out", tmp_path / name, "--processes", 1)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").equals(rows)
    assert (tmp_path / "rows.csv").read_text().splitlines()[1].startswith('"device 0",')
    for arguments, words in (
        (
            (fixes, "--feed", feed, "--out", "rows"),
            "--out: expected a name that ends with .parquet or .csv, found rows",
        ),
        (("nothing", "--feed", feed, "--out", "rows.csv"), "replay-fleet: fixes: there is no file nothing"),
        ((fixes, "--feed", fixes, "--out", "rows.csv"), "replay-fleet: "),
    ):
        done = run(*arguments)
        assert done.returncode != 0 and words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("more", [(), ("--until", "2026-03-02T00:00:00Z", "--time-zone", "Asia/Tokyo")])
def test_the_tool_writes_the_same_rows(tmp_path: Path, more: tuple[str, ...]) -> None:
    fixes, feed, config = tmp_path / "fixes.csv", tmp_path / "feed.json", tmp_path / "plotconfig.json"
    mixed = [{**fix, "accuracy": None if index % 3 else 12.5} for index, fix in enumerate(FIXES)]
    mixed += [{**mixed[5], "latitude": 91.0}, {**mixed[400], "time": 5}, {**mixed[9], "device": 'a "b", c'}]
    random.Random(1).shuffle(mixed)
    pyarrow.csv.write_csv(table(mixed), fixes)
    feed.write_text(json.dumps(FEED))
    config.write_text(json.dumps(CONFIG))
    arguments = [str(fixes), "--feed", str(feed), "--config", str(config), *more, "--out"]
    done = run(*arguments, tmp_path / "python.csv")
    assert (done.returncode, done.stderr) == (0, "")
    subprocess.run(
        [ROOT / "build/bin/plot", "replay-fleet", *arguments, tmp_path / "tool.csv"], check=True, timeout=120
    )
    assert (tmp_path / "tool.csv").read_bytes() == (tmp_path / "python.csv").read_bytes()
    assert len((tmp_path / "tool.csv").read_bytes()) > 20_000
