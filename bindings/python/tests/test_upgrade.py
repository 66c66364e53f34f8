"""A store that a former release has left in the middle of visits, and the defaults of this one."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from plotengine import Engine, Event

GOLDEN = Path(__file__).resolve().parents[3] / "Tests" / "golden"


def test_a_visit_of_a_former_release_is_not_entered_again(tmp_path: Path) -> None:
    if not GOLDEN.exists():
        pytest.skip("the golden corpus is not beside the package")
    worlds = {world["name"]: world for world in json.loads((GOLDEN / "worlds.json").read_text(encoding="utf-8"))}
    seen = 0
    for line in (GOLDEN / "kept" / "stores.txt").read_text(encoding="utf-8").splitlines():
        name, world, *_, wall, _monotonic = line.split()
        store = tmp_path / f"{name}.store"
        for end in ("", "-log", "-wal"):
            packed = GOLDEN / "kept" / "stores" / f"{name}.store{end}.gz"
            if packed.exists():
                store.with_name(store.name + end).write_bytes(gzip.decompress(packed.read_bytes()))
        regions = [region for feed in worlds[world]["feeds"] for region in json.loads(feed)["regions"]]
        places = {region["id"]: region for region in regions if "latitude" in region and not region.get("moving")}
        # Later than anything in the store: nobody tells this engine of the clocks.
        time = int(wall) + 3_600_000
        events: list[Event] = []
        with Engine(on_event=events.append) as engine:
            engine.init({}, store=store, time=time)
            inside = [places[visit.region] for visit in engine.visits() if visit.region in places]
            # Events that the former process had not delivered have come by now.
            events.clear()
            for region in inside[:1]:
                seen += 1
                for second in (1, 11, 21):
                    place = (region["latitude"], region["longitude"])
                    engine.update_location(*place, accuracy=10, time=time + second * 1000)
                entered = [event for event in events if event.event in ("region-enter", "region-inside")]
                assert region["id"] not in [event.region for event in entered], name
    assert seen >= 5
