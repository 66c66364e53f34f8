# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The hosts of the synchronization, with a service of a few lines; server/Tests/sync.py has the real one."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import FEED, ROOT

from plotengine import Engine, InvalidArgumentError, InvalidDocumentError, SyncStatus, _carry
from plotengine.asyncio import AsyncEngine
from plotengine.sync import AsyncSync, Sync


class Service:
    """One app, its publications, and the events that came."""

    def __init__(self) -> None:
        self.publication, self.events, self.streams = 1, [], []  # type: ignore[var-annotated]
        self.recordings: list[tuple[dict[str, str], bytes]] = []
        self.takes_recordings = True
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_arguments: Any) -> None:
                pass

            def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self) -> None:
                assert self.headers["Authorization"] == "Bearer t"
                if self.path.endswith("/changes"):
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.close_connection = True
                    self.wfile.write(b": open\n\n")
                    over = threading.Event()
                    service.streams.append((self.wfile, over))
                    over.wait(20)
                    return None
                etag = f'"{service.publication}"'
                known = {"ETag": etag, "Plot_Publication": str(service.publication), "Plot_Issued": "1"}
                if self.headers["If-None-Match"] == etag:
                    return self.reply(304, **known)
                feed = json.dumps({**FEED, "revision": str(service.publication)}).encode()
                digest = base64.urlsafe_b64encode(hashlib.sha256(feed).digest()).decode().rstrip("=")
                known |= {"Content_Type": "application/json", "Plot_Digest": f"sha-256={digest}"}
                return self.reply(200, gzip.compress(feed), Content_Encoding="gzip", **known)

            def do_PUT(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.reply(201, b'{"secret":"s"}', Content_Type="application/json")

            def do_POST(self) -> None:
                if self.path.endswith("/recordings"):
                    service.recordings.append(
                        (dict(self.headers), self.rfile.read(int(self.headers["Content-Length"])))
                    )
                    if service.takes_recordings:
                        self.reply(204)
                    else:
                        self.reply(403, b'{"error":{"kind":"no-recordings"}}', Content_Type="application/json")
                    return
                batch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.events += batch["events"]
                last = batch["events"][-1]["sequence"]
                answer = {"batch": batch["batch"], "accepted": 1, "duplicates": 0, "rejected": [], "through": last}
                self.reply(200, json.dumps(answer).encode(), Content_Type="application/json")

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def config(self) -> dict[str, Any]:
        url = f"http://127.0.0.1:{self.server.server_port}"
        return {
            "publicToken": "t",
            "sync": {"url": url, "events": {"count": 1}},
            "engine": {"noise": "exact", "initial": "none"},
        }

    def publish(self) -> None:
        self.publication += 1
        message = f'id: {self.publication}\nevent: feed\ndata: {{"publication":{self.publication},"spread":0}}\n\n'
        for stream, _ in self.streams:
            stream.write(message.encode())
            stream.flush()

    def stop(self) -> None:
        for _, over in self.streams:
            over.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.stop()


@pytest.fixture(params=["httpx", "urllib"])
def carrier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "urllib":
        monkeypatch.setattr(_carry, "httpx", None)
    else:
        assert _carry.httpx is not None
    return str(request.param)


def until(condition: Any) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not happen in ten seconds"
        time.sleep(0.01)


def cross(engine: Engine) -> None:
    engine.update_location(52.40, 4.90)
    engine.update_location(52.36, 4.885)


def test_a_publication_arrives_and_events_go_home(service: Service, carrier: str, tmp_path: Path) -> None:
    heard: list[SyncStatus] = []
    with Engine(service.config, store=tmp_path / "store", time_zone="UTC") as engine:
        with Sync(engine, facts={"platform": "test"}, on_status=heard.append) as sync:
            until(lambda: sync.status.publication == 1 and sync.status.stream == "open")
            service.publish()
            until(lambda: sync.status.revision == "2")
            cross(engine)
            until(lambda: any(event["event"] == "region-enter" for event in service.events))
            until(lambda: sync.status.waiting == 0)
            assert "latitude" not in service.events[0]
            sync.handle_push({"publication": 2})
        assert sync.status.status == "stopped"
        assert {"syncing", "applied", "idle"} <= {status.status for status in heard}
        sequences = [event["sequence"] for event in service.events]
        assert sequences == list(range(1, len(sequences) + 1))


def test_a_callback_that_raises_does_not_end_it(service: Service, carrier: str) -> None:
    def fail(_argument: Any) -> None:
        raise RuntimeError("on purpose")

    with Engine(service.config, time_zone="UTC", on_decision=fail) as engine:
        with Sync(engine, on_status=fail) as sync:
            until(lambda: sync.status.publication == 1 and sync.status.stream == "open")
            service.publish()
            until(lambda: sync.status.revision == "2")


def test_on_an_event_loop(service: Service, carrier: str) -> None:
    async def life() -> None:
        async with AsyncEngine(service.config, time_zone="UTC") as engine, AsyncSync(engine) as sync:
            for _ in range(1000):
                if sync.status.publication == 1 and sync.status.stream == "open":
                    break
                await asyncio.sleep(0.01)
            cross(engine)
            service.publish()
            for _ in range(1000):
                if sync.status.revision == "2" and not sync.status.waiting:
                    break
                await asyncio.sleep(0.01)
            assert sync.status.revision == "2" and service.events

    asyncio.run(life())


def test_an_engine_may_end_first(service: Service, carrier: str) -> None:
    engine = Engine(service.config, time_zone="UTC")
    sync = Sync(engine)
    engine.close()
    sync.stop()


def test_a_bundled_feed_counts_until_there_is_one_of_the_service(service: Service) -> None:
    bundled = {**FEED, "revision": "bundled"}
    with Engine(service.config, time_zone="UTC", time=1_790_000_000_000) as engine:
        engine.sync_begin(feed=bundled, seed=b"0" * 16, time=1_790_000_000_000)
        assert engine.sync_status().revision == "bundled" and engine.sync_status().publication == 0


def test_the_number_of_holdouts_comes_by_itself(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"

    def buckets() -> list[int]:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return [line["value"] for line in lines if line.get("input") == "property" and line["key"] == "bucket"]

    start = 1_790_000_000_000
    with Engine(service.config, time_zone="UTC", record=path, time=start) as engine:
        engine.sync_begin(seed=b"0" * 16, time=start)
        engine.sync_begin(seed=b"1" * 16, time=start + 1)
        first = buckets()
        assert len(first) == 1 and 0 <= first[0] < 10000
        # Another installation, another number.
        engine.clear_all_data(time=start + 2)
        engine.sync_begin(seed=b"2" * 16, time=start + 3)
        assert len(buckets()) == 2 and buckets()[1] != first[0]
        # The number that the app gives counts.
        engine.clear_all_data(time=start + 4)
        engine.set_segmentation_property("bucket", 7, time=start + 5)
        engine.sync_begin(seed=b"3" * 16, time=start + 6)
        assert buckets()[2:] == [7]


def test_a_recording_is_sent_once(service: Service, carrier: str, tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    with Engine(service.config, time_zone="UTC", record=path) as engine:
        with Sync(engine) as sync:
            cross(engine)
            assert sync.status.recording == "none"
            lines = path.read_bytes()
            sync.send_recording(lines)
            until(lambda: sync.status.recording == "sent")
            headers, body = service.recordings[0]
            assert body == lines and headers["Plot-Consent"] == "recordings" and headers["Plot-Secret"] == "s"
            service.takes_recordings = False
            sync.send_recording(path.read_bytes())
            until(lambda: sync.status.recording == "refused")
            assert sync.status.status != "stopped" and len(service.recordings) == 2
            with pytest.raises(InvalidDocumentError, match="the first line of a recording"):
                sync.send_recording(b'{"input":"advance","time":"2026-03-01T12:00:00Z"}\n')
            with pytest.raises(InvalidArgumentError, match="UTF-8"):
                sync.send_recording(lines + b"\xff")


def test_slips_are_said(service: Service) -> None:
    with Engine({"publicToken": "t"}, time_zone="UTC") as engine:
        with pytest.raises(InvalidArgumentError, match=r"sync\.url"):
            engine.sync_now()
    with Engine(service.config, time_zone="UTC") as engine:
        with pytest.raises(InvalidArgumentError, match="at least 16 random bytes"):
            engine.sync_begin(seed=b"short")
        with pytest.raises(InvalidDocumentError, match="pushToken"):
            engine.sync_begin({"token": "x"})
        with pytest.raises(InvalidDocumentError, match="message"):
            engine.sync_message({"aps": {}})


def test_a_recording_names_nobody(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    with Engine(service.config, time_zone="UTC", record=path) as engine:
        with Sync(engine, facts={"pushToken": "push-me"}) as sync:
            until(lambda: sync.status.publication == 1)
            cross(engine)
            until(lambda: service.events and sync.status.waiting == 0)
            installation = "Plot-Installation"
    text = path.read_text()
    assert '{"sync":{"request":' in text and '{"sync":{"response":' in text
    schema = json.loads((ROOT / "docs/schema/recording.schema.json").read_text(encoding="utf-8"))
    line = jsonschema.Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/line-sync"})
    found = [record for record in map(json.loads, text.splitlines()) if "sync" in record]
    for record in found:
        line.validate(record)
    assert {next(iter(record["sync"])) for record in found} >= {"request", "response"}
    for secret in ("push-me", "Bearer", "secret", installation, "Authorization"):
        assert secret not in text, secret
