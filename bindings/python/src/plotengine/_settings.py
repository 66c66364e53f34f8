# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Settings of an engine: switched on or not, cooldown, time zone, feed, segmentation."""

from __future__ import annotations

from ctypes import byref, c_int64
from datetime import datetime, timedelta

from . import _convert, _hints, _records
from ._convert import Period, Time
from ._documents import FeedLike, feed_of
from ._part import Part
from ._raw import lib
from ._records import SegmentationValue


@_hints.suggests
class Settings(Part):
    """Settings of an engine: switched on or not, cooldown, time zone, feed, segmentation."""

    __slots__ = ()

    def enable(self, *, time: Time | None = None) -> None:
        """Starts to follow places; remembered across restarts."""
        at = self._time(time)
        self._call(lib.plot_engine_enable, at, at)

    def disable(self, *, time: Time | None = None) -> None:
        """Stops to follow places; remembered across restarts. All visits end in silence."""
        at = self._time(time)
        self._call(lib.plot_engine_disable, at, at)

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
