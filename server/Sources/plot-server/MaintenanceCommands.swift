internal import ArgumentParser
internal import Foundation
internal import PlotServer
internal import PlotServerStorage

struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the schema of the database up to date.")

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    let settings = try database.configuration()
    do {
      let storage = try Databases.open(url: settings.databaseURL, path: settings.database)
      let (before, after) = try await Schema.migrate(storage)
      await storage.close()
      print(before == after ? "schema \(after), nothing to do" : "schema \(before) is now \(after)")
    } catch {
      throw DatabaseOptions.fault(error)
    }
  }
}

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy a database of SQLite at one instant, also while it is in use.",
    discussion: "For PostgreSQL, use pg_dump.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The copy to write; it must not be there.", completion: .file())
  var copy: String

  func run() async throws {
    try await database.with { storage, _ in
      guard !FileManager.default.fileExists(atPath: copy) else { throw Fault("\(copy): is there already") }
      try await storage.backup(to: copy)
    }
  }
}

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a database of SQLite from a backup. The server must not run.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The backup.", completion: .file())
  var copy: String

  func run() async throws {
    let settings = try database.configuration()
    guard settings.databaseURL == nil else { throw Fault("for PostgreSQL, use pg_restore") }
    guard FileManager.default.fileExists(atPath: copy) else { throw Fault("\(copy): is not there") }
    guard !FileManager.default.fileExists(atPath: settings.database) else {
      throw Fault("\(settings.database): is there already; move it away first")
    }
    do {
      let backup = try Databases.open(url: nil, path: copy)
      try await Schema.migrate(backup)
      try await backup.backup(to: settings.database)
      await backup.close()
    } catch {
      throw DatabaseOptions.fault(error)
    }
  }
}

struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a database of SQLite to an empty PostgreSQL. The server must not run.",
    discussion: "The file stays as it is. Where this ends before its end, make the PostgreSQL anew and begin again.")

  @Option(help: "The file of SQLite.", completion: .file())
  var database: String

  @Option(help: "The PostgreSQL, as postgresql://…; better by the environment, DATABASE_URL.")
  var databaseURL: String?

  func run() async throws {
    guard FileManager.default.fileExists(atPath: database) else { throw Fault("\(database): is not there") }
    guard let url = databaseURL ?? ProcessInfo.processInfo.environment["DATABASE_URL"] else {
      throw Fault("--database-url: expected the PostgreSQL to move to, found none")
    }
    do {
      let source = try Databases.open(url: nil, path: database)
      let target = try Databases.open(url: url, path: "")
      try await Schema.migrate(source)
      try await Schema.migrate(target)
      try await DatabaseMove(from: source, to: target).run { table, count in
        if count > 0 { print("\(table): \(count)") }
      }
      await source.close()
      await target.close()
    } catch {
      throw DatabaseOptions.fault(error)
    }
  }
}

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the feed of an app's newest publication to standard output.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The id of the app.")
  var app: String

  @Option(help: "The number of an earlier publication.")
  var publication: Int64?

  @Flag(help: "Write the app as a document instead, with its draft, as plot-server apply reads it.")
  var document = false

  func run() async throws {
    try await database.with { storage, _ in
      if document {
        let draft = try await Drafts(storage, now: now).document(app: app).bytes
        let text = AppDocument(of: try await Apps.known(app, storage), draft: draft).text
        return FileHandle.standardOutput.write(Data(text.utf8))
      }
      let bytes = try await Apps.feed(ofApp: app, publication: publication, storage)
      FileHandle.standardOutput.write(Data(bytes))
    }
  }
}

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Publish a feed, unless it is the newest one already.",
    discussion: "For a feed that is kept in a repository: the same file again publishes nothing.")

  @OptionGroup var database: DatabaseOptions

  @Argument(help: "The id of the app; it is made when there is none.")
  var app: String

  @Argument(help: "A campaign feed.", completion: .file(extensions: ["json"]))
  var feed: String

  func run() async throws {
    try await database.with { storage, _ in
      if let made = try await FeedFile.publish(feed, toApp: app, storage) {
        print("publication \(made.number)")
      } else {
        print("published already")
      }
    }
  }
}
