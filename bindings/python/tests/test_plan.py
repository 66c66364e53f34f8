# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Hints of an operating system, and what to register with it."""

from __future__ import annotations

import pytest
from conftest import AWAY, MUSEUM, T0, at

from plotengine import Engine, HintKind, InvalidArgumentError, NotFoundError


def place(number: int) -> dict[str, object]:
    return {"id": f"p{number}", "type": "geofence", "latitude": 52.0 + number / 100, "longitude": 4.885, "radius": 100}


FEED = {"version": 1, "regions": [place(number) for number in range(30)], "campaigns": []}
P0 = (52.0, 4.885)


@pytest.fixture
def engine() -> Engine:
    return Engine({"publicToken": "x", "maxRegionsMonitored": 5}, feed=FEED, time=T0)


def test_hints(engine: Engine) -> None:
    reasons = []
    engine.on_decision(lambda decision: reasons.append(decision.reason))
    engine.region_hint("p0", HintKind.ENTER, time=at(1))
    assert [visit.region for visit in engine.visits()] == ["p0"]
    engine.region_hint("p0", "inside", time=at(2))
    engine.region_hint("p0", "exit", position=(52.5, 4.885), accuracy=10, time=at(3))
    assert engine.visits() == []
    engine.region_hint("p0", "enter", position=(52.5, 4.885), accuracy=10, time=at(4))
    assert reasons == ["hint-duplicate", "hint-contradicted"]
    engine.close()


def test_a_plan_and_the_next(engine: Engine) -> None:
    with pytest.raises(NotFoundError):
        engine.plan_regions(time=at(1))
    plan = engine.plan_regions(position=P0, time=at(1))
    assert [entry["id"] for entry in plan["add"]] == ["p0", "p1", "p2", "p3"]
    assert plan["add"][0] == {"id": "p0", "kind": "circle", "latitude": 52.0, "longitude": 4.885, "radius": 100.0}
    assert plan["remove"] == [] and plan["fenceChanged"] is True and plan["dense"] is False
    assert plan["fence"]["latitude"] == 52.0 and 4200 < plan["fence"]["radius"] < 4350
    again = engine.plan_regions(position=P0, accuracy=10, time=at(2))
    assert again == {**plan, "add": [], "fenceChanged": False}
    assert engine.plan_regions(position=P0, reset=True, time=at(2)) == plan
    assert engine.plan_regions(10, position=P0, fence_left=True, time=at(2))["add"][0]["id"] == "p4"
    engine.update_location(*P0, time=at(3))
    assert engine.plan_regions(10, time=at(3))["add"] == []
    engine.close()


def test_wrong_arguments(engine: Engine) -> None:
    for kind in ("", "Enter", 0):
        with pytest.raises(ValueError, match="HintKind"):
            engine.region_hint("p0", kind, time=at(1))  # type: ignore[arg-type]
    for accuracy in (-1, -0.5, float("-inf")):
        with pytest.raises(ValueError, match="accuracy"):
            engine.region_hint("p0", "enter", position=AWAY, accuracy=accuracy, time=at(1))
    with pytest.raises(InvalidArgumentError):
        engine.region_hint("p0", "enter", position=(91, 0), time=at(1))
    with pytest.raises(NotFoundError):
        engine.region_hint("nowhere", "enter", time=at(1))
    for budget in (-1, 1001):
        with pytest.raises(InvalidArgumentError):
            engine.plan_regions(budget, position=MUSEUM, time=at(1))
    for wrong in (1.5, "5", True, None):
        with pytest.raises(TypeError):
            engine.plan_regions(wrong, position=MUSEUM, time=at(1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="budget"):
        engine.plan_regions(2**40, position=MUSEUM, time=at(1))
    with pytest.raises(TypeError):
        engine.plan_regions(position=MUSEUM, reset=1, time=at(1))  # type: ignore[arg-type]
    assert engine.visits() == []
    engine.close()
