internal import ArgumentParser
internal import PlotEngine

@main
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Location-based notifications, decided on the device and offline.",
    version: Version.text,
    subcommands: [SimulateCommand.self, FeedCommand.self, LintCommand.self])

  /// Parses, runs, and says what went wrong on standard error: status 1 for a fault of the input, 64 for one of the command line.
  static func main() {
    ignoreBrokenPipe()
    do {
      var command = try parseAsRoot()
      try command.run()
      try Output.flush()
    } catch {
      exit(withError: error)
    }
  }
}
