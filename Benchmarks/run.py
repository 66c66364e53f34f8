#!/usr/bin/env python3
"""Runs the benchmarks and prints their table: Benchmarks/run.py [--quick] [--only NAME]... [--json FILE] [--markdown]

Builds the programs beside it against build/ (run `make` first; `make bench` does both), makes the workload with its fixed seed, and runs them
one after the other, pinned to one core where taskset is there. docs/performance.md says what each figure means.
"""

from __future__ import annotations

import argparse
import ctypes
import datetime
import filecmp
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "Benchmarks/programs"
BUILD = ROOT / "build/bench"
DATA = BUILD / "data"
SCRATCH = BUILD / "scratch"
LIBRARY = ROOT / "build/lib/libplotengine.so.0"
SHARED = ROOT.parent / "shared/geofence-bench"
PARTS = ("index", "engine", "phone", "doubled", "durable", "life", "feed", "memory", "startup", "batch", "roaming", "python", "node")

# The cost of an update in Tile38, in queries of Boost's packed R-tree: both were measured in one run, on another machine (reference/performance.md).
TILE38 = {100_000: 8_700 / 340, 1_000_000: 22_000 / 844}


def fail(message):
    sys.exit(f"bench: {message}")


def say(message):
    print(message, file=sys.stderr, flush=True)


class Bench:
    def __init__(self, options):
        self.options = options
        self.figures = {}  # name: {"unit", "values"}
        self.left_out = {}  # name: why
        self.compiled = set()
        self.environment = dict(os.environ, LD_LIBRARY_PATH=str(LIBRARY.parent))
        self.pin = []
        if shutil.which("taskset"):
            self.core = max(os.sched_getaffinity(0))
            self.pin = ["taskset", "-c", str(self.core)]
        else:
            self.core = None
            say("taskset is not there: the programs are not pinned to one core")

    # ---- Building ------------------------------------------------------------------------------------------

    def compile(self, name, *flags):
        source = next(path for path in (PROGRAMS / f"{name}.cpp", PROGRAMS / f"{name}.c") if path.exists())
        compiler = [os.environ.get("CC", "cc"), "-std=gnu11", "-O2"]
        if source.suffix == ".cpp":
            compiler = [os.environ.get("CXX", "g++"), "-std=gnu++17", "-O3", "-DNDEBUG"]
        target = BUILD / (f"lib{name}.so" if "-shared" in flags else name)
        if target in self.compiled:
            return target
        command = [*compiler, "-I", ROOT / "build/include", source, "-o", target, "-L", LIBRARY.parent, *flags, "-lm"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"{source.name} does not compile: {done.stderr[-3000:]}")
        self.compiled.add(target)
        return target

    def baselines(self):
        """Flags for the programs in C++: with each baseline that is there, without the others."""
        probes = {
            "BOOST": ("Boost.Geometry (libboost-dev)", "#include <boost/geometry/index/rtree.hpp>\nint main() { return 0; }", [[]]),
            "GEOS": (
                "GEOS (libgeos++-dev)",
                "#define USE_UNSTABLE_GEOS_CPP_API\n#include <geos/index/strtree/TemplateSTRtree.h>\n"
                "int main() { geos::index::strtree::TemplateSTRtree<int> tree; tree.insert(geos::geom::Envelope(0, 1, 0, 1), 1); return 0; }",
                [["-lgeos"]],
            ),
            "S2": (
                "S2 (libs2-dev)",
                "#include <s2/s2cell_index.h>\nint main() { S2CellIndex index; index.Build(); return 0; }",
                [["-ls2"], ["-ls2", "-labsl_raw_logging_internal", "-labsl_base"]],
            ),
        }
        flags = []
        for name, (what, source, choices) in probes.items():
            for choice in choices:
                command = [os.environ.get("CXX", "g++"), "-std=gnu++17", "-w", "-x", "c++", "-", "-o", BUILD / "probe", *choice]
                if subprocess.run(list(map(str, command)), input=source, capture_output=True, text=True).returncode == 0:
                    flags += choice
                    break
            else:
                say(f"left out: {what} is not there, or does not link")
                flags.append(f"-DWITHOUT_{name}")
        return flags

    def make_data(self):
        subprocess.run([self.compile("generate"), DATA], check=True)
        generator = SHARED / "gen.c"
        if not generator.exists():
            say("the data: made here; there is no ../shared/geofence-bench to compare them with, but its hits and checksums are known")
            return
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            program = pathlib.Path(folder) / "gen"
            subprocess.run([os.environ.get("CC", "cc"), "-O2", generator, "-o", program, "-lm"], check=True, capture_output=True)
            subprocess.run([program, folder], check=True)
            files = sorted(pathlib.Path(folder).glob("*.bin"))
            for file in files:
                if not filecmp.cmp(file, DATA / file.name, shallow=False):
                    fail(f"{file.name} is not what ../shared/geofence-bench makes")
        say(f"the data: {len(files)} files, byte for byte those of ../shared/geofence-bench")

    # ---- Running -------------------------------------------------------------------------------------------

    def take(self, line, more=False):
        entry = json.loads(line)
        if "left_out" in entry:
            self.left_out[entry["name"]] = entry["left_out"]
            say(f"left out: {entry['name']}: {entry['left_out']}")
        else:
            values = self.figures[entry["name"]]["values"] if more and entry["name"] in self.figures else []
            self.figures[entry["name"]] = {"unit": entry["unit"], "values": values + entry["values"]}

    def set(self, name, unit, values):
        self.figures[name] = {"unit": unit, "values": list(values)}

    def run(self, *command, pinned=True):
        command = [*(self.pin if pinned else []), *map(str, command)]
        say("running: " + " ".join(pathlib.Path(part).name if "/" in part else part for part in command))
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=self.environment)
        if done.returncode != 0:
            fail(f"{command} ended with {done.returncode}")
        return done.stdout

    def collect(self, *command, more=False):
        for line in self.run(*command).splitlines():
            if line.startswith("{"):
                self.take(line, more)

    @property
    def passes(self):
        return 3 if self.options.quick else 5

    @property
    def sizes(self):
        return self.options.sizes

    def index(self):
        swift = [os.environ.get("SWIFT", "swift"), "build", "-c", "release", "--package-path", "Benchmarks", "--scratch-path", ".build-bench",
                 "-Xswiftc", "-static-stdlib", "--product", "BenchIndex"]  # fmt: skip
        say("building: the bare index, as a library of its own")
        done = subprocess.run(swift, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            fail("the Swift package does not build: " + (done.stdout + done.stderr)[-3000:])
        where = subprocess.run([*swift[:-2], "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        program = self.compile("index", *self.flags, "-L", where, "-lBenchIndex", f"-Wl,-rpath,{where}", "-lsqlite3")
        self.collect(program, DATA, self.passes, int(self.options.quick), *self.sizes)

    def engine_program(self):
        return self.compile("engine", *self.flags, "-lplotengine", "-lsqlite3")

    def engine(self):
        self.collect(self.engine_program(), DATA, self.passes, 30 if self.options.quick else 300, SCRATCH, *[what for n in self.sizes if n >= 1000 for what in (n, f"fences/{n}")])

    def phone(self):
        self.collect(self.engine_program(), DATA, self.passes * 2, 60, SCRATCH, "phone")

    def doubled(self):
        self.collect(self.engine_program(), DATA, self.passes, 60, SCRATCH, "doubled")

    def durable(self):
        self.collect(self.engine_program(), DATA, self.passes, 60, SCRATCH, "durable")

    def life(self):
        self.collect(self.compile("life", "-lplotengine", "-lsqlite3"), DATA, self.passes, SCRATCH)

    def feed(self):
        program = self.compile("feed", "-lplotengine", "-ljansson", "-ldl")
        # How long Jansson needs for a small text depends on where the memory of the process lies: a process for each pass.
        for _ in range(self.passes * 3):
            self.collect(program, 1, SCRATCH, 1000, more=True)
        self.collect(program, self.passes, SCRATCH, 10_000 if self.options.quick else 100_000)

    def memory(self):
        costs = self.compile("costs", "-lplotengine")
        engines = 10_000 if self.options.quick else 100_000
        self.set("memory/engines", "engines", [engines])
        self.set("memory/malloc", "bytes", [float(self.run(costs, DATA, "idle", engines))])
        self.set("memory/resident", "bytes", [float(self.run(costs, DATA, "rss", engines))])
        self.set("allocations", "allocations", [float(self.run(costs, DATA, "allocations"))])
        self.set("library", "bytes", [LIBRARY.stat().st_size])

    def startup(self):
        startup = self.compile("startup", "-ldl")
        empty = self.compile("empty", "-shared", "-fPIC")
        feed = SCRATCH / "phone.json"
        regions = [
            {"id": f"r{n}", "type": "geofence", "latitude": 52.3 + n // 20 * 0.01, "longitude": 4.7 + n % 20 * 0.02, "radius": 200} for n in range(300)
        ]
        campaigns = [{"id": f"c{n}", "type": "notification", "message": f"Welcome at place {n}", "regions": [f"r{n}"]} for n in range(300)]
        feed.write_text(json.dumps({"version": 1, "regions": regions, "campaigns": campaigns}))
        taken = {"startup/first answer": [startup, LIBRARY, feed], "startup/empty library": [startup, empty]}
        for name in taken:
            self.set(name, "ms", [])
        for turn in range(-2, 10 if self.options.quick else 30):
            for name, command in taken.items():
                done = subprocess.run([*self.pin, *map(str, command)], stdout=subprocess.PIPE, text=True, check=True, env=self.environment)
                if turn >= 0:
                    self.figures[name]["values"].append(float(done.stdout))

    def batch(self):
        if not hasattr(ctypes.CDLL(str(LIBRARY)), "plot_engine_update_locations"):
            self.left_out["batch"] = "the library has no plot_engine_update_locations"
            say(f"left out: batch: {self.left_out['batch']}")
            return
        self.collect(self.compile("batch", "-lplotengine", "-ldl"), DATA, self.passes)

    def roaming(self):
        self.collect(self.compile("roaming", *self.flags, "-lplotengine", "-lsqlite3"), self.passes)

    def front_end(self, command):
        self.collect(*command, "--json", "--data", DATA)

    def python(self):
        self.front_end([sys.executable, ROOT / "bindings/python/bench.py", "--seconds", "0.5" if self.options.quick else "1"])

    def node(self):
        if shutil.which("node") is None:
            self.left_out["node"] = "Node is not there"
            say("left out: node: Node is not there")
            return
        self.run("node", ROOT / "bindings/node/shim/build.js", "--if-needed", pinned=False)
        self.front_end(["node", ROOT / "bindings/node/bench.js"])

    # ---- Saying --------------------------------------------------------------------------------------------

    def median(self, name):
        figure = self.figures.get(name)
        return statistics.median(figure["values"]) if figure and figure["values"] else None

    def ratio(self, above, below):
        """One figure over another, pass by pass where both have as many, which takes out what a pass shares."""
        a, b = self.figures.get(above), self.figures.get(below)
        if not a or not b or not a["values"] or not b["values"]:
            return None
        if len(a["values"]) == len(b["values"]):
            pairs = [x / y for x, y in zip(a["values"], b["values"]) if y]
            return statistics.median(pairs) if pairs else None
        return self.median(above) / self.median(below)

    def targets(self):
        """The targets: a name, the figure, the comparison, the limit, the unit."""
        result = []

        def want(what, value, sign, limit, unit=""):
            result.append({"target": what, "figure": value, "sign": sign, "limit": limit, "unit": unit})

        for size, limit in ((100_000, 8), (1_000_000, 6)):
            want(
                f"bare index, {size:,} circles, order I: times as fast as Boost, each in its fastest way",
                self.ratio(f"index/{size}/I/boost", f"index/{size}/I/plot ahead"),
                ">=",
                limit,
            )
            want(
                f"bare index, {size:,} circles, order I, each fix by itself: times as fast as Boost",
                self.ratio(f"index/{size}/I/boost", f"index/{size}/I/plot"),
                ">=",
                limit,
            )
            want(
                f"bare index, {size:,} circles, order I, each fix by itself: times as fast as Boost by query iterators, which cost about what the reference has for it",
                self.ratio(f"index/{size}/I/boost iterators", f"index/{size}/I/plot"),
                ">=",
                limit,
            )
        want("devices near each other, 20,000 of them: times as fast as the loop over all pairs", self.ratio("roaming/20000/loop", "roaming/20000/plot"), ">=", 10)
        want(
            "devices near each other, a tenth of 200,000 reports at a tick: times as fast as an R-tree made anew",
            self.ratio("roaming/200000/tenth/index", "roaming/200000/tenth/plot"),
            ">=",
            1,
        )
        for size in (100_000, 1_000_000):
            want(f"bare index, {size:,} circles: bytes a circle", self.median(f"index/{size}/bytes/plot"), "<=", 100, "bytes")
        want(
            "bare index: build of 1,000,000, times that of Boost's packed R-tree",
            self.ratio("index/1000000/build/plot", "index/1000000/build/boost"),
            "<=",
            6,
        )
        for size, limit in ((100_000, 1), (1_000_000, 2)):
            want(
                f"a fix that changes nothing, {size:,} circles, whole pipeline: times as fast as Boost's bare index on the same fixes",
                self.ratio(f"engine/{size}/boost beside", f"engine/{size}/unchanged"),
                ">=",
                limit,
            )
        want("a fix that changes nothing, one device, 300 campaigns: times an empty C call", self.ratio("phone/unchanged", "phone/empty call"), "<=", 40)
        want(
            "a crossing with a handled geotrigger, one device: times Boost's bare query among 100,000 circles",
            self.ratio("phone/crossing", "engine/100000/boost"),
            "<=",
            15,
        )
        for size in (100_000, 1_000_000):
            want(
                f"a crossing with a handled geotrigger, 1,000 devices, {size:,} circles: times Boost's bare query",
                self.ratio(f"engine/{size}/geotrigger", f"engine/{size}/boost"),
                "<=",
                15,
            )
        want("durable crossings: rate beside raw SQLite's rows", self.ratio("durable/raw SQLite", "durable/crossing"), ">=", 0.8)
        want("a fix under `balanced`, 100,000 circles: times one under `default-1`", self.ratio("life/evidence", "life/gates"), "<=", 1.15)
        want("the same, far from most circles", self.ratio("life/evidence, far", "life/gates, far"), "<=", 1.15)
        want("the same with a fix a minute", self.ratio("life/evidence, far, each minute", "life/gates, far, each minute"), "<=", 1.15)
        want("a fix that changes nothing with a store: times one without", self.ratio("life/a fix with a store", "life/a fix without one"), "<=", 2)
        for opened in ("opened with one campaign", "opened with 300 campaigns"):
            want(f"a store {opened}, a fix, closed: times raw SQLite", self.ratio(f"life/{opened}", f"life/{opened}, raw SQLite"), "<=", 1.5)
        for size, limit in ((100_000, 30), (1_000_000, 30)):
            for name, what in (("all", "updates a second, the whole pipeline"), ("fences", "updates a second, fences only")):
                cost = self.ratio(f"engine/{size}/{name}", f"engine/{size}/boost")
                want(
                    f"{what}, {size:,} circles: times Tile38's, each in Boost's bare queries of its own run (docs/performance.md)",
                    None if cost is None else TILE38[size] / cost,
                    ">=",
                    limit,
                )
        for size in (1000, 100_000):
            want(f"JSON load of {size:,} campaigns: times Jansson's own parse", self.ratio(f"feed/{size}/parse", f"feed/{size}/jansson"), "<=", 1.6)
        mapped = self.ratio("feed/100000/mapped", "feed/100000/ready")
        want("a compiled feed of 100,000, mapped and ready: share of the JSON load", None if mapped is None else mapped * 100, "<=", 1, "%")
        want("an idle engine: bytes by malloc", self.median("memory/malloc"), "<=", 4096, "bytes")
        want("an idle engine: bytes of the process", self.median("memory/resident"), "<=", 4096, "bytes")
        for language in ("python", "node"):
            for batch, in_c, what in (("batch", "one device", "a batch"), ("batch of 1000 devices", "1000 devices", "a batch of 1,000 devices")):
                what = f"{what} in {language.capitalize()}"
                plain = f"{language}/plain {batch}"
                want(f"{what}, plain: times the call made by hand", self.ratio(plain, f"{plain}, the call made by hand"), "<=", 2)
                want(f"{what}: times the same in C", self.ratio(f"{language}/{batch}", f"batch/{in_c}"), "<=", 2)
        want("allocations of a fix that changes nothing", self.median("allocations"), "<=", 0)
        want("the library, stripped", self.median("library"), "<=", 12_000_000, "bytes")
        want(
            "dlopen to the first answer, 300 campaigns: times dlopen of an empty library",
            self.ratio("startup/first answer", "startup/empty library"),
            "<=",
            200,
        )
        want("growth from 1,000 to 100,000 circles of a fix that changes nothing", self.ratio("engine/100000/unchanged", "engine/1000/unchanged"), "<=", 6)
        want("twice the campaigns on a region that is not entered", self.ratio("doubled/20000", "doubled/10000"), "<=", 1.1)
        for entry in result:
            figure = entry["figure"]
            if figure is None:
                entry["verdict"] = "not measured"
            else:
                good = figure >= entry["limit"] if entry["sign"] == ">=" else figure <= entry["limit"]
                entry["verdict"] = "reached" if good else "behind"
        return result

    def rows(self):
        """Each figure with its baseline of the same run: a section, the rows."""

        def of(prefix):
            return [name for name in self.figures if name.startswith(prefix)]

        for size, share in ((2000, ""), (20_000, ""), (200_000, ""), (200_000, "tenth/")):
            about = f"roaming/{size}/{share}"
            labels = {"plot": "plot_roaming", "index": "an R-tree made anew at each tick", "loop": "the loop over all pairs"}
            rows = [(label, about + name, about + "plot") for name, label in labels.items() if about + name in self.figures]
            if rows:
                yield f"devices near each other, {size:,} of them" + (", a tenth of which reports at a tick" if share else ""), rows
        for size in (20, 1000, 100_000, 1_000_000):
            rows = []
            for order in "IT":
                names = [name for name in of(f"index/{size}/{order}/") if not name.endswith("/fixes")]
                for name in names:
                    asked = self.median(f"{name}/fixes")
                    label = f"order {order}, {self.contender(name)}" + (f" (the first {asked:,.0f} fixes)" if asked else "")
                    rows.append((label, name, f"index/{size}/{order}/boost"))
            for what, label in (("build", "build"), ("bytes", "bytes a circle")):
                rows += [(f"{label}, {self.contender(name)}", name, f"index/{size}/{what}/boost") for name in of(f"index/{size}/{what}/")]
            yield f"Which circles contain this fix? {size:,} circles, the bare index", rows
        labels = {
            "unchanged": "a fix that changes nothing",
            "plain": "of these, one that no rule of noise holds",
            "held": "of these, one that the noise policy holds",
            "crossing": "a fix that crosses, handled",
            "geotrigger": "of this, for each geotrigger",
            "all": "all fixes",
            "fences": "all fixes, without campaigns, a tick in a call",
            "boost beside": "Boost's bare index, on the fixes that change nothing, in the same ticks",
            "boost": "Boost's bare index, alone",
        }
        for size in (1000, 100_000, 1_000_000):
            yield (
                f"plot_engine_update_location, 1,000 devices, order I, {size:,} circles",
                [(label, f"engine/{size}/{name}", f"engine/{size}/boost") for name, label in labels.items()]
                + [
                    (what, f"engine/{size}/{what}", None)
                    for what in ("fixes", "fixes that cross", "fixes held", "load the feed", "make an engine", "an engine after its track")
                ],
            )
        yield "One device, 300 campaigns", [
            (label, f"phone/{label}", "phone/empty call") for label in ("unchanged", "crossing", "empty call")
        ] + [(f"one region with {int(n):,} campaigns, not entered", f"doubled/{n}", "doubled/10000") for n in ("10000", "20000")]
        yield "Durable", [(label, f"durable/{label}", "durable/raw SQLite") for label in ("raw SQLite", "crossing", "crossing in memory")]
        beside = {"evidence": "gates", "evidence, far": "gates, far", "evidence, far, each minute": "gates, far, each minute"}
        beside |= {"a fix with a store": "a fix without one"}
        beside |= {name: f"{name}, raw SQLite" for name in ("opened with one campaign", "opened with 300 campaigns")}
        yield "As a phone lives", [
            (label, f"life/{label}", f"life/{base}") for name, base in beside.items() for label in (name, base)
        ]
        for size in (1000, 10_000, 100_000):
            yield f"A feed of {size:,} campaigns", [
                ("Jansson's parse, a campaign", f"feed/{size}/jansson", f"feed/{size}/jansson"),
                ("the same, its tree freed", f"feed/{size}/jansson, freed", f"feed/{size}/jansson"),
                ("plot_feed_parse, a campaign", f"feed/{size}/parse", f"feed/{size}/jansson"),
                ("from JSON to the first answer", f"feed/{size}/ready", f"feed/{size}/ready"),
                ("mapped, to the first answer", f"feed/{size}/mapped", f"feed/{size}/ready"),
            ]
        yield "Sizes", [
            ("idle engine, by malloc", "memory/malloc", None),
            ("idle engine, of the process", "memory/resident", None),
            ("allocations of a fix that changes nothing", "allocations", None),
            ("library, stripped", "library", None),
            ("dlopen to the first answer, 300 campaigns", "startup/first answer", "startup/empty library"),
            ("dlopen of an empty library", "startup/empty library", None),
        ]
        yield "Many fixes in one call, in C", [(name.partition("/")[2], name, "batch/one device") for name in of("batch/")]
        for language in ("python", "node"):
            beside = {"batch": "batch/one device", "batch of 1000 devices": "batch/1000 devices"}
            for batch in list(beside):
                by_hand = f"plain {batch}, the call made by hand"
                beside[f"plain {batch}"] = beside[by_hand] = f"{language}/{by_hand}"
            names = [name.partition("/")[2] for name in of(f"{language}/")]
            rows = [(name, f"{language}/{name}", beside.get(name, f"{language}/empty call")) for name in names]
            yield f"{language.capitalize()}, beside an empty call; its batches beside those in C, or made by hand", rows

    @staticmethod
    def contender(name):
        return {
            "plot": "PlotEngine",
            "plot ahead": "PlotEngine, searching ahead",
            "scan": "plain scan",
            "boost": "Boost.Geometry R-tree, packed",
            "boost iterators": "Boost.Geometry R-tree, packed, by query iterators",
            "geos": "GEOS TemplateSTRtree",
            "s2": "S2CellIndex, at most 8 cells",
            "sqlite": "SQLite R*Tree",
        }[name.rpartition("/")[2]]

    def table(self):
        """Lists of cells: what, median, least to most, ratio."""
        for section, rows in self.rows():
            cells = []
            for label, name, baseline in rows:
                figure = self.figures.get(name)
                if not figure or not figure["values"]:
                    continue
                values, unit = figure["values"], figure["unit"]
                spread = f"{number(min(values))} to {number(max(values))}" if len(values) > 1 else ""
                ratio = self.ratio(name, baseline) if baseline else None
                cells.append((label, f"{number(self.median(name))} {unit}", spread, f"{ratio:.3g}" if ratio is not None else ""))
            if cells:
                yield section, cells

    def machine(self):
        def first_line(*command):
            try:
                return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
            except (OSError, IndexError):
                return None

        name = None
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
        packages = ("libboost-dev", "libgeos++-dev", "libs2-dev", "libsqlite3-0", "libjansson4")
        versions = {package: first_line("dpkg-query", "-W", "-f", "${Version}", package) for package in packages} if shutil.which("dpkg-query") else {}
        return {
            "cpu": name,
            "cores": os.cpu_count(),
            "pinned": self.core,
            "load": os.getloadavg()[0],
            "system": platform.platform(),
            "plotengine": (ROOT / "VERSION").read_text().strip(),
            "commit": first_line("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"),
            "swift": first_line(os.environ.get("SWIFT", "swift"), "--version"),
            "cxx": first_line(os.environ.get("CXX", "g++"), "--version"),
            "python": platform.python_version(),
            "node": first_line("node", "--version"),
            **versions,
        }

    def report(self):
        targets = self.targets()
        machine = self.machine()
        for figure in self.figures.values():
            if figure["values"]:
                figure["median"] = statistics.median(figure["values"])
        document = {
            "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "quick": self.options.quick,
            "machine": machine,
            "figures": self.figures,
            "left_out": self.left_out,
            "targets": targets,
        }
        self.options.json.parent.mkdir(parents=True, exist_ok=True)
        self.options.json.write_text(json.dumps(document, indent=1) + "\n")
        write = markdown if self.options.markdown else plain
        write(machine, list(self.table()), self.left_out, targets, self.options.quick)


def number(value):
    """Three figures, or all of a large integer."""
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def wanted(entry):
    sign = {">=": "at least", "<=": "at most"}[entry["sign"]]
    return f"{sign} {number(entry['limit'])}" + (f" {entry['unit']}" if entry["unit"] else "")


def figure_of(entry):
    return "" if entry["figure"] is None else number(entry["figure"]) + (f" {entry['unit']}" if entry["unit"] else "")


def about(machine, quick):
    core = "not pinned" if machine["pinned"] is None else f"pinned to core {machine['pinned']}"
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {core}, load {machine['load']:.1f} at the end; PlotEngine {machine['plotengine']}"
        f" ({machine['commit']})" + (", --quick" if quick else "")
    )


def plain(machine, table, left_out, targets, quick):
    print(about(machine, quick))
    for section, cells in table:
        print(f"\n{section}")
        print(f"  {'':<72} {'median':>18} {'least to most':>20} {'ratio':>8}")
        for label, median, spread, ratio in cells:
            print(f"  {label:<72} {median:>18} {spread:>20} {ratio:>8}")
    if left_out:
        print("\nLeft out")
        for name, why in left_out.items():
            print(f"  {name}: {why}")
    print("\nTargets")
    for entry in targets:
        print(f"  {entry['verdict']:<13} {entry['target']:<106} {figure_of(entry):>14}  {wanted(entry)}")


def markdown(machine, table, left_out, targets, quick):
    print(f"{about(machine, quick)}.\n")
    print("| target | figure | wanted | |\n|---|---|---|---|")
    for entry in targets:
        print(f"| {entry['target']} | {figure_of(entry)} | {wanted(entry)} | {entry['verdict']} |")
    for section, cells in table:
        print(f"\n**{section}**\n\n| | median | least to most | ratio |\n|---|---|---|---|")
        for row in cells:
            print("| " + " | ".join(row) + " |")
    if left_out:
        print("\nLeft out: " + "; ".join(f"{name} ({why})" for name, why in left_out.items()) + ".")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer passes, smaller feeds, without the baselines that take longest to build")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="NAME", help=f"only this part, again for more: {', '.join(PARTS)}")
    parser.add_argument("--sizes", type=int, nargs="+", choices=(20, 1000, 100_000, 1_000_000), default=[20, 1000, 100_000, 1_000_000], metavar="CIRCLES")
    parser.add_argument("--json", type=pathlib.Path, default=BUILD / "results.json", metavar="FILE", help="where the figures go (build/bench/results.json)")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown, for docs/performance.md")
    options = parser.parse_args()
    if not LIBRARY.exists():
        fail("build/lib/libplotengine.so.0 is not there: run make first")
    for folder in (DATA, SCRATCH):
        folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(options)
    bench.flags = bench.baselines()
    bench.make_data()
    for part in PARTS:
        if not options.only or part in options.only:
            getattr(bench, part)()
    bench.report()


if __name__ == "__main__":
    main()
