"""Configurations and feeds, and the place of a fault in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import CONFIG, FEED, ROOT, T0, Town

from plotengine import Config, Engine, Feed, FileError, InvalidDocumentError
from plotengine._documents import sdk_config

GEOJSON = json.dumps(
    {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [4.885, 52.36]},
                "properties": {"code": "m", "label": "Museum"},
            }
        ],
    }
)


def test_config(tmp_path: Path) -> None:
    config = Config(CONFIG)
    assert config.to_dict()["publicToken"] == "REPLACE_ME"
    assert config.to_dict()["enableOnFirstRun"] is True
    assert config.warnings == []
    assert Config.parse(config.to_json()).to_json() == config.to_json()
    path = tmp_path / "plotconfig.json"
    path.write_bytes(b'\xef\xbb\xbf{"publicToken": "REPLACE_ME", "InteractionTracerToken": "x"}')
    loaded = Config.load(path)
    assert len(loaded.warnings) == 2
    assert any("InteractionTracerToken" in warning for warning in loaded.warnings)
    assert Config.parse(path.read_bytes()).warnings == loaded.warnings


@pytest.mark.parametrize("properties", [{}, {"publicToken": None}, {"engine": {"noise": "exact"}}])
def test_a_token_is_optional(properties: dict[str, Any]) -> None:
    config = Config(properties)
    assert config.to_dict()["publicToken"] is None
    assert config.warnings == []
    shown: list[str] = []
    with Engine(properties, feed=FEED, time=T0, on_show=lambda item: shown.append(item.message)) as engine:
        Town.enter(engine)
    assert shown


@pytest.mark.parametrize("token", ["", 47114711, ["47114711"], {"47114711": 1}])
def test_a_token_of_another_form_is_refused(token: Any) -> None:
    with pytest.raises(InvalidDocumentError, match="/publicToken: expected a string that is not empty") as caught:
        Engine({"publicToken": token})
    assert "4711" not in str(caught.value)


def test_fault_in_a_config() -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        Config.parse('{\n  "publicToken": "x",\n  "maxRegionsMonitored": 21\n}')
    error = caught.value
    assert (error.line, error.pointer) == (3, "/maxRegionsMonitored")
    assert error.column > 0
    assert "5" in error.expected
    assert "20" in error.expected
    assert "21" in error.found
    assert error.name == "PLOT_INVALID_DOCUMENT"
    assert "maxRegionsMonitored" in str(error)
    assert isinstance(error, ValueError)


def test_feed(tmp_path: Path) -> None:
    feed = Feed(FEED)
    assert (feed.region_count, feed.campaign_count) == (2, 4)
    assert Feed.parse(feed.to_json()).to_json() == feed.to_json()
    path = tmp_path / "feed.json"
    path.write_text(feed.to_json(), encoding="utf-8")
    assert Feed.load(path).to_dict() == feed.to_dict()


def test_fault_in_a_feed() -> None:
    text = '{"version": 1, "regions": [],\n "campaigns": [{"id": "a", "type": "notification", "dwelingMinutes": 5}]}'
    with pytest.raises(InvalidDocumentError) as caught:
        Feed.parse(text)
    assert caught.value.line == 2
    assert caught.value.pointer.startswith("/campaigns/0")


def test_a_compiled_feed(tmp_path: Path) -> None:
    feed = Feed(FEED)
    path = tmp_path / "feed.bin"
    feed.save(path)
    mapped = Feed.map(path)
    assert mapped.to_json() == feed.to_json()
    assert (mapped.region_count, mapped.campaign_count) == (feed.region_count, feed.campaign_count)
    with pytest.raises(FileError):
        feed.save(tmp_path / "no" / "such")
    with pytest.raises(FileError):
        Feed.map(tmp_path / "none")
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged.bin").write_bytes(damaged)
    with pytest.raises(InvalidDocumentError) as caught:
        Feed.map(tmp_path / "damaged.bin")
    assert caught.value.expected == "the checksum that the compiled feed has at byte 24"


@pytest.mark.parametrize("kind", [Config, Feed])
def test_bad_text(kind: type) -> None:
    for text in ("", "{", "[]", "\ud800", b"\xff\xfe", "{}\0"):
        with pytest.raises(InvalidDocumentError):
            kind.parse(text)
    with pytest.raises(FileError):
        kind.load("/nowhere/at/all.json")
    with pytest.raises(TypeError):
        kind.parse(5)
    with pytest.raises(TypeError):
        kind.load(5)
    with pytest.raises(TypeError):
        kind.load(b"bytes")
    with pytest.raises(ValueError, match="NUL"):
        kind.load("a\0b")


def test_text_is_not_cut_at_a_nul() -> None:
    with pytest.raises(InvalidDocumentError):
        Config.parse(b'{"publicToken": "x"}\0trailing')


def test_import_geojson() -> None:
    feed = Feed.import_geojson(
        GEOJSON,
        radius=60,
        message="Hello {{name}}",
        trigger="dwelling",
        dwelling_minutes=7,
        id_property="code",
        name_property="label",
        campaign="stops",
    )
    document = feed.to_dict()
    (region,), (campaign,) = document["regions"], document["campaigns"]
    assert (region["id"], region["name"], region["radius"]) == ("m", "Museum", 60)
    assert (campaign["id"], campaign["message"], campaign["trigger"]) == ("stops", "Hello {{name}}", "dwelling")
    assert campaign["dwellingMinutes"] == 7
    assert Feed.import_geojson(GEOJSON.encode()).region_count == 1
    (evening,) = Feed.import_geojson(GEOJSON, trigger="inside", inside_at="18:00").to_dict()["campaigns"]
    assert (evening["trigger"], evening["insideAt"]) == ("inside", "18:00")
    with pytest.raises(InvalidDocumentError):
        Feed.import_geojson('{"type": "Point"}')


def test_the_demo() -> None:
    assert Config.load(ROOT / "demo" / "plotconfig.json").warnings == []
    assert Feed.load(ROOT / "demo" / "feed.json").campaign_count > 10


def test_a_mirror_of_the_sdk_has_its_behaviour_where_the_app_says_nothing() -> None:
    def engine(said: dict[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = sdk_config({"publicToken": "x", "engine": said}).to_dict()["engine"]
        return values

    assert engine({})["damagedStore"] == "setAside"
    assert engine({})["geotriggersKeepCooldown"] is True
    said = {"damagedStore": "refuse", "geotriggersKeepCooldown": False}
    assert engine(said).items() >= said.items()
