internal import ArgumentParser
internal import Foundation
internal import Logging
internal import PlotDocuments
internal import PlotServer
internal import PlotServerStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A sentence for the person, and the end with status 1.
struct Fault: Error, CustomStringConvertible {
  var description: String

  init(_ text: String) { description = text }
}

/// The settings that every command takes.
struct DatabaseOptions: ParsableArguments {
  @Option(help: "A file of settings, as JSON (docs/server.md).", completion: .file(extensions: ["json"]))
  var config: String?

  @Option(help: "A file of SQLite.", completion: .file())
  var database: String?

  @Option(help: "PostgreSQL, as postgresql://…; better by the environment, DATABASE_URL.")
  var databaseURL: String?

  /// Of the file, the environment and the command line; the later goes before the earlier.
  func configuration() throws -> ServerConfiguration {
    var settings = ServerConfiguration()
    do {
      if let config { try settings.take(file: Files.read(config)) }
      try settings.take(environment: ProcessInfo.processInfo.environment)
      try settings.check()
    } catch let fault as SettingFault {
      throw Fault(config.map { "\($0): \(fault.message)" } ?? fault.message)
    }
    if let database {
      settings.database = database
      settings.databaseURL = nil
    }
    if let databaseURL { settings.databaseURL = databaseURL }
    return settings
  }

  /// Opens the database and brings its schema up to date.
  func storage(_ settings: ServerConfiguration) async throws -> any SQLDatabase {
    do {
      let storage = try Databases.open(url: settings.databaseURL, path: settings.database)
      try await Schema.migrate(storage)
      return storage
    } catch let error as StorageError {
      throw Fault(error.message)
    }
  }

  /// Runs a body with the database; faults become sentences.
  func with<T>(_ body: (any SQLDatabase, ServerConfiguration) async throws -> T) async throws -> T {
    let settings = try configuration()
    let storage = try await storage(settings)
    do {
      let result = try await body(storage, settings)
      await storage.close()
      return result
    } catch {
      await storage.close()
      throw Self.fault(error)
    }
  }

  static func fault(_ error: any Error) -> any Error {
    switch error {
    case let error as StorageError: Fault(error.message)
    case PublicationFault.unknownApp: Fault("there is no such app; `plot-server app list` shows all")
    case PublicationFault.unknownPublication(let number):
      Fault("expected the number of a publication of this app, found \(number)")
    case PublicationFault.invalid(let key, let expected, let found):
      Fault("\(key): expected \(expected), found \(found)")
    case PublicationFault.otherRequest: Fault("this idempotency key was used for another request")
    default: error
    }
  }
}

enum Files {
  static func read(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw Fault("\(path): cannot be read")
    }
  }
}

enum FeedFile {
  /// Publishes a file unless it is the newest publication already; makes the app when there is none, and prints its keys.
  static func publish(_ path: String, toApp app: String, _ storage: any SQLDatabase) async throws -> PublicationRecord?
  {
    let bytes = try Files.read(path)
    if try await storage.read({ try $0.app(id: app) }) == nil {
      let made = try await Apps.make(app, name: app, storage, now: now)
      // At once, also into a pipe.
      FileHandle.standardOutput.write(
        Data("app \(app)\npublic token \(made.token)\nprivate key \(made.key)\n".utf8))
    }
    do {
      return try await Apps.publishOnce(bytes, toApp: app, storage, now: now)
    } catch PublicationFault.refused(let report) {
      throw Fault("\(path): \(report.reason)")
    }
  }
}

/// Milliseconds since 1970.
@Sendable func now() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
