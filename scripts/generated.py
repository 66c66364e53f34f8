"""Files, or parts of files, that a script makes from one source: whether they are as the source has them, and writing them.

A script gives `FILES`: {path: function of the source and the file's text that gives the text it should have}.
"""

import difflib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def stale(files, source):
    """{path: text} of the files that are not as the source has it."""
    found = {}
    for path, make in files.items():
        place = ROOT / path
        old = place.read_text(encoding="utf-8") if place.exists() else ""
        text = make(source, old)
        if text != old:
            found[path] = text
    return found


def between(old, begin, text, end):
    """A file with other lines between the line that ends with `begin` and the next one that ends with `end`."""
    lines = old.split("\n")
    first = next(number for number, line in enumerate(lines) if line.endswith(begin))
    last = next(number for number, line in enumerate(lines) if number > first and line.endswith(end))
    return "\n".join([*lines[: first + 1], *text.split("\n"), *lines[last:]])


def check_plants(files, source, plants):
    """Each changed source of `plants`, {what: (source, count)}, is noticed in so many files."""
    assert not stale(files, source), "the files are not as the source has them"
    for what, (planted, count) in plants.items():
        found = stale(files, planted)
        assert len(found) == count, f"{what} is noticed in {sorted(found)}, not in {count} files"
    print(f"{pathlib.Path(sys.argv[0]).name}: {len(plants)} planted changes were noticed")


def main(doc, files, source, plants, summary):
    """The command line of such a script: nothing, --write or --self."""
    name, arguments = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
    if arguments == ["--self"]:
        return check_plants(files, source, plants(source))
    if arguments not in ([], ["--write"]):
        sys.exit(doc)
    found = stale(files, source)
    if arguments:
        for path, text in found.items():
            (ROOT / path).write_text(text, encoding="utf-8")
            print(f"written: {path}")
        return
    for path, text in found.items():
        old = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).exists() else ""
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), path, "as the source has it", n=0))
    if found:
        sys.exit(f"{name}: run scripts/{name} --write")
    print(f"{name}: {len(files)} files are as the source has them ({summary(source)})")
