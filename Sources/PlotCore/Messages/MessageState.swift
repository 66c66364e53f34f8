/// A device's knowledge of messages: which came, the newest ones, which wait, and the app's lists. The fate of a message is for the
/// rules to say.
///
/// Invariants: each message waits once; a list's entries are at most `MessageList.limit`.
public struct MessageState: Sendable {
  /// A list that is not here is absent, which is not the same as empty.
  public private(set) var lists: [Identifier: MessageList] = [:]
  /// By correlation key.
  public private(set) var correlations: [Identifier: Correlation] = [:]
  /// When each message came, by its matchIdentifier.
  public private(set) var seen: [String: Milliseconds] = [:]
  /// In the order in which they were deferred.
  public private(set) var deferred: [DeferredMessage] = []

  public init() {}

  // MARK: Old and new

  /// The newest message of a key, as far as it is still remembered: not one that is `memory` old.
  func newest(_ key: Identifier, now: Milliseconds, memory: Milliseconds) -> Correlation? {
    correlations[key].flatMap { now - $0.time < memory ? $0 : nil }
  }

  /// When a message came before; nil when it did not, or that is forgotten.
  func firstSeen(_ matchIdentifier: String, now: Milliseconds, memory: Milliseconds) -> Milliseconds? {
    seen[matchIdentifier].flatMap { now - $0 < memory ? $0 : nil }
  }

  /// Why a message that has waited must not be shown any more; nil when it may.
  func outdated(_ item: Item, now: Milliseconds, memory: Milliseconds) -> Reason? {
    guard let incoming = item.incoming, !incoming.isSuppressed, let key = item.correlationKey,
      let newest = newest(Identifier(key), now: now, memory: memory), newest.matchIdentifier != item.matchIdentifier
    else { return nil }
    return newest.isRetracted ? .retracted : .stale
  }

  /// It has come.
  mutating func see(_ matchIdentifier: String, at time: Milliseconds) -> MessageChange {
    let change = MessageChange.seen(matchIdentifier, time)
    apply(change)
    return change
  }

  /// When it comes again, it is tried again. Nil when it has not come.
  mutating func unsee(_ matchIdentifier: String) -> MessageChange? {
    seen.removeValue(forKey: matchIdentifier).map { _ in .unseen(matchIdentifier) }
  }

  /// It is the newest of its key.
  mutating func correlate(_ key: Identifier, _ newest: Correlation) -> MessageChange {
    let change = MessageChange.correlation(key, newest)
    apply(change)
    return change
  }

  /// Lets go of what came up to a time; nil when there is nothing.
  mutating func forget(upTo limit: Milliseconds) -> MessageChange? {
    guard seen.values.contains(where: { $0 <= limit }) || correlations.values.contains(where: { $0.time <= limit })
    else { return nil }
    apply(.forgotten(limit))
    return .forgotten(limit)
  }

  // MARK: Deferred ones

  /// It waits, behind the others.
  mutating func wait(_ message: DeferredMessage) -> MessageChange {
    deferred.append(message)
    return .deferred(message)
  }

  /// Takes those that `isChosen` picks, all in one go; the end of each must be noted.
  mutating func takeDeferred(_ isChosen: (DeferredMessage) -> Bool) -> [DeferredMessage] {
    let chosen = deferred.filter(isChosen)
    guard !chosen.isEmpty else { return [] }
    let matches = Set(chosen.map(\.item.matchIdentifier))
    deferred.removeAll { matches.contains($0.item.matchIdentifier) }
    return chosen
  }

  /// When one is due; `.max` for never.
  var nextDue: Milliseconds {
    var next = Milliseconds.max
    for deferred in deferred { next = min(next, deferred.until) }
    return next
  }

  // MARK: Lists

  /// The fate of a list that the app gives.
  enum ListAnswer {
    case taken(MessageChange?)
    /// The one in force is newer.
    case older(inForce: Int64)
  }

  /// Takes a list in place of the one of this name, unless that is newer.
  mutating func take(_ name: Identifier, _ list: MessageList) -> ListAnswer {
    let old = lists[name]
    if let old, list.version < old.version { return .older(inForce: old.version) }
    guard list != old else { return .taken(nil) }
    lists[name] = list
    return .taken(.list(name, list))
  }

  /// The list after an edit; one that is absent begins empty, with version 0.
  func edited(_ name: Identifier, add: Set<Identifier>, remove: Set<Identifier>) -> MessageList {
    var list = lists[name] ?? MessageList(version: 0, entries: [], refreshed: 0)
    list.entries.formUnion(add)
    list.entries.subtract(remove)
    return list
  }

  /// It is absent from now on; nil when it was before.
  mutating func removeList(_ name: Identifier) -> MessageChange? {
    lists.removeValue(forKey: name).map { _ in .list(name, nil) }
  }

  // MARK: Changes

  /// Makes a change, new or not: what a store does with what it has kept.
  public mutating func apply(_ change: MessageChange) {
    switch change {
    case .list(let name, let list): lists[name] = list
    case .correlation(let key, let newest): correlations[key] = newest
    case .seen(let match, let time): seen[match] = time
    case .unseen(let match): seen[match] = nil
    case .forgotten(let limit):
      seen = seen.filter { $0.value > limit }
      correlations = correlations.filter { $0.value.time > limit }
    case .deferred(let message):
      if let position = deferred.firstIndex(where: { $0.item.matchIdentifier == message.item.matchIdentifier }) {
        deferred[position] = message
      } else {
        deferred.append(message)
      }
    case .deferredEnded(let match): deferred.removeAll { $0.item.matchIdentifier == match }
    }
  }

  // MARK: Time

  /// The wall clock was set: each time that is remembered becomes what `moved` makes of it, each wait what `until` says. Returned are the
  /// changes that a store cannot make by itself.
  mutating func moveTimes(
    _ moved: (Milliseconds) -> Milliseconds, until: (DeferredMessage) -> Milliseconds
  ) -> [MessageChange] {
    seen = seen.mapValues(moved)
    correlations = correlations.mapValues { newest in
      var newest = newest
      newest.time = moved(newest.time)
      return newest
    }
    return deferred.indices.map { index in
      deferred[index].until = until(deferred[index])
      return .deferred(deferred[index])
    }
  }
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

/// The newest that is known of a correlation key.
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

/// A change of a `MessageState` that must survive the process.
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
