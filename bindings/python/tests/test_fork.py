"""Forked children: an engine with a store is the parent's; one without works."""

from __future__ import annotations

import os
import traceback
import warnings
from pathlib import Path
from typing import Callable

import pytest
from conftest import CONFIG, FEED, MUSEUM, T0, Town, at

import plotengine
from plotengine import Engine, ForkedError


def in_child(function: Callable[[], None]) -> None:
    """Runs a function in a forked child, which must end well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of 3.12, for processes with threads
        child = os.fork()
    if child == 0:
        code = 1
        try:
            function()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert status == 0


def test_with_a_store(tmp_path: Path, town: Town) -> None:
    store = tmp_path / "plot.store"
    with town.engine(store=store, on_event=lambda event: None) as engine:
        town.enter(engine)

        def child() -> None:
            for use in (engine.visits, lambda: engine.advance(time=at(100)), lambda: engine.on_show(None)):
                with pytest.raises(ForkedError, match="make a new engine after fork"):
                    use()
            assert engine.closed
            engine.close()
            with Engine(CONFIG, store=tmp_path / "other", time=T0) as mine:
                mine.visits()

        in_child(child)
        assert len(engine.visits()) == 1
        engine.advance(time=at(360))
        assert len(engine.sent_notifications()) == 2
    with Engine(CONFIG, store=store, time=at(400)) as engine:
        assert len(engine.sent_notifications()) == 2


def test_without_a_store(town: Town) -> None:
    events: list[str] = []
    with town.engine(on_event=lambda event: events.append(event.event)) as engine:
        engine.update_location(52.4, 4.9, time=T0)

        def child() -> None:
            engine.update_location(*MUSEUM, time=at(60))
            assert "region-enter" in events
            engine.close()

        in_child(child)
        assert events == []
        engine.update_location(*MUSEUM, time=at(60))
        assert "region-enter" in events


def test_forking_from_a_callback(tmp_path: Path, town: Town) -> None:
    def event(happened: plotengine.Event) -> None:
        if happened.event == "region-enter":

            def child() -> None:
                with pytest.raises(ForkedError):
                    engine.visits()

            in_child(child)

    with town.engine(store=tmp_path / "store", on_event=event) as engine:
        town.enter(engine)


def test_a_child_that_ends_normally(tmp_path: Path, town: Town) -> None:
    """The child's exit handlers leave the parent's store alone."""
    store = tmp_path / "store"
    code = f"""
import os, plotengine
engine = plotengine.Engine({CONFIG!r}, feed={FEED!r}, store={str(store)!r}, time=1772366400000)
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
    engine.update_location(52.40, 4.90, time=1772366400000)
    engine.update_location(52.36, 4.885, time=1772366460000)
"""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    with Engine(CONFIG, store=store, time=at(100)) as engine:  # closed at exit, without being asked
        assert len(engine.sent_notifications()) == 1
