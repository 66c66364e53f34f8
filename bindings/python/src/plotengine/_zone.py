# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The time zone of this machine, by its IANA name."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

SYSTEM = "system"
"""Stands for the time zone of this machine."""

_FOLDERS = ("usr/share/zoneinfo", "usr/lib/zoneinfo", "usr/share/lib/zoneinfo", "etc/zoneinfo")
_UTC = frozenset({"UTC", "UTC0", "UCT", "Zulu", "Universal", "Etc/UTC", "Etc/UCT", "Etc/Zulu", "Etc/Universal"})
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")
_NOT_ZONES = frozenset({"posix", "right", "localtime", "posixrules"})


def system_time_zone(environment: Mapping[str, str] = os.environ, root: str = "/") -> str | None:
    """The IANA name of the time zone of this machine, from ``TZ`` or ``/etc/localtime``; None when it has no name.

    ``root`` is the folder in which ``etc`` and ``usr`` are.
    """
    return _find(environment.get("TZ"), root)[0]


def zone_of_system() -> str | None:
    """The same for an engine that starts. When there is none, the log ``plotengine`` says so, once."""
    name, why = _find(os.environ.get("TZ"), "/")
    if name is None:
        _say(
            f"the time zone of this machine is not known, so that quiet hours and opening hours go by the zone that the"
            f" engine remembers, at first UTC: {why}; give its IANA name with time_zone="
        )
    return name


@functools.cache
def _say(sentence: str) -> None:
    import logging  # only where there is something to say

    logging.getLogger("plotengine").warning("%s", sentence)


def refused(name: str, why: object) -> None:
    """The engine does not know the zone of this machine."""
    _say(f"the engine does not know the time zone of this machine, {name}: {why}")


def _find(variable: str | None, root: str) -> tuple[str | None, str]:
    """The name of the zone, or None and why there is none."""
    base = Path(root)
    folders = [base / folder for folder in _FOLDERS]
    if variable is not None:
        text = variable[1:] if variable.startswith(":") else variable
        if not text or text in _UTC:
            return "UTC", ""
        if text.startswith("/"):
            name = _of_file(Path(text), base, folders)
            return name, f"TZ names the file {text}, which is no zone of the zone data"
        if _NAME.fullmatch(text) and any((folder / text).is_file() for folder in folders):
            return text, ""
        return None, f"TZ is {variable!r}, which is no zone of the zone data"
    local = base / "etc/localtime"
    if not os.path.lexists(local):
        return None, f"TZ is not set, and there is no {local}"
    name = _of_file(local, base, folders)
    return name, f"{local} is no zone of the zone data"


def _of_file(path: Path, base: Path, folders: list[Path]) -> str | None:
    """The zone that a link leads to, or that a file is a copy of."""
    for step in (path, *_links(path)):
        for folder in ("/zoneinfo/posix/", "/zoneinfo/right/", "/zoneinfo/"):
            _, found, name = str(step).rpartition(folder)
            if found and _NAME.fullmatch(name):
                return "UTC" if name in _UTC else name
    try:
        data = path.read_bytes()
    except OSError:
        return None
    for name in (*_written(base), *_names(folders)):
        for place in folders:
            candidate = place / name
            try:
                if candidate.stat().st_size == len(data) and candidate.read_bytes() == data:
                    return "UTC" if name in _UTC else name
            except OSError:
                continue
    return None


def _links(path: Path) -> Iterator[Path]:
    """Where a link leads to, step by step: the first step into the zone data has the name that was meant."""
    for _ in range(8):
        try:
            target = os.readlink(path)
        except OSError:
            return
        path = Path(os.path.normpath(path.parent / target))
        yield path


def _written(base: Path) -> list[str]:
    """The name that Debian writes beside a copy."""
    try:
        name = (base / "etc/timezone").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return []
    return [name] if _NAME.fullmatch(name) else []


def _names(folders: list[Path]) -> list[str]:
    """All names of the zone data, places before abbreviations, so that a copy has the name of a place."""
    names: set[str] = set()
    for folder in folders:
        for directory, _, files in os.walk(folder):
            inside = os.path.relpath(directory, folder)
            for file in files:
                names.add(file if inside == "." else f"{inside}/{file}")
    zones = (name for name in names if _NAME.fullmatch(name) and name.split("/")[0] not in _NOT_ZONES)
    return sorted(zones, key=lambda name: ("/" not in name, name.startswith("Etc/"), name))
