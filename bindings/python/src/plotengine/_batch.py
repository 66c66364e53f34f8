# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Many fixes in one call: columns on their way in, records on their way out (docs/batch.md)."""

from __future__ import annotations

import ctypes
import struct
import sys
from array import array
from collections.abc import Iterable
from ctypes import c_char, c_void_p
from typing import Any, NamedTuple, Union

from . import _convert
from ._raw import lib
from ._types import EffectKind

Column = Union[Iterable[Any], Any]
"""A value of each fix: a NumPy array, another buffer such as ``array.array``, or a sequence."""

Effects = Any
"""The effects of many fixes: a NumPy array with the fields of ``Effect``, or without NumPy a list of ``Effect``."""


class Effect(NamedTuple):
    """A record of what many fixes have led to."""

    time_ms: int
    """Of the event; of what was asked, the engine's newest; of a refused fix, its own."""
    number: int
    """An event's sequence, or the token of what was asked."""
    fix: int
    """The position of the fix that led to it."""
    device: int
    """Whose it is, a position in the fleet."""
    kind: int
    """An ``EffectKind``."""
    detail: int
    """The ordinal of the visit, at a dwelling its minutes, at an approach its seconds; a refused fix's ``Status``."""
    region: int
    """A position in the feed, or ``NO_POSITION``."""
    campaign: int
    """The same."""


_RECORD = "=qQ6I"
_FIELDS = list(zip(Effect._fields, ("i8", "u8", "u4", "u4", "u4", "u4", "u4", "u4")))
_cache: dict[str, Any] = {}


def _numpy() -> Any:
    """NumPy, where it is installed; else None. Not asked before there is something to give."""
    if "numpy" not in _cache:
        try:
            import numpy

            _cache["record"] = numpy.dtype(_FIELDS)
        except ImportError:
            numpy = None  # type: ignore[assignment]
        _cache["numpy"] = numpy
    return _cache["numpy"]


def records(effects: c_void_p) -> Effects:
    """A copy of the records."""
    count = lib.plot_effects_get_count(effects)
    data = ctypes.string_at(lib.plot_effects_get_records(effects), count * struct.calcsize(_RECORD)) if count else b""
    numpy = _numpy()
    if numpy is not None:
        return numpy.frombuffer(bytearray(data), _cache["record"])
    return [Effect(*values)._replace(kind=EffectKind(values[4])) for values in struct.iter_unpack(_RECORD, data)]


class Columns:
    """The addresses of columns of one length, None for those that are not there; they are kept until ``release``."""

    def __init__(
        self,
        times: Column,
        latitudes: Column,
        longitudes: Column,
        accuracies: Column | None,
        speeds: Column | None,
        courses: Column | None,
    ) -> None:
        first = column(times, "times", "q")
        given = {
            "latitudes": latitudes,
            "longitudes": longitudes,
            "accuracies": accuracies,
            "speeds": speeds,
            "courses": courses,
        }
        self.count = first[1]
        self.addresses: list[int | None] = [first[0]]
        self._kept = [first[2]]
        for what, values in given.items():
            if values is None and what not in ("latitudes", "longitudes"):
                self.addresses.append(None)
                continue
            address, count, kept = column(values, what, "d")
            if count != self.count:
                raise ValueError(f"{what} must be as many as times, {self.count}, not {count}")
            self.addresses.append(address)
            self._kept.append(kept)

    def latest(self) -> int:
        """The latest of the times, of which there is one at least."""
        times = (ctypes.c_int64 * self.count).from_address(self.addresses[0] or 0)
        numpy = sys.modules.get("numpy")
        return int(max(times) if numpy is None else numpy.frombuffer(times, "int64").max())

    def release(self) -> None:
        """Lets go of the columns: an exception's traceback would keep them longer."""
        self._kept.clear()


_NATIVE = {"q": ("q", "l"), "d": ("d",), "I": ("I", "L")}
_SIZE = {"q": 8, "d": 8, "I": 4}
_DTYPE = {"q": "int64", "d": "float64", "I": "uint32"}


def column(values: Column, what: str, code: str) -> tuple[int | None, int, Any]:
    """Where the values stand as C numbers (``code`` as in ``array``), how many they are, and what keeps them there."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(values, "__array__"):
        kept = _of_numpy(numpy, numpy.asarray(values), what, code)
        return int(kept.__array_interface__["data"][0]) or None, len(kept), kept
    try:
        view = memoryview(values)  # type: ignore[arg-type]
    except TypeError:
        return _of_array(_of_sequence(values, what, code))
    if view.ndim != 1:
        raise ValueError(f"{what} must have one dimension, not {view.ndim}")
    is_native = view.format.lstrip("@=" + "<>"[sys.byteorder == "big"]) in _NATIVE[code]
    if is_native and view.itemsize == _SIZE[code] and view.contiguous and not view.readonly:
        return _of_array(view)
    try:
        numbers = view.tolist()
    except NotImplementedError as error:
        raise TypeError(f"{what}: {error}") from None
    return _of_array(_of_sequence(numbers, what, code))


def _of_array(values: Any) -> tuple[int | None, int, Any]:
    """Of a buffer that can be written to; it cannot be resized meanwhile."""
    if not len(values):
        return None, 0, values
    held = c_char.from_buffer(values)
    return ctypes.addressof(held), len(values), held


def _of_sequence(values: Any, what: str, code: str) -> array[Any]:
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} must be a sequence or a buffer, not {type(values).__name__}")
    if code == "q":
        values = [value if type(value) is int else _convert.milliseconds(value, what) for value in values]
    try:
        return array(code, values)
    except (TypeError, OverflowError) as error:
        raise type(error)(f"{what}: {error}") from None


def _of_numpy(numpy: Any, given: Any, what: str, code: str) -> Any:
    """The array itself where it fits, else a copy that does."""
    if given.ndim != 1:
        raise ValueError(f"{what} must have one dimension, not {given.ndim}")
    if given.dtype.kind == "O":
        return numpy.array(_of_sequence(given.tolist(), what, code))
    if code == "q" and given.dtype.kind == "M":
        given = given.astype("datetime64[ms]").view("int64")
    if given.dtype.kind not in ("iuf" if code == "d" else "iu"):
        raise TypeError(f"{what} must be numbers for {_DTYPE[code]}, not {given.dtype}")
    if code == "I" and given.dtype.kind == "i" and len(given) and (given.min() < 0 or given.max() >= 1 << 32):
        raise OverflowError(f"{what} must be from 0 to {(1 << 32) - 1}")
    return numpy.require(given, _DTYPE[code], ["C", "A"])
