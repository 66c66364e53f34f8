# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The ways into the library that the methods of an engine have in common."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_void_p
from datetime import datetime
from typing import TYPE_CHECKING, Any

from . import _convert
from ._clock import Watch
from ._convert import Time
from ._items import (
    NativeList,
    Notification,
)
from ._types import Proximity


class Part:
    """Methods of an engine by subject; the engine itself is made of these."""

    __slots__ = ()

    if TYPE_CHECKING:
        _watch: Watch | None

        def _call(self, function: Any, time: int | None, *arguments: Any) -> None: ...

        def _time(self, time: Time | None) -> int: ...

        def _beside_the_clock(self, latest: int, at: int) -> int: ...

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


def _table(elements: Iterable[Any]) -> list[Any]:
    """A list that a notebook shows as a table."""
    from ._html import Table  # not needed to start

    return Table(elements)


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


def _match(notification: str | Notification) -> bytes:
    """The match identifier of a notification, or of what was given as one."""
    identifier = notification.match_identifier if isinstance(notification, Notification) else notification
    return _convert.text(identifier, "notification")


def _wakeup(time: int) -> datetime | None:
    return None if time == -1 else _convert.moment(time)
