internal import PlotCore

extension MapPage {
  /// The shape of a region: a circle, polygons with their holes, or a line as wide as its corridor.
  static func shape(_ region: MapScene.Region, _ projection: MapProjection) -> String {
    let seen = region.isVisited ? " seen" : ""
    switch region.region.area?.outline {
    case nil:
      return """
        <circle class="region\(seen)" cx="\(HTMLText.number(region.position.x))" \
        cy="\(HTMLText.number(region.position.y))" r="\(HTMLText.number(region.radius))"/>
        """
    case .polygons(let polygons):
      let rings = polygons.joined().map { path($0, projection) + "Z" }
      return #"<path class="region\#(seen)" fill-rule="evenodd" d="\#(rings.joined())"/>"#
    case .corridor(let line, let width):
      return """
        <path class="region line\(seen)" stroke-width="\(HTMLText.number(width))" d="\(path(line, projection))"/>
        """
    }
  }

  /// From one position to the next the longitude goes the short way round.
  private static func path(_ positions: [Coordinate], _ projection: MapProjection) -> String {
    var x = 0.0
    var before: Double?
    let points = positions.map { position in
      let place = projection.project(latitude: position.latitude, longitude: position.longitude)
      if let before {
        x += (position.longitude - before).remainder(dividingBy: 360) * projection.metersPerDegreeEast
      } else {
        x = place.x
      }
      before = position.longitude
      return "\(HTMLText.number(x)) \(HTMLText.number(place.y))"
    }
    return "M" + points.joined(separator: "L")
  }
}
