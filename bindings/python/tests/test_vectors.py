"""The vectors that all front ends share: the same bytes through ctypes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import CONFIG, FEED, ROOT

from plotengine import vectors

DIRECTORY = ROOT / "Tests" / "vectors"


def pytest_generate_tests(metafunc: Any) -> None:
    if "scenario" in metafunc.fixturenames:
        found = sorted(DIRECTORY.glob("*.json"))
        metafunc.parametrize("scenario", found, ids=[path.stem for path in found])


def test_there_are_vectors() -> None:
    assert vectors.scenarios(DIRECTORY)


def test_scenario(scenario: Path) -> None:
    different = vectors.difference(scenario)
    assert different is None, different


def test_a_difference_is_told(tmp_path: Path) -> None:
    inputs = [{"fix": {"time": "2026-03-01T12:00:00Z", "latitude": 52.4, "longitude": 4.9}}, {"list": "visits"}]
    path = tmp_path / "one.json"
    scenario = {"name": "one", "config": CONFIG, "feed": FEED, "start": "2026-03-01T12:00:00Z", "inputs": inputs}
    path.write_text(json.dumps(scenario), encoding="utf-8")
    effects = path.with_suffix(".effects.jsonl")
    effects.write_text('{"effect":"list","value":[]}\n', encoding="utf-8")
    assert vectors.difference(path) is None
    effects.write_text('{"effect":"list","value":[1]}\n', encoding="utf-8")
    assert '+{"effect":"list","value":[]}' in (vectors.difference(path) or "")
    effects.write_text('{"effect":"list","value":[]}', encoding="utf-8")
    assert vectors.difference(path) is not None
    with pytest.raises(FileNotFoundError):
        vectors.scenarios(tmp_path / "nothing")
