"""Kills the daemon, gpsd, the buses and the webhook's server at random moments of a walk.

chaos.py [--kills N] [--seed N]

The walk goes in and out of shops as fast as a receiver can say so. At the end each event is at the webhook once by its id, none is missing,
and no notification was shown twice. Prints one line, or fails.
"""

import argparse
import os
import random
import re
import sys
import threading
import time

import nmea
from parts import EXACT, Plot, World, feed, free_port, receiver, wait_for

SHOPS = 6
# Seconds between two positions, and how many are at one place.
STEP, STAY = 0.05, 4


class Receiver(threading.Thread):
    """A receiver at a pseudoterminal that walks in and out of shops."""

    def __init__(self):
        super().__init__(daemon=True)
        self.master, self.path = receiver()
        os.set_blocking(self.master, False)
        self.stopped = threading.Event()

    def run(self):
        step = 0
        while not self.stopped.wait(STEP):
            shop = step // (2 * STAY) % SHOPS
            is_inside = step // STAY % 2 == 0
            latitude = 52.0 + shop * 0.1 + (0 if is_inside else 0.05)
            try:
                os.write(self.master, nmea.position(time.time(), latitude, 4.9, 3.0).encode())
            except BlockingIOError:
                pass  # gpsd is dead: what a receiver says then is lost
            step += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with World() as world:
        print(play(world, options.kills, chance))


def play(world, kills, chance):
    regions = [
        {"id": f"shop{n}", "type": "geofence", "latitude": 52.0 + n * 0.1, "longitude": 4.9, "radius": 200} for n in range(SHOPS)
    ]
    names = [region["id"] for region in regions]
    common = {"regions": names, "resend": True}
    campaigns = [
        {"id": "hello", "type": "notification", "message": "Hello", **common},
        {"id": "light", "type": "geotrigger", "name": "light", **common},
    ]
    (world.folder / "config.json").write_text(EXACT)
    (world.folder / "feed.json").write_text(feed(campaigns, regions))
    walker = Receiver()
    gps_port, hook_port = free_port(), free_port()
    # Geotriggers wait for a command.
    words = ["--config", "config.json", "--feed", "feed.json", "--store", "store", "--gpsd", f"127.0.0.1:{gps_port}"]
    words += ["--no-geoclue", "--webhook", f"http://127.0.0.1:{hook_port}", "--on-geotrigger", "cat", "--device", "d"]

    def start_daemon():
        return Plot(world, *words, JOURNAL_STREAM="1:1").process

    def start_gpsd():
        return world.spawn("gpsd", "-N", "-n", "-S", gps_port, walker.path, log="gpsd.log")

    def start_buses():
        world.start_bus("session")
        world.start_bus("system")
        world.mock("notification_daemon")

    def start_hook():
        return world.hook(hook_port, failures=3)

    for bus in world.buses.values():
        bus.kill()
        bus.wait()
    start_buses()
    living = {"gpsd": start_gpsd(), "hook": start_hook(), "daemon": start_daemon()}
    walker.start()
    counts = {"daemon": 0, "gpsd": 0, "bus": 0, "hook": 0}
    for _ in range(kills):
        time.sleep(chance.uniform(0.05, 0.6))
        victim = chance.choice(["daemon", "daemon", "daemon", "gpsd", "bus", "hook"])
        counts[victim] += 1
        if victim == "bus":
            for bus in world.buses.values():
                bus.kill()
                bus.wait()
            time.sleep(chance.uniform(0, 0.2))
            start_buses()
            continue
        living[victim].kill()
        living[victim].wait()
        time.sleep(chance.uniform(0, 0.2))
        living[victim] = {"daemon": start_daemon, "gpsd": start_gpsd, "hook": start_hook}[victim]()
    # All that still waits is delivered, once the walk is over.
    time.sleep(1)
    walker.stopped.set()
    plot = Plot.of(world, living["daemon"]).ready()

    def is_delivered():
        status = plot.status()
        return status and status["webhook"]["waiting"] == 0 and status["commands"] == 0

    wait_for(is_delivered, 120, what="the delivery")
    if plot.stop() != 0:
        sys.exit(f"plot run has not ended well: {world.text(plot.log)[-2000:]}")
    return judge(world, counts)


def judge(world, counts):
    """The result in a line; fails when something was lost or came twice."""
    posted = {}
    for record in world.records("hook.jsonl"):
        known = posted.setdefault(record["id"], record["event"])
        if known != record["event"]:
            sys.exit(f"id {record['id']} has two events:\n{known}\n{record['event']}")
    events = sorted(posted.values(), key=lambda event: event["sequence"])
    sequences = [event["sequence"] for event in events]
    if sequences != list(range(1, len(events) + 1)):
        missing = sorted(set(range(1, max(sequences) + 1)) - set(sequences))
        sys.exit(f"{len(events)} events, and not each once: missing {missing[:10]}, {len(sequences) - len(set(sequences))} twice")
    shown = [event for event in events if event["event"] == "notification-shown"]
    matches = [event["matchIdentifier"] for event in shown]
    if len(matches) != len(set(matches)):
        sys.exit("a notification was reported as shown twice")
    log = world.text("notification_daemon.log")
    calls = re.findall(r'Notify .*?"x-plotengine-match": "([^"]+)"', log)
    texts = len(re.findall(r"shown    ", world.text("default.log")))
    if len(calls) != len(set(calls)):
        sys.exit("a notification was shown twice")
    sure = [event["matchIdentifier"] for event in shown if not event.get("recovered")]
    unseen = [match for match in sure if match not in set(calls)]
    if len(unseen) > texts:
        sys.exit(f"{len(unseen)} notifications count as shown, which were on no screen; {texts} were shown as text")
    visits = {event["visit"] for event in events if event["event"] == "region-enter"}
    handled = sum(event["event"] == "geotrigger" for event in events)
    if not shown or not handled or len(visits) < 3:
        sys.exit(f"too little has happened: {len(visits)} visits, {len(shown)} shown, {handled} geotriggers")
    bad = [line for line in world.text("default.log").splitlines() if line.startswith("<3>")]
    if bad:
        sys.exit(f"errors in the log: {bad[:3]}")
    killed = ", ".join(f"{name} {count}" for name, count in counts.items())
    return (
        f"chaos: {sum(counts.values())} kills ({killed}): {len(visits)} visits, {len(events)} events each once by its id "
        f"({len(world.records('hook.jsonl'))} posts), {len(shown)} notifications each shown once ({texts} as text), {handled} geotriggers"
    )


if __name__ == "__main__":
    main()
