# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Clocks: what time it is, and whether the wall clock was set (docs/rules.md, Clocks)."""

from __future__ import annotations

import functools
import os
import time as _time
from threading import Lock
from typing import Callable, NamedTuple, Union

from . import _convert
from ._convert import Time


class ClockReading(NamedTuple):
    """A reading of a device's clocks at one moment."""

    time: Time
    """The wall clock, which may be set."""
    monotonic_ms: int
    """Milliseconds since the start of the device, also while it sleeps. Never goes back before the next start."""
    boot_id: str
    """A name for that start: 1 to 255 bytes, another one after the next start."""


Clock = Callable[[], Union[Time, ClockReading]]
"""Gives the time of an input that comes without one; a ``ClockReading`` also shows whether the wall clock was set."""

_DRIFT = 1000
"""Milliseconds: the engine takes smaller differences between the two clocks for drift."""

_TOGETHER = 100_000_000
"""Nanoseconds: two clocks read further apart than this, as when the process was stopped, are read again."""

_read = _time.clock_gettime_ns
_read_wall = _time.time_ns
_MONOTONIC = getattr(_time, "CLOCK_BOOTTIME", _time.CLOCK_MONOTONIC)
_FIRST_TIME_NAMESPACE = "time:[4026531834]"


@functools.cache
def _boot_id() -> str:
    """The kernel's name for this start of the machine. It also names the clock that counts from it, and the time
    namespace, in which that clock may be shifted: a reading of another clock is of another start."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            name = f"boottime {file.read().strip()}"
    except (OSError, ValueError):
        import uuid  # only where the system has no name for its start

        return f"process {uuid.uuid4()}"
    try:
        namespace = os.readlink("/proc/self/ns/time")
    except OSError:
        return name
    return name if namespace == _FIRST_TIME_NAMESPACE else f"{name} {namespace}"


def system_clock() -> ClockReading:
    """Reads the clocks of this machine."""
    before, wall, after = _read(_MONOTONIC), _read_wall(), _read(_MONOTONIC)
    if after - before >= _TOGETHER:
        before, wall = _read(_MONOTONIC), _read_wall()
    return ClockReading(wall // 1_000_000, before // 1_000_000, _boot_id())


class Supplied(int):
    """The time of an input that the binding supplies, with a reading that the engine must be given first."""

    reading: ClockReading
    version: int


MOMENT = 60_000
"""Milliseconds: a time of the host's that is further beyond the clock is given to the engine with a reading."""


class Watch:
    """Compares the wall clock with the monotonic one, from the reading that the engine was last given.

    The times that it gives never go back unless the engine is told that the clock was set: a wall clock that was set
    back by less than the engine counts as a change stands still until it has caught up.
    """

    __slots__ = ("_boot", "_latest", "_lock", "_offset", "_version")

    def __init__(self, reading: ClockReading) -> None:
        self._lock = Lock()
        self._version = 0
        self.told(reading)

    def told(self, reading: ClockReading) -> None:
        """The engine has been given this reading."""
        time = _convert.milliseconds(reading.time)
        with self._lock:
            self._boot = reading.boot_id
            self._version += 1
            self._offset = time - reading.monotonic_ms
            self._latest = time

    def is_overtaken(self, supplied: Supplied) -> bool:
        """Whether the engine has been given another reading since this one was made, on another thread."""
        return supplied.version != self._version

    def time(self, reading: ClockReading) -> int:
        """The time of an input that is made now."""
        wall, monotonic, boot = reading
        time = wall if type(wall) is int else _convert.milliseconds(wall)
        with self._lock:
            if -_DRIFT < time - monotonic - self._offset < _DRIFT and boot == self._boot:
                if time < self._latest:
                    return self._latest
                self._latest = time
                return time
            version = self._version
        return self._supplied(time, reading, version)

    def given(self, latest: int, reading: ClockReading, at: int) -> int:
        """The time of a call, with the reading that its latest time is held against, if that is beyond the clock."""
        if latest - _convert.milliseconds(reading.time) <= MOMENT:
            return at
        with self._lock:
            version = self._version
        return self._supplied(at, reading, version)

    @staticmethod
    def _supplied(time: int, reading: ClockReading, version: int) -> Supplied:
        supplied = Supplied(time)
        supplied.reading = reading
        supplied.version = version
        return supplied
