#!/usr/bin/env python3
"""Writes hike.csv: an hour and a half over a heath, as a phone that saves its battery would record it.

    python3 make_hike.py [hike.csv]

Nobody walked it: the way is made by hand, the fixes by a seeded generator (../walks.py). There is one fix each 20 seconds, fewer under trees, and none for
nine minutes, when the phone was off.
"""

import sys
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from walks import Walk  # noqa: E402

ROUTE = [
    ("corner", 52.02600, 6.00800, "open", 1.3),  # the car park
    ("stop", 120, "open"),
    ("corner", 52.02750, 6.01100, "forest", 1.35),
    ("corner", 52.02900, 6.01500, "forest", 1.35),
    ("corner", 52.03000, 6.01850, "open", 1.4),  # the edge of the heath
    ("corner", 52.03150, 6.02200, "open", 1.3),
    ("stop", 420, "open"),  # the view
    ("corner", 52.03250, 6.02600, "open", 1.4),
    ("corner", 52.03350, 6.02700, "forest", 1.2),  # off the trail, after deer
    ("corner", 52.03480, 6.02750, "forest", 1.2),
    ("stop", 150, "forest"),
    ("corner", 52.03350, 6.02800, "forest", 1.3),
    ("corner", 52.03260, 6.03000, "open", 1.4),  # on it again
    ("corner", 52.03200, 6.03500, "none", 1.35),  # the phone is off, past the spring
    ("corner", 52.03050, 6.04100, "none", 1.35),
    ("corner", 52.02950, 6.04500, "open", 1.4),
    ("corner", 52.02850, 6.04900, "open", 1.35),
    ("stop", 600, "indoor"),  # the inn
]

WALK = Walk(
    seed=20260921,
    start=datetime(2026, 9, 20, 7, 30, 0, tzinfo=timezone.utc),  # 09:30 in the Netherlands
    step=20,
    route=ROUTE,
    sky={"open": (6.0, 5.0, 10.0), "forest": (16.0, 14.0, 35.0), "indoor": (20.0, 30.0, 60.0)},
    origin=(52.03, 6.03),
    metres_east=68624.0,
)

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "hike.csv"
    target.write_text(WALK.csv())
