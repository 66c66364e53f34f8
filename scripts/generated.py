"""Files, or parts of files, that a script makes from one source: whether they are as the source has them, and writing them.

A script gives `FILES`: {path: function of the source and the file's text that gives the text it should have}.

    scripts/generated.py           runs all such scripts: what is not as its source has it, and whether planted changes are noticed
    scripts/generated.py --write   writes it all
"""

import copy
import difflib
import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The scripts that write files from one source, in the order in which one may need another.
TABLES = [f"{source}_tables" for source in ("call", "decision", "event", "error", "schema", "key", "type", "binding")]


def stale(files, source):
    """{path: text} of the files that are not as the source has it."""
    found = {}
    for path, make in files.items():
        place = ROOT / path
        old = place.read_text(encoding="utf-8") if place.exists() else ""
        text = make(source, old)
        if text != old:
            found[path] = text
    return found


def between(old, begin, text, end):
    """A file with other lines between the line that ends with `begin` and the next one that ends with `end`."""
    lines = old.split("\n")
    first = next(number for number, line in enumerate(lines) if line.endswith(begin))
    last = next(number for number, line in enumerate(lines) if number > first and line.endswith(end))
    return "\n".join([*lines[: first + 1], *text.split("\n"), *lines[last:]])


def table(old, begin, head, rows):
    """A page with another table between the lines that end with `begin` and with `<!-- end -->`."""
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)]
    return between(old, f"<!-- {begin} -->", "\n".join(lines), "<!-- end -->")


def code(words):
    return ", ".join(f"`{word}`" for word in words)


def plain(text):
    """Markdown as a sentence of plain text."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
    return text[:1].upper() + text[1:].rstrip(".") + "." if text else ""


def camel(word):
    return re.sub(r"-(.)", lambda match: match[1].upper(), word)


def union(words, first="  |"):
    """Words as a type of TypeScript, as many on a line as fit; the first line begins with `first`."""
    lines, line = [], first
    for word in words:
        if len(line) + len(word) + 5 > 120:
            lines.append(line)
            line = "  |"
        line += f" '{word}'" if line in (first, "  |") else f" | '{word}'"
    return "\n".join([*lines, line])


def part(schema, pointer):
    """The part of a JSON Schema at a pointer, which has no slash before its first name."""
    for name in pointer.split("/") if pointer else []:
        schema = schema[int(name)] if isinstance(schema, list) else schema[name]
    return schema


def trailing(code, text, width=100):
    """A line of C with a comment behind it, which goes on below itself."""
    lines = textwrap.wrap(f"/* {text} */", width - len(code) - 1, subsequent_indent=" * ", break_long_words=False, break_on_hyphens=False)
    return [f"{code} {lines[0]}", *(" " * (len(code) + 1) + line for line in lines[1:])]


def literals(made, types):
    """A file of Python that has words as types: {name: words}."""
    lines = ["# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.", f'"""{made}"""', "", "from typing import Literal", ""]
    for name, words in types.items():
        lines += [f"{name} = Literal[", *(f'    "{word}",' for word in words), "]"]
    return "\n".join([*lines, ""])


def schema(file):
    """A JSON Schema as the project writes it."""
    return json.dumps(file, ensure_ascii=False, indent=2) + "\n"


def source(path, check):
    """A list in JSON; `check` gives its faults."""
    data = json.loads((ROOT / path).read_text(encoding="utf-8"))
    if faults := check(data):
        sys.exit("\n".join(f"{path}: {fault}" for fault in faults))
    return data


def planted(data, change):
    """A copy of a source that `change` was called with."""
    other = copy.deepcopy(data)
    change(other)
    return other


def check_plants(files, source, plants):
    """Each changed source of `plants`, {what: (source, count)}, is noticed in so many files."""
    assert not stale(files, source), "the files are not as the source has them"
    for what, (planted, count) in plants.items():
        found = stale(files, planted)
        assert len(found) == count, f"{what} is noticed in {sorted(found)}, not in {count} files"
    print(f"{pathlib.Path(sys.argv[0]).name}: {len(plants)} planted changes were noticed")


def main(doc, files, source, plants, summary):
    """The command line of such a script: nothing, --write or --self."""
    name, arguments = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
    if arguments == ["--self"]:
        return check_plants(files, source, plants(source))
    if arguments not in ([], ["--write"]):
        sys.exit(doc)
    found = stale(files, source)
    if arguments:
        for path, text in found.items():
            (ROOT / path).write_text(text, encoding="utf-8")
            print(f"written: {path}")
        return
    for path, text in found.items():
        old = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).exists() else ""
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), path, "as the source has it", n=0))
    if found:
        sys.exit(f"{name}: run scripts/{name} --write")
    print(f"{name}: {len(files)} files are as the source has them ({summary(source)})")


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    for script in TABLES:
        for options in [sys.argv[1:]] if sys.argv[1:] else [[], ["--self"]]:
            subprocess.run([sys.executable, ROOT / "scripts" / f"{script}.py", *options], check=True)
