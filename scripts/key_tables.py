#!/usr/bin/env python3
"""Writes the keys that the readers know, with those of each kind of an object, and the values that `--set` completes, from the JSON Schemas,
which have them from the pages' tables.

    scripts/key_tables.py           says what is not as the schemas have it, and fails
    scripts/key_tables.py --write   writes it
    scripts/key_tables.py --self    checks that a change of a schema is noticed

A key of a region, a campaign or a rule is one of each of its kinds, unless the schema's conditions take it away from some.
"""

import json
import textwrap

import generated

# Set of keys: schema, where in it the object is, and what makes its kind.
SETS = {
    "feed": ("feed", "", {}),
    "geofence": ("feed", "$defs/region", {"type": "geofence"}),
    "beacon": ("feed", "$defs/region", {"type": "beacon", "proximityUUID": None}),
    "eddystone": ("feed", "$defs/region", {"type": "beacon", "namespaceId": None}),
    "group": ("feed", "$defs/region", {"type": "group"}),
    "geometry": ("feed", "$defs/geometry", {}),
    "notification": ("feed", "$defs/campaign", {"type": "notification"}),
    "geotrigger": ("feed", "$defs/campaign", {"type": "geotrigger"}),
    "allOfConditions": ("feed", "$defs/condition/oneOf/0", {}),
    "anyOfConditions": ("feed", "$defs/condition/oneOf/1", {}),
    "notCondition": ("feed", "$defs/condition/oneOf/2", {}),
    "country": ("feed", "$defs/condition/oneOf/3", {}),
    "comparison": ("feed", "$defs/comparison", {}),
    "travelMinutes": ("feed", "$defs/travelMinutes", {}),
    "travelMode": ("feed", "$defs/travelMode", {}),
    "version": ("feed", "$defs/comparison/properties/version", {}),
    "history": ("feed", "$defs/history", {}),
    "moment": ("feed", "$defs/moment/anyOf/1", {}),
    "span": ("feed", "$defs/timespans/items", {}),
    "openingHours": ("feed", "$defs/openingHours", {}),
    "hours": ("feed", "$defs/hours", {}),
    "timesOfSpans": ("feed", "$defs/triggerTimes", {"type": "timespans"}),
    "timesOfHours": ("feed", "$defs/triggerTimes", {"type": "openinghours"}),
    "timesOfOthers": ("feed", "$defs/triggerTimes", {"type": "anytime"}),
    "after": ("feed", "$defs/after", {}),
    "notStep": ("feed", "$defs/after/properties/steps/items/anyOf/1", {}),
    "step": ("feed", "$defs/step", {}),
    "visits": ("feed", "$defs/visits", {}),
    "crossing": ("feed", "$defs/crossing", {}),
    "absence": ("feed", "$defs/absence", {}),
    "trip": ("trip", "", {}),
    "endTrip": ("rules", "$defs/input/properties/endTrip", {}),
    "content": ("feed", "$defs/content", {}),
    "attachment": ("feed", "$defs/attachment", {}),
    "category": ("feed", "$defs/category", {}),
    "list": ("feed", "$defs/list", {}),
    "action": ("feed", "$defs/action", {}),
    "welcome": ("feed", "$defs/welcome", {}),
    "holdout": ("feed", "$defs/holdout", {}),
    "offline": ("feed", "$defs/welcome/properties/offline", {}),
    "settings": ("feed", "$defs/settings", {}),
    "maximum": ("feed", "$defs/strategy/oneOf/0", {}),
    "minimumTime": ("feed", "$defs/strategy/oneOf/1", {}),
    "sameContent": ("feed", "$defs/strategy/oneOf/2", {}),
    "custom": ("feed", "$defs/strategy/oneOf/3", {}),
    "slots": ("feed", "$defs/slots", {}),
    "specificFirst": ("feed", "$defs/settings/properties/specificFirst", {}),
    "coalescing": ("feed", "$defs/coalescing", {}),
    "exclusion": ("feed", "$defs/exclusion", {}),
    "cap": ("feed", "$defs/cap", {}),
    "regionCap": ("feed", "$defs/regionCap", {}),
    "campaignCap": ("feed", "$defs/campaignCap", {}),
    "quietHours": ("feed", "$defs/quietHours", {}),
    "ownQuietHours": ("feed", "$defs/ownQuietHours", {}),
    "messages": ("feed", "$defs/messages", {}),
    "messagePaths": ("feed", "$defs/messages/properties/paths", {}),
    "messagePath": ("feed", "$defs/messages/properties/correlation", {}),
    "rewriteRule": ("feed", "$defs/messageRule", {"then": "rewrite"}),
    "deferRule": ("feed", "$defs/messageRule", {"then": "defer"}),
    "otherRule": ("feed", "$defs/messageRule", {"then": "keep"}),
    "messageCondition": ("feed", "$defs/messageCondition", {}),
    "item": ("item", "", {}),
    "attachmentOfItem": ("item", "properties/attachments/items", {}),
    "actionOfItem": ("item", "$defs/action", {}),
    "rules": ("rules", "", {}),
    "filterRule": ("rules", "$defs/filterRule", {}),
    "geotriggerRule": ("rules", "$defs/geotriggerRule", {}),
    "failRule": ("rules", "$defs/failRule", {}),
    "personRule": ("rules", "$defs/personRule", {}),
    "chosenAction": ("rules", "$defs/personRule/properties/chooses", {}),
    "edit": ("rules", "$defs/set", {}),
    "actionOfEdit": ("rules", "$defs/set/properties/actions/items", {}),
    "appStrategy": ("rules", "$defs/strategy", {}),
    "input": ("rules", "$defs/input", {}),
    "property": ("rules", "$defs/input/properties/property", {}),
    "date": ("rules", "$defs/input/properties/property/properties/value/anyOf/1", {}),
}
FILE = "Sources/PlotDocuments/JSON/DocumentKeys.swift"
# Table of values for `--set`: schema, where in it the object is, whether objects in it are gone into, and the words before each path.
EDITS = {
    "configuration": ("plotconfig", "", True, ""),
    "settings": ("feed", "$defs/settings", False, "settings."),
    "campaign": ("feed", "$defs/campaign", False, ""),
    "region": ("feed", "$defs/region", False, ""),
}
EDIT_FILE = "Sources/plot/EditPaths.swift"


def taken(condition, kind):
    """The keys that the conditions of a schema take away from a kind."""
    found = {key for key, value in condition.get("properties", {}).items() if value is False}
    for each in condition.get("allOf", ()):
        for key, value in each.get("if", {}).get("properties", {}).items():
            if key in kind:
                found |= taken(each.get("then" if value.get("const") == kind[key] else "else", {}), kind)
    for each in condition.get("oneOf", ()):
        # Of several forms, the one that needs a key of this kind.
        if any(value is None and key in each.get("required", ()) for key, value in kind.items()):
            found |= taken(each, kind)
    return found


def keys(schemas, name):
    """(keys in their order, whether keys of the maker's own are allowed) of a set."""
    document, pointer, kind = SETS[name]
    schema = generated.part(schemas[document], pointer)
    assert schema.get("additionalProperties") is False, f"{name}: expected an object that refuses other keys"
    gone = taken(schema, kind)
    return [key for key in schema["properties"] if key not in gone], "^x-" in schema.get("patternProperties", {})


def swift(schemas, _):
    lines = ["// Made from docs/schema by scripts/key_tables.py: do not edit.", "",
             "/// The keys that objects of documents may have (docs/feed.md, docs/rules-file.md, docs/items.md).", "enum DocumentKeys {"]
    for name in SETS:
        found, allows_own = keys(schemas, name)
        words = ", ".join(json.dumps(key) for key in found)
        own = ", allowsOwn: true" if allows_own else ""
        line = f"  static let {name} = KeySet([{words}]{own})"
        if len(line) < 120:
            lines.append(line)
        else:
            lines += [f"  static let {name} = KeySet(", "    [",
                      *textwrap.wrap(words + ",", 119, initial_indent="      ", subsequent_indent="      ", break_long_words=False), f"    ]{own})"]
    return "\n".join([*lines, "}", ""])


def choices(schema, place):
    """The values of a key that can be named: the words of an enumeration, both of a flag, or the default."""
    words = [word for form in (place, place.get("then", {})) for word in form.get("enum", ()) if isinstance(word, str)]
    if "boolean" in place.get("type", ()):
        words = ["true", "false"]
    if not words and isinstance(place.get("default"), (int, float, str)):
        words = [json.dumps(place["default"]).strip('"')]
    return words


def paths(schema, place, goes_in, before):
    """(path, its values) of all keys of an object; of an object in it, where it is gone into, its keys."""
    for key, value in place.get("properties", {}).items():
        if "$ref" in value:
            value = generated.part(schema, value["$ref"].removeprefix("#/")) | value
        if goes_in and "properties" in value:
            yield from paths(schema, value, goes_in, f"{before}{key}.")
        elif key != "id":
            yield before + key, choices(schema, value)


def edits(schemas, _):
    lines = ["// Made from docs/schema by scripts/key_tables.py: do not edit.", "",
             "/// The paths that `--set` completes, each with the values that can be named.", "enum EditPaths {"]
    for name, (document, pointer, goes_in, before) in EDITS.items():
        lines.append(f"  static let {name}: [(path: String, values: [String])] = [")
        for path, values in paths(schemas[document], generated.part(schemas[document], pointer), goes_in, before):
            words = ", ".join(json.dumps(word) for word in values)
            line = f'    ("{path}", [{words}]),'
            if len(line) <= 120:
                lines.append(line)
            else:
                lines += ["    (", f'      "{path}",', "      [",
                          *textwrap.wrap(words + ",", 119, initial_indent="        ", subsequent_indent="        ", break_long_words=False), "      ]", "    ),"]
        lines.append("  ]")
    return "\n".join([*lines, "}", ""])


def read():
    return {name: json.loads((generated.ROOT / f"docs/schema/{name}.schema.json").read_text(encoding="utf-8"))
            for name in dict.fromkeys(document for document, *_ in [*SETS.values(), *EDITS.values()])}


def plants(schemas):
    return {
        "a new key": (generated.planted(schemas, lambda s: s["feed"]["$defs"]["campaign"]["properties"].update(zzz={})), 2),
        "a key of one kind": (generated.planted(schemas, lambda s: s["feed"]["$defs"]["campaign"]["allOf"][1]["then"]["properties"].update(data=False)), 1),
        "a new key of the configuration": (generated.planted(schemas, lambda s: s["plotconfig"]["properties"].update(zzz={})), 1),
    }


if __name__ == "__main__":
    generated.main(__doc__, {FILE: swift, EDIT_FILE: edits}, read(), plants, lambda schemas: f"{len(SETS)} sets of keys")
