"""The console phone and the samples run; Tests/packages/check_pages.py runs all other examples."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conftest import PYTHON, ROOT

CONSOLE_PHONE = ROOT / "examples/console-phone/console_phone.py"
DEMO = ROOT / "demo"
FILES: list[object] = ["--config", DEMO / "plotconfig.json", "--feed", DEMO / "feed.json"]


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(PYTHON / "src"), **environment}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=variables, check=False)


def test_console_phone() -> None:
    done = run(CONSOLE_PHONE, DEMO / "walk.gpx", *FILES)
    assert done.returncode == 0, done.stderr
    assert "Koffiehuis De Lantaarn: appeltaart with your coffee, 5 euro" in done.stdout
    assert "椿版画店へようこそ" in done.stdout
    assert "quiet-zone Begijnhof" in done.stdout
    assert done.stdout.count("\n") >= 12


def test_console_phone_says_what_the_tool_says() -> None:
    """The same walk, config and feed: the same messages as `plot simulate`."""
    track = ["--track", DEMO / "walk.gpx", "--events", "/dev/stderr"]
    events = subprocess.run(
        [ROOT / "build/bin/plot", "simulate", *map(str, FILES), *track],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    import json

    shown = [json.loads(line) for line in events.splitlines() if '"notification-shown"' in line]
    nobody = ["--property", "language=", "--property", "premiumMember="]
    told = run(CONSOLE_PHONE, DEMO / "walk.gpx", *FILES, *nobody).stdout
    for event in shown:
        assert event["message"] in told


def test_console_phone_on_another_track(tmp_path: Path) -> None:
    gpx = tmp_path / "track.gpx"
    gpx.write_text(
        '<gpx xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>'
        '<trkpt lat="52.40" lon="4.90"><time>2026-05-16T12:00:00Z</time></trkpt>'
        '<trkpt lat="52.3686" lon="4.8893"><time>2026-05-16T12:10:00Z</time></trkpt>'
        "</trkseg></trk></gpx>",
        encoding="utf-8",
    )
    done = run(CONSOLE_PHONE, gpx, *FILES)
    assert "appeltaart" in done.stdout, done.stderr
    assert run(CONSOLE_PHONE, tmp_path / "nothing.gpx", *FILES).returncode == 1


def test_plot_visits_without_matplotlib(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError", encoding="utf-8")
    done = run(PYTHON / "samples/plot_visits.py", PYTHONPATH=os.pathsep.join([str(tmp_path), str(PYTHON / "src")]))
    assert done.returncode == 0, done.stderr
    assert "pip install matplotlib" in done.stdout
    assert "coffee" in done.stdout


def test_bench() -> None:
    done = run(PYTHON / "bench.py", "--seconds", "0.01")
    assert done.returncode == 0, done.stderr
    assert "times an empty call" in done.stdout
