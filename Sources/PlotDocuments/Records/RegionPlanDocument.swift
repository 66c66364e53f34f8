public import PlotCore

extension RegionPlan.Difference {
  /// As docs/region-plan.md says.
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.key("add")
      json.array { json in for registration in add { registration.write(to: &json) } }
      json.key("remove")
      json.array { json in for id in remove { json.value(id) } }
      json.key("fence")
      if let fence {
        json.object { json in fence.write(to: &json) }
      } else {
        json.raw("null")
      }
      json.member("fenceChanged", isFenceNew)
      json.member("dense", isDense)
      json.member("unwatchedBeacons", unwatchedBeacons)
    }
    return json.text
  }
}

extension RegionPlan.Registration {
  fileprivate func write(to json: inout JSONText) {
    json.object { json in
      json.member("id", id)
      switch target {
      case .circle(let circle):
        json.member("kind", "circle")
        circle.write(to: &json)
      case .area(let circle):
        json.member("kind", "area")
        circle.write(to: &json)
      case .beacon(let filter):
        json.member("kind", "beacon")
        json.member("proximityUUID", filter.proximityUUID)
        json.member("majorId", filter.majorId.map(Int64.init))
        json.member("minorId", filter.minorId.map(Int64.init))
      }
    }
  }
}

extension Circle {
  fileprivate func write(to json: inout JSONText) {
    json.member("latitude", center.latitude)
    json.member("longitude", center.longitude)
    json.member("radius", radius)
  }
}
