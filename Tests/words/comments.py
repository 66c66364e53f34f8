#!/usr/bin/env python3
"""Counts comments that begin with "What" or "Who" as a noun: a reader has to decode them (CONTRIBUTING.md, Style).

    Tests/words/comments.py          no part has more than LIMITS says
    Tests/words/comments.py --self   checks that a comment that is planted is found

A part that has fewer than its limit gets the lower limit: the numbers only fall.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r'^\s*(?:///|//|#|/\*\*?|\*|""")\s*(?:What|Who)\b(?![^.\n]*\?)', re.M)
# Folder or file: how many there may be. The first of these that a path begins with counts.
LIMITS = {
    "Tests/abi/plotengine-1.h": 3,  # the header of the first release
    **dict.fromkeys(["Sources", "include", "bindings", "Tests", "scripts", "Benchmarks", "Fuzz", "examples", "server"], 0),
}


def counts(files):
    """{part: how many comments}, of {path: text}."""
    found = dict.fromkeys(LIMITS, 0)
    for path, text in files.items():
        part = next((part for part in LIMITS if path == part or path.startswith(part + "/")), None)
        if part:
            found[part] += len(COMMENT.findall(text))
    return found


def tree():
    listed = subprocess.run(["git", "ls-files", "-z", *LIMITS], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    endings = (".swift", ".h", ".c", ".py", ".sh", ".js", ".ts", ".rs")
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in listed.split("\0") if path.endswith(endings) and (ROOT / path).exists()}


def judge(found):
    faults = [f"{part}: {count} comments begin with What or Who, at most {LIMITS[part]}" for part, count in found.items() if count > LIMITS[part]]
    return faults + [f"{part}: {count} by now: lower its limit of {LIMITS[part]}" for part, count in found.items() if count < LIMITS[part]]


def main():
    if sys.argv[1:] == ["--self"]:
        for comment in ("/// What it is.", "  // Who calls.", "/* What for. */", '    """What a thing is."""', "# What to do.", " * What it does"):
            assert counts({"include/x.h": f"a\n{comment}\n"})["include"] == 1, comment
        for comment in ("/// The whole.", "let a = b // Whatever", "/// What is left?"):
            assert counts({"include/x.h": f"a\n{comment}\n"})["include"] == 0, comment
        print("words: 9 planted comments were judged")
        return
    faults = judge(counts(tree()))
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(1)
    print(f"words: {sum(limit == 0 for limit in LIMITS.values())} parts without, the others within their limits")


if __name__ == "__main__":
    main()
