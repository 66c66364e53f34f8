package import FoundationEssentials

extension TrackReader {
  /// Reads GPX 1.0 and 1.1: the points of all segments of all tracks, in the order of the document. Waypoints are not the track, and routes are it
  /// only where times do not count. Speed and course are read where GPX 1.0 has them, directly in the point, and together with the
  /// accuracy from extensions of any namespace. A dilution of precision (`hdop`) has no unit and is not an accuracy.
  package static func readGPX(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    try readXML(data, GPXGrammar.self, ignoresTimes: ignoresTimes)
  }
}

private struct GPXGrammar: XMLTrackGrammar {
  static let (root, title) = ("gpx", "GPX")

  private(set) var name: String?
  private(set) var track: TrackCollector
  let warnings: [String] = []
  private var point: TrackPoint?
  private var time: Int64?
  /// How many elements are open around a point, with it.
  private var depth = 0

  init(ignoresTimes: Bool) { track = TrackCollector(ignoresTimes: ignoresTimes) }

  mutating func start(
    _ path: [String], _ attributes: [String: String], at place: TrackError.Place
  ) throws(TrackError) {
    let isTrack = path.count == 4 && path[1...] == ["trk", "trkseg", "trkpt"]
    guard isTrack || (track.ignoresTimes && path.count == 3 && path[1...] == ["rte", "rtept"]) else { return }
    var read = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for (attribute, field) in [("lat", TrackField.latitude), ("lon", .longitude)] {
      let value = attributes[attribute]
      guard let value, let number = field.value(of: value) else {
        let found = value.map { "\(attribute)=\(TrackError.quote($0))" } ?? "no attribute \(attribute)"
        throw TrackError(at: place, expected: field.expected, found: found)
      }
      read.set(field, number)
    }
    (point, time, depth) = (read, nil, path.count)
  }

  mutating func end(_ path: [String], _ text: String, at place: TrackError.Place) throws(TrackError) {
    guard let point else {
      if path.count == 3, path[1] == "trk" || path[1] == "rte", path[2] == "name", name == nil {
        let trimmed = text.trimmingBlanks()
        name = trimmed.isEmpty ? nil : trimmed
      }
      return
    }
    if path.count == depth {
      track.add(point, at: time)
      self.point = nil
    } else if path.count == depth + 1, path[depth] == "time" {
      let read = try track.time(place) { () throws(TrackError) in try TrackReader.time(text, at: place) }
      time = read ?? time
    } else if path.count == depth + 1 || path[depth] == "extensions" {
      guard let field = TrackField(rawValue: path[path.count - 1]), field != .latitude, field != .longitude
      else { return }
      self.point?.set(field, try TrackReader.value(text, field, at: place))
    }
  }
}
