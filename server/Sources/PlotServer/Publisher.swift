internal import PlotCore
public import PlotDocuments
internal import PlotGzip
public import PlotServerStorage
internal import PlotSync
public import PlotTracks

/// The wishes for a publication.
public struct PublicationRequest: Sendable {
  public var share: Int64 = 100
  public var spread: Int64 = 60
  public var note = ""
  /// The same key again publishes nothing, and gives the same answer.
  public var idempotencyKey: String?
  /// Milliseconds since 1970; nil for now.
  public var at: Int64?
  /// The one who asks, for the audit.
  public var actor = "command"
  /// Where the app's key is elsewhere.
  public var signatures: DetachedSignatures?

  public init() {}
}

/// The answer about a feed that was to be published.
public struct PublicationReport: Sendable {
  public var findings: [Finding]
  public var difference: FeedDifference
  public var regions: Int
  public var campaigns: Int
  /// How many installations the app has, and about how many of them are in the share.
  public var installations: Int64
  public var reached: Int64
  /// Nil for a dry run, and where a finding is an error.
  public var publication: PublicationRecord?
  /// The key of a publication that is to come.
  public var schedule: Int64?

  var firstError: Finding? { findings.first { $0.severity == .error } }
  /// Why it is refused.
  public var reason: String { firstError?.sentence ?? "the feed cannot be read" }
}

public enum PublicationFault: Error, Sendable {
  /// The feed cannot be read, or has a finding that is an error.
  case refused(PublicationReport)
  case unknownApp
  case unknownPublication(Int64)
  case invalid(key: String, expected: String, found: String)
  /// The idempotency key stands for another request.
  case otherRequest
}

/// A feed that was read and checked, in all its forms.
struct PreparedFeed: Sendable {
  var findings: [Finding]
  var representations: RevisionRecord.Representations
  var digest: String
  var regions: Int
  var campaigns: Int

  /// `isForReading`: without the forms that devices get, which take longer to make than all the rest. Throws `PublicationFault.refused`.
  init(_ bytes: [UInt8], at time: Int64, isForReading: Bool = false) throws {
    findings = Lint.findings(configuration: nil, feed: .bytes(bytes), at: Milliseconds(time))
    let feed = try? Feed.parse(bytes)
    (regions, campaigns) = (feed?.regions.count ?? 0, feed?.campaigns.count ?? 0)
    guard let feed, !findings.contains(where: { $0.severity == .error }) else {
      throw PublicationFault.refused(
        PublicationReport(
          findings: findings, difference: FeedDifference(), regions: regions, campaigns: campaigns, installations: 0,
          reached: 0))
    }
    let compiled = isForReading ? [] : feed.compiled()
    representations = RevisionRecord.Representations(
      json: bytes, jsonGzip: isForReading ? [] : Gzip.compress(bytes), compiled: compiled,
      compiledGzip: isForReading ? [] : Gzip.compress(compiled))
    digest = Secrets.hexadecimal(Secrets.sha256(bytes))
  }
}

/// Makes revisions and publications.
public struct Publisher: Sendable {
  private let storage: any SQLDatabase
  private let now: @Sendable () -> Int64

  public init(_ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64) {
    self.storage = storage
    self.now = now
  }

  /// Reads and checks a feed, and publishes it: all of it, or nothing.
  public func publish(
    _ bytes: [UInt8], toApp id: String, _ request: PublicationRequest, dryRun: Bool = false
  ) async throws -> PublicationReport {
    try check(request)
    let time = now()
    let feed = try PreparedFeed(bytes, at: time, isForReading: dryRun)
    // Twice does no harm with a key: then the second finds what the first has done.
    return try await storage.write(isRepeatable: request.idempotencyKey != nil) { session in
      try publish(feed, session, try session.knownApp(id), request, time, dryRun: dryRun)
    }
  }

  /// The same, within a transaction.
  func publish(
    _ feed: PreparedFeed, _ session: any SQLSession, _ app: AppRecord, _ request: PublicationRequest, _ time: Int64,
    dryRun: Bool = false
  ) throws -> PublicationReport {
    let before = try session.publicationsInUse(ofApp: app.key).first.flatMap { try session.revision($0.revision) }
    let installations = try session.installationCount(ofApp: app.key)
    var report = PublicationReport(
      findings: feed.findings,
      difference: FeedDifference(from: before?.representations.json, to: feed.representations.json),
      regions: feed.regions, campaigns: feed.campaigns, installations: installations,
      reached: installations * request.share / 100)
    if dryRun { return report }
    if let done = try repeated(session, app, request, feed.digest) {
      report.publication = done
      return report
    }
    let revision =
      try session.revision(digest: feed.digest, ofApp: app.key)
      ?? session.addRevision(
        digest: feed.digest, feed.representations, regions: Int64(feed.regions), campaigns: Int64(feed.campaigns),
        ofApp: app.key, at: time)
    if let at = request.at, at > time {
      if let key = try session.signingKeys(ofApp: app.key).first(where: { $0.retired == nil }), key.privateKey == nil {
        throw PublicationFault.invalid(
          key: "at",
          expected: "no schedule for an app whose key is elsewhere: a publication is signed when it is made",
          found: "a time")
      }
      let key = try session.addSchedule(
        revision: revision, at: at, share: request.share, spread: request.spread, note: request.note, ofApp: app.key,
        now: time)
      try session.add(
        AuditRecord(time: time, actor: request.actor, action: "schedule", object: "schedule \(key)"), ofApp: app.key)
      report.schedule = key
      return report
    }
    report.publication = try add(session, app, revision, .publish, request, time)
    return report
  }

  /// Publishes the revision of an earlier publication again, with a number of its own. Of the newest one, this makes another share.
  public func rollBack(app id: String, to number: Int64, _ request: PublicationRequest) async throws
    -> PublicationRecord
  {
    try check(request)
    let time = now()
    return try await storage.write(isRepeatable: request.idempotencyKey != nil) { session in
      let app = try session.knownApp(id)
      guard let old = try session.publication(ofApp: app.key, number: number) else {
        throw PublicationFault.unknownPublication(number)
      }
      if let digest = try session.revision(old.revision)?.digest, let done = try repeated(session, app, request, digest)
      {
        return done
      }
      let isNewest = try session.publications(ofApp: app.key, limit: 1).first?.number == number
      return try add(session, app, old.revision, isNewest ? .publish : .rollback, request, time)
    }
  }

  /// Publishes what is due; each once, also where several nodes do this. Gives how many.
  @discardableResult
  public func runSchedule() async throws -> Int {
    let time = now()
    guard try await storage.read({ try !$0.dueSchedules(by: time).isEmpty }) else { return 0 }
    return try await storage.write { session in
      var count = 0
      let apps = try session.apps()
      for due in try session.dueSchedules(by: time) {
        guard let app = apps.first(where: { $0.key == due.app }) else { continue }
        var request = PublicationRequest()
        (request.share, request.spread, request.note) = (due.share, due.spread, due.note)
        request.actor = "schedule \(due.key)"
        let made = try add(session, app, due.revision, .scheduled, request, time)
        // Another node may have been faster: then nothing of this transaction stays.
        guard try session.claim(due.key, publication: made.number) else {
          throw StorageError.unavailable("the schedule \(due.key) was done by another node")
        }
        count += 1
      }
      return count
    }
  }

  private func check(_ request: PublicationRequest) throws(PublicationFault) {
    guard (1...100).contains(request.share) else {
      throw .invalid(key: "share", expected: "an integer from 1 to 100", found: "\(request.share)")
    }
    guard (0...86_400).contains(request.spread) else {
      throw .invalid(key: "spread", expected: "an integer from 0 to 86400", found: "\(request.spread)")
    }
    // More do not fit into an address for certain, and the parser of HTTP refuses a longer one without a word.
    let length = request.note.unicodeScalars.count
    guard length <= 250 else {
      throw .invalid(key: "note", expected: "at most 250 characters", found: "\(length)")
    }
    guard request.idempotencyKey.map({ (1...255).contains($0.utf8.count) }) ?? true else {
      throw .invalid(key: "Idempotency-Key", expected: "1 to 255 bytes", found: "another length")
    }
  }

  /// The publication that was made by the same request.
  private func repeated(
    _ session: any SQLSession, _ app: AppRecord, _ request: PublicationRequest, _ digest: String
  ) throws -> PublicationRecord? {
    guard let key = request.idempotencyKey, let done = try session.publication(ofApp: app.key, idempotencyKey: key)
    else {
      return nil
    }
    guard try session.revision(done.revision)?.digest == digest, done.share == request.share else {
      throw PublicationFault.otherRequest
    }
    return done
  }

  private func add(
    _ session: any SQLSession, _ app: AppRecord, _ revision: Int64, _ kind: PublicationRecord.Kind,
    _ request: PublicationRequest, _ time: Int64
  ) throws -> PublicationRecord {
    let number = try session.takeNextPublication(ofApp: app.key)
    var new = PublicationRecord(
      number: number, revision: revision, kind: kind, share: request.share, spread: request.spread, issued: time,
      note: request.note)
    if let key = try session.signingKeys(ofApp: app.key).first(where: { $0.retired == nil }),
      let bytes = try session.revision(revision)?.representations
    {
      new.signingKey = key.id
      if let privateKey = key.privateKey {
        new.jsonSignature = signed(.json, bytes.json, app, new).signature(privateKey)
        new.compiledSignature = signed(.compiled, bytes.compiled, app, new).signature(privateKey)
        guard new.jsonSignature != nil, new.compiledSignature != nil else {
          throw StorageError.failed("the private key \(key.id) is damaged: it has \(privateKey.count) bytes, not 32")
        }
      } else {
        try take(request.signatures, of: key, bytes, app, &new)
      }
    }
    try session.add(new, ofApp: app.key, idempotencyKey: request.idempotencyKey)
    try session.add(
      AuditRecord(
        time: time, actor: request.actor, action: kind.rawValue, object: "publication \(number)", after: new.json.text),
      ofApp: app.key)
    return new
  }

  private func signed(_ form: FeedForm, _ body: [UInt8], _ app: AppRecord, _ new: PublicationRecord) -> SignedFeed {
    SignedFeed(app: app.id, publication: new.number, issued: new.issued, mediaType: form.mediaType, body: body)
  }

  /// Signatures of a key that is elsewhere, which must be about this very publication.
  private func take(
    _ signatures: DetachedSignatures?, of key: SigningKeyRecord, _ bytes: RevisionRecord.Representations,
    _ app: AppRecord, _ new: inout PublicationRecord
  ) throws {
    func fault(_ expected: String, _ found: String) -> PublicationFault {
      .invalid(key: "signatures", expected: expected, found: found)
    }
    guard let signatures else {
      throw fault(
        "signatures by the key \(key.id) for the publication \(new.number), as `plot-server sign` makes them", "none")
    }
    guard signatures.app == app.id, signatures.publication == new.number, signatures.key == key.id else {
      throw fault(
        "the app \(app.id), the publication \(new.number) and the key \(key.id)",
        "\(signatures.app), \(signatures.publication) and \(signatures.key)")
    }
    new.issued = signatures.issued
    guard signed(.json, bytes.json, app, new).isSigned(signatures.json, by: key.publicKey),
      signed(.compiled, bytes.compiled, app, new).isSigned(signatures.compiled, by: key.publicKey)
    else { throw fault("signatures of this feed", "those of another one, or of one that another version has compiled") }
    new.jsonSignature = signatures.json
    new.compiledSignature = signatures.compiled
  }
}
