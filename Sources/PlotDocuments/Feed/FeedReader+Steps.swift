internal import PlotCore

// Steps before a trigger, visits that count, and times of day (docs/feed.md, Steps, Visits).
extension FeedReader {
  private enum EventName: String, CaseIterable { case enter, exit, dwelling }

  /// `after`: the regions it names must be of this feed.
  func chain(_ object: Node, _ positions: (Identifier) -> Int?) throws(DocumentError) -> Chain? {
    try reader.member(object, "after") { (node) throws(DocumentError) in
      let object = try reader.object(node, "an object, as in {\"steps\": [{\"region\": \"a\"}]}")
      try reader.refuseUnknown(object, DocumentKeys.after, of: "\"after\"")
      let links = try reader.required(object, "steps", "an array of steps") { (node) throws(DocumentError) in
        let links = try reader.array(node, "an array of steps", most: Chain.limit) {
          (node, index) throws(DocumentError) in try link(node, isFirst: index == 0, positions)
        }
        guard !links.isEmpty else { throw reader.fail(expected: "at least one step", found: "an empty array") }
        return links
      }
      let within = try reader.member(object, "within") { (node) throws(DocumentError) in
        try reader.integer(node, 1...31_536_000)
      }
      return Chain(links: links, within: within.map { $0 * 1000 })
    }
  }

  private func link(
    _ node: Node, isFirst: Bool, _ positions: (Identifier) -> Int?
  ) throws(DocumentError) -> Chain.Link {
    let form = "a step, as in {\"region\": \"a\", \"event\": \"exit\"} or {\"not\": {\"region\": \"a\"}}"
    let object = try reader.object(node, form)
    let forbidden = try reader.member(object, "not") { (node) throws(DocumentError) in
      guard !isFirst else { throw reader.fail(expected: "a step before the first \"not\"", found: "none") }
      return try step(reader.object(node, "a step, as in {\"region\": \"a\"}"), positions)
    }
    guard var forbidden else { return try step(object, positions) }
    try reader.refuseUnknown(object, DocumentKeys.notStep, of: "a step with \"not\"")
    forbidden.isForbidden = true
    return forbidden
  }

  private func step(_ object: Node, _ positions: (Identifier) -> Int?) throws(DocumentError) -> Chain.Link {
    try reader.refuseUnknown(object, DocumentKeys.step, of: "a step")
    let expected = "the id of a region of this feed"
    let region = try reader.required(object, "region", expected) { (node) throws(DocumentError) in
      let region = Identifier(try reader.string(node, expected))
      guard positions(region) != nil else { throw reader.mismatch(node, expected, .unknownRegion) }
      return region
    }
    let name = try reader.member(object, "event") { (node) throws(DocumentError) in
      try reader.choice(node, EventName.self)
    }
    guard name == .dwelling else {
      _ = try reader.member(object, "minutes") { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"minutes\" unless the event is \"dwelling\"", found: reader.describe(node))
      }
      return Chain.Link(region: region, event: name == .exit ? .exit : .enter)
    }
    let minutes = try reader.required(object, "minutes", "an integer from 5 to 720") {
      (node) throws(DocumentError) in try reader.integer(node, Trigger.dwellingRange)
    }
    return Chain.Link(region: region, event: .dwelling(minutes: minutes))
  }

  /// `visits`: at least one of its keys.
  func visits(_ object: Node) throws(DocumentError) -> VisitRule? {
    try reader.member(object, "visits") { (node) throws(DocumentError) in
      let object = try reader.object(node, "an object, as in {\"from\": 3}")
      try reader.refuseUnknown(object, DocumentKeys.visits, of: "\"visits\"")
      func number(_ key: StaticString, from least: Int64) throws(DocumentError) -> Int64? {
        try reader.member(object, key) { (node) throws(DocumentError) in
          try reader.integer(node, least...VisitRule.range.upperBound)
        }
      }
      let from = try number("from", from: 1)
      let to = try number("to", from: from ?? 1)
      let every = try number("every", from: 1)
      guard from != nil || to != nil || every != nil else {
        throw reader.fail(expected: "\"from\", \"to\", \"every\" or several of them", found: "none")
      }
      return VisitRule(from: from ?? 1, to: to, every: every ?? 1)
    }
  }

  /// `insideAt`: required for the trigger `inside`, else not allowed.
  func insideAt(_ object: Node, isInside: Bool) throws(DocumentError) -> Int64? {
    let expected = "a time from \"00:00\" to \"23:59\""
    guard isInside else {
      return try reader.member(object, "insideAt") { (node) throws(DocumentError) -> Int64 in
        throw reader.fail(
          expected: "no \"insideAt\" unless the trigger is \"inside\"", found: reader.describe(node))
      }
    }
    return try reader.required(object, "insideAt", expected) { (node) throws(DocumentError) in
      try minuteOfDay(node)
    }
  }
}
