"""Two threads on one engine, and on many."""

from __future__ import annotations

import re
import threading
from typing import Any, Callable

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, Town, at, python

import plotengine
from plotengine import ClosedError, Engine, OutOfOrderError


def together(*functions: Callable[[], Any]) -> list[BaseException]:
    """Runs functions on a thread each; gives what they raised."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(len(functions))

    def run(function: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return errors


def test_inputs_and_looks() -> None:
    events: list[int] = []

    def walk(engine: Engine) -> None:
        for step in range(300):
            try:
                engine.update_location(*(MUSEUM if step % 2 else AWAY), time=at(step))
            except OutOfOrderError:
                pass

    def look(engine: Engine) -> None:
        for _ in range(300):
            engine.visits()
            engine.sent_notifications()
            engine.next_wakeup()
            engine.loaded_notifications()

    # The threads run ahead of each other: with a short deadline, one could let the other's batch time out.
    patient = {**CONFIG, "engine": {"noise": "exact", "filterDeadline": 86400}}
    with Engine(patient, feed=FEED, time=T0, on_event=lambda e: events.append(e.sequence), on_filter=list) as engine:
        errors = together(lambda: walk(engine), lambda: walk(engine), lambda: look(engine))
        assert errors == []
        assert sorted(events) == list(range(1, len(events) + 1))


def test_an_exception_comes_out_of_one_call_only() -> None:
    """Every exception that a callback raises comes out of a call, on the thread that delivered it."""
    done = python(
        """
        import threading
        from conftest import AWAY, MUSEUM, Town, at
        from plotengine import OutOfOrderError
        from test_threads import together

        raised, caught = [], []

        def event(happened):
            raised.append(ValueError(happened.sequence, threading.get_ident()))
            raise raised[-1]

        def walk(engine):
            for step in range(200):
                try:
                    engine.update_location(*(MUSEUM if step % 2 else AWAY), time=at(step))
                except OutOfOrderError:
                    pass
                except ValueError as error:
                    assert error.args[1] == threading.get_ident()
                    caught.append(error)

        with Town.engine(on_event=event) as engine:
            assert together(lambda: walk(engine), lambda: walk(engine)) == []
        assert len({id(error) for error in caught}) == len(caught)
        assert {id(error) for error in caught} <= {id(error) for error in raised}
        numbers = {error.args[0] for error in raised}
        assert len(numbers) == len(raised)
        print(*sorted(numbers - {error.args[0] for error in caught}))
        """
    )
    assert done.returncode == 0, done.stderr
    # All others were reported, by the hook for what nobody can raise.
    reported = re.findall(r"^ValueError: \((\d+), \d+\)$", done.stderr, re.M)
    assert reported
    assert sorted(map(int, reported)) == list(map(int, done.stdout.split()))


def test_closing_while_others_call() -> None:
    for _ in range(50):
        engine = Engine(CONFIG, feed=FEED, time=T0, on_event=lambda event: None)

        def walk(engine: Engine = engine) -> None:
            for step in range(10_000):
                engine.update_location(*(MUSEUM if step % 2 else AWAY), time=at(step))

        errors = together(walk, lambda engine=engine: engine.visits(), lambda engine=engine: engine.close())  # type: ignore[misc]
        assert errors
        assert all(isinstance(error, (ClosedError, OutOfOrderError)) for error in errors)
        assert engine.closed
        assert plotengine.live_objects() == 0


def test_registering_while_others_deliver(town: Town) -> None:
    with town.engine() as engine:

        def register() -> None:
            for _ in range(300):
                engine.on_event(lambda event: None)
                engine.on_show(lambda notification: None)
                engine.on_event(None)

        def walk() -> None:
            for step in range(300):
                engine.update_location(*(MUSEUM if step % 2 else AWAY), time=at(step))

        assert together(register, walk) == []


@pytest.mark.parametrize("threads", [4])
def test_engines_of_their_own(threads: int) -> None:
    def day() -> None:
        for _ in range(20):
            shown: list[str] = []
            with Engine(CONFIG, feed=FEED, time=T0, on_show=lambda n, shown=shown: shown.append(n.message)) as engine:
                Town.enter(engine)
            assert shown == ["Welcome at Museum shop"]

    assert together(*[day] * threads) == []
