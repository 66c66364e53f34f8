# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
# %% [markdown]
# # Visits of a walk
# Replays a track, collects its visits from the events, and draws them. Run it as a script, or cell by cell in an
# editor that knows `# %%`.

# %%
from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "demo"
sys.path.insert(0, str(ROOT / "examples/console-phone"))

from console_phone import read_gpx  # noqa: E402

from plotengine import Engine, Event, Feed  # noqa: E402

try:
    import matplotlib

    matplotlib.use("Agg") if "ipykernel" not in sys.modules else None
    import matplotlib.dates
    import matplotlib.pyplot as pyplot
except ImportError:
    pyplot = None


# %% Replay the walk
class Stay(NamedTuple):
    """A visit, over or not."""

    region: str
    entered: datetime
    left: datetime | None


def visits_of(track: Path, config: Path, feed: Path) -> list[Stay]:
    """The visits of a track, in the order of entering."""
    fixes = list(read_gpx(track))
    stays: dict[str, Stay] = {}

    def event(happened: Event) -> None:
        if happened.event in ("region-enter", "region-inside"):
            stays[happened.visit] = Stay(happened.region, happened.time, None)
        elif happened.event == "region-exit":
            stays[happened.visit] = stays[happened.visit]._replace(left=happened.time)

    with Engine(config, feed=feed, time=fixes[0].time, time_zone="UTC", on_event=event) as engine:
        for fix in fixes:
            engine.update_location(fix.latitude, fix.longitude, accuracy=fix.accuracy, time=fix.time)
    end = fixes[-1].time
    return [stay._replace(left=stay.left or end) for stay in stays.values()]


stays = visits_of(DEMO / "walk.gpx", DEMO / "plotconfig.json", DEMO / "feed.json")
for stay in stays:
    print(f"{stay.entered:%H:%M:%S} to {stay.left:%H:%M:%S}  {stay.region}")


# %% Draw them
def draw(stays: list[Stay], to: Path) -> None:
    """A bar for each visit over the time of the day, a row for each region; below, the walk on the map."""
    feed = Feed.load(DEMO / "feed.json").to_dict()
    rows = list(dict.fromkeys(stay.region for stay in stays))
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(9, 11), height_ratios=(1, 2))
    for stay in stays:
        assert stay.left is not None
        start, end = matplotlib.dates.date2num(stay.entered), matplotlib.dates.date2num(stay.left)
        above.barh(rows.index(stay.region), end - start, left=start)
    above.set_yticks(range(len(rows)), rows)
    above.invert_yaxis()
    above.xaxis_date()
    above.xaxis.set_major_formatter(matplotlib.dates.DateFormatter("%H:%M"))
    above.set_title("Visits (UTC)")
    fixes = list(read_gpx(DEMO / "walk.gpx"))
    below.plot([fix.longitude for fix in fixes], [fix.latitude for fix in fixes], linewidth=1)
    for region in feed["regions"]:
        if region["type"] == "geofence":
            degrees = region.get("radius", 200) / 111_195
            circle = pyplot.Circle((region["longitude"], region["latitude"]), degrees, alpha=0.3)
            below.add_patch(circle)
            below.annotate(region["id"], (region["longitude"], region["latitude"]), ha="center")
    below.set_aspect(1 / 0.61)  # at 52 degrees north
    figure.tight_layout()
    figure.savefig(to)
    print(f"drawn: {to}")


if pyplot is None:
    print("To draw them: pip install matplotlib")
else:
    draw(stays, Path("visits.png"))
