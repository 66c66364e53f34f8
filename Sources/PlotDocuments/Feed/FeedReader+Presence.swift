internal import PlotCore

/// How a region is entered and left, and what a campaign makes of it (docs/feed.md).
extension FeedReader {
  func presence(_ object: Node, _ region: inout Region.Values) throws(DocumentError) {
    region.noise = try reader.member(object, "noise") { (node) throws(DocumentError) in
      try NoisePolicy.read(node, reader, ofRegion: true, names)
    }
    region.initial = try reader.member(object, "initial") { (node) throws(DocumentError) in
      try reader.choice(node, InitialPolicy.self)
    }
    let isCircle = if case .circle = region.shape { true } else { false }
    region.isMoving =
      try reader.member(object, "moving") { (node) throws(DocumentError) in
        guard isCircle else {
          throw reader.fail(expected: "no \"moving\" but of a circle", found: reader.describe(node))
        }
        return try reader.boolean(node)
      } ?? false
  }

  func arrivalSeconds(_ object: Node, isApproaching: Bool) throws(DocumentError) -> Int64? {
    guard isApproaching else {
      _ = try reader.member(object, "arrivalSeconds") { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"arrivalSeconds\" unless the trigger is \"approaching\"", found: reader.describe(node))
      }
      return nil
    }
    return try reader.required(object, "arrivalSeconds", "an integer from 10 to 3600") {
      (node) throws(DocumentError) in try reader.integer(node, 10...3600)
    }
  }

  func visiting(_ object: Node, _ campaign: inout Campaign.Values) throws(DocumentError) {
    let trigger = campaign.trigger
    campaign.countsPassages =
      try reader.member(object, "passages") { (node) throws(DocumentError) in
        guard trigger == .enter || trigger == .exit else {
          throw reader.fail(
            expected: "no \"passages\" unless the trigger is \"enter\" or \"exit\"", found: reader.describe(node)
          )
        }
        return try reader.boolean(node)
      } ?? false
    let repeats = campaign.repeatRule != .once
    campaign.repeatEvery = try reader.member(object, "repeatMinutes") { (node) throws(DocumentError) in
      guard trigger == .enter || trigger.dwellingMinutes > 0 else {
        throw reader.fail(
          expected: "no \"repeatMinutes\" unless the trigger is \"enter\" or \"dwelling\"",
          found: reader.describe(node))
      }
      guard repeats else {
        throw reader.fail(
          expected: "no \"repeatMinutes\" without \"resend\" or a \"cooldownPeriod\"",
          found: reader.describe(node))
      }
      return try reader.integer(node, 1...1440) * 60_000
    }
  }
}
