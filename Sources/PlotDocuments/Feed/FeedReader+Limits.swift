internal import PlotCore

/// Tags, caps and quiet hours (docs/feed.md, Caps and Quiet hours).
extension FeedReader {
  /// Where caps or quiet hours stand.
  private enum Owner { case settings, region, campaign }

  private enum SettingsScope: String, CaseIterable { case all, tag, campaign, region, visit }
  private enum RegionScope: String, CaseIterable { case region, visit }
  private enum CampaignScope: String, CaseIterable { case campaign, region, visit }

  func limits(_ object: Node, _ settings: inout FeedSettings) throws(DocumentError) {
    settings.caps = try caps(object, .settings)
    settings.quietHours = try quietHours(object, .settings)
  }

  func limits(_ object: Node, _ region: inout Region.Values) throws(DocumentError) {
    region.caps = try caps(object, .region)
    region.quietHours = try quietHours(object, .region)
  }

  func limits(_ object: Node, _ campaign: inout Campaign.Values) throws(DocumentError) {
    campaign.tags =
      try reader.member(object, "tags") { (node) throws(DocumentError) in
        var seen: Set<Identifier> = []
        return try reader.array(node, "an array of tags", most: 100) { (node, _) throws(DocumentError) in
          let tag = try name(node)
          guard seen.insert(tag).inserted else { throw reader.mismatch(node, "each tag once", .duplicate) }
          return tag
        }
      } ?? []
    campaign.caps = try caps(object, .campaign)
    campaign.quietHours = try quietHours(object, .campaign, isExit: campaign.trigger == .exit)
  }

  // MARK: Holdout

  func holdout(_ object: Node) throws(DocumentError) -> Holdout? {
    try reader.member(object, "holdout") { (node) throws(DocumentError) in
      let object = try reader.object(node, "an object")
      try reader.refuseUnknown(object, DocumentKeys.holdout, of: "\"holdout\"")
      return Holdout(
        percent: try reader.required(object, "percent", "an integer from 1 to 99") { (node) throws(DocumentError) in
          try reader.integer(node, 1...99)
        },
        group: try reader.member(object, "group") { (node) throws(DocumentError) in try name(node) },
        property: try reader.member(object, "property") { (node) throws(DocumentError) in
          try propertyName(node)
        } ?? Holdout.standardProperty)
    }
  }

  // MARK: Caps

  private func caps(_ object: Node, _ owner: Owner) throws(DocumentError) -> [Cap] {
    try reader.member(object, "caps") { (node) throws(DocumentError) in
      try reader.array(node, "an array of caps", most: 100) { (node, _) throws(DocumentError) in
        try cap(node, owner)
      }
    } ?? []
  }

  private func cap(_ node: Node, _ owner: Owner) throws(DocumentError) -> Cap {
    let object = try reader.object(node, "a cap, an object")
    let known =
      switch owner {
      case .settings: DocumentKeys.cap
      case .region: DocumentKeys.regionCap
      case .campaign: DocumentKeys.campaignCap
      }
    try reader.refuseUnknown(object, known, of: "a cap")
    let scope = try scope(object, owner)
    let most = try reader.required(object, "max", "an integer from 1 to 1000") { (node) throws(DocumentError) in
      try reader.integer(node, 1...1000)
    }
    return Cap(scope: scope, maximum: most, span: try span(object, of: scope))
  }

  private func scope(_ object: Node, _ owner: Owner) throws(DocumentError) -> Cap.Scope {
    switch owner {
    case .campaign:
      switch try choice(object, "per", CampaignScope.self) ?? .campaign {
      case .campaign: return .campaign
      case .region: return .region
      case .visit: return .visit
      }
    case .region: return try choice(object, "per", RegionScope.self) == .visit ? .visit : .region
    case .settings:
      let scope = try reader.required(object, "per", Self.choices(SettingsScope.self)) {
        (node) throws(DocumentError) in try reader.choice(node, SettingsScope.self)
      }
      if scope == .tag {
        return .tag(try reader.required(object, "tag", Self.identifierForm, name))
      }
      _ = try reader.member(object, "tag") { (node) throws(DocumentError) in
        throw reader.fail(expected: "no \"tag\" unless it is per \"tag\"", found: reader.describe(node))
      }
      switch scope {
      case .all, .tag: return .all
      case .campaign: return .campaign
      case .region: return .region
      case .visit: return .visit
      }
    }
  }

  private func span(_ object: Node, of scope: Cap.Scope) throws(DocumentError) -> Cap.Span {
    let window = try reader.member(object, "window") { (node) throws(DocumentError) in
      try reader.integer(node, 1...31_536_000)
    }
    let days = try reader.member(object, "days") { (node) throws(DocumentError) in
      if window != nil {
        throw reader.fail(expected: "\"window\" or \"days\", not both", found: reader.describe(node))
      }
      return try reader.integer(node, 1...366)
    }
    _ = try reader.member(object, "zone") { (node) throws(DocumentError) in
      guard days != nil else {
        throw reader.fail(expected: "no \"zone\" without \"days\"", found: reader.describe(node))
      }
    }
    let zone = try clock(object)
    if let window { return .window(window * 1000) }
    if let days { return .days(days, zone ?? .device) }
    guard scope == .visit else { throw reader.fail(expected: "\"window\" or \"days\"", found: "neither") }
    return .visit
  }

  private func choice<T: CaseIterable & RawRepresentable>(
    _ object: Node, _ key: StaticString, _ type: T.Type
  ) throws(DocumentError) -> T? where T.RawValue == String {
    try reader.member(object, key) { (node) throws(DocumentError) in try reader.choice(node, type) }
  }

  // MARK: Quiet hours

  /// One, or an array of them.
  private func quietHours(
    _ object: Node, _ owner: Owner, isExit: Bool = false
  ) throws(DocumentError) -> [QuietHours] {
    try reader.member(object, "quietHours") { (node) throws(DocumentError) in
      guard node.isArray else { return [try quiet(node, owner, isExit)] }
      return try reader.array(node, "an array of quiet hours", most: 100) { (node, _) throws(DocumentError) in
        try quiet(node, owner, isExit)
      }
    } ?? []
  }

  private func quiet(_ node: Node, _ owner: Owner, _ isExit: Bool) throws(DocumentError) -> QuietHours {
    let object = try reader.object(node, "quiet hours, an object, or an array of them")
    let known = owner == .settings ? DocumentKeys.quietHours : DocumentKeys.ownQuietHours
    try reader.refuseUnknown(object, known, of: "quiet hours")
    return QuietHours(
      tag: try reader.member(object, "tag", name),
      hours: try reader.required(object, "hours", "an object, as in {\"daily\": [[\"22:00\", \"07:00\"]]}") {
        (node) throws(DocumentError) in try hours(node, allowsDaily: true)
      },
      zone: try clock(object) ?? .device,
      during: try reader.member(object, "during") { (node) throws(DocumentError) in
        let during = try reader.choice(node, QuietHours.During.self)
        if during == .holdInside, isExit {
          throw reader.fail(
            expected: "\"hold\" or \"drop\", for nobody is inside after an exit", found: "\"holdInside\"")
        }
        return during
      } ?? .drop)
  }
}
