internal import ArgumentParser
internal import PlotCore
internal import PlotDocuments
internal import PlotServer
internal import PlotServerStorage

struct PublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Check a feed and publish it: all of it, or nothing.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The id of the app.")
  var app: String

  @Argument(help: "A campaign feed.", completion: .file(extensions: ["json"]))
  var feed: String

  @Flag(help: "Only say what would be published.")
  var dryRun = false

  @Option(help: "Percent of the installations.")
  var share: Int64 = 100

  @Option(help: "Within how many seconds clients that listen are to ask.")
  var spread: Int64 = 60

  @Option(help: "When, as 2026-05-16T12:00:00Z; now when absent.")
  var at: String?

  @Option(help: "A note, for people.")
  var note = ""

  @Option(help: "Signatures by a key that is elsewhere, as plot-server sign makes them.", completion: .file())
  var signatures: String?

  func run() async throws {
    try await database.with { storage, _ in
      var request = PublicationRequest()
      if let signatures { request.signatures = try DetachedSignatures(parsing: try Files.read(signatures)) }
      (request.share, request.spread, request.note) = (share, spread, note)
      if let at {
        guard let time = Timestamp.parse(at) else {
          throw Fault("--at: expected an ISO 8601 date and time, as 2026-05-16T12:00:00Z, found \(at)")
        }
        request.at = time
      }
      do {
        let report = try await Publisher(storage, now: now).publish(
          try Files.read(feed), toApp: app, request, dryRun: dryRun)
        show(report)
      } catch PublicationFault.refused(let report) {
        show(report)
        throw Fault("\(feed): not published, for the reasons above")
      }
    }
  }

  private func show(_ report: PublicationReport) {
    for finding in report.findings {
      print(
        "\(feed):\(finding.line):\(finding.column): \(finding.severity.rawValue): \(finding.sentence) \(finding.remedy)"
      )
    }
    for (name, ids) in [
      ("region", report.difference.regions), ("campaign", report.difference.campaigns),
      ("category", report.difference.categories), ("list", report.difference.lists),
    ] {
      for id in ids.added { print("+ \(name) \(id)") }
      for id in ids.changed { print("~ \(name) \(id)") }
      for id in ids.removed { print("- \(name) \(id)") }
    }
    if report.difference.hasOtherSettings { print("~ settings") }
    print(
      "\(report.regions) regions, \(report.campaigns) campaigns; about \(report.reached) of \(report.installations) installations"
    )
    if let publication = report.publication { print("publication \(publication.number)") }
    if let schedule = report.schedule { print("schedule \(schedule)") }
  }
}

struct RollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Publish the feed of an earlier publication again, for all.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The id of the app.")
  var app: String

  @Argument(help: "The number of the earlier publication.")
  var publication: Int64

  func run() async throws {
    try await database.with { storage, _ in
      let made = try await Publisher(storage, now: now).rollBack(app: app, to: publication, PublicationRequest())
      print("publication \(made.number)")
    }
  }
}

struct PublicationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publications", abstract: "List the publications of an app, newest first.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The id of the app.")
  var app: String

  func run() async throws {
    try await database.with { storage, _ in
      let record = try await Apps.known(app, storage)
      for one in try await storage.read({ try $0.publications(ofApp: record.key) }) {
        print("\(one.number)  \(Timestamp.text(one.issued))  \(one.kind.rawValue)  \(one.share) %  \(one.note)")
      }
    }
  }
}

struct StatisticsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics", abstract: "Show what was counted, or compare it with a recount of the events.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The id of the app.")
  var app: String

  @Flag(help: "Count all events anew, and compare.")
  var recount = false

  func run() async throws {
    try await database.with { storage, _ in
      let record = try await Apps.known(app, storage)
      if recount {
        let wrong = try await Apps.recount(record, storage)
        for line in wrong { print(line) }
        guard wrong.isEmpty else { throw Fault("\(wrong.count) rows differ from a recount") }
        print("the statistics are those of a recount")
        return
      }
      let rows = try await storage.read { session in try session.statistics(ofApp: record.key).mapValues { $0.all } }
      for (key, count) in rows.sorted(by: { $0.key < $1.key }) {
        let seconds = key.kind == "dwell" ? "  \(count.seconds) s" : ""
        print("\(key.day)  \(key.kind)  \(key.campaign)  \(key.region)  \(count.number)\(seconds)")
      }
    }
  }
}
