/// The input of a map on the plane: projected, thinned and cut to what can be drawn.
struct MapScene {
  struct Region {
    var region: MapRegion
    var position: MapPosition
    /// Metres.
    var radius: Double
    /// Whether anything happened there.
    var isVisited: Bool
  }

  struct Mark {
    var mark: MapMark
    var position: MapPosition
    /// The name of its region.
    var place: String
    /// Its place in the list, from 0.
    var index: Int
    /// The number on its pin, from 1; visits have none.
    var number: Int?
  }

  let input: MapInput
  let projection: MapProjection
  /// The regions that are drawn.
  let regions: [Region]
  let marks: [Mark]
  /// The track in pieces, thinned; a piece ends where the recording was off for long while the device moved on.
  let lines: [[MapPosition]]
  /// The straight lines between the pieces.
  let gaps: [[MapPosition]]
  /// What the map shows at first, in metres.
  let bounds: MapBounds
  /// Pixels per metre at first, in a drawing of `width` by `height`.
  let scale: Double

  static let width = 1_000.0
  static let height = 700.0
  private static let margin = 60.0
  private static let regionLimit = 3_000
  private static let pointLimit = 6_000

  init(_ input: MapInput) {
    self.input = input
    var places = input.points.map { (latitude: $0.latitude, longitude: $0.longitude) }
    places += input.marks.map { (latitude: $0.latitude, longitude: $0.longitude) }
    if places.isEmpty { places = input.regions.map { (latitude: $0.latitude, longitude: $0.longitude) } }
    let projection = MapProjection(around: places)
    self.projection = projection

    var extent: MapBounds?
    func include(_ bounds: MapBounds) {
      if extent == nil { extent = bounds } else { extent?.include(bounds) }
    }
    for place in places {
      include(MapBounds(projection.project(latitude: place.latitude, longitude: place.longitude)))
    }
    let visited = Set(input.marks.map(\.region))
    let candidates = input.regions.map { region in
      Region(
        region: region, position: projection.project(latitude: region.latitude, longitude: region.longitude),
        radius: region.radius, isVisited: visited.contains(region.id))
    }
    // A region that was visited is shown whole, unless it is so large that the track would be a speck in it.
    let size = extent.map { max($0.width, $0.height) } ?? 0
    for region in candidates where region.isVisited && region.radius < max(1_000, size) {
      include(MapBounds(region.position, margin: region.radius))
    }
    let bounds = (extent ?? MapBounds(MapPosition(x: 0, y: 0))).grown(toAtLeast: 200)
    self.bounds = bounds
    let scale = min(
      (MapScene.width - 2 * MapScene.margin) / bounds.width, (MapScene.height - 2 * MapScene.margin) / bounds.height)
    self.scale = scale

    regions = MapScene.drawn(candidates, bounds)
    let names = Dictionary(input.regions.map { ($0.id, $0.label) }, uniquingKeysWith: { first, _ in first })
    var pins = 0
    marks = input.marks.enumerated().map { index, mark in
      if mark.isPinned { pins += 1 }
      return Mark(
        mark: mark, position: projection.project(latitude: mark.latitude, longitude: mark.longitude),
        place: names[mark.region] ?? mark.region, index: index, number: mark.isPinned ? pins : nil)
    }

    let pieces = MapScene.pieces(input.points)
    let projected = pieces.map { piece in
      piece.map { projection.project(latitude: $0.latitude, longitude: $0.longitude) }
    }
    // Half a pixel at eight times the first scale: what is left out does not show before one zooms far in.
    lines = LineThinning.thin(projected, tolerance: 0.5 / scale / 8, limit: MapScene.pointLimit)
    gaps = zip(projected, projected.dropFirst()).compactMap { before, after in
      guard let end = before.last, let start = after.first else { return nil }
      return [end, start]
    }
  }

  /// Where a point is in the drawing as it is at first, in pixels.
  func screen(_ position: MapPosition) -> MapPosition {
    MapPosition(
      x: MapScene.width / 2 + (position.x - (bounds.minX + bounds.maxX) / 2) * scale,
      y: MapScene.height / 2 + (position.y - (bounds.minY + bounds.maxY) / 2) * scale)
  }

  /// The regions near the track: a feed may hold those of a whole country. The visited ones come last, on top.
  private static func drawn(_ candidates: [Region], _ bounds: MapBounds) -> [Region] {
    let near = bounds.grown(by: max(bounds.width, bounds.height))
    var regions = candidates.filter { $0.isVisited || near.intersects(MapBounds($0.position, margin: $0.radius)) }
    if regions.count > regionLimit {
      let middle = MapPosition(x: (bounds.minX + bounds.maxX) / 2, y: (bounds.minY + bounds.maxY) / 2)
      func distance(_ region: Region) -> Double {
        let (x, y) = (region.position.x - middle.x, region.position.y - middle.y)
        return x * x + y * y
      }
      regions.sort { ($0.isVisited ? 0 : 1, distance($0)) < ($1.isVisited ? 0 : 1, distance($1)) }
      regions.removeLast(regions.count - regionLimit)
    }
    return regions.filter { !$0.isVisited } + regions.filter(\.isVisited)
  }

  /// Cuts the track where at least ten minutes and 300 m lie between two points.
  private static func pieces(_ points: [TrackPoint]) -> [[TrackPoint]] {
    var pieces: [[TrackPoint]] = []
    var piece: [TrackPoint] = []
    for point in points {
      if let last = piece.last, point.time.subtractingReportingOverflow(last.time).partialValue >= 600_000,
        MapProjection.distance(last, point) >= 300
      {
        pieces.append(piece)
        piece = []
      }
      piece.append(point)
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }
}
