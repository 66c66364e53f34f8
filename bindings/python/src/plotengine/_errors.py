# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Statuses as exceptions."""

from __future__ import annotations

import re
from ctypes import c_void_p
from typing import Any

from ._raw import lib
from ._table import FUNCTIONS
from ._types import Status


class PlotError(Exception):
    """A refusal of the engine, with the place of the fault where there is one.

    A status that this package does not know yet comes as a plain ``PlotError``.
    """

    status: Status
    """The status of the header."""

    name: str
    """Its name, such as ``PLOT_OUT_OF_ORDER``."""

    message: str
    """One sentence: what, where, expected, found."""

    line: int
    """Line, from 1, in the text that was read; 0 when the fault is not in a text."""

    column: int
    """Column, from 1 in bytes; 0 when the fault is not in a text."""

    pointer: str
    """JSON pointer to the value at fault; empty for the whole document or where there is none."""

    expected: str
    """The expected value; may be empty."""

    found: str
    """The value that was found; may be empty."""

    kind: str
    """More than the status, where a document is at fault, such as ``unknown-key`` (docs/errors.md)."""

    page: str
    """The page of this kind, such as ``docs/errors.md#unknown-key``."""

    cure: str
    """One sentence: what to do about it."""

    def __init__(
        self,
        message: str,
        status: int,
        line: int = 0,
        column: int = 0,
        pointer: str = "",
        expected: str = "",
        found: str = "",
        kind: str = "",
        page: str = "",
        cure: str = "",
    ) -> None:
        self.status = Status(status)
        self.name = lib.plot_status_name(status).decode()
        self.message = message or self.name
        self._said = self.message  # by the library, in its own words
        self.line = line
        self.column = column
        self.pointer = pointer
        self.expected = expected
        self.found = found
        self.kind = kind or self.name.removeprefix("PLOT_").lower().replace("_", "-")
        self.page = page or f"docs/errors.md#{self.kind}"
        self.cure = cure
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        place = self.line, self.column, self.pointer, self.expected, self.found
        arguments = (self.message, int(self.status), *place, self.kind, self.page, self.cure)
        return (type(self), arguments, {"_said": self._said})


class InvalidArgumentError(PlotError, ValueError):
    """PLOT_INVALID_ARGUMENT: a number out of range, a text that is empty where it may not be, ..."""


class NotInitializedError(PlotError, RuntimeError):
    """PLOT_NOT_INITIALIZED: ``Engine.init`` has not been called, or it failed."""


class AlreadyInitializedError(PlotError, RuntimeError):
    """PLOT_ALREADY_INITIALIZED: ``Engine.init`` was called before."""


class ClosedError(PlotError, RuntimeError):
    """PLOT_CLOSED: the engine is closed."""


class OutOfOrderError(PlotError):
    """PLOT_OUT_OF_ORDER: a fix older than the newest time the engine has seen."""


class InvalidDocumentError(PlotError, ValueError):
    """PLOT_INVALID_DOCUMENT: a configuration, a feed or another JSON text has a fault; see ``pointer`` and ``line``."""


class FileError(PlotError, OSError):
    """PLOT_IO_ERROR: a file could not be read or written."""


class StoreError(PlotError):
    """Something is wrong with the store; the classes below say what."""


class StoreFailedError(StoreError):
    """PLOT_STORE_FAILED: it could not be opened, read or written."""


class StoreDamagedError(StoreError):
    """PLOT_STORE_DAMAGED: the file is not a store, or is damaged; it was left untouched."""


class StoreBusyError(StoreError):
    """PLOT_STORE_BUSY: another engine has the file open."""


class StoreReadOnlyError(StoreError):
    """PLOT_STORE_READ_ONLY: the file cannot be written."""


class StoreNewerError(StoreError):
    """PLOT_STORE_NEWER: a newer version wrote the file; it was left untouched."""


class StoreInDoubtError(StoreError):
    """PLOT_STORE_IN_DOUBT: the call was refused, but the disk failed such that the next process may find it done."""


class NotFoundError(PlotError, LookupError):
    """PLOT_NOT_FOUND: no such key, index, notification or property."""


class ReadOnlyKeyError(PlotError):
    """PLOT_READ_ONLY_KEY: the key is about scheduling or history and cannot be set."""


class WrongTypeError(PlotError, TypeError):
    """PLOT_WRONG_TYPE: the key holds a value of another type."""


class UnknownTokenError(PlotError, LookupError):
    """PLOT_UNKNOWN_TOKEN: no batch has, or ever had, this token."""


class AlreadyAnsweredError(PlotError, RuntimeError):
    """PLOT_ALREADY_ANSWERED: this batch has been answered, or its deadline has passed."""


class UnknownItemError(PlotError, LookupError):
    """PLOT_UNKNOWN_ITEM: an item of the answer is not in the batch, or is there twice."""


class ForkedError(RuntimeError):
    """An engine with a store was used in a forked child, where it must be left alone. Make a new one there."""


BY_STATUS: dict[Status, type[PlotError]] = {
    Status.INVALID_ARGUMENT: InvalidArgumentError,
    Status.NOT_INITIALIZED: NotInitializedError,
    Status.ALREADY_INITIALIZED: AlreadyInitializedError,
    Status.CLOSED: ClosedError,
    Status.OUT_OF_ORDER: OutOfOrderError,
    Status.INVALID_DOCUMENT: InvalidDocumentError,
    Status.IO_ERROR: FileError,
    Status.STORE_FAILED: StoreFailedError,
    Status.STORE_DAMAGED: StoreDamagedError,
    Status.STORE_BUSY: StoreBusyError,
    Status.STORE_READ_ONLY: StoreReadOnlyError,
    Status.STORE_NEWER: StoreNewerError,
    Status.NOT_FOUND: NotFoundError,
    Status.READ_ONLY_KEY: ReadOnlyKeyError,
    Status.WRONG_TYPE: WrongTypeError,
    Status.UNKNOWN_TOKEN: UnknownTokenError,
    Status.ALREADY_ANSWERED: AlreadyAnsweredError,
    Status.UNKNOWN_ITEM: UnknownItemError,
    Status.STORE_IN_DOUBT: StoreInDoubtError,
}


# ---- The library's words in ours --------------------------------------------------------------------------------

PARAMETERS = {
    "time_ms": "time",
    "times_ms": "times",
    "region_id": "region",
    "action_id": "action",
    "campaign_id": "campaign",
    "match_identifier": "notification",
    "time_zone": "name",
    "major_id": "major",
    "minor_id": "minor",
    "store_path": "store",
    "enter_metres": "enter",
    "exit_metres": "exit",
    "max_age_ms": "max_age",
    "before_ms": "before",
}
"""Arguments that have another name in the header than here."""

CALLS = {
    "plot_engine_new": "Engine()",
    "plot_engine_free": "Engine.close()",
    "plot_engine_get_events": "Engine.pending_events()",
    "plot_engine_get_batch": "Engine.filter_batch()",
    "plot_engine_answer_filter": "FilterBatch.answer()",
    "plot_engine_mark_geotriggers_handled": "GeotriggerBatch.answer()",
    "plot_engine_update_ibeacon": "Engine.update_beacon()",
    "plot_engine_record_to_file": "Engine.record()",
    "plot_engine_set_notification_handler": "Engine.on_notification()",
    "plot_engine_set_geotrigger_callback": "Engine.on_geotriggers()",
    "plot_engines_replay": "Fleet.replay()",
    "plot_engines_save": "Fleet.save()",
    "plot_engines_restore": "Fleet.restore()",
    "plot_engine_update_locations_together": "Engine.update_locations()",
    "plot_engines_update_locations": "Fleet.update_locations()",
    "plot_config_get_warning": "Config.warnings",
    "plot_config_get_warning_count": "Config.warnings",
    "plot_feed_get_region_count": "Feed.region_count",
    "plot_feed_get_campaign_count": "Feed.campaign_count",
    "plot_roaming_new": "Roaming()",
    "plot_roaming_list_pairs": "Roaming.pairs()",
    "plot_replay_new": "Replay()",
    "plot_replay_take_line": "Replay.take()",
    "plot_lint": "lint()",
    "plot_abi_version": "abi_version()",
    "plot_live_objects": "live_objects()",
    "plot_version": "__version__",
}
"""The Python name of a function of the header, where it does not follow from its name (``call``)."""

_RULES = (
    (re.compile(r"plot_engine_set_(\w+)_callback"), r"Engine.on_\1()"),
    (re.compile(r"plot_engine_(set|clear)_(?:\w+_)?segmentation_property"), r"Engine.\1_segmentation_property()"),
    (re.compile(r"plot_(engine|config|feed)_get_(\w+)"), r"\1.\2()"),
    (re.compile(r"plot_(engine|config|feed|roaming)_(\w+)"), r"\1.\2()"),
)

_QUOTED_OR_CALL = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w./\\-])plot_[a-z_]+(?![\w/\\-]|\.\w)')
_PARAMETER = re.compile(r"^((?:plot_[a-z_]+|Engine\.\w+\(\)): )?([a-z_]+)(?=: expected )")


def call(name: str) -> str:
    """The Python name of a function of the header; other names stay as they are."""
    if name not in FUNCTIONS or (name.endswith("_free") and name not in CALLS):
        return name
    if name in CALLS:
        return CALLS[name]
    for pattern, replacement in _RULES:
        match = pattern.fullmatch(name)
        if match:
            ours = match.expand(replacement)
            return ours[0].upper() + ours[1:]
    return name


def in_python(sentence: str) -> str:
    """A sentence of the library in the words of this package: its functions, and the argument that is wrong.

    What is quoted, is part of a path, or was found, is the host's own and stays.
    """
    sentence, found, given = sentence.partition(", found ")
    sentence = _PARAMETER.sub(lambda match: (match[1] or "") + PARAMETERS.get(match[2], match[2]), sentence)
    if "plot_" in sentence:
        sentence = _QUOTED_OR_CALL.sub(lambda match: match[0] if match[0][0] == '"' else call(match[0]), sentence)
    return sentence + found + given


def make(status: int, error: c_void_p | None = None) -> PlotError:
    """The exception of a status, with what the error object says; frees the error object."""
    kind = BY_STATUS.get(Status(status), PlotError)
    if error is None or not error.value:
        return kind("", status)
    try:
        said = lib.plot_error_get_message(error).decode()
        made = kind(
            in_python(said),
            status,
            lib.plot_error_get_line(error),
            lib.plot_error_get_column(error),
            lib.plot_error_get_pointer(error).decode(),
            in_python(lib.plot_error_get_expected(error).decode()),
            lib.plot_error_get_found(error).decode(),
            lib.plot_error_get_kind(error).decode(),
            lib.plot_error_get_page(error).decode(),
            lib.plot_error_get_cure(error).decode(),
        )
        made._said = said or made.message
        return made
    finally:
        lib.plot_error_free(error)
