#!/usr/bin/env python3
"""Compares rules of presence: Benchmarks/presence/run.py [--short] [--check] [--seeds tune|report|fresh] [--sets N] [--only FAMILY]... [--sums] [--markdown]

Needs the library of `make build`, NumPy and Shapely. `make presence` installs both into .build-venv from scripts/test-requirements.txt, as
`make test` does, and runs this. Each family of noise (worlds.py) has its own worlds; what really happened comes from the true positions alone
(measure.py says what a miss, a phantom, a duplicate and a delay are). The contenders are the engine's presets, asked through the library, the
rules of others (rivals.py), the reference code of `eager`, `balanced` and `careful` (policy.py), and a detector that they began from
(anchor.py). Real tracks take part if ../shared/data, or the folder that
PLOT_TRACES names, is there. `--check` fails if the demands below do not hold.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import measure
import numpy as np
import presets
import worlds
from anchor import anchor
from policy import POLICIES
from rivals import RIVALS, View

OURS = "engine: balanced"


def contenders():
    """Name: a function from a world and its view to visits."""

    def of_rule(rule):
        return lambda world, view: measure.visits_of(view.t, rule(view))

    def of_preset(name):
        return lambda world, view: presets.visits(world, name)

    known, unknown = presets.known()
    if unknown:
        print(f"left out: presets that this library does not know: {', '.join(unknown)}", file=sys.stderr)
    result = {name: of_rule(rule) for name, rule in RIVALS.items()}
    result["anchor (reference)"] = of_rule(anchor)
    result |= {f"engine: {name}": of_preset(name) for name in known}
    result |= {name: of_rule(rule) for name, rule in POLICIES.items()}
    return result


def play(options):
    """Scores by contender and family, and the interval of each family."""
    scores, intervals, rules = {}, {}, contenders()
    for family, (name, _) in worlds.REAL.items():
        if not (worlds.data_folder() / name / "track.gpx").exists():
            print(f"left out: {family}: there is no {name}/track.gpx in the folder of real tracks (PLOT_TRACES)", file=sys.stderr)
    for world in (world for later in range(options.sets) for world in worlds.worlds(options.seeds, options.short, options.only, later)):
        truth, view = measure.stays(world), View.of(world.fixes, world.circles)
        intervals[world.family] = world.interval
        for name, rule in rules.items():
            scores.setdefault(name, {}).setdefault(world.family, measure.Score()).add(measure.score(world, truth, rule(world, view)))
    return scores, intervals


def total(by_family, families):
    result = measure.Score()
    for family in families:
        result.add(by_family[family])
    return result


def middle(values):
    return f"{statistics.median(values):.0f}" if values else "-"


def most(values):
    return f"{np.percentile(values, 95):.0f}" if values else "-"


COLUMNS = ("family", "stays", "contender", "misses", "phantoms", "duplicates", "enter", "95 %", "exit", "95 %")


def row(family, name, score):
    return (family, score.stays, name, score.misses, score.phantoms, score.duplicates,
            middle(score.enters), most(score.enters), middle(score.exits), most(score.exits))  # fmt: skip


def groups(intervals):
    """The rows of the table: each family, those with a fix a second together, and all."""
    result = {family: [family] for family in intervals}
    result["a fix a second"] = [family for family, interval in intervals.items() if interval <= 1]
    result["all"] = list(intervals)
    return result


def show(scores, intervals, options):
    rows = []
    for group, families in groups(intervals).items():
        if families and not (options.sums and group in intervals):
            rows += [row(group, name, total(by_family, families)) for name, by_family in scores.items()]
    if options.markdown:
        print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
        for line in rows:
            print("| " + " | ".join(map(str, line)) + " |")
        return
    form = "{:24}{:>6}  {:20}{:>7}{:>9}{:>11}{:>7}{:>6}{:>6}{:>6}"
    print(form.format(*COLUMNS))
    before = None
    for line in rows:
        if before not in (None, line[0]):
            print()
        before = line[0]
        print(form.format(*line))
    print("\nDelays in seconds: median and 95th percentile.")


# ---- What must hold -----------------------------------------------------------------------------------------------------


def rivals_of(scores, families):
    """The rules of others whose misses are at most 1.5 times the fewest of them."""
    sums = {name: total(scores[name], families) for name in RIVALS}
    fewest = min(score.misses for score in sums.values())
    return {name: score for name, score in sums.items() if score.misses <= 1.5 * fewest}


def faults(scores, intervals, ours=OURS):
    """The faults of the default, as sentences."""
    families, found = list(intervals), []
    mine, rivals = total(scores[ours], families), rivals_of(scores, families)
    fewest = min(score.misses for score in rivals.values())
    best = min(score.wrong for score in rivals.values())
    if mine.misses > fewest:
        found.append(f"{mine.misses} misses; the rival with the fewest has {fewest}")
    if mine.wrong > 0.4 * best:
        found.append(f"{mine.wrong} phantoms and duplicates; 40 % of the rival with the fewest are {0.4 * best:.0f}")
    for name, by_family in scores.items():
        if not name.startswith("engine: "):
            continue
        other = total(by_family, families)
        if other.misses < mine.misses and other.phantoms < mine.phantoms and other.duplicates < mine.duplicates:
            found.append(f"{name} is better in misses, phantoms and duplicates")
    for family in families:
        here = {name: scores[name][family] for name in rivals}
        name = min(here, key=lambda one: (here[one].wrong, here[one].misses))
        best, mine_here = here[name], scores[ours][family]
        if mine_here.misses > 1.5 * best.misses:
            found.append(f"{family}: {mine_here.misses} misses; {name} has {best.misses}")
        if mine_here.wrong > 1.1 * best.wrong:
            found.append(f"{family}: {mine_here.wrong} phantoms and duplicates; {name} has {best.wrong}")
    often = total(scores[ours], [family for family in families if intervals[family] <= 1])
    if often.enters and statistics.median(often.enters) > 3:
        found.append(f"the median delay of an enter at a fix a second is {middle(often.enters)} s; at most 3 s are wanted")
    if often.exits and statistics.median(often.exits) > 40:
        found.append(f"the median delay of an exit at a fix a second is {middle(often.exits)} s; at most 40 s are wanted")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", choices=list(worlds.SEEDS), default="report", help="which worlds: those of tuning, others (default), or those played last")
    parser.add_argument("--sets", type=int, default=1, metavar="N", help="so many sets of seeds, one after the other: chance decides less")
    parser.add_argument("--short", action="store_true", help="one world of each family: seconds")
    parser.add_argument("--only", action="append", choices=[*worlds.FAMILIES, *worlds.REAL], metavar="FAMILY", help="only this family, again for more")
    parser.add_argument("--sums", action="store_true", help="print the sums only")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown, for docs/noise.md")
    parser.add_argument("--check", action="store_true", help="fail if a demand on the default does not hold")
    parser.add_argument("--ours", default=OURS, metavar="NAME", help=f"which contender --check takes for the default ({OURS})")
    options = parser.parse_args()
    if options.sets < 1:
        parser.error(f"--sets: expected at least 1, found {options.sets}")
    if options.seeds == "tune" and options.sets > 4:
        parser.error("--sets: beyond four, the worlds of tuning would be those that are reported")
    begin = time.monotonic()
    scores, intervals = play(options)
    show(scores, intervals, options)
    print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)
    if options.check:
        found = faults(scores, intervals, options.ours)
        for fault in found:
            print(f"presence: {options.ours}: {fault}", file=sys.stderr)
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
