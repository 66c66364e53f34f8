internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

// Facts that the host reports about itself and its user: statements for their changes.
extension Store {
  static let hostTables = OwnedTables(
    tables: ["property", "zone", "strategy", "advertising"], lastingTables: ["clock"],
    lastingNumbers: ["enabled", "cooldownPeriod", "foreground", "backgroundSince", "network"],
    numberTimes: ["backgroundSince"])

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

  func loadHost(_ settings: inout Settings, _ zones: ZoneFiles) throws(StoreError) -> HostFacts {
    var host = HostFacts()
    if let value = settings.take("enabled") { host.apply(.enabled(value == 1)) }
    if let value = settings.take("cooldownPeriod") {
      guard (0...31_536_000_000).contains(value) else { throw .unreadableRecord }
      host.apply(.cooldownPeriod(value))
    }
    if let value = settings.take("network") { host.apply(.network(value == 1)) }
    host.apply(
      .foreground(settings.take("foreground") == 1, backgroundSince: settings.take("backgroundSince")))
    try database.run("SELECT key, type, value FROM property") { row throws(StoreError) in
      host.apply(.property(Identifier(row[0].text ?? ""), try property(row)))
    }
    // A zone that this system no longer has is as none.
    try database.run("SELECT name FROM zone") { row throws(StoreError) in
      host.apply(.zone(zones.zone(row[0].text ?? "") ?? .utc))
    }
    try database.run("SELECT identifier, limited FROM advertising") { row throws(StoreError) in
      host.apply(.advertising(Advertising(identifier: row[0].text, limitsTracking: row[1].integer == 1)))
    }
    try database.run("SELECT key, state FROM strategy") { row throws(StoreError) in
      guard let text = row[1].text else { throw .unreadableRecord }
      host.apply(.strategyState(Identifier(row[0].text ?? ""), text))
    }
    try database.run("SELECT wall, monotonic, boot FROM clock") { row throws(StoreError) in
      guard let wall = row[0].integer, let monotonic = row[1].integer, let boot = row[2].text,
        Timestamp.range.contains(wall), Timestamp.range.contains(monotonic)
      else { throw .unreadableRecord }
      host.apply(.clock(ClockReading(wall: wall, monotonic: monotonic, boot: boot)))
    }
    return host
  }

  private func property(_ row: [Column]) throws(StoreError) -> PropertyValue {
    switch (row[1].text, row[2]) {
    case ("string", .text(let text)): return .string(text)
    case ("boolean", .integer(let flag)): return .boolean(flag == 1)
    case ("integer", .integer(let number)): return .integer(number)
    case ("double", .real(let number)): return .double(number)
    case ("double", .integer(let number)): return .double(Double(number))
    case ("date", .integer(let time)): return .date(time)
    default: throw .unreadableRecord
    }
  }
}
