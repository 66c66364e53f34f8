# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Strategies: the app's own rules with a vote about every notification."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum
from typing import Any

from . import _convert, _items
from ._errors import make
from ._items import Notification
from ._raw import lib


class StrategyCall(IntEnum):
    """The calls of a strategy; the numbers of the header."""

    UPDATE_PARAMETERS = 0
    VOTE_CREATE = 1
    VOTE_DELETE = 2
    CREATED = 3
    DELETED = 4
    BACKGROUND = 5
    FOREGROUND = 6
    START_MONITORING = 7
    LOAD = 8
    SAVE = 9


class Strategy:
    """A rule with a vote about every notification; override what it needs (docs/strategies.md).

    All strategies are asked, and all must agree. A vote must change nothing: what a strategy counts, it counts in
    ``on_notification_created`` and ``on_notification_deleted``, when their second argument is true. ``time`` is that
    of the call. A vote that raises is a yes; the exception comes out of the call that led to it, as with any callback.
    """

    time: datetime
    """The time of the call that is being answered."""
    details: dict[str, Any]
    """Further facts of the call (docs/strategies.md): the ``cause`` of a removal, or the monitored regions."""
    next_notification: Notification | None = None
    """Where a notification leaves the screen: the one that takes its place."""

    def update_parameters(self, parameters: dict[str, Any]) -> None:
        """The parameters that the feed's settings have for it."""

    def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        """May this notification be shown? Changes nothing."""
        return True

    def on_notification_created(self, notification: Notification, created: bool) -> None:
        """After the attempt to show it."""

    def delete_current_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        """May this notification be taken off the screen? Changes nothing."""
        return True

    def on_notification_deleted(self, notification: Notification, deleted: bool) -> None:
        """After the attempt to take it off the screen, or after the person has dismissed it."""

    def on_background(self) -> None:
        """The app has gone to the background."""

    def on_foreground(self) -> None:
        """The app has come to the foreground."""

    def on_start_monitoring(self, region: str, visit: str) -> None:
        """A visit has begun; from now on its end is watched for."""

    def load(self, state: str | None) -> None:
        """Gets its saved state, before anything else; None the first time."""

    def save(self) -> str | None:
        """Returns the state to save for it alone; None keeps the saved one."""
        return None


METHODS = [name for name in vars(Strategy) if not name.startswith("_")]
"""The methods that a strategy may override."""


def deliver(strategy: Strategy, what: int, call: int) -> int:
    """Gives a strategy one of the library's calls; the answer counts for votes."""
    strategy.time = _convert.moment(lib.plot_strategy_call_get_time(call))
    kind = StrategyCall(what)
    if kind is StrategyCall.LOAD:
        state = lib.plot_strategy_call_get_state(call)
        strategy.load(None if state is None else state.decode())
    elif kind is StrategyCall.SAVE:
        saved = strategy.save()
        if saved is not None:
            status = lib.plot_strategy_call_set_state(call, _convert.text(saved, "the saved state"), None)
            if status:
                raise make(status)
    elif kind is StrategyCall.BACKGROUND:
        strategy.on_background()
    elif kind is StrategyCall.FOREGROUND:
        strategy.on_foreground()
    else:
        return _tell(strategy, kind, call)
    return 1


def _tell(strategy: Strategy, kind: StrategyCall, call: int) -> int:
    context = _convert._decode(lib.plot_strategy_call_get_json(call).decode())[0]
    strategy.details = context
    strategy.next_notification = _notification(lib.plot_strategy_call_get_next(call))
    if kind is StrategyCall.UPDATE_PARAMETERS:
        strategy.update_parameters(context)
        return 1
    if kind is StrategyCall.START_MONITORING:
        strategy.on_start_monitoring(context["region"], context["visit"])
        return 1
    notification = _notification(lib.plot_strategy_call_get_item(call))
    assert notification is not None
    done = lib.plot_strategy_call_get_done(call) == 1
    if kind is StrategyCall.VOTE_CREATE:
        return _vote(strategy.create_new_notification(notification, context), "create_new_notification")
    if kind is StrategyCall.VOTE_DELETE:
        return _vote(strategy.delete_current_notification(notification, context), "delete_current_notification")
    if kind is StrategyCall.CREATED:
        strategy.on_notification_created(notification, done)
    else:
        strategy.on_notification_deleted(notification, done)
    return 1


def _notification(item: int | None) -> Notification | None:
    if not item:
        return None
    raw = _items.item_json(item)
    return _items.notification(_convert._decode(raw)[0], raw)


def _vote(answer: object, name: str) -> int:
    """A yes or a no; a forgotten return is neither."""
    if not isinstance(answer, bool):
        raise TypeError(f"{name} of a strategy gives True or False, not {type(answer).__name__}")
    return int(answer)
