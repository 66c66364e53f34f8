internal import PlotCore

// What the host says of itself and its user: statements for its changes.
extension Store {
  func write(_ change: HostChange) {
    switch change {
    case .enabled(let enabled): set("enabled", enabled ? 1 : 0)
    case .cooldownPeriod(let period): set("cooldownPeriod", period)
    case .property(let key, let value): write(key, value)
    case .zone(let zone): write(.zone, .text(zone.name))
    case .foreground(let isForeground, let since):
      set("foreground", isForeground ? 1 : 0)
      if let since { set("backgroundSince", since) }
    case .network(let hasNetwork): set("network", hasNetwork ? 1 : 0)
    case .strategyState(let key, let state): write(.strategy, .text(key.text), .text(state))
    case .advertising(nil): write(.advertisingCleared)
    case .advertising(let advertising?):
      write(.advertising, text(advertising.identifier), flag(advertising.limitsTracking))
    case .clock(let reading):
      write(.clock, .integer(reading.wall), .integer(reading.monotonic), .text(reading.boot))
    }
  }

  private func write(_ key: Identifier, _ value: PropertyValue?) {
    guard let value else { return write(.propertyCleared, .text(key.text)) }
    let column: Column =
      switch value {
      case .string(let text): .text(text)
      case .boolean(let flag): .integer(flag ? 1 : 0)
      case .integer(let number), .date(let number): .integer(number)
      case .double(let number): .real(number)
      }
    write(.property, .text(key.text), .text(value.typeName), column)
  }
}
