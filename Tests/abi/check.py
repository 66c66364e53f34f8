#!/usr/bin/env python3
"""The gate of the ABI (docs/abi-stability.md): what has landed stays, what is new says so.

    Tests/abi/check.py                 the header and build/lib against the newest baseline of Tests/abi
    Tests/abi/check.py --baseline      makes the baseline of the header's ABI, when it lands

A library with an empty body for each function of the header is compiled with its debug information, and abidiff compares it with the
baseline. Numbers and item keys, which leave no trace in a library, are compared as text. Additions are listed and pass; a change, a
removal, and a baseline that is missing or empty are faults. Then the app of Tests/abi, built with nothing but the first header, runs
with today's library. At last the gate is tried on spoilt headers, each of which it must refuse.
"""

import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import pages  # noqa: E402
import plot_header  # noqa: E402

ROOT = plot_header.ROOT
BASELINES = ROOT / "Tests" / "abi"
LIBRARY = ROOT / "build" / "lib" / "libplotengine.so.0"
SYMBOLS = ROOT / "scripts" / "exported-symbols.txt"
SONAME = "libplotengine.so.0"
# Fewer than the first ABI had is no baseline.
LEAST = {"functions": 80, "constants": 40}


class Refused(Exception):
    """The gate does not open; one line a fault."""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def must(*command, what):
    done = run(*command)
    if done.returncode:
        raise Refused(f"{what} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def compile_stub(header_path, header, folder):
    """The library with empty bodies; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(header_path, folder / "plotengine.h")
    (folder / "stub.c").write_text(plot_header.stub(header), encoding="utf-8")
    must(
        "gcc", "-g", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{folder}", "-shared", "-fPIC", f"-Wl,-soname,{SONAME}",
        f"-ffile-prefix-map={folder}=abi", "-o", folder / SONAME, folder / "stub.c", what="compiling the stub",
    )  # fmt: skip
    return folder / SONAME


def description(stub):
    """The output of abidw about it, without the places of this machine."""
    return must("abidw", "--no-comp-dir-path", "--no-corpus-path", "--no-show-locs", stub, what="abidw")


def record(header):
    """Changes that leave no trace in a library."""
    return {"abi": header.abi, "functions": {f.name: f.since for f in header.functions.values()}, "constants": header.constants}


def baseline(folder=BASELINES):
    """The newest: its number, the path of what abidw said, and the record."""
    numbers = sorted(int(match[1]) for path in folder.glob("plotengine-*.abi") if (match := re.fullmatch(r"plotengine-(\d+)\.abi", path.name)))
    if not numbers:
        raise Refused(f"there is no baseline: no {folder}/plotengine-*.abi")
    path = folder / f"plotengine-{numbers[-1]}.abi"
    beside = path.with_suffix(".json")
    described = path.read_text(encoding="utf-8").count("<function-decl name='plot_")
    if described < LEAST["functions"]:
        raise Refused(f"{path}: is no baseline: it describes {described} functions")
    try:
        known = json.loads(beside.read_text(encoding="utf-8"))
        counts = {part: len(known[part]) for part in LEAST}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(f"{beside}: is no baseline: {error}") from None
    for part, least in LEAST.items():
        if counts[part] < least:
            raise Refused(f"{beside}: is no baseline: it has {counts[part]} {part}")
    if counts["functions"] != described or known["abi"] != numbers[-1]:
        raise Refused(f"{beside} and {path.name} are not of one header")
    return numbers[-1], path, known


def compare(header_path, folder, baselines=BASELINES):
    """The additions to the baseline, as lines; Refused when there is anything else."""
    try:
        header = plot_header.read(header_path)
    except plot_header.Fault as fault:
        raise Refused(str(fault)) from None
    number, path, known = baseline(baselines)
    faults, added = [], []
    stub = compile_stub(header_path, header, folder)
    # 4: something differs; 8: something is missing; 1 and 2: abidiff itself failed. Added functions are told below.
    report = run("abidiff", "--harmless", "--no-added-syms", path, stub)
    if report.returncode & 3:
        raise Refused(f"abidiff failed: {report.stderr.strip() or report.stdout.strip()}")
    if report.returncode:
        faults.append(f"not what ABI {number} was:\n" + "\n".join("    " + line for line in report.stdout.splitlines() if line.strip()))
    elif re.search(r"^\s*\[[CD]\]", report.stdout, re.M):
        raise Refused(f"abidiff reports a change, and calls it none:\n{report.stdout}")
    for name, since in known["functions"].items():
        if name not in header.functions:
            faults.append(f"{name} is gone")
        elif header.functions[name].since != since:
            faults.append(f"{name}: said 'Since {since}' in ABI {number}, and now 'Since {header.functions[name].since}'")
    for name, value in known["constants"].items():
        if name not in header.constants:
            faults.append(f"{name} is gone")
        elif header.constants[name] != value:
            faults.append(f"{name}: was {value} in ABI {number}, and is now {header.constants[name]}")
    for name, function in header.functions.items():
        if name in known["functions"]:
            continue
        added.append(f"{name} (since {function.since})")
        if not number < function.since <= header.abi:
            faults.append(f"{name}: is new in ABI {header.abi}, after {number}, but its comment says 'Since {function.since}' (0: nothing)")
    added += [f"{name} {value}" for name, value in header.constants.items() if name not in known["constants"]]
    if header.abi < number:
        faults.append(f"the header says ABI {header.abi}; {number} has landed")
    if added and header.abi == number:
        faults.append(f"the header says ABI {number}, which has landed without: {', '.join(added)}; the next number is {number + 1}")
    if header.abi > number + 1:
        faults.append(f"the header says ABI {header.abi}, though the newest baseline is {number}: one number a release")
    if faults:
        raise Refused("\n".join(faults))
    return header, number, added


def check_symbols(header):
    """One set of functions in the header, the list and the library; the library says the header's number."""
    listed = SYMBOLS.read_text(encoding="utf-8").split()
    if listed != sorted(listed):
        raise Refused(f"{SYMBOLS.name} is not sorted")
    if not LIBRARY.is_file():
        raise Refused(f"{LIBRARY} is missing: run make build")
    for what, names in ((SYMBOLS.name, set(listed)), (LIBRARY.name, plot_header.exported(LIBRARY))):
        if names != set(header.functions):
            raise Refused(f"the header and {what} differ: {', '.join(sorted(names ^ set(header.functions)))}")
    said = ctypes.CDLL(str(LIBRARY)).plot_abi_version()
    if said != header.abi:
        raise Refused(f"plot_abi_version() is {said}, and the header's is {header.abi}")


def check_first(folder):
    """The app that knows the first header alone: linked with a stub of it, run with today's library. How many functions it calls."""
    source, header_path, expected = (BASELINES / name for name in ("first.c", "plotengine-1.h", "first.expected"))
    first = plot_header.read(header_path)
    if first.abi != 1:
        raise Refused(f"{header_path} is not the first header: it says ABI {first.abi}")
    stub = compile_stub(header_path, first, folder)
    program = folder / "first"
    must(
        "gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{folder}", "-o", program, source, stub, what="compiling Tests/abi/first.c"
    )
    called = set(re.findall(r"\b(plot_\w+)$", must("nm", "-D", "--undefined-only", program, what="nm"), re.M))
    if called != set(first.functions):
        raise Refused(f"Tests/abi/first.c does not call: {', '.join(sorted(set(first.functions) - called))}")
    place = folder / "run"
    place.mkdir(exist_ok=True)
    done = run(program, cwd=place, env={**os.environ, "LD_LIBRARY_PATH": str(LIBRARY.parent)})
    if done.returncode or done.stderr:
        raise Refused(f"the app of the first ABI ended with {done.returncode}: {done.stderr.strip()}{done.stdout[-2000:]}")
    if done.stdout != expected.read_text(encoding="utf-8"):
        (folder / "printed").write_text(done.stdout, encoding="utf-8")
        difference = run("diff", "-u", "--label", "Tests/abi/first.expected", "--label", "now", expected, folder / "printed").stdout
        raise Refused(f"the app of the first ABI prints something else:\n{difference}")
    # A library with today's stub for it must be as good as the first: nothing of the first header has changed.
    then = folder / "then.abi"
    then.write_text(description(stub), encoding="utf-8")
    now = compile_stub(plot_header.HEADER, plot_header.read(), folder / "now")
    report = run("abidiff", "--harmless", "--no-added-syms", then, now)
    if report.returncode:
        raise Refused(f"not what ABI 1 was:\n{report.stdout}{report.stderr}")
    changed = [name for name, value in first.constants.items() if plot_header.read().constants.get(name) != value]
    if changed:
        raise Refused(f"numbers of ABI 1 have changed: {', '.join(changed)}")
    return len(called)


# Changes that the gate must refuse: the edit of the header, and the text of the refusal. The last lines of the table are allowed.
SPOILS = [
    ("a function is gone", r"^size_t plot_string_get_length\([^;]*;", "", "plot_string_get_length"),
    ("a function has another name", r"\bplot_feed_get_region_count\b", "plot_feed_count_regions", "plot_feed_get_region_count is gone"),
    ("a parameter is narrower", r"int64_t seconds,\s+plot_error", "int32_t seconds, plot_error", "parameter 3"),
    ("a parameter has lost its sign", r"int32_t limit_tracking", "uint32_t limit_tracking", "plot_engine_set_advertising_identifier"),
    ("a parameter more", r"int64_t capacity,\s+plot_error", "int64_t capacity, int32_t flags, plot_error", "plot_engine_keep_decisions"),
    ("a pointer to const", r"plot_engine_disable\(plot_engine", "plot_engine_disable(const plot_engine", "plot_engine_disable"),
    ("another result", r"^void plot_string_free", "int32_t plot_string_free", "plot_string_free"),
    ("another callback", r"typedef void \(\*plot_wakeup_fn\)", "typedef int32_t (*plot_wakeup_fn)", "plot_wakeup_fn"),
    ("a record has grown", r"uint32_t campaign;", "uint32_t campaign; uint32_t more;", "plot_effect"),
    ("a record's values are swapped", r"uint32_t fix;([^;]*)uint32_t device;", r"uint32_t device;\1uint32_t fix;", "plot_effect"),
    ("a number has changed", r"#define PLOT_STORE_BUSY 10", "#define PLOT_STORE_BUSY 20", "PLOT_STORE_BUSY: was 10"),
    ("a number is gone", r"#define PLOT_HINT_OUTSIDE 3.*", "", "PLOT_HINT_OUTSIDE is gone"),
    ("an item key is spelled otherwise", r'"dateSent"', '"sentDate"', "PLOT_KEY_DATE_SENT"),
    ("a Since has changed", r"(plot_engine_get_lists[\s\S]*|)Since 4\. \*/\nint32_t plot_engine_explain", r"\1Since 3. */\nint32_t plot_engine_explain", "plot_engine_explain: said"),
    ("the number has gone back", r"version of this ABI: \d+", "version of this ABI: 4", "says ABI 4"),
    ("a function is new, and no number", r"^void plot_string_free", "int32_t plot_new_one(int32_t value);\nvoid plot_string_free", "plot_new_one"),
    ("a declaration that nobody understands", r"^void plot_string_free", "extern int plot_data;\nvoid plot_string_free", "not understood"),
]  # fmt: skip


def spoil(text, pattern, replacement):
    spoilt, count = re.subn(pattern, replacement, text, count=1, flags=re.M)
    if not count:
        raise Refused(f"the header has nothing like {pattern} to spoil")
    return spoilt


def check_gate(work):
    """The gate refuses each spoilt header and each lack of a baseline, and takes an addition with its number."""
    text = plot_header.HEADER.read_text(encoding="utf-8")

    def refused(what, said, *arguments):
        try:
            compare(*arguments)
        except Refused as refusal:
            if said not in str(refusal):
                raise Refused(f"the gate refuses '{what}', but for another reason: {refusal}") from None
        else:
            raise Refused(f"the gate takes a header where {what}")

    for index, (what, pattern, replacement, said) in enumerate(SPOILS):
        path = work / f"spoilt-{index}.h"
        path.write_text(spoil(text, pattern, replacement), encoding="utf-8")
        refused(what, said, path, work / f"spoilt-{index}")
    number, path, _ = baseline()
    grown = spoil(text, r"^/\* Frees a string", "/* New. Since %d. */\nint32_t plot_new_one(int32_t value);\n\n/* Frees a string" % (number + 1))
    grown = spoil(grown, r"version of this ABI: \d+", f"version of this ABI: {number + 1}")
    (work / "grown.h").write_text(spoil(grown, r"^#define PLOT_OK 0", "#define PLOT_NEW_ONE 99\n#define PLOT_OK 0"), encoding="utf-8")
    _, _, added = compare(work / "grown.h", work / "grown")
    if not {f"plot_new_one (since {number + 1})", "PLOT_NEW_ONE 99"} <= set(added):
        raise Refused(f"the gate does not list what is new: {added}")
    lacking = work / "lacking"
    lacking.mkdir()
    refused("there is no baseline", "there is no baseline", plot_header.HEADER, work / "none", lacking)
    (lacking / path.name).write_text("", encoding="utf-8")
    refused("the baseline is empty", "is no baseline", plot_header.HEADER, work / "none", lacking)
    shutil.copyfile(path, lacking / path.name)
    refused("the baseline has no record", "is no baseline", plot_header.HEADER, work / "none", lacking)
    return len(SPOILS) + 3


def write_baseline():
    header = plot_header.read()
    path = BASELINES / f"plotengine-{header.abi}.abi"
    with tempfile.TemporaryDirectory() as work:
        text = description(compile_stub(plot_header.HEADER, header, pathlib.Path(work)))
    wanted = {path: text, path.with_suffix(".json"): json.dumps(record(header), indent=1) + "\n"}
    for file, content in wanted.items():
        if file.exists() and file.read_text(encoding="utf-8") != content:
            raise Refused(f"{file} is there, and is another: what has landed does not change")
    if path.exists():
        return print(f"abi: the baseline of ABI {header.abi} is there already, and the same")
    if any(BASELINES.glob("plotengine-*.abi")):
        with tempfile.TemporaryDirectory() as work:
            compare(plot_header.HEADER, pathlib.Path(work))
    for file, content in wanted.items():
        file.write_text(content, encoding="utf-8")
    print(f"abi: made {path.relative_to(ROOT)} and its record, {len(header.functions)} functions, {len(header.constants)} constants")


def main():
    for tool in ("abidiff", "abidw", "gcc", "nm"):
        if not shutil.which(tool):
            raise Refused(f"{tool} is missing: scripts/install-deps.sh test installs it")
    if sys.argv[1:] == ["--baseline"]:
        return write_baseline()
    if sys.argv[1:]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        header, number, added = compare(plot_header.HEADER, work / "today")
        check_symbols(header)
        called = check_first(work / "first")
        refused = check_gate(work)
    pages.check_figures(ROOT / "docs/reliability.md", f"{len(header.functions)} functions, {len(header.constants)} constants")
    for line in added:
        print(f"abi: new since ABI {number}: {line}")
    print(
        f"abi: {len(header.functions)} functions and {len(header.constants)} constants, ABI {header.abi}: all of ABI {number} unchanged, {len(added)} added;"
        f" an app of ABI 1 runs ({called} functions); {refused} spoilt inputs refused"
    )


if __name__ == "__main__":
    try:
        main()
    except (Refused, pages.Fault) as refusal:
        sys.exit("\n".join(f"abi: {line}" for line in str(refusal).splitlines()))
