internal import PlotCore
internal import PlotDocuments

// Notifications on their way to a display: statements for their changes.
extension Store {
  static let deliveryTables = OwnedTables(
    tables: ["held", "batch", "batch_item", "pending", "intent", "prefiltered", "waiting"],
    times: [OwnedTables.Time("batch", "deadline").with { $0.isDeadline = true }], lastingNumbers: ["lastToken"])

  func write(_ change: DeliveryChange) {
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
        .waiting, text(waiting.item.matchIdentifier), text(waiting.item.visit), .text(waiting.item.json),
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

  func loadDelivery(_ settings: inout Settings) throws(StoreError) -> Delivery {
    var delivery = Delivery(lastToken: UInt64(clamping: settings.take("lastToken") ?? 0))
    try database.run("SELECT region, campaign, until FROM held") { row throws(StoreError) in
      let held = Held(
        campaign: Identifier(row[1].text ?? ""), region: Identifier(row[0].text ?? ""), until: row[2].integer)
      delivery.apply(.held(held))
    }
    try database.run("SELECT visit, item, until, inside FROM waiting ORDER BY id") { row throws(StoreError) in
      guard let until = row[2].integer, Timestamp.range.contains(until) else { throw .unreadableRecord }
      delivery.apply(.waiting(Waiting(item: try item(row), until: until, insideOnly: row[3].integer == 1)))
    }
    try database.run("SELECT visit, item FROM intent ORDER BY id") { row throws(StoreError) in
      delivery.apply(.intent(try item(row)))
    }
    try database.run("SELECT visit, item FROM pending ORDER BY id") { row throws(StoreError) in
      delivery.apply(.pending(try item(row)))
    }
    try database.run("SELECT visit, item, region, campaign FROM prefiltered ORDER BY id") { row throws(StoreError) in
      let answer = Prefiltered(
        campaign: Identifier(row[3].text ?? ""), region: Identifier(row[2].text ?? ""),
        item: row[1] == .null ? nil : try item(row))
      delivery.apply(.prefiltered(answer))
    }
    for batch in try loadBatches() { delivery.apply(.batch(batch)) }
    return delivery
  }

  private func loadBatches() throws(StoreError) -> [Batch] {
    var batches: [Batch] = []
    try database.run("SELECT token, geotrigger, deadline, at_enter FROM batch ORDER BY token") {
      row throws(StoreError) in
      guard let token = row[0].integer, let deadline = row[2].integer else { throw .unreadableRecord }
      batches.append(
        Batch(
          token: UInt64(clamping: token), isGeotrigger: row[1].integer == 1, items: [], deadline: deadline,
          isAtEnter: row[3].integer == 1))
    }
    for index in batches.indices {
      let token = Int64(clamping: batches[index].token)
      try database.run("SELECT visit, item FROM batch_item WHERE token = ? ORDER BY position", [.integer(token)]) {
        row throws(StoreError) in batches[index].items.append(try item(row))
      }
    }
    return batches
  }
}
