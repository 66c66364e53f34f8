"""Each kind of callback, and what it may do while it runs: the library lets go of it exactly once.

The kinds and the actions are those of Tests/abuse/matrix.json, which Tests/abuse/callbacks.py compares with the
header; what is missing here fails.
"""

from __future__ import annotations

import json
import threading
from typing import Any, Callable

import pytest
from conftest import AWAY, MUSEUM, ROOT, T0, at

import plotengine
from plotengine import ClosedError, Engine, Strategy, _engine, _raw

TABLE: dict[str, Any] = json.loads((ROOT / "Tests" / "abuse" / "matrix.json").read_text(encoding="utf-8"))

KINDS = {
    "plot_destroy_fn": None,  # the binding's own: what a host has registered is a Python object
    "plot_filter_fn": "on_filter",
    "plot_geotrigger_fn": "on_geotriggers",
    "plot_show_fn": "on_show",
    "plot_remove_fn": "on_remove",
    "plot_strategy_fn": "strategy",
    "plot_notification_handler_fn": "on_notification",
    "plot_open_fn": "on_open",
    "plot_event_fn": "on_event",
    "plot_decision_fn": "on_decision",
    "plot_recording_fn": "on_recording",
    "plot_log_fn": "on_log",
    "plot_wakeup_fn": "on_wakeup",
    "plot_fix_request_fn": "on_fix_request",
    "plot_sync_fn": "on_sync",
}
NAMES = [name for name in KINDS.values() if name is not None]

CONFIG = {
    "publicToken": "t",
    "debug": True,
    "sync": {"url": "http://127.0.0.1:1"},
    "engine": {"noise": "exact", "filterDeadline": 600},
}
FEED: dict[str, Any] = {
    "version": 1,
    "regions": [
        {"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200},
        {
            "id": "bench",
            "type": "geofence",
            "latitude": 52.45,
            "longitude": 4.885,
            "radius": 100,
            "noise": "balanced",
        },
    ],
    "campaigns": [
        {"id": "art", "type": "notification", "message": "Art", "data": "x", "regions": ["museum"], "resend": True},
        {
            "id": "brief",
            "type": "notification",
            "message": "Brief",
            "regions": ["museum"],
            "resend": True,
            "removeOnExit": True,
        },
        {
            "id": "page",
            "type": "notification",
            "message": "Page",
            "data": "https://example.org",
            "handlerType": "landingPage",
            "regions": ["museum"],
            "resend": True,
        },
        {"id": "count", "type": "geotrigger", "name": "count", "regions": ["museum"], "resend": True},
        {
            "id": "sit",
            "type": "geotrigger",
            "name": "sit",
            "regions": ["bench"],
            "resend": True,
            "trigger": "dwelling",
            "dwellingMinutes": 5,
        },
    ],
    "settings": {"messages": {"rules": [{"if": {"contains": "later"}, "then": "defer", "seconds": 1}]}},
}


REFUSED = ("on_filter", "on_geotriggers", "strategy")
"""The values that these return are checked: another value is a TypeError, which comes out of the call."""


class Mine(Exception):
    """The error that a host raises."""


class Registry:
    """The registry of the raw layer, which counts how often the library lets go of each registration."""

    def __init__(self, real: dict[int, Any]) -> None:
        self.real = real
        self.destroyed: dict[int, int] = {}

    def __setitem__(self, key: int, value: Any) -> None:
        self.real[key] = value
        self.destroyed[key] = 0

    def get(self, key: int) -> Any:
        assert self.destroyed.get(key, 0) == 0, "called after it was let go"
        return self.real.get(key)

    def pop(self, key: int, default: Any) -> Any:
        self.destroyed[key] += 1
        return self.real.pop(key, default)


class Unasked:
    """The same, as the engine sees it: it lets go itself of what the library was not even asked about."""

    def __init__(self, counting: Registry) -> None:
        self.counting = counting

    def pop(self, key: int, default: Any) -> Any:
        if self.counting.destroyed[key] == 0:
            del self.counting.destroyed[key]
        return self.counting.real.pop(key, default)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    counting = Registry(_raw.registry)
    monkeypatch.setattr(_raw, "registry", counting)
    monkeypatch.setattr(_engine, "registry", Unasked(counting))
    return counting


class Town:
    """An engine with a callback of one kind, which does something once it is armed."""

    def __init__(self, name: str, registry: Registry) -> None:
        self.name = name
        self.registry = registry
        self.engine: Engine = Engine()
        self.calls = 0
        self.depth = 0
        self.inside: int | None = None
        self.action: Callable[[Town], Any] | None = None
        self.seconds = 0
        self.key = self.register(name, self.make())
        self.other_key = self.register(self.other, lambda *_: None)
        self.engine.init(CONFIG, feed=FEED, time=T0)
        self.move(AWAY)
        if name in ("on_remove", "on_notification", "on_open"):
            self.move(MUSEUM)
        self.calls = 0

    @property
    def other(self) -> str:
        return "on_decision" if self.name == "on_event" else "on_event"

    def make(self) -> Any:
        """A callback of this kind."""

        def callback(*arguments: Any) -> Any:
            self.calls += 1
            assert self.depth == 0, "runs inside of itself"
            action, self.action = self.action, None
            if action is None:
                return self.usual(arguments)
            self.depth += 1
            try:
                result = action(self)
            finally:
                self.inside = self.registry.destroyed[self.key]
                self.depth -= 1
            return self.usual(arguments) if result is None else result

        if self.name != "strategy":
            return callback

        class Own(Strategy):
            def create_new_notification(self, notification: Any, context: Any) -> bool:
                return callback(notification)  # type: ignore[no-any-return]

        return Own()

    def usual(self, arguments: tuple[Any, ...]) -> Any:
        if self.name in ("on_filter", "on_geotriggers"):
            # Nothing can be answered any more when the engine has been closed.
            return list(arguments[0]) if hasattr(self, "engine") and not self.engine.closed else plotengine.LATER
        return True if self.name == "strategy" else None

    def register(self, name: str, callback: Any, key: str = "own") -> int:
        """Registers it; its key in the registry."""
        before = set(self.registry.destroyed)
        if name == "strategy":
            self.engine.set_strategy(key, callback)
        else:
            getattr(self.engine, name)(callback)
        (key_of_it,) = set(self.registry.destroyed) - before
        return key_of_it

    def remove(self, name: str) -> None:
        if name == "strategy":
            self.engine.remove_strategy("own")
        else:
            getattr(self.engine, name)(None)

    def move(self, place: tuple[float, float]) -> None:
        self.seconds += 60
        self.engine.update_location(*place, time=at(self.seconds))

    def provoke(self) -> None:
        """The call that leads to the callback."""
        if self.name == "on_remove":
            self.move(AWAY)
        elif self.name in ("on_notification", "on_open"):
            campaign = "art" if self.name == "on_notification" else "page"
            item = next(item for item in self.engine.sent_notifications() if item.campaign_id == campaign)
            self.engine.open_notification(item, time=at(self.seconds))
        elif self.name == "on_fix_request":
            # A dwelling is due, and the newest fix is old.
            self.seconds += 3600
            self.move((52.45, 4.885))
            self.seconds += 300
            self.engine.advance(time=at(self.seconds))
        elif self.name == "on_sync":
            self.seconds += 60
            self.engine.sync_stop(time=at(self.seconds))
        elif self.name == "on_wakeup":
            self.seconds += 60
            self.engine.process_message({"id": "late", "body": "later"}, time=at(self.seconds))
        else:
            self.move(MUSEUM)

    def provoke_again(self) -> None:
        """Once more, when what waited is over: a batch that was not answered, a message."""
        self.seconds += 700
        self.engine.advance(time=at(self.seconds))
        self.move(AWAY)
        if self.name == "on_remove":
            self.move(MUSEUM)
        self.seconds += 200
        if self.name == "on_wakeup":
            self.engine.process_message({"id": "late 2", "body": "later"}, time=at(self.seconds))
        else:
            self.provoke()


def removes_all(town: Town) -> None:
    for name in NAMES:
        town.remove(name)


def replaces_itself(town: Town) -> None:
    town.register(town.name, town.make())


def adds_another(town: Town) -> None:
    if town.name == "strategy":
        town.register("strategy", Strategy(), "another")
    else:
        town.register(town.other, lambda *_: None)


def calls_the_engine(town: Town) -> None:
    town.move((51.0, 4.0))
    town.engine.advance(time=at(town.seconds))
    town.engine.displayed_notifications()
    town.engine.visits()


def provokes_itself(town: Town) -> None:
    town.provoke()


def closes(town: Town) -> None:
    town.engine.close()
    town.engine.close()
    with pytest.raises(ClosedError):
        town.engine.visits()


def frees(town: Town) -> None:
    engine = town.engine
    del town.engine
    engine.close()


def fails_to_register(town: Town) -> None:
    before = dict(town.registry.real)

    async def waits(*_: Any) -> None: ...

    class Waits(Strategy):
        async def save(self) -> str | None:  # type: ignore[override]
            return None

    with Engine() as closed:
        pass
    if town.name == "strategy":
        for wrong in ({}, Waits()):
            with pytest.raises(TypeError):
                town.engine.set_strategy("own", wrong)  # type: ignore[arg-type]
        with pytest.raises(plotengine.InvalidArgumentError):
            town.engine.set_strategy("", Strategy())
        with pytest.raises(ClosedError):
            closed.set_strategy("own", Strategy())
    else:
        for wrong in ("text", waits):
            with pytest.raises(TypeError):
                getattr(town.engine, town.name)(wrong)
        with pytest.raises(ClosedError):
            getattr(closed, town.name)(lambda *_: None)
    if town.name == "on_recording":
        with Engine(CONFIG, time=T0) as late, pytest.raises(plotengine.AlreadyInitializedError):
            late.on_recording(lambda line: None)
    assert dict(town.registry.real) == before


def is_removed_by_another_thread(town: Town) -> None:
    thread = threading.Thread(target=town.remove, args=(town.name,))
    thread.start()
    thread.join()


def removes_itself(town: Town) -> None:
    town.remove(town.name)


def removes_itself_twice(town: Town) -> None:
    town.remove(town.name)
    town.remove(town.name)


def removes_another(town: Town) -> None:
    town.remove(town.other)
    assert town.registry.destroyed[town.other_key] == 0, "destroy waits while a callback runs"


ACTIONS: dict[str, Callable[[Town], Any]] = {
    "does nothing": lambda town: None,
    "removes itself": removes_itself,
    "removes itself twice": removes_itself_twice,
    "replaces itself": replaces_itself,
    "removes another": removes_another,
    "removes all": removes_all,
    "adds another": adds_another,
    "calls the engine": calls_the_engine,
    "provokes itself": provokes_itself,
    "closes the engine": closes,
    "frees the engine": frees,
    "fails to register another": fails_to_register,
    "is removed by another thread": is_removed_by_another_thread,
    "returns an unknown code": lambda town: object(),
}


def test_the_table_is_whole() -> None:
    assert set(KINDS) == set(TABLE["callbacks"]) == set(_raw.CALLBACKS)
    assert set(ACTIONS) == set(TABLE["actions"])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("action", [*ACTIONS, "raises"])
def test_it_is_let_go_once(name: str, action: str, registry: Registry) -> None:
    town = Town(name, registry)
    wanted = TABLE["actions"]["does nothing" if action == "raises" else action]
    if action == "raises":
        raised = Mine()

        def act(town: Town) -> None:
            raise raised

        town.action = act
        with pytest.raises(Mine) as caught:
            town.provoke()
        assert caught.value is raised
    elif action == "returns an unknown code" and name in REFUSED:
        town.action = ACTIONS[action]
        with pytest.raises(TypeError):
            town.provoke()
    else:
        town.action = ACTIONS[action]
        town.provoke()
    assert town.calls >= 1
    assert (town.inside, registry.destroyed[town.key]) == (wanted["inside"], wanted["after"])
    if action == "removes another":
        assert registry.destroyed[town.other_key] == 1
    if hasattr(town, "engine") and not town.engine.closed:
        calls = town.calls
        town.provoke_again()
        # Its replacement counts its calls here, too.
        assert (town.calls > calls) == bool(wanted["again"] or action == "replaces itself")
        town.engine.close()
    assert set(registry.destroyed.values()) == {1}
    assert not registry.real
