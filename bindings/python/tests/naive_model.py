"""The rules of docs/ for one device that walks from place to place, written as simply as they can be and without a look
at the engine: no store, no crash, exact fixes, places that do not touch, a host that answers at once."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from itertools import takewhile
from typing import Any
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SEGMENTATION = {True: "matched", False: "property-differs", None: "property-missing"}
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
        return {True: False, False: True, None: None}[matches(condition["not"], properties)]
    if (value := properties.get(condition["property"])) is None:
        return None
    return bool(value == condition["equals"]) if "equals" in condition else bool(value >= condition["atLeast"])


class Naive:
    """Plays moves; `decisions` and `shown` say what should have come of them."""

    def __init__(self, feed: dict[str, Any], zone: str, cooldown: int, drops: Any, fails: Any) -> None:
        self.feed, self.zone, self.cooldown = feed, ZoneInfo(zone), timedelta(seconds=cooldown)
        self.drops, self.fails = drops, fails
        self.properties: dict[str, Any] = {}
        self.place: str | None = None
        self.entered, self.visits, self.attempts = datetime.min, 0, 0
        self.dwelt: set[int] = set()
        self.last: dict[tuple[str, str], datetime] = {}
        self.shown: Rows = []  # time, campaign, place, tags, visit, local day, none
        self.decisions: Rows = []

    def move(self, time: datetime, place: str | None) -> None:
        self.advance(time)
        if place == self.place:
            return
        before, self.place, self.entered, self.dwelt = self.place, place, time, set()
        happened = [(before, "exit", 0, self.visits)] if before else []
        if place:
            self.visits += 1
            happened.append((place, "enter", 0, self.visits))
        self.happen(time, happened)

    def advance(self, time: datetime) -> None:
        while self.place is not None:
            here = [c for c in self.feed["campaigns"] if self.place in c["regions"] and c["trigger"] == "dwelling"]
            due = [c["dwellingMinutes"] for c in here if c["dwellingMinutes"] not in self.dwelt]
            if not due or self.entered + timedelta(minutes=min(due)) > time:
                return
            self.dwelt.add(min(due))
            self.happen(self.entered + timedelta(minutes=min(due)), [(self.place, "dwelling", min(due), self.visits)])

    def happen(self, time: datetime, happened: list[tuple[str, str, int, int]]) -> None:
        passing = []
        for place, trigger, minutes, visit in happened:
            for campaign in self.feed["campaigns"]:
                fits = place in campaign["regions"] and campaign["trigger"] == trigger
                if fits and campaign.get("dwellingMinutes", 0) == minutes and self.eligible(time, place, campaign):
                    passing.append((campaign, place, visit))
        passing.sort(key=lambda each: -each[0]["priority"])
        kept = [each for each in passing if not self.drops(each[0]["id"], time)]
        dropped = [each for each in passing if each not in kept]
        for reason, each in (("asked", passing), ("filtered-out", dropped), ("kept", kept)):
            for campaign, place, _ in each:
                self.note(time, campaign, place, "filter", reason)
        for campaign, place, visit in kept:
            self.show(time, place, campaign, visit)

    def eligible(self, time: datetime, place: str, campaign: dict[str, Any]) -> bool:
        self.note(time, campaign, place, "trigger", "triggered")
        text = time.strftime("%Y-%m-%dT%H:%M:%SZ")
        if text < campaign.get("start", "") or text >= campaign.get("end", "z"):
            reason = "not-started" if text < campaign.get("start", "") else "ended"
            return self.note(time, campaign, place, "validity", reason)
        self.note(time, campaign, place, "validity", "valid")
        times = campaign.get("triggerTimes")
        if times and not is_open(times["openingHours"], time.astimezone(self.zone)):
            return self.note(time, campaign, place, "times", "outside-times")
        self.note(time, campaign, place, "times", "within-times" if times else "anytime")
        truth = matches(campaign.get("segmentation", {"all": []}), self.properties)
        self.note(time, campaign, place, "segmentation", SEGMENTATION[truth])
        if not truth:
            return False
        last, period = self.last.get((campaign["id"], place)), campaign.get("cooldownPeriod", 0)
        if last and not period and not campaign.get("resend"):
            return self.note(time, campaign, place, "repeat", "once-only")
        if last and time < last + timedelta(seconds=period):
            return self.note(time, campaign, place, "repeat", "campaign-cooldown")
        self.note(time, campaign, place, "repeat", "allowed")
        self.note(time, campaign, place, "content", "filled")
        return True

    def show(self, time: datetime, place: str, campaign: dict[str, Any], visit: int) -> Any:
        if self.shown and time < self.shown[-1][0] + self.cooldown:
            return self.note(time, campaign, place, "cooldown", "global-cooldown")
        self.note(time, campaign, place, "cooldown", "allowed")
        full = any(self.count(cap, time, place, campaign, visit) >= cap["max"] for cap in self.caps(campaign))
        self.note(time, campaign, place, "caps", "capped" if full else "within-caps")
        if full:
            return None
        quiet = is_open(self.feed["settings"]["quietHours"][0]["hours"], time.astimezone(self.zone))
        self.note(time, campaign, place, "quiet", "quiet-hours" if quiet else "not-quiet")
        self.attempts += not quiet
        if quiet or self.fails(self.attempts):
            return None if quiet else self.note(time, campaign, place, "show", "show-failed")
        self.last[campaign["id"], place] = time
        today = time.astimezone(self.zone).date()
        self.shown.append((time, campaign["id"], place, campaign["tags"], visit, today, None))
        return self.note(time, campaign, place, "show", "shown")

    def caps(self, campaign: dict[str, Any]) -> list[dict[str, Any]]:
        own = [{"per": "campaign", **cap} for cap in campaign.get("caps", [])]
        return own + [cap for cap in self.feed["settings"]["caps"] if cap.get("tag") in (None, *campaign["tags"])]

    def count(self, cap: dict[str, Any], time: datetime, place: str, campaign: dict[str, Any], visit: int) -> int:
        """How many displays this cap counts now; none looks back further, no visit lasts as long."""
        today = time.astimezone(self.zone).date()
        at = {"campaign": 1, "region": 2, "visit": 4}.get(cap["per"], 6)
        value = (time, campaign["id"], place, None, visit, None, None)[at]
        found = list(takewhile(lambda s: time - s[0] < timedelta(days=8), reversed(self.shown)))
        found = [s for s in found if s[at] == value and ("tag" not in cap or cap["tag"] in s[3])]
        if "window" in cap:
            found = [s for s in found if time < s[0] + timedelta(seconds=cap["window"])]
        return len([s for s in found if "days" not in cap or (today - s[5]).days < cap["days"]])

    def note(self, time: datetime, campaign: dict[str, Any], place: str, step: str, reason: str) -> bool:
        self.decisions.append((time.astimezone(timezone.utc), campaign["id"], place, step, reason))
        return False
