"""The display in a notebook."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

from conftest import CONFIG, FEED, MUSEUM, T0, Town, at

from plotengine import Engine, Feed


def shown(value: Any) -> str:
    """Its HTML, which must be well-formed."""
    text: str = value._repr_html_()
    ElementTree.fromstring(f"<div>{text}</div>")
    return text


def test_lists_visits_and_answers() -> None:
    feed = {**FEED, "regions": [{**FEED["regions"][0], "name": "Museum <b>&"}, *FEED["regions"][1:]]}
    with Engine(CONFIG, feed=feed, time=T0) as engine:
        engine.keep_decisions(100)
        Town.enter(engine)
        assert "<caption>1 row</caption>" in shown(engine.visits()) and "museum" in shown(engine.visits())
        sent = engine.sent_notifications()
        assert sent == list(sent) and "Museum &lt;b&gt;&amp;" in shown(sent)
        assert "<th>raw</th>" not in shown(sent)
        assert "triggered" in shown(engine.decisions())
        assert shown(engine.loaded_geotriggers()) and shown(engine.lists())
        answer = engine.explain("welcome")
        assert isinstance(answer, dict) and json.loads(json.dumps(answer)) == answer
        assert answer["sentence"] in shown(answer)
        assert "museum" in shown(engine) and "Engine" in shown(engine)
        engine.update_location(*MUSEUM, time=at(500))
    assert "closed" in shown(engine)
    assert "first" in shown(Engine())


def test_long_lists_are_cut() -> None:
    from plotengine._html import Table

    assert "<caption>1000 rows, the first 100 of them</caption>" in shown(Table(range(1000)))


def test_a_map_of_all_shapes() -> None:
    ring = [[4.86, 52.355], [4.88, 52.355], [4.88, 52.36], [4.86, 52.355]]
    feed = Feed(
        {
            "version": 1,
            "regions": [
                {
                    "id": "circle",
                    "type": "geofence",
                    "name": "A & B",
                    "latitude": 52.36,
                    "longitude": 4.885,
                    "radius": 200,
                },
                {"id": "park", "type": "geofence", "geometry": {"type": "Polygon", "coordinates": [ring]}},
                {
                    "id": "parks",
                    "type": "geofence",
                    "geometry": {"type": "MultiPolygon", "coordinates": [[ring], [ring]]},
                },
                {"id": "till", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1},
            ],
            "campaigns": [],
        }
    )
    text = shown(feed)
    assert (text.count("<circle"), text.count("<path")) == (1, 2)
    assert "A &amp; B" in text and "4 regions, 0 campaigns" in text
    assert "No places" in shown(Feed({"version": 1, "regions": [], "campaigns": []}))
