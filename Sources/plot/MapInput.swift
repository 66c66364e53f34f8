internal import PlotCore

/// The contents of a map.
struct MapInput: Equatable, Sendable {
  var title: String
  /// The track, in its order; empty for a run without fixes.
  var points: [TrackPoint]
  var regions: [MapRegion]
  /// Events, in the order in which they are listed.
  var marks: [MapMark]
  /// Decisions, in their order.
  var decisions: [MapDecision] = []
  /// How the presence at the regions changed, in its order.
  var changes: [MapChange] = []
  /// Drawn under everything.
  var background: [MapShape] = []
}

/// A circle or an area on the map, or a region without a place, such as a beacon.
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
  /// False for beacons and groups, which are named and not drawn.
  var isPlaced = true
  /// Where it is from a time on, in the order of the times.
  var moves: [MapMove] = []

  var label: String { name.isEmpty ? id : name }
}

/// A region that moves is here from `time` on.
struct MapMove: Equatable, Sendable {
  /// Milliseconds since 1970.
  var time: Int64
  var place: Coordinate
}

/// Something that happened at a time, and mostly at a place.
struct MapMark: Equatable, Sendable {
  /// `notification` and `geotrigger` get a numbered pin; `dropped` is something that was about to be shown, and was not; all
  /// else (`enter`, `exit`, `dwell`, `inside`, `approach`, `opened`, `removed`) is listed only.
  var kind: String
  /// Milliseconds since 1970.
  var time: Int64
  /// Where the device was, or else the region; nil when neither is known.
  var place: Coordinate?
  /// The id of the region it belongs to; empty for a message.
  var region: String
  /// The message or another text.
  var title: String
  var campaign: String?
  var matchIdentifier: String?
  /// Its outcomes: `opened at 11:02:30`.
  var outcomes: [String] = []

  /// Whether it gets a pin and a number.
  var isPinned: Bool { kind == "notification" || kind == "geotrigger" }
}

/// A decision record (docs/decisions.md).
struct MapDecision: Equatable, Sendable {
  /// Milliseconds since 1970.
  var time: Int64
  var campaign: String?
  var region: String?
  var message: String? = nil
  var step: String
  var verdict: String
  var reason: String
  var detail: String? = nil
  /// The decision in a sentence.
  var sentence: String? = nil
  /// Milliseconds since 1970.
  var nextPossible: Int64? = nil

  /// Whether it kept something from being shown.
  var keepsBack: Bool {
    verdict == "drop" && (campaign != nil || message != nil) && step != "remove" && step != "attachment"
  }
}

/// From `time` on a region is in this state.
struct MapChange: Equatable, Sendable {
  enum State: Int, Sendable {
    case outside
    /// Perhaps entered; it is not sure yet.
    case pending
    case inside
    /// Perhaps left; it is not sure yet.
    case leaving
    /// Inside for as long as a campaign asks for.
    case dwelling
  }

  /// Milliseconds since 1970.
  var time: Int64
  var region: String
  var state: State
  /// When the visit began, in milliseconds since 1970.
  var since: Int64? = nil
}

/// A piece of a background, from a GeoJSON file.
struct MapShape: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case green, water, building, road, path, rail, other
  }

  enum Outline: Equatable, Sendable {
    case point(Coordinate)
    case line([Coordinate])
    /// The outer ring, then its holes.
    case polygon([[Coordinate]])
  }

  var kind: Kind
  var outline: Outline
}
