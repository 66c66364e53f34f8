internal import PlotCore
internal import PlotDocuments

/// The history of displays, what waits for the end of quiet hours, and the clocks.
extension Store {
  func writeLimit(_ change: Change) throws(StoreError) {
    switch change {
    case .display(let display):
      try database.run(
        "INSERT INTO display (time, campaign, region, visit, tags) VALUES (?, ?, ?, ?, ?)",
        [
          .integer(display.time), .text(display.campaign.text), .text(display.region.text), text(display.visit),
          // No identifier has a control character in it.
          .text(display.tags.map(\.text).joined(separator: "\n")),
        ])
    case .displaysForgotten(let count):
      try database.run(
        "DELETE FROM display WHERE id IN (SELECT id FROM display ORDER BY id LIMIT ?)", [.integer(Int64(count))])
    case .waiting(let waiting):
      try database.run(
        """
        INSERT INTO waiting (match, visit, item, until, inside) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (match) DO UPDATE SET until = excluded.until, inside = excluded.inside
        """,
        [
          text(waiting.item.matchIdentifier ?? ""), text(waiting.item.visit), .text(waiting.item.json),
          .integer(waiting.until), flag(waiting.insideOnly),
        ])
    case .waitingEnded(let match): try database.run("DELETE FROM waiting WHERE match = ?", [.text(match)])
    case .clock(let reading):
      try database.run(
        "INSERT OR REPLACE INTO clock VALUES (1, ?, ?, ?)",
        [.integer(reading.wall), .integer(reading.monotonic), .text(reading.boot)])
    case .clockMoved(let move, let wall, let latestDeadline):
      try moveTimes(by: move, to: wall, latestDeadline: latestDeadline)
    default: break
    }
  }

  /// As `Machine.moveTimes`; what is not stored by itself is made from these.
  private func moveTimes(by move: Milliseconds, to wall: Milliseconds, latestDeadline: Milliseconds) throws(StoreError)
  {
    func run(_ table: String, _ column: String, most: Milliseconds, _ rest: String = "") throws(StoreError) {
      try database.run(
        "UPDATE \(table) SET \(column) = max(0, min(\(column) + ?, ?)) \(rest)", [.integer(move), .integer(most)])
    }
    for table in ["shown", "opened", "display", "message_seen", "correlation"] { try run(table, "time", most: wall) }
    try run("anchor", "time", most: wall, "WHERE time < \(Milliseconds.max)")
    try database.run("UPDATE visit SET since = entered WHERE since IS NULL")
    try run("visit", "since", most: wall)
    try run("visit", "repeated", most: wall, "WHERE repeated IS NOT NULL")
    try run("crossing", "since", most: wall)
    try run("heard", "time", most: wall)
    try run(
      "setting", "value", most: wall, "WHERE key IN ('lastNotification', 'lastRemoved', 'backgroundSince')")
    try run("batch", "deadline", most: latestDeadline)
  }

  func loadLimits(_ state: inout State) throws(StoreError) {
    try database.run("SELECT time, campaign, region, visit, tags FROM display ORDER BY id") { row throws(StoreError) in
      guard let time = row[0].integer, Timestamp.range.contains(time), let campaign = row[1].text,
        let region = row[2].text,
        let tags = row[4].text
      else { throw damaged }
      state.displays.append(
        Display(
          time: time, campaign: Identifier(campaign), region: Identifier(region), visit: row[3].text,
          tags: tags.split(separator: "\n").map { Identifier(String($0)) }))
    }
    try database.run("SELECT visit, item, until, inside FROM waiting ORDER BY id") { row throws(StoreError) in
      guard let until = row[2].integer, Timestamp.range.contains(until) else { throw damaged }
      state.waiting.append(Waiting(item: try item(row), until: until, insideOnly: row[3].integer == 1))
    }
    try database.run("SELECT wall, monotonic, boot FROM clock") { row throws(StoreError) in
      guard let wall = row[0].integer, let monotonic = row[1].integer, let boot = row[2].text,
        Timestamp.range.contains(wall), Timestamp.range.contains(monotonic)
      else { throw damaged }
      state.clock = ClockReading(wall: wall, monotonic: monotonic, boot: boot)
    }
  }
}
