"""The engine's methods: what they do, before init, after close, with wrong types."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, NamedTuple

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, Town, at

import plotengine
from plotengine import (
    AlreadyInitializedError,
    ClosedError,
    Config,
    Engine,
    Event,
    Feed,
    HandlerType,
    InvalidArgumentError,
    InvalidDocumentError,
    NotFoundError,
    NotInitializedError,
    OpenAction,
    OutOfOrderError,
    PlotError,
    RegionType,
    Status,
    StoreBusyError,
    StoreDamagedError,
    StoreFailedError,
    Trigger,
    UnknownTokenError,
)

FOLDER = tempfile.TemporaryDirectory()

SIMPLE: dict[str, dict[str, Any]] = {}

METHODS: dict[str, Callable[[Engine], Any]] = {
    "enable": lambda e: e.enable(time=at(600)),
    "disable": lambda e: e.disable(time=at(600)),
    "set_cooldown_period": lambda e: e.set_cooldown_period(5, time=at(600)),
    "cooldown_period": lambda e: e.cooldown_period(),
    "set_time_zone": lambda e: e.set_time_zone("UTC", time=at(600)),
    "time_zone": lambda e: e.time_zone(),
    "set_clock": lambda e: e.set_clock(1000, "boot", time=at(600)),
    "set_feed": lambda e: e.set_feed(FEED, time=at(600)),
    "set_string": lambda e: e.set_segmentation_property("key", "text", time=at(600)),
    "set_bool": lambda e: e.set_segmentation_property("key", True, time=at(600)),
    "set_int": lambda e: e.set_segmentation_property("key", 1, time=at(600)),
    "set_float": lambda e: e.set_segmentation_property("key", 1.5, time=at(600)),
    "set_date": lambda e: e.set_segmentation_property("key", T0, time=at(600)),
    "set_none": lambda e: e.set_segmentation_property("key", None, time=at(600)),
    "clear_segmentation_property": lambda e: e.clear_segmentation_property("key", time=at(600)),
    "segmentation_properties": lambda e: e.segmentation_properties(),
    "update_location": lambda e: e.update_location(*MUSEUM, time=at(600)),
    "update_locations": lambda e: e.update_locations([at(600)], [52.0], [4.0]),
    "update_beacon": lambda e: e.update_beacon("f7826da6-4fa2-4e98-8024-bc5b71e0893e", 1, 2, time=T0),
    "update_eddystone": lambda e: e.update_eddystone("00112233445566778899", "001122334455", time=T0),
    "move_region": lambda e: e.move_region("museum", 0.0, 0.0, time=T0),
    "region_hint": lambda e: e.region_hint("x", "enter", time=at(600)),
    "plan_regions": lambda e: e.plan_regions(position=MUSEUM, time=at(600)),
    "advance": lambda e: e.advance(time=at(600)),
    "next_wakeup": lambda e: e.next_wakeup(),
    "filter_batch": lambda e: e.filter_batch(1),
    "geotrigger_batch": lambda e: e.geotrigger_batch(1),
    "open_notification": lambda e: e.open_notification("x", time=at(600)),
    "take_action": lambda e: e.take_action("x", "a", time=at(600)),
    "dismiss_notification": lambda e: e.dismiss_notification("x", time=at(600)),
    "remove_notification": lambda e: e.remove_notification("x", time=at(600)),
    "update_notification": lambda e: e.update_notification("x", message="m", time=at(600)),
    "displayed_notifications": lambda e: e.displayed_notifications(),
    "test_filter": lambda e: e.test_filter([]),
    "test_geotrigger_handler": lambda e: e.test_geotrigger_handler([]),
    "test_answer": lambda e: e.test_answer(1),
    "process_message": lambda e: e.process_message({"id": "m", "body": "b"}, time=at(600)),
    "set_list": lambda e: e.set_list("l", None, time=at(600)),
    "edit_list": lambda e: e.edit_list("l", add=["a"], time=at(600)),
    "start_trip": lambda e: e.start_trip({"id": "t", "region": "museum"}, time=at(600)),
    "end_trip": lambda e: e.end_trip("t", time=at(600)),
    "trips": lambda e: e.trips(time=at(600)),
    "list_contains": lambda e: e.list_contains("l", "a"),
    "lists": lambda e: e.lists(),
    "pending_events": lambda e: e.pending_events(),
    "acknowledge_events": lambda e: e.acknowledge_events(1),
    "outbox": lambda e: next(e.outbox()),
    "sync_begin": lambda e: e.sync_begin(time=at(600)),
    "sync_next": lambda e: e.sync_next(time=at(600)),
    "sync_response": lambda e: e.sync_response(1, 200, {}, b"", time=at(600)),
    "sync_failure": lambda e: e.sync_failure(1, "cut", time=at(600)),
    "sync_receive": lambda e: e.sync_receive(1, b"x", time=at(600)),
    "sync_message": lambda e: e.sync_message({"publication": 1}, time=at(600)),
    "sync_recording": lambda e: e.sync_recording(b"{}", time=at(600)),
    "sync_now": lambda e: e.sync_now(time=at(600)),
    "sync_stop": lambda e: e.sync_stop(time=at(600)),
    "sync_status": lambda e: e.sync_status(),
    "set_advertising_identifier": lambda e: e.set_advertising_identifier("x", time=at(600)),
    "loaded_notifications": lambda e: e.loaded_notifications(),
    "loaded_geotriggers": lambda e: e.loaded_geotriggers(),
    "sent_notifications": lambda e: e.sent_notifications(),
    "sent_geotriggers": lambda e: e.sent_geotriggers(),
    "clear_sent_notifications": lambda e: e.clear_sent_notifications(time=at(600)),
    "clear_sent_geotriggers": lambda e: e.clear_sent_geotriggers(time=at(600)),
    "visits": lambda e: e.visits(),
    "save": lambda e: e.save()[:4],
    "summary": lambda e: e.summary(),
    "write_debug_log": lambda e: e.write_debug_log(f"{FOLDER.name}/log"),
    "keep_decisions": lambda e: e.keep_decisions(10),
    "decisions": lambda e: e.decisions(),
    "write_decisions_to": lambda e: e.write_decisions_to(None),
    "explain": lambda e: e.explain("welcome"),
}

# Those that bindings only hand over (docs/calls.json), unless something more is expected of them above.
for _call in json.loads((Path(__file__).resolve().parents[3] / "docs" / "calls.json").read_text(encoding="utf-8"))[
    "calls"
]:
    _name, _values = _call["name"].replace("-", "_"), [each["example"] for each in _call["arguments"]]
    _time = {"time": at(600)} if "input" in _call else {}
    METHODS.setdefault(_name, lambda e, name=_name, values=_values, time=_time: getattr(e, name)(*values, **time))
    SIMPLE[_name] = _call

ASK_FOR_SOMETHING = {
    "filter_batch",
    "geotrigger_batch",
    "test_answer",
    "open_notification",
    "take_action",
    "dismiss_notification",
    "remove_notification",
    "update_notification",
    "region_hint",
    "move_region",
    "pending_events",
    "acknowledge_events",
    "outbox",
    "sync_begin",
    "sync_next",
    "sync_response",
    "sync_failure",
    "sync_receive",
    "sync_message",
    "sync_recording",
    "sync_now",
    "sync_stop",
    "sync_status",
}
"""Refused, as what they name is not there."""

REGISTRATIONS = [
    "on_filter",
    "on_geotriggers",
    "on_show",
    "on_remove",
    "on_notification",
    "on_open",
    "on_event",
    "on_decision",
    "on_recording",
    "on_log",
    "on_wakeup",
    "on_fix_request",
    "on_sync",
]

STRATEGIES: dict[str, Callable[[Engine], object]] = {
    "set_strategy": lambda e: e.set_strategy("s", plotengine.Strategy()),
    "remove_strategy": lambda e: e.remove_strategy("s"),
}
"""Allowed before init, as registrations are."""


def test_the_clock_is_told_before_init(tmp_path: Path) -> None:
    def run(monotonic: int, boot: str) -> None:
        with Engine() as engine:
            engine.set_clock(monotonic, boot, time=T0)
            engine.init(CONFIG, store=tmp_path / "store", time=T0)
            with pytest.raises(InvalidArgumentError):
                engine.set_clock(monotonic - 1, boot, time=T0)
            engine.set_clock(monotonic + 1, boot, time=at(-86400))
            engine.update_location(*MUSEUM, time=at(-86399))

    run(5000, "one")
    with pytest.raises(InvalidArgumentError):
        run(5000, "one")
    run(1, "two")
    with Engine() as engine:
        for monotonic, boot in ((-1, "boot"), (1, ""), (1, "x" * 256)):
            with pytest.raises(InvalidArgumentError):
                engine.set_clock(monotonic, boot, time=T0)
        with pytest.raises(TypeError):
            engine.set_clock(1.5, "boot", time=T0)  # type: ignore[arg-type]


def test_the_tables_are_whole() -> None:
    public = {name for name in dir(Engine) if not name.startswith("_")}
    tested = {
        name if not name.startswith("set_") or name in public else "set_segmentation_property" for name in METHODS
    }
    assert public == tested | set(REGISTRATIONS) | set(STRATEGIES) | {
        "init",
        "close",
        "closed",
        "record",
        "offer_feed",
        "restore",
        "stop_recording",
    }


@pytest.mark.parametrize("name", [name for name in METHODS if name != "set_clock"])
def test_before_init(name: str) -> None:
    with Engine() as engine, pytest.raises(NotInitializedError) as caught:
        METHODS[name](engine)
    assert caught.value.status == Status.NOT_INITIALIZED
    assert caught.value.name == "PLOT_NOT_INITIALIZED"


@pytest.mark.parametrize("name", [*METHODS, *STRATEGIES, *REGISTRATIONS, "init"])
def test_after_close(name: str, town: Town) -> None:
    engine = town.engine()
    engine.close()
    engine.close()
    assert engine.closed
    calls = {**METHODS, **STRATEGIES, "init": lambda e: e.init(CONFIG, time=T0)}
    with pytest.raises(ClosedError) as caught:
        calls.get(name, lambda e: getattr(e, name)(lambda *arguments: None))(engine)
    assert caught.value.status == Status.CLOSED
    assert caught.value.name == "PLOT_CLOSED"
    assert "closed" in str(caught.value)


def short(value: Any) -> Any:
    """A value of the engine in few words: times in seconds of the test's clock, items by their ids."""
    if isinstance(value, datetime):
        return (value - T0).total_seconds()
    if isinstance(value, plotengine.Summary):
        return str(value)
    if hasattr(value, "dtype"):
        return [[(row["time_ms"] / 1000 - T0.timestamp()), *map(int, list(row)[1:])] for row in value]
    if isinstance(value, list):
        return [short(element) for element in value]
    for names in (
        ("identifier",),
        ("campaign", "region", "reason"),
        ("region", "ordinal"),
        ("name", "version", "count"),
    ):
        if all(hasattr(value, name) for name in names):
            return " ".join(str(getattr(value, name)) for name in names)
    return value


def made(about: str, reasons: str) -> list[str]:
    """Decisions about a campaign and a region, by their reasons."""
    return [f"{about} {reason}" for reason in reasons.split()]


def state(engine: Engine) -> dict[str, Any]:
    """Everything that an engine says about itself."""
    questions = """is_enabled cooldown_period time_zone segmentation_properties next_wakeup loaded_notifications
        loaded_geotriggers sent_notifications sent_geotriggers displayed_notifications lists visits decisions"""
    return {name: short(getattr(engine, name)()) for name in questions.split()}


def a_day(town: Town) -> tuple[Engine, list[str]]:
    """An engine with something to say to each question, a minute after the walk began, and what it reports."""
    engine = town.engine(time_zone="Europe/Amsterdam")
    told: list[str] = []

    def happened(event: Event) -> None:
        about = event.campaign or event.region or event.message_id
        told.append(f"{short(event.time):g} {event.event} {about} {event.advertising_identifier or ''}".strip())

    engine.keep_decisions(1000)
    engine.on_event(happened)
    engine.on_show(lambda n: told.append(f"show {n.identifier}"))
    engine.on_remove(lambda n: told.append(f"remove {n.identifier}"))
    engine.on_wakeup(lambda time: told.append(f"wakeup {short(time)}"))
    engine.set_cooldown_period(7, time=T0)
    engine.set_segmentation_property("key", "old", time=T0)
    engine.set_list("l", {"version": 3, "entries": ["a", "b"]}, time=T0)
    town.enter(engine)
    return engine, told


ENTERED: dict[str, Any] = {
    "is_enabled": True,
    "cooldown_period": timedelta(seconds=7),
    "time_zone": "Europe/Amsterdam",
    "segmentation_properties": {"key": "old"},
    "next_wakeup": 360.0,
    "loaded_notifications": ["welcome;museum", "stay;museum", "bye;museum", "welcome;till"],
    "loaded_geotriggers": ["count;museum"],
    "sent_notifications": ["welcome;museum"],
    "sent_geotriggers": ["count;museum"],
    "displayed_notifications": ["welcome;museum"],
    "lists": ["l 3 2"],
    "visits": ["museum 1"],
    "decisions": [
        "None None list-taken",
        *made("welcome museum", "triggered valid anytime matched allowed filled"),
        *made("count museum", "triggered valid anytime matched allowed filled no-filter shown"),
        *made("welcome museum", "no-filter allowed shown"),
    ],
}
"""The state once the day has begun."""


def test_the_day_begins(town: Town) -> None:
    engine, told = a_day(town)
    with engine:
        assert told == [
            "60 region-enter museum",
            "60 geotrigger count",
            "show welcome;museum",
            "60 notification-shown welcome",
            "wakeup 360.0",
        ]
        assert state(engine) == ENTERED


class Outcome(NamedTuple):
    """The result of a call: its value or error, the callbacks in their order, the differences afterwards."""

    returned: Any = None
    told: Sequence[str] = ()
    changed: Mapping[str, Any] = {}
    decided: Sequence[str] = ()


STAYED = made("stay museum", "triggered valid anytime matched allowed filled no-filter allowed shown")


def later(
    *,
    returned: Any = None,
    told: Sequence[str] = ("show stay;museum", "600 notification-shown stay"),
    decided: Sequence[str] = STAYED,
    **changed: Any,
) -> Outcome:
    """A call at 600 s: the dwelling that was due at 360 s comes first, and nothing is due afterwards."""
    both = ["welcome;museum", "stay;museum"]
    return Outcome(
        returned,
        ["360 region-dwell museum", *told, "wakeup None"],
        {"next_wakeup": None, "sent_notifications": both, "displayed_notifications": both, **changed},
        decided,
    )


TO_PLAN = [
    {"id": "museum", "kind": "circle", "latitude": 52.36, "longitude": 4.885, "radius": 200.0},
    {"id": "till", "kind": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1},
]

TOO_LATE = Outcome(OutOfOrderError, decided=["None None late"])
"""A beacon of 0 s, after a fix of 60 s."""

OUTCOMES: dict[str, Outcome] = {
    "enable": later(),
    "disable": later(is_enabled=False, visits=[], decided=[*STAYED[:-1], "None museum disabled", "stay museum shown"]),
    "set_cooldown_period": later(cooldown_period=timedelta(seconds=5)),
    "cooldown_period": Outcome(timedelta(seconds=7)),
    "set_time_zone": later(time_zone="UTC"),
    "time_zone": Outcome("Europe/Amsterdam"),
    "set_clock": later(),
    "set_feed": later(),
    "set_string": later(segmentation_properties={"key": "text"}),
    "set_bool": later(segmentation_properties={"key": True}),
    "set_int": later(segmentation_properties={"key": 1}),
    "set_float": later(segmentation_properties={"key": 1.5}),
    "set_date": later(segmentation_properties={"key": T0}),
    "set_none": later(segmentation_properties={}),
    "clear_segmentation_property": later(segmentation_properties={}),
    "segmentation_properties": Outcome({"key": "old"}),
    "update_location": later(),
    "update_locations": later(
        # time, number, fix, device, kind, detail, region, campaign: a dwelling of 5 minutes, an exit, a notification
        returned=[
            [360.0, 4, 0, 0, 3, 5, 0, 2**32 - 1],
            [600.0, 5, 0, 0, 4, 1, 0, 2**32 - 1],
            [600.0, 6, 0, 0, 7, 0, 0, 1],
        ],
        told=["show stay;museum", "600 region-exit museum", "600 notification-shown stay"],
        visits=[],
        decided=[
            *STAYED[:-1],
            *made("bye museum", "triggered valid anytime matched allowed filled landing-page"),
            "stay museum shown",
            "bye museum global-cooldown",
        ],
    ),
    "update_beacon": TOO_LATE,
    "update_eddystone": TOO_LATE,
    "plan_regions": later(
        returned={
            "add": TO_PLAN,
            "remove": [],
            "fence": None,
            "fenceChanged": False,
            "dense": False,
            "unwatchedBeacons": 0,
        }
    ),
    "advance": later(),
    "next_wakeup": Outcome(360.0),
    "displayed_notifications": Outcome(["welcome;museum"]),
    "test_filter": Outcome(2**52 + 1),
    "test_geotrigger_handler": Outcome(2**52 + 1),
    "process_message": later(
        told=["show stay;museum", "600 notification-shown stay", "show m", "600 notification-shown m"],
        sent_notifications=["welcome;museum", "stay;museum", "m"],
        displayed_notifications=["welcome;museum", "stay;museum", "m"],
        decided=[
            *STAYED[:-1],
            *made("None None", "newest no-rule no-filter"),
            "stay museum shown",
            *made("None None", "free shown"),
        ],
    ),
    "set_list": later(lists=[]),
    "edit_list": later(decided=[*STAYED[:-1], "None None list-taken", "stay museum shown"]),
    "start_trip": later(
        told=[
            "show stay;museum",
            "600 trip-started museum",
            "600 trip-arrived museum",
            "600 notification-shown stay",
        ],
    ),
    "end_trip": Outcome(NotFoundError),
    "trips": Outcome([]),
    "list_contains": Outcome(True),
    "lists": Outcome(["l 3 2"]),
    "set_advertising_identifier": later(told=["show stay;museum", "600 notification-shown stay x"]),
    "loaded_notifications": Outcome(ENTERED["loaded_notifications"]),
    "loaded_geotriggers": Outcome(["count;museum"]),
    "sent_notifications": Outcome(["welcome;museum"]),
    "sent_geotriggers": Outcome(["count;museum"]),
    "clear_sent_notifications": later(sent_notifications=["stay;museum"]),
    "clear_sent_geotriggers": later(sent_geotriggers=[]),
    "clear_all_data": Outcome(
        told=["wakeup None"],
        changed={
            "time_zone": "UTC",
            "segmentation_properties": {},
            "next_wakeup": None,
            **{name: [] for name, value in ENTERED.items() if isinstance(value, list)},
        },
    ),
    "visits": Outcome(["museum 1"]),
    "save": Outcome(b"PLST"),
    "summary": Outcome(
        "enabled, 2 regions, 4 campaigns, visits: museum, displayed: 1, next wakeup: 2026-03-01T12:06:00+00:00"
    ),
    "write_debug_log": Outcome(),
    "keep_decisions": Outcome(changed={"decisions": ENTERED["decisions"][-10:]}),
    "decisions": Outcome(ENTERED["decisions"]),
    "write_decisions_to": Outcome(),
    "explain": Outcome(
        {
            "campaign": "welcome",
            "region": "museum",
            "sentence": "It was shown at 2026-03-01 12:01 UTC; "
            "it could be shown at 2026-03-01 12:01:07 UTC at the earliest.",
            "step": "explain",
            "reason": "shown",
            "verdict": "pass",
            "time": "2026-03-01T12:01:00Z",
            "inputs": {"lastShown": "2026-03-01T12:01:00Z"},
            "nextPossible": "2026-03-01T12:01:07Z",
        }
    ),
}


@pytest.mark.parametrize("name", [name for name in METHODS if name not in ASK_FOR_SOMETHING])
def test_in_order(name: str, town: Town) -> None:
    engine, told = a_day(town)
    expected = OUTCOMES[name]
    with engine:
        told.clear()
        if isinstance(expected.returned, type):
            with pytest.raises(expected.returned):
                METHODS[name](engine)
        else:
            assert short(METHODS[name](engine)) == expected.returned
        assert told == list(expected.told)
        changed = dict(expected.changed)
        if expected.decided:
            changed["decisions"] = [*ENTERED["decisions"], *expected.decided]
        assert state(engine) == {**ENTERED, **changed}
    if name == "write_debug_log":
        assert Path(f"{FOLDER.name}/log").read_bytes() == b"", "the debug log is off"


for _name, _call in SIMPLE.items():
    OUTCOMES.setdefault(_name, later() if "input" in _call else Outcome(_call["result"]))


def test_each_outcome_is_expected() -> None:
    assert set(OUTCOMES) == {name for name in METHODS if name not in ASK_FOR_SOMETHING}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e.update_location("52", 4.0, time=T0), "latitude must be a number, not str"),
        (lambda e: e.update_location(52.0, None, time=T0), "longitude must be a number, not NoneType"),
        (lambda e: e.update_location(52.0, 4.0, accuracy=[], time=T0), "accuracy must be a number"),
        (lambda e: e.update_location(52.0, 4.0, speed="fast", time=T0), "speed must be a number"),
        (lambda e: e.update_location(52.0, 4.0, course=True, time=T0), "course must be a number, not bool"),
        (lambda e: e.update_location(52.0, 4.0, time=1.5), "time must be an aware datetime or an int"),
        (lambda e: e.update_location(52.0, 4.0, time="2026-03-01"), "time must be an aware datetime or an int"),
        (lambda e: e.advance(time=True), "time must be an aware datetime or an int"),
        (lambda e: e.enable(time=b""), "time must be an aware datetime or an int"),
        (lambda e: e.disable(time=object()), "time must be an aware datetime or an int"),
        (lambda e: e.set_cooldown_period("5", time=T0), "period must be a timedelta or an int of seconds"),
        (lambda e: e.set_cooldown_period(5.0, time=T0), "period must be a timedelta or an int of seconds"),
        (lambda e: e.set_cooldown_period(True, time=T0), "period must be a timedelta or an int of seconds"),
        (lambda e: e.set_feed(5, time=T0), "path must be a str or a path, not int"),
        (lambda e: e.set_feed(Config(CONFIG), time=T0), "path must be a str or a path, not Config"),
        (lambda e: e.set_segmentation_property(5, "x", time=T0), "key must be a str, not int"),
        (lambda e: e.set_segmentation_property("x", [], time=T0), "a property is a str, bool, int, float or datetime"),
        (lambda e: e.clear_segmentation_property(None, time=T0), "key must be a str, not NoneType"),
        (lambda e: e.filter_batch("1"), "token must be an int, not str"),
        (lambda e: e.geotrigger_batch(1.0), "token must be an int, not float"),
        (lambda e: e.open_notification(1, time=T0), "notification must be a str, not int"),
        (lambda e: e.loaded_notifications("1"), "limit must be an int, not str"),
        (lambda e: e.loaded_geotriggers(1.0), "limit must be an int, not float"),
        (lambda e: e.write_debug_log(b"x"), "path must be a str or a path, not bytes"),
        (lambda e: e.init(7, time=T0), "path must be a str or a path, not int"),
        (lambda e: e.init(CONFIG, store=7, time=T0), "store must be a str or a path, not int"),
        *[
            (lambda e, name=name: getattr(e, name)(5), f"{name} takes a callable, not int")  # type: ignore[misc]
            for name in REGISTRATIONS
        ],
    ],
)
def test_wrong_types(call: Callable[[Engine], Any], message: str, town: Town) -> None:
    with town.engine() as engine, pytest.raises(TypeError, match=message.replace("(", r"\(")):
        call(engine)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda e: e.update_location(91, 0, time=T0), InvalidArgumentError),
        (lambda e: e.update_location(0, 181, time=T0), InvalidArgumentError),
        (lambda e: e.update_location(float("nan"), 0, time=T0), InvalidArgumentError),
        (lambda e: e.update_location(0, 0, accuracy=-1, time=T0), InvalidArgumentError),
        (lambda e: e.update_location(10**400, 0, time=T0), OverflowError),
        (lambda e: e.advance(time=1 << 63), OverflowError),
        (lambda e: e.set_time_zone("Mars/Olympus", time=T0), InvalidArgumentError),
        (lambda e: e.set_time_zone("../etc/passwd", time=T0), InvalidArgumentError),
        (lambda e: e.set_cooldown_period(-1, time=T0), InvalidArgumentError),
        (lambda e: e.set_cooldown_period(31_536_001, time=T0), InvalidArgumentError),
        (lambda e: e.set_cooldown_period(timedelta(milliseconds=1500), time=T0), ValueError),
        (lambda e: e.set_segmentation_property("", 1, time=T0), InvalidArgumentError),
        (lambda e: e.set_segmentation_property("a\0b", 1, time=T0), ValueError),
        (lambda e: e.set_segmentation_property("a", "\0", time=T0), ValueError),
        (lambda e: e.set_segmentation_property("a", "\ud800", time=T0), ValueError),
        (lambda e: e.set_segmentation_property("a", 1 << 63, time=T0), OverflowError),
        (lambda e: e.set_segmentation_property("a", float("inf"), time=T0), InvalidArgumentError),
        (lambda e: e.set_segmentation_property("a", datetime(2026, 1, 1), time=T0), ValueError),
        (lambda e: e.filter_batch(-1), OverflowError),
        (lambda e: e.filter_batch(1), UnknownTokenError),
        (lambda e: e.geotrigger_batch(1), UnknownTokenError),
        (lambda e: e.open_notification("nobody", time=T0), NotFoundError),
        (lambda e: e.loaded_notifications(-1), ValueError),
        (lambda e: e.write_debug_log("/nowhere/at/all"), plotengine.FileError),
        (lambda e: e.write_debug_log("a\0b"), ValueError),
        (lambda e: e.init(CONFIG, time=T0), AlreadyInitializedError),
        (lambda e: e.set_feed("/nowhere/at/all.json", time=T0), plotengine.FileError),
    ],
)
def test_wrong_values(call: Callable[[Engine], Any], kind: type[Exception], town: Town) -> None:
    with town.engine() as engine, pytest.raises(kind):
        call(engine)


def test_out_of_order(town: Town) -> None:
    with town.engine() as engine:
        engine.update_location(*AWAY, time=at(10))
        with pytest.raises(OutOfOrderError) as caught:
            engine.update_location(*AWAY, time=at(9))
        assert caught.value.name == "PLOT_OUT_OF_ORDER"
        assert str(caught.value)
        engine.advance(time=at(9))  # a time in the past changes nothing


def test_naive_times_are_refused(town: Town) -> None:
    with town.engine() as engine, pytest.raises(ValueError, match=r"is naive; use datetime\.now\(timezone\.utc\)"):
        engine.advance(time=datetime(2026, 3, 1))


def test_times(town: Town) -> None:
    """An aware datetime of any zone, or milliseconds."""
    with town.engine() as engine:
        amsterdam = timezone(timedelta(hours=1))
        engine.update_location(*AWAY, time=datetime(2026, 3, 1, 13, 0, 0, 999_999, amsterdam))
        with pytest.raises(OutOfOrderError):
            engine.update_location(*AWAY, time=int(T0.timestamp() * 1000) + 998)
        engine.update_location(*AWAY, time=int(T0.timestamp() * 1000) + 999)


def test_the_clock() -> None:
    """Without a time, the binding reads a clock: the system's, or the one it was given."""
    now = [T0]
    with Engine(CONFIG, feed=FEED, clock=lambda: now[0]) as engine:
        engine.update_location(*AWAY)
        now[0] = at(60)
        engine.update_location(*MUSEUM)
        assert engine.visits()[0].entered == at(60)
    before = datetime.now(timezone.utc) - timedelta(seconds=1)
    with Engine(CONFIG, feed=FEED) as engine:
        engine.update_location(*AWAY)
        engine.update_location(*MUSEUM)
        assert before <= engine.visits()[0].entered <= datetime.now(timezone.utc)


def test_a_walk(town: Town) -> None:
    """Everything the callbacks get, and what the lists say afterwards."""
    shown: list[plotengine.Notification] = []
    events: list[plotengine.Event] = []
    opened: list[Any] = []
    wakeups: list[Any] = []
    decisions: list[plotengine.Decision] = []
    with town.engine(
        on_show=shown.append,
        on_event=events.append,
        on_open=lambda *arguments: opened.append(arguments),
        on_wakeup=wakeups.append,
        on_decision=decisions.append,
    ) as engine:
        town.enter(engine)
        assert [n.message for n in shown] == ["Welcome at Museum shop"]
        first = shown[0]
        assert first.identifier == "welcome;museum"
        assert (first.campaign_id, first.region_id, first.region_name) == ("welcome", "museum", "Museum shop")
        assert first.trigger is Trigger.ENTER
        assert first.handler_type is HandlerType.REGULAR
        assert first.region_type is RegionType.GEOFENCE
        assert (first.geofence_latitude, first.geofence_longitude) == MUSEUM
        assert (first.match_range, first.dwelling_minutes) == (200, 0)
        assert first.match_identifier
        assert [e.event for e in events] == ["region-enter", "geotrigger", "notification-shown"] or [
            e.event for e in events
        ] == ["region-enter", "notification-shown", "geotrigger"]
        assert events[0].time == at(60)
        assert (events[0].latitude, events[0].longitude) == MUSEUM
        about = next(e for e in events if e.event == "notification-shown").item
        assert isinstance(about, plotengine.SentNotification)
        assert about.date_sent == at(60)
        assert not about.is_opened
        trigger = next(e for e in events if e.event == "geotrigger").item
        assert isinstance(trigger, plotengine.SentGeotrigger)
        assert trigger.name == "visitor"
        assert engine.next_wakeup() == at(60 + 300) == wakeups[-1]
        engine.advance(time=at(360))
        assert shown[1].trigger is Trigger.DWELLING
        assert shown[1].handler_type is HandlerType.APPLINK
        assert shown[1].dwelling_minutes == 5
        assert engine.next_wakeup() is None
        assert wakeups[-1] is None
        town.leave(engine, 400)
        assert shown[2].handler_type is HandlerType.LANDING_PAGE
        assert engine.visits() == []

        engine.open_notification(shown[0], time=at(500))
        engine.open_notification(shown[1].match_identifier or "", time=at(501))
        engine.open_notification(shown[2], time=at(502))
        assert [(action, uri) for action, uri, _ in opened] == [
            (OpenAction.URI, "https://example.org/"),
            (OpenAction.APPLINK, "app://stay"),
            (OpenAction.LANDING_PAGE, "https://example.org/page"),
        ]
        sent = engine.sent_notifications()
        assert [s.match_identifier for s in sent] == [n.match_identifier for n in shown]
        assert [s.date_sent for s in sent] == [at(60), at(360), at(400)]
        assert [s.date_opened for s in sent] == [at(500), at(501), at(502)]
        assert all(s.is_opened for s in sent)
        (handled,) = engine.sent_geotriggers()
        assert handled.is_handled
        assert handled.date_handled == at(60)
        assert {d.verdict for d in decisions} >= {"pass"}
        engine.clear_sent_notifications(time=at(600))
        engine.clear_sent_geotriggers(time=at(600))
        assert engine.sent_notifications() == []
        assert engine.sent_geotriggers() == []


def test_loaded(town: Town) -> None:
    with town.engine() as engine:
        names = [n.identifier for n in engine.loaded_notifications()]
        assert names == ["welcome;museum", "welcome;till", "stay;museum", "bye;museum"] or len(names) == 4
        assert len(engine.loaded_notifications(2)) == 2
        (geotrigger,) = engine.loaded_geotriggers()
        assert geotrigger.name == "visitor"
        assert geotrigger.match_identifier is None
        beacon = next(n for n in engine.loaded_notifications() if n.region_id == "till")
        assert beacon.region_type is RegionType.BEACON
        assert beacon.geofence_latitude is None
        assert beacon.match_range == 2


def test_settings(town: Town) -> None:
    with town.engine() as engine:
        assert engine.is_enabled()
        engine.disable(time=at(1))
        assert not engine.is_enabled()
        engine.enable(time=at(2))
        assert engine.is_enabled()
        assert engine.time_zone() == "UTC"
        engine.set_time_zone("Europe/Amsterdam", time=at(3))
        assert engine.time_zone() == "Europe/Amsterdam"
        assert engine.cooldown_period() == timedelta(0)
        engine.set_cooldown_period(timedelta(minutes=2), time=at(3))
        assert engine.cooldown_period() == timedelta(minutes=2)
        engine.set_cooldown_period(5, time=at(3))
        assert engine.cooldown_period() == timedelta(seconds=5)


def test_segmentation(town: Town) -> None:
    with town.engine() as engine:
        values: dict[str, Any] = {
            "premiumMember": True,
            "gender": "M",
            "yearOfBirth": 1980,
            "moneySpent": 10.35,
            "whole": 10.0,
            "signUp": T0,
            "large": -(1 << 63),
        }
        for key, value in values.items():
            engine.set_segmentation_property(key, value, time=at(1))
        got = engine.segmentation_properties()
        assert got == values
        assert list(got) == sorted(values)
        assert {key: type(value) for key, value in got.items()} == {key: type(value) for key, value in values.items()}
        engine.clear_segmentation_property("gender", time=at(2))
        engine.clear_segmentation_property("gender", time=at(2))
        engine.set_segmentation_property("whole", None, time=at(2))
        assert set(engine.segmentation_properties()) == set(values) - {"gender", "whole"}


def test_store(tmp_path: Path, town: Town) -> None:
    """The contents of the store are there again; the feed too."""
    store = tmp_path / "plot.store"
    with town.engine(store=store) as engine:
        town.enter(engine)
        engine.set_segmentation_property("gender", "M", time=at(61))
        sent = engine.sent_notifications()
        visits = engine.visits()
        with Engine() as other, pytest.raises(StoreBusyError):
            other.init(CONFIG, store=store, time=at(62))
    with Engine(CONFIG, store=str(store), time=at(100)) as engine:
        assert engine.sent_notifications() == sent
        assert engine.visits() == visits
        assert engine.segmentation_properties() == {"gender": "M"}
        assert len(engine.loaded_notifications()) == 4


def test_store_faults(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"this is no store" * 1000)
    with pytest.raises(StoreDamagedError) as caught:
        Engine(CONFIG, store=damaged, time=T0)
    assert isinstance(caught.value, plotengine.StoreError)
    assert damaged.read_bytes() == b"this is no store" * 1000
    with pytest.raises(StoreFailedError):
        Engine(CONFIG, store=tmp_path / "no" / "such" / "folder", time=T0)
    with Engine() as engine:  # after a failure it may be called again
        with pytest.raises(StoreFailedError):
            engine.init(CONFIG, store=tmp_path / "no" / "such" / "folder", time=T0)
        engine.init(CONFIG, time=T0)


def test_debug_log(tmp_path: Path) -> None:
    lines: list[Any] = []
    log = tmp_path / "debug.log"
    with Engine({**CONFIG, "debug": True}, feed=FEED, time=T0, on_log=lambda *line: lines.append(line)) as engine:
        Town.enter(engine)
        engine.write_debug_log(log)
    assert lines
    assert all(isinstance(level, plotengine.LogLevel) and isinstance(message, str) for level, message in lines)
    assert len(log.read_text(encoding="utf-8").splitlines()) >= len(lines) - 1


def test_arguments_without_a_configuration() -> None:
    with pytest.raises(TypeError, match="go with a configuration"):
        Engine(feed=FEED)
    with Engine() as engine:
        engine.init(CONFIG, feed=Feed(FEED), time=T0)
        assert len(engine.loaded_notifications()) == 4


def test_paths(tmp_path: Path) -> None:
    """Paths are accepted for all documents, as str and as pathlib."""
    import json

    config, feed = tmp_path / "plotconfig.json", tmp_path / "feed.json"
    config.write_text(json.dumps(CONFIG), encoding="utf-8")
    feed.write_text(json.dumps(FEED), encoding="utf-8")
    with Engine(config, feed=str(feed), time=T0) as engine:
        assert len(engine.loaded_notifications()) == 4


def test_errors_can_be_pickled() -> None:
    with pytest.raises(plotengine.InvalidDocumentError) as caught:
        Feed.parse("{")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is plotengine.InvalidDocumentError
    assert vars(again) == vars(caught.value)


def test_what_it_is_at(town: Town) -> None:
    with town.engine() as engine:
        engine.update_location(*MUSEUM, time=at(60))
        summary = engine.summary()
        assert summary.time == at(60) and summary.enabled and not summary.foreground
        assert (summary.regions, summary.campaigns, summary.visits) == (2, 4, ("museum",))
        assert (summary.waiting, summary.questions) == (0, 0)
        assert summary.next_wakeup == engine.next_wakeup()
        text = str(engine)
        assert text.startswith(
            f"Engine {plotengine.__version__}: enabled, 2 regions, 4 campaigns, visits: museum, displayed: "
        )
    assert "Engine.init() first" in str(plotengine.Engine())


def test_json_where_a_path_is_expected() -> None:
    for call, reader in (
        (lambda: Config.load('{"publicToken": "x"}'), "Config.parse"),
        (lambda: Feed.load(' {"version": 1}'), "Feed.parse"),
        (lambda: plotengine.Engine("{}"), "Config.parse"),
    ):
        with pytest.raises(ValueError, match=rf"not JSON\. Did you mean {reader}\?"):
            call()


def test_repr(town: Town) -> None:
    with town.engine() as engine:
        assert "open" in repr(engine)
    assert "closed" in repr(engine)
    assert str(engine) == f"Engine {plotengine.__version__}: closed"
    assert repr(Feed(FEED)) == "<plotengine.Feed of 2 regions and 4 campaigns>"


def test_every_error_is_a_plot_error() -> None:
    for status, kind in plotengine._errors.BY_STATUS.items():
        error = plotengine._errors.make(status)
        assert type(error) is kind
        assert isinstance(error, PlotError)
        assert error.name == f"PLOT_{status.name}"


def test_inside_at_a_time() -> None:
    campaign = {
        "id": "late",
        "type": "notification",
        "message": "We close",
        "regions": ["museum"],
        "trigger": "inside",
        "insideAt": "18:00",
    }
    with Engine(CONFIG, feed={**FEED, "campaigns": [campaign]}, time=T0) as engine:
        (item,) = engine.loaded_notifications()
        assert (item.trigger, item.inside_at, item.dwelling_minutes) == (Trigger.INSIDE, "18:00", 0)
        Town.enter(engine)
        assert engine.next_wakeup() == T0.replace(hour=18, minute=0, second=0) + timedelta(days=T0.hour >= 18)


def test_an_error_has_a_kind_a_page_and_a_cure() -> None:
    region = {"id": "r", "type": "geofence", "latitude": 52, "longitude": 4}
    campaign = {"id": "c", "type": "notification", "message": "m", "regions": ["r"], "cooldwnPeriod": 5}
    with pytest.raises(InvalidDocumentError) as caught:
        Feed.parse(json.dumps({"version": 1, "regions": [region], "campaigns": [campaign]}))
    error = caught.value
    assert (error.kind, error.page) == ("unknown-key", "docs/errors.md#unknown-key")
    assert error.cure == 'Write "cooldownPeriod".'
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.kind, copy.page, copy.cure) == (error.kind, error.page, error.cure)
    with Engine() as engine, pytest.raises(PlotError) as other:
        engine.visits()
    assert other.value.kind == "not-initialized" and other.value.cure.startswith("Start the engine")
