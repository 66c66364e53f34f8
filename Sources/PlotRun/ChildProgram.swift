internal import Glibc

/// Programs that run beside this one.
package nonisolated enum ChildProgram {
  /// Both ends are closed in other children.
  static func pipe() throws(SystemFault) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw SystemFault("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Starts a program, without the host's mask of signals, in a process group of its own unless it is to end with this one. Nil as input is nothing
  /// to read, nil as output that of the host. `isSilent`: what it says on standard error is nobody's business.
  static func spawn(
    _ words: [String], _ input: Int32?, _ output: Int32?, isSilent: Bool = false, errors: Int32? = nil,
    hasOwnGroup: Bool = true
  ) throws(SystemFault) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, standard) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      if let descriptor { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, standard) }
    }
    if input == nil { unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) }
    if isSilent { unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe posix_spawnattr_setsigmask(&attributes, &mask)
    var all = sigset_t()
    unsafe sigemptyset(&all)
    unsafe sigaddset(&all, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0) | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw SystemFault(words[0], code: code) }
    return process
  }

  /// The status of a program once it has ended, as `waitpid` gives it.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The status that a program has ended itself with; nil where a signal has ended it.
  private static func exit(_ status: Int32) -> Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }

  /// Runs a program to its end, without an input, with the output of this one.
  package static func run(_ words: [String]) throws(SystemFault) {
    _ = wait(for: try spawn(words, nil, nil, hasOwnGroup: false))
  }

  /// Runs a program to its end, without an input; what it says goes to two files. Its exit status, or -1 where it ended otherwise.
  package static func run(_ words: [String], output: String, errors: String) throws(SystemFault) -> Int32 {
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    for path in [output, errors] {
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw SystemFault(path) }
      files.append(file)
    }
    return exit(wait(for: try spawn(words, nil, files[0], errors: files[1], hasOwnGroup: false))) ?? -1
  }

  /// Runs a program to its end, without an input, and gives what it says. Throws where it cannot be started, and where it fails without a word.
  package static func output(of words: [String], isSilent: Bool) throws(SystemFault) -> [UInt8] {
    let (reading, writing) = try pipe()
    defer { close(reading) }
    let started = Result { () throws(SystemFault) in try spawn(words, nil, writing, isSilent: isSilent) }
    // Only the program has it open now: its end is the end of what is read.
    close(writing)
    let process = try started.get()
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(reading, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      output += buffer[..<count]
    }
    let status = wait(for: process)
    guard status == 0 || !output.isEmpty else {
      let end = exit(status).map { "status \($0)" } ?? "signal \(status & 0x7F)"
      let cure = isSilent ? "; run \(words.prefix(3).joined(separator: " ")) by itself to see why" : ""
      throw SystemFault("\(words[0]) has failed: \(end)\(cure)", code: 0)
    }
    return output
  }
}
