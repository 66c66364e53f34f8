"""Counts what a rule got wrong, from the true positions. Nothing here asks the engine.

A *stay* is a time without a break in which the true position, one a second, lies in the region's shape, as Shapely decides it. It counts as
*missed* if it lasts at least 20 s, or three intervals between fixes if that is longer, and no visit overlaps it. A visit that has lasted since
an earlier stay does not count if the device was more than 50 m beyond the edge for more than ten minutes in between: otherwise a rule that never
reports an exit would miss nothing. A *phantom* is a visit that overlaps no stay of any length. A *duplicate* is each further visit that overlaps the same stay.

The delay of an enter runs from the beginning of a stay that counts to that of the first visit that overlaps it, 0 if the visit began before.
The delay of an exit runs from the end of a stay to that of the last visit that overlaps it, unless the visit lasts into the next stay or ended
early.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import shapely

LONGEST_AWAY, FAR_AWAY = 600, 50.0


@dataclasses.dataclass
class Score:
    stays: int = 0
    misses: int = 0
    phantoms: int = 0
    duplicates: int = 0
    enters: list = dataclasses.field(default_factory=list)
    exits: list = dataclasses.field(default_factory=list)

    @property
    def wrong(self):
        return self.phantoms + self.duplicates

    def add(self, other):
        self.stays += other.stays
        self.misses += other.misses
        self.phantoms += other.phantoms
        self.duplicates += other.duplicates
        self.enters += other.enters
        self.exits += other.exits


def runs(inside):
    """Beginnings and last positions of the stretches in which it is true."""
    edges = np.diff(np.concatenate([[0], inside.astype(np.int8), [0]]))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1


def stays(world):
    """Of each circle, the stays as (first second, last second)."""
    found = []
    for x, y, radius in world.circles:
        shape = shapely.Point(x, y).buffer(radius, quad_segs=512)
        shapely.prepare(shape)
        first, last = runs(shapely.contains_xy(shape, world.truth[:, 1], world.truth[:, 2]))
        found.append([(world.truth[a, 0], world.truth[b, 0]) for a, b in zip(first, last)])
    return found


def was_away(world, circle, begin, end):
    """Whether the device was clearly elsewhere between two stays."""
    first, last = np.searchsorted(world.truth[:, 0], (begin, end))
    x, y, radius = world.circles[circle]
    return np.count_nonzero(np.hypot(world.truth[first:last, 1] - x, world.truth[first:last, 2] - y) > radius + FAR_AWAY) > LONGEST_AWAY


def visits_of(times, inside):
    """Visits (circle, enter, exit) of a matrix: whether a rule says inside after each fix, for each circle. An open visit ends at infinity."""
    found = []
    for circle in np.flatnonzero(inside.any(axis=0)):
        first, last = runs(inside[:, circle])
        for a, b in zip(first, last):
            found.append((int(circle), float(times[a]), float(times[b + 1]) if b + 1 < len(times) else np.inf))
    return found


def score(world, truth, visits):
    result = Score()
    by_circle = [[] for _ in truth]
    for circle, enter, exit in visits:
        by_circle[circle].append((enter, exit))
    for circle, (spans, seen) in enumerate(zip(truth, by_circle)):
        result.phantoms += sum(not any(enter <= b and exit > a for a, b in spans) for enter, exit in seen)
        for n, (a, b) in enumerate(spans):
            during = [(enter, exit) for enter, exit in seen if enter <= b and exit > a]
            counted = during
            if n and during and during[0][0] <= spans[n - 1][1] and was_away(world, circle, spans[n - 1][1], a):
                counted = during[1:]
            result.duplicates += max(0, len(during) - 1)
            if b - a < world.least_stay:
                continue
            result.stays += 1
            if not counted:
                result.misses += 1
                continue
            result.enters.append(max(0.0, during[0][0] - a))
            end = during[-1][1]
            following = spans[n + 1][0] if n + 1 < len(spans) else np.inf
            if b < end < following and b < world.fixes[-1, 0]:
                result.exits.append(end - b)
    return result
