# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Trips: ways to a region that the app has begun."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref, c_void_p
from typing import Any

from . import _convert, _hints
from ._convert import Time
from ._part import Part, _table
from ._raw import lib
from ._records import Trip


@_hints.suggests
class Trips(Part):
    """Trips: ways to a region that the app has begun."""

    __slots__ = ()

    def start_trip(self, trip: Mapping[str, Any] | str | bytes, time: Time | None = None) -> None:
        """Begins a trip to a region, a mapping or JSON text (docs/trips.md).

        One of the same id that is on goes on with the new plan.
        """
        json = _convert.payload(trip, "trip")
        at = self._time(time)
        self._call(lib.plot_engine_start_trip, at, at, json, len(json))

    def end_trip(self, id: str, *, arrived: bool = False, time: Time | None = None) -> None:
        """A trip is over: the device has arrived, or will not. A ``NotFoundError`` where none of that id is on."""
        key = _convert.text(id, "id")
        at = self._time(time)
        self._call(lib.plot_engine_end_trip, at, at, key, 1 if arrived else 0)

    def trips(self, time: Time | None = None) -> list[Trip]:
        """The trips that are on, sorted by id, and where they stand at a time."""
        return _table(Trip.of(record) for record, _ in _convert.elements(self._trips(self._time(time))))

    def _trips(self, at: int) -> str:
        out = c_void_p()
        self._call(lib.plot_engine_get_trips, None, at, byref(out))
        return _convert.take_string(out)
