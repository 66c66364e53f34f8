"""How often `plot run` wakes up, and what processor time it takes: with a receiver that reports once a second, and at rest.

bench.py [--seconds N]

Beside it gpspipe, gpsd's own smallest client, gets the same reports in the same time.
"""

import argparse
import os
import shutil
import threading
import time

import nmea
from parts import BREAD, Plot, World, feed, free_port, receiver, wait_for

GPSPIPE = os.environ.get("GPSPIPE", shutil.which("gpspipe") or "")


def spent(pid):
    """Milliseconds of processor time, and how often the process has slept."""
    with open(f"/proc/{pid}/schedstat") as file:
        milliseconds = int(file.read().split()[0]) / 1e6
    with open(f"/proc/{pid}/status") as file:
        switches = next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))
    return milliseconds, switches


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=120)
    seconds = parser.parse_args().seconds
    with World() as world:
        rows = [measure(world, seconds, moving) for moving in (True, False)]
    print(f"{'':24}{'wakeups a minute':>18}{'ms an hour':>14}")
    for (name, wakeups, milliseconds) in [row for part in rows for row in part]:
        print(f"{name:24}{wakeups:18.1f}{milliseconds:14.0f}")
    (_, *one), (_, *pipe) = rows[0]
    print(f"\nplot run at 1 Hz takes {one[1] / pipe[1]:.1f} times the processor time of gpspipe, and {one[0] / pipe[0]:.1f} times its wakeups")


def measure(world, seconds, moving):
    (world.folder / "config.json").write_text("{}")
    (world.folder / "feed.json").write_text(feed([BREAD]))
    master, path = receiver()
    port = free_port()
    os.mkfifo(world.folder / f"pipe-{moving}", 0o600)
    words = ["--config", "config.json", "--feed", "feed.json", "--screen", "terminal", "--no-geoclue", "--no-bluetooth"]
    words += ["--gpsd", f"127.0.0.1:{port}"] if moving else ["--no-gpsd", "--input", f"pipe-{moving}"]
    if moving:
        gpsd = world.spawn("gpsd", "-N", "-n", "-S", port, path, log="gpsd.log")
        time.sleep(1)
        pipe = world.spawn(GPSPIPE, "-w", f"127.0.0.1:{port}", log="pipe.log")
    plot = Plot(world, *words).ready()
    stop = threading.Event()

    def walk():
        step = 0
        while not stop.wait(1):
            os.write(master, nmea.position(time.time(), 52.3 + step * 1e-5, 4.9, 5.0).encode())
            step += 1

    if moving:
        threading.Thread(target=walk, daemon=True).start()
        wait_for(lambda: plot.status()["sources"]["gpsd"]["fixes"] > 2, 20, what="the fixes")
    else:
        time.sleep(3)
    watched = [("plot run, 1 Hz", plot.process.pid), ("gpspipe, 1 Hz", pipe.pid)] if moving else [("plot run, at rest", plot.process.pid)]
    before = [spent(pid) for _, pid in watched]
    time.sleep(seconds)
    after = [spent(pid) for _, pid in watched]
    stop.set()
    plot.stop()
    if moving:
        for process in (pipe, gpsd):
            process.kill()
            process.wait()
    return [
        (name, (b[1] - a[1]) * 60 / seconds, (b[0] - a[0]) * 3600 / seconds)
        for (name, _), a, b in zip(watched, before, after)
    ]


if __name__ == "__main__":
    main()
