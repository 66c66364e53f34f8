"""Rich content: read, set in a filter, chosen from; and the advertising identifier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, ROOT, T0, Town, at
from jsonschema import Draft202012Validator

from plotengine import (
    Action,
    Attachment,
    Engine,
    Event,
    FilterableNotification,
    FilterBatch,
    InvalidArgumentError,
    InvalidDocumentError,
    NotFoundError,
    Notification,
    WrongTypeError,
)

CONTENT: dict[str, Any] = {
    "title": "At {{name}}",
    "subtitle": "s",
    "body": "b",
    "sound": "bell",
    "badge": 2,
    "category": "offer",
    "attachments": [{"id": "p", "url": "/nowhere.png"}],
    "userInfo": {"b": [1, 2.5], "a": None},
}

RICH: dict[str, Any] = {
    **FEED,
    "categories": [
        {"id": "offer", "actions": [{"id": "save", "title": "Save"}, {"id": "go", "title": "Go", "foreground": True}]}
    ],
    "campaigns": [{**FEED["campaigns"][0], "content": CONTENT}],
}

SAVE = Action("save", "Save", compact=True)
GO = Action("go", "Go", foreground=True, compact=True)


def test_what_is_shown_has_it() -> None:
    shown: list[Notification] = []
    with Engine(CONFIG, feed=RICH, time=T0, on_show=shown.append) as engine:
        (loaded, _) = engine.loaded_notifications()
        assert loaded.attachments == (Attachment("p", "/nowhere.png"),)
        Town.enter(engine)
        (sent,) = engine.sent_notifications()
    (notification,) = shown
    for item in (notification, sent, loaded):
        assert (item.title, item.subtitle, item.body) == ("At Museum shop", "s", "b")
        assert (item.sound, item.badge, item.category) == ("bell", 2, "offer")
        assert item.actions == (SAVE, GO)
        assert item.user_info == {"b": [1, 2.5], "a": None}
        assert list(item.user_info) == ["b", "a"]
        assert hash(item)
    assert notification.attachments == sent.attachments == ()  # there is no such file


def edit(set: Any) -> Notification:
    """The notification that is sent after a filter has edited."""

    def filter(batch: FilterBatch) -> FilterBatch:
        set(batch[0])
        return batch

    with Engine(CONFIG, feed=RICH, time=T0, on_filter=filter) as engine:
        Town.enter(engine)
        (sent,) = engine.sent_notifications()
    return sent


def test_everything_can_be_set(tmp_path: Path) -> None:
    picture = tmp_path / "a b.png"
    picture.write_bytes(b"x")

    def set(item: FilterableNotification) -> None:
        item.title = "new é"
        item.subtitle = None
        item.badge = 0
        item.category = "own"
        item.attachments = (Attachment("x", str(picture)), {"id": "y", "url": picture.as_uri()})  # type: ignore[assignment]
        item.actions = (GO, Action("c", "C", destructive=True))
        item.user_info = {"new": {"deep": [True]}, "a": 5}
        assert item.user_info == {"b": [1, 2.5], "a": 5, "new": {"deep": [True]}}  # what was there at first stays
        assert item.actions == (GO, Action("c", "C", destructive=True, compact=True))

    sent = edit(set)
    assert (sent.title, sent.subtitle, sent.body, sent.badge, sent.category) == ("new é", None, "b", 0, "own")
    assert sent.attachments == (Attachment("x", str(picture)), Attachment("y", picture.as_uri()))
    assert [action.id for action in sent.actions] == ["go", "c"]
    assert sent.user_info == {"b": [1, 2.5], "a": 5, "new": {"deep": [True]}}
    schema = json.loads((ROOT / "docs" / "schema" / "item.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(json.loads(sent.raw))


def test_everything_can_be_taken_away() -> None:
    def clear(item: FilterableNotification) -> None:
        for name in ("title", "subtitle", "body", "sound", "badge", "category", "attachments", "actions", "user_info"):
            setattr(item, name, None)
        assert (item.title, item.badge, item.attachments, item.actions) == (None, None, (), ())

    sent = edit(clear)
    assert (sent.title, sent.subtitle, sent.body, sent.sound, sent.badge, sent.category) == (None,) * 6
    assert (sent.attachments, sent.actions, sent.user_info) == ((), (), {"b": [1, 2.5], "a": None})


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("title", "", InvalidArgumentError),
        ("title", 5, WrongTypeError),
        ("badge", -1, InvalidArgumentError),
        ("badge", True, WrongTypeError),
        ("badge", "1", WrongTypeError),
        ("attachments", "abc", WrongTypeError),
        ("attachments", [5], InvalidDocumentError),
        ("attachments", [{"id": "a"}], InvalidDocumentError),
        ("actions", {"id": "a"}, WrongTypeError),
        ("actions", [SAVE] * 2, InvalidDocumentError),
        ("user_info", [], WrongTypeError),
        ("user_info", {"a": {1, 2}}, TypeError),
        ("user_info", {"a": float("nan")}, ValueError),
        ("title", "\ud800", ValueError),
    ],
)
def test_what_is_refused_changes_nothing(name: str, value: Any, error: type[Exception]) -> None:
    def set(item: FilterableNotification) -> None:
        before = getattr(item, name)
        with pytest.raises(error):
            setattr(item, name, value)
        assert getattr(item, name) == before

    assert edit(set).title == "At Museum shop"


def test_a_fault_has_its_place() -> None:
    def set(item: FilterableNotification) -> None:
        with pytest.raises(InvalidDocumentError) as caught:
            item.actions = (SAVE, Action("x", ""))
        assert caught.value.pointer == "/1/title"

    edit(set)


def test_actions() -> None:
    events: list[Event] = []
    opened: list[str] = []
    with Engine(
        CONFIG, feed=RICH, time=T0, on_event=events.append, on_open=lambda action, uri, item: opened.append(uri)
    ) as engine:
        Town.enter(engine)
        (sent,) = engine.sent_notifications()
        engine.take_action(sent, "save", time=at(70))
        assert opened == []
        assert (events[-1].event, events[-1].action) == ("notification-action", "save")
        assert engine.sent_notifications()[0].date_opened == at(70)
        engine.take_action(sent.match_identifier or "", GO, time=at(80))
        assert opened == ["https://example.org/"]
        assert [event.action for event in events[-2:]] == ["go", None]
        with pytest.raises(NotFoundError):
            engine.take_action(sent, "other", time=at(90))
        with pytest.raises(TypeError):
            engine.take_action(sent, 5)  # type: ignore[arg-type]


def test_the_advertising_identifier() -> None:
    events: list[Event] = []
    with Engine(CONFIG, feed=RICH, time=T0, on_event=events.append) as engine:
        engine.update_location(*AWAY, time=T0)
        for number, (identifier, limited) in enumerate([("x", False), ("x", True), (None, False), (None, True)]):
            engine.set_advertising_identifier(identifier, limit_tracking=limited, time=at(number * 60))
            engine.update_location(*(AWAY if number % 2 else MUSEUM), time=at(number * 60 + 1))
            expected = (identifier if not limited else None, None if identifier is None else limited)
            assert (events[-1].advertising_identifier, events[-1].limit_ad_tracking) == expected
        with pytest.raises(InvalidArgumentError):
            engine.set_advertising_identifier("", time=at(300))


def test_the_mirrors_set_it(tmp_path: Path) -> None:
    from plotengine.android import Context, Plot
    from plotengine.xamarin import Host, PlotBase

    events: list[Event] = []

    def enter(engine: Engine) -> tuple[str | None, bool | None]:
        engine.on_event(events.append)
        engine.update_location(*AWAY)
        engine.update_location(*MUSEUM)
        return events[-1].advertising_identifier, events[-1].limit_ad_tracking

    (tmp_path / "plotconfig.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    Plot.init(Context(tmp_path, feed=RICH))
    try:
        Plot.setAdvertisingId("x", True)
        assert enter(Plot.engine()) == (None, True)
    finally:
        Plot.close()
    PlotBase.InitializeWithLaunchOptions(Host(tmp_path, feed=RICH), None)
    try:
        identifier = UUID(int=5)
        PlotBase.SetAdvertisingIdentifier(identifier, True)
        assert enter(PlotBase.Engine()) == (str(identifier), False)
    finally:
        PlotBase.Close()
