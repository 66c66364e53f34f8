"""Real tracks with noise: what the policies tell, and what a plain loop makes of the same."""

from __future__ import annotations

import noise_table
import pytest

SEEDS = 25


@pytest.fixture(scope="module", autouse=True)
def data() -> None:
    if not noise_table.DATA.exists():
        pytest.skip("the traces beside the project are not there")


def test_every_stop_of_the_bus_is_told_once() -> None:
    track, places = noise_table.bus()
    assert (len(track), len(places)) == (2144, 36)
    spans = noise_table.passes(track, places)
    assert all(len(visits) == 1 and visits[0][1] - visits[0][0] >= 8000 for visits in spans.values())
    rows = noise_table.table(track, places, ("exact", "driving-1", "balanced"), SEEDS)
    for line in noise_table.lines("bus304", rows, len(places), SEEDS):
        print(line)
    assert (rows["driving-1"].misses, rows["driving-1"].phantoms) == (0, 0)
    assert len(rows["driving-1"].delays) == 36 * SEEDS
    # The default: at most 5 in 7,200 passes, and at least one may always be.
    assert rows["balanced"].misses == 0 and rows["balanced"].phantoms <= 1 + 36 * SEEDS * 5 // 7200
    # The fault to be mended: without a policy each stop is told more than once.
    assert rows["exact"].phantoms > 36 * SEEDS and rows["plain loop"].phantoms > 36 * SEEDS


@pytest.mark.parametrize("radius", [60.0, 100.0])
def test_a_hike_with_fixes_far_apart(radius: float) -> None:
    track, places = noise_table.hike()
    rows = noise_table.table(track, places, ("driving-1",), SEEDS, radius)
    for line in noise_table.lines(f"hike, {radius:.0f} m", rows, len(places), SEEDS):
        print(line)
    spans = noise_table.passes(track, places, radius).values()
    passes = SEEDS * sum(last - first >= 8000 for visits in spans for first, last in visits)
    row = rows["driving-1"]
    assert row.phantoms == 0
    # With fixes 8 s apart and more, a circle of 60 m may be grazed by three that are not in a row.
    assert row.misses - row.blind <= (passes / 100 if radius == 60 else 0)
    assert rows["plain loop"].phantoms > passes / 4
