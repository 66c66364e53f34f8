internal import PlotServerStorage

/// The dry runs of drafts that somebody looks at: of a large one, reading it again would take longer than the page may.
actor DraftReports {
  struct Entry: Sendable {
    var version: Int64
    /// The number of what was live.
    var live: Int64
    var time: Int64
    var report: PublicationReport
    /// The draft has an error.
    var isRefused: Bool
  }

  private static let most = 8
  /// Milliseconds. Some findings are about the time.
  private static let age: Int64 = 600_000

  private var entries: [Int64: Entry] = [:]

  /// The report of an app's draft as it is now.
  func report(_ app: AppRecord, _ drafts: Drafts, _ publisher: Publisher, at now: Int64) async throws -> Entry {
    let (version, live) = try await drafts.read(app: app.id) { session, app, version in
      (version, try session.publicationsInUse(ofApp: app.key).first?.number ?? 0)
    }
    if let known = entries[app.key], known.version == version, known.live == live, now - known.time < Self.age {
      return known
    }
    let (bytes, read) = try await drafts.document(app: app.id)
    var entry: Entry
    do {
      let report = try await publisher.publish(bytes, toApp: app.id, PublicationRequest(), dryRun: true)
      entry = Entry(version: read, live: live, time: now, report: report, isRefused: false)
    } catch PublicationFault.refused(let report) {
      entry = Entry(version: read, live: live, time: now, report: report, isRefused: true)
    }
    if entries.count >= Self.most, entries[app.key] == nil,
      let oldest = entries.min(by: { $0.value.time < $1.value.time })
    {
      entries[oldest.key] = nil
    }
    entries[app.key] = entry
    return entry
  }
}
