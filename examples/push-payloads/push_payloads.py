# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Pushes of four services, given to the engine as they came. A feed says whose they are."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from plotengine import Engine, Event, Notification, PlotError

TEN = datetime(2026, 5, 16, 10, 0, tzinfo=timezone.utc)
BLOCKED = {"version": 1, "entries": ["eve"]}


def show(message: Notification) -> None:
    title = f"{message.title}: " if message.title else ""
    print(f"  shown: {title}{message.message}")


def take_off(message: Notification) -> None:
    print(f"  taken off: {message.message}")


def event(happened: Event) -> None:
    """The system must not show the push: an app suppresses it here."""
    if happened.event == "message-dropped":
        print(f"  not shown ({happened.reason}): {happened.message}")


def run(service: str) -> None:
    print(service)
    now = TEN
    with Engine() as engine:
        engine.on_show(show)
        engine.on_remove(take_off)
        engine.on_event(event)
        engine.init("plotconfig.json", feed=f"{service}.json", time=now)
        engine.set_list("blocked", BLOCKED, time=now)
        for push in Path(f"{service}.jsonl").read_text(encoding="utf-8").splitlines():
            engine.process_message(push, time=now)
            now += timedelta(minutes=1)


def main() -> None:
    try:
        for service in ("apns", "fcm", "cometchat", "zego"):
            run(service)
    except PlotError as error:
        sys.exit(f"{error.name}: {error.message}")


if __name__ == "__main__":
    main()
