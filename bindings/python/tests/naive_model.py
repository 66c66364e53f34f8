"""The rules of docs/ for one device that walks from place to place, written as simply as they can be and without a look
at the engine: no store, no crash, exact fixes, places that do not touch, a host that answers at once."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Rows = list[tuple[Any, ...]]


def is_open(hours: dict[str, Any], time: datetime) -> bool:
    """Whether weekly hours are open at a local time; a span may run into the next day."""
    now = time.replace(tzinfo=None)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for day in (midnight - timedelta(days=1), midnight):
        for start, end in hours.get(DAYS[day.weekday()], []):
            begin = day + timedelta(hours=int(start[:2]), minutes=int(start[3:]))
            close = day + timedelta(hours=int(end[:2]), minutes=int(end[3:]))
            if begin <= now < (close if close > begin else close + timedelta(days=1)):
                return True
    return False


def matches(condition: dict[str, Any], properties: dict[str, Any]) -> bool | None:
    """True, false, or None for a property that is missing."""
    if "all" in condition:
        parts = [matches(part, properties) for part in condition["all"]]
        return False if False in parts else None if None in parts else True
    if "not" in condition:
        inner = matches(condition["not"], properties)
        return None if inner is None else not inner
    value = properties.get(condition["property"])
    if value is None:
        return None
    return bool(value == condition["equals"]) if "equals" in condition else bool(value >= condition["atLeast"])


class Naive:
    """Plays moves; `decisions` and `shown` say what should have come of them."""

    def __init__(self, feed: dict[str, Any], zone: str, cooldown: int, drops: Any, fails: Any) -> None:
        self.feed, self.zone, self.cooldown = feed, ZoneInfo(zone), timedelta(seconds=cooldown)
        self.drops, self.fails = drops, fails
        self.properties: dict[str, Any] = {}
        self.place: str | None = None
        self.entered = datetime.min
        self.visits = 0
        self.dwelt: set[int] = set()
        self.last: dict[tuple[str, str], datetime] = {}
        self.shown: Rows = []  # time, campaign, place, tags, visit
        self.decisions: Rows = []
        self.attempts = 0

    def move(self, time: datetime, place: str | None) -> None:
        self.advance(time)
        if place == self.place:
            return
        happened: list[tuple[str, int]] = []
        if self.place is not None:
            self.happen(time, self.place, "exit", 0, self.visits)
        self.place, self.entered, self.dwelt = place, time, set()
        if place is not None:
            self.visits += 1
            self.happen(time, place, "enter", 0, self.visits)
        assert not happened

    def advance(self, time: datetime) -> None:
        while self.place is not None:
            due = [c["dwellingMinutes"] for c in self.here("dwelling") if c["dwellingMinutes"] not in self.dwelt]
            if not due or self.entered + timedelta(minutes=min(due)) > time:
                return
            self.dwelt.add(min(due))
            self.happen(self.entered + timedelta(minutes=min(due)), self.place, "dwelling", min(due), self.visits)

    def here(self, trigger: str) -> list[dict[str, Any]]:
        return [c for c in self.feed["campaigns"] if self.place in c["regions"] and c.get("trigger", "enter") == trigger]

    def happen(self, time: datetime, place: str, trigger: str, minutes: int, visit: int) -> None:
        passing = []
        for campaign in self.feed["campaigns"]:
            fits = place in campaign["regions"] and campaign.get("trigger", "enter") == trigger
            if fits and campaign.get("dwellingMinutes", 0) == minutes and self.eligible(time, place, campaign):
                passing.append(campaign)
        passing.sort(key=lambda campaign: -campaign.get("priority", 0))
        kept = [campaign for campaign in passing if not self.drops(campaign["id"], time)]
        for campaign in passing:
            self.note(time, campaign, place, "filter", "asked")
        for campaign in passing:
            if campaign not in kept:
                self.note(time, campaign, place, "filter", "filtered-out")
        for campaign in kept:
            self.note(time, campaign, place, "filter", "kept")
        for campaign in kept:
            self.show(time, place, campaign, visit)

    def eligible(self, time: datetime, place: str, campaign: dict[str, Any]) -> bool:
        self.note(time, campaign, place, "trigger", "triggered")
        text = time.strftime("%Y-%m-%dT%H:%M:%SZ")
        if "start" in campaign and text < campaign["start"]:
            return self.note(time, campaign, place, "validity", "not-started")
        if "end" in campaign and text >= campaign["end"]:
            return self.note(time, campaign, place, "validity", "ended")
        self.note(time, campaign, place, "validity", "valid")
        if "triggerTimes" in campaign:
            if not is_open(campaign["triggerTimes"]["openingHours"], time.astimezone(self.zone)):
                return self.note(time, campaign, place, "times", "outside-times")
            self.note(time, campaign, place, "times", "within-times")
        else:
            self.note(time, campaign, place, "times", "anytime")
        truth = matches(campaign.get("segmentation", {"all": []}), self.properties)
        if truth is not True:
            return self.note(time, campaign, place, "segmentation", "property-missing" if truth is None else "property-differs")
        self.note(time, campaign, place, "segmentation", "matched")
        last = self.last.get((campaign["id"], place))
        period = campaign.get("cooldownPeriod", 0)
        if last is not None and period and time < last + timedelta(seconds=period):
            return self.note(time, campaign, place, "repeat", "campaign-cooldown")
        if last is not None and not period and not campaign.get("resend"):
            return self.note(time, campaign, place, "repeat", "once-only")
        self.note(time, campaign, place, "repeat", "allowed")
        self.note(time, campaign, place, "content", "filled")
        return True

    def show(self, time: datetime, place: str, campaign: dict[str, Any], visit: int) -> None:
        if self.shown and time < self.shown[-1][0] + self.cooldown:
            self.note(time, campaign, place, "cooldown", "global-cooldown")
            return
        self.note(time, campaign, place, "cooldown", "allowed")
        self.attempts += 1
        if self.fails(self.attempts):
            self.note(time, campaign, place, "show", "show-failed")
            return
        self.note(time, campaign, place, "show", "shown")
        self.last[campaign["id"], place] = time
        self.shown.append((time, campaign["id"], place, tuple(campaign.get("tags", ())), visit))

    def note(self, time: datetime, campaign: dict[str, Any], place: str, step: str, reason: str) -> bool:
        self.decisions.append((time.astimezone(timezone.utc), campaign["id"], place, step, reason))
        return False
