"""Two real tracks with white noise and outliers added: what each policy misses, and what it makes up.

    python3 noise_table.py [--seeds 200]

A pass is a time during which the clean track stays within a circle. One of at least 8 s in which no visit is on
is a miss. A phantom is a visit during no pass, or a second one during the same; confirmation may take half a minute
more. A delay is how long after the clean enter a visit was told. The plain loop is "inside if distance <= radius", and
has no engine.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from plotengine import Config, Engine, Feed

DATA = Path(__file__).parents[4] / "shared" / "data"
EARTH, LEAST, SLACK = 6_371_008.8, 8.0, 30_000
NOISE, OUTLIERS, OUTLIER = 15.0, 0.02, 300.0

Fix = tuple[int, float, float]
Place = tuple[str, float, float]
Span = tuple[int, int]
Visit = tuple[str, int, float]
"""Place, enter, exit."""


def distance(a: float, b: float, c: float, d: float) -> float:
    """Haversine, in metres."""
    north, east = math.radians(c - a) / 2, math.radians(d - b) / 2
    h = math.sin(north) ** 2 + math.cos(math.radians(a)) * math.cos(math.radians(c)) * math.sin(east) ** 2
    return 2 * EARTH * math.asin(min(1.0, math.sqrt(h)))


def read_track(path: Path) -> list[Fix]:
    points = re.findall(
        r'<trkpt[^>]*?lat="([^"]+)"[^>]*?lon="([^"]+)".*?<time>([^<]+)</time>', path.read_text("utf-8"), re.S
    )
    fixes = [
        (int(datetime.fromisoformat(when.replace("Z", "+00:00")).timestamp() * 1000), float(lat), float(lon))
        for lat, lon, when in points
    ]
    fixes.sort(key=lambda fix: fix[0])
    return [fix for before, fix in zip([(-1, 0.0, 0.0), *fixes], fixes) if fix[0] > before[0]]


def bus() -> tuple[list[Fix], list[Place]]:
    stops = json.loads((DATA / "bus304" / "stops.geojson").read_text("utf-8"))["features"]
    places = [(stop["properties"]["id"], *reversed(stop["geometry"]["coordinates"])) for stop in stops]
    return read_track(DATA / "bus304" / "track.gpx"), places


def hike() -> tuple[list[Fix], list[Place]]:
    """A circle every kilometre of the way; one where the track leaps over kilometres."""
    track = read_track(DATA / "hike" / "track.gpx")
    places, way, due = [("km00", *track[0][1:])], 0.0, 1000.0
    for (_, a, b), (_, c, d) in zip(track, track[1:]):
        way += distance(a, b, c, d)
        if way >= due:
            places.append((f"km{way // 1000:02.0f}", c, d))
            due = (way // 1000 + 1) * 1000
    return track, places


def passes(track: list[Fix], places: list[Place], radius: float = 60.0) -> dict[str, list[Span]]:
    """When the clean track is at each place: its first and last fix within it."""
    found: dict[str, list[Span]] = {}
    for name, latitude, longitude in places:
        spans: list[Span] = []
        was_in = False
        for time, a, b in track:
            is_in = distance(a, b, latitude, longitude) <= radius
            if is_in:
                spans = [*spans[:-1], (spans[-1][0], time)] if was_in else [*spans, (time, time)]
            was_in = is_in
        found[name] = spans
    return found


def noisy(track: list[Fix], seed: int) -> Iterator[Fix]:
    chance = random.Random(seed)
    for time, latitude, longitude in track:
        if chance.random() < OUTLIERS:
            angle = chance.uniform(0, 2 * math.pi)
            north, east = OUTLIER * math.cos(angle), OUTLIER * math.sin(angle)
        else:
            north, east = chance.gauss(0, NOISE), chance.gauss(0, NOISE)
        degree = math.degrees(1 / EARTH)
        yield time, latitude + north * degree, longitude + east * degree / math.cos(math.radians(latitude))


def by_engine(policy: Any, track: list[Fix], places: list[Place], radius: float) -> list[Visit]:
    config = Config.parse(json.dumps({"publicToken": "REPLACE_ME", "engine": {"noise": policy, "initial": "enter"}}))
    regions = [
        {"id": name, "type": "geofence", "latitude": a, "longitude": b, "radius": radius} for name, a, b in places
    ]
    feed = Feed.parse(json.dumps({"version": 1, "regions": regions, "campaigns": []}))
    visits: list[Visit] = []
    enters: dict[str, int] = {}

    def on_event(event: Any) -> None:
        time = int(event.time.timestamp() * 1000)
        if event.event == "region-enter":
            assert event.region not in enters, event
            enters[event.region] = time
        else:
            visits.append((event.region, enters.pop(event.region), time))

    engine = Engine()
    engine.on_event(on_event)
    begin = datetime.fromtimestamp(track[0][0] / 1000).astimezone()
    engine.init(config, time=begin)
    engine.set_feed(feed, time=begin)
    for time, latitude, longitude in track:
        engine.update_location(latitude, longitude, accuracy=NOISE, time=time)
    engine.close()
    return visits + [(name, time, math.inf) for name, time in enters.items()]


def by_loop(track: list[Fix], places: list[Place], radius: float) -> list[Visit]:
    visits: list[Visit] = []
    enters: dict[str, int] = {}
    for time, a, b in track:
        for name, latitude, longitude in places:
            # The circles are small: a band of latitude keeps the rest out.
            if abs(a - latitude) < 0.001 and distance(a, b, latitude, longitude) <= radius:
                enters.setdefault(name, time)
            elif name in enters:
                visits.append((name, enters.pop(name), time))
    return visits + [(name, time, math.inf) for name, time in enters.items()]


@dataclass
class Row:
    misses: int = 0
    blind: int = 0
    """Those of the misses in which fewer than three noisy fixes were within the circle: nobody could be sure."""
    phantoms: int = 0
    delays: list[float] = field(default_factory=list)

    def count(self, visits: list[Visit], truth: dict[str, list[Span]], seen: dict[tuple[str, int], int]) -> None:
        used: set[tuple[str, int]] = set()
        for name, enter, exit in sorted(visits, key=lambda visit: visit[1]):
            during = [n for n, (first, last) in enumerate(truth[name]) if enter <= last + SLACK and exit > first]
            free = [n for n in during if (name, n) not in used]
            used.update((name, n) for n in during)
            if free:
                self.delays.append((enter - truth[name][free[0]][0]) / 1000)
            else:
                self.phantoms += 1
        for name, spans in truth.items():
            stays = [(enter, exit) for place, enter, exit in visits if place == name]
            for first, last in spans:
                told = any(enter <= last + SLACK and exit > first for enter, exit in stays)
                if last - first >= LEAST * 1000 and not told:
                    self.misses += 1
                    self.blind += seen[name, first] < 3


def sightings(
    ride: list[Fix], places: list[Place], truth: dict[str, list[Span]], radius: float
) -> dict[tuple[str, int], int]:
    """How many noisy fixes are within a circle in each pass."""
    where = {name: (latitude, longitude) for name, latitude, longitude in places}
    return {
        (name, first): sum(distance(a, b, *where[name]) <= radius for time, a, b in ride if first <= time <= last)
        for name, spans in truth.items()
        for first, last in spans
    }


def table(
    track: list[Fix], places: list[Place], policies: tuple[Any, ...], seeds: int, radius: float = 60.0
) -> dict[str, Row]:
    truth = passes(track, places, radius)
    rows = {name: Row() for name in ("plain loop", *policies)}
    for seed in range(seeds):
        ride = list(noisy(track, seed))
        seen = sightings(ride, places, truth, radius)
        rows["plain loop"].count(by_loop(ride, places, radius), truth, seen)
        for policy in policies:
            rows[policy].count(by_engine(policy, ride, places, radius), truth, seen)
    return rows


def lines(title: str, rows: dict[str, Row], places: int, seeds: int) -> Iterator[str]:
    yield f"{title}: {places} circles, {seeds} seeds"
    yield "policy           misses  (blind)  phantoms  delay in s: median   most"
    for name, row in rows.items():
        counts = f"{row.misses:6} {row.blind:8} {row.phantoms:9}"
        yield f"{name:16} {counts} {median(row.delays):19.0f} {max(row.delays):6.0f}"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Misses, phantoms and delays of noise policies on real tracks.")
    arguments.add_argument("--seeds", type=int, default=200)
    seeds = arguments.parse_args().seeds
    evidence = ("eager", "balanced", "careful")
    policies = ("exact", *evidence, "default-1", "walking-1", "driving-1", "indoor-1", "conservative-1")
    for title, (track, places), radius in (("bus304", bus(), 60.0), ("hike", hike(), 60.0), ("hike", hike(), 100.0)):
        rows = table(track, places, policies, seeds, radius)
        for line in lines(f"{title}, {radius:.0f} m", rows, len(places), seeds):
            print(line)
        print()


if __name__ == "__main__":
    main()
