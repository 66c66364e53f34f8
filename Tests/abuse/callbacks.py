#!/usr/bin/env python3
"""Each kind of callback, and what it may do while it runs: in each case `destroy` runs exactly once.

    Tests/abuse/callbacks.py [--library FOLDER [--flags FLAGS]]

Tests/abuse/matrix.json has the kinds, what each may do, and how often destroy has run while the callback still runs, and after the call. The
kinds are those of the header: one that is missing or too many is a fault, and so is an action that Tests/abuse/matrix.c does not know.
Python and Node have the same table for themselves (bindings/python/tests/test_matrix.py, bindings/node/test/matrix.test.js).
With --library it runs once, with the library of that folder and these flags for the compiler (Tests/sanitize/run.sh).
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_abuse  # noqa: E402
import pages  # noqa: E402
import plot_header  # noqa: E402

ROOT = plot_header.ROOT
PLACE = check_abuse.PLACE
COUNTS = ("inside", "after", "again")


def matrix(table, header):
    """matrix.h; Faults when the table is not of this header."""
    if set(table["callbacks"]) != set(header.callbacks):
        raise check_abuse.Faults(f"matrix.json: not the header's callbacks: {', '.join(sorted(set(table['callbacks']) ^ set(header.callbacks)))}")
    for name, means in table["callbacks"].items():
        if (means == "nothing is returned") != (header.callbacks[name][0] == "void"):
            raise check_abuse.Faults(f"matrix.json: {name} returns {header.callbacks[name][0]}, but an unknown code: {means}")
    words = [re.sub(r"\W", "_", action) for action in table["actions"]]
    lines = ["enum action {"] + [f"    ACTION_{word}," for word in words] + ["    ACTIONS", "};"]
    lines += ["static const char *const action_names[] = {"] + [f"    {json.dumps(action)}," for action in table["actions"]] + ["};"]
    lines += ["static const int returns_something[KINDS] = {"]
    lines += [f"    [KIND_{name}] = {int(header.callbacks[name][0] != 'void')}," for name in table["callbacks"]] + ["};"]
    lines += ["typedef struct counts { int inside, after, again; } counts;", "static const counts expected[KINDS][ACTIONS] = {"]
    for name in table["callbacks"]:
        for word, counts in zip(words, table["actions"].values()):
            if set(counts) != set(COUNTS):
                raise check_abuse.Faults(f"matrix.json: {word}: has not {', '.join(COUNTS)}")
            wanted = {**counts, **table["except"].get(name, {})}
            lines.append(f"    [KIND_{name}][ACTION_{word}] = {{{', '.join(str(wanted[part]) for part in COUNTS)}}},")
    return "\n".join(lines + ["};"]) + "\n"


def build(folder, *flags):
    program = folder / "matrix"
    command = [os.environ.get("CC", "cc"), "-std=gnu11", "-O0", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-implicit-fallthrough", *flags]
    command += [f"-I{folder}", f"-I{PLACE}", f"-I{ROOT / 'include'}", "-o", program, PLACE / "matrix.c", f"-L{check_abuse.LIBRARY}", "-lplotengine", "-lpthread"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise check_abuse.Faults(f"the program does not compile:\n{done.stderr[:4000]}")
    return program


def run(program, folder, how):
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    report = folder / "report.txt"
    report.unlink(missing_ok=True)
    variables = {**os.environ, "LD_LIBRARY_PATH": str(check_abuse.LIBRARY)}
    try:
        done = subprocess.run([str(program), str(report), str(place)], capture_output=True, text=True, env=variables, errors="replace", timeout=300)
    except subprocess.TimeoutExpired:
        raise check_abuse.Faults(f"{how}: hangs:\n{report.read_text(encoding='utf-8')[-2000:] if report.exists() else ''}") from None
    said = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    if done.stdout or done.stderr:
        raise check_abuse.Faults(f"{how}: wrote to standard output or error:\n{done.stdout[:2000]}{done.stderr[:6000]}")
    if done.returncode or not said or not said[-1].endswith(" cases, 0 faults"):
        raise check_abuse.Faults(f"{how}: ended with {done.returncode}:\n" + "\n".join(said[:60]))
    return int(said[-1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    check_abuse.add_library_options(parser)
    options = parser.parse_args()
    check_abuse.take_library(options)
    header = plot_header.read()
    table = json.loads((PLACE / "matrix.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kinds.h").write_text(check_abuse.kinds(header), encoding="utf-8")
        (folder / "matrix.h").write_text(matrix(table, header), encoding="utf-8")
        if options.library:
            cases = run(build(folder, *options.flags.split()), folder, f"with {options.library}")
            print(f"callbacks: {len(header.callbacks)} kinds, {len(table['actions'])} actions, {cases} cases: destroyed once in each")
            return
        cases = run(build(folder), folder, "as it is")
        sanitized = "no address sanitizer here"
        if check_abuse.has_sanitizer(folder):
            run(build(folder, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"), folder, "with the address sanitizer")
            sanitized = "with the address sanitizer"
    actions = len(table["actions"])
    pages.check_figures(check_abuse.ROOT / "docs/reliability-table.md", f"{len(header.callbacks)} kinds of callbacks, and {actions} actions", f"{cases} cases, and again")
    pages.check_figures(check_abuse.ROOT / "docs/reliability.md", f"{cases} in C")
    print(f"callbacks: {len(header.callbacks)} kinds, {actions} actions, {cases} cases: destroyed once in each; {sanitized}")


if __name__ == "__main__":
    try:
        main()
    except (check_abuse.Faults, pages.Fault, plot_header.Fault) as faults:
        sys.exit("\n".join(f"callbacks: {line}" for line in str(faults).splitlines()))
