# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""A strategy of the app's own: at least five minutes between two notifications.

The pause begins when a notification leaves the screen.

The walk: the device enters a bakery at 10:01, and its message stays on the screen. It enters a
museum at 10:05, which is too soon. The user dismisses the bakery's message at 10:08. The device
leaves the museum and enters it again at 10:14.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from plotengine import Engine, Notification, Strategy

FEED = {
    "version": 1,
    "regions": [
        {"id": "bakery", "type": "geofence", "latitude": 52.37, "longitude": 4.89, "radius": 100},
        {"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 100},
    ],
    "campaigns": [
        {"id": "bread", "type": "notification", "message": "Bakery", "regions": ["bakery"]},
        {
            "id": "art",
            "type": "notification",
            "message": "Museum",
            "regions": ["museum"],
            "resend": True,
        },
    ],
}
TEN = datetime(2026, 5, 16, 10, 0, tzinfo=timezone.utc)


class FiveMinutes(Strategy):
    """At least five minutes between two notifications.

    Votes change no state, because the engine may ask again, and other strategies may say no.
    State changes when the engine reports the result.
    """

    def __init__(self) -> None:
        self.on_screen = 0
        self.next: datetime | None = None

    def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        return self.on_screen == 0 and (self.next is None or self.time >= self.next)

    def on_notification_created(self, notification: Notification, created: bool) -> None:
        if created:
            self.on_screen += 1

    def on_notification_deleted(self, notification: Notification, deleted: bool) -> None:
        if deleted:
            self.on_screen -= 1
            self.next = self.time + timedelta(minutes=5)

    def load(self, state: str | None) -> None:
        on_screen, _, until = (state or "0 ").partition(" ")
        self.on_screen = int(on_screen)
        self.next = datetime.fromisoformat(until) if until else None

    def save(self) -> str:
        return f"{self.on_screen} {self.next.isoformat() if self.next else ''}"


def walk() -> list[str]:
    """Plays the walk, and returns a line for each thing that happens."""
    lines: list[str] = []

    def say(minutes: int, text: str) -> None:
        lines.append(f"{TEN + timedelta(minutes=minutes):%H:%M} {text}")

    minute = 0
    config = {"publicToken": "REPLACE_ME", "engine": {"noise": "exact"}}
    with Engine(config, feed=FEED, time=TEN, time_zone="UTC") as engine:
        engine.on_show(lambda notification: say(minute, f"shown: {notification.message}"))
        engine.on_decision(
            lambda decision: (
                say(minute, "too soon: Museum") if decision.reason == "vetoed" else None
            )  # the detail names it
        )
        engine.set_strategy("com.example.five-minutes", FiveMinutes())
        stops = [
            (0, 52.40, 4.90),
            (1, 52.37, 4.89),
            (5, 52.36, 4.885),
            (9, 52.40, 4.90),
            (14, 52.36, 4.885),
        ]
        for minute, latitude, longitude in stops:
            if minute == 9:
                bread = engine.displayed_notifications()[0]
                engine.dismiss_notification(bread, time=TEN + timedelta(minutes=8))
                say(8, f"dismissed: {bread.message}")
            engine.update_location(latitude, longitude, time=TEN + timedelta(minutes=minute))
    return lines


if __name__ == "__main__":
    print("\n".join(walk()))
