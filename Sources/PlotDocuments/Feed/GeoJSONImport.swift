public import PlotCore

/// Makes a feed from GeoJSON points, polygons and lines (docs/feed.md, "Import").
public struct GeoJSONImport: Sendable {
  public var radius = 200.0
  /// Metres, of the corridors along lines.
  public var width = 50.0
  public var message = "{{name}}"
  public var trigger = "enter"
  public var dwellingMinutes: Int64?
  public var insideAt: String?
  public var idProperty: String?
  public var nameProperty = "name"
  /// Metres of the circle around its point; where a feature has none, `radius` counts.
  public var radiusProperty = "radius"
  public var campaign = "imported"

  public init() {}

  /// Reads options as `plot_feed_import_geojson` takes them.
  public init(options bytes: [UInt8]) throws(DocumentError) {
    let reader = try JSONReader(bytes)
    let root = try reader.object(reader.root, "an object of options")
    try reader.refuseUnknown(
      root,
      [
        "radius", "width", "message", "trigger", "dwellingMinutes", "insideAt", "idProperty", "nameProperty",
        "radiusProperty", "campaign",
      ],
      of: "the options")
    func string(_ key: String) throws(DocumentError) -> String? {
      try reader.member(root, key) { (node) throws(DocumentError) in try reader.string(node) }
    }
    radius =
      try reader.member(root, "radius") { (node) throws(DocumentError) in
        try reader.number(node, "metres")
      }
      ?? radius
    width =
      try reader.member(root, "width") { (node) throws(DocumentError) in
        try reader.number(node, "metres")
      }
      ?? width
    message = try string("message") ?? message
    trigger = try string("trigger") ?? trigger
    dwellingMinutes = try reader.member(root, "dwellingMinutes") { (node) throws(DocumentError) in
      try reader.integer(node, Trigger.dwellingRange)
    }
    insideAt = try string("insideAt")
    idProperty = try string("idProperty")
    nameProperty = try string("nameProperty") ?? nameProperty
    radiusProperty = try string("radiusProperty") ?? radiusProperty
    campaign = try string("campaign") ?? campaign
  }

  /// The `document` of an error that is about an option.
  public static let options = "options"

  /// The feed. An error has its place in the GeoJSON, or, without line and column, the pointer of an option, and `options` as its document.
  public func feed(from bytes: [UInt8]) throws(DocumentError) -> Feed {
    guard FeedReader.isRadius(radius) else {
      throw Self.refused("radius", radius, expected: FeedReader.radiusForm)
    }
    guard GeometryReader.isWidth(width) else {
      throw Self.refused("width", width, expected: GeometryReader.widthForm)
    }
    try DocumentError.checkSize(of: bytes, most: Feed.sizeLimit)
    let reader = try JSONReader(bytes.withoutByteOrderMark)
    let root = try reader.object(reader.root, "a GeoJSON FeatureCollection")
    var regions: [Region] = []
    var ids: Set<Identifier> = []
    func take(_ node: Node) throws(DocumentError) {
      let region = try region(node, regions.count + 1, reader)
      guard ids.insert(region.id).inserted else {
        throw reader.fail(expected: "a feature with an id of its own", found: "\"\(region.id.text)\" again")
      }
      regions.append(region)
    }
    let type = try reader.required(root, "type", "\"FeatureCollection\" or \"Feature\"") {
      (node) throws(DocumentError) in
      try reader.choice(node, RootType.self)
    }
    if type == .feature {
      try take(root)
    } else {
      _ = try reader.required(root, "features", "an array of features") { (node) throws(DocumentError) in
        try reader.array(node, "an array of features", most: Feed.countLimit) {
          (node, _) throws(DocumentError) in
          try take(node)
        }
      }
    }
    guard !regions.isEmpty else { throw reader.fail(expected: "at least one feature", found: "none") }
    do {
      return try Feed.parse(Array(document(regions).utf8))
    } catch {
      throw Self.ofOptions(error)
    }
  }

  private static func refused(_ option: String, _ value: Double, expected: String) -> DocumentError {
    var error = DocumentError(
      line: 0, column: 0, pointer: "/" + option, expected: expected, found: "the number \(value)")
    error.document = options
    return error
  }

  /// A fault of the feed that was made is one of the options: `/campaigns/0/trigger` is `/trigger`.
  private static func ofOptions(_ error: DocumentError) -> DocumentError {
    var error = error
    (error.line, error.column) = (0, 0)
    let steps = error.pointer.split(separator: "/")
    if steps.first == "campaigns" { error.document = options }
    if steps.count > 2, steps[0] == "campaigns" {
      error.pointer = "/" + (steps[2] == "id" ? "campaign" : steps[2])
    } else if steps.count == 2, steps[0] == "campaigns" {
      error.pointer = ""
    }
    return error
  }

  private enum RootType: String, CaseIterable {
    case collection = "FeatureCollection"
    case feature = "Feature"
  }

  private enum GeometryType: String, CaseIterable {
    case point = "Point"
    case polygon = "Polygon"
    case multiPolygon = "MultiPolygon"
    case line = "LineString"
  }

  private func region(_ node: Node, _ number: Int, _ reader: JSONReader) throws(DocumentError) -> Region {
    let feature = try reader.object(node, "a feature, an object")
    var shape = try reader.required(feature, "geometry", "a point, polygons or a line") {
      (node) throws(DocumentError) -> Region.Shape in
      let geometry = try reader.object(node)
      let type = try reader.required(
        geometry, "type", "\"Point\", \"Polygon\", \"MultiPolygon\" or \"LineString\""
      ) { (node) throws(DocumentError) in try reader.choice(node, GeometryType.self) }
      if let type = GeometryReader.GeometryType(rawValue: type.rawValue) {
        let outline = try GeometryReader(reader: reader).outline(geometry, type)
        if case .corridor(let line, _) = outline { return .area(Area(.corridor(line, width: width))) }
        return .area(Area(outline))
      }
      let center = try reader.required(geometry, "coordinates", "[longitude, latitude]") {
        (node) throws(DocumentError) in
        let numbers = try reader.array(node, "[longitude, latitude]") { (node, _) throws(DocumentError) in
          try reader.number(node, "a number")
        }
        guard numbers.count >= 2, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else {
          throw reader.fail(
            expected: "[longitude, latitude] in degrees", found: "[\(numbers.map { "\($0)" }.joined(separator: ", "))]")
        }
        return Coordinate(latitude: numbers[1], longitude: numbers[0])
      }
      return .circle(Circle(center: center, radius: radius))
    }
    var id =
      try reader.member(feature, "id") { (node) throws(DocumentError) in
        try FeedReader(reader).fieldText(node)
      } ?? nil
    if idProperty != nil { id = nil }
    var name: String?
    var fields: [CustomField] = []
    _ = try reader.member(feature, "properties") { (node) throws(DocumentError) in
      let properties = try reader.object(node, "an object")
      for key in reader.keys(properties) {
        if key == radiusProperty, case .circle(let circle) = shape {
          let own = try reader.member(properties, key) { (node) throws(DocumentError) in
            try ownRadius(node, reader)
          }
          if let own { shape = .circle(Circle(center: circle.center, radius: own)) }
          continue
        }
        let value =
          try reader.member(properties, key) { (node) throws(DocumentError) in
            try FeedReader(reader).fieldText(node)
          } ?? nil
        guard let value else { continue }
        if key == idProperty {
          id = value
        } else if key == nameProperty {
          name = value
        } else if fields.contains(where: { $0.name.lowercased() == key.lowercased() }) {
          throw try reader.within(.key(key)) { () throws(DocumentError) -> DocumentError in
            reader.fail(expected: "names that differ in more than case", found: "\"\(key)\" again")
          }
        } else {
          fields.append(CustomField(name: key, value: value))
        }
      }
      if let idProperty, !reader.keys(properties).contains(idProperty) {
        throw reader.fail(expected: "\"\(idProperty)\", the property that holds the id", found: "no such key")
      }
    }
    if let idProperty, id == nil {
      throw reader.fail(
        expected: "a property \"\(idProperty)\" that is a string, a number or a boolean", found: "none")
    }
    let text = id ?? "region-\(number)"
    guard FeedReader.isIdentifier(text) else {
      throw reader.fail(expected: "an id that is \(FeedReader.identifierForm)", found: "\"\(text)\"")
    }
    return Region(
      id: Identifier(text), name: name, shape: shape, customFields: fields)
  }

  /// The radius of one feature: a number, or the text of one, as tables and KML have it.
  private func ownRadius(_ node: Node, _ reader: JSONReader) throws(DocumentError) -> Double {
    let text = try FeedReader(reader).fieldText(node) ?? nil
    guard let number = text.flatMap({ Double($0) }), FeedReader.isRadius(number) else {
      throw reader.fail(expected: FeedReader.radiusForm, found: text.map { "\"\($0)\"" } ?? "null")
    }
    return number
  }

  /// The feed as text, so that one reader checks what the options and the GeoJSON have made.
  private func document(_ regions: [Region]) -> String {
    let minutes = trigger == "dwelling" ? dwellingMinutes ?? Trigger.dwellingRange.lowerBound : dwellingMinutes
    var json = JSONText()
    json.object { json in
      json.member("version", Int64(1))
      json.key("regions")
      json.array { json in for region in regions { Feed.write(region, to: &json) } }
      json.key("campaigns")
      json.array { json in
        json.object { json in
          json.member("id", campaign)
          json.member("type", "notification")
          json.member("message", message)
          json.member("trigger", trigger)
          json.member("dwellingMinutes", minutes)
          json.member("insideAt", insideAt)
          json.key("regions")
          json.array { json in for region in regions { json.value(region.id.text) } }
        }
      }
    }
    return json.text
  }
}
