# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Every public name has its words: help() and editors show nothing else."""

import importlib
import inspect
import pkgutil
import types
from collections.abc import Iterator

import plotengine

# It needs PySpark, which is not installed everywhere.
NOT_HERE = {"spark"}


def modules() -> Iterator[types.ModuleType]:
    yield plotengine
    for module in pkgutil.iter_modules(plotengine.__path__):
        if not module.name.startswith("_") and module.name not in NOT_HERE:
            yield importlib.import_module(f"plotengine.{module.name}")


def public(holder: object) -> Iterator[tuple[str, object]]:
    names = getattr(holder, "__all__", None) or vars(holder)
    return ((name, vars(holder)[name]) for name in names if not name.startswith("_") and name in vars(holder))


def bare() -> Iterator[str]:
    for module in modules():
        for name, value in public(module):
            own = str(getattr(value, "__module__", "")).startswith("plotengine")
            if not own or not (inspect.isclass(value) or inspect.isroutine(value)):
                continue
            # A type whose keys are no names is made by a call, which takes no text.
            if not value.__doc__ and not hasattr(value, "__total__"):
                yield f"{value.__module__}.{name}"
            for part, found in public(value) if inspect.isclass(value) else ():
                function = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
                if inspect.isroutine(function) and not function.__doc__:
                    yield f"{value.__module__}.{name}.{part}"


def test_every_public_name_has_a_docstring() -> None:
    assert sorted(set(bare())) == []
