internal import PlotCore

/// A way without times, or with wrong ones, gets others: it begins at a time, and is gone at one pace.
package struct TrackPace: Equatable, Sendable {
  /// Milliseconds since 1970.
  package var start: Int64
  /// Metres a second.
  package var speed: Double

  /// Kilometres an hour.
  package static let range = 0.1...1000.0
  /// A device tells where it is so often.
  private static let interval: Int64 = 5_000
  private static let limit = 1_000_000

  package init(start: Int64, speed: Double) { (self.start, self.speed) = (start, speed) }

  /// A pace in words (`pedestrian`, `bicycle`, `auto`) or in kilometres an hour, as metres a second; nil for none.
  package static func speed(_ text: String) -> Double? {
    if let mode = TravelTime.Mode(rawValue: text) { return mode.standardSpeed }
    return Double(text).flatMap { range.contains($0) ? $0 / 3.6 : nil }
  }

  /// The same way with times, and a point each five seconds.
  package func timed(_ track: Track) throws(TrackError) -> Track {
    var (points, distance) = ([TrackPoint](), 0.0)
    for (index, end) in track.points.enumerated() {
      guard index > 0 else {
        points.append(moved(end, end, 0, start))
        continue
      }
      let from = track.points[index - 1]
      let length = Earth.distance(from.coordinate, end.coordinate)
      let steps = (length / speed / (Double(Self.interval) / 1000)).rounded(.up)
      guard Double(points.count) + steps <= Double(Self.limit) else {
        throw TrackError(
          at: .file, expected: "a way that is over after a million fixes, one each 5 s",
          found: "a longer one; give another pace")
      }
      for step in 0..<max(1, Int(saturating: steps)) {
        let part = steps > 0 ? Double(step + 1) / steps : 1
        let seconds = (distance + part * length) / speed
        points.append(moved(from, end, part, start + Int64(saturating: (seconds * 1000).rounded())))
      }
      distance += length
    }
    return Track(name: track.name, points: points, warnings: track.warnings)
  }

  /// A point between two others.
  private func moved(_ from: TrackPoint, _ to: TrackPoint, _ part: Double, _ time: Int64) -> TrackPoint {
    var east = to.longitude - from.longitude
    if abs(east) > 180 { east += east > 0 ? -360 : 360 }
    var longitude = from.longitude + part * east
    if abs(longitude) > 180 { longitude += longitude > 0 ? -360 : 360 }
    return TrackPoint(
      time: time, latitude: from.latitude + part * (to.latitude - from.latitude), longitude: longitude,
      accuracy: to.accuracy)
  }
}

extension TrackPoint {
  fileprivate var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}
