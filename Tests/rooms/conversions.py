#!/usr/bin/env python3
"""Proves that the compiler refuses a bare conversion from Double to an integer in every room of Sources/.

    Tests/rooms/conversions.py

Sources/PlotCore/Basics/Conversions.swift declares the bare forms anew, as deprecated. A build stops at each use, for warnings are errors. That holds
only as long as each room names PlotCore (or converts by other forms) and has warnings as errors, and as long as the compiler prefers these declarations to its own:
the first two are read here, the last is tried with a few lines that must be refused, each by itself, and some that must not.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
CONVERSIONS = SOURCES / "PlotCore" / "Basics" / "Conversions.swift"
TYPES = [f"{sign}Int{width}" for sign in ("", "U") for width in ("", 8, 16, 32, 64)]
REFUSED = [f"_ = {kind}(x)" for kind in TYPES] + [
    "_ = Int(x.rounded())",
    "_ = Int((x / 20_000).rounded(.up))",
    "let part: Int64 = .init(x * 2)\n  _ = part",
    "_ = [x].map(Int.init)",
    "_ = [x].map { Int32($0) }",
    "_ = max(0, Int(x * 2) + 1)",
]
TAKEN = "_ = (Int(saturating: x), UInt8(saturating: x.rounded()), Int(exactly: x), Int64(i), Int(7), Int(\"7\"), [i].map(Int.init), UInt(f.bitPattern))"
DEPRECATED = "use init(saturating:) or init(exactly:)"


def fail(message):
    sys.exit(f"conversions: {message}")


def compiler(*arguments):
    swift = os.environ.get("SWIFT", "swift")
    command = [swift + "c" if swift.endswith("swift") else "swiftc", "-swift-version", "6", "-package-name", "plotengine", "-warnings-as-errors"]
    return subprocess.run([*command, "-I", str(SOURCES / "CPrefetch"), *map(str, arguments)], capture_output=True, text=True, check=False)


def main():
    package = (ROOT / "Package.swift").read_text(encoding="utf-8")
    if ".treatAllWarnings(as: .error)" not in package:
        fail("Package.swift: warnings are not errors")
    targets = package.split("\n  targets: [\n")[1]
    for folder in sorted(path for path in SOURCES.iterdir() if list(path.rglob("*.swift"))):
        target = re.search(rf'name: "{folder.name}",(.*?)(?=\n    \.)', targets, re.S)
        if not target or "swiftSettings: strict" not in target[1]:
            fail(f"Package.swift: {folder.name} is not strict, so that a bare conversion would only be a warning there")
        text = [path.read_text(encoding="utf-8") for path in folder.rglob("*.swift")]
        if folder.name != "PlotCore" and not any(re.search(r"^\w+ import PlotCore$", one, re.M) for one in text):
            # It has names that PlotCore has, too. So it converts by forms alone that cannot trap.
            for one in text:
                if found := re.search(r"\bU?Int\d*(\((?!exactly:|clamping:)|\.init\b)", one):
                    fail(f"Sources/{folder.name} does not import PlotCore, so it may only convert by exactly: or clamping:, not by {found[0]}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = compiler("-emit-module", "-module-name", "PlotCore", "-o", folder / "PlotCore.swiftmodule", CONVERSIONS)
        if done.returncode:
            fail(f"{CONVERSIONS.name} does not compile by itself:\n{done.stderr}")
        # One file for all: the compiler tells each line.
        lines = ["import PlotCore", f"func taken(_ x: Double, _ i: Int32, _ f: Float) {{ {TAKEN} }}"]
        places = {}
        for number, statement in enumerate(REFUSED):
            lines.append(f"func refused{number}(_ x: Double) {{")
            places[len(lines) + 1] = statement
            lines += [*f"  {statement}".split("\n"), "}"]
        sample = folder / "Sample.swift"
        sample.write_text("\n".join(lines) + "\n", encoding="utf-8")
        told = compiler("-typecheck", "-I", folder, sample).stderr
        found = {int(line) for line, message in re.findall(r"Sample\.swift:(\d+):\d+: error: (.*)", told) if DEPRECATED in message}
        if others := [message for message in re.findall(r"Sample\.swift:\d+:\d+: error: (.*)", told) if DEPRECATED not in message]:
            fail(f"the sample has other faults: {others[0]}")
        if missed := [statement for line, statement in places.items() if line not in found]:
            fail(f"the compiler takes {missed[0]}")
        if extra := sorted(found - set(places)):
            fail(f"line {extra[0]} of the sample is refused: {lines[extra[0] - 1]}")
    print(f"conversions: {len(REFUSED)} bare forms are refused, in every room")


if __name__ == "__main__":
    main()
