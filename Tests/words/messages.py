#!/usr/bin/env python3
"""Each function of the C interface that a message names is one that the library exports, and the library's messages have such names from one file.

A front end in another language puts its own names in the place of those in Sources/PlotEngine/CallName.swift; a name that a message had from elsewhere
would reach its users as it is. The tool's texts are for people who may use the library from C: they may name any function that is there.

    Tests/words/messages.py [--self]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = pathlib.Path("Sources/PlotEngine/CallName.swift")
# Names for the compiler and the linker, which nobody reads.
ATTRIBUTE = re.compile(r'@(_cdecl|_silgen_name)\("[^"]*"\)')
# Texts of several lines before those of one; an escaped quote does not end one.
TEXT = re.compile(r'(#*)"""(?:.*?)"""\1|(#+)"(?:.*?)"\2|"(?:\\.|[^"\\\n])*"', re.DOTALL)
NAME = re.compile(r"\bplot_[a-z0-9_]+")


def names(source):
    """The names in the texts of a Swift file, with their lines."""
    source = "\n".join(line if not line.lstrip().startswith("//") else "" for line in source.split("\n"))
    source = ATTRIBUTE.sub("", source)
    for text in TEXT.finditer(source):
        for name in NAME.finditer(text.group()):
            yield name.group(), source.count("\n", 0, text.start() + name.start()) + 1


def faults(path, source, exported):
    for name, line in names(source):
        if name not in exported:
            yield f"{path}:{line}: {name}: expected a function of scripts/exported-symbols.txt"
        elif path.parts[1] != "plot" and path != NAMES:
            yield f"{path}:{line}: {name}: expected no name of a C function in a message; put it into {NAMES}, and name that"


def check_self(exported):
    """Texts that must be found, and texts that must not."""
    engine, tool = pathlib.Path("Sources/PlotEngine/A.swift"), pathlib.Path("Sources/plot/A.swift")
    cases = [
        (engine, 'let a = "call plot_engine_init first"', 1),
        (engine, 'let a = #"say "plot_engine_init""#', 1),
        (engine, 'let a = """\n  plot_engine_init\n  plot_engine_begin\n  """', 2),
        (engine, "/// plot_engine_init", 0),
        (engine, '@_cdecl("plot_engine_begin") @implementation', 0),
        (engine, "unsafe plot_prefetch(address)", 0),
        (NAMES, 'static let initialize = "plot_engine_init"', 0),
        (NAMES, 'static let initialize = "plot_engine_begin"', 1),
        (tool, '"for plot_feed_map"', 0),
        (tool, '"for plot_feed_bind"', 1),
    ]
    for path, source, count in cases:
        found = list(faults(path, source, exported))
        if len(found) != count:
            sys.exit(f"Tests/words/messages.py: {path}: {source!r} has {count} faults, found {found}")


def main():
    exported = set((ROOT / "scripts/exported-symbols.txt").read_text(encoding="utf-8").split())
    if "--self" in sys.argv[1:]:
        return check_self(exported)
    found, count = [], 0
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        source = path.read_text(encoding="utf-8")
        count += sum(1 for _ in names(source))
        found += faults(path.relative_to(ROOT), source, exported)
    if found:
        sys.exit("\n".join(found))
    if not count:
        sys.exit("Tests/words/messages.py: no message names a function; is this looking at the right files?")
    print(f"messages: {count} names of functions, all exported")


if __name__ == "__main__":
    main()
