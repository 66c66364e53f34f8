internal import PlotCore
internal import PlotFiles

extension SimulationRules {
  public static let sizeLimit = 16 << 20

  /// Reads a rule file (docs/rules-file.md): whole, or not at all.
  public static func parse(_ bytes: [UInt8]) throws(DocumentError) -> SimulationRules {
    try DocumentError.checkSize(of: bytes, most: sizeLimit)
    return try SimulationRulesReader(JSONReader(bytes.withoutByteOrderMark, nullIsAbsent: false)).rules()
  }

  /// Reads a rule file. Throws `FileError` or `DocumentError`.
  public static func load(path: String) throws -> SimulationRules {
    try parse(TextFile.read(path, limit: sizeLimit))
  }
}

/// From a JSON tree to rules. Names, times and zones are read as in a feed.
private struct SimulationRulesReader {
  typealias Rules = SimulationRules

  let reader: JSONReader
  let feed: FeedReader

  init(_ reader: JSONReader) {
    self.reader = reader
    feed = FeedReader(reader)
  }

  func rules() throws(DocumentError) -> Rules {
    let root = try reader.object(reader.root, "rules, an object")
    try reader.refuseUnknown(root, DocumentKeys.rules, of: "the rules", allowsSchema: true)
    var rules = Rules()
    rules.filter = try list(root, "filter", DocumentKeys.filterRule) { (node) throws(DocumentError) in
      try answer(node)
    }
    rules.geotriggers = try list(root, "geotriggers", DocumentKeys.geotriggerRule) { (node) throws(DocumentError) in
      try answer(node)
    }
    rules.strategies =
      try reader.member(root, "strategies") { (node) throws(DocumentError) in try strategies(node) } ?? []
    func fails(_ key: String) throws(DocumentError) -> [Rules.Rule<Bool>] {
      try list(root, key, DocumentKeys.failRule) { (node) throws(DocumentError) in
        try feed.flag(node, "fails") ?? false
      } ?? []
    }
    rules.show = try fails("show")
    rules.remove = try fails("remove")
    rules.person =
      try list(root, "person", DocumentKeys.personRule) { (node) throws(DocumentError) in try act(node) } ?? []
    let inputs =
      try reader.member(root, "inputs") { (node) throws(DocumentError) in
        try reader.array(node, "an array of inputs") { (node, _) throws(DocumentError) in
          try input(node)
        }
      } ?? []
    rules.inputs = inputs.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    return rules
  }

  // MARK: Rules about items

  private func list<Outcome>(
    _ root: Node, _ key: String, _ known: KeySet, _ outcome: (Node) throws(DocumentError) -> Outcome
  ) throws(DocumentError) -> [Rules.Rule<Outcome>]? {
    try reader.member(root, key) { (node) throws(DocumentError) in
      try reader.array(node, "an array of rules") { (node, _) throws(DocumentError) in
        let object = try reader.object(node, "a rule, an object")
        try reader.refuseUnknown(object, known, of: "a rule of \"\(key)\"")
        let (campaign, region) = try subject(object)
        return Rules.Rule(campaign: campaign, region: region, outcome: try outcome(object))
      }
    }
  }

  private func subject(_ object: Node) throws(DocumentError) -> (Identifier?, Identifier?) {
    let whole = try reader.member(object, "identifier") { (node) throws(DocumentError) in
      try identifier(node)
    }
    func part(_ key: String) throws(DocumentError) -> Identifier? {
      try reader.member(object, key) { (node) throws(DocumentError) in
        guard whole == nil else {
          throw reader.fail(expected: "no \"\(key)\" beside \"identifier\"", found: reader.describe(node))
        }
        return try feed.name(node)
      }
    }
    let (campaign, region) = (try part("campaign"), try part("region"))
    return (whole?.campaign ?? campaign, whole?.region ?? region)
  }

  private func identifier(_ node: Node) throws(DocumentError) -> ItemKey {
    let expected = "an item's identifier, as in \"campaign;region\""
    let parts = try reader.string(node, expected).split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ Feed.isIdentifier(String($0)) }) else {
      throw reader.mismatch(node, expected)
    }
    return ItemKey(campaign: Identifier(String(parts[0])), region: Identifier(String(parts[1])))
  }

  private func answer(_ object: Node) throws(DocumentError) -> Rules.Answer {
    var answer = Rules.Answer()
    answer.keeps = try feed.flag(object, "drop") != true
    answer.edit =
      try reader.member(object, "set") { (node) throws(DocumentError) in
        guard answer.keeps else {
          throw reader.fail(expected: "no \"set\" for what is dropped", found: reader.describe(node))
        }
        return try edit(node)
      } ?? Rules.Edit()
    answer.after = try seconds(object, "answerAfter", 0...604_800) ?? 0
    return answer
  }

  /// Null takes a key away.
  private func edit(_ node: Node) throws(DocumentError) -> Rules.Edit {
    let object = try reader.object(node)
    try reader.refuseUnknown(object, DocumentKeys.edit, of: "\"set\"")
    var edit = Rules.Edit()
    edit.keys = reader.keys(object)
    for key in edit.keys {
      try reader.member(object, key) { (node) throws(DocumentError) in
        let isCleared = node.isNull
        switch key {
        case "message": edit.values.message = try reader.text(node)
        case "data": edit.values.data = try reader.string(node)
        case _ where isCleared: break
        case "badge": edit.values.badge = try reader.integer(node, Content.badgeRange)
        case "attachments": edit.values.attachments = try reader.attachments(node)
        case "actions": edit.values.actions = try reader.actions(node, DocumentKeys.actionOfEdit)
        case "userInfo": edit.values.userInfo = try reader.userInfo(node)
        default:
          let text = try reader.text(node)
          if let path = Rules.Edit.texts[key] { edit.values[keyPath: path] = text }
        }
      }
    }
    return edit
  }

  private static let acts = ["opens", "dismisses", "chooses"]

  private func act(_ object: Node) throws(DocumentError) -> Rules.Act? {
    let named = reader.keys(object).filter(Self.acts.contains)
    guard let name = named.first else { return nil }
    if let other = named.dropFirst().first {
      throw try reader.within(.key(other)) { () throws(DocumentError) -> DocumentError in
        reader.fail(expected: "one of \"opens\", \"dismisses\" and \"chooses\"", found: "\"\(name)\" and \"\(other)\"")
      }
    }
    guard name == "chooses" else {
      let after = try seconds(object, name, 0...31_536_000) ?? 0
      return Rules.Act(kind: name == "opens" ? .open : .dismiss, after: after)
    }
    return try reader.member(object, name) { (node) throws(DocumentError) in
      let choice = try reader.object(node, "an object with \"action\" and \"after\"")
      try reader.refuseUnknown(choice, DocumentKeys.chosenAction, of: "\"chooses\"")
      let action = try reader.required(choice, "action", JSONReader.textForm) { (node) throws(DocumentError) in
        try reader.text(node)
      }
      return Rules.Act(
        kind: .choose(action: action), after: try seconds(choice, "after", 0...31_536_000, isRequired: true) ?? 0
      )
    }
  }

  // MARK: Strategies

  private func strategies(_ node: Node) throws(DocumentError) -> [Rules.AppStrategy] {
    var keys: Set<Identifier> = []
    return try reader.array(node, "an array of strategies", most: 100) { (node, _) throws(DocumentError) in
      let object = try reader.object(node, "a strategy, an object")
      try reader.refuseUnknown(object, DocumentKeys.appStrategy, of: "a strategy")
      let key = try reader.required(object, "key", Feed.identifierForm) { (node) throws(DocumentError) in
        let key = try feed.name(node)
        guard keys.insert(key).inserted else { throw reader.mismatch(node, "each key once", .duplicate) }
        return key
      }
      var strategy = Rules.AppStrategy(key: key)
      strategy.veto = try names(object, "veto")
      strategy.vetoDelete = try names(object, "vetoDelete")
      strategy.minimumTime = try seconds(object, "minimumTime", 1...31_536_000)
      strategy.after =
        try reader.member(object, "after") { (node) throws(DocumentError) in
          guard strategy.minimumTime != nil else {
            throw reader.fail(expected: "no \"after\" without \"minimumTime\"", found: reader.describe(node))
          }
          return try reader.choice(node, Strategy.Anchor.self)
        } ?? .shown
      strategy.maximum = try maximum(object)
      return strategy
    }
  }

  private func maximum(_ object: Node) throws(DocumentError) -> Rules.AppStrategy.Maximum? {
    let most = try reader.member(object, "max") { (node) throws(DocumentError) in
      try reader.integer(node, 1...1000)
    }
    guard let most else {
      return try reader.member(object, "window") { (node) throws(DocumentError) in
        throw reader.fail(expected: "no \"window\" without \"max\"", found: reader.describe(node))
      }
    }
    return try seconds(object, "window", 1...31_536_000, isRequired: true).map {
      Rules.AppStrategy.Maximum(count: Int(most), window: $0)
    }
  }

  private func names(_ object: Node, _ key: String) throws(DocumentError) -> [Identifier] {
    try reader.member(object, key) { (node) throws(DocumentError) in
      try reader.array(node, "an array of campaign ids") { (node, _) throws(DocumentError) in
        try feed.name(node)
      }
    } ?? []
  }

  // MARK: Inputs

  /// Beside `at`.
  private static let inputKeys = DocumentKeys.input.keys.filter { $0 != "at" }

  private func input(_ node: Node) throws(DocumentError) -> Rules.Input {
    let object = try reader.object(node, "an input, an object")
    try reader.refuseUnknown(object, DocumentKeys.input, of: "an input")
    let time = try reader.required(
      object, "at", "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\""
    ) { (node) throws(DocumentError) in try feed.time(node) }
    let named = reader.keys(object).filter(Self.inputKeys.contains)
    guard let name = named.first, named.count == 1 else {
      throw reader.fail(
        expected: "one of " + Self.inputKeys.joined(separator: ", "),
        found: named.isEmpty ? "none" : named.joined(separator: " and "))
    }
    let kind = try reader.required(object, name, "a value") { (node) throws(DocumentError) -> Rules.Input.Kind in
      switch name {
      case "foreground": return .foreground(try reader.boolean(node))
      case "network": return .network(try reader.boolean(node))
      case "timeZone": return .timeZone(try feed.zone(node)?.name ?? "UTC")
      case "clearProperty": return .property(try reader.text(node), nil)
      case "startTrip": return .startTrip(try TripReader(reader).plan(node))
      case "endTrip": return try tripEnd(node)
      default: return try property(node)
      }
    }
    return Rules.Input(time: time, kind: kind)
  }

  private func tripEnd(_ node: Node) throws(DocumentError) -> Rules.Input.Kind {
    let object = try reader.object(node, "an object with the \"id\" of a trip")
    try reader.refuseUnknown(object, DocumentKeys.endTrip, of: "the end of a trip")
    let id = try reader.required(object, "id", JSONReader.textForm) { (node) throws(DocumentError) in
      try reader.text(node)
    }
    let hasArrived = try reader.member(object, "arrived") { (node) throws(DocumentError) in try reader.boolean(node) }
    return .endTrip(id, hasArrived: hasArrived ?? false)
  }

  private func property(_ node: Node) throws(DocumentError) -> Rules.Input.Kind {
    let object = try reader.object(node, "an object with \"key\" and \"value\"")
    try reader.refuseUnknown(object, DocumentKeys.property, of: "a property")
    let key = try reader.required(object, "key", JSONReader.textForm) { (node) throws(DocumentError) in
      try reader.text(node)
    }
    let expected = "a string, a boolean, a number or {\"date\": \"…\"}"
    let value = try reader.required(object, "value", expected) {
      (node) throws(DocumentError) -> PropertyValue in
      if let value = try reader.plainValue(node) { return value }
      guard node.kind == .object else { throw reader.mismatch(node, expected) }
      try reader.refuseUnknown(node, DocumentKeys.date, of: "a date")
      return .date(
        try reader.required(node, "date", "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\"") {
          (node) throws(DocumentError) in try feed.time(node)
        })
    }
    return .property(key, value)
  }

  /// A length of time, given in seconds.
  private func seconds(
    _ object: Node, _ key: String, _ range: ClosedRange<Int64>, isRequired: Bool = false
  ) throws(DocumentError) -> Milliseconds? {
    func read(_ node: Node) throws(DocumentError) -> Milliseconds { try reader.integer(node, range) * 1000 }
    guard isRequired else { return try reader.member(object, key, read) }
    return try reader.required(
      object, key, "seconds, an integer from \(range.lowerBound) to \(range.upperBound)", read)
  }
}
