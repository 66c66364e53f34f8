"""Messages and lists; what the engine makes of them is in the vectors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import CONFIG, ROOT, T0, at
from jsonschema import Draft202012Validator

from plotengine import (
    Decision,
    Engine,
    Event,
    FilterBatch,
    InvalidArgumentError,
    InvalidDocumentError,
    NotFoundError,
    Notification,
    ReadOnlyKeyError,
    RegionType,
    Trigger,
)

RULES: dict[str, Any] = {
    "version": 1,
    "regions": [],
    "campaigns": [],
    "settings": {
        "messages": {
            "rules": [{"if": {"senderIn": "blocked"}, "then": "drop"}, {"if": {"contains": "x"}, "then": "mute"}]
        }
    },
}


def test_a_message_is_shown_dropped_and_taken_back() -> None:
    shown: list[Notification] = []
    events: list[Event] = []
    decisions: list[Decision] = []
    with Engine(
        CONFIG, feed=RULES, time=T0, on_show=shown.append, on_event=events.append, on_decision=decisions.append
    ) as engine:
        engine.set_list("blocked", {"version": 3, "entries": ["villain", "é"]}, time=at(1))
        (info,) = engine.lists()
        assert (info.name, info.version, info.count, info.refreshed) == ("blocked", 3, 2, at(1))
        engine.process_message({"id": "a", "body": "b", "sender": "é"}, time=at(2))
        engine.process_message('{"id": "b", "body": "an x", "sender": "s", "thread": "t", "revision": 2}', time=at(3))
        engine.process_message(b'{"id": "b", "op": "retract", "revision": 2}', time=at(4))
        (sent,) = engine.sent_notifications()
        engine.set_list("blocked", None, time=at(5))
        assert engine.lists() == []
    (item,) = shown
    assert item.is_message and sent.is_message
    assert (item.identifier, item.message, item.sender, item.thread, item.revision) == ("b", "an x", "s", "t", 2)
    assert (item.silent, item.suppressed) == (True, False)
    assert (item.campaign_id, item.region_id, item.match_range, item.dwelling_minutes) == ("", "", 0, 0)
    assert item.trigger is Trigger.NONE and item.region_type is RegionType.NONE
    names = ["message-dropped", "notification-shown", "message-retracted", "notification-removed"]
    assert [event.event for event in events] == names
    assert [event.message_id for event in events] == ["a", "b", "b", "b"]
    assert {event.region for event in events} == {""} and {event.campaign for event in events} == {None}
    assert "rule-dropped" in [decision.reason for decision in decisions if decision.message_id == "a"]
    for name, texts in (
        ("event", [event.raw for event in events]),
        ("decision", [decision.raw for decision in decisions]),
        ("item", [item.raw, sent.raw]),
    ):
        schema = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
        for text in texts:
            Draft202012Validator(schema).validate(json.loads(text))


def test_a_filter_edits_it() -> None:
    shown: list[Notification] = []

    def edit(batch: FilterBatch) -> FilterBatch:
        (item,) = batch
        item.message = "edited"
        with pytest.raises(ReadOnlyKeyError):
            item.sender = "other"  # type: ignore[misc]
        return batch

    with Engine(CONFIG, time=T0, on_filter=edit, on_show=shown.append) as engine:
        engine.process_message({"id": "a", "body": "b", "sender": "s"}, time=at(1))
    assert [(item.message, item.sender) for item in shown] == [("edited", "s")]


def test_what_is_no_message_is_refused() -> None:
    with Engine(CONFIG, time=T0) as engine:
        with pytest.raises(InvalidDocumentError) as caught:
            engine.process_message({"id": "a", "body": ""})
        assert caught.value.pointer == "/body"
        for payload in (5, None, ["a"]):
            with pytest.raises(TypeError):
                engine.process_message(payload)  # type: ignore[arg-type]
        with pytest.raises(InvalidDocumentError):
            engine.process_message('"\ud800"')
        with pytest.raises(InvalidDocumentError):
            engine.set_list("l", {"version": 1, "entries": [""]})
        with pytest.raises(InvalidArgumentError):
            engine.set_list("a;b", None)
        assert engine.lists() == []


def test_a_list_is_edited_and_asked() -> None:
    with Engine(CONFIG, time=T0) as engine:
        with pytest.raises(NotFoundError):
            engine.list_contains("blocked", "loki")
        engine.edit_list("blocked", add=["loki", "hela"], time=T0)
        engine.edit_list("blocked", remove=["loki"], time=T0)
        assert not engine.list_contains("blocked", "loki")
        assert engine.list_contains("blocked", "hela")
        with pytest.raises(TypeError):
            engine.edit_list("blocked", add="loki", time=T0)
        with pytest.raises(InvalidDocumentError):
            engine.edit_list("blocked", add=["a"], remove=["a"], time=T0)
        assert [(one.name, one.version, one.count) for one in engine.lists()] == [("blocked", 0, 1)]
