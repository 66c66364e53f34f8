#!/usr/bin/env python3
"""Tells the worlds to the engine as a phone does: Benchmarks/presence/lives.py [--short] [--check] [--only FAMILY]... [--policy NAME] [--kills N]

A life is a way in which the same fixes reach the engine: one process from beginning to end, a new one for each fix or for each ten, deliveries of
up to ten minutes with the engine's wakeups honoured in between, sleep in which wakeups come up to fifteen minutes late, a restart of the device in
the middle, and all of these at once. A new process is an engine that is closed and opened on its store. The table has each life beside the unbroken
one: what it misses and makes up (measure.py), how many visits differ from those of the unbroken life, their true times compared (`since`, else
`time`), and how many notifications were shown for a visit that was over. `--check` fails where one that has every fix in time differs, and where
anything is shown for a visit that is over. With `--kills`, processes that hand over one fix after another are killed (SIGKILL) at any instruction, so
many times in all; each next one goes on behind the last fix whose call had returned. No visit may differ then, either.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import measure
import presets
import worlds

DELIVERY = 600
LATEST_WAKEUP = 900
# Name: fixes for each process (0: all), seconds of a delivery (0: each fix by itself), most seconds a wakeup is late, whether the device is restarted.
LIVES = {
    "unbroken": (0, 0, 0, False),
    "a process for each fix": (1, 0, 0, False),
    "a process for each ten": (10, 0, 0, False),
    "restarted half-way": (0, 0, 0, True),
    "wakeups up to 15 min late": (0, 0, LATEST_WAKEUP, False),
    "deliveries of 10 min": (0, DELIVERY, 0, False),
    "all at once": (1, DELIVERY, LATEST_WAKEUP, True),
}
SAME = ("a process for each fix", "a process for each ten", "restarted half-way", "deliveries of 10 min")


class Phone:
    """One device, its store, and what the engine has told."""

    def __init__(self, world, policy, folder, life):
        from plotengine import Config, Feed

        self.batch, self.delivery, self.most_late, self.restarts = LIVES[life]
        self.config = Config.parse(json.dumps({"publicToken": "REPLACE_ME", "engine": {"noise": policy}}))
        regions = presets.regions_of(world)
        campaign = {"id": "welcome", "type": "notification", "message": "Welcome", "regions": [region["id"] for region in regions], "resend": True}
        self.feed = Feed.parse(json.dumps({"version": 1, "regions": regions, "campaigns": [campaign] if regions else []}))
        times = (presets.BEGIN + world.fixes[:, 0] * 1000).astype("int64")
        places = worlds.to_degrees(world.fixes[:, 2]), worlds.to_degrees(world.fixes[:, 1])
        self.fixes = list(zip(times.tolist(), places[0].tolist(), places[1].tolist(), world.fixes[:, 3].tolist()))
        self.store, self.chance = str(Path(folder) / "store"), random.Random(7)
        self.boot, self.due, self.events, self.over, self.engine, self.write = 1, None, [], 0, None, None

    def start(self, at):
        from plotengine import Engine

        self.engine = Engine(on_event=self.write or self.events.append, on_show=self.show)
        self.engine.set_clock(at - presets.BEGIN + 1000, f"boot {self.boot}", time=at)
        self.engine.offer_feed(self.feed)
        self.engine.init(self.config, store=self.store, time=at, time_zone=None)
        self.engine.set_feed(self.feed, time=at)

    def show(self, notification):
        if all(visit.region != notification.region_id for visit in self.engine.visits()):
            self.over += 1

    def wake(self, until):
        """Wakeups that come before `until`."""
        while True:
            wakeup = self.engine.next_wakeup()
            if wakeup is None:
                self.due = None
                return
            wakeup = round(wakeup.timestamp() * 1000)
            if self.due is None or self.due[0] != wakeup:
                self.due = wakeup, wakeup + round(1000 * self.chance.uniform(0, self.most_late))
            if self.due[1] > until:
                return
            self.engine.advance(time=self.due[1])

    def give(self, fixes):
        now = fixes[-1][0]
        self.wake(now)
        if self.delivery:
            self.engine.update_locations(*zip(*fixes), together=True, time=now)
        else:
            for at, latitude, longitude, accuracy in fixes:
                self.engine.update_location(latitude, longitude, accuracy=accuracy, time=at)

    def deliveries(self):
        """The fixes as they come."""
        waiting = []
        for fix in self.fixes:
            if waiting and fix[0] - waiting[0][0] >= self.delivery * 1000:
                yield waiting
                waiting = []
            waiting.append(fix)
        yield waiting

    def live(self):
        """The visits as (circle, true enter, true exit)."""
        comes = list(self.deliveries())
        self.start(self.fixes[0][0])
        for number, fixes in enumerate(comes):
            restarts = self.restarts and number == len(comes) // 2
            if number and (restarts or (self.batch and number % self.batch == 0)):
                self.wake(fixes[-1][0])
                self.boot += restarts
                self.engine.close()
                self.start(fixes[-1][0])
            self.give(fixes)
        self.wake(self.fixes[-1][0])
        self.engine.close()
        return self.visits()

    def visits(self):
        found, entered = [], {}
        for event in self.events:
            at = (round((event.since or event.time).timestamp() * 1000) - presets.BEGIN) / 1000
            if event.event == "region-enter":
                entered[event.region] = at
            elif event.event == "region-exit" and event.region in entered:
                found.append((int(event.region), entered.pop(event.region), at))
        return found + [(int(region), since, float("inf")) for region, since in entered.items()]


def kills(count, policy, only, folder):
    """Lives whose processes are killed; how many visits differ from the unbroken lives, of how many, and how many kills there were."""
    chance, done, differ, total, number = random.Random(11), 0, 0, 0, 0
    everything = list(worlds.worlds("report", True, only))
    while done < count:
        world = everything[number % len(everything)]
        number += 1
        with tempfile.TemporaryDirectory(dir=folder) as place:
            unbroken = Phone(world, policy, place, "unbroken").live()
        with tempfile.TemporaryDirectory(dir=folder) as place:
            phone, log = Phone(world, policy, place, "unbroken"), Path(place) / "events"
            following, most = 0, len(phone.fixes)
            while following < most:
                acknowledged, child_end = os.pipe()
                child = os.fork()
                if child == 0:
                    lived(phone, following, log, child_end)
                os.close(child_end)
                time.sleep(chance.uniform(0.002, 0.012))
                os.kill(child, signal.SIGKILL)
                _, status = os.waitpid(child, 0)
                done += os.WIFSIGNALED(status)
                # A byte for each call that has returned.
                while returned := os.read(acknowledged, 1 << 16):
                    following += len(returned)
                os.close(acknowledged)
            # The one before may not have told all.
            phone.start(phone.fixes[-1][0])
            phone.engine.close()
            told = dict(line.split("\t") for line in log.read_text().splitlines() if line.count("\t") == 1)
            phone.events = [Told(json.loads(text)) for _, text in sorted(told.items(), key=lambda item: int(item[0]))] + phone.events
            visits = phone.visits()
        differ, total = differ + len(set(visits) ^ set(unbroken)), total + len(unbroken)
    return differ, total, done


class Told:
    """An event as a process that was killed has written it."""

    def __init__(self, record):
        self.event, self.region = record["event"], record.get("region")
        self.time, self.since = moment(record["time"]), moment(record["since"]) if "since" in record else None
        self.sequence = record["sequence"]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def lived(phone, following, log, end):
    """The life of one process, from a fix on; it does not return."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(event):
        # At once and whole, before the engine takes it for told.
        os.write(file, f"{event.sequence}\t{event.raw}\n".encode())

    phone.write = write
    phone.start(phone.fixes[following][0])
    for fix in phone.fixes[following:]:
        phone.give([fix])
        os.write(end, b".")
    phone.engine.close()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="four families: seconds")
    parser.add_argument("--only", action="append", choices=[*worlds.FAMILIES, *worlds.REAL], metavar="FAMILY", help="only this family, again for more")
    parser.add_argument("--policy", default="balanced", help="the noise policy (balanced)")
    parser.add_argument("--check", action="store_true", help="fail where a life differs that must not")
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="kill processes so many times, too")
    options = parser.parse_args()
    only = options.only or (["wifi at 60 s", "indoors at 60 s", "day at 60 s", "day at 300 s"] if options.short else None)
    begin, form = time.monotonic(), "{:24}{:>6}  {:28}{:>7}{:>9}{:>11}{:>8}{:>6}"
    print(form.format("family", "stays", "life", "misses", "phantoms", "duplicates", "differ", "over"))
    found, shared = [], "/dev/shm" if os.path.isdir("/dev/shm") else None
    for world in worlds.worlds("report", True, only):
        truth, unbroken = measure.stays(world), None
        for life in LIVES:
            with tempfile.TemporaryDirectory(dir=shared) as folder:
                phone = Phone(world, options.policy, folder, life)
                visits = phone.live()
            unbroken = visits if unbroken is None else unbroken
            differ = len(set(visits) ^ set(unbroken))
            score = measure.score(world, truth, visits)
            print(form.format(world.family, score.stays, life, score.misses, score.phantoms, score.duplicates, differ, phone.over))
            if differ and life in SAME:
                found.append(f"{world.family}, {life}: {differ} visits differ from the unbroken life")
            if phone.over and LIVES[life][1]:
                found.append(f"{world.family}, {life}: {phone.over} notifications for a visit that was over")
        print()
    if options.kills:
        differ, total, done = kills(options.kills, options.policy, only, shared)
        print(f"{done} processes killed: {differ} of {total} visits differ from the unbroken life")
        if differ:
            found.append(f"killed: {differ} visits differ from the unbroken life")
    print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)
    for fault in found:
        print(f"lives: {fault}", file=sys.stderr)
    return 1 if options.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
