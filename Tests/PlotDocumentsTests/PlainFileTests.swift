import Foundation
import PlotCore
import PlotDocuments
import PlotFiles
import PlotTesting
import Testing

/// Nothing here may wait: a test that does not end is a fault, too.
@Suite struct PlainFileTests {
  private let temporary: Folder
  private var folder: String { temporary.url.path }

  init() throws {
    temporary = try Folder()
    try #require(mkfifo(folder + "/pipe", 0o600) == 0)
    symlink("pipe", folder + "/link")
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array((folder + "/socket").utf8).prefix(107)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    try withUnsafePointer(to: address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try #require(bind(descriptor, $0, size) == 0) }
    }
    close(descriptor)
  }

  private var strangers: [(path: String, found: String)] {
    [
      (folder + "/pipe", "a named pipe"), (folder + "/link", "a named pipe"), (folder + "/socket", "a socket"),
      (folder, "a directory"), ("/dev/zero", "a device"), ("/dev/full", "a device"),
    ]
  }

  @Test func whatIsNoPlainFileIsRefusedAtOnce() throws {
    for (path, found) in strangers {
      let error = FileError(path: path, reason: "expected a plain file, found \(found)")
      for flags in [O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND, O_RDWR] {
        #expect(throws: error) { try PlainFile.open(path, flags) }
      }
      #expect(throws: error) { try TextFile.read(path, limit: 100) }
      #expect(throws: error) { try TextFile.write(["a"], to: path) }
      #expect(throws: error) { try TextFile.append(["a"], to: path) }
      #expect(throws: error) { try Feed.load(path: path) }
      #expect(throws: error) { try Feed.map(path: path) }
      #expect(throws: error) { try Configuration(path: path) }
      #expect(throws: error) { try SimulationRules.load(path: path) }
    }
  }

  @Test func plainFilesAreReadAndWritten() throws {
    let path = folder + "/file"
    try TextFile.append(["a"], to: path)
    try TextFile.append(["b", "c"], to: path)
    #expect(try TextFile.read(path, limit: 6) == Array("a\nb\nc\n".utf8))
    #expect(throws: FileError(path: path, reason: "larger than 5 bytes")) { try TextFile.read(path, limit: 5) }
    try TextFile.write(["d"], to: path)
    #expect(try TextFile.read(path, limit: 6) == Array("d\n".utf8))
    let file = try PlainFile.open(path, O_RDONLY)
    defer { close(file) }
    #expect(fcntl(file, F_GETFL) & O_NONBLOCK == 0)
    #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    // A file of the system that has no length.
    #expect(try TextFile.read("/proc/self/status", limit: 1 << 20).starts(with: Array("Name:".utf8)))
    let long = [UInt8](repeating: 0x20, count: 300_001)
    try Data(long).write(to: URL(fileURLWithPath: path))
    #expect(try TextFile.read(path, limit: 1 << 20) == long)
  }
}
