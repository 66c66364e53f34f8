extension MessageCondition {
  enum Truth: Equatable {
    case yes
    case no
    /// This list is absent.
    case unknown(Identifier)
  }

  func truth(_ message: MessageFacts, _ lists: [Identifier: MessageList]) -> Truth {
    switch self {
    case .all(let parts): return Self.first(of: parts, message, lists, .no)
    case .any(let parts): return Self.first(of: parts, message, lists, .yes)
    case .not(let part):
      switch part.truth(message, lists) {
      case .yes: return .no
      case .no: return .yes
      case .unknown(let list): return .unknown(list)
      }
    case .senderIn(let list): return Self.isIn(list, message.sender, lists)
    case .senderNotIn(let list): return MessageCondition.not(.senderIn(list)).truth(message, lists)
    case .threadIn(let list): return Self.isIn(list, message.thread, lists)
    case .contains(let text):
      let text = Array(text.lowercased().utf8)
      return [message.title ?? "", message.body].contains { Self.contains($0, text) } ? .yes : .no
    }
  }

  /// `decisive` when one part is; else the first that is unknown; else its opposite.
  private static func first(
    of parts: [MessageCondition], _ message: MessageFacts, _ lists: [Identifier: MessageList], _ decisive: Truth
  ) -> Truth {
    var unknown: Truth?
    for part in parts {
      let truth = part.truth(message, lists)
      if truth == decisive { return truth }
      if case .unknown = truth, unknown == nil { unknown = truth }
    }
    return unknown ?? (decisive == .yes ? .no : .yes)
  }

  private static func isIn(_ name: Identifier, _ entry: String?, _ lists: [Identifier: MessageList]) -> Truth {
    guard let list = lists[name] else { return .unknown(name) }
    guard let entry else { return .no }
    return list.entries.contains(Identifier(entry)) ? .yes : .no
  }

  private static func contains(_ text: String, _ part: [UInt8]) -> Bool {
    let text = Array(text.lowercased().utf8)
    guard !part.isEmpty, part.count <= text.count else { return part.isEmpty }
    // Knuth, Morris and Pratt: a message and a rule of a megabyte each would else take as long as somebody likes.
    var borders = [0]
    var length = 0
    for byte in part.dropFirst() {
      while length > 0, byte != part[length] { length = borders[length - 1] }
      if byte == part[length] { length += 1 }
      borders.append(length)
    }
    length = 0
    for byte in text {
      while length > 0, byte != part[length] { length = borders[length - 1] }
      if byte == part[length] { length += 1 }
      if length == part.count { return true }
    }
    return false
  }
}
