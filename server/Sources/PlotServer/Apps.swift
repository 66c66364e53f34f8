public import PlotServerStorage
internal import PlotSync

/// Acts about apps as a whole, for the commands.
public enum Apps {
  public struct Made: Sendable {
    public var token: String
    public var key: String
    public var signingKey: String
    public var publicKey: String
  }

  static func isId(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2D, 0x2E, 0x5F].contains(byte)
      })
  }

  /// How often devices may be told to ask, in seconds.
  public static let pollRange: ClosedRange<Int64> = 10...604_800

  /// Makes an app with a public token, a private key and a key that signs.
  public static func make(
    _ id: String, name: String, _ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64
  ) async throws -> Made {
    guard isId(id) else {
      throw PublicationFault.invalid(key: "app", expected: "1 to 64 letters, digits, -, _ and dots", found: "\"\(id)\"")
    }
    let token = Secrets.random("pub_")
    let time = now()
    try await storage.write { try $0.createApp(id: id, name: name, token: token, pollAfter: 3600, at: time) }
    let key = try await PrivateKeys(storage, now: now).make(app: id, name: "first")
    let signing = try await rotateSigningKey(ofApp: id, storage, now: now)
    return Made(token: token, key: key.key, signingKey: signing.id, publicKey: signing.publicKey)
  }

  /// A new key that signs; those before it are retired.
  public static func rotateSigningKey(
    ofApp id: String, _ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64
  ) async throws -> (id: String, publicKey: String) {
    guard let key = Cryptography.signingKey(seed: Cryptography.random(32)) else {
      throw StorageError.failed("no key can be made")
    }
    let publicKey = key.publicKey
    let keyId = SignedFeed.keyId(publicKey)
    let time = now()
    try await storage.write { session in
      let app = try session.knownApp(id)
      try session.replaceSigningKeys(
        by: SigningKeyRecord(
          id: keyId, app: app.key, privateKey: key.privateKey, publicKey: publicKey, created: time))
    }
    return (keyId, text(publicKey))
  }

  /// Takes the public half of a key that stays elsewhere. From then on a publication of this app needs its signature. Gives the key's id.
  public static func addPublicKey(
    _ text: String, ofApp id: String, _ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64
  ) async throws -> String {
    guard let publicKey = Secrets.bytes(base64URL: text), publicKey.count == 32 else {
      throw PublicationFault.invalid(key: "key", expected: "a public key of 32 bytes in base64", found: text)
    }
    let keyId = SignedFeed.keyId(publicKey)
    let time = now()
    try await storage.write { session in
      let app = try session.knownApp(id)
      try session.replaceSigningKeys(
        by: SigningKeyRecord(id: keyId, app: app.key, privateKey: nil, publicKey: publicKey, created: time))
    }
    return keyId
  }

  /// Throws `PublicationFault.unknownApp` where there is none.
  public static func known(_ id: String, _ storage: any SQLDatabase) async throws -> AppRecord {
    try await storage.read { try $0.knownApp(id) }
  }

  /// Base64 without padding, with - and _.
  public static func text(_ bytes: [UInt8]) -> String { Secrets.base64URL(bytes) }

  /// Publishes a feed, unless the newest publication for all has it.
  public static func publishOnce(
    _ bytes: [UInt8], toApp id: String, _ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64
  ) async throws -> PublicationRecord? {
    let digest = Secrets.hexadecimal(Secrets.sha256(bytes))
    let isThere = try await storage.read { session -> Bool in
      guard let app = try session.app(id: id), let newest = try session.publicationsInUse(ofApp: app.key).first,
        newest.share == 100
      else { return false }
      return try session.revision(newest.revision)?.digest == digest
    }
    if isThere { return nil }
    return try await Publisher(storage, now: now).publish(bytes, toApp: id, PublicationRequest()).publication
  }

  /// The JSON of a publication; of the newest for nil.
  public static func feed(ofApp id: String, publication number: Int64?, _ storage: any SQLDatabase) async throws
    -> [UInt8]
  {
    try await storage.read { session in
      let app = try session.knownApp(id)
      guard let publication = try session.publication(ofApp: app.key, number: number ?? app.publication),
        let revision = try session.revision(publication.revision)
      else { throw PublicationFault.unknownPublication(number ?? app.publication) }
      return revision.representations.json
    }
  }

  /// The rows of the statistics that differ from a recount of the events, as sentences.
  public static func recount(_ app: AppRecord, _ storage: any SQLDatabase) async throws -> [String] {
    let (kept, counted) = try await storage.read { session in
      let kept = try session.statistics(ofApp: app.key).mapValues { count in
        StatisticCount(
          number: count.all.number - count.erased.number, seconds: count.all.seconds - count.erased.seconds)
      }
      return (kept, try session.recount(app: app.key))
    }
    let nothing = StatisticCount()
    return Set(kept.keys).union(counted.keys).sorted().compactMap { key in
      let (a, b) = (kept[key] ?? nothing, counted[key] ?? nothing)
      return a == b
        ? nil
        : "\(key.day) \(key.kind) \(key.campaign) \(key.region): kept \(a.number) (\(a.seconds) s), counted \(b.number) (\(b.seconds) s)"
    }
  }
}

extension SQLSession {
  /// Throws `PublicationFault.unknownApp` where there is none.
  func knownApp(_ id: String) throws -> AppRecord {
    guard let app = try app(id: id) else { throw PublicationFault.unknownApp }
    return app
  }

  /// Those before it sign nothing more.
  fileprivate func replaceSigningKeys(by key: SigningKeyRecord) throws(StorageError) {
    for old in try signingKeys(ofApp: key.app) where old.retired == nil {
      _ = try retireSigningKey(old.id, ofApp: key.app, at: key.created)
    }
    try add(key)
  }
}
