# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The enumerations of the header and of the items.

The ABI only grows: a value that this package does not know yet becomes a member called ``UNKNOWN`` that keeps it.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any


class _OpenText(str, Enum):
    @classmethod
    def _missing_(cls, value: object) -> Any:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = "UNKNOWN"
        member._value_ = value
        return member

    def __str__(self) -> str:
        return str(self.value)


class _OpenNumber(IntEnum):
    @classmethod
    def _missing_(cls, value: object) -> Any:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = "UNKNOWN"
        member._value_ = value
        return member


class Trigger(_OpenText):
    """The trigger of a campaign."""

    ENTER = "enter"
    EXIT = "exit"
    DWELLING = "dwelling"
    INSIDE = "inside"
    APPROACHING = "approaching"
    ABSENT = "absent"
    TRIP = "trip"
    NONE = ""
    """A message has none."""


class HandlerType(_OpenText):
    """The effect of opening a notification."""

    REGULAR = "regular"
    LANDING_PAGE = "landingPage"
    APPLINK = "applink"


class HintKind(str, Enum):
    """A report of an operating system about a region that it watches."""

    ENTER = "enter"
    EXIT = "exit"
    INSIDE = "inside"
    OUTSIDE = "outside"


class Proximity(str, Enum):
    """How near a beacon is, as the host says."""

    UNKNOWN = "unknown"
    IMMEDIATE = "immediate"
    NEAR = "near"
    FAR = "far"


class RegionType(_OpenText):
    """The kind of a region."""

    GEOFENCE = "geofence"
    BEACON = "beacon"
    NONE = ""
    """A message has none."""


class OpenAction(_OpenNumber):
    """The action for an opened notification."""

    APP = 0
    URI = 1
    LANDING_PAGE = 2
    APPLINK = 3
    DATA = 4
    """No URI, or of a scheme that is not opened: the app's own data."""


class LogLevel(_OpenNumber):
    """How much a line of the debug log matters."""

    ERROR = 0
    WARNING = 1
    INFO = 2
    DEBUG = 3


class Status(_OpenNumber):
    """The statuses of the header, ``PLOT_`` left out."""

    OK = 0
    INVALID_ARGUMENT = 1
    NOT_INITIALIZED = 2
    ALREADY_INITIALIZED = 3
    CLOSED = 4
    OUT_OF_ORDER = 5
    INVALID_DOCUMENT = 6
    IO_ERROR = 7
    STORE_FAILED = 8
    STORE_DAMAGED = 9
    STORE_BUSY = 10
    STORE_READ_ONLY = 11
    STORE_NEWER = 12
    NOT_FOUND = 13
    READ_ONLY_KEY = 14
    WRONG_TYPE = 15
    UNKNOWN_TOKEN = 16
    ALREADY_ANSWERED = 17
    UNKNOWN_ITEM = 18
    STORE_IN_DOUBT = 19


class EffectKind(_OpenNumber):
    """The kind of an effect of many fixes (docs/batch.md)."""

    # docs/events.json
    REFUSED = 0
    REGION_ENTER = 1
    REGION_INSIDE = 2
    REGION_DWELL = 3
    REGION_EXIT = 4
    REGION_APPROACH = 5
    NOTIFICATION_FILTERED = 6
    NOTIFICATION_SHOWN = 7
    NOTIFICATION_FAILED = 8
    NOTIFICATION_OPENED = 9
    NOTIFICATION_ACTION = 10
    NOTIFICATION_DISMISSED = 11
    NOTIFICATION_REMOVED = 12
    GEOTRIGGER = 13
    GEOTRIGGER_DROPPED = 14
    MESSAGE_DROPPED = 15
    MESSAGE_RETRACTED = 16
    STORE_SET_ASIDE = 17
    NOTIFICATION_HELD_OUT = 18
    ABSENCE = 19
    ABSENCE_UNKNOWN = 20
    TRIP_STARTED = 21
    TRIP_APPROACHING = 22
    TRIP_ARRIVED = 23
    TRIP_STOPPED = 24
    TRIP_OFF_ROUTE = 25
    TRIP_DELAYED = 26
    TRIP_WRONG_DESTINATION = 27
    TRIP_EXPIRED = 28
    TRIP_CANCELLED = 29
    FILTER_ASKED = 64
    GEOTRIGGERS_ASKED = 65
    # end


class Later(Enum):
    """The type of ``LATER``."""

    LATER = "later"


LATER = Later.LATER
"""A filter or geotrigger callback returns this when it will call ``batch.answer`` later."""
