# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Inputs of an engine: fixes, beacons, hints, time, answers, what the person did."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from ctypes import byref, c_int64, c_uint64, c_void_p
from datetime import datetime
from typing import Any

from . import _batch, _convert, _hints, _items
from ._batch import Column, Effects
from ._convert import Time
from ._errors import NotFoundError
from ._items import (
    Action,
    FilterBatch,
    Geotrigger,
    GeotriggerBatch,
    NativeList,
    Notification,
)
from ._part import Part, _flag, _heard, _match, _place, _wakeup
from ._raw import lib
from ._types import HintKind, Proximity, Status


@_hints.suggests
class Inputs(Part):
    """Inputs of an engine: fixes, beacons, hints, time, answers, what the person did."""

    __slots__ = ()

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
