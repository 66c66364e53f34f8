internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PlotDocuments
internal import PlotServerStorage

/// The map of an app's regions: they are drawn in the browser, which gets them from here a part at a time.
extension DashboardRoutes {
  /// So many regions are sent with their shapes; of more, a part is told by squares.
  private static let mapLimit = 500
  private static let searchLimit: Int64 = 20

  func addMap(to router: Router<ServerContext>) {
    router.get("dashboard/:app/map", use: map)
    router.get("dashboard/:app/map/regions", use: mapRegions)
    router.get("dashboard/:app/map/find", use: mapSearch)
    router.get("web/map/background", use: mapBackground)
  }

  /// The values that `map.mjs` needs on each page that has a map.
  func mapValues(_ map: RegionMap) -> [String: Any] {
    var values: [String: Any] = [
      "tiles": service.configuration.mapTiles ?? "", "attribution": service.configuration.mapAttribution ?? "",
      "hasBackground": assets.background != nil, "hasMap": assets.files["maplibre-gl.js"] != nil,
    ]
    if let all = map.all { values["box"] = Self.text(all) }
    return values
  }

  static func text(_ box: RegionMap.Box) -> String {
    [box.west, box.south, box.east, box.north].map { String($0) }.joined(separator: " ")
  }

  @Sendable private func map(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let map = try await service.maps.map(manager.app.id, of: service.drafts)
      let beacons = try await service.drafts.read(app: manager.app.id) { session, app, _ in
        try session.draftObjects(containing: #""type":"beacon""#, ofApp: app.key, kind: .region, limit: 100)
      }
      var values = mapValues(map)
      values["mayEdit"] = manager.may(.edit)
      values["beacons"] = beacons.map { beacon -> [String: Any] in
        [
          "id": beacon.id, "link": "/dashboard/\(manager.app.id)/regions/edit?id=\(Self.encoded(beacon.id))",
          "name": (try? JSONValue(parsing: Array(beacon.json.utf8)))?["name"]?.string ?? "",
        ]
      }
      // A region that another page has asked to see.
      if let id = Self.parameter(request, "id"), let box = map.box(of: id) {
        values["focus"] = id
        values["box"] = Self.text(box)
      }
      return try page.response("map", title: page.text("map"), part: "map", values)
    }
  }

  static func response(_ value: JSONValue) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/geo+json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: value.text)))
  }

  private static func feature(_ geometry: JSONValue, _ properties: [(key: String, value: JSONValue)]) -> JSONValue {
    .object([("type", .string("Feature")), ("geometry", geometry), ("properties", .object(properties))])
  }

  private static func point(_ longitude: Double, _ latitude: Double) -> JSONValue {
    .object([("type", .string("Point")), ("coordinates", .array([.real(longitude), .real(latitude)]))])
  }

  @Sendable private func mapRegions(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { _, manager, _ in
      // The whole globe, where a side is not told.
      func degrees(_ key: String, _ standard: Double, _ range: ClosedRange<Double>) throws -> Double {
        guard let text = Self.parameter(request, key) else { return standard }
        guard let value = Double(text), range.contains(value) else {
          throw RequestFault.invalid(
            "?\(key)", "degrees from \(range.lowerBound) to \(range.upperBound)", .string(text))
        }
        return value
      }
      let part = RegionMap.Box(
        west: try degrees("west", -180, -540...540), south: try degrees("south", -90, -90...90),
        east: try degrees("east", 180, -540...900), north: try degrees("north", 90, -90...90))
      let map = try await service.maps.map(manager.app.id, of: service.drafts)
      let (ids, clusters) = map.regions(in: part, limit: Self.mapLimit)
      let objects = try await service.drafts.read(app: manager.app.id) { session, app, _ in
        try session.draftObjects(.region, ids: ids, ofApp: app.key)
      }
      var features = objects.compactMap { Self.feature($0) }
      for cluster in clusters {
        features.append(
          Self.feature(
            Self.point(cluster.longitude, cluster.latitude),
            [
              ("kind", .string("cluster")), ("count", .integer(Int64(cluster.count))),
              ("box", .string(Self.text(cluster.box))),
            ]))
      }
      return Self.response(.object([("type", .string("FeatureCollection")), ("features", .array(features))]))
    }
  }

  /// A region as a feature: a circle is its centre, and has a radius. Nil where it lies nowhere.
  static func feature(_ object: DraftObject, _ more: (key: String, value: JSONValue)...) -> JSONValue? {
    guard let region = try? JSONValue(parsing: Array(object.json.utf8)) else { return nil }
    var properties: [(key: String, value: JSONValue)] =
      more + [
        ("id", .string(object.id)), ("name", .string(region["name"]?.string ?? object.id)),
        ("version", .integer(object.version)),
      ]
    for key in ["radius", "width", "moving"] { if let value = region[key] { properties.append((key, value)) } }
    if let latitude = region["latitude"]?.number, let longitude = region["longitude"]?.number {
      properties.append(("kind", .string("circle")))
      return feature(point(longitude, latitude), properties)
    }
    guard let geometry = region["geometry"] else { return nil }
    properties.append(("kind", .string("area")))
    return feature(geometry, properties)
  }

  @Sendable private func mapSearch(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { _, manager, _ in
      let query = Self.parameter(request, "q") ?? ""
      let map = try await service.maps.map(manager.app.id, of: service.drafts)
      let found = try await service.drafts.read(app: manager.app.id) { session, app, _ in
        try session.draftObjects(containing: query, ofApp: app.key, kind: .region, limit: Self.searchLimit)
      }
      let features = found.compactMap { object -> JSONValue? in
        guard let box = map.box(of: object.id), let feature = Self.feature(object) else { return nil }
        return .object([
          ("id", .string(object.id)), ("name", feature["properties"]?["name"] ?? .string(object.id)),
          ("box", .string(Self.text(box))),
        ])
      }
      return Self.response(.array(features))
    }
  }

  @Sendable private func mapBackground(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let background = assets.background else {
      throw RequestFault(.notFound, "not-found", "this server has no background of maps")
    }
    return Self.response(background, request)
  }
}
