#!/usr/bin/env python3
"""The files that a change touches: five changes, kept as patches in Tests/changes/patches/, with the number of hand-written files that each one needs.

    Tests/changes/check.py           checks that the patches apply one after another, touch no more files than their limit, and that the
                                       table of docs/architecture.md has these counts
    Tests/changes/check.py --write   writes that table
    Tests/changes/check.py --build   also builds a copy of the tree with all patches, and plays its vectors; only if the sources or the
                                       patches have changed since that last passed
    Tests/changes/check.py --self    checks that planted faults are found

The first line of a patch says what it changes. A patch is renewed like this: apply the series up to it, make the change, and replace the patch
with its sentence and the output of `git diff`, without what the scripts of TABLES write: they do it here, too.
The copy and its build are in .build-changes/.
"""

import argparse
import fnmatch
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import binding_tables  # noqa: E402
import call_tables  # noqa: E402
import decision_tables  # noqa: E402
import event_tables  # noqa: E402
import generated  # noqa: E402
import key_tables  # noqa: E402
import schema_tables  # noqa: E402
import type_tables  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path("docs/architecture.md")
PATCHES = Path("Tests/changes/patches")
# In the order in which they are applied: how many hand-written files the change needed before the owners of state, and how many it may need.
CHANGES = {
    "battery-input": (35, 10),
    "minimum-battery-rule": (19, 12),
    "split-reason": (10, 3),
    "visit-extended-event": (15, 5),
    "visit-count-function": (16, 4),
}
# The vectors' runner writes these with --write.
GENERATED = ["Tests/vectors/*/*.effects.jsonl"]
# No patch has these: the scripts write them. The header has the numbers of events, so its own come last.
TABLES = generated.TABLES
MADE = [*binding_tables.FILES, *call_tables.WHOLE, *decision_tables.WHOLE, *event_tables.WHOLE, *type_tables.FILES, "Sources/PlotEngine/ErrorKind.swift", key_tables.FILE]
# Of the files written by hand, those that are tests and prose.
BESIDE_CODE = ["Tests/*", "bindings/*/test*", "*.md"]
# The files that the build and the vectors depend on.
SOURCES = ["Package.swift", "Sources", "include", "scripts/exports.map", "scripts/link-order.txt", "Tests/vectors"]
# Files that the package needs as well, though the build does not look into it.
BESIDE = ["Package.resolved", *(f"Tests/{name}" for name in re.findall(r'^ *\.(?:testTarget|target)\(name: "(\w+)"', (ROOT / "Package.swift").read_text(), re.M)
                                if (ROOT / "Tests" / name).is_dir()),
          *(f"scripts/{name}.py" for name in ("generated", "page_tables", "plot_header", *TABLES)), "docs/calls.json", "docs/decisions.json", "docs/events.json", "docs/errors.json", "docs/errors.md", *MADE,
          *call_tables.PARTS, *decision_tables.PARTS, *event_tables.PARTS, *schema_tables.FILES, *schema_tables.read()]
BEGIN, END = "<!-- Tests/changes/check.py --write -->\n", "<!-- end -->"


class Fault(Exception):
    """One line."""


def files(root, places):
    """Each file at or below some places, as a path relative to the root."""
    for place in map(Path, places):
        found = sorted((root / place).rglob("*")) if (root / place).is_dir() else [root / place]
        yield from (path.relative_to(root) for path in found if path.is_file())


def touched(patch):
    """The files that a patch changes, adds or removes: those written by hand, and those generated."""
    names = sorted({name for pair in re.findall(r"^diff --git a/(\S+) b/(\S+)$", patch.read_text(encoding="utf-8"), re.M) for name in pair})
    made = [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in GENERATED)]
    return [name for name in names if name not in made], made


def copy(root, places, target):
    for path in files(root, places):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes((root / path).read_bytes())
        (target / path).chmod((root / path).stat().st_mode)


def apply(root, changes, target):
    """Applies the patches one after another to a copy. It must not be in a repository, which would be looked into."""
    for name in changes:
        patch = root / PATCHES / f"{name}.patch"
        for check in (["--check"], []):
            done = subprocess.run(["git", "apply", *check, patch], cwd=target, capture_output=True, text=True,
                                  env={**os.environ, "GIT_CEILING_DIRECTORIES": str(target.parent)})
            if done.returncode:
                raise Fault(f"{patch.relative_to(root)} does not apply: {done.stderr.strip().splitlines()[0]}")


def counts(root, changes):
    """For each change its sentence, and how many files written by hand it touches: all, tests and prose. Fails over a limit."""
    found = {}
    for name, (_, limit) in changes.items():
        patch = root / PATCHES / f"{name}.patch"
        if not patch.is_file():
            raise Fault(f"{PATCHES}/{name}.patch is missing")
        sentence = patch.read_text(encoding="utf-8").split("\n", 1)[0]
        if not re.fullmatch(r"[A-Z].*\.", sentence):
            raise Fault(f"{PATCHES}/{name}.patch: expected a sentence as its first line, found {sentence!r}")
        names, _ = touched(patch)
        hand = len(names)
        if hand > limit:
            raise Fault(f"{PATCHES}/{name}.patch touches {hand} hand-written files, and its limit is {limit}")
        for path in set(names) & set(MADE):
            raise Fault(f"{PATCHES}/{name}.patch: expected no generated file, found {path}")
        found[name] = sentence, hand, sum(any(fnmatch.fnmatch(path, pattern) for pattern in BESIDE_CODE) for path in names)
    for path in sorted((root / PATCHES).glob("*")):
        if path.suffix != ".patch" or path.stem not in changes:
            raise Fault(f"{path.relative_to(root)}: expected a patch that is listed in Tests/changes/check.py")
    with tempfile.TemporaryDirectory() as folder:
        copy(root, {name for change in changes for part in touched(root / PATCHES / f"{change}.patch") for name in part}, Path(folder))
        apply(root, changes, Path(folder))
    return found


def check_page(root, changes, found, write):
    page = root / PAGE
    text = page.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text.split(BEGIN, 1)[1]:
        raise Fault(f"{PAGE}: expected {BEGIN.strip()} and {END}")
    rows = ["| patch | change | before | now | limit | of these tests and prose |", "|---|---|---|---|---|---|"]
    rows += [f"| `{name}` | {sentence} | {changes[name][0]} | {hand} | {changes[name][1]} | {rest} |" for name, (sentence, hand, rest) in found.items()]
    before, rest = text.split(BEGIN, 1)
    wanted = f"{before}{BEGIN}\n" + "\n".join(rows) + f"\n\n{rest[rest.index(END):]}"
    if write:
        page.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        raise Fault(f"{PAGE}: its table of changes does not have these counts; Tests/changes/check.py --write renews it")


def digest(root):
    """A digest of the files that the build depends on; --build does nothing while this stays the same."""
    sums = hashlib.sha256()
    for path in files(root, [*SOURCES, PATCHES, "Tests/changes/check.py"]):
        data = (root / path).read_bytes()
        sums.update(f"{path} {len(data)}\n".encode() + data)
    return sums.hexdigest()


def run(what, *command, cwd):
    done = subprocess.run([str(part) for part in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        lines = done.stdout.splitlines()
        raise Fault(f"with all patches, {what} fails:\n  " + "\n  ".join([line for line in lines if "error:" in line][:8] or lines[-8:]))


def build(root):
    """Builds the tree with all patches and plays the vectors; false if that has passed before."""
    place = root / ".build-changes"
    stamp, tree = place / "passed", place / "tree"
    now = digest(root)
    if stamp.is_file() and stamp.read_text() == now:
        return False
    stamp.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        copy(root, [*SOURCES, *BESIDE, *(name for change in CHANGES for part in touched(root / PATCHES / f"{change}.patch") for name in part)], fresh)
        apply(root, CHANGES, fresh)
        for script in TABLES:
            run(f"scripts/{script}.py", sys.executable, f"scripts/{script}.py", "--write", cwd=fresh)
        # Files that are the same keep their times: the compiler leaves them alone.
        wanted = {path: (fresh / path).read_bytes() for path in files(fresh, ["."])}
        for path in list(files(tree, ["."])) if tree.is_dir() else []:
            if path not in wanted:
                (tree / path).unlink()
        for path, data in wanted.items():
            if not (tree / path).is_file() or (tree / path).read_bytes() != data:
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(data)
    swift, flags = os.environ.get("SWIFT", "swift"), shlex.split(os.environ.get("DEBUGFLAGS", ""))
    for product in ("plotengine", "plot"):
        run("the build", swift, "build", "--scratch-path", place / "build", *flags, "--product", product, cwd=tree)
    run("the vectors' run", place / "build/debug/plot", "vectors", "Tests/vectors", "--quiet", cwd=tree)
    stamp.write_text(now)
    return True


def check_self():
    """A limit that is exceeded, a patch that does not apply or has a generated file, and a page with other counts."""
    def world(limit=1, old="a", table=None, name="x.txt"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in {
                "x.txt": "a\n", "y.effects.jsonl": "", PAGE: f"{BEGIN}\n{END}\n",
                PATCHES / "one.patch": f"Of a.\ndiff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{old}\n+b\n",
            }.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            changes = {"one": (3, limit)}
            found = counts(root, changes)
            if table:
                check_page(root, changes, found, write=True)
                assert "| `one` | Of a. | 3 | 1 | 1 | 0 |" in (root / PAGE).read_text()
            check_page(root, changes, found, write=False)

    world(table=True)
    generated = ("expected no generated file", {"name": MADE[0]})
    for said, planted in (("its limit is 0", {"limit": 0}), ("does not apply", {"old": "c"}), generated, ("does not have these counts", {})):
        try:
            world(**planted)
        except Fault as fault:
            assert said in str(fault), fault
        else:
            raise AssertionError(f"not found: {said}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--write", "--build", "--self"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    if options.self:
        return check_self()
    try:
        found = counts(ROOT, CHANGES)
        check_page(ROOT, CHANGES, found, options.write)
        print("changes: " + ", ".join(f"{name} {hand}" for name, (_, hand, _) in found.items()) + " hand-written files")
        if options.build:
            done = build(ROOT)
            print("changes: all together build, and the vectors pass" + ("" if done else " (nothing has changed since)"))
    except Fault as fault:
        sys.exit(f"changes: {fault}")


if __name__ == "__main__":
    main()
