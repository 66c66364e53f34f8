# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The synchronization with a campaign service: requests for a host to make, and what comes of them (docs/sync.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from . import _convert, _hints
from ._convert import Time
from ._documents import FeedLike, feed_of
from ._part import Part
from ._raw import lib


@dataclass(frozen=True)
class SyncRequest:
    """A request that the host is to make."""

    number: int
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    timeout: int
    """Seconds without a byte after which it has failed."""
    largest_body: int
    """Bytes of an answer after which the host stops to read."""
    stream: bool
    """The answer has no end: its bytes go to ``sync_receive`` as they come."""


@dataclass(frozen=True)
class SyncStatus:
    """Where the synchronization stands (docs/sync.md, Status)."""

    status: str
    """``idle``, ``syncing``, ``applied``, ``unchanged``, ``refused``, ``offline`` or ``stopped``."""
    since: datetime | None
    reason: str | None
    publication: int
    """The number of the publication in force; 0 for none."""
    revision: str | None
    last_success: datetime | None
    last_applied: datetime | None
    failures: int
    """In a row."""
    next: datetime | None
    """When something is asked next; None: not by itself."""
    stream: str
    """``closed``, ``opening`` or ``open``."""
    waiting: int
    """Events that are yet to be sent."""
    rejected: int
    """Events that the service has refused."""
    last_rejection: str | None
    recording: str
    """Of the last one: ``none``, ``waiting``, ``sent`` or ``refused``."""
    raw: str = field(repr=False, compare=False, default="")
    """The library's JSON."""

    @classmethod
    def parse(cls, text: str) -> SyncStatus:
        """Of the library's JSON."""
        record = json.loads(text)

        def moment(key: str) -> datetime | None:
            return None if record[key] is None else _convert.parse_time(record[key])

        return cls(
            record["status"],
            moment("since"),
            record["reason"],
            record["publication"],
            record["revision"],
            moment("lastSuccess"),
            moment("lastApplied"),
            record["failures"],
            moment("next"),
            record["stream"],
            record["waiting"],
            record["rejected"],
            record["lastRejection"],
            record["recording"],
            text,
        )


@_hints.suggests
class Syncing(Part):
    """The synchronization with a campaign service. ``plotengine.sync`` has hosts that call these methods."""

    __slots__ = ()

    def sync_begin(
        self,
        facts: Mapping[str, str] | None = None,
        *,
        feed: FeedLike | None = None,
        seed: bytes | None = None,
        time: Time | None = None,
    ) -> None:
        """Starts it, goes on after a stop, or gives other facts about this device.

        ``feed`` counts until there is one of the service. ``seed``, 16 bytes or more, is the one source of chance; by
        default it comes from the system.
        """
        json = None if facts is None else _convert.payload(dict(facts), "facts")
        chance = os.urandom(32) if seed is None else seed
        if not isinstance(chance, bytes):
            raise TypeError(f"seed is bytes, not {type(chance).__name__}")
        at = self._time(time)
        size = 0 if json is None else len(json)
        document = None if feed is None else feed_of(feed)
        handle = None if document is None else document._handle
        self._call(lib.plot_engine_sync_begin, at, at, json, size, handle, chance, len(chance))

    def sync_next(self, *, time: Time | None = None) -> SyncRequest | datetime | None:
        """The next request; or when there is one, and None where only another input changes that."""
        answer = json.loads(self._sync_next(time))
        if "until" in answer:
            return None if answer["until"] is None else _convert.moment(answer["until"])
        request: dict[str, Any] = answer["request"]
        body = request.get("body")
        return SyncRequest(
            request["number"],
            request["method"],
            request["url"],
            request["headers"],
            None if body is None else body.encode(),
            request["timeout"],
            request["largestBody"],
            request["stream"],
        )

    def _sync_next(self, time: Time | None) -> str:
        at = self._time(time)
        out = c_void_p()
        self._call(lib.plot_engine_sync_next, at, at, byref(out))
        return _convert.take_string(out)

    def sync_response(
        self, request: int, status: int, headers: Mapping[str, str], body: bytes, *, time: Time | None = None
    ) -> None:
        """The answer to a request: its body decoded, and whole, or its beginning where it is too long."""
        lines = "\n".join(f"{name}: {value}" for name, value in headers.items())
        at = self._time(time)
        number, code = _convert.sequence(request, "request"), _convert.sequence(status, "status")
        self._call(
            lib.plot_engine_sync_response, at, at, number, code, _convert.text(lines, "headers"), body, len(body)
        )

    def sync_failure(self, request: int, reason: str, *, time: Time | None = None) -> None:
        """There is no answer to a request, or a stream is over; ``reason`` is for people."""
        at = self._time(time)
        number = _convert.sequence(request, "request")
        self._call(lib.plot_engine_sync_failure, at, at, number, _convert.text(reason, "reason"))

    def sync_receive(self, request: int, data: bytes, *, time: Time | None = None) -> None:
        """Bytes of a stream, as they come."""
        at = self._time(time)
        self._call(lib.plot_engine_sync_receive, at, at, _convert.sequence(request, "request"), data, len(data))

    def sync_recording(self, lines: bytes, *, time: Time | None = None) -> None:
        """Sends a recording of this engine, the bytes of its file, to the service: the person has agreed."""
        if not isinstance(lines, bytes):
            raise TypeError(f"lines is bytes, not {type(lines).__name__}")
        at = self._time(time)
        self._call(lib.plot_engine_sync_recording, at, at, lines, len(lines))

    def sync_message(self, message: Mapping[str, Any] | str | bytes, *, time: Time | None = None) -> None:
        """A push message of the service, as a mapping or as JSON text."""
        json = _convert.payload(message, "message")
        at = self._time(time)
        self._call(lib.plot_engine_sync_message, at, at, json, len(json))

    def sync_now(self, *, time: Time | None = None) -> None:
        """Asks for the feed, and sends the events that wait, at once; also after a stop."""
        at = self._time(time)
        self._call(lib.plot_engine_sync_now, at, at)

    def sync_stop(self, *, time: Time | None = None) -> None:
        """Asks for nothing any more."""
        at = self._time(time)
        self._call(lib.plot_engine_sync_stop, at, at)

    def sync_status(self) -> SyncStatus:
        """Where it stands."""
        return SyncStatus.parse(self._string(lib.plot_engine_get_sync_status))
