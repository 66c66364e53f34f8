#!/usr/bin/env python3
"""Writes ride.csv: half an hour on a bus through Utrecht, as a phone in a coat would record it.

    python3 make_ride.py [ride.csv]

Nobody rode it: the line is made by hand from approximate places, the fixes by a seeded generator (../walks.py).
"""

import sys
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from walks import Walk  # noqa: E402

ROUTE = [
    ("corner", 52.08950, 5.10950, "open", 1.3),  # Central station, on foot to the stop
    ("corner", 52.08925, 5.11010, "street", 1.3),
    ("blank", 40, 60),
    ("stop", 210, "street"),  # waiting for the bus
    ("corner", 52.08790, 5.11200, "bus", 7.5),
    ("stop", 25, "bus"),  # a traffic light
    ("corner", 52.08690, 5.11700, "bus", 8.5),
    ("corner", 52.08630, 5.12150, "bus", 8.0),
    ("stop", 35, "bus"),  # stop Ledig Erf
    ("corner", 52.08350, 5.12550, "bus", 9.0),
    ("corner", 52.08300, 5.13200, "bus", 11.0),
    ("stop", 20, "bus"),  # stop Rubenslaan
    ("corner", 52.08350, 5.13950, "none", 11.5),  # under a railway: no fix
    ("corner", 52.08420, 5.14350, "bus", 11.0),
    ("stop", 30, "bus"),  # stop Stadion
    ("corner", 52.08480, 5.15300, "open", 12.5),
    ("corner", 52.08560, 5.16500, "open", 13.0),
    ("stop", 20, "open"),  # stop Botanic gardens
    ("corner", 52.08640, 5.17300, "open", 11.0),
    ("stop", 30, "open"),  # stop Campus
    ("corner", 52.08690, 5.17420, "open", 1.3),  # on foot again
    ("corner", 52.08740, 5.17500, "open", 1.35),
    ("stop", 480, "indoor"),  # a cup of tea in the library
]

WALK = Walk(
    seed=20260602,
    start=datetime(2026, 6, 2, 6, 30, 0, tzinfo=timezone.utc),  # 08:30 in Utrecht
    step=5,
    route=ROUTE,
    sky={"open": (6.0, 5.0, 9.0), "street": (9.0, 8.0, 14.0), "bus": (14.0, 10.0, 25.0), "indoor": (18.0, 25.0, 45.0)},
    origin=(52.086, 5.14),
    metres_east=68538.0,
    fastest=13.5,
)

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "ride.csv"
    target.write_text(WALK.csv())
