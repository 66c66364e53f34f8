package import FoundationEssentials

extension TrackReader {
  /// Reads KML 2.2 and 2.3: tracks (`gx:Track`, `Track`), and places with a time (`TimeStamp`) or a span of time (`TimeSpan`), in the order of the
  /// document. The points of a line with a span are as far apart in time as they are on the way.
  package static func readKML(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    try readXML(data, KMLGrammar.self, ignoresTimes: ignoresTimes)
  }
}

private struct KMLGrammar: XMLTrackGrammar {
  static let (root, title) = ("kml", "KML")

  private(set) var name: String?
  private(set) var track: TrackCollector
  let warnings: [String] = []
  /// Of the track that is open: its times, and its positions.
  private var times: [Int64?] = []
  private var places: [TrackPoint] = []
  private var tracksBegin = TrackError.Place.file
  /// Of the place that is open.
  private var stamp: Int64?
  private var span: (begin: Int64?, end: Int64?) = (nil, nil)
  private var line: [TrackPoint] = []

  init(ignoresTimes: Bool) { track = TrackCollector(ignoresTimes: ignoresTimes) }

  mutating func start(
    _ path: [String], _ attributes: [String: String], at place: TrackError.Place
  ) throws(TrackError) {
    switch path[path.count - 1] {
    case "Track": (times, places, tracksBegin) = ([], [], place)
    case "Placemark": (stamp, span, line) = (nil, (nil, nil), [])
    default: break
    }
  }

  mutating func end(_ path: [String], _ text: String, at place: TrackError.Place) throws(TrackError) {
    let parent = path.count > 1 ? path[path.count - 2] : ""
    switch (parent, path[path.count - 1]) {
    case ("Track", "when"): times.append(try time(text, place))
    case ("Track", "coord"): places.append(try point(text.split(whereSeparator: \.isWhitespace), text, place))
    case (_, "Track"): try endTrack()
    case ("TimeStamp", "when"): stamp = try time(text, place)
    case ("TimeSpan", "begin"): span.begin = try time(text, place)
    case ("TimeSpan", "end"): span.end = try time(text, place)
    case ("Point", "coordinates"), ("LineString", "coordinates"):
      for tuple in text.split(whereSeparator: \.isWhitespace) {
        line.append(try point(tuple.split(separator: ",", omittingEmptySubsequences: false), text, place))
      }
    case (_, "Placemark"): endPlace()
    case (_, "name") where name == nil && (parent == "Placemark" || parent == "Document"):
      let trimmed = text.trimmingBlanks()
      name = trimmed.isEmpty ? nil : trimmed
    default: break
    }
  }

  private mutating func time(_ text: String, _ place: TrackError.Place) throws(TrackError) -> Int64? {
    try track.time(place) { () throws(TrackError) in try TrackReader.time(text, at: place) }
  }

  /// Longitude, latitude, and perhaps an altitude.
  private func point(
    _ parts: [Substring], _ text: String, _ place: TrackError.Place
  ) throws(TrackError) -> TrackPoint {
    guard (2...3).contains(parts.count), let longitude = TrackField.longitude.value(of: String(parts[0])),
      let latitude = TrackField.latitude.value(of: String(parts[1]))
    else {
      throw TrackError(
        at: place, expected: "a longitude, a latitude, and perhaps an altitude", found: TrackError.quoteOrNothing(text))
    }
    return TrackPoint(time: 0, latitude: latitude, longitude: longitude)
  }

  private mutating func endTrack() throws(TrackError) {
    guard track.ignoresTimes || times.count == places.count else {
      throw TrackError(
        at: tracksBegin, expected: "as many <when> as <coord> in a track",
        found: "\(times.count) and \(places.count)")
    }
    for (index, point) in places.enumerated() { track.add(point, at: track.ignoresTimes ? nil : times[index]) }
    (times, places) = ([], [])
  }

  private mutating func endPlace() {
    defer { (stamp, span, line) = (nil, (nil, nil), []) }
    guard let begin = span.begin, let end = span.end, end > begin else {
      for point in line { track.add(point, at: stamp ?? span.begin ?? span.end) }
      return
    }
    // Whoever is at a place for a while is there at the end, too.
    if line.count == 1 { line.append(line[0]) }
    let ways = zip(line, line.dropFirst()).map { abs($0.latitude - $1.latitude) + abs($0.longitude - $1.longitude) }
    let whole = ways.reduce(0, +)
    var way = 0.0
    for (index, point) in line.enumerated() {
      if index > 0 { way += ways[index - 1] }
      let part = whole > 0 ? way / whole : Double(index) / Double(max(1, line.count - 1))
      track.add(point, at: begin + Int64(saturating: (part * Double(end - begin)).rounded()))
    }
  }
}
