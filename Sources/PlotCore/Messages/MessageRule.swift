/// What a feed says about incoming messages (docs/messages.md, Settings).
public struct MessageSettings: Equatable, Sendable {
  /// Where a payload has its correlation key: keys, from the outside in.
  public var correlation = ["correlationKey"]
  /// Where it has its revision.
  public var revision = ["revision"]
  /// In the order in which they are tried.
  public var rules: [MessageRule] = []
  /// Stands for the text of a message that must not be shown, where the host cannot suppress it.
  public var placeholder = "New message"
  /// How long it is remembered what was seen, and what was retracted.
  public var memory: Milliseconds = 7 * 86_400_000
  /// Whether the global cooldown holds for messages, and is begun by them.
  public var keepsCooldown = false

  public init() {}
}

/// What to do with the messages of which something is true.
public struct MessageRule: Equatable, Sendable {
  public enum Action: Equatable, Sendable {
    case keep
    case drop
    case mute
    /// Nil leaves a text as it is; an empty title takes it away.
    case rewrite(title: Template?, body: Template?)
    case `defer`(Deferral)
  }

  public enum Deferral: Equatable, Sendable {
    case period(Milliseconds)
    /// The next time that the device's clocks show this minute of the day.
    case minute(Int64)
  }

  /// What happens when it cannot be told whether the condition is true, for a list is absent.
  public enum WhenAbsent: String, CaseIterable, Sendable {
    /// As if it were false: fail-open.
    case skip
    /// As if it were true: fail-closed.
    case apply
  }

  public var id: Identifier?
  /// Nil for every message.
  public var condition: MessageCondition?
  public var action: Action
  public var whenAbsent = WhenAbsent.skip

  /// What a rewritten text may have in braces.
  public static let fields = ["id", "sender", "thread", "title", "body"]

  public init(id: Identifier? = nil, condition: MessageCondition?, action: Action) {
    self.id = id
    self.condition = condition
    self.action = action
  }
}

/// A condition on a message.
public indirect enum MessageCondition: Equatable, Sendable {
  case all([MessageCondition])
  case any([MessageCondition])
  case not(MessageCondition)
  /// In the list of this name.
  case senderIn(Identifier)
  case senderNotIn(Identifier)
  case threadIn(Identifier)
  /// Title or body has this text in it, in whatever case.
  case contains(String)

  enum Truth: Equatable {
    case yes
    case no
    /// This list is absent.
    case unknown(Identifier)
  }

  func truth(_ item: Item, _ lists: [Identifier: MessageList]) -> Truth {
    switch self {
    case .all(let parts): return Self.first(of: parts, item, lists, .no)
    case .any(let parts): return Self.first(of: parts, item, lists, .yes)
    case .not(let part):
      switch part.truth(item, lists) {
      case .yes: return .no
      case .no: return .yes
      case .unknown(let list): return .unknown(list)
      }
    case .senderIn(let list): return Self.isIn(list, item.incoming?.sender, lists)
    case .senderNotIn(let list): return MessageCondition.not(.senderIn(list)).truth(item, lists)
    case .threadIn(let list): return Self.isIn(list, item.incoming?.thread, lists)
    case .contains(let text):
      let text = Array(text.lowercased().utf8)
      return [item.content.title ?? "", item.message].contains { Self.contains($0, text) } ? .yes : .no
    }
  }

  /// `decisive` when one part is; else the first that is unknown; else its opposite.
  private static func first(
    of parts: [MessageCondition], _ item: Item, _ lists: [Identifier: MessageList], _ decisive: Truth
  ) -> Truth {
    var unknown: Truth?
    for part in parts {
      let truth = part.truth(item, lists)
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
