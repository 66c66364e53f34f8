internal import PlotCore
internal import PlotDocuments

/// Where a synchronization stands, for the app (docs/sync.md, Status).
extension Sync {
  /// The part of a status by which it differs from another one; the time of the next request is beside it.
  public struct Stamp: Equatable, Sendable {
    var status: Status
    var since: Milliseconds
    var reason: String?
    var publication: Int64
    var rejected: Int64
    var isOpen: Bool?
    var recording: RecordingStatus
  }

  public var stamp: Stamp {
    Stamp(
      status: status, since: since, reason: reason, publication: saved.publication, rejected: saved.rejected,
      isOpen: stream?.isOpen, recording: recordingStatus)
  }

  /// `revision`: of the feed in force.
  public func statusJSON(_ context: SyncContext, revision: String?) -> String {
    func time(_ time: Milliseconds?) -> JSONValue { time.map { .string(Timestamp.text($0)) } ?? .null }
    return JSONValue.object([
      ("status", .string(status.rawValue)), ("since", time(isBegun ? since : nil)),
      ("reason", reason.map { .string($0) } ?? .null), ("publication", .integer(saved.publication)),
      ("revision", revision.map { .string($0) } ?? .null), ("lastSuccess", time(saved.lastSuccess)),
      ("lastApplied", time(saved.lastApplied)), ("failures", .integer(saved.failures)),
      ("next", time(nextTime(context).map { max($0, context.newest) })),
      ("stream", .string(stream == nil ? "closed" : stream!.isOpen ? "open" : "opening")),
      ("waiting", .integer(Int64(context.waiting))), ("rejected", .integer(saved.rejected)),
      ("lastRejection", saved.lastRejection.map { .string($0) } ?? .null),
      ("recording", .string(recordingStatus.rawValue)),
    ]).text
  }

  /// A line about the status for the debug log.
  public var logLine: String { "sync: \(status.rawValue)\(reason.map { ", \($0)" } ?? "")" }

  /// Lines of a recording.
  public static func recorded(_ request: SyncRequest) -> String { JSONValue.object([("sync", request.recorded)]).text }

  public static func recorded(_ response: SyncResponse, to number: Int64) -> String {
    JSONValue.object([("sync", response.recorded(number))]).text
  }

  public static func recorded(failure reason: String, of number: Int64) -> String {
    JSONValue.object([("sync", .object([("failure", .integer(number)), ("reason", .string(reason))]))]).text
  }
}
