#!/usr/bin/env python3
"""Twelve tasks of people who have just come, each done by one page, word for word, in an empty folder: Tests/newcomers/check.py [--all]

A task has a page to follow, and words that must stand in what that page says its commands print. The commands are run as Tests/packages/check_pages.py
runs them, against the packages of `make dist`, so what they print is compared with the page. How long each took is told. The page for Swift builds the
whole package, which the part "swift package" does, too: `--all` has it here as well.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/packages"), str(ROOT / "scripts")]
import check_pages  # noqa: E402
from pages import Fault, blocks  # noqa: E402

# The person, the language, the wish, the page, and words that it must have said in the end.
TASKS = [
    ("app developer", "C", "a first notification", "docs/quickstart-c.md", "The device is not inside the region"),
    ("app developer", "Python", "a first notification", "docs/quickstart-python.md", "The device is not inside the region"),
    ("app developer", "Node", "a first notification", "docs/quickstart-node.md", "The device is not inside the region"),
    ("app developer", "Swift", "a first notification", "docs/quickstart-swift.md", "The device is not inside the region"),
    ("campaign maker", "tool", "replay a walk without code", "docs/quickstart-tool.md", "with engine.noise=exact: 2 notifications"),
    ("campaign maker", "tool", "find out why a coupon did not fire", "docs/stories.md", "unused-region"),
    ("campaign maker", "tool", "beacons in a shopping street", "demo/street/README.md", "3 notifications, 5 geotriggers"),
    ("maker of a phone's host", "C, Python, Node", "a process for each fix", "examples/phone-life/README.md", "shown: Tea at Park?"),
    ("maker of a messenger", "Python", "block a sender", "examples/blocked-senders/README.md", "New message from a blocked user"),
    ("support", "Python, C, Node", "replay what a phone has recorded", "examples/replay/README.md", "the same bytes"),
    ("data team", "Python", "a campaign on the fixes of many devices", "examples/fleet/README.md", '"notification-shown",2,"museum"'),
    ("operator", "tool", "a kiosk or a vehicle on Linux", "docs/linux.md", "Would you like a tour?"),
]
SLOW = {"docs/quickstart-swift.md"}


def follow(page, words, packages):
    """Seconds. Raises `Fault` where the page does not lead to what it promises."""
    found = blocks(page.read_text(encoding="utf-8"))
    told = "\n".join(block.output for block in found if block.output is not None)
    if words not in told:
        raise Fault(f"the page nowhere says that its commands print {words!r}")
    began = time.monotonic()
    check_pages.run_page(page, packages, found)
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="the page for Swift, too")
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        packages = check_pages.Packages(Path(folder))
        # To install once for all is nobody's time.
        packages.python()
        packages.node_modules()
        for number, (person, language, task, page, words) in enumerate(TASKS, 1):
            line = f"{number:2}  {person:24} {language:16} {task:40} {page:36}"
            if page in SLOW and not options.all:
                print(f'{line} in the part "swift package"')
                continue
            try:
                print(f"{line} {follow(ROOT / page, words, packages):5.1f} s", flush=True)
            except Fault as fault:
                faults += 1
                print(f"{line} FAILED\n{fault}", file=sys.stderr)
    print(f"newcomers: {len(TASKS)} tasks, {faults} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
