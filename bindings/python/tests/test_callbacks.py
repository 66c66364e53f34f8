"""Callbacks: what they may do, what they may raise, and what they may not be."""

from __future__ import annotations

import functools
import gc
import re
import weakref
from typing import Any, Callable

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, Town, at, python, pythons

import plotengine
from plotengine import (
    LATER,
    AlreadyAnsweredError,
    ClosedError,
    Engine,
    FilterBatch,
    GeotriggerBatch,
    InvalidArgumentError,
    ReadOnlyKeyError,
    UnknownItemError,
)

DEBUG = {**CONFIG, "debug": True}


class Mine(Exception):
    """The error that a host raises."""


def lead_to(name: str, engine: Engine) -> None:
    """The call that leads to this callback."""
    if name in ("on_notification", "on_open"):
        engine.open_notification(engine.sent_notifications()[0], time=at(100))
    else:
        engine.update_location(*MUSEUM, time=at(60))


NAMES = [
    "on_filter",
    "on_geotriggers",
    "on_show",
    "on_notification",
    "on_open",
    "on_event",
    "on_decision",
    "on_log",
    "on_wakeup",
]


def prepared(name: str) -> Engine:
    engine = Engine(DEBUG, feed=FEED, time=T0)
    engine.update_location(*AWAY, time=T0)
    if name in ("on_notification", "on_open"):
        engine.update_location(*MUSEUM, time=at(60))
    return engine


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [Mine, KeyboardInterrupt, SystemExit])
def test_exceptions_come_back_as_the_same_object(name: str, kind: type[BaseException]) -> None:
    raised = kind("on purpose")
    calls = []

    def callback(*arguments: Any) -> Any:
        if not calls:
            calls.append(arguments)
            raise raised
        return []

    with prepared(name) as engine:
        getattr(engine, name)(callback)
        with pytest.raises(kind) as caught:
            lead_to(name, engine)
        assert caught.value is raised
        assert len(calls) == 1
        assert "callback" in [entry.name for entry in caught.traceback]
        engine.advance(time=at(200))  # and the engine goes on


def test_an_exception_from_show_does_not_use_it_up(town: Town) -> None:
    fails = [True]
    shown = []

    def show(notification: plotengine.Notification) -> None:
        if fails:
            fails.pop()
            raise Mine
        shown.append(notification)

    events: list[str] = []
    with town.engine(on_show=show, on_event=lambda e: events.append(e.event)) as engine:
        engine.update_location(*AWAY, time=T0)
        with pytest.raises(Mine):
            engine.update_location(*MUSEUM, time=at(60))
        assert "notification-failed" in events
        assert engine.sent_notifications() == []
        town.leave(engine, 120)
        engine.update_location(*MUSEUM, time=at(180))
        assert [n.campaign_id for n in shown] == ["bye", "welcome"]


def test_show_returning_false(town: Town) -> None:
    with town.engine(on_show=lambda notification: False) as engine:
        town.enter(engine)
        assert engine.sent_notifications() == []


# Python's own sys.unraisablehook is part of what is tested: these run in a Python of their own, and read what it wrote.
SEVERAL_RAISE = """
    import sys
    from plotengine import Engine

    CONFIG = {"publicToken": "t", "engine": {"noise": "exact"}}
    FEED = {
        "version": 1,
        "regions": [{"id": "r", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
        "campaigns": [
            {"id": name, "type": "notification", "message": name, "regions": ["r"], "resend": True} for name in "abc"
        ],
    }
    T = 1_772_366_400_000

    class Mine(Exception):
        pass

    raised = []
    failing = set(sys.argv[1].split(","))

    def fail(name, only=None):
        def callback(*arguments):
            if name in failing and (only is None or arguments[0].event == only):
                raised.append(Mine(f"number {len(raised)} from {name}"))
                raise raised[-1]
        return callback

    events = []
    engine = Engine(CONFIG, feed=FEED, time=T, time_zone=None, on_show=fail("show"), on_wakeup=fail("wakeup"),
                    on_decision=fail("decision"))
    enter = fail("event", "region-enter")

    @engine.on_event
    def event(happened):
        events.append(happened.event)
        enter(happened)

    engine.update_location(52.4, 4.9, time=T)
    raised.clear()
    try:
        engine.update_location(52.36, 4.885, time=T + 60_000)
    except Mine as error:
        assert error is raised[0], error
    else:
        assert not raised
    print(len(raised), events.count("notification-shown"), events.count("notification-failed"))
    assert len(engine.sent_notifications()) == events.count("notification-shown")
    engine.advance(time=T + 120_000)  # and the engine goes on
"""


@pytest.mark.parametrize("executable", pythons())
@pytest.mark.parametrize("failing", ["event", "show", "event,show", "event,show,decision"])
def test_the_first_exception_is_raised_and_the_rest_runs(failing: str, executable: str) -> None:
    """Those behind the first go to the hook for exceptions that nobody can raise; a failed display stays one."""
    done = python(SEVERAL_RAISE, failing, executable=executable)
    assert done.returncode == 0, done.stderr
    raised, shown, failed = map(int, done.stdout.split())
    assert (shown, failed) == ((0, 3) if "show" in failing else (3, 0))
    assert raised >= {"event": 1, "show": 3, "event,show": 4, "event,show,decision": 5}[failing]
    reported = done.stderr.count("Exception ignored ")
    assert reported == raised - 1
    assert done.stderr.count("a callback of <plotengine.Engine open at 0x") == reported
    assert sorted(re.findall(r"^(?:__main__\.)?Mine: number (\d+) from", done.stderr, re.M), key=int) == [
        str(number) for number in range(1, raised)
    ]
    assert "TypeError" not in done.stderr


def test_what_the_hook_gets(town: Town) -> None:
    """A hook of the host's gets what Python gives it for any other exception that nobody can raise."""
    done = python(
        SEVERAL_RAISE.replace(
            "raised = []",
            """raised = []
    def hook(report):
        assert type(report).__name__ == "UnraisableHookArgs", type(report)
        assert report.exc_type is Mine and report.exc_value in raised
        print("hook:", report.exc_value, report.exc_traceback.tb_next is not None, repr(report.object)[:33])
        raise KeyError("the hook itself")
    sys.unraisablehook = hook""",
            1,
        ),
        "event,show",
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        f"hook: number {number} from show True a callback of <plotengine.Engine " for number in (1, 2, 3)
    ]
    assert lines[3] == "4 0 3"


@pytest.mark.parametrize("executable", pythons())
def test_an_exception_without_room_to_report_it(executable: str) -> None:
    """Deep in a recursion even keeping an exception may fail; a display is still never taken for one that succeeded."""
    done = python(
        """
        import sys
        from plotengine import Engine

        shown = []
        T = 1_772_366_400_000
        CONFIG = {"publicToken": "t", "engine": {"noise": "exact"}}
        FEED = {
            "version": 1,
            "regions": [{"id": "r", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
            "campaigns": [{"id": "a", "type": "notification", "message": "a", "regions": ["r"], "resend": True}],
        }

        def show(notification):
            raise KeyError("no room")

        def deep(levels, engine):
            if levels:
                return deep(levels - 1, engine)
            engine.update_location(52.36, 4.885, time=T + 60_000)

        sys.setrecursionlimit(300)
        sys.unraisablehook = lambda report: None
        outcomes = []
        for levels in range(200, 300):
            with Engine(CONFIG, feed=FEED, time=T, time_zone=None, on_show=show) as engine:
                engine.update_location(52.4, 4.9, time=T)
                try:
                    deep(levels, engine)
                except Exception as error:
                    outcomes.append(type(error).__name__)
                print(levels, len(engine.sent_notifications()), outcomes[-1:], file=sys.stderr)
                assert len(engine.sent_notifications()) == 0, levels
        print(*sorted(set(outcomes)))
        """,
        executable=executable,
    )
    assert done.returncode == 0, done.stderr
    assert {"KeyError", "RecursionError"} <= set(done.stdout.split())


def test_a_nested_call_leaves_the_exception_to_the_outermost(town: Town) -> None:
    """The effects of a call from inside a callback are delivered, and its errors raised, by the call outside."""
    raised = Mine()
    order = []

    def event(happened: plotengine.Event) -> None:
        order.append(happened.event)
        if happened.event == "region-enter":
            engine.update_location(*AWAY, time=at(61))  # no exception here
            order.append("nested call returned")
        if happened.event == "region-exit":
            raise raised

    with town.engine(on_event=event) as engine:
        engine.update_location(*AWAY, time=T0)
        with pytest.raises(Mine) as caught:
            engine.update_location(*MUSEUM, time=at(60))
        assert caught.value is raised
        assert order.index("nested call returned") < order.index("region-exit")


def test_two_engines(town: Town) -> None:
    """An exception of the inner engine's callback comes out of the inner engine's call, and passes through."""
    raised = Mine()

    def inner_event(happened: plotengine.Event) -> None:
        raise raised

    with town.engine(on_event=inner_event) as inner:
        inner.update_location(*AWAY, time=T0)
        caught_inside = []

        def outer_event(happened: plotengine.Event) -> None:
            if happened.event == "region-enter":
                try:
                    inner.update_location(*MUSEUM, time=at(60))
                except Mine as error:
                    caught_inside.append(error)
                    raise

        with town.engine(on_event=outer_event) as outer:
            outer.update_location(*AWAY, time=T0)
            with pytest.raises(Mine) as caught:
                outer.update_location(*MUSEUM, time=at(60))
            assert caught.value is raised
            assert caught_inside == [raised]


def test_refusal_and_exception_together() -> None:
    """The callback's exception is raised, with the refusal as its context; nothing gets lost."""
    raised = Mine()

    def log(level: plotengine.LogLevel, message: str) -> None:
        if level == plotengine.LogLevel.WARNING:
            raise raised

    with Engine(DEBUG, feed=FEED, time=T0, on_log=log) as engine:
        with pytest.raises(Mine) as caught:
            engine.open_notification("nobody", time=at(400))
        assert caught.value is raised
        assert isinstance(raised.__context__, plotengine.NotFoundError)


# ---- Filters ----------------------------------------------------------------------------------------------------


def test_filter_edits_keeps_and_drops(town: Town) -> None:
    shown: list[plotengine.Notification] = []

    def filter(batch: FilterBatch) -> list[plotengine.FilterableNotification]:
        assert len(batch) == 1
        assert batch[0].message == "Welcome at Museum shop"
        assert isinstance(batch[0], plotengine.Notification)
        batch[0].message = "Hello Paul! Wélcome 椿"
        batch[0].data = ""
        assert batch[0].message == "Hello Paul! Wélcome 椿"
        return list(batch)

    with town.engine(on_filter=filter, on_show=shown.append) as engine:
        town.enter(engine)
        assert shown[0].message == "Hello Paul! Wélcome 椿"
        assert shown[0].data == ""
        assert engine.sent_notifications()[0].message == "Hello Paul! Wélcome 椿"
        engine.on_filter(lambda batch: [])
        engine.advance(time=at(360))
        assert len(shown) == 1
        engine.on_filter(None)
        town.leave(engine, 400)
        town.enter(engine, 500)
        assert shown[-1].message == "Welcome at Museum shop"


def test_what_may_not_be_set(town: Town) -> None:
    seen: list[plotengine.FilterableNotification] = []

    def filter(batch: FilterBatch) -> FilterBatch:
        item: Any = batch[0]
        seen.append(item)
        for name in ("trigger", "identifier", "dwelling_minutes", "match_range", "match_identifier", "region_type"):
            before = getattr(item, name)
            with pytest.raises(ReadOnlyKeyError) as caught:
                setattr(item, name, 5 if isinstance(before, int) else "exit")
            assert caught.value.name == "PLOT_READ_ONLY_KEY"
            assert getattr(item, name) == before
        with pytest.raises(InvalidArgumentError):
            item.message = ""
        with pytest.raises(TypeError):
            item.message = None
        with pytest.raises(ValueError, match="NUL"):
            item.data = "a\0b"
        with pytest.raises(AttributeError):
            item.colour = "red"
        assert item.message == "Welcome at Museum shop"
        return batch

    with town.engine(on_filter=filter) as engine:
        town.enter(engine)
        assert engine.sent_notifications()[0].message == "Welcome at Museum shop"
        with pytest.raises(AlreadyAnsweredError):
            seen[0].message = "too late"
        with pytest.raises(AttributeError):
            engine.sent_notifications()[0].message = "no"  # type: ignore[misc]
        seen.clear()


def test_answering_later(town: Town) -> None:
    batches: list[FilterBatch] = []

    def filter(batch: FilterBatch) -> plotengine.Later:
        batch[0].message = "edited before"
        batches.append(batch)
        return LATER

    with town.engine(on_filter=filter) as engine:
        town.enter(engine)
        (batch,) = batches
        assert not batch.answered
        assert engine.sent_notifications() == []
        batch[0].data = "edited after"
        batch.answer([batch[0]], time=at(70))
        assert batch.answered
        (sent,) = engine.sent_notifications()
        assert (sent.message, sent.data, sent.date_sent) == ("edited before", "edited after", at(70))
        with pytest.raises(AlreadyAnsweredError):
            batch.answer([], time=at(71))
        with pytest.raises(AlreadyAnsweredError):
            engine.filter_batch(batch.token)
        batches.clear()
        del batch


def test_answering_by_token(town: Town) -> None:
    tokens: list[int] = []
    with town.engine(on_filter=lambda batch: tokens.append(batch.token) or LATER) as engine:  # type: ignore[func-returns-value]
        town.enter(engine)
        batch = engine.filter_batch(tokens[0])
        assert [n.message for n in batch] == ["Welcome at Museum shop"]
        batch[0].message = "x"
        batch.answer(batch, time=at(70))
        assert engine.sent_notifications()[0].message == "x"


def test_the_deadline(town: Town) -> None:
    batches: list[FilterBatch] = []
    with town.engine(on_filter=lambda batch: batches.append(batch) or LATER) as engine:  # type: ignore[func-returns-value]
        town.enter(engine)
        assert engine.next_wakeup() == at(120)
        with pytest.raises(AlreadyAnsweredError):
            batches[0].answer([], time=at(121))
        batches.clear()


def test_answers_that_will_not_do(town: Town) -> None:
    wrong: list[Any] = [None, 5, "text", b"bytes", object()]
    for result in wrong:
        with town.engine(on_filter=lambda batch, result=result: result) as engine:
            with pytest.raises(TypeError, match=r"on_filter returns the items to keep.*plotengine\.LATER"):
                town.enter(engine)
    for items in ([1], ["welcome;museum"], [None]):
        with town.engine(on_filter=lambda batch, items=items: items) as engine:
            with pytest.raises(TypeError, match="an answer holds items of the batch as they were handed"):
                town.enter(engine)


def test_an_item_twice_or_of_another_batch(town: Town) -> None:
    kept: list[FilterBatch] = []

    def twice(batch: FilterBatch) -> list[Any]:
        kept.append(batch)
        return [batch[0], batch[0]]

    with town.engine(on_filter=twice) as engine:
        with pytest.raises(UnknownItemError):
            town.enter(engine)
        engine.on_filter(lambda batch: [kept[0][0]])
        town.leave(engine, 200)
        with pytest.raises(UnknownItemError):
            town.enter(engine, 300)
    kept.clear()


def test_answering_inside_and_returning_nothing(town: Town) -> None:
    with town.engine(on_filter=lambda batch: batch.answer(batch)) as engine:
        town.enter(engine)
        assert len(engine.sent_notifications()) == 1


def test_an_answer_inside_a_callback_has_the_time_of_the_input(town: Town) -> None:
    with town.engine(on_filter=list) as engine:
        town.enter(engine)
        assert engine.sent_notifications()[0].date_sent == at(60)
        engine.update_location(*MUSEUM, time=at(61))  # the clock of the day was not asked


def test_geotriggers(town: Town) -> None:
    def handle(batch: GeotriggerBatch) -> list[plotengine.Geotrigger]:
        return [geotrigger for geotrigger in batch if geotrigger.data == "pass"]

    events: list[str] = []
    with town.engine(on_geotriggers=handle, on_event=lambda e: events.append(e.event)) as engine:
        town.enter(engine)
        assert "geotrigger" in events
        engine.on_geotriggers(lambda batch: [])
        town.leave(engine, 200)
        town.enter(engine, 300)
        assert "geotrigger-dropped" in events
        batches: list[GeotriggerBatch] = []
        engine.on_geotriggers(lambda batch: batches.append(batch) or LATER)  # type: ignore[func-returns-value]
        town.leave(engine, 400)
        town.enter(engine, 500)
        again = engine.geotrigger_batch(batches[0].token)
        assert [geotrigger.name for geotrigger in again] == ["visitor"]
        again.answer(again, time=at(501))
        with pytest.raises(AttributeError):
            again[0].message = "x"  # type: ignore[misc]
        batches.clear()
        del again


# ---- Async callbacks --------------------------------------------------------------------------------------------


class AsyncCallable:
    async def __call__(self, *arguments: Any) -> None: ...


async def coroutine_function(*arguments: Any) -> Any:
    return []


async def generator_function(*arguments: Any) -> Any:
    yield None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "callback",
    [coroutine_function, generator_function, AsyncCallable(), functools.partial(coroutine_function, 1)],
)
def test_async_callbacks_are_refused(name: str, callback: Callable[..., Any], town: Town) -> None:
    with town.engine() as engine, pytest.raises(TypeError, match=r"plotengine\.asyncio\.AsyncEngine"):
        getattr(engine, name)(callback)
    with pytest.raises(TypeError, match=r"plotengine\.asyncio\.AsyncEngine"):
        Engine(CONFIG, time=T0, **{name: callback})


@pytest.mark.parametrize("name", NAMES)
def test_coroutines_are_refused(name: str) -> None:
    """A plain function that returns a coroutine is found out when it does; the coroutine is not left unawaited."""
    results = iter([coroutine_function()])
    with prepared(name) as engine:
        getattr(engine, name)(lambda *arguments: next(results, []))
        with pytest.raises(TypeError, match=r"returned an awaitable"):
            lead_to(name, engine)
        getattr(engine, name)(None)


# ---- Registering ------------------------------------------------------------------------------------------------


def test_decorators(town: Town) -> None:
    engine = Engine()
    shown = []

    @engine.on_show
    def show(notification: plotengine.Notification) -> None:
        shown.append(notification.message)

    @engine.on_filter
    def filter(batch: FilterBatch) -> FilterBatch:
        return batch

    assert callable(show)
    assert callable(filter)
    engine.init(CONFIG, feed=FEED, time=T0)
    town.enter(engine)
    engine.close()
    assert shown == ["Welcome at Museum shop"]


@pytest.mark.parametrize("name", NAMES)
def test_replacing_and_removing_frees(name: str, town: Town) -> None:
    class Callback:
        def __call__(self, *arguments: Any) -> Any:
            return []

    with town.engine() as engine:
        register = getattr(engine, name)
        first, second = Callback(), Callback()
        gone = weakref.ref(first), weakref.ref(second)
        assert register(first) is first
        assert register(second) is second
        del first
        assert gone[0]() is None
        assert len(plotengine._raw.registry) == 1
        assert register(None) is None
        del second
        assert gone[1]() is None
        assert not plotengine._raw.registry


def test_a_callback_removes_and_replaces_itself(town: Town) -> None:
    seen = []

    def once(event: plotengine.Event) -> None:
        seen.append(event.event)
        engine.on_event(None)

    with town.engine(on_event=once) as engine:
        town.enter(engine)
        assert seen == ["region-enter"]

        def first(event: plotengine.Event) -> None:
            seen.append("first")
            engine.on_event(lambda event: seen.append("second"))

        engine.on_event(first)
        town.leave(engine, 100)
        assert seen == ["region-enter", "first", "second"]


@pytest.mark.parametrize("name", NAMES)
def test_closing_from_a_callback(name: str) -> None:
    calls = []

    def callback(*arguments: Any) -> Any:
        if calls:
            return []
        calls.append(arguments)
        engine.close()
        assert engine.closed
        with pytest.raises(ClosedError):
            engine.visits()
        with pytest.raises(ClosedError):
            engine.on_event(None)
        return LATER if name in ("on_filter", "on_geotriggers") else None

    engine = prepared(name)
    getattr(engine, name)(callback)
    lead_to(name, engine)
    assert len(calls) == 1
    with pytest.raises(ClosedError):
        engine.visits()
    assert plotengine._engine._engines == {}


def test_a_filter_that_closes_and_answers(town: Town) -> None:
    def filter(batch: FilterBatch) -> FilterBatch:
        engine.close()
        return batch

    engine = town.engine(on_filter=filter)
    with pytest.raises(ClosedError):
        town.enter(engine)


def test_batches_outlive_the_engine(town: Town) -> None:
    batches: list[FilterBatch] = []
    with town.engine(on_filter=lambda batch: batches.append(batch) or LATER) as engine:  # type: ignore[func-returns-value]
        town.enter(engine)
    batches[0][0].message = "still ours"
    with pytest.raises(ClosedError):
        batches[0].answer(batches[0])
    assert repr(batches[0]).startswith("<plotengine.FilterBatch 1: [FilterableNotification(")
    batches.clear()


def test_an_engine_and_its_callbacks_are_collected(town: Town) -> None:
    """Never closed, in a cycle with its callbacks: the collector finds it, and the library frees it."""
    engine = town.engine()

    class Phone:
        def __init__(self, engine: Engine) -> None:
            self.engine = engine
            engine.on_show(self.show)
            engine.on_event(lambda event: self)

        def show(self, notification: plotengine.Notification) -> None: ...

    phone = Phone(engine)
    gone = weakref.ref(engine), weakref.ref(phone)
    assert plotengine.live_objects() > 0
    del engine, phone
    gc.collect()
    assert [reference() for reference in gone] == [None, None]
    assert plotengine.live_objects() == 0
    assert not plotengine._raw.registry


def test_a_failed_start_leaves_nothing() -> None:
    with pytest.raises(plotengine.InvalidDocumentError):
        Engine({"publicToken": ""}, on_show=lambda notification: None)
    with pytest.raises(TypeError):
        Engine(CONFIG, on_show=5)  # type: ignore[type-var]
