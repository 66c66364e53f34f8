import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import Synchronization

/// A strategy of a rule file, as an app would write it: it counts the displays that it is told of, and saves them as its state. What else it
/// needs it takes from the circumstances of the vote (docs/strategies.md).
final class RuleStrategy: Sendable {
  /// The state that it saves, as JSON.
  private struct Memory: Codable {
    /// When notifications were shown; only the newest that can matter.
    var shown: [Milliseconds] = []
  }

  private struct Circumstances: Decodable {
    var foreground: Bool
    var backgroundSince: String?
    var lastRemoved: String?
  }

  private let rule: SimulationRules.AppStrategy
  private let memory = Mutex(Memory())

  init(_ rule: SimulationRules.AppStrategy) { self.rule = rule }

  var strategy: HostStrategy { HostStrategy(key: rule.key.text) { self.answer($0) } }

  private func answer(_ call: StrategyCall) -> StrategyReply {
    switch call.kind {
    case .load:
      let saved = call.state.flatMap { try? JSONDecoder().decode(Memory.self, from: Data($0.utf8)) }
      memory.withLock { $0 = saved ?? Memory() }
    case .created where call.isDone:
      memory.withLock { memory in
        memory.shown.append(call.time)
        memory.shown = memory.shown.suffix(max(1, rule.maximum?.count ?? 1))
      }
    case .voteCreate: return StrategyReply(agrees: !isAgainst(call))
    case .voteDelete: return StrategyReply(agrees: call.item.map { !rule.vetoDelete.contains($0.campaign) } ?? true)
    case .save:
      let data = try? JSONEncoder().encode(memory.withLock { $0 })
      return StrategyReply(agrees: true, state: data.map { String(decoding: $0, as: UTF8.self) })
    default: break
    }
    return StrategyReply(agrees: true)
  }

  private func isAgainst(_ call: StrategyCall) -> Bool {
    if let item = call.item, rule.veto.contains(item.campaign) { return true }
    let shown = memory.withLock(\.shown)
    if let maximum = rule.maximum, shown.count(where: { call.time - $0 < maximum.window }) >= maximum.count {
      return true
    }
    guard let period = rule.minimumTime else { return false }
    let circumstances = try? JSONDecoder().decode(Circumstances.self, from: Data(call.json.utf8))
    let start: Milliseconds?
    switch rule.after {
    case .shown: start = shown.last
    case .removed: start = circumstances?.lastRemoved.flatMap(Timestamp.parse)
    case .background:
      if circumstances?.foreground == true { return true }
      start = circumstances?.backgroundSince.flatMap(Timestamp.parse)
    }
    return start.map { call.time - $0 < period } ?? false
  }
}
