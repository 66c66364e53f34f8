package import FoundationEssentials
internal import PlotDocuments

extension TrackReader {
  /// Reads what Google exports of a person's Timeline: Records.json, the months of the Semantic Location History (before 2024), and the Timeline.json of
  /// Android and of iOS. A visit is two points, at its beginning and its end.
  package static func readGoogle(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    var reader = GoogleReader(track: TrackCollector(ignoresTimes: ignoresTimes))
    try reader.read(json(data, "a Timeline of Google, as JSON"))
    return try finish(
      reader.track, name: nil,
      warnings: Words.leftOut(reader.unplaced, "entry", "entries", because: "without a position"),
      place: .pointer(""))
  }
}

struct GoogleReader {
  /// Keys that a document begins with.
  static let keys: Set = ["locations", "timelineObjects", "semanticSegments", "rawSignals", "userLocationProfile"]

  private(set) var track: TrackCollector
  /// Entries that should have a position, and have none.
  private(set) var unplaced = 0

  init(track: TrackCollector) { self.track = track }

  mutating func read(_ root: JSONNode) throws(TrackError) {
    if case .array = root {
      // iOS: the segments alone.
      for (segment, pointer) in try items(root, "") { try read(segment: segment, pointer) }
    } else if let records = root["locations"] {
      for (record, pointer) in try items(records, "/locations") { try read(record: record, pointer) }
    } else if let objects = root["timelineObjects"] {
      for (object, pointer) in try items(objects, "/timelineObjects") { try read(object: object, pointer) }
    } else if root["semanticSegments"] != nil || root["rawSignals"] != nil {
      try read(timeline: root)
    } else {
      throw TrackError(
        at: .pointer(""), expected: "locations, timelineObjects, semanticSegments or rawSignals", found: root.found)
    }
  }

  // MARK: The forms

  /// Android's: raw positions of the last weeks, and segments of all years. Where there are raw ones, they count alone.
  private mutating func read(timeline root: JSONNode) throws(TrackError) {
    var raw: ClosedRange<Int64>?
    let before = track.points.count
    if let signals = root["rawSignals"] {
      for (signal, pointer) in try items(signals, "/rawSignals") {
        guard let position = signal["position"] else { continue }
        try read(position: position, pointer + "/position")
      }
    }
    if !track.ignoresTimes {
      let times = track.points[before...].map(\.time)
      if let first = times.min(), let last = times.max() { raw = first...last }
    }
    guard let segments = root["semanticSegments"], raw != nil || track.points.isEmpty || !track.ignoresTimes
    else { return }
    for (segment, pointer) in try items(segments, "/semanticSegments") {
      try read(segment: segment, pointer, beside: raw)
    }
  }

  /// An entry of Records.json.
  private mutating func read(record: JSONNode, _ pointer: String) throws(TrackError) {
    try add(e7(record, "latitudeE7", "longitudeE7", pointer), record, pointer, times: ["timestamp", "timestampMs"])
  }

  /// An activity or a visit of the Semantic Location History.
  private mutating func read(object: JSONNode, _ pointer: String) throws(TrackError) {
    if let visit = object["placeVisit"] {
      let (pointer, duration) = (pointer + "/placeVisit", visit["duration"] ?? .null)
      let place = try e7(visit["location"] ?? .null, "latitudeE7", "longitudeE7", pointer + "/location")
      for word in ["start", "end"] { try add(place, duration, pointer + "/duration", times: Self.times(word)) }
    } else if let activity = object["activitySegment"] {
      let (pointer, duration) = (pointer + "/activitySegment", activity["duration"] ?? .null)
      let start = try e7(activity["startLocation"] ?? .null, "latitudeE7", "longitudeE7", pointer + "/startLocation")
      let end = try e7(activity["endLocation"] ?? .null, "latitudeE7", "longitudeE7", pointer + "/endLocation")
      try add(start, duration, pointer + "/duration", times: Self.times("start"))
      if let path = activity["simplifiedRawPath"]?["points"] {
        for (point, pointer) in try items(path, pointer + "/simplifiedRawPath/points") {
          try add(e7(point, "latE7", "lngE7", pointer), point, pointer, times: ["timestamp", "timestampMs"])
        }
      }
      try add(end, duration, pointer + "/duration", times: Self.times("end"))
    }
  }

  private static func times(_ word: String) -> [String] { [word + "Timestamp", word + "TimestampMs"] }

  /// A raw position of Android.
  private mutating func read(position: JSONNode, _ pointer: String) throws(TrackError) {
    let place = try degrees(position["LatLng"] ?? position["latLng"], pointer + "/LatLng")
    try add(place, position, pointer, times: ["timestamp"])
  }

  /// A visit, an activity or a path.
  private mutating func read(
    segment: JSONNode, _ pointer: String, beside raw: ClosedRange<Int64>? = nil
  ) throws(TrackError) {
    let start = try time(segment, pointer, ["startTime"])
    let end = try time(segment, pointer, ["endTime"])
    if let path = segment["timelinePath"] {
      for (point, pointer) in try items(path, pointer + "/timelinePath") {
        let place = try degrees(point["point"], pointer + "/point")
        var moment = try time(point, pointer, ["time"])
        if moment == nil, let start, let node = point["durationMinutesOffsetFromStartTime"] {
          moment = start + (try minutes(node, pointer + "/durationMinutesOffsetFromStartTime"))
        }
        try add(place, pointer, at: moment, beside: raw)
      }
    } else if let visit = segment["visit"] {
      let node = visit["topCandidate"]?["placeLocation"]
      let place = try degrees(node, pointer + "/visit/topCandidate/placeLocation")
      for moment in [start, end] { try add(place, pointer, at: moment, beside: raw) }
    } else if let activity = segment["activity"] {
      for (key, moment) in [("start", start), ("end", end)] {
        try add(degrees(activity[key], pointer + "/activity/\(key)"), pointer, at: moment, beside: raw)
      }
    }
  }

  // MARK: Points

  private mutating func add(
    _ place: TrackPoint?, _ node: JSONNode, _ pointer: String, times: [String]
  ) throws(TrackError) {
    guard var point = place else {
      unplaced += 1
      return
    }
    try node.read(
      [
        ("accuracy", .accuracy), ("accuracyMeters", .accuracy), ("velocity", .speed), ("speedMetersPerSecond", .speed),
        ("heading", .course),
      ], into: &point, pointer)
    try add(point, pointer, at: time(node, pointer, times))
  }

  private mutating func add(
    _ place: TrackPoint?, _ pointer: String, at moment: Int64?, beside raw: ClosedRange<Int64>? = nil
  ) throws(TrackError) {
    guard let place else {
      unplaced += 1
      return
    }
    if let moment, let raw, raw.contains(moment) { return }
    track.add(place, at: try track.time(.pointer(pointer)) { () throws(TrackError) in moment })
  }

  // MARK: Values

  private func items(_ node: JSONNode, _ pointer: String) throws(TrackError) -> [(JSONNode, String)] {
    try JSONNode.items(node, pointer, "an array").enumerated().map { (JSONNode($0.element), "\(pointer)/\($0.offset)") }
  }

  /// A position in ten millionths of a degree; nil without one.
  private func e7(
    _ node: JSONNode, _ latitude: String, _ longitude: String, _ pointer: String
  ) throws(TrackError) -> TrackPoint? {
    guard let north = node[latitude], let east = node[longitude] else { return nil }
    var point = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for (value, field, key) in [(north, TrackField.latitude, latitude), (east, .longitude, longitude)] {
      // Some exports have negative numbers as if they had no sign, with 32 bits.
      guard case .number(let number) = value,
        let degrees = field.value(of: (number > 1.8e9 ? number - 4_294_967_296 : number) / 1e7)
      else {
        throw TrackError(
          at: .pointer("\(pointer)/\(key)"), expected: field.expected + ", times 10,000,000", found: value.found)
      }
      point.set(field, degrees)
    }
    return point
  }

  /// `52.3676°, 4.9041°`, `geo:52.3676,4.9041`, or an object with such a text under `latLng`; nil without one.
  private func degrees(_ node: JSONNode?, _ pointer: String) throws(TrackError) -> TrackPoint? {
    guard let node else { return nil }
    if case .object = node { return try degrees(node["latLng"], pointer + "/latLng") }
    if case .null = node { return nil }
    guard let text = node.string else {
      throw TrackError(at: .pointer(pointer), expected: "a latitude and a longitude, as a text", found: node.found)
    }
    let plain = text.hasPrefix("geo:") ? String(text.dropFirst(4)) : text
    let parts = plain.split(separator: ",", omittingEmptySubsequences: false)
    var point = TrackPoint(time: 0, latitude: 0, longitude: 0)
    guard parts.count == 2 else {
      throw TrackError(at: .pointer(pointer), expected: "a latitude and a longitude, as a text", found: node.found)
    }
    for (part, field) in zip(parts, [TrackField.latitude, .longitude]) {
      guard let value = field.value(of: String(part.filter { $0 != "°" })) else {
        throw TrackError(at: .pointer(pointer), expected: field.expected, found: node.found)
      }
      point.set(field, value)
    }
    return point
  }

  /// The first of the keys that is there: a time as ISO 8601, or as milliseconds since 1970 in a text. Nil without one.
  private func time(_ node: JSONNode, _ pointer: String, _ keys: [String]) throws(TrackError) -> Int64? {
    if track.ignoresTimes { return nil }
    for key in keys {
      guard let value = node[key] else { continue }
      let text = value.string
      let time = key.hasSuffix("Ms") ? text.flatMap { Int64($0) } : text.flatMap { CalendarTime.parse($0) }
      guard let time, CalendarTime.range.contains(time) else {
        let expected = key.hasSuffix("Ms") ? "milliseconds since 1970, as a text" : CalendarTime.expectedText
        throw TrackError(
          at: .pointer("\(pointer)/\(key)"), expected: expected,
          found: text.map { CalendarTime.found($0) } ?? value.found)
      }
      return time
    }
    return nil
  }

  /// Milliseconds of a number of minutes, which is a text on most phones.
  private func minutes(_ node: JSONNode, _ pointer: String) throws(TrackError) -> Int64 {
    let number: Double? =
      switch node {
      case .number(let number): number
      case .string(let text): Int64(text).map { Double($0) }
      default: nil
      }
    guard let number, (0...527_040).contains(number) else {
      throw TrackError(at: .pointer(pointer), expected: "minutes, at most those of a year", found: node.found)
    }
    return Int64(saturating: number * 60_000)
  }
}
