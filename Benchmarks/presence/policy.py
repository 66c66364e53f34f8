"""The reference code of the engine's policies `eager`, `balanced` (the default) and `careful`.

One device has one `Device`, whatever its regions are. It answers three questions about each fix:

1. Does the fix belong to where the device is, or does the device only seem to have jumped? (`_claim`)
2. Is the device at rest, and where? Errors of neighbouring fixes are correlated, so many of them weigh little more than one. (`_follow`)
3. For each region: is the device inside? At rest the anchor decides, on the way the fix does. (`_at_rest`, `_on_the_way`)

Only + - * /, square roots, minimum, maximum and comparisons are used. Metres, seconds, metres a second; accuracies are 68 % radii.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

REST = 135.0  # seconds within the resting circle until a device is at rest
SHIFT = 500.0  # how long a device at rest must seem to be elsewhere, without travel, when fixes are sparse
SHIFT_DENSE = 320.0  # the same when fixes come often
DENSE, FEW = 30.0, 20.0  # a fix at most 30 s after the one before can be judged by speed; one more than 20 s after it counts as sparse
FASTEST = 50.0  # metres a second that nobody exceeds between two fixes
COARSE = 50.0  # an accuracy that may be coarse
SILENCE = 1800.0  # after so long, a fix begins anew
BLUR = 200.0  # a position, or an anchor, less certain than this comes from cells alone
CELL_DOUBT = 1.5  # so many uncertainties beyond an edge and its margin, cells alone end a visit
DRIFT2 = 140.0  # square metres that no number of fixes removes from an anchor's uncertainty
CORRELATION = 150.0  # seconds over which errors resemble each other
LEAST = 8.0  # no fix is taken to be better than this
PAUSE = 20.0  # at rest, seconds between two fixes that are weighed: those between would add next to nothing
SELDOM = 240.0  # seconds between fixes from which a shift that is believed ends visits alone
MOVING = 1.5  # metres a second at which a device is not about to rest
LEAST_SLACK = 4.0  # a slack of less metres is none
SETTLED = 10.0  # seconds without a contradiction until neighbours may give slack
WHOLE = 3  # at rest, so many fixes in a row with their whole error circle inside enter where the anchor cannot tell


@dataclasses.dataclass(frozen=True)
class Policy:
    enter_fixes: int = 1
    """So many fixes in a row must lie inside to enter on the way."""
    enter_depth: float = 0.0
    """How much of its accuracy a fix must lie within the edge to enter on the way; at most a fifth of the radius."""
    slow_depth: float = 0.8
    """The same for a device that is slower than 0.9 m/s and not yet known to be at rest."""
    rough_depth: float = 1.0
    """How far within the edge a fix must lie to enter at once, as a share of how far neighbouring fixes disagree."""
    enter_slack: float = 0.5
    """How far beyond the edge a fix may enter whose neighbours agree better than its accuracy claims: a share of the difference."""
    exit_fixes: int = 4
    """So many fixes in a row, each with its whole error circle beyond the margin, leave on the way when fixes come often; one less otherwise."""
    cell_reach: float = 1.25
    """A fix inside enters if what cells alone tell lies at most so many uncertainties beyond the edge; 0: never."""
    jump_time: float = 60.0
    """How long a jump must last to be believed."""


POLICIES_BY_NAME = {
    "eager": Policy(slow_depth=0.0, rough_depth=0.0, enter_slack=0.7, exit_fixes=3, cell_reach=2.0, jump_time=45.0),
    "balanced": Policy(),
    "careful": Policy(enter_fixes=2, enter_depth=0.5, enter_slack=0.0, cell_reach=0.0),
}


def hypot(a, b):
    return math.sqrt(a * a + b * b)


class Device:
    """The state of one device, and of each region whether it is inside."""

    def __init__(self, policy, circles):
        self.policy = policy
        self.circles = [(float(x), float(y), float(r), max(0.1 * float(r), 20.0)) for x, y, r in circles]
        self.inside = [False] * len(circles)
        self.votes = [0] * len(circles)  # fixes in a row inside, on the way
        self.outs = [0] * len(circles)  # fixes beyond the margin since one was inside
        self.gone = [False] * len(circles)  # one was beyond it, counted or held
        self.held = [0] * len(circles)  # fixes in a row inside, while a jump waits
        self.would = [False] * len(circles)  # the jump would have entered it
        self.is_known = False

    # ---- The device ----------------------------------------------------------------------------------------

    def begin(self, t, x, y, s):
        """The first fix, or the first after a long silence."""
        self.is_known, self.resting, self.waits = True, False, False
        self.x, self.y, self.s, self.t, self.seen = x, y, s, t, t  # the newest fix that was followed; the newest of all
        self.px, self.py, self.variance = x, y, s * s  # a smoothed position
        self.qx, self.qy, self.qt, self.speed = x, y, t, 0.0  # where it was ten seconds ago or more, and the speed since
        self.scatter = s  # how far neighbouring fixes disagree
        self.trusted = t  # since when nothing contradicts where it is
        self.pace = math.inf  # seconds between the two newest fixes
        self.is_after_gap = False  # fixes came often, and then none for a while
        self.plant(t, x, y, s)

    def plant(self, t, x, y, s):
        """A new anchor."""
        self.ax, self.ay, self.weight, self.planted = x, y, 1 / (s * s), t
        self.weighed = t  # the newest fix that moved it
        self.ex = self.ey = 0.0  # a running mean of where fixes lie beside the anchor

    def fix(self, t, x, y, accuracy):
        s = max(accuracy, LEAST)
        if not self.is_known:
            self.begin(t, x, y, s)
            self._on_the_way(t, x, y, s, math.inf, False)
            return
        if t - self.seen >= SILENCE:
            # A device that was seen outside and then fell silent has left.
            for n, gone in enumerate(self.gone):
                self.inside[n], self.outs[n], self.gone[n] = self.inside[n] and not gone, 0, False
        gap, step = t - self.t, hypot(x - self.x, y - self.y)
        reach = (0.3 + self.speed) * gap
        if gap > 60:
            reach = max(reach, 0.2 * FASTEST * min(gap - 60, 600.0))
        variance = self.variance + reach * reach
        travel = min(FASTEST, 1.5 * self.speed + gap) * gap
        if accuracy > COARSE and s * s > 6.25 * variance and variance < BLUR * BLUR:
            # It knows less than we do: it counts only if even so it lies elsewhere.
            far = step > 3 * accuracy if gap > SILENCE else step > travel + 3 * (accuracy + self.s)
            if not far:
                return  # coarse
        if gap > SILENCE and not (self.waits and t - self.seen <= SILENCE):
            self.begin(t, x, y, s)
            self._on_the_way(t, x, y, s, math.inf, False)
            return
        claim = self._claim(t, x, y, s, gap, step, travel)
        self.is_at_pace = step <= (self.speed + 1) * gap + 2 * s  # where the device would be, had it gone on
        if claim == "hold":
            for n, (cx, cy, r, margin) in enumerate(self.circles):
                self.gone[n] |= self.inside[n] and hypot(x - cx, y - cy) - min(s, max(150.0, r)) > r + margin
            self._while_held(x, y, s, gap)
            return
        if claim == "believed":
            self.px, self.py, self.variance, self.trusted = x, y, s * s, t
            self.qx, self.qy, self.qt = x, y, t
            self.resting = self.waits = False
            self.plant(t, x, y, s)
        else:
            self._follow(t, x, y, s, gap, step, variance)
        self.x, self.y, self.s, self.t = x, y, s, t
        if self.resting:
            self._at_rest(x, y, s)
        else:
            self._on_the_way(t, x, y, s, gap, claim == "believed")
        self.would = [False] * len(self.would)

    def _claim(self, t, x, y, s, gap, step, travel):
        """Whether a fix is followed, held as part of a jump or a shift, or makes that believed."""
        since, self.seen = t - self.seen, t
        self.is_after_gap, self.pace = self.pace <= 10 and since > max(8.0, 3 * self.pace), since
        limit = travel + 4 * math.sqrt(s * s + self.s * self.s)
        self.home = max(25.0, 2.2 * math.sqrt(s * s + 1 / self.weight + DRIFT2))
        self.away = hypot(x - self.ax, y - self.ay)
        at_home = self.resting and self.away <= self.home
        kind = "follow"
        if self.waits and self.is_jump:
            apart = hypot(x - self.wx, y - self.wy)
            reach = min(FASTEST, 1.5 * self.speed + since) * since + 4 * math.sqrt(s * s + self.ws * self.ws)
            if not at_home:
                kind = "same" if apart <= reach and apart < step else "new" if step > limit else "follow"
        elif self.resting:
            kind = "follow" if at_home else "same" if self.waits else "new"
        elif gap <= DENSE and step > limit:
            kind = "new"
        if kind == "follow":
            self.waits = False  # dismissed, if one waited
            return kind
        if kind == "new":
            self.waits, self.is_jump, self.count = True, since <= DENSE and step > limit, 0
            self.wt, self.bx, self.by = t, x, y  # when and where it began
            # One step at a time, as feet go, and not all at once, as errors do.
            self.is_gradual = since <= DENSE and self.scatter <= 15 and step <= 3 * self.scatter + 1.5 * since
        self.wx, self.wy, self.ws, self.count = x, y, s, self.count + 1
        gone = hypot(x - self.bx, y - self.by)
        if self.is_jump:
            wait = min(self.policy.jump_time, self.wt - self.trusted)
        elif since <= DENSE:
            has_travelled = self.is_gradual or gone >= 1.3 * math.sqrt(s * s + 200.0) or self.away >= 150.0
            wait = 8.0 if has_travelled else SHIFT_DENSE
        else:
            has_travelled = gone > 1.25 * math.sqrt(s * s + 200.0) or self.away > 6 * self.home
            wait = 0.0 if has_travelled else SHIFT
        return "believed" if self.count >= 2 and t - self.wt >= wait else "hold"

    def _follow(self, t, x, y, s, gap, step, variance):
        """The fix is where the device is: moves the smoothed position and the anchor."""
        if self.resting and self.away <= self.home and t - self.weighed < PAUSE:
            if gap > 10:
                self.trusted = t
            return
        if step > 2.5 * math.sqrt(s * s + self.s * self.s) + 1.5 * self.speed * gap or gap > 10:
            self.trusted = t
        self.scatter += 0.1 * (min(max(0.0, step - self.speed * gap) / 1.4, 2 * s) - self.scatter)
        gain = variance / (variance + s * s)
        self.px, self.py, self.variance = self.px + gain * (x - self.px), self.py + gain * (y - self.py), (1 - gain) * variance
        if t - self.qt >= 10:
            self.speed = min(FASTEST, hypot(self.px - self.qx, self.py - self.qy) / (t - self.qt))
            self.qx, self.qy, self.qt = self.px, self.py, t
        if self.away > self.home or (not self.resting and self.speed >= MOVING):
            self.resting = False
            self.plant(t, x, y, s)
            return
        away = max(self.away, 1e-9)
        lasted, self.weighed = t - self.weighed, t
        share, cut = lasted / (max(90.0, 5 * lasted) + lasted), min(1.0, 2 * s / away)
        self.ex += share * (cut * (x - self.ax) - self.ex)
        self.ey += share * (cut * (y - self.ay) - self.ey)
        # (1 - rho) / (1 + rho) with rho = exp(-gap / CORRELATION) is tanh(h); this is within 2 % of it.
        h = min(lasted / (2 * CORRELATION), 3.0)
        weight = h * (27 + h * h) / (27 + 9 * h * h) / (s * s) * min(1.0, (1.5 * s / away) ** 2)
        self.weight += weight
        self.ax += weight / self.weight * (x - self.ax)
        self.ay += weight / self.weight * (y - self.ay)
        self.weight = min(self.weight, 60 / (s * s))
        if t - self.planted >= REST:
            beside = hypot(self.ex, self.ey)
            self.resting = beside <= 0.6 * s if s >= BLUR else beside <= 0.7 * s or gap > DENSE
            if not self.resting:
                self.plant(t, x, y, s)

    # ---- The regions ---------------------------------------------------------------------------------------

    def _while_held(self, x, y, s, gap):
        """A jump waits. Whether or not it is believed later, two things enter a region now: what is seen, where the device could have gone; and
        the way since the jump began, put on where the device was before. An error that begins at once goes along with the device.
        """
        if not self.is_jump:
            return
        mx, my = self.x + x - self.bx, self.y + y - self.by
        is_trusted = self.wt - self.trusted >= 10
        reach = max(3 * self.speed * gap, 1.2 * hypot(x - self.bx, y - self.by))
        for n, (cx, cy, r, _) in enumerate(self.circles):
            if self.count == 1:
                self.held[n], self.would[n] = 0, False
            if self.inside[n]:
                continue
            self.held[n] = self.held[n] + 1 if hypot(x - cx, y - cy) <= r else 0
            if self.held[n] >= 2:
                self.would[n] = True
                if hypot(self.x - cx, self.y - cy) <= r + reach:
                    self._enter(n)
            if self.count >= 3 and is_trusted and hypot(mx - cx, my - cy) <= r - 0.5 * s:
                self._enter(n)

    def _enter(self, n):
        if not self.inside[n]:
            self.inside[n], self.outs[n], self.gone[n] = True, 0, False

    def _at_rest(self, x, y, s):
        u = math.sqrt(1 / self.weight + DRIFT2)
        for n, (cx, cy, r, margin) in enumerate(self.circles):
            self.outs[n], self.gone[n] = 0, False
            d, fix = hypot(self.ax - cx, self.ay - cy), hypot(x - cx, y - cy)
            is_whole = not self.inside[n] and fix + s <= r and u <= BLUR and d <= r + u
            self.votes[n] = self.votes[n] + 1 if is_whole else 0
            if self.inside[n]:
                if d - (CELL_DOUBT if u > BLUR else 1) * u > r + margin:
                    self.inside[n] = False
            elif d <= r or self.votes[n] >= WHOLE:
                self.inside[n] = True
            elif u > BLUR and self.policy.cell_reach > 0:
                # Cells alone cannot tell: a region that a fix lies in is entered, unless the anchor is far from it.
                self.inside[n] = fix <= r and d <= r + self.policy.cell_reach * u

    def _on_the_way(self, t, x, y, s, gap, is_believed):
        policy, often = self.policy, gap <= FEW
        inward = policy.enter_depth * s
        if often and self.speed < 0.9:
            inward += policy.slow_depth * s
        if often and s <= 40:
            # Neighbours that disagree ask for depth; neighbours that agree better than they claim give slack.
            inward += policy.rough_depth * max(0.0, min(s, self.scatter) - 6)
            if t - self.trusted >= SETTLED:
                inward -= min(15.0, policy.enter_slack * max(0.0, s - self.scatter - 5))
        probes = [] if inward > -LEAST_SLACK else [(-inward, 0), (inward, 0), (0, -inward), (0, inward)]
        if -LEAST_SLACK < inward < 0:
            inward = 0.0
        # Of cells alone, the smoothed position says more than a fix.
        blur = math.sqrt(self.variance)
        is_blurred = s > BLUR
        px, py = (self.px, self.py) if is_blurred else (x, y)
        for n, (cx, cy, r, margin) in enumerate(self.circles):
            d = hypot(px - cx, py - cy)
            needed = 2 if self.is_after_gap and not (self.is_at_pace and d + 2 * s <= r) else policy.enter_fixes
            # The engine asks its index for what is around a fix at four places only.
            is_near = d <= r or any(hypot(x + east - cx, y + north - cy) <= r for east, north in probes)
            # The belief began inside: with two fixes.
            start_edge = hypot(self.bx - cx, self.by - cy) - r if is_believed else math.inf
            is_since = start_edge <= 0
            error = CELL_DOUBT * max(blur, LEAST) if is_blurred else min(s, max(150.0, r))
            is_beyond = d - error > r + margin
            self.votes[n] = self.votes[n] + (2 if is_since else 1) if d <= r else 0
            if not self.inside[n]:
                enters = self.votes[n] >= max(2, needed) or (needed == 1 and is_near and d <= r - min(0.2 * r, inward))
                if is_blurred and blur > BLUR and policy.cell_reach > 0:
                    enters |= hypot(x - cx, y - cy) <= r and d <= r + policy.cell_reach * blur
                # A place of rest was left, and the way began deep inside: the newest fix does not deny that the device is there.
                if start_edge <= -s and not self.is_jump and not is_beyond:
                    enters = True
                if is_believed and self.would[n]:
                    enters = True
                if gap == math.inf and s > max(BLUR, 2 * r):
                    # A first fix that cannot tell is no news.
                    self.votes[n], enters = 0, False
                if enters:
                    self._enter(n)
                continue
            if is_beyond:
                self.outs[n] += (3 if gap >= SELDOM else 2) if is_believed else 1
                self.gone[n] = True
                if gap == math.inf or self.outs[n] >= policy.exit_fixes - (0 if often else 1):
                    self.inside[n] = False
            elif d <= r:
                self.outs[n], self.gone[n] = 0, False


def rule(policy):
    def run(view):
        device = Device(policy, list(zip(view.cx, view.cy, view.r)))
        states = np.zeros((len(view.t), len(view.r)), bool)
        for n, fix in enumerate(zip(view.t.tolist(), view.x.tolist(), view.y.tolist(), view.acc.tolist())):
            device.fix(*fix)
            states[n] = device.inside
        return states

    return run


POLICIES = {name: rule(policy) for name, policy in POLICIES_BY_NAME.items()}
