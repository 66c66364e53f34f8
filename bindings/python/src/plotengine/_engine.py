# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The engine."""

from __future__ import annotations

import atexit
import ctypes
import dataclasses
import functools
import inspect
import os
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import byref, c_int32, c_void_p
from datetime import datetime
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional, TypeVar, Union

from . import _convert, _hints, _items, _strategies, _zone
from ._calls import Calls
from ._clock import Clock, ClockReading, Supplied, Watch, system_clock
from ._convert import StrPath, Time
from ._documents import ConfigLike, FeedLike, config_of, feed_of
from ._errors import ClosedError, ForkedError, InvalidArgumentError, PlotError, make
from ._inputs import Inputs
from ._items import (
    FilterableNotification,
    FilterBatch,
    Geotrigger,
    GeotriggerBatch,
    NativeList,
    Notification,
    SentNotification,
)
from ._lists import Lists
from ._messages import Messages
from ._part import _flag, _wakeup
from ._raw import NO_CALLBACK, TRAMPOLINES, Slot, destroy, lib, make_room, registry, unraisable
from ._records import Decision, Event
from ._settings import Settings
from ._strategies import Strategy
from ._sync import Syncing, SyncStatus
from ._trips import Trips
from ._types import LATER, Later, LogLevel, OpenAction, Status

OnFilter = Callable[[FilterBatch], Union[Iterable[FilterableNotification], Later, None]]
OnGeotriggers = Callable[[GeotriggerBatch], Union[Iterable[Geotrigger], Later, None]]
OnShow = Callable[[Notification], Optional[bool]]
OnRemove = Callable[[SentNotification], Optional[bool]]
OnNotification = Callable[[SentNotification, str], object]
OnOpen = Callable[[OpenAction, str, SentNotification], object]
OnEvent = Callable[[Event], object]
OnDecision = Callable[[Decision], object]
OnRecording = Callable[[str], object]
OnLog = Callable[[LogLevel, str], object]
OnWakeup = Callable[[Optional[datetime]], object]
OnSync = Callable[[SyncStatus, Optional[datetime]], object]
OnFixRequest = Callable[[datetime], object]

# A decorator returns its argument; None removes.
FilterT = TypeVar("FilterT", bound=Optional[OnFilter])
GeotriggersT = TypeVar("GeotriggersT", bound=Optional[OnGeotriggers])
ShowT = TypeVar("ShowT", bound=Optional[OnShow])
RemoveT = TypeVar("RemoveT", bound=Optional[OnRemove])
NotificationT = TypeVar("NotificationT", bound=Optional[OnNotification])
OpenT = TypeVar("OpenT", bound=Optional[OnOpen])
EventT = TypeVar("EventT", bound=Optional[OnEvent])
DecisionT = TypeVar("DecisionT", bound=Optional[OnDecision])
RecordingT = TypeVar("RecordingT", bound=Optional[OnRecording])
LogT = TypeVar("LogT", bound=Optional[OnLog])
WakeupT = TypeVar("WakeupT", bound=Optional[OnWakeup])
SyncT = TypeVar("SyncT", bound=Optional[OnSync])
FixRequestT = TypeVar("FixRequestT", bound=Optional[OnFixRequest])
AnyT = TypeVar("AnyT")

_FAILED = int(Status.IO_ERROR)
_LIMIT = 1 << 63


class _Call:
    """A call of the host on an engine, or on the engines of a fleet, on one thread, that is not inside another one."""

    __slots__ = ("error", "fleet", "time")

    def __init__(self, time: int | None = None, fleet: int = 0) -> None:
        self.time = time
        self.fleet = fleet
        self.error: BaseException | None = None

    def raise_kept(self, fault: BaseException | None) -> NoReturn:
        """Raises what a callback has raised; what the call itself has failed with is then its context."""
        raised, self.error = self.error, None
        assert raised is not None
        if fault is not None and raised.__context__ is None:
            raised.__context__ = fault
        try:
            raise raised
        finally:
            del raised, fault  # or its traceback would hold this frame, and this frame it


@_hints.suggests
class Engine(Calls, Settings, Inputs, Messages, Trips, Lists, Syncing):
    """One device: its places, visits, history and settings.

    With a configuration, ``Engine(config, ...)`` starts at once; ``Engine()`` waits for ``init``, so that callbacks
    can be registered as decorators first. Every input may carry its time; without one, it is that of the input that
    is being delivered (inside a callback), else what ``clock`` says, by default ``system_clock``.

    When ``init`` takes its time from a clock that gives a ``ClockReading``, the engine is told whenever the wall clock
    was set. ``time_zone`` is the IANA name of the device's zone, by default that of this machine; None leaves the one
    that the engine remembers.

    A callback may call its engine, replace or remove callbacks, and close the engine. What it raises is kept and
    raised again, the same object, from the call that led to it; the other callbacks of that call still run.
    """

    __slots__ = (
        "__weakref__",
        "_calls",
        "_clock",
        "_closed",
        "_earliest",
        "_fleets",
        "_forked",
        "_free",
        "_handle",
        "_has_store",
        "_is_clock_ours",
        "_slots",
        "_watch",
    )

    def __init__(
        self,
        config: ConfigLike | None = None,
        *,
        feed: FeedLike | None = None,
        store: StrPath | None = None,
        time: Time | None = None,
        time_zone: str | None = _zone.SYSTEM,
        clock: Clock | None = None,
        on_filter: OnFilter | None = None,
        on_geotriggers: OnGeotriggers | None = None,
        on_show: OnShow | None = None,
        on_remove: OnRemove | None = None,
        on_notification: OnNotification | None = None,
        on_open: OnOpen | None = None,
        on_event: OnEvent | None = None,
        on_decision: OnDecision | None = None,
        on_recording: OnRecording | None = None,
        record: StrPath | None = None,
        on_log: OnLog | None = None,
        on_wakeup: OnWakeup | None = None,
        on_fix_request: OnFixRequest | None = None,
        on_sync: OnSync | None = None,
    ) -> None:
        self._closed = True
        self._forked = False
        self._has_store = False
        self._earliest = -_LIMIT
        self._watch: Watch | None = None
        self._is_clock_ours = True
        self._calls: dict[int, _Call] = {}
        self._fleets: set[int] = set()  # the fleets that it is in keep its handle
        self._slots: dict[str, Slot] = {}
        self._clock: Clock = clock if clock is not None else system_clock
        given = feed is not None or store is not None or time is not None or time_zone != _zone.SYSTEM
        if config is None and given:
            raise TypeError("feed, store, time and time_zone go with a configuration; or give them to init")
        handle, error = c_void_p(), c_void_p()
        status = lib.plot_engine_new(byref(handle), byref(error))
        if status:
            raise make(status, error)
        self._handle = handle
        self._free = weakref.finalize(self, _release, id(self), handle)
        self._free.atexit = False
        self._closed = False
        _engines[id(self)] = weakref.ref(self)
        try:
            registrations: list[tuple[Callable[[Any], Any], Any]] = [
                (self.on_log, on_log),
                (self.on_wakeup, on_wakeup),
                (self.on_fix_request, on_fix_request),
                (self.on_sync, on_sync),
                (self.on_decision, on_decision),
                (self.on_recording, on_recording),
                (self.on_event, on_event),
                (self.on_filter, on_filter),
                (self.on_geotriggers, on_geotriggers),
                (self.on_show, on_show),
                (self.on_remove, on_remove),
                (self.on_notification, on_notification),
                (self.on_open, on_open),
            ]
            for register, callback in registrations:
                if callback is not None:
                    register(callback)
            if record is not None:
                self.record(record)
            if config is not None:
                self.init(config, feed=feed, store=store, time=time, time_zone=time_zone)
        except BaseException:
            self.close()
            raise

    if not TYPE_CHECKING:  # a type checker would take it for leave to set anything

        def __setattr__(self, name: str, value: Any) -> None:
            # The classes of this package have slots: what is none is a slip. A subclass has fields as it likes.
            try:
                object.__setattr__(self, name, value)
            except AttributeError:
                raise _hints.no_attribute(self, name) from None

    # ---- Life ---------------------------------------------------------------------------------------------------

    def init(
        self,
        config: ConfigLike,
        *,
        feed: FeedLike | None = None,
        store: StrPath | None = None,
        time: Time | None = None,
        time_zone: str | None = _zone.SYSTEM,
    ) -> None:
        """Starts the engine; ``store`` names its store file, made when absent; without one all stays in memory.

        What the store holds is there again. A ``feed`` is taken in place of the one in the store; when it is the same,
        the store's is not read (``offer_feed``). ``time_zone``, where it is not None, is taken in place of the zone in
        the store; when this machine has no zone, the log ``plotengine`` says so.
        """
        self._begin(config, feed, store, time, time_zone, None)

    def save(self, *, events: bool = False) -> bytes:
        """All that a store keeps, but for the feed (docs/state-bytes.md); the same state gives the same bytes.

        With ``events``, also the events that the app has yet to acknowledge.
        """
        out = c_void_p()
        self._call(lib.plot_engine_save, None, _flag(events, "events"), byref(out))
        return _convert.take_bytes(out)

    def restore(
        self,
        state: bytes,
        config: ConfigLike,
        *,
        feed: FeedLike | None = None,
        store: StrPath | None = None,
        time: Time | None = None,
        time_zone: str | None = None,
    ) -> None:
        """Starts the engine with what ``save`` gave, in place of ``init``; on an ``Engine()`` that waits for it.

        ``feed`` is in force from then on: one with another digest than that of then is taken as a new feed is.
        ``store`` names a new file, which has all of it from then on. Engines restored from the same bytes go on alike:
        drop all but one.
        """
        if not isinstance(state, (bytes, bytearray)):
            raise TypeError(f"state must be bytes, not {type(state).__name__}")
        self._begin(config, feed, store, time, time_zone, bytes(state))

    def _begin(
        self,
        config: ConfigLike,
        feed: FeedLike | None,
        store: StrPath | None,
        time: Time | None,
        time_zone: str | None,
        state: bytes | None,
    ) -> None:
        read = config_of(config)
        places = feed_of(feed) if feed is not None else None
        path = _convert.path(store, "store") if store is not None else None
        if time_zone is not None:
            _check_zone(time_zone)
        had_store, earliest, watch = self._has_store, self._earliest, self._watch
        running = self._is_initialized()
        if not running:
            self._earliest = read._earliest_time()
        reading = self._clock() if time is None and self._outer(get_ident()) is None else None
        try:
            at = self._time(reading.time if isinstance(reading, ClockReading) else reading if time is None else time)
            self._has_store = had_store or path is not None
            with self._as_one(at):
                if not running:
                    if isinstance(reading, ClockReading) and self._is_clock_ours:
                        self._call(lib.plot_engine_set_clock, None, at, *_shown(reading))
                        self._watch = Watch(reading)
                    if places is not None and path is not None and state is None:
                        self._call(lib.plot_engine_offer_feed, None, places._handle)
                if state is None:
                    self._call(lib.plot_engine_init, at, at, read._handle, path)
                else:
                    given = None if places is None else places._handle
                    self._call(lib.plot_engine_restore, at, at, read._handle, given, path, state, len(state))
                if time_zone is not None:
                    self._start_zone(time_zone, at)
                if places is not None and state is None:
                    self._call(lib.plot_engine_set_feed, at, at, places._handle)
        except BaseException:
            if running or not self._is_initialized():
                self._has_store, self._earliest, self._watch = had_store, earliest, watch
            raise

    def _start_zone(self, time_zone: str, at: int) -> None:
        """Takes over a zone; that of this machine may be one that the engine has no data of."""
        name = _zone.zone_of_system() if time_zone == _zone.SYSTEM else time_zone
        if name is None or self._closed or name == self.time_zone():
            return
        try:
            self._call(lib.plot_engine_set_time_zone, at, at, _convert.text(name, "time_zone"))
        except InvalidArgumentError as error:
            if time_zone != _zone.SYSTEM:
                raise
            _zone.refused(name, error)

    def _is_initialized(self) -> bool:
        if self._closed:
            return False
        return bool(lib.plot_engine_is_enabled(self._handle, byref(c_int32()), None) == 0)

    def close(self) -> None:
        """Closes the store and lets go of all callbacks. Closing twice is fine; so is closing from a callback."""
        if self._closed:
            return
        me = get_ident()
        calls = self._calls
        outermost = me not in calls
        if outermost:
            calls[me] = _Call()
        try:
            self._closed = True
            lib.plot_engine_close(self._handle)
            self._slots.clear()
        finally:
            if outermost:
                del calls[me]
                self._free_closed()

    def _free_closed(self) -> None:
        """Frees the handle of a closed engine, once nobody can be inside."""
        if self._closed and not self._calls and not self._fleets and not self._forked:
            self._free()

    @property
    def closed(self) -> bool:
        """Whether the engine is closed."""
        return self._closed

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<plotengine.Engine {'closed' if self._closed else 'open'} at {id(self):#x}>"

    def _repr_html_(self) -> str:
        """The summary as a table, for notebooks."""
        from ._html import Answer

        try:
            rows = {} if self._closed else dataclasses.asdict(self.summary())
        except PlotError as error:
            rows = {"state": error.message}
        return Answer(sentence=str(self).split(":")[0] + (", closed" if self._closed else ""), **rows)._repr_html_()

    def __str__(self) -> str:
        """Its version, state, feed, visits and next wakeup."""
        try:
            state = "closed" if self._closed else str(self.summary())
        except PlotError as error:
            state = error.message
        return f"Engine {lib.plot_version().decode()}: {state}"

    # ---- Calls --------------------------------------------------------------------------------------------------

    def _time(self, time: Time | None) -> int:
        """The time of an input."""
        is_given = time is not None
        if time is None:
            call = self._outer(get_ident())
            if call is not None and call.time is not None:
                return max(call.time, self._earliest)  # among many fixes it is 0, which counts as the newest
            read = self._clock()
            if isinstance(read, ClockReading):
                watch = self._watch
                time = read.time if watch is None else watch.time(read)
            else:
                time = read
        if not ((type(time) is int or type(time) is Supplied) and -_LIMIT <= time < _LIMIT):
            time = _convert.milliseconds(time)
        return self._beside_the_clock(time, time) if is_given and self._watch is not None else time

    def _beside_the_clock(self, latest: int, at: int) -> int:
        """The time of a call, with what the clock shows if the latest time that the host gives is beyond that."""
        watch, read = self._watch, self._clock() if self._is_clock_ours else None
        return watch.given(latest, read, at) if watch is not None and isinstance(read, ClockReading) else at

    def _now(self) -> int:
        """The reading of the clock, even if it is no valid time for an input."""
        read = self._clock()
        return _convert.milliseconds(read.time if isinstance(read, ClockReading) else read)

    def _outer(self, me: int) -> _Call | None:
        """The call on this engine that this thread is inside of."""
        call = self._calls.get(me)
        if call is None and self._fleets:
            call = fleet_calls.get(me)
            if call is not None and call.fleet not in self._fleets:
                call = None
        return call

    def _call(self, function: Any, time: int | None, *arguments: Any) -> None:
        """Calls a function of the engine; raises what a callback raised, or what the status says.

        Who is inside is written down per thread, so that nested calls leave a callback's exception to the outermost
        one, and so that a close on another thread frees the handle only when everybody is out.
        """
        me = get_ident()
        calls = self._calls
        call = self._outer(me)
        outermost = call is None
        supplied = None
        if type(time) is Supplied:
            supplied, time = time, int(time)
        if call is None:
            call = _Call(time)
        error = c_void_p()
        try:
            if outermost:
                calls[me] = call
            if self._closed:
                raise self._gone()
            if self._slots:
                make_room()
            status = 0 if supplied is None else self._set_clock(supplied, error)
            if not status:
                status = function(self._handle, *arguments, byref(error))
        except ctypes.ArgumentError as mistake:
            raise TypeError(str(mistake)) from None
        finally:
            if outermost:
                calls.pop(me, None)
                if self._closed:
                    self._free_closed()
        if outermost and call.error is not None:
            call.raise_kept(make(status, error) if status else None)
        if status:
            raise make(status, error)

    @contextmanager
    def _as_one(self, time: int) -> Iterator[None]:
        """Makes several calls of the library one call of the host: what a callback raises comes at its end."""
        me = get_ident()
        if self._outer(me) is not None:
            yield
            return
        call = self._calls[me] = _Call(time)
        fault = None
        try:
            yield
        except Exception as error:
            fault = error
        finally:
            del self._calls[me]
            if self._closed:
                self._free_closed()
        if call.error is not None:
            call.raise_kept(fault)
        if fault is not None:
            try:
                raise fault
            finally:
                del fault

    def _set_clock(self, time: Supplied, error: c_void_p) -> int:
        """Tells the engine, within a call, that the wall clock was set; the status."""
        watch, reading = self._watch, time.reading
        if watch is None:
            return 0
        wall = _convert.milliseconds(reading.time)
        status: int = lib.plot_engine_set_clock(self._handle, wall, *_shown(reading), byref(error))
        if not status:
            watch.told(reading)
        elif watch.is_overtaken(time):  # another thread was faster
            lib.plot_error_free(error)
            error.value = None
            return 0
        return status

    def _gone(self) -> Exception:
        if self._forked:
            return ForkedError(
                "this engine has a store and belongs to the parent process; make a new engine after fork"
            )
        return ClosedError("the engine is closed", Status.CLOSED)

    def _keep(self, error: BaseException) -> None:
        """Keeps what a callback raised, for the outermost call of this thread."""
        call = self._outer(get_ident())
        if call is not None and call.error is None:
            call.error = error
        elif call is None or call.error is not error:
            unraisable(error, f"a callback of {self!r}")

    # ---- Callbacks ----------------------------------------------------------------------------------------------

    def on_filter(self, callback: FilterT) -> FilterT:
        """Registers who keeps, edits or drops notifications before they are shown; None removes.

        ``callback(batch)`` returns the notifications that go on (an empty list for none), or ``LATER`` when it will
        call ``batch.answer`` later, before the configuration's ``engine.filterDeadline``. When it raises, the batch
        stays open until its deadline.
        """
        return self._register(
            "plot_filter_fn", lib.plot_engine_set_filter_callback, self._deliver_filter, callback, "on_filter"
        )

    def on_geotriggers(self, callback: GeotriggersT) -> GeotriggersT:
        """Registers who handles geotriggers; None removes.

        ``callback(batch)`` returns those that were handled (an empty list for none), or ``LATER``.
        """
        return self._register(
            "plot_geotrigger_fn",
            lib.plot_engine_set_geotrigger_callback,
            self._deliver_geotriggers,
            callback,
            "on_geotriggers",
        )

    def on_show(self, callback: ShowT) -> ShowT:
        """Registers who shows notifications; None removes.

        ``callback(notification)`` returns False, or raises, when it could not be shown: it then is not used up.
        """
        return self._register(
            "plot_show_fn", lib.plot_engine_set_show_callback, self._deliver_show, callback, "on_show"
        )

    def on_remove(self, callback: RemoveT) -> RemoveT:
        """Registers who takes notifications off the screen; None removes.

        ``callback(notification)`` returns False, or raises, when that could not be done: it then stays.
        """
        return self._register(
            "plot_remove_fn", lib.plot_engine_set_remove_callback, self._deliver_remove, callback, "on_remove"
        )

    def on_notification(self, callback: NotificationT) -> NotificationT:
        """Registers the notification handler, ``callback(notification, data)``; None removes.

        It takes the place of ``on_open`` for opened notifications of type regular and applink.
        """
        return self._register(
            "plot_notification_handler_fn",
            lib.plot_engine_set_notification_handler,
            self._deliver_notification,
            callback,
            "on_notification",
        )

    def on_open(self, callback: OpenT) -> OpenT:
        """Registers who does the default for an opened notification, ``callback(action, uri, notification)``."""
        return self._register(
            "plot_open_fn", lib.plot_engine_set_open_callback, self._deliver_open, callback, "on_open"
        )

    def on_event(self, callback: EventT) -> EventT:
        """Registers who is told what happened, ``callback(event)``; None removes."""
        return self._register(
            "plot_event_fn", lib.plot_engine_set_event_callback, self._deliver_event, callback, "on_event"
        )

    def on_decision(self, callback: DecisionT) -> DecisionT:
        """Registers who is told why, ``callback(decision)``; decisions are recorded only while there is one."""
        return self._register(
            "plot_decision_fn", lib.plot_engine_set_decision_callback, self._deliver_decision, callback, "on_decision"
        )

    def on_recording(self, callback: RecordingT) -> RecordingT:
        """Registers who gets each line of a recording, ``callback(line)``, from ``init`` on (docs/recording.md).

        It is registered before ``init``; later, ``AlreadyInitializedError`` is raised.
        """
        return self._register(
            "plot_recording_fn",
            lib.plot_engine_set_recording_callback,
            self._deliver_recording,
            callback,
            "on_recording",
        )

    def record(self, path: StrPath, *, effects: bool = True) -> None:
        """Records all that the engine is given and gives back into a new file, from ``init`` on (docs/recording.md).

        Without ``effects`` the inputs alone. It holds places and times of a person.
        """
        flags = 0 if effects else 1
        self._call(lib.plot_engine_record_to_file, None, _convert.path(path, "path"), flags)

    def stop_recording(self) -> None:
        """Ends the recording, into a file and into a callback; fine without one."""
        self._call(lib.plot_engine_stop_recording, None)

    def on_log(self, callback: LogT) -> LogT:
        """Registers who gets the debug log's lines, ``callback(level, message)``; only while ``debug`` is true."""
        return self._register("plot_log_fn", lib.plot_engine_set_log_callback, self._deliver_log, callback, "on_log")

    def on_wakeup(self, callback: WakeupT) -> WakeupT:
        """Registers who is told when to call ``advance`` next, ``callback(time)``; None for nothing due."""
        return self._register(
            "plot_wakeup_fn", lib.plot_engine_set_wakeup_callback, self._deliver_wakeup, callback, "on_wakeup"
        )

    def on_fix_request(self, callback: FixRequestT) -> FixRequestT:
        """Registers who asks the system for a fix, ``callback(deadline)``: something is due, and no fix proves that the
        device is still there. The fix goes to ``update_location``, from within the callback or later.
        """
        return self._register(
            "plot_fix_request_fn",
            lib.plot_engine_set_fix_request_callback,
            self._deliver_fix_request,
            callback,
            "on_fix_request",
        )

    def on_sync(self, callback: SyncT) -> SyncT:
        """Registers who is told where the synchronization stands, ``callback(status, next)``, and when ``sync_next``
        has something to ask; None for not by itself. The hosts in ``plotengine.sync`` register themselves.
        """
        return self._register(
            "plot_sync_fn", lib.plot_engine_set_sync_callback, self._deliver_sync, callback, "on_sync"
        )

    def _register(self, kind: str, function: Any, deliver: Any, callback: AnyT, name: str) -> AnyT:
        if callback is None:
            self._call(function, None, NO_CALLBACK[kind], None, NO_CALLBACK["plot_destroy_fn"])
            self._slots.pop(kind, None)
            return callback
        if not callable(callback):
            raise TypeError(f"{name} takes a callable, not {type(callback).__name__}")
        if is_async(callback):
            raise TypeError(f"{name}: an async callback needs plotengine.asyncio.AsyncEngine")
        slot = Slot(functools.partial(deliver, callback, name), self._keep)
        try:
            self._call(function, None, TRAMPOLINES[kind], slot.key, destroy)
        except BaseException:
            registry.pop(slot.key, None)  # when the library was not even asked
            raise
        self._slots[kind] = slot
        return callback

    def _deliver_filter(self, callback: OnFilter, name: str, token: int, items: int) -> None:
        batch = self._filter_batch(token, NativeList.copy(items))
        _answer(batch, callback(batch), name)

    def _deliver_geotriggers(self, callback: OnGeotriggers, name: str, token: int, items: int) -> None:
        batch = self._geotrigger_batch(token, NativeList.copy(items))
        _answer(batch, callback(batch), name)

    def _deliver_show(self, callback: OnShow, name: str, item: int) -> int:
        shown = callback(_items.notification(*_one(item)))
        _nothing(shown, name)
        return _FAILED if shown is False else 0

    def _deliver_remove(self, callback: OnRemove, name: str, item: int) -> int:
        removed = callback(_items.sent_notification(*_one(item)))
        _nothing(removed, name)
        return _FAILED if removed is False else 0

    def _deliver_notification(self, callback: OnNotification, name: str, item: int, data: bytes) -> None:
        _nothing(callback(_items.sent_notification(*_one(item)), data.decode()), name)

    def _deliver_open(self, callback: OnOpen, name: str, action: int, uri: bytes, item: int) -> None:
        _nothing(callback(OpenAction(action), uri.decode(), _items.sent_notification(*_one(item))), name)

    def _deliver_event(self, callback: OnEvent, name: str, json: bytes, _length: int, item: int | None) -> None:
        about = _items.any_item(*_one(item)) if item else None
        _nothing(callback(Event.parse(json.decode(), about)), name)

    def _deliver_decision(self, callback: OnDecision, name: str, json: bytes, _length: int) -> None:
        _nothing(callback(Decision.parse(json.decode())), name)

    def _deliver_recording(self, callback: OnRecording, name: str, line: bytes, _length: int) -> None:
        _nothing(callback(line.decode()), name)

    def _deliver_log(self, callback: OnLog, name: str, level: int, message: bytes) -> None:
        _nothing(callback(LogLevel(level), message.decode()), name)

    def _deliver_wakeup(self, callback: OnWakeup, name: str, time: int) -> None:
        _nothing(callback(_wakeup(time)), name)

    def _deliver_sync(self, callback: OnSync, name: str, json: bytes, _length: int, time: int) -> None:
        _nothing(callback(SyncStatus.parse(json.decode()), _wakeup(time)), name)

    def _deliver_fix_request(self, callback: OnFixRequest, name: str, deadline: int) -> None:
        _nothing(callback(_convert.moment(deadline)), name)

    # ---- Strategies ---------------------------------------------------------------------------------------------

    def set_strategy(self, key: str, strategy: Strategy) -> None:
        """Registers a strategy, in the place of the one that has this key, else behind all others.

        It may be registered before ``init``: then it gets what it saved before anything else.
        """
        if not isinstance(strategy, Strategy):
            raise TypeError(f"a strategy is a plotengine.Strategy, not {type(strategy).__name__}")
        for method in _strategies.METHODS:
            if is_async(getattr(strategy, method)):
                raise TypeError(f"{method} of a strategy cannot be async: the engine must know its answer at once")
        slot = Slot(functools.partial(_strategies.deliver, strategy), self._keep)
        name = "plot_strategy_fn"
        try:
            self._call(
                lib.plot_engine_set_strategy, None, _convert.text(key, "key"), TRAMPOLINES[name], slot.key, destroy
            )
        except BaseException:
            registry.pop(slot.key, None)
            raise
        self._slots[f"strategy {key}"] = slot

    def remove_strategy(self, key: str) -> None:
        """Removes a strategy; what it has saved stays."""
        name = "plot_strategy_fn"
        self._call(
            lib.plot_engine_set_strategy,
            None,
            _convert.text(key, "key"),
            NO_CALLBACK[name],
            None,
            NO_CALLBACK["plot_destroy_fn"],
        )
        self._slots.pop(f"strategy {key}", None)

    # ---- The clock ----------------------------------------------------------------------------------------------

    def set_clock(self, monotonic_ms: int, boot_id: str, *, time: Time | None = None) -> None:
        """Says what the device's clocks show: the wall clock (``time``), the milliseconds since the device was started,
        and a name for that start. Before ``init`` it is kept for the start; later call it, before other inputs, when
        the wall clock may have been set: what remains of every wait stays the same.

        From then on this is up to the host: the engine's own clock is compared with no other any more."""
        monotonic = _convert.integer(monotonic_ms, "monotonic_ms")
        boot = _convert.text(boot_id, "boot_id")
        at = int(self._time(time))
        self._call(lib.plot_engine_set_clock, at, at, monotonic, boot)
        self._is_clock_ours = False
        self._watch = None


def is_async(callback: Any) -> bool:
    """Whether calling this gives a coroutine."""
    while isinstance(callback, functools.partial):
        callback = callback.func
    call = getattr(type(callback), "__call__", None)  # noqa: B004
    return any(
        test(candidate)
        for test in (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
        for candidate in (callback, call)
    )


def _shown(reading: ClockReading) -> tuple[int, bytes]:
    """The values of a reading beside the wall clock."""
    monotonic = _convert.integer(reading.monotonic_ms, "monotonic_ms of the clock")
    return monotonic, _convert.text(reading.boot_id, "boot_id of the clock")


_checked_zones = {_zone.SYSTEM}


def _check_zone(name: str) -> None:
    """Refuses a zone before an engine starts with it: it can be set only then."""
    zone = _convert.text(name, "time_zone")
    if name in _checked_zones:
        return
    engine = Engine({}, time=_convert.EARLIEST, time_zone=None)
    try:
        engine._call(lib.plot_engine_set_time_zone, None, _convert.EARLIEST, zone)
    except InvalidArgumentError as error:
        message = "time_zone" + error.message[error.message.index(":") :]
        raise InvalidArgumentError(message, error.status, expected=error.expected, found=error.found) from None
    finally:
        engine.close()
    _checked_zones.add(name)


def _nothing(result: object, name: str) -> None:
    """Refuses a coroutine that nobody would await."""
    if inspect.isawaitable(result):
        if inspect.iscoroutine(result):
            result.close()
        raise TypeError(f"{name} returned an awaitable: an async callback needs plotengine.asyncio.AsyncEngine")


def _answer(batch: Any, result: Any, name: str) -> None:
    """Gives the engine what a filter or a geotrigger callback returned."""
    _nothing(result, name)
    if result is LATER or (result is None and batch.answered):
        return
    if result is None or isinstance(result, (str, bytes)) or not hasattr(result, "__iter__"):
        raise TypeError(
            f"{name} returns the items to keep, an empty list for none, or plotengine.LATER to call batch.answer"
            f" later; not {type(result).__name__}"
        )
    batch.answer(result)


def _one(item: int) -> Any:
    raw = _items.item_json(item)
    return _loads(raw), raw


def _loads(raw: str) -> Any:
    return _convert._decode(raw)[0]


# ---- Processes --------------------------------------------------------------------------------------------------

_engines: dict[int, weakref.ref[Engine]] = {}

fleet_calls: dict[int, _Call] = {}
"""The call of a fleet that a thread is inside of, by thread."""


def _release(key: int, handle: c_void_p) -> None:
    _engines.pop(key, None)
    lib.plot_engine_free(handle)


def _living() -> list[Engine]:
    return [engine for engine in (reference() for reference in list(_engines.values())) if engine is not None]


def _at_exit() -> None:
    """Closes what the program left open, so that stores end well. Closing is safe while other threads still call."""
    for engine in _living():
        engine.close()


def _after_fork() -> None:
    """In a forked child: an engine with a store is the parent's and must be left alone."""
    me = get_ident()
    for engine in _living():
        engine._calls = {key: call for key, call in engine._calls.items() if key == me}
        if engine._has_store:
            engine._free.detach()
            engine._closed = engine._forked = True
            _engines.pop(id(engine), None)


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
