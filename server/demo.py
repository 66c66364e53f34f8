#!/usr/bin/env python3
"""Starts plot-server on this machine with the demo's feed, and lets simulated devices talk to it: server/demo.py [--port N] [--devices N] [--once]

Each device registers, fetches the feed, and sends the events of the demo's walk, as the engine makes them. Then somebody draws a shop and writes a
campaign; a device that listens gets it by the stream, walks by, and shows it. The server goes on until Ctrl-C, with all that in its dashboard; --once
ends it.
"""

import argparse
import base64
import gzip
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = os.environ.get("PLOT_SERVER", ROOT / ".build-server/debug/plot-server")
PLOT = os.environ.get("PLOT", ROOT / "build/bin/plot")


def request(port, method, path, headers, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, answer.headers, data


def events_of_a_walk(folder, feed, track):
    """The events that one device makes on a walk, by the engine."""
    path = folder / "events.jsonl"
    recording = folder / "recording.jsonl"
    recording.unlink(missing_ok=True)
    subprocess.run([PLOT, "simulate", "--quiet", "--record", recording, "--feed", feed, "--config", ROOT / "demo/plotconfig.json", "--track", track,
                    "--property", "language=en", "--property", "premiumMember=true", "--events", path], check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in path.read_text().splitlines()]


def opening(folder, port, device, basic):
    """A shop and a campaign in the draft, published; the device hears of it, and goes there."""
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    stream.request("GET", "/device/v1/changes", headers=device.headers)
    changes = stream.getresponse()
    shop = {"id": "my-shop", "type": "geofence", "name": "My shop", "latitude": 52.3625, "longitude": 4.8920, "radius": 80}
    offer = {"id": "my-offer", "type": "notification", "message": "Welcome to {{name}}", "regions": ["my-shop"]}
    for kind, thing in (("regions", shop), ("campaigns", offer)):
        status, _, data = request(port, "PUT", f"/api/v2/{kind}/{thing['id']}", basic, json.dumps(thing))
        assert status == 201, data
    status, _, data = request(port, "POST", "/api/v2/publish?note=My%20shop%20opens&spread=0", basic)
    assert status == 201, data
    number = json.loads(data)["publication"]["number"]
    for line in changes:
        if f'"publication":{number}'.encode() in line.replace(b" ", b""):
            break
    stream.close()
    assert device.fetch() == 200 and device.publication == number
    (folder / "feed.json").write_bytes(device.feed)
    points = "".join(f'<trkpt lat="52.3625" lon="{4.8800 + step * 0.0004:.4f}"><time>2026-05-17T10:{step // 2:02}:{step % 2 * 30:02}Z</time></trkpt>'
                     for step in range(60))
    (folder / "walk.gpx").write_text(f'<gpx version="1.1" creator="demo" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>')
    events = events_of_a_walk(folder, folder / "feed.json", folder / "walk.gpx")
    last = device.sent
    for event in events:
        # As one device counts on over its walks.
        event["sequence"] += last
    device.send(events)
    status, _, data = request(port, "POST", "/device/v1/recordings", {**device.headers, "Plot-Consent": "recordings"}, (folder / "recording.jsonl").read_bytes())
    assert status == 204, data
    status, _, data = request(port, "GET", f"/api/v2/why?installation={device.headers['Plot-Installation']}&campaign=my-offer&at=2026-05-17T10:20:00Z", basic)
    assert status == 200 and json.loads(data)["shown"], data
    shown = [event["message"] for event in events if event["event"] == "notification-shown" and event["campaign"] == "my-offer"]
    assert shown == ["Welcome to My shop"], events
    return number, shown[0], json.loads(data)["sentence"]


class Device:
    """One copy of the app."""

    def __init__(self, port, token, number):
        self.port, self.headers = port, {"Authorization": f"Bearer {token}", "Plot-Installation": f"demo-device-{number:03}"}
        self.etag, self.publication, self.feed, self.sent = None, None, b"", 0

    def register(self):
        status, _, data = request(self.port, "PUT", "/device/v1/installation", self.headers, json.dumps({"platform": "demo", "appVersion": "1.0"}))
        assert status == 201, data
        self.headers["Plot-Secret"] = json.loads(data)["secret"]

    def fetch(self):
        """The status: 200 for a new feed, 304 for the one that it has."""
        headers = {**self.headers, "Accept-Encoding": "gzip", **({"If-None-Match": self.etag} if self.etag else {})}
        status, found, data = request(self.port, "GET", "/device/v1/feed", headers)
        if status == 200:
            self.feed = gzip.decompress(data)
            self.etag, self.publication = found["ETag"], int(found["Plot-Publication"])
        return status

    def send(self, events):
        body = gzip.compress(json.dumps({"batch": f"{self.headers['Plot-Installation']}-{events[-1]['sequence']}", "events": events}).encode())
        status, _, data = request(self.port, "POST", "/device/v1/events", {**self.headers, "Content-Encoding": "gzip"}, body)
        assert status == 200, data
        self.sent = max(self.sent, *(event["sequence"] for event in events))
        return json.loads(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="plot-server-demo-"))
    environment = {**os.environ, "PLOT_SERVER_DATABASE": str(work / "db"), "PLOT_SERVER_REQUEST_RATE": "0", "PLOT_SERVER_RECORDINGS": "true", "PLOT_SERVER_WEB": str(ROOT / "server/web")}
    environment.pop("DATABASE_URL", None)
    server = subprocess.Popen([SERVER, "serve", "--port", str(options.port), "--feed", ROOT / "demo/feed.json", "--app", "demo"], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        port = 0
        for line in server.stderr:
            entry = json.loads(line)
            if entry["message"] == "listening":
                port = int(entry["url"].rsplit(":", 1)[1])
                break
        if not port:
            sys.exit("demo.py: the server does not start; is the port taken? Try --port 0")
        threading.Thread(target=server.stderr.read, daemon=True).start()
        keys = dict(server.stdout.readline().rstrip().rsplit(" ", 1) for _ in range(3))
        token, key = keys["public token"], keys["private key"]
        made = subprocess.run([SERVER, "person", "create", "demo", "--app", "demo", "--role", "owner"], env=environment, check=True, capture_output=True, text=True)
        password = made.stdout.split()[1]
        print(f"plot-server   http://127.0.0.1:{port}\napp           demo\npublic token  {token}\nprivate key   {key}")
        print(f"dashboard     http://127.0.0.1:{port}/dashboard: sign in as demo, with {password}\n")

        events = events_of_a_walk(work, ROOT / "demo/feed.json", ROOT / "demo/walk.gpx")
        devices = [Device(port, token, number) for number in range(options.devices)]
        for device in devices:
            device.register()
        first = [device.fetch() for device in devices]
        again = [device.fetch() for device in devices]
        sent = [device.send(events) for device in devices]
        twice = devices[0].send(events)
        print(f"{len(devices)} devices fetched the feed ({first.count(200)} times 200), and asked again ({again.count(304)} times 304)")
        print(f"they sent {sum(answer['accepted'] for answer in sent)} events; one sent its batch again: {twice['duplicates']} duplicates, {twice['accepted']} new")

        basic = {"Authorization": "Basic " + base64.b64encode(f"demo:{key}".encode()).decode()}
        feed = json.loads((ROOT / "demo/feed.json").read_text())
        feed["campaigns"] = feed["campaigns"][1:]
        status, _, data = request(port, "POST", "/api/v2/publish?share=50&spread=0", basic, json.dumps(feed))
        assert status == 201, data
        report = json.loads(data)
        statuses = [device.fetch() for device in devices]
        print(f"half of the devices get a feed without the campaign {report['difference']['campaigns']['removed'][0]}: "
              f"{statuses.count(200)} have fetched it, {statuses.count(304)} keep the other")
        number, message, sentence = opening(work, port, devices[0], basic)
        print(f"a shop was drawn, and a campaign published: the stream told number {number}, and a device shows \"{message}\"")
        print(f"why, from its recording: {sentence}\n")
        _, _, data = request(port, "GET", "/api/v2/statistics", basic)
        print(f"{'day':12}{'kind':24}{'campaign':20}{'region':16}count")
        for row in json.loads(data)["statistics"][:12]:
            print(f"{row['day']:12}{row['kind']:24}{row.get('campaign', ''):20}{row.get('region', ''):16}{row['count']}")
        if options.once:
            return
        print("\nThe server goes on; Ctrl-C ends it.")
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
