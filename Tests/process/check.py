#!/usr/bin/env python3
"""The library's effects on its process, and the process's on it: loading it and letting go of it, fork, signals, locale,
environment, descriptors, folder, umask, small stacks, and a second Swift library beside it.

    Tests/process/check.py [SCENE]

Each scene of Tests/process/process.c runs in a process of its own. None may write anything to standard output or error.
"""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/abuse"))
import check_abuse  # noqa: E402
import plot_header  # noqa: E402
from check_abuse import Faults  # noqa: E402

ROOT = plot_header.ROOT
PLACE = ROOT / "Tests" / "process"
LIBRARY = check_abuse.LIBRARY / "libplotengine.so.0"
SCENES = ("bytes", "surroundings", "closed", "folder", "signals", "stack", "fork", "fork-inside", "fork-store")


def compile_c(folder, source, *more):
    program = folder / pathlib.Path(source).stem
    command = [os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    command += [f"-I{folder}", f"-I{check_abuse.PLACE}", f"-I{ROOT / 'include'}", "-o", program, PLACE / source, *more, "-lm", "-ldl", "-lpthread"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise Faults(f"{source} does not compile:\n{done.stderr[:4000]}")
    return program


def run(what, command, report, environment=None):
    """Runs it; the lines of its report. It may say nothing but there."""
    report.unlink(missing_ok=True)
    base = {**os.environ} if environment is None else dict(environment)
    base["LD_LIBRARY_PATH"] = ":".join(filter(None, (str(LIBRARY.parent), base.get("LD_LIBRARY_PATH"))))
    try:
        done = subprocess.run([str(part) for part in command], env=base, capture_output=True, text=True, errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        raise Faults(f"{what}: hangs") from None
    said = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    if done.stdout or done.stderr:
        raise Faults(f"{what}: wrote to standard output or error:\n{done.stdout[:2000]}{done.stderr[:4000]}")
    if done.returncode or not said or said[-1] != "0 faults":
        raise Faults(f"{what}: ended with {done.returncode}:\n" + "\n".join([line for line in said if not line.startswith(("log ", "event ", "decision "))][-30:]))
    return said[:-1]


def scene(folder, program, name, how="", **options):
    place = folder / f"place-{name}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return run(f"{name}{how}", [program, name, folder / "report.txt", place], folder / "report.txt", **options), place


def check_bytes(folder, program, german):
    """The same day gives the same bytes, whatever surrounds it."""
    usual, _ = scene(folder, program, "bytes")
    kinds = {line.split(" ", 1)[0] for line in usual}
    if len(usual) < 50 or not {"event", "decision", "log", "visits", "explain", "plan", "properties", "sent", "zone"} <= kinds:
        raise Faults(f"bytes: too little was told: {len(usual)} lines of {', '.join(sorted(kinds))}")
    surroundings = {
        "with a decimal comma": {**os.environ, **german, "PLOT_LOCALE": "de_DE.UTF-8"},
        "without an environment": {},
        "in another zone, without a home": {"TZ": "America/New_York", "HOME": "/nowhere", "TMPDIR": "/nowhere", "LANG": "nothing"},
    }
    for how, environment in surroundings.items():
        told, _ = scene(folder, program, "bytes", f", {how}", environment=environment)
        if told != usual:
            first = next((pair for pair in zip(usual, told) if pair[0] != pair[1]), ("the end", "the end"))
            raise Faults(f"bytes, {how}: something else is told:\n{first[0][:300]}\n{first[1][:300]}")
    return len(usual)


def check_fork(folder, program):
    told, _ = scene(folder, program, "fork")
    parent = [line[7:] for line in told if line.startswith("parent ")]
    child = [line[6:] for line in told if line.startswith("child ")]
    if len(parent) < 30 or parent != child:
        raise Faults(f"fork: parent ({len(parent)} lines) and child ({len(child)} lines) come to something else")


def check_store(folder, program):
    _, place = scene(folder, program, "fork-store")
    with sqlite3.connect(place / "fork.db") as store:
        if (answer := store.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise Faults(f"fork-store: the store is damaged: {answer}")


def swift_libraries(folder):
    """The other library, with a runtime of its own, and with the shared one where the compiler has it."""
    compiler = os.environ.get("SWIFT", "swift")
    swiftc = pathlib.Path(shutil.which(compiler) or compiler).with_name("swiftc")
    found = {}
    for how, flags in (("a runtime of its own", ["-static-stdlib"]), ("the shared runtime", [])):
        library = folder / ("libother-own.so" if flags else "libother-shared.so")
        done = subprocess.run(
            [str(swiftc), "-O", "-emit-library", "-module-name", "Other", *flags, "-o", str(library), str(PLACE / "other.swift")], capture_output=True, text=True, cwd=folder
        )
        if done.returncode:
            raise Faults(f"Tests/process/other.swift does not compile with {how}:\n{done.stderr[:2000]}")
        found[how] = library
    runtime = subprocess.run([str(swiftc), "-print-target-info"], capture_output=True, text=True).stdout
    return found, json.loads(runtime)["paths"]["runtimeLibraryPaths"][0]


def check_two(folder):
    program = compile_c(folder, "two.c")
    libraries, runtime = swift_libraries(folder)
    count = 0
    for how, other in libraries.items():
        needed = subprocess.run(["readelf", "-d", str(other)], capture_output=True, text=True).stdout
        if ("libswiftCore" in needed) != (how == "the shared runtime"):
            raise Faults(f"two Swift libraries: the other one was not built with {how}")
        for order in ((LIBRARY, other), (other, LIBRARY)):
            what = f"two Swift libraries, the other with {how}, {'second' if order[1] == other else 'first'}"
            run(what, [program, folder / "report.txt", *order], folder / "report.txt", environment={**os.environ, "LD_LIBRARY_PATH": runtime})
            count += 1
    return count


def check_load(folder):
    program = compile_c(folder, "load.c")
    copy = folder / "copy" / "libplotengine.so.0"
    copy.parent.mkdir()
    shutil.copyfile(LIBRARY, copy)
    run("load", [program, folder / "report.txt", LIBRARY, copy], folder / "report.txt")


def main():
    if len(sys.argv) > 2 or sys.argv[1:] and sys.argv[1] not in SCENES:
        sys.exit(__doc__)
    if not LIBRARY.is_file():
        raise Faults(f"{LIBRARY} is missing: run make build")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kinds.h").write_text(check_abuse.kinds(plot_header.read()), encoding="utf-8")
        program = compile_c(folder, "process.c", f"-L{LIBRARY.parent}", "-lplotengine")
        if sys.argv[1:]:
            told, _ = scene(folder, program, sys.argv[1])
            return print("\n".join(told))
        german = check_abuse.german(folder)
        check_load(folder)
        lines = check_bytes(folder, program, german)
        check_fork(folder, program)
        check_store(folder, program)
        for scene_name in SCENES:
            if scene_name not in ("bytes", "fork", "fork-store"):
                environment = {**os.environ, **german} if scene_name == "surroundings" else None
                scene(folder, program, scene_name, environment=environment)
        orders = check_two(folder)
    print(
        f"process: loaded 201 times and never gone, also beside a copy; {len(SCENES)} scenes; {lines} lines the same in 4 surroundings; "
        f"beside another Swift library in {orders} ways"
    )


if __name__ == "__main__":
    try:
        main()
    except (Faults, plot_header.Fault) as faults:
        sys.exit("\n".join(f"process: {line}" for line in str(faults).splitlines()))
