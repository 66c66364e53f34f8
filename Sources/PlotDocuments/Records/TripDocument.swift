public import PlotCore

extension TripPlan {
  public static let sizeLimit = 4 << 20

  /// Reads a trip (docs/trips.md).
  public static func parse(_ bytes: [UInt8]) throws(DocumentError) -> TripPlan {
    try DocumentError.checkSize(of: bytes, most: sizeLimit)
    let reader = try JSONReader(bytes, nullIsAbsent: false)
    return try TripReader(reader).plan(reader.root)
  }

  /// As `parse` reads it.
  public var json: String {
    var json = JSONText()
    json.object { json in
      write(to: &json)
      if let route {
        json.key("route")
        json.object { json in
          json.member("type", "LineString")
          json.key("coordinates")
          json.positions(route.points)
        }
      }
    }
    return json.text
  }

  /// All but the route.
  fileprivate func write(to json: inout JSONText) {
    json.member("id", id.text)
    json.member("region", region.text)
    json.member("mode", mode.rawValue)
    json.member("deadline", deadline.map(Timestamp.text))
    json.member("expires", expires.map(Timestamp.text))
    json.member("approachingSeconds", approachingSeconds)
    json.member("approachingMetres", approachingMetres)
    if !others.isEmpty {
      json.key("others")
      json.array { json in for other in others { json.value(other.text) } }
    }
    writeMetadata(to: &json)
  }

  func writeMetadata(to json: inout JSONText) {
    guard !metadata.isEmpty else { return }
    json.key("metadata")
    json.object { json in
      for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
        json.key(key.text)
        json.value(value)
      }
    }
  }
}

/// From a JSON tree to a trip. Ids, times and positions are read as in a feed.
struct TripReader {
  let reader: JSONReader
  let feed: FeedReader

  init(_ reader: JSONReader) {
    self.reader = reader
    feed = FeedReader(reader)
  }

  func plan(_ node: Node) throws(DocumentError) -> TripPlan {
    let root = try reader.object(node, "a trip: {\"id\": \"…\", \"region\": \"…\"}")
    try reader.refuseUnknown(root, DocumentKeys.trip, of: "a trip")
    let id = try feed.identifier(root)
    let region = try reader.required(root, "region", FeedReader.identifierForm) { (node) throws(DocumentError) in
      try feed.name(node)
    }
    var plan = TripPlan(id: id, region: region)
    plan.mode =
      try reader.member(root, "mode") { (node) throws(DocumentError) -> TravelTime.Mode in
        try reader.choice(node, TravelTime.Mode.self)
      } ?? .auto
    plan.route = try reader.member(root, "route") { (node) throws(DocumentError) -> Route in try route(node) }
    plan.deadline = try reader.member(root, "deadline") { (node) throws(DocumentError) in try feed.time(node) }
    plan.expires = try reader.member(root, "expires") { (node) throws(DocumentError) in try feed.time(node) }
    plan.approachingSeconds = try reader.member(root, "approachingSeconds") { (node) throws(DocumentError) in
      try reader.integer(node, TripPlan.approachingSecondsRange)
    }
    plan.approachingMetres = try reader.member(root, "approachingMetres") { (node) throws(DocumentError) in
      let expected = "metres, from 1 to 1000000"
      let metres = try reader.number(node, expected)
      guard TripPlan.approachingMetresRange.contains(metres) else { throw reader.mismatch(node, expected) }
      return metres
    }
    plan.others =
      try reader.member(root, "others") { (node) throws(DocumentError) -> [Identifier] in
        try others(node, but: region)
      } ?? []
    plan.metadata =
      try reader.member(root, "metadata") { (node) throws(DocumentError) -> [Identifier: PropertyValue] in
        try metadata(node)
      } ?? [:]
    return plan
  }

  private func others(_ node: Node, but destination: Identifier) throws(DocumentError) -> [Identifier] {
    var seen: Set = [destination]
    return try reader.array(node, "an array of ids of regions", most: TripPlan.othersLimit) {
      (node, _) throws(DocumentError) in
      let id = try feed.name(node)
      guard seen.insert(id).inserted else { throw reader.mismatch(node, "a region that is not named twice") }
      return id
    }
  }

  private func route(_ node: Node) throws(DocumentError) -> Route {
    let expected = "a GeoJSON line: {\"type\": \"LineString\", \"coordinates\": [[longitude, latitude], …]}"
    let line = try reader.object(node, expected)
    _ = try reader.required(line, "type", "\"LineString\"") { (node) throws(DocumentError) in
      guard try reader.string(node) == "LineString" else { throw reader.mismatch(node, "\"LineString\"") }
      return true
    }
    guard case .corridor(let points, _) = try GeometryReader(reader: reader).outline(line, .line) else {
      throw reader.mismatch(node, expected)
    }
    guard points.count <= Route.pointLimit else {
      throw reader.fail(expected: "at most \(Route.pointLimit) positions", found: "\(points.count)")
    }
    return Route(points)
  }

  private func metadata(_ node: Node) throws(DocumentError) -> [Identifier: PropertyValue] {
    let expected = "an object of strings, numbers and booleans"
    let object = try reader.object(node, expected)
    var values: [Identifier: PropertyValue] = [:]
    for key in reader.keys(object) {
      values[Identifier(key)] = try reader.required(object, key, expected) {
        (node) throws(DocumentError) -> PropertyValue in
        guard let value = try reader.plainValue(node) else {
          throw reader.mismatch(node, "a string, a number or a boolean")
        }
        return value
      }
    }
    guard values.count <= TripPlan.metadataLimit else {
      throw reader.fail(expected: "at most \(TripPlan.metadataLimit) values", found: "\(values.count)")
    }
    return values
  }
}

/// The trips that are on, for a host (docs/trips.md).
public enum TripDocument {
  /// Sorted by id.
  public static func trips(_ trips: [(trip: Trip, standing: TripStanding?)]) -> String {
    var json = JSONText()
    json.array { json in
      for (trip, standing) in trips {
        json.object { json in
          trip.plan.write(to: &json)
          json.member("started", Timestamp.text(trip.started))
          json.member("ends", Timestamp.text(trip.end))
          json.member("metres", standing.map { tenth($0.metres) })
          json.member("arrival", standing.map { Timestamp.text($0.arrival) })
          json.member("speed", standing.map { tenth($0.speed) })
          json.member("approaching", trip.isApproaching)
          json.member("delayed", trip.isDelayed)
          json.member("stopped", trip.isStopped)
          json.member("offRoute", trip.isOffRoute)
        }
      }
    }
    return json.text
  }

  /// To one digit after the point.
  static func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
