# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""A push that updates one on the screen, one that retracts, and two that come too late."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from plotengine import (
    Engine,
    Event,
    InvalidDocumentError,
    Notification,
    PlotError,
    SentNotification,
)

TEN = datetime(2026, 5, 16, 10, 0, tzinfo=timezone.utc)


def show(message: Notification) -> None:
    print(f"{message.identifier}  shown: {message.message}")


def take_off(message: SentNotification) -> None:
    """An exception here means that it is still on the screen."""
    print(f"{message.identifier}  removed")


def event(happened: Event) -> None:
    """After these events the system must not show the push: an app suppresses it here."""
    if happened.event in ("message-dropped", "message-retracted"):
        print(f"{happened.message_id}  not shown")


def take(engine: Engine, time: datetime, push: str) -> None:
    """A push that is no message for the engine is shown as it came: nothing of it gets lost."""
    try:
        engine.process_message(push, time=time)
    except InvalidDocumentError:
        print(f"as it came: {push}")


def main() -> None:
    now = TEN
    try:
        with Engine() as engine:
            engine.on_show(show)
            engine.on_remove(take_off)
            engine.on_event(event)
            engine.init("plotconfig.json", feed="feed.json", time=now)
            for push in Path("pushes.jsonl").read_text(encoding="utf-8").splitlines():
                take(engine, now, push)
                now += timedelta(minutes=1)
            for message in engine.displayed_notifications():
                print(f"on the screen: {message.message}")
    except PlotError as error:
        sys.exit(f"{error.name}: {error.message}")


if __name__ == "__main__":
    main()
