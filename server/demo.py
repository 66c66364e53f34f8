#!/usr/bin/env python3
"""Starts plot-server on this machine with the demo's feed, and lets simulated devices talk to it: server/demo.py [--port N] [--devices N] [--once]

Each device registers, fetches the feed, and sends the events of the demo's walk, as the engine makes them. Then the server goes on until Ctrl-C;
--once ends it.
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


def events_of_the_walk(folder):
    """The events that one device makes on the demo's walk, by the engine."""
    path = folder / "events.jsonl"
    demo = ROOT / "demo"
    subprocess.run([PLOT, "simulate", "--quiet", "--feed", demo / "feed.json", "--config", demo / "plotconfig.json", "--track", demo / "walk.gpx",
                    "--property", "language=en", "--property", "premiumMember=true", "--events", path], check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in path.read_text().splitlines()]


class Device:
    """One copy of the app."""

    def __init__(self, port, token, number):
        self.port, self.headers = port, {"Authorization": f"Bearer {token}", "Plot-Installation": f"demo-device-{number:03}"}
        self.etag, self.publication = None, None

    def register(self):
        status, _, data = request(self.port, "PUT", "/device/v1/installation", self.headers, json.dumps({"platform": "demo", "appVersion": "1.0"}))
        assert status == 201, data
        self.headers["Plot-Secret"] = json.loads(data)["secret"]

    def fetch(self):
        """The status: 200 for a new feed, 304 for the one that it has."""
        headers = {**self.headers, "Accept-Encoding": "gzip", **({"If-None-Match": self.etag} if self.etag else {})}
        status, found, data = request(self.port, "GET", "/device/v1/feed", headers)
        if status == 200:
            json.loads(gzip.decompress(data))
            self.etag, self.publication = found["ETag"], int(found["Plot-Publication"])
        return status

    def send(self, events):
        body = gzip.compress(json.dumps({"batch": self.headers["Plot-Installation"], "events": events}).encode())
        status, _, data = request(self.port, "POST", "/device/v1/events", {**self.headers, "Content-Encoding": "gzip"}, body)
        assert status == 200, data
        return json.loads(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="plot-server-demo-"))
    environment = {**os.environ, "PLOT_SERVER_DATABASE": str(work / "db"), "PLOT_SERVER_REQUEST_RATE": "0", "PLOT_SERVER_WEB": str(ROOT / "server/web")}
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

        events = events_of_the_walk(work)
        devices = [Device(port, token, number) for number in range(options.devices)]
        for device in devices:
            device.register()
        first = [device.fetch() for device in devices]
        again = [device.fetch() for device in devices]
        sent = [device.send(events) for device in devices]
        twice = devices[0].send(events)
        print(f"{len(devices)} devices fetched the feed ({first.count(200)} times 200), and asked again ({again.count(304)} times 304)")
        print(f"they sent {sum(answer['accepted'] for answer in sent)} events; one sent its batch again: {twice['duplicates']} duplicates, {twice['accepted']} new")

        basic = base64.b64encode(f"demo:{key}".encode()).decode()
        feed = json.loads((ROOT / "demo/feed.json").read_text())
        feed["campaigns"] = feed["campaigns"][1:]
        status, _, data = request(port, "POST", "/api/v2/publish?share=50&spread=0", {"Authorization": f"Basic {basic}"}, json.dumps(feed))
        assert status == 201, data
        report = json.loads(data)
        statuses = [device.fetch() for device in devices]
        print(f"half of the devices get a feed without the campaign {report['difference']['campaigns']['removed'][0]}: "
              f"{statuses.count(200)} have fetched it, {statuses.count(304)} keep the other\n")
        _, _, data = request(port, "GET", "/api/v2/statistics", {"Authorization": f"Basic {basic}"})
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
