# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The cost of a location update through Python, beside an empty ctypes call: python bench.py [--seconds N] [--json]

With --json, a line for each figure with the value of each round, as Benchmarks/run.py reads it.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import statistics
import struct
import sys
import time
from array import array
from pathlib import Path
from typing import Any, Callable

try:
    import plotengine  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).resolve().parent / "src"))

from ctypes import byref, c_void_p

from plotengine import Config, Engine, Feed, Fleet
from plotengine._raw import lib

T0 = 1_700_000_000_000
REGIONS = 1000


def grid() -> Feed:
    """A thousand places, a kilometre apart."""
    regions = [
        {
            "id": f"r{n}",
            "type": "geofence",
            "latitude": 52 + n // 32 * 0.009,
            "longitude": 4 + n % 32 * 0.0146,
            "radius": 200,
        }
        for n in range(REGIONS)
    ]
    ids = [region["id"] for region in regions]
    campaign = {"id": "c", "type": "notification", "message": "Hello", "regions": ids, "resend": True}
    return Feed({"version": 1, "regions": regions, "campaigns": [campaign]})


def costs(function: Callable[[int], object], seconds: float, count: int = 100) -> list[float]:
    """Nanoseconds a call, of five rounds."""
    values = []
    index = 0
    for _ in range(5):
        while True:
            begin = time.perf_counter()
            for _ in range(count):
                function(index)
                index += 1
            took = time.perf_counter() - begin
            if took >= seconds / 5:
                break
            count *= 2
        values.append(took / count * 1e9)
    return values


FIXES = 100_000


def batches(data: Path, tell: Callable[[str, list[float]], None]) -> None:
    """Many fixes in one call, of the benchmarks' workload, as Benchmarks/programs/batch.c does it."""
    circles = list(struct.iter_unpack("<ddd", (data / "fences_phone.bin").read_bytes()[32:]))
    fixes = array("d", (data / "tracks_city.bin").read_bytes()[32:])
    regions = [
        {"id": f"r{n}", "type": "geofence", "latitude": latitude, "longitude": longitude, "radius": radius}
        for n, (latitude, longitude, radius) in enumerate(circles)
    ]
    campaigns = [
        {"id": f"c{n}", "type": "geotrigger", "name": f"c{n}", "resend": True, "regions": [f"r{n}"]}
        for n in range(len(circles))
    ]
    feed = Feed({"version": 1, "regions": regions, "campaigns": campaigns})
    accuracies = array("d", [10.0]) * FIXES

    def rounds(
        call: Callable[[array[int], array[float], array[float]], object], places: list[int], step: int
    ) -> list[float]:
        latitudes = array("d", (fixes[2 * place] for place in places))
        longitudes = array("d", (fixes[2 * place + 1] for place in places))
        values = []
        for turn in range(5):
            times = array("q", (T0 + (turn * FIXES + n) // step * 10_000 for n in range(FIXES)))
            begin = time.perf_counter()
            effects: Any = call(times, latitudes, longitudes)
            values.append((time.perf_counter() - begin) / FIXES * 1e9)
            if len(effects) == 0:
                raise RuntimeError("the batch told of nothing")
        return values

    with Engine({"publicToken": "bench"}, feed=feed, time=T0 - 10_000) as engine:
        tell("batch", rounds(lambda t, la, lo: engine.update_locations(t, la, lo, accuracies), list(range(FIXES)), 1))
    engines = [Engine({"publicToken": "bench"}, feed=feed, time=T0 - 10_000) for _ in range(1000)]
    fleet = Fleet(engines)
    devices = array("I", (n % 1000 for n in range(FIXES)))
    places = [n % 1000 * 1000 + n // 1000 for n in range(FIXES)]
    tell(
        "batch of 1000 devices",
        rounds(lambda t, la, lo: fleet.update_locations(devices, t, la, lo, accuracies), places, 1000),
    )
    for engine in engines:
        engine.close()


BATCH = 10_000
DEVICES = 1000


def plain_batches(config: object, seconds: float, tell: Callable[[str, list[float]], None]) -> None:
    """Many plain fixes, which change nothing, in one call: what a fix costs, beside the same call made by hand."""
    feed = grid()
    engines = [Engine(config, feed=feed, time=T0) for _ in range(DEVICES)]  # type: ignore[arg-type]
    fleet = Fleet(engines)
    latitudes = array("d", [40.0]) * BATCH
    longitudes = array("d", (4.0 + index % 7 * 1e-5 for index in range(BATCH)))
    devices = array("I", (index % DEVICES for index in range(BATCH)))
    clock = iter(range(T0, 1 << 62))

    def times() -> array[int]:
        return array("q", [next(clock)]) * BATCH

    def raw(function: Callable[..., int], *first: object) -> None:
        effects, error = c_void_p(), c_void_p()
        at = times()
        columns = (at.buffer_info()[0], latitudes.buffer_info()[0], longitudes.buffer_info()[0], None, None, None)
        assert function(*first, BATCH, *columns, byref(effects), byref(error)) == 0
        lib.plot_effects_free(effects)

    one = engines[0]
    kinds: list[tuple[str, Callable[[], object], Callable[[], object]]] = [
        (
            "plain batch",
            lambda: raw(lib.plot_engine_update_locations, one._handle),
            lambda: one.update_locations(times(), latitudes, longitudes),
        ),
        (
            "plain batch of 1000 devices",
            lambda: raw(lib.plot_engines_update_locations, fleet._handles, DEVICES, devices.buffer_info()[0]),
            lambda: fleet.update_locations(devices, times(), latitudes, longitudes),
        ),
    ]
    for what, by_hand, bound in kinds:
        for name, function in ((what, bound), (f"{what}, the call made by hand", by_hand)):
            values = costs(lambda index, call=function: call(), seconds, 1)  # type: ignore[misc]
            tell(name, [value / BATCH for value in values])
    for engine in engines:
        engine.close()


def states(count: int) -> None:
    """Saving and restoring the states of so many devices of the demo, beside pickling a part of the same facts."""
    demo = Path(__file__).resolve().parents[2] / "demo"
    feed, config, chance = Feed.load(demo / "feed.json"), Config({}), random.Random(1)
    engines = [Engine(config, feed=feed, time=T0, time_zone=None) for _ in range(count)]
    fleet, places = Fleet(engines), [(52.3686, 4.8893)] * count
    for minute in range(40):
        places = [(north + chance.gauss(0, 0.0003), east + chance.gauss(0, 0.0005)) for north, east in places]
        latitudes, longitudes = (array("d", (place[axis] for place in places)) for axis in (0, 1))
        times = array("q", [T0 + minute * 60_000]) * count
        fleet.update_locations(array("I", range(count)), times, latitudes, longitudes, array("d", [10.0]) * count)
    facts = [
        {
            "visits": [str(visit) for visit in engine.visits()],
            "notifications": [item.raw for item in engine.sent_notifications()],
            "geotriggers": [item.raw for item in engine.sent_geotriggers()],
        }
        for engine in engines
    ]
    others = Fleet(Engine() for _ in range(count))
    saved: list[bytes] = []
    pickled: list[bytes] = []
    steps: list[tuple[str, Callable[[], object]]] = [
        ("pickle.dumps", lambda: pickled.extend(map(pickle.dumps, facts))),
        ("pickle.loads", lambda: list(map(pickle.loads, pickled))),
        ("Fleet.save", lambda: saved.extend(fleet.save())),
        ("Fleet.restore", lambda: others.restore(saved, config, feed=feed)),
    ]
    base = 0.0
    for name, step in steps:
        begin = time.process_time()
        step()
        took = time.process_time() - begin
        base = base or took
        print(f"{name:<16} {took / base:6.2f} times pickle.dumps")
    for name, texts in (("saved", saved), ("pickled", pickled)):
        sizes = sorted(map(len, texts))
        print(f"{name:<16} median {sizes[count // 2]} bytes, the largest {sizes[-1]}, all {sum(sizes):,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="about how long each line takes")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--data", type=Path, help="the folder of the benchmarks' workload, for the batches")
    parser.add_argument("--states", type=int, metavar="N", help="only the states as bytes of so many devices")
    options = parser.parse_args()
    if options.states:
        states(options.states)
        return
    seconds = options.seconds
    empty = lib.plot_abi_version
    base = 0.0

    def tell(what: str, values: list[float]) -> None:
        nonlocal base
        took = statistics.median(values)
        base = base or took
        if options.json:
            print(json.dumps({"name": f"python/{what}", "unit": "ns", "values": values}))
        else:
            print(f"{what:<56} {took:8.0f} ns  {took / base:6.1f} times an empty call")

    def line(what: str, function: Callable[[int], object]) -> None:
        tell(what, costs(function, seconds))

    line("empty call", lambda index: empty())

    config = {"publicToken": "bench", "engine": {"noise": "exact"}}
    with Engine(config, feed=grid(), time=T0) as engine:
        raw, handle = lib.plot_engine_update_location, engine._handle
        clock = iter(range(T0, 1 << 62))
        error = c_void_p()
        line(
            "the raw call, far from everything",
            lambda index: raw(handle, next(clock), 40.0, 4.0 + index % 7 * 1e-5, 0.0, -1.0, -1.0, byref(error)),
        )
        line(
            f"update_location, far from everything ({REGIONS} places)",
            lambda index: engine.update_location(40.0, 4.0 + index % 7 * 1e-5, time=next(clock)),
        )
        line(
            "update_location, walking inside a place",
            lambda index: engine.update_location(52.0, 4.0 + index % 7 * 1e-5, time=next(clock)),
        )
        line("update_location, the clock read by the binding", lambda index: engine.update_location(52.0, 4.0))
        places = ((52.0, 4.0), (52.0, 4.0073))
        line(
            "update_location, an enter or an exit each time",
            lambda index: engine.update_location(*places[index % 2], time=T0 * 2 + next(clock) - T0),
        )
        engine.on_event(lambda event: None)
        line(
            "the same, with an event callback",
            lambda index: engine.update_location(*places[index % 2], time=T0 * 2 + next(clock) - T0),
        )
        engine.on_filter(list)
        line(
            "the same, with a filter too",
            lambda index: engine.update_location(*places[index % 2], time=T0 * 2 + next(clock) - T0),
        )
        line("next_wakeup", lambda index: engine.next_wakeup())
        line("visits", lambda index: engine.visits())
    plain_batches(config, seconds, tell)
    if options.data:
        batches(options.data, tell)


if __name__ == "__main__":
    main()
