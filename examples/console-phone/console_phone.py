# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""A phone on the console: replays a GPX track and prints what the phone would show.

    python console_phone.py TRACK.gpx [--config plotconfig.json] [--feed feed.json] [--why]

With --why it also prints what is not shown, and the reason.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from plotengine import (
    Decision,
    Engine,
    FilterableNotification,
    FilterBatch,
    Geotrigger,
    GeotriggerBatch,
    Notification,
    OpenAction,
    PlotError,
    SentNotification,
)


class Fix(NamedTuple):
    """A point of the track."""

    time: datetime
    latitude: float
    longitude: float
    accuracy: float
    speed: float


def read_gpx(path: Path) -> Iterator[Fix]:
    """The points of a GPX file, of version 1.0 or 1.1, that have a time."""

    def number(point: ElementTree.Element, name: str, otherwise: float) -> float:
        for element in point.iter():
            if element.tag.rpartition("}")[2] == name and element.text:
                return float(element.text)
        return otherwise

    for point in ElementTree.parse(path).iter():
        if point.tag.rpartition("}")[2] != "trkpt":
            continue
        time = next((e.text for e in point.iter() if e.tag.rpartition("}")[2] == "time"), None)
        if time:
            yield Fix(
                datetime.fromisoformat(time.strip().replace("Z", "+00:00")),
                float(point.attrib["lat"]),
                float(point.attrib["lon"]),
                number(point, "accuracy", 0.0),
                number(point, "speed", -1.0),
            )


class Phone:
    """The acts of a phone when the engine calls."""

    def __init__(self, config: Path, feed: Path, start: datetime, explain: bool) -> None:
        self.now = start
        self.explain = explain
        self.engine = Engine(clock=lambda: self.now)
        self.engine.on_show(self.show)
        self.engine.on_filter(self.filter)
        self.engine.on_geotriggers(self.handle)
        self.engine.on_open(self.open)
        if explain:
            self.engine.on_decision(self.decide)
        self.engine.init(config, feed=feed, time_zone="UTC")

    def print(self, what: str, text: str) -> None:
        print(f"{self.now:%H:%M:%S}  {what:<12} {text}")

    def filter(self, batch: FilterBatch) -> list[FilterableNotification]:
        """An app may edit or drop notifications here. This one keeps all of them."""
        return list(batch)

    def show(self, notification: Notification) -> None:
        self.print("notification", notification.message)

    def handle(self, batch: GeotriggerBatch) -> list[Geotrigger]:
        for geotrigger in batch:
            self.print("geotrigger", f"{geotrigger.name} ({geotrigger.data})")
        return list(batch)

    def open(self, action: OpenAction, uri: str, notification: SentNotification) -> None:
        self.print("open", f"{action.name.lower()} {uri}")

    def decide(self, decision: Decision) -> None:
        if decision.verdict != "pass":
            about = f"{decision.campaign or ''};{decision.region or ''}"
            why = f"{decision.reason} {decision.detail or ''}".rstrip()
            self.print(f"  {decision.verdict}", f"{about}: {why}")

    def walk(self, fixes: Iterator[Fix]) -> None:
        for fix in fixes:
            # On a phone, an alarm would call advance() at these times.
            due = self.engine.next_wakeup()
            while due is not None and due <= fix.time:
                self.now = due
                self.engine.advance()
                due = self.engine.next_wakeup()
            self.now = fix.time
            self.engine.update_location(
                fix.latitude, fix.longitude, accuracy=fix.accuracy, speed=fix.speed
            )

    def tap(self) -> None:
        """The person looks at the last notification, and taps it."""
        sent = self.engine.sent_notifications()
        if sent:
            self.engine.open_notification(sent[-1])


def value_of(text: str) -> str | bool | None:
    return {"true": True, "false": False, "": None}.get(text, text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Replays a GPX track and prints what a phone would show."
    )
    parser.add_argument("track", type=Path, metavar="TRACK.gpx")
    parser.add_argument("--config", type=Path, default=Path("plotconfig.json"))
    parser.add_argument("--feed", type=Path, default=Path("feed.json"))
    parser.add_argument(
        "--property",
        action="append",
        default=["language=en", "premiumMember=true"],
        help="a segmentation property, key=value",
    )
    parser.add_argument("--why", action="store_true", help="also print what is not shown, and why")
    arguments = parser.parse_args()
    try:
        fixes = list(read_gpx(arguments.track))
        if not fixes:
            sys.exit(f"{arguments.track}: no points with a time")
        phone = Phone(arguments.config, arguments.feed, fixes[0].time, arguments.why)
        with phone.engine as engine:
            for entry in arguments.property:
                key, _, value = entry.partition("=")
                engine.set_segmentation_property(key, value_of(value))
            phone.walk(iter(fixes))
            phone.tap()
    except (OSError, ElementTree.ParseError, PlotError) as error:
        sys.exit(f"console_phone: {error}")


if __name__ == "__main__":
    main()
