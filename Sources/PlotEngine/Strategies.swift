public import PlotCore
internal import PlotDocuments

/// One of the app's strategies. Called without a lock held.
public struct HostStrategy: Sendable {
  public var key: String
  public var call: @Sendable (StrategyCall) -> StrategyReply

  public init(key: String, call: @escaping @Sendable (StrategyCall) -> StrategyReply) {
    self.key = key
    self.call = call
  }
}

/// A call of a strategy.
public struct StrategyCall: Sendable {
  /// The numbers are those of include/plotengine.h.
  public enum Kind: Int32, Sendable, CaseIterable {
    case updateParameters = 0
    case voteCreate = 1
    case voteDelete = 2
    case created = 3
    case deleted = 4
    case background = 5
    case foreground = 6
    case startMonitoring = 7
    case load = 8
    case save = 9
  }

  public var kind: Kind
  public var time: Int64
  public var item: Item?
  /// Deleted, and a vote about that: what takes its place.
  public var next: Item?
  /// Created and deleted: whether it was.
  public var isDone = false
  /// Parameters, the circumstances of a vote, why something was deleted, or what is monitored, as JSON text.
  public var json = "{}"
  /// Load: what was saved; nil at the first time.
  public var state: String?
}

extension StrategyCall {
  init(_ notice: Notice, _ time: Milliseconds) {
    switch notice {
    case .created(let item, let isDone): self.init(kind: .created, time: time, item: item, isDone: isDone)
    case .deleted(let item, let isDone, let departure):
      self.init(
        kind: .deleted, time: time, item: item, next: departure.next, isDone: isDone,
        json: ListDocument.departure(departure))
    case .background: self.init(kind: .background, time: time)
    case .foreground: self.init(kind: .foreground, time: time)
    case .monitoring(let monitored):
      self.init(kind: .startMonitoring, time: time, json: ListDocument.monitoring(monitored))
    case .parameters(let json): self.init(kind: .updateParameters, time: time, json: json)
    }
  }
}

public struct StrategyReply: Sendable {
  /// Votes: yes.
  public var agrees: Bool
  /// Save: what is to be kept; nil for what was.
  public var state: String?

  public init(agrees: Bool, state: String? = nil) {
    self.agrees = agrees
    self.state = state
  }
}

/// The strategies with the circumstances of the moment, taken out of the lock.
struct StrategyBoard: Sendable {
  var strategies: [HostStrategy]
  var time: Milliseconds
  var states: [Identifier: String]
  var context: String

  func call(_ kind: StrategyCall.Kind, _ item: Item? = nil) -> StrategyCall {
    var call = StrategyCall(kind: kind, time: time, item: item)
    if kind == .voteCreate || kind == .voteDelete { call.json = context }
    return call
  }

  func find(_ key: Identifier) -> HostStrategy? {
    strategies.first { Identifier($0.key) == key }
  }

  /// The keys of those that say no. All are asked.
  func vetoes(_ ballot: Ballot) -> [Identifier] {
    ballot.voters.filter { key in
      guard let strategy = find(key) else { return false }
      var vote = call(ballot.kind == .create ? .voteCreate : .voteDelete, ballot.item)
      vote.next = ballot.departure?.next
      return !strategy.call(vote).agrees
    }
  }

  /// Tells them, and gives what they save after it.
  func inform(_ call: StrategyCall, _ keys: [Identifier]) -> [Identifier: String] {
    var saved: [Identifier: String] = [:]
    for key in keys {
      guard let strategy = find(key) else { continue }
      _ = strategy.call(call)
      if let state = strategy.call(self.call(.save)).state { saved[key] = state }
    }
    return saved
  }
}

extension Session {
  /// The feed has parameters for strategies that nobody has registered: a word in the debug log.
  mutating func warnOfMissingStrategies(in feed: Feed) {
    guard phase == .running else { return }
    for strategy in feed.settings.strategies {
      guard case .custom = strategy.rule, !callbacks.strategies.contains(where: { $0.key == strategy.key.text }) else {
        continue
      }
      report(.warning, "no strategy is registered as \"\(strategy.key.text)\"")
    }
  }

  /// The circumstances are for votes: no other call has them.
  func board(for ballot: Ballot? = nil) -> StrategyBoard {
    StrategyBoard(
      strategies: callbacks.strategies, time: machine.state.newest, states: machine.state.host.strategyStates,
      context: ballot.map { ListDocument.circumstances(machine.state, $0.departure) } ?? "{}")
  }
}
