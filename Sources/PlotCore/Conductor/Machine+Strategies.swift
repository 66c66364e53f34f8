extension Machine {
  /// The app's strategies that the feed has not switched off, in the order in which they were registered.
  public var voters: [Identifier] {
    guard !settings.strategies.isEmpty else { return [] }
    let off = feed.settings.strategies.filter { !$0.isEnabled }.map(\.key)
    return settings.strategies.filter { !off.contains($0) }
  }

  /// The strategies that need no app.
  var builtInStrategies: [Strategy] {
    feed.settings.strategies.filter { strategy in
      if case .custom = strategy.rule { return false }
      return strategy.isEnabled
    }
  }

  mutating func inform(_ notice: Notice) {
    let voters = voters
    if !voters.isEmpty { output.effects.append(.inform(notice, voters)) }
  }

  /// Tells the app's strategies their parameters; those that are switched off too.
  mutating func informOfParameters() {
    for strategy in feed.settings.strategies where settings.strategies.contains(strategy.key) {
      if case .custom(let parameters?) = strategy.rule {
        output.effects.append(.inform(.parameters(parameters), [strategy.key]))
      }
    }
  }

  /// A visit has begun at a region with notifications.
  mutating func informOfVisit(_ visit: Visit) {
    guard !voters.isEmpty, let position = feed.region(visit.region) else { return }
    let campaigns = feed.campaigns(at: position).map { feed.campaigns[$0] }.filter { $0.kind != .geotrigger }
    guard !campaigns.isEmpty else { return }
    let region = feed.regions[position]
    inform(
      .monitoring(
        Monitored(
          region: visit.region, visit: visit.id, isBeacon: region.shape.isBeacon, place: region.coordinate,
          range: region.matchRange, campaigns: campaigns.map(\.id))))
  }

  /// Keeps what strategies have saved, each for itself.
  mutating func save(_ states: [Identifier: String]) {
    for (key, text) in states.sorted(by: { $0.key < $1.key }) { learn(.strategyState(key, text)) }
  }

  /// `display`: the match identifier of a display that the start has found, if the strategies were called about it.
  public mutating func saveStates(_ states: [Identifier: String], display: String? = nil) -> Output {
    output.restart()
    save(states)
    if let display { endUnreported(display) }
    return finish()
  }

  // MARK: What the host says of itself

  /// The app has come to the foreground, or gone to the background.
  public mutating func setForeground(_ isForeground: Bool, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    if let change = state.host.take(isForeground: isForeground, at: now) {
      output.note(.host(change))
      inform(isForeground ? .foreground : .background)
    }
    return finish()
  }

  /// There is a network, or there is none.
  public mutating func setNetwork(_ hasNetwork: Bool, at time: Milliseconds) -> Output {
    learn(.network(hasNetwork), at: time)
  }

  // MARK: The built-in ones

  /// A veto of a strategy that needs no app; nil for yes.
  func veto(of strategy: Strategy, about item: Item) -> Veto? {
    Veto.of(
      strategy, about: item, now: now, displays: state.history.displays,
      lastNotification: state.history.lastNotification,
      lastRemoved: state.screen.lastRemoved, lastItem: state.screen.lastItem, background: state.host.background)
  }
}
