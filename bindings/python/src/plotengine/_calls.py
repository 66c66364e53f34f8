# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Calls of an engine that only hand values over."""
# Made from docs/calls.json by scripts/call_tables.py: do not edit.

from __future__ import annotations

from ctypes import byref, c_int32

from . import _hints
from ._convert import Time
from ._part import Part, _flag
from ._raw import lib


@_hints.suggests
class Calls(Part):
    """Calls of an engine that only hand values over."""

    __slots__ = ()

    def set_foreground(self, foreground: bool, *, time: Time | None = None) -> None:
        """The app has come to the foreground (true), or gone to the background (false); remembered."""
        at = self._time(time)
        self._call(lib.plot_engine_set_foreground, at, at, int(_flag(foreground, "foreground")))

    def set_network(self, available: bool, *, time: Time | None = None) -> None:
        """There is a network (true), or there is none (false); remembered."""
        at = self._time(time)
        self._call(lib.plot_engine_set_network, at, at, int(_flag(available, "available")))

    def clear_all_data(self, *, time: Time | None = None) -> None:
        """Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay."""
        at = self._time(time)
        self._call(lib.plot_engine_clear_all_data, at, at)

    def is_enabled(self) -> bool:
        """Whether places are followed."""
        out = c_int32()
        self._call(lib.plot_engine_is_enabled, None, byref(out))
        return bool(out.value)
