import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// A feed that stands for the one in the store.
@Suite struct OfferedFeedTests {
  @Test func itsJSONIsNotRead() throws {
    let folder = try Folder()
    try DamageTests.life(5, at: folder.path())
    let stored = try Store(path: folder.path())
    let feed = try #require(try stored.load().feed)
    stored.close()
    do { try RawConnection(folder.path()).execute("UPDATE feed SET json = '{'") }
    try FileManager.default.removeItem(atPath: folder.path() + "-feed")
    let store = try Store(path: folder.path())
    defer { store.close() }
    #expect(throws: StoreError.self) { try store.load() }
    #expect(throws: StoreError.self) { try store.load(offered: .empty) }
    #expect(try store.load(offered: feed).feed === feed)
  }

  @Test func anotherHasNoEffect() throws {
    let folder = try Folder()
    try DamageTests.life(6, at: folder.path())
    let store = try Store(path: folder.path())
    defer { store.close() }
    let feed = try #require(try store.load(offered: .empty).feed)
    #expect(feed.digest != Feed.empty.digest && !feed.regions.isEmpty)
    let empty = try Folder()
    let new = try Store(path: empty.path())
    defer { new.close() }
    #expect(try new.load(offered: feed).feed == nil)
  }
}
