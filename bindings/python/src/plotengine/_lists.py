# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Lists and reasons that an engine gives: loaded, sent and displayed notifications, visits, decisions, reasons."""

from __future__ import annotations

import json
from ctypes import byref, c_void_p
from typing import Any

from . import _convert, _hints, _items
from ._convert import StrPath, Time
from ._items import (
    Geotrigger,
    Notification,
    SentGeotrigger,
    SentNotification,
)
from ._part import Part, _optional, _table
from ._raw import lib
from ._records import Decision, Summary, Visit


@_hints.suggests
class Lists(Part):
    """Lists and reasons that an engine gives: loaded, sent and displayed notifications, visits, decisions, reasons."""

    __slots__ = ()

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
