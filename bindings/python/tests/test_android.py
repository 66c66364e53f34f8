"""The Android mirror, and the manual's Java samples on it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import manual_android as manual
import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, at

import plotengine
from plotengine.android import (
    NOT_INITIALIZED,
    BaseTrigger,
    BroadcastReceiver,
    Context,
    FilterableNotification,
    Geotrigger,
    GeotriggerHandlerReceiver,
    GeotriggerHandlerUtil,
    IllegalArgumentException,
    IllegalStateException,
    Intent,
    IntentService,
    LandingPageActivity,
    Manifest,
    NotificationFilterReceiver,
    NotificationFilterUtil,
    NotificationTrigger,
    OpenUriReceiver,
    Plot,
    PlotConfiguration,
)


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    (tmp_path / "plotconfig.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    manual.log.clear()
    yield
    Plot.close()


class Day:
    """A clock to set, and the way into the museum."""

    def __init__(self) -> None:
        self.now = T0

    def __call__(self) -> datetime:
        return self.now

    def enter(self, seconds: float = 60) -> None:
        self.now = at(seconds - 60)
        Plot.engine().update_location(*AWAY)
        self.now = at(seconds)
        Plot.engine().update_location(*MUSEUM)


def manifest() -> Manifest:
    package = "com.example.app"
    return (
        Manifest(package)
        .service(manual.MyNotificationFilterReceiver)
        .service(manual.MyGeotriggerHandlerReceiver)
        .receiver(manual.MyNotificationOpenReceiver, package + ".plot.OpenNotification")
        .receiver(
            manual.MyNotificationEventReceiver, package + ".plot.SentNotification", package + ".plot.OpenedNotification"
        )
    )


def test_the_manual(assets: Path) -> None:
    day = Day()
    activity = manual.PlotExample(assets, None, manifest(), feed=FEED, clock=day)
    activity.onCreate(None)
    assert Plot.isEnabled()
    manual.segmentation()
    assert Plot.engine().segmentation_properties() == {
        "premiumMember": True,
        "gender": "M",
        "yearOfBirth": 1980,
        "moneySpent": 10.35,
        "signUp": datetime.fromtimestamp(1426503567, timezone.utc),
    }
    day.enter()
    assert manual.log == ["Message of the sent notification: Hello Paul: Welcome at Museum shop"]
    (sent,) = Plot.getSentNotifications()
    assert sent.getMessage() == "Hello Paul: Welcome at Museum shop"
    assert not sent.isOpened()
    assert sent.getDateSent() == int(at(60).timestamp() * 1000)
    assert sent.getDateOpened() == -1
    (handled,) = Plot.getSentGeotriggers()
    assert (handled.getName(), handled.isHandled(), handled.getDateHandled()) == ("visitor", True, sent.getDateSent())
    Plot.engine().open_notification(sent.getMatchId() or "")
    assert manual.log[-1] == "Message of the opened notification: Hello Paul: Welcome at Museum shop"
    assert Plot.getSentNotifications()[0].isOpened()
    (intent,) = activity.started
    assert intent.getAction() == "OPEN"
    assert intent.getComponent() is manual.NotificationOpenActivity
    assert intent.getFlags() == 0x10020000
    assert intent.getParcelableExtra("notification").getData() == "https://example.org/"
    Plot.clearSentNotifications()
    Plot.clearSentGeotriggers()
    assert Plot.getSentNotifications() == []
    assert Plot.getSentGeotriggers() == []


def test_default_opening(assets: Path) -> None:
    day = Day()
    context = Context(assets, feed=FEED, clock=day)
    Plot.init(context)
    day.enter()
    day.now = at(360)
    Plot.engine().advance()
    day.now = at(400)
    Plot.engine().update_location(*AWAY)
    for sent in Plot.getSentNotifications():
        Plot.engine().open_notification(sent.getMatchId() or "")
    web, app, page = context.started
    assert (web.getAction(), web.getDataString()) == (Intent.ACTION_VIEW, "https://example.org/")
    assert (app.getAction(), app.getDataString()) == (Intent.ACTION_VIEW, "app://stay")
    assert (page.getComponent(), page.getDataString()) == (LandingPageActivity, "https://example.org/page")
    handlers = [sent.getHandlerType() for sent in Plot.getSentNotifications()]
    assert handlers == ["regular", "appLink", "landingPage"]
    assert handlers[1] == NotificationTrigger.HANDLER_TYPE_APP_LINK


def test_open_uri_receiver(assets: Path) -> None:
    day = Day()
    context = Context(assets, manifest=Manifest("a.b"), feed=FEED, clock=day)
    context.registerReceiver(OpenUriReceiver(), "a.b.plot.OpenNotification")
    Plot.init(context)
    day.enter()
    Plot.engine().open_notification(Plot.getSentNotifications()[0].getMatchId() or "")
    assert context.started[0].getDataString() == "https://example.org/"


CALLS: list[Any] = [
    lambda: Plot.enable(),
    lambda: Plot.disable(),
    lambda: Plot.isEnabled(),
    lambda: Plot.setCooldownPeriod(5),
    lambda: Plot.mailDebugLog(),
    lambda: Plot.setAdvertisingId("x", False),
    lambda: Plot.setStringSegmentationProperty("a", "b"),
    lambda: Plot.setBooleanSegmentationProperty("a", True),
    lambda: Plot.setLongSegmentationProperty("a", 1),
    lambda: Plot.setDoubleSegmentationProperty("a", 1.5),
    lambda: Plot.setDateSegmentationProperty("a", 1),
    lambda: Plot.getLoadedNotifications(),
    lambda: Plot.getLoadedGeotriggers(),
    lambda: Plot.getSentNotifications(),
    lambda: Plot.getSentGeotriggers(),
    lambda: Plot.clearSentNotifications(),
    lambda: Plot.clearSentGeotriggers(),
    lambda: Plot.testLocation(52.36, 4.885),
    lambda: Plot.engine(),
]


def test_before_init() -> None:
    for call in CALLS:
        with pytest.raises(IllegalStateException) as caught:
            call()
        assert str(caught.value) == NOT_INITIALIZED
    assert Plot.getVersion() == plotengine.__version__


def test_every_method(assets: Path) -> None:
    context = Context(assets, assets, feed=FEED)
    Plot.init(context)
    Plot.init(context)  # more calls change nothing
    for call in CALLS:
        call()
    assert Plot.engine().cooldown_period().total_seconds() == 5
    (mail,) = context.started
    assert mail.getParcelableExtra(Intent.EXTRA_STREAM).is_file()
    assert [item.getId() for item in Plot.getLoadedGeotriggers()] == ["count;museum"]
    assert (assets / "plot.store").is_file()
    Plot.close()
    Plot.init(Context(assets, assets))  # the store has it all
    assert len(Plot.getLoadedNotifications()) == 4
    Plot.setStringSegmentationProperty("a", None)
    assert Plot.engine().segmentation_properties() == {}


def test_items(assets: Path) -> None:
    Plot.init(Context(assets, feed=FEED))
    items = {item.getId(): item for item in Plot.getLoadedNotifications()}
    beacon, stay = items["welcome;till"], items["stay;museum"]
    assert math.isnan(beacon.getGeofenceLatitude())
    assert math.isnan(beacon.getGeofenceLongitude())
    assert beacon.getRegionType() == BaseTrigger.REGION_TYPE_BEACON
    assert beacon.getMatchRange() == 2
    assert beacon.getMatchId() is None
    assert (stay.getTrigger(), stay.getDwellingMinutes()) == (BaseTrigger.TRIGGER_DWELLING, 5)
    assert (stay.getGeofenceLatitude(), stay.getGeofenceLongitude()) == MUSEUM
    assert (stay.getCampaignId(), stay.getRegionId()) == ("stay", "museum")
    assert repr(stay).startswith("NotificationTrigger(")


@pytest.mark.parametrize(
    ("latitude", "longitude", "message"),
    [
        (91, 0, "Latitude must be between -90 and 90."),
        (0, -181, "Longitude must be between -180 and 180."),
        (math.nan, 0, "Latitude mustn't be NaN."),
        (0, math.nan, "Longitude mustn't be NaN."),
    ],
)
def test_test_location(latitude: float, longitude: float, message: str) -> None:
    with pytest.raises(IllegalArgumentException) as caught:
        Plot.testLocation(latitude, longitude)
    assert str(caught.value) == message


def test_trying_a_filter() -> None:
    """The SDK's test helpers: no engine is needed."""
    notifications = [
        FilterableNotification("a;b", "Message", "data", 52.0, 4.0),
        FilterableNotification("c;d", "Other", handlerType="appLink"),
    ]
    intent = NotificationFilterReceiver.createTestFilterIntent(notifications)
    assert NotificationFilterUtil.isNotificationFilterIntent(intent)
    assert NotificationFilterReceiver.getTestedNotificationsForIntent(intent) is None
    manual.MyNotificationFilterReceiver().onHandleIntent(intent)
    tested = NotificationFilterReceiver.getTestedNotificationsForIntent(intent)
    assert tested is not None
    assert [n.getMessage() for n in tested] == ["Hello Paul: Message", "Hello Paul: Other"]
    tested[0].setData("new")
    assert tested[0].getData() == "new"
    assert tested[1].getHandlerType() == "appLink"
    assert math.isnan(tested[1].getGeofenceLatitude())
    for call in (
        tested[0].getNotification,
        lambda: tested[0].setNotification(None),
        tested[0].getNotificationSmallIcon,
        lambda: tested[0].setNotificationSmallIcon(1),
        tested[0].getNotificationAccentColor,
        lambda: tested[0].setNotificationAccentColor(1),
    ):
        with pytest.raises(NotImplementedError):
            call()


def test_trying_a_geotrigger_handler() -> None:
    geotriggers = [Geotrigger("a;b", "one", "pass"), Geotrigger("c;d", "two", "stop")]
    intent = GeotriggerHandlerReceiver.createTestHandlerIntent(geotriggers)
    assert GeotriggerHandlerUtil.isGeotriggerHandlerIntent(intent)
    manual.MyGeotriggerHandlerReceiver().onHandleIntent(intent)
    assert GeotriggerHandlerReceiver.getTestedGeotriggersForIntent(intent) == [geotriggers[0]]
    assert geotriggers[0].getName() == "one"


def test_a_filter_that_answers_later(assets: Path) -> None:
    """A service of one's own, with NotificationFilterUtil."""
    kept: list[Any] = []

    class MyFilter(NotificationFilterReceiver):
        def onHandleIntent(self, intent: Intent) -> None:
            kept.append(NotificationFilterUtil.getBatch(intent, self))

    day = Day()
    context = Context(assets, manifest=Manifest().service(MyFilter()), feed=FEED, clock=day)
    Plot.init(context)
    day.enter()
    assert Plot.getSentNotifications() == []
    (batch,) = kept
    batch.sendNotifications(batch.getNotifications())
    assert len(Plot.getSentNotifications()) == 1
    assert NotificationFilterUtil.getBatch(Intent("x"), context) is None
    assert GeotriggerHandlerUtil.getBatch(Intent("x"), context) is None
    kept.clear()
    del batch


def test_showing(assets: Path) -> None:
    class Phone(Context):
        def showNotification(self, notification: NotificationTrigger) -> bool:
            return notification.getMessage() != "Welcome at Museum shop"

    day = Day()
    Plot.init(Phone(assets, feed=FEED, clock=day))
    day.enter()
    assert Plot.getSentNotifications() == []


def test_configuration_in_code() -> None:
    configuration = PlotConfiguration("REPLACE_ME").setCooldownPeriod(7).setEnableOnFirstRun(False)
    assert (configuration.getPublicToken(), configuration.getCooldownPeriod()) == ("REPLACE_ME", 7)
    Plot.init(Context(), configuration)
    assert not Plot.isEnabled()
    assert Plot.engine().cooldown_period().total_seconds() == 7


def test_configuration_without_a_token() -> None:
    configuration = PlotConfiguration()
    assert configuration.getPublicToken() is None
    Plot.init(Context(), configuration)
    assert Plot.isEnabled()


def test_init_that_fails(tmp_path: Path) -> None:
    with pytest.raises(plotengine.FileError):
        Plot.init(Context(tmp_path))
    with pytest.raises(IllegalStateException):
        Plot.enable()


def test_stand_ins() -> None:
    assert Context().getApplicationContext().getPackageName() == "com.example.app"
    with pytest.raises(NotImplementedError):
        BroadcastReceiver().onReceive(Context(), Intent())
    with pytest.raises(NotImplementedError):
        IntentService().onHandleIntent(Intent())
    with pytest.raises(NotImplementedError):
        NotificationFilterReceiver().filterNotifications([])
    with pytest.raises(NotImplementedError):
        GeotriggerHandlerReceiver().handleGeotriggers([])
    assert Intent("a").putExtra("b", "c").getStringExtra("b") == "c"
    assert "a" in repr(Intent("a"))
