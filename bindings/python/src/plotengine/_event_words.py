# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Made from docs/events.json by scripts/event_tables.py: do not edit."""

from typing import Literal

EventName = Literal[
    "region-enter",
    "region-inside",
    "region-dwell",
    "region-exit",
    "region-approach",
    "notification-filtered",
    "notification-shown",
    "notification-failed",
    "notification-opened",
    "notification-action",
    "notification-dismissed",
    "notification-removed",
    "geotrigger",
    "geotrigger-dropped",
    "message-dropped",
    "message-retracted",
    "store-set-aside",
    "notification-held-out",
    "absence",
    "absence-unknown",
    "trip-started",
    "trip-approaching",
    "trip-arrived",
    "trip-stopped",
    "trip-off-route",
    "trip-delayed",
    "trip-wrong-destination",
    "trip-expired",
    "trip-cancelled",
]
