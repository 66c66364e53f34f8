internal import PlotCore

/// Finds times in a track that cannot be right: each is held against the one before it in the file.
package struct TimeWatch {
  package private(set) var jumps: [Jump] = []
  private var last: Int64?

  /// A point whose time is years away from that of the point before it.
  package struct Jump: Equatable, Sendable {
    package var place: TrackError.Place
    /// Milliseconds since 1970.
    package var time: Int64
    package var last: Int64

    /// `track.gpx:12:7: the time 2045-12-30T10:01:00Z is 19 years after the one before it, 2026-05-16T10:00:00Z`
    package func text(file: String?) -> String {
      let years = (time - last).magnitude / UInt64(TimeWatch.year)
      return TrackError.prefix(file, place)
        + "the time \(Timestamp.text(time)) is \(years) \(years == 1 ? "year" : "years") \(time > last ? "after" : "before") the one"
        + " before it, \(Timestamp.text(last)); look for a wrong year, or seconds for milliseconds."
    }
  }

  private static let year: Int64 = 365 * 86_400_000

  /// Takes the next time of the file. Throws for one that no engine takes.
  package mutating func take(_ time: Int64, at place: TrackError.Place) throws(TrackError) {
    guard time >= 0 else {
      var error = TrackError(
        at: place, expected: "a time from 1970 on", found: "\(CalendarTime(time).date) \(CalendarTime(time).timeOfDay)")
      error.isAboutTimes = true
      throw error
    }
    if let last, (time - last).magnitude >= UInt64(Self.year) {
      jumps.append(Jump(place: place, time: time, last: last))
    }
    last = time
  }
}
