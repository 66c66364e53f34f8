"""Devices that move, the noise of their fixes, and the circles around them: the families of `make presence`.

Everything is drawn from NumPy's PCG64 with the family's number and a seed, so a seed always gives the same world. Positions are metres in a
plane. `to_degrees` puts the plane at latitude 0, longitude 0, where a plane and the sphere differ by about a millimetre a kilometre.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import math
import os
import pathlib
import re

import numpy as np

EARTH = 6_371_008.8
ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class World:
    family: str
    interval: float
    """Seconds between two fixes, as the family has them."""
    truth: np.ndarray
    """Where the device really is, (n, 3): seconds, metres east, metres north; one row a second."""
    fixes: np.ndarray
    """Its reports, (m, 4): seconds, metres east, metres north, accuracy in metres (68 %)."""
    circles: np.ndarray
    """(k, 3): centre east, centre north, radius."""

    @property
    def least_stay(self) -> float:
        """How long a stay must be, in seconds, to count as missed: 20 s, or three intervals between fixes if that is longer."""
        return max(20.0, 3 * self.interval)


def to_degrees(metres):
    return np.degrees(np.asarray(metres) / EARTH)


# ---- Movement: knots (seconds, east, north), then one position a second -------------------------------------------------


class Way:
    def __init__(self, at=(0.0, 0.0)):
        self.time, self.at, self.knots = 0.0, np.array(at, float), []
        self._mark()

    def _mark(self):
        self.knots.append((self.time, *self.at))

    def pause(self, seconds):
        self.time += seconds
        self._mark()

    def go(self, to, speed):
        to = np.array(to, float)
        self.time += max(0.1, math.dist(self.at, to) / speed)
        self.at = to
        self._mark()

    def by_streets(self, to, speed, light=0.0, rng=None):
        """Along one axis, then along the other; a driver may wait at the corner."""
        corner = (to[0], self.at[1]) if rng is None or rng.random() < 0.5 else (self.at[0], to[1])
        self.go(corner, speed)
        if rng is not None and rng.random() < light:
            self.pause(rng.uniform(5, 45))
        self.go(to, speed)

    def track(self):
        knots = np.array(self.knots)
        seconds = np.arange(0.0, math.floor(self.time) + 1.0)
        return np.column_stack([seconds, np.interp(seconds, knots[:, 0], knots[:, 1]), np.interp(seconds, knots[:, 0], knots[:, 2])])


def around(rng, places, radius, inside, outside):
    """Circles that hold each place by a random share of the radius, and as many decoys as `outside` says, whose edge is near it."""
    circles = []
    for x, y in places:
        for low, high, often in ((0.0, inside, 1), (1.1, 2.2, outside)):
            for _ in range(often):
                size = rng.choice(radius)
                angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(low, high) * size
                circles.append((x + far * math.cos(angle), y + far * math.sin(angle), size))
    return np.array(circles)


def beside(rng, track, radius, each, share):
    """A circle every so many metres of the way, at most `share` radii beside it."""
    way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(track[:, 1:], axis=0).T))])
    circles = []
    for at in np.arange(each / 2, way[-1], each):
        n = int(np.searchsorted(way, at))
        size = rng.choice(radius)
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, share) * size
        circles.append((track[n, 1] + far * math.cos(angle), track[n, 2] + far * math.sin(angle), size))
    return np.array(circles)


def bus(rng, stops=24, radius=(60.0,)):
    way, heading, places = Way(), rng.uniform(0, 2 * math.pi), []
    for _ in range(stops):
        heading += rng.normal(0, 0.5)
        for _ in range(2):
            step = rng.uniform(120, 300)
            way.go(way.at + step * np.array([math.cos(heading), math.sin(heading)]), rng.uniform(6, 13))
        places.append(way.at)
        way.pause(rng.uniform(8, 40))
    return way.track(), around(rng, places, radius, 0.4, 0)


def drive(rng, corners=40, radius=(100.0, 150.0)):
    way, block = Way(), rng.uniform(140, 240)
    for _ in range(corners):
        axis, sign = rng.integers(2), rng.choice([-1, 1, 1])
        step = np.zeros(2)
        step[axis] = sign * block * rng.integers(1, 4)
        way.go(way.at + step, rng.uniform(7, 15))
        if rng.random() < 0.4:
            way.pause(rng.uniform(5, 50))
    track = way.track()
    return track, beside(rng, track, radius, 600, 1.5)


def walk(rng, stops=9, radius=(60.0, 100.0)):
    way, places = Way(), []
    for _ in range(stops):
        to = way.at + rng.uniform(-350, 350, 2)
        way.by_streets(to, rng.uniform(1.0, 1.6), 0.3, rng)
        places.append(to)
        way.pause(rng.uniform(60, 400))
    return way.track(), around(rng, places, radius, 0.7, 1)


def hike(rng, legs=120, radius=(60.0, 100.0)):
    way, heading = Way(), rng.uniform(0, 2 * math.pi)
    for _ in range(legs):
        heading += rng.normal(0, 0.4)
        way.go(way.at + rng.uniform(30, 90) * np.array([math.cos(heading), math.sin(heading)]), rng.uniform(0.7, 1.5))
        if rng.random() < 0.04:
            way.pause(rng.uniform(120, 900))
    track = way.track()
    return track, beside(rng, track, radius, 450, 1.0)


def day(rng, errands=6, radius=(100.0, 150.0)):
    way, places = Way(), [(0.0, 0.0)]
    way.pause(rng.uniform(1800, 5400))
    for _ in range(errands):
        to = rng.uniform(-4000, 4000, 2)
        way.by_streets(to, rng.uniform(7, 13), 0.5, rng)
        places.append(to)
        way.pause(rng.uniform(900, 5400))
    way.by_streets((0.0, 0.0), rng.uniform(7, 13), 0.5, rng)
    way.pause(rng.uniform(1800, 5400))
    return way.track(), around(rng, places, radius, 0.6, 1)


def desk(rng, hours=8.0, radius=(100.0,)):
    """Someone sits at a place for hours, with a walk for lunch; fences lie 10, 30 and 60 m beyond the wall, or hold the place."""
    way = Way((rng.uniform(-700, -500), rng.uniform(-200, 200)))
    way.pause(120)
    way.by_streets((0.0, 0.0), 1.3)
    for part in range(int(hours * 6)):
        way.pause(590)
        if part == int(hours * 3):
            lunch = (rng.uniform(-200, 200), rng.choice([-1, 1]) * rng.uniform(500, 700))
            way.by_streets(lunch, 1.3)
            way.pause(rng.uniform(900, 2400))
            way.by_streets((0.0, 0.0), 1.3)
        way.go(rng.normal(0, 3, 2), 1.0)
    way.by_streets((rng.uniform(500, 700), rng.uniform(-200, 200)), 1.3)
    way.pause(300)
    circles = []
    for depth in (-60.0, -30.0, -10.0, 20.0, 50.0):
        for size in radius:
            angle = rng.uniform(0, 2 * math.pi)
            circles.append(((size - depth) * math.cos(angle), (size - depth) * math.sin(angle), size))
    return way.track(), np.array(circles)


# ---- Noise: from true positions at the times of the fixes to what is reported -------------------------------------------


def gauss_markov(rng, times, sigma, correlation):
    error = np.empty((len(times), 2))
    error[0] = rng.normal(0, sigma, 2)
    rho = np.exp(-np.diff(times) / correlation)
    shocks = rng.normal(0, sigma, (len(times) - 1, 2))
    for n in range(1, len(times)):
        error[n] = rho[n - 1] * error[n - 1] + math.sqrt(1 - rho[n - 1] ** 2) * shocks[n - 1]
    return error


def directions(rng, count):
    angle = rng.uniform(0, 2 * math.pi, count)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def white(rng, true, sigma=15.0):
    return true[:, 1:] + rng.normal(0, sigma, (len(true), 2)), np.full(len(true), sigma)


def correlated(rng, true):
    sigma = 30.0 * rng.uniform(0.8, 1.2)
    return true[:, 1:] + gauss_markov(rng, true[:, 0], sigma, 60.0 * rng.uniform(0.7, 1.4)), np.full(len(true), sigma)


def outliers(rng, true, sigma=15.0, share=0.02, far=300.0):
    seen, accuracy = white(rng, true, sigma)
    wild = rng.random(len(true)) < share
    seen[wild] = true[wild, 1:] + far * rng.uniform(0.7, 1.4, (wild.sum(), 1)) * directions(rng, wild.sum())
    return seen, accuracy


def bursts(rng, true, each, shortest, longest):
    """For each fix the number of the burst that it is in, or -1."""
    number, time, count = np.full(len(true), -1), rng.exponential(each), 0
    while time < true[-1, 0]:
        length = rng.uniform(shortest, longest)
        number[(true[:, 0] >= time) & (true[:, 0] < time + length)] = count
        time += length + rng.exponential(each)
        count += 1
    return number, count


def canyon(rng, true, is_honest):
    seen = true[:, 1:] + gauss_markov(rng, true[:, 0], 7.0, 30.0) + rng.normal(0, 3, (len(true), 2))
    accuracy = rng.uniform(8, 15, len(true))
    number, count = bursts(rng, true, 240.0, 20, 60)
    length = rng.uniform(100, 300, count)
    shift = directions(rng, count) * length[:, None]
    for burst in range(count):
        there = number == burst
        seen[there] += shift[burst] + rng.normal(0, 12, (there.sum(), 2))
        accuracy[there] = length[burst] * rng.uniform(0.8, 1.2, there.sum()) if is_honest else rng.uniform(8, 20, there.sum())
    return seen, accuracy


def tunnels(rng, true):
    seen = true[:, 1:] + gauss_markov(rng, true[:, 0], 7.0, 30.0) + rng.normal(0, 3, (len(true), 2))
    accuracy = rng.uniform(8, 15, len(true))
    number, count = bursts(rng, true, 400.0, 60, 180)
    ends = [true[number == n, 0].max() for n in range(count) if (number == n).any()]
    for end in ends:
        since = true[:, 0] - end
        after = (since > 0) & (since < 30)
        bias = directions(rng, 1) * rng.uniform(40, 120)
        seen[after] += bias * np.exp(-since[after] / 10)[:, None]
        accuracy[after] = np.maximum(accuracy[after], 40 * np.exp(-since[after] / 15))
    kept = number < 0
    return seen, np.where(kept, accuracy, np.nan)


def indoors(rng, true):
    seen = true[:, 1:] + gauss_markov(rng, true[:, 0], rng.uniform(12, 22), 900.0) + rng.normal(0, 6, (len(true), 2))
    accuracy = rng.uniform(15, 35, len(true))
    number, count = bursts(rng, true, 1500.0, 60, 400)
    for burst in range(count):
        there = number == burst
        seen[there] += directions(rng, 1) * rng.uniform(40, 110)
    return seen, accuracy


def wifi(rng, true):
    accuracy = rng.uniform(25, 80, len(true))
    seen = true[:, 1:] + rng.normal(0, 1, (len(true), 2)) * accuracy[:, None] / 1.5
    cell = rng.random(len(true)) < 0.1
    accuracy[cell] = rng.uniform(500, 2000, cell.sum())
    seen[cell] = true[cell, 1:] + rng.normal(0, 1, (cell.sum(), 2)) * accuracy[cell, None] / 1.5
    stale = rng.random(len(true)) < 0.01
    # A known access point that has been carried elsewhere: far away, or where the device was before.
    elsewhere = directions(rng, len(true)) * rng.uniform(1000, 20_000, (len(true), 1))
    before = true[(rng.random(len(true)) * np.arange(len(true))).astype(int), 1:]
    seen[stale] = np.where(rng.random((stale.sum(), 1)) < 0.5, before[stale], true[stale, 1:] + elsewhere[stale])
    accuracy[stale] = 40.0
    return seen, accuracy


def cell(rng, true):
    accuracy = rng.uniform(500, 3000, len(true))
    # The same tower is heard for a while, and is wrong in the same way.
    error = 0.7 * gauss_markov(rng, true[:, 0], 1.0, 300.0) + 0.7 * rng.normal(0, 1, (len(true), 2))
    return true[:, 1:] + error * accuracy[:, None] / 1.5, accuracy


# ---- Families -----------------------------------------------------------------------------------------------------------

# Name: seconds between fixes, worlds a set, movement, noise. The number of worlds gives each family some 100 to 200 stays.
FAMILIES = {
    "white": (1, 5, lambda rng: bus(rng), lambda rng, true: white(rng, true)),
    "gauss-markov": (1, 4, lambda rng: bus(rng, radius=(60.0, 100.0)), correlated),
    "outliers": (1, 6, lambda rng: bus(rng), lambda rng, true: outliers(rng, true)),
    "canyon, lying": (1, 5, lambda rng: drive(rng), lambda rng, true: canyon(rng, true, False)),
    "canyon, honest": (1, 5, lambda rng: walk(rng), lambda rng, true: canyon(rng, true, True)),
    "tunnels": (1, 5, lambda rng: drive(rng), tunnels),
    "drive at 5 s": (5, 6, lambda rng: drive(rng), lambda rng, true: outliers(rng, true, 10.0)),
    "hike at 5 s": (5, 8, lambda rng: hike(rng), correlated),
    "wifi at 5 s": (5, 5, lambda rng: walk(rng, radius=(100.0, 150.0)), wifi),
    "wifi at 60 s": (60, 15, lambda rng: day(rng), wifi),
    "indoors at 60 s": (60, 10, lambda rng: desk(rng, radius=(80.0, 120.0)), indoors),
    "indoors at 10 s": (10, 5, lambda rng: desk(rng, 4.0, radius=(80.0, 120.0)), indoors),
    "cell": (60, 10, lambda rng: day(rng, radius=(200.0, 1000.0)), cell),
    "day at 60 s": (60, 15, lambda rng: day(rng), lambda rng, true: outliers(rng, true)),
    "day at 300 s": (300, 15, lambda rng: day(rng), lambda rng, true: outliers(rng, true, 25.0)),
}  # fmt: skip

REAL = {
    "real bus, white": ("bus304", lambda rng, true: white(rng, true)),
    "real bus, outliers": ("bus304", lambda rng, true: outliers(rng, true)),
    "real bus, gauss-markov": ("bus304", correlated),
    "real hike, outliers": ("hike", lambda rng, true: outliers(rng, true)),
}

# The seeds that parameters were tuned on, those that are reported, and those that were played only once all rules were there.
SEEDS = {"tune": 1000, "report": 5000, "fresh": 20_000}


def report(rng, true, noise):
    """The fixes of a noise model; where it gives no accuracy, there is no fix."""
    seen, accuracy = noise(rng, true)
    fixes = np.column_stack([true[:, 0], seen, accuracy])
    return fixes[~np.isnan(accuracy)]


def synthetic(family, seed):
    interval, _, movement, noise = FAMILIES[family]
    rng = np.random.Generator(np.random.PCG64([list(FAMILIES).index(family), seed]))
    truth, circles = movement(rng)
    return World(family, interval, truth, report(rng, truth[::interval], noise), circles)


def data_folder():
    return pathlib.Path(os.environ.get("PLOT_TRACES", ROOT.parent / "shared/data"))


def read_track(path):
    points = re.findall(r'<trkpt[^>]*?lat="([^"]+)"[^>]*?lon="([^"]+)".*?<time>([^<]+)</time>', path.read_text("utf-8"), re.S)
    rows = np.array(sorted((datetime.datetime.fromisoformat(when.replace("Z", "+00:00")).timestamp(), float(a), float(b)) for a, b, when in points))
    return rows[np.concatenate([[True], np.diff(rows[:, 0]) > 0])]


def real(family, seed):
    """A recorded track, taken as the truth, with noise added."""
    name, noise = REAL[family]
    folder = data_folder() / name
    rows = read_track(folder / "track.gpx")
    origin, scale = rows[0, 1:].copy(), np.radians(1) * EARTH
    across = scale * math.cos(math.radians(rows[:, 1].mean()))
    recorded = np.column_stack([rows[:, 0] - rows[0, 0], (rows[:, 2] - origin[1]) * across, (rows[:, 1] - origin[0]) * scale])
    seconds = np.arange(0.0, recorded[-1, 0] + 1)
    truth = np.column_stack([seconds, np.interp(seconds, recorded[:, 0], recorded[:, 1]), np.interp(seconds, recorded[:, 0], recorded[:, 2])])
    if name == "bus304":
        stops = json.loads((folder / "stops.geojson").read_text("utf-8"))["features"]
        centres = [stop["geometry"]["coordinates"] for stop in stops]
        circles = np.array([((b - origin[1]) * across, (a - origin[0]) * scale, 60.0) for b, a in centres])
    else:
        way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(recorded[:, 1:], axis=0).T))])
        # Where the track leaps over kilometres there is one circle, not one for each.
        at = np.unique(np.searchsorted(way, np.arange(0, way[-1], 1000)))
        circles = np.array([(*recorded[one, 1:], 80.0) for one in at])
    rng = np.random.Generator(np.random.PCG64([100 + list(REAL).index(family), seed]))
    interval = float(np.median(np.diff(recorded[:, 0])))
    return World(family, interval, truth, report(rng, recorded, noise), circles)


def worlds(seeds="report", short=False, only=None, later=0):
    """Each world of a set of seeds, and each of the real tracks if they are there. A short run has one world of a family. `later`: the set that
    comes so many behind it."""
    first = SEEDS[seeds] + 1000 * later
    for family, (_, count, _, _) in FAMILIES.items():
        if only is None or family in only:
            for n in range(1 if short else count):
                yield synthetic(family, first + n)
    for family, (name, _) in REAL.items():
        if (only is None or family in only) and (data_folder() / name / "track.gpx").exists():
            for n in range(1 if short else 4):
                yield real(family, first + n)
