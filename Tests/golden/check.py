#!/usr/bin/env python3
"""The golden corpus (Tests/golden): bytes that a former release has made, and that this one must make again, or read.

    Tests/golden/check.py                   checks everything, with the library and the tool in build/
    Tests/golden/check.py --self            checks that a byte that is changed is noticed, of each kind
    Tests/golden/check.py --output FOLDER   writes all that is compared to FOLDER: with --build, for two builds, and then `diff -r`
    Tests/golden/check.py --add             takes up vectors that are new; fails when anything else is different
    Tests/golden/check.py --write           renews the sums. WARNING: only for an intended change of behaviour. It needs a line in CHANGELOG.md that
                                              says what changes, and a review of how `--output` of both builds differs

Tests/golden/README.md says what there is, and how to read a failure.
"""

import argparse
import base64
import gzip
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import golden_store

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / "Tests" / "golden"
VECTORS = ROOT / "Tests" / "vectors"
SUMS = PLACE / "sums.txt"
KEPT = PLACE / "kept"

# Worlds whose feeds are kept compiled, and lives that are lived with them.
COMPILED = {"town-04": "town-04.0", "town-05": "town-05.3", "beacon-eddystone": "beacon-eddystone.1"}
# The lives that are kept whole: every so manyth life, with its log and its tables.
EVERY = 16
# How a life goes on in a store that is kept: so many more steps.
FURTHER = 40
# The life in whose store old versions are made: it has rows in most tables.
DONOR = "town-05.4"
SUBSET = {
    "vectors": ["message-rules", "quiet-waits-over-a-restart", "a15-moving-region"],
    "lives": ["town-04.0", "town-04.1", "a15-moving-region.0", "beacon-eddystone.1"],
    "stores": ["a15-moving-region.long-4", "version-1", "version-2", "version-3"],
}
# The demo's walk, in two ways. No --map: it is not about decisions.
WALKS = {
    "walk": [],
    "walk-with-rules": ["--rules", "demo/rules.json", "--sightings", "demo/beacons.csv", "--time-zone", "Europe/Amsterdam"],
}


class Fault(Exception):
    pass


def shorter(line, at, length=160):
    """A part of a line, around a byte of it."""
    start = max(0, at - length // 2)
    part = line[start:start + length].decode("utf-8", "replace")
    return ("…" if start else "") + part + ("…" if start + length < len(line) else "")


def difference(expected, given):
    """Where two texts part, in words."""
    old, new = expected.split(b"\n"), given.split(b"\n")
    for number in range(max(len(old), len(new))):
        was = old[number] if number < len(old) else b"(no more lines)"
        now = new[number] if number < len(new) else b"(no more lines)"
        if was != now:
            at = next((at for at, (a, b) in enumerate(zip(was, now)) if a != b), min(len(was), len(now)))
            images = [re.search(rb'"store":"([^"]*)"', line) for line in (was, now)]
            if all(images) and at > min(image.start() for image in images):
                return f"line {number + 1}, the image of the store: {difference_of_images(images[0][1], images[1][1])}"
            return f"line {number + 1}, from byte {at + 1} on\n      expected {shorter(was, at)}\n      given    {shorter(now, at)}"
    return "what is kept is the same, its sum is not: sums.txt and kept/outputs do not belong together"


def difference_of_images(expected, given):
    """Of their tables, where these are different; both are in base64."""
    texts = []
    try:
        for image in (expected, given):
            with golden_store.in_memory(base64.b64decode(image)) as connection:
                # The page that is set aside is no page of a table any more.
                connection.execute("PRAGMA writable_schema = ON")
                connection.execute("DELETE FROM sqlite_schema WHERE name = 'log'")
                texts.append(golden_store.text_of(connection))
    except (ValueError, sqlite3.Error) as error:
        return f"it cannot be read: {error}"
    if texts[0] == texts[1]:
        return f"the tables are the same, their bytes are not"
    return difference(*texts)


def portable(text, is_of_vector=False):
    """A recording without what differs between machines and builds:
    - the rules of time zones, which are the system's; their names stay
    - the version of the library
    - one page of a store's image, which shows how long a random number was (golden_store.without_seed)
    - of a vector, the digest of its feed: each version of jansson writes that text's numbers in its own way, before the library reads it"""
    digests = set(re.findall(rb'^\{"input":"feed",[^{]*"digest":"([^"]*)"', text, re.M)) if is_of_vector else set()

    def image(match):
        data = golden_store.without_seed(base64.b64decode(match[1]))
        for digest in digests:
            data = data.replace(digest, b"-" * len(digest))
        return b'"store":"' + base64.b64encode(data) + b'"'

    def line(text):
        if text.startswith(b'{"recording":'):
            text = re.sub(rb'"library":"[^"]*"', b'"library":"-"', text, count=1)
            text = re.sub(rb'"store":"([^"]*)"', image, text)
        if b'"zones":{' in text:
            text = re.sub(rb'"zones":\{[^}]*\}', lambda zones: re.sub(rb'":"[^"]*"', b'":"-"', zones[0]), text)
        if digests and text.startswith(b'{"input":"feed",'):
            text = re.sub(rb'"digest":"[^"]*"', b'"digest":"-"', text, count=1)
        return text

    return b"\n".join(line(one) if one.startswith((b'{"recording":', b'{"input":')) else one for one in text.split(b"\n"))


def packed(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def unpacked(path):
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise Fault(f"{path.name} cannot be read: {error}") from None


class Golden:
    """The files that this build makes, each under its name: bytes."""

    def __init__(self, build, work, kept=KEPT, subset=None):
        self.build, self.work, self.kept, self.subset = build, work, kept, subset
        self.made = {}
        # As they came, before they were made portable: these can be played again.
        self.raw = {}
        self.faults = []
        self.environment = {**os.environ, "LD_LIBRARY_PATH": str(build / "lib"), "TMPDIR": str(work)}

    def add(self, name, data):
        if name in self.made:
            raise Fault(f"{name} is there twice")
        self.made[name] = data

    def run(self, *command, cwd=None, check=True):
        done = subprocess.run([str(part) for part in command], capture_output=True, env=self.environment, cwd=cwd or self.work, timeout=600)
        if check and done.returncode:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[-1500:]
            raise Fault(f"{pathlib.Path(command[0]).name} {' '.join(map(str, command[1:3]))} ended with {done.returncode}: {said}")
        return done

    def folder(self, name):
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def compile(self, source, name):
        library = self.build / "lib"
        # No other rounding than that of each operation, on any processor.
        flags = ["-std=gnu11", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", f"-L{library}"]
        jansson = subprocess.run(["pkg-config", "--cflags", "--libs", "jansson"], capture_output=True, text=True, check=True).stdout.split()
        self.run(os.environ.get("CC", "cc"), *flags, "-o", self.work / name, source, "-lplotengine", *jansson, "-lm")
        return self.work / name

    def names(self, kind, all_of):
        return [name for name in all_of if not self.subset or name in self.subset[kind]]

    def all(self):
        self.program = self.compile(PLACE / "golden.c", "golden")
        self.vectors()
        self.lives()
        self.feeds()
        self.records()
        if self.kept.is_dir():
            self.stores()
            self.compiled()
            self.replays()

    # Recordings

    def vectors(self):
        """Every life of every vector is recorded."""
        names = self.names("vectors", sorted(path.stem for path in VECTORS.glob("*/*.json")))
        runner = self.compile(VECTORS / "run.c", "run_vectors")
        source, target = VECTORS, self.folder("vectors")
        if self.subset:
            source = self.folder("chosen")
            for name in names:
                for ending in (".json", ".effects.jsonl"):
                    shutil.copy(next(VECTORS.glob(f"*/{name}{ending}")), source)
        self.environment["PLOT_VECTORS_RECORD"] = str(target)
        # Effects that differ are told by Tests/vectors/run.sh; here it is about the bytes of the recordings.
        done = self.run(runner, source, check=False)
        del self.environment["PLOT_VECTORS_RECORD"]
        if done.returncode not in (0, 1):
            raise Fault(f"the vectors cannot be played: {done.stderr.decode()[-1500:]}")
        self.pass_vectors = done.returncode == 0
        for name in names:
            parts = sorted(target.glob(f"{name}.*.jsonl"), key=lambda path: int(path.suffixes[-2][1:]))
            parts = [part for part in parts if part.name.rsplit(".", 2)[0] == name]
            text = b"".join(part.read_bytes() for part in parts)
            self.raw[f"vector/{name}"] = text
            self.add(f"vector/{name}", portable(text, True))

    def lives(self):
        """Long random lives: all that they say, and the store that each leaves."""
        lives = {line.split()[0]: line for line in (PLACE / "lives.txt").read_text().splitlines()}
        self.live([lives[name] for name in self.names("lives", lives)], self.folder("lives"))

    def live(self, lines, folder, prefix=""):
        """Plays lives; a store that lies in the folder already is taken."""
        (folder / "list.txt").write_text("".join(f"{line}\n" for line in lines))
        self.run(self.program, "lives", PLACE / "worlds.json", "list.txt", ".", cwd=folder)
        for line in lines:
            name = line.split()[0]
            text = (folder / f"{name}.jsonl").read_bytes()
            self.raw[f"{prefix}life/{name}"] = text
            self.add(f"{prefix}life/{name}", portable(text))
            store = folder / f"{name}.store"
            if store.exists():
                self.files(f"{prefix}store/{name}", store)

    def files(self, name, store):
        """The contents of the files of a store. They cannot be the same bytes: a store begins with a random seed, which each checksum of its log follows
        from, and SQLite salts a -wal at random. Therefore
        - a log is compared without its checksums, once these were found to be right
        - a file that was closed is compared but for the page with the seed
        - a file with a -wal is compared by its tables, without the seed"""
        log, wal = (store.with_name(store.name + ending) for ending in ("-log", "-wal"))
        if not log.exists() and not wal.exists():
            self.add(f"{name}/file", golden_store.without_seed(store.read_bytes()))
        copy = self.folder("copy")
        for path in (store, wal):
            if path.exists():
                shutil.copy(path, copy)
        try:
            self.add(f"{name}/tables", golden_store.text_of_tables(copy / store.name))
            if log.exists():
                self.add(f"{name}/log", golden_store.text_of_log(log.read_bytes(), golden_store.seed_of(copy / store.name)))
        except (golden_store.Fault, sqlite3.Error) as fault:
            self.faults.append(f"{name}: {fault}")

    # Stores that a former release has left

    def stores(self):
        """Each is opened: what the engine knows then, and does next."""
        folder, lines = self.folder("stores"), []
        for line in (self.kept / "stores.txt").read_text().splitlines():
            name = line.split()[0]
            if self.subset and name not in self.subset["stores"]:
                continue
            for ending in ("", "-wal", "-log"):
                path = self.kept / "stores" / f"{name}.store{ending}.gz"
                if path.exists():
                    (folder / f"{name}.store{ending}").write_bytes(unpacked(path))
            if not (folder / f"{name}.store").exists():
                raise Fault(f"the store {name} is missing")
            lines.append(line)
        self.count_statements(folder)
        self.live(lines, folder, "kept/")

    def count_statements(self, folder):
        """Every kind of statement is in a log that is kept."""
        counts = dict.fromkeys(golden_store.KINDS, 0)
        for log in sorted(folder.glob("*.store-log")):
            copy = self.folder("copy")
            for ending in ("", "-wal"):
                path = log.with_name(log.name.removesuffix("-log") + ending)
                if path.exists():
                    shutil.copy(path, copy)
            try:
                for name in golden_store.kinds_of_log(log.read_bytes(), golden_store.seed_of(copy / log.name.removesuffix("-log"))):
                    counts[name] += 1
            except (golden_store.Fault, IndexError, sqlite3.Error) as fault:
                self.faults.append(f"kept/{log.name}: {fault}")
        self.statements = counts
        missing = [name for name, count in counts.items() if not count]
        if missing and not self.subset:
            self.faults.append(f"no log that is kept has the statements {', '.join(missing)}")
        sources = [path for path in (ROOT / "Sources").rglob("*.swift") if re.search(r"^enum Statement: UInt8\b", path.read_text("utf-8"), re.M)]
        if len(sources) != 1:
            raise Fault(f"expected one file of Sources with `enum Statement: UInt8`, found {len(sources)}")
        cases = {int(number): name for name, number in re.findall(r"^  case (\w+) = (\d+)$", sources[0].read_text("utf-8"), re.M)}
        if cases != {number: name for number, (name, _) in enumerate(golden_store.STATEMENTS, 1)}:
            self.faults.append(f"{sources[0].name} has other statements than Tests/golden/golden_store.py: put a new one there, and keep a log that has it")

    # Compiled feeds

    def feeds(self):
        source, target = self.folder("sources"), self.folder("feeds")
        names = self.names("vectors", sorted(path.stem for path in VECTORS.glob("*/*.json")))
        feeds = {f"vector-{name}": json.loads(next(VECTORS.glob(f"*/{name}.json")).read_bytes())["feed"] for name in names}
        feeds = {name: json.dumps(feed, separators=(",", ":"), ensure_ascii=False) for name, feed in feeds.items()}
        for world in json.loads((PLACE / "worlds.json").read_bytes()):
            if not self.subset or world["name"] in COMPILED:
                feeds |= {f"{world['name']}.{number}": feed for number, feed in enumerate(world["feeds"])}
        for name, feed in feeds.items():
            (source / name).write_text(feed, encoding="utf-8")
        shutil.copy(ROOT / "demo" / "feed.json", source / "demo")
        (self.work / "feeds.txt").write_text("".join(f"{name} sources/{name}\n" for name in [*feeds, "demo"]))
        self.run(self.program, "feeds", "feeds.txt", "feeds")
        for name in [*feeds, "demo"]:
            self.add(f"feed/{name}", (target / f"{name}.feed").read_bytes())
        # The tool makes the same file.
        self.run(self.build / "bin" / "plot", "feed", "compile", "--quiet", ROOT / "demo" / "feed.json", "-o", "demo.feed")
        self.add("feed/demo-by-the-tool", (self.work / "demo.feed").read_bytes())

    def compiled(self):
        """Feeds that a former release has compiled lead to the same lives and records as those that they were made of."""
        folder = self.folder("compiled")
        for path in sorted((self.kept / "feeds").glob("*.feed.gz")):
            (folder / path.name.removesuffix(".gz")).write_bytes(unpacked(path))
        names = self.names("lives", COMPILED.values())
        lines = [line for line in (PLACE / "lives.txt").read_text().splitlines() if line.split()[0] in names]
        for world in COMPILED:
            if not (folder / f"{world}.0.feed").exists():
                raise Fault(f"the compiled feed {world}.0 is missing")
        (folder / "list.txt").write_text("".join(f"{line}\n" for line in lines))
        self.run(self.program, "lives", PLACE / "worlds.json", "list.txt", ".", cwd=folder)
        for name in names:
            self.same(f"life/{name}", portable((folder / f"{name}.jsonl").read_bytes()), "with the compiled feed that is kept")
        for name, data in self.walk("walk", folder / "demo.feed").items():
            self.same(name, data, "with the compiled feed that is kept")

    def same(self, name, data, how):
        if data != self.made[name]:
            self.faults.append(f"{name}, {how}: {difference(self.made[name], data)}")

    # Records

    def walk(self, name, feed):
        folder = self.folder("walk")
        outputs = {key: folder / f"{key}.jsonl" for key in ("events", "decisions", "record", "plan-file")}
        options = [part for key, path in outputs.items() for part in (f"--{key}", path)]
        done = self.run(
            self.build / "bin" / "plot", "simulate", "--config", "demo/plotconfig.json", "--feed", feed, "--track", "demo/walk.gpx",
            "--property", "language=en", "--property", "premiumMember=true", "--plan", "12", *options, *WALKS[name], cwd=ROOT)
        texts = {f"record/{name}/{key}": path.read_bytes() for key, path in outputs.items()}
        self.raw[f"record/{name}/record"] = texts[f"record/{name}/record"]
        texts[f"record/{name}/record"] = portable(texts[f"record/{name}/record"])
        return texts | {f"record/{name}/timeline": done.stdout}

    def records(self):
        for name in WALKS:
            for key, data in self.walk(name, "demo/feed.json").items():
                self.add(key, data)

    # Recordings that a former release has made

    def replays(self):
        """They give themselves."""
        folder, count = self.folder("replays"), 0
        for path in sorted((self.kept / "outputs").rglob("*.gz")):
            name = str(path.relative_to(self.kept / "outputs")).removesuffix(".gz")
            if not name.startswith(("vector/", "life/")) and not name.endswith("/record") or self.subset and name not in self.raw:
                continue
            recordings = []
            for line in unpacked(path).splitlines(keepends=True):
                if line.startswith(b'{"recording":'):
                    recordings.append([])
                if not line.startswith((b'{"call":', b'{"told":', b'{"knows":', b'{"segment":')):
                    recordings[-1].append(line)
            for number, lines in enumerate(recordings):
                count += 1
                (folder / f"{name.replace('/', '-')}.{number}.jsonl").write_bytes(b"".join(lines))
        done = self.run(self.build / "bin" / "plot", "replay", folder, check=False)
        if done.returncode:
            said = (done.stdout + done.stderr).decode("utf-8", "replace").replace(str(folder) + "/", "")
            faulty = "\n      ".join(line[:300] for line in said.splitlines() if not line.endswith(": the same"))
            self.faults.append(f"a recording that is kept comes out otherwise when it is played:\n      {faulty[:3000]}")
        if not count:
            raise Fault("no recording is kept")
        self.replayed = count


# ---- Comparing


def read_sums():
    if not SUMS.exists():
        raise Fault("Tests/golden/sums.txt is missing")
    return {name: total for total, name in (line.split("  ", 1) for line in SUMS.read_text().splitlines())}


def write_sums(sums):
    SUMS.write_text("".join(f"{total}  {name}\n" for name, total in sorted(sums.items())))


def compare(golden, sums):
    """Faults: what is otherwise, is missing, or is too much; under the name of each. Of a subset, nothing is missing."""
    faults = {}
    for name, data in golden.made.items():
        if name not in sums:
            faults[name] = f"{name}: there is no sum of it; --add takes up a vector that is new"
        elif golden_store.sum_of(data) != sums[name]:
            path = golden.kept / "outputs" / f"{name}.gz"
            where = "only its sum is kept: see README.md, `--output`"
            if path.exists():
                expected = unpacked(path)
                where = difference(portable(expected, name.startswith("vector/")) if name in golden.raw else expected, data)
            faults[name] = f"{name}: {where}"
    if not golden.subset:
        faults |= {name: f"{name}: there is a sum of it, but nothing has that name" for name in sums if name not in golden.made}
    return faults


def check(golden):
    golden.all()
    faults = list(compare(golden, read_sums()).values()) + golden.faults
    # Those that can be looked at come first.
    faults.sort(key=lambda fault: "\n" not in fault)
    for fault in faults[:40]:
        print(f"  {fault}", file=sys.stderr)
    if len(faults) > 40:
        print(f"  and {len(faults) - 40} more", file=sys.stderr)
    if faults:
        raise Fault(f"{len(faults)} faults; Tests/golden/README.md says how to read them")
    kinds = {}
    for name in golden.made:
        kinds[name.split("/")[0]] = kinds.get(name.split("/")[0], 0) + 1
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"golden: {len(golden.made)} sums ({counts}), {golden.replayed} recordings played again, "
          f"{sum(golden.statements.values())} statements of {len(golden.statements)} kinds in logs that are kept: the same")


# ---- Making


def keep(golden):
    """Whole outputs of some names, so that a difference can be looked at, and old recordings be played."""
    shutil.rmtree(KEPT / "outputs", ignore_errors=True)
    lives = [line.split()[0] for line in (PLACE / "lives.txt").read_text().splitlines()]
    kept_lives = lives[::EVERY]
    for name in golden.made:
        kind, of, *rest = name.split("/")
        if kind in ("vector", "record") or kind in ("life", "store") and of in kept_lives and rest != ["file"]:
            packed(KEPT / "outputs" / f"{name}.gz", golden.raw.get(name, golden.made[name]))


def keep_feeds(golden):
    for name in ["demo", *(f"{world}.0" for world in COMPILED), *(f"{world}.1" for world in COMPILED)]:
        packed(KEPT / "feeds" / f"{name}.feed.gz", golden.made[f"feed/{name}"])


def keep_stores(golden):
    """Stores with a log that together have every kind of statement, as few as that takes; some that were closed; and one of each old version."""
    folder = golden.work / "lives"
    lives = {line.split()[0]: line.split() for line in (PLACE / "lives.txt").read_text().splitlines()}
    logs = {}
    for name in lives:
        log = folder / f"{name}.store-log"
        if not log.exists():
            continue
        copy = golden.folder("copy")
        for ending in ("", "-wal"):
            if (folder / f"{name}.store{ending}").exists():
                shutil.copy(folder / f"{name}.store{ending}", copy)
        seed = golden_store.seed_of(copy / f"{name}.store")
        logs[name] = (log.read_bytes(), seed, set(golden_store.kinds_of_log(log.read_bytes(), seed)))
    # An input that clears all data is never left in a log: it goes into the tables at once, so that no cleared data stays. And no life has a
    # store that was set aside, an app that acknowledges events, a campaign service, or
    # a campaign that waits for an absence, or a trip. Lines that are made here have them, behind those of a log.
    made = {"cleared": ("dataCleared", b""), "told": ("lossReported", b""), "consumer": ("consumer", b"\x03\x03app\x01\x04\x01\x00"),
            "sync": ("sync", b'\x03\x0e{"origin":"-"}'),
            "absence": ("absence", b"\x03\x04late\x01\x02" + bytes(4)), "absence-ended": ("absenceEnded", b"\x03\x04late"),
            "trip": ("trip", b"\x03\x01t\x01\x02\x03\x25" + b'{"id":"t","region":"r","mode":"auto"}'), "trip-ended": ("tripEnded", b"\x03\x01t"),
            "trip-told": ("tripReports", b"\x03\x01t" + 4 * b"\x01\x02" + b"\x00"), "trip-told-ended": ("tripReportsEnded", b"\x03\x01t")}
    wanted, chosen = set(golden_store.KINDS) - {kind for kind, _ in made.values()}, []
    while wanted:
        best = max(logs, key=lambda name: len(logs[name][2] & wanted) / (20_000 + len(logs[name][0].rstrip(b"\0"))))
        if not logs[best][2] & wanted:
            raise Fault(f"no life leaves a log with {', '.join(sorted(wanted))}: add lives")
        wanted -= logs[best][2]
        chosen.append(best)
    closed = [name for name, line in lives.items() if line[5] == "closed" and line[1].startswith("town")][::4]
    lines = []

    def put(name, life, files):
        last = json.loads((folder / f"{life}.jsonl").read_bytes().rstrip(b"\n").rsplit(b"\n", 1)[-1])
        for ending, data in files.items():
            packed(KEPT / "stores" / f"{name}.store{ending}.gz", data)
        lines.append(f"{name} {lives[life][1]} {len(lines) + 1} 2 {FURTHER} closed {last['now'] + 1000} {last['monotonic']}")

    for name in chosen + closed:
        store = folder / f"{name}.store"
        files = {ending: path.read_bytes() for ending in ("", "-wal", "-log") if (path := store.with_name(store.name + ending)).exists()}
        put(name, name, files)
        if name == chosen[0]:
            for other, (kind, values) in made.items():
                files["-log"] = with_line(*logs[name][:2], bytes([golden_store.KINDS.index(kind) + 1]) + values)
                put(other, name, files)
    if not (folder / f"{DONOR}.store").exists():
        raise Fault(f"{DONOR} has no store")
    for version in range(1, 5):
        put(f"version-{version}", DONOR, {"": old_version(golden, version, folder / f"{DONOR}.store")})
    (KEPT / "stores.txt").write_text("".join(f"{line}\n" for line in lines))


def with_line(log, seed, statements):
    """A log with one line more, which says the same numbers as the last one does."""
    lines = golden_store.lines(log, seed)
    reader = golden_store.Reader(lines[-1])
    for _ in range(4):
        reader.integer()
    line = (reader.at - 4 + len(statements)).to_bytes(4, "little") + lines[-1][4:reader.at] + statements
    for one in lines:
        seed = golden_store.checksum(one, seed)
    end = len(golden_store.MAGIC) + sum(8 + len(one) for one in lines)
    return log[:end] + golden_store.checksum(line, seed).to_bytes(8, "little") + line + bytes(4096)


def old_version(golden, version, donor):
    """A store as that version had it, with what a store of today has in the tables and columns that there were."""
    path = golden.folder("copy") / "old.store"
    shutil.copy(donor, path.with_name("donor"))
    script = (PLACE / "versions.sql").read_text().split(f"-- Version {version + 1}\n")[0]
    with golden_store.opened(path) as connection:
        connection.executescript(script)
        connection.execute("ATTACH ? AS donor", [str(path.with_name("donor"))])
        for (table,) in connection.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
            if table == "log":
                continue  # As in a store that has never had lines in its tables.
            columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT INTO main.{table} SELECT {columns} FROM donor.{table}")
        connection.commit()
    return path.read_bytes()


def need_vectors(golden):
    """A build that is older than the vectors, or at fault, must leave nothing in the corpus."""
    if not golden.pass_vectors:
        raise Fault("this build does not pass the vectors (Tests/vectors/run.sh): run make, or mend it")


def write(golden):
    """Outputs and sums; what a former release has left, only where it is missing."""
    golden.kept = golden.work / "none"
    golden.all()
    need_vectors(golden)
    if golden.faults:
        raise Fault("\n".join(golden.faults))
    keep(golden)
    if not (KEPT / "feeds").is_dir():
        keep_feeds(golden)
    if not (KEPT / "stores.txt").exists():
        shutil.rmtree(KEPT / "stores", ignore_errors=True)
        keep_stores(golden)
    golden.kept = KEPT
    golden.stores()
    golden.compiled()
    golden.replays()
    for fault in golden.faults:
        print(f"  {fault}", file=sys.stderr)
    if golden.faults:
        raise Fault("what former releases have left is not as it was")
    write_sums({name: golden_store.sum_of(data) for name, data in golden.made.items()})
    size = sum(path.stat().st_size for path in PLACE.rglob("*") if path.is_file())
    print(f"golden: {len(golden.made)} sums; {size / 1e6:.2f} MB in Tests/golden")


def add(golden):
    """New vectors only."""
    golden.all()
    need_vectors(golden)
    sums = read_sums()
    new = {name for name in golden.made if name not in sums and name.startswith(("vector/", "feed/vector-"))}
    faults = [fault for name, fault in compare(golden, sums).items() if name not in new] + golden.faults
    if faults:
        raise Fault("\n".join(["more than new vectors is different:", *faults[:20]]))
    for name in new:
        if name.startswith("vector/"):
            packed(KEPT / "outputs" / f"{name}.gz", golden.raw[name])
    write_sums(sums | {name: golden_store.sum_of(golden.made[name]) for name in new})
    print(f"golden: {len(new)} sums more")


# ---- Checking this check


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def foreign(golden):
    """In another time zone, and a locale with a decimal comma whose letters change case in their own way: neither may show in a byte."""
    if not (golden.work / "tr_TR.UTF-8").exists():
        subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", golden.work / "tr_TR.UTF-8"], capture_output=True)
    if not (golden.work / "tr_TR.UTF-8").exists():
        raise Fault("localedef cannot make tr_TR")
    golden.environment |= {"TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "LOCPATH": str(golden.work)}
    return golden


def check_self(build, work):
    """One byte is changed at a time: in what this build has made, and in what is kept."""
    sums = read_sums()
    golden = foreign(Golden(build, work, subset=SUBSET))
    golden.all()
    faults = list(compare(golden, sums).values()) + golden.faults
    if faults:
        raise Fault("\n".join(["without any change:", *faults]))
    kinds = {
        "a vector's recording": "vector/message-rules", "a life": "life/town-04.0", "a store's tables": "store/town-04.0/tables",
        "a store's file": "store/town-04.0/file", "a log": "store/town-04.1/log", "an old store": "kept/life/version-1",
        "an old store's tables": "kept/store/version-3/tables", "a compiled feed": "feed/demo", "the tool's feed": "feed/demo-by-the-tool",
        "events": "record/walk/events", "decisions": "record/walk/decisions", "what the walk prints": "record/walk-with-rules/timeline",
    }
    for kind, name in kinds.items():
        kept = golden.made[name]
        golden.made[name] = flipped(kept, len(kept) // 2)
        if list(compare(golden, sums)) != [name]:
            raise Fault(f"a changed byte in {kind} is not noticed")
        golden.made[name] = kept

    def damaged(what, path, change, *steps):
        """A kept life is changed in a copy, and read again."""
        copy = work / "kept"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(KEPT, copy)
        packed(copy / path, change(unpacked(copy / path)))
        other = foreign(Golden(build, work, copy, SUBSET))
        other.program, other.raw = golden.program, dict(golden.raw)
        other.made = {name: data for name, data in golden.made.items() if not name.startswith("kept/")}
        try:
            for step in steps:
                getattr(other, step)()
        except Fault:
            return
        if not compare(other, sums) and not other.faults:
            raise Fault(f"a changed byte in {what} is not noticed")

    def in_text(data):
        """One letter of the feed's JSON."""
        return flipped(data, data.index(b'"campaigns":[{') + 24)

    def in_log(data):
        """The last byte of the last line."""
        return flipped(data, len(data.rstrip(b"\0")) - 1)

    damaged("an old store", "stores/version-2.store.gz", in_text, "stores")
    damaged("a log that is kept", f"stores/{SUBSET['stores'][0]}.store-log.gz", in_log, "stores")
    damaged("a compiled feed that is kept", "feeds/demo.feed.gz", lambda data: flipped(data, len(data) // 2), "compiled")
    damaged("a recording that is kept", "outputs/vector/message-rules.gz", lambda data: flipped(data, data.index(b'"event":"') + 9), "replays")
    damaged("the walk that is kept", "outputs/record/walk/record.gz", lambda data: flipped(data, data.rindex(b'"event":"') + 9), "replays")
    print(f"golden: {len(kinds) + 5} changed bytes were noticed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="the folder with lib and bin (build)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--self", action="store_true", help="check this check")
    mode.add_argument("--output", type=pathlib.Path, help="write all that is compared to this folder")
    mode.add_argument("--add", action="store_true", help="take up new vectors")
    mode.add_argument("--write", action="store_true", help="renew the sums: only for an intended change of behaviour, with a line in CHANGELOG.md")
    options = parser.parse_args()
    build = options.build.resolve()
    for path in ("lib/libplotengine.so.0", "bin/plot"):
        if not (build / path).exists():
            raise Fault(f"{path} is missing in {build.name}: run make")
    # In memory where there is such a place: a store waits for its disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and "TMPDIR" not in os.environ else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        work = pathlib.Path(name)
        golden = Golden(build, work)
        if options.self:
            check_self(build, work)
        elif options.output:
            golden.all()
            for name, data in golden.made.items():
                path = options.output / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        elif options.add:
            add(golden)
        elif options.write:
            write(golden)
        else:
            check(golden)


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"golden: {fault}")
