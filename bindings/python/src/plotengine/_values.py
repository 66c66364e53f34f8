# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""How the package's dataclasses compare, hash and show themselves.

A dataclass makes these methods for each class from source text, which would take a tenth of the time that the import
of this package takes. So they are written once; they do what the made ones do.
"""

from __future__ import annotations

import dataclasses
from typing import Any

_fields: dict[type, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}


def _fields_of(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The names of the fields that are compared, hashed and shown."""
    found = _fields.get(kind)
    if found is None:
        fields = dataclasses.fields(kind)
        compared = tuple(field.name for field in fields if field.compare)
        hashed = tuple(field.name for field in fields if (field.compare if field.hash is None else field.hash))
        found = _fields[kind] = compared, hashed, tuple(field.name for field in fields if field.repr)
    return found


class Values:
    """The base of a dataclass that is made with ``eq=False, repr=False``."""

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        names = _fields_of(self.__class__)[0]
        return tuple(getattr(self, name) for name in names) == tuple(getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in _fields_of(self.__class__)[1]))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in _fields_of(self.__class__)[2])
        return f"{self.__class__.__qualname__}({shown})"
