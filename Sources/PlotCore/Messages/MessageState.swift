/// What a device knows about messages.
public struct MessageState: Sendable {
  /// A list that is not here is absent, which is not the same as empty.
  public var lists: [Identifier: MessageList] = [:]
  /// By correlation key.
  public var correlations: [Identifier: Correlation] = [:]
  /// When each message came, by its matchIdentifier.
  public var seen: [String: Milliseconds] = [:]
  /// In the order in which they were deferred.
  public var deferred: [DeferredMessage] = []

  public init() {}
}

/// A list of the app's, such as of senders that are blocked.
public struct MessageList: Equatable, Sendable {
  public var version: Int64
  public var entries: Set<Identifier>
  /// When it was set.
  public var refreshed: Milliseconds

  public static let limit = 100_000

  public init(version: Int64, entries: Set<Identifier>, refreshed: Milliseconds) {
    self.version = version
    self.entries = entries
    self.refreshed = refreshed
  }
}

/// The newest that is known of a correlation key (reference: seed-systems, 1.c).
public struct Correlation: Equatable, Sendable {
  /// Nil when it has none.
  public var revision: Int64?
  public var matchIdentifier: String
  /// A tombstone: what comes late is not shown.
  public var isRetracted: Bool
  public var time: Milliseconds

  public init(revision: Int64?, matchIdentifier: String, isRetracted: Bool, time: Milliseconds) {
    self.revision = revision
    self.matchIdentifier = matchIdentifier
    self.isRetracted = isRetracted
    self.time = time
  }

  /// Why a message with this key is not taken; nil when it is newer than this.
  func refusal(of message: Message) -> Reason? {
    guard let mine = revision, let other = message.revision else {
      return isRetracted && message.operation != .retract ? .retracted : nil
    }
    if message.operation == .retract { return other < mine ? .stale : nil }
    if isRetracted { return other <= mine ? .retracted : nil }
    return other < mine || (other == mine && message.matchIdentifier != matchIdentifier) ? .stale : nil
  }
}

/// A message that waits, as a rule says.
public struct DeferredMessage: Equatable, Sendable {
  public var item: Item
  public var until: Milliseconds
  /// It waits for a time of the day, and not for a length of time.
  public var isTimeOfDay: Bool

  public init(item: Item, until: Milliseconds, isTimeOfDay: Bool) {
    self.item = item
    self.until = until
    self.isTimeOfDay = isTimeOfDay
  }
}

/// What has changed in a `MessageState` and must outlive the process.
public enum MessageChange: Sendable {
  case list(Identifier, MessageList?)
  case correlation(Identifier, Correlation)
  case seen(String, Milliseconds)
  case unseen(String)
  /// Correlations and messages seen, up to this time.
  case forgotten(Milliseconds)
  case deferred(DeferredMessage)
  case deferredEnded(matchIdentifier: String)
}

/// In which form a message is shown that must not be, by a host that cannot suppress it.
public enum SuppressFallback: String, CaseIterable, Sendable {
  /// Another text in the place of all that it says.
  case placeholder
  /// Without sound and badge.
  case silent
}
