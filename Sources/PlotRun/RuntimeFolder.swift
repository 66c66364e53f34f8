internal import Glibc

/// The folder of the running instances: `plotengine` in the session's runtime folder, for its user alone.
nonisolated enum RuntimeFolder {
  /// The longest file that is read.
  private static let limit = 1 << 20

  /// Nil where the session has no runtime folder.
  static var path: String? {
    if let folder = Environment["XDG_RUNTIME_DIR"] { return folder + "/plotengine" }
    let folder = "/run/user/\(getuid())"
    return unsafe access(folder, W_OK) == 0 ? folder + "/plotengine" : nil
  }

  static func make() throws(SystemFault) -> String {
    guard let path else { throw SystemFault("XDG_RUNTIME_DIR is not set", code: 0) }
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFault(path) }
    var state = stat()
    guard unsafe lstat(path, &state) == 0 else { throw SystemFault(path) }
    guard state.st_mode & S_IFMT == S_IFDIR, state.st_uid == getuid(), state.st_mode & 0o077 == 0 else {
      throw SystemFault("\(path) is not a folder of its user alone", code: 0)
    }
    return path
  }

  /// Nil for a file that cannot be read.
  static func read(_ path: String) -> String? {
    bytes(of: path, count: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first bytes of a file; none of one that cannot be read.
  static func start(of path: String, count: Int) -> [UInt8] { bytes(of: path, count: count) ?? [] }

  private static func bytes(of path: String, count: Int) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
    return read >= 0 ? Array(bytes[..<read]) : nil
  }

  /// Writes a file whole, or not at all.
  static func replace(_ path: String, with text: String) throws(SystemFault) {
    let new = path + ".new"
    let file = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw SystemFault(new) }
    let bytes = Array(text.utf8)
    let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    let code = errno
    close(file)
    guard count == bytes.count else { throw SystemFault(new, code: count < 0 ? code : ENOSPC) }
    guard unsafe rename(new, path) == 0 else { throw SystemFault(path) }
  }
}
