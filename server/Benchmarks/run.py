#!/usr/bin/env python3
"""The costs of the service, beside FastAPI on uvloop with the same answers, in one run: server/Benchmarks/run.py [--seconds N]

Prints ratios, and fails when one is not as docs/server.md says. Needs build/bin/plot-server, wrk, and a Python with fastapi, uvicorn, uvloop, httptools.
"""

import argparse
import asyncio
import hashlib
import json
import os
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SERVER = os.environ.get("PLOT_SERVER", ROOT / "build/bin/plot-server")
FEED = ROOT / "demo/feed.json"
faults = []


def judge(what, value, limit, is_least):
    good = value >= limit if is_least else value <= limit
    print(f"{what:72} {value:8.2f}   {'at least' if is_least else 'at most'} {limit:g}{'' if good else '   NOT REACHED'}")
    if not good:
        faults.append(what)


def processor(pid):
    """Seconds of a process, and of the processes that it has started."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


class PlotServer:
    def __init__(self, work, **settings):
        self.environment = {**os.environ, "PLOT_SERVER_DATABASE": str(work / "db"), "PLOT_SERVER_REQUEST_RATE": "1000000", "PLOT_SERVER_REQUEST_BURST": "1000000", **settings}
        made = subprocess.run([SERVER, "import", "shop", FEED], check=True, capture_output=True, text=True, env=self.environment).stdout
        self.token, self.key = made.split("public token")[1].split()[0], made.split("private key")[1].split()[0]
        self.process = subprocess.Popen([SERVER, "serve", "--port", "0"], env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"127\.0\.0\.1:(\d+)\"}", line):
                self.port = int(found[1])
                break
        self.pid = self.process.pid

    def request(self, method, path, headers, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, {"Authorization": f"Bearer {self.token}", **headers}, method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.headers, answer.read()

    def register(self, installation):
        return json.loads(self.request("PUT", "/device/v1/installation", {"Plot-Installation": installation}, b"{}")[1])["secret"]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class FastAPI:
    def __init__(self, work):
        self.token, self.port = "token", 8765
        environment = {**os.environ, "FEED": str(FEED), "TOKEN": self.token, "DATABASE": str(work / "other")}
        self.process = subprocess.Popen([sys.executable, "-m", "uvicorn", "fastapi_app:app", "--port", str(self.port), "--loop", "uvloop", "--http", "httptools", "--log-level",
                                         "warning", "--no-access-log"], cwd=HERE, env=environment)
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/docs").close()
                break
            except OSError:
                time.sleep(0.05)
        self.pid = self.process.pid

    def stop(self):
        self.process.terminate()
        self.process.wait()


def wrk(server, path, seconds, headers=(), script=None, secrets=None):
    """(requests a second, processor seconds of the server for each)."""
    command = ["wrk", "-t", "1", "-c", "32", "-d", f"{seconds}s"]
    for name, value in headers:
        command += ["-H", f"{name}: {value}"]
    if script:
        command += ["-s", str(script)]
    environment = {**os.environ, "TOKEN": server.token, "SECRETS": str(secrets or "")}
    before = processor(server.pid)
    said = subprocess.run([*command, f"http://127.0.0.1:{server.port}{path}"], check=True, capture_output=True, text=True, env=environment).stdout
    used = processor(server.pid) - before
    assert "Non-2xx" not in said, said
    count = int(re.search(r"(\d+) requests in", said)[1])
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]), used / count


def pairs(a, b, rounds, measure):
    """The medians of the ratios of so many pairs: rate, and processor time for each request."""
    rates, costs = [], []
    for _ in range(rounds):
        (rate, cost), (other_rate, other_cost) = measure(a), measure(b)
        rates.append(rate / other_rate)
        costs.append(cost / other_cost)
    return statistics.median(rates), statistics.median(costs)


def feeds(own, other, seconds):
    etag = f'"1-{hashlib.sha256(FEED.read_bytes()).hexdigest()[:16]}-json"'

    def measure(server):
        return wrk(server, "/device/v1/feed", seconds, [("Authorization", f"Bearer {server.token}"), ("If-None-Match", etag), ("Plot-Installation", "install-1")])

    rate, cost = pairs(own, other, 3, measure)
    judge("304 answers: times the rate of FastAPI", rate, 5, True)
    judge("304 answers: processor time of each, FastAPI's being 1", cost, 0.4, False)


def events(own, other, work, seconds):
    rounds, count = 3, 200

    def devices(round):
        return [f"install-{round}-{number:03}" for number in range(count)]

    lines = {own: [[f"{name} {own.register(name)}" for name in devices(round)] for round in range(rounds)],
             other: [[f"{name} x" for name in devices(round)] for round in range(rounds)]}

    def measure(server):
        secrets = work / "secrets"
        secrets.write_text("\n".join(lines[server].pop(0)) + "\n")
        return wrk(server, "/device/v1/events", seconds, script=HERE / "post.lua", secrets=secrets)

    rate, _ = pairs(own, other, rounds, measure)
    judge("batches of 20 events: times the rate of FastAPI", rate, 2, True)


async def streams(server, count):
    """KiB of memory for each idle stream, and seconds until a publication has reached all of them."""
    before = resident(server.pid)
    connections = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"GET /device/v1/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode())
        connections.append((reader, writer))
    for reader, _ in connections:
        await reader.readuntil(b": open\n\n")
    await asyncio.sleep(2)
    size = (resident(server.pid) - before) / count
    feed = json.dumps({**json.loads(FEED.read_text()), "revision": "streams"}).encode()

    def publish():
        import base64

        basic = base64.b64encode(f"shop:{server.key}".encode()).decode()
        server.request("POST", "/api/v2/publish?spread=0", {"Authorization": f"Basic {basic}"}, feed)

    waiting = [asyncio.create_task(reader.readuntil(b"event: feed")) for reader, _ in connections]
    publishing = asyncio.to_thread(publish)
    began = time.monotonic()
    await publishing
    published = time.monotonic()
    await asyncio.gather(*waiting)
    took = time.monotonic() - published
    for _, writer in connections:
        writer.close()
    judge(f"{count} idle streams: KiB of memory for each", size, 25, False)
    judge("a publication reaches all of them: seconds", max(0, took), 1, False)
    print(f"{'':4}the request that publishes took {published - began:.2f} s, scrypt and the lint with it")


async def million(server, work, seconds):
    """A million installations that poll each hour: 278 requests a second, each of another installation."""
    with sqlite3.connect(work / "db") as file:
        file.executemany("INSERT INTO installation(app, id, secret, facts, created, seen) VALUES (1, ?, x'00', '{}', 0, 0)", ((f"million-{number:07}",) for number in range(1_000_000)))
    headers, _ = server.request("GET", "/device/v1/feed", {})
    etag = headers["ETag"]
    rate = 1_000_000 / 3600
    before, memory = processor(server.pid), resident(server.pid)
    began, count = time.monotonic(), 0
    connections = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(8)]
    while (now := time.monotonic()) - began < seconds:
        if count > (now - began) * rate:
            await asyncio.sleep(0.002)
            continue
        reader, writer = connections[count % len(connections)]
        number = int.from_bytes(hashlib.sha256(str(count).encode()).digest()[:4]) % 1_000_000
        writer.write(f"GET /device/v1/feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.token}\r\nIf-None-Match: {etag}\r\nPlot-Installation: million-{number:07}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 304 " in head.split(b"\r\n")[0], head
        count += 1
    took = time.monotonic() - began
    share = (processor(server.pid) - before) / took
    print(f"a million installations that ask each hour: {count / took:.0f} requests a second, {100 * share:.1f} % of a processor, "
          f"{resident(server.pid) / 1024:.0f} MB of memory ({memory / 1024:.0f} MB before)")


def editing(work):
    """A draft of 100,000 regions in the dashboard: pages and a save, beside a page that reads nothing of it."""
    server = PlotServer(work, PLOT_SERVER_WEB=str(ROOT / "server/web"))
    cookie = {}

    def ask(method, path, body=None, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", body, {**cookie, **headers}, method=method)
        with urllib.request.urlopen(request, timeout=600) as answer:
            return answer.headers, answer.read()

    def milliseconds(body, rounds=9):
        """The median, and the first time."""
        times = []
        for number in range(rounds):
            began = time.perf_counter()
            body(number)
            times.append((time.perf_counter() - began) * 1000)
        return statistics.median(times[1:]), times[0]

    try:
        password = subprocess.run([SERVER, "person", "create", "bench", "--app", "shop", "--role", "owner"], check=True, capture_output=True, text=True,
                                  env=server.environment).stdout.split()[1]
        regions = [{"id": f"r{number}", "type": "geofence", "name": f"Place {number}", "latitude": 48 + number % 400 / 100, "longitude": 2 + number // 400 / 100,
                    "radius": 100} for number in range(100_000)]
        feed = json.dumps({"version": 1, "regions": regions, "campaigns": [{"id": "one", "type": "notification", "message": "Hello", "regions": ["r1"]}]}).encode()
        headers, body = ask("POST", "/api/v2/session", json.dumps({"name": "bench", "password": password}).encode())
        cookie.update({"Cookie": headers["Set-Cookie"].split(";")[0], "Plot-App": "shop", "Plot-Form-Token": json.loads(body)["formToken"]})
        ask("PUT", "/api/v2/draft", feed)
        empty, _ = milliseconds(lambda _: ask("GET", "/dashboard"))
        print(f"a page that reads nothing of the draft: {empty:.1f} ms")
        for name, path in (
            ("the map", "/dashboard/shop/map"), ("all of it on the map, by squares", "/dashboard/shop/map/regions"),
            ("a part of it on the map, with shapes", "/dashboard/shop/map/regions?west=5&south=50&east=5.2&north=50.2"),
            ("a list", "/dashboard/shop/regions"), ("a search", "/dashboard/shop/regions?q=Place+99999"), ("a form", "/dashboard/shop/regions/edit?id=r500"),
            ("the overview", "/dashboard/shop"), ("the walk", "/dashboard/shop/walk"), ("statistics", "/dashboard/shop/statistics"),
            ("publishing, the first time with the whole lint", "/dashboard/shop/publish"), ("its changes on the map", "/dashboard/shop/map/changes"),
        ):
            median, first = milliseconds(lambda _, path=path: ask("GET", path))
            judge(f"100,000 regions: {name}, ms (first {first:.0f}; {median / empty:.0f} empty pages)", median, 1000, False)

        def save(number):
            ask("PUT", "/api/v2/regions/r7", json.dumps({**regions[7], "radius": 100 + number}).encode())

        median, first = milliseconds(save)
        judge(f"100,000 regions: a save, ms (first {first:.0f}; {median / empty:.0f} empty pages)", median, 200, False)

        def see(number):
            save(number)
            ask("GET", "/dashboard/shop/map/regions?west=2&south=48&east=2.1&north=48.1")

        median, first = milliseconds(see)
        judge(f"100,000 regions: a save, and the map after it, ms (first {first:.0f})", median, 1000, False)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--streams", type=int, default=5000)
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    work = Path(tempfile.mkdtemp())
    own = other = None
    try:
        own, other = PlotServer(work), FastAPI(work)
        feeds(own, other, options.seconds)
        events(own, other, work, options.seconds)
        other.stop()
        own.stop()
        # Each in a process of its own: memory and processor are not those of what was before.
        for number, body in enumerate((lambda server, folder: streams(server, options.streams), lambda server, folder: million(server, folder, 4 * options.seconds))):
            folder = work / str(number)
            folder.mkdir()
            own = PlotServer(folder)
            asyncio.run(body(own, folder))
            own.stop()
        folder = work / "editing"
        folder.mkdir()
        editing(folder)
    finally:
        for server in (own, other):
            if server and server.process.poll() is None:
                server.stop()
        shutil.rmtree(work, ignore_errors=True)
    if faults:
        sys.exit(f"not reached: {', '.join(faults)}")


if __name__ == "__main__":
    main()
