package import FoundationEssentials
internal import PlotDocuments

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
      let items = try JSONNode.items(root["features"], "/features", "an array of features")
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
      throw TrackError(at: .pointer(pointer + "/type"), expected: "a GeoJSON type", found: JSONNode.found(node["type"]))
    }
    return type
  }

  // MARK: Lines

  private mutating func readLines(_ feature: Feature) throws(TrackError) {
    if name == nil { name = feature.properties["name"]?.string }
    let pointer = feature.geometryPointer + "/coordinates"
    let coordinates = try JSONNode.items(feature.geometry["coordinates"], pointer, "an array of coordinates")
    let times = track.ignoresTimes ? nil : times(feature)
    if feature.kind == "LineString" {
      try readLine(coordinates, pointer, times?.node, times?.pointer ?? "")
      return
    }
    var timeLines: [JSONValue]?
    if let times {
      timeLines = try JSONNode.items(times.node, times.pointer, "an array of arrays of times, one for each line")
      try match(timeLines?.count, coordinates.count, "array", times.pointer)
    }
    for (index, line) in coordinates.enumerated() {
      let linePointer = "\(pointer)/\(index)"
      let line = try JSONNode.items(JSONNode(line), linePointer, "an array of coordinates")
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
      texts = try JSONNode.items(times, timesPointer, "an array of times, one for each coordinate")
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
    let course = feature.properties["course"] == nil ? "heading" : "course"
    try feature.properties.read(
      [("accuracy", .accuracy), ("speed", .speed), (course, .course)], into: &point, feature.propertiesPointer)
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
    let numbers = try JSONNode.items(node, pointer(), "longitude and latitude")
    guard numbers.count >= 2 else {
      throw TrackError(at: .pointer(pointer()), expected: "longitude and latitude", found: node.found)
    }
    var point = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for (index, field) in [TrackField.longitude, .latitude].enumerated() {
      let node = JSONNode(numbers[index])
      guard let value = node.value(of: field) else {
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
