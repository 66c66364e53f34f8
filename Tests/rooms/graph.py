#!/usr/bin/env python3
"""The graph of the rooms of PlotCore: which value types mention which, and which rooms use which.

    Tests/rooms/graph.py            prints the circles, and the rooms from the bottom to the top
    Tests/rooms/graph.py --check    fails on a circle, and when the table of docs/architecture.md is not this graph
    Tests/rooms/graph.py --write    writes that table
    Tests/rooms/graph.py --self     checks that planted circles are found

A room is a folder of Sources/PlotCore. A value type is one that is declared there at the top level, with all its extensions; it depends on the value
types that it mentions. The conductor (Machine and what goes through it: CONDUCTOR) is no value: it may use every room, no value may mention it, and
it is extended in its own folder only. So a room cannot reach another one but by the values that it is given.

PlotDocuments works with addresses in few files (UNSAFE): elsewhere the word "unsafe" is an alarm.

An owner of state (OWNERS) is extended, or taken inout, in its own room only: elsewhere its methods are the one way to change it.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path("docs/architecture.md")
# Types that see the whole state: the machine, its state until it is divided among owners, inputs, and effects.
CONDUCTOR = {"Machine", "State", "Output", "Change", "Effect", "Input"}
HALL = "Conductor"
OWNERS = {"Delivery", "History", "HostFacts", "MessageState", "Observations", "Presence", "Screen", "Trips"}
# How often "unsafe" may stand in PlotDocuments, and in how many files.
UNSAFE = (200, 8)
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated)\s+)*"
    r"(struct|enum|class|protocol|actor|typealias|extension)\s+(\w+)", re.M)


def without_words(text):
    """Sources without comments and texts."""
    text = re.sub(r'#*"""(.*?)"""#*', '""', text, flags=re.S)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'#?"(?:\\.|[^"\\\n])*"#?', '""', text)


def parts(text):
    """The declarations at the top level: kind, name, text."""
    starts = [match for match in DECLARATION.finditer(text)]
    for match, following in zip(starts, [*starts[1:], None]):
        yield match[1], match[2], text[match.start():following.start() if following else len(text)]


def read(root):
    """Rooms of the value types; for each piece of code its room, type, mentions and file; and owners that are written from outside."""
    pieces, rooms, nested, writes = [], {}, {}, []
    for path in sorted((root / "Sources/PlotCore").rglob("*.swift")):
        inside = path.relative_to(root / "Sources/PlotCore").parts
        room = inside[0] if len(inside) > 1 else ""
        whole = without_words(path.read_text(encoding="utf-8"))
        # Functions at the top level, too.
        taken = {*re.findall(r"\binout (\w+)", whole), *(name for kind, name, _ in parts(whole) if kind == "extension")} & OWNERS
        writes += [(room, path.name, owner) for owner in taken]
        for kind, name, text in parts(whole):
            pieces.append([room, name, set(re.findall(r"(?<![.\w])[A-Z]\w*", text)), path.name])
            nested.setdefault(name, set()).update(re.findall(r"\n +(?:@?\w+ )*(?:struct|enum|class|typealias) (\w+)", text))
            if kind != "extension" and name not in CONDUCTOR:
                rooms[name] = room
    # A type's own names come before those of others.
    for piece in pieces:
        piece[2] -= nested[piece[1]]
    strangers = [f"{file}: {owner} is extended or taken inout outside of its room" for room, file, owner in writes if room != rooms.get(owner, room)]
    return rooms, pieces, strangers


def graphs(root):
    """Edges between types, and between rooms with the mentions that make them."""
    rooms, pieces, faults = read(root)
    types = {name: set() for name in rooms}
    between = {room: {} for room in {room for room in rooms.values()}}
    for room, name, mentions, file in pieces:
        if name in CONDUCTOR:
            if room != HALL:
                faults.append(f"{file}: the conductor's {name} stands outside of {HALL}: a room returns values, and calls no other room")
            continue
        if room == HALL:
            faults.append(f"{file}: {name} stands in {HALL}, where the conductor is alone")
        if name in types:
            types[name] |= {other for other in mentions if other in rooms and other != name}
        for other in mentions:
            if other in rooms and rooms[other] != room:
                between.setdefault(room, {}).setdefault(rooms[other], set()).add(f"{name} mentions {other} ({file})")
            if other in CONDUCTOR:
                faults.append(f"{file}: the value {name} mentions the conductor's {other}")
        if name in rooms and rooms[name] != room:
            between.setdefault(room, {}).setdefault(rooms[name], set()).add(f"an extension of {name} ({file})")
    return types, between, faults


def circles(graph):
    """The strongly connected components of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []
    sys.setrecursionlimit(10_000)

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while True:
                component.append(stack.pop())
                if component[-1] == node:
                    break
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def layers(between):
    """Rooms, each after all that it uses."""
    ordered, left = [], dict(between)
    while left:
        ready = sorted(room for room in left if not any(other in left and other != room for other in left[room]))
        if not ready:
            return ordered + sorted(left)
        ordered += ready
        for room in ready:
            del left[room]
    return ordered


def table(root):
    """The rows of docs/architecture.md."""
    _, between, _ = graphs(root)
    rooms, _, _ = read(root)
    lines = ["| room | value types | uses |", "|---|---|---|"]
    for room in layers(between):
        names = ", ".join(f"`{name}`" for name in sorted(rooms) if rooms[name] == room)
        uses = ", ".join(other or "(top)" for other in layers(between) if other in between[room])
        lines.append(f"| {room or '(top)'} | {names} | {uses} |")
    return "\n".join(lines) + "\n"


BEGIN, END = "<!-- Tests/rooms/graph.py --write -->\n", "<!-- end -->"


def faults(root):
    types, between, found = graphs(root)
    found = list(found)
    for circle in circles(types):
        found.append(f"a circle of value types: {', '.join(circle)}")
    for circle in circles(between):
        reasons = [reason for room in circle for other in circle for reason in sorted(between[room].get(other, ()))[:3]]
        found.append(f"a circle of rooms: {', '.join(circle)}\n  " + "\n  ".join(reasons))
    return found


def addresses(root):
    """Faults of the use of addresses in PlotDocuments; and Jansson's names outside of its folder JSON."""
    counts = {}
    for path in sorted((root / "Sources/PlotDocuments").rglob("*.swift")):
        text = without_words(path.read_text(encoding="utf-8"))
        if count := len(re.findall(r"\bunsafe\b", text)):
            counts[path.name] = count
        if path.parent.name != "JSON" and re.search(r"\bCJansson\b|\bjson_\w+\b", text):
            yield f"{path.name}: Jansson's names stand outside of PlotDocuments/JSON"
    most, files = UNSAFE
    if sum(counts.values()) > most or len(counts) > files:
        yield (f"PlotDocuments: \"unsafe\" stands {sum(counts.values())} times in {len(counts)} files; at most {most} times in {files} files: "
               + ", ".join(f"{name} {count}" for name, count in counts.items()))


def check_page(root, write):
    page = root / PAGE
    text = page.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text.split(BEGIN, 1)[1]:
        return [f"{PAGE}: expected {BEGIN.strip()} and {END}"]
    before, rest = text.split(BEGIN, 1)
    after = rest[rest.index(END):]
    wanted = f"{before}{BEGIN}\n{table(root)}\n{after}"
    if write:
        page.write_text(wanted, encoding="utf-8")
        return []
    return [] if wanted == text else [f"{PAGE}: its table of rooms is not that of the sources; Tests/rooms/graph.py --write makes it anew"]


def check_self():
    good = {"Low/A.swift": "public struct A { var b: Int }\n", "High/B.swift": "struct B { var a: A }\n",
            "Conductor/Machine+B.swift": "extension Machine { func b() -> B { B(a: A()) } }\n"}
    planted = {
        "nothing": ({}, ""),
        "a circle of types": ({"High/C.swift": "struct C { var d: D }\nstruct D { var c: [C] }\n"}, "a circle of value types: C, D"),
        "a circle of rooms": ({"Low/E.swift": "struct E { var b: B }\n"}, "a circle of rooms: High, Low"),
        "an extension below": ({"High/A+B.swift": "extension A { func b(_ b: B) {} }\n"}, "a circle of value types: A, B"),
        "a value that sees the machine": ({"Low/F.swift": "struct F { var machine: Machine }\n"}, "mentions the conductor's Machine"),
        "a type of its own": ({"Low/H.swift": "struct H {\n  struct B {}\n  var b: B\n}\nstruct J { var b: H.B }\n"}, ""),
        "another room's state": ({"High/HostFacts.swift": "struct HostFacts {}\n", "Low/K.swift": "enum K { static func k(_ facts: inout HostFacts) {} }\n"},
                                 "K.swift: HostFacts is extended or taken inout"),
        "a free function": ({"High/HostFacts.swift": "struct HostFacts {}\n", "Low/O.swift": "func o(_ facts: inout HostFacts) {}\n"},
                            "O.swift: HostFacts is extended or taken inout"),
        "an extension of another room's state": ({"High/HostFacts.swift": "struct HostFacts {}\n", "Low/L.swift": "extension HostFacts { func l() {} }\n"},
                                                 "L.swift: HostFacts is extended or taken inout"),
        "a room that conducts": ({"High/Machine+M.swift": "extension Machine { func m() {} }\n"}, "the conductor's Machine stands outside of Conductor"),
        "a value in the hall": ({"Conductor/N.swift": "struct N {}\n"}, "N stands in Conductor"),
        "a file with addresses too many": ({f"../PlotDocuments/Feed/{n}.swift": "let a = unsafe b\n" for n in range(UNSAFE[1] + 1)},
                                           f'"unsafe" stands {UNSAFE[1] + 1} times'),
        "addresses too often": ({"../PlotDocuments/JSON/P.swift": "let a = unsafe b\n" * (UNSAFE[0] + 1)}, f"stands {UNSAFE[0] + 1} times in 1 files"),
        "Jansson in another folder": ({"../PlotDocuments/Feed/Q.swift": "let a: json_t\n"}, "Q.swift: Jansson's names"),
        "words": ({"Low/G.swift": "struct G { /* B */ var b = \"B\" // B\n }\n"}, ""),
    }
    for name, (more, expected) in planted.items():
        with tempfile.TemporaryDirectory() as folder:
            for file, text in (good | more).items():
                path = Path(folder) / "Sources/PlotCore" / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            found = "\n".join([*faults(Path(folder)), *addresses(Path(folder))])
            if expected not in found or (found and not expected):
                raise SystemExit(f"Tests/rooms/graph.py --self: {name}: expected {expected!r}, found {found!r}")
    print(f"room graph: {sum(bool(expected) for _, expected in planted.values())} planted faults were found")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    group = parser.add_mutually_exclusive_group()
    for name in ("check", "write", "self"):
        group.add_argument(f"--{name}", action="store_true", dest=f"is_{name}")
    arguments = parser.parse_args()
    if arguments.is_self:
        check_self()
        return 0
    found = [*faults(ROOT), *addresses(ROOT)]
    if arguments.is_check or arguments.is_write:
        found += check_page(ROOT, arguments.is_write)
    else:
        print(table(ROOT), end="")
    for fault in found:
        print(f"room graph: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
