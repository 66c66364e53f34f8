# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Somebody is on the way (docs/trips.md)."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
from conftest import ROOT

from plotengine import (
    Engine,
    Event,
    InvalidArgumentError,
    InvalidDocumentError,
    NotFoundError,
    Notification,
    Trigger,
    Trip,
    android,
)

T0 = datetime(2026, 5, 16, 10, tzinfo=timezone.utc)
FEED = {
    "version": 1,
    "regions": [
        {"id": "shop", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 80},
        {"id": "other", "type": "geofence", "latitude": 52.37, "longitude": 4.885, "radius": 80},
    ],
    "campaigns": [
        {
            "id": "near",
            "type": "notification",
            "message": "{{trip.order}} of {{trip}}",
            "regions": ["shop"],
            "trigger": "trip",
            "tripEvent": "approaching",
        }
    ],
}


def at(minutes: float) -> datetime:
    return T0 + timedelta(minutes=minutes)


def test_a_trip_from_start_to_end() -> None:
    events: list[Event] = []
    shown: list[tuple[str, str | None]] = []

    def show(item: Notification) -> bool:
        shown.append((item.message, item.trip_event))
        return True

    with Engine({}, feed=FEED, time=T0, on_event=events.append, on_show=show) as engine:
        engine.update_location(52.38, 4.885, accuracy=10, time=T0)
        plan = {
            "id": "t",
            "region": "shop",
            "mode": "pedestrian",
            "deadline": "2026-05-16T10:20:00Z",
            "others": ["other"],
            "metadata": {"order": "A7", "items": 3},
        }
        engine.start_trip(plan, time=T0)
        (trip,) = engine.trips(T0)
        assert isinstance(trip, Trip) and (trip.id, trip.region, trip.mode) == ("t", "shop", "pedestrian")
        assert (trip.started, trip.ends, trip.deadline) == (T0, at(740), at(20))
        assert trip.metadata == {"order": "A7", "items": 3} and trip.delayed and not trip.stopped
        assert trip.metres is not None and 2700 < trip.metres < 2800
        assert trip.arrival is not None and trip.arrival > at(30) and trip.speed == 1.4
        for step in range(1, 21):
            engine.update_location(52.38 - 0.001 * step, 4.885, accuracy=10, time=at(step))
        assert engine.trips() == []
    told = [event.event for event in events if event.trip == "t"]
    assert told == ["trip-started", "trip-delayed", "trip-wrong-destination", "trip-approaching", "trip-arrived"]
    by_name = {event.event: event for event in events}
    assert by_name["trip-wrong-destination"].other_region == "other"
    arrived = by_name["trip-arrived"]
    assert (arrived.region, arrived.ordinal, arrived.deadline) == ("shop", 1, at(20))
    assert arrived.delay_seconds == (arrived.time - at(20)).total_seconds() and arrived.metadata == trip.metadata
    assert shown == [("A7 of t", "approaching")]


def test_the_app_ends_trips_and_what_is_none_is_refused() -> None:
    events: list[Event] = []
    with Engine({}, feed=FEED, time=T0, on_event=events.append) as engine:
        for name in ("a", "b"):
            engine.start_trip({"id": name, "region": "shop"}, time=T0)
        engine.end_trip("a", time=at(1))
        engine.end_trip("b", arrived=True, time=at(2))
        assert [event.event for event in events[2:]] == ["trip-cancelled", "trip-arrived"]
        with pytest.raises(NotFoundError, match='no trip "a" is on'):
            engine.end_trip("a", time=at(3))
        with pytest.raises(NotFoundError, match='no region "nowhere"'):
            engine.start_trip({"id": "c", "region": "nowhere"}, time=at(3))
        with pytest.raises(InvalidDocumentError, match="/mode: "):
            engine.start_trip({"id": "c", "region": "shop", "mode": "car"}, time=at(3))
        with pytest.raises(InvalidArgumentError, match="expires: expected a time after"):
            engine.start_trip({"id": "c", "region": "shop", "expires": "2026-05-16T09:00:00Z"}, time=at(3))
        assert engine.trips(at(3)) == []


def test_every_trigger_has_its_word_in_each_binding() -> None:
    schema = json.loads((ROOT / "docs/schema/feed.schema.json").read_text())
    words = schema["$defs"]["campaign"]["properties"]["trigger"]["enum"]
    assert {trigger.value for trigger in Trigger} == {*words, ""}
    mirrored = {value for name, value in vars(android.BaseTrigger).items() if name.startswith("TRIGGER_")}
    assert mirrored == set(words)
    union = " | ".join(f"'{word}'" for word in words)
    for folder in ("", "cordova/", "titanium/", "react-native/"):
        declared = (ROOT / f"bindings/node/{folder}index.d.ts").read_text()
        found = re.findall(r"(?:trigger|type Trigger)(?:: | = )('enter'[^;]*);", declared)
        assert found and set(found) == {union}, folder
