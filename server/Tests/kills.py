#!/usr/bin/env python3
"""Devices send events while the server is killed (SIGKILL), and its database too: each event that was acknowledged is there once, and none twice.

    server/Tests/kills.py --server FILE --short              SQLite, two kills in six seconds
    server/Tests/kills.py --server FILE                      SQLite, 2,000 events a second for 60 s, a kill each 10 s
    server/Tests/kills.py --server FILE --postgres           the same on PostgreSQL, which is restarted twice
    server/Tests/kills.py --server FILE --postgres --nodes 2 two nodes at one database; one at a time is killed

A device sends a batch until it is acknowledged, and then never again: an acknowledged event that is lost is missing at the end.
"""

import argparse
import gzip
import http.client
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FEED = HERE.parents[1] / "demo/feed.json"
BATCH = 20


def imported(server, environment):
    """The public token and a private key of a new app with the demo's feed."""
    made = subprocess.run([server, "import", "shop", str(FEED)], check=True, capture_output=True, text=True, env=environment).stdout
    return tuple(made.split(name)[1].split()[0] for name in ("public token", "private key"))


class Node:
    """A server process, which may be killed and started again at the same port."""

    def __init__(self, program, environment):
        self.program, self.environment = program, environment
        self.port, self.process = 0, None

    def start(self):
        self.process = subprocess.Popen([self.program, "serve", "--port", str(self.port)], env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            entry = json.loads(line)
            if entry["message"] == "listening":
                self.port = int(entry["url"].rsplit(":", 1)[1])
                break
        else:
            raise SystemExit("kills.py: the server does not start")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Seconds until it has ended by itself."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, "the server ends with an error"
        return time.monotonic() - began


class Device(threading.Thread):
    """One installation."""

    def __init__(self, number, nodes, token, rate, until):
        super().__init__(daemon=True)
        self.name, self.nodes, self.token, self.rate, self.until = f"install-{number:04}", nodes, token, rate, until
        self.acknowledged = self.tries = 0
        self.fault = None

    def request(self, method, path, body, headers):
        """The answer, from one node or the other; nothing until one answers with 2xx."""
        node = 0
        while True:
            self.tries += 1
            connection = http.client.HTTPConnection("127.0.0.1", self.nodes[node].port, timeout=20)
            try:
                connection.request(method, path, body, {"Authorization": f"Bearer {self.token}", "Plot-Installation": self.name, **headers})
                answer = connection.getresponse()
                text = answer.read()
                if answer.status in (200, 201):
                    return json.loads(text)
                if answer.status != 503:
                    raise AssertionError(f"{self.name}: {answer.status} {text[:200]}")
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            node = (node + 1) % len(self.nodes)
            time.sleep(0.05)

    def run(self):
        try:
            secret = self.register()
            sequence = 0
            while time.monotonic() < self.until:
                began = time.monotonic()
                events = [self.event(sequence + each + 1) for each in range(BATCH)]
                body = json.dumps({"batch": f"{self.name}-{sequence}", "events": events}).encode()
                headers = {"Plot-Secret": secret}
                if sequence % 40 == 0:
                    body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
                answer = self.request("POST", "/device/v1/events", body, headers)
                assert answer["accepted"] + answer["duplicates"] == BATCH and answer["through"] == sequence + BATCH, answer
                sequence += BATCH
                self.acknowledged = sequence
                time.sleep(max(0, BATCH / self.rate - (time.monotonic() - began)))
        except BaseException as fault:  # noqa: BLE001
            self.fault = fault

    def register(self):
        """The secret. An answer that was lost leaves an id that nobody can use: then another one is made."""
        while True:
            try:
                return self.request("PUT", "/device/v1/installation", b"{}", {})["secret"]
            except AssertionError:
                self.name += "x"

    def event(self, sequence):
        visit = f"visit-{sequence // 2}"
        kind = "region-enter" if sequence % 2 == 0 else "region-exit"
        return {"time": f"2026-03-01T{sequence // 3600 % 24:02}:{sequence // 60 % 60:02}:{sequence % 60:02}Z", "event": kind, "sequence": sequence,
                "region": f"region-{sequence % 7}", "visit": visit, "ordinal": 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--nodes", type=int, default=1)
    options = parser.parse_args()
    seconds, pause, devices, rate = (6, 2, 10, 40) if options.short else (60, 10, 50, 40)

    work = Path(tempfile.mkdtemp())
    work.chmod(0o711)
    environment = {**os.environ, "PLOT_SERVER_REQUEST_RATE": "0", "PLOT_SERVER_LOG_LEVEL": "info"}
    environment.pop("DATABASE_URL", None)

    def postgres(verb):
        return subprocess.run([HERE / "postgres.sh", work, verb], check=True, capture_output=True, text=True).stdout.strip()

    try:
        if options.postgres:
            environment["DATABASE_URL"] = postgres("start")
        else:
            environment["PLOT_SERVER_DATABASE"] = str(work / "db")

        def command(*arguments):
            return subprocess.run([options.server, *arguments], check=True, capture_output=True, text=True, env=environment).stdout

        token, _ = imported(options.server, environment)
        nodes = [Node(options.server, environment) for _ in range(options.nodes)]
        for node in nodes:
            node.start()
        until = time.monotonic() + seconds
        threads = [Device(number, nodes, token, rate, until) for number in range(devices)]
        for thread in threads:
            thread.start()

        kills = restarts = 0
        while time.monotonic() + pause < until:
            time.sleep(pause)
            node = nodes[kills % len(nodes)]
            node.kill()
            kills += 1
            if options.postgres and kills in (2, 4):
                postgres("kill")
                postgres("start")
                restarts += 1
            if not options.postgres and kills == 2:
                command("backup", str(work / "copy"))
            node.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive(), f"{thread.name} got no answer"
            if thread.fault:
                raise thread.fault

        acknowledged = sum(thread.acknowledged for thread in threads)
        ended = max(node.stop() for node in nodes)
        rows = [line.split() for line in command("statistics", "shop").splitlines()]
        counted = sum(int(row[-1]) for row in rows if row[1].startswith("region-"))
        assert counted == acknowledged, f"{acknowledged} events were acknowledged, {counted} are counted"
        print(command("statistics", "shop", "--recount").strip())
        if not options.postgres:
            kept = check_file(work / "db", threads)
            assert kept == acknowledged, f"{acknowledged} events were acknowledged, {kept} are there"
            copy = check_file(work / "copy", None)
            assert 0 < copy <= acknowledged
            restored = {**environment, "PLOT_SERVER_DATABASE": str(work / "restored")}
            subprocess.run([options.server, "restore", str(work / "copy")], check=True, env=restored)
            said = subprocess.run([options.server, "statistics", "shop", "--recount"], check=True, env=restored, capture_output=True, text=True).stdout
            print(f"the backup under load has {copy} events: {said.strip()}")
        tries = sum(thread.tries for thread in threads)
        database = f"PostgreSQL, restarted {restarts} times" if options.postgres else "SQLite"
        print(f"kills: {acknowledged} events of {devices} devices, {acknowledged / seconds:.0f} a second, {kills} kills of {len(nodes)} nodes on {database}: each is there once"
              f" ({tries} requests; the end took {ended:.1f} s)")
    finally:
        if options.postgres:
            subprocess.run([HERE / "postgres.sh", work, "stop"], check=False)
        shutil.rmtree(work, ignore_errors=True)


def check_file(path, threads):
    """How many events a file of SQLite has; each device's are without a gap."""
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = file.execute("SELECT i.id, COUNT(*), COUNT(DISTINCT sequence), MAX(sequence) FROM event JOIN installation i ON i.key = installation GROUP BY 1").fetchall()
    for name, count, distinct, most in rows:
        assert count == distinct == most, f"{name}: {count} events, {distinct} sequences up to {most}"
    if threads is not None:
        known = {name: most for name, _, _, most in rows}
        for thread in threads:
            assert known.get(thread.name, 0) == thread.acknowledged, f"{thread.name}: {known.get(thread.name)} instead of {thread.acknowledged}"
    return sum(count for _, count, _, _ in rows)


if __name__ == "__main__":
    main()
