internal import PlotCore
internal import PlotDocuments

// What is on its way to a display: statements for its changes.
extension Store {
  func write(_ change: QueueChange) {
    switch change {
    case .held(let held):
      write(.held, .text(held.region.text), .text(held.campaign.text), held.until.map(Column.integer) ?? .null)
    case .heldEnded(let campaign, let region): write(.heldEnded, .text(region.text), .text(campaign.text))
    case .batch(let batch): write(batch)
    case .batchClosed(let token): write(.batchClosed, .integer(Int64(clamping: token)))
    case .intent(let item): write(.intent, item)
    case .intentClosed(let match): write(.intentClosed, .text(match))
    case .pending(let item): write(.pending, item)
    case .pendingEnded(let match): write(.pendingEnded, .text(match))
    case .prefiltered(let answer):
      write(
        .prefiltered, .text(answer.region.text), .text(answer.campaign.text), text(answer.item?.visit),
        text(answer.item?.json))
    case .prefilteredEnded(let campaign, let region):
      write(.prefilteredEnded, .text(region.text), .text(campaign.text))
    case .waiting(let waiting):
      write(
        .waiting, text(waiting.item.matchIdentifier ?? ""), text(waiting.item.visit), .text(waiting.item.json),
        .integer(waiting.until), flag(waiting.insideOnly))
    case .waitingEnded(let match): write(.waitingEnded, .text(match))
    }
  }

  private func write(_ batch: Batch) {
    let token = Int64(clamping: batch.token)
    write(.batch, .integer(token), flag(batch.isGeotrigger), .integer(batch.deadline), flag(batch.isAtEnter))
    for (position, item) in batch.items.enumerated() {
      write(.batchItem, .integer(token), .integer(Int64(position)), text(item.visit))
      line.add(item)
    }
  }

  func loadWaiting(_ state: inout State) throws(StoreError) {
    try database.run("SELECT visit, item, until, inside FROM waiting ORDER BY id") { row throws(StoreError) in
      guard let until = row[2].integer, Timestamp.range.contains(until) else { throw .unreadableRecord }
      state.waiting.append(Waiting(item: try item(row), until: until, insideOnly: row[3].integer == 1))
    }
  }
}
