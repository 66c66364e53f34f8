internal import PlotCore

extension Property {
  /// Under the key `beacons` of the engine's own.
  static let beacons: [Property] = [
    Property("sightings", .integer(1...20), .integer(2)),
    Property("window", .integer(1...600), .integer(20)),
    Property("silence", .integer(1...86_400), .integer(30)),
    Property("silenceInBackground", .integer(1...86_400), .integer(660)),
  ]
}

extension BeaconPolicy {
  init(_ values: [String: Property.Value]) {
    self.init()
    if let value = values["sightings"]?.integer { sightings = value }
    if let value = values["window"]?.integer { window = value * 1000 }
    if let value = values["silence"]?.integer { silence = value * 1000 }
    if let value = values["silenceInBackground"]?.integer { silenceInBackground = value * 1000 }
  }
}
