#!/usr/bin/env python3
"""`plot feed isochrone` with Valhalla itself, on the map of the middle of Helsinki: as a program, and as a service.

    Tests/tool/isochrones.py build/bin/plot

The areas are held against routes that Valhalla works out by itself: who is in the area of five minutes has a way of about five minutes
at most, and who is well outside has a longer one. Then somebody walks into it, and gets the message.
"""

import json
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / ".build-valhalla"
SERVICE = PLACE / "valhalla/bin/valhalla_service"
STATION = (60.1712, 24.9414)


def run(*words, status=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, f"{words}: status {done.returncode}, expected {status}: {done.stderr[-500:]}"
    return done


def is_in(ring, latitude, longitude):
    """Whether a ring contains a place: how often its meridian crosses it above."""
    inside = False
    for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
        if (x1 <= longitude) != (x2 <= longitude) and y1 + (y2 - y1) * (longitude - x1) / (x2 - x1) > latitude:
            inside = not inside
    return inside


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def ask(port, path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def start_service(folder):
    """A service on a port of its own; its sockets are in a folder of its own, too."""
    config = json.loads((PLACE / "config.json").read_text())
    port = free_port()
    config["httpd"]["service"].update(listen=f"tcp://127.0.0.1:{port}", loopback=f"ipc://{folder}/loopback", interrupt=f"ipc://{folder}/interrupt")
    for part in ("loki", "thor", "odin"):
        config[part]["service"]["proxy"] = f"ipc://{folder}/{part}"
    path = Path(folder) / "config.json"
    path.write_text(json.dumps(config))
    service = subprocess.Popen([str(SERVICE), str(path), "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            ask(port, "status", {})
            return service, port
        except OSError:
            time.sleep(0.1)
    service.kill()
    raise AssertionError("the service of Valhalla does not answer within ten seconds")


def check_routes(port, areas):
    """Of random places, those in an area are as near as it says, and those well outside are not."""
    generator = random.Random(7)
    places = [(STATION[0] + generator.uniform(-0.006, 0.006), STATION[1] + generator.uniform(-0.012, 0.012)) for _ in range(120)]
    answer = ask(port, "sources_to_targets", {
        "sources": [{"lat": a, "lon": b} for a, b in places], "targets": [{"lat": STATION[0], "lon": STATION[1]}], "costing": "pedestrian",
    })  # fmt: skip
    seconds = [row[0]["time"] for row in answer["sources_to_targets"]]
    for minutes, ring in areas.items():
        near = [time for (a, b), time in zip(places, seconds) if time is not None and is_in(ring, a, b)]
        far = [time for (a, b), time in zip(places, seconds) if time is not None and not is_in(ring, a, b)]
        # The area is drawn on a grid, and its edge is smoothed: a minute and a half either way.
        wrong = sum(time > minutes * 60 + 90 for time in near) + sum(time < minutes * 60 - 90 for time in far)
        assert len(near) >= 5 and len(far) >= 30, f"{minutes} minutes: {len(near)} places inside, {len(far)} outside"
        assert wrong * 20 <= len(places), f"{minutes} minutes: {wrong} of {len(places)} places contradict their routes"
        print(f"isochrones: {minutes} minutes: {len(near)} places inside, {len(far)} outside; {wrong} contradict their routes")


def main():
    plot = Path(sys.argv[1]).resolve()
    run(ROOT / "scripts/fetch_valhalla.sh")
    with tempfile.TemporaryDirectory() as folder:
        feed = Path(folder) / "feed.json"
        station = {"id": "station", "type": "geofence", "name": "The station", "latitude": STATION[0], "longitude": STATION[1]}
        campaign = {"id": "train", "type": "notification", "message": "{{name}}: {{travelMinutes, plural, one {# minute} other {# minutes}}}", "regions": ["station"]}
        feed.write_text(json.dumps({"version": 1, "regions": [station], "campaigns": [campaign]}))
        program = ["--valhalla", SERVICE, "--valhalla-config", PLACE / "config.json"]

        made = run(plot, "feed", "isochrone", feed, *program, "--minutes", "5,3").stdout
        regions = json.loads(made)["regions"]
        assert [(each["id"], each["travelMinutes"], each["travelMode"]) for each in regions] == [
            ("station-3-pedestrian", 3, "pedestrian"), ("station-5-pedestrian", 5, "pedestrian"),
        ]  # fmt: skip
        areas = {each["travelMinutes"]: each["geometry"]["coordinates"][0] for each in regions}
        # Where both have one edge, each smooths it in its own way.
        outside = sum(not is_in(areas[5], latitude, longitude) for longitude, latitude in areas[3])
        assert outside * 5 <= len(areas[3]), f"of {len(areas[3])} corners of three minutes {outside} are not within five"
        out = Path(folder) / "isochrones.json"
        out.write_text(made)
        run(plot, "feed", "check", out)
        assert run(plot, "lint", "--feed", out).returncode == 0

        # By bicycle and by car one comes further.
        def width(mode):
            ring = json.loads(run(plot, "feed", "isochrone", feed, *program, "--minutes", "5", "--mode", mode).stdout)["regions"][0]["geometry"]["coordinates"][0]
            return max(a for a, _ in ring) - min(a for a, _ in ring)

        assert width("bicycle") > 1.5 * width("pedestrian"), "who cycles comes further"

        service, port = start_service(folder)
        try:
            answer = run(plot, "feed", "isochrone", feed, "--valhalla", f"http://127.0.0.1:{port}", "--minutes", "3,5").stdout
            assert answer == made, "the service says what the program says"
            check_routes(port, areas)
            # A way that it refuses, and a place of which it has no map.
            assert "the service says" in run(
                plot, "feed", "isochrone", feed, "--valhalla", f"http://127.0.0.1:{port}/nowhere", "--minutes", "3", status=65).stderr  # fmt: skip
        finally:
            # It drains for longer than anybody waits.
            service.kill()
            service.wait(10)
        away = Path(folder) / "away.json"
        away.write_text(json.dumps({"version": 1, "regions": [{**station, "latitude": 50.1}], "campaigns": []}))
        assert "has it a map of this place?" in run(plot, "feed", "isochrone", away, *program, "--minutes", "3", status=65).stderr

        # Somebody comes from the east, and gets the message of five minutes, then that of three.
        track = Path(folder) / "walk.csv"
        rows = [f"2026-05-16T10:{second // 60:02}:{second % 60:02}Z,{STATION[0]},{STATION[1] + 0.02 - second * 0.02 / 780:.6f},5" for second in range(0, 781, 10)]
        track.write_text("time,latitude,longitude,accuracy\n" + "\n".join(rows) + "\n")
        config = Path(folder) / "plotconfig.json"
        config.write_text(json.dumps({"publicToken": "REPLACE_ME", "engine": {"noise": "exact"}}))
        story = run(plot, "simulate", "--config", config, "--feed", out, "--track", track).stdout
        first, second = story.find("The station: 5 minutes"), story.find("The station: 3 minutes")
        assert 0 <= first < second, story[-800:]
    print("isochrones: the program and the service of Valhalla say the same, and somebody who walks is told")


if __name__ == "__main__":
    main()
