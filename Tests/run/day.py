"""The demo's walk again and again, for a day in quick time: memory does not grow.

day.py [--hours N]
"""

import argparse
import os
import sys

import nmea
from parts import DEMO, Plot, World, fix_line, resident, wait_for


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=24)
    options = parser.parse_args()
    with World(buses=False) as world:
        print(play(world, round(options.hours * 3600)))


def fixes(seconds):
    """One fix a second: between two points of the walk, where the device is in between."""
    points = list(nmea.points(DEMO / "walk.gpx"))
    start = points[0][0]
    length = points[-1][0] - start + 60
    index = 0
    for second in range(seconds):
        rest = second % length
        if rest == 0:
            index = 0
        while index + 2 < len(points) and points[index + 1][0] - start <= rest:
            index += 1
        a, b = points[index], points[index + 1]
        share = min(1, (rest - (a[0] - start)) / (b[0] - a[0]))
        latitude, longitude = (a[axis] + share * (b[axis] - a[axis]) for axis in (1, 2))
        yield fix_line((start + second, latitude, longitude, a[3], a[4]))


def play(world, seconds):
    os.mkfifo(world.folder / "pipe", 0o600)
    words = ["--config", DEMO / "plotconfig.json", "--feed", DEMO / "feed.json", "--property", "language=en", "--clock", "sources"]
    words += ["--no-gpsd", "--no-geoclue", "--no-bluetooth", "--input", "pipe", "--screen", "terminal", "--events", "events.jsonl"]
    words += ["--store", "store", "--time-zone", "UTC"]
    plot = Plot(world, *words).ready()
    parts = 12
    sizes = []
    lines = list(fixes(seconds))
    with open(world.folder / "pipe", "w") as pipe:
        for part in range(parts):
            pipe.write("\n".join(lines[part * seconds // parts : (part + 1) * seconds // parts]) + "\n")
            pipe.flush()
            taken = (part + 1) * seconds // parts
            wait_for(lambda: plot.status()["sources"]["input"]["lines"] == taken, 600, what="the lines")
            sizes.append(resident(plot.process) / (1 << 20))
    status = plot.status()
    if plot.stop() != 0 or status["refused"]:
        sys.exit(f"plot run: {status}, {world.text(plot.log)[-1000:]}")
    # The memory of a run grows to its limits (sent lists of a hundred) in the first quarter.
    first, last = sizes[parts // 4], max(sizes[parts // 4 :])
    if last > first * 1.05 + 1:
        sys.exit(f"memory grows: {', '.join(f'{size:.1f}' for size in sizes)} MB")
    events = len(world.records("events.jsonl"))
    return f"day: {seconds} fixes, {events} events, {first:.1f} MB after a quarter and at most {last:.1f} MB after that"


if __name__ == "__main__":
    main()
