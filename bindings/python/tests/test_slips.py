"""Slips of the pen: each is refused, and the error says what was most likely meant, in the words of Python."""

from __future__ import annotations

import math
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, ROOT, T0, Town, at, python, pythons

import plotengine
from plotengine import Engine, Feed, FilterBatch, InvalidArgumentError, NotInitializedError, _errors, _raw
from plotengine.asyncio import AsyncEngine


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: Engine(CONFIG, stores="x"), "store"),  # type: ignore[call-arg]
        (lambda: Engine(CONFIG, timezone="UTC"), "time_zone"),  # type: ignore[call-arg]
        (lambda: Engine(CONFIG, onshow=print), "on_show"),  # type: ignore[call-arg]
        (lambda: AsyncEngine(CONFIG, on_filters=print), "on_filter"),  # type: ignore[call-arg]
        (lambda: Feed.import_geojson("{}", radios=5), "radius"),  # type: ignore[call-arg]
        (lambda: plotengine.lint(configuration={}), "config"),  # type: ignore[call-arg]
        (lambda: on_town(lambda e: e.update_location(*MUSEUM, acuracy=5, time=T0)), "accuracy"),
        (lambda: on_town(lambda e: e.update_location(*MUSEUM, timee=T0)), "time"),
        (lambda: on_town(lambda e: e.plan_regions(position=MUSEUM, fence=True)), "fence_left"),
        (lambda: on_town(lambda e: e.record("x", effect=False)), "effects"),
    ],
)
def test_unknown_keywords(call: Callable[[], Any], meant: str) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument") as caught:
        call()
    assert re.search(f"(?i)did you mean '?{meant}'?\\?", str(caught.value)), caught.value


def on_town(call: Callable[[Any], Any]) -> None:
    with Town.engine() as engine:
        call(engine)


@pytest.mark.parametrize("executable", pythons())
def test_unknown_keywords_in_every_python(executable: str) -> None:
    done = python(
        """
        from plotengine import Engine
        try:
            Engine({"publicToken": "t"}, stores="x")
        except TypeError as error:
            print(error)
        def wrong():
            Engine({"publicToken": "t"}, on_log=lambda level: None, time=5j)
        try:
            wrong()
        except TypeError as error:
            print(error)
        """,
        executable=executable,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert re.search(r"(?i)unexpected keyword argument 'stores'.* did you mean '?store'?\?", first)
    assert second == "time must be an aware datetime or an int of milliseconds, not complex"


def test_unknown_attributes(town: Town) -> None:
    """Of the engine's own classes; what a subclass keeps is its own affair."""
    with town.engine() as plain, town.engine() as other:
        engine: Any = plain
        for name, sentence in {
            "on_show": r"on_show of Engine is a method, and cannot be set: call it, on_show\(\.\.\.\)",
            "closed": "closed of Engine cannot be set",
            "onshow": r"Engine has no attribute onshow to set; did you mean on_show\?",
            "enabled": "Engine has no attribute enabled to set",
            "cooldown": "Engine has no attribute cooldown to set",
        }.items():
            with pytest.raises(AttributeError, match=sentence):
                setattr(engine, name, print)
        assert other.closed is False

        class Phone(Engine):
            def __init__(self) -> None:
                super().__init__(CONFIG, time=T0)
                self.owner = "Paul"
                self.on_shown = 5

        with Phone() as phone:
            phone.owner = "Paula"
            assert (phone.owner, phone.on_shown) == ("Paula", 5)
    asynchronous: Any = AsyncEngine(CONFIG)
    with pytest.raises(AttributeError, match=r"AsyncEngine has no attribute longest_slep to set"):
        asynchronous.longest_slep = 5
    with pytest.raises(AttributeError, match="on_event of AsyncEngine is a method"):
        asynchronous.on_event = print
    asynchronous.close()


def test_unknown_attributes_of_a_notification(town: Town) -> None:
    def filter(batch: FilterBatch) -> FilterBatch:
        item: Any = batch[0]
        with pytest.raises(AttributeError, match=r"a notification has no mesage to set; did you mean message\?"):
            item.mesage = "x"
        return batch

    with town.engine(on_filter=filter) as engine:
        town.enter(engine)


SECONDS = int(T0.timestamp())


@pytest.mark.parametrize(
    "call",
    [
        lambda e: e.update_location(*MUSEUM, time=SECONDS),
        lambda e: e.advance(time=SECONDS),
        lambda e: e.set_clock(1000, "boot", time=SECONDS),
        lambda e: e.set_feed(FEED, time=SECONDS),
        lambda e: e.open_notification("x", time=SECONDS),
        lambda e: e.set_segmentation_property("x", 1, time=SECONDS),
        lambda e: e.set_time_zone("UTC", time=SECONDS),
        lambda e: e.process_message({"id": "m", "body": "b"}, time=SECONDS),
    ],
)
def test_a_time_in_seconds(call: Callable[[Engine], Any], town: Town) -> None:
    with town.engine() as engine:
        with pytest.raises(InvalidArgumentError) as caught:
            call(engine)
        assert str(caught.value) == (
            "time: expected milliseconds since 1970, not before 631152000000 (1990-01-01T00:00:00Z,"
            f" engine.earliestTime), found {SECONDS} (1970-01-21T12:19:26.400Z); did you give seconds? times are"
            " milliseconds"
        )
        town.enter(engine)  # nothing has happened
        assert len(engine.sent_notifications()) == 1


def test_a_start_in_seconds(tmp_path: Path) -> None:
    store = tmp_path / "store"
    for at_start in (SECONDS, 0, -5, datetime(1970, 1, 21, tzinfo=timezone.utc), -(1 << 62)):
        with Engine() as engine:
            with pytest.raises(InvalidArgumentError, match="time: expected milliseconds since 1970"):
                engine.init(CONFIG, feed=FEED, store=store, time=at_start)
            assert not store.exists()
            with pytest.raises(NotInitializedError):
                engine.visits()
            engine.init(CONFIG, feed=FEED, time=T0)  # after a failure it may be called again
            Town.enter(engine)
    with pytest.raises(InvalidArgumentError, match=r"did you mean such a time\? then set engine.earliestTime"):
        Engine(CONFIG, time=5)


def test_what_is_not_known_is_not_a_number(town: Town) -> None:
    """NaN says so for accuracy, speed and course, and for nothing else."""
    lines: list[str] = []
    with town.engine(on_recording=lines.append) as engine:
        engine.update_location(*AWAY, accuracy=math.nan, speed=math.nan, course=math.nan, time=at(1))
        engine.update_location(*AWAY, time=at(1))
        given, default = (line for line in lines if '"fix"' in line)
        assert given == default
        engine.update_location(*MUSEUM, accuracy=10, speed=math.nan, time=at(2))
        engine.region_hint("museum", "inside", position=MUSEUM, accuracy=math.nan, time=at(3))
        assert engine.plan_regions(position=MUSEUM, accuracy=math.nan, time=at(4))
        for wrong in ((math.nan, 4.9), (52.0, math.nan)):
            with pytest.raises(InvalidArgumentError):
                engine.update_location(*wrong, time=at(5))


# ---- The words of Python ----------------------------------------------------------------------------------------


def test_errors_name_the_calls_of_python() -> None:
    with Engine() as engine, pytest.raises(NotInitializedError, match=r"call Engine\.init\(\) first$"):
        engine.visits()
    with Town.engine() as engine, pytest.raises(plotengine.AlreadyInitializedError, match=r"before Engine\.init\(\)$"):
        engine.on_recording(print)
    with Town.engine() as engine, pytest.raises(InvalidArgumentError, match=r"^time: expected milliseconds"):
        engine.advance(time=1 << 62)
    with Town.engine() as engine, pytest.raises(InvalidArgumentError, match=r"^name: expected .*Mars/Olympus"):
        engine.set_time_zone("Mars/Olympus", time=T0)


def test_what_is_the_hosts_own_stays_in_errors() -> None:
    with (
        Town.engine() as engine,
        pytest.raises(plotengine.NotFoundError, match=r'sent list .*"plot_engine_init"'),
    ):
        engine.open_notification("plot_engine_init", time=T0)
    with Town.engine() as engine, pytest.raises(InvalidArgumentError, match=r"^region: .*, found plot_engine_init$"):
        engine.move_region("plot_engine_init", 0, 0, time=T0)
    for sentence in (
        '/tmp/plot_engine_init.json: expected "plot_engine_init", found plot_unknown',
        'a name "with \\" and plot_engine_close" in it',
        "plot_engine_init/plotconfig.json: no such file",
    ):
        assert _errors.in_python(sentence) == sentence
    assert _errors.in_python("plot_engine_set_clock: time_ms: expected x; or plot_feed_map.") == (
        "Engine.set_clock(): time: expected x; or Feed.map()."
    )


INTERNAL = (
    "plot_error_",
    "plot_string_",
    "plot_item_",
    "plot_list_",
    "plot_strategy_call_",
    "plot_effects_",
    "plot_pairs_",
)


def test_every_function_of_the_header_has_a_name_in_python() -> None:
    for name in _raw.FUNCTIONS:
        ours = _errors.call(name)
        if name.startswith(INTERNAL) or ours == name:
            assert ours == name
            assert name.startswith(INTERNAL) or name.endswith("_free") or name == "plot_status_name"
            continue
        thing: Any = plotengine
        for part in ours.replace("()", "").split("."):
            thing = getattr(thing, part)
    assert set(_errors.CALLS) <= set(_raw.FUNCTIONS)


def test_every_sentence_of_the_library_is_in_the_words_of_python() -> None:
    """The functions that its sources name in sentences are those of the header, and so have a name here."""
    named = set()
    for path in (ROOT / "Sources").rglob("*.swift"):
        if path.parts[len(ROOT.parts) + 1] == "plot":
            continue  # the tool
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip().startswith(("//", "@")):
                for literal in re.findall(r'"(?:[^"\\]|\\.)*"', line):
                    named.update(re.findall(r"\bplot_[a-z_]+", literal))
    assert "plot_engine_init" in named
    assert {name: _errors.call(name) for name in named if _errors.call(name) == name} == {}
