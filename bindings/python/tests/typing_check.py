"""Host code that a type checker must accept; mypy reads this, nobody runs it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from plotengine import (
    LATER,
    ClockReading,
    Engine,
    Event,
    FilterableNotification,
    FilterBatch,
    HintKind,
    Later,
    Notification,
    PlotError,
    Proximity,
    SentNotification,
    Strategy,
    system_clock,
    system_time_zone,
)
from plotengine.asyncio import AsyncEngine
from plotengine.documents import CampaignFeed, FeedRegion, PlotConfiguration

engine = Engine()


@engine.on_filter
def personal(batch: FilterBatch) -> list[FilterableNotification]:
    for notification in batch:
        notification.message = f"Hello Paul! {notification.message}"
        notification.data = ""
        notification.mesage = ""  # type: ignore[attr-defined]
    return [notification for notification in batch if notification.region_name]


@engine.on_geotriggers
def later(batch: object) -> Later:
    return LATER


@engine.on_show
def show(notification: Notification) -> None:
    print(notification.message.upper(), notification.geofence_latitude)


@engine.on_remove
def remove(notification: SentNotification) -> bool:
    return notification.date_sent is not None


class OneAtATime(Strategy):
    def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        return bool(context["displayed"] == 0)

    def save(self) -> str:
        return self.time.isoformat()


engine.set_strategy("one", OneAtATime())
engine.dismiss_notification(engine.displayed_notifications()[0])
engine.remove_notification()
engine.update_notification(engine.displayed_notifications()[0], message="Sold out", title=None)
personal(engine.filter_batch(1)).clear()
engine.on_show(None)
engine.on_event(lambda event: print(event.time.isoformat()))
engine.init(Path("plotconfig.json"), feed="feed.json", store=Path("store"), time=datetime.now(timezone.utc))
engine.set_cooldown_period(timedelta(minutes=5))
engine.set_segmentation_property("premium", True)


def device_clock() -> ClockReading:
    return ClockReading(datetime.now(timezone.utc), monotonic_ms=system_clock().monotonic_ms, boot_id="boot")


Engine({"publicToken": "x"}, clock=device_clock, time_zone=system_time_zone() or "UTC").close()
Engine({"publicToken": "x"}, clock=lambda: 1_700_000_000_000, time_zone=None, acuracy=5).close()  # type: ignore[call-arg]
engine.enabledd = True  # type: ignore[attr-defined]
shown: list[Notification] = []
events: list[Event] = []
with Engine({"publicToken": "x"}, on_show=shown.append, on_event=events.append, on_filter=list) as other:
    other.update_location(52, 4.5, time=1_700_000_000_000)
    other.update_beacon("f7826da6-4fa2-4e98-8024-bc5b71e0893e", 1, 7, proximity=Proximity.NEAR, rssi=-60)
    other.update_eddystone("00112233445566778899", "aabbccddeeff", proximity="far", power=-18.5)
    other.region_hint("shop", HintKind.ENTER, position=(52, 4.5))
    other.move_region("bus", 52, 4.5, time=datetime.now(timezone.utc))
    print(len(other.plan_regions(20)["add"]))
    print([(event.since or event.time).isoformat() for event in events if event.source == "beacon"])
    print([event.arrival.isoformat() for event in events if event.arrival is not None], shown[0].arrival_seconds)
    try:
        other.open_notification(shown[0])
    except PlotError as error:
        print(error.status.name, error.line + error.column, error.pointer)


async def ask(batch: FilterBatch) -> FilterBatch:
    return batch


async def main() -> None:
    async with AsyncEngine("plotconfig.json", on_filter=ask) as asynchronous:
        asynchronous.on_filter(ask)
        asynchronous.update_location(52.0, 4.0)
        async for event in asynchronous.events():
            print(event.sequence + 1)


# The documents that people write.
PLACE: FeedRegion = {"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}
FEED: CampaignFeed = {
    "version": 1,
    "regions": [PLACE],
    "campaigns": [{"id": "c", "type": "notification", "message": "Hi", "regions": ["museum"], "trigger": "dwelling"}],
}
CONFIGURATION: PlotConfiguration = {"cooldownPeriod": 600, "engine": {"noise": "balanced", "initial": "enter"}}
Engine(CONFIGURATION, store=None).set_feed(FEED)
SLIP: PlotConfiguration = {"cooldwnPeriod": 600}  # type: ignore[typeddict-unknown-key]
WORD: FeedRegion = {"id": "museum", "type": "geofense"}  # type: ignore[typeddict-item]
NOWHERE: CampaignFeed = {"version": 1, "regions": []}  # type: ignore[typeddict-item]
