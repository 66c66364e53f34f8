"""Beacons, regions that move, and approaches: what a host says of them, and what it is told."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import AWAY, ROOT, T0, at

from plotengine import (
    Engine,
    Event,
    InvalidArgumentError,
    OutOfOrderError,
    Proximity,
    RegionType,
    Status,
    Trigger,
)

UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
SPACE, ONE = "00112233445566778899", "aabbccddeeff"

CONFIG: dict[str, Any] = {
    "publicToken": "REPLACE_ME",
    # In the background a beacon is left 60 s after it was last heard, and a tenth of `silence`.
    "engine": {"noise": {"preset": "exact"}, "beacons": {"silence": 30, "silenceInBackground": 60}},
}

FEED: dict[str, Any] = {
    "version": 1,
    "regions": [
        {"id": "till", "type": "beacon", "proximityUUID": UUID, "majorId": 1, "minorId": 7, "range": "near"},
        {"id": "cone", "type": "beacon", "namespaceId": SPACE, "instanceId": ONE, "range": "near"},
        {"id": "bus", "type": "geofence", "latitude": 53, "longitude": 5, "radius": 50, "moving": True},
        {"id": "shop", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 60},
    ],
    "campaigns": [
        {"id": "hello", "type": "notification", "message": "hello", "regions": ["till", "cone", "bus"], "resend": True},
        {
            "id": "soon",
            "type": "notification",
            "message": "soon",
            "regions": ["shop"],
            "trigger": "approaching",
            "arrivalSeconds": 600,
        },
    ],
}


def engine_of(store: Path | None = None) -> tuple[Engine, list[Event]]:
    events: list[Event] = []
    engine = Engine(CONFIG, feed=FEED, store=store, time=T0, on_event=events.append)
    return engine, events


def crossings(events: list[Event]) -> list[tuple[Any, ...]]:
    """The events of regions: which, when, since when, and by what."""
    return [
        (event.event.removeprefix("region-"), event.region, event.time, event.since, event.source)
        for event in events
        if event.event.startswith("region-")
    ]


def test_a_beacon_is_entered_and_left_by_silence_over_a_restart(tmp_path: Path) -> None:
    engine, events = engine_of(tmp_path / "store")
    engine.update_beacon(UUID, 1, 7, proximity=Proximity.NEAR, time=at(1))
    engine.update_beacon(UUID, 1, 8, proximity="near", time=at(2))  # another one
    assert events == []
    engine.update_beacon(UUID.upper(), 1, 7, proximity="immediate", time=at(3))
    assert crossings(events) == [("enter", "till", at(3), at(1), "beacon")]
    item = events[1].item
    assert item is not None and item.region_type is RegionType.BEACON and item.match_range == 2
    assert item.arrival_seconds is None and events[1].since is None and events[1].source is None
    assert engine.next_wakeup() == at(66)
    engine.close()

    again: list[Event] = []
    with Engine(CONFIG, store=tmp_path / "store", time=at(30), on_event=again.append) as engine:
        assert [visit.region for visit in engine.visits()] == ["till"]
        assert engine.next_wakeup() == at(66)
        engine.advance(time=at(100))
        assert crossings(again) == [("exit", "till", at(66), at(3), "beacon")]
        assert engine.visits() == []


def test_a_beacon_by_its_strength() -> None:
    engine, events = engine_of()
    for seconds in (1, 2):
        engine.update_beacon(UUID, 1, 7, rssi=-84, power=-59, time=at(seconds))  # 25 dB lost: 18 m
    assert events == []
    for seconds in (40, 41):
        engine.update_beacon(UUID, 1, 7, rssi=-64, power=-59, time=at(seconds))  # 5 dB: 1.8 m
    assert crossings(events) == [("enter", "till", at(41), at(40), "beacon")]
    engine.close()


def test_an_eddystone() -> None:
    engine, events = engine_of()
    # The power is that at zero metres: 41 dB more than at one.
    engine.update_eddystone(SPACE, ONE, rssi=-62, power=-18, time=at(1))
    engine.update_eddystone(SPACE, "000000000000", rssi=-62, power=-18, time=at(2))
    assert events == []
    engine.update_eddystone(SPACE, ONE.upper(), rssi=-62, power=-18, time=at(3))
    assert crossings(events) == [("enter", "cone", at(3), at(1), "beacon")]
    engine.advance(time=at(1000))
    assert crossings(events)[1:] == [("exit", "cone", at(66), at(3), "beacon")]
    engine.close()


REFUSED: list[tuple[Any, str]] = [
    (lambda e: e.update_beacon("f7826da6", 1, 7, time=at(9)), "proximity_uuid: expected a UUID"),
    (lambda e: e.update_beacon(UUID, -1, 7, time=at(9)), "major: expected an integer from 0 to 65535, found -1"),
    (lambda e: e.update_beacon(UUID, 1, 65536, time=at(9)), "minor: expected an integer from 0 to 65535"),
    (lambda e: e.update_beacon(UUID, 1, 7, rssi=float("nan"), time=at(9)), "rssi: expected dBm from -200 to 20"),
    (lambda e: e.update_beacon(UUID, 1, 7, power=21, time=at(9)), "power: expected dBm from -200 to 20"),
    (lambda e: e.update_eddystone("0011", ONE, time=at(9)), "namespace_id: expected 20 hexadecimal digits"),
    (lambda e: e.update_eddystone(SPACE, "xabbccddeeff", time=at(9)), "instance_id: expected 12 hexadecimal digits"),
    (lambda e: e.move_region("shop", 52.0, 5.0, time=at(9)), 'region: expected the id of a region with "moving": true'),
    (lambda e: e.move_region("bus", 90.5, 5.0, time=at(9)), "latitude: expected a number from -90 to 90"),
    (lambda e: e.move_region("bus", 52.0, float("nan"), time=at(9)), "longitude: expected a number from -180 to 180"),
]


@pytest.mark.parametrize(("call", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_what_is_refused_changes_nothing(call: Any, text: str) -> None:
    engine, events = engine_of()
    engine.update_beacon(UUID, 1, 7, proximity="near", time=at(1))
    with pytest.raises(InvalidArgumentError) as refused:
        call(engine)
    assert refused.value.status is Status.INVALID_ARGUMENT and str(refused.value).startswith(text)
    assert events == [] and engine.visits() == []
    engine.update_beacon(UUID, 1, 7, proximity="near", time=at(2))  # no time has passed
    assert [event.region for event in events if event.event == "region-enter"] == ["till"]
    engine.close()


def test_wrong_types_never_reach_the_library() -> None:
    engine, events = engine_of()
    for proximity in ("", "Near", 1, None):
        with pytest.raises(ValueError, match="Proximity"):
            engine.update_beacon(UUID, 1, 7, proximity=proximity, time=at(1))  # type: ignore[arg-type]
    with pytest.raises(OverflowError, match="major"):
        engine.update_beacon(UUID, 2**32 + 1, 7, time=at(1))
    calls: list[Any] = [
        lambda: engine.update_beacon(None, 1, 7, time=at(1)),  # type: ignore[arg-type]
        lambda: engine.update_beacon(UUID, True, 7, time=at(1)),
        lambda: engine.update_beacon(UUID, 1, 7.0, time=at(1)),  # type: ignore[arg-type]
        lambda: engine.update_beacon(UUID, 1, 7, rssi="-60", time=at(1)),  # type: ignore[arg-type]
        lambda: engine.update_eddystone(SPACE, 5, time=at(1)),  # type: ignore[arg-type]
        lambda: engine.move_region(5, 0, 0, time=at(1)),  # type: ignore[arg-type]
        lambda: engine.move_region("bus", "0", 0, time=at(1)),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert events == []
    engine.close()


def test_a_late_sighting_and_a_late_fix() -> None:
    engine, events = engine_of()
    decisions: list[Any] = []
    engine.update_location(*AWAY, time=at(10))
    engine.on_decision(decisions.append)
    with pytest.raises(OutOfOrderError):
        engine.update_beacon(UUID, 1, 7, time=at(9))
    with pytest.raises(OutOfOrderError):
        engine.update_location(52.36, 4.885, time=at(9))
    assert [(decision.time, decision.step, decision.reason) for decision in decisions] == [
        (at(10), "presence", "late"),
        (at(10), "presence", "late"),
    ]
    assert events == []
    engine.close()


def test_a_region_that_moves() -> None:
    engine, events = engine_of()
    engine.update_location(52, 4.885, time=at(10))
    engine.move_region("bus", 52.0003, 4.885, time=at(20))
    engine.move_region("bus", 52.01, 4.885, time=at(30))
    assert crossings(events) == [
        ("enter", "bus", at(20), None, "move"),
        ("exit", "bus", at(30), None, "move"),
    ]
    assert (events[0].latitude, events[0].longitude) == (52, 4.885)
    engine.close()


def test_an_approach() -> None:
    engine, events = engine_of()
    engine.update_location(52.3060407, 4.885, accuracy=5, speed=12, course=0, time=T0)
    approach, shown = events
    assert (approach.event, approach.region, approach.ordinal) == ("region-approach", "shop", 1)
    assert (approach.arrival_seconds, approach.arrival) == (600, at(495.001))
    assert shown.item is not None and shown.event == "notification-shown"
    assert shown.item.trigger is Trigger.APPROACHING and shown.item.arrival_seconds == 600
    (sent,) = engine.sent_notifications()
    assert (sent.trigger, sent.arrival_seconds) == (Trigger.APPROACHING, 600)
    loaded = {item.identifier: item.arrival_seconds for item in engine.loaded_notifications()}
    assert loaded["soon;shop"] == 600 and loaded["hello;till"] is None
    engine.close()


def test_why_something_was_removed() -> None:
    feed = {**FEED, "campaigns": [{**FEED["campaigns"][0], "removeOnExit": True}]}
    events: list[Event] = []
    engine = Engine(CONFIG, feed=feed, time=T0, on_event=events.append, on_remove=lambda notification: True)
    engine.update_location(52, 4.885, time=at(10))
    engine.move_region("bus", 52, 4.885, time=at(20))
    engine.move_region("bus", 53, 4.885, time=at(30))
    assert [(event.event, event.reason) for event in events] == [
        ("region-enter", None),
        ("notification-shown", None),
        ("region-exit", None),
        ("notification-removed", "exit"),
    ]
    engine.close()


def test_an_absence() -> None:
    events: list[Event] = []
    late = {
        "id": "late",
        "type": "notification",
        "message": "late",
        "regions": ["shop"],
        "trigger": "absent",
        "absence": {"minutes": 60, "silenceMinutes": 30},
        "resend": True,
    }
    gone = {**late, "id": "gone", "absence": {"minutes": 200, "silenceMinutes": 30}}
    with Engine(CONFIG, feed={**FEED, "campaigns": [late, gone]}, time=T0, on_event=events.append) as engine:
        for minute in [0, 20, 40, 60, 121, 141, 161, 181, 201]:
            engine.update_location(52.0, 4.885, time=T0 + timedelta(minutes=minute))
        told, shown, unknown = (event for event in events if not event.event.startswith("region-"))
        assert (told.event, told.campaign, told.region) == ("absence", "late", "shop")
        assert (told.span_from, told.span_to, told.unknown_from) == (T0, T0 + timedelta(minutes=60), None)
        assert shown.item is not None and shown.item.trigger == Trigger.ABSENT
        assert (unknown.event, unknown.campaign) == ("absence-unknown", "gone")
        assert (unknown.unknown_from, unknown.unknown_to) == (at(3600), at(121 * 60))


def test_an_event_has_each_key_of_the_page() -> None:
    keys = json.loads((ROOT / "docs/events.json").read_text())["keys"]
    text, number = (
        {"string": "2026-05-16T10:00:00Z", "array": ["visits"], "boolean": True, "object": {"order": "7"}},
        {"integer": 7, "number": 7.5},
    )
    record = {key: {**text, **number}[row["type"]] for row in keys for key in row["keys"]}
    event = Event.parse(json.dumps(record))
    empty = Event(time=event.time, event="", sequence=0, region="", visit="")
    taken = [name for name in vars(event) if getattr(event, name) != getattr(empty, name)]
    assert len(set(taken) - {"raw", "item", "time"}) == len(record) - 1
