#!/usr/bin/env python3
"""Checks the pages under docs/, the JSON Schemas, the header, the symbol list and the demo against each other.

    Tests/docs/check.py [ROOT]

Prints one line per fault and exits with 1, or says how many checks passed. Needs the package `jsonschema`.
"""

import copy
import itertools
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import page_tables  # noqa: E402
from page_tables import ABSENT, bounds_in_words, code, default_in_words, type_in_words  # noqa: E402

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
except ImportError:
    sys.exit("Tests/docs/check.py needs the Python package jsonschema: pip install -r scripts/test-requirements.txt")

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
SCHEMAS = ("plotconfig", "feed", "item", "event", "decision", "message", "rules", "region-plan", "vector", "lint", "explain", "summary", "recording", "input-line", "sync")
faults = []
passed = 0


# An editor finds the schema of a document there.
EDITORS = "^\\$schema$"

def check(good, where, what):
    """Counts a check; `what` says what is wrong when it is not good."""
    global passed
    if good:
        passed += 1
    else:
        faults.append(f"{where}: {what}")


def same(found, expected, where, what):
    """Two sets (or values) are equal; the fault names the difference."""
    if isinstance(found, (set, frozenset)) and isinstance(expected, (set, frozenset)):
        missing, extra = sorted(map(str, expected - found)), sorted(map(str, found - expected))
        parts = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"has {', '.join(extra)} too many"] * bool(extra)
        check(not parts, where, f"{what}: {'; '.join(parts)}")
    else:
        check(found == expected, where, f"{what}: expected {show(expected)}, found {show(found)}")


def show(value):
    return json.dumps(value, ensure_ascii=False, default=str) if value is not ABSENT else "nothing"


def read(path):
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except OSError as error:
        check(False, path, f"cannot be read: {error.strerror}")
        return ""


def read_json(path):
    text = read(path)
    try:
        return json.loads(text) if text else None
    except ValueError as error:
        check(False, path, f"is not JSON: {error}")
        return None


# ---- Markdown -------------------------------------------------------------------------------------------------


def tables(path):
    """The tables of a page: [(heading above, column names, rows of cells by column name)]."""
    found = []
    for heading, columns, rows in page_tables.tables(read(path)):
        for cells in rows:
            check(len(cells) == len(columns), path, f"a row has {len(cells)} cells, not {len(columns)}: | {' | '.join(cells)} |")
        found.append((heading, columns, [dict(zip(columns, cells)) for cells in rows]))
    return found


def table(path, heading, column):
    """The rows of the table under a heading whose first column has this name."""
    for above, columns, rows in tables(path):
        if (heading is None or above == heading) and columns[0] == column:
            return rows
    check(False, path, f"has no table of {column} under {heading or 'any heading'}")
    return []


def by_key(rows, column, path):
    """{key: row}; a cell may name several keys."""
    found = {}
    for row in rows:
        for key in code(row[column]):
            check(key not in found, path, f"{key} stands in the table twice")
            found[key] = row
    return found


def json_blocks(path):
    return re.findall(r"^```json\n(.*?)^```", read(path), re.M | re.S)


# ---- Schemas --------------------------------------------------------------------------------------------------

BOUNDS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
    "uniqueItems",
)  # fmt: skip


def resolve(schema, root):
    """A property with what its $ref says."""
    found = {}
    while "$ref" in schema:
        found = {**schema, **found}
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return {**schema, **found}


def type_in_schema(schema):
    """The same pair as `type_in_words`; null, which counts as absent in plotconfig.json, left out."""
    enum = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if enum is not None:
        enum = [value for value in enum if value is not None]
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = "/".join(word for word in kind if word != "null")
    if kind is None and enum:
        names = {bool: "boolean", int: "integer", str: "string"}
        kind = names.get(type(enum[0]))
    return kind, enum


def compare_properties(rows, schema, root, page, name, range_column, required_word="required"):
    """A table of keys and the properties of a schema say the same, in both directions."""
    properties = schema.get("properties", {})
    where = f"{page}, {name}"
    same(set(rows), set(properties), where, "keys, against the schema")
    same(
        {key for key, row in rows.items() if row["default"] == required_word}, set(schema.get("required", [])), where,
        "required keys, against the schema",
    )  # fmt: skip
    for key in rows.keys() & properties.keys():
        row, at = rows[key], f"{where}, {key}"
        found = resolve(properties[key], root)
        kind, enum = type_in_words(row["type"])
        text = row[range_column]
        if text.startswith("as for regions"):
            text = table(page, "A region", "key")[0][range_column]
        words = [json.loads(word) for word in code(text) if word.startswith('"')] if range_column == "range" else []
        if words:
            enum = [True, False, *words] if kind == "boolean" else words
        if kind == "integer" and re.fullmatch(r"\d+", text):
            enum = [int(text)]
        found_kind, found_enum = type_in_schema(found)
        same(found_kind, kind, at, "type in the schema")
        same(found_enum, enum, at, "words in the schema")
        bounds = {word: found[word] for word in BOUNDS if word in found}
        same(bounds, bounds_in_words(kind, text) if not enum else {}, at, "range in the schema")
        same(found.get("default", ABSENT), default_in_words(row["default"]), at, "default in the schema")


class Probe:
    """Asks a schema about documents that a page implies."""

    def __init__(self, schema, name):
        self.name = name
        self.validator = Draft202012Validator(schema) if schema else None

    def takes(self, document, why):
        if self.validator:
            errors = [f"{error.json_path}: {error.message}" for error in self.validator.iter_errors(document)]
            check(not errors, self.name, f"refuses {why}: {'; '.join(errors)[:300]}")

    def refuses(self, document, why):
        if self.validator:
            check(not self.validator.is_valid(document), self.name, f"takes {why}: {show(document)[:300]}")

    def keys(self, base, required, optional, samples, why):
        """`base` has all `required` and `optional` keys; it is taken, without a required one or with any other not."""
        self.takes(base, why)
        self.takes({key: base[key] for key in base if key not in optional}, f"{why} without {', '.join(optional)}")
        for key in required:
            self.refuses({name: base[name] for name in base if name != key}, f"{why} without {key}")
        for key in samples.keys() - base.keys():
            self.refuses({**base, key: samples[key]}, f"{why} with {key}")


# ---- The pages ------------------------------------------------------------------------------------------------


def check_plotconfig(schema):
    page = "docs/plotconfig.md"
    rows = by_key(table(page, "The properties", "property"), "property", page)
    compare_properties(rows, schema, schema, page, "properties", "range")
    engine = by_key(table(page, "`engine`", "property"), "property", page)
    compare_properties(engine, schema["properties"].get("engine", {}), schema, page, "engine", "range")
    capabilities = by_key(table(page, "`engine.capabilities`", "property"), "property", page)
    hearing = by_key(table(page, "`engine.beacons`", "property"), "property", page)
    able = schema["properties"]["engine"]["properties"]["capabilities"]
    heard = schema["properties"]["engine"]["properties"]["beacons"]
    compare_properties(hearing, heard, schema, page, "engine.beacons", "range")
    compare_properties(capabilities, able, schema, page, "engine.capabilities", "range")
    for name, part in (("the document", schema), ("engine", schema["properties"]["engine"]), ("capabilities", able), ("beacons", heard)):
        same(part.get("additionalProperties"), True, f"plotconfig.schema.json, {name}", "additionalProperties")

    probe = Probe(schema, "plotconfig.schema.json")
    for block in json_blocks(page):
        probe.takes(json.loads(block), "an example of the page")
    base = {"publicToken": "x"}
    probe.takes({**base, "unknown": 1, "engine": {"unknown": 1}}, "unknown keys")
    probe.takes({}, "a document without a key")
    for key in rows:
        probe.takes({**base, key: None}, f"null for {key}")
        probe.refuses({**base, key: 1.5}, f"1.5 for {key}")
    for key in engine:
        probe.takes({**base, "engine": {key: None}}, f"null for engine.{key}")
        probe.refuses({**base, "engine": {key: 1.5}}, f"1.5 for engine.{key}")
    for key in capabilities:
        probe.takes({**base, "engine": {"capabilities": {key: None}}}, f"null for engine.capabilities.{key}")
        probe.refuses({**base, "engine": {"capabilities": {key: 1.5}}}, f"1.5 for engine.capabilities.{key}")
    for key in hearing:
        probe.takes({**base, "engine": {"beacons": {key: None}}}, f"null for engine.beacons.{key}")
        probe.refuses({**base, "engine": {"beacons": {key: 0}}}, f"0 for engine.beacons.{key}")
    for document in ({"publicToken": ""}, {"publicToken": ["x"]}, [], {**base, "engine": []}):
        probe.refuses(document, "a document of a wrong form")
    for color, good in (("red", True), ("#01579B", True), ("#01579b", True), ("#123", False), ("#GGGGGG", False)):
        (probe.takes if good else probe.refuses)({**base, "notificationAccentColor": color}, f"the colour {color}")
    probe.refuses({**base, "enableCombinedMonitoring": "yes"}, "another text than true and false")
    probe.refuses({**base, "transitionRecognitionActivities": [1]}, "a number among strings")


GEOFENCE = {
    "id": "a", "type": "geofence", "name": "A", "customFields": {"offer": "x", "floor": 2, "open": True},
    "latitude": 52.36, "longitude": 4.885, "radius": 200, "x-own": 1, "country": "NLD", "timeZone": "Europe/Amsterdam",
    "openingHours": {"mon": [["09:00", "12:00"], ["18:00", "02:00"]], "exceptions": {"2026-12-25": []}},
    "caps": [{"max": 1, "days": 1}], "quietHours": {"hours": {}}, "noise": {"preset": "driving", "maxSpeed": 8.5}, "initial": "dwellOnly",
    "moving": True,
}  # fmt: skip
PARK = {key: GEOFENCE[key] for key in GEOFENCE.keys() - {"latitude", "longitude", "radius", "moving"}}
PARK.update(
    geometry={"type": "Polygon", "coordinates": [[[4, 52], [5, 52], [5, 53, 10], [4, 52]]], "bbox": [4, 52, 5, 53], "x-own": 1},
    travelMinutes=10, travelMode="bicycle",
)
CANAL = {key: PARK[key] for key in PARK.keys() - {"travelMinutes", "travelMode"}}
CANAL.update(geometry={"type": "LineString", "coordinates": [[4, 52], [5, 52]]}, width=60)
BEACON = {
    "id": "b", "type": "beacon", "name": "B", "customFields": {},
    "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1, "minorId": 7, "range": "near", "x-own": 1,
    "country": "NLD", "timeZone": "UTC", "timespans": [{"start": "2026-03-01T00:00:00Z"}],
    "caps": [{"per": "visit", "max": 1}], "quietHours": [],
}  # fmt: skip
EDDYSTONE = {key: BEACON[key] for key in BEACON.keys() - {"proximityUUID", "majorId", "minorId"}}
EDDYSTONE.update(namespaceId="00112233445566778899", instanceId="AABBCCDDEEFF")
GROUP = {key: BEACON[key] for key in BEACON.keys() - {"proximityUUID", "majorId", "minorId", "range"}}
GROUP.update(type="group", regions=["a", "b"], enter="beacon", hold="geofence")
CAMPAIGN = {
    "id": "c", "type": "notification", "message": "At {{ name }}: {{offer}}", "data": "", "handlerType": "appLink",
    "trigger": "dwelling", "dwellingMinutes": 5, "repeatMinutes": 60, "regions": ["a"], "start": "2026-03-01T00:00:00Z",
    "end": "2026-03-01T09:00:00.5+02:00", "resend": True, "cooldownPeriod": 60, "x-own": None, "cooldownFrom": "exit",
    "priority": -5, "removeOnExit": True, "removeAtEnd": False, "expireAfter": 600, "expireAt": "2026-03-02T00:00:00Z", "showLate": True, "correlationKey": "k {{name}}", "exclusionGroup": "g", "coalescingGroup": "h",
    "tags": ["t"], "caps": [{"max": 1, "window": 60}], "quietHours": [{"hours": {"daily": [["22:00", "07:00"]]}, "during": "hold"}],
    "filterAt": "enter", "visits": {"from": 2, "to": 9, "every": 3}, "holdout": {"percent": 10, "group": "g", "property": "p"},
    "after": {"steps": [{"region": "a"}, {"not": {"region": "b", "event": "dwelling", "minutes": 720}}, {"region": "a", "event": "exit"}], "within": 60},
    "triggerTimes": {"type": "openinghours", "openingHours": {"sat": [["00:00", "24:00"]]}, "zone": "device", "outside": "hold"},
    "content": {
        "title": "At {{name}}", "subtitle": "s", "body": "b", "sound": "bell", "badge": 1, "category": "offer", "x-own": 1,
        "attachments": [{"id": "p", "url": "{{offer}}.png", "type": "png", "x-own": 1}],
        "actions": [{"id": "a", "title": "A", "titles": {"nl": "Aa"}, "foreground": True, "destructive": False, "x-own": 1}], "userInfo": {"x": None}},
    "segmentation": {"all": [
        {"property": "p", "equals": True}, {"property": "q", "equals": "x"}, {"property": "r", "equals": 1.5},
        {"property": "s", "equals": {"date": "2026-03-01T00:00:00Z"}}]},
}  # fmt: skip

CROSSING = {"direction": "leftToRight", "course": [315, 45.5], "leastSpeed": 0.5, "mostSpeed": 40}
# Keys that only notifications have.
OF_NOTIFICATIONS = {"priority", "removeOnExit", "removeAtEnd", "expireAfter", "expireAt", "showLate", "correlationKey", "exclusionGroup", "coalescingGroup", "filterAt", "welcome", "holdout"} | {"tags", "caps", "quietHours"}


def feed_of(region=None, campaign=None):
    return {
        "version": 1,
        "regions": [region] if region is not None else [],
        "campaigns": [campaign] if campaign is not None else [],
    }


def compare_limits(page, schema):
    """The tables of caps and quiet hours, and the schemas of those in the settings, at regions and at campaigns."""
    parts = schema["$defs"]
    for heading, name, others in (("Caps", "cap", ("regionCap", "campaignCap")), ("Quiet hours", "quietHours", ("ownQuietHours",))):
        compare_properties(by_key(table(page, heading, "key"), "key", page), parts[name], schema, page, heading, "meaning")
        properties = {key: value for key, value in parts[name]["properties"].items() if key not in ("per", "tag")}
        for other in others:
            found = {key: value for key, value in parts[other]["properties"].items() if key != "per"}
            same(found, properties, f"feed.schema.json, {other}", f"properties, against {name}")
        for each in (name, *others):
            same(parts[each].get("additionalProperties"), False, f"feed.schema.json, {each}", "additionalProperties")


def check_limits(probe, notification):
    """Caps and quiet hours in their three places."""

    def documents(key, value):
        yield "settings", {**feed_of(), "settings": {key: value}}
        yield "region", feed_of(region={**GEOFENCE, key: value})
        yield "campaign", feed_of(campaign={**notification, key: value})

    everywhere = {"settings", "region", "campaign"}
    caps = (
        ({"per": "all", "max": 1, "window": 1}, {"settings"}), ({"per": "tag", "tag": "t", "max": 1000, "days": 366}, {"settings"}),
        ({"per": "campaign", "max": 1, "days": 1}, {"settings", "campaign"}), ({"per": "region", "max": 1, "window": 31536000}, everywhere),
        ({"per": "visit", "max": 1}, everywhere), ({"per": "visit", "max": 1, "days": 1, "zone": "region"}, everywhere),
        ({"max": 1, "window": 60}, {"region", "campaign"}), ({"max": 1}, set()), ({"per": "region", "max": 1}, set()),
        ({"per": "visit", "max": 1, "window": 60, "days": 1}, set()), ({"per": "visit", "max": 0}, set()), ({"per": "visit", "max": 1001}, set()),
        ({"per": "visit"}, set()), ({"per": "region", "max": 1, "window": 0}, set()), ({"per": "region", "max": 1, "days": 367}, set()),
        ({"per": "region", "max": 1, "window": 60, "zone": "region"}, set()), ({"per": "visit", "max": 1, "zone": "device"}, set()),
        ({"per": "tag", "max": 1, "days": 1}, set()), ({"per": "all", "tag": "t", "max": 1, "days": 1}, set()),
        ({"per": "week", "max": 1, "days": 1}, set()), ({"per": "visit", "max": 1, "x-own": 1}, set()),
    )  # fmt: skip
    for cap, places in caps:
        for place, document in documents("caps", [cap]):
            (probe.takes if place in places else probe.refuses)(document, f"in {place} the cap {show(cap)}")
    quiet = {"hours": {"daily": [["22:00", "07:00"]]}}
    rules = (
        (quiet, everywhere), ([quiet, {**quiet, "zone": "region", "during": "holdInside"}], everywhere), ([], everywhere),
        ({**quiet, "tag": "t"}, {"settings"}), ({"hours": {"mon": [], "exceptions": {"2026-12-25": []}}}, everywhere),
        ({"hours": {"daily": [], "exceptions": {}}}, everywhere), ({"hours": {"daily": [], "mon": []}}, set()), ({}, set()),
        ({**quiet, "during": "wait"}, set()), ({**quiet, "zone": "UTC"}, everywhere), ({**quiet, "zone": 1}, set()), ([[]], set()), ({"hours": {"daily": [["22:00"]]}}, set()),
        ({**quiet, "x-own": 1}, set()),
    )  # fmt: skip
    for rule, places in rules:
        for place, document in documents("quietHours", rule):
            (probe.takes if place in places else probe.refuses)(document, f"in {place} the quiet hours {show(rule)}")
    leaving = {key: notification[key] for key in notification.keys() - {"welcome", "triggerTimes", "repeatMinutes"}} | {"trigger": "exit"}
    for during, good in (("drop", True), ("hold", True), ("holdInside", False)):
        for rule in ({**quiet, "during": during}, [{**quiet, "during": during}]):
            (probe.takes if good else probe.refuses)(feed_of(campaign={**leaving, "quietHours": rule}), f"an exit with {show(rule)}")
    for tags, good in (([], True), (["a", "b"], True), (["a", "a"], False), (["a;b"], False), ([1], False), ("a", False)):
        (probe.takes if good else probe.refuses)(feed_of(campaign={**notification, "tags": tags}), f"the tags {show(tags)}")


def check_feed(schema):
    page = "docs/feed.md"
    parts = (
        ("The document", schema), ("A region", schema["$defs"]["region"]), ("A campaign", schema["$defs"]["campaign"]),
        ("Settings", schema["$defs"]["settings"]), ("Content", schema["$defs"]["content"]),
        ("An attachment", schema["$defs"]["attachment"]), ("A category", schema["$defs"]["category"]), ("A list", schema["$defs"]["list"]),
        ("An action", schema["$defs"]["action"]), ("Geometry", schema["$defs"]["geometry"]),
    )  # fmt: skip
    compare_limits(page, schema)
    rows = {}
    for heading, part in parts:
        rows[heading] = by_key(table(page, heading, "key"), "key", page)
        compare_properties(rows[heading], part, schema, page, heading, "meaning")
        same(part.get("additionalProperties"), False, f"feed.schema.json, {heading}", "additionalProperties")
        same(set(part.get("patternProperties", {})) - ({EDITORS} if part is schema else set()), {"^x-"}, f"feed.schema.json, {heading}", "patternProperties")

    parts = schema["$defs"]
    for heading, part in (("Steps", parts["after"]), ("A step", parts["step"]), ("Visits", parts["visits"]), ("Crossing", parts["crossing"]), ("Absence", parts["absence"])):
        compare_properties(by_key(table(page, heading, "key"), "key", page), part, schema, page, heading, "meaning")
        same(part.get("additionalProperties"), False, f"feed.schema.json, {heading}", "additionalProperties")
    times = by_key(table(page, "Times", "key"), "key", page)
    same(set(times), set(parts["triggerTimes"]["properties"]), page, "keys of Times, against the schema")
    for key in ("type", "outside"):
        same(type_in_words(times[key]["type"])[1], parts["triggerTimes"]["properties"][key]["enum"], page, f"words of {key}")
    conditions, comparisons = table(page, "Segmentation", "key"), table(page, "A comparison", "key")
    kinds = {key for part in parts["condition"]["oneOf"] for key in resolve(part, schema)["required"]}
    same(set(by_key(conditions, "key", page)), kinds, page, "kinds of conditions, against the schema")
    same(
        set(by_key(comparisons, "key", page)), set(parts["comparison"]["properties"]) - {"property"}, page,
        "comparisons, against the schema",
    )  # fmt: skip

    probe = Probe(schema, "feed.schema.json")
    blocks = json_blocks(page)
    check(blocks, page, "has no example")
    for block in blocks:
        probe.takes(json.loads(block), "an example of the page")

    # The keys of each kind, and which of them "required for a ..." names.
    geotrigger = {key: CAMPAIGN[key] for key in CAMPAIGN.keys() - {"message", "handlerType", "content"} - OF_NOTIFICATIONS}
    geotrigger.update(type="geotrigger", name="seen")
    walk_in = {key: CAMPAIGN[key] for key in CAMPAIGN.keys() - {"dwellingMinutes", "filterAt"}}
    walk_in.update(trigger="enter", welcome={"period": 60, "alone": True, "offline": {"message": "m", "data": "d"}, "minDisplayTime": 5})
    walk_in["passages"] = True
    evening = {**walk_in, "trigger": "inside", "insideAt": "18:00"}
    for key in ("welcome", "passages", "repeatMinutes"):
        del evening[key]
    drive = {**evening, "trigger": "approaching", "arrivalSeconds": 600}
    del drive["insideAt"]
    on_trip = {**evening, "trigger": "trip", "tripEvent": "off-route"}
    del on_trip["insideAt"]
    gone = {**evening, "trigger": "absent", "absence": {"by": "09:00", "from": "06:00", "days": ["mon"], "fromDay": "sun", "leastMinutes": 20, "silenceMinutes": 30}}
    del gone["insideAt"]
    evening["daily"] = True
    over = {key: walk_in[key] for key in walk_in.keys() - {"welcome", "repeatMinutes"}} | {"crossing": CROSSING}
    cases = (
        ("A region", GEOFENCE, BEACON, ("a circle",)), ("A region", BEACON, GEOFENCE, ("a beacon",)),
        ("A region", EDDYSTONE, BEACON, ("an Eddystone beacon",)), ("A region", BEACON, GROUP, ("a beacon",)),
        ("A region", GROUP, EDDYSTONE, ("a group",)), ("A region", GROUP, GEOFENCE, ("a group",)),
        ("A region", PARK, BEACON, ("an area",)), ("A region", BEACON, PARK, ("a beacon",)),
        ("A region", CANAL, BEACON, ("an area", "a line")), ("A region", CANAL, PARK, ("an area", "a line")), ("A region", PARK, CANAL, ("an area",)),
        ("A region", GEOFENCE, CANAL, ("a circle",)), ("A region", CANAL, GEOFENCE, ("an area", "a line")),
        ("A campaign", CAMPAIGN, geotrigger, ("a notification", "`dwelling`")),
        ("A campaign", geotrigger, CAMPAIGN, ("a geotrigger", "`dwelling`")),
        ("A campaign", walk_in, CAMPAIGN, ("a notification",)),
        ("A campaign", walk_in, evening, ("a notification",)), ("A campaign", CAMPAIGN, evening, ("a notification", "`dwelling`")),
        ("A campaign", evening, CAMPAIGN, ("a notification", "`inside`")),
        ("A campaign", over, walk_in, ("a notification",)), ("A campaign", walk_in, over, ("a notification",)), ("A campaign", evening, over, ("a notification", "`inside`")),
        ("A campaign", gone, evening, ("a notification", "`absent`")), ("A campaign", evening, gone, ("a notification", "`inside`")),
        ("A campaign", on_trip, evening, ("a notification", "`trip`")), ("A campaign", evening, on_trip, ("a notification", "`inside`")),
        ("A campaign", drive, evening, ("a notification", "`approaching`")), ("A campaign", evening, drive, ("a notification", "`inside`")),
    )  # fmt: skip
    for heading, base, other, kinds in cases:
        slot = "region" if heading == "A region" else "campaign"
        why = f"{kinds[0]} that is {base.get('trigger', 'a place')}"
        probe.takes(feed_of(**{slot: base}), f"{why} with all its keys")
        for key in other.keys() - base.keys():
            probe.refuses(feed_of(**{slot: {**base, key: other[key]}}), f"{why} with {key}")
        for key, row in rows[heading].items():
            if key not in base:
                continue
            said = row["default"].split(",")[0]
            needed = said in ("required", *(f"required for {kind}" for kind in kinds))
            needed = needed or said == "required for a notification without `messages`"
            smaller = {name: base[name] for name in base if name != key}
            if key == "trigger":  # without it the trigger is enter, which has no dwellingMinutes
                smaller.pop("dwellingMinutes", None)
                smaller.pop("insideAt", None)
                smaller.pop("filterAt", None)
                smaller.pop("arrivalSeconds", None)
                smaller.pop("daily", None)
                smaller.pop("absence", None)
                smaller.pop("tripEvent", None)
            (probe.refuses if needed else probe.takes)(feed_of(**{slot: smaller}), f"{why} without {key}")

    spoken = {key: CAMPAIGN[key] for key in CAMPAIGN.keys() - {"message"}} | {"messages": {"nl": "Bij {{ name }}", "pt-BR": "{{name|loja}}"}}
    probe.takes(feed_of(campaign=spoken), "a notification with messages and no message")
    probe.takes(feed_of(campaign={**spoken, "message": "m", "content": {"titles": {"nl": "t"}, "subtitles": {"nl": "s"}, "bodies": {"nl": "b"}}}), "its content, too")
    for wrong in ({}, {"dutch language": "x"}, {"n": "x"}, {"nl": ""}, {"nl": 1}, {"nl": "{{"}, "x", ["nl"]):
        probe.refuses(feed_of(campaign={**spoken, "messages": wrong}), f"the messages {show(wrong)}")
        probe.refuses(feed_of(campaign={**spoken, "content": {"titles": wrong}}), f"the titles {show(wrong)}")

    def edited(base, **change):
        slot = "region" if "latitude" in base or "majorId" in base else "campaign"
        return feed_of(**{slot: {**copy.deepcopy(base), **change}})

    for template, good in (
        ("plain", True), ("}} {x}", True), ("{{{x}}}", True), ("{{a}}{{b}}", True), ("{{a", False), ("{{}}", False),
        ("{{  }}", False), ("{{a}} {{b", False),
    ):  # fmt: skip
        (probe.takes if good else probe.refuses)(edited(CAMPAIGN, message=template), f"the message {template}")
    for time, good in (
        ("2026-03-01T00:00:00Z", True), ("2026-03-01T00:00:00.123456-11:30", True), ("2026-03-01", False),
        ("2026-03-01T00:00:00", False), ("2026-03-01T24:00:00Z", False), ("2026-13-01T00:00:00Z", False),
    ):  # fmt: skip
        (probe.takes if good else probe.refuses)(edited(CAMPAIGN, start=time), f"the time {time}")
    for change in (
        {"dwelingMinutes": 5}, {"regions": []}, {"regions": ["a", "a"]}, {"message": ""}, {"dwellingMinutes": 4},
        {"segmentation": {}}, {"segmentation": {"all": []}}, {"segmentation": {"any": []}},
        {"segmentation": {"all": [{"property": "p"}]}}, {"segmentation": {"all": [{"property": "p", "equals": None}]}},
        {"segmentation": {"all": [{"property": "p", "equals": {"date": "x"}}]}},
    ):  # fmt: skip
        probe.refuses(edited(CAMPAIGN, **change), f"a campaign with {show(change)}")
    for segment in (
        {"not": {"any": [{"country": ["NLD"]}]}}, {"campaign": "c", "shown": True}, {"campaign": "c", "opened": {"within": 60}},
        *({"property": "p", key: value} for key, value in (
            ("differs", 1), ("less", 1.5), ("atMost", {"ago": 60}), ("atLeast", {"ahead": 60}), ("greater", "x"),
            ("between", [1, 2]), ("in", ["x", True]), ("exists", False), ("begins", "x"), ("contains", "x"),
            ("version", {"atLeast": "1.10"}))),
    ):  # fmt: skip
        probe.takes(edited(CAMPAIGN, segmentation=segment), f"the segmentation {show(segment)}")
    for segment in (
        {"all": [{"property": "p", "equals": 1}], "any": []}, {"country": ["nl"]}, {"campaign": "c"}, {"campaign": "c", "shown": False},
        {"property": "p", "less": True}, {"property": "p", "between": [1]}, {"property": "p", "equals": 1, "less": 2},
        {"property": "p", "version": {"equals": "1"}}, {"property": "p", "version": {"less": "1.x"}}, {"not": []},
    ):  # fmt: skip
        probe.refuses(edited(CAMPAIGN, segmentation=segment), f"the segmentation {show(segment)}")
    for times in (
        {"type": "always"}, {"type": "timespans"}, {"type": "anytime", "timespans": [{}]}, {"type": "timespans", "timespans": [{}]},
        {"type": "openinghours", "openingHours": {"monday": []}}, {"type": "openinghours", "openingHours": {"mon": [["24:00", "02:00"]]}},
    ):  # fmt: skip
        probe.refuses(edited(CAMPAIGN, triggerTimes=times), f"the times {show(times)}")
    for change in (
        {"title": ""}, {"title": "{{a"}, {"sound": ""}, {"badge": -1}, {"badge": 1.5}, {"titel": "t"}, {"userInfo": []},
        {"attachments": [{"id": "a"}]}, {"attachments": [{"id": "a", "url": "{{"}]}, {"attachments": [{"id": "a", "url": "u", "kind": "png"}]},
        {"actions": [{"id": "a"}]}, {"actions": [{"id": "a", "title": ""}]}, {"actions": [{"id": "a", "title": "A"}] * 11},
    ):  # fmt: skip
        probe.refuses(edited(CAMPAIGN, content=change), f"the content {show(change)}")
    category = {"id": "offer", "actions": [{"id": "a", "title": "A"}]}
    probe.takes({**feed_of(), "categories": [category]}, "a category")
    probe.takes({**feed_of(), "categories": [{**category, "actions": []}]}, "a category without actions")
    for change in ({"id": ""}, {"actions": [{}]}, {"action": []}):
        probe.refuses({**feed_of(), "categories": [{**category, **change}]}, f"a category with {show(change)}")
    leaving = {key: CAMPAIGN[key] for key in CAMPAIGN.keys() - {"dwellingMinutes", "filterAt"}} | {"trigger": "exit"}
    probe.refuses(feed_of(campaign=leaving), "an exit that waits for its times")
    both = {**GEOFENCE, "timespans": BEACON["timespans"]}
    probe.refuses(feed_of(region=both), "a region with spans and opening hours")
    for change in ({"id": "a;b"}, {"id": "a\nb"}, {"id": ""}, {"radius": 0}, {"customFields": {"a": None}}, {"radiu": 1}):
        probe.refuses(edited(GEOFENCE, **change), f"a region with {show(change)}")
    probe.refuses(edited(BEACON, proximityUUID="f7826da64fa24e988024bc5b71e0893e"), "a UUID without hyphens")
    for settings in (
        {"notificationsEnabled": False}, {"slots": {"count": 1}}, {"specificFirst": True}, {"x-own": 1},
        {"coalescing": [{"group": "g", "message": "{{count}}"}]}, {"strategies": [
            {"key": "a", "type": "maximum", "max": 1, "window": 60, "enabled": False}, {"key": "b", "type": "minimumTime", "seconds": 1},
            {"key": "c", "type": "sameContent", "field": "data"}, {"key": "d", "type": "custom", "parameters": {}}]},
    ):  # fmt: skip
        probe.takes({**feed_of(), "settings": settings}, f"the settings {show(settings)}")
    for settings in (
        {"notificationEnabled": False}, {"slots": {}}, {"slots": {"count": 0}}, {"slots": {"count": 1, "whenFull": "drop"}},
        {"coalescing": [{"group": "g"}]}, {"coalescing": [{"group": "g", "message": ""}]},
        {"coalescing": [{"group": "g", "message": "m", "atLeast": 1}]}, {"strategies": [{"key": "a"}]},
        {"strategies": [{"key": "a", "type": "maximum", "max": 1}]}, {"strategies": [{"type": "sameContent"}]},
        {"strategies": [{"key": "a", "type": "custom", "max": 1}]}, {"strategies": [{"key": "a", "type": "minimumTime", "seconds": 0}]},
    ):  # fmt: skip
        probe.refuses({**feed_of(), "settings": settings}, f"the settings {show(settings)}")
    check_limits(probe, walk_in)
    for welcome in ({}, {"period": 0}, {"period": 1, "offline": {}}, {"period": 1, "extra": 1}):
        probe.refuses(feed_of(campaign={**walk_in, "welcome": welcome}), f"the welcome {show(welcome)}")
    for time in ("24:00", "6:00", "18:60", "18:00:00", 18):
        probe.refuses(feed_of(campaign={**evening, "insideAt": time}), f"the time of day {time}")
    for after in (
        {}, {"steps": []}, {"steps": [{"region": "a"}] * 17}, {"steps": [{"not": {"region": "a"}}]}, {"steps": [{"region": "a"}], "within": 0},
        {"steps": [{"region": "a"}], "extra": 1}, {"steps": [{}]}, {"steps": [{"region": "a", "event": "inside"}]},
        {"steps": [{"region": "a", "event": "dwelling"}]}, {"steps": [{"region": "a", "minutes": 5}]},
        {"steps": [{"region": "a"}, {"not": {"not": {"region": "a"}}}]}, {"steps": [{"region": "a"}, {"not": {"region": "a"}, "region": "a"}]},
    ):  # fmt: skip
        probe.refuses(edited(CAMPAIGN, after=after), f"the steps {show(after)}")
    for visits in ({}, {"from": 0}, {"to": 1000001}, {"every": 0}, {"from": 1.5}, {"only": 3}):
        probe.refuses(edited(CAMPAIGN, visits=visits), f"the visits {show(visits)}")
    for visits in ({"from": 3}, {"to": 3}, {"every": 3}):
        probe.takes(edited(CAMPAIGN, visits=visits), f"the visits {show(visits)}")
    for crossing in ({}, {"direction": "left"}, {"course": [1]}, {"course": [0, 361]}, {"course": [0, 1, 2]}, {"leastSpeed": -1}, {"mostSpeed": 1001}, {"speed": 3}):
        probe.refuses(edited(over, crossing=crossing), f"the crossing {show(crossing)}")
    for crossing in ({"direction": "rightToLeft"}, {"course": [0, 360]}, {"leastSpeed": 3}, {"mostSpeed": 0}):
        probe.takes(edited(over, crossing=crossing), f"the crossing {show(crossing)}")
    probe.refuses(edited(over, passages=False), "a crossing without passages")
    for absence in (
        {}, {"by": "00:00"}, {"by": "24:01"}, {"by": "9:00"}, {"by": "09:00", "minutes": 5}, {"minutes": 0}, {"minutes": 525601},
        {"minutes": 5, "from": "06:00"}, {"minutes": 5, "days": ["mon"]}, {"minutes": 5, "fromDay": "mon"}, {"by": "09:00", "days": []},
        {"by": "09:00", "days": ["mon", "mon"]}, {"by": "09:00", "fromDay": "monday"}, {"minutes": 5, "leastMinutes": 0}, {"minutes": 5, "silenceMinutes": 44641},
    ):  # fmt: skip
        probe.refuses(edited(gone, absence=absence), f"the absence {show(absence)}")
    for absence in ({"by": "24:00"}, {"minutes": 525600, "leastMinutes": 10080, "silenceMinutes": 1}):
        probe.takes(edited(gone, absence=absence), f"the absence {show(absence)}")
    once = {key: value for key, value in evening.items() if key not in ("resend", "cooldownPeriod", "cooldownFrom")}
    probe.refuses(edited(once, daily=True), "each day of a visit, and shown once")
    probe.takes(edited(once, daily=False), "not each day of a visit, and shown once")
    check_message_settings(schema, probe)
    probe.refuses({**feed_of(), "extra": 1}, "an unknown key in the document")
    probe.takes({**feed_of(), "x-extra": 1}, "a key of the maker's own")


MESSAGE_RULES = (
    {"id": "r", "if": {"all": [{"senderIn": "l"}, {"any": [{"senderNotIn": "l"}]}]}, "then": "drop", "whenAbsent": "apply", "x-own": 1},
    {"if": {"not": {"threadIn": "l"}}, "then": "rewrite", "title": "", "body": "{{ sender }}: {{body}}"},
    {"if": {"contains": "x"}, "then": "defer", "until": "23:59"}, {"then": "defer", "seconds": 60}, {"then": "keep"}, {"then": "mute"},
)  # fmt: skip


def check_message_settings(schema, probe):
    page = "docs/messages.md"
    parts = schema["$defs"]
    for heading, part in (("Settings", parts["messages"]), ("Rules", parts["messageRule"])):
        rows = by_key(table(page, heading, "key"), "key", page)
        same(set(rows), set(part["properties"]), f"{page}, {heading}", "keys, against the schema")
        same(set(part["patternProperties"]), {"^x-"}, f"feed.schema.json, {heading}", "patternProperties")
        same({key for key, row in rows.items() if row["default"] == "required"}, set(part.get("required", [])), f"{page}, {heading}", "required keys")
        for key, row in rows.items():
            found = resolve(part["properties"][key], schema)
            kind, enum = type_in_words(row["type"])
            if kind != "a condition":
                same(type_in_schema(found), (kind, enum), f"{page}, {heading}, {key}", "type in the schema")
            if "default" in found:
                same(found["default"], default_in_words(row["default"]), f"{page}, {heading}, {key}", "default in the schema")
            bounds = {word: found[word] for word in BOUNDS if word in found}
            if heading == "Settings" or key == "seconds":
                same(bounds, bounds_in_words(kind, row["meaning"]) if not enum else {}, f"{page}, {heading}, {key}", "range in the schema")
    conditions = table(page, "A condition of a rule", "key")
    same(set(by_key(conditions, "key", page)), set(parts["messageCondition"]["properties"]), page, "conditions, against the schema")
    for block in json_blocks(page):
        document = json.loads(block)
        if "version" in document:
            probe.takes(document, "the example of docs/messages.md")

    def with_rules(*rules):
        return {**feed_of(), "settings": {"messages": {"rules": list(rules)}}}

    probe.takes(with_rules(*MESSAGE_RULES), "rules of every kind")
    for rule in (
        {}, {"then": "show"}, {"then": "drop", "body": "x"}, {"then": "rewrite"}, {"then": "rewrite", "body": ""}, {"then": "defer"},
        {"then": "rewrite", "body": "{{name}}"}, {"then": "defer", "seconds": 1, "until": "08:00"}, {"then": "defer", "seconds": 0},
        {"then": "defer", "until": "24:00"}, {"then": "keep", "if": {}}, {"then": "keep", "if": {"all": []}},
        {"then": "keep", "if": {"senderIn": "a;b"}}, {"then": "keep", "if": {"senderIn": "a", "contains": "b"}}, {"then": "keep", "iff": {}},
    ):  # fmt: skip
        probe.refuses(with_rules(rule), f"the rule {show(rule)}")
    for settings in ({"correlation": {}}, {"correlation": {"path": ""}}, {"revision": {"path": "a..b"}}, {"placeholder": ""}, {"extra": 1}):
        probe.refuses({**feed_of(), "settings": {"messages": settings}}, f"the settings {show(settings)}")


def check_messages(schema):
    page = "docs/messages.md"
    rows = by_key(table(page, "A message", "key"), "key", page)
    properties = schema["properties"]
    same(list(rows), list(properties), page, "keys in order, against the schema")
    same(schema["required"], [key for key, row in rows.items() if row["default"] == "required"], page, "required keys")
    for key, row in rows.items():
        found, at = properties[key], f"{page}, {key}"
        if key in ("data", "correlationKey", "revision"):
            continue
        same(type_in_schema(found), type_in_words(row["type"]), at, "type in the schema")
        bounds = {word: found[word] for word in BOUNDS if word in found}
        said = {"minLength": 1, "maxLength": 255} if "1 to 255 bytes" in row["meaning"] else bounds_in_words(type_in_words(row["type"])[0], row["meaning"])
        same(bounds, said, at, "range in the schema")
        same(found.get("default", ABSENT), default_in_words(row["default"]), at, "default in the schema")
    probe = Probe(schema, "message.schema.json")
    for block in json_blocks(page):
        document = json.loads(block)
        if "id" in document:
            probe.takes(document, "the example of the page")
    base = {"id": "m", "body": "b"}
    probe.takes({**base, "aps": {}, "data": [1], "correlationKey": {}, "revision": 1.5}, "keys that are not looked at")
    probe.takes({"id": "m", "op": "retract"}, "a retract without a body")
    for key in rows.keys() - {"id", "body"}:
        probe.takes({**base, key: None}, f"null for {key}")
    for change in ({"id": ""}, {"body": None}, {"body": ""}, {"op": "remove"}, {"sender": ""}, {"badge": -1}, {"priority": 1001}):
        probe.refuses({**base, **change}, f"a message with {show(change)}")


def check_trips(schema):
    page = "docs/trips.md"
    rows = by_key(table(page, "A trip", "key"), "key", page)
    same(list(rows), list(schema["properties"]), page, "keys in order, against the schema")
    same(schema["required"], [key for key, row in rows.items() if row["default"] == "required"], page, "required keys")
    probe = Probe(schema, "trip.schema.json")
    line = {"type": "LineString", "coordinates": [[4.885, 52.36], [4.9, 52.37]]}
    base = {
        "id": "t", "region": "a", "mode": "bicycle", "route": line, "deadline": "2026-05-16T12:00:00Z", "expires": "2026-05-16T14:00:00+02:00",
        "approachingSeconds": 10, "approachingMetres": 0.5 + 0.5, "others": ["b"], "metadata": {"order": "A7", "items": 3, "big": True},
    }  # fmt: skip
    same(set(base), set(rows), page, "keys the checker knows")
    probe.keys(base, ["id", "region"], base.keys() - {"id", "region"}, {}, "a trip")
    for change in (
        {"id": ""}, {"id": "a;b"}, {"region": 1}, {"mode": "car"}, {"route": [[4, 52]]}, {"route": {**line, "coordinates": [[4, 52]]}}, {"route": {**line, "type": "Polygon"}},
        {"deadline": "noon"}, {"expires": 5}, {"approachingSeconds": 9}, {"approachingSeconds": 86401}, {"approachingMetres": 0.5}, {"approachingMetres": 1000001},
        {"others": ["b", "b"]}, {"others": [str(number) for number in range(101)]}, {"metadata": {"a": []}}, {"metadata": {str(number): 1 for number in range(33)}}, {"extra": 1},
    ):  # fmt: skip
        probe.refuses({**base, **change}, f"a trip with {show(change)[:80]}")


UUID = "7f3c2a10-5e8b-8d11-9a00-0123456789ab"
ITEM = {
    "identifier": "c;a", "matchIdentifier": UUID, "campaignId": "c", "regionId": "a", "regionName": "A", "message": "m",
    "name": "m", "data": "", "title": "t", "subtitle": "s", "body": "b", "sound": "bell", "badge": 1, "category": "offer",
    "attachments": [{"id": "p", "url": "p", "type": "png"}, {"id": "q", "url": "q.png"}],
    "actions": [{"id": str(n), "title": "A", "foreground": False, "destructive": True, "compact": n < 2} for n in range(3)],
    "userInfo": {"own": [1, None]}, "geofenceLatitude": 52.36, "geofenceLongitude": 4.885, "trigger": "enter",
    "dwellingMinutes": 0, "arrivalSeconds": 60, "insideAt": "18:00", "notificationHandlerType": "regular", "matchRange": 2, "regionType": "geofence", "travelMinutes": 5, "travelMode": "auto",
    "priority": 5, "removeOnExit": 1, "removeAtEnd": 1, "expireAfter": 60, "expireAt": 1700000000000, "updates": UUID, "correlationKey": "k", "coalesced": "d;a", "dateSent": 1700000000000, "dateOpened": -1, "isOpened": 0, "dateHandled": -1, "isHandled": 0, "isAppInForeground": 1, "confirm": 1,
}  # fmt: skip


OF_MESSAGES = {"sender": "s", "thread": "t", "revision": 1, "silent": 1, "suppressed": 1}
OPTIONAL = ("when the region has one", "notifications that have one", "notifications that have some")


def compare_output(rows, schema, page):
    """Keys, types and listed words of a table of an output document and its schema."""
    same(list(rows), list(schema["properties"]), page, "keys in order, against the schema")
    same(schema.get("additionalProperties"), False, page, "additionalProperties of the schema")
    for key in rows.keys() & schema["properties"].keys():
        row, at = rows[key], f"{page}, {key}"
        kind, enum = type_in_schema(schema["properties"][key])
        same(kind, row["type"], at, "type in the schema")
        words = code(row["meaning"])
        if words and re.fullmatch(r"(`[\w-]+`(, )?)+", row["meaning"]):
            expected = words
        elif row["meaning"] == "0 or 1":
            expected = [0, 1]
        else:
            continue
        if page != "docs/decisions.md":  # there the words of the second table say more
            same(enum, expected, at, "words in the schema")


def check_items(schema, header):
    page = "docs/items.md"
    rows = by_key(table(page, None, "key"), "key", page)
    compare_output(rows, schema, page)
    same({key for key, row in rows.items() if row["present"] == "always"}, set(schema["required"]), page, "keys that are always present")
    in_messages = {"messages that have one", "messages, when it is 1"}

    side_by_side = ("notifications, when it is not 0", "notifications, when there is one", "notifications that stand for others",
                    "notifications, when its campaign says so", "notifications, when the app has changed its content")  # fmt: skip
    opened = "handed over because it was opened, when it is 1"
    probe = Probe(schema, "item.schema.json")
    for geotrigger, beacon, state in itertools.product((False, True), (False, True), ("loaded", "live", "sent")):
        said = {
            "always": True,
            "not in messages": True,
            **dict.fromkeys(in_messages, False),
            "not in loaded lists": state != "loaded",
            "when the region has one": True,
            "when the trigger is `inside`": False, "when the trigger is `approaching`": False, "when the trigger is `trip`": False,
            "notifications that have one": not geotrigger,
            "notifications that have some": not geotrigger,
            "geotriggers": geotrigger,
            "geofences": not beacon,
            "notifications": not geotrigger,
            "in sent lists, in the items of events about shown, opened and handled ones, and in geotriggers that a handler is asked about": state == "sent",
            **dict.fromkeys(side_by_side, not geotrigger),
            "with `dateSent`, notifications": state == "sent" and not geotrigger,
            opened: state == "sent" and not geotrigger,
            "with `dateSent`, geotriggers": state == "sent" and geotrigger,
        }
        present = {}
        for key, row in rows.items():
            check(row["present"] in said, page, f"{key} is present {row['present']!r}, which the checker does not know")
            present[key] = said.get(row["present"], False)
        base = {key: ITEM.get(key) for key in rows if present[key]}
        base["regionType"] = "beacon" if beacon else "geofence"
        optional = [key for key in base if rows[key]["present"] in (*OPTIONAL, *side_by_side, opened)]
        if state == "live":
            optional.append("matchIdentifier")  # without it the item is a loaded one
        required = [key for key in base if key not in optional]
        others = {key: value for key, value in {**ITEM, **OF_MESSAGES}.items() if state != "loaded" or key != "matchIdentifier"}
        if state != "sent":
            others.pop("dateSent")  # alone it is refused too, below
            probe.refuses({**base, "dateSent": 1}, "dateSent without the rest of it")
        why = f"a {state} {'geotrigger' if geotrigger else 'notification'} of a {base['regionType']}"
        probe.keys(base, required, optional, others, why)
        probe.refuses({**base, "dwellingMinutes": 5}, f"{why} that is entered and has dwellingMinutes")
        probe.refuses({**base, "trigger": "dwelling"}, f"{why} that dwells for no minutes")
        probe.takes({**base, "trigger": "dwelling", "dwellingMinutes": 720}, f"{why} that dwells")
        probe.takes({**base, "trigger": "inside", "insideAt": "23:59"}, f"{why} that is inside at a time")
        probe.refuses({**base, "trigger": "inside"}, f"{why} that is inside at no time")
        probe.takes({**base, "trigger": "approaching", "arrivalSeconds": 60}, f"{why} that approaches")
        probe.refuses({**base, "trigger": "approaching"}, f"{why} that approaches in no time")
        probe.refuses({**base, "trigger": "inside", "insideAt": "24:00"}, f"{why} that is inside at 24:00")
        if beacon:
            probe.refuses({**base, "matchRange": 200}, f"{why} with a matchRange of 200")
        for key, value in (
            ("badge", -1), ("attachments", []), ("attachments", [{"id": "p"}]), ("actions", []), ("actions", ITEM["actions"][2:]),
            ("actions", ITEM["actions"][:2] * 2), ("userInfo", {}),
        ) if not geotrigger else ():  # fmt: skip
            probe.refuses({**base, key: value}, f"{why} with {key} {show(value)}")
        if state == "sent":
            date, flag = ("dateHandled", "isHandled") if geotrigger else ("dateOpened", "isOpened")
            probe.takes({**base, date: 1700000000001, flag: 1}, f"{why}, answered")
            probe.refuses({**base, date: -1, flag: 1}, f"{why}, answered without a date")
            probe.refuses({**base, date: 1700000000001, flag: 0}, f"{why}, answered and not")

    keys = {"identifier": "m-1", **{key: value for key, value in ITEM.items() if rows[key]["present"] in {
        "always", "notifications that have one", "notifications that have some", *side_by_side[:2]} and key != "identifier"},
        "matchIdentifier": UUID, "notificationHandlerType": "regular", **OF_MESSAGES}  # fmt: skip
    needed = {"identifier", "matchIdentifier", "message", "data", "notificationHandlerType"}
    probe.keys(keys, needed, [key for key in keys if key not in needed], {key: ITEM[key] for key in (
        "campaignId", "regionId", "regionName", "name", "geofenceLatitude", "trigger", "dwellingMinutes", "matchRange", "regionType",
        "coalesced", "dateOpened", "dateHandled")}, "a message")  # fmt: skip
    probe.takes({**keys, "dateSent": 1, "dateOpened": -1, "isOpened": 0}, "a sent message")
    for key, value in (("silent", 0), ("suppressed", 2), ("revision", "1"), ("notificationHandlerType", "applink")):
        probe.refuses({**keys, key: value}, f"a message with {key} {show(value)}")

    constants = dict(re.findall(r'^#define PLOT_KEY_(\w+) "(\w+)"', header, re.M))
    same(set(constants.values()), set(rows), "include/plotengine.h", "PLOT_KEY_ constants, against docs/items.md")
    for name, key in constants.items():
        same(name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).upper(), "include/plotengine.h", f"name of the constant of {key}")


EVENT = {
    "time": "2026-05-16T12:00:00.250Z", "event": "", "sequence": 1, "region": "a", "visit": UUID, "ordinal": 1,
    "latitude": 52.36, "longitude": 4.885, "since": "2026-05-16T11:59:00Z", "late": True, "source": "beacon", "arrivalSeconds": 60, "arrival": "2026-05-16T12:00:40Z", "dwellingMinutes": 5, "campaign": "c",
    "from": "2026-05-16T06:00:00Z", "to": "2026-05-16T09:00:00Z", "unknownFrom": "2026-05-16T07:00:00Z", "unknownTo": "2026-05-16T08:30:00Z", "trip": "order-7", "metres": 612.5,
    "deadline": "2026-05-16T12:30:00Z", "delaySeconds": -40, "otherRegion": "b", "metadata": {"order": "A7", "items": 3, "big": True}, "matchIdentifier": UUID, "message": "m",
    "data": "", "action": "save", "recovered": True, "reason": "exit", "holdout": "summer", "lost": ["visits"], "messageId": "m", "advertisingIdentifier": UUID, "limitAdTracking": False,
}  # fmt: skip


def check_events(schema):
    page = "docs/events.md"
    rows = by_key(table(page, None, "key"), "key", page)
    names = [name for row in table(page, None, "event") for name in code(row["event"])]
    compare_output(rows, schema, page)
    always = {key for key, row in rows.items() if row["events"] == "all" and "absent otherwise" not in row["meaning"]}
    same(always, set(schema["required"]), page, "keys of all events")

    probe = Probe(schema, "event.schema.json")
    for name, is_message in [(name, False) for name in names if not name.startswith("message-")] + [
        (name, True) for name in names if name.startswith(("message-", "notification-")) and name not in ("notification-filtered", "notification-held-out")
    ]:
        base, optional = {}, []
        for key, row in rows.items():
            said = row["events"]
            if said == "all":
                has = True
            elif said == "all but those about messages and the store":
                has = not is_message and not name.startswith("store-")
            elif said == "those about messages":
                has = is_message
            elif said == "notification, geotrigger and absence events, but those about messages":
                has = name.startswith(("notification-", "geotrigger", "absence")) and not is_message
            elif said == "notification, geotrigger and message events":
                has = name.startswith(("notification-", "geotrigger", "message-"))
            elif said == "region events":
                has = name.startswith("region-")
            else:
                check(code(said) and set(code(said)) <= set(names), page, f"{key}: cannot tell which events {said!r} are")
                has = name in code(said) and not (is_message and key == "holdout")
            if has:
                base[key] = EVENT.get(key)
                if name.startswith("trip-") and key == "arrival":
                    optional.append(key)
                if "absent otherwise" in row["meaning"] and (name, key) != ("notification-held-out", "holdout"):
                    optional.append(key)
        base["event"] = name
        # A key that tells a message from a campaign's notification would make one the other.
        others = {key: value for key, value in EVENT.items() if name.startswith(("region-", "geotrigger", "absence")) or key != "messageId"}
        why = f"{name} of a message" if is_message else name
        probe.keys(base, [key for key in base if key not in optional], optional, others, why)
        if "messageId" not in base and "region" in base:
            probe.refuses({**base, "messageId": "m"}, f"{why} with a messageId beside its region")
        private = {key: value for key, value in base.items() if key != "advertisingIdentifier"}
        probe.takes({**private, "limitAdTracking": True}, f"{name} while tracking is limited")
        probe.refuses({**base, "limitAdTracking": True}, f"{name} with an identifier while tracking is limited")
        probe.refuses(private, f"{name} without an identifier while tracking is not limited")
        probe.refuses({**base, "time": "2026-05-16T12:00:00.000Z"}, f"{name} with milliseconds of zero")
        probe.refuses({**base, "extra": 1}, f"{name} with an unknown key")


def check_decisions(schema):
    page = "docs/decisions.md"
    rows = by_key(table(page, None, "key"), "key", page)
    steps = [tuple(code(row["step"]) + code(row["reason"]) + [row["verdict"]]) for row in table(page, None, "step")]
    compare_output(rows, schema, page)
    required = {key for key, row in rows.items() if not re.search(r"\babsent\b|is known", row["meaning"])}
    same(set(schema["required"]), required, page, "keys that are always present")
    same(set(code(rows["verdict"]["meaning"])), {verdict for _, _, verdict in steps}, page, "verdicts")
    probe = Probe(schema, "decision.schema.json")
    for step, reason, verdict in steps:
        base = {
            "time": "2026-05-16T12:00:00Z", "campaign": "c", "region": "a", "visit": UUID, "messageId": "m", "step": step,
            "verdict": verdict, "reason": reason, "detail": "offer", "inputs": {"count": 1},
            "nextPossible": "2026-05-17T12:00:00Z",
        }  # fmt: skip
        same(set(base), set(rows), page, "keys the checker knows")
        places = {"campaign": "c", "region": "a", "visit": UUID}
        is_list, is_message = step == "list", step in ("revision", "rules", "suppress")
        if not is_list and not is_message:
            campaigns = {key: value for key, value in base.items() if key != "messageId"}
            probe.keys(campaigns, required, ["visit", "nextPossible"], campaigns, f"{step} {reason}")
            probe.refuses({**campaigns, "extra": 1}, f"{step} {reason} with an unknown key")
            probe.refuses({**campaigns, "inputs": {"extra": 1}}, f"{step} {reason} with an unknown input")
        rest = {key: value for key, value in base.items() if key not in places}
        if is_list:
            rest.pop("messageId")
        is_shared = step in ("filter", "strategies", "cooldown", "caps", "quiet", "slot", "attachment", "show", "remove")
        of_places = reason in ("left", "ended", "expired", "disabled", "campaign-removed")
        if is_list or is_message or reason == "notifications-disabled" or (is_shared and not of_places):
            why = f"{step} {reason} of a {'list' if is_list else 'message'}"
            needed = required | ({"messageId"} if is_message else set())
            probe.keys(rest, needed, ["nextPossible"], {**places, **({"messageId": "m"} if is_list else {})}, why)
        else:
            probe.refuses(rest, f"{step} {reason} of a message")


def check_summary(schema):
    page = "docs/explain.md"
    rows = by_key(table(page, "Summary", "key"), "key", page)
    same(list(rows), list(schema["properties"]), page, "keys of the summary in order, against the schema")
    same(set(schema["required"]), {key for key, row in rows.items() if "absent" not in row["meaning"]}, page, "keys of the summary that are always present")
    probe = Probe(schema, "summary.schema.json")
    example = json.loads(json_blocks(page)[1])
    probe.takes(example, "the example of the page")
    for line in (ROOT / "Tests/vectors/lists/summary.effects.jsonl").read_text(encoding="utf-8").splitlines():
        effect = json.loads(line)
        if effect["effect"] == "list":
            probe.takes(effect["value"], "a summary of the vector")
            same([key for key in example if key in effect["value"]], list(effect["value"]), page, "order of the keys")
    probe.refuses({**example, "extra": 1}, "an unknown key")
    probe.refuses({**example, "regions": "2"}, "a count that is a string")


def check_input_line(schema):
    page = "docs/linux.md"
    keys = [key for row in table(page, "Lines of JSON", "key") for key in code(row["key"])]
    same(keys, [key for key in schema["properties"] if key != "time"], page, "keys in order, against the schema")
    probe = Probe(schema, "input-line.schema.json")
    probe.takes(json.loads(json_blocks(page)[-1]), "the example of the page")
    fix, when = {"latitude": 52.3789, "longitude": 4.9003}, "2026-05-16T12:00:00Z"
    for line in (
        {"fix": fix}, {"open": "m"}, {"property": {"a": 1, "b": None, "c": {"type": "date", "value": when}}}, {"foreground": True},
        {"sighting": {"namespaceId": "n", "instanceId": "i", "rssi": -60}}, {"push": {}}, {"action": {"id": "a", "matchIdentifier": "m"}},
        {"startTrip": {"id": "t", "region": "a"}}, {"endTrip": {"id": "t"}}, {"endTrip": {"id": "t", "arrived": True}},
    ):
        probe.takes(line, f"a line with {list(line)[0]}")
        probe.takes({"time": when, **line}, f"a line with {list(line)[0]} and its time")
        probe.refuses({**line, "other": 1}, "an unknown key")
    for line in ({}, {"time": when}, {"fix": fix, "push": {}}, {"fix": {"latitude": 91, "longitude": 0}}, {"fix": 1}, {"open": ""}, {"network": 1}, {"startTrip": {"id": "t"}}, {"endTrip": "t"}):
        probe.refuses(line, f"{line}")


def check_explain(schema):
    page = "docs/explain.md"
    rows = by_key(table(page, None, "key"), "key", page)
    same(list(rows), list(schema["properties"]), page, "keys in order, against the schema")
    same(set(schema["required"]), {key for key, row in rows.items() if "absent" not in row["meaning"]}, page, "keys that are always present")
    same(code(rows["verdict"]["meaning"]), schema["properties"]["verdict"]["enum"], page, "verdicts, against the schema")
    states = table(page, None, "reason")
    same([code(row["reason"])[0] for row in states], schema["then"]["properties"]["reason"]["enum"], page, "reasons, against the schema")
    inputs = {key for row in states for key in code(row["inputs"])}
    check(inputs <= set(schema["properties"]["inputs"]["properties"]), page, "an input that the schema has not")

    probe = Probe(schema, "explain.schema.json")
    examples = [json.loads(block) for block in json_blocks(page)]
    check(len(examples) == 2, page, "has not one example of each")
    probe.takes(examples[0], "the example of the page")
    base = {**examples[0], "step": "explain", "inputs": {"since": "2026-05-16T12:00:00Z"}}
    base.pop("detail")
    for row in states:
        probe.takes({**base, "reason": code(row["reason"])[0], "verdict": row["verdict"]}, f"explain {row['reason']}")
    probe.refuses({**base, "reason": "capped"}, "a decision's reason with the step explain")
    probe.refuses({**base, "reason": "shown", "extra": 1}, "an unknown key")


def check_rules(schema):
    page = "docs/rules-file.md"
    parts = schema["$defs"]
    for heading, part in (("The document", schema), ("Strategies", parts["strategy"]), ("Inputs", parts["input"])):
        compare_properties(by_key(table(page, heading, "key"), "key", page), part, schema, page, heading, "meaning")
    rows = by_key(table(page, "Rules", "key"), "key", page)
    lists = {key: parts[schema["properties"][key]["items"]["$ref"].rsplit("/", 1)[1]] for key in ("filter", "geotriggers", "show", "remove", "person")}
    for name, part in lists.items():
        own = {key: row for key, row in rows.items() if row["lists"] == "all" or name in code(row["lists"])}
        compare_properties(own, part, schema, page, f"rules of {name}", "meaning")
    for part in (schema, parts["strategy"], parts["input"], *lists.values()):
        same(part.get("additionalProperties"), False, "rules.schema.json", "additionalProperties")
        same(set(part.get("patternProperties", {})) - ({EDITORS} if part is schema else set()), {"^x-"}, "rules.schema.json", "patternProperties")
    words = [word for word in code(rows["set"]["meaning"]) if word not in ("null", "drop")]
    same(set(words), set(parts["set"]["properties"]), page, "keys of set, against the schema")
    items = by_key(table("docs/items.md", None, "key"), "key", "docs/items.md")
    same(set(words) - set(items), set(), page, "keys of set, against docs/items.md")

    probe = Probe(schema, "rules.schema.json")
    for block in json_blocks(page):
        probe.takes(json.loads(block), "an example of the page")
    person = {"campaign": "c", "region": "r", "x-own": None}
    now, later = {"at": "2026-05-16T11:50:00Z"}, {"at": "2026-05-16T13:50:00.5+02:00", "x-own": 1}
    content = {
        "message": "m", "data": "", "title": "t", "subtitle": "s", "body": "b", "sound": "s", "badge": 0, "category": "c",
        "attachments": [{"id": "p", "url": "p.png", "type": "png"}], "userInfo": {"a": None},
        "actions": [{"id": "a", "title": "A", "foreground": True, "destructive": False}],
    }  # fmt: skip
    good = (
        {}, {"filter": []}, {"x-own": None}, {"filter": [{}, {"identifier": "c;r", "drop": True}, {"set": content, "drop": False, "answerAfter": 604800}]},
        {"filter": [{"set": {key: None for key in content.keys() - {"message", "data"}}}]}, {"geotriggers": [{"region": "r", "drop": True, "answerAfter": 0}]},
        {"strategies": [{"key": "k", "veto": ["c"], "vetoDelete": [], "minimumTime": 1, "after": "background", "max": 1, "window": 1}, {"key": "l"}]},
        {"show": [{"fails": True}], "remove": [{"identifier": "c;r", "fails": False}]},
        {"person": [person, {**person, "opens": 0}, {"dismisses": 5}, {"chooses": {"action": "a", "after": 1}}]},
        {"inputs": [{**now, "foreground": True}, {**later, "network": False}, {**now, "timeZone": "UTC"}, {**now, "clearProperty": "p"}]},
        {"inputs": [{**now, "startTrip": {"id": "t", "region": "r"}}, {**later, "endTrip": {"id": "t", "arrived": True}}]},
        {"inputs": [{**now, "property": {"key": "p", "value": value}} for value in ("x", True, 1, 1.5, {"date": now["at"]})]},
    )  # fmt: skip
    bad = (
        [], {"filters": []}, {"filter": {}}, {"filter": None}, {"filter": [{"campaign": ""}]}, {"filter": [{"campaign": "a;b"}]}, {"filter": [{"identifier": "a"}]},
        {"filter": [{"identifier": "a;b;c"}]}, {"filter": [{"identifier": "a;b", "region": "b"}]}, {"filter": [{"drop": True, "set": {}}]},
        {"filter": [{"set": {"message": None}}]}, {"filter": [{"set": {"message": ""}}]}, {"filter": [{"set": {"priority": 1}}]}, {"filter": [{"answerAfter": 0.5}]},
        {"filter": [{"answerAfter": 604801}]}, {"geotriggers": [{"set": {}}]}, {"filter": [{"fails": True}]}, {"show": [{"drop": True}]}, {"show": [{"fails": 1}]},
        {"strategies": [{}]}, {"strategies": [{"key": "k", "max": 1}]}, {"strategies": [{"key": "k", "window": 1}]}, {"strategies": [{"key": "k", "after": "shown"}]},
        {"strategies": [{"key": "k", "minimumTime": 1, "after": "opened"}]}, {"strategies": [{"key": "k"}] * 101}, {"person": [{"opens": 1, "dismisses": 1}]},
        {"person": [{"opens": -1}]}, {"person": [{"chooses": "a"}]}, {"person": [{"chooses": {"action": "a"}}]}, {"person": [{"opens": 1, "chooses": {"action": "a", "after": 1}}]},
        {"inputs": [now]}, {"inputs": [{"network": True}]}, {"inputs": [{**now, "network": True, "foreground": True}]}, {"inputs": [{"at": "2026-05-16", "network": True}]},
        {"inputs": [{**now, "clearProperty": ""}]}, {"inputs": [{**now, "property": {"key": "p"}}]}, {"inputs": [{**now, "property": {"key": "p", "value": None}}]},
        {"inputs": [{**now, "property": {"key": "p", "value": {"date": "x"}}}]}, {"inputs": [{**now, "enabled": True}]},
        {"inputs": [{**now, "startTrip": {"id": "t"}}]}, {"inputs": [{**now, "endTrip": "t"}]},
    )  # fmt: skip
    for document in good:
        probe.takes(document, f"the rules {show(document)}")
    for document in bad:
        probe.refuses(document, f"the rules {show(document)}")


def check_region_plan(schema):
    page = "docs/region-plan.md"
    rows = by_key(table(page, "The difference", "key"), "key", page)
    same(list(rows), list(schema["properties"]), page, "keys in order, against the schema")
    same(schema["required"], list(rows), page, "keys that are always present")
    for key, row in rows.items():
        found = schema["properties"][key]
        if key != "fence":
            same(type_in_schema(found)[0], row["type"].split(" ")[0], f"{page}, {key}", "type in the schema")
    parts, fence = schema["$defs"], schema["$defs"]["fence"]
    entries = by_key(table(page, "A registration", "key"), "key", page)
    same(set(entries), set(parts["place"]["properties"]) | set(parts["beacon"]["properties"]), page, "keys of a registration, against the schema")
    kinds = [json.loads(word) for word in code(entries["kind"]["type"])]
    same([*parts["place"]["properties"]["kind"]["enum"], parts["beacon"]["properties"]["kind"]["const"]], kinds, page, "kinds, against the schema")
    text = read(page)
    for kind, part in (("circles and areas", parts["place"]), ("beacons", parts["beacon"])):
        always = {key for key, row in entries.items() if row["present"] in ("always", kind)}
        same(set(part["required"]), always, page, f"keys that {kind} always have")
        for key in part["properties"]:
            expected = entries[key]["type"] if key != "kind" else "string"
            same(type_in_schema(resolve(part["properties"][key], schema))[0], expected, f"{page}, {key}", "type in the schema")
    same((fence["properties"]["radius"]["minimum"], fence["properties"]["radius"]["maximum"]), (100, 50_000), page, "radius of the fence")
    check("at most 50 km" in text and "at least 100 m" in text, page, "does not say how large a fence is")

    probe = Probe(schema, "region-plan.schema.json")
    examples = [json.loads(block) for block in json_blocks(page)]
    for example in examples:
        probe.takes(example, "the example of the page")
    base = {"add": [], "remove": [], "fence": None, "fenceChanged": False, "dense": False, "unwatchedBeacons": 0}
    probe.keys(base, list(base), [], {"x": 1}, "an empty plan")
    place = {"id": "a", "kind": "circle", "latitude": 52.0, "longitude": 4.0, "radius": 100.0}
    beacon = {"id": "b", "kind": "beacon", "proximityUUID": "u", "majorId": 1, "minorId": 2}
    for entry, optional in ((place, ()), (beacon, ("majorId", "minorId"))):
        probe.takes({**base, "add": [entry]}, f"a {entry['kind']}")
        for key in entry.keys() - set(optional):
            probe.refuses({**base, "add": [{name: entry[name] for name in entry if name != key}]}, f"a {entry['kind']} without {key}")
        for key in (place.keys() | beacon.keys()) - entry.keys():
            probe.refuses({**base, "add": [{**entry, key: {**place, **beacon}[key]}]}, f"a {entry['kind']} with {key}")
        probe.refuses({**base, "add": [{**entry, "kind": "square"}]}, "an unknown kind")
    probe.refuses({**base, "add": [{key: beacon[key] for key in beacon if key != "majorId"}]}, "a minor without a major")
    for radius, good in ((100, True), (50_000, True), (99, False), (50_001, False)):
        (probe.takes if good else probe.refuses)({**base, "fence": {"latitude": 1, "longitude": 1, "radius": radius}}, f"a fence of {radius} m")


def check_vectors(schema, schemas):
    """The page and the schema name the same keys; every vector satisfies the schema, and its documents theirs."""
    page = "Tests/vectors/README.md"
    parts = schema["$defs"]
    keys = by_key(table(page, "A scenario", "key"), "key", page)
    same(set(schema["properties"]), set(keys), page, "keys of a scenario, against the schema")
    same(set(schema["required"]), {key for key, row in keys.items() if row["default"] == "required"}, page, "keys that are required")
    same(set(parts["host"]["properties"]), set(by_key(table(page, "The host", "key"), "key", page)), page, "keys of the host, against the schema")
    rule = set(by_key(table(page, "The host", "key of a rule"), "key of a rule", page))
    same(set(parts["filterRule"]["properties"]), rule, page, "keys of a rule, against the schema")
    inputs = {part["$ref"].rsplit("/", 1)[1].removesuffix("Input") for part in parts["input"]["oneOf"]}
    rows = by_key(table(page, "Inputs", "input"), "input", page)
    same(inputs, set(rows), page, "inputs, against the schema")
    for name in inputs - {"list", "clear", "advanceToWakeup"}:
        spelled = set(code(rows[name]["value"]))
        for key in parts[f"{name}Input"]["properties"][name]["properties"]:
            check(key in spelled, page, f"{name} does not name its key {key}")
    for name in ("list", "clear"):
        named = {json.loads(word) for word in code(rows[name]["value"]) if word.startswith('"')}
        same(set(parts[f"{name}Input"]["properties"][name]["enum"]), named, page, f"what {name} may be, against the schema")

    probes = {name: Probe(schemas[name], f"{name}.schema.json") for name in ("plotconfig", "feed") if name in schemas}
    probe = Probe(schema, "vector.schema.json")
    paths = sorted((ROOT / "Tests/vectors").glob("*/*.json"))
    vectors = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    check(vectors, "Tests/vectors", "there are no vectors")
    same(len(vectors), len(paths), "Tests/vectors", "names of vectors, each once")
    for path in paths:
        same(vectors[path.stem].get("area"), path.parent.name, str(path), "area, which is its folder")
    effects = {path.name.removesuffix(".effects.jsonl") for path in (ROOT / "Tests/vectors").glob("*/*.effects.jsonl")}
    same(effects, set(vectors), "Tests/vectors", "effects files, against the scenarios")
    used = set()
    for name, vector in vectors.items():
        probe.takes(vector, f"the vector {name}")
        same(vector.get("name"), name, f"Tests/vectors/{name}.json", "name")
        used |= {key for given in vector["inputs"] for key in given if key != "time"}
        feeds = [vector["feed"], *(given["setFeed"]["feed"] for given in vector["inputs"] if "setFeed" in given)]
        for kind, documents in (("plotconfig", [vector["config"]]), ("feed", feeds)):
            for document in documents if kind in probes else []:
                probes[kind].takes(document, f"the {kind} of the vector {name}")
    same(used, inputs, "Tests/vectors", "inputs that some vector has")
    same(set(schema["properties"]["area"]["enum"]), {vector.get("area") for vector in vectors.values()}, "vector.schema.json", "areas that some vector has")

    base = next(iter(vectors.values()))
    probe.keys(base, schema["required"], [], {"x": 1}, "a vector with an unknown key")
    time = {"time": "2026-05-16T10:00:00Z"}
    for wrong in (
        {}, {"fix": time}, {"advance": {"time": "2026-05-16"}}, {"advance": {**time, "x": 1}}, {"advance": time, "enable": time}, {"list": "all"}, {"clear": "sentNotifications"},
        {"hint": {**time, "region": "r", "kind": "enter", "latitude": 1}}, {"message": time}, {"sighting": {**time, "namespaceId": "n"}}, {"open": {**time, "notification": 0}},
        {"explain": {"region": "r"}}, {"explain": {"campaign": "c", **time}}, {"keepDecisions": {}}, {"getDecisions": {"limit": -1}},
        {"sync": {"call": "begin", **time}}, {"sync": {"call": "next"}}, {"sync": {"call": "ask", **time}}, {"sync": {"call": "response", **time, "request": 1}},
    ):  # fmt: skip
        probe.refuses({**base, "inputs": [wrong]}, f"the input {show(wrong)}")
    for host in ({"filter": "soon"}, {"show": "never"}, {"geotriggers": [{"message": "m"}]}, {"strategies": [{}]}, {"x": 1}):
        probe.refuses({**base, "host": host}, f"the host {show(host)}")


def check_header(header):
    body = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    body = re.sub(r"^\s*#.*$", "", body, flags=re.M)
    statements = [" ".join(part.split()) for part in body.split(";")]
    functions, types = set(), set()
    for statement in statements:
        if "typedef" in statement:
            types.update(re.findall(r"\(\*(plot_\w+)\)", statement) or re.findall(r"(plot_\w+)$", statement))
        elif match := re.fullmatch(r"\} (plot_\w+)", statement):
            types.add(match[1])
        elif match := re.search(r"\b(plot_\w+) ?\(", statement):
            functions.add(match[1])
    check(functions, "include/plotengine.h", "declares no function")
    listed = read("scripts/exported-symbols.txt").split("\n")
    same(listed[-1], "", "scripts/exported-symbols.txt", "end of the last line")
    same(listed[:-1], sorted(set(listed[:-1])), "scripts/exported-symbols.txt", "sorted lines")
    same(set(listed[:-1]), functions, "scripts/exported-symbols.txt", "functions, against the header")

    pages = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    for page in pages + [name for name in ("README.md", "CHANGELOG.md", "demo/README.md") if (ROOT / name).exists()]:
        text = read(page)
        for name in sorted(set(re.findall(r"\bplot_[a-z0-9_]+", text))):
            known = name in functions | types or (name.endswith("_") and any(other.startswith(name) for other in functions))
            check(known, page, f"{name} is not in the header")
        for name in sorted(set(re.findall(r"\bPLOT_[A-Z0-9_]+", text))):
            end = "" if name.endswith("_") else r"\b"
            # Those of the campaign service are settings: check_server compares them.
            known = name.startswith("PLOT_SERVER_") or re.search(rf"^#define {name}{end}", header, re.M)
            check(known, page, f"{name} is not in the header")
        for target in sorted(set(re.findall(r"\]\(([^)#\s]+)", text))):
            if not re.match(r"[a-z]+:", target):
                check((ROOT / page).parent.joinpath(target).exists(), page, f"links to {target}, which is not there")

    options = table("docs/feed.md", "Import", "option")
    spelled = [word for row in options for word in code(row["option"]) if not word.startswith("--")]
    comment = re.search(r"/\* Makes a feed from a GeoJSON.*?\*/", header, re.S)
    in_header = re.findall(r'"(\w+)":', comment[0]) if comment else []
    same(set(spelled), set(in_header), "docs/feed.md, Import", "options, against the header")


def check_batch(header):
    """The records of many fixes: fields with their offsets, and kinds, as the header and the events' page have them."""
    page = "docs/batch.md"
    struct = re.sub(r"/\*.*?\*/", " ", re.search(r"typedef struct plot_effect \{(.*?)\} plot_effect;", header, re.S)[1], flags=re.S)
    fields, offset = [], 0
    for kind, name in re.findall(r"(\w+) (\w+);", struct):
        fields.append([str(offset), name, kind])
        offset += int(re.search(r"\d+", kind)[0]) // 8
    rows = table(page, "Records", "offset")
    same([[row["offset"], *code(row["field"]), *code(row["type"])] for row in rows], fields, page, "fields, against the header")
    check(f"{offset} bytes each" in read(page), page, f"does not say that a record has {offset} bytes")
    kinds = table(page, "Records", "kind")
    in_header = re.findall(r"^#define PLOT_EFFECT_(\w+) (\d+)", header, re.M)
    same([[*code(row["`PLOT_EFFECT_`"]), row["kind"]] for row in kinds], [list(pair) for pair in in_header], page, "kinds, against the header")
    events = [name for row in table("docs/events.md", None, "event") for name in code(row["event"])]
    told = [name for row in kinds if 1 <= int(row["kind"]) < 64 for name in code(row["what"])]
    same(told, events, page, "events of the kinds, against docs/events.md")


def check_recording(schema):
    page = "docs/recording.md"
    parts = schema["$defs"]
    lines = [key for row in table(page, "Lines", "first key") for key in code(row["first key"])]
    same(set(lines) - {"input"}, {name[5:] for name in parts if name.startswith("line-")}, page, "kinds of lines, against the schema")
    named = []
    for row in table(page, "Inputs", "input"):
        for name in code(row["input"]):
            named.append(name)
            own = [key for key in parts.get(f"input-{name}", {"properties": {}})["properties"] if key not in ("input", "time", "zones", "files")]
            words = code(row["keys"])
            if "content" in row["keys"] and "kept" not in words:
                words += [key for key in own if key not in words and key in parts["input-filter-answer"]["properties"]["kept"]["items"]["properties"]]
            missing = [key for key in own if key not in words]
            same(missing, [], f"{page}, {name}", "keys that the page leaves out")
    same(named, [name[6:] for name in parts if name.startswith("input-")], page, "inputs in order, against the schema")
    check(f"`\"recording\": {max(parts['line-recording']['properties']['recording']['enum'])}`" in read(page), page, "does not say the schema's version")


def check_lint(schema):
    page = "docs/lint.md"
    item = schema["items"]
    rows = by_key(table(page, "A finding", "key"), "key", page)
    same(["file", *rows], list(item["properties"]), page, "keys in order, against the schema")
    same(item["required"], list(rows), page, "keys that are always present")
    for key in ("severity", "document"):
        same(item["properties"][key]["enum"], [word for word in code(rows[key]["meaning"])], f"{page}, {key}", "words in the schema")
    codes = by_key(table(page, "Codes", "code"), "code", page)
    same(list(codes), item["properties"]["code"]["enum"], page, "codes in order, against the schema")
    for name, row in codes.items():
        check(re.fullmatch(r"[a-z]+(-[a-z]+)*", name), page, f"{name} is not in kebab-case")
        check(row["severity"] in item["properties"]["severity"]["enum"], page, f"{name} has the severity {row['severity']}")
        for column in ("meaning", "remedy"):
            check(re.fullmatch(r"[A-Z].*[^.]\.", row[column]), page, f"{column} of {name} is no sentence")
    probe = Probe(schema, "lint.schema.json")
    (example,) = [json.loads(block) for block in json_blocks(page)]
    probe.takes(example, "the example of the page")
    probe.takes([], "no findings")
    probe.takes([{"file": "feed.json", **example[0]}], "a finding of the tool")
    for key in rows:
        probe.refuses([{name: value for name, value in example[0].items() if name != key}], f"a finding without {key}")
        probe.refuses([{**example[0], key: None}], f"null for {key}")
    for wrong in ({"code": "other"}, {"severity": "fatal"}, {"document": "page"}, {"pointer": "a"}, {"pointer": "/~2"}, {"line": -1}, {"x": 1}):
        probe.refuses([{**example[0], **wrong}], "a finding of another form")


def routes(*files):
    """{"GET /path"} of the routes that files of the service add."""
    found = re.findall(r'router\.(\w+)\("([^"]+)"', "".join(read(f"server/Sources/PlotServer/{file}") for file in files))
    return {f"{method.upper()} /{re.sub(r':(key|id)', lambda part: part[1].upper(), path)}" for method, path in found}


def check_sync(schema):
    """The sync protocol: the page, the schema, the service's own tables, and the bodies of the vectors."""
    page = "docs/sync-protocol.md"
    parts = schema["$defs"]
    requests = {name for row in table(page, "Requests", "request") for name in code(row["request"])}
    same(requests, routes("HTTP/DeviceRoutes.swift"), page, "requests, against the service")
    facts = [key for row in table(page, "Installations", "key") for key in code(row["key"])]
    in_service = re.search(r"static let facts = \[(.*?)\]", read("server/Sources/PlotServer/HTTP/DeviceRoutes.swift"), re.S)[1]
    same(facts, re.findall(r'"(\w+)"', in_service), page, "facts, against the service")
    same(facts, list(parts["installation"]["properties"]), page, "facts, against the schema")
    answer = [key for row in table(page, "Events", "key") for key in code(row["key"])]
    same(["batch", *answer], list(parts["eventsAnswer"]["properties"]), page, "keys of the answer, against the schema")
    kinds = {kind: row["status"] for row in table(page, "Errors", "kind") for kind in code(row["kind"])}
    known = set(parts["error"]["properties"]["error"]["properties"]["kind"]["enum"])
    same(set(kinds) - known, set(), page, "kinds of errors that the schema lacks")
    probes = {name: Probe({**part, "$defs": parts}, f"sync.schema.json, {name}") for name, part in parts.items()}
    named = {("PUT", "/device/v1/installation"): ("installation", "installationAnswer"), ("POST", "/device/v1/events"): ("events", "eventsAnswer")}
    seen = set()
    for path in sorted((ROOT / "server/Tests/vectors").glob("*.json")):
        for number, step in enumerate(json.loads(path.read_text(encoding="utf-8"))["steps"]):
            what = f"{path.name}, step {number}"
            request, given = step["request"], step["answer"]
            own, other = named.get((request["method"], request["path"]), (None, None))
            if own and given["status"] < 300:
                probes[own].takes(json.loads(request["body"]), what)
            if given.get("body", "").startswith('{"error"'):
                error = json.loads(given["body"])
                probes["error"].takes(error, what)
                same(str(given["status"]), kinds.get(error["error"]["kind"]), f"{page}, {what}", "status of the kind")
            elif own and given["status"] == 200:
                probes[other].takes(json.loads(given["body"]), what)
            seen.add(f"{request['method']} {request['path']}")
    same(requests - seen, set(), "server/Tests/vectors", "requests that no vector has")
    for wrong in ({}, {"batch": "b"}, {"batch": "", "events": []}, {"batch": "b", "events": [7]}, {"batch": "b", "events": [{}] * 501}):
        probes["events"].refuses(wrong, f"events as {show(wrong)[:60]}")


def check_server():
    """The page of the service: its settings and its requests, against the source."""
    page = "docs/server.md"
    source = read("server/Sources/PlotServer/ServerConfiguration.swift")
    settings = re.findall(r'\("(\w+)", \.(?:text|optional|flag|number|seconds)\(', source)
    rows = by_key(table(page, "Settings", "key"), "key", page)
    same(list(rows), settings, page, "settings in order, against the source")
    for key, row in rows.items():
        name = "PLOT_SERVER_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).upper()
        same(code(row["environment"])[0], name, f"{page}, {key}", "name in the environment")
        value = re.search(rf"public var {key}(?:: \w+\??)? ?=? ?(.*)", source)[1].strip('"').replace("_", "")
        value = {"64 << 20": str(64 << 20)}.get(value, value)
        same((code(row["default"]) or [row["default"]])[0], value, f"{page}, {key}", "default")
    made = subprocess.run([sys.executable, "scripts/openapi.py"], cwd=ROOT, capture_output=True, text=True)
    check(made.returncode == 0, page, made.stderr.strip())
    for section, file in (("People and roles", "PeopleRoutes"), ("Signing in", "SessionRoutes"), ("Publishing", "ManagementRoutes"), ("Drafts", "DraftRoutes"), ("Trying", "TrialRoutes"), ("People's rights", "InstallationRoutes"), ("Why", "WhyRoutes"), ("Webhooks", "WebhookRoutes"), ("Places and notifications", "PlaceRoutes")):
        named = {name for row in table(page, section, "request") for name in code(row["request"])}
        same(named, routes(f"HTTP/{file}.swift"), page, f"requests of {section}")


def check_overlap():
    """The walk of docs/overlap.md is a vector: its feed, and all that came on the screen, left it or found no place."""
    page, path = "docs/overlap.md", "Tests/vectors/screen/overlap-across-campaigns"
    feed = json.loads(re.search(r"```json\n(.*?)```", read(page), re.S)[1])
    same(feed, read_json(f"{path}.json")["feed"], page, "the feed, against the vector's")
    found = []
    for record in (json.loads(line).get("record", {}) for line in read(f"{path}.effects.jsonl").splitlines()):
        if record.get("event") in ("notification-shown", "notification-removed"):
            found.append((record["time"][11:19], record["campaign"], record["event"].removeprefix("notification-")))
        elif record.get("step") == "slot" and record["verdict"] == "drop":
            found.append((record["time"][11:19], record["campaign"], "dropped"))
    said = [(row["time"], code(row["campaign"])[0], row["what happens"]) for row in table(page, None, "time")]
    same(said, found, page, "the walk, against the vector")


def check_architecture():
    """The functions that a fix comes through are where the page says, and what happens at a moment happens in its order."""
    page = "docs/architecture.md"
    for row in table(page, "A day in the life of a fix", "function"):
        name, path = code(row["function"])[0], f"Sources/{row['in `Sources/`']}"
        source = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
        check(re.search(rf"\bfunc {name}\b", source), page, f"a day of a fix: {path} has no function {name}")
    body = re.search(r"mutating func proceed\(to time.*?\n  }", read("Sources/PlotCore/Conductor/Machine.swift"), re.S)[0]
    calls = re.findall(r"^      (\w+)(?:\(| \{)", body, re.M)
    steps = re.findall(r"^\d+\. .*\(`(\w+)`\)", read(page).split("## The order in which")[1].split("**A fix**")[0], re.M)
    same(steps, calls, page, "the order at a moment")


def main():
    header = read("include/plotengine.h")
    schemas = {}
    for name in SCHEMAS:
        path = f"docs/schema/{name}.schema.json"
        schema = read_json(path)
        if schema is None:
            continue
        same(schema.get("$schema"), "https://json-schema.org/draft/2020-12/schema", path, "$schema")
        try:
            Draft202012Validator.check_schema(schema)
            schemas[name] = schema
            check(True, path, "")
        except SchemaError as error:
            check(False, path, f"is not a valid schema: {error.json_path}: {error.message}")
    checks = {
        "plotconfig": check_plotconfig, "feed": check_feed, "item": lambda schema: check_items(schema, header),
        "event": check_events, "decision": check_decisions, "message": check_messages, "trip": check_trips,
        "rules": check_rules,
        "region-plan": check_region_plan, "vector": lambda schema: check_vectors(schema, schemas), "lint": check_lint,
        "explain": check_explain, "summary": check_summary, "recording": check_recording, "input-line": check_input_line,
        "sync": check_sync,
    }  # fmt: skip
    for name, schema in schemas.items():
        try:
            checks[name](schema)
        except (KeyError, ValueError, TypeError) as error:
            check(False, f"{name}.schema.json and its page", f"have a shape the checker cannot follow: {error!r}")
    for name in ("feed", "plotconfig", "rules"):
        document = read_json(f"demo/{name}.json")
        if document is not None and name in schemas:
            Probe(schemas[name], f"{name}.schema.json").takes(document, f"demo/{name}.json")
    check_header(header)
    check_batch(header)
    check_server()
    check_overlap()
    check_architecture()
    version = read("VERSION").strip()
    check(re.search(rf"^## \[{re.escape(version)}\]", read("CHANGELOG.md"), re.M), "CHANGELOG.md", f"has no section of {version}")

    for fault in dict.fromkeys(faults):
        print(fault)
    if faults:
        sys.exit(1)
    print(f"docs: {passed} checks passed")


main()
