internal import ArgumentParser
import FoundationEssentials
internal import PlotStory

#if os(Linux)
  internal import PlotRun
#endif

/// The exit status of `plot`: the only place where its numbers stand. From 64 on they are those of sysexits(3). A command that has found what
/// it looks for throws `ExitStatus.finding.code`; all else follows from the error.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case finding = 1
  case usage = 64
  case input = 65
  case io = 74

  /// To be thrown by a command.
  var code: ExitCode { ExitCode(rawValue) }

  /// In --help, in the man pages and in docs/tool.md.
  var meaning: String {
    switch self {
    case .success: "All is well. Also when the reader of the output has closed it."
    case .finding: "A difference or a fault was found that the command looks for."
    case .usage: "The command line is wrong."
    case .input: "An input cannot be read, or is not what it should be."
    case .io: "An output cannot be written."
    }
  }

  /// The status of a command that throws `error`.
  init(_ error: any Error) {
    #if os(Linux)
      if error is HostFailure {
        self = .io
        return
      }
    #endif
    switch error {
    case is OutputError, is OutputFileError: self = .io
    case let error as InputFault: self = error.status
    case let error as JSONLinesError: self = error.isOfOutput ? .io : .input
    case let error as CocoaError where Self.isWriting(error): self = .io
    default: self = .input
    }
  }

  private static func isWriting(_ error: CocoaError) -> Bool {
    switch error.code {
    case .fileWriteUnknown, .fileWriteNoPermission, .fileWriteInvalidFileName, .fileWriteFileExists,
      .fileWriteOutOfSpace, .fileWriteVolumeReadOnly:
      true
    default: false
    }
  }

  /// The end of the help of `plot`.
  static var help: String {
    "Exit status:\n"
      + allCases.map { "  \($0.rawValue)\($0.rawValue < 10 ? " " : "")  \($0.meaning)" }.joined(separator: "\n")
  }
}
