package import FoundationEssentials
package import PlotDocuments

extension TrackReader {
  /// Reads GeoJSON: a LineString or MultiLineString (alone, in a Feature, or several in a FeatureCollection) whose times
  /// stand in the property `coordTimes`, `times` or `coordinateProperties.times`, one for each coordinate, nested as the
  /// coordinates are; or a FeatureCollection of Points, each with the property `time` or `timestamp`, and where known
  /// `accuracy`, `speed` and `course` or `heading`. A time is ISO 8601 or a whole number as in CSV. In a collection that
  /// holds lines, points are not the track.
  package static func readGeoJSON(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    let root = try json(data)
    var reader = GeoJSONReader(track: TrackCollector(ignoresTimes: ignoresTimes))
    try reader.read(root)
    return try finish(reader.track, name: reader.name, warnings: reader.warnings, place: .pointer(""))
  }

  /// The value of a JSON text; `title` is what it should be.
  package static func json(_ data: Data, _ title: String = "a GeoJSON document") throws(TrackError) -> JSONNode {
    guard !data.isEmpty else { throw TrackError(at: .file, expected: title, found: "an empty file") }
    do {
      return JSONNode(try JSONValue(parsing: Array(data)))
    } catch {
      let place = error.line > 0 ? TrackError.Place.position(line: error.line, column: error.column) : .file
      throw TrackError(at: place, expected: error.expected, found: error.found)
    }
  }
}

/// A JSON value with its type.
package enum JSONNode {
  case object(JSONValue)
  case array([JSONValue])
  case string(String)
  case number(Double)
  case boolean
  case null

  package init(_ value: JSONValue?) {
    switch value {
    case .object?: self = .object(value!)
    case .array(let items)?: self = .array(items)
    case .string(let text)?: self = .string(text)
    case .integer(let number)?: self = .number(Double(number))
    case .real(let number)?: self = .number(number)
    case .boolean?: self = .boolean
    case .null?, nil: self = .null
    }
  }

  package subscript(key: String) -> JSONNode? {
    guard case .object(let object) = self, let member = object[key] else { return nil }
    return JSONNode(member)
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Its kind, for error messages.
  package var found: String {
    switch self {
    case .object: "an object"
    case .array(let items): "an array of \(items.count)"
    case .string(let text): TrackError.quote(text)
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}

/// Collects the points of a GeoJSON document.
private struct GeoJSONReader {
  var name: String?
  var track: TrackCollector
  var warnings: [String] = []

  init(track: TrackCollector) { self.track = track }

  /// A feature, or a geometry that stands alone, with its place in the document.
  private struct Feature {
    var geometry: JSONNode
    var geometryPointer: String
    var properties: JSONNode
    var propertiesPointer: String
    var kind: String
  }

  mutating func read(_ root: JSONNode) throws(TrackError) {
    let features = try features(root)
    let lines = features.filter { $0.kind == "LineString" || $0.kind == "MultiLineString" }
    let dots = features.filter { $0.kind == "Point" }
    for feature in lines { try readLines(feature) }
    if lines.isEmpty {
      for feature in dots { try readPoint(feature) }
    }
    let taken = lines.isEmpty ? dots.count : lines.count
    guard taken > 0 else {
      let kinds = Set(features.map(\.kind)).sorted().joined(separator: ", ")
      throw TrackError(
        at: .pointer(""), expected: "a LineString, a MultiLineString or Points",
        found: kinds.isEmpty ? "no feature" : kinds)
    }
    let kinds = lines.isEmpty ? "points" : "lines"
    warnings += Words.leftOut(features.count - taken, "feature", because: "other than \(kinds)")
  }

  // MARK: Structure

  private func features(_ root: JSONNode) throws(TrackError) -> [Feature] {
    switch try type(root, "") {
    case "FeatureCollection":
      guard case .array(let items)? = root["features"] else {
        throw TrackError(at: .pointer("/features"), expected: "an array of features", found: found(root["features"]))
      }
      var features: [Feature] = []
      for (index, item) in items.enumerated() {
        features.append(try feature(JSONNode(item), "/features/\(index)"))
      }
      return features
    case "Feature": return [try feature(root, "")]
    case let kind:
      return [
        Feature(geometry: root, geometryPointer: "", properties: .null, propertiesPointer: "/properties", kind: kind)
      ]
    }
  }

  private func feature(_ node: JSONNode, _ pointer: String) throws(TrackError) -> Feature {
    let type = try type(node, pointer)
    guard type == "Feature" else {
      throw TrackError(at: .pointer(pointer + "/type"), expected: "\"Feature\"", found: TrackError.quote(type))
    }
    let geometry = node["geometry"] ?? .null
    var kind = "null"
    if case .null = geometry {} else { kind = try self.type(geometry, pointer + "/geometry") }
    return Feature(
      geometry: geometry, geometryPointer: pointer + "/geometry", properties: node["properties"] ?? .null,
      propertiesPointer: pointer + "/properties", kind: kind)
  }

  private func type(_ node: JSONNode, _ pointer: String) throws(TrackError) -> String {
    guard case .object = node else {
      throw TrackError(at: .pointer(pointer), expected: "a GeoJSON object", found: node.found)
    }
    guard let type = node["type"]?.string else {
      throw TrackError(at: .pointer(pointer + "/type"), expected: "a GeoJSON type", found: found(node["type"]))
    }
    return type
  }

  private func found(_ node: JSONNode?) -> String { node?.found ?? "nothing" }

  private func items(
    _ node: JSONNode?, _ pointer: @autoclosure () -> String, _ expected: String
  ) throws(TrackError) -> [JSONValue] {
    guard case .array(let items)? = node else {
      throw TrackError(at: .pointer(pointer()), expected: expected, found: found(node))
    }
    return items
  }

  // MARK: Lines

  private mutating func readLines(_ feature: Feature) throws(TrackError) {
    if name == nil { name = feature.properties["name"]?.string }
    let pointer = feature.geometryPointer + "/coordinates"
    let coordinates = try items(feature.geometry["coordinates"], pointer, "an array of coordinates")
    let times = track.ignoresTimes ? nil : times(feature)
    if feature.kind == "LineString" {
      try readLine(coordinates, pointer, times?.node, times?.pointer ?? "")
      return
    }
    var timeLines: [JSONValue]?
    if let times {
      timeLines = try items(times.node, times.pointer, "an array of arrays of times, one for each line")
      try match(timeLines?.count, coordinates.count, "array", times.pointer)
    }
    for (index, line) in coordinates.enumerated() {
      let linePointer = "\(pointer)/\(index)"
      let line = try items(JSONNode(line), linePointer, "an array of coordinates")
      try readLine(
        line, linePointer, timeLines.map { JSONNode($0[index]) }, "\(times?.pointer ?? "")/\(index)")
    }
  }

  private func times(_ feature: Feature) -> (node: JSONNode, pointer: String)? {
    for key in ["coordTimes", "times"] {
      if let node = feature.properties[key] { return (node, "\(feature.propertiesPointer)/\(key)") }
    }
    guard let node = feature.properties["coordinateProperties"]?["times"] else { return nil }
    return (node, feature.propertiesPointer + "/coordinateProperties/times")
  }

  private mutating func readLine(
    _ coordinates: [JSONValue], _ pointer: String, _ times: JSONNode?, _ timesPointer: String
  ) throws(TrackError) {
    var texts: [JSONValue]?
    if let times {
      texts = try items(times, timesPointer, "an array of times, one for each coordinate")
      try match(texts?.count, coordinates.count, "time", timesPointer)
    }
    for (index, coordinate) in coordinates.enumerated() {
      let point = try position(JSONNode(coordinate), "\(pointer)/\(index)")
      var time: Int64?
      if let texts { time = try self.time(JSONNode(texts[index]), "\(timesPointer)/\(index)") }
      track.add(point, at: time)
    }
  }

  private func match(_ count: Int?, _ wanted: Int, _ noun: String, _ pointer: String) throws(TrackError) {
    guard let count, count != wanted else { return }
    throw TrackError(
      at: .pointer(pointer), expected: "\(Words.count(wanted, noun)), as many as coordinates", found: "\(count)")
  }

  // MARK: Points

  private mutating func readPoint(_ feature: Feature) throws(TrackError) {
    var point = try position(feature.geometry["coordinates"] ?? .null, feature.geometryPointer + "/coordinates")
    let names: [(String, TrackField)] = [
      ("accuracy", .accuracy), ("speed", .speed), ("course", .course), ("heading", .course),
    ]
    for (key, field) in names {
      if key == "heading", feature.properties["course"] != nil { continue }
      guard let node = feature.properties[key] else { continue }
      if case .null = node { continue }
      guard case .number(let number) = node, let value = field.value(of: number) else {
        throw TrackError(
          at: .pointer("\(feature.propertiesPointer)/\(key)"), expected: field.expected, found: node.found)
      }
      point.set(field, value)
    }
    var found: Int64?
    for key in ["time", "timestamp"] where found == nil {
      guard let node = feature.properties[key] else { continue }
      found = try time(node, "\(feature.propertiesPointer)/\(key)")
    }
    track.add(point, at: found)
  }

  // MARK: Values

  private func position(
    _ node: JSONNode, _ pointer: @autoclosure () -> String
  ) throws(TrackError) -> TrackPoint {
    let numbers = try items(node, pointer(), "longitude and latitude")
    guard numbers.count >= 2 else {
      throw TrackError(at: .pointer(pointer()), expected: "longitude and latitude", found: node.found)
    }
    var point = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for (index, field) in [TrackField.longitude, .latitude].enumerated() {
      let node = JSONNode(numbers[index])
      guard case .number(let number) = node, let value = field.value(of: number) else {
        throw TrackError(at: .pointer("\(pointer())/\(index)"), expected: field.expected, found: node.found)
      }
      point.set(field, value)
    }
    return point
  }

  /// Milliseconds since 1970; nil for null.
  private mutating func time(_ node: JSONNode, _ pointer: @autoclosure () -> String) throws(TrackError) -> Int64? {
    if case .null = node { return nil }
    let place = TrackError.Place.pointer(pointer())
    return try track.time(place) { () throws(TrackError) in
      let milliseconds: Int64? =
        switch node {
        case .string(let text): CalendarTime.parse(text)
        case .number(let number): Int64(exactly: number).flatMap { CalendarTime.milliseconds(ofNumber: $0) }
        default: nil
        }
      if let milliseconds { return milliseconds }
      let expected = CalendarTime.expectedText + ", or whole seconds or milliseconds since 1970"
      throw TrackError(at: place, expected: expected, found: node.string.map { CalendarTime.found($0) } ?? node.found)
    }
  }
}
