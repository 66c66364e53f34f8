internal import PlotCore

/// Beacons of other kinds, and groups (docs/feed.md).
extension FeedReader {
  func range(_ object: Node) throws(DocumentError) -> BeaconRange {
    try reader.member(object, "range") { (node) throws(DocumentError) in
      try reader.choice(node, BeaconRange.self)
    } ?? .far
  }

  func eddystone(_ object: Node) throws(DocumentError) -> Eddystone {
    func digits(_ node: Node, _ count: Int) throws(DocumentError) -> String {
      let expected = "\(count) hexadecimal digits"
      let text = try reader.string(node, expected)
      guard text.utf8.count == count, Sighting.isHexadecimal(text) else {
        throw reader.mismatch(node, expected)
      }
      return text
    }
    return Eddystone(
      namespaceId: try reader.required(object, "namespaceId", "20 hexadecimal digits") {
        (node) throws(DocumentError) in try digits(node, 20)
      },
      instanceId: try reader.member(object, "instanceId") { (node) throws(DocumentError) in
        try digits(node, 12)
      }, range: try range(object))
  }

  /// Its members are looked up when all regions are known.
  func group(_ object: Node) throws(DocumentError) -> Group {
    let expected = "an array of region ids"
    let members = try reader.required(object, "regions", expected) { (node) throws(DocumentError) in
      var seen: Set<Identifier> = []
      let members = try reader.array(node, expected, most: 1000) { (node, _) throws(DocumentError) in
        let id = Identifier(try reader.string(node, "a region id"))
        guard seen.insert(id).inserted else { throw reader.mismatch(node, "each region once", .duplicate) }
        return id
      }
      guard !members.isEmpty else { throw reader.mismatch(node, "at least one region id", .noRegions) }
      return members
    }
    return Group(
      members: members,
      enter: try reader.member(object, "enter") { (node) throws(DocumentError) in
        try reader.choice(node, Group.Enter.self)
      } ?? .any,
      hold: try reader.member(object, "hold") { (node) throws(DocumentError) in
        try reader.choice(node, Group.Hold.self)
      } ?? .any)
  }

  /// Gives groups the place of their first geofence; false when a member is none.
  static func placeGroups(_ regions: inout [Region], _ positions: [Identifier: Int]) -> Bool {
    for index in regions.indices where regions[index].shape.isGroup {
      guard case .group(var group) = regions[index].shape else { continue }
      for member in group.members {
        guard let position = positions[member], !regions[position].shape.isGroup else { return false }
        if group.place == nil { group.place = regions[position].shape.circle }
      }
      regions[index].values.shape = .group(group)
    }
    return true
  }
}
