"""The Xamarin mirror, and the manual's iOS samples on it."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import manual_xamarin as manual
import pytest
from conftest import AWAY, CONFIG, FEED, MUSEUM, T0, at

import plotengine
from plotengine import OpenAction, ReadOnlyKeyError, xamarin
from plotengine.xamarin import (
    NOT_INITIALIZED,
    Constants,
    Host,
    InvalidOperationException,
    IPlot,
    Plot,
    PlotBase,
    PlotConfiguration,
    PlotDebug,
    PlotDelegate,
    PlotFilterNotifications,
    PlotGeotrigger,
    PlotHandleGeotriggers,
    PlotRelease,
    UILocalNotification,
)


class Phone(Host):
    """A clock to set, and the way into the museum."""

    def __init__(self, bundle: Path, **arguments: Any) -> None:
        super().__init__(bundle, feed=FEED, clock=lambda: self.now, **arguments)
        self.now: datetime = T0
        self.shown: list[UILocalNotification] = []

    def ShowNotification(self, notification: UILocalNotification) -> bool | None:
        self.shown.append(notification)
        return None

    def enter(self) -> None:
        PlotBase.Engine().update_location(*AWAY)
        self.now = at(60)
        PlotBase.Engine().update_location(*MUSEUM)


@pytest.fixture
def phone(tmp_path: Path) -> Phone:
    (tmp_path / "plotconfig.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return Phone(tmp_path)


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    manual.log.clear()
    yield
    PlotBase.Close()


def test_the_manual(phone: Phone) -> None:
    app = manual.AppDelegate()
    assert app.FinishedLaunching(phone, phone)
    manual.Segments().set()
    assert set(PlotBase.Engine().segmentation_properties()) == {
        "premiumMember",
        "gender",
        "yearOfBirth",
        "moneySpent",
        "signUp",
    }
    phone.enter()
    assert [notification.AlertBody for notification in phone.shown] == ["Hello Paul! Welcome at Museum shop"]
    app.ReceivedLocalNotification(phone, phone.shown[0])
    assert manual.log == [
        "Notification Sent Event: message: Hello Paul! Welcome at Museum shop",
        "Notification Opened Event: data: https://example.org/",
        "open https://example.org/",
    ]
    (sent,) = PlotBase.SentNotifications()
    assert (sent.DateSent, sent.DateOpened) == (at(60), at(60))
    (handled,) = PlotBase.SentGeotriggers()
    assert handled.UserInfo[Constants.PlotGeotriggerName] == "visitor"
    assert (handled.DateSent, handled.DateHandled) == (at(60), at(60))


def test_user_info(phone: Phone) -> None:
    PlotBase.InitializeWithLaunchOptions(phone)
    items = {item.UserInfo[Constants.PlotNotificationIdentifier]: item for item in PlotBase.LoadedNotifications()}
    info = items["stay;museum"].UserInfo
    assert info[Constants.PlotNotificationDataKey] == info[Constants.PlotNotificationActionKey] == "app://stay"
    assert info[Constants.PlotNotificationMessage] == "Still here?"
    assert info[Constants.PlotNotificationTrigger] == "dwelling"
    assert info[Constants.PlotNotificationDwellingMinutes] == 5
    assert info[Constants.PlotNotificationHandlerType] == Constants.PlotNotificationHandlerTypeApplink
    assert info[Constants.PlotNotificationRegionType] == Constants.PlotNotificationRegionTypeGeofence
    assert info[Constants.PlotNotificationIsBeacon] == "no"
    assert (
        info[Constants.PlotNotificationGeofenceLatitude],
        info[Constants.PlotNotificationGeofenceLongitude],
    ) == MUSEUM
    assert info[Constants.PlotNotificationMatchRange] == 200
    beacon = items["welcome;till"].UserInfo
    assert beacon[Constants.PlotNotificationIsBeacon] == "yes"
    assert Constants.PlotNotificationGeofenceLatitude not in beacon
    (geotrigger,) = PlotBase.LoadedGeotriggers()
    assert geotrigger.UserInfo[Constants.PlotGeotriggerName] == "visitor"
    assert geotrigger.UserInfo[Constants.PlotGeotriggerDataKey] == "pass"


def test_changing_user_info(phone: Phone) -> None:
    class Delegate(PlotDelegate):
        def PlotFilterNotifications(self, filterNotifications: PlotFilterNotifications) -> None:
            (notification,) = filterNotifications.UiNotifications
            info = notification.UserInfo
            info[Constants.PlotNotificationDataKey] = "https://example.org/changed"
            notification.UserInfo = info
            assert notification.UserInfo[Constants.PlotNotificationDataKey] == "https://example.org/changed"
            info[Constants.PlotNotificationTrigger] = "exit"
            with pytest.raises(ReadOnlyKeyError):
                notification.UserInfo = info
            filterNotifications.ShowNotifications([notification])

    PlotBase.InitializeWithLaunchOptions(phone, Delegate())
    phone.enter()
    assert phone.shown[0].UserInfo[Constants.PlotNotificationDataKey] == "https://example.org/changed"
    assert phone.shown[0].UserInfo[Constants.PlotNotificationTrigger] == "enter"


def test_trying_a_filter() -> None:
    notification = UILocalNotification()
    notification.AlertBody = "Message"
    notification.UserInfo = {Constants.PlotNotificationIdentifier: "a;b"}
    app = manual.AppDelegate()
    (shown,) = PlotFilterNotifications.TestFilterNotifications([notification], app)
    assert shown.AlertBody == "Hello Paul! Message"
    assert shown.UserInfo == {"identifier": "a;b", "message": "Hello Paul! Message"}
    triggers = [PlotGeotrigger.InitializeWithUserInfo({Constants.PlotGeotriggerDataKey: d}) for d in ("pass", "stop")]
    assert PlotHandleGeotriggers.TestHandleGeotriggers(triggers, app) == triggers[:1]


def test_default_opening(phone: Phone) -> None:
    actions: list[OpenAction] = []

    class Opening(Phone):
        def OpenUrl(self, url: str, action: OpenAction) -> None:
            super().OpenUrl(url, action)
            actions.append(action)

    host = Opening(phone.bundle)
    PlotBase.InitializeWithLaunchOptions(host, PlotDelegate())
    host.enter()
    PlotBase.HandleNotification(host.shown[0])
    assert host.opened == ["https://example.org/"]
    assert actions == [OpenAction.URI]


FOLDER = tempfile.TemporaryDirectory()

CALLS: list[Any] = [
    lambda: PlotBase.Enable(),
    lambda: PlotBase.Disable(),
    lambda: PlotBase.SetCooldownPeriod(5),
    lambda: PlotBase.MailDebugLog(f"{FOLDER.name}/log"),
    lambda: Plot.MailDebugLog(f"{FOLDER.name}/log"),
    lambda: PlotBase.SetAdvertisingIdentifier("x", True),
    lambda: PlotBase.SetAdvertisingIdentifier(None, False),
    lambda: PlotBase.SetStringSegmentationProperty("a", "b"),
    lambda: PlotBase.SetBooleanSegmentationProperty(True, "b"),
    lambda: PlotBase.SetIntegerSegmentationProperty(1, "b"),
    lambda: PlotBase.SetDoubleSegmentationProperty(1.5, "b"),
    lambda: PlotBase.SetDateSegmentationProperty(T0, "b"),
    lambda: PlotBase.LoadedNotifications(),
    lambda: PlotBase.LoadedGeotriggers(),
    lambda: PlotBase.SentNotifications(),
    lambda: PlotBase.SentGeotriggers(),
    lambda: PlotBase.ClearSentNotifications(),
    lambda: PlotBase.ClearSentGeotriggers(),
    lambda: PlotBase.Engine(),
]


def test_before_initialisation() -> None:
    for call in CALLS:
        with pytest.raises(InvalidOperationException) as caught:
            call()
        assert str(caught.value) == NOT_INITIALIZED
    assert PlotBase.IsEnabled() is False
    assert PlotBase.Version() == plotengine.__version__


def test_every_method(phone: Phone) -> None:
    plot = Plot.GetInstance(phone)
    assert isinstance(plot, IPlot)
    assert plot.Version == plotengine.__version__
    plot.Disable()
    assert not PlotRelease.IsEnabled()
    plot.Enable()
    assert PlotDebug.IsEnabled()
    for call in CALLS:
        call()
    assert PlotBase.Engine().segmentation_properties() == {"b": T0}
    PlotBase.SetStringSegmentationProperty(None, "b")
    assert PlotBase.Engine().segmentation_properties() == {}


def test_configuration_in_code(tmp_path: Path) -> None:
    configuration = PlotConfiguration("REPLACE_ME", PlotDelegate())
    configuration.EnableOnFirstRun = False
    configuration.CooldownPeriod = 7
    configuration.MaxRegionsMonitored = 5
    PlotBase.InitializeWithConfiguration(configuration, Host(tmp_path))
    assert not PlotBase.IsEnabled()
    assert PlotBase.Engine().cooldown_period().total_seconds() == 7
    PlotBase.Close()
    PlotBase.InitializeWithConfiguration(PlotConfiguration("REPLACE_ME"), Host(store=tmp_path / "store"))
    assert PlotBase.IsEnabled()


def test_the_names_of_1_x() -> None:
    configuration = PlotConfiguration()
    configuration.PublicKey = "REPLACE_ME"
    assert configuration.PublicToken == configuration.PublicKey == "REPLACE_ME"
    with pytest.raises(InvalidOperationException):
        PlotBase.SetDelegate(None)
    PlotBase.InitializeWithPublicKey("REPLACE_ME", Host(feed=FEED, clock=lambda: T0))
    assert PlotBase.IsEnabled()
    PlotBase.SetEnableBackgroundModeWarning(False)
    sent: list[str] = []

    class Later(PlotDelegate):
        def PlotNotificationSentEvent(self, notification: Any) -> None:
            sent.append(notification.UserInfo[Constants.PlotNotificationIdentifier])

    PlotBase.SetDelegate(Later())
    PlotBase.Engine().update_location(*AWAY, time=at(0))
    PlotBase.Engine().update_location(*MUSEUM, time=at(60))
    PlotBase.SetDelegate(None)
    PlotBase.Engine().update_location(*AWAY, time=at(400))
    assert sent == ["welcome;museum"]


def test_configuration_without_a_token() -> None:
    configuration = PlotConfiguration()
    assert configuration.PublicToken is None
    PlotBase.InitializeWithConfiguration(configuration, Host())
    assert PlotBase.IsEnabled()
    PlotBase.Close()
    with pytest.raises(plotengine.InvalidDocumentError, match="/publicToken"):
        PlotBase.InitializeWithConfiguration(PlotConfiguration(""), Host())


def test_initialisation_that_fails(tmp_path: Path) -> None:
    with pytest.raises(plotengine.FileError):
        PlotBase.InitializeWithLaunchOptions(Host(tmp_path))
    assert not PlotBase.IsEnabled()


def test_constants_are_the_keys_of_the_header() -> None:
    values = {value for name, value in vars(Constants).items() if not name.startswith("_")}
    keys = set(plotengine._items._KEYS.values()) - {"campaignId", "regionId", "regionName", "data"}
    keys -= {plotengine._items._KEYS[name] for name in plotengine._items._JSON}  # later than the SDK that is mirrored
    keys -= {"insideAt", "arrivalSeconds", "tripEvent", "priority", "correlationKey", "coalesced", "updates"}
    keys -= {"removeOnExit", "removeAtEnd", "expireAfter", "expireAt", "travelMinutes", "travelMode"}
    assert keys - {"sender", "thread", "revision", "silent", "suppressed"} <= values
    assert all(re.fullmatch(r"[a-zA-Z]+", value) for value in values)
    assert xamarin.PlotBase.Version()
