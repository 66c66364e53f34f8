# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Fences that move with devices: which devices come near each other, and part (docs/roaming.md)."""

from __future__ import annotations

import ctypes
import struct
import weakref
from ctypes import c_void_p
from enum import IntEnum
from typing import Any, NamedTuple

from . import _batch, _convert
from ._batch import Column
from ._convert import Time
from ._documents import _read
from ._raw import lib


class PairKind(IntEnum):
    """The kind of a record about two devices."""

    ENTER = 1
    """They are near each other now."""
    EXIT = 2
    """They are no longer near each other."""
    NEAR = 3
    """They stay near each other."""


class Pair(NamedTuple):
    """A record about two devices."""

    time_ms: int
    """Of the fix; of a device that was forgotten, of its newest fix, or the time given."""
    metres: float
    """How far apart they are, as far as is known."""
    first: int
    """The lower number of the two devices."""
    second: int
    fix: int
    """The position of the fix that led to it, or ``NO_POSITION``."""
    kind: PairKind


_RECORD = "=qd4I"


class Roaming:
    """Devices that come near each other, by their numbers from 0 to 4294967295."""

    __slots__ = ("__weakref__", "_handle")

    def __init__(
        self, enter: float, exit: float | None = None, *, max_age: float | None = None, distances: bool = False
    ) -> None:
        """Two devices are near when they are at most ``enter`` metres apart, and until they are more than ``exit``
        apart; without it, than ``enter``. Two fixes that are more than ``max_age`` seconds apart do not say that
        devices are near. With ``distances`` each fix also tells of the pairs that stay near.
        """
        age = 0 if max_age is None else round(max_age * 1000)
        if max_age is not None and age <= 0:
            raise ValueError(f"max_age must be above 0 seconds, not {max_age}")
        self._handle = _read(lib.plot_roaming_new, enter, enter if exit is None else exit, age, int(distances))
        weakref.finalize(self, lib.plot_roaming_free, self._handle).atexit = False

    def update_locations(self, devices: Column, times: Column, latitudes: Column, longitudes: Column) -> list[Pair]:
        """Takes fixes in their order, fix i being of the device ``devices[i]``. A fix that is older than the newest
        of its device says nothing.
        """
        columns = _batch.Columns(times, latitudes, longitudes, None, None, None)
        address, count, kept = _batch.column(devices, "devices", "I")
        if count != columns.count:
            raise ValueError(f"devices must be as many as times, {columns.count}, not {count}")
        try:
            return self._pairs(lib.plot_roaming_update_locations, address, count, *columns.addresses[:3])
        finally:
            columns.release()
            del kept

    def remove(self, device: int) -> list[Pair]:
        """Forgets a device, and gives an exit for each that is near it. ``NotFoundError`` for one that is not known."""
        return self._pairs(lib.plot_roaming_remove, device)

    def expire(self, before: Time) -> list[Pair]:
        """Forgets the devices whose newest fix is older than a time, and gives their exits."""
        return self._pairs(lib.plot_roaming_expire, _convert.milliseconds(before, "before"))

    def pairs(self) -> list[Pair]:
        """The pairs that are near each other, by their numbers."""
        return self._pairs(lib.plot_roaming_list_pairs)

    def _pairs(self, function: Any, *arguments: Any) -> list[Pair]:
        pairs: c_void_p = _read(function, self._handle, *arguments)
        try:
            count = lib.plot_pairs_get_count(pairs)
            size = count * struct.calcsize(_RECORD)
            data = ctypes.string_at(lib.plot_pairs_get_records(pairs), size) if count else b""
            return [
                Pair(time, metres, first, second, fix, PairKind(kind))
                for time, metres, first, second, fix, kind in struct.iter_unpack(_RECORD, data)
            ]
        finally:
            lib.plot_pairs_free(pairs)
