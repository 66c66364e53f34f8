"""Recordings: taken, played again, and in the way of errors."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, at

import plotengine
from plotengine import AlreadyInitializedError, Engine, FileError, InvalidDocumentError, Replay


def walk(engine: Engine) -> None:
    engine.update_location(*AWAY, time=at(1))
    engine.update_location(*MUSEUM, time=at(61))
    engine.update_location(*AWAY, time=at(121))


def test_a_recording_played_again_is_the_same(tmp_path: Path) -> None:
    path, lines = tmp_path / "walk.jsonl", []
    with Engine(CONFIG, feed=FEED, time=T0, record=path, on_recording=lines.append) as engine:
        walk(engine)
    assert path.read_text("utf-8").splitlines() == lines
    assert list(plotengine.replay(path)) == lines
    packed = tmp_path / "walk.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(plotengine.replay(packed)) == lines
    assert any(line.startswith('{"show":') for line in lines)


def test_inputs_alone(tmp_path: Path) -> None:
    path = tmp_path / "walk.jsonl"
    with Engine() as engine:
        engine.record(path, effects=False)
        engine.init(CONFIG, feed=FEED, time=T0)
        walk(engine)
        engine.stop_recording()
        engine.update_location(*MUSEUM, time=at(200))
    lines = path.read_text("utf-8").splitlines()
    assert {line[:9] for line in lines} == {'{"recordi', '{"input":'}
    assert sum(line.startswith('{"input":"fix"') for line in lines) == 3
    assert list(plotengine.replay(path)) == lines


def test_faults(tmp_path: Path) -> None:
    path = tmp_path / "walk.jsonl"
    path.write_text("kept", "utf-8")
    with pytest.raises(FileError):
        Engine(CONFIG, time=T0, record=path)
    assert path.read_text("utf-8") == "kept"
    with Engine(CONFIG, time=T0) as engine:
        with pytest.raises(AlreadyInitializedError):
            engine.record(tmp_path / "new.jsonl")
        with pytest.raises(AlreadyInitializedError):
            engine.on_recording(print)
        engine.stop_recording()
    replay = Replay()
    with pytest.raises(InvalidDocumentError) as caught:
        replay.take("nonsense")
    assert caught.value.line == 1
    with pytest.raises(InvalidDocumentError) as caught:
        replay.take('{"input":"advance","time":"2026-05-16T12:00:00Z"}')
    assert caught.value.line == 2
    with pytest.raises(TypeError):
        replay.take(1)  # type: ignore[arg-type]
