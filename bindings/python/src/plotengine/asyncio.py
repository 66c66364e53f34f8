# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The engine on an asyncio event loop.

    async with AsyncEngine("plotconfig.json", feed="feed.json", on_filter=ask_my_server) as engine:
        engine.update_location(52.3600, 4.8850, accuracy=10)
        async for event in engine.events():
            print(event.event, event.region)

Wakeups become timers of the loop; filters, geotrigger handlers and all callbacks but ``on_show`` and ``on_remove`` may
be coroutine functions; strategies may not; events are an async iterator. The inputs themselves stay plain calls: they
take microseconds, or one small transaction with a store. A host that minds may make them with ``asyncio.to_thread``;
everything here then still happens on the loop.
"""

from __future__ import annotations

import asyncio
import collections
import functools
import logging
from collections.abc import AsyncIterator, Awaitable, Generator, Iterable
from datetime import datetime
from types import TracebackType
from typing import Any, Callable, Optional, TypeVar, Union

from . import _convert, _hints, _zone
from ._clock import Clock
from ._convert import StrPath, Time
from ._documents import ConfigLike, FeedLike
from ._engine import Engine, OnRemove, OnShow, is_async
from ._errors import AlreadyAnsweredError, ClosedError
from ._items import FilterableNotification, FilterBatch, Geotrigger, GeotriggerBatch, SentNotification
from ._records import Decision, Event
from ._types import LATER, Later, LogLevel, OpenAction

logger = logging.getLogger(__name__)

Kept = Union[Iterable[FilterableNotification], Later, None]
Handled = Union[Iterable[Geotrigger], Later, None]
AsyncOnFilter = Callable[[FilterBatch], Union[Kept, Awaitable[Kept]]]
AsyncOnGeotriggers = Callable[[GeotriggerBatch], Union[Handled, Awaitable[Handled]]]

FilterT = TypeVar("FilterT", bound=Optional[AsyncOnFilter])
GeotriggersT = TypeVar("GeotriggersT", bound=Optional[AsyncOnGeotriggers])
EventT = TypeVar("EventT", bound=Optional[Callable[[Event], object]])
WakeupT = TypeVar("WakeupT", bound=Optional[Callable[[Optional[datetime]], object]])

LONGEST_SLEEP = 60.0
"""Seconds: by default a timer looks at the clock this often, as the clock may be set and the machine may sleep."""


class EventStream(AsyncIterator[Event]):
    """The events from now on, until the engine closes; each stream gets all of them."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._events: collections.deque[Event] = collections.deque()
        self._waiters: list[asyncio.Future[None]] = []
        self._ended = False

    def __aiter__(self) -> EventStream:
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            if self._ended:
                raise StopAsyncIteration
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        return self._events.popleft()

    def close(self) -> None:
        """No more events come; those that came can still be read."""
        self._ended = True
        self._engine._streams.discard(self)
        self._wake()

    def _put(self, event: Event) -> None:
        self._events.append(event)
        self._wake()

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)


class _Started:
    """An engine that has been started; a warning would be wrong where nobody awaits it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    def __await__(self) -> Generator[None, None, AsyncEngine]:
        return self._engine
        yield


@_hints.suggests
class AsyncEngine(Engine):
    """An engine whose timers and coroutines run on the event loop.

    It starts and ends with ``async with``, inside a running loop; ``await start()`` and ``await aclose()`` do the same
    by hand. What a coroutine raises goes to the loop's exception handler; its batch stays open until the deadline. An
    answer that comes after the deadline is dropped, with a line in the log ``plotengine.asyncio``.
    """

    __slots__ = (
        "_longest_sleep",
        "_loop",
        "_on_event",
        "_on_wakeup",
        "_start",
        "_streams",
        "_tasks",
        "_timer",
    )

    def __init__(
        self,
        config: ConfigLike,
        *,
        feed: FeedLike | None = None,
        store: StrPath | None = None,
        time: Time | None = None,
        time_zone: str | None = _zone.SYSTEM,
        clock: Clock | None = None,
        longest_sleep: float = LONGEST_SLEEP,
        on_filter: AsyncOnFilter | None = None,
        on_geotriggers: AsyncOnGeotriggers | None = None,
        on_show: OnShow | None = None,
        on_remove: OnRemove | None = None,
        on_notification: Callable[[SentNotification, str], object] | None = None,
        on_open: Callable[[OpenAction, str, SentNotification], object] | None = None,
        on_event: Callable[[Event], object] | None = None,
        on_decision: Callable[[Decision], object] | None = None,
        on_log: Callable[[LogLevel, str], object] | None = None,
        on_wakeup: Callable[[datetime | None], object] | None = None,
        on_fix_request: Callable[[datetime], object] | None = None,
    ) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Future[Any]] = set()
        self._streams: set[EventStream] = set()
        self._on_event: Callable[[Event], object] | None = on_event
        self._on_wakeup: Callable[[datetime | None], object] | None = on_wakeup
        self._longest_sleep = longest_sleep
        self._start: Any = functools.partial(
            Engine.init, self, config, feed=feed, store=store, time=time, time_zone=time_zone
        )
        super().__init__(clock=clock)
        try:
            Engine.on_event(self, self._event)
            Engine.on_wakeup(self, self._woken)
            registrations: list[tuple[Callable[[Any], Any], Any]] = [
                (self.on_filter, on_filter),
                (self.on_geotriggers, on_geotriggers),
                (self.on_show, on_show),
                (self.on_remove, on_remove),
                (self.on_notification, on_notification),
                (self.on_open, on_open),
                (self.on_decision, on_decision),
                (self.on_log, on_log),
                (self.on_fix_request, on_fix_request),
            ]
            for register, callback in registrations:
                if callback is not None:
                    register(callback)
        except BaseException:
            Engine.close(self)
            raise

    # ---- Life ---------------------------------------------------------------------------------------------------

    def start(self) -> Awaitable[AsyncEngine]:
        """Starts the engine on the running loop, at once; what it gives can be awaited, and gives the engine."""
        self._loop = asyncio.get_running_loop()
        self._start()
        return _Started(self)

    async def __aenter__(self) -> AsyncEngine:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def close(self) -> None:
        """Closes the engine, its timer and its streams, and cancels the coroutines that have not answered."""
        super().close()
        if self._loop is None or self._loop.is_closed():
            self._stop()
        else:
            self._post(self._stop)

    async def aclose(self) -> None:
        """Closes, and waits for the cancelled coroutines."""
        self.close()
        tasks: list[asyncio.Future[Any]] = [task for task in self._tasks if task is not asyncio.current_task()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for stream in list(self._streams):
            stream.close()
        current = asyncio.current_task() if self._loop is not None and self._loop.is_running() else None
        for task in list(self._tasks):
            if task is not current:
                task.cancel()

    def events(self) -> EventStream:
        """The events from now on. Take it before ``async with`` to get those of the start too."""
        stream = EventStream(self)
        if self.closed:
            stream.close()
        else:
            self._streams.add(stream)
        return stream

    # ---- Callbacks ----------------------------------------------------------------------------------------------

    def on_filter(self, callback: FilterT) -> FilterT:
        """As ``Engine.on_filter``; may be a coroutine function, which has until the deadline."""
        return super().on_filter(callback)  # type: ignore[type-var]

    def on_geotriggers(self, callback: GeotriggersT) -> GeotriggersT:
        """As ``Engine.on_geotriggers``; may be a coroutine function."""
        return super().on_geotriggers(callback)  # type: ignore[type-var]

    def on_event(self, callback: EventT) -> EventT:
        """As ``Engine.on_event``; may be a coroutine function."""
        self._on_event = callback
        return callback

    def on_wakeup(self, callback: WakeupT) -> WakeupT:
        """As ``Engine.on_wakeup``, beside the timers; may be a coroutine function."""
        self._on_wakeup = callback
        return callback

    def _register(self, kind: str, function: Any, deliver: Any, callback: Any, name: str) -> Any:
        """Puts a synchronous callback in place of a coroutine function."""
        if callback is None or not is_async(callback):
            return super()._register(kind, function, deliver, callback, name)
        if name in ("on_show", "on_remove"):
            raise TypeError(f"{name} cannot be async: the engine must know at once whether it is done")
        answers = name in ("on_filter", "on_geotriggers")

        def answering(batch: Any) -> Later:
            self._spawn(lambda: self._answer_late(callback, batch, name))
            return LATER

        def telling(*arguments: Any) -> None:
            self._spawn(lambda: callback(*arguments))

        super()._register(kind, function, deliver, answering if answers else telling, name)
        return callback

    async def _answer_late(self, callback: Any, batch: Any, name: str) -> None:
        result = await callback(batch)
        if result is LATER or (result is None and batch.answered):
            return
        if result is None or isinstance(result, (str, bytes)) or not hasattr(result, "__iter__"):
            raise TypeError(f"{name} returns the items to keep, an empty list for none, not {type(result).__name__}")
        try:
            batch.answer(result)
        except (AlreadyAnsweredError, ClosedError) as late:
            logger.info("%s: the answer to batch %d came too late and is dropped: %s", name, batch.token, str(late))

    def _event(self, event: Event) -> None:
        self._post(lambda: self._fan_out(event))
        self._tell(self._on_event, event)

    def _fan_out(self, event: Event) -> None:
        for stream in list(self._streams):
            stream._put(event)

    def _tell(self, callback: Callable[..., object] | None, *arguments: Any) -> None:
        if callback is None:
            return
        if is_async(callback):
            self._spawn(lambda: callback(*arguments))
        else:
            callback(*arguments)

    # ---- The loop -----------------------------------------------------------------------------------------------

    def _post(self, function: Callable[[], object]) -> None:
        """Runs a function on the loop: at once when this is its thread."""
        if self._loop is None or self._loop is _running_loop():
            function()
        else:
            self._loop.call_soon_threadsafe(function)

    def _spawn(self, function: Callable[[], Any]) -> None:
        def run() -> None:
            task = asyncio.ensure_future(function())
            self._tasks.add(task)
            task.add_done_callback(self._done)

        self._post(run)

    def _done(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            context = {"message": "an async callback of a plotengine engine failed", "exception": task.exception()}
            task.get_loop().call_exception_handler({**context, "future": task})

    def _woken(self, time: datetime | None) -> None:
        self._post(lambda: self._arm(time))
        self._tell(self._on_wakeup, time)

    def _arm(self, time: datetime | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if time is None or self._loop is None or self.closed:
            return
        wait = (_convert.milliseconds(time) - self._now()) / 1000
        self._timer = self._loop.call_later(min(max(wait, 0.0), self._longest_sleep), self._tick)

    def _tick(self) -> None:
        """The timer has run out: what is due by the clock happens, and the timer is set again."""
        self._timer = None
        if self.closed:
            return
        try:
            self.advance()
        finally:
            if not self.closed and self._timer is None:
                self._arm(self.next_wakeup())


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
