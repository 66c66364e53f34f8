"""The table of the raw layer against the header."""

from __future__ import annotations

import ctypes
import re
import struct

import pytest
from conftest import ROOT

import plotengine
from plotengine import _errors, _raw
from plotengine._types import HintKind, LogLevel, OpenAction, Proximity, Status

HEADER = (ROOT / "include" / "plotengine.h").read_text(encoding="utf-8")
CODE = re.sub(r"/\*.*?\*/", " ", HEADER, flags=re.S)
CODE = re.sub(r"^#.*?$", "", CODE, flags=re.M)
CODE = re.sub(r"\bPLOT_(NULLABLE|NONNULL) ?", "", CODE)


def spelled(parameter: str) -> str:
    """A parameter's type: its name left out, spaces as the table has them."""
    words = re.sub(r"\s+", " ", parameter).strip()
    if words == "void":
        return ""
    match = re.fullmatch(r"(.*?)\s*(\**)\s*(\w+)", words)
    assert match, parameter
    kind, stars, _ = match.groups()
    return f"{kind} {stars}" if stars else kind


def parameters(text: str) -> tuple[str, ...]:
    return tuple(kind for kind in (spelled(part) for part in text.split(",")) if kind)


def result(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def header_functions() -> dict[str, tuple[str, tuple[str, ...]]]:
    declarations = re.sub(r"typedef[^;]*;", "", CODE)
    found = re.findall(r"((?:const )?\w+ \**)\s*(plot_\w+)\s*\(([^()]*)\)\s*;", declarations)
    return {name: (result(kind), parameters(rest)) for kind, name, rest in found}


def header_callbacks() -> dict[str, tuple[str, tuple[str, ...]]]:
    found = re.findall(r"typedef\s+(\w+)\s*\(\*(plot_\w+)\)\s*\(([^()]*)\)\s*;", CODE)
    return {name: (result(kind), parameters(rest)) for kind, name, rest in found}


def constants(prefix: str) -> dict[str, str]:
    return dict(re.findall(rf"^#define {prefix}(\w+) \(?(\S+?)\)?(?:\s|$)", HEADER, flags=re.M))


def test_functions() -> None:
    header = header_functions()
    assert len(header) >= 70
    assert header == _raw.FUNCTIONS


def test_callbacks() -> None:
    header = header_callbacks()
    assert len(header) == 15
    assert header == _raw.CALLBACKS


def test_no_declaration_was_overlooked() -> None:
    named = set(re.findall(r"\b(plot_\w+)\s*\(", re.sub(r"typedef[^;]*;", "", CODE)))
    assert named == set(_raw.FUNCTIONS)


SCALARS = {
    "int32_t": (ctypes.c_int32, 4),
    "int64_t": (ctypes.c_int64, 8),
    "uint32_t": (ctypes.c_uint32, 4),
    "uint64_t": (ctypes.c_uint64, 8),
    "size_t": (ctypes.c_size_t, ctypes.sizeof(ctypes.c_void_p)),
    "double": (ctypes.c_double, 8),
}


@pytest.mark.parametrize("name", _raw.FUNCTIONS)
def test_ctypes_of(name: str) -> None:
    """The types of ctypes are those of C."""
    kind, kinds = _raw.FUNCTIONS[name]
    function = getattr(plotengine._raw.lib, name)
    for spelling, told in zip((kind, *kinds), (function.restype, *function.argtypes)):
        if spelling == "void":
            assert told is None
        elif spelling in SCALARS:
            assert told is SCALARS[spelling][0]
            assert ctypes.sizeof(told) == SCALARS[spelling][1]
        elif spelling.endswith("_fn"):
            assert issubclass(told, ctypes._CFuncPtr)
            assert len(told._argtypes_) == len(_raw.CALLBACKS[spelling][1])
        elif spelling == "const char *":
            assert told is ctypes.c_char_p
        elif spelling.endswith("**") or spelling in ("int32_t *", "int64_t *", "uint64_t *", "double *"):
            inner = told._type_
            expected = {"int32_t *": ctypes.c_int32, "int64_t *": ctypes.c_int64, "double *": ctypes.c_double}
            expected.update({"uint64_t *": ctypes.c_uint64, "const char **": ctypes.c_char_p})
            assert inner is expected.get(spelling, ctypes.c_void_p)
        else:
            assert spelling.endswith(" *")
            assert told is ctypes.c_void_p


def test_statuses() -> None:
    block = HEADER[HEADER.index("/* Statuses. */") : HEADER.index("/* Item keys")]
    header = {name: int(value) for name, value in re.findall(r"#define PLOT_(\w+) (\d+)", block)}
    assert header == {status.name: int(status) for status in Status}
    assert set(_errors.BY_STATUS) == set(Status) - {Status.OK}
    for status in Status:
        assert plotengine._raw.lib.plot_status_name(status).decode() == f"PLOT_{status.name}"


def test_other_constants() -> None:
    assert {n: int(v) for n, v in constants("PLOT_OPEN_").items()} == {a.name: int(a) for a in OpenAction}
    assert {n: int(v) for n, v in constants("PLOT_LOG_").items()} == {x.name: int(x) for x in LogLevel}
    assert [n.lower() for n, _ in sorted(constants("PLOT_HINT_").items(), key=lambda pair: int(pair[1]))] == [*HintKind]
    assert [n.lower() for n, _ in sorted(constants("PLOT_PROXIMITY_").items(), key=lambda pair: int(pair[1]))] == [
        *Proximity
    ]
    assert constants("PLOT_PLAN_") == {"RESET": "1", "FENCE_LEFT": "2"}
    assert constants("PLOT_RECORD_") == {"INPUTS": "1"}
    assert {n: int(v) for n, v in constants("PLOT_EFFECT_").items()} == {k.name: int(k) for k in plotengine.EffectKind}
    assert {n: int(v) for n, v in constants("PLOT_PAIR_").items()} == {k.name: int(k) for k in plotengine.PairKind}
    assert constants("PLOT_ROAMING_") == {"DISTANCES": "1"}
    assert int(constants("PLOT_NO_")["POSITION"].rstrip("u")) == plotengine.NO_POSITION
    assert re.search(r"#define PLOT_NO_WAKEUP \(-1\)", HEADER)


def test_records() -> None:
    """A record of effects has the fields of the header, in its order."""
    body = re.search(r"typedef struct plot_effect \{(.*?)\} plot_effect;", CODE, flags=re.S)
    assert body
    fields = [(result(kind), name) for kind, name in re.findall(r"(\w+)\s+(\w+)\s*;", body[1])]
    kinds = {"int64_t": "i8", "uint64_t": "u8", "uint32_t": "u4"}
    assert [(name, kinds[kind]) for kind, name in fields] == plotengine._batch._FIELDS
    codes = {"int64_t": "q", "uint64_t": "Q", "uint32_t": "I"}
    assert struct.calcsize(plotengine._batch._RECORD) == 40
    assert struct.calcsize("=" + "".join(codes[kind] for kind, _ in fields)) == 40


def test_item_keys() -> None:
    keys = set(re.findall(r'#define PLOT_KEY_\w+ "(\w+)"', HEADER))
    sent = {"dateSent", "dateOpened", "isOpened", "dateHandled", "isHandled", "name", "isAppInForeground", "confirm"}
    assert keys == set(plotengine._items._KEYS.values()) | sent


def test_unknown_values_are_kept() -> None:
    assert plotengine.Trigger("teleport") == "teleport"
    assert plotengine.Trigger("teleport").name == "UNKNOWN"
    assert plotengine.Status(99) == 99
    assert plotengine.Status(99).name == "UNKNOWN"
    error = _errors.make(99)
    assert type(error) is plotengine.PlotError
    assert (error.status, error.name) == (99, "PLOT_UNKNOWN_STATUS")


def test_versions() -> None:
    assert plotengine.abi_version() >= _raw.ABI_VERSION
    assert plotengine.__version__ == (ROOT / "VERSION").read_text(encoding="utf-8").strip()


def test_trampolines_are_made_once(town) -> None:  # type: ignore[no-untyped-def]
    before = dict(_raw.TRAMPOLINES)
    with town.engine(on_show=lambda n: None, on_event=lambda e: None):
        assert len(_raw.registry) == 2
        assert all(isinstance(key, int) for key in _raw.registry)
    assert before == _raw.TRAMPOLINES
