/// The app's answers about batches of notifications and geotriggers, and what becomes of late ones.
extension Machine {
  /// Answers a batch of notifications. Throws `unknownToken`, `alreadyAnswered` or `unknownItem`, and then nothing has changed.
  public mutating func answerFilter(
    _ token: UInt64, _ kept: [Kept], at time: Milliseconds
  ) throws(InputError) -> Output {
    try answer(token, kept, isGeotrigger: false, at: time)
  }

  /// Answers a batch of geotriggers; errors as in `answerFilter`.
  public mutating func markHandled(_ token: UInt64, _ kept: [Kept], at time: Milliseconds) throws(InputError) -> Output
  {
    try answer(token, kept, isGeotrigger: true, at: time)
  }

  private mutating func answer(
    _ token: UInt64, _ kept: [Kept], isGeotrigger: Bool, at time: Milliseconds
  ) throws(InputError) -> Output {
    let batch = try batch(token, isGeotrigger: isGeotrigger)
    guard time < batch.deadline else {
      // The deadline has passed without a wakeup: it comes first, and this answer is late.
      throw .alreadyAnswered
    }
    let chosen = try batch.chosen(kept)
    output.restart()
    if output.listsChanges { output.changes.reserveCapacity(4) }
    proceed(to: time)
    close(batch)
    // Each item is chosen once at most.
    if chosen.count < batch.items.count {
      let matches = Set(chosen.map(\.matchIdentifier))
      let dropped = batch.items.filter { !matches.contains($0.matchIdentifier) }
      leaveOut(dropped, .filteredOut, isAtEnter: batch.isAtEnter)
    }
    pass(chosen, .kept, isGeotrigger: isGeotrigger, isAtEnter: batch.isAtEnter)
    return finish()
  }

  /// An open batch. Throws `unknownToken` or `alreadyAnswered`.
  public func batch(_ token: UInt64, isGeotrigger: Bool? = nil) throws(InputError) -> Batch {
    let batch = try state.delivery.batch(token)
    guard isGeotrigger == nil || batch.isGeotrigger == isGeotrigger else { throw .unknownToken }
    return batch
  }

  mutating func closeLateBatches() {
    for batch in state.delivery.batches where batch.deadline <= now {
      close(batch)
      if settings.filterFallback == .showOriginal {
        pass(batch.items, .deadlineShown, isGeotrigger: batch.isGeotrigger, isAtEnter: batch.isAtEnter)
      } else {
        leaveOut(batch.items, .deadlineDropped, isAtEnter: batch.isAtEnter)
      }
    }
  }

  mutating func close(_ batch: Batch) {
    let change = state.delivery.close(batch)
    output.note(.delivery(change))
  }

  mutating func leaveOut(_ items: [Item], _ reason: Reason, isAtEnter: Bool) {
    for item in items {
      if isAtEnter { rememberPrefiltered(item, isKept: false) }
      record(item, .filter, .drop, reason, nextPossible: nil)
      if item.isMessage {
        suppress(item, reason)
      } else {
        emit(item.isGeotrigger ? .geotriggerDropped : .notificationFiltered, item)
      }
    }
  }

  mutating func pass(_ items: [Item], _ reason: Reason, isGeotrigger: Bool, isAtEnter: Bool) {
    if isAtEnter {
      return withInFlight(for: items.count) { machine in
        for item in items { machine.passAtEnter(item, reason) }
      }
    }
    if isGeotrigger {
      for item in items {
        record(item, .filter, .pass, reason, nextPossible: nil)
        handle(item)
      }
    } else {
      deliver(items, passing: reason)
    }
  }
}
