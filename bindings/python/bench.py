# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""What a location update costs through Python, beside an empty ctypes call: python bench.py [--seconds N]"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Callable

try:
    import plotengine  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).resolve().parent / "src"))

from array import array
from ctypes import byref, c_void_p

from plotengine import Engine, Feed, Fleet
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


def cost(function: Callable[[int], object], seconds: float, count: int = 100) -> float:
    """Nanoseconds a call, the best of five runs."""
    best = float("inf")
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
        best = min(best, took / count * 1e9)
    return best


BATCH = 10_000
DEVICES = 1000


def batches(config: object, seconds: float, base: float) -> None:
    """Many quiet fixes in one call: what a fix costs, beside the same call made by hand, and beside an empty one."""
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
            "update_locations, a fix of 10,000",
            lambda: raw(lib.plot_engine_update_locations, one._handle),
            lambda: one.update_locations(times(), latitudes, longitudes),
        ),
        (
            "Fleet.update_locations, a fix of 10,000 of 1,000 devices",
            lambda: raw(lib.plot_engines_update_locations, fleet._handles, DEVICES, devices.buffer_info()[0]),
            lambda: fleet.update_locations(devices, times(), latitudes, longitudes),
        ),
    ]
    for what, by_hand, bound in kinds:
        bare = cost(lambda index, call=by_hand: call(), seconds, 1) / BATCH  # type: ignore[misc]
        took = cost(lambda index, call=bound: call(), seconds, 1) / BATCH  # type: ignore[misc]
        print(
            f"{what:<52} {took:8.0f} ns  {took / base:6.1f} times an empty call, {took / bare:.2f} times the raw call"
        )
    for engine in engines:
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="about how long each line takes")
    seconds = parser.parse_args().seconds
    empty = lib.plot_abi_version
    base = cost(lambda index: empty(), seconds)
    print(f"{'an empty ctypes call':<52} {base:8.0f} ns")

    def line(what: str, function: Callable[[int], object]) -> None:
        took = cost(function, seconds)
        print(f"{what:<52} {took:8.0f} ns  {took / base:6.1f} times an empty call")

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
    batches(config, seconds, base)


if __name__ == "__main__":
    main()
