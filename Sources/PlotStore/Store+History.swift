internal import PlotCore

// What was shown and done: statements for the changes of the history.
extension Store {
  func write(_ change: HistoryChange) {
    switch change {
    case .shown(let key, let time, let isNotification):
      write(.shown, .text(key.campaign.text), .text(key.region.text), .integer(time))
      if isNotification { set("lastNotification", time) }
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
      write(.sent, text(item.matchIdentifier ?? ""), flag(item.isGeotrigger), text(item.visit))
      line.add(item)
    case .sentRemoved(let match): write(.sentRemoved, .text(match))
    case .sentCleared(let isGeotrigger): write(.sentCleared, flag(isGeotrigger))
    case .chain(let campaign, let starts): write(campaign, starts)
    }
  }
}
