#!/usr/bin/env python3
"""Fuzzes the library and the tool's readers with libFuzzer and the address sanitizer (docs/reliability-fuzz.md).

    make fuzz                                  each target for 20 seconds of processor
    make fuzz FUZZ="--seconds 3600"            each for an hour
    make fuzz FUZZ="--only life,feed"          some of them
    make fuzz FUZZ="--only track:fit,track:kml"  some of the tool's readers, each for that time; track:all is every one
    make fuzz FUZZ="--only node"               the buffers that Node gives the library, which change while it reads them
    make fuzz FUZZ=--replay                    the corpora of the tree once, under the sanitizer, and nothing else
    make fuzz FUZZ=--minimize                  what was found so far, and the seeds, into Tests/fuzz/corpus

What is found lies in build/fuzz/crashes/TARGET-…; play one with build/fuzz/TARGET FILE. The status is 1 when something was found, 2 when it could
not be looked for.
"""

import argparse
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Tests" / "fuzz"
CORPUS = SOURCES / "corpus"
OUT = ROOT / "build" / "fuzz"
PACKAGE = ROOT / ".build-fuzz"
# The target, and the largest input that libFuzzer makes for it.
TARGETS = {
    "config": 4096, "feed": 16384, "feedfile": 32768, "geometry": 8192, "item": 4096, "life": 4096, "message": 4096, "numbers": 96,
    "recording": 60000, "state": 1025, "store": 4096, "zone": 4096, "track": 8192,
}
# The readers of the target track, by the byte that its inputs begin with (Fuzz/Sources/FuzzReaders/Readers.swift).
READERS = (
    "gpx", "geojson", "csv", "background", "moves", "hints", "sightings", "rules", "places-kml", "tcx", "kml", "gpx-pace", "kml-pace", "google",
    "gnss", "nmea", "fit", "places-csv",
)
# Played in Node against build/lib (bindings/node/fuzz/buffers.js): there is no corpus, a round is made from its seed.
NODE = "node"
# How many files of a corpus the tree keeps at the most, and how large each may be.
KEPT_FILES, KEPT_BYTES = 60, 20_000
# After so many seconds libFuzzer begins anew with what it has.
LONGEST_TURN = 900


def fail(message):
    print(f"fuzz: {message}", file=sys.stderr)
    sys.exit(2)


def environment():
    own = dict(os.environ)
    # A trap is told by libFuzzer, with its input; Swift's own backtrace would wait for a debugger.
    own["SWIFT_BACKTRACE"] = "enable=no"
    own["ASAN_OPTIONS"] = "detect_leaks=1:detect_stack_use_after_return=0:allocator_may_return_null=1"
    symbolizer = toolchain() / "llvm-symbolizer"
    if symbolizer.exists():
        own["ASAN_SYMBOLIZER_PATH"] = str(symbolizer)
    return own


def toolchain():
    swift = shutil.which(os.environ.get("SWIFT", "swift"))
    if swift is None:
        fail("Swift is missing; make SWIFT=/path/to/swift")
    return pathlib.Path(swift).resolve().parent


def run(command, **more):
    if subprocess.run(command, cwd=ROOT, check=False, **more).returncode != 0:
        fail("failed: " + " ".join(map(str, command)))


def build(targets):
    clang = toolchain() / "clang"
    probe = subprocess.run([clang, "-print-runtime-dir"], capture_output=True, text=True, check=False)
    runtimes = list(pathlib.Path(toolchain().parent).glob("lib/clang/*/lib/*/libclang_rt.fuzzer*"))
    if probe.returncode != 0 or not runtimes:
        fail(f"{clang} has no libFuzzer; take a toolchain of swift.org, which has")
    swift = [str(toolchain() / "swift"), "build", "--package-path", "Fuzz", "--scratch-path", str(PACKAGE)]
    swift += ["-c", "release", "--product", "plotfuzz", *os.environ.get("SWIFTFLAGS", "").split()]
    run(swift)
    library = PACKAGE / "release"
    OUT.mkdir(parents=True, exist_ok=True)
    run([sys.executable, SOURCES / "seeds.py", "--tables", OUT / "scenarios.inc"])
    run([sys.executable, ROOT / "Tests/abuse/check_abuse.py", "--headers", OUT])
    for target in targets:
        flags = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=fuzzer,address", "-fuse-ld=lld"]
        paths = [f"-I{ROOT / 'include'}", f"-I{OUT}", f"-L{library}", f"-Wl,-rpath,{library}", "-lplotfuzz", "-ljansson", "-lsqlite3", "-lsodium", "-lm"]
        run([clang, *flags, "-o", OUT / target, SOURCES / f"{target}.c", *paths])


def made_by_engine(seeds):
    """Seeds that only the engine can make: the beginnings of recordings, by the target life, and compiled feeds."""
    made = OUT / "made"
    for name in ("recording", "feedfile"):
        shutil.rmtree(made / name, ignore_errors=True)
        (made / name).mkdir(parents=True)
    if not (OUT / "life").exists():
        build(["life"])
    own = environment() | {"FUZZ_RECORDINGS": str(made / "recording")}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    subprocess.run([OUT / "life", "-runs=0", seeds / "life"], cwd=ROOT, env=own, **quiet)
    for path in (made / "recording").iterdir():
        text = path.read_bytes()
        cut = text.rfind(b"\n", 0, KEPT_BYTES) + 1
        path.write_bytes(text[:cut]) if cut else path.unlink()
    tool = ROOT / "build/bin/plot"
    if not tool.exists():
        fail(f"{tool} is missing: run make")
    for path in sorted((seeds / "feed").iterdir()):
        target = made / "feedfile" / path.name
        subprocess.run([tool, "feed", "compile", path, "-o", target], cwd=ROOT, **quiet)
        if target.exists() and target.stat().st_size > KEPT_BYTES:
            target.unlink()


def corpus_of(target):
    folder = CORPUS / target
    if not folder.is_dir() or not any(folder.iterdir()):
        fail(f"{folder} is missing or empty")
    return folder


def seeds_for(target):
    folder = OUT / "seeds"
    run([sys.executable, SOURCES / "seeds.py", "--seeds", folder])
    if target in ("recording", "feedfile"):
        made_by_engine(folder)
        run([sys.executable, SOURCES / "seeds.py", "--seeds", folder])
    return folder / target


def cpu_of(command, log, reader=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, "wb") as out:
        own = environment() | ({"FUZZ_READER": reader} if reader else {})
        status = subprocess.run(command, cwd=ROOT, env=own, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False).returncode
    behind = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, behind.ru_utime + behind.ru_stime - before.ru_utime - before.ru_stime


def number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def program_of(target):
    """The program of a target, which may be one of its readers: track for track:fit."""
    return target.partition(":")[0]


def file_of(target):
    """The target in the name of a file."""
    return target.replace(":", "-")


def reader_of(target):
    """The reader that a target like track:fit is about, as FUZZ_READER has it; None for a whole target."""
    return str(READERS.index(target.partition(":")[2])) if ":" in target else None


def played(target, options, folders):
    program = program_of(target)
    (OUT / "crashes").mkdir(parents=True, exist_ok=True)
    (OUT / "logs").mkdir(parents=True, exist_ok=True)
    log = OUT / "logs" / f"{file_of(target)}.log"
    command = [
        OUT / program, f"-artifact_prefix={OUT}/crashes/{file_of(target)}-", f"-max_len={TARGETS[program]}", "-timeout=120",
        "-rss_limit_mb=4000", "-print_final_stats=1", *options, *folders,
    ]
    status, cpu = cpu_of(command, log, reader_of(target))
    text = log.read_text("utf-8", "replace")
    runs = number(r"stat::number_of_executed_units: (\d+)", text)
    coverage = number(r"cov: (\d+)", text)
    with open(OUT / "cpu.tsv", "a", encoding="utf-8") as ledger:
        ledger.write(f"{target}\t{cpu:.1f}\t{runs}\t{coverage}\t{status}\n")
    print(f"{target:16} {cpu:8.0f} s of processor {runs:10} runs {coverage:7} edges  {'ok' if status == 0 else 'FOUND'}", flush=True)
    if status != 0:
        wanted = ("CHECK", "ERROR", "SUMMARY", "Fatal error", "Test unit written", f"{program}.c:", "walk.h:", "fuzz.h:")
        for line in [line for line in text.splitlines() if any(word in line for word in wanted)][:8]:
            print("   ", line[:400])
        print(f"    the whole log: {log}")
    return status == 0, cpu


def fuzzed(target, seconds):
    """Until the processor has spent so many seconds, whatever else runs beside."""
    work = OUT / "work" / file_of(target)
    work.mkdir(parents=True, exist_ok=True)
    spent = 0
    while spent < seconds:
        turn = math.ceil(min(seconds - spent, LONGEST_TURN))
        good, cpu = played(target, [f"-max_total_time={turn}"], [work, corpus_of(program_of(target))])
        if not good:
            return False
        spent += cpu
    return True


def fuzzed_in_node(seconds):
    """The rounds of a few seeds, each in a process of its own; prints the seed and the round of what it finds."""
    folder = ROOT / "bindings" / "node"
    if shutil.which("node") is None or not (ROOT / "build/lib/libplotengine.so.0").exists():
        fail("node and build/lib/libplotengine.so.0 are needed: install Node, and run make")
    run(["node", folder / "shim" / "build.js"])
    spent = 0
    while spent < seconds:
        turn = math.ceil(min(seconds - spent, LONGEST_TURN))
        if subprocess.run(["node", folder / "fuzz" / "buffers.js", "--seconds", str(turn)], cwd=folder, check=False).returncode != 0:
            return False
        spent += turn
    return True


def minimize(targets):
    for target in targets:
        seeds = seeds_for(target)
        merged = OUT / "merged" / target
        shutil.rmtree(merged, ignore_errors=True)
        merged.mkdir(parents=True)
        given = [folder for folder in (CORPUS / target, OUT / "work" / target, seeds) if folder.is_dir()]
        if not played(target, ["-merge=1"], [merged, *given])[0]:
            fail("the corpus is not clean")
        files = sorted((path.stat().st_size, path.name, path) for path in merged.iterdir())
        files = [path for size, _, path in files if size <= KEPT_BYTES]
        # Small ones first, and then some of the larger, which reach what small ones cannot; by chance, but always the same.
        kept = files if len(files) <= KEPT_FILES else files[: KEPT_FILES // 3]
        if len(files) > KEPT_FILES:
            kept += random.Random(1).sample(files[KEPT_FILES // 3 :], KEPT_FILES - len(kept))
        shutil.rmtree(CORPUS / target, ignore_errors=True)
        (CORPUS / target).mkdir(parents=True)
        for path in kept:
            shutil.copy(path, CORPUS / target / path.name[:16])
        print(f"{target}: {len(kept)} of {len(files)} files")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20, help="of processor, for each target (default: 20)")
    parser.add_argument("--only", help="targets, with commas between them: " + ", ".join([*TARGETS, NODE]) + "; track:READER")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--minimize", action="store_true")
    parser.add_argument("--no-build", action="store_true", help="with what was built before")
    options = parser.parse_args()
    targets = options.only.split(",") if options.only else [*TARGETS, NODE]
    named = {*TARGETS, NODE, *(f"track:{reader}" for reader in READERS)}
    if "track:all" in targets:
        at = targets.index("track:all")
        targets[at : at + 1] = [f"track:{reader}" for reader in READERS]
    for target in targets:
        if target not in named:
            parser.error(f"no target {target}; there are {', '.join([*TARGETS, NODE])}, and track: with one of {', '.join(READERS)}, all")
    wants_node = NODE in targets and not options.replay and not options.minimize
    targets = [target for target in targets if target != NODE]
    if targets and not options.no_build:
        build(sorted({program_of(target) for target in targets}))
    if options.minimize or options.replay:
        targets = sorted({program_of(target) for target in targets})
    if options.minimize:
        return minimize(targets)
    good = True
    for target in targets:
        if options.replay:
            good &= played(target, ["-runs=0"], [corpus_of(target)])[0]
        else:
            good &= fuzzed(target, options.seconds)
    if wants_node:
        good &= fuzzed_in_node(options.seconds)
    print("fuzz: nothing was found" if good else f"fuzz: something was found; its inputs are in {OUT}/crashes")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
