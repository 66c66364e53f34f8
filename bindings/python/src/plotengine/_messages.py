# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Messages, the app's lists, and events that it acknowledges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ctypes import byref, c_int32, c_void_p
from typing import Any

from . import _convert, _hints, _items
from ._convert import Time
from ._part import Part, _table
from ._raw import lib
from ._records import Event, ListInfo, PendingEvents

_APP = b"app"
"""The consumer of events that lists them and acknowledges them."""


@_hints.suggests
class Messages(Part):
    """Messages, the app's lists, and events that it acknowledges."""

    __slots__ = ()

    def process_message(self, payload: Mapping[str, Any] | str | bytes, *, time: Time | None = None) -> None:
        """A message has come, such as a push: its payload as a mapping or as JSON text (docs/messages.md)."""
        json = _convert.payload(payload, "payload")
        at = self._time(time)
        self._call(lib.plot_engine_process_message, at, at, json, len(json))

    def set_list(self, name: str, entries: Mapping[str, Any] | str | bytes | None, *, time: Time | None = None) -> None:
        """Sets a list that rules ask, ``{"version": n, "entries": [...]}``; None makes it absent.

        Absent is not the same as empty. A list with a lower version than the one in force is ignored.
        """
        key = _convert.text(name, "name")
        json = None if entries is None else _convert.payload(entries, "entries")
        at = self._time(time)
        self._call(lib.plot_engine_set_list, at, at, key, json, 0 if json is None else len(json))

    def edit_list(
        self, name: str, *, add: Iterable[str] = (), remove: Iterable[str] = (), time: Time | None = None
    ) -> None:
        """Adds entries to a list that rules ask, and takes others out; an absent list is there from now on."""
        key = _convert.text(name, "name")
        edit: dict[str, list[str]] = {}
        for what, entries in (("add", add), ("remove", remove)):
            if isinstance(entries, str):
                raise TypeError(f"{what} is several entries, not a str")
            edit[what] = list(entries)
        json = _items._json(edit, "entries")
        at = self._time(time)
        self._call(lib.plot_engine_edit_list, at, at, key, json, len(json))

    def list_contains(self, name: str, entry: str) -> bool:
        """Whether an entry is in a list; a ``NotFoundError`` when the list is absent."""
        out = c_int32()
        self._call(
            lib.plot_engine_list_contains, None, _convert.text(name, "name"), _convert.text(entry, "entry"), byref(out)
        )
        return bool(out.value)

    def lists(self) -> list[ListInfo]:
        """The lists that are there, sorted by name."""
        text = self._string(lib.plot_engine_get_lists)
        return _table(ListInfo.of(record) for record, _ in _convert.elements(text))

    def pending_events(self, after: int = 0, limit: int = 0) -> PendingEvents:
        """The events that wait for the app, those after a sequence; at most ``limit``, 0 for all. Takes nothing.

        Needs ``engine.events.acknowledge`` in the configuration (docs/events.md, Consumers).
        """
        sequence, size = _convert.sequence(after, "after"), _convert.count(limit, "limit")
        out = c_void_p()
        self._call(lib.plot_engine_get_events, None, _APP, sequence, size, byref(out))
        return PendingEvents.parse(_convert.take_string(out))

    def acknowledge_events(self, sequence: int) -> None:
        """The app needs no event up to this sequence any more."""
        self._call(lib.plot_engine_acknowledge_events, None, _APP, _convert.sequence(sequence, "sequence"))

    def outbox(self) -> Iterator[Event]:
        """The events that wait for the app, one after another, until none does.

        Each is acknowledged when the next one is asked for: one whose handling fails comes again.
        """
        while events := self.pending_events(limit=100).events:
            for event in events:
                yield event
                self.acknowledge_events(event.sequence)
