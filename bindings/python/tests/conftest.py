"""Parts that the tests share: a small town, times, and the rule that nothing outlives a test."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

# An engine takes the zone of the machine, which no test depends on.
os.environ["TZ"] = "UTC"
time.tzset()

import plotengine  # noqa: E402
from plotengine import Engine  # noqa: E402

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parents[1]

T0 = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc)

CONFIG: dict[str, Any] = {
    "publicToken": "REPLACE_ME",
    "engine": {"noise": "exact", "initial": "none", "filterDeadline": 60, "filterFallback": "drop"},
}

MUSEUM = (52.36, 4.885)
AWAY = (52.40, 4.90)

FEED: dict[str, Any] = {
    "version": 1,
    "regions": [
        {
            "id": "museum",
            "type": "geofence",
            "name": "Museum shop",
            "latitude": 52.36,
            "longitude": 4.885,
            "radius": 200,
        },
        {
            "id": "till",
            "type": "beacon",
            "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e",
            "majorId": 1,
            "range": "near",
        },
    ],
    "campaigns": [
        {
            "id": "welcome",
            "type": "notification",
            "message": "Welcome at {{name}}",
            "data": "https://example.org/",
            "regions": ["museum", "till"],
            "resend": True,
        },
        {
            "id": "stay",
            "type": "notification",
            "message": "Still here?",
            "data": "app://stay",
            "handlerType": "applink",
            "trigger": "dwelling",
            "dwellingMinutes": 5,
            "regions": ["museum"],
            "resend": True,
        },
        {
            "id": "count",
            "type": "geotrigger",
            "name": "visitor",
            "data": "pass",
            "regions": ["museum"],
            "resend": True,
        },
        {
            "id": "bye",
            "type": "notification",
            "message": "Bye",
            "data": "https://example.org/page",
            "handlerType": "landingPage",
            "trigger": "exit",
            "regions": ["museum"],
            "resend": True,
        },
    ],
}


def python(code: str, *arguments: object, executable: str = sys.executable, **environment: str | None) -> Any:
    """Runs code in a Python of its own, in which nothing is replaced: what it printed, and what it ended with."""
    given = {"PYTHONPATH": os.pathsep.join(map(str, (PYTHON / "src", PYTHON / "tests"))), **environment}
    variables = {name: value for name, value in {**os.environ, **given}.items() if value is not None}
    command = [executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=120, check=False)


def pythons() -> list[str]:
    """This Python, and those that ``PLOT_PYTHONS`` names."""
    return list(dict.fromkeys([sys.executable, *filter(None, os.environ.get("PLOT_PYTHONS", "").split(os.pathsep))]))


def at(seconds: float) -> datetime:
    """A time of the test's clock."""
    return T0 + timedelta(seconds=seconds)


class Town:
    """An engine's day: outside at 0 s, in the museum at 60 s."""

    @staticmethod
    def engine(**arguments: Any) -> Engine:
        return Engine(CONFIG, **{"feed": FEED, "time": T0, "time_zone": "UTC", **arguments})

    @staticmethod
    def enter(engine: Engine, seconds: float = 60) -> None:
        """Outside, then inside a minute later."""
        engine.update_location(*AWAY, time=at(seconds - 60))
        engine.update_location(*MUSEUM, time=at(seconds))

    @staticmethod
    def leave(engine: Engine, seconds: float) -> None:
        engine.update_location(*AWAY, time=at(seconds))


@pytest.fixture
def town() -> Town:
    return Town()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Every test ends with no object of the library alive; what a cycle still holds is collected."""
    yield
    for _ in range(3):
        if not (plotengine.live_objects() or plotengine._raw.registry or plotengine._engine._engines):
            break
        gc.collect()
    assert plotengine.live_objects() == 0
    assert not plotengine._raw.registry
    assert not plotengine._engine._engines


def pytest_collection_finish() -> None:
    """The tests themselves stay to the end: no collection looks at them, which would take most of the time."""
    gc.collect()
    gc.freeze()
