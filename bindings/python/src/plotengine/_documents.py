# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""plotconfig.json and the campaign feed."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping
from ctypes import byref, c_void_p
from typing import Any, Union

from . import _convert
from ._convert import StrPath
from ._errors import make
from ._hints import suggests
from ._raw import lib

NO_POSITION = 0xFFFFFFFF
"""Where an effect is about no region, or no campaign."""


def _read(function: Any, *arguments: Any) -> c_void_p:
    """Calls a function whose last parameters are ``out`` and ``error``."""
    out, error = c_void_p(), c_void_p()
    status = function(*arguments, byref(out), byref(error))
    if status:
        raise make(status, error)
    return out


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


@suggests
class Config:
    """A read plotconfig.json; immutable, may serve many engines."""

    __slots__ = ("__weakref__", "_earliest", "_handle")

    def __init__(self, properties: Mapping[str, Any]) -> None:
        """A configuration of these properties, such as ``Config({"cooldownPeriod": 600})``."""
        self._take(_parse(lib.plot_config_parse, _dump(properties), "configuration"))

    @classmethod
    def load(cls, path: StrPath) -> Config:
        """Reads a plotconfig.json file."""
        return cls._of(_read(lib.plot_config_load, _convert.source(path, "Config.parse")))

    @classmethod
    def parse(cls, text: str | bytes) -> Config:
        """Reads a configuration from JSON text."""
        return cls._of(_parse(lib.plot_config_parse, text, "text"))

    @classmethod
    def _of(cls, handle: c_void_p) -> Config:
        config = cls.__new__(cls)
        config._take(handle)
        return config

    def _take(self, handle: c_void_p) -> None:
        self._handle = handle
        weakref.finalize(self, lib.plot_config_free, handle).atexit = False
        self._earliest: int | None = None

    def _earliest_time(self) -> int:
        """Before which an engine refuses times."""
        if self._earliest is None:
            self._earliest = int(self.to_dict().get("engine", {}).get("earliestTime", _convert.EARLIEST))
        return self._earliest

    def to_json(self) -> str:
        """Every property with its value, defaults filled in."""
        return _convert.take_string(_read(lib.plot_config_to_json, self._handle))

    def to_dict(self) -> Any:
        """The same, as a dict."""
        return json.loads(self.to_json())

    @property
    def warnings(self) -> list[str]:
        """The warnings of the reader: a byte-order mark, unknown keys, ..."""
        number = lib.plot_config_get_warning_count(self._handle)
        return [lib.plot_config_get_warning(self._handle, index).decode() for index in range(number)]

    def __repr__(self) -> str:
        return f"Config.parse({self.to_json()!r})"


@suggests
class Feed:
    """A read campaign feed; immutable, may serve many engines."""

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, document: Mapping[str, Any]) -> None:
        """A feed of this document, such as ``Feed({"version": 1, "regions": [...], "campaigns": [...]})``."""
        self._take(_parse(lib.plot_feed_parse, _dump(document), "feed"))

    @classmethod
    def load(cls, path: StrPath) -> Feed:
        """Reads a feed from a file."""
        return cls._of(_read(lib.plot_feed_load, _convert.source(path, "Feed.parse")))

    @classmethod
    def parse(cls, text: str | bytes) -> Feed:
        """Reads a feed from JSON text."""
        return cls._of(_parse(lib.plot_feed_parse, text, "text"))

    @classmethod
    def map(cls, path: StrPath) -> Feed:
        """Takes a feed from the file that ``save`` wrote; that must not be written to while it is in use."""
        return cls._of(_read(lib.plot_feed_map, _convert.path(path, "path")))

    @classmethod
    def import_geojson(
        cls,
        text: str | bytes,
        *,
        radius: float | None = None,
        width: float | None = None,
        message: str | None = None,
        trigger: str | None = None,
        dwelling_minutes: int | None = None,
        inside_at: str | None = None,
        id_property: str | None = None,
        name_property: str | None = None,
        radius_property: str | None = None,
        campaign: str | None = None,
    ) -> Feed:
        """Makes a feed from GeoJSON points, polygons and lines: a geofence for each, one campaign over all of them."""
        given = {
            "radius": radius,
            "width": width,
            "message": message,
            "trigger": trigger,
            "dwellingMinutes": dwelling_minutes,
            "insideAt": inside_at,
            "idProperty": id_property,
            "nameProperty": name_property,
            "radiusProperty": radius_property,
            "campaign": campaign,
        }
        options = {key: value for key, value in given.items() if value is not None}
        return cls._of(
            _parse(
                lib.plot_feed_import_geojson,
                text,
                "text",
                _convert.text(_dump(options), "options") if options else None,
            )
        )

    @classmethod
    def from_geodataframe(cls, frame: Any, **options: Any) -> Feed:
        """Makes a feed from a ``GeoDataFrame`` of GeoPandas; ``options`` are those of ``import_geojson``.

        A row becomes a geofence. Its place is taken into WGS 84 from the frame's coordinate system, and its columns
        are what ``id_property`` and ``name_property`` name; without ``id_property`` the index is the id. A cell
        without a value is not there.
        """
        placed = frame if frame.crs is None else frame.to_crs(epsg=4326)
        return cls.import_geojson(placed.to_json(na="drop"), **options)

    @classmethod
    def _of(cls, handle: c_void_p) -> Feed:
        feed = cls.__new__(cls)
        feed._take(handle)
        return feed

    def _take(self, handle: c_void_p) -> None:
        self._handle = handle
        weakref.finalize(self, lib.plot_feed_free, handle).atexit = False

    def save(self, path: StrPath) -> None:
        """Compiles the feed into a file for ``map``, in place of what the file was."""
        error = c_void_p()
        status = lib.plot_feed_save(self._handle, _convert.path(path, "path"), byref(error))
        if status:
            raise make(status, error)

    def to_json(self) -> str:
        """The feed as JSON text; reading it back gives an equal feed."""
        return _convert.take_string(_read(lib.plot_feed_to_json, self._handle))

    def to_dict(self) -> Any:
        """The same, as a dict."""
        return json.loads(self.to_json())

    @property
    def region_count(self) -> int:
        """How many regions it has."""
        return int(lib.plot_feed_get_region_count(self._handle))

    @property
    def campaign_count(self) -> int:
        """How many campaigns it has."""
        return int(lib.plot_feed_get_campaign_count(self._handle))

    def region_id(self, position: int) -> str | None:
        """The id of the region at a position, such as an effect's; None for ``NO_POSITION``."""
        return self._id(lib.plot_feed_get_region_id, position)

    def campaign_id(self, position: int) -> str | None:
        """The id of the campaign at a position; None for ``NO_POSITION``."""
        return self._id(lib.plot_feed_get_campaign_id, position)

    def _id(self, function: Any, position: int) -> str | None:
        number = _convert.count(position, "position")
        if number == NO_POSITION:
            return None
        found: bytes | None = function(self._handle, number)
        if found is None:
            raise IndexError(f"the feed has nothing at position {number}")
        return found.decode()

    def _repr_html_(self) -> str:
        """The counts and a map of the places, for notebooks."""
        from ._html import places_svg

        places = places_svg(self.to_dict()["regions"])
        return f"<p>{self.region_count} regions, {self.campaign_count} campaigns</p>{places}"

    def __repr__(self) -> str:
        return f"<plotengine.Feed of {self.region_count} regions and {self.campaign_count} campaigns>"


def _parse(function: Any, text: str | bytes, what: str, *options: Any) -> c_void_p:
    document = _convert.document(text, what)
    return _read(function, document, len(document), *options)


ConfigLike = Union[Config, StrPath, Mapping[str, Any]]
"""A ``Config``, the path of a plotconfig.json, or its properties."""

FeedLike = Union[Feed, StrPath, Mapping[str, Any]]
"""A ``Feed``, the path of a feed, or its document."""


def config_of(value: ConfigLike) -> Config:
    if isinstance(value, Config):
        return value
    return Config(value) if isinstance(value, Mapping) else Config.load(value)


_SDK = {"damagedStore": "setAside", "geotriggersKeepCooldown": True}
"""The behaviour of the SDK."""


def sdk_config(value: ConfigLike) -> Config:
    """The same for a mirror of the SDK, with its behaviour where the app says nothing."""
    config = config_of(value)
    properties = config.to_dict()
    unsaid = {key: behaviour for key, behaviour in _SDK.items() if properties["engine"][key] is None}
    properties["engine"].update(unsaid)
    return Config(properties) if unsaid else config


def feed_of(value: FeedLike) -> Feed:
    if isinstance(value, Feed):
        return value
    return Feed(value) if isinstance(value, Mapping) else Feed.load(value)
