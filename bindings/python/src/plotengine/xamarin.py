# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The Xamarin plugin's names (PlotProjects.Plugin and its iOS binding) on the engine, in C# casing.

``Plot.GetInstance(host)`` gives the cross-platform ``IPlot``; ``PlotBase`` (``PlotDebug``, ``PlotRelease``) is the
whole iOS surface, with segmentation setters that take the value first. ``PlotDelegate`` is as on iOS: all of its
methods are optional, and a method that is not there is not called. ``Host`` is own: what the phone and the app bundle
are there.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from . import __version__
from ._clock import Clock
from ._convert import StrPath
from ._documents import ConfigLike, FeedLike, sdk_config
from ._engine import Engine
from ._items import FilterBatch, GeotriggerBatch, Item
from ._items import Notification as _Notification
from ._items import SentNotification as _SentNotification
from ._records import Event
from ._types import LATER, Later, OpenAction


class Constants:
    """The keys of ``UserInfo`` and their values."""

    PlotNotificationIdentifier = "identifier"
    PlotNotificationMatchIdentifier = "matchIdentifier"
    PlotNotificationMessage = "message"
    PlotNotificationActionKey = "action"
    PlotNotificationDataKey = "action"
    PlotNotificationIsAppInForegroundKey = "isAppInForeground"
    PlotNotificationIsBeacon = "isBeacon"
    PlotNotificationTrigger = "trigger"
    PlotNotificationTriggerEnter = "enter"
    PlotNotificationTriggerExit = "exit"
    PlotNotificationRegionType = "regionType"
    PlotNotificationRegionTypeGeofence = "geofence"
    PlotNotificationRegionTypeBeacon = "beacon"
    PlotNotificationGeofenceLatitude = "geofenceLatitude"
    PlotNotificationGeofenceLongitude = "geofenceLongitude"
    PlotNotificationMatchRange = "matchRange"
    PlotNotificationDwellingMinutes = "dwellingMinutes"
    PlotNotificationHandlerType = "notificationHandlerType"
    PlotNotificationHandlerTypeRegular = "regular"
    PlotNotificationHandlerTypeLandingPage = "landingPage"
    PlotNotificationHandlerTypeApplink = "applink"
    PlotGeotriggerIdentifier = "identifier"
    PlotGeotriggerMatchIdentifier = "matchIdentifier"
    PlotGeotriggerName = "message"
    PlotGeotriggerDataKey = "action"
    PlotGeotriggerIsBeacon = "isBeacon"
    PlotGeotriggerTrigger = "trigger"
    PlotGeotriggerTriggerEnter = "enter"
    PlotGeotriggerTriggerExit = "exit"
    PlotGeotriggerRegionType = "regionType"
    PlotGeotriggerRegionTypeGeofence = "geofence"
    PlotGeotriggerRegionTypeBeacon = "beacon"
    PlotGeotriggerGeofenceLatitude = "geofenceLatitude"
    PlotGeotriggerGeofenceLongitude = "geofenceLongitude"
    PlotGeotriggerMatchRange = "matchRange"


def _user_info(item: Item) -> dict[str, Any]:
    """``userInfo`` of an item: iOS calls data ``action``, and leaves out the coordinates of a beacon."""
    info: dict[str, Any] = {}
    for key, value in json.loads(item.raw).items():
        if key not in ("dateSent", "dateOpened", "isOpened", "dateHandled", "isHandled", "name"):
            info["action" if key == "data" else key] = value
    info["message"], info["action"] = item.message, item.data
    info[Constants.PlotNotificationIsBeacon] = "yes" if item.region_type == "beacon" else "no"
    return info


class UILocalNotification:
    """A notification as iOS hands it: ``AlertBody`` is its message, ``UserInfo`` holds the rest."""

    def __init__(self, item: Any = None) -> None:
        """For tests, ``UILocalNotification()``; the engine makes the others."""
        self._item: Any = item
        self._alert_body: str = item.message if item is not None else ""
        self._user_info: dict[str, Any] = _user_info(item) if item is not None else {}

    @property
    def AlertBody(self) -> str:
        """The text."""
        return str(self._item.message) if self._item is not None else self._alert_body

    @AlertBody.setter
    def AlertBody(self, value: str) -> None:
        if self._item is not None:
            self._item.message = value
        self._alert_body = value

    @property
    def UserInfo(self) -> dict[str, Any]:
        """A copy; set it to change the data (``Constants.PlotNotificationDataKey``) or the message."""
        info = dict(self._user_info) if self._item is None else _user_info(self._item)
        if self._item is None and "message" not in info:
            info["message"] = self._alert_body
        return info

    @UserInfo.setter
    def UserInfo(self, value: Mapping[str, Any]) -> None:
        if self._item is None:
            self._user_info = dict(value)
            return
        now = _user_info(self._item)
        for key, changed in value.items():
            if now.get(key) != changed:
                setattr(self._item, _ATTRIBUTES.get(key, key), changed)


_ATTRIBUTES = {
    "action": "data",
    "matchIdentifier": "match_identifier",
    "regionType": "region_type",
    "geofenceLatitude": "geofence_latitude",
    "geofenceLongitude": "geofence_longitude",
    "matchRange": "match_range",
    "dwellingMinutes": "dwelling_minutes",
    "notificationHandlerType": "handler_type",
    "isBeacon": "region_type",
}


class PlotGeotrigger:
    """A geotrigger: all of it is in ``UserInfo``."""

    def __init__(self, userInfo: Mapping[str, Any] | None = None, item: Item | None = None) -> None:
        self._item = item
        self.UserInfo: dict[str, Any] = dict(userInfo or {}) if item is None else _user_info(item)

    @staticmethod
    def InitializeWithUserInfo(userInfo: Mapping[str, Any]) -> PlotGeotrigger:
        """For tests; the engine makes the others."""
        return PlotGeotrigger(userInfo)


class PlotSentNotification:
    """A notification that was shown."""

    def __init__(
        self, userInfo: Mapping[str, Any], dateSent: datetime | None, dateOpened: datetime | None = None
    ) -> None:
        self.UserInfo = dict(userInfo)
        self.DateSent = dateSent
        self.DateOpened = dateOpened


class PlotSentGeotrigger:
    """A geotrigger that fired."""

    def __init__(
        self, userInfo: Mapping[str, Any], dateSent: datetime | None, dateHandled: datetime | None = None
    ) -> None:
        self.UserInfo = dict(userInfo)
        self.DateSent = dateSent
        self.DateHandled = dateHandled


class PlotFilterNotifications:
    """A batch of notifications that are about to be shown."""

    def __init__(self, notifications: Sequence[UILocalNotification], batch: FilterBatch | None = None) -> None:
        self._notifications = list(notifications)
        self._batch = batch
        self._shown: list[UILocalNotification] = []

    @property
    def UiNotifications(self) -> list[UILocalNotification]:
        """Those that the app is asked about."""
        return list(self._notifications)

    def ShowNotifications(self, notifications: Iterable[UILocalNotification]) -> None:
        """The answer: these go on. Always call it, with an empty list too."""
        shown = list(notifications)
        if self._batch is not None:
            self._batch.answer([notification._item for notification in shown])
        self._shown = shown

    @staticmethod
    def TestFilterNotifications(
        notifications: Sequence[UILocalNotification], delegate: Any
    ) -> list[UILocalNotification]:
        """The notifications that a delegate's filter lets through; nothing is shown."""
        filtering = PlotFilterNotifications(notifications)
        delegate.PlotFilterNotifications(filtering)
        return filtering._shown


class PlotHandleGeotriggers:
    """A batch of geotriggers that fired."""

    def __init__(self, geotriggers: Sequence[PlotGeotrigger], batch: GeotriggerBatch | None = None) -> None:
        self._geotriggers = list(geotriggers)
        self._batch = batch
        self._handled: list[PlotGeotrigger] = []

    @property
    def Geotriggers(self) -> list[PlotGeotrigger]:
        """Those that are to be handled."""
        return list(self._geotriggers)

    def MarkGeotriggersHandled(self, geotriggers: Iterable[PlotGeotrigger]) -> None:
        """The answer: these were handled. Always call it, with an empty list too."""
        handled = list(geotriggers)
        if self._batch is not None:
            self._batch.answer([geotrigger._item for geotrigger in handled])  # type: ignore[misc]
        self._handled = handled

    @staticmethod
    def TestHandleGeotriggers(geotriggers: Sequence[PlotGeotrigger], delegate: Any) -> list[PlotGeotrigger]:
        """The geotriggers that a delegate's handler handles."""
        handling = PlotHandleGeotriggers(geotriggers)
        delegate.PlotHandleGeotriggers(handling)
        return handling._handled


class PlotDelegate:
    """Extend it with any of these; each is optional:

    ``PlotHandleNotification(notification, data)``, ``PlotFilterNotifications(filterNotifications)``,
    ``PlotHandleGeotriggers(geotriggerHandler)``, ``PlotNotificationSentEvent(notification)``,
    ``PlotNotificationOpenedEvent(notification)``.
    """


class Host:
    """Own: the phone and the app bundle. Override ``ShowNotification`` and ``OpenUrl``."""

    def __init__(
        self,
        bundle: StrPath = ".",
        *,
        store: StrPath | None = None,
        feed: FeedLike | None = None,
        clock: Clock | None = None,
    ) -> None:
        """``bundle``: the folder of plotconfig.json. ``store``: the engine's file; None for in memory."""
        self.bundle = Path(bundle)
        self.store = store
        self.feed = feed
        self.clock = clock
        self.opened: list[str] = []

    def ShowNotification(self, notification: UILocalNotification) -> bool | None:
        """Puts a notification on the screen; False when it cannot."""
        return None

    def OpenUrl(self, url: str, action: OpenAction) -> None:
        """Opens a URL, a landing page or another app; here they are kept in ``opened``."""
        self.opened.append(url)


class PlotConfiguration:
    """A configuration made in code, for the deprecated ``PlotBase.InitializeWithConfiguration``."""

    def __init__(self, publicToken: str | None = None, delegate: PlotDelegate | None = None) -> None:
        """``publicToken``: the app's token; None for an app that asks no campaign service."""
        self.PublicToken = publicToken
        self.Delegate = delegate
        self.EnableOnFirstRun = True
        self.MaxRegionsMonitored = 20
        self.CooldownPeriod = -1
        """Seconds; -1 for that of the previous session."""

    @property
    def PublicKey(self) -> str | None:
        """``PublicToken``, by its name of 1.x (deprecated in the SDK)."""
        return self.PublicToken

    @PublicKey.setter
    def PublicKey(self, value: str | None) -> None:
        self.PublicToken = value

    def _properties(self) -> dict[str, Any]:
        properties = {
            "publicToken": self.PublicToken,
            "enableOnFirstRun": self.EnableOnFirstRun,
            "maxRegionsMonitored": self.MaxRegionsMonitored,
        }
        return properties if self.CooldownPeriod == -1 else {**properties, "cooldownPeriod": self.CooldownPeriod}


class PlotBase:
    """The plugin as on iOS. All methods are static; there is one engine in the process."""

    _engine: Engine | None = None

    @staticmethod
    def InitializeWithLaunchOptions(launchOptions: Host, delegate: PlotDelegate | None = None) -> None:
        """Starts the plugin, with ``plotconfig.json`` of the bundle. More calls change nothing."""
        PlotBase._start(launchOptions.bundle / "plotconfig.json", launchOptions, delegate)

    @staticmethod
    def InitializeWithConfiguration(configuration: PlotConfiguration, launchOptions: Host) -> None:
        """Starts the plugin with a configuration made in code (deprecated in the SDK)."""
        PlotBase._start(configuration._properties(), launchOptions, configuration.Delegate)

    @staticmethod
    def InitializeWithPublicKey(publicKey: str, launchOptions: Host, delegate: PlotDelegate | None = None) -> None:
        """Starts the plugin with a token alone, as 1.x did (deprecated in the SDK)."""
        PlotBase.InitializeWithConfiguration(PlotConfiguration(publicKey, delegate), launchOptions)

    @staticmethod
    def SetDelegate(delegate: PlotDelegate | None) -> None:
        """Another delegate from now on; None for none (deprecated in the SDK)."""
        PlotBase._connect(PlotBase.Engine(), delegate)

    @staticmethod
    def SetEnableBackgroundModeWarning(enableBackgroundModeWarning: bool) -> None:
        """Does nothing, as in the SDK (deprecated there)."""

    @staticmethod
    def _start(config: ConfigLike, host: Host, delegate: PlotDelegate | None) -> None:
        if PlotBase._engine is not None:
            return

        def show(notification: _Notification) -> bool | None:
            return host.ShowNotification(UILocalNotification(notification))

        def opened(action: OpenAction, uri: str, notification: _SentNotification) -> None:
            host.OpenUrl(uri, action)

        engine = Engine(clock=host.clock, on_show=show, on_open=opened)
        try:
            PlotBase._connect(engine, delegate)
            engine.init(sdk_config(config), store=host.store, feed=host.feed)
        except BaseException:
            engine.close()
            raise
        PlotBase._engine = engine

    @staticmethod
    def _connect(engine: Engine, delegate: PlotDelegate | None) -> None:
        def method(name: str) -> Any:
            return getattr(delegate, name, None)

        filtering, handling = method("PlotFilterNotifications"), method("PlotHandleGeotriggers")
        opening = method("PlotHandleNotification")
        told = {
            "notification-shown": method("PlotNotificationSentEvent"),
            "notification-opened": method("PlotNotificationOpenedEvent"),
        }

        def filter(batch: FilterBatch) -> Later:
            filtering(PlotFilterNotifications([UILocalNotification(item) for item in batch], batch))
            return LATER

        def handle(batch: GeotriggerBatch) -> Later:
            handling(PlotHandleGeotriggers([PlotGeotrigger(item=item) for item in batch], batch))
            return LATER

        def notified(notification: _SentNotification, data: str) -> None:
            opening(UILocalNotification(notification), data)

        def event(happened: Event) -> None:
            tell = told.get(happened.event)
            if tell is not None and isinstance(happened.item, _SentNotification):
                tell(_sent(happened.item))

        engine.on_filter(filter if filtering is not None else None)
        engine.on_geotriggers(handle if handling is not None else None)
        engine.on_notification(notified if opening is not None else None)
        engine.on_event(event)

    @staticmethod
    def Engine() -> Engine:
        """Own: the engine beneath, to give it fixes and time."""
        if PlotBase._engine is None:
            raise InvalidOperationException(NOT_INITIALIZED)
        return PlotBase._engine

    @staticmethod
    def Close() -> None:
        """Own: ends the plugin, as the end of the process does on a phone."""
        engine, PlotBase._engine = PlotBase._engine, None
        if engine is not None:
            engine.close()

    @staticmethod
    def Enable() -> None:
        """Follows places from now on."""
        PlotBase.Engine().enable()

    @staticmethod
    def Disable() -> None:
        """Follows no places until ``Enable``."""
        PlotBase.Engine().disable()

    @staticmethod
    def IsEnabled() -> bool:
        """False also before initialisation, as on iOS."""
        return PlotBase._engine is not None and PlotBase._engine.is_enabled()

    @staticmethod
    def Version() -> str:
        """The version of the library."""
        return __version__

    @staticmethod
    def SetCooldownPeriod(secondsCooldown: int) -> None:
        """Seconds; 0 for none."""
        PlotBase.Engine().set_cooldown_period(secondsCooldown)

    @staticmethod
    def HandleNotification(notification: UILocalNotification) -> None:
        """The person tapped this notification."""
        PlotBase.Engine().open_notification(notification._item)

    @staticmethod
    def MailDebugLog(controller: StrPath) -> None:
        """Writes the debug log to this file; whether to mail it is up to you."""
        PlotBase.Engine().write_debug_log(controller)

    @staticmethod
    def SetStringSegmentationProperty(value: str | None, propertyKey: str) -> None:
        """None clears the property."""
        PlotBase.Engine().set_segmentation_property(propertyKey, value)

    @staticmethod
    def SetBooleanSegmentationProperty(value: bool, propertyKey: str) -> None:
        """Sets a property of the person to a truth value."""
        PlotBase.Engine().set_segmentation_property(propertyKey, bool(value))

    @staticmethod
    def SetIntegerSegmentationProperty(value: int, propertyKey: str) -> None:
        """Sets a property of the person to a whole number."""
        PlotBase.Engine().set_segmentation_property(propertyKey, value.__index__())

    @staticmethod
    def SetDoubleSegmentationProperty(value: float, propertyKey: str) -> None:
        """Sets a property of the person to a number."""
        PlotBase.Engine().set_segmentation_property(propertyKey, float(value))

    @staticmethod
    def SetDateSegmentationProperty(value: datetime, propertyKey: str) -> None:
        """Sets a property of the person to a moment."""
        PlotBase.Engine().set_segmentation_property(propertyKey, value)

    @staticmethod
    def SetAdvertisingIdentifier(advertisingIdentifier: Any, advertisingTrackingEnabled: bool) -> None:
        """The identifier, a UUID or text, or None; events carry it from now on, unless tracking is not enabled."""
        identifier = None if advertisingIdentifier is None else str(advertisingIdentifier)
        PlotBase.Engine().set_advertising_identifier(identifier, limit_tracking=not advertisingTrackingEnabled)

    @staticmethod
    def LoadedNotifications() -> list[UILocalNotification]:
        """The notifications of the feed that are near, or the nearest."""
        return [UILocalNotification(item) for item in PlotBase.Engine().loaded_notifications()]

    @staticmethod
    def LoadedGeotriggers() -> list[PlotGeotrigger]:
        """The geotriggers of the feed that are near, or the nearest."""
        return [PlotGeotrigger(item=item) for item in PlotBase.Engine().loaded_geotriggers()]

    @staticmethod
    def SentNotifications() -> list[PlotSentNotification]:
        """The notifications that were shown, the newest first."""
        return [_sent(item) for item in PlotBase.Engine().sent_notifications()]

    @staticmethod
    def SentGeotriggers() -> list[PlotSentGeotrigger]:
        """The geotriggers that were handed over, the newest first."""
        return [
            PlotSentGeotrigger(_user_info(item), item.date_sent, item.date_handled)
            for item in PlotBase.Engine().sent_geotriggers()
        ]

    @staticmethod
    def ClearSentNotifications() -> None:
        """Forgets the list of sent notifications."""
        PlotBase.Engine().clear_sent_notifications()

    @staticmethod
    def ClearSentGeotriggers() -> None:
        """Forgets the list of geotriggers."""
        PlotBase.Engine().clear_sent_geotriggers()


class PlotRelease(PlotBase):
    """``Plot`` on iOS in a release build."""


class PlotDebug(PlotBase):
    """``Plot`` on iOS in a debug build."""


class IPlot(ABC):
    """The functions of the plugin on both platforms."""

    @abstractmethod
    def Enable(self) -> None:
        """Follows places from now on."""

    @abstractmethod
    def Disable(self) -> None:
        """Follows no places until ``Enable``."""

    @property
    @abstractmethod
    def Version(self) -> str:
        """The version of the library."""


class _Instance(IPlot):
    def Enable(self) -> None:
        PlotBase.Enable()

    def Disable(self) -> None:
        PlotBase.Disable()

    @property
    def Version(self) -> str:
        return __version__


class Plot:
    """The cross-platform entry."""

    @staticmethod
    def GetInstance(launchOptions: Host, debug: bool = False) -> IPlot:
        """Starts the plugin, where it has not been started, and gives it."""
        PlotBase.InitializeWithLaunchOptions(launchOptions)
        return _Instance()

    @staticmethod
    def MailDebugLog(controller: StrPath) -> None:
        """Writes the debug log to this file; whether to mail it is up to you."""
        PlotBase.MailDebugLog(controller)

    @staticmethod
    def HandleNotification(notification: UILocalNotification) -> None:
        """The person tapped this notification."""
        PlotBase.HandleNotification(notification)


class InvalidOperationException(RuntimeError):
    """A call that cannot be made now."""


NOT_INITIALIZED = "Cannot perform requested operation because Plot hasn't been initialized"


def _sent(item: _SentNotification) -> PlotSentNotification:
    return PlotSentNotification(_user_info(item), item.date_sent, item.date_opened)
