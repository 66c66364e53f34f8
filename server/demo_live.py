#!/usr/bin/env python3
"""Starts plot-server on this machine, and three apps that keep themselves up to date, in C, Python and Node: server/demo_live.py [--port N] [--once]

A person walks with all three. A campaign is published while they walk; it reaches the apps by the stream, and is shown. Then the server's
statistics are printed. It goes on until Ctrl-C; --once ends it.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = Path(os.environ.get("PLOT_SERVER", ROOT / ".build-server/debug/plot-server"))
CAFE, STREET = (52.3600, 4.8850), (52.3640, 4.8850)


def feed(message):
    regions = [{"id": "cafe", "type": "geofence", "name": "Café", "latitude": CAFE[0], "longitude": CAFE[1], "radius": 100}]
    campaign = {"id": "coffee", "type": "notification", "message": message, "regions": ["cafe"], "resend": True}
    return {"version": 1, "revision": message, "regions": regions, "campaigns": [campaign]}


class App:
    """One of the three samples."""

    def __init__(self, name, command, work, environment):
        self.name, self.lines, self.news = name, [], threading.Condition()
        self.process = subprocess.Popen([*command, work / "plotconfig.json", work / f"{name}.store"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            if line.startswith("shown:"):
                with self.news:
                    self.lines.append((time.monotonic(), line.strip().removeprefix("shown: ")))
                    self.news.notify_all()

    def go(self, place):
        self.process.stdin.write(f"{place[0]} {place[1]}\n")
        self.process.stdin.flush()

    def until_shown(self, message):
        with self.news:
            if not self.news.wait_for(lambda: any(line == message for _, line in self.lines), timeout=15):
                raise SystemExit(f"demo_live.py: {self.name} has not shown {message!r}, but {self.lines}")

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def samples(work):
    """Each with its command and its environment."""
    c = ROOT / "bindings/c/sync"
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", f"-I{ROOT}/build/include", f"-I{c}", c / "plotsync.c", c / "live.c", "-o", work / "live", f"-L{ROOT}/build/lib",
                    "-lplotengine", "-lcurl", "-ljansson", "-lpthread", f"-Wl,-rpath,{ROOT}/build/lib"], check=True)
    modules = work / "node_modules"
    modules.mkdir()
    (modules / "plotengine").symlink_to(ROOT / "bindings/node")
    shutil.copy(ROOT / "bindings/node/samples/live.js", work / "live.js")
    plain = dict(os.environ)
    return {
        "C": ([work / "live"], plain),
        "Python": ([sys.executable, ROOT / "bindings/python/samples/live.py"], {**plain, "PYTHONPATH": str(ROOT / "bindings/python/src")}),
        "Node": (["node", work / "live.js"], plain),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="plot-demo-live-"))
    environment = {**os.environ, "PLOT_SERVER_DATABASE": str(work / "service.sqlite"), "PLOT_SERVER_REQUEST_RATE": "0"}
    environment.pop("DATABASE_URL", None)
    made = subprocess.run([SERVER, "app", "create", "demo"], check=True, capture_output=True, text=True, env=environment).stdout.split()
    token, key = (next(word for word in made if word.startswith(start)) for start in ("pub_", "plot_"))
    server = subprocess.Popen([SERVER, "serve", "--port", str(options.port)], env=environment, stderr=subprocess.PIPE, text=True)
    apps = []
    try:
        url = next((entry["url"] for entry in map(json.loads, server.stderr) if entry["message"] == "listening"), None)
        if url is None:
            sys.exit("demo_live.py: the server does not start; is the port taken? Try --port 0")
        threading.Thread(target=server.stderr.read, daemon=True).start()
        basic = {"Authorization": "Basic " + base64.b64encode(f"demo:{key}".encode()).decode(), "Content-Type": "application/json"}

        def ask(path, body=None):
            request = urllib.request.Request(url + path, None if body is None else json.dumps(body).encode(), basic)
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)

        print(f"plot-server   {url}\nprivate key   {key}\n", flush=True)
        ask("/api/v2/publish?spread=0", feed("Good morning"))
        # The ten lines of each app, and a configuration.
        (work / "plotconfig.json").write_text(json.dumps({"publicToken": token, "sync": {"url": url, "events": {"count": 1}},
                                                          "engine": {"noise": "exact", "initial": "none"}}))
        apps = [App(name, command, work, own) for name, (command, own) in samples(work).items()]
        time.sleep(2)
        for message in ("Good morning", "Coffee is ready"):
            if message != "Good morning":
                for app in apps:
                    app.go(STREET)
                began = time.monotonic()
                ask("/api/v2/publish?spread=0", feed(message))
                print(f"published: {message}", flush=True)
                time.sleep(1)
            for place in (STREET, CAFE):
                for app in apps:
                    app.go(place)
            for app in apps:
                app.until_shown(message)
                print(f"{app.name:8} shows: {message}", flush=True)
        print(f"a second after it was published, all three had it ({time.monotonic() - began:.1f} s with the walk)\n")
        end = time.monotonic() + 10
        while True:
            rows = [row for row in ask("/api/v2/statistics")["statistics"] if row["kind"] == "notification-shown"]
            count = sum(row["count"] for row in rows)
            if count >= 6 or time.monotonic() > end:
                break
            time.sleep(0.2)
        print(f"the service has counted {count} notifications that were shown: two in each app")
        assert count == 6, rows
        print(f"look at it: curl -u demo:{key} {url}/api/v2/statistics")
        if not options.once:
            print("It goes on; Ctrl-C ends it.")
            server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        for app in apps:
            app.end()
        server.terminate()
        server.wait()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
