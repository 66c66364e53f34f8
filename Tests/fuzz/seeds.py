#!/usr/bin/env python3
"""Seeds of the fuzz targets, and the tables that the target `life` is compiled with, from what the tree has: the test vectors, the demo, the
examples of docs/.

    seeds.py --tables FILE      writes the tables of scenarios.inc
    seeds.py --seeds FOLDER     writes FOLDER/TARGET/…, to be minimized into Tests/fuzz/corpus (Tests/fuzz/run.py)
"""

import argparse
import json
import pathlib
import sys
import re
import struct
import zoneinfo

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Tests" / "vectors"

# The order is part of the corpus: a scenario's number is a byte of it. Only append.
SCENARIOS = [
    "a05-dismissed-frees-its-slot", "a08-blocked-sender", "a09-revisions", "a12-plan-diff-is-empty", "a15-moving-region",
    "a-then-b-in-time", "actions-taken", "approaching", "beacon-eddystone", "beacon-ranges", "caps-at-every-level",
    "coalescing", "content-filled-in", "cooldown-tries-the-next", "exclusion-group", "filter-at-enter",
    "filter-answer-order", "geotrigger-handled-or-dropped", "group-beacon-enters-gps-holds", "hint-of-an-area",
    "inside-at-clock-change", "message-beside-campaigns", "multipolygon", "noise-confirmed-by-fixes-and-time",
    "opening-hours-hold", "passages", "quiet-waits-over-a-restart", "remove-on-exit", "segmentation-tree",
    "strategy-tutorial", "slots-replace-and-fail", "nth-visit",
]
PROPERTY_TYPES = ["string", "boolean", "integer", "double", "date"]
HINT_KINDS = ["enter", "exit", "inside", "outside"]
PROXIMITIES = ["unknown", "immediate", "near", "far"]


def vector(name):
    return json.loads(next(VECTORS.glob(f"*/{name}.json")).read_text("utf-8"))


def quote(text):
    """A C string; what is not printable ASCII in octal, so that no digit behind it counts."""
    if text is None:
        return "NULL"
    out = []
    for byte in text.encode("utf-8"):
        character = chr(byte)
        out.append("\\" + character if character in '"\\' else character if 32 <= byte < 127 else f"\\{byte:03o}")
    return '"' + "".join(out).replace("??", '?""?') + '"'


def places(value, found):
    if isinstance(value, dict):
        if "latitude" in value and "longitude" in value:
            found.append((float(value["latitude"]), float(value["longitude"])))
        for member in value.values():
            places(member, found)
    elif isinstance(value, list):
        if len(value) == 2 and all(isinstance(part, (int, float)) for part in value):
            found.append((float(value[1]), float(value[0])))
        else:
            for member in value:
                places(member, found)


def of(values):
    return list(dict.fromkeys(values))


class Scenario:
    """The inputs that a byte can choose from, in a scenario."""

    def __init__(self, name):
        self.vector = vector(name)
        feed = self.vector["feed"]
        inputs = self.vector["inputs"]
        points = []
        places(inputs, points)
        places(feed, points)
        self.points = of(points)[:40] or [(52.36, 4.885)]
        self.regions = [region["id"] for region in feed["regions"]][:20] + ["nowhere"]
        self.campaigns = [campaign["id"] for campaign in feed["campaigns"]][:20] + ["none"]
        self.beacons = [
            (region["proximityUUID"], region.get("majorId", 1), region.get("minorId", 1))
            for region in feed["regions"] if "proximityUUID" in region
        ][:8] or [("f7826da6-4fa2-4e98-8024-bc5b71e0893e", 1, 2)]
        self.eddystones = [
            (region["namespaceId"], region.get("instanceId", "000000000001"))
            for region in feed["regions"] if "namespaceId" in region
        ][:8] or [("edd1ebeac04e5defa017", "0bdb87539b67")]
        given = [(one["message"]) for one in inputs if "message" in one]
        self.payloads = [
            one["text"] if "text" in one else json.dumps(one["payload"], separators=(",", ":")) for one in given
        ][:20] or ['{"id":"m","body":"Hello"}', '{"op":"retract","id":"n","correlationKey":"k"}']
        lists = [one["setList"] for one in inputs if "setList" in one]
        self.lists = of(
            (one["name"], json.dumps(one["list"], separators=(",", ":")) if "list" in one else None) for one in lists
        )[:8] or [("blocked", '{"version":1,"entries":["alice"]}')]
        keys = [one[kind]["key"] for one in inputs for kind in ("setProperty", "clearProperty") if kind in one]
        self.properties = of(keys)[:8] or ["language"]
        texts = [
            one["setProperty"]["value"] for one in inputs
            if "setProperty" in one and one["setProperty"]["type"] == "string"
        ]
        self.texts = of(texts)[:8] or ["en"]
        self.start = milliseconds(self.vector["start"])


def milliseconds(text):
    import datetime

    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def tables(scenarios):
    lines = ["/* Made by Tests/fuzz/seeds.py. */"]

    def array(number, kind, name, rows):
        lines.append(f"static const {kind} {name}_{number}[] = {{{', '.join(rows)}}};")

    for number, one in enumerate(scenarios):
        array(number, "place", "points", [f"{{{lat!r}, {lon!r}}}" for lat, lon in one.points])
        array(number, "char *const", "regions", map(quote, one.regions))
        array(number, "char *const", "campaigns", map(quote, one.campaigns))
        array(number, "beacon", "beacons", [f"{{{quote(u)}, {a}, {b}}}" for u, a, b in one.beacons])
        array(number, "pair", "eddystones", [f"{{{quote(a)}, {quote(b)}}}" for a, b in one.eddystones])
        array(number, "char *const", "payloads", map(quote, one.payloads))
        array(number, "pair", "lists", [f"{{{quote(a)}, {quote(b)}}}" for a, b in one.lists])
        array(number, "char *const", "properties", map(quote, one.properties))
        array(number, "char *const", "texts", map(quote, one.texts))
    lines.append("static const scenario scenarios[] = {")
    for number, one in enumerate(scenarios):
        config = quote(json.dumps(one.vector["config"], separators=(",", ":")))
        feed = quote(json.dumps(one.vector["feed"], separators=(",", ":")))
        names = ["points", "regions", "campaigns", "beacons", "eddystones", "payloads", "lists", "properties", "texts"]
        parts = ", ".join(f"{name}_{number}, COUNT_OF({name}_{number})" for name in names)
        lines.append(f"    {{{config}, {feed}, INT64_C({one.start}), {parts}}},")
    lines.append("};")
    return "\n".join(lines) + "\n"


# Of life.c: how much later an input comes, in ms, and the numbers of the calls.
DELTAS = [
    0, 1, 1_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 8 * 3_600_000,
    86_400_000, 7 * 86_400_000, 31 * 86_400_000, -1_000, -60_000, -3_600_000, 365 * 86_400_000,
]


def encode(number, one):
    """The scenario as bytes for life.c, as near as its tables allow."""
    out = bytearray([number, 0x02, *range(16)])
    now = one.start

    def put(call, time, *rest):
        nonlocal now
        left = (milliseconds(time) if time else now) - now
        while left > 0:
            fitting = [index for index, delta in enumerate(DELTAS) if 0 < delta <= left]
            index = max(fitting, key=lambda index: DELTAS[index])
            left -= DELTAS[index]
            now += DELTAS[index]
            if left > 0 and left >= 1_000:
                out.extend([1, index])
            else:
                out.extend([call, index, *rest])
                return
        out.extend([call, 0, *rest])

    def point(value):
        try:
            return one.points.index((float(value["latitude"]), float(value["longitude"])))
        except (KeyError, ValueError):
            return 0

    def index(values, value):
        return values.index(value) if value in values else 0

    for given in one.vector["inputs"]:
        kind = next(key for key in given if key not in ("time",))
        value = given[kind]
        time = value.get("time") if isinstance(value, dict) else given.get("time")
        if kind == "fix":
            put(0, time, point(value), 0, 3, 0)
        elif kind == "advance":
            put(1, time)
        elif kind == "advanceToWakeup":
            put(2, None)
        elif kind == "sighting" and "proximityUUID" in value:
            ids = [beacon[0] for beacon in one.beacons]
            put(3, time, index(ids, value["proximityUUID"]), index(PROXIMITIES, value.get("proximity", "unknown")), 0)
        elif kind == "sighting":
            put(4, time, 0, index(PROXIMITIES, value.get("proximity", "unknown")), 0)
        elif kind == "hint":
            put(5, time, index(one.regions, value["region"]), HINT_KINDS.index(value["kind"]), point(value))
        elif kind == "planRegions":
            put(6, time, point(value), value.get("budget", 0), 0)
        elif kind == "moveRegion":
            put(7, time, index(one.regions, value["region"]), point(value))
        elif kind == "enable":
            put(9, time, 1)
        elif kind == "disable":
            put(9, time, 0)
        elif kind == "message":
            text = value.get("text") or json.dumps(value.get("payload"), separators=(",", ":"))
            put(18, time, index(one.payloads, text))
        elif kind == "setList":
            put(19, time, 0)
        elif kind in ("open", "dismiss", "takeAction"):
            put(16, time, {"open": 0, "dismiss": 1, "takeAction": 2}[kind], value["notification"] - 1, 0)
        elif kind == "setProperty":
            put(13, time, index(one.properties, value["key"]), PROPERTY_TYPES.index(value["type"]), 0)
        elif kind == "restart":
            put(22, time, 0)
        elif kind == "list":
            put(20, None)
        elif kind == "answerFilter":
            put(14, time, value["batch"] - 1, 0xFF)
        elif kind == "foreground":
            put(17, time, value["value"])
    return bytes(out)


def fenced(page, wanted):
    """The JSON examples of a page of docs/ that have a key."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    for body in re.findall(r"```json\n(.*?)```", text, re.S):
        try:
            value = json.loads(body)
        except ValueError:
            continue
        if isinstance(value, dict) and wanted in value:
            yield body.encode()


GEOMETRIES = [
    '{"type": "Point", "coordinates": [4.885, 52.36]}',
    '{"type": "MultiPoint", "coordinates": [[4.885, 52.36], [4.9, 52.37]]}',
    '{"type": "LineString", "coordinates": [[4.88, 52.36], [4.89, 52.37], [4.9, 52.37]]}',
    '{"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[179.5, 10], [-179.5, 10]]]}',
    '{"type": "Polygon", "coordinates": [[[4, 52], [5, 52], [5, 53], [4, 53], [4, 52]]]}',
    '{"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[2, 2], [2, 4], [4, 4], [4, 2], [2, 2]]]}',
    '{"type": "Polygon", "coordinates": [[[170, -5], [-170, -5], [-170, 5], [170, 5], [170, -5]]]}',
    '{"type": "MultiPolygon", "coordinates": [[[[0, 80], [90, 80], [180, 80], [-90, 80], [0, 80]]]]}',
    '{"type": "GeometryCollection", "geometries": []}',
    '{"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}',
    '{"radius": 50, "message": "Hi {{name}}", "trigger": "dwelling", "dwellingMinutes": 5, "idProperty": "id"}\n'
    '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"id": "a", "name": "A"}, '
    '"geometry": {"type": "Point", "coordinates": [4.885, 52.36]}}, {"type": "Feature", "id": 7, "properties": null, '
    '"geometry": {"type": "LineString", "coordinates": [[4, 52], [5, 52]]}}]}',
    '{"width": 20, "campaign": "c", "insideAt": "18:00", "trigger": "inside"}\n{"type": "FeatureCollection", "features": []}',
]
TRACKS = [
    (0, '<gpx version="1.1"><trk><name>N</name><trkseg><trkpt lat="52.36" lon="4.885"><time>2026-05-16T10:00:00Z</time>'
        '<extensions><a:accuracy>5</a:accuracy><speed>1.5</speed></extensions></trkpt><trkpt lat="1" lon="2"/></trkseg></trk></gpx>'),
    (0, '<!DOCTYPE gpx [<!ENTITY a "52">]><gpx><trk><trkseg><trkpt lat="&a;" lon="4"><time><![CDATA[2026-05-16T10:00:00+02:00]]>'
        '</time></trkpt></trkseg></trk></gpx>'),
    (1, '{"type":"Feature","properties":{"coordTimes":["2026-05-16T10:00:00Z",1778925601]},"geometry":{"type":"LineString",'
        '"coordinates":[[4.885,52.36],[4.886,52.36,3]]}}'),
    (1, '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"time":1778925600000,"accuracy":5,"speed":2,'
        '"course":90},"geometry":{"type":"Point","coordinates":[4.885,52.36]}}]}'),
    (1, '{"type":"Feature","properties":{"times":[["2026-05-16T10:00:00Z","2026-05-16T10:00:01Z"]]},"geometry":{"type":'
        '"MultiLineString","coordinates":[[[4,52],[5,53]]]}}'),
    (2, 'time,lat,lon,accuracy,speed,heading\n2026-05-16T10:00:00Z,52.36,4.885,5,1,90\r\n1778925601,52.36,4.885,,,\n'),
    (2, '"time","latitude","longitude","no""te"\n"1778925600000","52","4","a\nb"\n'),
    (3, '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"building":"yes"},"geometry":{"type":"Polygon",'
        '"coordinates":[[[4,52],[5,52],[5,53],[4,52]]]}},{"type":"Feature","properties":{"highway":"path"},"geometry":{"type":'
        '"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}}]}'),
    (17, 'id;name;latitude;longitude;radius;city\na;"A; b";52,36;4,885;80;Delft\n'),
    (17, 'lat,lng,name\r\n52.36,4.885,"A ""b"""\r\n1,2,\r\n'),
    (4, '{"time":"2026-05-16T10:00:00Z","region":"bus","latitude":52.36,"longitude":4.885}\n'),
    (4, 'time,region,latitude,longitude\n1778925600,bus,52,4\n'),
    (5, '{"time":1778925600,"region":"r","kind":"enter","latitude":52.36,"longitude":4.885,"accuracy":10}\n'),
    (5, 'time,region,kind\n1778925600,r,outside\n'),
    (6, '{"time":1778925600,"proximityUUID":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","majorId":1,"minorId":2,"proximity":"near"}\n'),
    (6, '{"time":1778925600,"namespaceId":"edd1ebeac04e5defa017","instanceId":"0bdb87539b67","rssi":-60,"power":-20}\n'),
]
EDITS = [
    (0, 0, "Another text"), (0, 1, ""), (0x80, 2, "Title"), (0x81, 6, "\x05"), (0x82, 10, '{"a": 2, "n": [1, {"x": null}]}'),
    (0x82, 9, '[{"id": "a", "title": "A", "foreground": true}, {"id": "b", "title": "B", "destructive": true}]'),
    (0x82, 8, '[{"id": "p", "url": "https://example.org/", "type": "image/png"}]'), (0x83, 7, ""), (0x83, 0, ""), (4, 3, ""),
    (0x85, 10, ""), (0x85, 9, ""), (0x85, 8, ""), (0, 11, "no"), (2, 6, "1e3"), (2, 5, '"bell"'), (2, 10, "[]"), (5, 6, ""),
]


def seeds(folder, scenarios):
    def put(target, name, data):
        path = folder / target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    vectors = sorted(VECTORS.glob("*/*.json"), key=lambda path: path.name)
    if not vectors:
        sys.exit(f"{VECTORS}: there are no vectors")
    for path in vectors:
        value = json.loads(path.read_text("utf-8"))
        put("config", path.stem, json.dumps(value["config"], indent=1).encode())
        put("feed", path.stem, json.dumps(value["feed"], separators=(",", ":")).encode())
        messages = [one["message"] for one in value["inputs"] if "message" in one]
        lists = [one["setList"] for one in value["inputs"] if "setList" in one]
        pieces = [b"\x00" + json.dumps(one["list"]).encode() for one in lists if "list" in one]
        pieces += [
            b"\x05" + (one["text"] if "text" in one else json.dumps(one["payload"])).encode("utf-8", "surrogatepass")
            for one in messages
        ]
        if pieces:
            put("message", path.stem, b"\xff".join(pieces))
    for number, body in enumerate(fenced("plotconfig.md", "publicToken")):
        put("config", f"docs{number}", body)
    for number, body in enumerate(fenced("feed.md", "regions")):
        put("feed", f"docs{number}", body)
    put("config", "demo", (ROOT / "demo" / "plotconfig.json").read_bytes())
    put("feed", "demo", (ROOT / "demo" / "feed.json").read_bytes())
    for number, text in enumerate(GEOMETRIES):
        put("geometry", str(number), text.encode())
    for number, (reader, text) in enumerate(TRACKS):
        put("track", str(number), bytes([reader]) + text.encode())
    sys.path.insert(0, str(ROOT / "Tests" / "tracks"))
    import rides

    points = rides.points_of((ROOT / "demo" / "walk.gpx").read_text())[:8]
    writers = {9: [rides.tcx], 10: [rides.kml], 13: [rides.records, rides.month, rides.android, rides.ios], 14: [rides.gnss], 15: [rides.nmea], 16: [rides.fit]}
    for reader, each in writers.items():
        for writer in each:
            content = writer(points)
            put("track", writer.__name__, bytes([reader]) + (content if isinstance(content, bytes) else content.encode()))
    put("track", "rules", b"\x07" + (ROOT / "demo" / "rules.json").read_bytes())
    put("track", "walk", b"\x00" + (ROOT / "demo" / "walk.gpx").read_bytes()[:3000])
    for number, (call, key, text) in enumerate(EDITS):
        put("item", str(number), bytes([call, key]) + text.encode())
    put("item", "all", b"\xff".join(bytes([call, key]) + text.encode() for call, key, text in EDITS))
    for name in ["Europe/Amsterdam", "America/Sao_Paulo", "Africa/Casablanca", "Australia/Lord_Howe", "Asia/Gaza", "Etc/GMT+12"]:
        for place in zoneinfo.TZPATH:
            path = pathlib.Path(place) / name
            if path.is_file():
                put("zone", name.replace("/", "-"), path.read_bytes())
    footer = b"\nEST5EDT,M3.2.0,M11.1.0\n"
    header = struct.pack(">4sc15x6I", b"TZif", b"2", 0, 0, 0, 0, 1, 4)
    block = struct.pack(">iBB", -18000, 0, 0) + b"EST\0"
    put("zone", "small", header + block + header + block + footer)
    put("zone", "version1", struct.pack(">4sx15x6I", b"TZif", 0, 0, 0, 1, 1, 4) + struct.pack(">iB", 0, 0) + block)
    for number, one in enumerate(scenarios):
        put("life", one.vector["name"], encode(number, one))
        rows = [bytes([number * 7 + table & 0x7F, table, kind]) + b"\x05a" for table, kind in ((1, 0), (2, 2), (3, 5))]
        put("store", one.vector["name"], bytes([number]) + b"\xff".join(rows))
        edits = [bytes([number * 37 % 256, number % 3, kind, 1]) for kind in range(number % 5)]
        put("state", one.vector["name"], bytes([number]) + b"".join(edits))
    for name in ("recording", "feedfile"):
        source = folder.parent / "made" / name
        if source.is_dir():
            for path in source.iterdir():
                put(name, path.name, path.read_bytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=pathlib.Path)
    parser.add_argument("--seeds", type=pathlib.Path)
    options = parser.parse_args()
    scenarios = [Scenario(name) for name in SCENARIOS]
    if options.tables:
        options.tables.parent.mkdir(parents=True, exist_ok=True)
        text = tables(scenarios)
        if not options.tables.exists() or options.tables.read_text() != text:
            options.tables.write_text(text)
    if options.seeds:
        seeds(options.seeds, scenarios)


if __name__ == "__main__":
    main()
