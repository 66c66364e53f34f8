#!/usr/bin/env python3
"""Checks the pages of an installed package: links, pictures, anchors, schemas, examples.

    Tests/packages/check_package_pages.py FOLDER [--pages PLACE] [--index FILE]...
    Tests/packages/check_package_pages.py --self     checks that a dead link, a missing schema and other faults are noticed

FOLDER is an installation, an unpacked archive or the folder of an installed wheel or tarball. PLACE, inside of it, has what package_pages.py copies;
its pages may lead nowhere else, for it may be moved. FILE is a page that a package index shows: no relative link works there.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import package_pages  # noqa: E402
from pages import dead_links, links  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def wanted(root):
    """The files that a package must have: schemas, those of examples, and all together, with what pages read beside them."""
    def those(folder, pattern="**/*"):
        found = [path for path in sorted((root / folder).glob(pattern)) if path.is_file()]
        return [path for path in found if not any(package_pages.is_product(root / part) for part in [path, *list(path.relative_to(root).parents)[:-1]])]

    schemas, examples = those("docs/schema", "*.schema.json"), those("examples")
    return schemas, examples, [*schemas, *examples, *those("demo"), root / "docs/reasons.json", root / "docs/decisions.json", root / "docs/events.json", root / "docs/errors.json", root / "include/plotengine.h", root / "LICENSE"]


def check(root, folder, place=Path("."), index=()):
    """Gives the faults, and what was looked at."""
    folder, place = folder.resolve(), (folder / place).resolve()
    faults = []
    pages = sorted(folder.rglob("*.md"))
    count = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        count += len(links(text))
        faults += [f"{page.relative_to(folder)}: {dead}" for dead in dead_links(page, text, place if page.is_relative_to(place) else folder)]
    if not any(page.is_relative_to(place / "docs") for page in pages):
        faults.append(f"{place}: it has no pages")
    schemas, examples, found = wanted(root)
    if not schemas:
        faults.append(f"{root}: it has no schemas to compare with")
    for path in found:
        name = path.relative_to(root)
        # A page may have other links in the package; above they are followed.
        if not (place / name).is_file():
            faults.append(f"{name} is missing")
        elif path.suffix != ".md" and (place / name).read_bytes() != path.read_bytes():
            faults.append(f"{name} is not that of the source tree")
    for page in index:
        text = page.read_text(encoding="utf-8")
        if "\n# " not in f"\n{text}":
            faults.append(f"{page.name}: a page without a title")
        faults += [f"{page.name}: line {link.line}: an index has nothing beside this page: {link.target}" for link in links(text) if not link.is_external]
    return faults, f"{len(pages)} pages, {count} links, {len(schemas)} schemas, {len(examples)} files of examples"


def check_self():
    def spoil(name, text):
        def change(folder):
            if text is None:
                (folder / name).unlink()
            else:
                (folder / name).write_text(text, encoding="utf-8")
        return change

    def no_pages(folder):
        for page in folder.glob("docs/*.md"):
            page.unlink()

    spoilt = [
        ("a dead link: gone.md", spoil("docs/notes.md", "# Two words\n[gone](gone.md)\n")),
        ("no such heading", spoil("docs/notes.md", "# Others\n")),
        ("a dead link: pictures/a.svg", spoil("docs/pictures/a.svg", None)),
        ("a link that leaves", spoil("docs/notes.md", "# Two words\n[above](../../beside.md)\n")),
        ("a dead link: gone.png", spoil("README.md", '# Small\n<img alt="A map" src="gone.png">\n')),
        ("a dead link: gone.html", spoil("README.md", "# Small\n[map][1]\n\n[1]: gone.html\n")),
        ("a dead link: /docs/notes.md", spoil("README.md", "# Small\n[notes](/docs/notes.md)\n")),
        ("docs/schema/a.schema.json is missing", spoil("docs/schema/a.schema.json", None)),
        ("docs/schema/a.schema.json is not that", spoil("docs/schema/a.schema.json", "[]")),
        ("examples/first/first.c is missing", spoil("examples/first/first.c", None)),
        ("demo/feed.json is missing", spoil("demo/feed.json", None)),
        ("include/plotengine.h is missing", spoil("include/plotengine.h", None)),
        ("has no pages", no_pages),
        ("nothing beside this page: docs/notes.md", spoil("INDEX.md", "# small\n[notes](docs/notes.md)\n")),
        ("a page without a title", spoil("INDEX.md", "")),
    ]
    for expected, change in [(None, None), *spoilt]:
        with tempfile.TemporaryDirectory() as name:
            root, folder = package_pages.small_tree(Path(name) / "source"), Path(name) / "prefix"
            package_pages.package(root, folder / "doc")
            (folder / "beside.md").write_text("[a](doc/README.md)", encoding="utf-8")
            index = folder / "doc/INDEX.md"
            index.write_text("# small\n[web](https://example.org/)\n", encoding="utf-8")
            if change:
                change(folder / "doc")
            faults, _ = check(root, folder, Path("doc"), [index])
            if not expected:
                assert not faults, faults
            else:
                assert any(expected in fault for fault in faults), f"not noticed: {expected}; noticed: {faults}"
    with tempfile.TemporaryDirectory() as name:
        root = package_pages.small_tree(Path(name) / "source")
        package_pages.package(root, Path(name) / "doc")
        (root / "docs/schema/a.schema.json").unlink()
        assert any("no schemas" in fault for fault in check(root, Path(name) / "doc")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", type=Path, nargs="?")
    parser.add_argument("--pages", metavar="PLACE", type=Path, default=Path("."), help="where the pages are in FOLDER, FOLDER itself when not given")
    parser.add_argument("--index", metavar="FILE", type=Path, action="append", default=[], help="a page that a package index shows")
    parser.add_argument("--self", action="store_true", dest="itself", help="check the script itself")
    arguments = parser.parse_args()
    if arguments.itself:
        check_self()
        return 0
    if not arguments.folder:
        parser.error("expected FOLDER")
    faults, done = check(ROOT, arguments.folder, arguments.pages, arguments.index)
    for fault in faults:
        print(f"package pages: {fault}", file=sys.stderr)
    print(f"package pages: {done}, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
