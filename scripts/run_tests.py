#!/usr/bin/env python3
"""Runs the parts of `make test` one after another, prints what each took, and fails over the budget (scripts/test-budget.txt).

    scripts/run_tests.py             all parts, up to the first that fails
    scripts/run_tests.py NAME...     only these parts, without a budget
    scripts/run_tests.py --list      the names of the parts
    scripts/run_tests.py --self      checks that a part that fails, and a budget that is exceeded, are noticed

The commands come from the environment of the Makefile: SWIFT, DEBUGFLAGS, PYTHON, LIBRARY, VENV.
"""

import hashlib
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGET = ROOT / "scripts/test-budget.txt"

PARTS = {
    "build": "$MAKE --no-print-directory build",
    "swift build": "$SWIFT build --build-tests --scratch-path .build $DEBUGFLAGS",
    "swift tests": "$SWIFT test --skip-build --no-parallel --scratch-path .build",
    "header": "Tests/abi/header.sh",
    "library": "Tests/abi/library.sh $LIBRARY && Tests/abi/check.py",
    "costs": "Tests/costs/check.sh $LIBRARY",
    "tables": "$PYTHON scripts/generated.py",
    "sql": "$PYTHON Tests/rooms/sql.py --self && $PYTHON Tests/rooms/sql.py",
    "rooms": "$PYTHON Tests/rooms/graph.py --self && $PYTHON Tests/rooms/graph.py --check",
    "messages": "$PYTHON Tests/words/messages.py --self && $PYTHON Tests/words/messages.py"
    " && $PYTHON Tests/words/comments.py --self && $PYTHON Tests/words/comments.py",
    "documents": "$MAKE --no-print-directory $VENV && $PYTHON scripts/site.py --check && $VENV Tests/docs/check.py && $VENV Tests/docs/noise_pictures.py --check"
    " && Tests/docs/readme.sh",
    "presence": "$MAKE --no-print-directory $VENV && $VENV Benchmarks/presence/test_presence.py && $VENV Benchmarks/presence/lives.py --short --kills 100 --check && $VENV Benchmarks/presence/dwelling.py --seeds 6 --check",
    "tool": "$PYTHON Tests/tool/check.py build/bin/plot build/share && $PYTHON Tests/tracks/check.py build/bin/plot",
    "isochrones": "$PYTHON Tests/tool/isochrones.py build/bin/plot",
    "abuse": "Tests/abuse/check_abuse.py",
    "callbacks": "Tests/abuse/callbacks.py",
    "process": "Tests/process/check.py",
    "faults": "Tests/faults/check.sh",
    "package pages": "$PYTHON scripts/package_pages.py --self && $PYTHON Tests/packages/check_package_pages.py --self",
    "consumers": "Tests/packages/consumers.sh",
    "swift package": "Tests/packages/swift_package.sh --docs",
    "map": "Tests/map/check.sh build/bin/plot",
    "vectors in C": "Tests/vectors/run.sh",
    "torture": "Tests/torture/run.sh --quick && Tests/torture/endurance.sh 7",
    "corpora": "Tests/fuzz/replay.sh && Tests/fuzz/readers.sh",
    "golden corpus": "$PYTHON Tests/golden/check.py --self && $PYTHON Tests/golden/check.py",
    "packages": "$MAKE --no-print-directory dist",
    "debian packages": "packaging/build_debs.sh dist/debian && Tests/packages/debs.py dist/debian",
    "pages": "Tests/packages/check_pages.py --self && Tests/packages/check_pages.py",
    "python": "PLOT_DIST=$PWD/dist bindings/python/test.sh",
    "node": "PLOT_DIST=$PWD/dist bindings/node/test.sh",
    "rust": "bindings/rust/test.sh",
    "spark": "bindings/python/test_spark.sh short",
    "run": "Tests/run/run_tests.sh short",
    "server": "server/Tests/test.sh",
    "recordings": "Tests/recordings/check.sh",
    "vectors in every language": "Tests/vectors/runners.sh",
}


def reference():
    """Processor seconds of a piece of fixed work: how fast this machine is at the moment."""
    begin = time.process_time()
    hashlib.pbkdf2_hmac("sha512", b"plotengine", b"reference", 100_000)
    return time.process_time() - begin


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_budget(text):
    """The minutes of all entries together, and the reference."""
    minutes, seconds = 0.0, None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, value = line.rpartition(":")
        try:
            amount = float(value)
        except ValueError:
            amount = 0
        if not name or not amount > 0:
            raise SystemExit(f"{BUDGET.name}, line {number}: expected NAME: MINUTES, found {line!r}")
        if name == "reference":
            seconds = amount
        else:
            minutes += amount
    if not minutes or seconds is None:
        raise SystemExit(f"{BUDGET.name}: expected an entry with minutes and a reference")
    return minutes, seconds


def minutes_of(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


# The lines that the tests of each language write where one has failed; and those of a test that begins or has passed, whatever its name says.
FAULT = re.compile(r"✘|\berror\b|\bnot ok\b|\bFAIL(ED|URE)?\b|Traceback|Error: |\bfailed\b|\bexpected\b", re.IGNORECASE)
NO_FAULT = re.compile(r"\s*(✔|◇|ok\b)|.* (started|passed after [0-9.]+ seconds)\.$")


class Faults:
    """The first lines that speak of a failure, the last ones, and what was printed last. The first is most often the cause."""

    def __init__(self, count=12):
        self.count, self.lines, self.first, self.later, self.end = count, 0, {}, deque(maxlen=count), deque(maxlen=6)

    def add(self, text):
        self.lines += 1
        self.end.append((self.lines, text))
        if FAULT.search(text) and not NO_FAULT.match(text):
            if len(self.first) < self.count:
                self.first[self.lines] = text
            else:
                self.later.append((self.lines, text))

    def told(self):
        return [text for _, text in sorted({**self.first, **dict(self.later), **dict(self.end)}.items())]


def run_part(command):
    """Its status, and the lines that speak of a failure. What it prints goes on to standard output at once."""
    faults = Faults()
    with subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            faults.add(line.decode(errors="replace").rstrip())
    return process.returncode, faults.told()


def run(parts, budget):
    """Whether all parts pass, and stay within the budget: minutes, and the reference; None for none."""
    rows, speeds, failed, faults = [], [], None, []
    for name, command in parts.items():
        print(f"== {name}", flush=True)
        speeds.append(reference())
        began, used = time.monotonic(), processor()
        status, last = run_part(command)
        rows.append((name, time.monotonic() - began, processor() - used))
        if status:
            failed, faults = f"{name} has failed (status {status})", last
            break
    total = sum(row[2] for row in rows)
    print(f"\n{'part':28}{'time':>8}{'processor':>11}")
    for name, wall, cpu in rows:
        print(f"{name:28}{minutes_of(wall):>8}{minutes_of(cpu):>11}")
    print(f"{'all':28}{minutes_of(sum(row[1] for row in rows)):>8}{minutes_of(total):>11}")
    if budget and not failed:
        minutes, seconds = budget
        slower = min(2.0, max(1.0, statistics.median(speeds) / seconds))
        print(f"budget: {minutes:g} minutes of processor; this machine takes {slower:.2f} times as long as the one it is of")
        if total > minutes * 60 * slower:
            failed = f"the parts took more than {minutes:g} minutes of processor: make them cheaper, or say in {BUDGET.name} what was added"
    if failed:
        # Whoever sees only the end of a long output has to learn from it what it was.
        if faults:
            print(f"\nwhat {name} said of a failure, and its last lines:")
            print("\n".join(f"  {line[:240]}" for line in faults))
        print(f"make test: {failed}", file=sys.stderr)
    return not failed


def check_self():
    limit = read_budget("a: 0.001 # minutes\nb: 0.001\nreference: 1000")
    busy = "python3 -c 'while __import__(\"time\").process_time() < 0.3: pass'"
    assert limit == (0.002, 1000)
    assert run({"idle": "true"}, limit)
    assert not run({"busy": busy}, limit), "a budget that is exceeded"
    assert run({"busy": busy}, None)
    assert not run({"first": "true", "second": "exit 3", "third": "touch /nowhere/at/all"}, limit), "a part that fails"
    assert not run({"piped": "false | true"}, limit), "a command of a pipe that fails"
    status, lines = run_part("echo good; echo 'error: early'; seq 100; echo end >&2; exit 4")
    assert status == 4 and lines[0] == "error: early" and lines[1:] == [*"96 97 98 99 100".split(), "end"], lines
    status, lines = run_part("echo '✘ Test early'; for i in $(seq 99); do echo \"✔ Test expected$i\"; echo \"error: $i\"; done; exit 4")
    assert lines[0] == "✘ Test early" and "✔ Test expected1" not in lines and lines[-1] == "error: 99" and len(lines) < 30, lines
    for text in ["", "a: 1", "reference: 1", "a: none\nreference: 1", "a: -1\nreference: 1", "a\nreference: 1"]:
        try:
            read_budget(text)
        except SystemExit:
            continue
        raise AssertionError(text)


def main():
    arguments = sys.argv[1:]
    if arguments == ["--list"]:
        print("\n".join(PARTS))
        return 0
    if arguments == ["--self"]:
        check_self()
        return 0
    for name in arguments:
        if name not in PARTS:
            raise SystemExit(f"run_tests.py: there is no part {name!r}; --list prints them")
    for name, value in {
        "SWIFT": "swift", "DEBUGFLAGS": "", "PYTHON": "python3", "MAKE": "make", "LIBRARY": "build/lib/libplotengine.so.0",
        "VENV": ".build-venv/bin/python",
    }.items():
        os.environ.setdefault(name, value)
    if arguments:
        return 0 if run({name: PARTS[name] for name in arguments}, None) else 1
    check_self_quietly()
    return 0 if run(PARTS, read_budget(BUDGET.read_text())) else 1


def check_self_quietly():
    """A budget that never bites would be no budget."""
    done = subprocess.run([sys.executable, __file__, "--self"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"run_tests.py --self has failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
