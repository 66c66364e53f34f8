"""The same rows from Spark as from one thread, also when an executor is killed while it works."""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pyspark
import pytest
from pyspark.sql import SparkSession
from world import BEGIN, FEED, ORDER, circles, fixes, rows_of, session, walks

from plotengine import fleet, spark

HOME = Path(pyspark.__file__).parent


@pytest.fixture
def local(tmp_path: Path) -> Iterator[SparkSession]:
    made = session("local[2]", tmp_path, **{"spark.sql.shuffle.partitions": "5"})
    yield made
    made.stop()


def test_the_same_rows_on_two_threads(local: SparkSession, tmp_path: Path) -> None:
    table = fixes(50, 200)
    pyarrow.parquet.write_table(table, tmp_path / "fixes.parquet")
    expected = fleet.replay_files(tmp_path / "fixes.parquet", FEED, processes=1)
    assert expected.num_rows > 500 and "fix-refused" in expected["event"].to_pylist()
    frame = local.read.parquet(str(tmp_path / "fixes.parquet"))
    rows = spark.replay(frame, FEED)
    assert rows_of(rows).equals(expected.sort_by(ORDER))

    # Rows that are in order already are taken as they are, a file being a partition.
    pyarrow.parquet.write_table(fleet.sorted_fixes(table), tmp_path / "sorted.parquet")
    in_order = local.read.parquet(str(tmp_path / "sorted.parquet")).coalesce(1)
    assert rows_of(spark.replay(in_order, FEED, is_sorted=True)).equals(expected.sort_by(ORDER))
    files = tmp_path / "files"
    files.mkdir()
    ordered = fleet.sorted_fixes(table)
    half = ordered["device"].to_pylist().index(ordered["device"][ordered.num_rows // 2].as_py())
    pyarrow.parquet.write_table(ordered.slice(0, half), files / "a.parquet")
    pyarrow.parquet.write_table(ordered.slice(half), files / "b.parquet")
    done = local.sparkContext.accumulator(0)
    assert rows_of(spark.replay_files(local, files, FEED, progress=done)).equals(expected.sort_by(ORDER))
    assert done.value == table.num_rows
    with pytest.raises(FileNotFoundError, match="there is no file nothing"):
        spark.replay_files(local, "nothing", FEED)
    (tmp_path / "fixes.csv").write_text("device,time,latitude,longitude\n")
    with pytest.raises(ValueError, match=r"expected Parquet files, found .*fixes\.csv; read CSV into a data frame"):
        spark.replay_files(local, tmp_path / "fixes.csv", FEED)
    with pytest.raises(Exception, match="comes again behind others"):
        spark.replay(frame.coalesce(1), FEED, is_sorted=True).count()

    # Devices that end later, decisions, and points in place of numbers.
    until = BEGIN + 30_000_000
    slow = {"engine": {"noise": {"minOutside": 600}}}
    ended, later = (fleet.replay_files(tmp_path / "fixes.parquet", FEED, slow, until=at) for at in (None, until))
    assert later.num_rows > ended.num_rows
    assert rows_of(spark.replay(frame, FEED, slow, until=until)).equals(later.sort_by(ORDER))
    done = local.sparkContext.accumulator(0)
    found = spark.replay(frame, FEED, decisions=True, progress=done).toArrow().cast(fleet.DECISIONS)
    assert done.value == table.num_rows
    decided = fleet.replay_files(tmp_path / "fixes.parquet", FEED, processes=1, decisions=True)
    by = [(name, "ascending") for name in fleet.DECISIONS.names]
    assert found.sort_by(by).equals(decided.sort_by(by)) and decided.num_rows > 1000
    places = zip(table["longitude"].to_pylist(), table["latitude"].to_pylist())
    wkb = pyarrow.array([b"\x01" + struct.pack("<Idd", 1, x, y) for x, y in places])
    moved = table.drop_columns(["latitude", "longitude"]).append_column("geometry", wkb)
    pyarrow.parquet.write_table(moved, tmp_path / "points.parquet")
    assert rows_of(spark.replay(local.read.parquet(str(tmp_path / "points.parquet")), FEED)).equals(
        expected.sort_by(ORDER)
    )

    # Another configuration: one notification in an hour.
    other = {"cooldownPeriod": 3600}
    changed = spark.replay(frame, FEED, other)
    assert rows_of(changed).num_rows < expected.num_rows
    found = spark.compare(rows, changed).toArrow().sort_by([("campaign", "ascending"), ("event", "ascending")])
    there = fleet.compare(expected, fleet.replay_files(tmp_path / "fixes.parquet", FEED, other, processes=1))
    assert found.select(there.schema.names).to_pylist() == there.to_pylist()
    with pytest.raises(ValueError, match="longitude is not there"):
        spark.replay(frame.drop("longitude"), FEED)


def test_the_command(tmp_path: Path) -> None:
    table = fixes(20, 200)
    pyarrow.parquet.write_table(table.slice(0, 1000), tmp_path / "a.parquet")
    pyarrow.parquet.write_table(table.slice(1000), tmp_path / "b.parquet")
    command = [sys.executable, "-m", "plotengine", "spark", "replay", "--master", "local[2]", "--feed", FEED]
    command += [
        "--conf",
        "spark.ui.enabled=false",
        "--conf",
        f"spark.local.dir={tmp_path}",
        "--out",
        str(tmp_path / "rows"),
    ]
    first = subprocess.run([*command, "--fixes", f"{tmp_path}/*.parquet"], capture_output=True, text=True, timeout=300)
    assert first.returncode == 0, first.stderr
    found = pyarrow.parquet.read_table(tmp_path / "rows").cast(fleet.ROWS)
    expected = fleet.replay_files(f"{tmp_path}/*.parquet", FEED, processes=1)
    assert found.sort_by(ORDER).equals(expected.sort_by(ORDER)) and expected.num_rows > 100
    again = subprocess.run([*command, "--fixes", f"{tmp_path}/*.parquet"], capture_output=True, text=True, timeout=300)
    assert again.returncode == 1 and "Traceback" not in again.stderr
    assert "spark replay: [PATH_ALREADY_EXISTS]" in again.stdout + again.stderr


def started(words: list[str], log: Path, pattern: str) -> tuple[subprocess.Popen[bytes], str]:
    """A process, and what its log says when it is ready."""
    with log.open("wb") as out:
        process = subprocess.Popen([str(HOME / "bin" / "spark-class"), *words], stdout=out, stderr=out)
    for _ in range(600):
        if found := re.search(pattern, log.read_text(errors="replace")):
            return process, found[0]
        time.sleep(0.1)
    process.kill()
    raise AssertionError(log.read_text(errors="replace"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    processes = []
    try:
        master, url = started(
            ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"],
            tmp_path / "master.log",
            r"spark://127\.0\.0\.1:\d+",
        )
        processes.append(master)
        for number in range(2):
            words = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0"]
            words += ["--work-dir", str(tmp_path / f"worker-{number}"), url]
            worker, _ = started(
                ["org.apache.spark.deploy.worker.Worker", *words], tmp_path / f"{number}.log", "Successfully registered"
            )
            processes.append(worker)
        yield url
    finally:
        for process in processes:
            process.terminate()
            process.wait(30)


def executors() -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and b"127.0.0.1" in command:
            found.append(int(place.name))
    return found


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Any]:
    """1,000,000 fixes of 2,000 devices in no order, 20,000 circles, and the rows that one thread makes of them."""
    folder = tmp_path_factory.mktemp("million")
    document, _, _ = circles()
    (folder / "feed.json").write_text(json.dumps(document))
    table = walks(0, 2000)
    mixed = table.take(pyarrow.array(numpy.random.default_rng(2).permutation(table.num_rows)))
    pyarrow.parquet.write_table(mixed, folder / "fixes.parquet")
    rows = pyarrow.Table.from_batches(list(fleet.replay(table.to_batches(), document)), fleet.ROWS)
    assert rows.num_rows > 20_000
    return str(folder / "fixes.parquet"), str(folder / "feed.json"), rows.sort_by(ORDER)


def test_a_million_fixes(local: SparkSession, million: tuple[str, str, Any]) -> None:
    path, feed, expected = million
    assert fleet.replay_files(path, feed, processes=3).sort_by(ORDER).equals(expected)
    assert rows_of(spark.replay(local.read.parquet(path), feed)).equals(expected)


def test_an_executor_is_killed(cluster: str, million: tuple[str, str, Any], tmp_path: Path) -> None:
    path, feed, expected = million
    options = {"spark.executor.memory": "600m", "spark.executor.cores": "1", "spark.sql.shuffle.partitions": "8"}
    made = session(cluster, tmp_path, **options, **{"spark.sql.adaptive.enabled": "false"})
    try:
        frame = made.read.parquet(path)
        assert rows_of(spark.replay(frame, feed)).equals(expected)
        assert len(executors()) == 2

        results: list[Any] = []
        job = threading.Thread(target=lambda: results.append(rows_of(spark.replay(frame, feed))))
        job.start()
        killed = None
        while killed is None and job.is_alive():
            time.sleep(0.02)
            tracker = made.sparkContext.statusTracker()
            for stage in tracker.getActiveStageIds():
                facts = tracker.getStageInfo(stage)
                # In the midst of the second half, which runs the engines.
                if facts is not None and facts.numTasks == 8 and facts.numCompletedTasks >= 2 and facts.numActiveTasks:
                    killed = executors()[0]
                    os.kill(killed, signal.SIGKILL)
                    break
        job.join(300)
        assert killed is not None and not job.is_alive(), "the job had ended before"
        assert results[0].equals(expected)
    finally:
        made.stop()
