package import PlotCore

/// One fix of a recorded track, as the engine takes it.
package struct TrackPoint: Equatable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64
  /// Degrees, WGS 84, -90 to 90.
  package var latitude: Double
  /// Degrees, WGS 84, -180 to 180.
  package var longitude: Double
  /// Metres; 0 when not known.
  package var accuracy: Double = 0
  /// Metres a second; -1 when not known.
  package var speed: Double = -1
  /// Degrees from north, clockwise; -1 when not known.
  package var course: Double = -1
}

extension TrackPoint {
  package init(_ fix: Fix) {
    self.init(
      time: fix.time, latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude, accuracy: fix.accuracy,
      speed: fix.speed, course: fix.course)
  }
}

/// A recorded track: its fixes in the order of the file, which need not be the order of their times.
package struct Track: Equatable, Sendable {
  /// The name the file gives the track.
  package var name: String?
  /// Every point that has a time.
  package var points: [TrackPoint]
  /// Parts that were left out, one sentence each, to be shown to the person.
  package var warnings: [String]
  /// Times that are years away from the ones before them.
  package var jumps: [TimeWatch.Jump] = []

  package init(name: String?, points: [TrackPoint], warnings: [String], jumps: [TimeWatch.Jump] = []) {
    (self.name, self.points, self.warnings, self.jumps) = (name, points, warnings, jumps)
  }
}

/// The file formats that a track can be read from.
package enum TrackFormat: String, CaseIterable, Sendable {
  case gpx, tcx, kml, geojson, csv, google, gnss, nmea, fit

  /// The format's name in a sentence.
  package var title: String {
    switch self {
    case .gpx: "GPX"
    case .tcx: "TCX"
    case .kml: "KML"
    case .geojson: "GeoJSON"
    case .csv: "CSV"
    case .google: "Google Timeline"
    case .gnss: "GnssLogger"
    case .nmea: "NMEA 0183"
    case .fit: "FIT"
    }
  }
}

/// A quantity of a point as the files give it, and the values it may have.
package enum TrackField: String, CaseIterable, Sendable {
  case latitude, longitude, accuracy, speed, course

  /// The field that the column of a table has by its name, in any case; nil for another column.
  init?(column: String) {
    switch column.trimmingBlanks().lowercased() {
    case "lat": self = .latitude
    case "lon", "lng": self = .longitude
    case "heading": self = .course
    case let name: self.init(rawValue: name)
    }
  }

  /// The form of a right value, for error messages.
  package var expected: String {
    switch self {
    case .latitude: "a latitude from -90 to 90"
    case .longitude: "a longitude from -180 to 180"
    case .accuracy: "an accuracy in metres from 0 to \(Int64(saturating: Fix.greatestAccuracy))"
    case .speed: "a speed in metres a second, at most \(Int64(saturating: Fix.greatestSpeed)), or -1"
    case .course: "a course from 0 to 360, or -1"
    }
  }

  /// The value in the form of `TrackPoint`, or nil when it is out of range. Any negative speed or course means unknown.
  package func value(of number: Double) -> Double? {
    guard number.isFinite else { return nil }
    switch self {
    case .latitude: return abs(number) <= 90 ? number : nil
    case .longitude: return abs(number) <= 180 ? number : nil
    case .accuracy: return number >= 0 && Fix.excess(accuracy: number) == nil ? number : nil
    case .speed: return number < 0 ? -1 : Fix.excess(speed: number) == nil ? number : nil
    case .course: return number > 360 ? nil : number < 0 ? -1 : number
    }
  }

  /// The value of a decimal number in text, with spaces around it allowed; nil when it is none or out of range.
  package func value(of text: String) -> Double? {
    let trimmed = text.trimmingBlanks()
    // Double(String) would also read "nan", "inf" and hexadecimal numbers.
    let isDecimal = trimmed.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let number = Double(trimmed) else { return nil }
    return value(of: number)
  }
}

extension TrackPoint {
  /// Sets a quantity to a value that `TrackField.value(of:)` has accepted.
  package mutating func set(_ field: TrackField, _ value: Double) {
    switch field {
    case .latitude: latitude = value
    case .longitude: longitude = value
    case .accuracy: accuracy = value
    case .speed: speed = value
    case .course: course = value
    }
  }
}

extension String {
  /// The text without spaces, tabs and line ends around it.
  package func trimmingBlanks() -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value) }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
