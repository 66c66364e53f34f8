#!/usr/bin/env python3
"""Writes walk.gpx: a Saturday afternoon's walk through the centre of Amsterdam, as a phone would record it.

    python3 make_walk.py [walk.gpx]

Nobody walked this: the route is made by hand from approximate street corners, the fixes by a seeded generator (walks.py).
"""

import sys
from datetime import datetime, timezone
from pathlib import Path

from walks import Walk

START = datetime(2026, 5, 16, 11, 0, 0, tzinfo=timezone.utc)  # 13:00 in Amsterdam

SKY = {
    "open": (5.0, 5.0, 8.0),
    "street": (7.5, 7.0, 12.0),
    "narrow": (12.0, 11.0, 18.0),
    "indoor": (15.0, 25.0, 40.0),
}

ROUTE = [
    # Stationsplein, from the station's main entrance
    ("corner", 52.37875, 4.90025, "open", 1.3),
    ("stop", 25, "open"),
    ("corner", 52.37815, 4.89955, "open", 1.3),
    ("corner", 52.37765, 4.89845, "open", 1.35),
    ("stop", 40, "open"),  # traffic light, Prins Hendrikkade
    ("corner", 52.37725, 4.89785, "open", 1.45),
    # Damrak, past the Beurs van Berlage
    ("corner", 52.37655, 4.89690, "open", 1.4),
    ("corner", 52.37560, 4.89590, "open", 1.45),
    ("corner", 52.37480, 4.89505, "street", 1.45),
    ("corner", 52.37415, 4.89435, "street", 1.4),
    ("corner", 52.37365, 4.89380, "street", 1.35),
    ("stop", 30, "open"),  # traffic light at the Dam
    # The Dam
    ("corner", 52.37315, 4.89300, "open", 1.25),
    ("stop", 35, "open"),  # a photograph of the palace
    ("corner", 52.37265, 4.89215, "open", 1.3),
    # Kalverstraat
    ("corner", 52.37180, 4.89170, "narrow", 1.3),
    ("corner", 52.37080, 4.89138, "narrow", 1.3),
    ("corner", 52.36985, 4.89118, "narrow", 1.25),
    ("corner", 52.36955, 4.89110, "narrow", 1.25),
    # Begijnensteeg, Begijnhof, the gate to the Spui
    ("corner", 52.36952, 4.89035, "narrow", 1.2),
    ("corner", 52.36955, 4.88995, "narrow", 1.2),
    ("corner", 52.36920, 4.88985, "street", 1.2),
    ("corner", 52.36885, 4.88965, "narrow", 1.2),
    ("corner", 52.36868, 4.88935, "open", 1.25),
    ("blank", 45, 110),
    ("blank", 70, 330),
    ("stop", 540, "indoor"),  # coffee
    # Spui, Kalverstraat again, to the Munt
    ("corner", 52.36873, 4.88985, "open", 1.35),
    ("corner", 52.36870, 4.89062, "street", 1.4),
    ("corner", 52.36825, 4.89072, "narrow", 1.4),
    ("corner", 52.36785, 4.89092, "narrow", 1.35),
    ("corner", 52.36745, 4.89160, "narrow", 1.4),
    ("corner", 52.36705, 4.89245, "narrow", 1.4),
    ("stop", 20, "open"),  # traffic light, Muntplein
    # Bloemenmarkt, along the Singel
    ("corner", 52.36682, 4.89232, "open", 1.3),
    ("corner", 52.36670, 4.89165, "street", 1.2),
    ("stop", 300, "street"),  # first stalls
    ("corner", 52.36668, 4.89125, "street", 1.2),
    ("stop", 270, "street"),  # bulbs
    ("corner", 52.36673, 4.89080, "street", 1.2),
    ("stop", 150, "street"),  # paying
    ("corner", 52.36690, 4.89005, "street", 1.3),
    ("corner", 52.36708, 4.88935, "open", 1.4),
    # Koningsplein, Herengracht
    ("corner", 52.36675, 4.88870, "open", 1.4),
    ("corner", 52.36652, 4.88838, "street", 1.4),
    ("corner", 52.36628, 4.88885, "street", 1.45),
    ("corner", 52.36605, 4.88960, "street", 1.45),
    ("corner", 52.36588, 4.89025, "street", 1.45),
    # Nieuwe Spiegelstraat, Spiegelgracht
    ("corner", 52.36525, 4.88980, "narrow", 1.35),
    ("corner", 52.36475, 4.88948, "narrow", 1.35),
    ("corner", 52.36395, 4.88895, "narrow", 1.35),
    ("corner", 52.36335, 4.88855, "narrow", 1.35),
    ("corner", 52.36300, 4.88835, "street", 1.45),
    ("corner", 52.36215, 4.88770, "street", 1.45),
    ("corner", 52.36130, 4.88705, "street", 1.45),
    ("stop", 35, "open"),  # traffic light, Weteringschans
    # Museumbrug, the museum and its passage
    ("corner", 52.36080, 4.88668, "open", 1.45),
    ("corner", 52.36045, 4.88610, "open", 1.4),
    ("corner", 52.36018, 4.88560, "street", 1.3),
    ("corner", 52.36000, 4.88528, "indoor", 1.2),
    ("blank", 90, 140),
    ("blank", 60, 480),
    ("blank", 75, 785),
    ("stop", 1320, "indoor"),  # the museum shop
    ("corner", 52.35962, 4.88478, "street", 1.3),
    # Jan Luijkenstraat, Hobbemastraat
    ("corner", 52.35985, 4.88425, "street", 1.4),
    ("corner", 52.36030, 4.88395, "street", 1.45),
    ("corner", 52.36080, 4.88355, "street", 1.45),
    ("corner", 52.36135, 4.88300, "street", 1.45),
    # Stadhouderskade, past the gate of the Vondelpark
    ("corner", 52.36155, 4.88245, "open", 1.45),
    ("corner", 52.36185, 4.88168, "open", 1.45),
    ("corner", 52.36255, 4.88130, "open", 1.45),
    ("stop", 45, "open"),  # traffic light, Leidsebrug
    ("corner", 52.36325, 4.88165, "open", 1.45),
    # Leidseplein, Leidsestraat
    ("corner", 52.36380, 4.88235, "open", 1.35),
    ("corner", 52.36415, 4.88330, "open", 1.35),
    ("corner", 52.36460, 4.88450, "street", 1.4),
    ("corner", 52.36550, 4.88625, "street", 1.45),
    ("stop", 20, "street"),  # a tram goes first
    ("corner", 52.36640, 4.88805, "street", 1.45),
    # Koningsplein again, Singel, Spui
    ("corner", 52.36675, 4.88870, "open", 1.4),
    ("corner", 52.36710, 4.88925, "open", 1.4),
    ("corner", 52.36760, 4.88905, "street", 1.45),
    ("corner", 52.36815, 4.88868, "street", 1.45),
    ("corner", 52.36862, 4.88858, "street", 1.45),
    ("corner", 52.36880, 4.88905, "open", 1.4),
    # Nieuwezijds Voorburgwal
    ("corner", 52.36930, 4.88930, "street", 1.45),
    ("corner", 52.37010, 4.88970, "street", 1.45),
    ("stop", 30, "open"),  # the tram home
]

# Metres for one degree, at 52.367 degrees north (WGS 84).
WALK = Walk(seed=20260516, start=START, step=5, route=ROUTE, sky=SKY, origin=(52.367, 4.890), metres_east=68106.0)


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "walk.gpx"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gpx version="1.1" creator="PlotEngine demo" xmlns="http://www.topografix.com/GPX/1/1">',
        "  <metadata>",
        "    <name>A Saturday afternoon in Amsterdam</name>",
        "    <desc>Made by make_walk.py, not recorded.</desc>",
        f"    <time>{START:%Y-%m-%dT%H:%M:%SZ}</time>",
        "  </metadata>",
        "  <trk>",
        "    <name>Centraal, Dam, Spui, Bloemenmarkt, Rijksmuseum, Leidseplein, Spui</name>",
        "    <trkseg>",
    ]
    for time, latitude, longitude, accuracy, speed in WALK.fixes():
        lines.append(
            f'      <trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"><time>{time:%Y-%m-%dT%H:%M:%SZ}</time>'
            f"<extensions><accuracy>{accuracy:.1f}</accuracy><speed>{speed:.2f}</speed></extensions></trkpt>"
        )
    lines += ["    </trkseg>", "  </trk>", "</gpx>", ""]
    target.write_bytes("\n".join(lines).encode("utf-8"))


if __name__ == "__main__":
    main()
