# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Many engines, for the fixes of many devices in one call (docs/batch.md)."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Iterable, Iterator
from ctypes import addressof, byref, c_int64, c_void_p
from threading import get_ident
from typing import Any

from . import _batch, _convert
from ._batch import Column, Effects
from ._convert import Time, take_bytes
from ._documents import ConfigLike, FeedLike, config_of, feed_of
from ._engine import Engine, _Call, fleet_calls
from ._errors import make
from ._raw import lib, make_room

_keys = itertools.count(1)


class Fleet:
    """Engines in an order: device 0 is the first. It keeps them; closing one is fine, a fix for it is then an error."""

    __slots__ = ("__weakref__", "_engines", "_handles", "_key", "_process")

    def __init__(self, engines: Iterable[Engine]) -> None:
        self._engines = list(engines)
        for engine in self._engines:
            if not isinstance(engine, Engine):
                raise TypeError(f"a fleet is of engines, not of {type(engine).__name__}")
        self._key = next(_keys)
        self._process = os.getpid()
        for engine in self._engines:
            engine._fleets.add(self._key)
        # A closed engine's handle may be gone.
        handles = [None if engine._closed else engine._handle.value for engine in self._engines]
        self._handles = (c_void_p * len(handles))(*handles)
        weakref.finalize(self, _let_go, self._key, self._engines).atexit = False

    def __len__(self) -> int:
        return len(self._engines)

    def __getitem__(self, device: int) -> Engine:
        return self._engines[device]

    def __iter__(self) -> Iterator[Engine]:
        return iter(self._engines)

    def update_locations(
        self,
        devices: Column,
        times: Column,
        latitudes: Column,
        longitudes: Column,
        accuracies: Column | None = None,
        speeds: Column | None = None,
        courses: Column | None = None,
    ) -> Effects:
        """Where devices have been: ``Engine.update_locations`` for many, fix i being for engine ``devices[i]``."""
        columns = (times, latitudes, longitudes, accuracies, speeds, courses)
        return self._update(lib.plot_engines_update_locations, devices, columns)

    def _update(self, function: Any, devices: Column, given: tuple[Any, ...], *more: Any) -> Effects:
        columns = _batch.Columns(*given)
        address, count, kept = _batch.column(devices, "devices", "I")
        if count != columns.count:
            raise ValueError(f"devices must be as many as times, {columns.count}, not {count}")
        effects = c_void_p()
        try:
            if os.getpid() != self._process:
                for engine in self._engines:
                    if engine._forked:
                        raise engine._gone()
            arguments = (len(self), address, count, *columns.addresses, *more, byref(effects))
            self._call(_Call(0, self._key), function, *arguments)
            return _batch.records(effects)
        finally:
            columns.release()
            del kept
            lib.plot_effects_free(effects)

    def replay(
        self,
        devices: Column,
        times: Column,
        latitudes: Column,
        longitudes: Column,
        accuracies: Column | None = None,
        speeds: Column | None = None,
        courses: Column | None = None,
        *,
        until: Time | None = None,
    ) -> Effects:
        """``update_locations`` for recorded fixes: as it is for a host that also calls ``advance`` at each wakeup.

        What is due with a fix comes at once behind it; before a fix, all wakeups before it come one by one. After the
        last, those up to ``until`` come in every engine, also in one without a fix; None: none of them. An effect of a
        wakeup has the position of the fix that it is due with, or else of the one that comes next, or ``NO_POSITION``
        (docs/batch.md).
        """
        end = -1 if until is None else _convert.milliseconds(until, "until")
        columns = (times, latitudes, longitudes, accuracies, speeds, courses)
        return self._update(lib.plot_engines_replay, devices, columns, end)

    def save(self, *, events: bool = False) -> list[bytes]:
        """``Engine.save`` for each, in one call; fails whole when one of them cannot be saved."""
        ends = (c_int64 * max(1, len(self)))()
        out = c_void_p()
        self._call_running(lib.plot_engines_save, len(self), 1 if events else 0, ends, byref(out))
        data = take_bytes(out)
        starts = (0, *ends[: len(self)])
        return [data[start:end] for start, end in zip(starts, starts[1:])]

    def restore(self, states: Iterable[bytes], config: ConfigLike, *, feed: FeedLike | None = None) -> None:
        """``Engine.restore`` for each, in memory and in one call, each at the newest time that its state knows.

        Those before the first one that fails are restored; the error names that one.
        """
        given = [bytes(state) for state in states]
        if len(given) != len(self):
            raise ValueError(f"states must be as many as engines, {len(self)}, not {len(given)}")
        read, places = config_of(config), None if feed is None else feed_of(feed)
        ends = (c_int64 * max(1, len(given)))(*itertools.accumulate(map(len, given)))
        data = b"".join(given)
        handle = None if places is None else places._handle
        self._call_running(
            lib.plot_engines_restore, len(self), -1, read._handle, handle, data, len(data), addressof(ends)
        )
        for engine in self._engines:
            engine._earliest = read._earliest_time()

    def _call_running(self, function: Any, *arguments: Any) -> None:
        """``_call`` of a function that needs each engine to be open."""
        for engine in self._engines:
            if engine._closed or engine._forked:
                raise engine._gone()
        self._call(_Call(None, self._key), function, *arguments)

    def _call(self, call: _Call, function: Any, *arguments: Any) -> None:
        """Calls a function of many engines; raises what a callback raised, or what the status says."""
        me = get_ident()
        outer = fleet_calls.get(me)
        fleet_calls[me] = call
        error = c_void_p()
        try:
            make_room()
            status = function(self._handles, *arguments, byref(error))
            if call.error is not None:
                call.raise_kept(make(status, error) if status else None)
            if status:
                raise make(status, error)
        finally:
            if outer is None:
                del fleet_calls[me]
            else:
                fleet_calls[me] = outer


def _let_go(key: int, engines: list[Engine]) -> None:
    for engine in engines:
        engine._fleets.discard(key)
        engine._free_closed()
