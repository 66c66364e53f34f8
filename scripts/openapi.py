#!/usr/bin/env python3
"""The description of the campaign service for machines, docs/schema/openapi.json (OpenAPI 3.1), from the tables of its pages: scripts/openapi.py [--write]

Requests, names of parameters and answers are those of docs/server.md and docs/sync-protocol.md; here stand the types of the parameters and of what is
sent. A name that has no type here is an error, and so is a type that no page needs. The feed's objects are those of its schema. The service answers it at
/openapi.json.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs/schema/openapi.json"
PAGES = ("docs/server.md", "docs/sync-protocol.md")
ROW = re.compile(r"^\| `(GET|POST|PUT|PATCH|DELETE) (/[^`]+)` \|(.*)\|(.*)\|$")


def text(**more):
    return {"type": "string", **more}


def number(least, most):
    return {"type": "integer", "minimum": least, "maximum": most}


def thing(required=(), **properties):
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


BIG = 2**63 - 1
ROLE = text(enum=["viewer", "editor", "approver", "owner"])
DAY = text(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$", example="2026-05-16")
FLAG = text(enum=["true", "false"])
FEED = ref("feed")
WALK = {
    "fixes": {"type": "array", "minItems": 1, "maxItems": 20000, "items": thing(
        ("time", "latitude", "longitude"), time=text(format="date-time"), latitude={"type": "number", "minimum": -90, "maximum": 90},
        longitude={"type": "number", "minimum": -180, "maximum": 180}, accuracy={"type": "number", "minimum": 0}, speed={"type": "number", "minimum": 0},
        course={"type": "number", "minimum": 0, "maximum": 360})},
    "route": thing(("points", "start"), points={"type": "array", "minItems": 2, "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}},
                   start=text(format="date-time"), speed={"type": "number", "exclusiveMinimum": 0}, interval={"type": "number", "exclusiveMinimum": 0},
                   accuracy={"type": "number", "minimum": 0}),
    "properties": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
    "end": text(format="date-time"),
}
SIDE = thing(feed=FEED, publication=number(1, BIG), config={"type": "object"})
TIMES = {"type": "array", "items": thing(("start", "end"), start=text(), end=text())}

# Parameters of a query, by name; a request may have its own.
QUERY = {
    "limit": number(1, 1000), "after": number(-1, BIG), "before": number(1, BIG), "start": number(0, BIG),
    "dryRun": FLAG, "share": number(1, 100), "spread": number(0, 86400), "at": text(format="date-time"), "note": text(maxLength=250),
    "from": DAY, "to": DAY, "format": text(enum=["json", *(f"{of}.{form}" for form in ("csv", "parquet") for of in ("campaigns", "regions", "days"))]), "placeId": text(), "notificationId": text(),
    "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 100000}, "width": {"type": "number", "minimum": 1, "maximum": 100000},
    "kind": text(enum=["region-enter", "region-exit", "notification-shown", "notification-opened", "notification-filtered", "notification-dismissed", "notification-held-out", "geotrigger"]),
    "days": number(1, 90),
    "zone": text(minLength=1), "installation": text(minLength=1), "campaign": text(), "region": text(), "language": text(pattern="^[a-z]{2}$"),
    "idProperty": text(minLength=1), "nameProperty": text(minLength=1), "radiusProperty": text(minLength=1),
}  # fmt: skip
OWN_QUERY = {("POST /api/v2/import", "format"): text(enum=["geojson", "csv", "kml"])}

# The bodies that are sent, by request. A request of a page that names a body needs one here.
# Its client sends null for what there is not.
MAYBE = {"type": ["string", "null"], "maxLength": 254}
PLACE = thing(name=text(minLength=1, maxLength=254), location=thing(latitude={"type": "number"}, longitude={"type": "number"}), address=MAYBE, postalCode=MAYBE,
              city=MAYBE, country=MAYBE)
NOTIFICATION = thing(placeId=text(), message=text(maxLength=2048), data={"type": ["string", "null"], "maxLength": 2048}, timespans={**TIMES, "type": ["array", "null"]},
                     matchRange=number(200, 10000), published={"type": "boolean"})
PATCH = {"type": "object"}
BODIES = {
    "PUT /api/v2/people/{id}": thing(("role",), role=ROLE),
    "POST /api/v2/keys": thing(("role",), role=ROLE, name=text(maxLength=200)),
    "POST /api/v2/session": thing(("name", "password"), name=text(), password=text()),
    "PATCH /api/v2/session": thing(language=text(enum=["en", "nl", "de"]), password=text(), currentPassword=text()),
    "POST /api/v2/publish": FEED,
    "POST /api/v2/rollback": thing(("to",), to=number(1, BIG), note=text(maxLength=250), spread=number(0, 86400), share=number(1, 100)),
    "POST /api/v2/regions": ref("sent-region"), "PUT /api/v2/regions/{id}": ref("sent-region"), "PATCH /api/v2/regions/{id}": PATCH,
    "POST /api/v2/campaigns": ref("sent-campaign"), "PUT /api/v2/campaigns/{id}": ref("sent-campaign"), "PATCH /api/v2/campaigns/{id}": PATCH,
    "POST /api/v2/categories": ref("sent-category"), "PUT /api/v2/categories/{id}": ref("sent-category"), "PATCH /api/v2/categories/{id}": PATCH,
    "POST /api/v2/lists": ref("sent-list"), "PUT /api/v2/lists/{id}": ref("sent-list"), "PATCH /api/v2/lists/{id}": PATCH,
    "PUT /api/v2/settings": ref("settings"), "PATCH /api/v2/settings": PATCH,
    "PUT /api/v2/draft": FEED,
    "POST /api/v2/edits": thing(("edits",), edits={"type": "array", "maxItems": 10000, "items": thing(
        ("kind",), kind=text(enum=["region", "campaign", "category", "list", "settings"]), id=text(), put={"type": "object"}, merge={"type": "object"},
        remove={"const": True}, version=number(0, BIG))}),
    "POST /api/v2/import": {"type": "object"},
    "POST /api/v2/preview": thing(**WALK, feed=FEED, publication=number(1, BIG), config={"type": "object"}, explain={"type": "array", "maxItems": 50, "items": text()}),
    "POST /api/v2/backtest": thing(("walks",), walks={"type": "array", "minItems": 1, "maxItems": 10000, "items": thing(**WALK, person=text())}, before=SIDE, after=SIDE),
    "POST /api/v1/place": PLACE, "PUT /api/v1/place/{id}": PLACE, "PATCH /api/v1/place/{id}": PLACE,
    "POST /api/v1/notification": NOTIFICATION, "PUT /api/v1/notification/{id}": NOTIFICATION, "PATCH /api/v1/notification/{id}": NOTIFICATION,
    "POST /api/v2/webhooks": thing(("url", "kinds"), url=text(maxLength=1000), kinds={"type": "array", "minItems": 1, "items": text(enum=["publications", "changes", "events"])}),
    "PUT /device/v1/installation": {"type": "object"},
    "POST /device/v1/recordings": text(),
    "POST /device/v1/events": thing(("batch", "events"), batch=text(), events={"type": "array", "items": {"type": "object"}}),
}  # fmt: skip
# Bodies that one may leave out.
OPTIONAL = {"POST /api/v2/publish"}
# Bodies and answers that are not JSON.
BODY_TYPES = {"POST /device/v1/recordings": ["text/plain"], "POST /api/v2/import": ["application/json", "text/csv"]}
ANSWER_TYPES = {
    "GET /api/v2/statistics/report": ["application/json", "text/csv", "application/vnd.apache.parquet"], "POST /api/v2/backtest": ["application/x-ndjson"],
    "GET /device/v1/changes": ["text/event-stream"],
}  # fmt: skip


def page_of(kind):
    return thing(("total",), total=number(0, BIG), next=number(-1, BIG), **{kind: {"type": "array", "items": {"type": "object"}}})


ANSWERS = {
    "GET /api/v2/regions/{id}": ref("region"), "GET /api/v2/campaigns/{id}": ref("campaign"), "GET /api/v2/categories/{id}": ref("category"),
    "GET /api/v2/lists/{id}": ref("list"),
    "GET /api/v2/settings": ref("settings"), "GET /api/v2/draft": FEED, "GET /api/v2/regions": page_of("regions"),
    "GET /api/v2/campaigns": page_of("campaigns"), "GET /api/v2/categories": page_of("categories"), "GET /api/v2/lists": page_of("lists"), "GET /device/v1/feed": FEED,
}  # fmt: skip


def rows():
    for page in PAGES:
        section = ""
        for line in (ROOT / page).read_text().splitlines():
            if line.startswith("## "):
                section = line[3:]
            if found := ROW.match(line):
                method, path, middle, last = (part.strip() for part in found.groups())
                path = re.sub(r"/(ID|KEY)(?=/|$)", lambda match: f"/{{{match[1].lower()}}}", path)
                yield section, method, path, middle, last, page


def security(path):
    if path.startswith("/device/"):
        return [{"publicToken": []}]
    if path == "/api/v2/session":
        return [{"session": []}, {}]
    return [{"privateKey": []}] if path.startswith("/api/v1/") else [{"privateKey": []}, {"session": []}]


def operation(section, method, path, middle, last, page, used):
    request = f"{method} {path}"
    isDevice = page.endswith("sync-protocol.md")
    summary, answer = (middle, last) if isDevice else (last or section, last)
    made = {"operationId": f"{method.lower()}{''.join(part.strip('{}').capitalize() for part in path.split('/') if part)}", "tags": [section],
            "summary": re.sub(r"[`*]", "", summary)[:200] or section, "security": security(path)}  # fmt: skip
    parameters = [{"name": name, "in": "path", "required": True, "schema": text(minLength=1)} for name in re.findall(r"{(\w+)}", path)]
    body = BODIES.get(request)
    fields = set((body or {}).get("properties", {}))
    if not isDevice:
        names = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)|: the `\w+` of|without an `id`", "", middle.split("body: some keys")[0]))
        # Behind a colon are values, not names.
        values = set(re.findall(r"`(\w+)`", " ".join(re.findall(r": ((?:`[\w.]+`(?:, | or )?)+)", middle)))) | {"geojson", "csv", "kml"}
        for name in names:
            if name in fields or name in values or name in ("key", "GET"):
                continue
            schema = OWN_QUERY.get((request, name)) or QUERY.get(name)
            if schema is None:
                raise SystemExit(f"{page}, {request}: the parameter {name} has no type in scripts/openapi.py")
            used.add(name)
            parameters.append({"name": name, "in": "query", "schema": schema})
    else:
        parameters.append({"name": "Plot-Installation", "in": "header", "required": path != "/device/v1/feed",
                           # One that is none counts as no installation where the feed is asked for.
                           "schema": text() if path == "/device/v1/feed" else text(pattern="^[!-~]{1,255}$")})  # fmt: skip
        if path.endswith("/recordings"):
            parameters.append({"name": "Plot-Consent", "in": "header", "required": True, "schema": text(enum=["recordings"])})
        if path in ("/device/v1/events", "/device/v1/recordings") or method == "DELETE":
            parameters.append({"name": "Plot-Secret", "in": "header", "required": True, "schema": text(pattern="^[!-~]+$")})
    if parameters:
        made["parameters"] = parameters
    if body:
        made["requestBody"] = {"required": request not in OPTIONAL, "content": {kind: {"schema": body if kind == "application/json" else text()}
                                                                               for kind in BODY_TYPES.get(request, ["application/json"])}}  # fmt: skip
    elif "body:" in middle:
        raise SystemExit(f"{page}, {request}: the page names a body, and scripts/openapi.py has none")
    statuses = [status for status in re.findall(r"\b([23][0-9][0-9])\b", answer)] or ["200"]
    content = {kind: {"schema": ANSWERS.get(request, {"type": ["object", "array"]}) if "json" in kind and "nd" not in kind else text()}
               for kind in ANSWER_TYPES.get(request, ["application/json"])}  # fmt: skip
    made["responses"] = {status: {"description": "as asked for", **({"content": content} if status in ("200", "201") and not (isDevice and method == "PUT" and status == "204") else {})}
                         for status in sorted(set(statuses))}  # fmt: skip
    kind = "v1Error" if path.startswith("/api/v1/") else "error"
    made["responses"]["default"] = {"description": "why it was not done", "content": {"application/json": {"schema": ref(kind)}}}
    return made


def document():
    feed = json.loads((ROOT / "docs/schema/feed.schema.json").read_text().replace("#/$defs/", "#/components/schemas/"))
    schemas = feed.pop("$defs")
    for key in ("$schema", "$id"):
        feed.pop(key, None)
    schemas["feed"] = feed
    # Programs that make values out of a schema give up where too many of its conditions meet. This one is about words of two parts; the reader says it.
    rules = schemas["campaign"]["allOf"]
    left_out = [rule for rule in rules if rule["if"].get("properties") == {"trigger": {"const": "exit"}}]
    assert len(left_out) == 1, "the rule about exits in docs/schema/feed.schema.json has another form"
    rules.remove(left_out[0])
    for kind in ("region", "campaign", "category", "list"):
        # The id is the path's, or a new one.
        schemas[f"sent-{kind}"] = {**schemas[kind], "required": [key for key in schemas[kind]["required"] if key != "id"]}
    schemas["error"] = thing(("error",), error=thing(("kind", "message"), kind=text(), message=text(), pointer=text(), expected=text(), found=text()))
    schemas["v1Error"] = thing(("success", "errorMessage", "errorCode"), success={"const": False}, errorMessage=text(), errorCode=text())
    paths, used = {}, set()
    for section, method, path, middle, last, page in rows():
        paths.setdefault(path, {})[method.lower()] = operation(section, method, path, middle, last, page, used)
    requests = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    for name, table in (("BODIES", BODIES), ("ANSWERS", ANSWERS), ("ANSWER_TYPES", ANSWER_TYPES)):
        if left := set(table) - requests:
            raise SystemExit(f"scripts/openapi.py: {name} has requests that no page has: {', '.join(sorted(left))}")
    if left := set(QUERY) - used:
        raise SystemExit(f"scripts/openapi.py: QUERY has parameters that no page has: {', '.join(sorted(left))}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Plot campaign service", "version": (ROOT / "VERSION").read_text().strip(), "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
                 "description": "Publishes campaign feeds to devices and takes their events. Made from docs/server.md and docs/sync-protocol.md."},
        "paths": paths,
        "components": {
            "securitySchemes": {
                "privateKey": {"type": "http", "scheme": "basic", "description": "The id of the app, and a private key of it."},
                "session": {"type": "apiKey", "in": "cookie", "name": "plot-session", "description": "With Plot-App and, for changes, Plot-Form-Token."},
                "publicToken": {"type": "http", "scheme": "bearer", "description": "The public token of the app."},
            },
            "schemas": schemas,
        },
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    made = json.dumps(document(), ensure_ascii=False, indent=1) + "\n"
    if options.write:
        TARGET.write_text(made)
    elif not TARGET.exists() or TARGET.read_text() != made:
        sys.exit("docs/schema/openapi.json is not what its pages say: scripts/openapi.py --write")


if __name__ == "__main__":
    main()
