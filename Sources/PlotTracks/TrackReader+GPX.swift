package import FoundationEssentials

extension TrackReader {
  /// Reads GPX 1.0 and 1.1: the points of all segments of all tracks, in the order of the document. Waypoints and routes
  /// are not the track. Speed and course are read where GPX 1.0 has them, directly in the point, and together with the
  /// accuracy from extensions of any namespace. A dilution of precision (`hdop`) has no unit and is not an accuracy.
  package static func readGPX(_ data: Data) throws(TrackError) -> Track {
    guard !data.isEmpty else {
      throw TrackError(at: .position(line: 1, column: 1), expected: "a GPX document", found: "an empty file")
    }
    let document = GPXDocument()
    XMLReader(document.take).read(data)
    if let fault = document.fault { throw fault }
    return try finish(
      name: document.name, points: document.points, untimed: document.untimed, times: document.times, place: .file)
  }
}

/// Collects the points while the XML reader goes through the document.
private final class GPXDocument {
  private(set) var name: String?
  private(set) var points: [TrackPoint] = []
  private(set) var untimed = 0
  private(set) var times = TimeWatch()
  /// The first fault; reading stops there.
  private(set) var fault: TrackError?

  /// The open elements by local name, outermost first.
  private var path: [String] = []
  private var text = ""
  private var isTextBlank = true
  /// Where the text begins, without its blanks.
  private var textPlace = TrackError.Place.file
  private var point: TrackPoint?
  private var time: Int64?

  func take(_ part: XMLReader.Part, _ reader: XMLReader) {
    switch part {
    case .start(let name, let attributes): start(reader, localName(name), attributes)
    case .text(let more):
      // Each line comes by itself: what has come before is not looked at again.
      if isTextBlank {
        textPlace = reader.place
        isTextBlank = more.trimmingBlanks().isEmpty
      }
      text += more
    case .end: end(reader)
    case .fault(let fault): fail(reader, at: reader.place, expected: "well-formed XML", found: found(fault))
    }
  }

  private func start(_ reader: XMLReader, _ element: String, _ attributes: [String: String]) {
    guard !path.isEmpty || element == "gpx" else {
      return fail(reader, at: reader.place, expected: "the element <gpx>", found: "<\(clean(element))>")
    }
    path.append(element)
    forgetText()
    textPlace = reader.place
    if path.count == 4, element == "trkpt", path[1] == "trk", path[2] == "trkseg" {
      startPoint(reader, attributes)
    }
  }

  private func end(_ reader: XMLReader) {
    guard let element = path.last else { return }
    if point != nil {
      if path.count == 4 {
        endPoint()
      } else {
        read(reader, element)
      }
    } else if path == ["gpx", "trk", "name"], name == nil {
      let trimmed = text.trimmingBlanks()
      name = trimmed.isEmpty ? nil : trimmed
    }
    path.removeLast()
    forgetText()
  }

  private func forgetText() {
    text = ""
    isTextBlank = true
  }

  private func found(_ fault: XMLReader.Fault) -> String {
    switch fault {
    case .ended:
      path.last.map { "the end of the file within <\(clean($0))>" }
        ?? "an empty document, or a tag, a comment or the like that does not end"
    case .tagMismatch: path.last.map { "an end tag that does not close <\(clean($0))>" } ?? "an end tag too many"
    case .entityDeclared(let name): "a declaration of the entity \(TrackError.quote(name))"
    case .entityUnknown: "an entity that is not declared"
    case .encodingUnknown: "an encoding that is not known (docs/simulate.md lists those that are)"
    case .textAfterEnd: "text after its end"
    case .other(let words): words
    }
  }

  private func startPoint(_ reader: XMLReader, _ attributes: [String: String]) {
    var read = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for (attribute, field) in [("lat", TrackField.latitude), ("lon", .longitude)] {
      let value = attributes[attribute]
      guard let value, let number = field.value(of: value) else {
        let found = value.map { "\(attribute)=\(TrackError.quote($0))" } ?? "no attribute \(attribute)"
        return fail(reader, at: reader.place, expected: field.expected, found: found)
      }
      read.set(field, number)
    }
    point = read
    time = nil
  }

  private func endPoint() {
    if let time, var timed = point {
      timed.time = time
      points.append(timed)
    } else {
      untimed += 1
    }
    point = nil
  }

  /// Takes the text of an element within a point.
  private func read(_ reader: XMLReader, _ element: String) {
    let isChild = path.count == 5
    if isChild, element == "time" {
      guard !text.trimmingBlanks().isEmpty else { return }
      guard let milliseconds = UTCTime.parse(text) else {
        return fail(reader, at: textPlace, expected: UTCTime.expectedText, found: TrackError.quote(text))
      }
      do throws(TrackError) {
        try times.take(milliseconds, at: textPlace)
      } catch {
        return fail(reader, at: textPlace, expected: error.expected, found: error.found)
      }
      time = milliseconds
    } else if isChild || path[4] == "extensions" {
      guard let field = TrackField(rawValue: element), field != .latitude, field != .longitude else { return }
      guard let value = field.value(of: text) else {
        return fail(reader, at: textPlace, expected: field.expected, found: TrackError.quoteOrNothing(text))
      }
      point?.set(field, value)
    }
  }

  private func fail(_ reader: XMLReader, at place: TrackError.Place, expected: String, found: String) {
    guard fault == nil else { return }
    fault = TrackError(at: place, expected: expected, found: found)
    reader.stop()
  }

  private func localName(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func clean(_ name: String) -> String { String(TrackError.quote(name).dropFirst().dropLast()) }
}
