internal import PlotCore
internal import PlotTracks

/// The input of a map on the plane: projected, thinned and cut to what can be drawn.
package struct MapScene {
  package struct Region {
    package var region: MapRegion
    package var position: MapPosition
    /// Metres.
    package var radius: Double
    /// Whether anything happened there.
    package var isVisited: Bool
    /// Where it is from a time on, where it moves.
    package var moves: [MapMoment]
  }

  package struct Fix {
    package var moment: MapMoment
    /// Metres; 0 when not known.
    package var accuracy: Double
    /// The first decision that says why it did not count; nil for one that did.
    package var objection: Int?
  }

  package struct Mark {
    package var mark: MapMark
    /// Nil when nobody knows where it was.
    package var position: MapPosition?
    /// The name of its region.
    package var place: String
    /// Its place in the list, from 0.
    package var index: Int
    /// The number on its pin, from 1; only notifications and geotriggers have one.
    package var number: Int?
    /// Whether it is on the map.
    package var isDrawn: Bool
  }

  /// A background shape on the plane: its lines, or rings.
  package struct Shape {
    package var kind: MapShape.Kind
    package var lines: [[MapPosition]]
    /// Whether the lines are the rings of a polygon.
    package var isFilled: Bool
  }

  package let input: MapInput
  package let projection: MapProjection
  /// The regions that are drawn.
  package let regions: [Region]
  /// Regions that have no place, those where something happened first.
  package let unplaced: [Region]
  package let marks: [Mark]
  /// The decisions that the page holds.
  package let decisions: ArraySlice<MapDecision>
  /// The changes of each region, in the order of their times.
  package let changes: [String: [MapChange]]
  /// The track in pieces, thinned; a piece ends where the recording was off for long while the device moved on.
  package let pieces: [[MapMoment]]
  /// The fixes in the order of their times; of a long track every so manyth, and all that did not count.
  package let fixes: [Fix]
  /// The straight lines between the pieces.
  package let gaps: [[MapPosition]]
  package let background: [Shape]
  /// The part that the map shows at first, in metres.
  package let bounds: MapBounds
  /// Pixels per metre at first, in a drawing of `width` by `height`.
  package let scale: Double
  /// Milliseconds since 1970: the first and the last thing that is known.
  package let span: ClosedRange<Int64>

  package static let width = 1_000.0
  package static let height = 700.0
  package static let pinLimit = 2_000
  package static let decisionLimit = 100_000
  private static let margin = 60.0
  private static let regionLimit = 3_000
  private static let pointLimit = 6_000
  private static let backgroundLimit = 60_000

  package var lines: [[MapPosition]] { pieces.map { $0.map(\.position) } }

  package init(_ input: MapInput) {
    self.input = input
    var places = input.points.map { (latitude: $0.latitude, longitude: $0.longitude) }
    places += input.marks.compactMap { $0.place.map { (latitude: $0.latitude, longitude: $0.longitude) } }
    for region in input.regions {
      places += region.moves.map { (latitude: $0.place.latitude, longitude: $0.place.longitude) }
    }
    if places.isEmpty {
      places = input.regions.filter(\.isPlaced).map { (latitude: $0.latitude, longitude: $0.longitude) }
    }
    let projection = MapProjection(around: places)
    self.projection = projection
    func project(_ place: Coordinate) -> MapPosition {
      projection.project(latitude: place.latitude, longitude: place.longitude)
    }

    var extent: MapBounds?
    func include(_ bounds: MapBounds) {
      if extent == nil { extent = bounds } else { extent?.include(bounds) }
    }
    for place in places {
      include(MapBounds(projection.project(latitude: place.latitude, longitude: place.longitude)))
    }
    let visited = Set(input.marks.map(\.region)).union(input.changes.map(\.region))
    let candidates = input.regions.map { region in
      Region(
        region: region, position: projection.project(latitude: region.latitude, longitude: region.longitude),
        radius: region.radius, isVisited: visited.contains(region.id),
        moves: region.moves.map { MapMoment(time: $0.time, position: project($0.place)) })
    }
    let placed = candidates.filter(\.region.isPlaced)
    // A region that was visited is shown whole, unless it is so large that the track would be a speck in it.
    let size = extent.map { max($0.width, $0.height) } ?? 0
    for region in placed where region.isVisited && region.radius < max(1_000, size) {
      include(MapBounds(region.position, margin: region.radius))
      for move in region.moves { include(MapBounds(move.position, margin: region.radius)) }
    }
    let bounds = (extent ?? MapBounds(MapPosition(x: 0, y: 0))).grown(toAtLeast: 200)
    self.bounds = bounds
    let scale = min(
      (MapScene.width - 2 * MapScene.margin) / bounds.width, (MapScene.height - 2 * MapScene.margin) / bounds.height)
    self.scale = scale

    regions = MapScene.drawn(placed, bounds)
    let homeless = candidates.filter { !$0.region.isPlaced }
    unplaced = homeless.filter(\.isVisited) + homeless.filter { !$0.isVisited }
    changes = Dictionary(grouping: input.changes, by: \.region).mapValues { changes in
      changes.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
    decisions = input.decisions.prefix(MapScene.decisionLimit)
    let names = Dictionary(input.regions.map { ($0.id, $0.label) }, uniquingKeysWith: { first, _ in first })
    var pins = 0
    var drops = 0
    marks = input.marks.enumerated().map { index, mark in
      if mark.isPinned { pins += 1 }
      if mark.kind == "dropped" { drops += 1 }
      let isDrawn =
        mark.place != nil
        && (mark.isPinned ? pins <= MapScene.pinLimit : mark.kind == "dropped" && drops <= MapScene.pinLimit)
      return Mark(
        mark: mark, position: mark.place.map(project), place: names[mark.region] ?? mark.region, index: index,
        number: mark.isPinned ? pins : nil, isDrawn: isDrawn)
    }

    let inOrder = input.points.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    let projected = MapScene.pieces(inOrder).map { piece in
      piece.map {
        MapMoment(time: $0.time, position: projection.project(latitude: $0.latitude, longitude: $0.longitude))
      }
    }
    // Half a pixel at eight times the first scale: what is left out does not show before one zooms far in.
    let tolerance = 0.5 / scale / 8
    pieces = LineThinning.thin(projected, tolerance: max(1, tolerance), limit: MapScene.pointLimit)
    fixes = MapScene.fixes(inOrder, decisions, projection)
    gaps = zip(projected, projected.dropFirst()).compactMap { before, after in
      guard let end = before.last, let start = after.first else { return nil }
      return [end.position, start.position]
    }
    background = MapScene.ground(input.background, projection, bounds, tolerance: tolerance)
    let times =
      input.points.map(\.time) + input.marks.map(\.time) + input.decisions.map(\.time) + input.changes.map(\.time)
      + input.regions.flatMap { $0.moves.map(\.time) }
    let first = times.min() ?? 0
    span = first...max(first, times.max() ?? 0)
  }

  /// Reasons for which a fix counts for nothing, or not for a region that it lies in.
  package static let objections: Set<String> = ["coarse", "jump", "shift", "at-rest", "implied-speed", "accuracy"]

  private static func fixes(
    _ points: [TrackPoint], _ decisions: ArraySlice<MapDecision>, _ projection: MapProjection
  ) -> [Fix] {
    var objectionAt: [Int64: Int] = [:]
    for (index, decision) in zip(decisions.indices, decisions)
    where decision.step == "presence" && decision.verdict != "pass" && objections.contains(decision.reason) {
      if objectionAt[decision.time] == nil { objectionAt[decision.time] = index }
    }
    let every = points.count / pointLimit + 1
    return points.enumerated().compactMap { number, point in
      let objection = objectionAt[point.time]
      guard number % every == 0 || objection != nil else { return nil }
      let position = projection.project(latitude: point.latitude, longitude: point.longitude)
      return Fix(
        moment: MapMoment(time: point.time, position: position), accuracy: point.accuracy, objection: objection)
    }
  }

  /// Where a point is in the drawing as it is at first, in pixels.
  package func screen(_ position: MapPosition) -> MapPosition {
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

  /// Cuts the track, in the order of its times, where at least ten minutes and 300 m lie between two points.
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

  /// The background near the map, thinned, the ground first and the ways last.
  private static func ground(
    _ shapes: [MapShape], _ projection: MapProjection, _ bounds: MapBounds, tolerance: Double
  ) -> [Shape] {
    let near = bounds.grown(by: max(bounds.width, bounds.height) / 2)
    var kept: [Shape] = []
    for shape in shapes {
      let (rings, isFilled) =
        switch shape.outline {
        case .point(let place): ([[place]], false)
        case .line(let line): ([line], false)
        case .polygon(let rings): (rings, true)
        }
      let lines = rings.map { projection.path($0) }
      guard let first = lines.joined().first else { continue }
      var box = MapBounds(first)
      for position in lines.joined() { box.include(MapBounds(position)) }
      if box.intersects(near) { kept.append(Shape(kind: shape.kind, lines: lines, isFilled: isFilled)) }
    }
    var tolerance = tolerance
    var thinned = kept
    for _ in 0..<60 {
      for index in thinned.indices {
        thinned[index].lines = thinned[index].lines.map { LineThinning.thin($0, tolerance: tolerance) }
      }
      if thinned.reduce(0, { $0 + $1.lines.reduce(0) { $0 + $1.count } }) <= backgroundLimit { break }
      // A shape that has become a speck goes altogether.
      thinned.removeAll { shape in shape.isFilled && shape.lines.allSatisfy { $0.count < 4 } }
      tolerance *= 2
    }
    let order = MapShape.Kind.allCases
    func rank(_ shape: Shape) -> Int {
      (shape.isFilled ? 0 : 100) + (order.firstIndex(of: shape.kind) ?? 0)
    }
    return thinned.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
  }
}
