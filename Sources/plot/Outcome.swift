internal import PlotCore
internal import PlotEngine
internal import PlotTracks

/// The outcome of a run, as far as people compare it.
struct Outcome {
  /// Something that a person or an app noticed.
  struct Entry: Equatable {
    var time: Int64
    /// `notification`, `geotrigger`, or the event's name for what became of one.
    var kind: String
    var campaign: String
    var region: String
    var visit: String
    var text: String

    /// The same key in two runs is the same thing, though perhaps at another time.
    var key: String { "\(kind);\(campaign);\(region)" }
  }

  private(set) var entries: [Entry] = []
  private(set) var decisions: [Decision] = []
  private(set) var visits = 0
  /// The device's, at the end.
  let clock: LocalClock

  init(effects: [Machine.Effect], clock: LocalClock) {
    self.clock = clock
    for effect in effects { add(effect) }
  }

  /// Of a recording, which is replayed for it.
  init(recording lines: [String]) throws {
    let replay = Replay()
    let effects = try lines.flatMap { try replay.play(Array($0.utf8)).effects }
    self.init(effects: effects, clock: LocalClock(replay.machine?.state.host.zone ?? .utc))
  }

  var shown: Int { entries.count { $0.kind == "notification" } }
  var geotriggers: Int { entries.count { $0.kind == "geotrigger" } }
  /// Candidates that were dropped.
  var dropped: Int { decisions.count { Self.isDrop($0) } }

  static func isDrop(_ decision: Decision) -> Bool {
    decision.verdict == .drop && (decision.campaign != nil || decision.message != nil)
      && ![.presence, .remove, .attachment, .revision, .list].contains(decision.step)
  }

  private mutating func add(_ effect: Machine.Effect) {
    switch effect {
    case .decision(let decision): decisions.append(decision)
    case .event(let event):
      let kind: String
      switch event.kind {
      case .regionEnter, .regionInside:
        visits += 1
        return
      case .notificationShown: kind = "notification"
      case .geotrigger: kind = "geotrigger"
      case .notificationOpened, .notificationAction, .notificationDismissed, .notificationRemoved, .notificationFailed,
        .notificationHeldOut:
        kind = event.kind.rawValue
      default: return
      }
      entries.append(
        Entry(
          time: event.time, kind: kind, campaign: event.item?.campaign.text ?? "", region: event.region.text,
          visit: event.visit, text: event.item?.message ?? ""))
    default: break
    }
  }
}

/// Two runs on the same inputs.
struct Comparison {
  enum Change: Equatable {
    case onlyBefore(Outcome.Entry)
    case onlyAfter(Outcome.Entry)
    case moved(Outcome.Entry, to: Int64)
    case reworded(Outcome.Entry, to: String)

    var time: Int64 {
      switch self {
      case .onlyBefore(let entry), .onlyAfter(let entry), .moved(let entry, _), .reworded(let entry, _): entry.time
      }
    }
  }

  var name: String
  var before: Outcome
  var after: Outcome

  /// Times are told by it.
  var clock: LocalClock { before.clock }

  /// By time. What is there in both at one time is the same; of the rest of one campaign at one region, what has the same place in its order
  /// has moved.
  var changes: [Change] {
    var changes: [Change] = []
    var rest = after.entries
    var unmatched: [Outcome.Entry] = []
    for entry in before.entries {
      guard let index = rest.firstIndex(where: { $0.key == entry.key && $0.time == entry.time }) else {
        unmatched.append(entry)
        continue
      }
      if rest[index].text != entry.text { changes.append(.reworded(entry, to: rest[index].text)) }
      rest.remove(at: index)
    }
    for entry in unmatched {
      if let index = rest.firstIndex(where: { $0.key == entry.key }) {
        changes.append(.moved(entry, to: rest.remove(at: index).time))
      } else {
        changes.append(.onlyBefore(entry))
      }
    }
    changes += rest.map(Change.onlyAfter)
    return changes.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// The decision that kept what is only before from coming after.
  func obstacle(_ entry: Outcome.Entry) -> Decision? {
    let about = after.decisions.filter {
      $0.campaign?.text == entry.campaign && $0.region?.text == entry.region && $0.verdict != .pass
    }
    return about.last { $0.visit == entry.visit } ?? about.last { $0.time <= entry.time }
  }
}
