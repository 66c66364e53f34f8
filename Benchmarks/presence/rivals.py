"""The rules of others, each written from its public description. `test_rivals.py` has ten fixes for each, worked by hand.

A rule takes a `View` of a world's fixes and returns a matrix: whether it takes the device to be inside each circle after each fix.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np


@dataclasses.dataclass
class View:
    """Fixes and circles, one array for each value; `edge` is the distance of each fix beyond the edge of each circle, negative inside."""

    t: np.ndarray
    x: np.ndarray
    y: np.ndarray
    acc: np.ndarray
    cx: np.ndarray
    cy: np.ndarray
    r: np.ndarray
    edge: np.ndarray

    @classmethod
    def of(cls, fixes, circles):
        t, x, y, acc = np.ascontiguousarray(np.asarray(fixes, float).T)
        cx, cy, r = np.ascontiguousarray(np.asarray(circles, float).T)
        return cls(t, x, y, acc, cx, cy, r, np.hypot(x[:, None] - cx, y[:, None] - cy) - r)

    def without(self, kept):
        """The same with some fixes left out."""
        return View(self.t[kept], self.x[kept], self.y[kept], self.acc[kept], self.cx, self.cy, self.r, self.edge[kept])


def hold(says_in, says_out):
    """The state after each fix: inside once a fix says so, until one says outside. A fix that says neither changes nothing."""
    count = len(says_in)
    last = np.where(says_in | says_out, np.arange(count)[:, None], -1)
    last = np.maximum.accumulate(last, axis=0)
    return (last >= 0) & np.take_along_axis(says_in, np.maximum(last, 0), axis=0)


def spread(inside, kept):
    """A matrix of the fixes that were kept, for all fixes: one that was left out changes nothing."""
    padded = np.vstack([np.zeros((1, inside.shape[1]), bool), inside])
    return padded[np.cumsum(kept)]


def containment(view):
    """Inside if the fix is at most the radius away: what a few lines of an app do."""
    return view.edge <= 0


def accuracy_gate(view):
    """Containment, but a fix whose accuracy is worse than the radius is ignored for that circle."""
    good = view.acc[:, None] <= view.r
    return hold((view.edge <= 0) & good, (view.edge > 0) & good)


def traccar(view):
    """Traccar with filter.accuracy of 100 m and filter.maxSpeed of 50 m/s: such positions are dropped, the others decide by containment.

    The speed is the distance from the last position that was kept, by the time between them (https://www.traccar.org/configuration-file/).
    """
    kept = np.zeros(len(view.t), bool)
    last = None
    for n, (t, x, y, acc) in enumerate(zip(view.t.tolist(), view.x.tolist(), view.y.tolist(), view.acc.tolist())):
        if acc > 100 or (last and math.hypot(x - last[1], y - last[2]) > 50 * (t - last[0])):
            continue
        kept[n], last = True, (t, x, y)
    return spread(view.without(kept).edge <= 0, kept)


def kalman(view, speed=3.0):
    """A Kalman filter of the position, which may drift by 3 m/s, with the accuracy as its error; left beyond a hysteresis of 20 m."""
    places, variance, last = np.empty((len(view.t), 2)), None, 0.0
    x = y = 0.0
    for n, (t, a, b, acc) in enumerate(zip(view.t.tolist(), view.x.tolist(), view.y.tolist(), view.acc.tolist())):
        error = max(acc, 1.0) ** 2
        if variance is None:
            x, y, variance = a, b, error
        else:
            variance += (t - last) * speed**2
            gain = variance / (variance + error)
            x, y, variance = x + gain * (a - x), y + gain * (b - y), (1 - gain) * variance
        last, places[n] = t, (x, y)
    edge = np.hypot(places[:, :1] - view.cx, places[:, 1:] - view.cy) - view.r
    return hold(edge <= 0, edge > 20)


def aws(view):
    """A tracker of Amazon Location with AccuracyBased filtering: an update is ignored if the device moved less than both accuracies together.

    (https://docs.aws.amazon.com/location/latest/developerguide/start-create-tracker.html) The others decide by containment.
    """
    kept = np.zeros(len(view.t), bool)
    last = None
    for n, (x, y, acc) in enumerate(zip(view.x.tolist(), view.y.tolist(), view.acc.tolist())):
        if last and math.hypot(x - last[0], y - last[1]) < acc + last[2]:
            continue
        kept[n], last = True, (x, y, acc)
    return spread(view.without(kept).edge <= 0, kept)


def two_of_three(view):
    """The answer that two of the last three fixes say; nothing is inside before the second fix."""
    inside = (view.edge <= 0).astype(int)
    padded = np.vstack([np.zeros((2, inside.shape[1]), int), inside])
    return padded[:-2] + padded[1:-1] + padded[2:] >= 2


def second_out(out, inside):
    """The state if a fix inside enters, and the second of two consecutive fixes outside leaves."""
    before = np.vstack([np.zeros((1, out.shape[1]), bool), out[:-1]])
    return hold(inside, out & before)


def tracelet(view):
    """Tracelet 3.7.5: the first fix inside enters; two consecutive fixes leave whose error circle lies beyond r + max(r / 10, 20 m).

    (https://github.com/Ikolvi/Tracelet/issues/268, 274, 276 and 294)
    """
    return second_out(view.edge - view.acc[:, None] > np.maximum(0.1 * view.r, 20.0), view.edge <= 0)


def tracelet_new(view):
    """Tracelet 3.8.2: a band of max(r / 10, the accuracy between 3 and 20 m), and the mean of up to five fixes for fences below 100 m.

    (https://github.com/Ikolvi/Tracelet/issues/355)
    """
    edge = view.edge.copy()
    sums = np.cumsum(np.column_stack([view.x, view.y]), axis=0)
    count = np.minimum(np.arange(len(view.t)) + 1, 5)
    mean = sums.copy()
    mean[5:] -= sums[:-5]
    mean /= count[:, None]
    small = view.r < 100
    edge[:, small] = np.hypot(mean[:, :1] - view.cx[small], mean[:, 1:] - view.cy[small]) - view.r[small]
    acc = view.acc[:, None]
    return second_out(edge - acc > np.maximum(0.1 * view.r, np.clip(acc, 3, 20)), edge <= 0)


RIVALS = {
    "containment": containment,
    "accuracy <= radius": accuracy_gate,
    "Traccar-like": traccar,
    "Kalman, 20 m": kalman,
    "AWS-like": aws,
    "2 of 3": two_of_three,
    "Tracelet-like": tracelet,
    "Tracelet, newer": tracelet_new,
}
