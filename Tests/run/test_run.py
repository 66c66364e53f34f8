"""`plot run` with the real parts. `python3 -m unittest` in this folder, or run_tests.sh."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import nmea
from parts import BREAD, EXACT, HERE, INSIDE, OUTSIDE, PLOT, ROOT, Plot, World, feed, free_port, wait_for

DEMO = ROOT / "demo"
NONE = ["--no-gpsd", "--no-geoclue", "--no-bluetooth"]
WALK = ["--config", DEMO / "plotconfig.json", "--feed", DEMO / "feed.json", "--property", "language=en"]
WALK += ["--property", "premiumMember=true", "--time-zone", "UTC"]


def happened(events):
    """What a walk came to: events without their sequences, which a later start shifts."""
    return [
        {key: value for key, value in event.items() if key not in ("sequence", "latitude", "longitude")} for event in events
    ]


class Case(unittest.TestCase):
    def world(self, **options):
        world = World(**options)
        self.addCleanup(world.__exit__)
        return world

    def exact(self, world, campaigns=(BREAD,), regions=None):
        """A configuration and a feed of these campaigns; the words that name them."""
        (world.folder / "config.json").write_text(EXACT)
        (world.folder / "feed.json").write_text(feed(list(campaigns), regions))
        return ["--config", "config.json", "--feed", "feed.json"]


class Walks(Case):
    """The demo's walk leads to the same events at the same times, whatever brings its positions."""

    def simulated(self, world, points):
        """What `plot simulate` makes of points."""
        with open(world.folder / "walk.csv", "w") as file:
            file.write("time,latitude,longitude,accuracy,speed\n")
            for time_, latitude, longitude, accuracy, speed in points:
                file.write(f"{stamp(time_)},{latitude:.6f},{longitude:.6f},{accuracy},{speed}\n")
        words = [PLOT, "simulate", *WALK[:-2], "--track", "walk.csv", "--events", "simulated.jsonl", "--quiet"]
        subprocess.run(words, cwd=world.folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
        return world.records("simulated.jsonl")

    def test_lines(self):
        """From standard input, by the clock of the sources: the same bytes."""
        world = self.world(buses=False)
        points = list(nmea.points(DEMO / "walk.gpx"))
        self.simulated(world, points)
        with open(world.folder / "walk.jsonl", "w") as file:
            for time_, latitude, longitude, accuracy, speed in points:
                stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time_))
                fix = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy, "speed": speed}
                file.write(json.dumps({"time": stamp, "fix": fix}) + "\n")
        with open(world.folder / "walk.jsonl") as lines:
            words = [*WALK, *NONE, "--clock", "sources", "--input", "-", "--screen", "terminal", "--events", "events.jsonl"]
            # What filter and handler let pass as it is changes nothing.
            plot = Plot(world, *words, "--filter", "cat", "--on-geotrigger", "cat", stdin=lines)
            self.assertEqual(plot.process.wait(60), 0, world.text(plot.log))
        self.assertEqual(world.text("events.jsonl"), world.text("simulated.jsonl"))
        self.assertEqual(world.text(plot.log).count("shown"), 12)

    def test_gpsd(self):
        """As NMEA through gpsfake and gpsd."""
        world = self.world(buses=False)
        points = list(nmea.points(DEMO / "walk.gpx"))
        expected = self.simulated(world, points)
        with open(world.folder / "walk.nmea", "w") as file:
            # A receiver without a fix, until plot run is there.
            for second in range(250):
                file.write(nmea.nothing(points[0][0] - 250 + second))
            for time_, latitude, longitude, accuracy, speed in points:
                file.write(nmea.position(time_, latitude, longitude, accuracy, speed))
        port = free_port()
        words = ["--gpsd", f"127.0.0.1:{port}", "--no-geoclue", "--no-bluetooth", "--clock", "sources"]
        plot = Plot(world, *WALK, *words, "--screen", "terminal", "--events", "events.jsonl").ready()
        world.gpsfake("walk.nmea", port)
        # The last epoch of the receiver is reported when the next one begins, which it does not.
        until = points[-1][0] - 5
        wait_for(lambda: (plot.status().get("engine") or {}).get("time", "") >= stamp(until), seconds=60, what="the end of the walk")
        self.assertEqual(plot.stop(), 0)
        self.assertEqual(happened(world.records("events.jsonl")), [e for e in happened(expected) if e["time"] <= stamp(until)])
        self.assertIn("gpsd: connected to release", world.text(plot.log))

    def test_geoclue(self):
        """As positions of GeoClue."""
        world = self.world()
        points = list(nmea.points(DEMO / "walk.gpx"))
        expected = self.simulated(world, points)
        world.mock(str(HERE / "geoclue.py"))
        words = ["--no-gpsd", "--no-bluetooth", "--clock", "sources", "--screen", "terminal", "--events", "events.jsonl"]
        plot = Plot(world, *WALK, *words).ready()
        wait_for(lambda: plot.status()["sources"]["geoclue"]["state"] == "connected", what="GeoClue")
        place = proxy(world, "system", "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager")
        for number, (time_, latitude, longitude, accuracy, speed) in enumerate(points, 1):
            place.Place(latitude, longitude, accuracy, speed, time_, dbus_interface="org.freedesktop.DBus.Mock")
            if number % 50 == 0:
                # GeoClue keeps the newest location only.
                wait_for(lambda: plot.status()["sources"]["geoclue"]["fixes"] == number, what="the positions")
        wait_for(lambda: plot.status()["sources"]["geoclue"]["fixes"] == len(points), what="the positions")
        self.assertEqual(plot.stop(), 0)
        self.assertEqual(world.text("events.jsonl"), world.text("simulated.jsonl"))


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def proxy(world, kind, service, path):
    import dbus.bus

    bus = dbus.bus.BusConnection(f"unix:path={world.folder}/{kind}")
    wait_for(lambda: bus.name_has_owner(service), what=service)
    return bus.get_object(service, path)


if __name__ == "__main__":
    unittest.main()
