/// How the device moves: as a fix says, or as it follows from the one before. Worked out where it is asked for.
struct Motion {
  /// Nil for a device that is not known to move.
  var fix: Fix?
  var previous: Fix?

  /// Two fixes tell it if they are no further apart in time.
  static let longest: Milliseconds = 60_000

  /// Metres a second.
  var speed: Double? {
    guard let fix else { return nil }
    if fix.speed >= 0 { return fix.speed }
    guard let previous = near else { return nil }
    let distance = Earth.distance(previous.coordinate, fix.coordinate)
    return isSure(distance) ? distance / (Double(fix.time - previous.time) / 1000) : 0
  }

  /// Degrees from north.
  var course: Double? {
    guard let fix else { return nil }
    if fix.course >= 0 { return fix.course }
    guard let previous = near, isSure(Earth.distance(previous.coordinate, fix.coordinate)) else { return nil }
    return Earth.bearing(from: previous.coordinate, to: fix.coordinate)
  }

  /// The fix before, where both tell it.
  private var near: Fix? {
    guard let fix, let previous, fix.time > previous.time, fix.time - previous.time <= Self.longest else { return nil }
    return previous
  }

  private func isSure(_ distance: Double) -> Bool { distance > (previous?.accuracy ?? 0) + (fix?.accuracy ?? 0) }

  /// The least speed, in metres a second, that takes one from somewhere in one fix to somewhere in a later one.
  static func leastSpeed(from a: Fix, to b: Fix) -> Double {
    let distance = Earth.distance(a.coordinate, b.coordinate) - a.accuracy - b.accuracy
    return distance <= 0 ? 0 : distance / (Double(max(b.time - a.time, 1)) / 1000)
  }
}
