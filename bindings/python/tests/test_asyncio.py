"""The engine on an event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from datetime import datetime, timedelta
from typing import Any, Callable

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, Town, at, python

import plotengine
from plotengine import LATER, FilterBatch, GeotriggerBatch
from plotengine.asyncio import AsyncEngine


class Clock:
    """A clock that the test moves. It is read on the loop's own thread only."""

    def __init__(self) -> None:
        self.base = T0

    def __call__(self) -> datetime:
        asyncio.get_running_loop()
        return self.base

    def move(self, seconds: float) -> None:
        self.base += timedelta(seconds=seconds)


def run(function: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(function(), 30)

    asyncio.run(limited())


async def until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)


def test_wakeups_become_timers() -> None:
    """A deadline of a second comes by itself, by the loop's own timers and the clock of the machine."""

    async def day() -> None:
        events: list[plotengine.Event] = []
        config = {**CONFIG, "engine": {**CONFIG["engine"], "filterDeadline": 1, "filterFallback": "showOriginal"}}
        async with AsyncEngine(config, feed=FEED, on_filter=lambda batch: LATER, on_event=events.append) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            due = engine.next_wakeup()
            assert due is not None
            assert engine.sent_notifications() == []
            started = time.monotonic()
            await until(lambda: engine.sent_notifications())
            assert 0.9 < time.monotonic() - started < 5
            (shown,) = engine.sent_notifications()
            assert shown.date_sent is not None
            assert shown.campaign_id == "welcome"
            assert timedelta(0) <= shown.date_sent - due < timedelta(seconds=5)
            # The next one, of five minutes, is armed with the longest sleep.
            assert engine._timer is not None
            assert 50 < engine._timer.when() - asyncio.get_running_loop().time() <= plotengine.asyncio.LONGEST_SLEEP
        assert engine._timer is None

    run(day)


def test_a_silent_beacon_is_left_by_the_timer() -> None:
    async def day() -> None:
        clock = Clock()
        async with AsyncEngine(CONFIG, feed=FEED, clock=clock, longest_sleep=0.01) as engine:
            events = engine.events()
            for seconds in range(2):
                clock.move(seconds)
                engine.update_beacon("f7826da6-4fa2-4e98-8024-bc5b71e0893e", 1, 7, proximity="near")
            entered = await events.__anext__()
            assert (entered.event, entered.region, entered.source) == ("region-enter", "till", "beacon")
            wakeup = engine.next_wakeup()
            assert wakeup is not None and wakeup > clock()
            clock.move(3600)
            left = await events.__anext__()
            assert (left.event, left.time, left.since, left.source) == ("region-exit", wakeup, entered.time, "beacon")

    run(day)


def test_a_timer_looks_at_the_clock_now_and_then() -> None:
    """The clock jumps (the machine slept): the timer finds out, at the latest after its longest sleep."""

    async def day() -> None:
        shown: list[plotengine.Notification] = []
        clock = Clock()
        async with AsyncEngine(CONFIG, feed=FEED, clock=clock, longest_sleep=0.01, on_show=shown.append) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await asyncio.sleep(0.05)
            assert len(shown) == 1
            assert engine._timer is not None
            clock.move(301)
            await until(lambda: len(shown) == 2)

    run(day)


def test_a_filter_that_is_a_coroutine() -> None:
    async def day() -> None:
        shown: list[str] = []
        gate = asyncio.Event()

        async def personal(batch: FilterBatch) -> list[plotengine.FilterableNotification]:
            await gate.wait()
            batch[0].message = "Hello Paul"
            return list(batch)

        async def handle(batch: GeotriggerBatch) -> list[plotengine.Geotrigger]:
            await gate.wait()
            return [geotrigger for geotrigger in batch if geotrigger.data == "pass"]

        clock = Clock()
        async with AsyncEngine(
            CONFIG,
            feed=FEED,
            clock=clock,
            on_filter=personal,
            on_geotriggers=handle,
            on_show=lambda n: shown.append(n.message),
        ) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await asyncio.sleep(0)
            assert shown == []
            clock.move(5)
            gate.set()
            await until(lambda: shown)
            assert shown == ["Hello Paul"]
            assert engine.sent_notifications()[0].date_sent == at(5)
            await until(lambda: engine.sent_geotriggers())

    run(day)


def test_a_coroutine_that_outlives_the_deadline(caplog: pytest.LogCaptureFixture) -> None:
    async def day() -> None:
        gate = asyncio.Event()
        answered = asyncio.Event()
        loop_errors: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: loop_errors.append(context))

        async def slow(batch: FilterBatch) -> FilterBatch:
            await gate.wait()
            answered.set()
            return batch

        clock = Clock()
        events = []
        async with AsyncEngine(
            CONFIG, feed=FEED, clock=clock, on_filter=slow, on_event=lambda e: events.append(e.event)
        ) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await asyncio.sleep(0)
            clock.move(61)
            engine.advance()
            assert "notification-filtered" in events  # the fallback: drop
            gate.set()
            await answered.wait()
            await until(lambda: not engine._tasks)
            assert engine.sent_notifications() == []
        assert loop_errors == []

    with caplog.at_level(logging.INFO, "plotengine.asyncio"):
        run(day)
    assert "came too late and is dropped" in caplog.text


def test_a_coroutine_that_raises() -> None:
    async def day() -> None:
        contexts: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: contexts.append(context))
        raised = ValueError("on purpose")

        async def broken(batch: FilterBatch) -> FilterBatch:
            raise raised

        async with AsyncEngine(CONFIG, feed=FEED, clock=Clock(), on_filter=broken) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await until(lambda: contexts)
            assert contexts[0]["exception"] is raised
            assert engine.filter_batch(1)  # open until its deadline

            async def careless(batch: FilterBatch) -> None: ...

            engine.on_filter(careless)
            engine.filter_batch(1).answer([])
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await until(lambda: len(contexts) >= 2)
            assert "on_filter returns the items to keep" in str(contexts[1]["exception"])

    run(day)


def test_a_coroutine_that_raises_and_nobody_listens() -> None:
    """The loop's own handler says what has happened, and where."""
    done = python(
        """
        import asyncio
        from conftest import AWAY, CONFIG, FEED, MUSEUM
        from plotengine.asyncio import AsyncEngine

        async def broken(batch):
            raise ValueError("on purpose")

        async def day():
            async with AsyncEngine(CONFIG, feed=FEED, on_filter=broken) as engine:
                engine.update_location(*AWAY)
                engine.update_location(*MUSEUM)
                while engine._tasks or not engine.filter_batch(1):
                    await asyncio.sleep(0.01)
                print(len(engine.filter_batch(1)), len(engine.sent_notifications()))

        asyncio.run(day())
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "0"]
    assert done.stderr.startswith("an async callback of a plotengine engine failed\n")
    assert done.stderr.count("ValueError: on purpose") == 1
    assert "in broken" in done.stderr


def test_coroutines_for_what_has_no_answer() -> None:
    async def day() -> None:
        seen: list[str] = []

        def teller(name: str) -> Callable[..., Awaitable[None]]:
            async def tell(*arguments: Any) -> None:
                await asyncio.sleep(0)
                seen.append(name)

            return tell

        names = ["on_event", "on_decision", "on_log", "on_wakeup", "on_open", "on_notification"]
        arguments: dict[str, Any] = {name: teller(name) for name in names}
        async with AsyncEngine({**CONFIG, "debug": True}, feed=FEED, clock=Clock(), **arguments) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            engine.open_notification(engine.sent_notifications()[0])
            engine.update_location(*AWAY)
            engine.open_notification(engine.sent_notifications()[1])
            await until(lambda: set(seen) == set(names))

    run(day)


def test_show_cannot_wait() -> None:
    async def show(notification: plotengine.Notification) -> None: ...

    with pytest.raises(TypeError, match="on_show cannot be async"):
        AsyncEngine(CONFIG, on_show=show)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="on_remove cannot be async"):
        AsyncEngine(CONFIG, on_remove=show)  # type: ignore[arg-type]


def test_synchronous_callbacks_too() -> None:
    async def day() -> None:
        async with AsyncEngine(CONFIG, feed=FEED, clock=Clock(), on_filter=list, on_geotriggers=list) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            assert len(engine.sent_notifications()) == 1
            raised = ValueError()

            @engine.on_event  # type: ignore[untyped-decorator,unused-ignore]
            def event(happened: plotengine.Event) -> None:
                raise raised

            with pytest.raises(ValueError) as caught:  # noqa: PT011
                engine.update_location(*AWAY)
            assert caught.value is raised
            engine.on_event(None)
            batches: list[FilterBatch] = []
            engine.on_filter(lambda batch: batches.append(batch) or LATER)
            engine.update_location(*MUSEUM)
            batches[0].answer(batches[0])
            batches.clear()

    import warnings

    with warnings.catch_warnings():
        run(day)


def test_events() -> None:
    async def day() -> None:
        engine = AsyncEngine(CONFIG, feed=FEED, clock=Clock())
        early = engine.events()
        async with engine:
            late = engine.events()
            got: list[str] = []

            async def read() -> None:
                async for event in late:
                    got.append(event.event)

            reader = asyncio.ensure_future(read())
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await until(lambda: len(got) == 3)
            assert "region-enter" in got
            engine.update_location(*AWAY)
        await reader
        everything = [event.event async for event in early]
        assert everything == got
        assert "region-exit" in got
        assert [event async for event in engine.events()] == []
        assert [event async for event in early] == []

    run(day)


def test_calls_from_other_threads() -> None:
    """The inputs may be made on any thread; timers, coroutines and streams stay on the loop."""

    async def day() -> None:
        import threading

        loop_thread = threading.get_ident()
        threads: list[int] = []

        async def ask(batch: FilterBatch) -> FilterBatch:
            threads.append(threading.get_ident())
            return batch

        fixed = [T0]
        async with AsyncEngine(CONFIG, feed=FEED, clock=lambda: fixed[0], on_filter=ask) as engine:
            stream = engine.events()
            await asyncio.get_running_loop().run_in_executor(None, Town.enter, engine)
            fixed[0] = at(61)
            assert (await stream.__anext__()).event == "region-enter"
            await until(lambda: engine.sent_notifications())
            assert threads == [loop_thread]
            assert engine._timer is not None
            await asyncio.get_running_loop().run_in_executor(None, engine.close)
            await until(lambda: engine._timer is None)

    run(day)


def test_closing_cancels() -> None:
    async def day() -> None:
        cancelled: list[bool] = []

        async def forever(batch: FilterBatch) -> FilterBatch:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                cancelled.append(True)
                raise
            return batch

        async with AsyncEngine(CONFIG, feed=FEED, clock=Clock(), on_filter=forever) as engine:
            engine.update_location(*AWAY)
            engine.update_location(*MUSEUM)
            await asyncio.sleep(0)
        assert cancelled == [True]
        await engine.aclose()
        with pytest.raises(plotengine.ClosedError):
            engine.visits()

    run(day)


def test_a_start_that_fails() -> None:
    async def day() -> None:
        engine = AsyncEngine({"publicToken": ""}, feed=FEED)
        with pytest.raises(plotengine.InvalidDocumentError):
            await engine.__aenter__()
        assert engine.closed

    run(day)


def test_outside_a_loop() -> None:
    engine = AsyncEngine(CONFIG)
    with pytest.raises(RuntimeError):
        engine.start()
    engine.close()


def test_started_by_hand() -> None:
    async def day() -> None:
        engine = AsyncEngine(CONFIG)
        assert await engine.start() is engine
        assert engine.summary().enabled
        await engine.aclose()
        assert engine.closed
        other = AsyncEngine(CONFIG)
        other.start()  # awaited or not
        assert other.summary().enabled
        await other.aclose()

    run(day)
