internal import PlotCore

extension MapPage {
  /// The shape of a region: a circle, polygons with their holes, or a line as wide as its corridor. `index` is its place among those drawn.
  package static func shape(_ region: MapScene.Region, _ projection: MapProjection, index: Int? = nil) -> String {
    let seen = region.isVisited ? " seen" : ""
    let data = index.map { " data-r=\"\($0)\"" } ?? ""
    switch region.region.area?.outline {
    case nil:
      let place = region.moves.last?.position ?? region.position
      return """
        <circle class="region\(seen)"\(data) cx="\(HTMLText.number(place.x))" \
        cy="\(HTMLText.number(place.y))" r="\(HTMLText.number(region.radius))"/>
        """
    case .polygons(let polygons):
      let rings = polygons.joined().map { path(projection.path($0)) + "Z" }
      return #"<path class="region\#(seen)"\#(data) fill-rule="evenodd" d="\#(rings.joined())"/>"#
    case .corridor(let line, let width):
      return """
        <path class="region line\(seen)"\(data) stroke-width="\(HTMLText.number(width))" d="\(path(projection.path(line)))"/>
        """
    }
  }

  /// The background: an element for each polygon, for they may overlap, and one for all lines and all points of a kind.
  package static func ground(_ scene: MapScene) -> [String] {
    var parts: [String] = []
    for shape in scene.background where shape.isFilled {
      let rings = shape.lines.map { path($0) + "Z" }.joined()
      parts.append(#"<path class="bg \#(shape.kind.rawValue)" fill-rule="evenodd" d="\#(rings)"/>"#)
    }
    for kind in MapShape.Kind.allCases {
      let open = scene.background.filter { !$0.isFilled && $0.kind == kind }.flatMap(\.lines)
      let lines = open.filter { $0.count > 1 }.map { path($0) }.joined()
      if !lines.isEmpty { parts.append(#"<path class="bgline \#(kind.rawValue)" d="\#(lines)"/>"#) }
      // A line of no length with round ends is a dot of the same size at every zoom.
      let dots = open.filter { $0.count == 1 }.map { path($0) + "h0" }.joined()
      if !dots.isEmpty { parts.append(#"<path class="bgdot \#(kind.rawValue)" d="\#(dots)"/>"#) }
    }
    return parts
  }

  /// A path along positions on the plane.
  package static func path(_ line: [MapPosition]) -> String {
    "M" + line.map { "\(HTMLText.number($0.x)) \(HTMLText.number($0.y))" }.joined(separator: "L")
  }
}
