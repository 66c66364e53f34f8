# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Events, decisions and visits, read from their JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Union

from ._convert import elements, optional_time, parse_time
from ._decision_words import Reason, Step, Verdict
from ._event_words import EventName
from ._items import Geotrigger, Notification
from ._values import Values


@dataclass(frozen=True, eq=False, repr=False)
class Event(Values):
    """Something happened (docs/events.md). What an event does not have is None."""

    time: datetime
    event: EventName | str
    sequence: int
    region: str
    visit: str
    ordinal: int | None = None
    latitude: float | None = None
    longitude: float | None = None
    dwelling_minutes: int | None = None
    since: datetime | None = None
    late: bool = False
    """When the region was entered or left, where that was not sure at once."""
    source: str | None = None
    """The source of the event; None for a fix."""
    arrival_seconds: int | None = None
    arrival: datetime | None = None
    """Of an approach, and of a trip: when the device would be there."""
    campaign: str | None = None
    span_from: datetime | None = None
    span_to: datetime | None = None
    """The span of an absence."""
    unknown_from: datetime | None = None
    unknown_to: datetime | None = None
    """The time in such a span of which nothing is known."""
    trip: str | None = None
    """The app's id of a trip (docs/trips.md)."""
    metres: float | None = None
    """The rest of a trip's way, in metres."""
    deadline: datetime | None = None
    delay_seconds: int | None = None
    """How much later than the deadline a trip is, or will be; negative when it is earlier."""
    other_region: str | None = None
    """Where the device is, though it is not the destination."""
    metadata: Mapping[str, str | int | float | bool] | None = None
    """The app's own values of a trip."""
    match_identifier: str | None = None
    message: str | None = None
    data: str | None = None
    action: str | None = None
    recovered: bool = False
    reason: str | None = None
    """Why a notification was removed, or a message dropped."""
    holdout: str | None = None
    """The holdout group in which it is known whether the person is."""
    lost: tuple[str, ...] | None = None
    """Of a store that was set aside: the parts of which something could not be read."""
    message_id: str | None = None
    """The id of the message it is about; region and visit are then empty."""
    advertising_identifier: str | None = None
    limit_ad_tracking: bool | None = None
    item: Notification | Geotrigger | None = field(default=None, repr=False)
    """The notification or geotrigger it is about."""
    raw: str = field(default="", repr=False, compare=False)
    """The record as the engine gave it."""

    @classmethod
    def parse(cls, raw: str, item: Notification | Geotrigger | None = None) -> Event:
        """Reads a record."""
        record: Mapping[str, Any] = json.loads(raw)
        get = record.get
        return cls(
            time=parse_time(record["time"]),
            event=record["event"],
            sequence=record["sequence"],
            region=get("region", ""),
            visit=get("visit", ""),
            ordinal=get("ordinal"),
            latitude=get("latitude"),
            longitude=get("longitude"),
            dwelling_minutes=get("dwellingMinutes"),
            since=optional_time(get("since")),
            late=get("late", False),
            source=get("source"),
            arrival_seconds=get("arrivalSeconds"),
            arrival=optional_time(get("arrival")),
            campaign=get("campaign"),
            span_from=optional_time(get("from")),
            span_to=optional_time(get("to")),
            unknown_from=optional_time(get("unknownFrom")),
            unknown_to=optional_time(get("unknownTo")),
            trip=get("trip"),
            metres=get("metres"),
            deadline=optional_time(get("deadline")),
            delay_seconds=get("delaySeconds"),
            other_region=get("otherRegion"),
            metadata=get("metadata"),
            match_identifier=get("matchIdentifier"),
            message=get("message"),
            data=get("data"),
            action=get("action"),
            recovered=get("recovered", False),
            reason=get("reason"),
            holdout=get("holdout"),
            lost=tuple(record["lost"]) if "lost" in record else None,
            message_id=get("messageId"),
            advertising_identifier=get("advertisingIdentifier"),
            limit_ad_tracking=get("limitAdTracking"),
            item=item,
            raw=raw,
        )


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Values):
    """A decision about a candidate, a pass too (docs/decisions.md). What a decision does not have is None."""

    time: datetime
    step: Step | str
    verdict: Verdict | str
    reason: Reason | str
    campaign: str | None = None
    region: str | None = None
    visit: str | None = None
    message_id: str | None = None
    detail: str | None = None
    next_possible: datetime | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict, hash=False)
    raw: str = field(default="", repr=False, compare=False)
    """The record as the engine gave it."""

    @classmethod
    def parse(cls, raw: str) -> Decision:
        """Reads a record."""
        record: Mapping[str, Any] = json.loads(raw)
        get = record.get
        return cls(
            time=parse_time(record["time"]),
            step=record["step"],
            verdict=record["verdict"],
            reason=record["reason"],
            campaign=get("campaign"),
            region=get("region"),
            visit=get("visit"),
            message_id=get("messageId"),
            detail=get("detail"),
            next_possible=optional_time(get("nextPossible")),
            inputs=get("inputs", {}),
            raw=raw,
        )


@dataclass(frozen=True, eq=False, repr=False)
class Visit(Values):
    """A visit in progress."""

    region: str
    visit: str
    ordinal: int
    entered: datetime

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Visit:
        """The visit of a parsed record."""
        return cls(record["region"], record["visit"], record["ordinal"], parse_time(record["entered"]))


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Values):
    """Where an engine is (docs/explain.md, Summary)."""

    time: datetime
    enabled: bool
    foreground: bool
    time_zone: str
    regions: int
    """How many regions its feed has."""
    campaigns: int
    visits: tuple[str, ...]
    """The ids of the regions that are visited, sorted."""
    displayed: int
    """How many notifications are on the screen."""
    waiting: int
    """How many wait for the end of quiet hours."""
    questions: int
    """How many batches the app has not answered yet."""
    next_wakeup: datetime | None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Summary:
        """The summary of a parsed record."""
        wakeup = record.get("nextWakeup")
        return cls(
            parse_time(record["time"]),
            record["enabled"],
            record["foreground"],
            record["timeZone"],
            record["regions"],
            record["campaigns"],
            tuple(record["visits"]),
            record["displayed"],
            record["waiting"],
            record["questions"],
            None if wakeup is None else parse_time(wakeup),
        )

    def __str__(self) -> str:
        parts = [
            "enabled" if self.enabled else "disabled",
            f"{self.regions} regions",
            f"{self.campaigns} campaigns",
            f"visits: {', '.join(self.visits) or 'none'}",
            f"displayed: {self.displayed}",
            f"next wakeup: {self.next_wakeup.isoformat() if self.next_wakeup else 'none'}",
        ]
        return ", ".join(parts)


@dataclass(frozen=True, eq=False, repr=False)
class PendingEvents(Values):
    """The events that wait for the app (docs/events.md, Consumers)."""

    acknowledged: int
    """Up to which sequence the app needs no events."""
    lost: int
    """How many it has lost, since they were more than ``engine.events.limit``."""
    waiting: int
    """How many wait, listed or not."""
    events: tuple[Event, ...]

    @classmethod
    def parse(cls, raw: str) -> PendingEvents:
        """Reads what the engine gave."""
        page: Mapping[str, Any] = json.loads(raw)
        # The last member: each event keeps the text that it has in it.
        texts = elements(raw[raw.index('"events":') + len('"events":') :])
        return cls(page["acknowledged"], page["lost"], page["waiting"], tuple(Event.parse(text) for _, text in texts))


@dataclass(frozen=True, eq=False, repr=False)
class ListInfo(Values):
    """Facts about a list of ``set_list``."""

    name: str
    version: int
    count: int
    refreshed: datetime
    """When it was set."""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> ListInfo:
        """The list of a parsed record."""
        return cls(record["name"], record["version"], record["count"], parse_time(record["refreshed"]))


@dataclass(frozen=True, eq=False, repr=False)
class Trip(Values):
    """A trip that is on (docs/trips.md)."""

    id: str
    region: str
    """The destination."""
    mode: str
    started: datetime
    ends: datetime
    """When it ends by itself."""
    deadline: datetime | None
    metres: float | None
    """The rest of the way, in metres."""
    arrival: datetime | None
    """When the device is expected at the destination."""
    speed: float | None
    """Metres a second, on the way."""
    approaching: bool
    delayed: bool
    stopped: bool
    off_route: bool
    metadata: dict[str, str | int | float | bool]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Trip:
        """The trip of a parsed record."""

        def time(key: str) -> datetime | None:
            return parse_time(record[key]) if key in record else None

        return cls(
            record["id"],
            record["region"],
            record["mode"],
            parse_time(record["started"]),
            parse_time(record["ends"]),
            time("deadline"),
            record.get("metres"),
            time("arrival"),
            record.get("speed"),
            record["approaching"],
            record["delayed"],
            record["stopped"],
            record["offRoute"],
            record.get("metadata", {}),
        )


SegmentationValue = Union[str, bool, int, float, datetime]
"""A segmentation property's value; its Python type is the property's type."""


def segmentation(raw: str) -> dict[str, SegmentationValue]:
    """The properties of plot_engine_get_segmentation_properties."""
    read: dict[str, Callable[[Any], SegmentationValue]] = {
        "string": str,
        "boolean": bool,
        "integer": int,
        "double": float,
        "date": parse_time,
    }
    return {key: read[entry["type"]](entry["value"]) for key, entry in json.loads(raw).items()}
