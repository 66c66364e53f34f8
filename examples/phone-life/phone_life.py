# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""One wakeup of a phone's system: a process begins, hands over why, and ends.

phone_life.py SECONDS start | fix LATITUDE LONGITUDE ACCURACY | fixes FILE | region ID KIND | timer
"""

from __future__ import annotations

import csv
import sys
from datetime import datetime

from plotengine import Engine, Event, Notification

START = 1_778_925_600_000  # 2026-05-16T10:00:00Z, in ms


def show(notification: Notification) -> None:
    print(f"  shown: {notification.message}")


def tell(event: Event) -> None:
    if event.region is not None and event.event.startswith("region-"):
        since = event.since or event.time
        print(f"  {event.event} {event.region}, {since:%H:%M:%S}")


def ask_for_fix(deadline: datetime) -> None:
    print(f"  a fix is wanted until {deadline:%H:%M:%S}")


def main() -> None:
    seconds, why, rest = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    now = START + seconds * 1000
    # A host on a phone leaves out each time, and the clock: the engine reads both itself.
    engine = Engine(on_show=show, on_event=tell, on_fix_request=ask_for_fix)
    engine.set_clock(3_600_000 + seconds * 1000, "boot 1", time=now)
    engine.init("plotconfig.json", store="store", time=now, time_zone="Europe/Amsterdam")
    if why == "start":
        engine.set_feed("feed.json", time=now)
    elif why == "fix":
        latitude, longitude, accuracy = map(float, rest)
        engine.update_location(latitude, longitude, accuracy=accuracy, time=now)
    elif why == "fixes":
        with open(rest[0], newline="") as file:
            rows = [tuple(map(float, row)) for row in csv.reader(file)]
        after, latitudes, longitudes, accuracies = zip(*rows)
        times = [START + int(second) * 1000 for second in after]
        engine.update_locations(times, latitudes, longitudes, accuracies, together=True, time=now)
    elif why == "region":
        engine.region_hint(rest[0], rest[1], time=now)
    engine.advance(time=now)
    wakeup = engine.next_wakeup()
    print("  no timer" if wakeup is None else f"  next timer: {wakeup:%H:%M:%S}")
    engine.close()


if __name__ == "__main__":
    main()
