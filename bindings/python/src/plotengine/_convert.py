# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Values at the border: text, paths, numbers, times. A wrong type is a ``TypeError`` before the library is called."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from ctypes import c_void_p, string_at
from datetime import datetime, timedelta, timezone
from typing import Any, Union

from ._raw import lib, string_address

Time = Union[datetime, int]
"""A time: an aware ``datetime``, or milliseconds since 1970-01-01T00:00:00Z."""

Period = Union[timedelta, int]
"""A length of time: a ``timedelta`` of whole seconds, or seconds."""

StrPath = Union[str, "os.PathLike[str]"]

EARLIEST = 631_152_000_000
"""1990-01-01T00:00:00Z, before which no time of an input is, unless ``engine.earliestTime`` says otherwise."""

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MILLISECOND = timedelta(milliseconds=1)
_SECOND = timedelta(seconds=1)


def text(value: object, what: str) -> bytes:
    """UTF-8 for a C string."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    try:
        encoded = value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{what} is not valid Unicode: {error}") from None
    if b"\0" in encoded:
        raise ValueError(f"{what} has a NUL character in it")
    return encoded


def path(value: StrPath, what: str) -> bytes:
    """A path for a C string."""
    if isinstance(value, (bytes, bytearray)) or not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{what} must be a str or a path, not {type(value).__name__}")
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError(f"{what} has a NUL character in it")
    return encoded


def source(value: StrPath, reader: str) -> bytes:
    """The path of a document, as for a C string; a JSON text is a slip, and ``reader`` what takes one."""
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        raise ValueError(f"path must be a path, not JSON. Did you mean {reader}?")
    return path(value, "path")


def document(value: str | bytes | bytearray, what: str) -> bytes:
    """JSON text as bytes; its length goes with it, so that nothing is cut off."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str or bytes, not {type(value).__name__}")
    return value.encode(errors="surrogatepass")


def integer(value: object, what: str, bits: int = 64) -> int:
    """A signed integer that fits; ctypes would cut it off in silence."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be an int, not {type(value).__name__}")
    number: int = value.__index__()
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise OverflowError(f"{what} does not fit in {bits} bits: {number}")
    return number


def count(value: object, what: str) -> int:
    """A size."""
    number = integer(value, what)
    if number < 0:
        raise ValueError(f"{what} must be 0 or above, not {number}")
    return number


def sequence(value: object, what: str) -> int:
    """The sequence of an event."""
    number = count(value, what)
    if number >= 1 << 63:
        raise OverflowError(f"{what} does not fit in 63 bits: {number}")
    return number


def token(value: object) -> int:
    """The number of a batch."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"token must be an int, not {type(value).__name__}")
    if not 0 <= value < 1 << 64:
        raise OverflowError(f"token does not fit in 64 bits: {value}")
    return value


def real(value: object, what: str) -> float:
    """A number for a double."""
    if type(value) is float:
        return value
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    number: float = value.__float__()
    return number


def known(value: object, what: str, unknown: float) -> float:
    """A number for a double, where NaN is one way to say that it is not known."""
    number = real(value, what)
    return unknown if number != number else number


def milliseconds(value: object, what: str = "time") -> int:
    """Milliseconds since 1970 of an aware datetime (what is below a millisecond is cut off), or of an int as it is."""
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(
                f"{what} must say its time zone: {value!r} is naive; use datetime.now(timezone.utc) or add tzinfo"
            )
        return (value - _EPOCH) // _MILLISECOND
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be an aware datetime or an int of milliseconds, not {type(value).__name__}")
    return integer(value, what)


def seconds(value: object, what: str = "period") -> int:
    """Whole seconds of a timedelta, or an int as it is."""
    if isinstance(value, timedelta):
        if value % _SECOND:
            raise ValueError(f"{what} must be whole seconds, not {value}")
        return value // _SECOND
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be a timedelta or an int of seconds, not {type(value).__name__}")
    return integer(value, what)


def moment(ms: int) -> datetime:
    """The datetime, in UTC, of milliseconds since 1970."""
    return _EPOCH + timedelta(milliseconds=ms)


def parse_time(value: str) -> datetime:
    """The datetime of ISO 8601 text with ``Z`` or an offset."""
    if value.endswith(("Z", "z")):
        value = value[:-1] + "+00:00"
    parsed = datetime.fromisoformat(value)
    if parsed.utcoffset() is None:
        raise ValueError(f"a time without a zone: {value}")
    return parsed


def payload(value: Mapping[str, Any] | str | bytes, what: str) -> bytes:
    """A document as a mapping, or as its JSON text."""
    if isinstance(value, Mapping):
        value = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return document(value, what)


def take_string(string: c_void_p) -> str:
    """The text of a plot_string, which is freed."""
    try:
        result: str = lib.plot_string_get(string).decode()
        return result
    finally:
        lib.plot_string_free(string)


def take_bytes(string: c_void_p) -> bytes:
    """The bytes of a plot_string, which is freed."""
    try:
        length = lib.plot_string_get_length(string)
        return string_at(string_address(string), length)
    finally:
        lib.plot_string_free(string)


_decode = json.JSONDecoder().raw_decode


def elements(array: str) -> Iterator[tuple[Any, str]]:
    """The elements of a JSON array, each as a value and as the text it was written in."""
    position = _blank(array, _blank(array, 0) + 1)
    while array[position] != "]":
        value, end = _decode(array, position)
        yield value, array[position:end]
        position = _blank(array, end)
        if array[position] == ",":
            position = _blank(array, position + 1)


def _blank(string: str, position: int) -> int:
    while string[position] in " \t\r\n":
        position += 1
    return position


def optional_time(raw: str | None) -> datetime | None:
    return None if raw is None else parse_time(raw)
