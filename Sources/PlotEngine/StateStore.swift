internal import PlotCore
internal import PlotDocuments
internal import PlotFiles
internal import PlotStore

/// Where an engine keeps what must outlive the process: `Store`, and in the tests one that fails when it is told to.
protocol StateStore: AnyObject, Sendable {
  func load(zones: ZoneFiles, offered: Feed?) throws(StoreError) -> Store.Contents
  func commit(
    _ changes: [Change], of state: State, page: Page?, outbox: [OutboxEntry], delivered: Int64,
    cursors: [EventCursor], sync: String?, waitsForDisk: Bool
  ) throws(StoreError)
  func save(_ page: borrowing Page)
  func save(_ fix: borrowing Fix) -> Bool
  var pageFault: StoreError? { get }
  func clear(_ changes: [Change], of state: State, delivered: Int64, sync: String?, isCleared: inout Bool)
    throws(StoreError)
  func image(page: Page?) throws(StoreError) -> [UInt8]
  func close()
}

extension Store: StateStore {}

/// The store of an engine, if it has one, and what the host has answered and the store has not taken yet.
struct StoreWriter: Sendable {
  var store: (any StateStore)?
  /// Answers of the host's that the store has not taken yet, in their order. They come before any other input.
  var unwritten: Queue<Input> = []
  /// Up to which event the store knows that they were delivered.
  var delivered: Int64?
  /// The log has said that the page cannot be kept.
  var hasReportedPageFault = false

  /// Writes what an input has changed, and the events that it led to, before the host hears of them.
  mutating func commit(
    _ output: borrowing Machine.Output, of input: Input, _ machine: borrowing Machine, _ composed: Composed,
    _ positions: (done: Int64, cursors: [EventCursor]), sync: String?
  ) throws(StoreError) {
    guard let store else { return }
    guard composed.hasEvent || !output.changes.isEmpty || sync != nil else {
      store.save(machine.page)
      return
    }
    try store.commit(
      output.changes, of: machine.state, page: machine.page, outbox: composed.events,
      delivered: positions.done, cursors: positions.cursors, sync: sync,
      waitsForDisk: !(composed.events.isEmpty && output.onlyAnswers(input)))
    delivered = positions.done
  }

  /// Writes how far the consumers have come, and what the synchronization keeps. A power cut may lose that: then an event comes again.
  mutating func commit(
    _ machine: borrowing Machine, _ positions: (done: Int64, cursors: [EventCursor]), sync: String? = nil
  ) throws(StoreError) {
    guard let store else { return }
    try store.commit(
      [], of: machine.state, page: machine.page, outbox: [], delivered: positions.done, cursors: positions.cursors,
      sync: sync, waitsForDisk: false)
    delivered = positions.done
  }

  /// Ends it, and says what has been delivered: what cannot be written then is delivered again. Where the store knows that, all else is in
  /// the page.
  mutating func close(_ machine: Machine, _ positions: (done: Int64, cursors: [EventCursor])) {
    if let store, positions.done != delivered || !positions.cursors.isEmpty || store.pageFault != nil {
      try? commit(machine, positions)
    }
    abandon()
  }

  /// Lets go of it without a word.
  mutating func abandon() {
    store?.close()
    store = nil
    unwritten = []
  }
}

extension Machine.Output {
  /// Whether all that was done is that the app's answer about geotriggers was taken, and the host is told nothing that it could act upon. Were that
  /// lost, the geotriggers would be offered again, as they are while there is no answer.
  fileprivate func onlyAnswers(_ input: Input) -> Bool {
    guard case .handled = input else { return false }
    return effects.allSatisfy { effect in
      switch effect {
      case .event, .decision: true
      case .ask, .show, .open, .vote, .remove, .inform, .requestFix, .plan: false
      }
    }
  }
}
