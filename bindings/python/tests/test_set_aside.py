"""A damaged store that is set aside (docs/store.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plotengine import Engine, Event, StoreDamagedError

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
