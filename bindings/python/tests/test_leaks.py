"""Ten thousand engines, each in a cycle with its callbacks: nothing stays."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest
from conftest import CONFIG, FEED, T0, Town

import plotengine
from plotengine import Config, Engine, Feed, FilterBatch, Notification, Strategy


def resident() -> int:
    """Kilobytes in memory."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


class Counting(Strategy):
    """A strategy that holds its host."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    def on_notification_created(self, notification: Notification, created: bool) -> None:
        self.phone.seen += created

    def save(self) -> str:
        return str(self.phone.seen)


class Phone:
    """A host: it holds the engine, and the engine holds its methods."""

    def __init__(self, config: Config, feed: Feed) -> None:
        self.engine = Engine(
            config,
            feed=feed,
            time=T0,
            on_filter=self.filter,
            on_geotriggers=list,
            on_show=self.see,
            on_remove=self.see,
            on_notification=self.see,
            on_open=self.see,
            on_event=self.see,
            on_decision=self.see,
            on_log=self.see,
            on_wakeup=self.see,
        )
        self.seen = 0
        self.engine.set_strategy("a", Counting(self))
        self.engine.set_strategy("b", Strategy())

    def filter(self, batch: FilterBatch) -> FilterBatch:
        batch[0].message += "!"
        return batch

    def see(self, *arguments: Any) -> None:
        self.seen = len(arguments)


@pytest.mark.parametrize("closes", [True, False])
def test_ten_thousand_engines(closes: bool) -> None:
    config, feed = Config(CONFIG), Feed(FEED)
    memory = []
    for index in range(10_000):
        phone = Phone(config, feed)
        if index % 10 == 0:
            Town.enter(phone.engine)
            assert phone.engine.displayed_notifications()
            phone.engine.open_notification(phone.engine.sent_notifications()[0], time=T0)
        if closes:
            phone.engine.close()
        del phone
        if index % 1000 == 999:
            gc.collect()
            assert plotengine.live_objects() == 2  # the configuration and the feed
            assert not plotengine._raw.registry
            memory.append(resident())
    print("kB resident, every thousand engines:", *memory)
    # The memory that Python and malloc keep levels off in the first thousands; from there on it is flat.
    assert max(memory[3:]) - memory[2] < 3000, memory


def test_a_million_calls() -> None:
    """Calls, errors, lists and callbacks leave nothing behind."""
    with Engine(CONFIG, feed=FEED, time=T0, on_event=lambda event: None) as engine:
        Town.enter(engine)
        memory = []
        for _ in range(5):
            for _ in range(4000):
                engine.sent_notifications()
                engine.loaded_geotriggers(1)
                engine.segmentation_properties()
                with pytest.raises(plotengine.NotFoundError):
                    engine.open_notification("nobody", time=T0)
            gc.collect()
            memory.append(resident())
        assert max(memory[2:]) - memory[1] < 2000, memory
