internal import PlotCore

/// How a campaign's notification stands beside others (docs/feed.md, Side by side).
extension FeedReader {
  static let showingKeys = [
    "priority", "removeOnExit", "removeAtEnd", "expireAfter", "expireAt", "showLate", "correlationKey",
    "exclusionGroup", "coalescingGroup", "filterAt", "welcome",
  ]

  private enum FilterTime: String, CaseIterable { case fire, enter }

  func showing(_ object: Node, _ campaign: inout Campaign.Values) throws(DocumentError) {
    campaign.priority =
      unsafe try reader.member(object, "priority") { (node) throws(DocumentError) in
        unsafe try reader.integer(node, -1000...1000)
      } ?? 0
    campaign.stay = unsafe try stay(object, start: campaign.start)
    campaign.showsLate = unsafe try flag(object, "showLate") ?? false
    campaign.correlationKey =
      unsafe try reader.member(object, "correlationKey") { (node) throws(DocumentError) in
        unsafe try textTemplate(node)
      }
    campaign.exclusionGroup = unsafe try group(object, "exclusionGroup")
    campaign.coalescingGroup = unsafe try group(object, "coalescingGroup")
    let filterTime = unsafe try reader.member(object, "filterAt") { (node) throws(DocumentError) in
      guard campaign.trigger.dwellingMinutes > 0 else {
        throw reader.fail(
          expected: "no \"filterAt\" unless the trigger is \"dwelling\"", found: unsafe reader.describe(node))
      }
      return unsafe try reader.choice(node, FilterTime.self)
    }
    campaign.filtersAtEnter = filterTime.map { $0 == .enter }
    campaign.welcome = unsafe try reader.member(object, "welcome") { (node) throws(DocumentError) in
      guard campaign.trigger == .enter else {
        throw reader.fail(
          expected: "no \"welcome\" unless the trigger is \"enter\"", found: unsafe reader.describe(node))
      }
      return unsafe try welcome(node)
    }
  }

  private func stay(_ object: Node, start: Milliseconds?) throws(DocumentError) -> Stay {
    var stay = Stay()
    stay.endsAtExit = unsafe try flag(object, "removeOnExit") ?? false
    stay.endsWithCampaign = unsafe try flag(object, "removeAtEnd") ?? stay.endsAtExit
    stay.expireAfter =
      unsafe try reader.member(object, "expireAfter") { (node) throws(DocumentError) in
        unsafe try reader.integer(node, 1...31_536_000) * 1000
      }
    stay.expireAt =
      unsafe try reader.member(object, "expireAt") { (node) throws(DocumentError) in
        let time = unsafe try time(node)
        if let start, time <= start { throw unsafe reader.mismatch(node, "a time after \"start\"", .endBeforeStart) }
        return time
      }
    return stay
  }

  func cooldownAnchor(_ object: Node) throws(DocumentError) -> CooldownAnchor {
    unsafe try reader.member(object, "cooldownFrom") { (node) throws(DocumentError) in
      unsafe try reader.choice(node, CooldownAnchor.self)
    } ?? .shown
  }

  func flag(_ object: Node, _ key: StaticString) throws(DocumentError) -> Bool? {
    unsafe try reader.member(object, key) { (node) throws(DocumentError) in unsafe try reader.boolean(node) }
  }

  private func group(_ object: Node, _ key: StaticString) throws(DocumentError) -> Identifier? {
    unsafe try reader.member(object, key) { (node) throws(DocumentError) in unsafe try name(node) }
  }

  /// A name in the form of an id.
  func name(_ node: Node) throws(DocumentError) -> Identifier {
    let name = unsafe try reader.string(node, Self.identifierForm)
    guard Self.isIdentifier(name) else { throw unsafe reader.mismatch(node, Self.identifierForm) }
    return Identifier(name)
  }

  private func welcome(_ node: Node) throws(DocumentError) -> Welcome {
    let object = unsafe try reader.object(node, "an object")
    unsafe try reader.refuseUnknown(object, ["period", "minDisplayTime", "alone", "offline"], of: "\"welcome\"")
    return Welcome(
      period: unsafe try reader.required(object, "period", "seconds, an integer from 1 to 31536000") {
        (node) throws(DocumentError) in unsafe try reader.integer(node, 1...31_536_000) * 1000
      },
      offline: unsafe try reader.member(object, "offline") { (node) throws(DocumentError) in
        unsafe try offline(node)
      },
      minimumDisplay: unsafe try reader.member(object, "minDisplayTime") { (node) throws(DocumentError) in
        unsafe try reader.integer(node, 0...86_400) * 1000
      } ?? 0,
      isAlone: unsafe try flag(object, "alone") ?? false)
  }

  private func offline(_ node: Node) throws(DocumentError) -> Welcome.Content {
    let object = unsafe try reader.object(node, "an object")
    unsafe try reader.refuseUnknown(object, ["message", "data"], of: "\"offline\"")
    let message = unsafe try reader.required(object, "message", "a string that is not empty") {
      (node) throws(DocumentError) in unsafe try textTemplate(node)
    }
    let data = unsafe try reader.member(object, "data") { (node) throws(DocumentError) in unsafe try template(node) }
    return Welcome.Content(message: message, data: data ?? .empty)
  }

  // MARK: Settings

  func slots(_ node: Node) throws(DocumentError) -> Slots {
    let object = unsafe try reader.object(node, "an object")
    unsafe try reader.refuseUnknown(object, ["count", "whenFull"], of: "the slots")
    return Slots(
      count: unsafe try reader.required(object, "count", "an integer from 1 to 100") { (node) throws(DocumentError) in
        unsafe try reader.integer(node, 1...100)
      },
      whenFull: unsafe try reader.member(object, "whenFull") { (node) throws(DocumentError) in
        unsafe try reader.choice(node, Slots.WhenFull.self)
      } ?? .keep)
  }

  func coalescing(_ node: Node) throws(DocumentError) -> [Coalescing] {
    unsafe try groups(node, ["atLeast", "message", "within"]) { (object, group) throws(DocumentError) in
      Coalescing(
        group: group,
        atLeast: unsafe try reader.member(object, "atLeast") { (node) throws(DocumentError) in
          unsafe try reader.integer(node, 2...1000)
        } ?? 2,
        message: unsafe try reader.required(object, "message", "a string that is not empty") {
          (node) throws(DocumentError) in unsafe try textTemplate(node)
        },
        within: unsafe try reader.member(object, "within") { (node) throws(DocumentError) in
          unsafe try window(node)
        } ?? 0)
    }
  }

  func exclusion(_ node: Node) throws(DocumentError) -> [Exclusion] {
    unsafe try groups(node, ["within"]) { (object, group) throws(DocumentError) in
      Exclusion(
        group: group,
        within: unsafe try reader.required(object, "within", "an integer from 1 to 86400") {
          (node) throws(DocumentError) in unsafe try window(node)
        })
    }
  }

  /// Whether the smallest region goes first, and within how long only the best is shown.
  func specificFirst(_ node: Node) throws(DocumentError) -> (isFirst: Bool, within: Milliseconds?) {
    let expected = "true, false or an object with \"within\""
    if unsafe reader.kind(node) == .boolean { return (unsafe try reader.boolean(node), nil) }
    let object = unsafe try reader.object(node, expected)
    unsafe try reader.refuseUnknown(object, ["within"], of: "\"specificFirst\"")
    return (
      true,
      unsafe try reader.required(object, "within", "an integer from 1 to 86400") { (node) throws(DocumentError) in
        unsafe try window(node)
      }
    )
  }

  private func window(_ node: Node) throws(DocumentError) -> Milliseconds {
    unsafe try reader.integer(node, 1...86_400) * 1000
  }

  /// A list about groups, each of them once.
  private func groups<T>(
    _ node: Node, _ keys: [String], _ read: (Node, Identifier) throws(DocumentError) -> T
  ) throws(DocumentError) -> [T] {
    var groups: Set<Identifier> = []
    return unsafe try reader.array(node, "an array of groups", most: 100) { (node, _) throws(DocumentError) in
      let object = unsafe try reader.object(node, "a group, an object")
      unsafe try reader.refuseUnknown(object, ["group"] + keys, of: "a group")
      let group = unsafe try reader.required(object, "group", Self.identifierForm) { (node) throws(DocumentError) in
        let group = unsafe try name(node)
        guard groups.insert(group).inserted else { throw unsafe reader.mismatch(node, "each group once", .duplicate) }
        return group
      }
      return unsafe try read(object, group)
    }
  }

  // MARK: Strategies

  private enum StrategyType: String, CaseIterable { case maximum, minimumTime, sameContent, custom }

  func strategies(_ node: Node) throws(DocumentError) -> [Strategy] {
    var keys: Set<Identifier> = []
    return unsafe try reader.array(node, "an array of strategies", most: 100) { (node, _) throws(DocumentError) in
      let object = unsafe try reader.object(node, "a strategy, an object")
      let type = unsafe try reader.required(
        object, "type", "\"maximum\", \"minimumTime\", \"sameContent\" or \"custom\""
      ) {
        (node) throws(DocumentError) in unsafe try reader.choice(node, StrategyType.self)
      }
      let own =
        switch type {
        case .maximum: ["max", "window"]
        case .minimumTime: ["seconds", "after"]
        case .sameContent: ["field"]
        case .custom: ["parameters"]
        }
      unsafe try reader.refuseUnknown(object, ["key", "type", "enabled"] + own, of: "a strategy of this type")
      let key = unsafe try reader.required(object, "key", Self.identifierForm) { (node) throws(DocumentError) in
        let key = unsafe try name(node)
        guard keys.insert(key).inserted else { throw unsafe reader.mismatch(node, "each key once", .duplicate) }
        return key
      }
      return Strategy(
        key: key, rule: unsafe try rule(object, type), isEnabled: unsafe try flag(object, "enabled") ?? true)
    }
  }

  private func rule(_ object: Node, _ type: StrategyType) throws(DocumentError) -> Strategy.Rule {
    func seconds(_ key: String) throws(DocumentError) -> Milliseconds {
      unsafe try reader.required(object, key, "seconds, an integer from 1 to 31536000") {
        (node) throws(DocumentError) in
        unsafe try reader.integer(node, 1...31_536_000) * 1000
      }
    }
    switch type {
    case .maximum:
      return .maximum(
        unsafe try reader.required(object, "max", "an integer from 1 to 1000") { (node) throws(DocumentError) in
          unsafe try reader.integer(node, 1...1000)
        }, window: try seconds("window"))
    case .minimumTime:
      return .minimumTime(
        try seconds("seconds"),
        after: unsafe try reader.member(object, "after") { (node) throws(DocumentError) in
          unsafe try reader.choice(node, Strategy.Anchor.self)
        } ?? .shown)
    case .sameContent:
      return .sameContent(
        unsafe try reader.member(object, "field") { (node) throws(DocumentError) in
          unsafe try reader.choice(node, Strategy.Field.self)
        } ?? .shown)
    case .custom:
      return .custom(
        parameters: unsafe try reader.member(object, "parameters") { (node) throws(DocumentError) in
          unsafe reader.canonical(unsafe try reader.object(node))
        })
    }
  }
}
