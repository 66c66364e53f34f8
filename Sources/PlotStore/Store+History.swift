internal import PlotCore

// Displays and answers: statements for the changes of the history.
extension Store {
  /// The times of walks are moved by changes of their own.
  static let historyTables = OwnedTables(
    tables: ["shown", "opened", "display", "anchor", "sent", "chain"],
    times: [
      OwnedTables.Time("shown", "time"), OwnedTables.Time("opened", "time"), OwnedTables.Time("display", "time"),
      OwnedTables.Time("anchor", "time").with { $0.hasNever = true },
    ], numbers: ["lastNotification"], numberTimes: ["lastNotification"])

  func write(_ change: HistoryChange) {
    switch change {
    case .shown(let key, let time, let beginsCooldown):
      write(.shown, .text(key.campaign.text), .text(key.region.text), .integer(time))
      if beginsCooldown { set("lastNotification", time) }
    case .lastNotification(let time): set("lastNotification", time)
    case .opened(let campaign, let time): write(.opened, .text(campaign.text), .integer(time))
    case .anchor(let key, let time):
      write(.anchor, .text(key.campaign.text), .text(key.region.text), .integer(time))
    case .display(let display):
      write(
        .display, .integer(display.time), .text(display.campaign.text), .text(display.region.text),
        text(display.visit),
        // No identifier has a control character in it.
        .text(display.tags.map(\.text).joined(separator: "\n")))
    case .displaysForgotten(let count): write(.displaysForgotten, .integer(Int64(count)))
    case .sent(let item):
      write(.sent, text(item.matchIdentifier), flag(item.isGeotrigger), text(item.visit))
      line.add(item)
    case .sentRemoved(let match): write(.sentRemoved, .text(match))
    case .sentCleared(let isGeotrigger): write(.sentCleared, flag(isGeotrigger))
    case .chain(let campaign, let starts): write(campaign, starts)
    }
  }

  /// Nil writes that nothing of it is done any more.
  private func write(_ campaign: Identifier, _ starts: [Milliseconds?]?) {
    guard let starts else { return write(.chainEnded, .text(campaign.text)) }
    let text = starts.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
    write(.chain, .text(campaign.text), .text(text))
  }

  func loadHistory(_ settings: inout Settings) throws(StoreError) -> History {
    var history = History(lastNotification: settings.take("lastNotification"))
    try database.run("SELECT campaign, region, time FROM shown") { row throws(StoreError) in
      history.apply(.shown(key(row), row[2].integer ?? 0, beginsCooldown: false))
    }
    try database.run("SELECT campaign, time FROM opened") { row throws(StoreError) in
      history.apply(.opened(campaign: Identifier(row[0].text ?? ""), row[1].integer ?? 0))
    }
    try database.run("SELECT campaign, region, time FROM anchor") { row throws(StoreError) in
      history.apply(.anchor(key(row), row[2].integer ?? 0))
    }
    try database.run("SELECT time, campaign, region, visit, tags FROM display ORDER BY id") { row throws(StoreError) in
      guard let time = row[0].integer, Timestamp.range.contains(time), let campaign = row[1].text,
        let region = row[2].text, let tags = row[4].text
      else { throw .unreadableRecord }
      let display = Display(
        time: time, campaign: Identifier(campaign), region: Identifier(region), visit: row[3].text,
        tags: tags.split(separator: "\n").map { Identifier(String($0)) })
      history.apply(.display(display))
    }
    try database.run("SELECT visit, item FROM sent ORDER BY id") { row throws(StoreError) in
      history.apply(.sent(try item(row)))
    }
    try database.run("SELECT campaign, starts FROM chain") { row throws(StoreError) in
      var starts: [Milliseconds?] = []
      for part in (row[1].text ?? "").split(separator: " ") {
        let start = Int64(part)
        guard start != nil || part == "-" else { throw .unreadableRecord }
        starts.append(start)
      }
      history.apply(.chain(Identifier(row[0].text ?? ""), starts))
    }
    return history
  }

  /// Of a row that begins with campaign and region.
  private func key(_ row: [Column]) -> ItemKey {
    ItemKey(campaign: Identifier(row[0].text ?? ""), region: Identifier(row[1].text ?? ""))
  }
}
