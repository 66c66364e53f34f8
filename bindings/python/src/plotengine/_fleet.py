# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Many engines, for the fixes of many devices in one call (docs/batch.md)."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Iterable, Iterator
from ctypes import byref, c_void_p
from threading import get_ident

from . import _batch
from ._batch import Column, Effects
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
        columns = _batch.Columns(times, latitudes, longitudes, accuracies, speeds, courses)
        address, count, kept = _batch.column(devices, "devices", "I")
        if count != columns.count:
            raise ValueError(f"devices must be as many as times, {columns.count}, not {count}")
        me = get_ident()
        outer = fleet_calls.get(me)
        call = fleet_calls[me] = _Call(0, self._key)
        effects, error = c_void_p(), c_void_p()
        try:
            if os.getpid() != self._process:
                for engine in self._engines:
                    if engine._forked:
                        raise engine._gone()
            make_room()
            status = lib.plot_engines_update_locations(
                self._handles, len(self), address, count, *columns.addresses, byref(effects), byref(error)
            )
            if call.error is not None:
                call.raise_kept(make(status, error) if status else None)
            if status:
                raise make(status, error)
            return _batch.records(effects)
        finally:
            if outer is None:
                del fleet_calls[me]
            else:
                fleet_calls[me] = outer
            columns.release()
            del kept
            lib.plot_effects_free(effects)


def _let_go(key: int, engines: list[Engine]) -> None:
    for engine in engines:
        engine._fleets.discard(key)
        engine._free_closed()
