"""Where the library is looked for, and what is said when it is not there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PYTHON, python

from plotengine import _raw


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


def test_an_older_abi(tmp_path: Path) -> None:
    """A library of the first ABI, with all functions."""
    source, library = tmp_path / "old.c", tmp_path / "old.so"
    source.write_text("".join(f"int {name}(void) {{ return 1; }}\n" for name in _raw.FUNCTIONS), encoding="ascii")
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, source], check=True)
    done = python("import plotengine", PLOTENGINE_LIBRARY=str(library))
    assert done.returncode != 0
    assert "LibraryLoadError" in done.stderr
    assert f"{library}: its ABI is version 1, and this package needs {_raw.ABI_VERSION} or later" in done.stderr


def test_every_path_is_listed(tmp_path: Path) -> None:
    """A source tree without a library in it."""
    package = tmp_path / "bindings/python/src/plotengine"
    shutil.copytree(PYTHON / "src" / "plotengine", package, ignore=shutil.ignore_patterns("lib", "__pycache__"))
    header = tmp_path / "include/plotengine.h"
    header.parent.mkdir()
    header.touch()
    done = python("import plotengine", PYTHONPATH=str(package.parent), PLOTENGINE_LIBRARY=None)
    assert done.returncode != 0
    assert "LibraryLoadError" in done.stderr
    for place in (package / "lib/libplotengine.so.0", tmp_path / "build/lib/libplotengine.so.0"):
        assert f"{place}: there is no such file" in done.stderr
    assert "PLOTENGINE_LIBRARY may name another file" in done.stderr


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
