# pyright: strict
"""Host code that the strictest checkers must accept without a word; nobody runs it."""

from __future__ import annotations

from plotengine import Engine, Event, Feed, FilterBatch, GeotriggerBatch, Notification
from plotengine.asyncio import AsyncEngine

engine = Engine()


@engine.on_filter
def personal(batch: FilterBatch) -> FilterBatch:
    for notification in batch:
        notification.message = f"Hello! {notification.message}"
    return batch


@engine.on_geotriggers
def handle(batch: GeotriggerBatch) -> GeotriggerBatch:
    return batch


@engine.on_show
def show(notification: Notification) -> bool:
    return notification.message != ""


@engine.on_event
def told(event: Event) -> None:
    print(event.event, event.region)


async def main() -> None:
    async with AsyncEngine("plotconfig.json", feed=Feed({})) as phone:

        @phone.on_filter
        async def keep(batch: FilterBatch) -> FilterBatch:
            return batch

        @phone.on_event
        async def hear(event: Event) -> None:
            print(event.sequence)

        print(keep, hear)
        for one in phone.sent_notifications():
            print(one.date_sent.year, one.date_opened)
    by_hand = await AsyncEngine("plotconfig.json").start()
    await by_hand.aclose()
