/// Everything that a machine can be given. The same inputs, in the same order, give the same outputs; a recording is a list of them
/// (docs/recording.md).
public enum Input: Sendable {
  /// Time has passed.
  case advance(Milliseconds)
  case fix(Fix)
  /// Fixes of one device that are taken in one moment.
  case fixes([Fix], at: Milliseconds)
  case sighting(Sighting)
  case hint(Hint)
  case move(Identifier, to: Coordinate, at: Milliseconds)
  case plan(Machine.PlanRequest)
  case clock(ClockReading)
  /// The three of a start, in this order: what the clocks show, what an earlier run has left, and the first word on being enabled.
  case startClock(ClockReading)
  case recover(at: Milliseconds)
  case begin(enabled: Bool, at: Milliseconds)
  case enabled(Bool, at: Milliseconds)
  case cooldownPeriod(Milliseconds, at: Milliseconds)
  case property(Identifier, PropertyValue?, at: Milliseconds)
  case feed(Feed, at: Milliseconds)
  case timeZone(ZoneRules, at: Milliseconds)
  indirect case message(Message, at: Milliseconds)
  /// Nil for entries makes the list absent.
  case list(Identifier, version: Int64, entries: Set<Identifier>?, at: Milliseconds)
  case listEdit(Identifier, add: Set<Identifier>, remove: Set<Identifier>, at: Milliseconds)
  case filterAnswer(UInt64, [Kept], at: Milliseconds)
  case handled(UInt64, [Kept], at: Milliseconds)
  /// The host's answers to effects; they count as of the newest time.
  case confirm(String, shown: Bool, states: [Identifier: String])
  case confirmRemoved(String, removed: Bool, states: [Identifier: String])
  indirect case vote(Ballot, vetoes: [Identifier])
  /// `display`: the match identifier of a display that the start has found, if the strategies were called about it.
  case states([Identifier: String], display: String?)
  case open(String, at: Milliseconds)
  case action(String, of: String, at: Milliseconds)
  case dismiss(String, at: Milliseconds)
  /// Nil for all.
  case removeDisplayed(String?, at: Milliseconds)
  case updateDisplayed(Kept, at: Milliseconds)
  case clearSent(isGeotrigger: Bool, at: Milliseconds)
  case advertising(String?, limitsTracking: Bool, at: Milliseconds)
  case foreground(Bool, at: Milliseconds)
  case network(Bool, at: Milliseconds)
  case clearAllData(at: Milliseconds)
  indirect case startTrip(TripPlan, at: Milliseconds)
  case endTrip(Identifier, hasArrived: Bool, at: Milliseconds)

  /// When it happened; nil for what counts as of the newest time.
  public var time: Milliseconds? {
    switch self {
    case .advance(let time): time
    case .fix(let fix): fix.time
    case .fixes(_, let time): time
    case .sighting(let sighting): sighting.time
    case .hint(let hint): hint.time
    case .plan(let request): request.time
    case .clock(let reading), .startClock(let reading): reading.wall
    case .confirm, .confirmRemoved, .vote, .states: nil
    case .move(_, _, let time), .recover(let time), .begin(_, let time), .enabled(_, let time),
      .cooldownPeriod(_, let time), .property(_, _, let time), .feed(_, let time), .timeZone(_, let time),
      .message(_, let time), .list(_, _, _, let time), .listEdit(_, _, _, let time), .filterAnswer(_, _, let time),
      .handled(_, _, let time), .open(_, let time), .action(_, _, let time), .dismiss(_, let time),
      .removeDisplayed(_, let time), .updateDisplayed(_, let time), .clearSent(_, let time),
      .advertising(_, _, let time), .foreground(_, let time), .network(_, let time), .clearAllData(let time),
      .startTrip(_, let time), .endTrip(_, _, let time):
      time
    }
  }
}

extension Input {
  /// The value beyond `Fix.excess` in it; nil when there is none.
  public var excess: InputError? {
    switch self {
    case .fix(let fix): Fix.excess(accuracy: fix.accuracy, speed: fix.speed)
    case .hint(let hint): Fix.excess(accuracy: hint.position?.accuracy ?? 0)
    case .plan(let request): Fix.excess(accuracy: request.here?.accuracy ?? 0)
    default: nil
    }
  }
}

extension Machine {
  /// Takes an input. Throws what it is refused for, and then nothing has changed.
  public mutating func take(_ input: Input) throws(InputError) -> Output {
    switch input {
    // The clocks are what all others are held against, and a fix that changes nothing is held on the fast path.
    case .clock, .startClock, .fix, .fixes: break
    // The start of a process is now, whatever was read before.
    case .recover(let time): endReading(by: time)
    default: if let time = input.time { try checkTime(time) }
    }
    return try taken(input)
  }

  private mutating func taken(_ input: Input) throws(InputError) -> Output {
    switch input {
    case .advance(let time): advance(to: time)
    case .fix(let fix): try update(fix)
    case .fixes(let fixes, let time): try handOver(fixes, at: time)
    case .sighting(let sighting): try update(sighting)
    case .hint(let hint): try self.hint(hint)
    case .move(let region, let center, let time): try moveRegion(region, to: center, at: time)
    case .plan(let request): try planRegions(request).0
    case .clock(let reading): try setClock(reading)
    case .startClock(let reading): try startClock(reading)
    case .recover(let time): recover(at: time)
    case .begin(let isEnabled, let time): begin(enabled: isEnabled, at: time)
    case .enabled(let isEnabled, let time): setEnabled(isEnabled, at: time)
    case .cooldownPeriod(let period, let time): setCooldownPeriod(period, at: time)
    case .property(let key, let value, let time): setProperty(key, value, at: time)
    case .feed(let feed, let time): setFeed(feed, at: time)
    case .timeZone(let zone, let time): setTimeZone(zone, at: time)
    case .message(let message, let time): process(message, at: time)
    case .list(let name, let version, let entries, let time):
      setList(name, version: version, entries: entries, at: time)
    case .listEdit(let name, let add, let remove, let time): try editList(name, add: add, remove: remove, at: time)
    case .filterAnswer(let token, let kept, let time): try answerFilter(token, kept, at: time)
    case .handled(let token, let kept, let time): try markHandled(token, kept, at: time)
    case .confirm(let match, let shown, let states): try confirm(match, shown: shown, states: states)
    case .confirmRemoved(let match, let removed, let states): confirmRemoved(match, removed: removed, states: states)
    case .vote(let ballot, let vetoes): answerVote(ballot, vetoes: vetoes)
    case .states(let states, let display): saveStates(states, display: display)
    case .open(let match, let time): try open(match, at: time)
    case .action(let action, let match, let time): try takeAction(action, of: match, at: time)
    case .dismiss(let match, let time): try dismiss(match, at: time)
    case .removeDisplayed(let match, let time): try removeDisplayed(match, at: time)
    case .updateDisplayed(let kept, let time): try updateDisplayed(kept, at: time)
    case .clearSent(let isGeotrigger, let time): clearSent(isGeotrigger: isGeotrigger, at: time)
    case .advertising(let identifier, let limits, let time):
      setAdvertising(identifier, limitsTracking: limits, at: time)
    case .foreground(let isForeground, let time): setForeground(isForeground, at: time)
    case .network(let hasNetwork, let time): setNetwork(hasNetwork, at: time)
    case .clearAllData(let time): clearAllData(at: time)
    case .startTrip(let plan, let time): try startTrip(plan, at: time)
    case .endTrip(let id, let hasArrived, let time): try endTrip(id, hasArrived: hasArrived, at: time)
    }
  }
}
