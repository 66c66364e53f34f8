"""A damaged store that is set aside (docs/store.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plotengine import Engine, Event, StoreDamagedError, android, xamarin

REFUSES = {"publicToken": "REPLACE_ME"}
SETS_ASIDE = {"publicToken": "REPLACE_ME", "engine": {"damagedStore": "setAside"}}
TIME = 1_700_000_000_000


def test_an_app_goes_on_after_its_store_was_damaged(tmp_path: Path) -> None:
    store = tmp_path / "plot.store"
    with Engine(clock=lambda: TIME) as engine:
        engine.init(REFUSES, store=store)
    damaged = bytearray(store.read_bytes())
    damaged[100:300] = b"\xa7" * 200
    store.write_bytes(damaged)
    with Engine(clock=lambda: TIME) as engine, pytest.raises(StoreDamagedError):
        engine.init(REFUSES, store=store)
    assert store.read_bytes() == damaged
    events: list[Event] = []
    with Engine(clock=lambda: TIME + 1000, on_event=events.append) as engine:
        engine.init(SETS_ASIDE, store=store)
    assert [happened.event for happened in events] == ["store-set-aside"]
    assert events[0].lost is not None
    assert "settings" in events[0].lost
    assert events[0].region == ""
    assert store.with_name("plot.store-damaged").read_bytes() == damaged
    told: list[Event] = []
    with Engine(clock=lambda: TIME + 2000, on_event=told.append) as engine:
        engine.init(REFUSES, store=store)
    assert told == []


def _android(files: Path, engine: dict[str, object]) -> None:
    config = files / "plotconfig.json"
    config.write_text(json.dumps({"publicToken": "REPLACE_ME", "engine": engine}), encoding="utf-8")
    try:
        android.Plot.init(android.Context(files, files, clock=lambda: TIME))
    finally:
        android.Plot.close()


def _xamarin(files: Path, engine: dict[str, object]) -> None:
    config = files / "plotconfig.json"
    config.write_text(json.dumps({"publicToken": "REPLACE_ME", "engine": engine}), encoding="utf-8")
    try:
        host = xamarin.Host(files, store=files / "plot.store", clock=lambda: TIME)
        xamarin.PlotBase.InitializeWithLaunchOptions(host)
    finally:
        xamarin.PlotBase.Close()


@pytest.mark.parametrize("start", [_android, _xamarin])
def test_a_mirror_sets_aside_unless_the_app_says_otherwise(
    start: Callable[[Path, dict[str, object]], None], tmp_path: Path
) -> None:
    store = tmp_path / "plot.store"
    start(tmp_path, {})
    damaged = bytearray(store.read_bytes())
    damaged[100:300] = b"\xa7" * 200
    store.write_bytes(damaged)
    with pytest.raises(StoreDamagedError):
        start(tmp_path, {"damagedStore": "refuse"})
    start(tmp_path, {"noise": "careful"})
    assert store.with_name("plot.store-damaged").read_bytes() == damaged
