// Made from docs/events.json by scripts/event_tables.py: do not edit.
// swift-format-ignore-file

extension Event {
  public enum Kind: String, CaseIterable, Sendable {
    /// A visit began.
    case regionEnter = "region-enter"
    /// The device was found inside at its first fix, and engine.initial is none (or engine.initialOnUpdate, for a region of a feed update): a visit, but no enter.
    case regionInside = "region-inside"
    /// The visit has lasted as long as a dwelling campaign of this region, or a step at it, asks for; once per visit and length.
    case regionDwell = "region-dwell"
    /// The visit ended.
    case regionExit = "region-exit"
    /// The region is near, at the present course and speed, as a campaign asks for; ordinal is that of the visit to come, visit an id of its own.
    case regionApproach = "region-approach"
    /// The app's filter left it out, or its deadline passed with the fallback drop.
    case notificationFiltered = "notification-filtered"
    /// The host has shown it (the SDK's sent event).
    case notificationShown = "notification-shown"
    /// The host could not show it.
    case notificationFailed = "notification-failed"
    /// The person opened it (the SDK's opened event); each time.
    case notificationOpened = "notification-opened"
    /// The person chose one of its actions; each time.
    case notificationAction = "notification-action"
    /// The person dismissed it.
    case notificationDismissed = "notification-dismissed"
    /// The engine had it taken off the screen.
    case notificationRemoved = "notification-removed"
    /// The app handled it, or has no handler.
    case geotrigger = "geotrigger"
    /// The app's handler left it out.
    case geotriggerDropped = "geotrigger-dropped"
    /// A message is not to be shown; the host suppresses it.
    case messageDropped = "message-dropped"
    /// A sender has taken back what has this correlation key; nothing is to be shown.
    case messageRetracted = "message-retracted"
    /// The store was damaged and has another name now (engine.damagedStore); the first event of the new one.
    case storeSetAside = "store-set-aside"
    /// It would have been shown now, but the person is in the holdout group of its campaign (feed.md).
    case notificationHeldOut = "notification-held-out"
    /// The device was at none of a campaign's regions in the span that it asks for; region is the first of them, visit an id of its own.
    case absence = "absence"
    /// Such a span is over, and for a part of it nothing is known of where the device was.
    case absenceUnknown = "absence-unknown"
    /// The app has begun a trip (trips.md); region is the destination, visit an id of the event's own, here and in the events below.
    case tripStarted = "trip-started"
    /// The destination will be reached in so many seconds, or is so many metres away, as the trip asks for; once.
    case tripApproaching = "trip-approaching"
    /// A visit to the destination began, or the app says that the trip has arrived: it is over; ordinal is that of this visit, or of the one to come.
    case tripArrived = "trip-arrived"
    /// The device has been near one place for five minutes on the way; again after it went on.
    case tripStopped = "trip-stopped"
    /// The device has been beside the trip's route for 20 seconds; again after it came back.
    case tripOffRoute = "trip-off-route"
    /// The deadline is over, or the arrival is expected clearly after it; once for each deadline.
    case tripDelayed = "trip-delayed"
    /// A visit to one of the trip's others began; ordinal is that visit's.
    case tripWrongDestination = "trip-wrong-destination"
    /// The trip's time is over, and it with it.
    case tripExpired = "trip-expired"
    /// The app has ended the trip before it arrived.
    case tripCancelled = "trip-cancelled"

    /// The number in records of many fixes (docs/batch.md); it never changes.
    public var number: UInt32 {
      switch self {
      case .regionEnter: 1
      case .regionInside: 2
      case .regionDwell: 3
      case .regionExit: 4
      case .regionApproach: 5
      case .notificationFiltered: 6
      case .notificationShown: 7
      case .notificationFailed: 8
      case .notificationOpened: 9
      case .notificationAction: 10
      case .notificationDismissed: 11
      case .notificationRemoved: 12
      case .geotrigger: 13
      case .geotriggerDropped: 14
      case .messageDropped: 15
      case .messageRetracted: 16
      case .storeSetAside: 17
      case .notificationHeldOut: 18
      case .absence: 19
      case .absenceUnknown: 20
      case .tripStarted: 21
      case .tripApproaching: 22
      case .tripArrived: 23
      case .tripStopped: 24
      case .tripOffRoute: 25
      case .tripDelayed: 26
      case .tripWrongDestination: 27
      case .tripExpired: 28
      case .tripCancelled: 29
      }
    }
  }
}
