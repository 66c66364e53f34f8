# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Tables of pandas. The package does not need pandas; what is here asks for it when it is called."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from ._records import Event

COLUMNS = [field.name for field in dataclasses.fields(Event) if field.name not in ("item", "raw")]
_TIMES = ("time", "since", "arrival", "span_from", "span_to", "unknown_from", "unknown_to")


def events_frame(events: Iterable[Event]) -> Any:
    """A pandas ``DataFrame`` with a row for each event and a column for each of its fields, times in UTC.

    Where an event has no value, pandas has none: ``NaT``, ``NaN`` or ``None``. The frame of no events has the columns.
    """
    import pandas

    rows = [[getattr(event, name) for name in COLUMNS] for event in events]
    frame = pandas.DataFrame(rows, columns=COLUMNS)
    for name in _TIMES:
        frame[name] = pandas.to_datetime(frame[name], utc=True)
    return frame
