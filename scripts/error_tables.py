#!/usr/bin/env python3
"""Writes what follows from docs/errors.json, the one list of the kinds of errors: the page, the enumeration, the type of TypeScript.

    scripts/error_tables.py           says what is not as the list has it, and fails
    scripts/error_tables.py --write   writes it
    scripts/error_tables.py --self    checks that a change of the list is noticed in every file
"""

import json
import textwrap

import generated
import plot_header

MADE = "Made from docs/errors.json by scripts/error_tables.py: do not edit."


def check(data):
    """Kinds that are there twice, and statuses without one."""
    kinds = [each["kind"] for each in data["kinds"]]
    faults = [f"{kind} is there twice" for kind in sorted(set(kinds)) if kinds.count(kind) > 1]
    constants = plot_header.read().constants
    statuses = {each["status"] for each in data["kinds"]}
    every = list(constants)[list(constants).index("PLOT_OK") + 1 : list(constants).index("PLOT_KEY_IDENTIFIER")]
    return faults + [f"{name} has no kind" for name in every if name not in statuses]


def page(data, old):
    lines = [""]
    for each in data["kinds"]:
        lines += [f"### {each['kind']}", "", f"`{each['status']}`. {each['meaning']}", "", f"*Cure:* {each['cure']}", ""]
    wrapped = [piece for line in lines for piece in textwrap.wrap(line, 120, break_long_words=False, break_on_hyphens=False) or [""]]
    return generated.between(old, "<!-- docs/errors.json -->", "\n".join(wrapped), "<!-- end -->")


def status_case(name):
    return generated.camel(name.removeprefix("PLOT_").lower().replace("_", "-"))


def swift(data, _):
    lines = [f"// {MADE}", "// swift-format-ignore-file", "", "/// The kind of an error (docs/errors.md). Kinds are only added.", "public enum ErrorKind: String, CaseIterable, Sendable {"]
    for each in data["kinds"]:
        lines += [f"  /// {each['meaning']}", f'  case {generated.camel(each["kind"])} = "{each["kind"]}"']
    lines += ["", "  /// The page of the kind.", '  public var page: String { "docs/errors.md#\\(rawValue)" }', "", "  public var cure: String {", "    switch self {"]
    lines += [f"    case .{generated.camel(each['kind'])}: {json.dumps(each['cure'], ensure_ascii=False)}" for each in data["kinds"]]
    lines += ["    }", "  }", "", "  /// Of an error of which no more is known than its status.", "  public init(_ status: Status) {", "    self =", "      switch status {"]
    first = {}
    for each in data["kinds"]:
        first.setdefault(each["status"], each["kind"])
    lines += ["      case .ok: .invalidArgument"]
    lines += [f"      case .{status_case(status)}: .{generated.camel(kind)}" for status, kind in first.items()]
    return "\n".join([*lines, "      }", "  }", "}", ""])


def typescript(data, old):
    return generated.between(old, "// docs/errors.json", generated.union([each["kind"] for each in data["kinds"]]) + ";", "// end")


FILES = {
    "Sources/PlotEngine/ErrorKind.swift": swift,
    "docs/errors.md": page,
    "bindings/node/index.d.ts": typescript,
}


def plants(data):
    return {
        "a new kind": (generated.planted(data, lambda d: d["kinds"].append({**d["kinds"][0], "kind": "zzz"})), 3),
        "another cure": (generated.planted(data, lambda d: d["kinds"][1].update(cure="Another.")), 2),
    }


if __name__ == "__main__":
    source = generated.source("docs/errors.json", check)
    generated.main(__doc__, FILES, source, plants, lambda data: f"{len(data['kinds'])} kinds")
