import Foundation
import FoundationXML

extension TrackReader {
  /// Reads GPX 1.0 and 1.1: the points of all segments of all tracks, in the order of the document. Waypoints and routes
  /// are not the track. Speed and course are read where GPX 1.0 has them, directly in the point, and together with the
  /// accuracy from extensions of any namespace. A dilution of precision (`hdop`) has no unit and is not an accuracy.
  static func readGPX(_ data: Data) throws(TrackError) -> Track {
    guard !data.isEmpty else {
      throw TrackError(at: .position(line: 1, column: 1), expected: "a GPX document", found: "an empty file")
    }
    let parser = XMLParser(data: try XMLText.utf8(data))
    let document = GPXDocument()
    parser.delegate = document
    // parse() tells neither of a document that ends too early nor of our own faults; the delegate has kept both.
    let isComplete = parser.parse()
    if let fault = document.fault { throw fault }
    guard isComplete, document.hasRoot else {
      let place = TrackError.Place.position(line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
      throw TrackError(at: place, expected: "a GPX document", found: "XML that cannot be read")
    }
    return try finish(name: document.name, points: document.points, untimed: document.untimed, place: .file)
  }
}

/// Collects the points while the XML parser goes through the document.
private final class GPXDocument: NSObject, XMLParserDelegate {
  private(set) var name: String?
  private(set) var points: [TrackPoint] = []
  private(set) var untimed = 0
  /// The first fault; parsing stops there.
  private(set) var fault: TrackError?

  /// The open elements by local name, outermost first.
  private var path: [String] = []
  private var text = ""
  private var textPlace = TrackError.Place.file
  private var point: TrackPoint?
  private var time: Int64?

  private(set) var hasRoot = false

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let element = localName(elementName)
    if path.isEmpty {
      guard element == "gpx" else {
        return fail(parser, at: place(parser), expected: "the element <gpx>", found: "<\(clean(elementName))>")
      }
      hasRoot = true
    }
    path.append(element)
    text = ""
    textPlace = place(parser)
    if path.count == 4, element == "trkpt", path[1] == "trk", path[2] == "trkseg" {
      startPoint(parser, attributes)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard fault == nil, let element = path.last else { return }
    if point != nil {
      if path.count == 4 {
        endPoint()
      } else {
        read(parser, element)
      }
    } else if path == ["gpx", "trk", "name"], name == nil {
      let trimmed = text.trimmingBlanks()
      name = trimmed.isEmpty ? nil : trimmed
    }
    path.removeLast()
    text = ""
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    let code = (parseError as NSError).code
    // Undeclared namespace prefixes are common in recorded files, and harmless: elements count by local name.
    guard fault == nil, !(200...205).contains(code) else { return }
    let found =
      switch code {
      case 4: "an empty document"
      case 5, 73, 74, 77: path.last.map { "the end of the file within <\(clean($0))>" } ?? "text after its end"
      case 9, 81: "bytes that are not text in the file's encoding"
      case 26, 27: "an entity that is not declared"
      case 76: path.last.map { "an end tag that does not close <\(clean($0))>" } ?? "an end tag too many"
      default: "a fault in the XML (libxml2 error \(code))"
      }
    fail(parser, at: place(parser), expected: "well-formed XML", found: found)
  }

  private func startPoint(_ parser: XMLParser, _ attributes: [String: String]) {
    var read = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for (attribute, field) in [("lat", TrackField.latitude), ("lon", .longitude)] {
      let value = attributes[attribute]
      guard let value, let number = field.value(of: value) else {
        let found = value.map { "\(attribute)=\(TrackError.quote($0))" } ?? "no attribute \(attribute)"
        return fail(parser, at: place(parser), expected: field.expected, found: found)
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
  private func read(_ parser: XMLParser, _ element: String) {
    let isChild = path.count == 5
    if isChild, element == "time" {
      guard !text.trimmingBlanks().isEmpty else { return }
      guard let milliseconds = UTCTime.parse(text) else {
        return fail(parser, at: textPlace, expected: UTCTime.expectedText, found: TrackError.quote(text))
      }
      time = milliseconds
    } else if isChild || path[4] == "extensions" {
      guard let field = TrackField(rawValue: element), field != .latitude, field != .longitude else { return }
      guard let value = field.value(of: text) else {
        return fail(parser, at: textPlace, expected: field.expected, found: TrackError.quoteOrNothing(text))
      }
      point?.set(field, value)
    }
  }

  private func fail(_ parser: XMLParser, at place: TrackError.Place, expected: String, found: String) {
    guard fault == nil else { return }
    fault = TrackError(at: place, expected: expected, found: found)
    parser.abortParsing()
  }

  /// Where the parser is: for an element, the end of its start tag.
  private func place(_ parser: XMLParser) -> TrackError.Place {
    .position(line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
  }

  private func localName(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func clean(_ name: String) -> String { String(TrackError.quote(name).dropFirst().dropLast()) }
}
