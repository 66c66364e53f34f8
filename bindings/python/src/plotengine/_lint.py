# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Faults and likely slips in a configuration or a feed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import byref, c_void_p
from dataclasses import dataclass
from typing import Any, Union

from . import _convert
from ._convert import StrPath, Time
from ._errors import make
from ._hints import suggesting
from ._raw import lib

Document = Union[StrPath, bytes, Mapping[str, Any]]
"""The path of a document, what it says, or its JSON text as bytes."""


@dataclass(frozen=True)
class Finding:
    """One finding; docs/lint.md lists the codes."""

    code: str
    severity: str
    """``error``, ``warning`` or ``note``."""
    document: str
    """``configuration`` or ``feed``."""
    pointer: str
    """JSON pointer to the value."""
    line: int
    """From 1; 0 when there is no place in the text."""
    column: int
    """From 1, in bytes."""
    sentence: str
    remedy: str


@suggesting
def lint(config: Document | None = None, feed: Document | None = None, *, time: Time | None = None) -> list[Finding]:
    """Finds faults and likely slips in a configuration, a feed, or both. With ``time``, also what is over."""
    texts = [_text(config, "config"), _text(feed, "feed")]
    if texts == [None, None]:
        raise TypeError("lint needs a config or a feed")
    at = -1 if time is None else _convert.milliseconds(time)
    out, error = c_void_p(), c_void_p()
    given = [part for text in texts for part in (text, len(text or b""))]
    status = lib.plot_lint(*given, at, byref(out), byref(error))
    if status:
        raise make(status, error)
    return [Finding(**finding) for finding in json.loads(_convert.take_string(out))]


def _text(value: Document | None, what: str) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    with open(_convert.path(value, what), "rb") as file:
        return file.read()
