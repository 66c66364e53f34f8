internal import PlotServerStorage

/// For how long things about people are kept (docs/server.md, People's rights).
enum Retention {
  static let day: Int64 = 86_400_000
  /// Of recordings, where events are kept for longer, and of the log of webhooks.
  static let recordingDays: Int64 = 30

  /// Forgets what is too old, app by app. Gives how many events.
  @discardableResult
  static func run(_ storage: any SQLDatabase, at now: Int64) async throws -> Int {
    var count = 0
    try await storage.write { try $0.forgetDeliveries(before: now - recordingDays * day) }
    for app in try await storage.read({ try $0.apps() }) {
      count += try await storage.write { session in
        let days = try session.retention(ofApp: app.key)
        try session.forgetRecordings(
          before: now - min(days ?? recordingDays, recordingDays) * day, ofApp: app.key)
        return try days.map { try session.forget(before: now - $0 * day, ofApp: app.key) } ?? 0
      }
    }
    return count
  }
}
