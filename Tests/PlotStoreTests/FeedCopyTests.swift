import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// The compiled feed beside the store.
@Suite struct FeedCopyTests {
  private func path(_ folder: Folder) -> String { folder.path() + "-feed" }

  /// A store after a life, closed; the feed that it has.
  private func store(_ seed: UInt64, in folder: Folder) throws -> Feed {
    try DamageTests.life(seed, at: folder.path())
    return try feed(of: folder)
  }

  private func feed(of folder: Folder) throws -> Feed {
    let store = try Store(path: folder.path())
    defer { store.close() }
    return try #require(try store.load().feed)
  }

  /// Makes the JSON of the tables one that cannot be read: whoever has the feed has it from the file.
  private func spoilJSON(_ folder: Folder) throws {
    try RawConnection(folder.path()).execute("UPDATE feed SET json = '{'")
  }

  @Test func aStartDoesNotReadTheJSON() throws {
    let folder = try Folder()
    let feed = try store(5, in: folder)
    try spoilJSON(folder)
    let found = try self.feed(of: folder)
    #expect(found.json == feed.json && found.digest == feed.digest && found !== feed)
    let mode = try FileManager.default.attributesOfItem(atPath: path(folder))[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func eachDamageLeadsToTheJSONAndANewFile() throws {
    let folder = try Folder()
    let feed = try store(6, in: folder)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path(folder)))
    #expect(Array(whole) == feed.compiled())
    for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
      for damaged in [whole.prefix(place), whole.prefix(place) + [whole[place] ^ 0x10] + whole[(place + 1)...]] {
        try Data(damaged).write(to: URL(fileURLWithPath: path(folder)))
        #expect(try self.feed(of: folder).json == feed.json, "byte \(place)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path(folder))) == whole, "byte \(place)")
      }
    }
  }

  @Test func theFileOfAnotherStoreIsNotTaken() throws {
    let (folder, other) = (try Folder(), try Folder())
    let feed = try store(7, in: folder)
    let foreign = try store(8, in: other)
    #expect(feed.digest != foreign.digest)
    try Data(foreign.compiled()).write(to: URL(fileURLWithPath: path(folder)))
    #expect(try self.feed(of: folder).json == feed.json)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path(folder))) == Data(feed.compiled()))
  }

  /// A table of what has come since may be missing in it.
  @Test func theFileOfAnEarlierReleaseIsNotTaken() throws {
    let folder = try Folder()
    let feed = try store(9, in: folder)
    var bytes = feed.compiled()
    bytes[FeedFile.Field.version] = UInt8(FeedFile.oldestVersion)
    bytes[FeedFile.Field.sectionCount] -= UInt8(FeedFile.version - FeedFile.oldestVersion)
    bytes.replaceSubrange(
      FeedFile.Field.checksum..<FeedFile.Field.checksum + 8,
      with: withUnsafeBytes(of: FileChecksum.of(bytes.span).littleEndian, Array.init))
    #expect(try Feed.map(compiled: bytes).digest == feed.digest)
    try Data(bytes).write(to: URL(fileURLWithPath: path(folder)))
    #expect(try self.feed(of: folder).json == feed.json)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path(folder))) == Data(feed.compiled()))
  }

  @Test func theFileFollowsTheFeed() throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    defer { device.store.close() }
    #expect(!FileManager.default.fileExists(atPath: path(folder)))
    var life = RandomLife(seed: 21)
    for _ in 0..<3 {
      let feed = life.feed()
      try device.take(device.machine.setFeed(feed, at: life.time))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path(folder))) == Data(feed.compiled()))
    }
  }

  /// The feed says where somebody lives.
  @Test func clearingTakesItAway() throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    defer { device.store.close() }
    var life = RandomLife(seed: 22)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    #expect(FileManager.default.fileExists(atPath: path(folder)))
    var isCleared = false
    try device.store.clear([.allCleared], of: State(), delivered: 0, isCleared: &isCleared)
    #expect(isCleared && !FileManager.default.fileExists(atPath: path(folder)))
  }

  /// Where there can be no file, the JSON is read at each start; what has its name is left alone.
  @Test func aFolderInItsPlaceIsNoFault() throws {
    let folder = try Folder()
    let feed = try store(10, in: folder)
    try FileManager.default.removeItem(atPath: path(folder))
    try FileManager.default.createDirectory(atPath: path(folder), withIntermediateDirectories: false)
    #expect(try self.feed(of: folder).json == feed.json)
    #expect(FileManager.default.fileExists(atPath: path(folder)))
  }

  /// A link that somebody has left there is replaced, and what it leads to stays as it is.
  @Test func aLinkIsNotFollowed() throws {
    let folder = try Folder()
    _ = try store(11, in: folder)
    let target = folder.path() + ".target"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.removeItem(atPath: path(folder))
    try FileManager.default.createSymbolicLink(atPath: path(folder), withDestinationPath: target)
    _ = try self.feed(of: folder)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path(folder))).starts(with: FeedFile.magic))
  }
}
