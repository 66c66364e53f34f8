/// A device's state as bytes (docs/state-bytes.md): all that outlives the process, but for the feed.
extension Machine {
  /// The same state gives the same bytes.
  public var stateBytes: [UInt8] {
    var (coder, session, observations) = (StateWriter(), state.host.session, observations)
    var (newest, sequence, token, forgotten) = (state.newest, state.sequence, state.delivery.lastToken, lastForgotten)
    coder.code(&newest)
    coder.code(&sequence)
    coder.code(&token)
    Timestamp.code(&forgotten, &coder)
    session.code(&coder)
    observations.code(&coder)
    // Without a look-up: a writer asks for no zone.
    state.code(&coder, zone: { _ in nil }, { _ in })
    var trips = state.trips
    trips.codeProgress(&coder)
    return coder.bytes
  }

  /// The state in bytes, and the changes that make it; nil for bytes that are none of a state.
  public struct RestoredState: Sendable {
    public var state: State
    /// Those that make it out of an empty one; none where they are not kept.
    public var changes: [Change]
    fileprivate(set) var lastForgotten: Milliseconds?
    fileprivate(set) var session: HostSession
    fileprivate(set) var observations: Observations

    /// The page of a store with this state.
    public var page: Page { Machine.page(state.newest, lastForgotten, session, observations, state.trips) }
  }

  public static func restored(
    from saved: StateBytes, listsChanges: Bool, zone: (String) -> ZoneRules?
  ) -> RestoredState? {
    var coder = StateReader(saved.bytes, saved.state, version: saved.version)
    var (newest, sequence, token, forgotten) = (Milliseconds(0), Int64(0), UInt64(0), Milliseconds?.none)
    var (session, observations) = (HostSession(), Observations())
    Timestamp.code(&newest, &coder)
    coder.code(&sequence)
    coder.code(&token)
    Timestamp.code(&forgotten, &coder)
    session.code(&coder)
    observations.code(&coder)
    var (state, changes) = (State(), [Change]())
    state.delivery = Delivery(lastToken: token)
    (state.newest, state.sequence) = (newest, sequence)
    State().code(&coder, zone: zone) { change in
      state.apply(change)
      if listsChanges { changes.append(change) }
    }
    if saved.version >= 4 { state.trips.codeProgress(&coder) }
    state.trips.forgetStrangers()
    guard coder.isComplete, (0..<(.max / 2)).contains(sequence), token < .max / 2,
      observations.isPossible(before: newest), state.trips.isPossible(before: newest),
      forgotten ?? 0 <= newest
    else { return nil }
    guard state.delivery.lastToken == token, state.isPossible else { return nil }
    return RestoredState(
      state: state, changes: changes, lastForgotten: forgotten, session: session, observations: observations)
  }
}

extension Machine.RestoredState {
  /// Makes it fit another feed than the one that it was saved with.
  public mutating func adoptFeed(_ feed: Feed, _ settings: Machine.Settings) {
    var machine = Machine(self, feed: feed, settings: settings)
    changes += machine.adoptFeed()
    (state, lastForgotten) = (machine.state, machine.lastForgotten)
    (session, observations) = (machine.state.host.session, machine.observations)
  }
}

extension Machine {
  /// The state is of a machine with another feed, of which nothing is known any more: regions of one name are taken for the same, and what is
  /// about others ends in silence. Gives what has changed.
  fileprivate mutating func adoptFeed() -> [Change] {
    let listsChanges = output.listsChanges
    output.restart()
    output.listsChanges = true
    replaceFeed(by: feed)
    defer {
      output.restart()
      output.listsChanges = listsChanges
    }
    return output.changes
  }
}

extension State {
  fileprivate func code(
    _ coder: inout some ItemCoder, zone: (String) -> ZoneRules?, _ made: (Change) -> Void
  ) {
    host.code(&coder, zone: zone) { made(.host($0)) }
    presence.code(&coder) { made(.presence($0)) }
    screen.code(&coder) { made(.screen($0)) }
    history.code(&coder) { made(.history($0)) }
    delivery.code(&coder) { made(.delivery($0)) }
    messages.code(&coder) { made(.messages($0)) }
    if coder.version >= 4 { trips.code(&coder) { made(.trips($0)) } }
  }

  fileprivate mutating func apply(_ change: Change) {
    switch change {
    case .host(let change): host.apply(change)
    case .presence(let change): presence.apply(change)
    case .screen(let change): screen.apply(change)
    case .history(let change): history.apply(change)
    case .delivery(let change): delivery.apply(change)
    case .messages(let change): messages.apply(change)
    case .trips(let change): trips.apply(change)
    case .feed, .clockMoved, .allCleared, .setAsideReported: break
    }
  }

  /// Whether what its owners promise each other holds: numbers that were read can be any.
  fileprivate var isPossible: Bool {
    presence.visits.allSatisfy { $0.ordinal <= presence.ordinals[$0.region] ?? 0 }
      && history.displays.count <= Display.limit && screen.displayed.count <= Screen.limit
      && delivery.batches.indices.dropFirst().allSatisfy { delivery.batches[$0 - 1].token < delivery.batches[$0].token }
      && trips.all.count <= TripPlan.limit
      && zip(history.displays, history.displays.dropFirst()).allSatisfy { $0.time <= $1.time }
  }
}
