package import PlotCore
package import PlotTracks

/// The contents of a map.
package struct MapInput: Equatable, Sendable {
  package var title: String
  /// The track, in its order; empty for a run without fixes.
  package var points: [TrackPoint]
  package var regions: [MapRegion]
  /// Events, in the order in which they are listed.
  package var marks: [MapMark]
  /// Decisions, in their order.
  package var decisions: [MapDecision] = []
  /// How the presence at the regions changed, in its order.
  package var changes: [MapChange] = []
  /// Drawn under everything.
  package var background: [MapShape] = []
  /// Streets under everything, which the page asks for when it is shown.
  package var tiles: MapTiles?
  /// Times are told by it.
  package var clock = LocalClock.utc
}

/// A circle or an area on the map, or a region without a place, such as a beacon.
package struct MapRegion: Equatable, Sendable {
  package var id: String
  /// The name to show; the id stands in for an empty one.
  package var name: String
  /// Degrees.
  package var latitude: Double
  /// Degrees.
  package var longitude: Double
  /// Metres.
  package var radius: Double
  /// Drawn in place of the circle, which encloses it.
  package var area: Area? = nil
  /// False for beacons and groups, which are named and not drawn.
  package var isPlaced = true
  /// Where it is from a time on, in the order of the times.
  package var moves: [MapMove] = []

  package var label: String { name.isEmpty ? id : name }
}

/// A region that moves is here from `time` on.
package struct MapMove: Equatable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  package var place: Coordinate
}

/// Something that happened at a time, and mostly at a place.
package struct MapMark: Equatable, Sendable {
  /// `notification` and `geotrigger` get a numbered pin; `dropped` is something that was about to be shown, and was not; all
  /// else (`enter`, `exit`, `dwell`, `inside`, `approach`, `opened`, `removed`) is listed only.
  package var kind: String
  /// Milliseconds since 1970.
  package var time: Int64
  /// Where the device was, or else the region; nil when neither is known.
  package var place: Coordinate?
  /// The id of the region it belongs to; empty for a message.
  package var region: String
  /// The message or another text.
  package var title: String
  package var campaign: String?
  package var matchIdentifier: String?
  /// Its outcomes: `opened at 11:02:30`.
  package var outcomes: [String] = []

  /// Whether it gets a pin and a number.
  package var isPinned: Bool { kind == "notification" || kind == "geotrigger" }
}

/// A decision record (docs/decisions.md).
package struct MapDecision: Equatable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  package var campaign: String?
  package var region: String?
  package var message: String? = nil
  package var step: String
  package var verdict: String
  package var reason: String
  package var detail: String? = nil
  /// The decision in a sentence.
  package var sentence: String? = nil
  /// Milliseconds since 1970.
  package var nextPossible: Int64? = nil

  /// Whether it kept something from being shown.
  package var holdsBack: Bool {
    verdict == "drop" && (campaign != nil || message != nil) && step != "remove" && step != "attachment"
  }
}

/// From `time` on a region is in this state.
package struct MapChange: Equatable, Sendable {
  package enum State: Int, Sendable {
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
  package var time: Int64
  package var region: String
  package var state: State
  /// When the visit began, in milliseconds since 1970.
  package var since: Int64? = nil
}

/// A piece of a background, from a GeoJSON file.
package struct MapShape: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case green, water, building, road, path, rail, other
  }

  package enum Outline: Equatable, Sendable {
    case point(Coordinate)
    case line([Coordinate])
    /// The outer ring, then its holes.
    case polygon([[Coordinate]])
  }

  package var kind: Kind
  package var outline: Outline
}
