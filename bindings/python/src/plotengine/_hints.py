# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Slips of the pen: what was most likely meant by a name that is not there."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from types import FunctionType
from typing import Any, Callable, TypeVar

COROUTINE = 0x80
"""The flag of a coroutine function's code (``inspect.CO_COROUTINE``)."""

ClassT = TypeVar("ClassT", bound=type)
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that is not there: empty, or the name that is most like it."""
    import difflib  # only where something went wrong: it costs an import that most programs need not wait for

    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def suggesting(function: FunctionT) -> FunctionT:
    """Adds to the ``TypeError`` for an unknown keyword argument which one was meant, as Python 3.13 does by itself."""
    if sys.version_info >= (3, 13):
        return function
    code = function.__code__
    names = set(code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount])

    @functools.wraps(function)
    def call(*arguments: Any, **given: Any) -> Any:
        try:
            return function(*arguments, **given)
        except TypeError as error:
            unknown = next((name for name in given if name not in names), None)
            if unknown is None:
                raise
            raise TypeError(f"{error}{did_you_mean(unknown, names - {'self', 'cls'})}") from None

    return call  # type: ignore[return-value]


def suggests(kind: ClassT) -> ClassT:
    """The same for a class: its constructor, and its own methods that have keyword arguments."""
    for name, value in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        bound = isinstance(value, classmethod)
        function = value.__func__ if isinstance(value, classmethod) else value
        if not isinstance(function, FunctionType) or function.__code__.co_flags & COROUTINE:
            continue
        if function.__defaults__ or function.__code__.co_kwonlyargcount:
            checked = suggesting(function)
            setattr(kind, name, classmethod(checked) if bound else checked)
    return kind


def no_attribute(owner: Any, name: str) -> AttributeError:
    """Why an attribute of one of our objects cannot be set."""
    kind = type(owner).__name__
    if callable(getattr(type(owner), name, None)):
        return AttributeError(f"{name} of {kind} is a method, and cannot be set: call it, {name}(...)")
    public = {known for known in dir(type(owner)) if not known.startswith("_")}
    if name in public:
        return AttributeError(f"{name} of {kind} cannot be set")
    return AttributeError(f"{kind} has no attribute {name} to set{did_you_mean(name, public)}")
