"""The Java samples of the Plot manual, chapter 3, line by line."""

from __future__ import annotations

from typing import Any

from plotengine.android import (
    Activity,
    BroadcastReceiver,
    Context,
    FilterableNotification,
    Geotrigger,
    GeotriggerHandlerReceiver,
    Intent,
    NotificationFilterReceiver,
    Plot,
    SentNotification,
)

log: list[str] = []
packageName = "com.example.app"

# --- 3.3 Notification handling


class NotificationOpenActivity(Activity):
    ACTION = "OPEN"


class MyNotificationOpenReceiver(BroadcastReceiver):
    def onReceive(self, context: Context, intent: Intent) -> None:
        notification: FilterableNotification = intent.getParcelableExtra("notification")
        if notification.getData() is None:
            return

        openIntent = Intent(context, NotificationOpenActivity)
        openIntent.setAction(NotificationOpenActivity.ACTION)
        openIntent.putExtras(intent.getExtras())
        openIntent.setFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_REORDER_TO_FRONT)

        context.startActivity(openIntent)


# --- 3.4 Notification filtering


class MyNotificationFilterReceiver(NotificationFilterReceiver):
    def filterNotifications(self, notifications: list[FilterableNotification]) -> list[FilterableNotification]:
        format = "Hello Paul: %s"
        for notification in notifications:
            newMessage = format % notification.getMessage()
            notification.setMessage(newMessage)
        return notifications


# --- 3.5 Geotrigger handler


class MyGeotriggerHandlerReceiver(GeotriggerHandlerReceiver):
    def handleGeotriggers(self, geotriggers: list[Geotrigger]) -> list[Geotrigger]:
        passedGeotriggers: list[Geotrigger] = []
        for geotrigger in geotriggers:
            data = geotrigger.getData()
            if data == "pass":
                passedGeotriggers.append(geotrigger)
        return passedGeotriggers


# --- 3.8 Notification events


class MyNotificationEventReceiver(BroadcastReceiver):
    def onReceive(self, context: Context, intent: Intent) -> None:
        notification: SentNotification = intent.getParcelableExtra("notification")
        if packageName + ".plot.SentNotification" == intent.getAction():
            format = "Message of the sent notification: %s"
            log.append(format % notification.getMessage())
        elif packageName + ".plot.OpenedNotification" == intent.getAction():
            format = "Message of the opened notification: %s"
            log.append(format % notification.getMessage())
            # Make a call to your Google Analytics


# --- 3.10 Example implementation


class PlotExample(Activity):
    def onCreate(self, savedInstanceState: dict[str, Any] | None = None) -> None:
        """Called when the activity is first created."""
        super().onCreate(savedInstanceState)
        Plot.init(self)


# --- 3.13 Segmentation


def segmentation() -> None:
    # Set the segment for being a premium member to true.
    Plot.setBooleanSegmentationProperty("premiumMember", True)

    # Set the segment for gender to male.
    Plot.setStringSegmentationProperty("gender", "M")

    # Set the segment for year of birth to 1980.
    Plot.setLongSegmentationProperty("yearOfBirth", 1980)

    # Set the segment for money spent to $10.35.
    Plot.setDoubleSegmentationProperty("moneySpent", 10.35)

    # Set the signup date segment (the value is in seconds since the UNIX Epoch, as System.currentTimeMillis()/1000).
    Plot.setDateSegmentationProperty("signUp", 1426503567)
