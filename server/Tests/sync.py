#!/usr/bin/env python3
"""The synchronization against a real server, behind a proxy that misbehaves: server/Tests/sync.py --server FILE [--long]

After each fault the engine has the old feed or the new one, whole; and in the end every event is at the server exactly once. Needs the Python
front end and the library that `make` has built. The C host comes from bindings/c/sync.
"""

import argparse
import base64
import gzip
import json
import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

from kills import HERE, Node

ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bindings/python/src"))

from plotengine import Engine, PlotError  # noqa: E402
from plotengine import _carry  # noqa: E402

START = 1_790_000_000_000
MUSEUM, AWAY = (52.36, 4.885), (52.40, 4.90)


def feed(number):
    regions = [{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}]
    campaigns = [{"id": f"c{number}", "type": "notification", "message": f"Welcome {number}", "regions": ["museum"], "resend": True}]
    return {"version": 1, "revision": f"r{number}", "regions": regions, "campaigns": campaigns}


class Service:
    """The server with one app, and what it keeps."""

    def __init__(self, server, work):
        self.file = work / "service.sqlite"
        environment = {**os.environ, "PLOT_SERVER_DATABASE": str(self.file), "PLOT_SERVER_REQUEST_RATE": "0"}
        made = subprocess.run([server, "app", "create", "shop"], check=True, capture_output=True, text=True, env=environment).stdout
        words = made.split()
        self.token = next(word for word in words if word.startswith("pub_"))
        self.key = next(word for word in words if word.startswith("plot_"))
        self.public = made.split("public: ")[1].split(")")[0]
        self.node = Node(server, environment)
        self.node.start()
        self.published = 0

    def publish(self, document=None):
        self.published += 1
        body = json.dumps(document or feed(self.published)).encode()
        basic = base64.b64encode(f"shop:{self.key}".encode()).decode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.node.port}/api/v2/publish?spread=0", body,
                                         {"Authorization": f"Basic {basic}", "Content-Type": "application/json"}, method="POST")
        urllib.request.urlopen(request, timeout=20).close()

    def events(self):
        """{installation: sequences} as the server's file has them."""
        with sqlite3.connect(f"file:{self.file}?mode=ro", uri=True) as database:
            rows = database.execute("SELECT id, sequence FROM event JOIN installation ON installation = key").fetchall()
        found = {}
        for installation, sequence in rows:
            found.setdefault(installation, []).append(sequence)
        return found


class Proxy:
    """Passes bytes on until its rule says otherwise. A rule is a function of a connection's number and its first line of request, which gives
    (bytes of the request, bytes of the answer, answer in place of the server's)."""

    def __init__(self, port):
        self.port_behind, self.rule, self.count = port, None, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        self.count += 1
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(65536)
                if not piece:
                    return client.close()
                head += piece
            sends, takes, instead = self.rule(self.count, head.split(b"\r\n")[0].decode()) if self.rule else (None, None, None)
            if instead is not None:
                client.sendall(instead)
                return client.close()
            with socket.create_connection(("127.0.0.1", self.port_behind)) as server:
                # One request for each connection, so that faults hit what they are meant for.
                lines = [line for line in head.split(b"\r\n\r\n")[0].split(b"\r\n") if not line.lower().startswith(b"connection:")]
                head = b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + head.split(b"\r\n\r\n", 1)[1]
                up = threading.Thread(target=self.pump, args=(client, server, sends, head), daemon=True)
                up.start()
                # The client must know, or it sends its next request on this connection.
                answer = server.recv(65536)
                self.pump(server, client, takes, answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        except OSError:
            pass
        finally:
            # The other thread may wait for its bytes: a close alone would be seen by nobody.
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            client.close()

    @staticmethod
    def pump(source, target, most, first):
        passed = 0
        try:
            piece = first
            while True:
                if piece:
                    if most is not None and passed + len(piece) >= most:
                        target.sendall(piece[: most - passed])
                        for each in (source, target):
                            try:
                                each.shutdown(socket.SHUT_RDWR)
                            except OSError:
                                pass
                        return
                    target.sendall(piece)
                    passed += len(piece)
                piece = source.recv(65536)
                if not piece:
                    return
        except OSError:
            pass


class Device:
    """An engine and its requests, one after another, in a time of its own."""

    def __init__(self, url, token, store, carrier, **more):
        self.now = START
        self.store, self.carrier = store, carrier
        self.config = {"publicToken": token, "quickSyncDisabled": True, "sync": {"url": url, "events": {"count": 1}, **more}, "engine": {"noise": "exact", "initial": "none"}}
        self.engine = None
        self.open()

    def open(self):
        if self.engine is not None:
            self.engine.close()
        self.engine = Engine(self.config, store=self.store, time=self.now, time_zone="UTC")
        self.engine.sync_begin({"platform": "test"}, time=self.now)

    def cross(self):
        for place in (AWAY, MUSEUM):
            self.now += 60_000
            self.engine.update_location(*place, time=self.now)

    def step(self):
        """One request, when it comes; False when none comes by itself."""
        step = self.engine.sync_next(time=self.now)
        if step is None:
            return False
        if not hasattr(step, "number"):
            self.now = max(self.now, int(step.timestamp() * 1000))
            return True
        try:
            answer = self.carrier.carry(step)
        except _carry.Failure as failure:
            self.engine.sync_failure(step.number, _carry.text(str(failure)), time=self.now)
        else:
            headers = {name: _carry.text(value) for name, value in answer.headers.items()}
            self.engine.sync_response(step.number, answer.status, headers, answer.body, time=self.now)
        return True

    def settle(self, published):
        """Until the newest publication is there and no event waits."""
        self.engine.sync_now(time=self.now)
        for _ in range(60):
            status = self.engine.sync_status()
            if status.publication == published and status.waiting == 0:
                return
            assert self.step(), status
        raise AssertionError(self.engine.sync_status())

    def revision(self):
        return self.engine.sync_status().revision


def carriers():
    """The carriers of the Python hosts: httpx, and urllib without it."""
    class ByUrllib(_carry.Carrier):
        def __init__(self):
            self._client = None

    return {"urllib": ByUrllib(), **({"httpx": _carry.Carrier()} if _carry.httpx else {})}


def answer(status, headers, body=b""):
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} X\r\nConnection: close\r\n{lines}\r\n".encode() + body


PAGE = b"<html>Please pay for the network</html>"
FAULTS = {
    "500": answer(500, {"Content-Length": 0}), "429": answer(429, {"Retry-After": 2, "Content-Length": 0}),
    "503": answer(503, {"Content-Length": 0}), "a redirect": answer(302, {"Location": "http://127.0.0.1:1/", "Content-Length": 0}),
    "HTML": answer(200, {"Content-Type": "text/html", "Content-Length": len(PAGE)}, PAGE),
    "a portal's 401": answer(401, {"Content-Type": "text/html", "Content-Length": len(PAGE)}, PAGE),
    "a wrong length": answer(200, {"Content-Type": "application/json", "ETag": '"1"', "Plot-Publication": 99, "Plot-Issued": 99, "Content-Length": 50}, b"{}"),
    "no gzip": answer(200, {"Content-Type": "application/json", "Content-Encoding": "gzip", "ETag": '"1"', "Plot-Publication": 99, "Plot-Issued": 99,
                            "Content-Length": 4}, b"nope"),
    "half a gzip": answer(200, {"Content-Type": "application/json", "Content-Encoding": "gzip", "ETag": '"1"', "Plot-Publication": 99, "Plot-Issued": 99},
                          gzip.compress(json.dumps(feed(99)).encode())[:-9]),
    "nonsense": b"\x00\x01\x02\r\n\r\n", "nothing": b"",
}


def check(service, device, before):
    """The engine has the feed of before, or the newest one."""
    revision = device.revision()
    assert revision in (before, f"r{service.published}"), (revision, before, service.published)


def misbehave(service, work, long):
    """Each fault in turn, for each way to carry: afterwards the feed is whole, and in calm all is there once."""
    count = 0
    for name, carrier in carriers().items():
        proxy = Proxy(service.node.port)
        device = Device(f"http://127.0.0.1:{proxy.port}", service.token, work / f"{name}.store", carrier)
        service.publish()
        device.settle(service.published)

        def round_of(rule, tries=3, device=device, proxy=proxy):
            nonlocal count
            before = device.revision()
            service.publish()
            device.cross()
            proxy.rule, proxy.count = rule, 0
            device.engine.sync_now(time=device.now)
            for _ in range(tries):
                device.step()
                check(service, device, before)
            proxy.rule = None
            device.settle(service.published)
            check(service, device, before)
            count += 1

        for fault in FAULTS.values():
            round_of(lambda _number, _line, fault=fault: (None, None, fault))
        # The connection is cut after each byte, of both directions; in the short form after some of them.
        for end in range(0, 1400, 1 if long else 67):
            round_of(lambda _number, _line, end=end: (end, None, None))
            round_of(lambda _number, _line, end=end: (None, end, None))
        # An answer of before comes again.
        old = {}

        def remember(_number, line):
            return None, None, None

        proxy.rule = remember
        request = urllib.request.Request(f"http://127.0.0.1:{service.node.port}/device/v1/feed",
                                         headers={"Authorization": f"Bearer {service.token}", "Accept": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as found:
            old = answer(200, {key: value for key, value in found.headers.items() if key.lower() not in ("connection", "transfer-encoding", "content-length")},
                         found.read())
        service.publish()
        device.settle(service.published)
        round_of(lambda _number, line, old=old: (None, None, old) if "/feed" in line else (None, None, None))
        # A clock that is wrong by a year, and back.
        device.now += 366 * 86_400_000
        round_of(lambda _number, _line: (None, None, FAULTS["503"]))
        device.engine.close()
        proxy.listener.close()
    print(f"sync: {count} faults with {' and '.join(carriers())}: the feed is the old one or the new one, whole")


def signatures(service, work):
    """A feed that the service's key has signed is taken; with another key, or as another app's, it is not, and the old one stays."""
    url, carrier = f"http://127.0.0.1:{service.node.port}", carriers()["urllib"]
    store = work / "signed.store"
    service.publish()
    device = Device(url, service.token, store, carrier, app="shop", feedKeys=["A" * 43, service.public])
    device.settle(service.published)
    revision = device.revision()
    device.engine.close()
    for more, word in (({"app": "shop", "feedKeys": ["A" * 43]}, "sync.feedKeys"), ({"app": "other", "feedKeys": [service.public]}, "signature")):
        service.publish()
        device = Device(url, service.token, store, carrier, **more)
        device.engine.sync_now(time=device.now)
        device.step()
        status = device.engine.sync_status()
        assert status.status == "refused" and word in status.reason and status.revision == revision, status
        device.engine.close()
    print("sync: a feed with the service's signature is taken, and no other")


KILLED = """
import sys, json
sys.path.insert(0, {source!r}); sys.path.insert(0, {here!r})
import sync
sync.START = int(sys.argv[1])
device = sync.Device({url!r}, {token!r}, {store!r}, sync.carriers()["urllib"])
print("open", flush=True)
while True:
    device.cross()
    device.engine.sync_now(time=device.now)
    for _ in range(4):
        device.step()
        print(device.engine.sync_status().revision, device.now, flush=True)
"""


def arrived(service, store):
    """How many events a store has made, each of which is at the server once."""
    with sqlite3.connect(store) as database:
        [sequence] = database.execute("SELECT value FROM setting WHERE key = 'sequence'").fetchone()
        [kept] = database.execute("SELECT state FROM sync").fetchone()
    found = service.events()[json.loads(kept)["installation"]["id"]]
    assert sorted(found) == list(range(1, sequence + 1)), (len(found), sequence)
    return sequence


def kill(service, work, kills):
    """SIGKILL between any two steps: each start goes on from the old feed or the new one, and each event arrives once."""
    url = f"http://127.0.0.1:{service.node.port}"
    store = work / "killed.store"
    text = KILLED.format(source=str(ROOT / "bindings/python/src"), here=str(HERE), url=url, token=service.token, store=str(store))
    chance = random.Random(7)
    now, revisions = START, set()
    for number in range(kills):
        if number % 10 == 0:
            service.publish()
        # Later than whatever the killed one has seen.
        now += 86_400_000
        process = subprocess.Popen([sys.executable, "-c", text, str(now)], stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        for line in process.stdout.read().splitlines():
            words = line.split()
            if len(words) == 2 and words[1].isdigit():
                revisions.add(words[0])
        process.wait()
    device = Device(url, service.token, store, carriers()["urllib"])
    device.now = now + 86_400_000
    device.settle(service.published)
    newest = device.engine.sync_status()
    device.engine.close()
    assert newest.revision == f"r{service.published}" and newest.waiting == 0, newest
    sequence = arrived(service, store)
    print(f"sync: {kills} kills: {sequence} events are there once each, and {newest.revision} is in force")


def full_disk(service, work, rounds):
    """A disk that is full at any of its steps, and again free: what failed has changed nothing, and each event arrives once."""
    store = work / "full.store"
    device = Device(f"http://127.0.0.1:{service.node.port}", service.token, store, carriers()["urllib"])
    chance, failed, succeeded = random.Random(11), 0, 0
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    whole, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def attempt(step):
        """Whether it was done, on a disk that may be full."""
        nonlocal failed, succeeded
        if chance.random() < 0.5:
            resource.setrlimit(resource.RLIMIT_FSIZE, (chance.randrange(0, 1 << 14), hard))
        try:
            step()
            succeeded += 1
            return True
        except PlotError:
            failed += 1
            return False
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (whole, hard))

    for number in range(rounds):
        if number % 5 == 0:
            service.publish()
        before = device.revision()
        for place in (AWAY, MUSEUM):
            device.now += 60_000
            while not attempt(lambda place=place: device.engine.update_location(*place, time=device.now)):
                pass
        device.engine.sync_now(time=device.now)
        for _ in range(4):
            attempt(device.step)
            check(service, device, before)
            # Of whatever has failed, there is nothing in the store that another process would trip over.
            if chance.random() < 0.1:
                device.open()
                check(service, device, before)
    device.settle(service.published)
    device.engine.close()
    sequence = arrived(service, store)
    assert failed > rounds // 2 and succeeded > rounds, (failed, succeeded)
    print(f"sync: {failed} steps found the disk full, {succeeded} did not: {sequence} events are there once each")


def once(service):
    for installation, sequences in service.events().items():
        assert len(sequences) == len(set(sequences)), installation
        assert sorted(sequences) == list(range(1, max(sequences) + 1)), (installation, len(sequences), max(sequences))


def compiled(source, work):
    """A program with the C host."""
    host = ROOT / "bindings/c/sync"
    program = work / source.stem
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/build/include", f"-I{host}", host / "plotsync.c", source,
                    "-o", program, f"-L{ROOT}/build/lib", "-lplotengine", "-lcurl", "-ljansson", "-lpthread", f"-Wl,-rpath,{ROOT}/build/lib"], check=True)
    return program


class Host:
    """A process with a host of its own, in real time."""

    def __init__(self, command, url, token, work, name):
        config = work / f"{name}.json"
        config.write_text(json.dumps({"publicToken": token, "quickSyncDisabled": True, "sync": {"url": url, "events": {"count": 1}},
                                      "engine": {"noise": "exact", "initial": "none"}}))
        self.process = subprocess.Popen([*command, config, work / f"{name}-host.store"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *lines):
        self.process.stdin.writelines(f"{line}\n" for line in lines)
        self.process.stdin.flush()

    def status(self):
        self.say("status")
        line = self.process.stdout.readline()
        assert line, f"the host has ended with {self.process.wait()}"
        return json.loads(line)

    def until(self, is_so, seconds=20):
        end = time.monotonic() + seconds
        while not is_so(status := self.status()):
            assert time.monotonic() < end, status
            time.sleep(0.01)
        return status

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=20) == 0


def hosts(service, work, long):
    """The C host and Node's: the same faults, in processes of their own."""
    count, last = 0, service.published
    commands = {"C": [compiled(HERE / "hosts/host.c", work)], "Node": ["node", HERE / "hosts/host.js"]}
    for name, command in commands.items():
        proxy = Proxy(service.node.port)
        host = Host(command, f"http://127.0.0.1:{proxy.port}", service.token, work, name)
        service.publish()
        host.say("now")
        host.until(lambda status: status["publication"] == service.published)

        def round_of(fault, host=host, proxy=proxy):
            nonlocal count, last
            last = service.published
            service.publish()
            proxy.rule, proxy.count = (lambda _number, _line: fault), 0
            host.say(*(f"at {latitude} {longitude}" for latitude, longitude in (AWAY, MUSEUM)), "now")
            status = host.until(lambda status: proxy.count > 0 and (status["failures"] > 0 or status["status"] != "syncing"))
            assert status["revision"] in (f"r{last}", f"r{service.published}"), status
            proxy.rule = None
            host.say("now")

            def is_calm(status):
                # A request that the fault has held up may fail only now.
                if status["status"] == "offline":
                    host.say("now")
                return status["publication"] == service.published and status["waiting"] == 0

            host.until(is_calm)
            count += 1

        for instead in FAULTS.values():
            round_of((None, None, instead))
        for end in range(0, 1400, 7 if long else 199):
            round_of((end, None, None))
            round_of((None, end, None))
        host.close()
        proxy.listener.close()
    print(f"sync: {count} faults with {' and '.join(commands)}: the feed is the old one or the new one, whole")


def live(service, work):
    """The C host: a publication reaches a running app by the stream, and its events come home."""
    program = compiled(ROOT / "bindings/c/sync/live.c", work)
    config = work / "live.json"
    config.write_text(json.dumps({"publicToken": service.token, "sync": {"url": f"http://127.0.0.1:{service.node.port}", "events": {"count": 1}},
                                  "engine": {"noise": "exact", "initial": "none"}}))
    process = subprocess.Popen([program, config, work / "live.store", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    service.publish()
    time.sleep(1)
    for place in (AWAY, MUSEUM):
        process.stdin.write(f"{place[0]} {place[1]}\n")
    process.stdin.close()
    lines = process.stdout.read().splitlines()
    assert process.wait() == 0
    assert f"shown: Welcome {service.published}" in lines, lines
    status = json.loads(lines[-1].removeprefix("status: "))
    assert status["publication"] == service.published and status["waiting"] == 0 and status["stream"] == "open", status
    print("sync: the C host has the publication by the stream, and has sent its events")


def certified(work):
    """A certificate of this machine, and its key."""
    certificate, key = work / "cert.pem", work / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


def speaks_tls(certificate, key, answer):
    """A listener with TLS that says the same to each request, as a proxy in front of the service does."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)

    def speak():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                asked = b""
                while b"\r\n\r\n" not in asked:
                    asked += connection.recv(65536)
                connection.sendall(answer)
                # Until the other side has gone, which closes first.
                connection.recv(1)

    threading.Thread(target=speak, daemon=True).start()
    return listener


def month(service, work):
    """A month of requests that find nothing new, one an hour: their heads, and all that goes over the network with TCP and with TLS."""
    certificate, key = certified(work)
    device = Device(f"http://127.0.0.1:{service.node.port}", service.token, work / "month.store", carriers()["urllib"])
    device.settle(service.published)
    device.engine.sync_now(time=device.now)
    request = device.engine.sync_next(time=device.now)
    device.engine.close()
    address = urllib.parse.urlsplit(request.url)
    head = "".join([f"{request.method} {address.path} HTTP/1.1\r\nHost: plot.example\r\nAccept-Encoding: gzip\r\n", *(f"{key}: {value}\r\n" for key, value in request.headers.items()), "\r\n"])
    trusting = ssl.create_default_context(cafile=certificate)

    def sent():
        lines = [line.split() for line in Path("/proc/net/dev").read_text().splitlines()]
        return next(int(line[9]) for line in lines if line[0] == "lo:")

    def measure(port, context):
        """(bytes of heads, bytes on the network), each for one request, and an answer."""
        heads, before, count = 0, sent(), 20
        for _ in range(count):
            with socket.create_connection(("127.0.0.1", port)) as plain:
                connection = context.wrap_socket(plain, server_hostname="localhost") if context else plain
                connection.sendall(head.encode())
                answer = b""
                while b"\r\n\r\n" not in answer:
                    answer += connection.recv(65536)
                assert answer.startswith(b"HTTP/1.1 304"), answer
                heads += len(head) + len(answer)
                connection.close()
        return heads / count, (sent() - before) / count, answer

    heads, plain, answer = measure(service.node.port, None)
    listener = speaks_tls(certificate, key, answer)
    # Others on this machine may speak at the same time: the least of three counts.
    secured = min(measure(listener.getsockname()[1], trusting)[1] for _ in range(3))
    listener.close()
    hours = 30 * 24
    assert heads * hours < 400_000, heads
    print(f"sync: a month of 304s, one an hour: {heads * hours / 1000:.0f} KB of heads; {plain * hours / 1000:.0f} KB with TCP, {secured * hours / 1000:.0f} KB with TLS, each request on a connection of its own")


def certificates(work):
    """A certificate that nobody vouches for is refused; one that the host trusts is not."""
    certificate, key = certified(work)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)

    def refuse():
        while True:
            try:
                listener.accept()[0].close()
            except ssl.SSLError:
                continue
            except OSError:
                return

    threading.Thread(target=refuse, daemon=True).start()
    for name, carrier in carriers().items():
        device = Device(f"https://127.0.0.1:{listener.getsockname()[1]}", "token", work / f"tls-{name}.store", carrier)
        device.step()
        status = device.engine.sync_status()
        assert status.status == "offline" and "ertificate" in (status.reason or ""), status
        device.engine.close()
    listener.close()
    print("sync: a certificate that nobody vouches for is refused")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", type=Path, required=True)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    server = options.server.resolve()
    work = Path(tempfile.mkdtemp(prefix="plot-sync"))
    service = Service(server, work)
    try:
        misbehave(service, work, options.long)
        hosts(service, work, options.long)
        kill(service, work, 1000 if options.long else 30)
        full_disk(service, work, 2000 if options.long else 60)
        once(service)
        signatures(service, work)
        live(service, work)
        certificates(work)
        month(service, work)
    finally:
        service.node.kill()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
