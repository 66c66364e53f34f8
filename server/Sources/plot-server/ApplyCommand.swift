internal import ArgumentParser
internal import PlotDocuments
internal import PlotServer
internal import PlotServerStorage

struct ApplyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Make an app what a document says: its name, how often devices ask, its draft.",
    discussion: """
      For a document that is kept in a repository; plot-server export --document writes one. Prints a line for each object that \
      differs. The same document again changes nothing.
      """)

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The document of an app.", completion: .file(extensions: ["json"]))
  var document: String

  @Flag(help: "Only say what would change.")
  var dryRun = false

  @Flag(help: "Publish the draft, too, unless it is published already.")
  var publish = false

  func run() async throws {
    try await database.with { storage, _ in
      do {
        try await apply(AppDocument(parsing: try Files.read(document)), storage)
      } catch let error as DocumentError {
        let place = error.pointer.isEmpty ? "line \(error.line), column \(error.column)" : error.pointer
        throw Fault("\(document): \(place): expected \(error.expected), found \(error.found)")
      } catch PublicationFault.refused(let report) {
        throw Fault("\(document): \(report.reason)")
      }
    }
  }

  private func apply(_ new: AppDocument, _ storage: any SQLDatabase) async throws {
    let drafts = Drafts(storage, now: now)
    let isThere = try await storage.read { try $0.app(id: new.app) != nil }
    var old: AppDocument?
    if isThere {
      old = AppDocument(
        of: try await Apps.known(new.app, storage), draft: try await drafts.document(app: new.app).bytes)
    }
    let changes = new.changes(from: old)
    for line in changes { print(line) }
    if dryRun {
      if changes.isEmpty { print("nothing differs") }
      return
    }
    if !isThere {
      let made = try await Apps.make(new.app, name: new.name ?? new.app, storage, now: now)
      print("public token  \(made.token)\nprivate key   \(made.key)\nThe private key is shown once: keep it.")
    }
    let app = try await Apps.known(new.app, storage)
    if let name = new.name, name != app.name { try await storage.write { try $0.setName(name, ofApp: app.key) } }
    if let seconds = new.pollAfter, seconds != app.pollAfter {
      try await storage.write { try $0.setPollAfter(seconds, ofApp: app.key) }
    }
    if !changes.isEmpty { _ = try await drafts.replace(new.feedBytes, ofApp: new.app, by: "command") }
    guard publish else { return }
    let draft = try await drafts.document(app: new.app).bytes
    if let made = try await Apps.publishOnce(draft, toApp: new.app, storage, now: now) {
      print("publication \(made.number)")
    } else {
      print("published already")
    }
  }
}
