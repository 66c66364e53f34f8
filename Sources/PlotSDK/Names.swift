// The names of the SDK's keys and values.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Keys of a notification's `userInfo`.
public let PlotNotificationIdentifier = "identifier"
/// One occurrence.
public let PlotNotificationMatchIdentifier = "matchIdentifier"
/// The text.
public let PlotNotificationMessage = "message"
/// The value that the app opens with.
public let PlotNotificationActionKey = "action"
/// The same as `PlotNotificationActionKey`.
public let PlotNotificationDataKey = PlotNotificationActionKey
/// Whether the app was in the foreground when it was opened.
public let PlotNotificationIsAppInForegroundKey = "isAppInForeground"
/// `yes` or `no`.
public let PlotNotificationIsBeacon = "isBeacon"
/// The trigger that the campaign waits for.
public let PlotNotificationTrigger = "trigger"
/// Whether the region is a place or a beacon.
public let PlotNotificationRegionType = "regionType"
/// Degrees; absent for a beacon, as is the longitude.
public let PlotNotificationGeofenceLatitude = "geofenceLatitude"
/// Degrees, of the region's centre.
public let PlotNotificationGeofenceLongitude = "geofenceLongitude"
/// Metres.
public let PlotNotificationMatchRange = "matchRange"
/// The minutes of a dwelling.
public let PlotNotificationDwellingMinutes = "dwellingMinutes"
/// The page or link that opens with it.
public let PlotNotificationHandlerType = "notificationHandlerType"

/// Values of `PlotNotificationTrigger`.
public let PlotNotificationTriggerEnter = "enter"
/// At the exit.
public let PlotNotificationTriggerExit = "exit"

/// Values of `PlotNotificationRegionType`.
public let PlotNotificationRegionTypeGeofence = "geofence"
/// A beacon.
public let PlotNotificationRegionTypeBeacon = "beacon"

/// Values of `PlotNotificationHandlerType`.
public let PlotNotificationHandlerTypeRegular = "regular"
/// A page in the app.
public let PlotNotificationHandlerTypeLandingPage = "landingPage"
/// A link into the app.
public let PlotNotificationHandlerTypeApplink = "applink"

/// Keys of a geotrigger's `userInfo`.
public let PlotGeotriggerIdentifier = PlotNotificationIdentifier
/// The identifier that two items of one occurrence share.
public let PlotGeotriggerMatchIdentifier = PlotNotificationMatchIdentifier
/// The name of the geotrigger.
public let PlotGeotriggerName = PlotNotificationMessage
/// The value that the app handles.
public let PlotGeotriggerDataKey = PlotNotificationDataKey
/// Whether the region is a beacon.
public let PlotGeotriggerIsBeacon = PlotNotificationIsBeacon
/// The trigger that the campaign waits for.
public let PlotGeotriggerTrigger = PlotNotificationTrigger
/// Whether the region is a place or a beacon.
public let PlotGeotriggerRegionType = PlotNotificationRegionType
/// Degrees, of the region's centre.
public let PlotGeotriggerGeofenceLatitude = PlotNotificationGeofenceLatitude
/// Degrees, of the region's centre.
public let PlotGeotriggerGeofenceLongitude = PlotNotificationGeofenceLongitude
/// Metres, of the region's radius.
public let PlotGeotriggerMatchRange = PlotNotificationMatchRange

/// Values of `PlotGeotriggerTrigger`.
public let PlotGeotriggerTriggerEnter = PlotNotificationTriggerEnter
/// At the exit.
public let PlotGeotriggerTriggerExit = PlotNotificationTriggerExit

/// Values of `PlotGeotriggerRegionType`.
public let PlotGeotriggerRegionTypeGeofence = PlotNotificationRegionTypeGeofence
/// A beacon.
public let PlotGeotriggerRegionTypeBeacon = PlotNotificationRegionTypeBeacon
