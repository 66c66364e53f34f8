"""Many fixes in one call: the same as single calls, whatever the columns are made of."""

from __future__ import annotations

import gc
import itertools
import json
import random
import re
import subprocess
import sys
import threading
from array import array
from pathlib import Path
from typing import Any, Callable

import numpy
import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, ROOT, T0, Town, at
from test_fork import in_child

import plotengine
from plotengine import (
    NO_POSITION,
    ClosedError,
    Effect,
    EffectKind,
    Engine,
    Feed,
    Fleet,
    ForkedError,
    InvalidArgumentError,
    NotInitializedError,
    Status,
    _batch,
    _convert,
    vectors,
)

START = int(T0.timestamp() * 1000)
ENTER, EXIT = EffectKind.REGION_ENTER, EffectKind.REGION_EXIT


def walk(
    *places: tuple[float, float], start: int = START, step: int = 60_000
) -> tuple[list[int], list[float], list[float]]:
    """Columns of fixes, a minute apart."""
    times = [start + step * index for index in range(len(places))]
    return times, [place[0] for place in places], [place[1] for place in places]


VISIT = walk(AWAY, MUSEUM, MUSEUM, AWAY)


def quiet() -> Engine:
    return Engine(CONFIG, feed=FEED, time=T0)


def named(effects: Any) -> list[Effect]:
    return [effect if isinstance(effect, Effect) else Effect(*effect.tolist()) for effect in effects]


def test_a_replay_follows_the_wakeups() -> None:
    feed = {
        **FEED,
        "campaigns": [{**FEED["campaigns"][0], "trigger": "dwelling", "dwellingMinutes": 5, "resend": True}],
    }
    config = {**CONFIG, "engine": {**CONFIG.get("engine", {}), "proof": {"maxAge": 0}}}
    engines = [Engine(config, feed=feed, time=T0) for _ in range(2)]
    times, latitudes, longitudes = walk(AWAY, MUSEUM, AWAY, step=600_000)
    fleet = Fleet(engines)
    effects = named(fleet.replay([1, 1, 1], times, latitudes, longitudes, until=at(1200)))
    dwells = [effect for effect in effects if effect.kind == EffectKind.REGION_DWELL]
    assert [(effect.time_ms, effect.fix, effect.device) for effect in dwells] == [(START + 900_000, 2, 1)]
    shown = [effect for effect in effects if effect.kind == EffectKind.NOTIFICATION_SHOWN]
    assert [effect.time_ms for effect in shown] == [START + 900_000]

    assert named(fleet.replay([0, 0], *walk(AWAY, MUSEUM, start=START + 2_000_000)))
    late = named(fleet.replay([], [], [], [], until=START + 3_000_000))
    assert {(effect.fix, effect.device) for effect in late} == {(NO_POSITION, 0)}
    with pytest.raises(InvalidArgumentError, match="until_ms: expected -1, or a time"):
        fleet.replay([], [], [], [], until=1 << 60)
    engines[1].close()
    with pytest.raises(ClosedError):
        fleet.replay([], [], [], [])
    assert named(fleet.update_locations([0], [START + 4_000_000], [AWAY[0]], [AWAY[1]]))
    engines[0].close()


KINDS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "numpy": lambda: (numpy.array(VISIT[0]), numpy.array(VISIT[1]), numpy.array(VISIT[2])),
    "array": lambda: (array("q", VISIT[0]), array("d", VISIT[1]), array("d", VISIT[2])),
    "memoryview": lambda: (memoryview(array("l", VISIT[0])), memoryview(array("d", VISIT[1])), array("d", VISIT[2])),
    "read-only": lambda: (
        memoryview(array("q", VISIT[0])).toreadonly(),
        memoryview(array("d", VISIT[1])).toreadonly(),
        VISIT[2],
    ),
    "lists": lambda: VISIT,
    "tuples and datetimes": lambda: (tuple(at(60 * index) for index in range(4)), tuple(VISIT[1]), iter(VISIT[2])),
    "every other one": lambda: tuple(numpy.repeat(numpy.array(column), 2)[::2] for column in VISIT),
    "backwards": lambda: tuple(numpy.array(column[::-1])[::-1] for column in VISIT),
    "strided memoryview": lambda: (
        memoryview(array("q", [t for time in VISIT[0] for t in (time, 0)]))[::2],
        VISIT[1],
        VISIT[2],
    ),
    "datetime64": lambda: (numpy.array(VISIT[0], "datetime64[ms]"), numpy.array(VISIT[1]), VISIT[2]),
    "datetime64 of seconds": lambda: (numpy.array(VISIT[0], "M8[ms]").astype("M8[s]"), VISIT[1], VISIT[2]),
    "other numbers": lambda: (
        numpy.array(VISIT[0], ">i8"),
        numpy.array(VISIT[1], ">f8"),
        numpy.array(VISIT[2], "longdouble"),
    ),
    "objects": lambda: (numpy.array(VISIT[0], object), numpy.array(VISIT[1], object), VISIT[2]),
}


@pytest.fixture(params=[True, False], ids=["with numpy", "without"])
def with_numpy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if not request.param:
        monkeypatch.setitem(_batch._cache, "numpy", None)
    return bool(request.param)


@pytest.mark.parametrize("kind", KINDS)
def test_columns(kind: str) -> None:
    with quiet() as engine:
        effects = engine.update_locations(*KINDS[kind]())
        kinds = [ENTER, EffectKind.GEOTRIGGER, EffectKind.NOTIFICATION_SHOWN, EXIT, EffectKind.NOTIFICATION_SHOWN]
        assert effects["kind"].tolist() == kinds
        assert effects["fix"].tolist() == [1, 1, 1, 3, 3]
        assert effects["time_ms"].tolist() == [START + 60_000] * 3 + [START + 180_000] * 2


def test_together(with_numpy: bool) -> None:
    """In any order and twice: nothing is shown for a visit that is over, and what is refused says so."""
    shown: list[str] = []
    times, latitudes, longitudes = VISIT
    order = [3, 1, 0, 2, 2]
    mixed = [[column[i] for i in order] for column in (times, latitudes, longitudes)]
    with Engine(
        CONFIG, feed=FEED, time=T0, on_show=lambda notification: shown.append(notification.campaign_id)
    ) as engine:
        effects = named(engine.update_locations(*mixed, together=True, time=at(600)))
        kinds = [ENTER, EffectKind.GEOTRIGGER, EXIT, EffectKind.NOTIFICATION_SHOWN]
        assert [effect.kind for effect in effects] == kinds
        assert [effect.fix for effect in effects] == [1, 1, 0, 0]
        assert shown == ["bye"]
        late = named(engine.update_locations(*VISIT, together=True, time=at(601)))
        assert [(effect.kind, effect.detail) for effect in late] == [(EffectKind.REFUSED, 5)] * 4
        assert named(engine.update_locations([], [], [], together=True, time=at(602))) == []
        with pytest.raises(TypeError, match="together=True"):
            engine.update_locations(*VISIT, time=at(700))


def test_records(with_numpy: bool) -> None:
    feed = Feed(FEED)
    with Engine(CONFIG, feed=feed, time=T0) as engine:
        effects = engine.update_locations(*VISIT)
        assert isinstance(effects, numpy.ndarray) == with_numpy
        assert len(effects) == 5
        if with_numpy:
            assert effects.dtype.names == Effect._fields and effects.itemsize == 40 and effects.flags.writeable
        effects = named(effects)
        first = effects[0]
        assert (first.kind, first.fix, first.device, first.number, first.detail) == (ENTER, 1, 0, 1, 1)
        assert (feed.region_id(first.region), feed.campaign_id(first.campaign)) == ("museum", None)
        assert [feed.campaign_id(effect.campaign) for effect in effects] == [None, "count", "welcome", None, "bye"]
        assert [effect.number for effect in effects] == [1, 2, 3, 4, 5]
        if not with_numpy:
            assert first == Effect(START + 60_000, 1, 1, 0, ENTER, 1, 0, NO_POSITION)
            assert first.kind.name == "REGION_ENTER"
        # Nothing: an empty one of the same type.
        nothing = engine.update_locations([], [], [])
        assert len(nothing) == 0
        assert isinstance(nothing, numpy.ndarray) == with_numpy


def test_without_numpy_at_all() -> None:
    program = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "from plotengine import Effect, Engine, Fleet\n"
        f"engine = Engine({CONFIG!r}, feed={FEED!r}, time={START})\n"
        f"effects = engine.update_locations(*{VISIT!r})\n"
        "assert type(effects) is list and type(effects[0]) is Effect and len(effects) == 5, effects\n"
        f"assert Fleet([engine]).update_locations([0], [{START}], [1], [2])[0].kind.name == 'REFUSED'\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_numpy_is_not_imported_for_nothing() -> None:
    program = (
        "import sys\n"
        "from plotengine import Engine\n"
        f"engine = Engine({CONFIG!r}, feed={FEED!r}, time={START})\n"
        f"engine.update_location(52, 4, time={START})\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_refused() -> None:
    times = [START, START - 1, START + 1, 1 << 62]
    with quiet() as engine:
        effects = engine.update_locations(times, [52.0, 52.0, float("nan"), 52.0], [4.0] * 4)
    assert effects["kind"].tolist() == [EffectKind.REFUSED] * 3
    assert effects["fix"].tolist() == [1, 2, 3]
    assert effects["detail"].tolist() == [Status.OUT_OF_ORDER, Status.INVALID_ARGUMENT, Status.INVALID_ARGUMENT]
    assert effects["time_ms"].tolist() == times[1:]
    assert effects["region"].tolist() == [NO_POSITION] * 3


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (([1], [2.0], [3.0, 4.0]), ValueError, "longitudes must be as many as times, 1, not 2"),
        (([1], [2.0], [3.0], []), ValueError, "accuracies must be as many as times, 1, not 0"),
        (([1.5], [2.0], [3.0]), TypeError, "times must be an aware datetime or an int of milliseconds, not float"),
        ((["a"], [2.0], [3.0]), TypeError, "times must be"),
        (([1 << 63], [2.0], [3.0]), OverflowError, "times"),
        (([1], ["2"], [3.0]), TypeError, "latitudes: "),
        (([1], 2.0, [3.0]), TypeError, "latitudes must be a sequence or a buffer, not float"),
        (([1], "2", [3.0]), TypeError, "latitudes must be a sequence or a buffer, not str"),
        (([1], None, [3.0]), TypeError, "latitudes must be a sequence or a buffer, not NoneType"),
        ((numpy.array([1.0]), [2.0], [3.0]), TypeError, "times must be numbers for int64, not float64"),
        (([1], numpy.array(["2"]), [3.0]), TypeError, "latitudes must be numbers for float64, not <U1"),
        (([1], numpy.array([[2.0]]), [3.0]), ValueError, "latitudes must have one dimension, not 2"),
        (
            ([1], memoryview(b"12345678").cast("d", (1, 1)), [3.0]),
            ValueError,
            "latitudes must have one dimension, not 2",
        ),
    ],
)
def test_wrong_columns(columns: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with quiet() as engine, pytest.raises(error) as caught:
        engine.update_locations(*columns)
    assert str(caught.value).startswith(message)


def test_no_copy() -> None:
    """An array that fits goes in as it is: by the address of its own memory."""
    for values, code in (
        (numpy.arange(3.0), "d"),
        (numpy.arange(3), "q"),
        (numpy.arange(3, dtype="uint32"), "I"),
    ):
        assert _batch.column(values, "values", code)[0] == values.ctypes.data
        buffer = array(code, [1, 2, 3])
        assert _batch.column(buffer, "values", code)[0] == buffer.buffer_info()[0]
        frozen = values.copy()
        frozen.flags.writeable = False
        assert _batch.column(frozen, "values", code)[0] == frozen.ctypes.data


def test_any_split_gives_the_same() -> None:
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    time, place = START, list(MUSEUM)
    fixes = []
    for _ in range(400):
        time += dice.randrange(-5_000, 90_000)
        place = [place[i] + (MUSEUM[i] - place[i]) / 8 + dice.uniform(-0.001, 0.001) for i in (0, 1)]
        fixes.append((time, *place, dice.uniform(0, 60), dice.uniform(-1, 30), dice.uniform(-1, 360)))

    def run(sizes: Callable[[], int]) -> tuple[list[str], list[Any], Any]:
        told: list[str] = []
        with Engine(
            CONFIG,
            feed=FEED,
            time=T0,
            on_filter=list,
            on_geotriggers=list,
            on_event=lambda event: told.append(event.raw),
            on_wakeup=lambda at: told.append(str(at)),
        ) as engine:
            effects: list[Any] = []
            first = 0
            while first < len(fixes):
                part = fixes[first : first + sizes()]
                for effect in named(engine.update_locations(*zip(*part))):
                    effects.append(effect._replace(fix=effect.fix + first))
                first += len(part)
            return told, effects, engine.visits()

    single = run(lambda: 1)
    assert len(single[0]) > 20, seed
    assert single == run(lambda: dice.randrange(1, 100)), seed
    assert single == run(lambda: len(fixes)), seed


class InCalls(vectors.Scenario):
    """A scenario whose fixes that follow each other are given in one call, and every other time to a fleet."""

    calls = 0

    def run(self) -> str:
        try:
            given = enumerate(self.scenario["inputs"])
            for is_fix, group in itertools.groupby(given, lambda pair: "fix" in pair[1]):
                if is_fix:
                    self.give(*zip(*group))
                    continue
                for index, value in group:
                    try:
                        self._input(value)
                    except plotengine.PlotError as error:
                        self.refused(index, error.name)
        finally:
            self.engine.close()
        return "".join(line + "\n" for line in self.effects)

    def give(self, indices: tuple[int, ...], inputs: tuple[Any, ...]) -> None:
        fixes = [value["fix"] for value in inputs]
        columns = [numpy.array([_convert.milliseconds(_convert.parse_time(fix["time"])) for fix in fixes])]
        for key, otherwise in (("latitude", None), ("longitude", None), ("accuracy", 0), ("speed", -1), ("course", -1)):
            columns.append(numpy.array([fix.get(key, otherwise) for fix in fixes], float))
        InCalls.calls += 1
        if InCalls.calls % 2:
            effects = Fleet([self.engine]).update_locations(numpy.zeros(len(fixes), int), *columns)
        else:
            effects = self.engine.update_locations(*columns)
        for effect in effects[effects["kind"] == EffectKind.REFUSED]:
            self.refused(indices[effect["fix"]], f"PLOT_{Status(effect['detail']).name}")

    def refused(self, index: int, name: str) -> None:
        self._effect(f'"effect":"status","input":{index},"status":"{name}"')


def statuses_last(effects: str) -> list[str]:
    """The lines, those about refused inputs behind all others, without their messages."""
    lines = [re.sub(r'^(\{"effect":"status".*?"status":"\w+").*', r"\1}", line) for line in effects.splitlines()]
    return sorted(lines, key=lambda line: line.startswith('{"effect":"status"'))


@pytest.mark.parametrize("path", vectors.scenarios(ROOT / "Tests" / "vectors"), ids=lambda path: path.stem)
def test_vectors(path: Path, tmp_path: Path) -> None:
    given = InCalls(json.loads(path.read_text(encoding="utf-8")), tmp_path).run()
    expected = path.with_suffix(".effects.jsonl").read_text(encoding="utf-8")
    assert statuses_last(given) == statuses_last(expected)


def test_what_a_callback_raises() -> None:
    """All fixes are taken; then it is raised."""
    events: list[str] = []

    def tell(event: plotengine.Event) -> None:
        events.append(event.event)
        if event.event == "region-enter":
            raise LookupError(event.event)

    with Engine(CONFIG, feed=FEED, time=T0, on_event=tell) as engine:
        with pytest.raises(LookupError, match="region-enter"):
            engine.update_locations(*VISIT)
        assert events.count("region-exit") == 1
        fleet = Fleet([engine])
        with pytest.raises(LookupError, match="region-enter"):
            fleet.update_locations([0] * 4, *walk(AWAY, MUSEUM, MUSEUM, AWAY, start=START + 600_000))
        assert events.count("region-exit") == 2


def test_a_column_cannot_be_resized_in_a_callback() -> None:
    first, *others = walk(AWAY, MUSEUM)
    times = array("q", first)
    with Engine(CONFIG, feed=FEED, time=T0, on_show=lambda notification: times.append(1)) as engine:
        with pytest.raises(BufferError):
            engine.update_locations(times, *others)
        times.append(1)


def test_threads() -> None:
    """Calls on one engine take turns; what happens is in the effects of one of them, at most."""
    events: list[int] = []
    with Engine(CONFIG, feed=FEED, time=T0, on_event=lambda event: events.append(event.sequence)) as engine:
        found: list[int] = []

        def run(shift: int) -> None:
            for round in range(50):
                start = START + round * 1_000_000 + shift
                effects = engine.update_locations(*walk(AWAY, MUSEUM, AWAY, MUSEUM, AWAY, start=start, step=100_000))
                found.extend(effects["number"][effects["kind"] != EffectKind.REFUSED].tolist())

        threads = [threading.Thread(target=run, args=(shift,)) for shift in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(events) > 100
    assert events == sorted(events)
    assert len(found) == len(set(found))
    assert set(found) <= set(events)


def test_close_in_a_callback() -> None:
    for in_fleet in (False, True):
        engine = quiet()
        engine.on_show(lambda notification, engine=engine: engine.close())
        effects = Fleet([engine]).update_locations([0] * 4, *VISIT) if in_fleet else engine.update_locations(*VISIT)
        refused = effects[effects["kind"] == EffectKind.REFUSED]
        assert refused["fix"].tolist() == [2, 3]
        assert refused["detail"].tolist() == [Status.CLOSED] * 2
        assert engine.closed
        del engine


def test_answers_have_the_time_of_the_fix() -> None:
    """In a replay of another year: an answer is of the moment it is asked, not of today."""
    for in_fleet in (False, True):
        with Engine(CONFIG, feed=FEED, time=T0, on_filter=list) as engine:
            if in_fleet:
                Fleet([engine]).update_locations([0] * 2, *walk(AWAY, MUSEUM))
            else:
                engine.update_locations(*walk(AWAY, MUSEUM))
            assert [sent.date_sent for sent in engine.sent_notifications()] == [at(60)]
            engine.update_location(*AWAY, time=at(120))


def test_fleet(with_numpy: bool) -> None:
    engines = [quiet() for _ in range(5)]
    fleet = Fleet(engines)
    assert (len(fleet), fleet[1], list(fleet)) == (5, engines[1], engines)
    times, latitudes, longitudes = [], [], []
    devices = []
    for step, place in enumerate((AWAY, MUSEUM, AWAY)):
        for device in (4, 0, 2, 3):
            devices.append(device)
            times.append(START + 60_000 * step + device)
            latitudes.append(place[0] if device != 3 else AWAY[0])
            longitudes.append(place[1])
    effects = named(fleet.update_locations(numpy.array(devices), times, latitudes, longitudes))
    assert {effect.device for effect in effects} == {0, 2, 4}
    for effect in effects:
        assert effect.device == devices[effect.fix]
        assert effect.time_ms == times[effect.fix]
    assert sum(effect.kind == ENTER for effect in effects) == 3
    for engine in engines:
        engine.close()


def test_fleet_faults() -> None:
    with quiet() as one, quiet() as other:
        fleet = Fleet([one, other, Engine()])
        fixes = walk(MUSEUM, MUSEUM)
        with pytest.raises(ValueError, match="devices must be as many as times, 2, not 1"):
            fleet.update_locations([0], *fixes)
        with pytest.raises(InvalidArgumentError, match=r"devices\[1\]: expected a number below 3, found 3"):
            fleet.update_locations([0, 3], *fixes)
        with pytest.raises(OverflowError, match="devices"):
            fleet.update_locations([0, -1], *fixes)
        with pytest.raises(OverflowError, match="devices must be from 0 to 4294967295"):
            fleet.update_locations(numpy.array([0, -1]), *fixes)
        with pytest.raises(NotInitializedError, match=r"engines\[2\]"):
            fleet.update_locations([0, 2], *fixes)
        other.close()
        with pytest.raises(ClosedError, match=r"engines\[1\]: the engine is closed"):
            fleet.update_locations([0, 1], *fixes)
        assert one.visits() == []
        assert len(fleet.update_locations([0, 0], *fixes)) == 1
        with pytest.raises(TypeError, match="a fleet is of engines, not of str"):
            Fleet(["x"])  # type: ignore[list-item]
        gone = quiet()
        gone.close()
        with pytest.raises(InvalidArgumentError, match=r"engines\[0\]: expected a pointer, found NULL"):
            Fleet([gone]).update_locations([0], *walk(MUSEUM))
        fleet[2].close()


def test_a_fleet_keeps_what_it_needs() -> None:
    """An engine that is closed is freed with the last fleet that it is in."""
    engine = quiet()
    fleets = [Fleet([engine]), Fleet([engine, engine])]
    engine.close()
    assert plotengine.live_objects() == 1
    fleets.pop()
    gc.collect()
    assert plotengine.live_objects() == 1
    fleets.pop()
    gc.collect()
    assert plotengine.live_objects() == 0


def test_closing_from_another_thread() -> None:
    """While a fleet's call is under way: late fixes are refused, or the call is; nothing else."""
    for _ in range(20):
        engines = [quiet() for _ in range(4)]
        fleet = Fleet(engines)
        count = 20_000
        devices = numpy.arange(count, dtype="uint32") % 4
        times = START + numpy.arange(count)
        closing = threading.Thread(target=lambda engines=engines: [engine.close() for engine in engines])
        closing.start()
        try:
            effects = fleet.update_locations(devices, times, numpy.full(count, 40.0), numpy.full(count, 4.0))
            assert set(effects["detail"].tolist()) <= {Status.CLOSED}
        except ClosedError:
            pass
        closing.join()
        del fleet, engines


def test_fork(tmp_path: Path) -> None:
    with Engine(CONFIG, feed=FEED, store=tmp_path / "store", time=T0) as stored, quiet() as engine:
        both, own = Fleet([engine, stored]), Fleet([engine])

        def child() -> None:
            with pytest.raises(ForkedError):
                both.update_locations([0], *walk(MUSEUM))
            assert len(own.update_locations([0], *walk(MUSEUM))) == 1

        in_child(child)
        assert len(both.update_locations([0, 1], *walk(MUSEUM, MUSEUM))) == 2


def test_names(town: Town) -> None:
    feed = Feed(FEED)
    assert [feed.region_id(position) for position in range(2)] == ["museum", "till"]
    assert feed.campaign_id(numpy.uint32(3)) == "bye"  # type: ignore[arg-type]
    assert feed.region_id(NO_POSITION) is None
    for bad in (2, NO_POSITION + 1):
        with pytest.raises(IndexError):
            feed.region_id(bad)
    with pytest.raises(ValueError, match="position must be 0 or above"):
        feed.campaign_id(-1)


@pytest.mark.parametrize("many", [False, True])
def test_an_input_inside_without_a_time(many: bool) -> None:
    """It counts as of the fix that is delivered, and its time is one that the engine takes."""
    times, latitudes, longitudes = VISIT
    events: list[str] = []
    with Engine(CONFIG, feed=FEED, time=T0, time_zone="UTC") as engine:

        @engine.on_event
        def event(happened: plotengine.Event) -> None:
            events.append(happened.event)
            engine.set_cooldown_period(0)
            engine.set_time_zone("Europe/Amsterdam")

        if many:
            Fleet([engine]).update_locations([0] * len(times), times, latitudes, longitudes)
        else:
            engine.update_locations(times, latitudes, longitudes)
        assert len(events) == 5
        assert engine.time_zone() == "Europe/Amsterdam"
