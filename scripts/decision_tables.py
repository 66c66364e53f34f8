#!/usr/bin/env python3
"""Writes what follows from docs/decisions.json, the one list of decisions: steps, reasons, verdicts, inputs and sentences.

    scripts/decision_tables.py           says what is not as the list has it, and fails
    scripts/decision_tables.py --write   writes it
    scripts/decision_tables.py --self    checks that a change of the list is noticed in every file
"""

import json

import generated
from generated import camel, code, plain, planted

MADE = "Made from docs/decisions.json by scripts/decision_tables.py: do not edit."
TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.(?!000)[0-9]{3})?Z$"
# The types of inputs.
TYPES = {
    "time": {"type": "string", "pattern": TIME},
    "clock": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
    "seconds": {"type": "integer", "minimum": 0},
    "count": {"type": "integer", "minimum": 0},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "metres": {"type": "number"},
    "distance": {"type": "number", "minimum": 0},
    "metres a second": {"type": "number"},
    "degrees": {"type": "number", "minimum": 0, "maximum": 360},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "boolean": {"type": "boolean"},
    "inside": {"type": ["boolean", "integer"]},
    "scalar": {"type": ["string", "number", "boolean"]},
}


def check(data):
    """Words that the list uses and does not have, and decisions that are there twice."""
    faults, seen = [], set()
    for each in data["decisions"]:
        name = f"{each['step']}.{each['reason']}"
        if name in seen:
            faults.append(f"{name} is there twice")
        seen.add(name)
        if each["step"] not in data["steps"]:
            faults.append(f"{name}: expected a step of the list, found {each['step']}")
        for verdict in set(each["verdicts"]) - set(data["verdicts"]):
            faults.append(f"{name}: expected one of {data['verdicts']}, found {verdict}")
        for key in {key.rstrip("?") for key in each["inputs"]} - set(data["inputs"]):
            faults.append(f"{name}: {key} is not among the inputs")
        if list(each["text"]) != data["languages"]:
            faults.append(f"{name}: expected a text in {data['languages']}, found {list(each['text'])}")
        if each.get("endsVisit") and each["step"] != "presence":
            faults.append(f"{name}: endsVisit is for the step presence")
    unused = set(data["inputs"]) - {key.rstrip("?") for each in data["decisions"] for key in each["inputs"]}
    return faults + [f"the input {key} is of no decision" for key in sorted(unused)]


def reasons(data):
    """Each once, in the order of the list."""
    return list(dict.fromkeys(each["reason"] for each in data["decisions"]))


def sentences(data):
    """docs/reasons.json."""
    texts = {f"{each['step']}.{each['reason']}": each["text"] for each in data["decisions"]}
    texts |= {f"explain.{key}": text for key, text in data["explain"].items()}
    file = {"version": 1, "languages": data["languages"], "sentences": texts}
    return json.dumps(file, ensure_ascii=False, indent=1) + "\n"


def swift_sentences(data):
    return f'// {MADE}\n// swift-format-ignore-file\n\n/// docs/reasons.json as it is: the library reads no file for its sentences.\nenum ReasonData {{\n  static let json = #"""\n{sentences(data)}"""#\n}}\n'


def swift_words(data):
    """The enumerations of the core."""
    meanings = {}
    for each in data["decisions"]:
        meanings.setdefault(each["reason"], []).extend(each["verdicts"].values())
    lines = [f"// {MADE}", "// swift-format-ignore-file", ""]

    def enum(name, comment, words, about=lambda word: []):
        lines.extend([f"/// {comment}", f"public enum {name}: String, CaseIterable, Sendable {{"])
        for word in words:
            case = f"`{word}`" if word in ("repeat",) else camel(word)
            lines.extend(f"  /// {text}" for text in about(word))
            lines.append(f"  case {case}" + (f' = "{word}"' if camel(word) != word else ""))
        lines.extend(["}", ""])

    enum("Step", "A step of a decision, in the order in which a candidate meets them (docs/decisions.md).", data["steps"], lambda word: [plain(data["steps"][word])])
    enum("Verdict", "How a step came out.", data["verdicts"])
    enum(
        "Reason", "Why a step came out as it did. A closed list: docs/decisions.md has a sentence for each.", reasons(data),
        lambda word: meanings[word] if len(meanings[word]) == 1 else [],
    )  # fmt: skip
    ending = [f".{camel(each['reason'])}" for each in data["decisions"] if each.get("endsVisit")]
    lines += ["extension Reason {", "  /// At the step `presence`: a visit has ended in silence.", f"  public static let endsVisit: [Reason] = [{', '.join(ending)}]", "}"]
    return "\n".join(lines) + "\n"


def page(data, old):
    """The tables of docs/decisions.md."""

    def table(name, head, rows):
        nonlocal old
        old = generated.table(old, f"docs/decisions.json: {name}", head, rows)

    table("keys", ["key", "type", "meaning"], [[f"`{key}`", each["type"], each["meaning"]] for key, each in data["keys"].items()])
    table("steps", ["step", "decides"], [[f"`{step}`", meaning] for step, meaning in data["steps"].items()])
    table(
        "decisions", ["step", "reason", "verdict", "sentence"],
        [[f"`{each['step']}`", f"`{each['reason']}`", verdict, meaning] for each in data["decisions"] for verdict, meaning in each["verdicts"].items()],
    )  # fmt: skip
    groups = {}
    for each in data["decisions"]:
        if each["inputs"]:
            groups.setdefault((each["step"], tuple(each["inputs"])), []).append(each["reason"])

    def key(name):
        return f"`{name.rstrip('?')}`" + ("?" if name.endswith("?") else "")

    table(
        "inputs", ["step", "reason", "inputs"],
        [[f"`{step}`", code(group), ", ".join(map(key, names))] for (step, names), group in groups.items()],
    )  # fmt: skip

    def kind(each):
        return code(each["words"]) if "words" in each else {"scalar": "a text, number or boolean", "inside": "a boolean or a number"}.get(each["type"], each["type"])

    table("values", ["input", "type", "meaning"], [[f"`{name}`", kind(each), each["meaning"]] for name, each in data["inputs"].items()])
    return old


def describe_inputs(data, file):
    file["properties"]["inputs"]["properties"] = {
        name: {**({"enum": each["words"]} if "words" in each else TYPES[each["type"]]), "description": plain(each["meaning"])}
        for name, each in data["inputs"].items()
    }


def explain_schema(data, old):
    """docs/schema/explain.schema.json: its inputs, its steps, and its own reasons."""
    file = json.loads(old)
    describe_inputs(data, file)
    file["then"]["properties"]["reason"]["enum"] = [key for key in data["explain"] if key != "next"]
    file["else"]["properties"]["step"]["enum"] = sorted(data["steps"])
    return generated.schema(file)


def schema(data, old):
    """docs/schema/decision.schema.json: its inputs, its list of decisions, and its descriptions."""
    file = json.loads(old)
    for key, each in data["keys"].items():
        file["properties"][key]["description"] = plain(each["meaning"])
    describe_inputs(data, file)
    groups = {}
    for each in data["decisions"]:
        for verdict in each["verdicts"]:
            groups.setdefault((each["step"], verdict), []).append(each["reason"])
    order = [(step, verdict) for step in data["steps"] for verdict in data["verdicts"] if (step, verdict) in groups]
    file["oneOf"] = [
        {"properties": {"step": {"const": step}, "verdict": {"const": verdict}, "reason": {"enum": groups[step, verdict]}}} for step, verdict in order
    ]
    return generated.schema(file)


def typescript(data, old):
    """The words of a decision in bindings/node/index.d.ts."""
    about = {"Step": "", "Verdict": "/** The answer of a step. */\n", "Reason": "/** The reason of a decision. */\n"}
    types = [f"{about[name]}export type Decision{name} =\n{generated.union(words)};" for name, words in words_of(data).items()]
    return generated.between(old, "// docs/decisions.json", "\n".join(types), "// end")


def words_of(data):
    return {"Step": list(data["steps"]), "Verdict": data["verdicts"], "Reason": reasons(data)}


# Files that are made as a whole, and those of which parts are.
WHOLE = {
    "Sources/PlotCore/Decision/Reason.swift": lambda data, _: swift_words(data),
    "Sources/PlotDocuments/Records/ReasonData.swift": lambda data, _: swift_sentences(data),
    "docs/reasons.json": lambda data, _: sentences(data),
    "bindings/python/src/plotengine/_decision_words.py": lambda data, _: generated.literals(MADE, words_of(data)),
}
PARTS = {
    "docs/decisions.md": page,
    "docs/schema/decision.schema.json": schema,
    "docs/schema/explain.schema.json": explain_schema,
    "bindings/node/index.d.ts": typescript,
}
FILES = WHOLE | PARTS


def plants(data):
    """A reason, a verdict, a meaning, a sentence and an input, each changed in a copy of the list."""

    def rename(other):
        other["decisions"][0]["reason"] = "zzz"

    def another_verdict(other):
        each = other["decisions"][0]
        each["verdicts"] = {"pass": next(iter(each["verdicts"].values()))}

    def another_meaning(other):
        each = other["decisions"][0]
        each["verdicts"] = dict.fromkeys(each["verdicts"], "Z.")

    def another_sentence(other):
        other["decisions"][0]["text"]["nl"] = "Z."

    def another_input(other):
        other["decisions"][0]["inputs"].append("zone")

    def another_value(other):
        other["inputs"]["zone"]["meaning"] = "z"

    return {
        "a reason of another name": (planted(data, rename), 7),
        "another verdict": (planted(data, another_verdict), 2),
        "another meaning": (planted(data, another_meaning), 2),
        "another sentence": (planted(data, another_sentence), 2),
        "another input": (planted(data, another_input), 1),
        "another meaning of an input": (planted(data, another_value), 3),
    }


if __name__ == "__main__":
    generated.main(__doc__, FILES, generated.source("docs/decisions.json", check), plants, lambda data: f"{len(data['decisions'])} decisions, {len(data['inputs'])} inputs")
