public import PlotCore
internal import PlotDocuments

/// Answers of the service, and what comes in place of one.
extension Sync {
  /// Whether the answer to a request is a feed, which is to be read before it is taken.
  public func awaitsFeed(_ number: Int64) -> Bool { flight?.number == number && flight?.kind == .feed }

  /// The bytes after which a feed is too long.
  public var mostBytes: Int { settings.largestFeed }

  /// Takes an answer. One to a request that is over changes nothing. `feed`: its body as it was read, where `awaitsFeed` says so.
  public mutating func take(
    _ response: SyncResponse, to number: Int64, feed: FeedAnswer?, at now: Milliseconds
  ) -> SyncOutcome {
    if let stream, stream.number == number {
      if let outcome = takeCommon(response, .changes, at: now) { return outcome }
      return fail(response, .changes, at: now)
    }
    guard let flight, flight.number == number else { return .nothing }
    if let outcome = takeCommon(response, flight.kind, at: now) { return outcome }
    switch flight.kind {
    case .feed: return takeFeed(response, flight, feed, at: now)
    case .installation: takeInstallation(response, flight, at: now)
    case .erasure:
      guard response.status == 204 || response.errorKind == "unknown-installation" else {
        return fail(response, .erasure, at: now)
      }
      saved.erasures.removeFirst()
      succeed(.idle, at: now)
    case .events: return takeEvents(response, at: now)
    case .recording: takeRecording(response, at: now)
    case .changes: break
    }
    return .nothing
  }

  /// The host says why there is no answer, or that a stream is over.
  public mutating func take(failure reason: String, of number: Int64, at now: Milliseconds) {
    if stream?.number == number { endStream(reason, at: now) }
    guard let flight, flight.number == number else { return }
    // The secret may have been on its way: it is lost.
    if flight.kind == .installation, saved.installation?.secret == nil { renewInstallation() }
    fail(reason, at: now)
  }

  /// Bytes of the stream.
  public mutating func take(_ bytes: [UInt8], of number: Int64, at now: Milliseconds) {
    guard stream?.number == number else { return }
    stream?.isOpen = true
    stream?.expires = now + 120 * Self.second
    let messages = stream?.events.take(bytes) ?? []
    for message in messages where message.event == "feed" { _ = take(message: Array(message.data.utf8), at: now) }
    if stream?.events.isBroken == true { endStream("a line of the stream is too long", at: now) }
  }

  /// A push message, or one of a stream. False for one that is none of the service's.
  public mutating func take(message: [UInt8], at now: Milliseconds) -> Bool {
    guard let root = try? JSONValue(parsing: message), let publication = root.number("publication"), publication > 0
    else { return false }
    guard settings.hasQuickSync, publication > saved.publication else { return true }
    let spread = min(max(root.number("spread") ?? 0, 0), 86_400)
    let pollAt = now + random.time(upTo: spread * Self.second)
    saved.pollAt = min(saved.pollAt ?? pollAt, pollAt)
    return true
  }

  // MARK: All requests

  /// Answers that mean the same for each request; nil for others.
  private mutating func takeCommon(
    _ response: SyncResponse, _ kind: SyncRequest.Kind, at now: Milliseconds
  ) -> SyncOutcome? {
    // A network's own page says nothing of the service, whatever its status is.
    if response.isPage {
      return fail(response, kind, "a page of HTML came in place of an answer", at: now)
    }
    switch response.status {
    case 401: stop(at: now, because: "401: the service does not know this token")
    case 403 where response.errorKind == "unknown-installation":
      if kind == .erasure { return nil }
      guard !isUnknownAgain else {
        stop(at: now, because: "403: the service does not know the installation that it has registered")
        return .nothing
      }
      isUnknownAgain = true
      renewInstallation()
      return fail("403: the service does not know this installation: it registers anew", at: now)
    case 403 where kind == .recording && response.errorKind != nil: return nil
    case 403: stop(at: now, because: "403: the service refuses this app")
    case 410:
      stop(at: now, because: "410: the app is over")
      guard settings.gone == .clear else { return .nothing }
      (saved.etag, saved.publication, saved.issued) = (nil, 0, 0)
      return .clearFeed
    case 408, 429, 500...599, 300...303, 305...399: return fail(response, kind, at: now)
    default: return nil
    }
    return .nothing
  }

  /// An answer that is none: of a request, or in place of a stream.
  @discardableResult
  private mutating func fail(
    _ response: SyncResponse, _ kind: SyncRequest.Kind, _ reason: String? = nil, at now: Milliseconds
  ) -> SyncOutcome {
    let named = response.errorKind.map { " (\($0))" } ?? ""
    let reason = reason ?? "the service answered \(response.status)\(named)"
    guard kind == .changes else { return fail(reason, after: response.retryAfter, at: now) }
    endStream(reason, after: response.retryAfter, at: now)
    return .nothing
  }

  // MARK: The feed

  private mutating func takeFeed(
    _ response: SyncResponse, _ flight: Flight, _ answer: FeedAnswer?, at now: Milliseconds
  ) -> SyncOutcome {
    switch response.status {
    case 304:
      guard !flight.etags.isEmpty else {
        return fail("304 came for a request without an etag", at: now)
      }
      if let refusal = saved.refusal, response.headers["etag"] == refusal.etag {
        succeed(.refused, refusal.reason, at: now)
      } else {
        succeed(.unchanged, at: now)
      }
      planPoll(response, at: now)
      return .nothing
    case 404 where response.errorKind == "no-publication":
      succeed(.unchanged, "nothing was published yet", at: now)
      planPoll(response, at: now)
      return .nothing
    case 200: break
    default: return fail(response, .feed, at: now)
    }
    let isLong = response.body.count > settings.largestFeed
    guard response.isJSON else {
      return fail("the feed came as \"\(response.mediaType)\", not as application/json", at: now)
    }
    guard let etag = response.headers["etag"], etag.count > 2, etag.hasPrefix("\""), etag.hasSuffix("\"") else {
      return fail("the feed came without a strong etag", at: now)
    }
    if !isLong, let fault = response.lengthFault {
      return fail("the feed is not whole: \(fault)", at: now)
    }
    guard let publication = response.number("plot-publication"), publication > 0,
      let issued = response.number("plot-issued")
    else {
      return fail("the feed came without the number and time of its publication", at: now)
    }
    let digest = response.headers["plot-digest"]
    if isLong {
      let reason = "the feed has more than \(settings.largestFeed) bytes"
      if digest != nil { remember(etag, reason, at: now) }
      succeed(.refused, reason, at: now)
      planPoll(response, at: now)
      return .nothing
    }
    var isGenuine = false
    if let digest {
      guard Hashes.bytes(base64URL: String(digest.drop { $0 != "=" }.dropFirst())) == Hashes.sha256(response.body),
        digest.hasPrefix("sha-256=")
      else {
        return fail("the feed is not what its digest says", at: now)
      }
      isGenuine = true
    }
    if !settings.feedKeys.isEmpty {
      if let fault = signatureFault(response, publication, issued) {
        return fail(fault, as: .refused, at: now)
      }
      isGenuine = true
    }
    // Many hosts take half a gzip for a whole one, where it ends with the connection.
    if !isGenuine, let encoding = response.headers["content-encoding"], encoding.lowercased() != "identity" {
      return fail("the feed came compressed and without its digest, so nobody can say that it is whole", at: now)
    }
    // A service that was set up anew counts from the start: without keys, a later time says so.
    let isOlder = publication < saved.publication && (!settings.feedKeys.isEmpty || issued <= saved.issued)
    guard !isOlder else {
      return fail("publication \(publication) is older than \(saved.publication)", as: .refused, at: now)
    }
    guard let feed = answer?.feed else {
      let reason = "the feed has a fault: \(answer?.fault ?? "it was not read")"
      guard isGenuine else {
        return fail(reason, as: .refused, at: now)
      }
      remember(etag, reason, at: now)
      succeed(.refused, reason, at: now)
      planPoll(response, at: now)
      return .nothing
    }
    (saved.etag, saved.publication, saved.issued, saved.refusal) = (etag, publication, issued, nil)
    saved.lastApplied = now
    succeed(.applied, at: now)
    planPoll(response, at: now)
    return .feed(feed)
  }

  private mutating func remember(_ etag: String, _ reason: String, at now: Milliseconds) {
    saved.refusal = SyncState.Refusal(etag: etag, until: now + Self.day, judge: judge, reason: reason)
  }

  private func signatureFault(_ response: SyncResponse, _ publication: Int64, _ issued: Milliseconds) -> String? {
    guard let text = response.headers["plot-signature"], let name = response.headers["plot-signature-key"] else {
      return "the feed is not signed"
    }
    let keys = settings.feedKeys.compactMap { Hashes.bytes(base64URL: $0) }
    guard let key = keys.first(where: { SignedFeed.keyId($0) == name }) else {
      return "the feed is signed with a key that is not in sync.feedKeys: \(name)"
    }
    let signed = SignedFeed(
      app: settings.app ?? "", publication: publication, issued: issued, mediaType: "application/json",
      body: response.body)
    guard let signature = Hashes.bytes(base64URL: text), signed.isSigned(signature, by: key) else {
      return "the signature of the feed is wrong"
    }
    return nil
  }

  /// When the feed is asked for next: a tenth more or less than the service says, or the configuration.
  private mutating func planPoll(_ response: SyncResponse, at now: Milliseconds) {
    let seconds = response.number("plot-poll-after").map { min(max($0, 1), 604_800) } ?? settings.interval
    saved.pollAt = now + random.about(seconds * Self.second)
    // The radio is on, and the service is there: an opportunity for events.
    sendsAll = true
  }

  // MARK: The installation

  private mutating func takeInstallation(_ response: SyncResponse, _ flight: Flight, at now: Milliseconds) {
    switch response.status {
    case 201:
      guard response.isJSON, response.lengthFault == nil, let root = try? JSONValue(parsing: response.body),
        let secret = root.text("secret"), (1...200).contains(secret.utf8.count)
      else {
        renewInstallation()
        fail("the registration was answered without a secret", at: now)
        return
      }
      saved.installation?.secret = secret
      saved.facts = flight.facts
      succeed(.idle, at: now)
    case 204:
      saved.facts = flight.facts
      succeed(.idle, at: now)
    case 400, 422:
      guard response.errorKind != nil, !factsAreRefused else {
        fail(response, .installation, at: now)
        return
      }
      factsAreRefused = true
      succeed(.idle, "the service does not take the facts of this device", at: now)
    default: fail(response, .installation, at: now)
    }
  }

  // MARK: Recordings

  private mutating func takeRecording(_ response: SyncResponse, at now: Milliseconds) {
    switch response.status {
    case 204:
      (recording, recordingStatus) = (nil, .sent)
      succeed(.idle, at: now)
    case 400..<500 where response.errorKind != nil:
      // The service takes none, or not this one: it would say so each time.
      (recording, recordingStatus) = (nil, .refused)
      succeed(.idle, "the service does not take the recording: \(response.errorKind ?? "")", at: now)
    default: fail(response, .recording, at: now)
    }
  }

  // MARK: Events

  private mutating func takeEvents(_ response: SyncResponse, at now: Milliseconds) -> SyncOutcome {
    guard let batch = saved.batch else { return .nothing }
    switch response.status {
    case 200:
      guard response.isJSON, response.lengthFault == nil, let root = try? JSONValue(parsing: response.body),
        root.text("batch") == batch.id, root.number("through") == batch.through
      else {
        return fail("the answer to events is not about this batch", at: now)
      }
      if case .array(let rejected)? = root["rejected"] {
        saved.rejected += Int64(rejected.count)
        if let last = rejected.last?.text("reason") { saved.lastRejection = last }
      }
      return end(batch, at: now)
    case 400, 413, 422:
      guard let kind = response.errorKind else { return fail(response, .events, at: now) }
      guard batch.count > 1 else {
        // One event that cannot be sent must not keep back the others.
        saved.rejected += 1
        saved.lastRejection = "\(response.status) \(kind)"
        return end(batch, at: now)
      }
      // The half of them, to find the one that it is about.
      saved.batch = SyncState.Batch(id: random.name(), through: .max, count: batch.count / 2)
      succeed(.idle, at: now)
      return .nothing
    default: return fail(response, .events, at: now)
    }
  }

  private mutating func end(_ batch: SyncState.Batch, at now: Milliseconds) -> SyncOutcome {
    saved.batch = nil
    isUnknownAgain = false
    succeed(.idle, at: now)
    return .acknowledged(through: batch.through)
  }
}
