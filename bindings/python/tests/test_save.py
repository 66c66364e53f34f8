"""An engine's state as bytes, and back (docs/state-bytes.md)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from plotengine import (
    AlreadyInitializedError,
    ClosedError,
    Engine,
    Feed,
    Fleet,
    InvalidArgumentError,
    InvalidDocumentError,
    StoreNewerError,
)

START = datetime(2026, 5, 16, 10, tzinfo=timezone.utc)
CONFIG: dict[str, Any] = {"engine": {"noise": "exact", "initial": "enter", "events": {"acknowledge": True}}}
FEED: dict[str, Any] = {
    "version": 1,
    "regions": [{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
    "campaigns": [
        {"id": "welcome", "type": "notification", "message": "Welcome!", "regions": ["museum"]},
        {"id": "seen", "type": "geotrigger", "name": "Seen", "regions": ["museum"]},
    ],
}


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def inside(**options: Any) -> Engine:
    engine = Engine(CONFIG, feed=FEED, time=START, time_zone=None, **options)
    engine.update_location(52.36, 4.885, time=at(1))
    return engine


def test_an_engine_goes_on() -> None:
    shown: list[Any] = []
    with inside() as first, Engine(on_show=shown.append) as second:
        state = first.save()
        assert isinstance(state, bytes) and len(state) < 2048
        second.restore(state, CONFIG, feed=FEED, time=at(1))
        assert second.visits() == first.visits()
        assert second.sent_notifications() == first.sent_notifications()
        assert second.sent_geotriggers() == first.sent_geotriggers()
        assert second.save() == state
        for engine in (first, second):
            engine.update_location(52.5, 4.9, time=at(5))
        assert second.save() == first.save()
        second.update_location(52.36, 4.885, time=at(10))
        assert shown == []


def test_another_feed_is_a_new_one() -> None:
    other = {**FEED, "campaigns": [{**FEED["campaigns"][0], "id": "new"}]}
    moved = {**FEED, "regions": [{**FEED["regions"][0], "id": "elsewhere"}], "campaigns": []}
    with inside() as first:
        state = first.save()
    for feed, ordinals in ((FEED, [1]), (other, [1]), (moved, [])):
        with Engine() as engine:
            engine.restore(state, CONFIG, feed=feed, time=at(2))
            # A region of the same name is the same region; a visit to one that is gone has ended.
            assert [visit.ordinal for visit in engine.visits()] == ordinals
            engine.update_location(52.36, 4.885, time=at(3))
            assert [visit.ordinal for visit in engine.visits()] == [1]


def test_into_a_store(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with inside() as first:
        with Engine() as second:
            second.restore(first.save(events=True), CONFIG, feed=FEED, store=store, time=at(2))
        with Engine(CONFIG, store=store, time=at(3), time_zone=None) as third:
            assert third.visits() == first.visits()
            assert third.sent_notifications() == first.sent_notifications()
            assert third.pending_events().events == first.pending_events().events
            sequence = third.pending_events().events[-1].sequence
            third.update_location(52.5, 4.9, time=at(5))
            assert third.pending_events().events[-1].sequence == sequence + 1
        with Engine() as fourth, pytest.raises(InvalidArgumentError, match="a new store"):
            fourth.restore(first.save(), CONFIG, store=store, time=at(4))


def test_events_by_option() -> None:
    with inside() as first:
        for events in (True, False):
            with Engine() as second:
                second.restore(first.save(events=events), CONFIG, feed=FEED, time=at(2))
                waiting = second.pending_events().events
                assert list(waiting) == (list(first.pending_events().events) if events else [])


def test_what_is_refused_changes_nothing() -> None:
    with inside() as first, Engine() as engine:
        state = first.save()
        for position in range(0, len(state), 5):
            damaged = bytearray(state)
            damaged[position] ^= 1 << position % 8
            with pytest.raises((InvalidDocumentError, StoreNewerError)):
                engine.restore(bytes(damaged), CONFIG, time=at(2))
        for cut in (state[:-1], b"", state + b"x"):
            with pytest.raises(InvalidDocumentError):
                engine.restore(cut, CONFIG, time=at(2))
        newer = state[4] + 1
        with pytest.raises(StoreNewerError, match=f"version {newer}"):
            engine.restore(state[:4] + bytes([newer]) + state[5:], CONFIG, time=at(2))
        with pytest.raises(TypeError, match="state must be bytes"):
            engine.restore("text", CONFIG)  # type: ignore[arg-type]
        engine.restore(state, CONFIG, feed=FEED, time=at(2))
        with pytest.raises(AlreadyInitializedError):
            engine.restore(state, CONFIG, time=at(3))


def test_a_recording_begins_with_a_store(tmp_path: Path) -> None:
    with inside() as first, Engine() as engine:
        engine.record(tmp_path / "recording")
        with pytest.raises(InvalidArgumentError, match="begins with a store"):
            engine.restore(first.save(), CONFIG, feed=FEED, time=at(2))


def test_many_engines_in_one_call() -> None:
    feed = Feed(FEED)
    engines = [inside(), inside(on_show=lambda _: True)]
    engines[1].update_location(52.5, 4.9, time=at(4))
    states = Fleet(engines).save()
    assert states == [engine.save() for engine in engines]
    assert Fleet(engines).save(events=True) == [engine.save(events=True) for engine in engines]
    others = [Engine(), Engine()]
    fleet = Fleet(others)
    fleet.restore(states, CONFIG, feed=feed)
    assert [engine.visits() for engine in others] == [engine.visits() for engine in engines]
    assert fleet.save() == states
    others[0].update_location(52.5, 4.9, time=at(5))
    with pytest.raises(ValueError, match="as many as engines"):
        fleet.restore(states[:1], CONFIG)
    with pytest.raises(AlreadyInitializedError, match=r"engines\[0\]"):
        fleet.restore(states, CONFIG)
    others[1].close()
    with pytest.raises(ClosedError):
        fleet.save()
    assert Fleet([]).save() == []
    for engine in (*engines, *others):
        engine.close()
