# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Many fixes in one call: two devices on one feed, and what their walks led to."""

from __future__ import annotations

from plotengine import Effect, EffectKind, Engine, Feed, Fleet, Status

START = 1_778_925_600_000  # 2026-05-16T10:00:00Z, in ms

# Fix i is at position i of each column. The last fix is older than the one before it of device 1.
DEVICES = [0, 1, 0, 1, 0, 1]
TIMES = [START + seconds * 1_000 for seconds in (1, 1, 61, 61, 121, 60)]
LATITUDES = [52.3700, 52.3700, 52.3600, 52.3701, 52.3700, 52.3600]
LONGITUDES = [4.8900, 4.8900, 4.8850, 4.8901, 4.8900, 4.8850]


def words(effect: Effect, feed: Feed) -> str:
    if effect.kind == EffectKind.REGION_ENTER:
        return f"entered {feed.region_id(effect.region)}"
    if effect.kind == EffectKind.REGION_EXIT:
        return f"left {feed.region_id(effect.region)}"
    if effect.kind == EffectKind.NOTIFICATION_SHOWN:
        return f"shown: {feed.campaign_id(effect.campaign)}"
    if effect.kind == EffectKind.REFUSED:
        return f"refused, PLOT_{Status(effect.detail).name}"
    return f"kind {effect.kind}"  # a later version may add kinds


def main() -> None:
    feed = Feed.load("feed.json")
    fleet = Fleet(Engine("plotconfig.json", feed=feed, time=START) for _ in range(2))
    effects = fleet.update_locations(DEVICES, TIMES, LATITUDES, LONGITUDES)
    for record in effects:
        effect = Effect(*record)  # with NumPy, a record is a row of its array
        print(f"fix {effect.fix}, device {effect.device}: {words(effect, feed)}")
    for engine in fleet:
        engine.close()


if __name__ == "__main__":
    main()
