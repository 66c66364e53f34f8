"""Events that the app lists and acknowledges."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, at

from plotengine import Engine, Event, InvalidArgumentError

ACKNOWLEDGING = {**CONFIG, "engine": {"noise": "exact", "events": {"acknowledge": True}}}
NAMES = ["region-enter", "geotrigger", "notification-shown"]


def started(store: Path | None = None, config: object = ACKNOWLEDGING) -> Engine:
    engine = Engine(config, feed=FEED, store=store, time=T0)  # type: ignore[arg-type]
    engine.update_location(*AWAY, time=T0)
    engine.update_location(*MUSEUM, time=at(60))
    return engine


def test_each_is_acknowledged_when_the_next_one_is_asked_for(tmp_path: Path) -> None:
    with started(tmp_path / "store") as engine:
        page = engine.pending_events()
        assert (page.acknowledged, page.lost, page.waiting) == (0, 0, 3)
        assert [event.event for event in page.events] == NAMES
        assert page.events[0].raw.startswith('{"time":') and page.events[0].raw.endswith("}")
        assert [event.sequence for event in engine.pending_events(after=1, limit=1).events] == [2]

        events = engine.outbox()
        assert [next(events).event, next(events).event] == NAMES[:2]
        # The handling of the second one fails.
        del events
        assert [event.event for event in engine.pending_events().events] == NAMES[1:]
    with Engine(ACKNOWLEDGING, store=tmp_path / "store", time=at(120)) as engine:
        assert [event.event for event in engine.outbox()] == NAMES[1:]
        assert list(engine.outbox()) == []
        assert engine.pending_events().acknowledged == 3


def test_a_callback_that_raises_loses_nothing() -> None:
    def fails(event: Event) -> None:
        if event.sequence == 1:
            raise RuntimeError

    with Engine(ACKNOWLEDGING, feed=FEED, on_event=fails, time=T0) as engine:
        engine.update_location(*AWAY, time=T0)
        with pytest.raises(RuntimeError):
            engine.update_location(*MUSEUM, time=at(60))
        assert [event.event for event in engine.outbox()] == NAMES


def test_what_is_refused() -> None:
    with started() as engine:
        with pytest.raises(InvalidArgumentError, match="sequence"):
            engine.acknowledge_events(4)
        with pytest.raises(ValueError, match="after"):
            engine.pending_events(after=-1)
        with pytest.raises(OverflowError):
            engine.acknowledge_events(1 << 63)
        assert engine.pending_events().waiting == 3
    with (
        started(config=CONFIG) as engine,
        pytest.raises(InvalidArgumentError, match=r"engine\.events\.acknowledge"),
    ):
        engine.pending_events()
