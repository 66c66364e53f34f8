import Foundation
import Glibc
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// `setfsuid` of <sys/fsuid.h>, which the module Glibc does not have.
@_silgen_name("setfsuid") private func setThreadFileUser(_ user: UInt32) -> Int32

/// The file itself: whose it is, and what it may be called.
@Suite struct FileTests {
  @Test func oneEngineAtATime() throws {
    let folder = try Folder()
    let first = try Store(path: folder.path())
    for _ in 0..<3 { #expect(failure(at: folder.path()) == .busy) }
    // The first goes on.
    var state = State()
    state.sequence = 3
    try first.commit([.host(.enabled(true))], of: state, outbox: [], delivered: 0)
    #expect(failure(at: folder.path()) == .busy)
    #expect(try first.load().state.sequence == 3)
    first.close()
    #expect(failure(at: folder.path()) == nil)
    #expect(try Store(path: folder.path()).load().state.sequence == 3)
  }

  @Test func aNewFileIsTakenAtOnce() throws {
    let folder = try Folder()
    let first = try Store(path: folder.path())
    #expect(failure(at: folder.path()) == .busy, "before anything is written")
    first.close()
  }

  @Test func anotherPathToTheSameFileIsBusyToo() throws {
    let folder = try Folder()
    let first = try Store(path: folder.path())
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.db"), withDestinationPath: folder.path())
    #expect(failure(at: folder.path("link.db")) == .busy)
    #expect(failure(at: folder.path("../\(folder.url.lastPathComponent)/store.db")) == .busy)
    first.close()
  }

  @Test func theOwnerAloneMayReadIt() throws {
    let folder = try Folder()
    let mask = umask(0)
    defer { umask(mask) }
    let store = try Store(path: folder.path())
    try store.commit([.host(.enabled(true))], of: State(), outbox: [], delivered: 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.contains("store.db"))
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    store.close()
  }

  @Test(arguments: [
    ":memory:", "file:x?mode=memory", "file:store.db", "with spaces .db", "é 😀.db", "quote'\".db", "100%.db",
    "a?b#c.db",
    "-wal", "$HOME", "back\\slash",
  ])
  func oddNamesAreNames(_ name: String) throws {
    let folder = try Folder()
    let store = try Store(path: folder.path(name))
    var state = State()
    state.sequence = 9
    try store.commit([.host(.enabled(true))], of: state, outbox: [], delivered: 0)
    store.close()
    #expect(try folder.contents().keys.sorted() == [name])
    #expect(try Store(path: folder.path(name)).load().state.sequence == 9)
  }

  /// Relative paths with a meaning of their own for SQLite. They are made in the working folder of the tests, and
  /// removed.
  @Test(arguments: [":memory:", "file:plot-relative?mode=memory", "plot relative é"])
  func oddRelativeNamesAreNames(_ name: String) throws {
    let path = FileManager.default.currentDirectoryPath + "/" + name
    try #require(!FileManager.default.fileExists(atPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = try Store(path: name)
    var state = State()
    state.sequence = 9
    try store.commit([.host(.enabled(true))], of: state, outbox: [], delivered: 0)
    store.close()
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try Store(path: path).load().state.sequence == 9)
  }

  @Test func pathsThatCannotBe() throws {
    let folder = try Folder()
    for path in [folder.url.path, folder.path("missing/store.db"), ""] {
      #expect(failure(at: path) == .failed, "\(path)")
    }
    #expect(try folder.contents().isEmpty)
    let error = #expect(throws: StoreError.self) { try Store(path: folder.path("missing/store.db")) }
    #expect(error?.message == "\(folder.path("missing/store.db")): No such file or directory")
  }

  /// Runs `body` as someone who may read, but not write, a file; root becomes nobody for that long.
  static func withoutWriting<T>(_ folder: Folder, _ body: () throws -> T) throws -> T {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: folder.url.path) { chmod(folder.path(name), 0o444) }
    chmod(folder.url.path, 0o555)
    defer {
      chmod(folder.url.path, 0o755)
      for name in (try? manager.contentsOfDirectory(atPath: folder.url.path)) ?? [] { chmod(folder.path(name), 0o644) }
    }
    // Of this thread alone: the other tests stay who they are.
    let isRoot = geteuid() == 0
    if isRoot { _ = setThreadFileUser(65534) }
    defer { if isRoot { _ = setThreadFileUser(0) } }
    return try body()
  }

  @Test func aFileThatCannotBeWritten() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    try store.commit([.host(.enabled(true))], of: State(), outbox: [], delivered: 0)
    store.close()
    let before = try folder.contents()
    try Self.withoutWriting(folder) {
      #expect(failure(at: folder.path()) == .readOnly)
      #expect(failure(at: folder.path("new.db")) == .failed, "a file that cannot be made")
    }
    #expect(try folder.contents() == before)
    #expect(failure(at: folder.path()) == nil)
  }
}
