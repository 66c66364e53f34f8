internal import Foundation
internal import PlotDocuments
internal import PlotServerStorage

/// Where the regions of a draft lie, so that a map can ask for a part of it.
struct RegionMap: Sendable {
  /// In degrees. An east above 180 is on the other side of the antimeridian.
  struct Box: Equatable, Sendable {
    var west: Double
    var south: Double
    var east: Double
    var north: Double

    /// Whether both have a point in common, on whichever turn of the globe.
    func meets(_ other: Box) -> Bool {
      guard other.south <= north, other.north >= south else { return false }
      return [-360.0, 0, 360].contains { other.west + $0 <= east && other.east + $0 >= west }
    }
  }

  struct Place: Sendable {
    var id: String
    var name: String
    var box: Box
  }

  /// A square of a map with more regions than can be shown.
  struct Cluster: Equatable, Sendable {
    var count: Int
    var longitude: Double
    var latitude: Double
    var box: Box
  }

  private(set) var version: Int64 = -1
  private var places: [Place?] = []
  private var indices: [String: Int] = [:]

  /// Takes what has changed since its version, and leaves out what is no longer there.
  mutating func follow(_ session: any SQLSession, _ app: Int64, version: Int64) throws(StorageError) {
    guard version != self.version else { return }
    for object in try session.draftObjects(.region, ofApp: app, since: self.version) {
      let place = (try? JSONValue(parsing: Array(object.json.utf8))).flatMap { Self.place(object.id, $0) }
      if let index = indices[object.id] {
        places[index] = place
      } else {
        indices[object.id] = places.count
        places.append(place)
      }
    }
    if try session.draftCount(.region, ofApp: app) != indices.count {
      let there = Set(try session.draftIds(.region, ofApp: app))
      let kept = indices.filter { there.contains($0.key) }.sorted { $0.value < $1.value }
      places = kept.map { places[$0.value] }
      indices = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1.key, $0) })
    }
    self.version = version
  }

  /// Nil for a region that lies nowhere: a beacon or a group.
  static func place(_ id: String, _ region: JSONValue) -> Place? {
    let name = region["name"]?.string ?? id
    if let latitude = region["latitude"]?.number, let longitude = region["longitude"]?.number {
      let high = (region["radius"]?.number ?? 200) / metres
      let wide = high / max(0.01, cos(latitude * .pi / 180))
      return Place(
        id: id, name: name,
        box: Box(west: longitude - wide, south: latitude - high, east: longitude + wide, north: latitude + high))
    }
    var box: Box?
    func take(_ value: JSONValue?) {
      guard case .array(let items)? = value else { return }
      guard let longitude = items.first?.number, let latitude = items.dropFirst().first?.number else {
        for item in items { take(item) }
        return
      }
      // By the shorter way from the corner before, as the engine reads it.
      var east = longitude
      if let box {
        let middle = (box.west + box.east) / 2
        while east - middle > 180 { east -= 360 }
        while east - middle < -180 { east += 360 }
      }
      let old = box ?? Box(west: east, south: latitude, east: east, north: latitude)
      box = Box(
        west: min(old.west, east), south: min(old.south, latitude), east: max(old.east, east),
        north: max(old.north, latitude))
    }
    take(region["geometry"]?["coordinates"])
    return box.map { Place(id: id, name: name, box: $0) }
  }

  /// Of a degree of latitude, in metres.
  private static let metres = 111_195.0

  /// How many lie somewhere.
  var count: Int { places.count { $0 != nil } }

  /// The box around all; nil where nothing lies anywhere.
  var all: Box? {
    var all: Box?
    for case let place? in places {
      let box = place.box
      guard let old = all else {
        all = box
        continue
      }
      all = Box(
        west: min(old.west, box.west), south: min(old.south, box.south), east: max(old.east, box.east),
        north: max(old.north, box.north))
    }
    return all
  }

  /// The box of a region, where it lies somewhere.
  func box(of id: String) -> Box? { indices[id].flatMap { places[$0]?.box } }

  /// The regions of a part, or the squares that they are in where there are more than `limit`.
  func regions(in part: Box, limit: Int) -> (ids: [String], clusters: [Cluster]) {
    let found = places.compactMap { $0 }.filter { part.meets($0.box) }
    guard found.count > limit else { return (found.map(\.id), []) }
    let columns = 12
    let (wide, high) = (
      max(part.east - part.west, 1e-9) / Double(columns), max(part.north - part.south, 1e-9) / Double(columns)
    )
    var squares: [Int: Cluster] = [:]
    for place in found {
      let box = place.box
      var longitude = (box.west + box.east) / 2
      let latitude = (box.south + box.north) / 2
      while longitude < part.west - 180 { longitude += 360 }
      if longitude < part.west, longitude + 360 <= part.east { longitude += 360 }
      let column = min(max(Int((longitude - part.west) / wide), 0), columns - 1)
      let row = min(max(Int((latitude - part.south) / high), 0), columns - 1)
      var square = squares[row * columns + column] ?? Cluster(count: 0, longitude: 0, latitude: 0, box: box)
      square.count += 1
      square.longitude += longitude
      square.latitude += latitude
      square.box = Box(
        west: min(square.box.west, box.west), south: min(square.box.south, box.south),
        east: max(square.box.east, box.east), north: max(square.box.north, box.north))
      squares[row * columns + column] = square
    }
    return (
      [],
      squares.sorted { $0.key < $1.key }.map { _, square in
        var mean = square
        mean.longitude /= Double(square.count)
        mean.latitude /= Double(square.count)
        return mean
      }
    )
  }
}

/// The maps of the apps that somebody looks at.
actor RegionMaps {
  private static let most = 8
  private var maps: [String: RegionMap] = [:]
  /// The one that was asked for last is the last.
  private var order: [String] = []

  /// The map of an app's draft, as it is now.
  func map(_ app: String, of drafts: Drafts) async throws -> RegionMap {
    let known = maps[app] ?? RegionMap()
    let map = try await drafts.read(app: app) { session, record, version in
      var map = known
      try map.follow(session, record.key, version: version)
      return map
    }
    maps[app] = map
    order.removeAll { $0 == app }
    order.append(app)
    if order.count > Self.most { maps[order.removeFirst()] = nil }
    return map
  }
}
