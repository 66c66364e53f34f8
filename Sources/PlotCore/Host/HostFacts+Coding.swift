// The host's facts as bytes: values that are read are handed on as changes.
extension HostFacts {
  /// `zone` finds a zone by its name; nil for one that this system does not have.
  func code(_ coder: inout some StateCoder, zone: (String) -> ZoneRules?, _ made: (HostChange) -> Void) {
    var (isEnabled, hasNetwork, isForeground) = (isEnabled, hasNetwork, isForeground)
    coder.code(&isEnabled)
    made(.enabled(isEnabled))
    coder.code(&hasNetwork)
    made(.network(hasNetwork))
    coder.code(&isForeground)
    var since = backgroundSince
    Timestamp.code(&since, &coder)
    made(.foreground(isForeground, backgroundSince: since))
    var period = cooldownPeriod
    coder.code(&period)
    coder.require((0...31_536_000_000).contains(period))
    made(.cooldownPeriod(period))
    var name = self.zone.name
    coder.code(&name)
    // A zone that this system does not have is as none.
    made(.zone(zone(name) ?? .utc))
    var advertising = advertising
    coder.code(&advertising, empty: Advertising(identifier: nil, limitsTracking: false)) { coder, advertising in
      coder.code(&advertising.identifier)
      coder.code(&advertising.limitsTracking)
    }
    if let advertising { made(.advertising(advertising)) }
    coder.table(
      properties, empty: .boolean(false), put: { made(.property($0, $1)) }, { coder, value in value.code(&coder) })
    coder.table(
      strategyStates, empty: "", put: { made(.strategyState($0, $1)) }, { coder, text in coder.code(&text) })
    var clock = clock
    coder.code(&clock, empty: ClockReading(wall: 0, monotonic: 0, boot: "")) { coder, reading in
      Timestamp.code(&reading.wall, &coder)
      Timestamp.code(&reading.monotonic, &coder)
      coder.code(&reading.boot)
    }
    if let clock { made(.clock(clock)) }
  }
}

extension PropertyValue {
  mutating func code(_ coder: inout some StateCoder) {
    var (number, text, flag, integer, double) = (UInt64(0), "", false, Int64(0), 0.0)
    switch self {
    case .string(let value): text = value
    case .boolean(let value): (number, flag) = (1, value)
    case .integer(let value): (number, integer) = (2, value)
    case .double(let value): (number, double) = (3, value)
    case .date(let value): (number, integer) = (4, value)
    }
    coder.code(&number)
    switch number {
    case 0:
      coder.code(&text)
      self = .string(text)
    case 1:
      coder.code(&flag)
      self = .boolean(flag)
    case 2:
      coder.code(&integer)
      self = .integer(integer)
    case 3:
      coder.code(&double)
      coder.require(double.isFinite)
      self = .double(double)
    case 4:
      Timestamp.code(&integer, &coder)
      self = .date(integer)
    default: coder.reject()
    }
  }
}
