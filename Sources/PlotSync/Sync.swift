public import PlotCore
public import PlotDocuments

/// Keeps an engine's feed up to date and brings its events home: a state machine without I/O, clock and chance (docs/sync.md). It is given
/// times, answers and messages, and gives requests. Times are those of the engine.
public struct Sync: Sendable {
  static let second: Milliseconds = 1000
  static let day: Milliseconds = 86_400 * second

  public let settings: SyncSettings
  /// The part that must outlive the process. Whoever owns this writes it.
  public internal(set) var saved: SyncState
  public private(set) var isBegun = false

  var random = Randomness(seed: [])
  var facts = SyncFacts()
  private var lastRequest: Int64 = 0
  /// Of the library.
  private var version = ""
  /// The request that waits for an answer; a stream is beside it.
  var flight: Flight?
  var stream: Stream?
  /// When the stream is opened next.
  var streamAt: Milliseconds = 0
  var streamFailures: Int64 = 0
  /// Events are sent without waiting for more: there is an opportunity.
  var sendsAll = false
  /// A recording that is to be sent. It is not kept: it may be large, and is the app's.
  var recording: String?
  var recordingStatus = RecordingStatus.none
  /// The service does not take the facts.
  var factsAreRefused = false
  /// The service does not know the installation that it has just registered.
  var isUnknownAgain = false

  public internal(set) var status = Status.idle
  var since: Milliseconds = 0
  var reason: String?

  struct Flight: Sendable {
    var number: Int64
    var kind: SyncRequest.Kind
    /// No answer comes any more.
    var expires: Milliseconds
    /// Of a request for the feed.
    var etags: [String] = []
    /// Of a registration.
    var facts: String?
  }

  struct Stream: Sendable {
    var number: Int64
    var expires: Milliseconds
    var events = EventStream()
    var isOpen = false
  }

  /// The fate of the last recording.
  enum RecordingStatus: String, Sendable {
    case none, waiting, sent, refused
  }

  /// The bytes that a recording may have.
  public static let recordingLimit = 16 << 20

  public enum Status: String, Sendable {
    case idle
    case syncing
    case applied
    case unchanged
    case refused
    case offline
    case stopped
  }

  /// `kept`: of an earlier process.
  public init(_ settings: SyncSettings, saved: SyncState?) {
    self.settings = settings
    self.saved = saved ?? SyncState()
    let origin = Hashes.name(Array("\(settings.url)\n\(settings.app ?? "")\n\(settings.token)".utf8))
    guard self.saved.origin != origin else { return }
    // Nothing that another service, app or token has said counts here.
    self.saved = SyncState()
    self.saved.origin = origin
  }

  // MARK: Life

  /// Starts, or goes on after a stop. `hasFeed`: there is a feed to go on with.
  public mutating func begin(at now: Milliseconds, seed: [UInt8], _ facts: SyncFacts, hasFeed: Bool) {
    random = Randomness(seed: seed)
    if facts != self.facts { factsAreRefused = false }
    self.facts = facts
    let isFirst = !isBegun
    isBegun = true
    if saved.installation == nil { saved.installation = SyncState.Installation(id: random.name()) }
    let interval = settings.interval * Self.second
    if let pollAt = saved.pollAt {
      // The device was off: others were, too, and all come back at once.
      if pollAt < now - interval { saved.pollAt = now + random.time(upTo: min(interval, 60 * Self.second)) }
    } else {
      saved.pollAt = hasFeed ? now + random.time(upTo: interval) : now
    }
    clampTimes(now)
    if isFirst { streamAt = now }
    if isFirst || status == .stopped { become(.idle, at: now) }
  }

  /// Asks for nothing any more, until `begin` or `now`.
  public mutating func stop(at now: Milliseconds, because reason: String = "the app has stopped it") {
    (flight, stream) = (nil, nil)
    become(.stopped, reason, at: now)
  }

  /// Asks for the feed and sends the events at once.
  public mutating func now(at now: Milliseconds) {
    if status == .stopped { become(.idle, at: now) }
    (saved.pollAt, saved.retryAt, saved.failures) = (now, 0, 0)
    (streamAt, streamFailures) = (now, 0)
    sendsAll = true
  }

  /// The app came to the foreground: an opportunity for events.
  public mutating func foreground(at now: Milliseconds) { sendsAll = true }

  public mutating func network(_ isThere: Bool, at now: Milliseconds) {
    guard isBegun, status != .stopped else { return }
    guard isThere else {
      (flight, stream) = (nil, nil)
      become(.offline, "the app says that there is no network", at: now)
      return
    }
    // Many devices may come back at once.
    saved.failures = 0
    saved.retryAt = min(saved.retryAt, now + random.time(upTo: 30 * Self.second))
    streamAt = min(streamAt, now + random.time(upTo: 60 * Self.second))
    sendsAll = true
    become(.idle, at: now)
  }

  /// The host has set a feed itself: that of the service comes again with the next answer.
  public mutating func hostHasSetFeed() {
    (saved.etag, saved.publication, saved.issued, saved.refusal) = (nil, 0, 0, nil)
    if flight?.kind == .feed { flight = nil }
  }

  /// The person is forgotten: a new installation, and the service has to erase the old one.
  public mutating func clear(at now: Milliseconds) {
    let (old, erasures, origin) = (saved.installation, saved.erasures, saved.origin)
    saved = SyncState()
    saved.origin = origin
    saved.erasures = erasures
    if let old, old.secret != nil { saved.erasures.append(old) }
    (flight, stream, sendsAll) = (nil, nil, false)
    (recording, recordingStatus) = (nil, .none)
    guard isBegun else { return }
    saved.installation = SyncState.Installation(id: random.name())
    saved.pollAt = now
    if status != .stopped { become(.idle, at: now) }
  }

  /// A wrong clock must not silence it for longer than a right one.
  private mutating func clampTimes(_ now: Milliseconds) {
    saved.pollAt = saved.pollAt.map { min($0, now + 8 * Self.day) }
    saved.retryAt = min(saved.retryAt, now + 2 * Self.day)
    streamAt = min(streamAt, now + 2 * Self.day)
  }

  mutating func become(_ status: Status, _ reason: String? = nil, at now: Milliseconds) {
    (self.status, self.reason, since) = (status, reason, now)
  }

  /// A number from 0 to 9,999 that follows from the installation, and does not tell it; nil before the first `begin`.
  public var bucket: Int64? {
    guard isBegun, let id = saved.installation?.id else { return nil }
    let hash = Hashes.sha256(Array("bucket\n\(id)".utf8)).prefix(8)
    return Int64(hash.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 10_000)
  }

  // MARK: The next request

  public enum Next: Sendable {
    case request(SyncRequest)
    /// Nothing before that; nil when only another input changes that.
    case wait(until: Milliseconds?)
  }

  /// Sends a recording once; an earlier one that waits is given up.
  public mutating func send(recording lines: String) {
    if flight?.kind == .recording { flight = nil }
    (recording, recordingStatus) = (lines, .waiting)
  }

  private enum Action { case expire, expireStream, erase, poll, register, send, sendRecording, listen }

  /// All that is to be done by itself, each with its time, what comes first at the head.
  private func actions(_ context: SyncContext) -> [(time: Milliseconds, action: Action)] {
    guard isBegun, status != .stopped, context.hasNetwork else { return [] }
    var actions: [(Milliseconds, Action)] = []
    if let flight {
      actions.append((flight.expires, .expire))
    } else {
      let from = saved.retryAt
      if !saved.erasures.isEmpty { actions.append((from, .erase)) }
      if let pollAt = saved.pollAt { actions.append((max(from, pollAt), .poll)) }
      let isRegistered = saved.installation?.secret != nil
      if let sendAt = sendAt(context) { actions.append((max(from, sendAt), isRegistered ? .send : .register)) }
      if registers(context, isRegistered) { actions.append((from, .register)) }
      if recording != nil { actions.append((from, isRegistered ? .sendRecording : .register)) }
    }
    if settings.hasQuickSync {
      // A service that does not answer requests opens no stream.
      let listenAt = saved.failures > 0 ? max(streamAt, saved.retryAt) : streamAt
      actions.append(stream.map { ($0.expires, .expireStream) } ?? (listenAt, .listen))
    }
    return actions
  }

  /// When the service hears of the facts without an event: a push token, and what has changed since it was registered.
  private func registers(_ context: SyncContext, _ isRegistered: Bool) -> Bool {
    // The hash comes last: this is asked after each input.
    guard isRegistered ? sendsAll || facts.hasPushToken : facts.hasPushToken && !factsAreRefused else { return false }
    return saved.facts != Hashes.name(Array(factsBody(context).utf8))
  }

  private func sendAt(_ context: SyncContext) -> Milliseconds? {
    guard settings.sendsEvents, context.waiting > 0 else { return nil }
    if saved.batch != nil || sendsAll || context.isForeground || context.waiting >= settings.eventCount { return 0 }
    return (context.oldest ?? 0) + settings.eventAge * Self.second
  }

  /// When `next` has something to say, which may be long ago; nil when only another input changes that.
  public func nextTime(_ context: SyncContext) -> Milliseconds? { actions(context).map(\.time).min() }

  /// The next request, or how long there is none. There is at most one beside a stream; the host asks until it has to wait.
  public mutating func next(at now: Milliseconds, _ context: SyncContext, events: SyncEvents) -> Next {
    if isBegun { clampTimes(now) }
    version = context.version
    while true {
      let actions = actions(context)
      guard let due = actions.first(where: { $0.time <= now }) else { return .wait(until: actions.map(\.time).min()) }
      switch due.action {
      case .expire: fail("no answer came in time", at: now)
      case .expireStream: endStream("nothing came through the stream", at: now)
      case .erase:
        let old = saved.erasures[0]
        return request(.erasure, "DELETE", "/device/v1/installation", identity(old), at: now)
      case .poll: return poll(at: now)
      case .register: return register(at: now, context)
      case .send:
        if let request = send(at: now, events) { return request }
        // The events of the batch are lost: others wait.
        saved.batch = nil
      case .sendRecording:
        return request(
          .recording, "POST", "/device/v1/recordings", identity(saved.installation) + [("Plot-Consent", "recordings")],
          body: recording, type: "application/x-ndjson", timeout: 60, at: now)
      case .listen: return listen(at: now)
      }
    }
  }

  private func identity(_ installation: SyncState.Installation?) -> [(name: String, value: String)] {
    guard let installation else { return [] }
    return [("Plot-Installation", installation.id)] + (installation.secret.map { [("Plot-Secret", $0)] } ?? [])
  }

  private mutating func request(
    _ kind: SyncRequest.Kind, _ method: String, _ path: String, _ headers: [(name: String, value: String)],
    body: String? = nil, type: String = "application/json", timeout: Int64 = 30, most: Int = 1 << 20,
    at now: Milliseconds
  ) -> Next {
    lastRequest += 1
    // An answer may be as slow as its bytes come.
    let expires = now + 20 * timeout * Self.second
    if kind == .changes {
      stream = Stream(number: lastRequest, expires: now + 2 * timeout * Self.second)
    } else {
      flight = Flight(number: lastRequest, kind: kind, expires: expires)
      become(.syncing, at: now)
    }
    let type = body == nil ? [] : [(name: "Content-Type", value: type)]
    return .request(
      SyncRequest(
        number: lastRequest, kind: kind, method: method, url: settings.url + path,
        headers: [("Authorization", "Bearer \(settings.token)")] + headers + type, body: body, timeout: timeout,
        largestBody: most))
  }

  private mutating func poll(at now: Milliseconds) -> Next {
    // Also one that was refused: it is not sent again then.
    let refused = saved.refusal.flatMap { $0.until > now && $0.judge == judge ? $0.etag : nil }
    if refused == nil { saved.refusal = nil }
    let etags = [saved.etag, refused].compactMap { $0 }
    let id = saved.installation.map { [(name: "Plot-Installation", value: $0.id)] } ?? []
    let known = etags.isEmpty ? [] : [(name: "If-None-Match", value: etags.joined(separator: ", "))]
    let request = request(
      .feed, "GET", "/device/v1/feed", id + [("Accept", "application/json")] + known, timeout: 60,
      most: settings.largestFeed, at: now)
    flight?.etags = etags
    return request
  }

  private func factsBody(_ context: SyncContext) -> String {
    factsAreRefused ? "{}" : facts.body(context)
  }

  private mutating func register(at now: Milliseconds, _ context: SyncContext) -> Next {
    let body = factsBody(context)
    let request = request(
      .installation, "PUT", "/device/v1/installation", identity(saved.installation), body: body, at: now)
    flight?.facts = Hashes.name(Array(body.utf8))
    return request
  }

  private mutating func send(at now: Milliseconds, _ events: SyncEvents) -> Next? {
    let limit = saved.batch?.count ?? Self.batchLimit
    let found = Self.fitting(events(saved.batch?.through, limit), settings.includes)
    guard let last = found.last else { return nil }
    // The same id for the same events, and for no others.
    if saved.batch?.through != last.sequence || saved.batch?.count != found.count {
      saved.batch = SyncState.Batch(id: random.name(), through: last.sequence, count: found.count)
    }
    let body = "{\"batch\":\"\(saved.batch!.id)\",\"events\":[\(found.map(\.json).joined(separator: ","))]}"
    return request(.events, "POST", "/device/v1/events", identity(saved.installation), body: body, at: now)
  }

  private mutating func listen(at now: Milliseconds) -> Next {
    request(
      .changes, "GET", "/device/v1/changes",
      [("Accept", "text/event-stream"), ("Last-Event-ID", "\(saved.publication)")], timeout: 60, most: 0, at: now)
  }

  // MARK: Failures

  /// The time until the next try after so many failures: random(0, min(24 h, 30 s · 2ⁿ)).
  mutating func backoff(after failures: Int64) -> Milliseconds {
    random.time(upTo: min(Self.day, 30 * Self.second << min(max(failures, 0), 20)))
  }

  /// A fault of the transport or of the service: it is tried again, and remembered nowhere. The engine has nothing to do about it.
  @discardableResult
  public mutating func fail(
    _ reason: String, after retryAfter: Int64? = nil, as status: Status = .offline, at now: Milliseconds
  ) -> SyncOutcome {
    flight = nil
    saved.failures += 1
    saved.retryAt = now + (retryAfter ?? 0) * Self.second + backoff(after: saved.failures)
    become(status, reason, at: now)
    return .nothing
  }

  mutating func endStream(_ reason: String, after retryAfter: Int64? = nil, at now: Milliseconds) {
    if stream?.isOpen == true { streamFailures = 0 }
    stream = nil
    streamFailures += 1
    // Longer and longer than requests wait: after an outage the feed comes first, and the polls go on without streams.
    let wait = min(Self.day, 60 * Self.second << min(2 * (streamFailures - 1), 20))
    streamAt = now + (retryAfter ?? 0) * Self.second + random.time(upTo: wait)
  }

  /// An answer that the service has given.
  mutating func succeed(_ status: Status, _ reason: String? = nil, at now: Milliseconds) {
    flight = nil
    if saved.failures > 0, stream == nil {
      // The service has come back, for everybody: a stream for each in the same minutes would be too much.
      streamAt = max(streamAt, now + backoff(after: saved.failures + 1))
    }
    (saved.failures, saved.retryAt, saved.lastSuccess) = (0, 0, now)
    become(status, reason, at: now)
  }

  /// Another installation, after the service has lost this one, or its secret was lost.
  mutating func renewInstallation() {
    saved.installation = SyncState.Installation(id: random.name())
    (saved.facts, saved.batch) = (nil, nil)
  }

  /// Whoever refuses a feed: the library and the keys.
  var judge: String {
    Hashes.name(Array((settings.feedKeys + [settings.app ?? "", version]).joined(separator: "\n").utf8), count: 8)
  }
}
