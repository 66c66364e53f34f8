internal import PlotCore

/// How a campaign's notification stands beside others (docs/feed.md, Side by side).
extension FeedReader {
  private enum FilterTime: String, CaseIterable { case fire, enter }

  func showing(_ object: Node, _ campaign: inout Campaign.Values) throws(DocumentError) {
    campaign.priority =
      try reader.member(object, "priority") { (node) throws(DocumentError) in
        try reader.integer(node, -1000...1000)
      } ?? 0
    campaign.stay = try stay(object, start: campaign.start)
    campaign.showsLate = try flag(object, "showLate") ?? false
    campaign.correlationKey =
      try reader.member(object, "correlationKey") { (node) throws(DocumentError) in
        try textTemplate(node)
      }
    campaign.exclusionGroup = try group(object, "exclusionGroup")
    campaign.coalescingGroup = try group(object, "coalescingGroup")
    campaign.holdout = try holdout(object)
    let filterTime = try reader.member(object, "filterAt") { (node) throws(DocumentError) in
      guard campaign.trigger.dwellingMinutes > 0 else {
        throw reader.fail(
          expected: "no \"filterAt\" unless the trigger is \"dwelling\"", found: reader.describe(node))
      }
      return try reader.choice(node, FilterTime.self)
    }
    campaign.filtersAtEnter = filterTime.map { $0 == .enter }
    campaign.welcome = try reader.member(object, "welcome") { (node) throws(DocumentError) in
      guard campaign.trigger == .enter else {
        throw reader.fail(
          expected: "no \"welcome\" unless the trigger is \"enter\"", found: reader.describe(node))
      }
      return try welcome(node)
    }
  }

  private func stay(_ object: Node, start: Milliseconds?) throws(DocumentError) -> Stay {
    var stay = Stay()
    stay.endsAtExit = try flag(object, "removeOnExit") ?? false
    stay.endsWithCampaign = try flag(object, "removeAtEnd") ?? stay.endsAtExit
    stay.expireAfter =
      try reader.member(object, "expireAfter") { (node) throws(DocumentError) in
        try reader.integer(node, 1...31_536_000) * 1000
      }
    stay.expireAt =
      try reader.member(object, "expireAt") { (node) throws(DocumentError) in
        let time = try time(node)
        if let start, time <= start { throw reader.mismatch(node, "a time after \"start\"", .endBeforeStart) }
        return time
      }
    return stay
  }

  func cooldownAnchor(_ object: Node) throws(DocumentError) -> CooldownAnchor {
    try reader.member(object, "cooldownFrom") { (node) throws(DocumentError) in
      try reader.choice(node, CooldownAnchor.self)
    } ?? .shown
  }

  func flag(_ object: Node, _ key: StaticString) throws(DocumentError) -> Bool? {
    try reader.member(object, key) { (node) throws(DocumentError) in try reader.boolean(node) }
  }

  private func group(_ object: Node, _ key: StaticString) throws(DocumentError) -> Identifier? {
    try reader.member(object, key) { (node) throws(DocumentError) in try name(node) }
  }

  /// A name in the form of an id.
  func name(_ node: Node) throws(DocumentError) -> Identifier {
    let name = try reader.string(node, Self.identifierForm)
    guard Self.isIdentifier(name) else { throw reader.mismatch(node, Self.identifierForm) }
    return Identifier(name)
  }

  private func welcome(_ node: Node) throws(DocumentError) -> Welcome {
    let object = try reader.object(node, "an object")
    try reader.refuseUnknown(object, DocumentKeys.welcome, of: "\"welcome\"")
    return Welcome(
      period: try reader.required(object, "period", "seconds, an integer from 1 to 31536000") {
        (node) throws(DocumentError) in try reader.integer(node, 1...31_536_000) * 1000
      },
      offline: try reader.member(object, "offline") { (node) throws(DocumentError) in
        try offline(node)
      },
      minimumDisplay: try reader.member(object, "minDisplayTime") { (node) throws(DocumentError) in
        try reader.integer(node, 0...86_400) * 1000
      } ?? 0,
      isAlone: try flag(object, "alone") ?? false)
  }

  private func offline(_ node: Node) throws(DocumentError) -> Welcome.Content {
    let object = try reader.object(node, "an object")
    try reader.refuseUnknown(object, DocumentKeys.offline, of: "\"offline\"")
    let message = try reader.required(object, "message", "a string that is not empty") {
      (node) throws(DocumentError) in try textTemplate(node)
    }
    let data = try reader.member(object, "data") { (node) throws(DocumentError) in try template(node) }
    return Welcome.Content(message: message, data: data ?? .empty)
  }

  // MARK: Settings

  func slots(_ node: Node) throws(DocumentError) -> Slots {
    let object = try reader.object(node, "an object")
    try reader.refuseUnknown(object, DocumentKeys.slots, of: "the slots")
    return Slots(
      count: try reader.required(object, "count", "an integer from 1 to 100") { (node) throws(DocumentError) in
        try reader.integer(node, 1...100)
      },
      whenFull: try reader.member(object, "whenFull") { (node) throws(DocumentError) in
        try reader.choice(node, Slots.WhenFull.self)
      } ?? .keep)
  }

  func coalescing(_ node: Node) throws(DocumentError) -> [Coalescing] {
    try groups(node, DocumentKeys.coalescing) { (object, group) throws(DocumentError) in
      Coalescing(
        group: group,
        atLeast: try reader.member(object, "atLeast") { (node) throws(DocumentError) in
          try reader.integer(node, 2...1000)
        } ?? 2,
        message: try reader.required(object, "message", "a string that is not empty") {
          (node) throws(DocumentError) in try textTemplate(node)
        },
        within: try reader.member(object, "within") { (node) throws(DocumentError) in
          try window(node)
        } ?? 0)
    }
  }

  func exclusion(_ node: Node) throws(DocumentError) -> [Exclusion] {
    try groups(node, DocumentKeys.exclusion) { (object, group) throws(DocumentError) in
      Exclusion(
        group: group,
        within: try reader.required(object, "within", "an integer from 1 to 86400") {
          (node) throws(DocumentError) in try window(node)
        })
    }
  }

  /// Whether the smallest region goes first, and within how long only the best is shown.
  func specificFirst(_ node: Node) throws(DocumentError) -> (isFirst: Bool, within: Milliseconds?) {
    let expected = "true, false or an object with \"within\""
    if node.kind == .boolean { return (try reader.boolean(node), nil) }
    let object = try reader.object(node, expected)
    try reader.refuseUnknown(object, DocumentKeys.specificFirst, of: "\"specificFirst\"")
    return (
      true,
      try reader.required(object, "within", "an integer from 1 to 86400") { (node) throws(DocumentError) in
        try window(node)
      }
    )
  }

  private func window(_ node: Node) throws(DocumentError) -> Milliseconds {
    try reader.integer(node, 1...86_400) * 1000
  }

  /// A list about groups, each of them once.
  private func groups<T>(
    _ node: Node, _ known: KeySet, _ read: (Node, Identifier) throws(DocumentError) -> T
  ) throws(DocumentError) -> [T] {
    var groups: Set<Identifier> = []
    return try reader.array(node, "an array of groups", most: 100) { (node, _) throws(DocumentError) in
      let object = try reader.object(node, "a group, an object")
      try reader.refuseUnknown(object, known, of: "a group")
      let group = try reader.required(object, "group", Self.identifierForm) { (node) throws(DocumentError) in
        let group = try name(node)
        guard groups.insert(group).inserted else { throw reader.mismatch(node, "each group once", .duplicate) }
        return group
      }
      return try read(object, group)
    }
  }

  // MARK: Strategies

  private enum StrategyType: String, CaseIterable { case maximum, minimumTime, sameContent, custom }

  func strategies(_ node: Node) throws(DocumentError) -> [Strategy] {
    var keys: Set<Identifier> = []
    return try reader.array(node, "an array of strategies", most: 100) { (node, _) throws(DocumentError) in
      let object = try reader.object(node, "a strategy, an object")
      let type = try reader.required(
        object, "type", "\"maximum\", \"minimumTime\", \"sameContent\" or \"custom\""
      ) {
        (node) throws(DocumentError) in try reader.choice(node, StrategyType.self)
      }
      let known =
        switch type {
        case .maximum: DocumentKeys.maximum
        case .minimumTime: DocumentKeys.minimumTime
        case .sameContent: DocumentKeys.sameContent
        case .custom: DocumentKeys.custom
        }
      try reader.refuseUnknown(object, known, of: "a strategy of this type")
      let key = try reader.required(object, "key", Self.identifierForm) { (node) throws(DocumentError) in
        let key = try name(node)
        guard keys.insert(key).inserted else { throw reader.mismatch(node, "each key once", .duplicate) }
        return key
      }
      return Strategy(
        key: key, rule: try rule(object, type), isEnabled: try flag(object, "enabled") ?? true)
    }
  }

  private func rule(_ object: Node, _ type: StrategyType) throws(DocumentError) -> Strategy.Rule {
    func seconds(_ key: String) throws(DocumentError) -> Milliseconds {
      try reader.required(object, key, "seconds, an integer from 1 to 31536000") {
        (node) throws(DocumentError) in
        try reader.integer(node, 1...31_536_000) * 1000
      }
    }
    switch type {
    case .maximum:
      return .maximum(
        try reader.required(object, "max", "an integer from 1 to 1000") { (node) throws(DocumentError) in
          try reader.integer(node, 1...1000)
        }, window: try seconds("window"))
    case .minimumTime:
      return .minimumTime(
        try seconds("seconds"),
        after: try reader.member(object, "after") { (node) throws(DocumentError) in
          try reader.choice(node, Strategy.Anchor.self)
        } ?? .shown)
    case .sameContent:
      return .sameContent(
        try reader.member(object, "field") { (node) throws(DocumentError) in
          try reader.choice(node, Strategy.Field.self)
        } ?? .shown)
    case .custom:
      return .custom(
        parameters: try reader.member(object, "parameters") { (node) throws(DocumentError) in
          reader.canonical(try reader.object(node))
        })
    }
  }
}
