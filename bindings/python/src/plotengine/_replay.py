# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Playing recordings again (docs/recording.md)."""

from __future__ import annotations

import gzip
import weakref
from collections.abc import Iterator
from pathlib import Path

from . import _convert
from ._convert import StrPath
from ._documents import _parse, _read
from ._raw import lib


class Replay:
    """Plays a recording line by line.

    What all calls of ``take`` give, in order, is the recording as it would be made now: the same lines, when nothing
    has changed.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self) -> None:
        self._handle = _read(lib.plot_replay_new)
        weakref.finalize(self, lib.plot_replay_free, self._handle).atexit = False

    def take(self, line: str | bytes) -> list[str]:
        """Takes the next line, without its line end, and gives the lines that an engine would write for it.

        Those are an input and all it leads to; for the line of an effect none, because it came with its input. Raises
        ``InvalidDocumentError`` with the number of the line.
        """
        text = _convert.take_string(
            _parse(lambda *arguments: lib.plot_replay_take_line(self._handle, *arguments), line, "line")
        )
        return text.split("\n")[:-1]


def replay(path: StrPath) -> Iterator[str]:
    """Plays a recording, also one that gzip has packed; gives its lines as they would be now."""
    file = Path(path)
    player = Replay()
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
        for line in lines:
            yield from player.take(line.rstrip(b"\n"))
