"""A real bus ride: the bus as a region that comes to people at the stops, and as one who approaches them."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from random import Random
from typing import Any

import noise_table
import pytest

from plotengine import Config, Engine, Feed


@pytest.fixture(scope="module", autouse=True)
def data() -> None:
    if not noise_table.DATA.exists():
        pytest.skip("the traces beside the project are not there")


def engine_of(regions: list[dict[str, Any]], campaigns: list[dict[str, Any]], begin: int) -> tuple[Engine, list[Any]]:
    events: list[Any] = []
    engine = Engine()
    engine.on_event(events.append)
    config = {"publicToken": "REPLACE_ME", "engine": {"noise": "exact", "initial": "enter"}}
    engine.init(Config.parse(json.dumps(config)), time=begin)
    feed = {"version": 1, "regions": regions, "campaigns": campaigns}
    engine.set_feed(Feed.parse(json.dumps(feed)), time=begin)
    return engine, events


def place(name: str, latitude: float, longitude: float, **keys: Any) -> dict[str, Any]:
    return {"id": name, "type": "geofence", "latitude": latitude, "longitude": longitude, "radius": 60, **keys}


def crossings(stop: str) -> list[tuple[datetime, str]]:
    """The answer of the independent program of a circle round a stop."""
    lines = [
        line.split() for line in (noise_table.DATA / "bus304" / "crossings-r60.txt").read_text("utf-8").splitlines()
    ]
    return [
        (datetime.fromisoformat(words[0].replace("Z", "+00:00")), words[1])
        for words in lines
        if words and not words[0].startswith("#") and words[2] == stop
    ]


def test_the_bus_comes_to_who_waits_as_who_rides_comes_to_the_stop() -> None:
    track, stops = noise_table.bus()
    for stop, latitude, longitude in stops[:12]:
        engine, events = engine_of([place("bus", *track[0][1:], moving=True)], [], track[0][0])
        heard = -1
        for time, a, b in track:
            # A host that waits is checked now and then.
            if heard < 0 or time - heard >= 60_000:
                engine.update_location(latitude, longitude, time=time)
                heard = time
            engine.move_region("bus", a, b, time=time)
        said = [(event.time, event.event.removeprefix("region-")) for event in events]
        engine.close()
        assert said == crossings(stop), stop


def test_each_stop_is_approached_once_and_in_time() -> None:
    track, stops = noise_table.bus()
    campaign = {"id": "next", "type": "geotrigger", "name": "next stop", "trigger": "approaching", "arrivalSeconds": 60}
    campaign["regions"] = [name for name, _, _ in stops]
    engine, events = engine_of([place(*stop) for stop in stops], [campaign], track[0][0])
    for time, latitude, longitude in track:
        engine.update_location(latitude, longitude, time=time)
    engine.close()
    approached: dict[str, list[Any]] = {name: [] for name, _, _ in stops}
    entered: dict[str, datetime] = {}
    for event in events:
        if event.event == "region-approach":
            approached[event.region].append(event)
        elif event.event == "region-enter":
            entered[event.region] = event.time
    assert len(entered) == len(stops)
    before = {name: [event for event in told if event.time < entered[name]] for name, told in approached.items()}
    told = [events for events in before.values() if events]
    # A bus that turns, or begins at a stop, does not head for it; most are told, once, and none twice on the way there.
    assert len(told) >= len(stops) * 3 // 4, len(told)
    assert all(len(events) == 1 for events in told)
    leads = sorted((entered[events[0].region] - events[0].time).total_seconds() for events in told)
    print(f"approaches told {len(told)} of {len(stops)}, seconds before the enter: {leads}")
    assert leads[len(leads) // 2] <= 120
    for events in told:
        assert 0 <= (events[0].arrival - events[0].time).total_seconds() <= 60


def test_crossings_are_read() -> None:
    assert datetime(2019, 2, 18, tzinfo=timezone.utc) < crossings(noise_table.bus()[1][0][0])[0][0]


@pytest.mark.parametrize("policy", ["eager", "balanced", "careful"])
@pytest.mark.parametrize(("every", "report"), [(1, 30), (10, 30), (30, 30), (30, 1), (10, 60)])
def test_a_passenger_is_in_the_bus_once(policy: str, every: int, report: int) -> None:
    """A bus that reports now and then, and a phone in it with errors of its own, until it stays behind on the way."""
    track, _ = noise_table.bus()
    begin = track[0][0]
    random = Random(5)
    events: list[Any] = []
    engine = Engine()
    engine.on_event(events.append)
    engine.init(Config({"engine": {"noise": policy}}), time=begin)
    ride = {"id": "ride", "type": "geotrigger", "name": "ride", "trigger": "dwelling", "dwellingMinutes": 5}
    bus = place("bus", *track[0][1:], moving=True)
    engine.set_feed(Feed({"version": 1, "regions": [bus], "campaigns": [{**ride, "regions": ["bus"]}]}), time=begin)
    heard = told = begin - 1_000_000
    left: tuple[int, float, float] | None = None
    for time, latitude, longitude in track:
        if time - told >= report * 1000:
            told = time
            engine.move_region("bus", latitude, longitude, time=time)
        if time - heard < every * 1000:
            continue
        heard = time
        if left is None and time - begin >= 1_800_000:
            left = (time, latitude, longitude)
        _, here, there = left or (0, latitude, longitude)
        error = random.gauss(0, 6) / 111_195
        engine.update_location(here + error, there + error, accuracy=10, time=time)
    engine.close()
    assert left is not None
    said = [event for event in events if event.event.startswith("region-")]
    assert [event.event for event in said] == ["region-enter", "region-dwell", "region-exit"]
    went = said[2].since or said[2].time
    assert -60 <= went.timestamp() - left[0] / 1000 <= 180
