package import FoundationEssentials

extension TrackReader {
  /// Reads TCX (Training Center Database, version 2): the points of all tracks, of activities and of courses, in the order of the document. The speed
  /// is that of the extension TPX.
  package static func readTCX(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    try readXML(data, TCXGrammar.self, ignoresTimes: ignoresTimes)
  }
}

private struct TCXGrammar: XMLTrackGrammar {
  static let (root, title) = ("TrainingCenterDatabase", "TCX")

  private(set) var name: String?
  private(set) var track: TrackCollector
  private var point: TrackPoint?
  private var time: Int64?
  private var hasPlace = (latitude: false, longitude: false)
  private var unplaced = 0
  /// How many elements are open around a point, with it.
  private var depth = 0

  init(ignoresTimes: Bool) { track = TrackCollector(ignoresTimes: ignoresTimes) }

  var warnings: [String] { Words.leftOut(unplaced, "point", because: "without a position") }

  mutating func start(
    _ path: [String], _ attributes: [String: String], at place: TrackError.Place
  ) throws(TrackError) {
    guard path.count > 3, path.suffix(2) == ["Track", "Trackpoint"] else { return }
    (point, time, depth) = (TrackPoint(time: 0, latitude: 0, longitude: 0), nil, path.count)
    hasPlace = (false, false)
  }

  mutating func end(_ path: [String], _ text: String, at place: TrackError.Place) throws(TrackError) {
    guard let point else {
      if path.suffix(2) == ["Activity", "Id"] || path.suffix(2) == ["Course", "Name"], name == nil {
        name = text.trimmingBlanks()
      }
      return
    }
    let inner = path[depth...]
    if inner.isEmpty {
      if hasPlace == (true, true) { track.add(point, at: time) } else { unplaced += 1 }
      self.point = nil
    } else if inner == ["Time"] {
      time = try track.time(place) { () throws(TrackError) in try TrackReader.time(text, at: place) }
    } else if inner == ["Position", "LatitudeDegrees"] {
      self.point?.latitude = try TrackReader.value(text, .latitude, at: place)
      hasPlace.latitude = true
    } else if inner == ["Position", "LongitudeDegrees"] {
      self.point?.longitude = try TrackReader.value(text, .longitude, at: place)
      hasPlace.longitude = true
    } else if inner.first == "Extensions", inner.last == "Speed" {
      self.point?.speed = try TrackReader.value(text, .speed, at: place)
    }
  }
}
