"""A thousand days of one device with random campaigns, against a naive model of the rules.

`make test` plays 250 of them, `make test-long` all.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import naive_model
import pytest

from plotengine import Decision, Engine

ZONE = "Europe/Amsterdam"
BEGIN = datetime(2026, 1, 5, 0, 0, tzinfo=timezone.utc)
PLACES = {f"p{number}": (52.0 + number / 10, 5.0) for number in range(5)}
AWAY = (40.0, 5.0)
DAYS = 1000 if os.environ.get("PLOT_LONG") else 250


def span(chance: random.Random) -> list[str]:
    """Some part of a day, past midnight now and then."""
    return [f"{chance.randrange(24):02}:{chance.choice((0, 30)):02}", f"{chance.randrange(24):02}:15"]


def campaign(chance: random.Random, number: int) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"c{number:02}",
        "type": "notification",
        "message": f"number {number}",
        "regions": sorted(chance.sample(sorted(PLACES), chance.randint(1, 4))),
        "priority": chance.choice((0, 0, 0, 1, 2)),
        "tags": chance.choice(([], ["a"], ["a", "b"])),
    }
    trigger = chance.choice(("enter", "enter", "exit", "dwelling"))
    made["trigger"] = trigger
    if trigger == "dwelling":
        made["dwellingMinutes"] = chance.choice((5, 15, 60))
    first = BEGIN + timedelta(days=chance.randrange(DAYS * 9 // 10))
    if chance.random() < 0.5:
        made["start"] = first.strftime("%Y-%m-%dT%H:%M:%SZ")
    if chance.random() < 0.3:
        made["end"] = (first + timedelta(days=chance.randrange(1, DAYS * 2 // 5))).strftime("%Y-%m-%dT%H:%M:%SZ")
    if chance.random() < 0.4:
        hours = {day: [span(chance)] for day in naive_model.DAYS if chance.random() < 0.8}
        made["triggerTimes"] = {"type": "openinghours", "openingHours": hours}
    if chance.random() < 0.4:
        level = {"property": "level", "atLeast": chance.randrange(5)}
        member = {"property": "member", "equals": chance.random() < 0.5}
        made["segmentation"] = chance.choice((level, {"not": member}, {"all": [level, member]}))
    made.update(
        chance.choice(
            ({}, {"resend": True}, {"resend": True}, {"cooldownPeriod": chance.choice((3600, 86400, 604800))})
        )
    )
    if chance.random() < 0.3:
        made["caps"] = [{"max": chance.randint(1, 3), "days": chance.randint(1, 7)}]
    return made


def world(chance: random.Random) -> dict[str, Any]:
    regions = [
        {"id": name, "type": "geofence", "latitude": at[0], "longitude": at[1], "radius": 100}
        for name, at in PLACES.items()
    ]
    settings = {
        "caps": [
            {"per": "all", "max": 6, "days": 1},
            {"per": "tag", "tag": "a", "max": 2, "window": 43200},
            {"per": "region", "max": 3, "window": 86400},
            {"per": "visit", "max": 2},
        ],
        "quietHours": [{"hours": {day: [["22:30", "06:45"]] for day in naive_model.DAYS}, "during": "drop"}],
    }
    campaigns = [campaign(chance, number) for number in range(40)]
    return {"version": 1, "regions": regions, "campaigns": campaigns, "settings": settings}


@pytest.mark.parametrize("seed", [1, 2])
def test_history_counters_and_decisions_agree(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    feed = world(chance)
    cooldown = (0, 600)[seed % 2]

    def drops(campaign_id: str, time: datetime) -> bool:
        return (int(campaign_id[1:]) + time.timetuple().tm_yday) % 9 == 0

    def fails(attempt: int) -> bool:
        return attempt % 23 == 0

    model = naive_model.Naive(feed, ZONE, cooldown, drops, fails)
    decisions: naive_model.Rows = []
    attempts = 0
    now = BEGIN

    def show(_notification: Any) -> bool:
        nonlocal attempts
        attempts += 1
        return not fails(attempts)

    def keep(batch: Any) -> Any:
        return [item for item in batch if not drops(item.campaign_id, now)]

    def decided(record: Decision) -> None:
        decisions.append((record.time, record.campaign, record.region, record.step, record.reason))

    config = {"publicToken": "REPLACE_ME", "engine": {"noise": "exact", "initial": "enter"}}
    store = tmp_path / "store.db" if seed == 1 else None
    with Engine(config, time=BEGIN, store=store, on_show=show, on_filter=keep, on_decision=decided) as engine:
        engine.set_time_zone(ZONE, time=BEGIN)
        engine.set_cooldown_period(timedelta(seconds=cooldown), time=BEGIN)
        engine.set_feed(feed, time=BEGIN)
        engine.update_location(*AWAY, time=BEGIN)
        for day in range(DAYS):
            for minute in sorted(chance.sample(range(24 * 60), chance.randint(3, 9))):
                now = BEGIN + timedelta(days=day, minutes=minute, seconds=chance.randrange(60))
                while (due := engine.next_wakeup()) is not None and due <= now:
                    moment, now = now, due
                    engine.advance(time=due)
                    now = moment
                place = chance.choice((None, *PLACES))
                engine.update_location(*(PLACES[place] if place else AWAY), time=now)
                model.move(now, place)
                if place is None and chance.random() < 0.2:
                    key = chance.choice(("level", "member"))
                    value = chance.randrange(5) if key == "level" else chance.random() < 0.5
                    engine.set_segmentation_property(key, value, time=now)
                    model.properties[key] = value
        engine.advance(time=now)
        model.advance(now)
        sent = [(item.date_sent, item.campaign_id, item.region_id) for item in engine.sent_notifications()]
    different = next((pair for pair in zip(decisions, model.decisions) if pair[0] != pair[1]), None)
    assert different is None
    assert len(decisions) == len(model.decisions)
    assert sent == [row[:3] for row in model.shown][-100:]
    reasons = Counter(row[4] for row in model.decisions)
    wanted = (
        "shown show-failed capped quiet-hours filtered-out campaign-cooldown once-only outside-times property-differs"
    )
    for reason in [*wanted.split(), "not-started", "ended", *(["global-cooldown"] if cooldown else [])]:
        assert reasons[reason] > 5, f"{reason} happened {reasons[reason]} times"
    assert len(model.shown) > DAYS
