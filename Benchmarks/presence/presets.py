"""Asks the engine itself, by its Python binding: what a preset, or a policy, reports about a world."""

from __future__ import annotations

import datetime
import json
import os
import sys

import numpy as np
from worlds import ROOT, to_degrees

sys.path.insert(0, str(ROOT / "bindings/python/src"))
os.environ.setdefault("PLOTENGINE_LIBRARY", str(ROOT / "build/lib/libplotengine.so.0"))

BEGIN = 1_700_000_000_000
PRESETS = ("exact", "eager", "balanced", "careful", "default-1", "walking-1", "driving-1", "indoor-1", "conservative-1")


def config(policy):
    from plotengine import Config

    return Config.parse(json.dumps({"publicToken": "REPLACE_ME", "engine": {"noise": policy, "initial": "enter"}}))


def known():
    """The presets that the library has, and those that it does not."""
    from plotengine import PlotError

    found, missing = [], []
    for name in PRESETS:
        try:
            config(name)
            found.append(name)
        except PlotError:
            missing.append(name)
    return found, missing


def regions_of(world):
    """The circles of a world as regions of a feed."""
    longitude, latitude = to_degrees(world.circles[:, 0]), to_degrees(world.circles[:, 1])
    return [
        {"id": f"{n:05}", "type": "geofence", "latitude": latitude[n], "longitude": longitude[n], "radius": float(world.circles[n, 2])}
        for n in range(len(world.circles))
    ]


def visits(world, policy):
    """Visits (circle, enter, exit) in seconds. Enters and exits that become sure between two fixes have that time, as a wakeup would tell."""
    from plotengine import EffectKind, Engine, Feed

    times = BEGIN + (world.fixes[:, 0] * 1000).astype(np.int64)
    begin = datetime.datetime.fromtimestamp(times[0] / 1000, datetime.timezone.utc)
    engine = Engine()
    try:
        engine.init(config(policy), time=begin)
        engine.set_feed(Feed.parse(json.dumps({"version": 1, "regions": regions_of(world), "campaigns": []})), time=begin)
        effects = engine.update_locations(times, to_degrees(world.fixes[:, 2]), to_degrees(world.fixes[:, 1]), world.fixes[:, 3].copy())
    finally:
        engine.close()
    found, open_since = [], {}
    for effect in effects:
        kind, region, at = int(effect["kind"]), int(effect["region"]), (int(effect["time_ms"]) - BEGIN) / 1000
        if kind == EffectKind.REGION_ENTER:
            open_since[region] = at
        elif kind == EffectKind.REGION_EXIT and region in open_since:
            found.append((region, open_since.pop(region), at))
    return found + [(region, since, float("inf")) for region, since in open_since.items()]
