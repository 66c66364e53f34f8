#!/usr/bin/env python3
"""Writes visit.csv and beacons.csv: twenty minutes in a shopping street, as a phone would record it: fixes, and the beacons that it hears.

    python3 make_visit.py [FOLDER]

Nobody went there: the street is invented, the fixes are made by a seeded generator (../walks.py), and the strength of a beacon follows from the distance,
with the noise of people between.
"""

import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from walks import Walk, normal  # noqa: E402

UUID = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
# On the counters, ten metres apart: major number 1, and the minor number of each.
BEACONS = {1: (51.92108, 4.47905), 2: (51.92108, 4.47920), 3: (51.92108, 4.47935)}
POWER = -59  # dBm at one metre
# Decibels that are lost beyond one metre, by the distance in metres.
LOSS = [(0, -6), (1, 0), (2, 6), (5, 14), (10, 20), (20, 27), (30, 31), (45, 36)]

ROUTE = [
    ("corner", 51.92095, 4.47700, "street", 1.3),
    ("corner", 51.92098, 4.47850, "street", 1.3),
    ("stop", 45, "street"),  # shop windows
    ("corner", 51.92099, 4.47905, "street", 1.2),  # past the books
    ("corner", 51.92099, 4.47935, "street", 1.2),  # and the cheese, to the shoes
    ("stop", 30, "street"),
    ("corner", 51.92101, 4.47921, "street", 1.2),
    ("corner", 51.92109, 4.47920, "indoor", 1.2),
    ("blank", 80, 200),
    ("stop", 420, "indoor"),  # in the cheese shop
    ("corner", 51.92099, 4.47920, "street", 1.2),
    ("corner", 51.92098, 4.48150, "street", 1.35),
    ("stop", 60, "street"),
]

WALK = Walk(
    seed=20260613,
    start=datetime(2026, 6, 13, 12, 0, 0, tzinfo=timezone.utc),  # 14:00 in Rotterdam
    step=5,
    route=ROUTE,
    sky={"open": (6.0, 5.0, 9.0), "street": (16.0, 12.0, 24.0), "indoor": (22.0, 28.0, 50.0)},
    origin=(51.921, 4.479),
    metres_east=68786.0,
)


def loss(distance):
    for (near, less), (far, more) in zip(LOSS, LOSS[1:]):
        if distance < far:
            return less + (more - less) * (distance - near) / (far - near)
    return None


def sightings():
    generator = random.Random(WALK.seed + 1)
    places = {minor: WALK.to_plane(*place) for minor, place in BEACONS.items()}
    lines = ["time,proximityUUID,majorId,minorId,rssi,power"]
    for second, (east, north, _, sky, _) in enumerate(WALK.true_positions(random.Random(WALK.seed))):
        for minor, (x, y) in places.items():
            lost = loss(((east - x) ** 2 + (north - y) ** 2) ** 0.5)
            # A wall and the people in it take more; a third of all frames is not heard.
            if lost is None or generator.random() < 0.35:
                continue
            strength = POWER - lost - (6 if sky == "indoor" and minor != 2 else 0) + 4 * normal(generator)
            if strength < -95:
                continue
            time = WALK.start + timedelta(seconds=second)
            lines.append(f"{time:%Y-%m-%dT%H:%M:%SZ},{UUID},1,{minor},{strength:.0f},{POWER}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    (folder / "visit.csv").write_text(WALK.csv())
    (folder / "beacons.csv").write_text(sightings())
