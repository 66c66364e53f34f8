internal import PlotCore
internal import PlotDocuments
internal import PlotFiles
internal import PlotStore

/// The way of an input: through the machine, the store, the recording, and the queue of reports to the host.
extension Session {
  /// Runs the machine, commits, and records. Throws what the input is refused for, or what the store says; if the store fails, and with
  /// `isUndone`, the machine is as it was before.
  @discardableResult
  mutating func take(
    _ input: Input, isUndone: Bool = false, after fast: FastAnswer = .notAsked
  ) throws -> Machine.Output {
    try takeUnwritten()
    if isUndone, writer.store != nil { return try takeOrUndo(input, after: fast) }
    let output = try taken(input, after: fast)
    // An input whose recording fails has happened all the same.
    defer { record(input, output) }
    try commit(output, of: input)
    return output
  }

  /// Takes an answer of the host's, which is not asked again. What the store does not take now is taken before the next input.
  mutating func take(answer: Input) throws(StoreError) {
    writer.unwritten.append(answer)
    try takeUnwritten()
  }

  /// Takes the answers that the store did not take when they came. Throws when it still does not.
  mutating func takeUnwritten() throws(StoreError) {
    while let answer = writer.unwritten.first {
      do {
        _ = try takeOrUndo(answer)
      } catch let error as StoreError {
        throw error
      } catch {
        // About a notification that waits for none any more.
      }
      writer.unwritten.removeFirst()
    }
  }

  /// Clears the machine, the store and all that is kept in memory (docs/privacy.md). The store's answer may come too late for anything to be undone.
  mutating func clearAllData(at time: Milliseconds) throws {
    let before = machine
    let input = Input.clearAllData(at: time)
    let output = try taken(input)
    var isCleared = false
    var fault: StoreError?
    let synced = syncing
    let now = machine.state.newest
    syncing?.sync.clear(at: now)
    do throws(StoreError) {
      try writer.store?.clear(
        output.changes, of: machine.state, delivered: machine.state.sequence, sync: syncing?.sync.saved.text,
        isCleared: &isCleared)
    } catch {
      guard isCleared else {
        machine = before
        syncing = synced
        throw error
      }
      fault = error
      fault?.message += "; all is cleared, but bytes may be left in the file: clear once more"
    }
    syncIsWritten()
    hostQueue.delivered = machine.state.sequence
    outbox.clear(through: machine.state.sequence)
    // Pending reports are about data that is gone.
    hostQueue.removeAllButRecordings()
    log.clear()
    ring.clear()
    tests.clear()
    collected = collected.map { _ in [] }
    writer.unwritten.removeAll()
    record(input, output)
    // Strategies hear that nothing of theirs is saved.
    hostQueue.add(callbacks.strategies.map { .load(Identifier($0.key)) })
    report(.info, "all data cleared")
    if let fault { throw fault }
  }

  private mutating func takeOrUndo(_ input: Input, after fast: FastAnswer = .notAsked) throws -> Machine.Output {
    let before = writer.store == nil ? nil : machine
    let output = try taken(input, after: fast)
    do {
      try commit(output, of: input)
    } catch {
      if let before { machine = before }
      throw error
    }
    record(input, output)
    return output
  }

  /// Runs the machine. What it refuses is recorded.
  private mutating func taken(_ input: Input, after fast: FastAnswer = .notAsked) throws -> Machine.Output {
    unsafe Prefetch.address(Unmanaged.passUnretained(listeners).toOpaque(), 64)
    do throws(InputError) {
      if fast == .refused, case .fix(let fix) = input { return try machine.takeInFull(fix) }
      return try machine.take(input)
    } catch {
      let decision = machine.decision(about: error)
      if let decision { record(decision) }
      // It ends the reading of the clocks.
      if case .ahead = error { writer.store?.save(machine.page) }
      record { [wakeup = machine.nextWakeup] (recorder) throws(FileError) in
        try recorder.write(input, refused: error, decision, wakeup)
      }
      throw error
    }
  }

  /// Writes what an input has changed, and queues what it leads to.
  mutating func commit(_ output: Machine.Output, of input: Input) throws(StoreError) {
    let composed = compose(output)
    var cursors: [EventCursor] = []
    let before = syncing
    hear(input)
    // The calls copy the state.
    if writer.store != nil {
      let positions = positions(adding: composed.events)
      cursors = positions.cursors
      do throws(StoreError) {
        try writer.commit(output, of: input, machine, composed, positions, sync: unwrittenSync)
      } catch {
        syncing = before
        throw error
      }
      syncIsWritten()
      if !writer.hasReportedPageFault, let fault = writer.store?.pageFault {
        writer.hasReportedPageFault = true
        report(
          .warning,
          "\(fault.message): after the end of this process the device counts as silent since the last transaction")
      }
    }
    if outbox.isActive { outbox.add(composed.events, written: cursors) }
    hostQueue.add(composed.deliveries)
    add(composed.decisions)
    if collected != nil { collect(output) }
  }
}
