/// A part of what a store holds, as the event `store-set-aside` names it (docs/store.md, A store that is set aside).
public enum StorePart: String, CaseIterable, Sendable {
  /// Visits, their numbers, crossings that are not sure, and the plan of regions.
  case visits
  /// Displays and their times: caps, cooldowns and opened notifications.
  case displays
  /// The lists of sent notifications and handled geotriggers.
  case sent
  /// Notifications on the screen.
  case screen
  /// Notifications that wait for the app's answer, for their time, or to be shown.
  case open
  /// Lists and messages.
  case messages
  /// Trips that are on.
  case trips
  /// Properties, the time zone, strategies' states, the advertising identifier, the clocks.
  case host
  /// Whether the engine is enabled, the cooldown period, and the numbers of events.
  case settings
  case feed
  /// Events that were not delivered.
  case events
  /// The newest changes, which were not in the tables yet.
  case log
}
