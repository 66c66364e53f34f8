internal import ArgumentParser
internal import Foundation
internal import Logging
internal import PlotServer
internal import PlotServerStorage

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", abstract: "Run the service.")

  @OptionGroup var database: DatabaseOptions

  @Option(help: "The address to listen at.")
  var host: String?

  @Option(help: "The port to listen at; 0 for any.")
  var port: Int?

  @Option(
    help: "A campaign feed that is published at the start, unless it is published already.",
    completion: .file(extensions: ["json"]))
  var feed: String?

  @Option(help: "The app of --feed; it is made when there is none.")
  var app = "app"

  func run() async throws {
    var settings = try database.configuration()
    if let host { settings.host = host }
    if let port { settings.port = port }
    guard let level = Logger.Level(rawValue: settings.logLevel) else {
      throw Fault("logLevel: expected debug, info, warning or error, found \(settings.logLevel)")
    }
    LoggingSystem.bootstrap { JSONLog(label: $0, level: level) }
    let logger = Logger(label: "plot-server")
    let dashboard = try Self.dashboard(settings)
    let storage = try await database.storage(settings)
    do {
      if let feed, let made = try await FeedFile.publish(feed, toApp: app, storage) {
        logger.info("published", metadata: ["app": "\(app)", "publication": "\(made.number)"])
      }
      let url = "http\(settings.certificate == nil ? "" : "s")://\(settings.host)"
      try await ServerNode(storage, settings, dashboard: dashboard, logger: logger, now: now).run { port in
        logger.info("listening", metadata: ["url": "\(url):\(port)"])
      }
    } catch {
      await storage.close()
      throw DatabaseOptions.fault(error)
    }
    await storage.close()
  }

  /// The files that `web` names, or those installed beside the program; nil for none.
  private static func dashboard(_ settings: ServerConfiguration) throws -> DashboardAssets? {
    let installed = Bundle.main.executableURL?.deletingLastPathComponent()
      .appending(path: "../share/plot-server/web").standardizedFileURL.path
    guard let folder = settings.web ?? installed.flatMap({ FileManager.default.fileExists(atPath: $0) ? $0 : nil })
    else { return nil }
    do {
      return try DashboardAssets(folder: folder, tiles: settings.mapTiles, background: settings.mapBackground)
    } catch let fault as SettingFault { throw Fault(fault.message) }
  }
}
