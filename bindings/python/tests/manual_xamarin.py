"""The iOS samples of the Plot manual, chapter 2, and seed 000, line by line in the casing of the Xamarin binding."""

from __future__ import annotations

from datetime import datetime, timezone

from plotengine.xamarin import (
    Constants,
    Host,
    Plot,
    PlotBase,
    PlotDelegate,
    PlotFilterNotifications,
    PlotGeotrigger,
    PlotHandleGeotriggers,
    PlotSentNotification,
    UILocalNotification,
)

log: list[str] = []


class Segments:
    # --- 2.14 Segmentation
    def set(self) -> None:
        # Set the segment for being a premium member to true.
        PlotBase.SetBooleanSegmentationProperty(True, "premiumMember")

        # Set the segment for gender to male.
        PlotBase.SetStringSegmentationProperty("M", "gender")

        # Set the segment for year of birth to 1980.
        PlotBase.SetIntegerSegmentationProperty(1980, "yearOfBirth")

        # Set the segment for money spent to $10.35.
        PlotBase.SetDoubleSegmentationProperty(10.35, "moneySpent")

        # Set the signup date segment to now.
        PlotBase.SetDateSegmentationProperty(datetime.now(timezone.utc), "signUp")


# --- 2.11 Example implementation


class AppDelegate(PlotDelegate):
    def FinishedLaunching(self, application: Host, launchOptions: Host) -> bool:
        # Initializes the Plot library:
        PlotBase.InitializeWithLaunchOptions(launchOptions, self)
        return True

    def ReceivedLocalNotification(self, application: Host, notification: UILocalNotification) -> None:
        # Pass the notification to the Plot library to pre process the notification.
        # Don't handle the notifications yourself in this method, because this method isn't always called when a
        # notification is opened.
        Plot.HandleNotification(notification)

    def PlotHandleNotification(self, notification: UILocalNotification, data: str) -> None:
        # Custom handler for notifications. (optional)
        # When you don't want to do a custom action when a notification is opened, then don't implement this method.
        log.append("open " + data)

    # --- 2.4 Notification filtering

    def PlotFilterNotifications(self, filterNotifications: PlotFilterNotifications) -> None:
        notifications = filterNotifications.UiNotifications
        for localNotification in notifications:
            # makes the notification body string personalized
            localNotification.AlertBody = "Hello Paul! " + localNotification.AlertBody
        # Always call ShowNotifications at the end of the method
        filterNotifications.ShowNotifications(notifications)

    # --- 2.5 Geotrigger handling

    def PlotHandleGeotriggers(self, geotriggerHandler: PlotHandleGeotriggers) -> None:
        toPass: list[PlotGeotrigger] = []
        for geotrigger in geotriggerHandler.Geotriggers:
            if geotrigger.UserInfo[Constants.PlotGeotriggerDataKey] == "pass":
                toPass.append(geotrigger)
        # Always call MarkGeotriggersHandled at the end of the method
        geotriggerHandler.MarkGeotriggersHandled(toPass)

    # --- 2.8 Notification events

    def PlotNotificationSentEvent(self, notification: PlotSentNotification) -> None:
        message = notification.UserInfo[Constants.PlotNotificationMessage]
        log.append(f"Notification Sent Event: message: {message}")
        # Make a call to Google Analytics

    def PlotNotificationOpenedEvent(self, notification: PlotSentNotification) -> None:
        data = notification.UserInfo[Constants.PlotNotificationDataKey]
        log.append(f"Notification Opened Event: data: {data}")
        # Make a call to Google Analytics
