package import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
package import PlotTracks

/// Reads what lies under a map from GeoJSON: geometries of every type, alone, in features or in collections; or from an answer of Overpass with
/// `out geom`. What a piece is follows from its properties, by the keys of OpenStreetMap.
package struct MapBackground {
  package var shapes: [MapShape] = []
  /// Parts that were left out, one sentence each.
  package var warnings: [String] = []

  /// - Throws: `TrackError` with the file and the place of the fault.
  package static func read(path: String) throws(TrackError) -> MapBackground {
    try read(TrackReader.contents(of: path), file: path)
  }

  /// Reads it from memory; `file` is the name that errors give.
  ///
  /// - Throws: `TrackError` with the place of the fault.
  package static func read(_ data: Data, file: String? = nil) throws(TrackError) -> MapBackground {
    do throws(TrackError) {
      var background = MapBackground()
      let root = try TrackReader.json(data)
      if root["elements"] != nil { try background.readOverpass(root) } else { try background.read(root, "") }
      return background
    } catch {
      var located = error
      located.file = file
      throw located
    }
  }

  // MARK: Structure

  private static let types = [
    "FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", "LineString", "MultiLineString",
    "Polygon", "MultiPolygon",
  ]

  private mutating func read(_ node: JSONNode, _ pointer: String) throws(TrackError) {
    switch try type(node, pointer) {
    case "FeatureCollection":
      for (index, item) in try JSONNode.items(node["features"], pointer + "/features", "an array of features")
        .enumerated()
      {
        let own = "\(pointer)/features/\(index)"
        let type = try type(JSONNode(item), own)
        guard type == "Feature" else { throw fault(own + "/type", "\"Feature\"", JSONNode(item)["type"]) }
        try feature(JSONNode(item), own)
      }
    case "Feature": try feature(node, pointer)
    default: try geometry(node, pointer, .other)
    }
  }

  /// Ways, and relations by their members; nodes alone say nothing of the ground. A way that ends where it begins is an area, where its kind is one
  /// of areas.
  private mutating func readOverpass(_ root: JSONNode) throws(TrackError) {
    for (index, item) in try JSONNode.items(root["elements"], "/elements", "an array of elements").enumerated() {
      let (element, pointer) = (JSONNode(item), "/elements/\(index)")
      let kind = Self.kind(element["tags"])
      if element["geometry"] != nil {
        try way(element, pointer, kind)
      } else if let members = element["members"] {
        for (index, member) in try JSONNode.items(members, pointer + "/members", "an array of members").enumerated() {
          let own = JSONNode(member)
          // A hole is not the ground that is around it.
          if own["geometry"] != nil, own["role"]?.string != "inner" {
            try way(own, "\(pointer)/members/\(index)", kind)
          }
        }
      }
    }
  }

  private mutating func way(_ node: JSONNode, _ pointer: String, _ kind: MapShape.Kind) throws(TrackError) {
    let own = pointer + "/geometry"
    var places: [Coordinate] = []
    for (index, item) in try JSONNode.items(node["geometry"], own, "an array of places").enumerated() {
      let place = JSONNode(item)
      // Where the area of the question ends, a place is null.
      if case .null = place { continue }
      var values: [Double] = []
      for (key, field) in [("lat", TrackField.latitude), ("lon", .longitude)] {
        guard let value = place[key]?.value(of: field) else {
          throw fault("\(own)/\(index)/\(key)", field.expected, place[key])
        }
        values.append(value)
      }
      places.append(Coordinate(latitude: values[0], longitude: values[1]))
    }
    guard places.count > 1 else { return }
    let isArea = places.count > 3 && places.first == places.last && [.green, .water, .building, .other].contains(kind)
    add(isArea ? .polygon([places]) : .line(places), kind)
  }

  private mutating func feature(_ node: JSONNode, _ pointer: String) throws(TrackError) {
    // A feature may have no geometry (RFC 7946, 3.2).
    if case .null? = node["geometry"] { return }
    guard let geometry = node["geometry"] else { throw fault(pointer + "/geometry", "a geometry or null", nil) }
    try self.geometry(geometry, pointer + "/geometry", Self.kind(node["properties"]))
  }

  private mutating func geometry(_ node: JSONNode, _ pointer: String, _ kind: MapShape.Kind) throws(TrackError) {
    let type = try type(node, pointer)
    if type == "GeometryCollection" {
      let parts = try JSONNode.items(node["geometries"], pointer + "/geometries", "an array of geometries")
      for (index, part) in parts.enumerated() {
        try geometry(JSONNode(part), "\(pointer)/geometries/\(index)", kind)
      }
      return
    }
    let own = pointer + "/coordinates"
    let node = node["coordinates"] ?? .null
    switch type {
    case "Point": try add(.point(position(node, own)), kind)
    case "MultiPoint": for place in try positions(node, own, least: 0) { add(.point(place), kind) }
    case "LineString": try add(.line(positions(node, own, least: 2)), kind)
    case "MultiLineString":
      for (index, line) in try JSONNode.items(node, own, "an array of lines").enumerated() {
        try add(.line(positions(JSONNode(line), "\(own)/\(index)", least: 2)), kind)
      }
    case "Polygon": try add(.polygon(rings(node, own)), kind)
    case "MultiPolygon":
      for (index, polygon) in try JSONNode.items(node, own, "an array of polygons").enumerated() {
        try add(.polygon(rings(JSONNode(polygon), "\(own)/\(index)")), kind)
      }
    default: throw fault(pointer + "/type", "a geometry", .string(type))
    }
  }

  private mutating func add(_ outline: MapShape.Outline, _ kind: MapShape.Kind) {
    shapes.append(MapShape(kind: kind, outline: outline))
  }

  // MARK: Values

  private func type(_ node: JSONNode, _ pointer: String) throws(TrackError) -> String {
    guard case .object = node else { throw fault(pointer, "a GeoJSON object", node) }
    guard let type = node["type"]?.string, Self.types.contains(type) else {
      throw fault(pointer + "/type", "a GeoJSON type", node["type"])
    }
    return type
  }

  private func rings(_ node: JSONNode, _ pointer: String) throws(TrackError) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    for (index, ring) in try JSONNode.items(node, pointer, "an array of rings").enumerated() {
      rings.append(try positions(JSONNode(ring), "\(pointer)/\(index)", least: 4))
    }
    return rings
  }

  private func positions(_ node: JSONNode, _ pointer: String, least: Int) throws(TrackError) -> [Coordinate] {
    let items = try JSONNode.items(node, pointer, "an array of positions")
    guard items.count >= least else { throw fault(pointer, "an array of at least \(least) positions", node) }
    var positions: [Coordinate] = []
    positions.reserveCapacity(items.count)
    for (index, item) in items.enumerated() { positions.append(try position(JSONNode(item), "\(pointer)/\(index)")) }
    return positions
  }

  private func position(_ node: JSONNode, _ pointer: @autoclosure () -> String) throws(TrackError) -> Coordinate {
    guard case .array(let numbers) = node, numbers.count >= 2 else {
      throw fault(pointer(), "longitude and latitude", node)
    }
    func value(_ index: Int, _ field: TrackField) throws(TrackError) -> Double {
      let node = JSONNode(numbers[index])
      guard let value = node.value(of: field) else {
        throw fault("\(pointer())/\(index)", field.expected, node)
      }
      return value
    }
    let longitude = try value(0, .longitude)
    return Coordinate(latitude: try value(1, .latitude), longitude: longitude)
  }

  private func fault(_ pointer: String, _ expected: String, _ found: JSONNode?) -> TrackError {
    TrackError(at: .pointer(pointer), expected: expected, found: JSONNode.found(found))
  }

  /// A property `kind` with the name of a kind says it outright.
  private static func kind(_ properties: JSONNode?) -> MapShape.Kind {
    guard let properties else { return .other }
    func value(_ key: String) -> String? {
      guard let value = properties[key]?.string, value != "no" else { return nil }
      return value
    }
    if let kind = value("kind").flatMap({ MapShape.Kind(rawValue: $0) }) { return kind }
    if value("building") != nil { return .building }
    if value("waterway") != nil || value("water") != nil { return .water }
    if value("natural") == "water" || value("natural") == "bay" || value("natural") == "coastline" { return .water }
    if value("railway") != nil { return .rail }
    if let highway = value("highway") {
      let ways = ["footway", "path", "cycleway", "steps", "pedestrian", "track", "bridleway", "corridor"]
      return ways.contains(highway) ? .path : .road
    }
    if value("road") != nil || value("street") != nil { return .road }
    if value("landuse") == "reservoir" || value("landuse") == "basin" { return .water }
    if value("leisure") != nil || value("natural") != nil { return .green }
    if let use = value("landuse"), ["forest", "grass", "meadow", "recreation_ground", "cemetery"].contains(use) {
      return .green
    }
    return .other
  }
}
