/// A vote of the app's strategies about one notification. Nobody may change anything in a vote (seed 004).
public struct Ballot: Equatable, Sendable {
  public enum Kind: Sendable {
    /// May it be shown?
    case create
    /// May it be taken off the screen?
    case delete
  }

  public var kind: Kind
  public var item: Item
  /// The keys of those that are asked, in the order in which they were registered.
  public var voters: [Identifier]
}

/// What the app's strategies are told (reference: seed-systems, 1.a).
public enum Notice: Equatable, Sendable {
  /// After the attempt to show it; only a true one counts.
  case created(Item, Bool)
  /// After the attempt to take it off the screen, or after the person has dismissed it.
  case deleted(Item, Bool)
  case background
  case foreground
  /// From now on the end of this visit is watched for.
  case monitoring(region: Identifier, visit: String)
  /// The parameters of one strategy, from the feed's settings, as JSON text.
  case parameters(String)
}

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

  mutating func tell(_ notice: Notice) {
    let voters = voters
    if !voters.isEmpty { output.effects.append(.tell(notice, voters)) }
  }

  /// Tells the app's strategies their parameters; those that are switched off too.
  mutating func tellParameters() {
    for strategy in feed.settings.strategies where settings.strategies.contains(strategy.key) {
      if case .custom(let parameters?) = strategy.rule {
        output.effects.append(.tell(.parameters(parameters), [strategy.key]))
      }
    }
  }

  /// A visit has begun at a region with notifications.
  mutating func tellMonitoring(_ visit: Visit) {
    guard !voters.isEmpty, let region = feed.region(visit.region),
      feed.campaigns(at: region).contains(where: { feed.campaigns[$0].kind != .geotrigger })
    else { return }
    tell(.monitoring(region: visit.region, visit: visit.id))
  }

  /// Keeps what strategies have saved, each for itself.
  mutating func keep(_ states: [Identifier: String]) {
    for (key, text) in states.sorted(by: { $0.key < $1.key }) { learn(.strategyState(key, text)) }
  }

  public mutating func keepStates(_ states: [Identifier: String]) -> Output {
    output.restart()
    keep(states)
    return finish()
  }

  // MARK: What the host says of itself

  /// The app has come to the foreground, or gone to the background.
  public mutating func setForeground(_ isForeground: Bool, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    if let change = state.host.take(isForeground: isForeground, at: now) {
      output.note(.host(change))
      tell(isForeground ? .foreground : .background)
    }
    return finish()
  }

  /// There is a network, or there is none.
  public mutating func setNetwork(_ hasNetwork: Bool, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    learn(.network(hasNetwork))
    return finish()
  }

  // MARK: The built-in ones

  /// A veto, with the time at which it would end, where that is known; nil for yes.
  func veto(of strategy: Strategy, about item: Item) -> (next: Milliseconds?, Void)? {
    switch strategy.rule {
    case .custom: return nil
    case .maximum(let count, let window):
      return veto(until: Limits.room(for: count, in: window, state.history.displays, at: now))
    case .minimumTime(let period, let anchor):
      switch anchor {
      case .shown:
        let last = max(state.history.lastNotification ?? .min, state.history.displays.last?.time ?? .min)
        return last == .min ? nil : veto(until: last + period)
      case .removed: return veto(until: state.screen.lastRemoved.map { $0 + period })
      case .background:
        return state.host.isForeground ? (nil, ()) : veto(until: state.host.backgroundSince.map { $0 + period })
      }
    case .sameContent(let field):
      guard let last = state.screen.lastItem else { return nil }
      let isSame =
        switch field {
        case .message: last.message == item.message
        case .data: last.data == item.data
        }
      return isSame ? (nil, ()) : nil
    }
  }

  private func veto(until time: Milliseconds?) -> (next: Milliseconds?, Void)? {
    guard let time, now < time else { return nil }
    return (time, ())
  }
}
