#!/usr/bin/env python3
"""Writes scripts/link-order.txt: the functions that a crossing calls, in the order of its call graph.

    make && scripts/link_order.py

The linker places them side by side (Package.swift), so that they occupy fewer cache lines and pages. It ignores names that no longer exist, so an
outdated list costs a few per cent of a crossing and nothing else. Needs valgrind.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / ".build-release/release/libplotengine.so"
LIST = ROOT / "scripts/link-order.txt"


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout


def profile(path):
    """Of each function its instructions, and what it calls."""
    names, own, calls, function, callee, is_call = {}, {}, {}, None, None, False

    def name(text):
        number, given = re.fullmatch(r"\((\d+)\)(?: (.*))?", text).groups()
        if given:
            names[number] = re.sub(r"'\d+$", "", given)
        return names[number]

    for line in path.read_text().splitlines():
        if line.startswith("fn="):
            function = name(line[3:])
        elif line.startswith("cfn="):
            callee = name(line[4:])
        elif line.startswith("calls="):
            calls.setdefault(function, []).append(callee)
            is_call = True
        elif line[:1].isdigit() or line[:1] in ("+", "-", "*"):
            if not is_call:
                own[function] = own.get(function, 0) + int(line.split()[1])
            is_call = False
    return own, calls


def main():
    if not LIBRARY.exists():
        sys.exit(f"{LIBRARY} is missing: run make")
    known = {line.split()[-1] for line in run("nm", LIBRARY).splitlines()}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "data").mkdir()
        (work / "libplotengine.so.0").symlink_to(LIBRARY)
        programs = ROOT / "Benchmarks/programs"
        run("cc", "-O2", "-o", work / "generate", programs / "generate.c", "-lm")
        run("cc", "-O2", "-I", ROOT / "include", "-o", work / "costs", programs / "costs.c", LIBRARY, "-lm")
        run(work / "generate", work / "data")
        environment = dict(os.environ, LD_LIBRARY_PATH=str(work), SWIFT_DETERMINISTIC_HASHING="1")
        profiles = []
        for count in (200, 1000):
            out = work / f"{count}.out"
            run("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", work / "costs", work / "data", "crossing", count, env=environment)
            profiles.append(profile(out))
    (few, _), (many, calls) = profiles
    called = {name for name in many if many[name] - few.get(name, 0) > 800}
    order = {}

    def visit(name):
        if name in called and name not in order:
            order[name] = None
            for callee in calls.get(name, []):
                visit(callee)

    sys.setrecursionlimit(10_000)
    for name in ("plot_engine_update_location", *sorted(called)):
        visit(name)
    names = [name for name in order if name in known]
    LIST.write_text("".join(f"{name}\n" for name in names))
    print(f"{LIST.name}: {len(names)} functions")


if __name__ == "__main__":
    main()
