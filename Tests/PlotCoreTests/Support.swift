import PlotTesting

@testable import PlotCore

/// A property is equal to a value.
func equals(_ property: String, _ value: PropertyValue) -> Segment {
  .property(Identifier(property), .equals(.value(value)))
}

/// The facts that segmentation sees.
func context(
  _ properties: [Identifier: PropertyValue] = [:], at time: Milliseconds = 0, country: String? = nil,
  shown: [Identifier: Milliseconds] = [:], opened: [Identifier: Milliseconds] = [:]
) -> SegmentContext {
  SegmentContext(
    time: time, country: country, properties: properties, shown: NumberTable(shown.map { ($0, $1) }), opened: opened)
}

/// All of a machine that can be seen from outside.
func dump(_ machine: Machine) -> [String: String] {
  var fields = dump(machine.state)
  fields["feed"] = machine.feed.digest
  fields["lastFix"] = "\(machine.lastFix as Any)"
  fields["nextWakeup"] = "\(machine.nextWakeup as Any)"
  return fields
}
