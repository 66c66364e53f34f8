# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Findings about configurations and feeds."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest
from conftest import ROOT

from plotengine import Finding, lint

FEED = {
    "version": 1,
    "regions": [{"id": "a", "type": "geofence", "latitude": 52.36, "longitude": 4.885}],
    "campaigns": [
        {"id": "c", "type": "notification", "message": "Hi {{x}}", "regions": ["a"], "end": "2026-01-01T00:00:00Z"}
    ],
}


def test_findings_are_objects() -> None:
    found = lint({"publicToken": "t", "debgu": True}, FEED)
    assert [(f.code, f.severity, f.document, f.pointer) for f in found] == [
        ("unknown-property", "warning", "configuration", "/debgu"),
        ("missing-field", "error", "feed", "/campaigns/0/message"),
    ]
    assert found[0] == Finding(
        code="unknown-property", severity="warning", document="configuration", pointer="/debgu", line=1, column=31,
        sentence='The key "debgu" is unknown; it is ignored.', remedy='Write "debug", or leave it out.',
    )  # fmt: skip
    text = json.dumps(FEED)
    assert text[found[1].column - 1 :].startswith('"Hi')


def test_no_token_is_a_note() -> None:
    assert [(f.code, f.severity, f.pointer) for f in lint({})] == [("no-public-token", "note", "")]
    assert [(f.code, f.pointer) for f in lint({"publicToken": None})] == [("no-public-token", "/publicToken")]
    assert [(f.code, f.pointer) for f in lint({"publicToken": ""})] == [("invalid-value", "/publicToken")]


def test_what_is_over_needs_a_time() -> None:
    assert "campaign-over" not in [f.code for f in lint(feed=FEED)]
    for time in (datetime(2026, 1, 1, tzinfo=timezone.utc), 1_767_225_600_000):
        assert "campaign-over" in [f.code for f in lint(feed=FEED, time=time)]


def test_paths_and_bytes() -> None:
    assert [f.code for f in lint(feed=b"{")] == ["syntax"]
    assert [f.code for f in lint(b"\xef\xbb\xbf" + b'{"publicToken": "t"}')] == ["byte-order-mark"]
    assert [f.code for f in lint(b"")] == ["syntax"]
    assert lint(str(ROOT / "demo/plotconfig.json"), ROOT / "demo/feed.json") == []
    with pytest.raises(FileNotFoundError):
        lint(feed="/nowhere/at/all")
    assert lint((ROOT / "demo/plotconfig.json").read_bytes(), (ROOT / "demo/feed.json").read_bytes()) == []


def test_arguments_are_checked() -> None:
    with pytest.raises(TypeError):
        lint()
    with pytest.raises(TypeError):
        lint(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is naive"):
        lint(feed=FEED, time=datetime(2026, 1, 1))
