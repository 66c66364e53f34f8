"""Where the library is looked for, and what is said when it is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PYTHON

from plotengine import LibraryLoadError, _raw


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(PYTHON / "src"), **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=variables, check=False)


def test_override_that_is_not_there(tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere.so")
    done = python("import plotengine", PLOTENGINE_LIBRARY=missing)
    assert done.returncode != 0
    assert "LibraryLoadError" in done.stderr
    assert f"{missing}: there is no such file" in done.stderr


def test_override_that_is_no_library(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.so"
    wrong.write_text("not a library", encoding="utf-8")
    done = python("import plotengine", PLOTENGINE_LIBRARY=str(wrong))
    assert f"{wrong}: " in done.stderr
    assert "invalid ELF header" in done.stderr or "file too short" in done.stderr


def test_another_library() -> None:
    """A library without our functions says which one is missing."""
    with pytest.raises(OSError, match="it has no function plot_abi_version"):
        _raw._open(Path(_ctypes_library()))


def test_an_older_abi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_raw, "ABI_VERSION", 1000)
    with pytest.raises(LibraryLoadError, match=r"its ABI is version \d+, and this package needs 1000 or later"):
        _raw.load()


def test_every_path_is_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLOTENGINE_LIBRARY", raising=False)
    places = [tmp_path / "a", tmp_path / "b"]
    monkeypatch.setattr(_raw, "candidates", lambda: places)
    with pytest.raises(LibraryLoadError) as caught:
        _raw.load()
    for place in places:
        assert f"{place}: there is no such file" in str(caught.value)
    assert "PLOTENGINE_LIBRARY may name another file" in str(caught.value)


def test_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLOTENGINE_LIBRARY", raising=False)
    packaged, development = _raw.candidates()
    assert packaged == PYTHON / "src" / "plotengine" / "lib" / "libplotengine.so.0"
    assert development == PYTHON.parents[1] / "build" / "lib" / "libplotengine.so.0"
    monkeypatch.setenv("PLOTENGINE_LIBRARY", "/x/y.so")
    assert _raw.candidates() == [Path("/x/y.so")]


def _ctypes_library() -> str:
    import _ctypes

    return str(_ctypes.__file__)
