# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Why it was not shown: explanations, and decisions that are kept or written to a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import AWAY, MUSEUM, T0, at

from plotengine import Engine, FileError, InvalidArgumentError, NotFoundError

FEED = {
    "version": 1,
    "regions": [{"id": "museum", "type": "geofence", "latitude": MUSEUM[0], "longitude": MUSEUM[1], "radius": 100}],
    "campaigns": [
        {"id": "a", "type": "notification", "message": "a", "regions": ["museum"], "trigger": "exit"},
        {"id": "b", "type": "notification", "message": "b", "regions": ["museum"]},
    ],
}


@pytest.fixture
def engine() -> Engine:
    return Engine({"engine": {"noise": "exact", "initial": "none"}}, feed=FEED, time=T0)


def test_an_explanation(engine: Engine) -> None:
    assert engine.explain("a")["sentence"] == "Nothing is known yet of where the device is."
    engine.update_location(*AWAY, time=at(60))
    assert engine.explain("a", "museum")["reason"] == "not-inside"
    engine.update_location(*MUSEUM, time=at(120))
    found = engine.explain("a", language="nl")
    assert found["reason"] == "exit" and found["verdict"] == "hold"
    assert found["sentence"].startswith("Het wacht op het vertrek")
    assert engine.explain("b")["reason"] == "once-only"
    with pytest.raises(NotFoundError, match="no campaign"):
        engine.explain("x")
    with pytest.raises(NotFoundError, match="no region"):
        engine.explain("a", "x")
    engine.close()


def test_kept_decisions(engine: Engine, tmp_path: Path) -> None:
    assert engine.decisions() == []
    engine.keep_decisions(100)
    file = tmp_path / "decisions.jsonl"
    engine.write_decisions_to(file)
    engine.update_location(*AWAY, time=at(60))
    engine.update_location(*MUSEUM, time=at(120))
    kept = engine.decisions()
    assert [json.loads(line) for line in file.read_text().splitlines()] == [json.loads(one.raw) for one in kept]
    assert kept[0].inputs == {"trigger": "enter", "ordinal": 1} and kept[0].campaign == "b"
    assert [one.reason for one in engine.decisions("b", "museum", limit=1)] == ["shown"]
    assert engine.decisions("a") == []
    engine.write_decisions_to(None)
    engine.keep_decisions(0)
    assert engine.decisions() == []
    for capacity in (-1, 100_001):
        with pytest.raises(InvalidArgumentError, match="capacity"):
            engine.keep_decisions(capacity)
    with pytest.raises(FileError):
        engine.write_decisions_to("/nowhere/decisions")
    engine.close()
