# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The engine."""

from __future__ import annotations

import atexit
import ctypes
import dataclasses
import functools
import inspect
import json
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from ctypes import byref, c_int32, c_int64, c_uint64, c_void_p
from datetime import datetime, timedelta
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional, TypeVar, Union

from . import _batch, _convert, _hints, _items, _records, _strategies, _zone
from ._batch import Column, Effects
from ._clock import Clock, ClockReading, Supplied, Watch, system_clock
from ._convert import Period, StrPath, Time
from ._documents import ConfigLike, FeedLike, config_of, feed_of
from ._errors import ClosedError, ForkedError, InvalidArgumentError, NotFoundError, PlotError, make
from ._items import (
    Action,
    FilterableNotification,
    FilterBatch,
    Geotrigger,
    GeotriggerBatch,
    NativeList,
    Notification,
    SentGeotrigger,
    SentNotification,
)
from ._raw import NO_CALLBACK, TRAMPOLINES, Slot, destroy, lib, make_room, registry, unraisable
from ._records import Decision, Event, ListInfo, PendingEvents, SegmentationValue, Summary, Visit
from ._strategies import Strategy
from ._types import LATER, HintKind, Later, LogLevel, OpenAction, Proximity, Status

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
OnFixRequest = Callable[[datetime], object]

# A decorator returns its argument; None removes.
FilterT = TypeVar("FilterT", bound=Optional[OnFilter])
GeotriggersT = TypeVar("GeotriggersT", bound=Optional[OnGeotriggers])
ShowT = TypeVar("ShowT", bound=Optional[OnShow])
RemoveT = TypeVar("RemoveT", bound=Optional[OnRemove])
NotificationT = TypeVar("NotificationT", bound=Optional[OnNotification])
OpenT = TypeVar("OpenT", bound=Optional[OnOpen])
_APP = b"app"
"""The consumer of events that lists them and acknowledges them."""

EventT = TypeVar("EventT", bound=Optional[OnEvent])
DecisionT = TypeVar("DecisionT", bound=Optional[OnDecision])
RecordingT = TypeVar("RecordingT", bound=Optional[OnRecording])
LogT = TypeVar("LogT", bound=Optional[OnLog])
WakeupT = TypeVar("WakeupT", bound=Optional[OnWakeup])
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
class Engine:
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

    # ---- Settings -----------------------------------------------------------------------------------------------

    def enable(self, *, time: Time | None = None) -> None:
        """Starts to follow places; remembered across restarts."""
        at = self._time(time)
        self._call(lib.plot_engine_enable, at, at)

    def disable(self, *, time: Time | None = None) -> None:
        """Stops to follow places; remembered across restarts. All visits end in silence."""
        at = self._time(time)
        self._call(lib.plot_engine_disable, at, at)

    def is_enabled(self) -> bool:
        """Whether places are followed."""
        out = c_int32()
        self._call(lib.plot_engine_is_enabled, None, byref(out))
        return bool(out.value)

    def set_cooldown_period(self, period: Period, *, time: Time | None = None) -> None:
        """Sets the least time between two notifications: a timedelta or seconds, 0 for none; remembered."""
        at = self._time(time)
        self._call(lib.plot_engine_set_cooldown_period, at, at, _convert.seconds(period))

    def cooldown_period(self) -> timedelta:
        """The least time between two notifications."""
        out = c_int64()
        self._call(lib.plot_engine_get_cooldown_period, None, byref(out))
        return timedelta(seconds=out.value)

    def set_time_zone(self, name: str, *, time: Time | None = None) -> None:
        """Says in which time zone the device is, by its IANA name; remembered."""
        zone = _convert.text(name, "name")
        at = self._time(time)
        self._call(lib.plot_engine_set_time_zone, at, at, zone)

    def time_zone(self) -> str:
        """The IANA name of the device's time zone; "UTC" until it is set."""
        return self._string(lib.plot_engine_get_time_zone)

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

    def set_feed(self, feed: FeedLike, *, time: Time | None = None) -> None:
        """Takes a feed in place of the one in force, whole."""
        read = feed_of(feed)
        at = self._time(time)
        self._call(lib.plot_engine_set_feed, at, at, read._handle)

    def offer_feed(self, feed: FeedLike) -> None:
        """A feed that ``init`` takes in place of the store's, if that is the same; the store's is then not read."""
        self._call(lib.plot_engine_offer_feed, None, feed_of(feed)._handle)

    def set_segmentation_property(self, key: str, value: SegmentationValue | None, *, time: Time | None = None) -> None:
        """Sets a property: its type is that of the value (str, bool, int, float, aware datetime). None clears."""
        name = _convert.text(key, "key")
        at = self._time(time)
        if value is None or isinstance(value, str):
            text = None if value is None else _convert.text(value, "value")
            self._call(lib.plot_engine_set_string_segmentation_property, at, at, name, text)
        elif isinstance(value, bool):
            self._call(lib.plot_engine_set_boolean_segmentation_property, at, at, name, int(value))
        elif isinstance(value, datetime):
            date = _convert.milliseconds(value, "value")
            self._call(lib.plot_engine_set_date_segmentation_property, at, at, name, date)
        elif isinstance(value, int):
            number = _convert.integer(value, "value")
            self._call(lib.plot_engine_set_integer_segmentation_property, at, at, name, number)
        elif isinstance(value, float):
            self._call(lib.plot_engine_set_double_segmentation_property, at, at, name, value)
        else:
            raise TypeError(f"a property is a str, bool, int, float or datetime, not {type(value).__name__}")

    def clear_segmentation_property(self, key: str, *, time: Time | None = None) -> None:
        """Clears a property; fine also when it was not set."""
        name = _convert.text(key, "key")
        at = self._time(time)
        self._call(lib.plot_engine_clear_segmentation_property, at, at, name)

    def segmentation_properties(self) -> dict[str, SegmentationValue]:
        """All properties, sorted by key."""
        return _records.segmentation(self._string(lib.plot_engine_get_segmentation_properties))

    def set_advertising_identifier(
        self, identifier: str | None, *, limit_tracking: bool = False, time: Time | None = None
    ) -> None:
        """Sets what events carry from now on; remembered. While tracking is limited they say only that. None clears."""
        text = None if identifier is None else _convert.text(identifier, "identifier")
        at = self._time(time)
        self._call(lib.plot_engine_set_advertising_identifier, at, at, text, int(bool(limit_tracking)))

    # ---- Inputs -------------------------------------------------------------------------------------------------

    def update_location(
        self,
        latitude: float,
        longitude: float,
        *,
        accuracy: float = 0.0,
        speed: float = -1.0,
        course: float = -1.0,
        time: Time | None = None,
    ) -> None:
        """Where the device is: degrees (WGS 84); accuracy in metres, 0 when not known; speed in metres a second and
        course in degrees from north, -1 when not known. NaN in any of these three: not known."""
        at = self._time(time)
        if type(latitude) is not float or type(longitude) is not float:
            latitude, longitude = _convert.real(latitude, "latitude"), _convert.real(longitude, "longitude")
        if type(accuracy) is not float or type(speed) is not float or type(course) is not float:
            accuracy, speed = _convert.real(accuracy, "accuracy"), _convert.real(speed, "speed")
            course = _convert.real(course, "course")
        if accuracy != accuracy or speed != speed or course != course:  # NaN
            accuracy, speed = _convert.known(accuracy, "accuracy", 0.0), _convert.known(speed, "speed", -1.0)
            course = _convert.known(course, "course", -1.0)
        self._call(lib.plot_engine_update_location, at, at, latitude, longitude, accuracy, speed, course)

    def update_locations(
        self,
        times: Column,
        latitudes: Column,
        longitudes: Column,
        accuracies: Column | None = None,
        speeds: Column | None = None,
        courses: Column | None = None,
        *,
        together: bool = False,
        time: Time | None = None,
    ) -> Effects:
        """Where the device has been: many fixes, a column for each value; it leads to what single calls lead to.

        With ``together``, the system has handed them over at ``time`` (by default now), in any order: all are weighed
        before anyone is told, and nothing is shown for a visit that is over by then (docs/batch.md, One moment).

        A NumPy array, or another buffer, of int64 for times (also datetime64) and of float64 for all else goes in as
        it is; anything else is copied. What it has led to, refused fixes too, comes as a NumPy structured array where
        NumPy is installed, else as a list of ``Effect`` (docs/batch.md).
        """
        if time is not None and not together:
            raise TypeError("update_locations: time is that of fixes that come together; give together=True")
        columns = _batch.Columns(times, latitudes, longitudes, accuracies, speeds, courses)
        effects = c_void_p()
        try:
            # Without one, it is in the past, and counts as the newest: what a callback does is of that moment.
            at = self._time(time) if together else 0
            if self._watch is not None and columns.count:
                at = self._beside_the_clock(columns.latest(), at)
            given = (columns.count, *columns.addresses, byref(effects))
            if together:
                self._call(lib.plot_engine_update_locations_together, at, at, *given)
            else:
                self._call(lib.plot_engine_update_locations, at, *given)
            return _batch.records(effects)
        finally:
            columns.release()
            lib.plot_effects_free(effects)

    def update_beacon(
        self,
        proximity_uuid: str,
        major: int,
        minor: int,
        *,
        proximity: Proximity | str = "unknown",
        rssi: float = 0.0,
        power: float = 0.0,
        time: Time | None = None,
    ) -> None:
        """An iBeacon was heard.

        How near it is, as the host says, or how strongly it was heard, and is heard at one metre, in dBm.
        """
        at = self._time(time)
        name = _convert.text(proximity_uuid, "proximity_uuid")
        ids = _convert.integer(major, "major", 32), _convert.integer(minor, "minor", 32)
        self._call(lib.plot_engine_update_ibeacon, at, at, name, *ids, *_heard(proximity, rssi, power))

    def update_eddystone(
        self,
        namespace_id: str,
        instance_id: str,
        *,
        proximity: Proximity | str = "unknown",
        rssi: float = 0.0,
        power: float = 0.0,
        time: Time | None = None,
    ) -> None:
        """A beacon with Eddystone UID frames was heard; the power is that of its frames."""
        at = self._time(time)
        names = _convert.text(namespace_id, "namespace_id"), _convert.text(instance_id, "instance_id")
        self._call(lib.plot_engine_update_eddystone, at, at, *names, *_heard(proximity, rssi, power))

    def region_hint(
        self,
        region: str,
        kind: HintKind | str,
        *,
        position: tuple[float, float] | None = None,
        accuracy: float = 0.0,
        time: Time | None = None,
    ) -> None:
        """Reports what the operating system says about a region that it watches, and the position with it, in degrees.

        A hint that is not followed leaves a decision (docs/rules.md, Hints).
        """
        number = list(HintKind).index(HintKind(kind))
        name = _convert.text(region, "region")
        at = self._time(time)
        self._call(lib.plot_engine_region_hint, at, at, name, number, *_place(position, accuracy))

    def plan_regions(
        self,
        budget: int = 0,
        *,
        position: tuple[float, float] | None = None,
        accuracy: float = 0.0,
        reset: bool = False,
        fence_left: bool = False,
        time: Time | None = None,
    ) -> dict[str, Any]:
        """Plans which regions to register with a system that watches at most ``budget`` regions (docs/region-plan.md).

        It is a difference: ``add``, ``remove``, ``fence``, ``fenceChanged``, ``dense``, ``unwatchedBeacons``. Without a
        position, that of the newest fix; with a budget of 0, ``maxRegionsMonitored``.
        """
        plan: dict[str, Any] = json.loads(self._plan(budget, position, accuracy, reset, fence_left, time))
        return plan

    def _plan(
        self,
        budget: int,
        position: tuple[float, float] | None,
        accuracy: float,
        reset: bool,
        fence_left: bool,
        time: Time | None,
    ) -> str:
        if not isinstance(budget, int) or isinstance(budget, bool):
            raise TypeError(f"budget is an int, not {type(budget).__name__}")
        if not -(2**31) <= budget < 2**31:
            raise ValueError(f"budget: expected an integer from 0 to 1000, found {budget}")
        flags = int(_flag(reset, "reset")) + 2 * int(_flag(fence_left, "fence_left"))
        place = _place(position, accuracy)
        out = c_void_p()
        at = self._time(time)
        self._call(lib.plot_engine_plan_regions, at, at, *place, budget, flags, byref(out))
        return _convert.take_string(out)

    def move_region(self, region: str, latitude: float, longitude: float, *, time: Time | None = None) -> None:
        """A region that moves, such as a bus, is now there."""
        at = self._time(time)
        place = _convert.real(latitude, "latitude"), _convert.real(longitude, "longitude")
        self._call(lib.plot_engine_move_region, at, at, _convert.text(region, "region"), *place)

    def advance(self, *, time: Time | None = None) -> None:
        """Time has passed: what is due happens, each at its own time."""
        at = self._time(time)
        self._call(lib.plot_engine_advance, at, at)

    def next_wakeup(self) -> datetime | None:
        """When to call ``advance`` next; None when nothing is due."""
        out = c_int64()
        self._call(lib.plot_engine_next_wakeup, None, byref(out))
        return _wakeup(out.value)

    def filter_batch(self, token: int) -> FilterBatch:
        """The open filter batch of this token, for answering later; fresh copies of its items."""
        number = _convert.token(token)
        return self._filter_batch(number, self._list(lib.plot_engine_get_batch, number))

    def geotrigger_batch(self, token: int) -> GeotriggerBatch:
        """The open geotrigger batch of this token, for answering later."""
        number = _convert.token(token)
        return self._geotrigger_batch(number, self._list(lib.plot_engine_get_batch, number))

    def _filter_batch(self, token: int, native: NativeList) -> FilterBatch:
        return FilterBatch(token, native, functools.partial(self._answer, lib.plot_engine_answer_filter))

    def _geotrigger_batch(self, token: int, native: NativeList) -> GeotriggerBatch:
        return GeotriggerBatch(token, native, functools.partial(self._answer, lib.plot_engine_mark_geotriggers_handled))

    def _answer(self, function: Any, token: int, kept: c_void_p, time: Time | None) -> None:
        at = self._time(time)
        self._call(function, at, at, token, kept)

    def open_notification(self, notification: str | Notification, *, time: Time | None = None) -> None:
        """The person opened (tapped) this notification; it, or its match identifier."""
        at = self._time(time)
        self._call(lib.plot_engine_open_notification, at, at, _match(notification))

    def take_action(self, notification: str | Notification, action: str | Action, *, time: Time | None = None) -> None:
        """The person chose an action of this notification; each of them, or its identifier."""
        match = _match(notification)
        chosen = _convert.text(action.id if isinstance(action, Action) else action, "action")
        at = self._time(time)
        self._call(lib.plot_engine_take_action, at, at, match, chosen)

    def dismiss_notification(self, notification: str | Notification, *, time: Time | None = None) -> None:
        """The person dismissed this notification: it is off the screen, and its slot is free."""
        at = self._time(time)
        self._call(lib.plot_engine_dismiss_notification, at, at, _match(notification))

    def remove_notification(self, notification: str | Notification | None = None, *, time: Time | None = None) -> None:
        """Takes this notification off the screen, or with None all of them."""
        at = self._time(time)
        match = None if notification is None else _match(notification)
        self._call(lib.plot_engine_remove_notification, at, at, match)

    def update_notification(
        self, notification: str | Notification, *, time: Time | None = None, **content: Any
    ) -> None:
        """Changes content of a notification on the screen: ``message``, ``title`` and what else a filter may set.

        ``on_show`` gets it as another display, whose ``updates`` is the match identifier of the one whose place it
        takes.
        """
        match = _match(notification).decode()
        at = self._time(time)
        shown = self._list(lib.plot_engine_get_displayed_notifications)
        try:
            for index, item in enumerate(self._filter_batch(0, shown)):
                if item.match_identifier == match:
                    for name, value in content.items():
                        setattr(item, name, value)
                    self._call(lib.plot_engine_update_notification, at, at, shown.get(index))
                    return
        finally:
            shown.free()
        raise NotFoundError(f"{match}: no notification on the screen has this match identifier", Status.NOT_FOUND)

    def set_foreground(self, foreground: bool, *, time: Time | None = None) -> None:
        """The app has come to the foreground, or gone to the background; remembered."""
        at = self._time(time)
        self._call(lib.plot_engine_set_foreground, at, at, int(_flag(foreground, "foreground")))

    def set_network(self, available: bool, *, time: Time | None = None) -> None:
        """There is a network, or there is none; remembered."""
        at = self._time(time)
        self._call(lib.plot_engine_set_network, at, at, int(_flag(available, "available")))

    # ---- Trying the callbacks -----------------------------------------------------------------------------------

    def test_filter(self, notifications: Iterable[Notification]) -> int:
        """Puts loaded notifications to the filter, with no consequence but the answer; the token of this test.

        ``filter_batch(token)`` and ``batch.answer`` work as for a real batch.
        """
        return self._test(
            lib.plot_engine_test_filter, lib.plot_engine_get_loaded_notifications, notifications, "notifications"
        )

    def test_geotrigger_handler(self, geotriggers: Iterable[Geotrigger]) -> int:
        """The same for loaded geotriggers and their handler."""
        return self._test(
            lib.plot_engine_test_geotrigger_handler, lib.plot_engine_get_loaded_geotriggers, geotriggers, "geotriggers"
        )

    def _test(self, function: Any, loaded: Any, items: Iterable[Any], name: str) -> int:
        wanted = [item.identifier for item in items]
        known = self._list(loaded, 0)
        chosen = NativeList.empty()
        try:
            places = {values["identifier"]: number for number, (values, _) in enumerate(known.elements())}
            for identifier in wanted:
                if identifier not in places:
                    raise ValueError(f"{name}: {identifier} is not loaded")
                chosen.append(known.get(places[identifier]))
            out = c_uint64()
            self._call(function, None, chosen.handle, byref(out))
        finally:
            known.free()
            chosen.free()
        return out.value

    def test_answer(self, token: int) -> list[Notification | Geotrigger]:
        """The items that were kept in a test, with their edits; a ``NotFoundError`` while it has not been answered."""
        native = self._list(lib.plot_engine_get_test_answer, _convert.token(token))
        try:
            return [_items.any_item(values, raw) for values, raw in native.elements()]
        finally:
            native.free()

    # ---- Messages -----------------------------------------------------------------------------------------------

    def process_message(self, payload: Mapping[str, Any] | str | bytes, *, time: Time | None = None) -> None:
        """A message has come, such as a push: its payload as a mapping or as JSON text (docs/messages.md)."""
        json = _convert.payload(payload, "payload")
        at = self._time(time)
        self._call(lib.plot_engine_process_message, at, at, json, len(json))

    def set_list(self, name: str, entries: Mapping[str, Any] | str | bytes | None, *, time: Time | None = None) -> None:
        """Sets a list that rules ask, ``{"version": n, "entries": [...]}``; None makes it absent.

        Absent is not the same as empty. A list with a lower version than the one in force is ignored.
        """
        key = _convert.text(name, "name")
        json = None if entries is None else _convert.payload(entries, "entries")
        at = self._time(time)
        self._call(lib.plot_engine_set_list, at, at, key, json, 0 if json is None else len(json))

    def edit_list(
        self, name: str, *, add: Iterable[str] = (), remove: Iterable[str] = (), time: Time | None = None
    ) -> None:
        """Adds entries to a list that rules ask, and takes others out; an absent list is there from now on."""
        key = _convert.text(name, "name")
        edit: dict[str, list[str]] = {}
        for what, entries in (("add", add), ("remove", remove)):
            if isinstance(entries, str):
                raise TypeError(f"{what} is several entries, not a str")
            edit[what] = list(entries)
        json = _items._json(edit, "entries")
        at = self._time(time)
        self._call(lib.plot_engine_edit_list, at, at, key, json, len(json))

    def list_contains(self, name: str, entry: str) -> bool:
        """Whether an entry is in a list; a ``NotFoundError`` when the list is absent."""
        out = c_int32()
        self._call(
            lib.plot_engine_list_contains, None, _convert.text(name, "name"), _convert.text(entry, "entry"), byref(out)
        )
        return bool(out.value)

    def lists(self) -> list[ListInfo]:
        """The lists that are there, sorted by name."""
        text = self._string(lib.plot_engine_get_lists)
        return _table(ListInfo.of(record) for record, _ in _convert.elements(text))

    # ---- Events that the app acknowledges ------------------------------------------------------------------------

    def pending_events(self, after: int = 0, limit: int = 0) -> PendingEvents:
        """The events that wait for the app, those after a sequence; at most ``limit``, 0 for all. Takes nothing.

        Needs ``engine.events.acknowledge`` in the configuration (docs/events.md, Consumers).
        """
        sequence, size = _convert.sequence(after, "after"), _convert.count(limit, "limit")
        out = c_void_p()
        self._call(lib.plot_engine_get_events, None, _APP, sequence, size, byref(out))
        return PendingEvents.parse(_convert.take_string(out))

    def acknowledge_events(self, sequence: int) -> None:
        """The app needs no event up to this sequence any more."""
        self._call(lib.plot_engine_acknowledge_events, None, _APP, _convert.sequence(sequence, "sequence"))

    def outbox(self) -> Iterator[Event]:
        """The events that wait for the app, one after another, until none does.

        Each is acknowledged when the next one is asked for: one whose handling fails comes again.
        """
        while events := self.pending_events(limit=100).events:
            for event in events:
                yield event
                self.acknowledge_events(event.sequence)

    # ---- Lists --------------------------------------------------------------------------------------------------

    def loaded_notifications(self, limit: int = 0) -> list[Notification]:
        """The loaded notifications, sent ones too, nearest first; at most ``limit``, 0 for all."""
        size = _convert.count(limit, "limit")
        return self._items(_items.notification, lib.plot_engine_get_loaded_notifications, size)

    def loaded_geotriggers(self, limit: int = 0) -> list[Geotrigger]:
        """The geotriggers the engine is listening to, nearest first; at most ``limit``, 0 for all."""
        size = _convert.count(limit, "limit")
        return self._items(_items.geotrigger, lib.plot_engine_get_loaded_geotriggers, size)

    def sent_notifications(self) -> list[SentNotification]:
        """The last 100 that were shown, oldest first, with a filter's edits."""
        return self._items(_items.sent_notification, lib.plot_engine_get_sent_notifications)

    def sent_geotriggers(self) -> list[SentGeotrigger]:
        """The last 100 that fired, oldest first."""
        return self._items(_items.sent_geotrigger, lib.plot_engine_get_sent_geotriggers)

    def clear_sent_notifications(self, *, time: Time | None = None) -> None:
        """Empties the list. Once-only and cooldowns are not forgotten."""
        at = self._time(time)
        self._call(lib.plot_engine_clear_sent_notifications, at, at)

    def clear_sent_geotriggers(self, *, time: Time | None = None) -> None:
        """Empties the list. Once-only and cooldowns are not forgotten."""
        at = self._time(time)
        self._call(lib.plot_engine_clear_sent_geotriggers, at, at)

    def clear_all_data(self, *, time: Time | None = None) -> None:
        """Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay."""
        at = self._time(time)
        self._call(lib.plot_engine_clear_all_data, at, at)

    def displayed_notifications(self) -> list[SentNotification]:
        """The notifications on the screen, oldest first: shown, and not opened, dismissed or removed since."""
        return self._items(_items.sent_notification, lib.plot_engine_get_displayed_notifications)

    def visits(self) -> list[Visit]:
        """The visits in progress, sorted by region."""
        text = self._string(lib.plot_engine_get_visits)
        return _table(Visit.of(record) for record, _ in _convert.elements(text))

    def summary(self) -> Summary:
        """Where the engine is; ``print(engine)`` shows it."""
        return Summary.of(json.loads(self._string(lib.plot_engine_get_summary)))

    def write_debug_log(self, path: StrPath) -> None:
        """Writes the debug log, its last 1,000 lines, to a file; empty unless ``debug`` is true."""
        self._call(lib.plot_engine_write_debug_log, None, _convert.path(path, "path"))

    def keep_decisions(self, capacity: int) -> None:
        """Keeps the newest decisions in memory, 0 to 100000; 0 for none, as at first."""
        self._call(lib.plot_engine_keep_decisions, None, _convert.integer(capacity, "capacity"))

    def decisions(self, campaign: str | None = None, region: str | None = None, *, limit: int = 0) -> list[Decision]:
        """Those that are kept, oldest first: about a campaign and a region; the newest ``limit``, 0 for all."""
        return _table(Decision.parse(raw) for _, raw in _convert.elements(self._kept(campaign, region, limit)))

    def _kept(self, campaign: str | None, region: str | None, limit: int) -> str:
        out = c_void_p()
        about = _optional(campaign, "campaign"), _optional(region, "region")
        self._call(lib.plot_engine_get_decisions, None, *about, _convert.count(limit, "limit"), byref(out))
        return _convert.take_string(out)

    def write_decisions_to(self, path: StrPath | None) -> None:
        """Appends each decision from now on to a file, a line of JSON each; None stops."""
        self._call(lib.plot_engine_write_decisions_to, None, None if path is None else _convert.path(path, "path"))

    def explain(self, campaign: str, region: str | None = None, *, language: str = "en") -> dict[str, Any]:
        """Why a campaign has not been shown at a region yet, or when it was (docs/explain.md).

        Without a region, the one that is nearest to a showing. ``sentence`` says it in the language.
        """
        from ._html import Answer  # for notebooks; not needed to start

        return Answer(json.loads(self._explain(campaign, region, language)))

    def _explain(self, campaign: str, region: str | None, language: str) -> str:
        out = c_void_p()
        about = _convert.text(campaign, "campaign"), _optional(region, "region"), _convert.text(language, "language")
        self._call(lib.plot_engine_explain, None, *about, byref(out))
        return _convert.take_string(out)

    def _list(self, function: Any, *arguments: Any) -> NativeList:
        out = c_void_p()
        self._call(function, None, *arguments, byref(out))
        return NativeList(out)

    def _items(self, make_item: Any, function: Any, *arguments: Any) -> list[Any]:
        native = self._list(function, *arguments)
        try:
            return _table(make_item(values, raw) for values, raw in _convert.elements(native.to_json()))
        finally:
            native.free()

    def _string(self, function: Any) -> str:
        out = c_void_p()
        self._call(function, None, byref(out))
        return _convert.take_string(out)


def _optional(value: str | None, name: str) -> bytes | None:
    return None if value is None else _convert.text(value, name)


# ---- Helpers ----------------------------------------------------------------------------------------------------


def _table(elements: Iterable[Any]) -> list[Any]:
    """A list that a notebook shows as a table."""
    from ._html import Table  # not needed to start

    return Table(elements)


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


def _heard(proximity: Proximity | str, rssi: float, power: float) -> tuple[int, float, float]:
    """How near a beacon is, and how strongly it was heard."""
    number = list(Proximity).index(Proximity(proximity))
    return number, _convert.real(rssi, "rssi"), _convert.real(power, "power")


def _place(position: tuple[float, float] | None, accuracy: float) -> tuple[float, float, float]:
    """Latitude, longitude and accuracy; an accuracy of -1 says that there is no position."""
    if position is None:
        return 0.0, 0.0, -1.0
    latitude, longitude = position
    meters = _convert.known(accuracy, "accuracy", 0.0)
    if not meters >= 0:
        raise ValueError(f"accuracy: expected metres, 0 or more, found {meters}")
    return _convert.real(latitude, "latitude"), _convert.real(longitude, "longitude"), meters


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {type(value).__name__}")
    return value


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


def _match(notification: str | Notification) -> bytes:
    """The match identifier of a notification, or of what was given as one."""
    identifier = notification.match_identifier if isinstance(notification, Notification) else notification
    return _convert.text(identifier, "notification")


def _wakeup(time: int) -> datetime | None:
    return None if time == -1 else _convert.moment(time)


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
