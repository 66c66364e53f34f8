# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The app of a coffee shop: coupons at the shop, on a phone that may end the process at any time.

python coffee.py morning     from home to the shop; then the phone ends the app
python coffee.py afternoon   the app is started again, while the customer is still in the shop
"""

from __future__ import annotations

import sys
from datetime import datetime, timezone

from plotengine import (
    Decision,
    Engine,
    FilterableNotification,
    FilterBatch,
    Geotrigger,
    GeotriggerBatch,
    Notification,
    PlotError,
)

HOME = (52.3750, 4.8960)
SHOP = (52.3686, 4.8893)


def at(hour: int, minute: int) -> datetime:
    return datetime(2026, 5, 16, hour, minute, tzinfo=timezone.utc)


WALKS = {
    "morning": [(at(8, 0), HOME), (at(8, 12), SHOP), (at(8, 15), SHOP)],
    "afternoon": [
        (at(8, 21), SHOP),
        (at(8, 40), SHOP),
        (at(8, 50), HOME),
        (at(15, 0), SHOP),
        (at(15, 20), SHOP),
        (at(15, 30), HOME),
    ],
}


def is_used(coupon: str) -> bool:
    """A real app asks its own database on the phone: the filter has to work without a network."""
    return coupon == "CROISSANT-0"


def say(time: datetime, what: str, words: str) -> None:
    print(f"{time:%H:%M}  {what:<10}  {words}")


class App:
    """The app of one customer."""

    def __init__(self, customer: str, now: datetime) -> None:
        self.customer = customer
        self.now = now
        # Callbacks come first: init() delivers what an earlier process has left open.
        self.engine = Engine(
            clock=lambda: self.now,  # a real app leaves this out
            on_filter=self.filter,
            on_geotriggers=self.handle,
            on_show=self.show,
            on_decision=self.decide,
        )
        self.engine.init("plotconfig.json", feed="feed.json", store="coffee.db")
        # From the customer's account. The feed says who gets which campaign.
        self.engine.set_segmentation_property("member", True)
        self.engine.set_segmentation_property("drink", "espresso")

    def filter(self, batch: FilterBatch) -> list[FilterableNotification]:
        """Notifications that are about to be shown: drops used coupons, greets by name."""
        kept = [notification for notification in batch if not is_used(notification.data)]
        for notification in kept:
            notification.message = f"{self.customer}: {notification.message}"
        return kept

    def handle(self, batch: GeotriggerBatch) -> list[Geotrigger]:
        """Geotriggers are for the app. The customer sees nothing of them."""
        for geotrigger in batch:
            say(self.now, "geotrigger", geotrigger.name)
        return list(batch)

    def show(self, notification: Notification) -> None:
        """An exception here means that it could not be shown: it may come again."""
        say(self.now, "shown", notification.message)

    def decide(self, decision: Decision) -> None:
        """The engine reports each step of a decision. A drop keeps a campaign from being shown."""
        if decision.verdict == "drop" and decision.campaign:
            say(self.now, "not shown", f"{decision.campaign}: {decision.reason}")

    def print_sent(self) -> None:
        """The list is in the store: after a start, it has what earlier processes have shown."""
        for notification in self.engine.sent_notifications():
            assert notification.date_sent  # for the type checker: everything in the list has one
            say(notification.date_sent, "sent", notification.message)

    def move(self, time: datetime, latitude: float, longitude: float) -> None:
        """The phone: an alarm at each wakeup, then the fix.

        Without the alarm, a dwelling would be reported only with the next fix.
        """
        while (due := self.engine.next_wakeup()) is not None and due <= time:
            self.now = due
            self.engine.advance()
        self.now = time
        self.engine.update_location(latitude, longitude, accuracy=10)


def main() -> None:
    walk = WALKS[sys.argv[1] if len(sys.argv) > 1 else "morning"]
    try:
        app = App("Anna", now=walk[0][0])
        with app.engine:
            app.print_sent()
            for time, (latitude, longitude) in walk:
                app.move(time, latitude, longitude)
    except PlotError as error:
        sys.exit(f"coffee: {error.name}: {error.message}")


if __name__ == "__main__":
    main()
