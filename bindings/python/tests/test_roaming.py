"""Fences that move with devices (docs/roaming.md)."""

from __future__ import annotations

import math
import random
from array import array
from datetime import timedelta
from typing import Any

import pytest
from conftest import T0

from plotengine import NO_POSITION, InvalidArgumentError, NotFoundError, Pair, PairKind, Roaming, live_objects

RADIUS = 6_371_008.8


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """By the angle between two vectors: another way than the library's."""

    def vector(place: tuple[float, float]) -> tuple[float, float, float]:
        latitude, longitude = map(math.radians, place)
        return (math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude))

    u, v = vector(a), vector(b)
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return RADIUS * math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(u, v)))


def columns(fixes: list[tuple[int, float, float, float]]) -> tuple[Any, ...]:
    devices, seconds, latitudes, longitudes = zip(*fixes)
    return (devices, [T0 + timedelta(seconds=second) for second in seconds], latitudes, longitudes)


@pytest.mark.parametrize("seed", range(12))
def test_against_each_pair(seed: int) -> None:
    pick = random.Random(seed)
    middle = [(52.36, 4.885), (-17.0, 179.9995), (89.998, 10.0)][seed % 3]
    roaming = Roaming(300, 420)
    places: dict[int, tuple[float, float]] = {}
    near: set[tuple[int, int]] = set()
    for step in range(300):
        device = pick.randrange(20)
        latitude = min(middle[0] + pick.uniform(-0.008, 0.008), 90.0)
        reach = 0.008 / max(math.cos(math.radians(latitude)), 1e-4)
        longitude = (middle[1] + pick.uniform(-min(reach, 180), min(reach, 180)) + 180) % 360 - 180
        places[device] = (latitude, longitude)
        expected = []
        for other in sorted(places):
            pair = (min(device, other), max(device, other))
            if other == device:
                continue
            metres = distance(places[device], places[other])
            if abs(metres - 300) < 1e-3 or abs(metres - 420) < 1e-3:
                pytest.skip("too near to an edge to tell")
            if pair in near and metres > 420:
                near.discard(pair)
                expected.append((*pair, PairKind.EXIT))
            elif pair not in near and metres <= 300:
                near.add(pair)
                expected.append((*pair, PairKind.ENTER))
        news = roaming.update_locations(*columns([(device, step, latitude, longitude)]))
        assert [(pair.first, pair.second, pair.kind) for pair in news] == expected
        for pair in news:
            assert pair.metres == pytest.approx(distance(places[pair.first], places[pair.second]), abs=0.01)
    assert {(pair.first, pair.second) for pair in roaming.pairs()} == near


def test_the_longest_age_distances_and_forgetting() -> None:
    before = live_objects()
    roaming = Roaming(100, max_age=60, distances=True)
    news = roaming.update_locations(
        *columns([(2, 0, 1.0, 2.0), (1, 30, 1.0, 2.0), (1, 50, 1.0, 2.0001), (1, 61, 1, 2)])
    )
    assert [(pair.fix, pair.kind.name) for pair in news] == [(1, "ENTER"), (2, "NEAR"), (3, "EXIT")]
    assert news[0] == Pair(int(T0.timestamp() * 1000) + 30_000, 0.0, 1, 2, 1, PairKind.ENTER)
    roaming.update_locations(*columns([(2, 62, 1.0, 2.0), (3, 62, 1.0, 2.0)]))
    assert [(pair.first, pair.second) for pair in roaming.pairs()] == [(1, 2), (1, 3), (2, 3)]
    assert [(p.first, p.second, p.kind, p.fix) for p in roaming.remove(3)] == [
        (1, 3, PairKind.EXIT, NO_POSITION),
        (2, 3, PairKind.EXIT, NO_POSITION),
    ]
    assert [(pair.first, pair.second) for pair in roaming.expire(T0 + timedelta(seconds=62))] == [(1, 2)]
    with pytest.raises(NotFoundError):
        roaming.remove(1)
    assert roaming.remove(2) == [] and roaming.pairs() == []
    del roaming
    assert live_objects() == before


def test_what_is_refused() -> None:
    for arguments, name in [((0,), "^enter: "), ((100, 99), "^exit: "), ((100_001,), "^enter: ")]:
        with pytest.raises(InvalidArgumentError, match=name):
            Roaming(*arguments)
    with pytest.raises(ValueError, match="max_age"):
        Roaming(1, max_age=0)
    roaming = Roaming(100)
    with pytest.raises(InvalidArgumentError, match=r"latitudes\[1\]: expected a number from -90 to 90, found 91"):
        roaming.update_locations(*columns([(1, 0, 1.0, 2.0), (2, 0, 91.0, 2.0)]))
    assert roaming.pairs() == []
    with pytest.raises(NotFoundError):
        roaming.remove(1)
    with pytest.raises(ValueError, match="devices"):
        roaming.update_locations([1, 2], [T0], [1.0], [2.0])
    assert roaming.update_locations(array("I"), array("q"), array("d"), array("d")) == []
