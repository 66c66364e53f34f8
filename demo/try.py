#!/usr/bin/env python3
"""A tour of PlotEngine in the terminal, two minutes long: a walk, why, what if, a map, and a page to go on.

    make try                    builds the tool first, as `make demo` does
    demo/try.py PLOT [FOLDER]   with a tool that is there; files go to FOLDER, or to build/try

Enter goes on, q and Enter end it. Where nobody types, all of it is shown at once.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WALK = ["--config", "demo/plotconfig.json", "--feed", "demo/feed.json", "--track", "demo/walk.gpx", "--property", "language=en"]


def say(text):
    print(f"\n{text}\n", flush=True)


def wait():
    if not sys.stdin.isatty():
        return
    try:
        if input("  [Enter] goes on, q ends: ").strip().lower().startswith("q"):
            sys.exit(0)
    except (EOFError, KeyboardInterrupt):
        sys.exit(0)


def show(plot, *words, lines=None):
    """Shows a command, and what it prints; of a long one the first lines."""
    print("  $ plot " + " ".join(f"'{word}'" if any(mark in word for mark in " []'") else word for word in words), flush=True)
    done = subprocess.run([plot, *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the tour ends here: {done.stderr.strip()}")
    found = done.stdout.rstrip("\n").splitlines()
    for line in found[:lines]:
        print("  " + line)
    if lines and len(found) > lines:
        print(f"  … and {len(found) - lines} lines more")


def main():
    plot = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else sys.exit(__doc__)
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build/try"
    folder.mkdir(parents=True, exist_ok=True)
    recording, page = str(folder / "walk.jsonl"), str(folder / "map.html")

    say("1 of 5. A walk through Amsterdam. A phone with this feed would have shown:")
    show(plot, "simulate", *WALK, "--record", recording, lines=14)
    wait()
    say("2 of 5. Why was the offer not shown at the first place?")
    show(plot, "explain", recording, "--campaign", "offer")
    wait()
    say("3 of 5. What if ten minutes had to pass between two notifications?")
    show(plot, "simulate", "--recording", recording, "--set", "cooldownPeriod=600", "--compare")
    wait()
    say("4 of 5. The same walk as a map, with a slider and every decision:")
    show(plot, "simulate", *WALK, "--quiet", "--map", page)
    print(f"  Open {page} in a browser.")
    wait()
    say("5 of 5. Now you: change a text, move a place, and see what happens. This prints an address for your browser:")
    feed = folder / "feed.json"
    feed.write_bytes((ROOT / "demo/feed.json").read_bytes())
    studio = ["studio", "--feed", str(feed), "--track", "demo/walk.gpx"]
    print("  $ plot " + " ".join(studio))
    if sys.stdin.isatty() and input("  y starts it; control-C ends it: ").strip().lower().startswith("y"):
        subprocess.run([plot, *studio], cwd=ROOT, check=False)
    say("Next: docs/stories.md answers ten questions of campaign makers; docs/README.md leads to everything else.")


if __name__ == "__main__":
    main()
