# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Pushes of blocked users: not shown, or without their text. The rules are in feed.json."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from plotengine import Engine, Event, Notification, PlotError

TEN = datetime(2026, 5, 16, 10, 0, tzinfo=timezone.utc)

# The app gets these lists from its server after the login. A list has a version, so that an old
# answer of the server that comes late is ignored.
BLOCKED = {"version": 1, "entries": ["eve", "mallory"]}
UNBLOCKED = {"version": 2, "entries": ["mallory"]}
GROUPS = {"version": 1, "entries": ["climbing", "neighbours"]}


def show(message: Notification) -> None:
    title = f"{message.title}: " if message.title else ""
    print(f"{message.identifier}  shown: {title}{message.message}")


def event(happened: Event) -> None:
    """The system must not show the push: an app suppresses it here."""
    if happened.event == "message-dropped":
        print(f"{happened.message_id}  not shown")


def deliver(engine: Engine, time: datetime, path: str) -> datetime:
    """Gives the engine each line of a file as it came, one each minute."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        engine.process_message(line, time=time)
        time += timedelta(minutes=1)
    return time


def main() -> None:
    now = TEN
    try:
        with Engine() as engine:
            engine.on_show(show)
            engine.on_event(event)
            engine.init("plotconfig.json", feed="feed.json", time=now)
            engine.set_list("blocked", BLOCKED, time=now)
            engine.set_list("groups", GROUPS, time=now)
            now = deliver(engine, now, "pushes.jsonl")
            engine.set_list("blocked", UNBLOCKED, time=now)
            deliver(engine, now, "unblocked.jsonl")
    except PlotError as error:
        sys.exit(f"{error.name}: {error.message}")


if __name__ == "__main__":
    main()
