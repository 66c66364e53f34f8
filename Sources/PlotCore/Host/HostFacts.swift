/// A change of the host's facts that must survive the process.
public enum HostChange: Sendable {
  case enabled(Bool)
  case cooldownPeriod(Milliseconds)
  case property(Identifier, PropertyValue?)
  case zone(ZoneRules)
  case foreground(Bool, backgroundSince: Milliseconds?)
  case network(Bool)
  case strategyState(Identifier, String)
  case advertising(Advertising?)
  case clock(ClockReading)
}

/// Facts that the host reports about itself, its user and its clocks. They decide nothing: the rules ask for them.
///
/// Invariants: `backgroundSince` is known while the app is in the background, once the host has said so; only while it is in the
/// foreground is it known since when; a strategy's state is the one that it saved last.
public struct HostFacts: Sendable {
  // The fields that each crossing reads come first.
  /// Whether places are followed.
  public private(set) var isEnabled = true
  public private(set) var hasNetwork = true
  public private(set) var isForeground = false
  /// Least time between two notifications.
  public private(set) var cooldownPeriod: Milliseconds = 0
  /// The device's zone.
  public private(set) var zone = ZoneRules.utc
  /// Goes with every event.
  public private(set) var advertising: Advertising?
  public private(set) var properties: [Identifier: PropertyValue] = [:]
  /// When the app last went to the background; nil when the host has never said so.
  public private(set) var backgroundSince: Milliseconds?
  /// The newest reading of the host's clocks; nil when the host has never given one.
  public private(set) var clock: ClockReading?
  /// The saved states of the app's strategies.
  public private(set) var strategyStates: [Identifier: String] = [:]
  /// Facts that cost no transaction.
  private(set) var session = HostSession()

  public init() {}

  /// Goes on from what a process before this one has left; the app is in the foreground only if that was stored.
  mutating func take(_ session: HostSession) {
    self.session = session
    if !isForeground { self.session.foregroundSince = nil }
  }

  /// When the app came to the foreground.
  var foregroundSince: Milliseconds? { session.foregroundSince }

  /// Since when the app is in the background; `.max` while it is not, nil when the host has never said so.
  var background: Milliseconds? { isForeground ? .max : backgroundSince }

  // MARK: Changes

  /// Takes what the host says; nil when nothing becomes different by it.
  mutating func take(_ change: HostChange) -> HostChange? {
    let isNew =
      switch change {
      case .enabled(let isEnabled): isEnabled != self.isEnabled
      case .cooldownPeriod(let period): period != cooldownPeriod
      case .property(let key, let value): value != properties[key]
      case .zone(let zone): zone != self.zone
      case .foreground(let isForeground, let since): isForeground != self.isForeground || since != backgroundSince
      case .network(let hasNetwork): hasNetwork != self.hasNetwork
      case .strategyState(let key, let text): text != strategyStates[key]
      case .advertising(let advertising): advertising != self.advertising
      case .clock(let reading): reading != clock
      }
    guard isNew else { return nil }
    apply(change)
    return change
  }

  /// Makes a change, new or not: what a store does with what it has kept.
  public mutating func apply(_ change: HostChange) {
    switch change {
    case .enabled(let isEnabled): self.isEnabled = isEnabled
    case .cooldownPeriod(let period): cooldownPeriod = period
    case .property(let key, let value): properties[key] = value
    case .zone(let zone): self.zone = zone
    case .foreground(let isForeground, let since):
      self.isForeground = isForeground
      backgroundSince = since
    case .network(let hasNetwork): self.hasNetwork = hasNetwork
    case .strategyState(let key, let text): strategyStates[key] = text
    case .advertising(let advertising): self.advertising = advertising
    case .clock(let reading): clock = reading
    }
  }

  /// The app has come to the foreground, or gone to the background; nil when that was known.
  mutating func take(isForeground: Bool, at time: Milliseconds) -> HostChange? {
    guard isForeground != self.isForeground || (!isForeground && backgroundSince == nil) else { return nil }
    session.foregroundSince = isForeground ? time : nil
    let change = HostChange.foreground(isForeground, backgroundSince: isForeground ? backgroundSince : time)
    apply(change)
    return change
  }

  // MARK: Clocks

  /// Differences below this are the drift of a clock, not a change of it.
  static let drift: Milliseconds = 1000

  /// The reading to keep, and by how much the wall clock was set since the last one: nil for not at all, 0 where only the newest time of any
  /// input, `newest`, was never so, and what lies beyond the reading comes back to it. Throws `invalid` when the monotonic clock has gone back within
  /// a boot. `mostAhead`: what is further than that beyond the clocks was never so; nil where all was.
  func compared(
    _ reading: ClockReading, newest: Milliseconds, mostAhead: Milliseconds?
  ) throws(InputError) -> (reading: ClockReading, move: Milliseconds?) {
    guard let last = clock, last.boot == reading.boot else {
      let known = clock?.wall ?? 0
      if mostAhead != nil, known <= reading.wall, newest - Self.longestSilence > max(known, reading.wall) {
        return (reading, 0)
      }
      // How long the device was off is not known: time that has gone back is counted as none.
      let move = reading.wall - max(known, newest)
      return (reading, move <= -Self.drift ? move : nil)
    }
    guard reading.monotonic >= last.monotonic else {
      throw .invalid(
        name: "monotonic_ms", expected: "\(last.monotonic) or more, as before in this boot",
        found: "\(reading.monotonic)")
    }
    let expected = last.wall + (reading.monotonic - last.monotonic)
    let move = reading.wall - expected
    guard abs(move) < Self.drift else { return (reading, move) }
    // So that small differences add up to a change.
    var kept = reading
    kept.wall = expected
    return (kept, mostAhead.map { newest - $0 > reading.wall } ?? false ? 0 : nil)
  }

  /// So long no device goes on without a word of its clocks.
  static let longestSilence: Milliseconds = 31 * 86_400_000

  /// For so long a reading says what time it is.
  private static let moment: Milliseconds = 60_000

  /// The clocks have been read; nil where the reading is no word on what time it is now.
  mutating func noteReading(at time: Milliseconds?) { session.reading = time }

  /// Why no input can have this time, after what the clocks have shown; nil when one can. A reading counts until an input is a minute later than it: nobody knows how
  /// much time goes by after that.
  func fault(of time: Milliseconds, newest: Milliseconds, mostAhead: Milliseconds?) -> InputError? {
    guard let mostAhead, let clock else { return nil }
    if let reading = session.reading {
      return time > reading + mostAhead ? .ahead(latest: reading + mostAhead, isByClock: true) : nil
    }
    let latest = max(newest, clock.wall) + Self.longestSilence
    return time > latest ? .ahead(latest: latest, isByClock: false) : nil
  }

  /// How far an input may be beyond the newest time without a look at `fault`.
  func mostAhead(isLimited: Bool) -> Milliseconds {
    guard isLimited, clock != nil else { return .max }
    return session.reading == nil ? Self.longestSilence : -1
  }

  /// Takes the time of an input, which may end the reading; whether it does.
  mutating func endReading(by time: Milliseconds) -> Bool {
    guard let reading = session.reading, time > reading + Self.moment else { return false }
    session.reading = nil
    return true
  }

  /// The wall clock was set: each time becomes what `moved` makes of it.
  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    backgroundSince = backgroundSince.map(moved)
    session.foregroundSince = session.foregroundSince.map(moved)
    session.isClockMoved = true
  }

  /// Whether the wall clock was set since this was last asked.
  mutating func takeClockMove() -> Bool {
    defer { session.isClockMoved = false }
    return session.isClockMoved
  }

  // MARK: Clearing

  /// The facts that stay when the person is forgotten (docs/privacy.md): settings, and the host's reports about itself.
  var withoutThePerson: HostFacts {
    var kept = HostFacts()
    kept.isEnabled = isEnabled
    kept.cooldownPeriod = cooldownPeriod
    kept.clock = clock
    kept.isForeground = isForeground
    kept.backgroundSince = backgroundSince
    kept.hasNetwork = hasNetwork
    kept.session.foregroundSince = foregroundSince
    return kept
  }
}

/// Facts of the host that survive the process in the store's page alone.
struct HostSession: Sendable {
  fileprivate(set) var foregroundSince: Milliseconds?
  /// The wall clock was set, and what waits for a time on it has not been looked at since.
  fileprivate(set) var isClockMoved = false
  /// The reading of the wall clock, until an input is a minute later.
  fileprivate(set) var reading: Milliseconds?

  @inline(__always)
  mutating func code(_ coder: inout some FieldCoder) {
    var (since, moved, read) = (foregroundSince ?? -1, isClockMoved ? UInt64(1) : 0, reading ?? -1)
    coder.code(&since)
    coder.code(&moved)
    coder.code(&read)
    (foregroundSince, isClockMoved, reading) = (since < 0 ? nil : since, moved != 0, read < 0 ? nil : read)
  }
}
