"""Clocks that are set, back and forth, and the time zone of the machine."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, Town, at, python

import plotengine
from plotengine import ClockReading, Engine, InvalidArgumentError, OutOfOrderError, system_clock, system_time_zone
from plotengine.asyncio import AsyncEngine

DAY = 86_400_000


class Device:
    """The clocks of a device: time passes, and the wall clock is set."""

    def __init__(self, wall: datetime = T0, boot: str = "first") -> None:
        self.wall = int(wall.timestamp() * 1000)
        self.monotonic = 5000
        self.boot = boot

    def __call__(self) -> ClockReading:
        return ClockReading(self.wall, self.monotonic, self.boot)

    def wait(self, seconds: float) -> None:
        self.wall += round(seconds * 1000)
        self.monotonic += round(seconds * 1000)

    def set(self, milliseconds: int) -> None:
        self.wall += milliseconds


def visiting(device: Any, **arguments: Any) -> Engine:
    """An engine that has just come into the museum, where a dwelling takes five minutes."""
    engine = Engine(CONFIG, feed=FEED, clock=device, time_zone=None, **arguments)
    engine.update_location(*AWAY)
    device.wait(60)
    engine.update_location(*MUSEUM)
    return engine


@pytest.mark.parametrize("ahead", [timedelta(minutes=11), timedelta(days=7168)])
def test_a_time_from_the_future_is_refused(ahead: timedelta) -> None:
    """Whoever gives it: the engine's own clock is asked first. All at once, too."""
    device = Device()
    decisions: list[str] = []
    with Engine(CONFIG, feed=FEED, clock=device, time_zone=None) as engine:
        engine.on_decision(lambda decision: decisions.append(str(decision.reason)))
        future = T0 + ahead
        for _ in range(3):
            with pytest.raises(InvalidArgumentError, match="at most 2026"):
                engine.update_location(*MUSEUM, time=future)
        effects = engine.update_locations([T0 + timedelta(seconds=1), future], [AWAY[0]] * 2, [AWAY[1]] * 2)
        assert [(int(e["kind"]), int(e["fix"])) for e in effects] == [(int(plotengine.EffectKind.REFUSED), 1)]
        assert decisions.count("ahead") == 4
        device.wait(60)
        engine.update_location(*MUSEUM)
        assert [visit.region for visit in engine.visits()] == ["museum"]
        engine.advance(time=T0 + timedelta(minutes=10))


def test_a_store_that_a_time_has_spoiled_opens_with_the_true_one(tmp_path: Path) -> None:
    device = Device()
    with Engine(CONFIG, feed=FEED, store=tmp_path / "s", time_zone=None, clock=lambda: device.wall) as engine:
        engine.update_location(*AWAY, time=T0 + timedelta(days=7168))
        with pytest.raises(OutOfOrderError, match="set_clock"):
            engine.update_location(*MUSEUM)
    device.wait(60)
    with Engine(CONFIG, feed=FEED, store=tmp_path / "s", time_zone=None, clock=device) as engine:
        device.wait(1)
        engine.update_location(*MUSEUM)
        assert [visit.region for visit in engine.visits()] == ["museum"]


@pytest.mark.parametrize("step", [-200, -999, -1000, -5000, -DAY, -400 * DAY, 200, 999, 5000, DAY])
def test_a_clock_that_is_set_refuses_no_fix(step: int) -> None:
    """Every fix is taken, and a wait of five minutes is one of five minutes, whatever the wall clock says."""
    device = Device()
    shown: list[str] = []
    with visiting(device, on_show=lambda n: shown.append(n.campaign_id)) as engine:
        assert shown == ["welcome"]
        device.wait(120)
        engine.update_location(*MUSEUM)
        device.set(step)
        for _ in range(10):
            engine.update_location(*MUSEUM)
            device.wait(0.1)
        assert [visit.region for visit in engine.visits()] == ["museum"]
        device.wait(177 - (step if 0 < step < 1000 else 0) / 1000)
        engine.advance()
        assert shown == ["welcome"]
        device.wait(3 + 2 * (abs(step) < 1000))
        engine.advance()
        assert shown == ["welcome", "stay"]
        sent = engine.sent_notifications()[-1].date_sent
        assert sent is not None
        assert abs(sent - datetime.fromtimestamp(device.wall / 1000, timezone.utc)) < timedelta(seconds=6)


def test_a_clock_that_is_set_again_and_again() -> None:
    """Days of it, by all sizes: no fix is refused, and each dwelling comes after its five minutes."""
    chance = random.Random(4)
    device = Device()
    shown: list[tuple[str, int]] = []
    with Engine(
        CONFIG,
        feed=FEED,
        clock=device,
        time_zone=None,
        on_show=lambda n: shown.append((n.campaign_id, device.monotonic)),
    ) as engine:
        for _ in range(60):
            engine.update_location(*AWAY)
            device.wait(60)
            engine.update_location(*MUSEUM)
            entered = device.monotonic
            while device.monotonic < entered + 400_000:
                device.wait(chance.choice([0.01, 1, 10]))
                if chance.random() < 0.2:
                    device.set(chance.choice([-1, 1]) * chance.choice([1, 200, 999, 1001, 60_000, DAY, 30 * DAY]))
                engine.update_location(*MUSEUM)
            stays = [moment for name, moment in shown if name == "stay"]
            assert len(stays) == 1
            # A difference of less than a second is drift, and each change of the clock may leave as much behind.
            assert abs(stays[0] - entered - 300_000) < 60_000
            shown.clear()


def test_a_device_that_is_started_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    device = Device()
    visiting(device, store=store).close()
    device.wait(30)
    device.set(-DAY)  # while it is off
    with Engine(CONFIG, store=store, clock=device, time_zone=None) as engine:
        engine.update_location(*MUSEUM)
        (visit,) = engine.visits()
        device.wait(60)
        engine.update_location(*MUSEUM)
        assert engine.visits() == [visit]
    device.boot, device.monotonic = "second", 10
    device.set(-3 * DAY)
    with Engine(CONFIG, store=store, clock=device, time_zone=None) as engine:
        engine.update_location(*MUSEUM)
        assert engine.visits() == [visit]


def inputs(lines: list[str]) -> list[str]:
    """The kinds of the inputs of a recording, behind its first lines."""
    return [next(iter(record)) for record in map(json.loads, lines) if "effect" not in record]


def test_a_time_of_the_caller_is_taken_as_it_is() -> None:
    """An engine that starts at a time of the caller's is never told of a clock, nor is one with a plain clock."""
    device = Device(at(3600))
    for arguments in ({"time": T0, "clock": device}, {"clock": lambda: device.wall}):
        lines: list[str] = []
        given: dict[str, Any] = dict(arguments)
        with Engine(CONFIG, feed=FEED, time_zone=None, on_recording=lines.append, **given) as engine:
            engine.update_location(*AWAY)
            device.set(-5000)
            with pytest.raises(OutOfOrderError):
                engine.update_location(*AWAY)
            engine.update_location(*AWAY, time=at(90_000))
        assert lines
        assert not any('"boot"' in line for line in lines)
    lines = []
    with Engine(CONFIG, feed=FEED, time_zone=None, on_recording=lines.append, clock=device) as engine:
        engine.update_location(*AWAY)
        told = sum('"boot"' in line for line in lines)
        assert told > 0
        device.wait(60)
        device.set(-DAY)
        with pytest.raises(OutOfOrderError):  # a time of the caller's: nobody asks a clock
            engine.update_location(*AWAY, time=device.wall)
        engine.update_location(*AWAY)
        engine.update_location(*AWAY, time=device.wall + 1)
        assert sum('"boot"' in line for line in lines) > told


def test_a_host_that_tells_the_clock_itself() -> None:
    device = Device()
    with Engine(clock=device) as engine:
        engine.set_clock(1, "the host's")
        engine.init(CONFIG, feed=FEED, time_zone=None)
        engine.update_location(*AWAY)
        device.set(-DAY)
        with pytest.raises(OutOfOrderError):
            engine.update_location(*AWAY)
        engine.set_clock(2, "the host's")
        engine.update_location(*AWAY)
    with Engine(CONFIG, feed=FEED, clock=device, time_zone=None) as engine:
        engine.update_location(*AWAY)
        engine.set_clock(device.monotonic, device.boot)
        device.set(-DAY)
        with pytest.raises(OutOfOrderError):
            engine.update_location(*AWAY)


def test_callbacks_of_a_clock_that_is_set() -> None:
    """The error that one of them raises comes out of the call that told of the clock, which is done all the same."""
    device = Device()

    class Mine(Exception):
        pass

    with visiting(device) as engine:
        raised = Mine()
        wakeups: list[Any] = []

        @engine.on_wakeup
        def wakeup(when: datetime | None) -> None:
            wakeups.append(when)
            if len(wakeups) == 1:
                raise raised

        device.wait(10)
        device.set(-DAY)
        with pytest.raises(Mine) as caught:
            engine.update_location(*AWAY)
        assert caught.value is raised
        assert wakeups[0] == at(60 + 300 - 86_400)
        assert engine.visits() == []  # the fix was taken
        engine.on_wakeup(None)

        @engine.on_event
        def event(happened: plotengine.Event) -> None:
            engine.advance()  # of the same time: the clock is not asked, and not told twice

        device.wait(10)
        device.set(-DAY)
        engine.update_location(*MUSEUM)
        assert [visit.region for visit in engine.visits()] == ["museum"]


def test_clocks_that_will_not_do() -> None:
    class Wrong(Device):
        def __call__(self) -> Any:
            return ClockReading(self.wall, self.monotonic, self.boot)

    device = Wrong()
    device.monotonic = "5"  # type: ignore[assignment]
    with pytest.raises(TypeError, match="monotonic_ms of the clock must be an int, not str"):
        Engine(CONFIG, clock=device)
    device = Wrong(boot="")
    with pytest.raises(InvalidArgumentError, match="boot_id"):
        Engine(CONFIG, clock=device)
    device = Wrong()
    with visiting(device) as engine:
        device.set(-DAY)
        device.monotonic = 4999  # before what the engine was given
        with pytest.raises(InvalidArgumentError, match="monotonic_ms"):
            engine.update_location(*MUSEUM)
        assert [visit.region for visit in engine.visits()] == ["museum"]
    with pytest.raises(InvalidArgumentError, match="did you give seconds"):
        Engine(CONFIG, clock=lambda: int(time.time()))


def test_the_clock_of_this_machine() -> None:
    before = time.time_ns() // 1_000_000
    one = system_clock()
    time.sleep(0.02)
    two = system_clock()
    after = time.time_ns() // 1_000_000
    assert isinstance(one.time, int)
    assert isinstance(two.time, int)
    assert before <= one.time <= two.time <= after
    assert 15 <= two.monotonic_ms - one.monotonic_ms <= after - before + 1
    assert one.boot_id == two.boot_id
    uptime = float(Path("/proc/uptime").read_text(encoding="ascii").split()[0])
    assert abs(two.monotonic_ms / 1000 - uptime) < 10
    assert python("import plotengine; print(plotengine.system_clock().boot_id)").stdout.strip() == one.boot_id


def test_a_timer_on_a_clock_that_is_set() -> None:
    """A clock is set back by a day while a timer waits: it still runs out when the time has passed."""

    async def day() -> None:
        device = Device()
        shown: list[str] = []
        async with AsyncEngine(
            CONFIG,
            feed=FEED,
            clock=device,
            time_zone=None,
            longest_sleep=0.01,
            on_show=lambda n: shown.append(n.campaign_id),
        ) as engine:
            engine.update_location(*AWAY)
            device.wait(60)
            engine.update_location(*MUSEUM)
            device.wait(200)
            device.set(-DAY)
            await asyncio.sleep(0.05)
            assert shown == ["welcome"]
            device.wait(101)
            for _ in range(500):
                if len(shown) == 2:
                    break
                await asyncio.sleep(0.01)
            assert shown == ["welcome", "stay"]

    asyncio.run(day())


# ---- Time zones -------------------------------------------------------------------------------------------------

QUIET = {**FEED, "settings": {"quietHours": {"hours": {"daily": [["22:00", "07:00"]]}}}}


@pytest.mark.parametrize(
    ("variable", "zone"),
    [
        ("Europe/Amsterdam", "Europe/Amsterdam"),
        (":Asia/Kathmandu", "Asia/Kathmandu"),
        ("/usr/share/zoneinfo/America/New_York", "America/New_York"),
        ("UTC", "UTC"),
        ("UTC0", "UTC"),
        ("", "UTC"),
    ],
)
def test_an_engine_has_the_zone_of_its_process(variable: str, zone: str) -> None:
    """In a process of that zone, and quiet hours go by it."""
    done = python(
        """
        import json, sys
        from datetime import datetime
        from plotengine import Engine, system_time_zone

        config, feed = json.loads(sys.argv[1])
        at = int(datetime(2026, 3, 1, 12, 0).timestamp()) * 1000  # noon by the process
        for hours in (-11, 0, 11):  # 1, 12 and 23 o'clock
            with Engine(config, feed=feed, time=at + hours * 3_600_000 - 60_000) as engine:
                engine.update_location(52.40, 4.90, time=at + hours * 3_600_000 - 60_000)
                engine.update_location(52.36, 4.885, time=at + hours * 3_600_000)
                print(engine.time_zone(), system_time_zone(), len(engine.sent_notifications()))
        """,
        json.dumps([CONFIG, QUIET]),
        TZ=variable,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{zone} {zone} {shown}" for shown in (0, 1, 0)]
    assert done.stderr == ""


def test_a_process_without_a_zone_says_so_once() -> None:
    for variable in ("Mars/Olympus", "CET-1CEST,M3.5.0,M10.5.0/3", "../../etc/passwd", "posix/Europe/Amsterdam/.."):
        done = python(
            """
            import plotengine
            for _ in range(3):
                with plotengine.Engine({"publicToken": "t"}) as engine:
                    print(engine.time_zone(), plotengine.system_time_zone())
            """,
            TZ=variable,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["UTC", "None"] * 3
        assert done.stderr.count("\n") == 1
        assert f"TZ is {variable!r}" in done.stderr
        assert "give its IANA name with time_zone=" in done.stderr


def link(root: Path, target: str) -> None:
    (root / "etc").mkdir(exist_ok=True)
    (root / "etc/localtime").unlink(missing_ok=True)
    (root / "etc/localtime").symlink_to(target)


def test_the_zone_of_a_machine(tmp_path: Path) -> None:
    """Links as distributions make them, copies, and nothing at all."""
    zones = tmp_path / "usr/share/zoneinfo"
    for name in ("Europe/Amsterdam", "Asia/Tokyo", "Etc/UTC", "posix/Asia/Tokyo", "Japan"):
        (zones / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path("/usr/share/zoneinfo") / name.replace("posix/", ""), zones / name)

    def zone(**environment: str) -> str | None:
        return system_time_zone(environment, str(tmp_path))

    assert zone() is None
    assert zone(TZ="Europe/Amsterdam") == "Europe/Amsterdam"
    assert zone(TZ="Europe/Nowhere") is None
    for target, name in {
        "/usr/share/zoneinfo/Europe/Amsterdam": "Europe/Amsterdam",
        "../usr/share/zoneinfo/Asia/Tokyo": "Asia/Tokyo",
        "/usr/share/zoneinfo/posix/Asia/Tokyo": "Asia/Tokyo",
        "/etc/zoneinfo/America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
        "/usr/share/zoneinfo/Etc/UTC": "UTC",
        "/usr/share/zoneinfo/Etc/GMT+5": "Etc/GMT+5",
    }.items():
        link(tmp_path, target)
        assert zone() == name
    link(tmp_path, "zone")
    (tmp_path / "etc/zone").symlink_to("../usr/share/zoneinfo/Asia/Tokyo")
    assert zone() == "Asia/Tokyo"
    local = tmp_path / "etc/localtime"
    local.unlink()
    shutil.copy(zones / "Asia/Tokyo", local)
    assert zone() == "Asia/Tokyo"  # and not Japan, nor posix/Asia/Tokyo
    (tmp_path / "etc/timezone").write_text("Japan\n", encoding="ascii")
    assert zone() == "Japan"
    (tmp_path / "etc/timezone").write_text("Europe/Amsterdam\n", encoding="ascii")
    assert zone() == "Asia/Tokyo"  # it says something else
    local.write_bytes(b"no zone")
    assert zone() is None
    local.unlink()
    local.mkdir()
    assert zone() is None


def test_a_zone_that_is_given(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Engine(CONFIG, store=store, time=T0, time_zone="Asia/Tokyo") as engine:
        assert engine.time_zone() == "Asia/Tokyo"
    with Engine(CONFIG, store=store, time=T0, time_zone=None) as engine:
        assert engine.time_zone() == "Asia/Tokyo"  # remembered
    with Engine(CONFIG, store=store, time=T0) as engine:
        assert engine.time_zone() == system_time_zone()
    with Engine(CONFIG, time=T0, time_zone=None) as engine:
        assert engine.time_zone() == "UTC"
    for wrong, kind in (("Mars/Olympus", InvalidArgumentError), ("", InvalidArgumentError), (7, TypeError)):
        with Engine() as engine:
            given: Any = wrong
            with pytest.raises(kind, match=r"^time_zone(:| must be)"):
                engine.init(CONFIG, store=tmp_path / "other", time=T0, time_zone=given)
            assert not (tmp_path / "other").exists()  # nothing was initialized
            with pytest.raises(plotengine.NotInitializedError):
                engine.visits()
    with pytest.raises(TypeError, match="time_zone go with a configuration"):
        Engine(time_zone="UTC")


def test_a_recording_does_not_know_the_machine() -> None:
    """The same lines in every zone, where times and the zone are given."""
    code = """
        from conftest import Town, AWAY, MUSEUM, at
        lines = []
        with Town.engine(on_recording=lines.append) as engine:
            Town.enter(engine)
            engine.advance(time=at(400))
        print("\\n".join(lines))
    """
    tokyo, here = python(code, TZ="Asia/Tokyo"), python(code, TZ=None)
    assert tokyo.returncode == 0, tokyo.stderr
    assert tokyo.stdout.count("\n") > 5
    assert tokyo.stdout == here.stdout
    assert os.environ.get("TZ") is None or tokyo.stdout


def test_starts_with_callbacks_that_raise(tmp_path: Path) -> None:
    """A callback's error comes out of init when all of it is done: the engine has its feed and its zone."""

    class Mine(Exception):
        pass

    def log(level: object, line: str) -> None:
        raise raised

    raised = Mine()
    with Engine(on_log=log) as engine:
        with pytest.raises(Mine) as caught:
            engine.init({**CONFIG, "debug": True}, feed=FEED, time=T0, time_zone="Asia/Tokyo")
        assert caught.value is raised
        engine.on_log(None)
        assert len(engine.loaded_notifications()) == 4
        assert engine.time_zone() == "Asia/Tokyo"
        Town.enter(engine)
