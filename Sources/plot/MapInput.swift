internal import PlotCore

/// What a map shows.
struct MapInput: Equatable, Sendable {
  var title: String
  /// The track, in its order.
  var points: [TrackPoint]
  var regions: [MapRegion]
  /// What happened, in the order it is to be listed.
  var marks: [MapMark]
}

/// A circle or an area on the map.
struct MapRegion: Equatable, Sendable {
  var id: String
  /// The name to show; the id stands in for an empty one.
  var name: String
  /// Degrees.
  var latitude: Double
  /// Degrees.
  var longitude: Double
  /// Metres.
  var radius: Double
  /// Drawn in place of the circle, which encloses it.
  var area: Area? = nil

  var label: String { name.isEmpty ? id : name }
}

/// Something that happened at a place and a time.
struct MapMark: Equatable, Sendable {
  /// `notification` and `geotrigger` get a numbered pin; `enter`, `exit` and `dwell` are visits, shown on demand, and so
  /// is `dropped`: something that was about to be shown, and was not.
  var kind: String
  /// Milliseconds since 1970.
  var time: Int64
  /// Degrees.
  var latitude: Double
  /// Degrees.
  var longitude: Double
  /// The id of the region it belongs to.
  var region: String
  /// The message or another text.
  var title: String
  var campaign: String?
  var matchIdentifier: String?
  /// What became of it: `opened at 11:02:30`.
  var outcomes: [String] = []

  /// Whether it gets a pin and a number.
  var isPinned: Bool { kind == "notification" || kind == "geotrigger" }
}
