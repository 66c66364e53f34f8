internal import PlotCore

/// The values that logs, events and decisions leave out with `engine.hideCoordinates` (docs/privacy.md). Recordings have all.
extension Event {
  var withoutPlace: Event {
    var event = self
    event.coordinate = nil
    return event
  }
}

extension Decision {
  /// How far it is from known places says where one is.
  mutating func hidePlace() { inputs.remove("distance") }
}

extension Session {
  /// The line of the debug log about a fix.
  func logLine(_ fix: Fix) -> String {
    let place = hidesCoordinates ? "" : " at \(fix.coordinate.latitude), \(fix.coordinate.longitude)"
    return "fix\(place), accuracy \(fix.accuracy) m"
  }

  /// The line of the debug log about an input that was refused. A value that is out of range may be one of two that were exchanged.
  func logLine(_ refusal: EngineError) -> String {
    hidesCoordinates && ["latitude", "longitude"].contains(refusal.argument)
      ? "a coordinate was refused" : refusal.message
  }
}
