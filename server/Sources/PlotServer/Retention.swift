internal import PlotServerStorage

/// For how long things about people are kept (docs/server.md, People's rights).
enum Retention {
  static let day: Int64 = 86_400_000
  /// Of recordings, where events are kept for longer, and of the log of webhooks.
  static let recordingDays: Int64 = 30

  /// Forgets what is too old. Gives how many events.
  @discardableResult
  static func run(_ storage: any SQLDatabase, at now: Int64) async throws -> Int {
    let limited = try await storage.write { session in
      try session.forgetDeliveries(before: now - recordingDays * day)
      try session.forgetRecordings(before: now - recordingDays * day)
      return try session.retentions()
    }
    var count = 0
    for (app, days) in limited {
      count += try await storage.write { try $0.forget(before: now - days * day, ofApp: app) }
    }
    return count
  }
}
