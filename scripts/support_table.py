#!/usr/bin/env python3
"""The table of docs/support.md: which suites passed on which runtimes. The test scripts of the front ends write what they have run to build/support/.

    scripts/support_table.py           writes the table anew, from all that is there
    scripts/support_table.py --check node   that each run of a front end is in the table, with as many tests or fewer, and that no other run
                                            of it is
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/support.md"
BEGIN, END = "<!-- runs: scripts/support_table.py -->\n", "<!-- end of runs -->\n"
HEAD = "| front end | runtime | version | suite | tests |\n|---|---|---|---|---|\n"
FRONT_ENDS = {"node": "Node", "python": "Python", "swift": "Swift"}


def runs(name):
    """(front end, runtime, version, suite, tests) of each run, in its order."""
    path = ROOT / f"build/support/{name}.tsv"
    if not path.exists():
        return []
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    for row in rows:
        if len(row) != 4 or not row[3].isdigit():
            sys.exit(f"{path}: expected runtime, version, suite and a number of tests, found {row}")
    return [(FRONT_ENDS[name], *row) for row in rows]


def table(text):
    block = text.partition(BEGIN)[2].partition(END)[0]
    return [tuple(cell.strip() for cell in line.strip("|\n").split("|")) for line in block.splitlines()[2:]]


def main():
    text = PAGE.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"{PAGE.name}: the lines {BEGIN!r} and {END!r} are not there")
    found = {name: runs(name) for name in FRONT_ENDS}
    known = table(text)
    if sys.argv[1:2] == ["--check"]:
        faults = []
        for name, rows in ((name, found[name]) for name in sys.argv[2:]):
            tests = {(row[0], row[1], row[3]): int(row[4]) for row in known if row[0] == FRONT_ENDS[name]}
            here = {(row[0], row[1], row[3]): int(row[4]) for row in rows}
            faults += [f"{key} has run and is not in the table" for key in here.keys() - tests.keys()]
            faults += [f"{key} is in the table and has not run" for key in tests.keys() - here.keys()]
            faults += [f"{key}: {here[key]} tests have run, {tests[key]} are in the table" for key in here.keys() & tests.keys() if here[key] < tests[key]]
        for fault in faults:
            print(f"docs/support.md: {fault}", file=sys.stderr)
        sys.exit(1 if faults else 0)
    rows = [row for name in FRONT_ENDS for row in found[name] or [row for row in known if row[0] == FRONT_ENDS[name]]]
    lines = "".join("| " + " | ".join(row) + " |\n" for row in rows)
    PAGE.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + HEAD + lines + END, text, flags=re.S))
    print(f"docs/support.md: {len(rows)} runs")


if __name__ == "__main__":
    main()
