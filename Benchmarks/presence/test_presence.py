#!/usr/bin/env python3
"""Ten fixes for each rule of others, worked by hand; the counting, and the cases that hurt most, on small examples."""

import unittest

import measure
import numpy as np
import policy
import rivals
import worlds


def says(rule, fixes, radius=100.0):
    """The answers of a rule of a circle at the origin after each fix: (seconds, metres east, accuracy)."""
    return rule(rivals.View.of([(t, x, 0.0, acc) for t, x, acc in fixes], [(0.0, 0.0, radius)]))[:, 0].astype(int).tolist()


def each_second(places, accuracy=10.0):
    return [(t, x, accuracy) for t, x in enumerate(places)]


class Rivals(unittest.TestCase):
    def test_containment(self):
        fixes = each_second([300, 150, 101, 100, 99, 0, -100, -101, 99, 200])
        self.assertEqual(says(rivals.containment, fixes), [0, 0, 0, 1, 1, 1, 1, 0, 1, 0])

    def test_accuracy_gate(self):
        # The second, fourth, eighth and tenth fix are less accurate than 100 m and change nothing.
        fixes = list(enumerate([(300, 10), (50, 150), (50, 100), (300, 101), (300, 100), (99, 10), (101, 10), (0, 500), (0, 5), (300, 500)]))
        self.assertEqual(says(rivals.accuracy_gate, [(t, *fix) for t, fix in fixes]), [0, 0, 1, 1, 0, 1, 0, 0, 1, 1])

    def test_traccar(self):
        # Ten seconds allow 500 m. Dropped: the second (550 m in 10 s), the fourth (101 m of accuracy), the seventh (501 m in 10 s).
        places = [(600, 10), (50, 10), (50, 10), (300, 101), (300, 100), (0, 10), (501, 10), (501, 10), (1, 10), (101, 10)]
        self.assertEqual(says(rivals.traccar, [(10 * n, *fix) for n, fix in enumerate(places)]), [0, 0, 1, 1, 0, 1, 1, 0, 1, 0])

    def test_kalman(self):
        # With an accuracy of 3 m and a drift of 3 m/s the gains are 2/3, 5/8, 0.619, then 0.618. The estimates:
        # 200, 120, 95, 95, 114.8 (within 20 m), 122.3 (left), 108.5, 103.3, 95.1, 36.3.
        fixes = each_second([200, 80, 80, 95, 127, 127, 100, 100, 90, 0], 3.0)
        self.assertEqual(says(rivals.kalman, fixes), [0, 0, 1, 1, 1, 0, 0, 0, 1, 1])

    def test_aws(self):
        # Kept: those that moved by both accuracies at least: 200, 180, 100, 121, and 95 with 15 m (26 m from 121).
        fixes = each_second([200, 181, 180, 100, 110, 119, 121, 99, 95, 118])
        fixes[7], fixes[8] = (7, 99, 15.0), (8, 95, 15.0)
        self.assertEqual(says(rivals.aws, fixes), [0, 0, 0, 1, 1, 1, 0, 0, 1, 1])

    def test_two_of_three(self):
        fixes = each_second([0, 300, 0, 0, 300, 300, 0, 300, 0, 0])
        self.assertEqual(says(rivals.two_of_three, fixes), [0, 0, 1, 1, 1, 0, 0, 0, 1, 1])

    def test_tracelet(self):
        # Out beyond 100 + 20 + 10 m, twice in a row; the ninth fix is 300 m away with an accuracy of 200 m, which is not out.
        fixes = each_second([200, 100, 131, 130, 131, 131, 101, 99, 300, 300])
        fixes[8] = (8, 300, 200.0)
        self.assertEqual(says(rivals.tracelet, fixes), [0, 1, 1, 1, 1, 0, 0, 1, 1, 1])

    def test_tracelet_newer(self):
        # The band is max(10, 5) m: out beyond 115 m.
        fixes = each_second([200, 100, 116, 115, 116, 116, 101, 100, 300, 300], 5.0)
        self.assertEqual(says(rivals.tracelet_new, fixes), [0, 1, 1, 1, 1, 0, 0, 1, 1, 0])

    def test_tracelet_newer_small(self):
        # The means: 100, 100, 66.7, 50, 40, 20, 0, 20, 40, 60; out beyond 50 + 5 + 5 m, which the last is not.
        fixes = each_second([100, 100, 0, 0, 0, 0, 0, 100, 100, 100], 5.0)
        self.assertEqual(says(rivals.tracelet_new, fixes, 50.0), [0, 0, 0, 1, 1, 1, 1, 1, 1, 1])


class Counting(unittest.TestCase):
    def world(self):
        """Inside of 100 m from second 60 to 180, and again from 960 to 970."""
        seconds = np.arange(1200.0)
        east = np.where(((seconds >= 60) & (seconds <= 180)) | ((seconds >= 960) & (seconds <= 970)), 0.0, 500.0)
        truth = np.column_stack([seconds, east, np.zeros_like(seconds)])
        fixes = np.column_stack([truth, np.full(len(truth), 5.0)])
        return worlds.World("by hand", 1, truth, fixes, np.array([[0.0, 0.0, 100.0]]))

    def count(self, visits):
        world = self.world()
        score = measure.score(world, measure.stays(world), [(0, *visit) for visit in visits])
        return score.misses, score.phantoms, score.duplicates, score.enters, score.exits

    def test_stays(self):
        self.assertEqual(measure.stays(self.world()), [[(60.0, 180.0), (960.0, 970.0)]])

    def test_counts(self):
        self.assertEqual(self.count([]), (1, 0, 0, [], []))
        self.assertEqual(self.count([(62, 200)]), (0, 0, 0, [2], [20]))
        self.assertEqual(self.count([(62, 100), (120, 200)]), (0, 0, 1, [2], [20]))
        self.assertEqual(self.count([(62, 200), (300, 310), (965, 980)]), (0, 1, 0, [2], [20]))
        # It lasts into the next stay: no exit of the first one.
        self.assertEqual(self.count([(50, np.inf)]), (0, 0, 0, [0], []))

    def test_worlds_repeat(self):
        for family in worlds.FAMILIES:
            first, second = worlds.synthetic(family, 1), worlds.synthetic(family, 1)
            self.assertTrue(np.array_equal(first.fixes, second.fixes) and np.array_equal(first.circles, second.circles), family)


class Hurts(unittest.TestCase):
    """Cases in which people lost trust; each is one device and one circle at the origin."""

    def play(self, fixes, radius, name="balanced"):
        device = policy.Device(policy.POLICIES_BY_NAME[name], [(0.0, 0.0, radius)])
        states = []
        for t, x, accuracy in fixes:
            device.fix(float(t), float(x), 0.0, float(accuracy))
            states.append(device.inside[0])
        return states

    def test_coarse_fixes_far_away_end_a_visit(self):
        at_home = [(60 * n, 0, 20) for n in range(30)]
        states = self.play(at_home + [(1800 + 60 * n, 160_000, 250) for n in range(4)], 100.0)
        self.assertTrue(all(states[:31]))
        self.assertFalse(states[-1])
        # After an hour of silence, one alone does: nothing else is known any more.
        self.assertFalse(self.play([*at_home, (5400, 160_000, 250)], 100.0)[-1])

    def test_coarse_fixes_around_the_edge_do_not_flap(self):
        rng = np.random.Generator(np.random.PCG64(24))
        states = self.play([(n, 1000 + rng.normal(0, 300), 950) for n in range(300)], 1000.0)
        self.assertLessEqual(np.count_nonzero(np.diff(states)), 1)

    def test_one_stale_fix_does_not_enter(self):
        fixes = [(300 * n, 5000, 20) for n in range(24)]
        fixes[12] = (3600, 0, 20)
        for name in policy.POLICIES_BY_NAME:
            self.assertFalse(any(self.play(fixes, 100.0, name)), name)

    def test_cells_alone_enter_a_large_region_once(self):
        rng = np.random.Generator(np.random.PCG64(25))
        fixes = [(60 * n, rng.normal(0, 700), rng.uniform(500, 3000)) for n in range(180)]
        states = self.play(fixes, 1000.0)
        self.assertTrue(states[-1])
        self.assertLessEqual(np.count_nonzero(np.diff(states)), 1)


if __name__ == "__main__":
    unittest.main()
