import FoundationEssentials

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A program that answers on its standard output.
enum ChildProgram {
  /// Runs it to its end, without an input. Throws `InputFault` where it cannot be started, and where it fails without an answer. `silent`: what it says on
  /// standard error is nobody's business.
  static func output(of words: [String], silent: Bool) throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw InputFault("\(words[0]): cannot make a pipe: \(reason(errno))") }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let started = Result { try start(words, writing, silent: silent) }
    // Only the program has it open now: its end is the end of what is read.
    close(writing)
    let process = try started.get()
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(reading, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      output += buffer[..<count]
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 || !output.isEmpty else {
      let end = status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
      throw InputFault(
        "\(words[0]) has failed: \(end)"
          + (silent ? "; run \(words.prefix(3).joined(separator: " ")) by itself to see why" : ""))
    }
    return output
  }

  private static func start(_ words: [String], _ output: Int32, silent: Bool) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if silent { unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    guard code == 0 else { throw InputFault("\(words[0]): cannot be started: \(reason(code))") }
    return process
  }

  private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
