internal import PlotServerStorage
internal import Synchronization

/// The installations that have come lately, so that a request with events need not ask the database who it is. The memory is bounded.
final class InstallationMemory: Sendable {
  private struct Contents {
    var new: [String: InstallationRecord] = [:]
    var old: [String: InstallationRecord] = [:]
  }

  private static let most = 50_000
  private let contents = Mutex(Contents())

  private static func name(_ id: String, _ app: Int64) -> String { "\(app)/\(id)" }

  func get(_ id: String, app: Int64, secret: [UInt8]) -> InstallationRecord? {
    let name = Self.name(id, app)
    guard let known = contents.withLock({ $0.new[name] ?? $0.old[name] }), Secrets.areEqual(known.secret, secret) else {
      return nil
    }
    return known
  }

  func put(_ record: InstallationRecord, app: Int64) {
    contents.withLock { contents in
      if contents.new.count >= Self.most {
        contents.old = contents.new
        contents.new = [:]
      }
      contents.new[Self.name(record.id, app)] = record
    }
  }

  func remove(_ id: String, app: Int64) {
    contents.withLock { contents in
      _ = contents.new.removeValue(forKey: Self.name(id, app))
      _ = contents.old.removeValue(forKey: Self.name(id, app))
    }
  }
}
