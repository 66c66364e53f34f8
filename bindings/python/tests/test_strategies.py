"""Strategies, what is on the screen, and trying the callbacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, ROOT, T0, Town, at

import plotengine
from plotengine import LATER, Engine, Notification, SentNotification, Strategy


class Witness(Strategy):
    """Writes down what it is asked and told, and votes as it is told to."""

    def __init__(self, agrees: bool = True) -> None:
        self.agrees = agrees
        self.log: list[Any] = []
        self.state: str | None = None

    def update_parameters(self, parameters: dict[str, Any]) -> None:
        self.log.append(("parameters", parameters))

    def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        self.log.append(("create?", notification.campaign_id, context["feedStatus"]))
        return self.agrees

    def on_notification_created(self, notification: Notification, created: bool) -> None:
        self.log.append(("created", notification.campaign_id, created))

    def delete_current_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        self.log.append(("delete?", notification.campaign_id, context["displayed"]))
        return self.agrees

    def on_notification_deleted(self, notification: Notification, deleted: bool) -> None:
        self.log.append(("deleted", notification.campaign_id, deleted))

    def on_background(self) -> None:
        self.log.append("background")

    def on_foreground(self) -> None:
        self.log.append("foreground")

    def on_start_monitoring(self, region: str, visit: str) -> None:
        assert len(visit) == 36
        self.log.append(("monitoring", region))

    def load(self, state: str | None) -> None:
        self.log.append(("load", state))

    def save(self) -> str | None:
        return self.state


def one(**more: Any) -> dict[str, Any]:
    """One notification in the museum."""
    campaign = {"id": "c", "type": "notification", "message": "m", "regions": ["museum"], "resend": True, **more}
    return {"version": 1, "regions": FEED["regions"], "campaigns": [campaign]}


def test_the_life_of_a_strategy(town: Town) -> None:
    witness = Witness()
    feed = {
        **one(removeOnExit=True),
        "settings": {"strategies": [{"key": "w", "type": "custom", "parameters": {"n": 1}}]},
    }
    removed: list[SentNotification] = []
    with Engine(CONFIG, feed=feed, time=T0, on_remove=lambda n: removed.append(n)) as engine:
        engine.set_strategy("w", witness)
        assert witness.log == [("load", None), ("parameters", {"n": 1})]
        witness.log.clear()
        town.enter(engine)
        assert engine.displayed_notifications()[0].campaign_id == "c"
        assert witness.log == [("monitoring", "museum"), ("create?", "c", "backendSuccess"), ("created", "c", True)]
        assert witness.time == at(60)
        witness.log.clear()
        town.leave(engine, 120)
        assert witness.log == [("delete?", "c", 1), ("deleted", "c", True)]
        assert [one.campaign_id for one in removed] == ["c"]
        assert engine.displayed_notifications() == []
        witness.log.clear()
        engine.set_foreground(True, time=at(130))
        engine.set_foreground(False, time=at(140))
        engine.set_network(False, time=at(150))
        assert witness.log == ["foreground", "background"]
        witness.agrees = False
        witness.log.clear()
        town.enter(engine, 300)
        assert witness.log[1:] == [("create?", "c", "networkError"), ("created", "c", False)]
        engine.remove_strategy("w")
        witness.log.clear()
        town.leave(engine, 400)
        town.enter(engine, 500)
        assert not witness.log
        assert len(engine.sent_notifications()) == 2


def test_what_it_saves_is_there_after_a_restart(town: Town, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Engine(CONFIG, feed=one(), time=T0, store=path) as engine:
        witness = Witness()
        witness.state = json.dumps({"é": "\n"})
        engine.set_strategy("w", witness)
        engine.set_strategy("other", Witness())
        town.enter(engine)
    engine = Engine()
    again, other = Witness(), Witness()
    engine.set_strategy("w", again)
    engine.set_strategy("other", other)
    with engine:
        engine.init(CONFIG, store=path, time=at(70))
        assert again.log == [("load", witness.state)]
        assert other.log == [("load", None)]


def test_a_vote_that_raises_is_a_yes_and_is_raised(town: Town) -> None:
    class Broken(Strategy):
        def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
            raise RuntimeError("no idea")

    with Engine(CONFIG, feed=one(), time=T0) as engine:
        engine.set_strategy("b", Broken())
        with pytest.raises(RuntimeError, match="no idea"):
            town.enter(engine)
        assert len(engine.sent_notifications()) == 1


def test_a_forgotten_return_is_a_yes_and_is_raised(town: Town) -> None:
    class Forgetful(Strategy):
        def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
            return None  # type: ignore[return-value]

    with Engine(CONFIG, feed=one(), time=T0) as engine:
        engine.set_strategy("f", Forgetful())
        with pytest.raises(TypeError, match="create_new_notification of a strategy gives True or False, not NoneType"):
            town.enter(engine)
        assert len(engine.sent_notifications()) == 1


def test_a_coroutine_is_refused(town: Town) -> None:
    class Slow(Strategy):
        async def save(self) -> str | None:  # type: ignore[override]
            return None

    with Engine(CONFIG, feed=one(), time=T0) as engine:
        with pytest.raises(TypeError, match="save of a strategy cannot be async"):
            engine.set_strategy("s", Slow())
        town.enter(engine)
        assert len(engine.sent_notifications()) == 1


def test_a_strategy_may_remove_itself_and_close_its_engine(town: Town) -> None:
    class Leaving(Strategy):
        def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
            engine.remove_strategy("l")
            return True

        def on_notification_created(self, notification: Notification, created: bool) -> None:
            raise AssertionError("it has left")

    with Engine(CONFIG, feed=one(), time=T0) as engine:
        engine.set_strategy("l", Leaving())
        town.enter(engine)
        assert len(engine.sent_notifications()) == 1

    class Closing(Strategy):
        def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
            engine.close()
            return True

    with Engine(CONFIG, feed=one(), time=T0) as engine:
        engine.set_strategy("c", Closing())
        town.enter(engine)
        assert engine.closed


def test_what_is_refused() -> None:
    with Engine(CONFIG, feed=one(), time=T0) as engine:
        with pytest.raises(TypeError, match="not dict"):
            engine.set_strategy("w", {})  # type: ignore[arg-type]
        with pytest.raises(plotengine.InvalidArgumentError, match="key: expected a string of 1 to 255 bytes"):
            engine.set_strategy("a;b", Strategy())
        with pytest.raises(TypeError, match="foreground is True or False, not int"):
            engine.set_foreground(1)  # type: ignore[arg-type]
        with pytest.raises(plotengine.NotFoundError):
            engine.dismiss_notification("nobody", time=T0)


def test_dismissing(town: Town) -> None:
    feed = {**one(), "settings": {"slots": {"count": 1}}}
    events: list[str] = []
    with Engine(CONFIG, feed=feed, time=T0, on_event=lambda event: events.append(event.event)) as engine:
        town.enter(engine)
        shown = engine.displayed_notifications()[0]
        engine.dismiss_notification(shown, time=at(70))
        engine.dismiss_notification(shown, time=at(71))
        assert engine.displayed_notifications() == []
    assert events.count("notification-dismissed") == 1


def test_the_app_updates_and_removes(town: Town) -> None:
    """A displayed notification changes its content, and goes; other requests are refused."""
    shown: list[plotengine.Notification] = []
    events: list[tuple[str, str | None]] = []

    def on_event(event: plotengine.Event) -> None:
        events.append((event.event, event.reason))

    with Engine(CONFIG, feed=one(), time=T0, on_show=shown.append, on_event=on_event) as engine:
        town.enter(engine)
        first = engine.displayed_notifications()[0]
        with pytest.raises(plotengine.InvalidArgumentError):
            engine.update_notification(first, message="", time=at(70))
        with pytest.raises(plotengine.ReadOnlyKeyError):
            engine.update_notification(first, campaign_id="x", time=at(70))
        with pytest.raises(plotengine.NotFoundError):
            engine.update_notification("nobody", message="m", time=at(70))
        assert len(shown) == 1
        engine.update_notification(first, message="Sold out", title="Sorry", time=at(71))
        [now] = engine.displayed_notifications()
        assert (now.message, now.title, now.updates) == ("Sold out", "Sorry", first.match_identifier)
        assert [one.match_identifier for one in shown] == [first.match_identifier, now.match_identifier]
        assert len(engine.sent_notifications()) == 2
        engine.remove_notification(now, time=at(72))
        engine.remove_notification(time=at(73))
        assert engine.displayed_notifications() == []
    assert [reason for name, reason in events if name == "notification-removed"] == ["updated", "app"]


def test_a_removal_may_fail(town: Town) -> None:
    for remove in (lambda _: False, None):
        with Engine(CONFIG, feed=one(removeOnExit=True), time=T0, on_remove=remove) as engine:
            town.enter(engine)
            town.leave(engine, 120)
            assert len(engine.displayed_notifications()) == (0 if remove is None else 1)


def test_the_filter_is_tried(town: Town) -> None:
    kept: list[Any] = []

    def first(batch: Any) -> Any:
        kept.append(batch.token)
        batch[0].message = "tried"
        return [batch[0]]

    with town.engine(on_filter=first) as engine:
        token = engine.test_filter(engine.loaded_notifications()[:2])
        answer = engine.test_answer(token)
        assert kept == [token]
        assert token > 2**52
        assert [item.message for item in answer] == ["tried"]
        assert engine.sent_notifications() == []
        with pytest.raises(ValueError, match="is not loaded"):
            engine.test_filter([Notification(**{**vars(answer[0]), "identifier": "x;y"})])
    with town.engine(on_filter=lambda _: LATER) as engine:
        token = engine.test_filter(engine.loaded_notifications()[:1])
        with pytest.raises(plotengine.NotFoundError):
            engine.test_answer(token)
        engine.filter_batch(token).answer([])
        assert engine.test_answer(token) == []


def test_the_geotrigger_handler_is_tried(town: Town) -> None:
    with town.engine(on_geotriggers=list) as engine:
        token = engine.test_geotrigger_handler(engine.loaded_geotriggers())
        assert [item.campaign_id for item in engine.test_answer(token)] == ["count"]
        assert engine.sent_geotriggers() == []


def test_the_example_saves_its_state(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import runpy

    folder = ROOT / "examples/strategies"
    monkeypatch.chdir(folder)
    names = runpy.run_path(str(folder / "strategy.py"))
    names["main"]()
    assert capsys.readouterr().out.splitlines() == [
        "10:01 shown: Bakery",
        "10:05 too soon: Museum",
        "10:08 dismissed: Bakery",
        "10:14 shown: Museum",
    ]
    strategy, again = names["FiveMinutes"](), names["FiveMinutes"]()
    strategy.on_screen, strategy.next = 1, T0
    again.load(strategy.save())
    assert (again.on_screen, again.next) == (1, T0)
    again.load(None)
    assert (again.on_screen, again.next) == (0, None)


def test_nothing_leaks(town: Town) -> None:
    for _ in range(50):
        with Engine(CONFIG, feed=one(), time=T0) as engine:
            engine.set_strategy("a", Witness())
            engine.set_strategy("a", Witness())
            engine.set_strategy("b", Witness())
            engine.update_location(*AWAY, time=at(1))
            engine.update_location(*MUSEUM, time=at(2))
    assert not plotengine._raw.registry
