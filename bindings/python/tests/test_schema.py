"""The engine's records through this package are as the schemas have them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import CONFIG, FEED, ROOT, T0, Town, at
from jsonschema import Draft202012Validator

from plotengine import Config, Engine, Feed, FilterBatch

SCHEMAS = ROOT / "docs" / "schema"


def validator(name: str) -> Any:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_records_and_items() -> None:
    events: list[str] = []
    decisions: list[str] = []
    items: list[str] = []

    def filter(batch: FilterBatch) -> FilterBatch:
        items.extend(item.raw for item in batch)
        return batch

    with Engine(
        CONFIG,
        feed=FEED,
        time=T0,
        on_filter=filter,
        on_event=lambda event: events.append(event.raw),
        on_decision=lambda decision: decisions.append(decision.raw),
        on_show=lambda notification: items.append(notification.raw),  # type: ignore[arg-type,return-value]
    ) as engine:
        Town.enter(engine)
        engine.advance(time=at(360))
        Town.leave(engine, 400)
        engine.open_notification(engine.sent_notifications()[0], time=at(500))
        loaded, triggers = engine.loaded_notifications(), engine.loaded_geotriggers()
        for item in [*loaded, *triggers, *engine.sent_notifications(), *engine.sent_geotriggers()]:
            items.append(item.raw)
    for name, texts in (("event", events), ("decision", decisions), ("item", items)):
        assert texts
        check = validator(name)
        for text in texts:
            check.validate(json.loads(text))


@pytest.mark.parametrize("name", ["plotconfig", "feed"])
def test_documents(name: str) -> None:
    check = validator(name)
    check.validate(CONFIG if name == "plotconfig" else FEED)
    if name == "feed":
        check.validate(Feed(FEED).to_dict())
    else:
        check.validate({})
        check.validate(Config({}).to_dict())
        assert Config(CONFIG).to_dict()["engine"]["filterDeadline"] == 60
