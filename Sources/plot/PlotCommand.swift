internal import ArgumentParser
import FoundationEssentials
internal import Glibc
internal import PlotEngine
internal import PlotStory

@main
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Location-based notifications, decided on the device and offline.",
    discussion: """
      Results go to standard output; warnings, errors and progress to standard error. Progress is drawn on a terminal only.

      \(ExitStatus.help)

      \(Terminal.help)
      """,
    version: Version.text,
    subcommands: subcommands)

  private static var subcommands: [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = [SimulateCommand.self]
    #if os(Linux)
      commands += [RunCommand.self, WatchCommand.self, StudioCommand.self] as [any ParsableCommand.Type]
    #endif
    return commands + [
      ReplayCommand.self, ReplayFleetCommand.self, ExplainCommand.self, FeedCommand.self, LintCommand.self,
      VectorsCommand.self,
    ]
  }

  /// Parses, runs, and says what went wrong on standard error. Ends with an `ExitStatus`.
  static func main() {
    ignoreBrokenPipe()
    do {
      var command = try parseAsRoot()
      try command.run()
      try Output.flush()
    } catch {
      end(error)
    }
  }

  /// Says what an error, or a request for help, has to say, and ends the process.
  private static func end(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    let text = fullMessage(for: error)
    if code.isSuccess {
      do {
        if !text.isEmpty { try Output.line(text) }
        try Output.flush()
      } catch {
        end(error)
      }
      Glibc.exit(ExitStatus.success.rawValue)
    }
    // Findings before the fault.
    if !(error is OutputError) { try? Output.flush() }
    // The parser gives EXIT_FAILURE for what it does not know, and a code of its own for the command line; what a command throws as a code
    // stays as it is.
    let isOfCommand = !(error is ExitCode) && code == .failure
    // The parser's own texts have several lines; a fault of an input is one.
    if !text.isEmpty { Output.warn(text, keepsLines: !isOfCommand) }
    Glibc.exit(isOfCommand ? ExitStatus(error).rawValue : code.rawValue)
  }
}
