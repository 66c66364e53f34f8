internal import PlotCore

/// Rules for messages from outside.
extension Lint {
  mutating func checkMessages() {
    guard let feed else { return }
    let settings = feed.settings.messages
    let rules = settings.rules
    let numbers = indices(of: "/settings/messages/rules", rules.count)
    for (position, rule) in rules.enumerated() {
      let place: [PathStep] = [.key("settings"), .key("messages"), .key("rules"), .index(numbers[position])]
      let name = "rule \"\(rule.id?.text ?? "\(numbers[position])")\""
      if let condition = rule.condition, !condition.canBeTrue {
        report(.ruleNever, place + [.key("if")], "The conditions of the \(name) contradict each other.")
        continue
      }
      if let condition = rule.condition, let unknown = settings.unknown(in: condition) {
        report(
          .ruleNever, place + [.key("if")],
          "The \(name) asks for the \(unknown.rawValue), and the profile \"\(settings.profile.rawValue)\" has no place for it."
        )
        continue
      }
      let before = rules[..<position].firstIndex { earlier in
        // A deferred message comes to the rules again, and then it is kept.
        guard let condition = earlier.condition else { return true }
        return condition == rule.condition && earlier.whenAbsent == rule.whenAbsent
      }
      if let before {
        report(
          .ruleUnreachable, place,
          "The \(name) is never asked, for the rule \"\(rules[before].id?.text ?? "\(numbers[before])")\""
            + " decides before it."
        )
      }
    }
  }
}

extension MessageSettings {
  /// A field that a condition needs in each way to be true, and no payload has; nil for none.
  fileprivate func unknown(in condition: MessageCondition) -> MessageField? {
    guard profile != .plain, let ways = condition.ways(true) else { return nil }
    return [MessageField.sender, .thread].first { field in
      places(of: field).isEmpty
        && ways.allSatisfy { way in
          way.contains { atom, wanted in
            switch atom {
            case .senderIn: wanted && field == .sender
            case .threadIn: wanted && field == .thread
            default: false
            }
          }
        }
    }
  }
}

extension MessageCondition {
  /// Whether some message makes it true. In doubt it does.
  fileprivate var canBeTrue: Bool {
    guard let ways = ways(true) else { return true }
    return ways.contains { way in !way.contains { atom in way.contains { $0.0 == atom.0 && $0.1 != atom.1 } } }
  }

  /// The ways in which it is true, or false: what must be true or false in each. Nil for too many.
  fileprivate func ways(_ wanted: Bool) -> [[(MessageCondition, Bool)]]? {
    switch self {
    case .not(let part): return part.ways(!wanted)
    case .senderNotIn(let list): return [[(.senderIn(list), !wanted)]]
    case .senderIn, .threadIn, .contains: return [[(self, wanted)]]
    case .all(let parts), .any(let parts):
      let isAll = if case .all = self { true } else { false }
      var result: [[(MessageCondition, Bool)]] = isAll == wanted ? [[]] : []
      for part in parts {
        guard let ways = part.ways(wanted) else { return nil }
        result = isAll == wanted ? result.flatMap { way in ways.map { way + $0 } } : result + ways
        if result.count > 512 { return nil }
      }
      return result
    }
  }
}
