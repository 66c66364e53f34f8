#if os(Linux)
  internal import ArgumentParser
  import FoundationEssentials
  internal import Glibc
  internal import PlotRun
  internal import PlotTracks

  struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Run another command again whenever one of its files is saved.",
      discussion: """
        The files are those that the command names as inputs. Control-C ends it. As in plot watch simulate --feed feed.json --track walk.gpx, or plot \
        watch lint feed.json.
        """)

    @Argument(parsing: .captureForPassthrough, help: "A command of plot, with its options.")
    var command: [String]

    @OptionGroup var quiet: QuietOption

    /// Commands that end by themselves, and only read their inputs.
    static let commands = ["simulate", "replay", "explain", "lint", "feed"]
    /// Options whose files a command writes.
    static let outputs = [
      "--events", "--decisions", "--record", "--plan-file", "--map", "--svg", "--store", "--output", "-o",
    ]

    /// A file as it was last seen; nil for none.
    private struct Trace: Equatable {
      var inode: UInt64
      var size: Int64
      var seconds: Int
      var nanoseconds: Int

      init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      }
    }

    func validate() throws {
      if let first = command.first, ["--help", "-h"].contains(first) { throw CleanExit.helpRequest(self) }
      guard let name = command.first, Self.commands.contains(name), !command.starts(with: ["feed", "new"]) else {
        throw ValidationError("plot watch takes one of: \(Self.commands.joined(separator: ", ")).")
      }
    }

    /// The files that the words of a command name as inputs.
    static func inputs(of words: [String]) -> [String] {
      var paths: [String] = []
      var isOutput = false
      for word in words.dropFirst() {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let isOption = word.hasPrefix("-")
        let path = isOption ? parts.count == 2 ? parts[1] : nil : word
        if let path, !(isOption ? outputs.contains(parts[0]) : isOutput), InputFile.descriptor(of: path) == nil,
          Trace(path) != nil, !paths.contains(path)
        {
          paths.append(path)
        }
        isOutput = isOption && parts.count == 1 && outputs.contains(word)
      }
      return paths
    }

    func run() throws {
      let paths = Self.inputs(of: command)
      guard !paths.isEmpty else {
        throw InputFault("plot watch: expected a file that can be read in the command, found none")
      }
      let names = paths.joined(separator: ", ")
      while true {
        let before = paths.map { Trace($0) }
        try ChildProgram.run(["/proc/self/exe"] + command)
        if !quiet.isOn { Output.warn("— waiting until one is saved: \(names)") }
        let changed = wait(paths, before)
        if !quiet.isOn { Output.warn("— \(changed) was saved") }
      }
    }

    /// Until a file differs from what it was, and has come to rest. A file that is gone for a moment, as editors save, is waited for.
    private func wait(_ paths: [String], _ before: [Trace?]) -> String {
      while true {
        usleep(150_000)
        for (path, old) in zip(paths, before) {
          guard var trace = Trace(path), trace != old else { continue }
          while true {
            usleep(100_000)
            let next = Trace(path)
            if let next, next == trace { break }
            trace = next ?? trace
          }
          return path
        }
      }
    }
  }
#endif
