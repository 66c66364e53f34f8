"""Every public name is on the page. Its programs are run by Tests/packages/check_pages.py."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

import pytest
from conftest import PYTHON, ROOT

import plotengine
import plotengine.android
import plotengine.asyncio
import plotengine.xamarin

PAGE = ROOT / "docs" / "python.md"


def public(module: Any) -> set[str]:
    if module is plotengine:
        return {
            name
            for name in vars(module)
            if not name.startswith("_") and not inspect.ismodule(getattr(module, name)) and name != "annotations"
        }
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and inspect.isclass(value) and value.__module__ == module.__name__
    }


@pytest.mark.parametrize("module", [plotengine, plotengine.asyncio, plotengine.android, plotengine.xamarin])
def test_every_name_is_on_the_page(module: Any) -> None:
    text = PAGE.read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text))
    assert public(module) - words == set()


def test_every_method_of_the_engine_is_on_the_page() -> None:
    words = set(re.findall(r"\w+", PAGE.read_text(encoding="utf-8")))
    assert {name for name in dir(plotengine.Engine) if not name.startswith("_")} <= words


ENGINE = ("_engine.py", "_settings.py", "_inputs.py", "_messages.py", "_lists.py")
"""The files with the engine's methods."""


def test_every_public_thing_has_a_docstring() -> None:
    """In the package's own modules; the mirrors' one-line getters say it with their names."""
    for path in sorted((PYTHON / "src" / "plotengine").glob("*.py")):
        if path.name in ("android.py", "xamarin.py"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), path
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), (path.name, node.name)
                if path.name in ENGINE and node.name != "Part":
                    for method in node.body:
                        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                            assert ast.get_docstring(method), method.name


def test_the_licence_is_the_projects() -> None:
    assert (PYTHON / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
