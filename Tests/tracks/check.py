#!/usr/bin/env python3
"""Checks the formats of tracks of docs/tracks.md: one ride has the same events in each, and a broken file is refused as the page says.

    Tests/tracks/check.py TOOL
    Tests/tracks/check.py TOOL --keep FOLDER   leaves the files there

The ride is that of the demo (rides.py writes it). Each format is held against CSV with the same accuracy and speed, as far as the format has them.
"""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import rides

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tracks.md"
DEMO = [f"--feed={ROOT}/demo/feed.json", f"--config={ROOT}/demo/plotconfig.json"]
MADE = {"make_walk.py": ["walk.gpx"], "bus/make_ride.py": ["ride.csv"], "street/make_visit.py": ["visit.csv", "beacons.csv"], "hike/make_hike.py": ["hike.csv"]}


def play(tool, track, folder, stdin=None):
    """The events, as kind, subject and time; or the error of the tool."""
    events = folder / "events.jsonl"
    events.unlink(missing_ok=True)
    done = subprocess.run([tool, "simulate", *DEMO, f"--track={track}", f"--events={events}", "--quiet"], stdin=stdin, capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip().removeprefix("Error: ").replace(f"{folder}/", "")
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    return [(one["time"], one["event"], one.get("region"), one.get("campaign")) for one in lines], done.stderr


def changed(text, old, new):
    """The same with one place that is wrong; in bytes, with the checksum of before."""
    if old not in text:
        sys.exit(f"tracks: a broken file is not broken: {old!r} is not in it")
    return text.replace(old, new, 1)


def broken(gpx):
    """The files of the page's second table."""
    points = rides.points_of(gpx)[:20]
    fit, third = rides.fit(points), points[2]
    return {
        "year.gpx": changed("".join(gpx), "<time>2026-05-16T11:00:10Z", "<time>1901-05-16T11:00:10Z"),
        "cut.gpx": gpx[: gpx.index("<trkpt", 3000)],
        "north.tcx": changed(rides.tcx(points), f"{third.latitude:.6f}", f"1{third.latitude:.6f}"),
        "times.kml": changed(rides.kml(points), f"<when>{third.iso}</when>\n", ""),
        "times.geojson": changed(rides.geojson(points), f'"{third.iso}", ', ""),
        "noon.csv": changed(rides.csv(points), third.iso, "noon"),
        "zone.csv": changed(rides.csv(points), third.iso, third.iso.removesuffix("Z")),
        "Records.json": changed(rides.records(points), f'"latitudeE7": {round(third.latitude * 1e7)}', '"latitudeE7": 1523787370'),
        "2026_MAY.json": changed(rides.month(points), f'"{third.time}000"', '"soon"'),
        "Timeline.json": changed(rides.android(points), f"{third.latitude}°, ", ""),
        "location-history.json": changed(rides.ios(points), f"geo:{third.latitude},", "geo:here,"),
        "gnss_log.txt": changed(rides.gnss(points), f"Fix,FLP,{third.latitude:.6f},", "Fix,FLP,,"),
        "undated.nmea": "\n".join(line for line in rides.nmea(points).split("\r\n") if "GGA" in line),
        "side.nmea": rides.sentence("GPRMC,110000,A,5222.7,X,454.0,E,,,160526,,"),
        "cut.fit": fit[:-40],
        "damaged.fit": fit[:200] + bytes([fit[200] ^ 1]) + fit[201:],
        "ride.gpx.gz": gzip.compress(gpx.encode(), mtime=0)[:5000],
        "doc.kmz": b"PK\x03\x04" + bytes(30),
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(30),
    }  # fmt: skip


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def main(tool, keep):
    gpx = (ROOT / "demo" / "walk.gpx").read_text()
    faults, passed = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(keep or name)
        folder.mkdir(exist_ok=True)
        for file, (content, points, fields) in rides.rides(gpx).items():
            write(folder / file, content)
            write(folder / "wanted.csv", rides.csv(points, fields=fields))
            wanted, _ = play(tool, folder / "wanted.csv", folder)
            found, words = play(tool, folder / file, folder)
            if not wanted or len(wanted) < 15:
                faults.append(f"{file}: the ride has {wanted and len(wanted)} events")
            if found == wanted:
                passed += 1
            else:
                faults.append(f"{file}: {words if found is None else f'{len(found)} events, not the {len(wanted)} of CSV'}")
            if file == "ride.csv":
                with open(folder / file) as stream:
                    passed += play(tool, "-", folder, stream)[0] == wanted
        # The walks of the demo are what their programs make.
        for program, files in MADE.items():
            made = folder / program.replace("/", "-")
            made.mkdir()
            target = made if len(files) > 1 else made / files[0]
            subprocess.run([sys.executable, "-B", ROOT / "demo" / program, target], check=True)
            for file in files:
                if (made / file).read_bytes() == (ROOT / "demo" / program).with_name(file).read_bytes():
                    passed += 1
                else:
                    faults.append(f"demo/{program} makes another {file}")
        rows = dict(re.findall(r"^\| `(\S+)` \| .*? \| `(.+)` \|$", PAGE.read_text(), re.M))
        files = broken(gpx)
        for file in sorted(rows.keys() ^ files.keys()):
            faults.append(f"{file}: is in one of the page and the checks only")
        for file, content in files.items():
            write(folder / file, content)
            events, words = play(tool, folder / file, folder)
            if events is not None:
                faults.append(f"{file}: is not refused")
            elif words != rows.get(file):
                faults.append(f"{file}: the page says {rows.get(file)!r}, the tool {words!r}")
            else:
                passed += 1
    for fault in faults:
        print(f"tracks: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f"tracks: {passed} files: one ride in every format, and those that are broken are refused as {PAGE.relative_to(ROOT)} says")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[3] if len(sys.argv) == 4 else None)
