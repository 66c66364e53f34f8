internal import PlotCore

// Notifications on the screen: statements for their changes.
extension Store {
  static let screenTables = OwnedTables(
    tables: ["displayed", "last_item"], numbers: ["lastRemoved"], numberTimes: ["lastRemoved"])

  func write(_ change: ScreenChange) {
    switch change {
    case .displayed(let item): write(.displayed, item)
    case .displayedEnded(let match): write(.displayedEnded, .text(match))
    case .lastItem(let item):
      write(.lastItem, text(item.visit))
      line.add(item)
    case .removed(let time): set("lastRemoved", time)
    }
  }

  func loadScreen(_ settings: inout Settings) throws(StoreError) -> Screen {
    var screen = Screen()
    try database.run("SELECT visit, item FROM displayed ORDER BY id") { row throws(StoreError) in
      screen.apply(.displayed(try item(row)))
    }
    try database.run("SELECT visit, item FROM last_item") { row throws(StoreError) in
      screen.apply(.lastItem(try item(row)))
    }
    if let time = settings.take("lastRemoved") { screen.apply(.removed(time)) }
    return screen
  }
}
