# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The C library as it is: its types for ctypes, the loader, and the trampolines for its callbacks.

Nothing here decides anything. The header, include/plotengine.h, is the specification; ``_table.py`` is made from it.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import weakref
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable

from ._table import ABI_VERSION, CALLBACKS, FUNCTIONS

LIBRARY_NAME = "libplotengine.so.0"

# ---- Types: the C spelling and what ctypes calls it -------------------------------------------------------------

CTYPES: dict[str, Any] = {
    "void": None,
    "int32_t": c_int32,
    "uint32_t": c_uint32,
    "int64_t": c_int64,
    "uint64_t": c_uint64,
    "size_t": c_size_t,
    "double": c_double,
    "int32_t *": POINTER(c_int32),
    "int64_t *": POINTER(c_int64),
    "uint64_t *": POINTER(c_uint64),
    "double *": POINTER(c_double),
    "void *": c_void_p,
    "const char *": c_char_p,
    "const char **": POINTER(c_char_p),
    # Arrays, by their address.
    "const int64_t *": c_void_p,
    "const uint32_t *": c_void_p,
    "const double *": c_void_p,
    "const plot_effect *": c_void_p,
    "const plot_pair *": c_void_p,
    "plot_engine *const *": c_void_p,
}
for _noun in (
    *("engine", "config", "feed", "item", "list", "string", "error", "strategy_call", "replay", "effects"),
    *("roaming", "pairs"),
):
    CTYPES[f"plot_{_noun} *"] = c_void_p
    CTYPES[f"const plot_{_noun} *"] = c_void_p
    CTYPES[f"plot_{_noun} **"] = POINTER(c_void_p)
for _name, (_result, _parameters) in CALLBACKS.items():
    CTYPES[_name] = CFUNCTYPE(CTYPES[_result], *(CTYPES[_parameter] for _parameter in _parameters))

# ---- Loader -----------------------------------------------------------------------------------------------------


class LibraryLoadError(ImportError):
    """The C library could not be loaded; the message lists every path tried and why it failed."""


def candidates(name: str = "lib/" + LIBRARY_NAME, variable: str = "PLOTENGINE_LIBRARY") -> list[Path]:
    """Where the library (or, by its name, the tool) may be, in the order of trying.

    The environment's override stands alone: who names a file wants that file, or an error.
    """
    override = os.environ.get(variable)
    if override:
        return [Path(override)]
    package = Path(__file__).resolve().parent
    found = [package / name]
    if package.parent.name == "src" and len(package.parents) > 3:
        root = package.parents[3]
        if (root / "include" / "plotengine.h").is_file():
            found.append(root / "build" / name)
    return found


def _open(path: Path) -> ctypes.CDLL:
    """Loads one file and binds the table to it; ``OSError`` says why it will not do."""
    if not path.is_file():
        raise OSError("there is no such file")
    library = ctypes.CDLL(str(path))
    for name, (result, parameters) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise OSError(f"it has no function {name}") from None
        function.restype = CTYPES[result]
        function.argtypes = [CTYPES[parameter] for parameter in parameters]
    version = library.plot_abi_version()
    if version < ABI_VERSION:
        raise OSError(f"its ABI is version {version}, and this package needs {ABI_VERSION} or later")
    return library


def load() -> ctypes.CDLL:
    """Loads the library: the environment's, else the packaged one, else the development build."""
    failures = []
    for path in candidates():
        try:
            return _open(path)
        except OSError as error:
            failures.append(f"  {path}: {error}")
    hint = "" if os.environ.get("PLOTENGINE_LIBRARY") else "\nPLOTENGINE_LIBRARY may name another file."
    raise LibraryLoadError(f"{LIBRARY_NAME} could not be loaded. Tried:\n" + "\n".join(failures) + hint)


lib = load()

string_address = ctypes.CFUNCTYPE(c_void_p, c_void_p)(("plot_string_get", lib))
"""Where the bytes of a plot_string are, which may have zeros among them."""

# ---- Callbacks --------------------------------------------------------------------------------------------------
# There is one C function pointer for each callback type, for the life of the process. What the library carries for
# us is a number; the number leads to a slot. The registry holds its slots weakly: an engine owns its slots, so that an
# engine, its callbacks and what these refer to are one cycle that Python's collector can see.


class Slot:
    """One registered callback. ``deliver`` translates the C arguments and calls the host."""

    __slots__ = ("__weakref__", "deliver", "failed", "key")

    def __init__(self, deliver: Callable[..., Any], failed: Callable[[BaseException], None]) -> None:
        self.deliver = deliver
        self.failed = failed
        self.key = next(_keys)
        registry[self.key] = weakref.ref(self)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.deliver(*arguments)
        except BaseException as error:  # kept, and raised again by the call that led here
            self.failed(error)
            return _FAILED


_FAILED = 7  # PLOT_IO_ERROR: what a show callback that raised returns
_keys = itertools.count(1)
registry: dict[int, weakref.ref[Slot]] = {}


def _slot(key: int | None) -> Slot | None:
    reference = registry.get(key or 0)
    return reference() if reference is not None else None


@CTYPES["plot_destroy_fn"]  # type: ignore[untyped-decorator]
def destroy(key: int) -> None:
    """The library lets go of a registration."""
    registry.pop(key, None)


def _make(callback: str) -> Any:
    """The one function pointer of a callback type."""
    if CALLBACKS[callback][0] == "void":

        def trampoline(key: int, _engine: int, *arguments: Any) -> None:
            try:
                slot = _slot(key)
                if slot is not None:
                    slot(*arguments)
            except BaseException as error:
                unraisable(error, "a callback of plotengine")

        return CTYPES[callback](trampoline)

    def answering(key: int, _engine: int, *arguments: Any) -> int:
        # An exception that got out of here would leave the answer to chance: ctypes then returns what it finds.
        answer = _FAILED
        try:
            slot = _slot(key)
            if slot is not None:
                answer = int(slot(*arguments))
        except BaseException as error:
            unraisable(error, "a callback of plotengine")
        return answer

    return CTYPES[callback](answering)


TRAMPOLINES: dict[str, Any] = {name: _make(name) for name in CALLBACKS if name != "plot_destroy_fn"}
NO_CALLBACK: dict[str, Any] = {name: CTYPES[name]() for name in CALLBACKS}


def make_room() -> None:
    """Raises ``RecursionError`` while nothing has happened yet, where a trampoline could not even begin."""
    _less_room()


def _less_room() -> None:
    """One level further in, as deep as a trampoline is."""


class _Report:
    """Raises an exception where Python itself reports it, as nobody can catch it there.

    ``sys.unraisablehook`` takes arguments of a type that no program can make.
    """

    def __init__(self, error: BaseException, culprit: str) -> None:
        self.error = error
        self.culprit = culprit

    def __call__(self, _reference: object) -> None:
        raise self.error

    def __repr__(self) -> str:
        return self.culprit


class _Gone:
    """Something to refer to."""


def unraisable(error: BaseException, culprit: str) -> None:
    """Reports an exception that no call can raise to ``sys.unraisablehook``, as one of ``culprit``; never raises."""
    try:
        traceback = error.__traceback__
        gone = _Gone()
        reference = weakref.ref(gone, _Report(error, culprit))
        del gone
        del reference
        error.__traceback__ = traceback
    except BaseException:  # out of stack or memory: there is nothing left to tell it with
        pass
