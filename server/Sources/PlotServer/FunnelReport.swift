internal import NIOPosix
internal import PlotCore
internal import PlotDocuments
internal import PlotGzip
internal import PlotServerStorage

/// The way of a campaign from the visits of its regions to an opened notification, and what stood in the way (docs/server.md, Publishing).
struct FunnelReport: Sendable {
  struct Obstacle: Sendable {
    var reason: Why.Reason
    var decisions: Int64
    var installations: Int64
  }

  /// So many recordings are played again, the newest.
  static let recordingLimit: Int64 = 200

  var campaign: String
  var entered: Int64 = 0
  var shown: Int64 = 0
  var opened: Int64 = 0
  var filtered: Int64 = 0
  var failed: Int64 = 0
  var heldOut: Int64 = 0
  var recordings: Int64 = 0
  /// The most frequent first.
  var obstacles: [Obstacle] = []

  var json: JSONValue {
    .object([
      ("campaign", .string(campaign)), ("entered", .integer(entered)), ("filtered", .integer(filtered)),
      ("failed", .integer(failed)), ("heldOut", .integer(heldOut)), ("shown", .integer(shown)),
      ("opened", .integer(opened)),
      ("recordings", .integer(recordings)),
      (
        "reasons",
        .array(
          obstacles.map { one in
            .object([
              ("step", .string(one.reason.step)), ("reason", .string(one.reason.reason)),
              ("decisions", .integer(one.decisions)), ("installations", .integer(one.installations)),
            ])
          })
      ),
    ])
  }
}

extension Service {
  /// A campaign of the draft; nil for one that it does not have.
  func draftCampaign(_ id: String, _ app: AppRecord) async throws -> JSONValue? {
    let object = try await drafts.read(app: app.id) { session, app, _ in
      try session.draftObject(.campaign, id, ofApp: app.key)
    }
    return object.flatMap { try? JSONValue(parsing: Array($0.json.utf8)) }
  }

  /// `days`: the first and the last; nil for all. Nil for a campaign that the draft does not have.
  func funnel(
    _ app: AppRecord, campaign id: String, from first: String?, to last: String?
  ) async throws -> FunnelReport? {
    guard let value = try await draftCampaign(id, app) else { return nil }
    let regions = Set(value["regions"]?.texts ?? [])
    let (from, to) = WeekReport.times(from: first, to: last)
    let (counts, found) = try await storage.read { session in
      (
        try session.statistics(ofApp: app.key, from: first, to: last).mapValues { $0.all.number },
        try session.recordings(ofApp: app.key, from: from, to: to, limit: FunnelReport.recordingLimit)
      )
    }
    var report = FunnelReport(campaign: id)
    for (key, count) in counts {
      if key.campaign.isEmpty {
        if key.kind == "region-enter" || key.kind == "region-inside", regions.contains(key.region) {
          report.entered += count
        }
      } else if key.campaign == id {
        switch key.kind {
        case "notification-shown", "geotrigger": report.shown += count
        case "notification-opened": report.opened += count
        case "notification-filtered": report.filtered += count
        case "notification-failed": report.failed += count
        case "notification-held-out": report.heldOut += count
        default: break
        }
      }
    }
    var decisions: [Why.Reason: Int64] = [:]
    var people: [Why.Reason: Set<Int64>] = [:]
    for one in found {
      guard let zipped = try await storage.read({ try $0.recording(one.key) }) else { continue }
      // One that cannot be played says nothing.
      let reasons = try await NIOThreadPool.singleton.runIfActive { () -> [Why.Reason: Int64]? in
        let lines = try Gzip.decompress(zipped, limit: RecordingUpload.sizeLimit)
        return try? Why.reasons(lines, campaign: id)
      }
      guard let reasons else { continue }
      report.recordings += 1
      for (reason, count) in reasons {
        decisions[reason, default: 0] += count
        people[reason, default: []].insert(one.installation)
      }
    }
    report.obstacles = decisions.map {
      FunnelReport.Obstacle(reason: $0, decisions: $1, installations: Int64(people[$0]?.count ?? 0))
    }
    .sorted { a, b in
      (b.installations, b.decisions, a.reason.step, a.reason.reason) < (
        a.installations, a.decisions, b.reason.step, b.reason.reason
      )
    }
    return report
  }
}
