internal import PlotCore

/// `geometry` of a geofence, and of a feature that is imported: GeoJSON (RFC 7946).
struct GeometryReader {

  static let positionLimit = 100_000
  static let widthForm = "metres, from 1 to 100000"
  static func isWidth(_ metres: Double) -> Bool { (1...100_000).contains(metres) }

  enum GeometryType: String, CaseIterable {
    case polygon = "Polygon"
    case multiPolygon = "MultiPolygon"
    case line = "LineString"
  }

  let reader: JSONReader

  /// The coordinates; a line without its width.
  func outline(_ node: Node, _ type: GeometryType) throws(DocumentError) -> Area.Outline {
    var count = 0
    switch type {
    case .polygon:
      let rings = try coordinates(node, "an array of rings") {
        (node) throws(DocumentError) -> [[Coordinate]] in
        try self.rings(node, &count)
      }
      return .polygons([rings])
    case .multiPolygon:
      let polygons = try coordinates(node, "an array of polygons") {
        (node) throws(DocumentError) -> [[[Coordinate]]] in
        let polygons = try reader.array(node, "an array of polygons") { (node, _) throws(DocumentError) in
          try rings(node, &count)
        }
        guard !polygons.isEmpty else { throw reader.fail(expected: "at least one polygon", found: "an empty array") }
        return polygons
      }
      return .polygons(polygons)
    case .line:
      let line = try coordinates(node, "an array of positions") {
        (node) throws(DocumentError) -> [Coordinate] in
        let line = try positions(node, &count)
        guard line.count >= 2 else { throw reader.fail(expected: "at least two positions", found: "\(line.count)") }
        guard line.contains(where: { $0 != line[0] }) else {
          throw reader.fail(expected: "positions that differ", found: "one position only")
        }
        return line
      }
      return .corridor(line, width: 0)
    }
  }

  func width(_ node: Node) throws(DocumentError) -> Double {
    let value = try reader.number(node, Self.widthForm)
    guard Self.isWidth(value) else { throw reader.mismatch(node, Self.widthForm) }
    return value
  }

  private func coordinates<T>(
    _ node: Node, _ expected: String, _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T {
    try reader.required(node, "coordinates", expected, body)
  }

  private func rings(_ node: Node, _ count: inout Int) throws(DocumentError) -> [[Coordinate]] {
    let rings = try reader.array(node, "an array of rings") { (node, _) throws(DocumentError) in
      try ring(node, &count)
    }
    guard !rings.isEmpty else { throw reader.fail(expected: "at least one ring", found: "an empty array") }
    switch Area.fault(in: rings) {
    case nil: return rings
    case .noArea(let ring):
      throw try at(ring) { reader.fail(expected: "a ring that encloses an area", found: "positions on one line") }
    case .outside(let ring):
      throw try at(ring) {
        reader.fail(expected: "a hole inside of ring 0 and outside of the other holes", found: "one that is not")
      }
    case .crossing(let ring, let edge, let otherRing, let otherEdge):
      let isOwn = ring == otherRing
      throw try at(ring, edge) {
        reader.fail(
          expected: isOwn ? "a ring that does not cross or touch itself" : "rings that do not cross",
          found: "an edge from here that meets the one from position \(otherEdge)"
            + (isOwn ? "" : " of ring \(otherRing)"))
      }
    }
  }

  private func at(
    _ ring: Int, _ position: Int? = nil, _ error: () -> DocumentError
  ) throws(DocumentError) -> DocumentError {
    try reader.within(.index(ring)) { () throws(DocumentError) -> DocumentError in
      guard let position else { return error() }
      return try reader.within(.index(position)) { () throws(DocumentError) -> DocumentError in error() }
    }
  }

  private func ring(_ node: Node, _ count: inout Int) throws(DocumentError) -> [Coordinate] {
    let ring = try positions(node, &count)
    guard ring.count >= 4 else { throw reader.fail(expected: "at least four positions", found: "\(ring.count)") }
    guard ring.first == ring.last else {
      throw try at(ring.count - 1) {
        reader.fail(expected: "the first position again, which closes the ring", found: "another position")
      }
    }
    return ring
  }

  private func positions(_ node: Node, _ count: inout Int) throws(DocumentError) -> [Coordinate] {
    let positions = try reader.array(node, "an array of positions") { (node, _) throws(DocumentError) in
      try position(node)
    }
    count += positions.count
    guard count <= Self.positionLimit else {
      throw reader.fail(expected: "at most \(Self.positionLimit) positions in one region", found: "\(count) up to here")
    }
    return positions
  }

  /// An altitude is checked for being a number, and left out.
  private func position(_ node: Node) throws(DocumentError) -> Coordinate {
    let expected = "[longitude, latitude]"
    let numbers = try reader.array(node, expected) { (node, index) throws(DocumentError) in
      let most = index == 0 ? 180.0 : index == 1 ? 90 : .greatestFiniteMagnitude
      let expected =
        index == 0
        ? "a longitude, from -180 to 180" : index == 1 ? "a latitude, from -90 to 90" : "an altitude, a number"
      let value = try reader.number(node, expected)
      guard abs(value) <= most else { throw reader.mismatch(node, expected) }
      return value
    }
    guard numbers.count == 2 || numbers.count == 3 else {
      throw reader.fail(expected: expected + ", with or without an altitude", found: "\(numbers.count) elements")
    }
    return Coordinate(latitude: numbers[1], longitude: numbers[0])
  }
}

extension FeedReader {
  /// The area of a geofence that has a `geometry`; nil for circles.
  func area(_ object: Node) throws(DocumentError) -> Area? {
    let geometries = GeometryReader(reader: reader)
    let found = try reader.member(object, "geometry") {
      (node) throws(DocumentError) -> (outline: Area.Outline, type: GeometryReader.GeometryType) in
      let geometry = try reader.object(node, "a GeoJSON geometry, an object")
      try reader.refuseUnknown(geometry, DocumentKeys.geometry, of: "a geometry")
      let type = try reader.required(geometry, "type", "\"Polygon\", \"MultiPolygon\" or \"LineString\"") {
        (node) throws(DocumentError) in try reader.choice(node, GeometryReader.GeometryType.self)
      }
      return (try geometries.outline(geometry, type), type)
    }
    func refuse(_ key: StaticString, _ place: String) throws(DocumentError) {
      _ = try reader.member(object, key) { (node) throws(DocumentError) in
        throw reader.fail(expected: "no \"\(key)\" \(place)", found: reader.describe(node))
      }
    }
    if found != nil {
      for key: StaticString in ["latitude", "longitude", "radius"] { try refuse(key, "beside \"geometry\"") }
    }
    if found?.type != .line { try refuse("width", "without a \"geometry\" that is a line") }
    if found == nil || found?.type == .line {
      for key: StaticString in ["travelTime", "travelMinutes", "travelMode"] {
        try refuse(key, "without a \"geometry\" of polygons")
      }
    }
    guard let found else { return nil }
    guard case .corridor(let line, _) = found.outline else { return Area(found.outline) }
    let width = try reader.required(object, "width", GeometryReader.widthForm) { (node) throws(DocumentError) in
      try geometries.width(node)
    }
    return Area(.corridor(line, width: width))
  }

  /// `travelMinutes` and `travelMode`; or `travelTime`, the older form in seconds.
  func travel(_ object: Node) throws(DocumentError) -> TravelTime? {
    let minutes = try reader.member(object, "travelMinutes") { (node) throws(DocumentError) in
      try reader.integer(node, TravelTime.range)
    }
    let seconds = try reader.member(object, "travelTime") { (node) throws(DocumentError) in
      guard minutes == nil else {
        throw reader.fail(expected: "no \"travelTime\" beside \"travelMinutes\"", found: reader.describe(node))
      }
      return try reader.integer(node, 0...86_400)
    }
    let mode = try reader.member(object, "travelMode") { (node) throws(DocumentError) in
      guard minutes != nil || seconds != nil else {
        throw reader.fail(expected: "no \"travelMode\" without \"travelMinutes\"", found: reader.describe(node))
      }
      return try reader.choice(node, TravelTime.Mode.self)
    }
    return (minutes ?? seconds.map { ($0 + 30) / 60 }).map { TravelTime(minutes: $0, mode: mode) }
  }
}
