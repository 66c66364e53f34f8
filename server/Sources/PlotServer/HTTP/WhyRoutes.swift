internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOPosix
internal import PlotCore
internal import PlotDocuments
internal import PlotGzip
internal import PlotServerStorage

/// Why somebody got a notification, or did not (docs/server.md, Why).
struct WhyRoutes: Sendable {
  let service: Service

  func add(to router: Router<ServerContext>) {
    router.get("api/v2/why", use: why)
    router.get("api/v2/installations/:id/recordings", use: recordings)
  }

  static func json(_ record: RecordingRecord) -> JSONValue {
    .object([("from", .string(Timestamp.text(record.began))), ("to", .string(Timestamp.text(record.ended)))])
  }

  @Sendable private func recordings(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let id = try context.parameters.require("id")
    let found = try await service.storage.read { session in
      try session.installation(id, ofApp: app.key).map { try session.recordings(ofInstallation: $0.key) }
    }
    guard let found else { throw RequestFault.noInstallation }
    return .json(.object([("recordings", .array(found.map(Self.json)))]))
  }

  @Sendable private func why(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    func parameter(_ key: Substring) -> String? { request.uri.queryParameters[key].map { String($0) } }
    func needed(_ key: Substring, _ expected: String) throws -> String {
      guard let text = parameter(key), !text.isEmpty else {
        throw RequestFault.invalid("?\(key)", expected, parameter(key).map { .string($0) })
      }
      return text
    }
    let id = try needed("installation", "the id of an installation")
    let campaign = try needed("campaign", "the id of a campaign")
    let at = try needed("at", "an ISO 8601 date and time, as in 2026-05-16T12:00:00Z")
    guard let moment = Timestamp.parse(at) else {
      throw RequestFault.invalid("?at", "an ISO 8601 date and time, as in 2026-05-16T12:00:00Z", .string(at))
    }
    return .json(
      try await service.why(
        installation: id, campaign: campaign, region: parameter("region"), at: moment,
        language: parameter("language") ?? "en", app))
  }
}

extension Service {
  /// Plays the newest recording that begins before a moment.
  func why(
    installation id: String, campaign: String, region: String?, at moment: Int64, language: String, _ app: AppRecord
  ) async throws -> JSONValue {
    let found = try await storage.read { session -> (RecordingRecord?, [UInt8]?)? in
      guard let installation = try session.installation(id, ofApp: app.key) else { return nil }
      let record = try session.recordings(ofInstallation: installation.key).last { $0.began <= moment }
      return (record, try record.flatMap { try session.recording($0.key) })
    }
    guard let found else { throw RequestFault.noInstallation }
    guard let record = found.0, let zipped = found.1 else {
      throw RequestFault(
        .notFound, "no-recording",
        "expected a recording of this installation that begins before \(Timestamp.text(moment)), found none: the app sends them, once its person agrees"
      )
    }
    do {
      let lines = try Gzip.decompress(zipped, limit: RecordingUpload.sizeLimit)
      // Away from the threads that answer requests.
      let why = try await NIOThreadPool.singleton.runIfActive {
        try Why(lines, campaign: campaign, region: region, at: moment, language: language)
      }
      return Self.answer(why, record, campaign, moment)
    } catch Why.Fault.unknownCampaign {
      throw RequestFault(
        .notFound, "not-found", "the device's feed had no campaign \(RequestFault.short(campaign)) at that time")
    } catch Why.Fault.unknownRegion {
      throw RequestFault(
        .notFound, "not-found", "the device's feed had no region \(RequestFault.short(region ?? "")) at that time")
    } catch Why.Fault.damaged(let reason) {
      throw RequestFault(.unprocessableContent, "damaged-recording", "the recording cannot be played: \(reason)")
    }
  }

  private static func answer(
    _ why: Why, _ record: RecordingRecord, _ campaign: String, _ moment: Int64
  ) -> JSONValue {
    let shown = why.shown.map { one in
      JSONValue.object([
        ("time", .string(Timestamp.text(one.time))), ("region", .string(one.region)), ("message", .string(one.message)),
      ])
    }
    let reason = why.explanation["sentence"]?.string ?? ""
    let sentence =
      why.shown.last.map { "Shown at \(Timestamp.text($0.time)) at the region \"\($0.region)\". Then: \(reason)" }
      ?? reason
    return .object([
      ("campaign", .string(campaign)), ("at", .string(Timestamp.text(moment))), ("sentence", .string(sentence)),
      ("shown", .array(shown)), ("explanation", why.explanation), ("recording", WhyRoutes.json(record)),
      ("lastInput", .string(Timestamp.text(why.last))),
    ])
  }
}

/// A recording that a device sends.
struct RecordingUpload: Sendable {
  /// Bytes of its lines.
  static let sizeLimit = 16 << 20
  /// How many of an installation are kept.
  static let limit: Int64 = 50

  var began: Int64
  var ended: Int64
  var zipped: [UInt8]

  init(_ lines: [UInt8]) throws {
    do {
      (began, ended) = try Why.times(lines)
    } catch Why.Fault.damaged(let reason) {
      throw RequestFault(.unprocessableContent, "invalid-recording", reason)
    }
    zipped = Gzip.compress(lines)
  }
}
