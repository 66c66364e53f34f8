#!/usr/bin/env python3
"""Writes what follows from docs/events.json, the one list of events: names, numbers of records, and which keys an event has.

    scripts/event_tables.py           says what is not as the list has it, and fails
    scripts/event_tables.py --write   writes it
    scripts/event_tables.py --self    checks that a change of the list is noticed in every file
"""

import json
import textwrap

import generated
from generated import camel, code, plain, planted, table, union

MADE = "Made from docs/events.json by scripts/event_tables.py: do not edit."
# The ABI that brought records of many fixes.
FIRST = 5


def check(data):
    """Numbers that are there twice, and keys that the list uses and does not have."""
    records = [*data["events"], *data["effects"]]
    numbers, names = [each["number"] for each in records], [each.get("event") or each["effect"] for each in records]
    faults = [f"{what} is there twice" for several in (numbers, names) for what in several if several.count(what) > 1]
    own = {key for each in data["keys"] if "events" not in each for key in each["keys"]}
    for each in data["events"]:
        faults += [f"{each['event']}: {key} is not a key of some events" for key in each["keys"] if key not in own]
    return faults + [f"the key {key} is of no event" for key in sorted(own) if not having(data, key)]


def having(data, key):
    """The events that have a key of some events."""
    return [each["event"] for each in data["events"] if key in each["keys"]]


def names(data):
    return [each["event"] for each in data["events"]]


def records(data):
    """Each kind of record, as {effect, number, …}, by its number."""
    events = [{**each, "effect": each["event"]} for each in data["events"]]
    return sorted([*events, *data["effects"]], key=lambda each: each["number"])


def constant(name):
    return name.replace("-", "_").upper()


def swift(data, _):
    lines = [f"// {MADE}", "// swift-format-ignore-file", "", "extension Event {", "  public enum Kind: String, CaseIterable, Sendable {"]
    for each in data["events"]:
        lines += [f"    /// {plain(each['when'])}", f'    case {camel(each["event"])} = "{each["event"]}"']
    lines += ["", "    /// The number in records of many fixes (docs/batch.md); it never changes.", "    public var number: UInt32 {", "      switch self {"]
    lines += [f"      case .{camel(each['event'])}: {each['number']}" for each in data["events"]]
    return "\n".join([*lines, "      }", "    }", "  }", "}", ""])


def kit(data, old):
    lines = []
    for each in data["events"]:
        lines += [f"    /// {line}" for line in textwrap.wrap(plain(each["when"]), 112)]
        lines.append(f'    public static let {camel(each["event"])}: Name = "{each["event"]}"')
    return generated.between(old, "// docs/events.json", "\n".join(lines), "// end")


def header(data, old):
    lines = ["/* Kinds of records in plot_effects (docs/batch.md): the events, in the order of", " * docs/events.md, and others. Since 5. */"]
    for each in records(data):
        notes = [each["header"]] if "header" in each else []
        if each.get("abi", FIRST) != FIRST:
            notes.append(f"Since {each['abi']}")
        define = f"#define PLOT_EFFECT_{constant(each['effect'])} {each['number']}"
        lines += generated.trailing(define, ". ".join(notes)) if notes else [define]
    return generated.between(old, "/* docs/events.json */", "\n".join(["", *lines, ""]), "/* end */")


def page(data, old):
    rows = [[code(each["keys"]), each["type"], each.get("events") or code(having(data, each["keys"][0])), each["meaning"]] for each in data["keys"]]
    old = table(old, "docs/events.json: keys", ["key", "type", "events", "meaning"], rows)
    return table(old, "docs/events.json: events", ["event", "when"], [[f"`{each['event']}`", each["when"]] for each in data["events"]])


def batch(data, old):
    rows = []
    for each in records(data):
        what = each.get("meaning") or f"`{each['event']}`" + (f": {each['note']}" if "note" in each else "")
        rows.append([str(each["number"]), f"`{constant(each['effect'])}`", each.get("detail", ""), what])
    return table(old, "docs/events.json: records", ["kind", "`PLOT_EFFECT_`", "`detail`", "what"], rows)


def schema(data, old):
    """docs/schema/event.schema.json: its events, which of them have which keys, and its descriptions."""
    file = json.loads(old)
    file["properties"]["event"]["enum"] = names(data)
    for each in data["keys"]:
        for key in each["keys"]:
            if each["meaning"]:
                file["properties"][key]["description"] = plain(each["meaning"])
    own = {key for each in data["keys"] if "events" not in each for key in each["keys"]}
    for rule in file["allOf"]:
        keys = [key for key, value in rule.get("else", {}).get("properties", {}).items() if value is False]
        if keys and set(keys) <= own:
            rule["if"]["properties"]["event"] = {"enum": having(data, keys[0])}
    return generated.schema(file)


def typescript(data, old):
    old = generated.between(old, "// docs/events.json: names", f"/** The kind of an event (docs/events.md). */\nexport type EventName =\n{union(names(data))};", "// end")
    kinds = union([camel(each["effect"]) for each in records(data)], first=" ")
    return generated.between(old, "// docs/events.json: effects", f"export const EffectKind: Readonly<Record<\n{kinds}, number>>;", "// end")


def python_kinds(data, old):
    lines = [f"    {constant(each['effect'])} = {each['number']}" for each in records(data)]
    return generated.between(old, "# docs/events.json", "\n".join(lines), "# end")


def runner(data, old):
    lines, line = [], "       "
    for name in ["refused", *names(data)]:
        if len(line) + len(name) + 4 > 118:
            lines.append(line)
            line = "       "
        line += f' "{name}",'
    return generated.between(old, "/* docs/events.json */", "\n".join([*lines, line]), "/* end */")


# Files that are made as a whole, and those of which parts are.
WHOLE = {
    "Sources/PlotCore/Events/Event+Kind.swift": swift,
    "bindings/python/src/plotengine/_event_words.py": lambda data, _: generated.literals(MADE, {"EventName": names(data)}),
}
PARTS = {
    "include/plotengine.h": header,
    "Sources/PlotEngineKit/Records.swift": kit,
    "docs/events.md": page,
    "docs/batch.md": batch,
    "docs/schema/event.schema.json": schema,
    "bindings/node/index.d.ts": typescript,
    "bindings/python/src/plotengine/_types.py": python_kinds,
    "Tests/vectors/run.c": runner,
}
FILES = WHOLE | PARTS


def plants(data):
    """An event, a key of it, a number and a meaning, each changed in a copy of the list."""

    return {
        "a new event": (planted(data, lambda other: other["events"].append({"event": "zzz", "number": 63, "abi": 99, "when": "z", "keys": []})), 10),
        "a key": (planted(data, lambda other: other["events"][0]["keys"].remove("since")), 2),
        "another number": (planted(data, lambda other: other["events"][-1].update(number=62)), 4),
        "another meaning": (planted(data, lambda other: other["events"][0].update(when="z")), 3),
        "another meaning of a key": (planted(data, lambda other: other["keys"][0].update(meaning="z")), 2),
    }


if __name__ == "__main__":
    generated.main(__doc__, FILES, generated.source("docs/events.json", check), plants, lambda data: f"{len(data['events'])} events")
