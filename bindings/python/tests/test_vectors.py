"""The vectors that all front ends share: the same bytes through ctypes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import CONFIG, FEED, ROOT

from plotengine import vectors

DIRECTORY = ROOT / "Tests" / "vectors"


def pytest_generate_tests(metafunc: Any) -> None:
    if "scenario" in metafunc.fixturenames:
        found = vectors.scenarios(DIRECTORY)
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


def test_the_runner(tmp_path: Path) -> None:
    def run(*words: object) -> subprocess.CompletedProcess[str]:
        arguments = [sys.executable, "-m", "plotengine.vectors", *map(str, words)]
        return subprocess.run(arguments, capture_output=True, text=True)

    for ending in (".json", ".effects.jsonl"):
        (tmp_path / f"enter-and-exit{ending}").write_bytes(
            (DIRECTORY / f"presence/enter-and-exit{ending}").read_bytes()
        )
    passed = run(tmp_path)
    assert passed.returncode == 0, passed.stderr
    assert passed.stdout.startswith("presence\n  enter-and-exit      3 steps      6 effects  pass\n\narea ")
    assert passed.stdout.endswith("\n1 passed, 0 failed\n")
    effects = tmp_path / "enter-and-exit.effects.jsonl"
    text = effects.read_text(encoding="utf-8")
    effects.write_text(text.replace('"effect":"show"', '"effect":"shew"'), encoding="utf-8")
    failed = run(tmp_path)
    assert failed.returncode == 1
    assert 'FAIL\n    line 2, from byte 14 on\n      expected {"effect":"shew"' in failed.stdout
    effects.write_text(text[:-1], encoding="utf-8")
    told = json.loads(run("--json", tmp_path).stdout)
    row = told["vectors"][0]
    assert (row["pass"], row["line"], row["byte"], row["expected"], row["actual"]) == (False, 7, 1, None, "")
    assert (told["passed"], told["failed"]) == (0, 1)
    effects.unlink()
    assert "FAIL\n    enter-and-exit.effects.jsonl is missing\n" in run(tmp_path).stdout
    assert run(tmp_path / "nothing").returncode == 2
    assert run().returncode == 2
