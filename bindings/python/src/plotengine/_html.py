# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Tables of lists and a map of a feed's places, for notebooks."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any, TypeVar

T = TypeVar("T")

MOST_ROWS = 100
MOST_PLACES = 2_000
MOST_NAMES = 40
_LEFT_OUT = {"raw", "item"}


class Table(list[T]):
    """A list that a notebook shows as a table: a row for each element, a column for each field that any of them has."""

    def _repr_html_(self) -> str:
        rows = [_fields(element) for element in self[:MOST_ROWS]]
        names = list(dict.fromkeys(name for row in rows for name, value in row.items() if value not in (None, "", ())))
        more = len(self) - len(rows)
        caption = f"{len(self)} row{'' if len(self) == 1 else 's'}" + (
            f", the first {len(rows)} of them" if more else ""
        )
        return table(names, [[row.get(name) for name in names] for row in rows], caption)


class Answer(dict[str, Any]):
    """A mapping that a notebook shows as a table of two columns, with the sentence above it."""

    def _repr_html_(self) -> str:
        rows = [[name, value] for name, value in self.items() if name != "sentence"]
        return f"<p>{escape(str(self.get('sentence', '')))}</p>" + table(["", ""], rows, "")


def _fields(element: Any) -> dict[str, Any]:
    if not dataclasses.is_dataclass(element):
        return {"": element}
    return {
        field.name: getattr(element, field.name) for field in dataclasses.fields(element) if field.name not in _LEFT_OUT
    }


def table(names: Sequence[str], rows: Iterable[Sequence[Any]], caption: str) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(_text(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_text(one) for one in value)
    return str(getattr(value, "value", value))


# ---- The map ---------------------------------------------------------------------------------------------------------

_METRES = 111_320.0  # of a degree of latitude


def _outline(region: Mapping[str, Any]) -> tuple[list[list[tuple[float, float]]], float] | None:
    """The rings of a place, longitude first, and its radius in metres; None where it has no place."""
    if "latitude" in region:
        return [[(region["longitude"], region["latitude"])]], float(region.get("radius", 0))
    geometry = region.get("geometry")
    if not isinstance(geometry, Mapping):
        return None
    coordinates, kind = geometry["coordinates"], geometry["type"]
    if kind == "LineString":
        coordinates = [coordinates]
    polygons = coordinates if kind == "MultiPolygon" else [coordinates]
    return [[(x, y) for x, y, *_ in ring] for polygon in polygons for ring in polygon], 0.0


def places_svg(regions: Iterable[Mapping[str, Any]]) -> str:
    """A map of places, north up, at most 600 by 450 units; the first 2,000 of them, and the names of few.

    Beacons and groups have no place.
    """
    found = [(region, outline) for region in regions if (outline := _outline(region)) is not None]
    drawn = found[:MOST_PLACES]
    if not drawn:
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 40"><text x="8" y="24">No places</text></svg>'
    points = [point for _, (rings, _) in drawn for ring in rings for point in ring]
    middle = math.radians(sum(y for _, y in points) / len(points))
    east = max(1e-6, math.cos(middle))  # of a degree of longitude, in degrees of latitude
    margin = max(radius for _, (_, radius) in drawn) / _METRES + 1e-4
    west, right = min(x for x, _ in points) - margin / east, max(x for x, _ in points) + margin / east
    south, north = min(y for _, y in points) - margin, max(y for _, y in points) + margin
    scale = min(600 / ((right - west) * east), 450 / (north - south))
    width, height = (right - west) * east * scale, (north - south) * scale

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - west) * east * scale, (north - point[1]) * scale

    def line(ring: list[tuple[float, float]]) -> str:
        return "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in map(place, ring)) + " Z"

    shapes, names = [], []
    for region, (rings, radius) in drawn:
        name = escape(str(region.get("name") or region["id"]))
        title = f"<title>{name}</title>"
        x, y = place(rings[0][0])
        if len(drawn) <= MOST_NAMES:
            side = "end" if x > width / 2 else "start"
            names.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{side}">{name}</text>')
        if len(rings[0]) == 1:
            size = max(2.0, radius / _METRES * scale)
            shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}">{title}</circle>')
        else:
            path = " ".join(map(line, rings))
            shapes.append(f'<path d="{path}" fill-rule="evenodd">{title}</path>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">'
        f'<g fill="#2a78d2" fill-opacity="0.25" stroke="#2a78d2">{"".join(shapes)}</g>'
        f'<g font-size="12" font-family="sans-serif">{"".join(names)}</g></svg>'
    )
