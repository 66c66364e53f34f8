#!/usr/bin/env python3
"""Writes what follows from docs/calls.json, the list of calls of an engine that need no code of their own in a binding: their arguments are
flags, whole numbers and texts, and they give nothing, a flag or a whole number.

    scripts/call_tables.py           says what is not as the list has it, and fails
    scripts/call_tables.py --write   writes it
    scripts/call_tables.py --self    checks that a change of the list is noticed in every file

What stays by hand: the function in the header, and what the engine does (Sources/PlotEngine). An input has `input`, the name of its case
in `Input` and in a recording; with `log`, what the debug log says of it, its method of the engine is written, too. `beside` is the call in
whose row docs/python.md and docs/node.md name it.
"""

import json
import re
import textwrap

import generated
import plot_header
from generated import between, camel, planted

SOURCE = "docs/calls.json"
MADE = f"Made from {SOURCE} by scripts/call_tables.py: do not edit."
WIDTH = 118
TYPES = {"flag", "integer", "text"}


def check(data):
    names = [call["name"] for call in data["calls"]]
    faults = [f"{name} is there twice" for name in names if names.count(name) > 1]
    for call in data["calls"]:
        faults += [f"{call['name']}: {each['name']} has no type of {sorted(TYPES)}" for each in call["arguments"] if each["type"] not in TYPES]
        faults += [f"{call['name']}: {each['name']} lacks its range" for each in call["arguments"] if each["type"] == "integer" and "range" not in each]
        if ("input" in call) == ("gives" in call):
            faults.append(f"{call['name']}: it is either an input or gives something")
    return faults


def snake(name):
    return name.replace("-", "_")


def function(call):
    """The name in C. One that gives something may be called as what it gives is: `is-enabled`."""
    name = snake(call["name"])
    return f"plot_engine_{name if 'input' in call or name.startswith('is_') else 'get_' + name}"


def inputs(data):
    return [call for call in data["calls"] if "input" in call]


# ---- Swift

SWIFT = {"flag": "Bool", "integer": "Int64", "text": "String"}


def engine(data, _):
    lines = [f"// {MADE}", "// swift-format-ignore-file", "", "public import PlotCore", "", "extension Engine {"]
    for call in inputs(data):
        if "log" not in call:
            continue
        (own,) = call["arguments"]
        name = camel(own["name"])
        lines += [f"  /// {call['description']}", f"  public func {camel(call['name'])}(_ {name}: {SWIFT[own['type']]}, at time: Milliseconds) throws(EngineError) {{"]
        if own["type"] == "integer":
            least, most = own["range"]
            lines += [f"    guard ({least}...{most}).contains({name}) else {{",
                      f'      throw EngineError(argument: "{own["name"]}", expected: "an integer from {least} to {most}", found: "\\({name})")', "    }"]
        said = f'{name} ? "{call["log"][0]}" : "{call["log"][1]}"' if own["type"] == "flag" else '"' + call["log"].replace("{}", f"\\({name})") + '"'
        lines += [f"    try input(.{camel(call['input'])}({name}, at: time), .info, {said})", "  }", ""]
    return "\n".join([*lines[:-1], "}", ""])


def kit(data, _):
    lines = [f"// {MADE}", "// swift-format-ignore-file", "", "internal import PlotEngine", "", "#if canImport(FoundationEssentials)",
             "  public import FoundationEssentials", "#else", "  public import Foundation", "#endif", "", "extension Engine {"]
    for call in data["calls"]:
        own = [f"_ {camel(each['name'])}: {'Int' if each['type'] == 'integer' else SWIFT[each['type']]}" for each in call["arguments"]]
        given = [f"Int64({camel(each['name'])})" if each["type"] == "integer" else camel(each["name"]) for each in call["arguments"]]
        lines.append(f"  /// {call['description']}")
        if "input" in call:
            lines += [f"  public func {camel(call['name'])}({', '.join([*own, 'at date: Date? = nil'])}) throws(PlotError) {{",
                      f"    try input(date) {{ (at) throws(EngineError) in try core.{camel(call['name'])}({', '.join([*given, 'at: at'])}) }}", "  }", ""]
            continue
        asked = f"try attempt {{ () throws(EngineError) in try core.{camel(call['name'])}({', '.join(given)}) }}"
        gives = "Bool" if call["gives"] == "flag" else "Int"
        asked = asked if gives == "Bool" else f"Int({asked})"
        lines += [f"  public var {camel(call['name'])}: {gives} {{", f"    get throws(PlotError) {{ {asked} }}", "  }", ""] if not own else [
            f"  public func {camel(call['name'])}({', '.join(own)}) throws(PlotError) -> {gives} {{", f"    {asked}", "  }", ""]
    return "\n".join([*lines[:-1], "}", ""])


def exports(data, _):
    lines = [f"// {MADE}", "// swift-format-ignore-file", "", "import PlotEngine", "", "import CPlotEngine", ""]
    pointers = {"flag": "Int32", "integer": "Int64", "text": "UnsafePointer<CChar>!"}
    for call in data["calls"]:
        parameters, given = ["_ engine: OpaquePointer!"], []
        if "input" in call:
            parameters.append("_ time_ms: Int64")
        for each in call["arguments"]:
            parameters.append(f"_ {each['name']}: {pointers[each['type']]}")
            given.append({"flag": f'try flag({each["name"]}, "{each["name"]}")', "integer": each["name"],
                          "text": f'try text({each["name"]}, "{each["name"]}")'}[each["type"]])
        inner = "unsafe " if any(each["type"] == "text" for each in call["arguments"]) else ""
        if "input" in call:
            given.append("at: time_ms")
            body = f"unsafe call(engine, error) {{ engine in {inner}try engine.{camel(call['name'])}({', '.join(given)}) }}"
        else:
            kind = "Int32" if call["gives"] == "flag" else "Int64"
            parameters.append(f"_ out: UnsafeMutablePointer<{kind}>!")
            asked = f"unsafe try needed(engine).{camel(call['name'])}({', '.join(given)})"
            body = f"unsafe give(out, or: 0, error) {{ {asked}{' ? 1 : 0' if kind == 'Int32' else ''} }}"
        lines += [f'@_cdecl("{function(call)}") @implementation', f"public func {function(call)}({', '.join([*parameters, '_ error: ErrorOut'])}) -> Int32 {{",
                  f"  {body}", "}", ""]
    return "\n".join(lines[:-1]) + "\n"


# ---- Python and Node

def python(data, _):
    lines = ["# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.", '"""Calls of an engine that only hand values over."""',
             f"# {MADE}", "", "from __future__ import annotations", "", "from ctypes import byref, c_int32, c_int64", "", "from . import _convert, _hints",
             "from ._convert import Time", "from ._part import Part, _flag", "from ._raw import lib", "", "",
             "@_hints.suggests", "class Calls(Part):", '    """Calls of an engine that only hand values over."""', "", "    __slots__ = ()"]
    types = {"flag": "bool", "integer": "int", "text": "str"}
    for call in data["calls"]:
        own = [f"{each['name']}: {types[each['type']]}" for each in call["arguments"]]
        given = [{"flag": f'int(_flag({each["name"]}, "{each["name"]}"))', "integer": f'_convert.integer({each["name"]}, "{each["name"]}")',
                  "text": f'_convert.text({each["name"]}, "{each["name"]}")'}[each["type"]] for each in call["arguments"]]
        told = textwrap.wrap(f'"""{call["description"]}"""', WIDTH - 6)
        lines.append("")
        if "input" in call:
            lines.append(f"    def {snake(call['name'])}({', '.join(['self', *own, '*', 'time: Time | None = None'])}) -> None:")
            lines += [f"        {line}" for line in told]
            lines += ["        at = self._time(time)", f"        self._call({', '.join([f'lib.{function(call)}', 'at', 'at', *given])})"]
            continue
        gives = types[call["gives"]]
        lines.append(f"    def {snake(call['name'])}({', '.join(['self', *own])}) -> {gives}:")
        lines += [f"        {line}" for line in told]
        lines += [f"        out = {'c_int32' if gives == 'bool' else 'c_int64'}()", f"        self._call({', '.join([f'lib.{function(call)}', 'None', *given, 'byref(out)'])})",
                  f"        return {'bool(out.value)' if gives == 'bool' else 'out.value'}"]
    text = "\n".join([*lines, ""])
    unused = [name for name in ("c_int32", "c_int64") if f"{name}()" not in text]
    imports = ", ".join(name for name in ("byref", "c_int32", "c_int64") if name not in unused)
    text = text.replace("from ctypes import byref, c_int32, c_int64", f"from ctypes import {imports}")
    return text if "_convert." in text.split("class Calls")[1] else text.replace("from . import _convert, _hints", "from . import _hints")


def node(data, _):
    lines = ["'use strict';", f"// {MADE}", "const { C, asInt32, asInt64, checkText } = require('../library.js');", "const { flagIn, int64In } = require('./arguments.js');", "",
             "/** Calls of an engine that only hand values over. */", "module.exports = ({ callOn, getOn, timeOn }) => {", "  return class {"]
    for call in data["calls"]:
        own = [camel(each["name"]) for each in call["arguments"]]
        given = [{"flag": "flagIn", "integer": "int64In", "text": "checkText"}[each["type"]] + f"({camel(each['name'])}, '{camel(each['name'])}')" for each in call["arguments"]]
        lines.append(f"    /** {call['description']} */")
        if "input" in call:
            lines.append(f"    {camel(call['name'])}({', '.join([*own, 'time'])}) {{ callOn({', '.join(['this', f'C.{function(call)}', 'timeOn(this, time)', *given])}); }}")
        elif call["gives"] == "flag":
            lines.append(f"    {camel(call['name'])}({', '.join(own)}) {{ return getOn({', '.join(['this', f'C.{function(call)}', 'asInt32', *given])}) !== 0; }}")
        else:
            lines.append(f"    {camel(call['name'])}({', '.join(own)}) {{ return Number(getOn({', '.join(['this', f'C.{function(call)}', 'asInt64', *given])})); }}")
        lines.append("")
    text = "\n".join([*lines[:-1], "  };", "};", ""])
    for several in (("C", "asInt32", "asInt64", "checkText"), ("flagIn", "int64In")):
        used = [name for name in several if re.search(rf"\b{name}\b", text.split("return class")[1])]
        text = text.replace(f"{{ {', '.join(several)} }}", f"{{ {', '.join(used)} }}")
    return text


def types(data, old):
    lines = []
    kinds = {"flag": "boolean", "integer": "number", "text": "string"}
    for call in data["calls"]:
        own = [f"{camel(each['name'])}: {kinds[each['type']]}" for each in call["arguments"]] + (["time?: Time"] if "input" in call else [])
        lines += [f"  /** {call['description']} */", f"  {camel(call['name'])}({', '.join(own)}): {kinds[call['gives']] if 'gives' in call else 'void'};"]
    return between(old, f"// {MADE}", "\n".join(lines), "// end")


# ---- Recordings and vectors

def keys(call, own):
    """The keys of an input in a recording, or with `own` in a vector."""
    return [each.get("vectorKey", camel(each["name"])) if own else camel(each["name"]) for each in call["arguments"]]


def writer(data, old):
    """Cases of the writer's two switches over all inputs, which the compiler knows to be complete."""
    names, values = [], []
    for call in inputs(data):
        case, own = f".{camel(call['input'])}", keys(call, False)
        names.append(f'    case {case}: "{call["input"]}"')
        members = [f'json.member("{key}", {key})' for key in own] or ["break"]
        bound = f"{case}({', '.join([*(f'let {key}' for key in own), '_'])})" if own else case
        values += [f"    case {bound}: {members[0]}"] if len(members) == 1 else [f"    case {bound}:", *(f"      {member}" for member in members)]
    return between(between(old, f"// {SOURCE}: names", "\n".join(names), "// end"), f"// {SOURCE}: keys", "\n".join(values), "// end")


def reader(data, old):
    lines, read = [], {"flag": "boolean", "integer": "integer", "text": "string"}
    for call in inputs(data):
        given = [f'try {read[each["type"]]}(root, "{camel(each["name"])}")' for each in call["arguments"]]
        lines.append(f'    case "{call["input"]}": return .{camel(call["input"])}({", ".join([*given, "at: time"])})')
    return between(old, f"// {SOURCE}", "\n".join(lines), "// end")


def kind(each):
    made = {"type": {"flag": "boolean", "integer": "integer", "text": "string"}[each["type"]]}
    return made | ({"minimum": each["range"][0], "maximum": each["range"][1]} if "range" in each else {})


def bare(value):
    """Without descriptions, which come from the pages."""
    if isinstance(value, dict):
        return {key: bare(part) for key, part in value.items() if not (key == "description" and isinstance(part, str))}
    return [bare(part) for part in value] if isinstance(value, list) else value


def described(name, form, choices):
    """A schema with a definition for each input, and its name among the choices, behind the one before it."""

    def make(data, old):
        file = json.loads(old)
        several, last = choices(file), None
        for call in inputs(data):
            own, made = name(call), form(call)
            if bare(file["$defs"].get(own)) != made:
                definitions = list(file["$defs"].items())
                places = [key for key, _ in definitions]
                if own in places:
                    definitions[places.index(own)] = (own, made)
                else:
                    definitions.insert(places.index(last) + 1, (own, made))
                file["$defs"] = dict(definitions)
            reference = {"$ref": f"#/$defs/{own}"}
            if reference not in several:
                several.insert(several.index({"$ref": f"#/$defs/{last}"}) + 1, reference)
            last = own
        return generated.schema(file)

    return make


def in_recording(call):
    return {"type": "object", "required": ["input", "time", *keys(call, False)],
            "properties": {"input": {"const": call["input"]}, "time": {"$ref": "#/$defs/time"}, **{camel(each["name"]): kind(each) for each in call["arguments"]},
                           "zones": {"$ref": "#/$defs/zones"}, "files": {"$ref": "#/$defs/files"}}, "additionalProperties": False}


def in_vector(call):
    value = {"type": "object", "properties": {"time": {"$ref": "#/$defs/time"}, **dict(zip(keys(call, True), map(kind, call["arguments"]), strict=True))},
             "required": ["time", *keys(call, True)], "additionalProperties": False}
    return {"type": "object", "properties": {camel(call["input"]): value}, "required": [camel(call["input"])], "additionalProperties": False}


def vector_swift(data, _):
    lines = [f"// {MADE}", "// swift-format-ignore-file", "", "import FoundationEssentials", "internal import PlotDocuments", "internal import PlotEngineKit", "", "extension VectorRun {",
             "  /// Takes an input that bindings only hand over; false for all others.",
             "  func handOver(_ name: String, _ value: JSONValue, _ engine: Engine, at time: Date) throws -> Bool {", "    switch name {"]
    read = {"flag": "value.flag({})", "integer": "Int(value.integer({}))", "text": "value.string({})"}
    for call in inputs(data):
        given = [read[each["type"]].format(f'"{key}"') for key, each in zip(keys(call, True), call["arguments"], strict=True)]
        lines += [f'    case "{camel(call["input"])}":', f'      try value.allow("{" ".join(["time", *keys(call, True)])}")',
                  f"      try engine.{camel(call['name'])}({', '.join([*given, 'at: time'])})"]
    return "\n".join([*lines, "    default: return false", "    }", "    return true", "  }", "}", ""])


def vector_c(data, _):
    lines = [f"/* {MADE} */", "", "/* Takes an input that bindings only hand over; false for all others. */",
             "static bool handed_over(run *run, const char *name, json_t *value, int64_t time, int32_t *status, plot_error **error) {"]
    read = {"flag": "flag_of", "integer": "integer_of", "text": "string_of"}
    for call in inputs(data):
        given = [f'{read[each["type"]]}(value, "{key}")' for key, each in zip(keys(call, True), call["arguments"], strict=True)]
        lines += [f'    if (strcmp(name, "{camel(call["input"])}") == 0) {{', f'        check_keys(value, " {" ".join(["time", *keys(call, True)])} ");',
                  f"        *status = {function(call)}({', '.join(['run->engine', 'time', *given, 'error'])});", "        return true;", "    }"]
    return "\n".join([*lines, "    return false;", "}", ""])


def vector_node(data, _):
    lines = ["'use strict';", f"// {MADE}", "", "/** The inputs of vectors that bindings only hand over: the method, and the keys of its arguments. */", "module.exports = {"]
    lines += [f"  {camel(call['input'])}: ['{camel(call['name'])}', {json.dumps(keys(call, True))}],".replace('"', "'") for call in inputs(data)]
    return "\n".join([*lines, "};", ""])


def vector_python(data, _):
    lines = ["# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.",
             '"""The inputs of vectors that bindings only hand over: the method, and the keys of its arguments."""', f"# {MADE}", "",
             "CALLS: dict[str, tuple[str, tuple[str, ...]]] = {"]
    for call in inputs(data):
        own = "".join(f'"{key}", ' for key in keys(call, True))
        own = own[:-1] if len(call["arguments"]) == 1 else own.rstrip(", ")
        lines.append(f'    "{camel(call["input"])}": ("{snake(call["name"])}", ({own})),')
    return "\n".join([*lines, "}", ""])


# ---- Pages

WORDS = {"flag": "boolean", "integer": "integer", "text": "string"}


def rows(form):
    """A page with a table that has a row for each input, behind that of the one before it."""

    def make(data, old):
        lines, last = old.split("\n"), None
        for call in inputs(data):
            row = form(call)
            begin = row[: row.index(" |", 2) + 2]
            place = next((number for number, line in enumerate(lines) if line.startswith(begin)), None)
            if place is not None:
                lines[place] = row
            else:
                lines.insert(next(number for number, line in enumerate(lines) if line.startswith(last)) + 1, row)
            last = begin
        return "\n".join(lines)

    return make


def row_of_recording(call):
    own = [f"`{camel(each['name'])}`" + (f" ({each['unit']})" if "unit" in each else "") for each in call["arguments"]]
    return f"| `{call['input']}` | {', '.join(own)}{' ' if own else ''}|"


def row_of_vector(call):
    own = [f"`{key}` ({each.get('unit', WORDS[each['type']])})" for key, each in zip(keys(call, True), call["arguments"], strict=True)]
    return f"| `{camel(call['input'])}` | {', '.join(['`time`', *own])} | `{function(call)}` |"


def named(form):
    """A page in whose rows each call is named."""

    def make(data, old):
        lines = old.split("\n")
        for call in data["calls"]:
            own, beside = (re.compile(rf"^\|.*`{re.escape(form(each).partition('(')[0])}[`(]") for each in (call, {**call, "name": call["beside"]}))
            if not any(own.search(line) for line in lines):
                place = next(number for number, line in enumerate(lines) if beside.search(line))
                first, rest = lines[place].split(" | ", 1)
                lines[place] = f"{first}, `{form(call)}` | {rest}"
        return "\n".join(lines)

    return make


def as_python(call):
    own = ", ".join(each["name"] for each in call["arguments"])
    return f"{snake(call['name'])}({own})" if own else snake(call["name"])


def as_node(call):
    return f"{camel(call['name'])}({', '.join([*(camel(each['name']) for each in call['arguments']), *(['time'] if 'input' in call else [])])})"


FILES = {
    "Sources/PlotEngine/Engine+Calls.swift": engine,
    "Sources/PlotEngineKit/Engine+Calls.swift": kit,
    "Sources/PlotEngineC/Exports+Calls.swift": exports,
    "bindings/python/src/plotengine/_calls.py": python,
    "bindings/node/lib/engine/calls.js": node,
    "bindings/node/index.d.ts": types,
    "docs/python.md": named(as_python),
    "docs/node.md": named(as_node),
    "Sources/PlotDocuments/Recording/RecordingWriter.swift": writer,
    "Sources/PlotDocuments/Recording/RecordingReader.swift": reader,
    "docs/schema/recording.schema.json": described(lambda call: f"input-{call['input']}", in_recording, lambda file: file["oneOf"]),
    "docs/recording.md": rows(row_of_recording),
    "Sources/plot/VectorRun+Calls.swift": vector_swift,
    "Tests/vectors/calls.h": vector_c,
    "bindings/node/lib/vector-calls.js": vector_node,
    "bindings/python/src/plotengine/_vector_calls.py": vector_python,
    "docs/schema/vector.schema.json": described(lambda call: f"{camel(call['input'])}Input", in_vector, lambda file: file["$defs"]["input"]["oneOf"]),
    "Tests/vectors/README.md": rows(row_of_vector),
}
PARTS = ["Sources/PlotDocuments/Recording/RecordingWriter.swift", "Sources/PlotDocuments/Recording/RecordingReader.swift", "bindings/node/index.d.ts", "docs/python.md", "docs/node.md", "docs/schema/recording.schema.json", "docs/recording.md",
         "docs/schema/vector.schema.json", "Tests/vectors/README.md"]
WHOLE = [path for path in FILES if path not in PARTS]


def plants(data):
    battery = {"name": "set-battery", "input": "battery", "arguments": [{"name": "level", "type": "integer", "range": [0, 100], "example": 50}],
               "description": "How full the battery is.", "log": "battery {} %", "beside": "set-network"}
    count = {"name": "visit-count", "gives": "integer", "arguments": [{"name": "region", "type": "text", "example": "museum"}], "result": 1,
             "description": "How many visits a region has had.", "beside": "set-network"}
    return {
        "another input": (planted(data, lambda copy: copy["calls"].append(battery)), len(FILES)),
        "another question": (planted(data, lambda copy: copy["calls"].append(count)), 7),
        "another description": (planted(data, lambda copy: copy["calls"][0].update(description="Other.")), 5),
    }


def read():
    return generated.source(SOURCE, lambda data: check(data) + apart(data))


def apart(data):
    """Where the list and the header differ."""
    header, faults = plot_header.read().functions, []
    kinds = {"flag": "int32_t", "integer": "int64_t", "text": "const char *"}
    for call in data["calls"]:
        own = [("plot_engine *", "engine"), *([("int64_t", "time_ms")] if "input" in call else []), *((kinds[each["type"]], each["name"]) for each in call["arguments"]),
               *([(f"{kinds[call['gives']]} *", "out")] if "gives" in call else []), ("plot_error **", "error")]
        if function(call) not in header:
            faults.append(f"{call['name']}: the header has no {function(call)}")
        elif (found := [(each.type, each.name) for each in header[function(call)].parameters]) != own:
            faults.append(f"{call['name']}: the header has the parameters {found}, not {own}")
    return faults


if __name__ == "__main__":
    generated.main(__doc__, FILES, read(), plants, lambda data: f"{len(data['calls'])} calls")
