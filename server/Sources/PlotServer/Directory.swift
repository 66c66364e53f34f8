internal import PlotServerStorage
internal import Synchronization

/// The apps and their publications in memory: a feed is answered without the database.
final class Directory: Sendable {
  struct App: Sendable {
    var record: AppRecord
    /// Those that some installation has, newest first.
    var feeds: [PublishedFeed]

    func feed(for installation: String?) -> PublishedFeed? { feeds.first { $0.isFor(installation) } }
  }

  private struct Contents {
    var generation: Int64 = -1
    var byToken: [String: App] = [:]
  }

  private let storage: any SQLDatabase
  private let contents = Mutex(Contents())

  init(_ storage: any SQLDatabase) { self.storage = storage }

  func app(token: String) -> App? { contents.withLock { $0.byToken[token] } }

  func apps() -> [App] { contents.withLock { Array($0.byToken.values) } }

  /// Reads again what has changed; gives the apps that have another newest publication than before.
  func refresh() async throws -> [App] {
    let known = contents.withLock { ($0.generation, $0.byToken) }
    let read = try await storage.read { session -> (Int64, [App])? in
      let generation = try session.generation()
      guard generation != known.0 else { return nil }
      var apps: [App] = []
      for record in try session.apps() {
        if let old = known.1[record.token], old.record == record {
          apps.append(old)
          continue
        }
        var feeds: [PublishedFeed] = []
        for publication in try session.publicationsInUse(ofApp: record.key) {
          guard let revision = try session.revision(publication.revision) else { continue }
          feeds.append(PublishedFeed(publication, revision, app: record))
        }
        apps.append(App(record: record, feeds: feeds))
      }
      return (generation, apps)
    }
    guard let read else { return [] }
    return contents.withLock { contents in
      // Another reader may have been later, and faster.
      guard read.0 > contents.generation else { return [] }
      let old = contents.byToken
      contents.generation = read.0
      contents.byToken = Dictionary(read.1.map { ($0.record.token, $0) }) { first, _ in first }
      return read.1.filter { app in
        old[app.record.token].map { $0.record.publication != app.record.publication } ?? false
      }
    }
  }
}
