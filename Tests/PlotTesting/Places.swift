package import PlotCore

/// Where most tests take place.
package let origin = Coordinate(latitude: 52.36, longitude: 4.885)

/// The length of a degree of latitude.
package let metersPerDegree = Earth.radius * Double.pi / 180

/// A place so many metres north of another one.
package func north(_ meters: Double, of place: Coordinate = origin) -> Coordinate {
  Coordinate(latitude: place.latitude + meters / metersPerDegree, longitude: place.longitude)
}

/// A place so many metres north and east of the origin; exact to a few parts in ten thousand near it.
package func place(north: Double, east: Double) -> Coordinate {
  Coordinate(latitude: origin.latitude + north / 111_195, longitude: origin.longitude + east / 67_900)
}

/// A random place within 670 m of the origin in latitude, and 410 m in longitude.
package func somewhere(_ generator: inout SplitMix64) -> Coordinate {
  Coordinate(
    latitude: origin.latitude + Double.random(in: -0.006...0.006, using: &generator),
    longitude: origin.longitude + Double.random(in: -0.006...0.006, using: &generator))
}

/// A walk along the meridian of a place, with times in minutes after its start.
package struct Walk: Sendable {
  package var start: Milliseconds
  package var from: Coordinate

  package init(start: Milliseconds, from: Coordinate) {
    self.start = start
    self.from = from
  }

  /// From noon of a Saturday (2026-05-16, UTC) at 10° north, 10° east.
  package static let saturday = Walk(start: 1_778_932_800_000, from: Coordinate(latitude: 10, longitude: 10))

  package func time(_ minutes: Int64) -> Milliseconds { start + minutes * 60_000 }

  /// A fix so many metres north of the place.
  package func fix(_ minutes: Int64, _ meters: Double, accuracy: Double = 5, speed: Double = -1) -> Fix {
    Fix(time: time(minutes), coordinate: north(meters, of: from), accuracy: accuracy, speed: speed)
  }

  /// Two fixes, a minute apart: 1 km away, and at the place.
  package func enter(_ minutes: Int64) -> [Fix] { [fix(minutes - 1, 1000), fix(minutes, 0)] }
}

/// Milliseconds of a time in UTC: `2026-03-29T01:00`, or with seconds.
package func utc(_ text: String) -> Milliseconds {
  Timestamp.parse(text.count == 16 ? text + ":00Z" : text + "Z")!
}
