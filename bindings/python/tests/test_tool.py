"""``python -m plotengine`` is the plot tool."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import PYTHON, ROOT


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(PYTHON / "src"), **environment}
    command = [sys.executable, "-m", "plotengine", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=variables, check=False)


def test_simulate() -> None:
    demo = ROOT / "demo"
    files = ["--config", demo / "plotconfig.json", "--feed", demo / "feed.json", "--track", demo / "walk.gpx"]
    arguments = ["simulate", *map(str, files)]
    through = run(*arguments)
    direct = subprocess.run([ROOT / "build/bin/plot", *arguments], capture_output=True, text=True, check=True)
    assert through.returncode == 0, through.stderr
    assert through.stdout == direct.stdout
    assert "Koffiehuis De Lantaarn" in through.stdout


def test_its_status_is_ours() -> None:
    assert run("no-such-command").returncode not in (0, 1)


def test_where_the_pages_are() -> None:
    done = run("docs")
    assert (done.returncode, done.stdout) == (0, f"{ROOT}\n")


def test_no_pages(tmp_path: Path) -> None:
    """A package without them, as `pip install bindings/python` makes it."""
    shutil.copytree(PYTHON / "src" / "plotengine", tmp_path / "plotengine")
    done = run("docs", PYTHONPATH=str(tmp_path), PLOTENGINE_LIBRARY=str(ROOT / "build/lib/libplotengine.so.0"))
    assert done.returncode == 1
    assert "the pages were not found" in done.stderr


def test_not_there() -> None:
    done = run("simulate", PLOTENGINE_TOOL="/nowhere/plot")
    assert done.returncode == 1
    assert "the plot tool could not be run. Install it with: pip install plotengine[cli]." in done.stderr
    assert "Tried:\n  /nowhere/plot: No such file or directory" in done.stderr


def test_without_the_package_that_has_it(tmp_path: Path) -> None:
    shutil.copytree(PYTHON / "src" / "plotengine", tmp_path / "plotengine")
    done = run("simulate", PYTHONPATH=str(tmp_path), PLOTENGINE_LIBRARY=str(ROOT / "build/lib/libplotengine.so.0"))
    assert done.returncode == 1
    assert done.stderr.endswith("pip install plotengine[cli]. The package plotengine-cli is not installed.\n")
