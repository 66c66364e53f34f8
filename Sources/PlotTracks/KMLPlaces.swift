import FoundationEssentials
internal import PlotDocuments

/// The places of a KML document (OGC 12-007r2): points, lines and polygons of its Placemarks, with their names,
/// descriptions and extended data.
enum KMLPlaces {
  /// Throws `DocumentError`, with the line.
  static func places(_ bytes: [UInt8]) throws(DocumentError) -> PlaceFile.Places {
    guard !bytes.isEmpty else {
      throw DocumentError(line: 1, column: 1, pointer: "", expected: "a KML document", found: "an empty file")
    }
    let document = KMLDocument()
    XMLReader(document.take).read(Data(bytes))
    if let fault = document.fault { throw fault }
    return document.places
  }
}

/// Collects the Placemarks while the XML reader goes through the document.
private final class KMLDocument {
  private(set) var places = PlaceFile.Places()
  /// The first fault; reading stops there.
  private(set) var fault: DocumentError?

  /// The open elements by local name, outermost first.
  private var path: [String] = []
  private var text = ""
  private var placemark: Placemark?

  private struct Placemark {
    var id: String?
    var line: Int
    var properties: [(key: String, value: JSONValue)] = []
    var points: [JSONValue] = []
    var lines: [JSONValue] = []
    /// Of each polygon, its rings, the outer one first.
    var polygons: [[JSONValue]] = []
    /// The key of the data that is open.
    var key: String?
  }

  func take(_ part: XMLReader.Part, _ reader: XMLReader) {
    switch part {
    case .start(let name, let attributes): start(reader, Self.local(name), attributes)
    case .text(let more): if placemark != nil { text += more }
    case .end: end(reader)
    case .fault(let fault): fail(reader, "well-formed XML", Self.words(fault))
    }
  }

  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }

  private static func words(_ fault: XMLReader.Fault) -> String {
    switch fault {
    case .ended: "the end of the file, or something that does not end"
    case .tagMismatch: "an end tag that closes another element"
    case .entityDeclared(let name): "a declaration of the entity \(TrackError.quote(name))"
    case .entityUnknown: "an entity that is not declared"
    case .encodingUnknown: "an encoding that is not known"
    case .textAfterEnd: "text after its end"
    case .other(let words): words
    }
  }

  private func fail(_ reader: XMLReader, _ expected: String, _ found: String) {
    guard fault == nil else { return }
    guard case .position(let line, let column) = reader.place else { return }
    fault = DocumentError(line: line, column: column, pointer: "", expected: expected, found: found)
    reader.stop()
  }

  private func start(_ reader: XMLReader, _ element: String, _ attributes: [String: String]) {
    if path.isEmpty, element != "kml" {
      return fail(reader, "the element <kml>", "<\(TrackError.quote(element).dropFirst().dropLast())>")
    }
    path.append(element)
    text = ""
    switch element {
    case "Placemark":
      guard case .position(let line, _) = reader.place else { return }
      placemark = Placemark(id: attributes["id"], line: line)
    case "Data" where placemark != nil, "SimpleData" where placemark != nil: placemark?.key = attributes["name"]
    case "Polygon": placemark?.polygons.append([])
    case "Track" where placemark != nil, "MultiTrack" where placemark != nil:
      fail(reader, "a Point, a LineString or a Polygon in a Placemark", "a track")
    default: break
    }
  }

  private func end(_ reader: XMLReader) {
    guard let element = path.popLast() else { return }
    guard placemark != nil else { return }
    let value = text.trimmingBlanks()
    let parent = path.last ?? ""
    switch (element, parent) {
    case ("name", "Placemark"), ("description", "Placemark"), ("address", "Placemark"), ("phoneNumber", "Placemark"):
      if !value.isEmpty { placemark?.properties.append((element, .string(value))) }
    case ("value", "Data"), ("SimpleData", _):
      if let key = placemark?.key, !value.isEmpty { placemark?.properties.append((key, .string(value))) }
    case ("coordinates", "Point"):
      guard let positions = positions(reader, value) else { return }
      guard positions.count == 1 else { return fail(reader, "one position of a Point", "\(positions.count)") }
      placemark?.points.append(positions[0])
    case ("coordinates", "LineString"):
      guard let positions = positions(reader, value) else { return }
      placemark?.lines.append(.array(positions))
    case ("coordinates", "LinearRing"):
      guard let positions = positions(reader, value), let last = placemark?.polygons.indices.last else { return }
      placemark?.polygons[last].append(.array(positions))
    case ("Placemark", _): finish(reader)
    default: break
    }
    text = ""
  }

  /// `longitude,latitude` and perhaps an altitude, with blanks between the positions.
  private func positions(_ reader: XMLReader, _ text: String) -> [JSONValue]? {
    var found: [JSONValue] = []
    for position in text.split(whereSeparator: \.isWhitespace) {
      let numbers = position.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard (2...3).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1],
        longitude.isFinite, latitude.isFinite
      else {
        fail(reader, "a position as 4.88,52.36", TrackError.quote(String(position)))
        return nil
      }
      found.append(.array([.real(longitude), .real(latitude)]))
    }
    return found
  }

  private func finish(_ reader: XMLReader) {
    defer { placemark = nil }
    guard let placemark else { return }
    let geometry: (type: String, coordinates: JSONValue)
    switch (placemark.points.count, placemark.lines.count, placemark.polygons.count) {
    case (1, 0, 0): geometry = ("Point", placemark.points[0])
    case (0, 1, 0): geometry = ("LineString", placemark.lines[0])
    case (0, 0, 1): geometry = ("Polygon", .array(placemark.polygons[0]))
    case (0, 0, 2...): geometry = ("MultiPolygon", .array(placemark.polygons.map { .array($0) }))
    case (0, 0, 0):
      return fail(reader, "a Point, a LineString or a Polygon in a Placemark", "a Placemark that has none")
    default:
      return fail(reader, "one Point, one LineString, or Polygons in a Placemark", "several geometries")
    }
    var members: [(key: String, value: JSONValue)] = [("type", .string("Feature"))]
    if let id = placemark.id { members.append(("id", .string(id))) }
    members.append(
      ("geometry", .object([("type", .string(geometry.type)), ("coordinates", geometry.coordinates)])))
    members.append(("properties", .object(placemark.properties)))
    places.features.append(.object(members))
    places.lines.append(placemark.line)
  }
}
