import FoundationEssentials
internal import Glibc
package import PlotCore
package import PlotTracks

/// A point on the map plane, in metres: x to the east, y to the south.
package struct MapPosition: Equatable, Sendable {
  package var x: Double
  package var y: Double
}

/// Where the device was at a time.
package struct MapMoment: Equatable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  package var position: MapPosition
}

/// A rectangle on the map plane, in metres.
package struct MapBounds: Equatable, Sendable {
  package var minX: Double
  package var minY: Double
  package var maxX: Double
  package var maxY: Double

  package init(_ position: MapPosition, margin: Double = 0) {
    minX = position.x - margin
    maxX = position.x + margin
    minY = position.y - margin
    maxY = position.y + margin
  }

  package var width: Double { maxX - minX }
  package var height: Double { maxY - minY }

  package mutating func include(_ other: MapBounds) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
  }

  /// Grown by the margin on every side, and to at least `smallest` metres each way.
  package func grown(by margin: Double = 0, toAtLeast smallest: Double = 0) -> MapBounds {
    var grown = self
    let x = max(margin, (smallest - width) / 2)
    let y = max(margin, (smallest - height) / 2)
    grown.minX -= x
    grown.maxX += x
    grown.minY -= y
    grown.maxY += y
    return grown
  }

  package func intersects(_ other: MapBounds) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }
}

/// The equirectangular projection, true to scale along the parallel and the meridian of its centre. Over the extent of a
/// day's track a circle on the ground stays a circle on the map.
package struct MapProjection: Equatable, Sendable {
  /// Degrees.
  package let latitude: Double
  /// Degrees.
  package let longitude: Double

  /// Metres in a degree of latitude, on a sphere of the mean radius of the earth.
  package static let metersPerDegree = 6_371_008.8 * Double.pi / 180

  /// Metres in a degree of longitude.
  package var metersPerDegreeEast: Double {
    MapProjection.metersPerDegree * max(0.01, cos(latitude * .pi / 180))
  }

  /// The place on the map plane. Longitudes go the short way round, also over 180 degrees.
  package func project(latitude: Double, longitude: Double) -> MapPosition {
    let east = (longitude - self.longitude).remainder(dividingBy: 360)
    return MapPosition(
      x: east * metersPerDegreeEast, y: (self.latitude - latitude) * MapProjection.metersPerDegree)
  }

  /// A line on the map plane. From one place to the next the longitude goes the short way round.
  package func path(_ places: [Coordinate]) -> [MapPosition] {
    var x = 0.0
    var before: Double?
    return places.map { place in
      let position = project(latitude: place.latitude, longitude: place.longitude)
      if let before {
        x += (place.longitude - before).remainder(dividingBy: 360) * metersPerDegreeEast
      } else {
        x = position.x
      }
      before = place.longitude
      return MapPosition(x: x, y: position.y)
    }
  }

  /// The projection around the middle of the given places.
  package init(around places: [(latitude: Double, longitude: Double)]) {
    guard let first = places.first else {
      (latitude, longitude) = (0, 0)
      return
    }
    var south = first.latitude
    var north = first.latitude
    var west = 0.0
    var east = 0.0
    for place in places {
      let offset = (place.longitude - first.longitude).remainder(dividingBy: 360)
      south = min(south, place.latitude)
      north = max(north, place.latitude)
      west = min(west, offset)
      east = max(east, offset)
    }
    latitude = (south + north) / 2
    longitude = (first.longitude + (west + east) / 2).remainder(dividingBy: 360)
  }

  /// Metres between two places on the ground, by the haversine formula.
  package static func distance(_ one: TrackPoint, _ other: TrackPoint) -> Double {
    let radians = Double.pi / 180
    let halfNorth = sin((other.latitude - one.latitude) * radians / 2)
    let halfEast = sin((other.longitude - one.longitude) * radians / 2)
    let cosines = cos(one.latitude * radians) * cos(other.latitude * radians)
    let chord = halfNorth * halfNorth + cosines * halfEast * halfEast
    return 2 * metersPerDegree / radians * asin(min(1, chord.squareRoot()))
  }
}
