#!/usr/bin/env python3
"""Makes worlds.json, what the lives of golden.c live in, out of the test vectors.

    Tests/golden/make_worlds.py FILE

worlds.json was made once, and is a part of the corpus: a vector that is added later changes no life. There are two kinds of worlds: those of single
vectors, and towns, which have the regions, campaigns and settings of several vectors in one feed, so that their rules meet.
"""

import copy
import itertools
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "fuzz"))

import seeds  # noqa: E402

TOWN = 12
# Beside those that seeds.py has: waits and reasons that a town rarely comes to.
MORE = [
    "a21-cooldown-from-background", "a21-cooldown-from-enter", "a21-cooldown-from-exit", "a21-cooldown-from-removed", "message-caps-and-quiet-hours",
    "message-rules",
]


def renamed(value, prefix, key=None):
    """A part of a feed, with another prefix for each name of a region or campaign."""
    if isinstance(value, dict):
        return {name: renamed(member, prefix, name) for name, member in value.items()}
    if isinstance(value, list):
        return [renamed(member, prefix, key) for member in value]
    if isinstance(value, str) and key in ("id", "region", "regions", "campaign"):
        return prefix + value
    return value


def merged(vectors):
    """One feed with the regions, campaigns and settings of all; of settings that there can be one of, that of the first."""
    town = {"version": 1, "regions": [], "campaigns": [], "settings": {}}
    categories = {}
    for number, vector in enumerate(vectors):
        feed = vector["feed"]
        for part in ("regions", "campaigns"):
            town[part] += [renamed(one, f"{number}-") | unnamed(one) for one in copy.deepcopy(feed[part])]
        for category in feed.get("categories", []):
            categories.setdefault(category["id"], category)
        for key, value in feed.get("settings", {}).items():
            if key == "quietHours" and isinstance(value, dict):
                value = [value]
            if isinstance(value, list):
                have = town["settings"].setdefault(key, [])
                names = {one.get("key") or one.get("group") for one in have} - {None}
                have += [one for one in value if (one.get("key") or one.get("group")) not in names]
            else:
                town["settings"].setdefault(key, value)
    quiet = town["settings"].get("quietHours", [])
    general = [one for one in quiet if "tag" not in one][:1]
    tagged = {one["tag"]: one for one in quiet if "tag" in one}
    if quiet:
        town["settings"]["quietHours"] = general + list(tagged.values())
    if categories:
        town["categories"] = list(categories.values())
    return town


def unnamed(one):
    """Texts that `renamed` must leave alone: ids inside of a content, and fields of the app's own."""
    return {key: one[key] for key in ("content", "customFields") if key in one}


def changed(feed):
    """The same feed after an edit: some places are larger, some texts are others."""
    feed = copy.deepcopy(feed)
    for region in feed["regions"][::2]:
        if "radius" in region:
            region["radius"] = min(region["radius"] * 2, 100_000)
    for campaign in feed["campaigns"][1::2]:
        if "message" in campaign:
            campaign["message"] += ", again"
    return feed


def still(feed):
    """The same feed with no region that moves."""
    return feed | {"regions": [{key: value for key, value in region.items() if key != "moving"} for region in feed["regions"]]}


def text_of(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def world(name, vectors, feed, config):
    parts = [seeds.Scenario(vector["name"]) for vector in vectors]
    all_of = lambda key: seeds.of(itertools.chain.from_iterable(getattr(part, key) for part in parts))  # noqa: E731
    later = [one["setFeed"]["feed"] for vector in vectors for one in vector["inputs"] if "setFeed" in one]
    feeds = [feed, changed(feed)] + (later[:1] if len(vectors) == 1 else [])
    if still(feed) != feed:
        feeds.append(still(feed))
    return {
        "name": name, "start": parts[0].start,
        # As texts: a digest is of a feed's text, and libraries write numbers each in their own way.
        "config": text_of(config), "feeds": [text_of(one) for one in feeds],
        "points": [list(point) for point in all_of("points")],
        "regions": [region["id"] for region in feed["regions"]] + ["nowhere"],
        "moving": [region["id"] for region in feed["regions"] if region.get("moving")] + ["nowhere"],
        "campaigns": [campaign["id"] for campaign in feed["campaigns"]] + ["none"],
        "beacons": [list(beacon) for beacon in all_of("beacons")],
        "eddystones": [list(pair) for pair in all_of("eddystones")],
        "payloads": all_of("payloads"),
        "lists": [list(pair) for pair in all_of("lists")],
        "properties": all_of("properties"), "texts": all_of("texts"),
        "strategies": [one["key"] for one in feed.get("settings", {}).get("strategies", [])],
    }


def main():
    vectors = [seeds.vector(path.stem) for path in sorted((ROOT / "Tests" / "vectors").glob("*/*.json"), key=lambda path: path.name)]
    singles = [vector for vector in vectors if vector["name"] in seeds.SCENARIOS + MORE]
    worlds = [world(vector["name"], [vector], vector["feed"], vector["config"]) for vector in singles]
    # Neighbours in the alphabet show much the same; every n-th are of all kinds.
    count = -(-len(vectors) // TOWN)
    for number in range(count):
        group = vectors[number::count]
        config = {"publicToken": "TOWN", "enableOnFirstRun": True, "debug": number % 4 == 0}
        config["engine"] = {"noise": ["exact", "default", "walking", "exact"][number % 4], "initial": ["enter", "none", "dwellOnly"][number % 3]}
        if number % 2:
            config["engine"] |= {"filterDeadline": 300, "filterFallback": ["showOriginal", "drop"][number // 2 % 2]}
        if number % 3 == 1:
            config["cooldownPeriod"] = 60
        worlds.append(world(f"town-{number:02}", group, merged(group), config))
    lines = [text_of(one) for one in worlds]
    pathlib.Path(sys.argv[1]).write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
