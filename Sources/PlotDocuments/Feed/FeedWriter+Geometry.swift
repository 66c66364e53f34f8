internal import PlotCore

extension Feed {
  /// GeoJSON (RFC 7946); a corridor has its `width` beside it.
  static func write(_ area: Area, to json: inout JSONText) {
    func rings(_ rings: [[Coordinate]], _ json: inout JSONText) {
      json.array { json in for ring in rings { json.positions(ring) } }
    }
    json.key("geometry")
    json.object { json in
      switch area.outline {
      case .polygons(let polygons):
        json.member("type", polygons.count == 1 ? "Polygon" : "MultiPolygon")
        json.key("coordinates")
        if polygons.count == 1 {
          rings(polygons[0], &json)
        } else {
          json.array { json in for polygon in polygons { rings(polygon, &json) } }
        }
      case .corridor(let line, _):
        json.member("type", "LineString")
        json.key("coordinates")
        json.positions(line)
      }
    }
    if case .corridor(_, let width) = area.outline { json.member("width", width) }
  }
}

extension JSONText {
  /// As in GeoJSON.
  mutating func positions(_ positions: [Coordinate]) {
    array { json in
      for position in positions {
        json.array { json in
          json.value(position.longitude)
          json.value(position.latitude)
        }
      }
    }
  }
}
