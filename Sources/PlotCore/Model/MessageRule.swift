/// The settings of a feed about incoming messages (docs/messages.md, Settings).
public struct MessageSettings: Equatable, Sendable {
  /// Whose payloads they are.
  public var profile = MessageProfile.plain
  /// Where a payload has what, in place of the profile's places: those that are tried, in their order.
  public var paths: [MessageField: [MessagePath]] = [:]
  /// In the order in which they are tried.
  public var rules: [MessageRule] = []
  /// Stands for the text of a message that must not be shown, where the host cannot suppress it.
  public var placeholder = "New message"
  /// How long it is remembered what was seen, and what was retracted.
  public var memory: Milliseconds = 7 * 86_400_000
  /// Whether the global cooldown holds for messages, and is begun by them.
  public var keepsCooldown = false
  /// Lists that come with the feed.
  public var lists: [SuppliedList] = []

  public init() {}

  /// Where a payload has something; empty for nowhere.
  public func places(of field: MessageField) -> [MessagePath] { paths[field] ?? profile.places(of: field) }
}

/// A list that a feed brings, for the rules to look into.
public struct SuppliedList: Equatable, Sendable {
  public var name: Identifier
  public var version: Int64
  public var entries: Set<Identifier>

  public init(name: Identifier, version: Int64, entries: Set<Identifier>) {
    (self.name, self.version, self.entries) = (name, version, entries)
  }
}

/// A rule for messages that fulfil a condition.
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

  /// The fate of a message when the condition cannot be evaluated, for a list is absent.
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

  /// The fields that a rewritten text may have in braces.
  public static let fields = ["id", "sender", "thread", "title", "body"]

  public init(id: Identifier? = nil, condition: MessageCondition?, action: Action) {
    self.id = id
    self.condition = condition
    self.action = action
  }
}

/// The facts that a condition looks at, and that a rewritten text may ask for.
public struct MessageFacts: Equatable, Sendable {
  public var id: String
  public var sender: String?
  public var thread: String?
  public var title: String?
  public var body: String

  public init(id: String, sender: String? = nil, thread: String? = nil, title: String? = nil, body: String) {
    self.id = id
    self.sender = sender
    self.thread = thread
    self.title = title
    self.body = body
  }

  /// The text of one of `MessageRule.fields`; empty when the message has none.
  func field(_ name: String) -> String {
    switch name {
    case "id": id
    case "sender": sender ?? ""
    case "thread": thread ?? ""
    case "title": title ?? ""
    case "body": body
    default: ""
    }
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
}
