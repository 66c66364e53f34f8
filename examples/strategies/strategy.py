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


def at(minute: int) -> datetime:
    return datetime(2026, 5, 16, 10, minute, tzinfo=timezone.utc)


def say(time: datetime, what: str, notification: Notification) -> None:
    print(f"{time:%H:%M} {what}: {notification.message}")


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
        say(self.time, "shown" if created else "too soon", notification)

    def on_notification_deleted(self, notification: Notification, deleted: bool) -> None:
        if deleted:
            self.on_screen -= 1
            self.next = self.time + timedelta(minutes=5)
            say(self.time, "dismissed", notification)

    def load(self, state: str | None) -> None:
        on_screen, _, until = (state or "0 ").partition(" ")
        self.on_screen = int(on_screen)
        self.next = datetime.fromisoformat(until) if until else None

    def save(self) -> str:
        return f"{self.on_screen} {self.next.isoformat() if self.next else ''}"


def main() -> None:
    # Without a show callback, a notification counts as shown. The strategy prints what happens.
    with Engine() as engine:
        engine.set_strategy("com.example.five-minutes", FiveMinutes())
        engine.init("plotconfig.json", feed="feed.json", time=at(0))
        engine.update_location(52.40, 4.90, time=at(0))
        engine.update_location(52.37, 4.89, time=at(1))
        engine.update_location(52.36, 4.885, time=at(5))
        engine.dismiss_notification(engine.displayed_notifications()[0], time=at(8))
        engine.update_location(52.40, 4.90, time=at(9))
        engine.update_location(52.36, 4.885, time=at(14))


if __name__ == "__main__":
    main()
