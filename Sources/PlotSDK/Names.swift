// The names of the SDK's keys and values.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Keys of a notification's `userInfo`.
public let PlotNotificationIdentifier = "identifier"
/// One occurrence.
public let PlotNotificationMatchIdentifier = "matchIdentifier"
public let PlotNotificationMessage = "message"
public let PlotNotificationActionKey = "action"
/// The same as `PlotNotificationActionKey`.
public let PlotNotificationDataKey = PlotNotificationActionKey
public let PlotNotificationIsAppInForegroundKey = "isAppInForeground"
/// `yes` or `no`.
public let PlotNotificationIsBeacon = "isBeacon"
public let PlotNotificationTrigger = "trigger"
public let PlotNotificationRegionType = "regionType"
/// Degrees; absent for a beacon, as is the longitude.
public let PlotNotificationGeofenceLatitude = "geofenceLatitude"
public let PlotNotificationGeofenceLongitude = "geofenceLongitude"
/// Metres.
public let PlotNotificationMatchRange = "matchRange"
public let PlotNotificationDwellingMinutes = "dwellingMinutes"
public let PlotNotificationHandlerType = "notificationHandlerType"

/// Values of `PlotNotificationTrigger`.
public let PlotNotificationTriggerEnter = "enter"
public let PlotNotificationTriggerExit = "exit"

/// Values of `PlotNotificationRegionType`.
public let PlotNotificationRegionTypeGeofence = "geofence"
public let PlotNotificationRegionTypeBeacon = "beacon"

/// Values of `PlotNotificationHandlerType`.
public let PlotNotificationHandlerTypeRegular = "regular"
public let PlotNotificationHandlerTypeLandingPage = "landingPage"
public let PlotNotificationHandlerTypeApplink = "applink"

/// Keys of a geotrigger's `userInfo`.
public let PlotGeotriggerIdentifier = PlotNotificationIdentifier
public let PlotGeotriggerMatchIdentifier = PlotNotificationMatchIdentifier
public let PlotGeotriggerName = PlotNotificationMessage
public let PlotGeotriggerDataKey = PlotNotificationDataKey
public let PlotGeotriggerIsBeacon = PlotNotificationIsBeacon
public let PlotGeotriggerTrigger = PlotNotificationTrigger
public let PlotGeotriggerRegionType = PlotNotificationRegionType
public let PlotGeotriggerGeofenceLatitude = PlotNotificationGeofenceLatitude
public let PlotGeotriggerGeofenceLongitude = PlotNotificationGeofenceLongitude
public let PlotGeotriggerMatchRange = PlotNotificationMatchRange

/// Values of `PlotGeotriggerTrigger`.
public let PlotGeotriggerTriggerEnter = PlotNotificationTriggerEnter
public let PlotGeotriggerTriggerExit = PlotNotificationTriggerExit

/// Values of `PlotGeotriggerRegionType`.
public let PlotGeotriggerRegionTypeGeofence = PlotNotificationRegionTypeGeofence
public let PlotGeotriggerRegionTypeBeacon = PlotNotificationRegionTypeBeacon
