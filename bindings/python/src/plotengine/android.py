# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The Android SDK's names (com.plotprojects.retail.android) on the engine.

An app that was written against that SDK moves over line by line. What Android itself gave (``Context``, ``Activity``,
``Intent``, ``BroadcastReceiver``, the manifest) stands here as small classes of the same names. Marked "own": what the
SDK does not have, because on a phone the system does it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from . import __version__
from ._clock import Clock
from ._convert import StrPath, milliseconds, moment, seconds
from ._documents import ConfigLike, FeedLike, sdk_config
from ._engine import Engine
from ._items import FilterBatch, GeotriggerBatch, Item
from ._items import SentNotification as _SentNotification
from ._records import Event
from ._types import LATER, HandlerType, Later, OpenAction, RegionType, Trigger

# ---- What Android gives -----------------------------------------------------------------------------------------


class IllegalStateException(RuntimeError):
    """A call that cannot be made now."""


class IllegalArgumentException(ValueError):
    """An argument that will not do."""


class Intent:
    """A message: an action, a class to start, extras."""

    ACTION_MAIN = "android.intent.action.MAIN"
    ACTION_SEND = "android.intent.action.SEND"
    ACTION_VIEW = "android.intent.action.VIEW"
    EXTRA_STREAM = "android.intent.extra.STREAM"
    FLAG_ACTIVITY_NEW_TASK = 0x10000000
    FLAG_ACTIVITY_REORDER_TO_FRONT = 0x00020000

    def __init__(
        self, first: str | Context | None = None, second: type | str | None = None, data: str | None = None
    ) -> None:
        """``Intent(action)``, ``Intent(action, uri)`` or ``Intent(context, cls)``."""
        self._action = first if isinstance(first, str) else None
        self._component = second if isinstance(second, type) else None
        self._data = second if isinstance(second, str) else data
        self._extras: dict[str, Any] = {}
        self._flags = 0

    def getAction(self) -> str | None:
        """The action."""
        return self._action

    def setAction(self, action: str) -> Intent:
        """Sets the action."""
        self._action = action
        return self

    def getComponent(self) -> type | None:
        """The class that the intent is for."""
        return self._component

    def getDataString(self) -> str | None:
        """The data as a text."""
        return self._data

    def getFlags(self) -> int:
        """The flags."""
        return self._flags

    def setFlags(self, flags: int) -> Intent:
        """Sets the flags."""
        self._flags = flags
        return self

    def getExtras(self) -> dict[str, Any]:
        """All extras."""
        return dict(self._extras)

    def putExtras(self, extras: dict[str, Any]) -> Intent:
        """Adds extras."""
        self._extras.update(extras)
        return self

    def putExtra(self, name: str, value: Any) -> Intent:
        """Adds an extra."""
        self._extras[name] = value
        return self

    def getParcelableExtra(self, name: str) -> Any:
        """An extra that is an object."""
        return self._extras.get(name)

    def getStringExtra(self, name: str) -> Any:
        """An extra that is a text."""
        return self._extras.get(name)

    def __repr__(self) -> str:
        return f"Intent(action={self._action!r}, component={self._component!r}, data={self._data!r})"


class Manifest:
    """Own: AndroidManifest.xml, as far as the SDK looks into it."""

    def __init__(self, package: str = "com.example.app") -> None:
        self.package = package
        self.services: list[Any] = []
        self.receivers: list[Any] = []

    def service(self, service: Any) -> Manifest:
        """``<service android:name="...">``: a class or an object."""
        self.services.append(_made(service))
        return self

    def receiver(self, receiver: Any, *actions: str) -> Manifest:
        """``<receiver android:name="..."><intent-filter><action .../>``: a class or an object, and its actions."""
        self.receivers.append((_made(receiver), actions))
        return self


class Context:
    """An app: its assets with plotconfig.json, its files, its manifest."""

    def __init__(
        self,
        assets: StrPath | None = None,
        files: StrPath | None = None,
        manifest: Manifest | None = None,
        *,
        feed: FeedLike | None = None,
        clock: Clock | None = None,
    ) -> None:
        """``assets``: the folder of plotconfig.json. ``files``: where the store is kept; None for in memory.
        ``feed`` and ``clock`` are own: on a phone the SDK's server and the system give them."""
        self.assets = Path(assets) if assets is not None else Path("assets")
        self.files = Path(files) if files is not None else None
        self.manifest = manifest if manifest is not None else Manifest()
        self.feed = feed
        self.clock = clock
        self.started: list[Intent] = []

    def getPackageName(self) -> str:
        """The name of the app."""
        return self.manifest.package

    def getApplicationContext(self) -> Context:
        """The context of the app."""
        return self

    def getFilesDir(self) -> Path:
        """The folder of the app."""
        return self.files if self.files is not None else Path(os.curdir)

    def registerReceiver(self, receiver: Any, actions: str | Sequence[str]) -> None:
        """Registers a receiver for these actions."""
        self.manifest.receiver(receiver, *([actions] if isinstance(actions, str) else actions))

    def startActivity(self, intent: Intent) -> None:
        """Opens something. Override it; here the intents are kept in ``started``."""
        self.started.append(intent)

    def showNotification(self, notification: NotificationTrigger) -> bool | None:
        """Own: puts a notification on the screen; False when it cannot. Override it; here nothing happens."""
        return None


class Activity(Context):
    """A screen."""

    def onCreate(self, savedInstanceState: dict[str, Any] | None = None) -> None:
        """The screen is made."""


class BroadcastReceiver:
    """Gets intents."""

    def onReceive(self, context: Context, intent: Intent) -> None:
        """Takes an intent."""
        raise NotImplementedError


class IntentService(Context):
    """Works on intents."""

    def onHandleIntent(self, intent: Intent) -> None:
        """Takes an intent, away from the main thread."""
        raise NotImplementedError


# ---- Items ------------------------------------------------------------------------------------------------------


class BaseTrigger:
    """The attributes that notifications and geotriggers share."""

    REGION_TYPE_BEACON = "beacon"
    REGION_TYPE_GEOFENCE = "geofence"
    TRIGGER_ENTER = "enter"
    TRIGGER_EXIT = "exit"
    TRIGGER_DWELLING = "dwelling"
    TRIGGER_INSIDE = "inside"
    TRIGGER_APPROACHING = "approaching"
    TRIGGER_ABSENT = "absent"
    TRIGGER_TRIP = "trip"

    def __init__(self, item: Any) -> None:
        self._item = item

    def getId(self) -> str:
        """The id of the campaign."""
        return str(self._item.identifier)

    def getMatchId(self) -> str | None:
        """The identifier of the occurrence."""
        match: str | None = self._item.match_identifier
        return match

    def getCampaignId(self) -> str:
        """The id of the campaign."""
        return str(self._item.campaign_id)

    def getRegionId(self) -> str:
        """The id of the region."""
        return str(self._item.region_id)

    def getData(self) -> str:
        """The campaign's data, with its placeholders filled."""
        return str(self._item.data)

    def getGeofenceLatitude(self) -> float:
        """Degrees; NaN for a beacon."""
        value = self._item.geofence_latitude
        return math.nan if value is None else float(value)

    def getGeofenceLongitude(self) -> float:
        """Degrees; NaN for a beacon."""
        value = self._item.geofence_longitude
        return math.nan if value is None else float(value)

    def getTrigger(self) -> str:
        """The trigger of the campaign."""
        return str(self._item.trigger)

    def getDwellingMinutes(self) -> int:
        """The minutes of a dwelling."""
        return int(self._item.dwelling_minutes)

    def getMatchRange(self) -> int:
        """Metres, of the region's radius."""
        return int(self._item.match_range)

    def getRegionType(self) -> str:
        """Whether the region is a place or a beacon."""
        return str(self._item.region_type)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._item!r})"


class NotificationTrigger(BaseTrigger):
    """A notification."""

    HANDLER_TYPE_REGULAR = "regular"
    HANDLER_TYPE_LANDING_PAGE = "landingPage"
    HANDLER_TYPE_APP_LINK = "appLink"

    def getMessage(self) -> str:
        """The text."""
        return str(self._item.message)

    def getHandlerType(self) -> str:
        """Spelled as on Android: an applink is ``appLink``."""
        kind = str(self._item.handler_type)
        return self.HANDLER_TYPE_APP_LINK if kind == "applink" else kind


class _TestItem:
    """An item that a test makes by hand."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


class FilterableNotification(NotificationTrigger):
    """A notification that a filter may edit."""

    def isAppInForeground(self) -> bool:
        """Whether the app is in the foreground; of one that was opened."""
        return bool(getattr(self._item, "is_app_in_foreground", False))

    def __init__(
        self,
        id: Any,
        message: str = "",
        data: str = "",
        geofenceLatitude: float = math.nan,
        geofenceLongitude: float = math.nan,
        trigger: str = BaseTrigger.TRIGGER_ENTER,
        dwellingMinutes: int = 0,
        handlerType: str = NotificationTrigger.HANDLER_TYPE_REGULAR,
        matchRange: int = 200,
        regionType: str = BaseTrigger.REGION_TYPE_GEOFENCE,
        matchId: str | None = None,
    ) -> None:
        """For tests; the engine makes the others."""
        if isinstance(id, Item):
            super().__init__(id)
            return
        campaign, _, region = id.partition(";")
        super().__init__(
            _TestItem(
                identifier=id,
                match_identifier=matchId,
                campaign_id=campaign,
                region_id=region,
                message=message,
                data=data,
                geofence_latitude=None if math.isnan(geofenceLatitude) else geofenceLatitude,
                geofence_longitude=None if math.isnan(geofenceLongitude) else geofenceLongitude,
                trigger=Trigger(trigger),
                dwelling_minutes=dwellingMinutes,
                handler_type=HandlerType("applink" if handlerType == "appLink" else handlerType),
                match_range=matchRange,
                region_type=RegionType(regionType),
            )
        )

    def setMessage(self, message: str) -> None:
        """Sets another text."""
        self._item.message = message

    def setData(self, data: str) -> None:
        """Sets other data."""
        self._item.data = data

    def getNotification(self) -> Any:
        """The notification as the system is to show it."""
        raise NotImplementedError(_NO_RICH)

    def setNotification(self, notification: Any) -> None:
        """Sets the notification as the system is to show it."""
        raise NotImplementedError(_NO_RICH)

    def getNotificationSmallIcon(self) -> int:
        """The small icon."""
        raise NotImplementedError(_NO_RICH)

    def setNotificationSmallIcon(self, icon: int) -> None:
        """Sets the small icon."""
        raise NotImplementedError(_NO_RICH)

    def getNotificationAccentColor(self) -> int:
        """The colour beside the icon."""
        raise NotImplementedError(_NO_RICH)

    def setNotificationAccentColor(self, color: int) -> None:
        """Sets the colour beside the icon."""
        raise NotImplementedError(_NO_RICH)


_NO_RICH = "This engine carries a notification's message and data; how it looks is up to whoever shows it."


class Geotrigger(BaseTrigger):
    """A geotrigger."""

    def __init__(
        self,
        id: Any,
        name: str = "",
        data: str = "",
        geofenceLatitude: float = math.nan,
        geofenceLongitude: float = math.nan,
        trigger: str = BaseTrigger.TRIGGER_ENTER,
        dwellingMinutes: int = 0,
        matchRange: int = 200,
        regionType: str = BaseTrigger.REGION_TYPE_GEOFENCE,
        matchId: str | None = None,
    ) -> None:
        """For tests; the engine makes the others."""
        if isinstance(id, Item):
            super().__init__(id)
            return
        test = FilterableNotification(
            id,
            name,
            data,
            geofenceLatitude,
            geofenceLongitude,
            trigger,
            dwellingMinutes,
            matchRange=matchRange,
            regionType=regionType,
            matchId=matchId,
        )
        super().__init__(test._item)

    def getName(self) -> str:
        """The name of the geotrigger."""
        return str(self._item.message)


def _millis(date: Any) -> int:
    return -1 if date is None else milliseconds(date)


class SentNotification(NotificationTrigger):
    """A notification that was shown."""

    def getDateSent(self) -> int:
        """Milliseconds since 1970."""
        return _millis(self._item.date_sent)

    def getDateOpened(self) -> int:
        """Milliseconds since 1970; -1 when it was not opened."""
        return _millis(self._item.date_opened)

    def isOpened(self) -> bool:
        """Whether it was opened."""
        return bool(self._item.is_opened)


class SentGeotrigger(BaseTrigger):
    """A geotrigger that fired."""

    def getName(self) -> str:
        """The name of the geotrigger."""
        return str(self._item.message)

    def getDateSent(self) -> int:
        """Milliseconds since 1970."""
        return _millis(self._item.date_sent)

    def getDateHandled(self) -> int:
        """Milliseconds since 1970; -1 when it was not handled."""
        return _millis(self._item.date_handled)

    def isHandled(self) -> bool:
        """Whether it was handled."""
        return bool(self._item.is_handled)


# ---- Filter and geotrigger handler ------------------------------------------------------------------------------

_FILTER = ".plot.FilterNotifications"
_HANDLE = ".plot.HandleGeotriggers"
_OPEN = ".plot.OpenNotification"
_SENT = ".plot.SentNotification"
_OPENED = ".plot.OpenedNotification"
_BATCH = "batch"


class NotificationFilterBatch:
    """A batch of notifications (the SDK's ``NotificationFilterUtil.Batch``)."""

    def __init__(self, notifications: list[FilterableNotification], batch: FilterBatch | None = None) -> None:
        self._notifications = notifications
        self._batch = batch
        self.sent: list[FilterableNotification] | None = None

    def getNotifications(self) -> list[FilterableNotification]:
        """Those that the app is asked about."""
        return list(self._notifications)

    def sendNotifications(self, notifications: Collection[FilterableNotification]) -> None:
        """The answer: these go on. Call it once, with an empty list too."""
        sent = list(notifications)
        if self._batch is not None:
            self._batch.answer([notification._item for notification in sent])
        self.sent = sent


class GeotriggerHandlerBatch:
    """A batch of geotriggers (the SDK's ``GeotriggerHandlerUtil.Batch``)."""

    def __init__(self, geotriggers: list[Geotrigger], batch: GeotriggerBatch | None = None) -> None:
        self._geotriggers = geotriggers
        self._batch = batch
        self.handled: list[Geotrigger] | None = None

    def getGeotriggers(self) -> list[Geotrigger]:
        """Those that are to be handled."""
        return list(self._geotriggers)

    def markGeotriggersHandled(self, geotriggers: Collection[Geotrigger]) -> None:
        """The answer: these were handled. Call it once, with an empty list too."""
        handled = list(geotriggers)
        if self._batch is not None:
            self._batch.answer([geotrigger._item for geotrigger in handled])
        self.handled = handled


class NotificationFilterUtil:
    """For a filter that is no ``NotificationFilterReceiver``, and may answer later."""

    Batch = NotificationFilterBatch

    @staticmethod
    def isNotificationFilterIntent(intent: Intent) -> bool:
        """Whether an intent asks the filter."""
        return (intent.getAction() or "").endswith(_FILTER)

    @staticmethod
    def getBatch(intent: Intent, context: Context) -> NotificationFilterBatch | None:
        """The batch of an intent."""
        batch = intent.getParcelableExtra(_BATCH)
        return batch if isinstance(batch, NotificationFilterBatch) else None


class GeotriggerHandlerUtil:
    """For a geotrigger handler that is no ``GeotriggerHandlerReceiver``, and may answer later."""

    Batch = GeotriggerHandlerBatch

    @staticmethod
    def isGeotriggerHandlerIntent(intent: Intent) -> bool:
        """Whether an intent hands geotriggers over."""
        return (intent.getAction() or "").endswith(_HANDLE)

    @staticmethod
    def getBatch(intent: Intent, context: Context) -> GeotriggerHandlerBatch | None:
        """The batch of an intent."""
        batch = intent.getParcelableExtra(_BATCH)
        return batch if isinstance(batch, GeotriggerHandlerBatch) else None


class NotificationFilterReceiver(IntentService):
    """Extend it, and name it in the manifest as a service: notifications come here before they are shown."""

    def filterNotifications(self, notifications: list[FilterableNotification]) -> list[FilterableNotification]:
        """Returns those that are kept."""
        raise NotImplementedError

    def onHandleIntent(self, intent: Intent) -> None:
        """Takes an intent, away from the main thread."""
        batch = NotificationFilterUtil.getBatch(intent, self)
        if batch is not None:
            batch.sendNotifications(self.filterNotifications(batch.getNotifications()))

    @staticmethod
    def createTestFilterIntent(notifications: list[FilterableNotification]) -> Intent:
        """An intent to try a filter with; hand it to ``onHandleIntent``."""
        return Intent(_FILTER).putExtra(_BATCH, NotificationFilterBatch(list(notifications)))

    @staticmethod
    def getTestedNotificationsForIntent(intent: Intent) -> list[FilterableNotification] | None:
        """The answer of the filter; None when it has not answered."""
        return intent.getParcelableExtra(_BATCH).sent  # type: ignore[no-any-return]


class GeotriggerHandlerReceiver(IntentService):
    """Extend it, and name it in the manifest as a service: geotriggers come here."""

    def handleGeotriggers(self, geotriggers: list[Geotrigger]) -> list[Geotrigger]:
        """Handles geotriggers; returns those that were handled."""
        raise NotImplementedError

    def onHandleIntent(self, intent: Intent) -> None:
        """Takes an intent, away from the main thread."""
        batch = GeotriggerHandlerUtil.getBatch(intent, self)
        if batch is not None:
            batch.markGeotriggersHandled(self.handleGeotriggers(batch.getGeotriggers()))

    @staticmethod
    def createTestHandlerIntent(geotriggers: list[Geotrigger]) -> Intent:
        """An intent to try a handler with; hand it to ``onHandleIntent``."""
        return Intent(_HANDLE).putExtra(_BATCH, GeotriggerHandlerBatch(list(geotriggers)))

    @staticmethod
    def getTestedGeotriggersForIntent(intent: Intent) -> list[Geotrigger] | None:
        """The answer of the handler; None when it has not answered."""
        return intent.getParcelableExtra(_BATCH).handled  # type: ignore[no-any-return]


class OpenUriReceiver(BroadcastReceiver):
    """The default for an opened notification: opens its data as a URI."""

    def onReceive(self, context: Context, intent: Intent) -> None:
        """Takes an intent."""
        data = intent.getParcelableExtra("notification").getData()
        context.startActivity(Intent(Intent.ACTION_VIEW, data) if data else Intent(Intent.ACTION_MAIN))


class LandingPageActivity(Activity):
    """The intent that starts a landing page: its data is the page."""


# ---- Plot -------------------------------------------------------------------------------------------------------


class PlotConfiguration:
    """A configuration made in code, for the deprecated ``Plot.init(context, configuration)``."""

    def __init__(self, publicToken: str | None = None) -> None:
        """``publicToken``: the app's token; None for an app that asks no campaign service."""
        self._properties: dict[str, Any] = {"publicToken": publicToken}

    def getPublicToken(self) -> str | None:
        """The token of the app."""
        token = self._properties["publicToken"]
        return None if token is None else str(token)

    getPublicKey = getPublicToken

    def setCooldownPeriod(self, seconds: int) -> PlotConfiguration:
        """Sets how many seconds after a notification no other one is shown."""
        self._properties["cooldownPeriod"] = seconds
        return self

    def getCooldownPeriod(self) -> int:
        """How many seconds after a notification no other one is shown."""
        return int(self._properties.get("cooldownPeriod", -1))

    def setEnableOnFirstRun(self, enable: bool) -> PlotConfiguration:
        """Sets whether places are followed from the first start on."""
        self._properties["enableOnFirstRun"] = enable
        return self


class Plot:
    """The plugin. All methods are static; there is one engine in the process."""

    _context: Context | None = None
    _engine: Engine | None = None

    @staticmethod
    def init(context: Context, configuration: PlotConfiguration | None = None) -> None:
        """Starts the plugin, with ``plotconfig.json`` of the context's assets. More calls change nothing."""
        if Plot._engine is not None:
            return
        config: ConfigLike = context.assets / "plotconfig.json"
        if configuration is not None:
            config = configuration._properties
        manifest = context.manifest
        package = context.getPackageName()

        def listening(name: str) -> list[BroadcastReceiver]:
            return [receiver for receiver, actions in manifest.receivers if package + name in actions]

        def broadcast(name: str, notification: BaseTrigger) -> None:
            for receiver in listening(name):
                receiver.onReceive(context, Intent(package + name).putExtra("notification", notification))

        def filter(batch: FilterBatch) -> Later:
            made = NotificationFilterBatch([FilterableNotification(item) for item in batch], batch)
            filters[0].onHandleIntent(Intent(package + _FILTER).putExtra(_BATCH, made))
            return LATER

        def handle(batch: GeotriggerBatch) -> Later:
            made = GeotriggerHandlerBatch([Geotrigger(item) for item in batch], batch)
            handlers[0].onHandleIntent(Intent(package + _HANDLE).putExtra(_BATCH, made))
            return LATER

        def opened(notification: _SentNotification, data: str) -> None:
            broadcast(_OPEN, FilterableNotification(notification))

        def event(happened: Event) -> None:
            name = {"notification-shown": _SENT, "notification-opened": _OPENED}.get(happened.event)
            if name is not None and isinstance(happened.item, _SentNotification):
                broadcast(name, SentNotification(happened.item))

        filters = [service for service in manifest.services if isinstance(service, NotificationFilterReceiver)]
        handlers = [service for service in manifest.services if isinstance(service, GeotriggerHandlerReceiver)]
        engine = Engine(
            clock=context.clock,
            on_filter=filter if filters else None,
            on_geotriggers=handle if handlers else None,
            on_show=lambda notification: context.showNotification(NotificationTrigger(notification)),
            on_notification=opened if listening(_OPEN) else None,
            on_open=lambda action, uri, notification: _default(context, action, uri),
            on_event=event,
        )
        try:
            store = context.files / "plot.store" if context.files is not None else None
            engine.init(sdk_config(config), store=store, feed=context.feed)
        except BaseException:
            engine.close()
            raise
        Plot._context, Plot._engine = context, engine

    @staticmethod
    def engine() -> Engine:
        """Own: the engine beneath, to give it fixes and time."""
        if Plot._engine is None:
            raise IllegalStateException(NOT_INITIALIZED)
        return Plot._engine

    @staticmethod
    def close() -> None:
        """Own: ends the plugin, as the end of the process does on a phone."""
        engine, Plot._engine, Plot._context = Plot._engine, None, None
        if engine is not None:
            engine.close()

    @staticmethod
    def enable() -> None:
        """Follows places from now on."""
        Plot.engine().enable()

    @staticmethod
    def disable() -> None:
        """Follows no places until ``enable``."""
        Plot.engine().disable()

    @staticmethod
    def isEnabled() -> bool:
        """Whether places are followed."""
        return Plot.engine().is_enabled()

    @staticmethod
    def getVersion() -> str:
        """The version of the library."""
        return __version__

    @staticmethod
    def setCooldownPeriod(secondsCooldown: int) -> None:
        """Seconds; 0 for none."""
        Plot.engine().set_cooldown_period(seconds(secondsCooldown))

    @staticmethod
    def mailDebugLog() -> None:
        """Writes the debug log to a file and hands it to ``startActivity``, as a mail to be sent."""
        engine, context = Plot.engine(), Plot._context
        assert context is not None
        path = context.getFilesDir() / "plot-debug.log"
        engine.write_debug_log(path)
        context.startActivity(Intent(Intent.ACTION_SEND).putExtra(Intent.EXTRA_STREAM, path))

    @staticmethod
    def setAdvertisingId(id: str, limitAdTracking: bool) -> None:
        """Events carry it from now on; while tracking is limited they say only that."""
        Plot.engine().set_advertising_identifier(id, limit_tracking=bool(limitAdTracking))

    @staticmethod
    def setStringSegmentationProperty(property: str, value: str | None) -> None:
        """Sets a property of the person to a text."""
        Plot.engine().set_segmentation_property(property, value)

    @staticmethod
    def setBooleanSegmentationProperty(property: str, value: bool) -> None:
        """Sets a property of the person to a truth value."""
        Plot.engine().set_segmentation_property(property, bool(value))

    @staticmethod
    def setLongSegmentationProperty(property: str, value: int) -> None:
        """Sets a property of the person to a whole number."""
        Plot.engine().set_segmentation_property(property, value.__index__())

    @staticmethod
    def setDoubleSegmentationProperty(property: str, value: float) -> None:
        """Sets a property of the person to a number."""
        Plot.engine().set_segmentation_property(property, float(value))

    @staticmethod
    def setDateSegmentationProperty(property: str, secondsSinceEpoch: int) -> None:
        """The date in seconds since 1970, as ``System.currentTimeMillis()/1000``."""
        Plot.engine().set_segmentation_property(property, moment(secondsSinceEpoch.__index__() * 1000))

    @staticmethod
    def getLoadedNotifications() -> list[NotificationTrigger]:
        """The notifications of the feed that are near, or the nearest."""
        return [NotificationTrigger(item) for item in Plot.engine().loaded_notifications()]

    @staticmethod
    def getLoadedGeotriggers() -> list[Geotrigger]:
        """The geotriggers of the feed that are near, or the nearest."""
        return [Geotrigger(item) for item in Plot.engine().loaded_geotriggers()]

    @staticmethod
    def getSentNotifications() -> list[SentNotification]:
        """The notifications that were shown, the newest first."""
        return [SentNotification(item) for item in Plot.engine().sent_notifications()]

    @staticmethod
    def getSentGeotriggers() -> list[SentGeotrigger]:
        """The geotriggers that were handed over, the newest first."""
        return [SentGeotrigger(item) for item in Plot.engine().sent_geotriggers()]

    @staticmethod
    def clearSentNotifications() -> None:
        """Forgets the list of sent notifications."""
        Plot.engine().clear_sent_notifications()

    @staticmethod
    def clearSentGeotriggers() -> None:
        """Forgets the list of geotriggers."""
        Plot.engine().clear_sent_geotriggers()

    @staticmethod
    def testLocation(latitude: float, longitude: float) -> None:
        """A fix by hand (SDK 3.x), with the SDK's sentences for arguments that will not do."""
        for value, name, limit in ((latitude, "Latitude", 90), (longitude, "Longitude", 180)):
            if math.isnan(value):
                raise IllegalArgumentException(f"{name} mustn't be NaN.")
            if not -limit <= value <= limit:
                raise IllegalArgumentException(f"{name} must be between -{limit} and {limit}.")
        Plot.engine().update_location(latitude, longitude)


NOT_INITIALIZED = "Cannot perform requested operation because Plot hasn't been initialized"


def _made(kind: Any) -> Any:
    return kind() if isinstance(kind, type) else kind


def _default(context: Context, action: OpenAction, uri: str) -> None:
    if action == OpenAction.LANDING_PAGE:
        context.startActivity(Intent(context, LandingPageActivity, uri))
    elif action in (OpenAction.APP, OpenAction.DATA):
        context.startActivity(Intent(Intent.ACTION_MAIN))
    else:
        context.startActivity(Intent(Intent.ACTION_VIEW, uri))
