public import PlotCore
internal import PlotDocuments
internal import PlotFiles
public import PlotSync

/// The synchronization with a campaign service (docs/sync.md): each call under the engine's one lock. A time that is before the newest one of the
/// engine counts as that one.
extension Engine {
  /// Starts it, or goes on after a stop, or says other facts. `facts`: the JSON of docs/sync.md, nil for none. `bundled`: the feed until there is one of
  /// the service. `seed`: at least 16 random bytes, the one source of chance.
  public func beginSync(at time: Milliseconds, facts: [UInt8]?, bundled: Feed?, seed: [UInt8]) throws(EngineError) {
    guard seed.count >= 16 else {
      throw EngineError(
        argument: seed.count < 2 ? "seed_length" : "seed", expected: "at least 16 random bytes", found: "\(seed.count)")
    }
    let known: SyncFacts
    do throws(DocumentError) {
      known = try facts.map { (bytes) throws(DocumentError) in try SyncFacts(parsing: bytes) } ?? SyncFacts()
    } catch {
      throw EngineError(error)
    }
    try synced(at: time) { session, now in
      guard session.syncing?.sync.settings.token.isEmpty == false else {
        throw EngineError(
          argument: "config", expected: "a publicToken, which the campaign service knows the app by", found: "none")
      }
      let hasOwn = session.syncing?.sync.saved.publication ?? 0 > 0
      if let bundled, !hasOwn, session.machine.feed.digest != bundled.digest {
        try session.applySynced(bundled, at: now)
      }
      let hasFeed = !session.machine.feed.digest.isEmpty
      session.syncing?.sync.begin(at: now, seed: seed, known, hasFeed: hasFeed)
      session.saveSync()
    }
  }

  /// The next request, or until when there is none; the host asks again until there is none.
  public func nextSyncRequest(at time: Milliseconds) throws(EngineError) -> Sync.Next {
    var next = Sync.Next.wait(until: nil)
    try synced(at: time) { session, now in
      next = session.nextSyncRequest(at: now) ?? next
      if case .request(let request) = next {
        session.record { (recorder) throws(FileError) in try recorder.write(sync: Sync.recorded(request)) }
      }
    }
    return next
  }

  /// The answer to a request; `headers`: lines of `Name: value`; `body`: decoded, or its beginning where it is too long.
  public func takeSyncResponse(
    to number: Int64, status: Int, headers: String, body: [UInt8], at time: Milliseconds
  ) throws(EngineError) {
    var isFeed = false
    try synced(at: time) { session, _ in
      isFeed =
        session.syncing?.sync.awaitsFeed(number) == true
        && body.count <= session.syncing?.sync.mostBytes ?? 0
    }
    // Reading it takes time, and needs no lock.
    let feed = isFeed && status == 200 ? FeedAnswer(body, at: time) : nil
    try synced(at: time) { session, now in
      let response = SyncResponse(status: status, headers: headers, body: body)
      session.record { (recorder) throws(FileError) in
        try recorder.write(sync: Sync.recorded(response, to: number))
      }
      try session.takeSync(response, to: number, feed: feed, at: now)
    }
  }

  /// There is no answer to a request, or a stream is over; `reason` is for people.
  public func takeSyncFailure(of number: Int64, because reason: String, at time: Milliseconds) throws(EngineError) {
    try synced(at: time) { session, now in
      session.record { (recorder) throws(FileError) in
        try recorder.write(sync: Sync.recorded(failure: reason, of: number))
      }
      session.syncing?.sync.take(failure: reason, of: number, at: now)
      session.saveSync()
    }
  }

  /// Bytes of a stream, as they come.
  public func takeSyncBytes(_ bytes: [UInt8], of number: Int64, at time: Milliseconds) throws(EngineError) {
    try synced(at: time) { session, now in
      session.syncing?.sync.take(bytes, of: number, at: now)
      session.saveSync()
    }
  }

  /// A push message of the service.
  public func takeSyncMessage(_ json: [UInt8], at time: Milliseconds) throws(EngineError) {
    try synced(at: time) { session, now in
      guard session.syncing?.sync.take(message: json, at: now) == true else {
        throw DocumentError(
          line: 1, column: 1, pointer: "", expected: "a message of the campaign service, as {\"publication\": 17}",
          found: "another text")
      }
      session.saveSync()
    }
  }

  /// Sends a recording, to which the person has agreed.
  public func sendSyncRecording(_ lines: [UInt8], at time: Milliseconds) throws(EngineError) {
    try synced(at: time) { session, _ in
      let first = Array(lines.prefix { $0 != UInt8(ascii: "\n") })
      guard case .start = try RecordingLine.parse(first, zones: ZoneFiles()) else {
        throw DocumentError(
          line: 1, column: 1, pointer: "", expected: "the first line of a recording, \"recording\"",
          found: "another line")
      }
      guard let text = String(validating: lines, as: UTF8.self) else {
        throw EngineError(argument: "json", expected: "UTF-8", found: "other bytes")
      }
      session.syncing?.sync.send(recording: text)
    }
  }

  /// Asks for the feed and sends the events at once.
  public func syncNow(at time: Milliseconds) throws(EngineError) {
    try synced(at: time) { session, now in
      guard session.syncing?.sync.isBegun == true else {
        throw EngineError(.notInitialized, "the synchronization has not begun; call \(CallName.beginSync) first")
      }
      session.syncing?.sync.now(at: now)
      session.saveSync()
    }
  }

  /// Asks for nothing any more.
  public func stopSync(at time: Milliseconds) throws(EngineError) {
    try synced(at: time) { session, now in
      session.syncing?.sync.stop(at: now)
      session.saveSync()
    }
  }

  /// Where it stands, as JSON (docs/sync.md, Status).
  public func syncStatus() throws(EngineError) -> String {
    try locked { (session) throws(EngineError) in
      try Self.checkSyncs(session)
      let context = session.syncContext()
      return session.syncing?.sync.statusJSON(context, revision: session.machine.feed.revision) ?? ""
    }
  }

  private static func checkSyncs(_ session: borrowing Session) throws(EngineError) {
    try checkRunning(session)
    guard session.syncing != nil else {
      throw EngineError(
        argument: "config", expected: "a configuration with sync.url, the campaign service's", found: "one without it")
    }
  }

  /// Runs `body` at a time that is not before the engine's newest, says in the debug log what has changed, and tells the host.
  private func synced(
    at time: Milliseconds, _ body: (inout Session, Milliseconds) throws -> Void
  ) throws(EngineError) {
    var failure: EngineError?
    try locked { (session) throws(EngineError) in
      try Self.checkSyncs(session)
      try session.check(time)
      let now = max(time, session.machine.state.newest)
      let before = session.syncing?.sync.stamp
      do {
        try body(&session, now)
        try session.drawBucket(at: now)
      } catch {
        failure = EngineError(error, at: now)
      }
      if session.debug, let sync = session.syncing?.sync, sync.stamp != before {
        session.report(sync.status == .refused || sync.status == .stopped ? .warning : .debug, sync.logLine)
      }
    }
    deliver()
    if let failure { throw failure }
  }
}
