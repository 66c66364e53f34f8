"""Polygons with holes: the engine's answers equal those of Shapely, an independent library."""

from __future__ import annotations

import itertools
import json
import math
import random
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, mapping
from shapely.ops import unary_union
from shapely.validation import explain_validity

from plotengine import Engine, Feed, InvalidDocumentError

CONFIG = {"publicToken": "REPLACE_ME", "engine": {"noise": "exact"}}
BEGIN = datetime(2026, 3, 1, tzinfo=timezone.utc)
# Degrees: closer to an edge than this a rounding error may decide.
CLOSE = 1e-9


def star(chance: random.Random, x: float, y: float, size: float) -> Polygon:
    count = chance.randint(3, 30)
    ring = []
    for number in range(count):
        angle = (number + chance.uniform(0, 0.9)) / count * 2 * math.pi
        length = chance.uniform(0.2, 1) * size
        ring.append((x + length * math.cos(angle), y + length * math.sin(angle)))
    return Polygon(ring)


def shape(chance: random.Random, x: float, y: float) -> Polygon | MultiPolygon:
    """Some stars less some others: polygons, often several, often with holes."""
    size = chance.choice((0.002, 0.05, 0.3))
    while True:
        plus = [star(chance, x + chance.gauss(0, size), y + chance.gauss(0, size), size) for _ in range(3)]
        minus = [star(chance, x + chance.gauss(0, size), y + chance.gauss(0, size), size / 3) for _ in range(6)]
        made = unary_union(plus) - unary_union(minus)
        if made.is_valid and made.geom_type in ("Polygon", "MultiPolygon") and made.area > 0:
            return made


def folded(longitude: float) -> float:
    return longitude - 360 if longitude > 180 else longitude


def unfolded(longitude: float) -> float:
    return longitude + 360 if longitude < 0 else longitude


def turned(chance: random.Random, geometry: dict[str, Any]) -> dict[str, Any]:
    """Each ring in some winding, from some position, its longitudes within -180 to 180."""

    def ring(positions: Any) -> list[list[float]]:
        places = [[folded(x), y] for x, y in positions][:-1]
        start = chance.randrange(len(places))
        places = places[start:] + places[:start]
        if chance.random() < 0.5:
            places.reverse()
        return [*places, places[0]]

    coordinates = geometry["coordinates"]
    if geometry["type"] == "Polygon":
        return {"type": "Polygon", "coordinates": [ring(each) for each in coordinates]}
    return {"type": "MultiPolygon", "coordinates": [[ring(each) for each in part] for part in coordinates]}


@pytest.mark.parametrize("middle", [5.0, 180.0])
def test_inside_and_outside_equal_shapely(middle: float) -> None:
    chance = random.Random(middle)
    places = [(middle + chance.uniform(-2, 2), chance.uniform(50, 54)) for _ in range(120)]
    geometries = [shape(chance, x, y) for x, y in places]
    regions = [
        {"id": f"r{number:03}", "type": "geofence", "geometry": turned(chance, mapping(made))}
        for number, made in enumerate(geometries)
    ]
    # As the feed has them: a longitude that was folded and unfolded may differ in its last bit.
    geometries = [
        shapely.transform(made, lambda places: [[unfolded(folded(x)), y] for x, y in places]) for made in geometries
    ]
    assert sum(made.geom_type == "MultiPolygon" for made in geometries) > 10
    assert sum(bool(part.interiors) for made in geometries for part in shapely.get_parts(made)) > 20
    edges = [made.boundary for made in geometries]
    vertices = [vertex for made in geometries for vertex in shapely.get_coordinates(made)]
    inside = outside = 0
    with Engine(CONFIG, time=BEGIN) as engine:
        engine.set_feed({"version": 1, "regions": regions, "campaigns": []}, time=BEGIN)
        for step in range(1500):
            x, y = chance.choice(places)
            x, y = x + chance.gauss(0, 0.3), y + chance.gauss(0, 0.3)
            if step % 3 == 0:  # on the very meridian or parallel of some vertex
                vertex = chance.choice(vertices)
                x, y = (float(vertex[0]), y) if step % 2 else (x, float(vertex[1]))
            x = folded(x)
            engine.update_location(y, x, time=BEGIN + timedelta(minutes=step + 1))
            found = {visit.region for visit in engine.visits()}
            point = Point(unfolded(x), y)
            for number, made in enumerate(geometries):
                if edges[number].distance(point) <= CLOSE:
                    continue
                assert (f"r{number:03}" in found) == made.covers(point), f"{number} at {x!r}, {y!r}"
                inside += f"r{number:03}" in found
                outside += f"r{number:03}" not in found
    assert inside > 500 and outside > 10_000


def test_edges_belong_to_the_polygon() -> None:
    """Positions exactly on an edge, where the numbers are whole."""
    square = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
    hole = [[1, 1], [1, 3], [3, 3], [3, 1], [1, 1]]
    polygon = Polygon(square, [hole])
    region = {"id": "a", "type": "geofence", "geometry": {"type": "Polygon", "coordinates": [square, hole]}}
    with Engine(CONFIG, time=BEGIN) as engine:
        engine.set_feed({"version": 1, "regions": [region], "campaigns": []}, time=BEGIN)
        for number in range(11 * 11):
            x, y = number % 11 / 2 - 0.5, number // 11 / 2 - 0.5
            engine.update_location(y, x, time=BEGIN + timedelta(minutes=number + 1))
            assert bool(engine.visits()) == polygon.covers(Point(x, y)), f"{x}, {y}"


def taken(rings: list[list[list[int]]]) -> bool:
    region = {"id": "a", "type": "geofence", "geometry": {"type": "Polygon", "coordinates": rings}}
    try:
        Feed.parse(json.dumps({"version": 1, "regions": [region], "campaigns": []}))
    except InvalidDocumentError as error:
        assert error.pointer is not None and error.pointer.startswith("/regions/0/geometry/coordinates/")
        return False
    return True


def test_good_rings_are_those_of_shapely() -> None:
    """Small whole numbers, so that rings often touch, overlap and come back to a position."""
    chance = random.Random(3)
    good = bad = 0
    for _ in range(20_000):
        span = chance.randint(2, 9)
        ring = [[chance.randint(0, span), chance.randint(0, span)] for _ in range(chance.randint(3, 8))]
        ring.append(ring[0])
        expected = Polygon(ring).is_valid and Polygon(ring).area > 0
        assert taken([ring]) == expected, f"{ring}: {explain_validity(Polygon(ring))}"
        good, bad = good + expected, bad + (not expected)
    assert good > 1000 and bad > 1000


def test_good_holes_are_those_of_shapely() -> None:
    """Triangles in a square. Rings that touch twice and cut the interior apart are taken, unlike there."""
    chance = random.Random(4)
    square = [[0, 0], [10, 0], [10, 10], [5, 10], [0, 10], [0, 0]]
    good = bad = cut = 0
    for _ in range(20_000):
        holes = []
        while len(holes) < chance.randint(1, 3):
            x, y = chance.randint(-1, 8), chance.randint(-1, 8)
            hole = [[x + chance.randint(0, 4), y + chance.randint(0, 4)] for _ in range(3)]
            if Polygon(hole).area > 0:
                holes.append([*hole, hole[0]])
        polygon = Polygon(square, holes)
        answer = taken([square, *holes])
        if "disconnected" in explain_validity(polygon):
            rings = [LineString(ring) for ring in (square, *holes)]
            overlaps = any(a.intersection(b).length > 0 for a, b in itertools.combinations(rings, 2))
            assert answer != overlaps, f"{holes}"
            cut += answer
            continue
        assert answer == polygon.is_valid, f"{holes}: {explain_validity(polygon)}"
        good, bad = good + polygon.is_valid, bad + (not polygon.is_valid)
    assert good > 1000 and bad > 1000 and cut > 10


def test_corridors_equal_a_buffer() -> None:
    """At the equator, where a degree is as long each way, a corridor is a buffer of the line."""
    degree = 6_371_008.8 * math.pi / 180
    chance = random.Random(5)
    line = [[chance.uniform(-0.05, 0.05), chance.uniform(-0.05, 0.05)] for _ in range(6)]
    path = LineString(line)
    region = {
        "id": "a",
        "type": "geofence",
        "width": 2000,
        "geometry": {"type": "LineString", "coordinates": line},
    }
    inside = 0
    with Engine(CONFIG, time=BEGIN) as engine:
        engine.set_feed({"version": 1, "regions": [region], "campaigns": []}, time=BEGIN)
        for number in range(3000):
            x, y = chance.uniform(-0.07, 0.07), chance.uniform(-0.07, 0.07)
            engine.update_location(y, x, time=BEGIN + timedelta(minutes=number + 1))
            metres = path.distance(Point(x, y)) * degree
            if abs(metres - 1000) > 1:
                assert bool(engine.visits()) == (metres < 1000), f"{x}, {y}: {metres}"
                inside += metres < 1000
    assert inside > 500
