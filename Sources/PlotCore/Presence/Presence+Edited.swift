extension Presence {
  /// Whether one who visited a region before a feed update may still be in it, now that it has this shape: not where the newest fix says
  /// outside. Without a fix the next one says so. What a beacon was heard of says nothing of another one, and the crossings of a group's
  /// members decide about the group.
  static func mayStay(
    in shape: Region.Shape, visitorOf old: Region.Shape, at fix: Fix?, _ noise: NoisePolicy
  ) -> Bool {
    if shape.isGroup, old.isGroup { return true }
    guard shape.isPlace, old.isPlace else { return false }
    guard let fix, let edge = shape.edgeDistance(from: fix.coordinate) else { return true }
    return noise.answer(edge: edge, size: shape.size, accuracy: fix.accuracy, visiting: true) != .outside
  }
}
