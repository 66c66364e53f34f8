"""Checks recordings against docs/schema/recording.schema.json: Tests/recordings/lines.py [--all] FOLDER

With --all each kind of line and each input that the schema knows must occur, so that nothing in it is untried.
"""

import collections
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parents[2]


def schema(name):
    return json.loads((ROOT / f"docs/schema/{name}.schema.json").read_text("utf-8"))


def main():
    words = sys.argv[1:]
    wants_all = "--all" in words
    (folder,) = [word for word in words if word != "--all"]
    whole = schema("recording")
    lines = {
        name: Draft202012Validator({**part, "$defs": whole["$defs"]})
        for name, part in whole["$defs"].items()
        if name.startswith(("line-", "input-"))
    }
    inner = {name: Draft202012Validator(schema(name)) for name in ("event", "decision", "item", "region-plan", "feed")}
    seen = collections.Counter()
    faults = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for number, text in enumerate(path.read_bytes().decode().split("\n")[:-1], 1):
            line = json.loads(text)
            first = next(iter(line))
            name = f"input-{line['input']}" if first == "input" else f"line-{first}"
            seen[name] += 1
            tests = [(lines[name], line)] if name in lines else []
            if not tests:
                faults.append(f"{path}:{number}: the schema knows no {name}")
            if first in ("event", "decision"):
                tests.append((inner[first], line[first]))
            elif first in ("show", "open"):
                tests.append((inner["item"], line[first]))
            elif first == "ask":
                tests += [(inner["item"], item) for item in line["ask"]["items"]]
            elif first == "plan":
                tests.append((inner["region-plan"], line["plan"]))
            elif name == "input-feed":
                tests.append((inner["feed"], line["feed"]))
            for validator, value in tests:
                for error in validator.iter_errors(value):
                    faults.append(f"{path}:{number}: {error.json_path}: {error.message[:200]}")
    if wants_all:
        # No vector has a campaign service: bindings/python/tests/test_sync.py has one, and holds its lines against the schema.
        faults += [f"no recording has a {name}" for name in lines if not seen[name] and name != "line-sync"]
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(f"recordings: {len(faults)} faults")
    print(f"{sum(seen.values())} lines are as the schema says; {len(seen)} of its {len(lines)} kinds occur")


main()
