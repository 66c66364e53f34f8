public import PlotServerStorage
internal import Synchronization

/// Private keys: made, and checked against their hashes. A key that was right is remembered for a minute, for scrypt is slow by design.
public final class PrivateKeys: Sendable {
  private static let memory: Int64 = 60_000
  private let storage: any SQLDatabase
  private let now: @Sendable () -> Int64
  /// SHA-256 of app and key: until when.
  private let known = Mutex<[[UInt8]: Int64]>([:])

  public init(_ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64) {
    self.storage = storage
    self.now = now
  }

  /// A new key. It can be read here only; the database has its hash.
  public func make(app id: String, name: String, role: Role = .owner, actor: String = "command") async throws -> (
    id: String, key: String
  ) {
    let keyId = Secrets.random("k", bytes: 6)
    let secret = Secrets.random("plot_\(keyId)_")
    let salt = Array(Secrets.random("", bytes: 16).utf8)
    let hash = try await Secrets.scrypt(secret, salt: salt)
    let time = now()
    try await storage.write { session in
      let app = try session.knownApp(id)
      try session.add(
        PrivateKeyRecord(
          id: keyId, app: app.key, name: name, salt: salt, hash: hash, role: role, created: time))
      try session.add(
        AuditRecord(
          time: time, actor: actor, action: "add", object: "key \(keyId)", after: "\"\(role.rawValue)\""),
        ofApp: app.key)
    }
    return (keyId, secret)
  }

  public func revoke(_ keyId: String, ofApp id: String, actor: String = "command") async throws -> Bool {
    let time = now()
    let found = try await storage.write { session in
      let app = try session.knownApp(id)
      guard try session.revokePrivateKey(keyId, ofApp: app.key, at: time) else { return false }
      try session.add(
        AuditRecord(time: time, actor: actor, action: "revoke", object: "key \(keyId)"), ofApp: app.key)
      return true
    }
    known.withLock { $0 = [:] }
    return found
  }

  /// The app and the id of the key, when the key is one of its own. An app that there is not takes as long as a wrong key.
  func app(id: String, key: String) async throws -> (app: AppRecord, key: PrivateKeyRecord)? {
    let time = now()
    let name = Secrets.sha256(Array("\(id)\n\(key)".utf8))
    let (app, keys) = try await storage.read { session -> (AppRecord?, [PrivateKeyRecord]) in
      guard let app = try session.app(id: id) else { return (nil, []) }
      return (app, try session.privateKeys(ofApp: app.key))
    }
    let valid = keys.filter { $0.revoked == nil && key.hasPrefix("plot_\($0.id)_") }
    if let app, let record = valid.first, known.withLock({ $0[name] }).map({ $0 > time }) == true {
      return (app, record)
    }
    guard let app, let record = valid.first else {
      _ = try await Secrets.scrypt(key, salt: Array("no such key here".utf8))
      return nil
    }
    guard Secrets.areEqual(try await Secrets.scrypt(key, salt: record.salt), record.hash) else { return nil }
    known.withLock { known in
      if known.count > 1000 { known = [:] }
      known[name] = time + Self.memory
    }
    return (app, record)
  }
}
