public import ArgumentParser
public import PlotCore
public import PlotDocuments
internal import PlotStory
internal import PlotTracks

extension NoisePolicy: ExpressibleByArgument {
  public init?(argument: String) {
    guard let policy = NoisePolicy.preset(argument) else { return nil }
    self = policy
  }

  public static var allValueStrings: [String] { presets.map(\.name) }

  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension InitialPolicy: ExpressibleByArgument {}

extension TravelTime.Mode: ExpressibleByArgument {}

extension MapPicture.Theme: ExpressibleByArgument {}

extension JSONEdit: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// The value of `--start`.
struct StartOption: ExpressibleByArgument {
  let time: Milliseconds

  init?(argument: String) {
    guard let time = CalendarTime.parse(argument), Timestamp.range.contains(time) else { return nil }
    self.time = time
  }
}

/// The value of `--time-zone`.
struct ZoneOption: ExpressibleByArgument {
  let clock: LocalClock

  init?(argument: String) {
    guard let clock = LocalClock(zone: argument) else { return nil }
    self.clock = clock
  }
}

/// The value of `--pace`.
struct PaceOption: ExpressibleByArgument {
  /// Metres a second.
  let speed: Double

  init?(argument: String) {
    guard let speed = TrackPace.speed(argument) else { return nil }
    self.speed = speed
  }
}
