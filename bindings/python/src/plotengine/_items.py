# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Notifications and geotriggers (docs/items.md), and the batches that a filter or a geotrigger handler answers."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterable, Mapping, Sequence
from ctypes import byref, c_void_p
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar
from typing import overload as _overload

from . import _convert
from ._convert import Time
from ._errors import AlreadyAnsweredError, make
from ._hints import did_you_mean, suggests
from ._raw import lib
from ._types import HandlerType, RegionType, Status, Trigger
from ._values import Values

_KEYS = {
    "identifier": "identifier",
    "match_identifier": "matchIdentifier",
    "campaign_id": "campaignId",
    "region_id": "regionId",
    "region_name": "regionName",
    "message": "message",
    "data": "data",
    "title": "title",
    "subtitle": "subtitle",
    "body": "body",
    "sound": "sound",
    "badge": "badge",
    "category": "category",
    "attachments": "attachments",
    "actions": "actions",
    "user_info": "userInfo",
    "geofence_latitude": "geofenceLatitude",
    "geofence_longitude": "geofenceLongitude",
    "trigger": "trigger",
    "dwelling_minutes": "dwellingMinutes",
    "arrival_seconds": "arrivalSeconds",
    "trip_event": "tripEvent",
    "inside_at": "insideAt",
    "handler_type": "notificationHandlerType",
    "match_range": "matchRange",
    "region_type": "regionType",
    "travel_minutes": "travelMinutes",
    "travel_mode": "travelMode",
    "priority": "priority",
    "remove_on_exit": "removeOnExit",
    "remove_at_end": "removeAtEnd",
    "expire_after": "expireAfter",
    "expire_at": "expireAt",
    "updates": "updates",
    "correlation_key": "correlationKey",
    "coalesced": "coalesced",
    "sender": "sender",
    "thread": "thread",
    "revision": "revision",
    "silent": "silent",
    "suppressed": "suppressed",
}


_JSON = frozenset({"title", "subtitle", "body", "sound", "badge", "category", "attachments", "actions", "user_info"})
"""The keys that a filter may change, beside message and data."""


@dataclass(frozen=True, eq=False, repr=False)
class Attachment(Values):
    """A file to be shown or played with a notification."""

    id: str
    url: str
    """A ``file:`` URL, or a path."""
    type: str | None = None
    """The format as an extension; None: that of ``url``."""


@dataclass(frozen=True, eq=False, repr=False)
class Action(Values):
    """Something that the person may choose on a notification."""

    id: str
    title: str
    foreground: bool = False
    """Choosing it opens the app."""
    destructive: bool = False
    compact: bool = False
    """One of the first two: a compact layout has room for no more. Follows from the place."""


@dataclass(frozen=True, eq=False, repr=False)
class Item(Values):
    """The attributes that notifications and geotriggers share."""

    identifier: str
    """``campaign;region``; a message's id."""
    campaign_id: str
    """Empty for a message, as is all about its place."""
    region_id: str
    message: str
    """The text of a notification; the name of a geotrigger."""
    data: str
    trigger: Trigger
    dwelling_minutes: int
    """0 unless the trigger is dwelling."""
    match_range: int
    """Metres: the radius, rounded; for beacons 1, 2 or 30."""
    region_type: RegionType
    match_identifier: str | None = None
    """One occurrence; None in loaded lists."""
    region_name: str | None = None
    geofence_latitude: float | None = None
    """None for a beacon."""
    geofence_longitude: float | None = None
    """None for a beacon."""
    arrival_seconds: int | None = None
    """Of a campaign whose trigger is approaching."""
    trip_event: str | None = None
    """The event of a trip, of a campaign whose trigger is trip."""
    inside_at: str | None = None
    """The time of day of a campaign whose trigger is inside, as 18:00."""
    travel_minutes: int | None = None
    """Of a region that is an isochrone: how long the way is that it stands for."""
    travel_mode: str | None = None
    """How one goes it: pedestrian, bicycle or auto."""
    raw: str = field(default="", repr=False, compare=False)
    """The item's JSON as the engine gave it, with keys that this package does not know yet."""


@dataclass(frozen=True, eq=False, repr=False)
class Notification(Item):
    """A notification."""

    handler_type: HandlerType = HandlerType.REGULAR
    title: str | None = None
    subtitle: str | None = None
    body: str | None = None
    """Longer text, for hosts that have room beside the message."""
    sound: str | None = None
    badge: int | None = None
    category: str | None = None
    attachments: tuple[Attachment, ...] = ()
    actions: tuple[Action, ...] = ()
    user_info: Mapping[str, Any] = field(default_factory=dict, hash=False)
    priority: int = 0
    remove_on_exit: bool = False
    """Whether it leaves the screen with the visit."""
    remove_at_end: bool = False
    """Whether it leaves the screen with its campaign."""
    expire_after: int | None = None
    """Seconds after its display when the engine takes it off; None for never."""
    expire_at: datetime | None = None
    """When the engine takes it off; None for never."""
    updates: str | None = None
    """The match identifier of the display whose place it takes."""
    correlation_key: str | None = None
    """The key of the notifications that it replaces on the screen."""
    coalesced: tuple[str, ...] = ()
    """The identifiers of others that it stands for."""
    sender: str | None = None
    """Messages only, as is all that follows."""
    thread: str | None = None
    revision: int | None = None
    silent: bool = False
    """To be shown without sound and badge."""
    suppressed: bool = False
    """It only shows because the host cannot suppress it."""

    @property
    def is_message(self) -> bool:
        """Whether it came with ``process_message``, and not from a campaign."""
        return not self.campaign_id


@dataclass(frozen=True, eq=False, repr=False)
class Geotrigger(Item):
    """A geotrigger: a notification that shows nothing."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.message


@dataclass(frozen=True, eq=False, repr=False)
class SentNotification(Notification):
    """A notification that was shown."""

    date_sent: datetime = None  # type: ignore[assignment]  # always given
    date_opened: datetime | None = None
    """When it was first opened; None when it was not."""
    is_opened: bool = False
    is_app_in_foreground: bool = False
    """Handed over because it was opened while the app is in the foreground."""
    confirm: bool = False
    """``engine.confirmInForeground``: the person is to be asked before the default is done."""


@dataclass(frozen=True, eq=False, repr=False)
class SentGeotrigger(Geotrigger):
    """A geotrigger that fired."""

    date_sent: datetime = None  # type: ignore[assignment]  # always given
    date_handled: datetime | None = None
    """When it was handled; None when it was not."""
    is_handled: bool = False


class FilterableNotification(Notification):
    """A notification of a filter's batch: its content can be set, from ``message`` to ``user_info``.

    Setting goes to the engine at once, which refuses what may not be: a ``ReadOnlyKeyError`` for what is about
    scheduling, an ``InvalidArgumentError`` for an empty message. None takes away what need not be there. The value is
    then read back: keys that ``user_info`` had at first are never lost.
    """

    if TYPE_CHECKING:  # frozen for everybody else
        message: str
        data: str
        title: str | None
        subtitle: str | None
        body: str | None
        sound: str | None
        badge: int | None
        category: str | None
        attachments: tuple[Attachment, ...]
        actions: tuple[Action, ...]
        user_info: Mapping[str, Any]

    _batch: NativeList
    _index: int

    if not TYPE_CHECKING:  # a type checker would take it for leave to set anything

        def __setattr__(self, name: str, value: Any) -> None:
            key = _KEYS.get(name)
            if key is None:
                raise AttributeError(f"a notification has no {name} to set{did_you_mean(name, _KEYS)}")
            if name in _JSON:
                self._batch.set_json(self._index, key, None if value is None else _json(value, name))
                object.__setattr__(self, name, _content(json.loads(item_json(self._batch.get(self._index))))[name])
                return
            if name in ("message", "data") or isinstance(value, str):
                text = _convert.text(value, name)
            else:
                text = _convert.text(str(value), name)
            self._batch.set(self._index, key, text)
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)


class NativeList:
    """A plot_list of ours."""

    __slots__ = ("__weakref__", "_finalizer", "_handle")

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle
        self._finalizer = weakref.finalize(self, lib.plot_list_free, handle)
        self._finalizer.atexit = False

    @classmethod
    def copy(cls, borrowed: int) -> NativeList:
        """A list of ours with copies of the items of a borrowed one."""
        made = cls(_out(lib.plot_list_new))
        for index in range(lib.plot_list_get_count(borrowed)):
            made.append(lib.plot_list_get(borrowed, index))
        return made

    @classmethod
    def empty(cls) -> NativeList:
        return cls(_out(lib.plot_list_new))

    def elements(self) -> list[tuple[Any, str]]:
        """The values and the JSON of each item."""
        return list(_convert.elements(self.to_json()))

    @property
    def handle(self) -> c_void_p:
        if not self._finalizer.alive:
            raise AlreadyAnsweredError("this batch has been answered", Status.ALREADY_ANSWERED)
        return self._handle

    def append(self, item: int) -> None:
        error = c_void_p()
        status = lib.plot_list_append(self.handle, item, byref(error))
        if status:
            raise make(status, error)

    def get(self, index: int) -> Any:
        return lib.plot_list_get(self.handle, index)

    def set(self, index: int, key: str, value: bytes) -> None:
        error = c_void_p()
        status = lib.plot_item_set_string(self.get(index), key.encode(), value, byref(error))
        if status:
            raise make(status, error)

    def set_json(self, index: int, key: str, value: bytes | None) -> None:
        error = c_void_p()
        if value is None:
            status = lib.plot_item_clear(self.get(index), key.encode(), byref(error))
        else:
            status = lib.plot_item_set_json(self.get(index), key.encode(), value, len(value), byref(error))
        if status:
            raise make(status, error)

    def to_json(self) -> str:
        return _convert.take_string(_out(lib.plot_list_to_json, self.handle))

    def free(self) -> None:
        self._finalizer()


def _out(function: Any, *arguments: Any) -> c_void_p:
    out, error = c_void_p(), c_void_p()
    status = function(*arguments, byref(out), byref(error))
    if status:
        raise make(status, error)
    return out


def item_json(item: int) -> str:
    """The JSON of a borrowed item."""
    return _convert.take_string(_out(lib.plot_item_to_json, item))


def _json(value: Any, name: str) -> bytes:
    """A content value as JSON; attachments and actions may be objects or mappings."""
    if name in ("attachments", "actions") and not isinstance(value, (str, bytes, Mapping)):
        value = [_plain(entry) for entry in value]
    elif name == "user_info" and isinstance(value, Mapping):
        value = dict(value)
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} is not valid Unicode: {error}") from None


def _plain(entry: Any) -> Any:
    if isinstance(entry, (Attachment, Action)):
        return {key: part for key, part in asdict(entry).items() if part is not None}
    return dict(entry) if isinstance(entry, Mapping) else entry


# ---- From JSON to dataclasses -----------------------------------------------------------------------------------


def _common(values: dict[str, Any], raw: str) -> dict[str, Any]:
    get = values.get
    return {
        "identifier": values["identifier"],
        "campaign_id": get("campaignId", ""),
        "region_id": get("regionId", ""),
        "message": values["message"],
        "data": values["data"],
        "trigger": Trigger(get("trigger", "")),
        "dwelling_minutes": get("dwellingMinutes", 0),
        "inside_at": get("insideAt"),
        "arrival_seconds": get("arrivalSeconds"),
        "trip_event": get("tripEvent"),
        "travel_minutes": get("travelMinutes"),
        "travel_mode": get("travelMode"),
        "match_range": get("matchRange", 0),
        "region_type": RegionType(get("regionType", "")),
        "match_identifier": get("matchIdentifier"),
        "region_name": get("regionName"),
        "geofence_latitude": get("geofenceLatitude"),
        "geofence_longitude": get("geofenceLongitude"),
        "raw": raw,
    }


def _handler(values: dict[str, Any]) -> HandlerType:
    return HandlerType(values.get("notificationHandlerType", "regular"))


def _content(values: dict[str, Any]) -> dict[str, Any]:
    get = values.get
    return {
        "title": get("title"),
        "subtitle": get("subtitle"),
        "body": get("body"),
        "sound": get("sound"),
        "badge": get("badge"),
        "category": get("category"),
        "attachments": tuple(Attachment(one["id"], one["url"], one.get("type")) for one in get("attachments", ())),
        "actions": tuple(
            Action(one["id"], one["title"], one["foreground"], one["destructive"], one["compact"])
            for one in get("actions", ())
        ),
        "user_info": get("userInfo", {}),
        "priority": get("priority", 0),
        "remove_on_exit": get("removeOnExit", 0) == 1,
        "remove_at_end": get("removeAtEnd", 0) == 1,
        "expire_after": get("expireAfter"),
        "expire_at": _convert.moment(values["expireAt"]) if "expireAt" in values else None,
        "updates": get("updates"),
        "correlation_key": get("correlationKey"),
        "coalesced": tuple(get("coalesced", "").split("\n")) if "coalesced" in values else (),
    }


def _incoming(values: dict[str, Any]) -> dict[str, Any]:
    get = values.get
    return {
        "sender": get("sender"),
        "thread": get("thread"),
        "revision": get("revision"),
        "silent": get("silent", 0) == 1,
        "suppressed": get("suppressed", 0) == 1,
    }


def _date(value: int | None) -> datetime | None:
    return None if value is None or value < 0 else _convert.moment(value)


def notification(values: dict[str, Any], raw: str) -> Notification:
    return Notification(**_common(values, raw), handler_type=_handler(values), **_content(values), **_incoming(values))


def geotrigger(values: dict[str, Any], raw: str) -> Geotrigger:
    return Geotrigger(**_common(values, raw))


def sent_notification(values: dict[str, Any], raw: str) -> SentNotification:
    return SentNotification(
        **_common(values, raw),
        handler_type=_handler(values),
        **_content(values),
        **_incoming(values),
        date_sent=_convert.moment(values["dateSent"]),
        date_opened=_date(values.get("dateOpened")),
        is_opened=bool(values.get("isOpened", 0)),
        is_app_in_foreground=values.get("isAppInForeground", 0) == 1,
        confirm=values.get("confirm", 0) == 1,
    )


def sent_geotrigger(values: dict[str, Any], raw: str) -> SentGeotrigger:
    return SentGeotrigger(
        **_common(values, raw),
        date_sent=_convert.moment(values["dateSent"]),
        date_handled=_date(values.get("dateHandled")),
        is_handled=bool(values.get("isHandled", 0)),
    )


def any_item(values: dict[str, Any], raw: str) -> Notification | Geotrigger:
    """The item of an event: what it is shows in its keys."""
    if "name" in values:
        return sent_geotrigger(values, raw) if "dateSent" in values else geotrigger(values, raw)
    return sent_notification(values, raw) if "dateSent" in values else notification(values, raw)


# ---- Batches ----------------------------------------------------------------------------------------------------

T = TypeVar("T", bound=Item)


@suggests
class _Batch(Sequence[T], Generic[T]):
    """Some items that wait for one answer."""

    __slots__ = ("_answer", "_items", "_list", "raw", "token")

    token: int
    """The engine's number for this batch."""

    raw: str
    """The items as the engine gave them, a JSON array."""

    _items: list[T]

    def __init__(self, token: int, native: NativeList, answer: Callable[[int, c_void_p, Time | None], None]) -> None:
        self.token = token
        self.raw = native.to_json()
        self._list = native
        self._answer = answer
        self._items = [
            self._make(values, raw, index) for index, (values, raw) in enumerate(_convert.elements(self.raw))
        ]

    def _make(self, values: dict[str, Any], raw: str, index: int) -> T:
        raise NotImplementedError

    @_overload
    def __getitem__(self, index: int) -> T: ...

    @_overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    @property
    def answered(self) -> bool:
        """Whether ``answer`` of this object has succeeded."""
        return not self._list._finalizer.alive

    def answer(self, kept: Iterable[T], *, time: Time | None = None) -> None:
        """Answers the batch, once: these of its items go on or are handled; none is an answer too."""
        answer = NativeList(_out(lib.plot_list_new))
        try:
            for item in kept:
                answer.append(_native(item))
            self._answer(self.token, answer._handle, time)
        finally:
            answer.free()
        self._list.free()

    def __repr__(self) -> str:
        return f"<plotengine.{type(self).__name__} {self.token}: {self._items!r}>"


def _native(item: Any) -> Any:
    batch = getattr(item, "_batch", None)
    if not isinstance(batch, NativeList):
        raise TypeError(f"an answer holds items of the batch as they were handed, not {type(item).__name__}")
    return batch.get(item._index)


class FilterBatch(_Batch[FilterableNotification]):
    """Notifications that are about to be shown: keep, edit or drop each."""

    __slots__ = ()

    def _make(self, values: dict[str, Any], raw: str, index: int) -> FilterableNotification:
        made = FilterableNotification.__new__(FilterableNotification)
        attributes = made.__dict__
        attributes.update(_common(values, raw), handler_type=_handler(values), _batch=self._list, _index=index)
        attributes.update(_content(values), **_incoming(values))
        return made


class GeotriggerBatch(_Batch[Geotrigger]):
    """Geotriggers that fired: say which were handled."""

    __slots__ = ()

    def _make(self, values: dict[str, Any], raw: str, index: int) -> Geotrigger:
        made = geotrigger(values, raw)
        made.__dict__.update(_batch=self._list, _index=index)
        return made
