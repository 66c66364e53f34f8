"""Tables of pandas and GeoPandas, in and out."""

from __future__ import annotations

import math

import geopandas
import pandas
import pytest
from conftest import CONFIG, FEED, MUSEUM, T0, Town, at
from shapely.geometry import Point

import plotengine
from plotengine import Engine, Event, Feed


def test_events() -> None:
    events: list[Event] = []
    with Engine(CONFIG, feed=FEED, time=T0, on_event=events.append) as engine:
        Town.enter(engine)
        Town.leave(engine, 400)
    frame = plotengine.events_frame(events)
    assert list(frame["event"]) == [event.event for event in events]
    assert list(frame["time"]) == [event.time for event in events]
    assert str(frame["time"].dtype).endswith("UTC]")
    shown = frame[frame["event"] == "notification-shown"]
    assert list(shown["campaign"]) == ["welcome", "stay", "bye"]
    assert "raw" not in frame and frame.groupby("region").size()["museum"] > 1
    assert list(plotengine.events_frame([]).columns) == list(frame.columns)


def test_places_of_another_coordinate_system() -> None:
    frame = geopandas.GeoDataFrame(
        {"code": ["m", "t"], "title": ["Museum", None]},
        geometry=[Point(MUSEUM[1], MUSEUM[0]), Point(4.9, 52.4)],
        crs="EPSG:4326",
    )
    expected = Feed.from_geodataframe(frame, radius=80, id_property="code", name_property="title").to_dict()
    assert [region["id"] for region in expected["regions"]] == ["m", "t"]
    assert [region.get("name") for region in expected["regions"]] == ["Museum", None]
    again = Feed.from_geodataframe(frame.to_crs("EPSG:28992"), radius=80, id_property="code", name_property="title")
    for one, other in zip(expected["regions"], again.to_dict()["regions"]):
        assert one["latitude"] == pytest.approx(other["latitude"], abs=1e-6)
        assert one["longitude"] == pytest.approx(other["longitude"], abs=1e-6)


def test_fixes_of_a_frame() -> None:
    """Times as pandas has them; what is NaN is not known."""
    frame = pandas.DataFrame(
        {
            "time": [at(0), at(60)],
            "latitude": [MUSEUM[0] + 1, MUSEUM[0]],
            "longitude": [MUSEUM[1], MUSEUM[1]],
            "accuracy": [math.nan, 5.0],
            "speed": [math.nan, math.nan],
        }
    )
    told = []
    for accuracies, speeds in ((frame["accuracy"], frame["speed"]), (None, None)):
        with Engine({"engine": {"noise": "exact"}}, feed=FEED, time=T0) as engine:
            effects = engine.update_locations(
                frame["time"], frame["latitude"], frame["longitude"], accuracies=accuracies, speeds=speeds
            )
            told.append((pandas.DataFrame(effects).to_dict("records"), engine.visits()))
    assert told[0] == told[1]
    assert [visit.region for visit in told[0][1]] == ["museum"]
