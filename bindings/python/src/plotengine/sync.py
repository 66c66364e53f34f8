# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Hosts of the synchronization with a campaign service: they carry requests and answers, and decide nothing.

    with Engine("plotconfig.json", store="app.store") as engine, Sync(engine):
        ...

``Sync`` works in threads of its own, ``AsyncSync`` on an asyncio event loop. Both use httpx where it is installed, and
urllib where it is not. The configuration needs ``sync.url`` (docs/sync.md).
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple

from . import _convert
from ._carry import Answer, Carrier, Failure, text
from ._documents import FeedLike
from ._engine import Engine
from ._errors import ClosedError, PlotError
from ._sync import SyncRequest, SyncStatus

logger = logging.getLogger(__name__)

OnStatus = Callable[[SyncStatus], object]


class _Wait(NamedTuple):
    until: datetime | None


class _Host:
    def __init__(
        self,
        engine: Engine,
        *,
        feed: FeedLike | None = None,
        facts: Mapping[str, str] | None = None,
        on_status: OnStatus | None = None,
    ) -> None:
        """``feed`` counts until there is one of the service; ``facts`` are about this device (docs/sync.md, Facts)."""
        self.engine = engine
        self._feed, self._facts, self._on_status = feed, facts, on_status
        self._carrier = Carrier()
        self._is_over = False

    def _begin(self) -> None:
        self.engine.on_sync(self._changed)
        self.engine.sync_begin(self._facts, feed=self._feed)

    def _changed(self, status: SyncStatus, _next: datetime | None) -> None:
        self._wake()
        if self._on_status is not None:
            try:
                self._on_status(status)
            except Exception:
                logger.exception("sync: on_status has failed")

    def _wake(self) -> None:
        raise NotImplementedError

    def now(self) -> None:
        """Asks for the feed, and sends the events that wait, at once."""
        self.engine.sync_now()

    def send_recording(self, lines: bytes) -> None:
        """Sends a recording of the engine, the bytes of its file, to the service: the person has agreed.

        ``status.recording`` says what became of it.
        """
        self.engine.sync_recording(lines)

    def handle_push(self, payload: Mapping[str, Any] | str | bytes) -> None:
        """A push message of the service has come (QuickSync)."""
        self.engine.sync_message(payload)

    @property
    def status(self) -> SyncStatus:
        """Where it stands."""
        return self.engine.sync_status()

    def _next(self) -> SyncRequest | _Wait:
        step = self.engine.sync_next()
        return step if isinstance(step, SyncRequest) else _Wait(step)

    def _seconds(self, wait: _Wait) -> float | None:
        """How long that is; never longer than a minute, for clocks are set."""
        if wait.until is None:
            return None
        return min(max((_convert.milliseconds(wait.until) - self.engine._time(None)) / 1000, 0.001), 60)

    def _answer(self, request: SyncRequest, answer: Answer | Failure) -> None:
        try:
            if isinstance(answer, Failure):
                self.engine.sync_failure(request.number, text(str(answer)))
            else:
                headers = {text(name): text(value) for name, value in answer.headers.items()}
                self.engine.sync_response(request.number, answer.status, headers, answer.body)
        except ClosedError:
            self._is_over = True
        except PlotError as error:
            # The engine has counted the answer as none, and asks again.
            logger.warning("sync: %s", error)
        except Exception:
            # It ends neither the thread nor the loop: requests go on.
            logger.exception("sync: a callback of the app has failed")

    def _receive(self, request: SyncRequest, data: bytes) -> None:
        try:
            self.engine.sync_receive(request.number, data)
        except ClosedError:
            self._is_over = True
        except Exception:
            logger.exception("sync: a callback of the app has failed")


class Sync(_Host):
    """Synchronizes an engine in a thread of its own. Callbacks of the engine that an answer leads to run there."""

    def __init__(self, engine: Engine, **arguments: Any) -> None:
        super().__init__(engine, **arguments)
        self._news = threading.Event()
        self._begin()
        self._thread = threading.Thread(target=self._run, name="plotengine sync", daemon=True)
        self._thread.start()

    def _wake(self) -> None:
        self._news.set()

    def _run(self) -> None:
        try:
            while not self._is_over:
                self._news.clear()
                step = self._next()
                if isinstance(step, _Wait):
                    self._news.wait(self._seconds(step))
                elif step.stream:
                    threading.Thread(target=self._carry, args=(step,), name="plotengine stream", daemon=True).start()
                else:
                    self._carry(step)
        except ClosedError:
            pass

    def _carry(self, request: SyncRequest) -> None:
        def receive(data: bytes) -> None:
            if self._is_over:
                raise Failure("stopped")
            self._receive(request, data)

        try:
            answer: Answer | Failure = self._carrier.carry(request, receive)
        except Failure as failure:
            answer = failure
        if not self._is_over:
            self._answer(request, answer)

    def stop(self) -> None:
        """Asks for nothing any more. Safe in every callback, and more than once."""
        self._is_over = True
        self._news.set()
        try:
            self.engine.sync_stop()
            self.engine.on_sync(None)
        except ClosedError:
            pass
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=1)
        self._carrier.close()

    def __enter__(self) -> Sync:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class AsyncSync(_Host):
    """Synchronizes an engine on the running event loop; only the transport works in threads."""

    def __init__(self, engine: Engine, **arguments: Any) -> None:
        super().__init__(engine, **arguments)
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._begin()
        self._streams: set[asyncio.Task[None]] = set()
        self._task = self._loop.create_task(self._run())

    def _wake(self) -> None:
        self._loop.call_soon_threadsafe(self._news.set)

    async def _run(self) -> None:
        try:
            while not self._is_over:
                self._news.clear()
                step = self._next()
                if isinstance(step, _Wait):
                    try:
                        await asyncio.wait_for(self._news.wait(), self._seconds(step))
                    except asyncio.TimeoutError:
                        pass
                elif step.stream:
                    task = self._loop.create_task(self._carry(step))
                    self._streams.add(task)
                    task.add_done_callback(self._streams.discard)
                else:
                    await self._carry(step)
        except ClosedError:
            pass

    async def _carry(self, request: SyncRequest) -> None:
        done: asyncio.Future[Answer | Failure] = self._loop.create_future()

        def take(data: bytes) -> None:
            if not self._is_over:
                self._receive(request, data)

        def receive(data: bytes) -> None:
            if self._is_over:
                raise Failure("stopped")
            self._loop.call_soon_threadsafe(take, data)

        def finish(answer: Answer | Failure) -> None:
            if not done.done():
                done.set_result(answer)

        def work() -> None:
            try:
                answer: Answer | Failure = self._carrier.carry(request, receive)
            except Failure as failure:
                answer = failure
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(finish, answer)

        # No thread of the loop's pool: a stream would hold one for ever, and the loop's end would wait for it.
        threading.Thread(target=work, name="plotengine sync", daemon=True).start()
        answer = await done
        if not self._is_over:
            self._answer(request, answer)

    async def stop(self) -> None:
        """Asks for nothing any more."""
        self._is_over = True
        try:
            self.engine.sync_stop()
            self.engine.on_sync(None)
        except ClosedError:
            pass
        for task in [self._task, *self._streams]:
            task.cancel()
        await asyncio.gather(self._task, *self._streams, return_exceptions=True)
        self._carrier.close()

    async def __aenter__(self) -> AsyncSync:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
