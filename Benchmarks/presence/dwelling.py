#!/usr/bin/env python3
"""Dwellings of a device whose fixes come seldom: Benchmarks/presence/dwelling.py [--seeds N]

A device has a fix about every 15 minutes, and stays at circles of 120 m for 5 to 90 minutes; between two stays it is a kilometre away. A dwelling
of 15 minutes is *false* if the device was not inside from the enter that is reported to 15 minutes later. It is *missed* if two fixes at
least 15 minutes apart lie within the stay, and no dwelling is reported. Three hosts: one answers the request for a fix within 10 s, one
never answers, and one has no request, as with the gates of the first releases.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python/src"))
os.environ.setdefault("PLOTENGINE_LIBRARY", str(ROOT / "build/lib/libplotengine.so.0"))

from plotengine import Config, Engine, Feed  # noqa: E402

BEGIN = 1_700_000_000
INTERVAL, DWELLING, RADIUS, NOISE = 900, 900, 120.0, 15.0
HOSTS = {"answers within 10 s": ("balanced", True), "never answers": ("balanced", False), "default-1": ("default-1", False)}


def stays_of(chance):
    """Begin and end of each, in seconds."""
    stays, at = [], 1200.0
    for _ in range(40):
        length = chance.uniform(300, 5400)
        stays.append((at, at + length))
        at += length + chance.uniform(1800, 5400)
    return stays


class Ride:
    def __init__(self, policy, answers, seed):
        self.chance = random.Random(seed)
        self.stays = stays_of(self.chance)
        self.end = self.stays[-1][1] + 7200
        self.answers = answers
        self.dwellings = []
        self.request = None
        region = {"id": "r", "type": "geofence", "latitude": 52.0, "longitude": 5.0, "radius": RADIUS}
        campaign = {"id": "d", "type": "geotrigger", "name": "d", "regions": ["r"], "trigger": "dwelling", "dwellingMinutes": 15, "resend": True}
        self.engine = Engine()
        self.engine.on_event(self.hear)
        self.engine.on_fix_request(self.ask)
        self.engine.init(Config.parse(json.dumps({"engine": {"noise": policy}})), time=BEGIN * 1000)
        self.engine.set_feed(Feed.parse(json.dumps({"version": 1, "regions": [region], "campaigns": [campaign]})), time=BEGIN * 1000)

    def is_inside(self, begin, end):
        return any(first <= begin and end <= last for first, last in self.stays)

    def hear(self, event):
        if event.event == "region-dwell":
            told = (event.since or event.time).timestamp() - BEGIN
            self.dwellings.append((told, event.time.timestamp() - BEGIN))

    def ask(self, _):
        if self.answers:
            self.request = True

    def fix(self, time):
        away = 0.0 if self.is_inside(time, time) else 1000.0
        north, east = away + self.chance.gauss(0, NOISE), self.chance.gauss(0, NOISE)
        degree = 111_195.0
        self.engine.update_location(52.0 + north / degree, 5.0 + east / degree / math.cos(math.radians(52)), accuracy=NOISE, time=round((BEGIN + time) * 1000))

    def run(self):
        fixes, at = [], self.chance.uniform(0, INTERVAL)
        while at < self.end:
            fixes.append(at)
            at += INTERVAL + self.chance.uniform(-60, 60)
        for time in fixes:
            while (due := self.engine.next_wakeup()) is not None and due.timestamp() - BEGIN < time:
                when = due.timestamp() - BEGIN
                self.engine.advance(time=due)
                if self.request:
                    self.request = None
                    if when + 8 < time:
                        self.fix(when + 8)
            self.fix(time)
            self.request = None
        self.engine.close()
        return fixes

    def count(self):
        """Reported, false, provable stays, those of them that were reported, and those within one interval of being due."""
        fixes = self.run()
        false = sum(not self.is_inside(due - DWELLING, due) for due, _ in self.dwellings)
        provable = told = soon = 0
        for first, last in self.stays:
            inside = [time for time in fixes if first <= time <= last]
            if len(inside) < 2 or inside[-1] - inside[0] < DWELLING:
                continue
            provable += 1
            here = [at for due, at in self.dwellings if first <= due <= last]
            told += bool(here)
            soon += bool(here) and here[0] <= inside[0] + DWELLING + INTERVAL
        return len(self.dwellings), false, provable, told, soon


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--check", action="store_true", help="fail if more than 2 %% are false, or fewer than 95 %% reported (with an answer: soon)")
    options = parser.parse_args()
    print(f"{'host':22}{'reported':>9}{'false':>7}{'provable':>10}{'reported':>10}{'soon':>6}")
    faults = 0
    for name, (policy, answers) in HOSTS.items():
        sums = [sum(column) for column in zip(*(Ride(policy, answers, seed).count() for seed in range(options.seeds)))]
        print(f"{name:22}{sums[0]:9}{sums[1]:7}{sums[2]:10}{sums[3]:10}{sums[4]:6}")
        reported, false, provable, told, soon = sums
        if policy == "balanced" and (false > 0.02 * reported or (soon if answers else told) < 0.95 * provable):
            print(f"dwelling.py: {name}: {false} of {reported} are false; {told} of {provable} are reported, {soon} soon", file=sys.stderr)
            faults += 1
    return 1 if options.check and faults else 0


if __name__ == "__main__":
    sys.exit(main())
