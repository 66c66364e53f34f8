#!/usr/bin/env python3
"""Checks of a whole server from outside: server/Tests/failures.py --server FILE [--tls]

With --tls the server was built with TLS; without it, it must refuse a certificate.

The database goes and comes back; TLS by files; no connection to outside; a log without tokens; a stop that is quick while streams are open.
"""

import argparse
import json
import os
import re
import shutil
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from kills import FEED, HERE, Node, imported


def ask(url, method="GET", headers=(), body=None, context=None):
    """(status, headers, body)."""
    request = urllib.request.Request(url, body, dict(headers), method=method)
    try:
        with urllib.request.urlopen(request, timeout=20, context=context) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def register(base, bearer):
    status, _, data = ask(f"{base}/device/v1/installation", "PUT", {**bearer, "Plot-Installation": "install-1"}, b"{}")
    assert status == 201, data
    return {**bearer, "Plot-Installation": "install-1", "Plot-Secret": json.loads(data)["secret"]}


def batch(sequence):
    event = {"time": "2026-03-01T10:00:00Z", "event": "region-enter", "sequence": sequence, "region": "r", "visit": f"v{sequence}", "ordinal": 1,
             "latitude": 52.361728, "longitude": 4.885372}
    return json.dumps({"batch": f"b{sequence}", "events": [event]}).encode()


def until_taken(url, device, body):
    """Sends it again while the service is busy, as a device does: a connection of the pool may still be one of before."""
    end = time.monotonic() + 30
    while True:
        status, _, data = ask(url, "POST", device, body)
        if status != 503 or time.monotonic() > end:
            return status, data
        time.sleep(0.2)


def database_goes(server, work, environment):
    """With PostgreSQL gone feeds are answered, events are not acknowledged, and all goes on when it is back."""

    def postgres(verb):
        return subprocess.run([HERE / "postgres.sh", work, verb], check=True, capture_output=True, text=True).stdout.strip()

    environment = {**environment, "DATABASE_URL": postgres("start")}
    try:
        token, _ = imported(server, environment)
        node = Node(server, environment)
        node.start()
        base, bearer = f"http://127.0.0.1:{node.port}", {"Authorization": f"Bearer {token}"}
        device = register(base, bearer)
        assert ask(f"{base}/device/v1/events", "POST", device, batch(1))[0] == 200
        postgres("kill")
        status, headers, data = ask(f"{base}/device/v1/events", "POST", device, batch(2))
        assert status == 503 and int(headers["Retry-After"]) > 0 and json.loads(data)["error"]["kind"] == "busy", (status, data)
        assert ask(f"{base}/device/v1/feed", headers=bearer)[0] == 200
        assert ask(f"{base}/readyz")[0] == 503 and ask(f"{base}/healthz")[0] == 200
        postgres("start")
        status, data = until_taken(f"{base}/device/v1/events", device, batch(2))
        assert status == 200 and json.loads(data)["accepted"] == 1, data
        assert ask(f"{base}/readyz")[0] == 200
        node.stop()
    finally:
        subprocess.run([HERE / "postgres.sh", work, "stop"], check=False)


def no_tls(server, work, environment):
    """A server without TLS starts with no certificate, and makes no database, rather than to speak plain HTTP."""
    database = work / "plain"
    environment = {**environment, "PLOT_SERVER_DATABASE": str(database), "PLOT_SERVER_CERTIFICATE": "cert.pem", "PLOT_SERVER_CERTIFICATE_KEY": "key.pem"}
    done = subprocess.run([server, "serve", "--port", "0"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "built without TLS" in done.stderr and not database.exists(), done


def tls(server, work, environment):
    """TLS by files: what it says is for who trusts the certificate."""
    certificate, key = work / "cert.pem", work / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    environment = {**environment, "PLOT_SERVER_DATABASE": str(work / "tls"), "PLOT_SERVER_CERTIFICATE": str(certificate), "PLOT_SERVER_CERTIFICATE_KEY": str(key)}
    token, _ = imported(server, environment)
    node = Node(server, environment)
    node.start()
    trusting = ssl.create_default_context(cafile=certificate)
    status, _, body = ask(f"https://127.0.0.1:{node.port}/device/v1/feed", headers={"Authorization": f"Bearer {token}"}, context=trusting)
    assert status == 200 and body == FEED.read_bytes()
    try:
        ask(f"https://127.0.0.1:{node.port}/healthz", context=ssl.create_default_context())
        raise AssertionError("a certificate that nobody trusts was taken")
    except urllib.error.URLError as error:
        assert "CERTIFICATE_VERIFY_FAILED" in str(error), error
    try:
        ask(f"http://127.0.0.1:{node.port}/healthz")
        raise AssertionError("it answers without TLS")
    except OSError:
        pass
    node.stop()


def stays_at_home(server, work, environment):
    """It connects to nobody, logs no token and no place, and ends soon although a stream is open."""
    environment = {**environment, "PLOT_SERVER_DATABASE": str(work / "home"), "PLOT_SERVER_LOG_LEVEL": "debug"}
    token, _ = imported(server, environment)
    trace, log = work / "trace", work / "log"
    with log.open("w") as errors:
        process = subprocess.Popen(["strace", "-f", "-qq", "-e", "trace=connect,sendto", "-o", trace, server, "serve", "--port", "0"], env=environment, stderr=errors)
        port = None
        for _ in range(400):
            if found := re.search(r'"url":"http://127.0.0.1:(\d+)"', log.read_text()):
                port = int(found[1])
                break
            time.sleep(0.05)
        assert port, "the server does not start under strace"
        base, bearer = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {token}"}
        device = register(base, bearer)
        assert ask(f"{base}/device/v1/feed", headers=device)[0] == 200
        assert ask(f"{base}/device/v1/events", "POST", device, batch(1))[0] == 200
        assert ask(f"{base}/device/v1/feed?token={token}", headers={"Authorization": "Bearer nothing"})[0] == 401
        stream = urllib.request.urlopen(urllib.request.Request(f"{base}/device/v1/changes", headers=bearer), timeout=30)
        assert stream.readline() == b": open\n"
        threading.Thread(target=stream.read, daemon=True).start()
        began = time.monotonic()
        subprocess.run(["pkill", "-TERM", "-P", str(process.pid)], check=True)
        process.wait(30)
        took = time.monotonic() - began
    assert took < 5, f"the end took {took:.1f} s"
    connections = [line for line in trace.read_text().splitlines() if re.search(r"AF_INET6?\b", line)]
    assert not connections, f"it connects: {connections[:3]}"
    said = log.read_text()
    assert '"message":"request"' in said, "the log has no requests"
    for secret in (token, device["Plot-Secret"], "install-1", "52.36", "4.88"):
        assert secret not in said, f"the log has {secret}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--tls", action="store_true")
    arguments = parser.parse_args()
    server = str(Path(arguments.server).resolve())
    work = Path(tempfile.mkdtemp())
    work.chmod(0o711)
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    try:
        for check in (database_goes, tls if arguments.tls else no_tls, stays_at_home):
            check(server, work, environment)
            print(f"failures: {check.__name__.replace('_', ' ')}: as it should be")
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
