#!/usr/bin/env python3
"""Writes what the JSON Schemas take from the tables of the pages: the description of each key, and keys that the schemas lack.

    scripts/schema_tables.py           says what is not as the pages have it, and fails
    scripts/schema_tables.py --write   writes it
    scripts/schema_tables.py --self    checks that a change of a page is noticed

A key is added to a table: its type, default and range become its schema. Tests/docs/check.py compares both in every other respect.
"""

import json
import re

import generated
import page_tables

# Page, heading, and where in which schema the object is that the table is about.
PLACES = [
    ("docs/plotconfig.md", "The properties", "plotconfig", [""]),
    ("docs/plotconfig.md", "`engine`", "plotconfig", ["properties/engine"]),
    ("docs/plotconfig.md", "`engine.capabilities`", "plotconfig", ["properties/engine/properties/capabilities"]),
    ("docs/plotconfig.md", "`engine.beacons`", "plotconfig", ["properties/engine/properties/beacons"]),
    ("docs/plotconfig.md", "`engine.proof`", "plotconfig", ["properties/engine/properties/proof"]),
    ("docs/plotconfig.md", "`engine.events`", "plotconfig", ["properties/engine/properties/events"]),
    ("docs/plotconfig.md", "`sync`", "plotconfig", ["properties/sync"]),
    ("docs/plotconfig.md", "`sync.events`", "plotconfig", ["properties/sync/properties/events"]),
    ("docs/feed.md", "The document", "feed", [""]),
    ("docs/feed.md", "A region", "feed", ["$defs/region"]),
    ("docs/feed.md", "Geometry", "feed", ["$defs/geometry"]),
    ("docs/feed.md", "A campaign", "feed", ["$defs/campaign"]),
    ("docs/feed.md", "Content", "feed", ["$defs/content"]),
    ("docs/feed.md", "An attachment", "feed", ["$defs/attachment"]),
    ("docs/feed.md", "A category", "feed", ["$defs/category"]),
    ("docs/feed.md", "A list", "feed", ["$defs/list"]),
    ("docs/feed.md", "An action", "feed", ["$defs/action"]),
    ("docs/feed.md", "Times", "feed", ["$defs/triggerTimes"]),
    ("docs/feed.md", "Segmentation", "feed",
     [*(f"$defs/condition/oneOf/{number}" for number in range(4)), "$defs/travelMinutes", "$defs/travelMode", "$defs/history", "$defs/comparison"]),
    ("docs/feed.md", "A comparison", "feed", ["$defs/comparison"]),
    ("docs/feed.md", "Earlier displays", "feed", ["$defs/history"]),
    ("docs/feed.md", "Steps", "feed", ["$defs/after"]),
    ("docs/feed.md", "A step", "feed", ["$defs/step"]),
    ("docs/feed.md", "Visits", "feed", ["$defs/visits"]),
    ("docs/feed.md", "Crossing", "feed", ["$defs/crossing"]),
    ("docs/feed.md", "Absence", "feed", ["$defs/absence"]),
    ("docs/feed.md", "Settings", "feed", ["$defs/settings"]),
    ("docs/feed.md", "Caps", "feed", ["$defs/cap", "$defs/regionCap", "$defs/campaignCap"]),
    ("docs/feed.md", "Quiet hours", "feed", ["$defs/quietHours", "$defs/ownQuietHours"]),
    ("docs/feed.md", "Welcome", "feed", ["$defs/welcome"]),
    ("docs/messages.md", "Settings", "feed", ["$defs/messages"]),
    ("docs/messages.md", "Rules", "feed", ["$defs/messageRule"]),
    ("docs/messages.md", "A condition of a rule", "feed", ["$defs/messageCondition"]),
    ("docs/messages.md", "A message", "message", [""]),
    ("docs/trips.md", "A trip", "trip", [""]),
    ("docs/items.md", None, "item", [""]),
    ("docs/explain.md", "Summary", "summary", [""]),
    ("docs/rules-file.md", "The document", "rules", [""]),
    ("docs/rules-file.md", "Strategies", "rules", ["$defs/strategy"]),
    ("docs/rules-file.md", "Inputs", "rules", ["$defs/input"]),
    ("docs/region-plan.md", "The difference", "region-plan", [""]),
    ("docs/region-plan.md", "A registration", "region-plan", ["$defs/place", "$defs/beacon"]),
    ("docs/lint.md", "A finding", "lint", ["items"]),
    ("docs/linux.md", "Lines of JSON", "input-line", [""]),
    ("Tests/vectors/README.md", "A scenario", "vector", [""]),
    ("Tests/vectors/README.md", "The host", "vector", ["$defs/host"]),
]


def rows(text, heading):
    """The rows of the first table under a heading whose first column is `key` or `property`: {key: {column: cell}}."""
    for above, columns, found in page_tables.tables(text):
        if (heading is None or above == heading) and columns[0] in ("key", "property"):
            return {key: dict(zip(columns, cells)) for cells in found for key in page_tables.code(cells[0])}
    raise AssertionError(f"expected a table under {heading}")


def sentence(row):
    """The meaning of a key, and its range where that has a column of its own, as plain text."""
    parts = [row.get("meaning") or row.get("value") or "", row.get("range", "")]
    # A schema has no page below it.
    return generated.plain(re.sub(r"^see below(; |$)|[;,] see below(?=[;.]|$)", "", "; ".join(part for part in parts if part)))


def fragment(row):
    """The schema of a key: of a text, a number, a truth value or one of some words, with its range and its default."""
    kind, words = page_tables.type_in_words(row["type"])
    if kind not in ("string", "integer", "number", "boolean"):
        return None
    found = {"enum": words} if words else {"type": kind, **page_tables.bounds_in_words(kind, row.get("range") or row.get("meaning", ""))}
    default = page_tables.default_in_words(row.get("default", ""))
    return found if default is page_tables.ABSENT else {**found, "default": default}


def read():
    """{page: text}, and with that all that the schemas take."""
    return {page: (generated.ROOT / page).read_text(encoding="utf-8") for page in {page for page, *_ in PLACES}}


def schema(name):
    """The function that makes a schema of the pages' texts and its own."""

    def make(pages, old):
        file = json.loads(old)
        for page, heading, which, pointers in PLACES:
            if which != name:
                continue
            table = rows(pages[page], heading)
            for pointer in pointers:
                describe(table, generated.part(file, pointer)["properties"], adds=len(pointers) == 1)
        return generated.schema(file)

    return make


def describe(table, properties, adds):
    keys = list(table)
    for key, row in table.items():
        if key not in properties:
            made = fragment(row) if adds else None
            if made is None:
                continue
            # Where the table has it.
            after = next((each for each in reversed(keys[: keys.index(key)]) if each in properties), None)
            old = list(properties.items())
            place = 0 if after is None else [name for name, _ in old].index(after) + 1
            properties.clear()
            properties.update([*old[:place], (key, made), *old[place:]])
        text = sentence(row)
        if isinstance(properties[key], dict):
            properties[key].pop("description", None)
            properties[key] |= {"description": text} if text else {}


FILES = {f"docs/schema/{name}.schema.json": schema(name) for name in dict.fromkeys(which for _, _, which, _ in PLACES)}


def plants(pages):
    def planted(page, old, new):
        assert old in pages[page], old
        return {**pages, page: pages[page].replace(old, new, 1)}

    campaign = "## A campaign\n| key | type | default | meaning |\n|---|---|---|---|\n"
    return {
        "another meaning": (planted("docs/items.md", "| always | ", "| always | z "), 1),
        "a new key": (planted("docs/feed.md", campaign, campaign + "| `zzz` | integer | 7 | 1 to 9: z |\n"), 1),
    }


if __name__ == "__main__":
    generated.main(__doc__, FILES, read(), plants, lambda pages: f"{len(PLACES)} tables of {len(pages)} pages")
