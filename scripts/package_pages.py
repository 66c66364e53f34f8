#!/usr/bin/env python3
"""Copies what the user of an installed package reads into a folder: pages, pictures, schemas, examples, the demo and the header.

    scripts/package_pages.py DEST                  everything into DEST, each file where it is in the source tree
    scripts/package_pages.py DEST --readme FILE    README.md is FILE, and not DEST/README.md; all links fit
    scripts/package_pages.py DEST --readme FILE --alone    only README.md, as FILE, for pages that are in DEST already
    scripts/package_pages.py --self                checks the script with a small tree

A link whose target is in the package stays. A link to what only the source tree has becomes plain text: its label and, in parentheses, the path.
The script needs no git: it gives the same from a clone and from an unpacked source archive.
"""

import argparse
import fnmatch
import os
import posixpath
import sys
import tempfile
import urllib.parse
from pathlib import Path

# An installation as root must leave nothing in the source tree.
sys.dont_write_bytecode = True

from pages import Fault, links  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
WANTED = ["README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "docs", "demo", "examples", "include/plotengine.h"]
# Pages that only a maintainer needs, and why. All other pages help to use the library, or to judge it: so performance.md and reliability.md
# stay, reliability-table.md says what callbacks and forks may do, and reliability-fuzz.md has the limits of documents.
MAINTAINERS = {
    "docs/architecture.md": "the modules of the source code, and where a change belongs",
    "docs/reliability-faults.md": "how failures are injected and sanitizers run; each command needs the source tree",
}
# Files that building or running an example leaves beside it.
PRODUCTS = ["__pycache__", "node_modules", "build", "dist", ".*", "*.pyc", "*.o", "*.a", "*.so", "*.so.*", "*.egg-info", "*.store", "*.store-*"]


def is_product(path):
    if any(fnmatch.fnmatchcase(path.name, pattern) for pattern in PRODUCTS):
        return True
    if path.is_dir():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def files(root):
    """The files of the package, as paths in the source tree."""
    for page in MAINTAINERS:
        if not (root / page).is_file():
            raise Fault(f"{page} is a maintainer's page (MAINTAINERS), but it is not there")
    for name in WANTED:
        if not (root / name).exists():
            raise Fault(f"{name} is missing")
    found = []

    def add(path):
        if path.is_dir():
            for entry in sorted(path.iterdir()):
                if not is_product(entry):
                    add(entry)
        elif path.relative_to(root).as_posix() not in MAINTAINERS:
            found.append(path.relative_to(root).as_posix())

    for name in WANTED:
        add(root / name)
    return found


def rewritten(text, page, root, packaged, place):
    """A page for the package: `packaged` are its files and folders, `place` says where a path of the source tree is installed."""
    result, position = [], 0
    for link in links(text):
        if link.is_external or not link.path:
            continue
        where = f"{page}, line {link.line}"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link.path))
        if link.path.startswith("/") or path.startswith("../") or not (root / path).exists():
            raise Fault(f"{where}: a dead link: {link.target}")
        if path in packaged:
            target = posixpath.relpath(place(path), place(page).parent)
            if target == posixpath.normpath(link.path):
                continue
            anchor = link.target.partition("#")[2]
            span, new = link.place, urllib.parse.quote(target) + (f"#{anchor}" if anchor else "")
        elif link.is_picture or link.label is None:
            raise Fault(f"{where}: {link.target} is only in the source tree, and this cannot become plain text: write [label]({link.target})")
        else:
            tree = "in the source tree" if link.label.strip("`") == path else f"`{path}` in the source tree"
            in_parentheses = text[:link.start].endswith("(") and text[link.end:].startswith(")")
            span, new = (link.start, link.end), f"{link.label}, {tree}" if in_parentheses else f"{link.label} ({tree})"
        if span[0] < position:
            raise Fault(f"{where}: a link inside of one to {link.target}, which is only in the source tree")
        result += [text[position:span[0]], new]
        position = span[1]
    return "".join(result) + text[position:]


def write(source, target, content):
    """Anyone may read what is installed, whatever the umask is."""
    for folder in reversed([folder for folder in target.parents if not folder.exists()]):
        folder.mkdir()
        folder.chmod(0o755)
    target.write_bytes(content)
    target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def package(root, destination, readme=None, alone=False):
    """Writes the package; gives how many files that were."""
    destination = destination.resolve()
    readme = (readme or destination / "README.md").resolve()
    found = files(root)
    packaged = {"."}
    for name in found:
        while name not in packaged:
            packaged.add(name)
            name = posixpath.dirname(name) or "."

    def place(path):
        return readme if path == "README.md" else destination / path

    if len({place(name).resolve() for name in found}) < len(found):
        raise Fault(f"README.md would take the place of another file: {readme}")
    count = 0
    for name in found:
        source, target = root / name, place(name)
        if alone and name != "README.md":
            continue
        if target.resolve() == source.resolve():
            raise Fault(f"{name} would be written over itself: {destination} is the source tree")
        content = source.read_bytes()
        if source.suffix == ".md":
            content = rewritten(content.decode(), name, root, packaged, place).encode()
        write(source, target, content)
        count += 1
    return count


# A tree with one of each, for this script's own check and that of check_package_pages.py.
SMALL = {
    "README.md": "# Small\n[notes](docs/notes.md#two-words), [schema](docs/schema/a.schema.json), [the tests](Tests/vectors/README.md), "
    "[`Tests/run.c`](Tests/run.c), [docs](docs/), [web](https://example.org/)\n\n"
    '<picture><source srcset="docs/pictures/a.svg"><img src="docs/pictures/a.svg"></picture>\n',
    "CHANGELOG.md": "# Changes\nOther modules ([inside](docs/architecture.md#x)).\n",
    "LICENSE": "Terms\n",
    "SECURITY.md": "# Security\n",
    "docs/notes.md": "# Notes\n## Two words\n![A picture](pictures/a.svg) [up](../README.md#small) [header](../include/plotengine.h)\n"
    "`[code](nowhere)` [here](#two-words)\n\n```text\n[block](nowhere)\n```\n\n[first](../examples/first/README.md) [a script\nof ours](../scripts/a.py)\n",
    "docs/pictures/a.svg": "<svg/>",
    "docs/schema/a.schema.json": "{}",
    "docs/reasons.json": "[]",
    "docs/decisions.json": "[]",
    "docs/errors.json": "[]",
    "docs/events.json": "[]",
    "docs/architecture.md": "# Rooms\n",
    "docs/reliability-faults.md": "# Faults\n",
    "demo/feed.json": "{}",
    "examples/first/README.md": "[first.c](first.c)\n",
    "examples/first/first.c": "int main(void) { return 0; }\n",
    "include/plotengine.h": "\n",
    "Tests/vectors/README.md": "# Vectors\n",
    "Tests/run.c": "\n",
    "scripts/a.py": "\n",
}


def small_tree(folder, **changes):
    """Writes SMALL into a folder, with files changed, added or, by None, left out; "docs__notes.md" is docs/notes.md."""
    for name, text in (SMALL | {name.replace("__", "/"): text for name, text in changes.items()}).items():
        if text is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def check_self():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        root = small_tree(folder / "source")
        for product in ("first", "first.o", "__pycache__/a.pyc", ".hidden", "plot.store-log"):
            (root / "examples/first" / product).parent.mkdir(exist_ok=True)
            (root / "examples/first" / product).write_bytes(b"\x7fELF" if product == "first" else b"")
        old = os.umask(0o077)
        package(root, folder / "all")
        os.umask(old)
        expected = {name for name in SMALL if name not in MAINTAINERS and not name.startswith(("Tests/", "scripts/"))}
        found = {path.relative_to(folder / "all").as_posix() for path in (folder / "all").rglob("*") if path.is_file()}
        assert found == expected, found ^ expected
        assert all(path.stat().st_mode & 0o044 == 0o044 for path in (folder / "all").rglob("*")), "others may not read it"
        read = {name: (folder / "all" / name).read_text() for name in expected}
        assert read["README.md"] == SMALL["README.md"].replace("[the tests](Tests/vectors/README.md)", "the tests (`Tests/vectors/README.md` in the source tree)") \
            .replace("[`Tests/run.c`](Tests/run.c)", "`Tests/run.c` (in the source tree)"), read["README.md"]
        assert read["CHANGELOG.md"] == "# Changes\nOther modules (inside, `docs/architecture.md` in the source tree).\n", read["CHANGELOG.md"]
        assert read["docs/notes.md"] == SMALL["docs/notes.md"].replace("[a script\nof ours](../scripts/a.py)", "a script\nof ours (`scripts/a.py` in the source tree)")
        package(root, folder / "top/share/doc", folder / "top/README.md", alone=True)
        assert [path.name for path in (folder / "top").iterdir()] == ["README.md"]
        top = (folder / "top/README.md").read_text()
        assert "[notes](share/doc/docs/notes.md#two-words)" in top
        assert '<source srcset="share/doc/docs/pictures/a.svg"><img src="share/doc/docs/pictures/a.svg">' in top, top
        package(root, folder / "moved", folder / "moved/docs/overview.md")
        assert "[notes](notes.md#two-words)" in (folder / "moved/docs/overview.md").read_text()
        assert "[up](overview.md#small)" in (folder / "moved/docs/notes.md").read_text()
        assert not (folder / "moved/README.md").exists()
        for change in (
            {"docs__notes.md": "[gone](gone.md)"}, {"docs__notes.md": "[out](../../source/README.md)"}, {"docs__notes.md": "[root](/docs/notes.md)"},
            {"docs__notes.md": "![drawn](../Tests/run.c)"}, {"docs__notes.md": "[label]: ../Tests/run.c\n"}, {"docs__architecture.md": None},
            {"docs__notes.md": "[![drawn](gone.svg)](../Tests/run.c)"}, {"docs__notes.md": "<a href='../Tests/run.c'>run</a>"}, {"LICENSE": None},
        ):
            with tempfile.TemporaryDirectory() as spoilt:
                try:
                    package(small_tree(Path(spoilt), **change), folder / "never")
                except Fault:
                    continue
                raise AssertionError(f"not noticed: {change}")
        for destination, readme in ((root, None), (folder / "taken", folder / "taken/docs/notes.md")):
            try:
                package(root, destination, readme)
            except Fault:
                continue
            raise AssertionError("a file was written over")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("destination", metavar="DEST", type=Path, nargs="?")
    parser.add_argument("--readme", metavar="FILE", type=Path, help="where README.md goes, DEST/README.md when not given")
    parser.add_argument("--alone", action="store_true", help="only README.md")
    parser.add_argument("--self", action="store_true", dest="itself", help="check the script itself")
    arguments = parser.parse_args()
    if arguments.itself:
        return check_self()
    if not arguments.destination or (arguments.alone and not arguments.readme):
        parser.error("expected DEST, and with --alone also --readme FILE")
    try:
        package(ROOT, arguments.destination, arguments.readme, arguments.alone)
    except Fault as fault:
        sys.exit(f"package_pages.py: {fault}")


if __name__ == "__main__":
    main()
