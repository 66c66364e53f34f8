import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// The page beside the store: what outlives the process without a transaction.
@Suite struct PageTests {
  /// A machine after a walk with a jump, hints, sightings and suspects in it: every field has something.
  static func observed(_ change: (inout Observations) -> Void = { _ in }) -> Machine {
    var machine = Machine(state: State(), feed: .empty)
    machine.settings.noise = .balanced
    _ = machine.begin(enabled: true, at: 1_700_000_000_000)
    for second in 0..<40 {
      let fix = Fix(
        time: 1_700_000_001_000 + Int64(second) * 1000,
        coordinate: Coordinate(latitude: 52.36 + Double(second) * 2e-5, longitude: 4.885 + sin(Double(second)) * 1e-5),
        accuracy: 8, speed: 1.5, course: 12)
      _ = try! machine.update(fix)
    }
    change(&machine.observations)
    return machine
  }

  @Test func aPageIsReadBackWhole() throws {
    let machine = Self.observed { observations in
      let time: Milliseconds = 1_700_000_030_000
      _ = observations.count(Identifier("bäcker"), at: time, window: 20_000)
      _ = observations.count(Identifier("a"), at: time + 1, window: 20_000)
      let sender = Sighting.Sender.iBeacon(proximityUUID: "u", majorId: 1, minorId: 65_535)
      _ = observations.distance(to: sender, adding: 12.5, at: time, window: 20_000)
      _ = observations.distance(
        to: .eddystone(namespaceId: "n", instanceId: "i"), adding: 3, at: time, window: 20_000)
      observations.noteHint(at: time)
    }
    let page = machine.page
    let copy = Machine(state: machine.state, feed: .empty, settings: machine.settings, page: Page(bytes: page.bytes))
    #expect(copy.page.bytes == page.bytes && copy.observations.track == machine.observations.track)
    #expect(copy.lastFix == machine.lastFix && copy.observations.newestHint == 1_700_000_030_000)
    #expect("\(dump(copy.observations))" == "\(dump(machine.observations))" || page.count > Page.wordCount * 8)
  }

  @Test func aPageThatNoMachineLeftIsNotTaken() {
    let machine = Self.observed()
    let bytes = machine.page.bytes
    var taken = 0
    for index in bytes.indices {
      for flipped in [UInt8(1), 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= flipped
        var copy = Machine(state: machine.state, feed: .empty, settings: machine.settings, page: Page(bytes: damaged))
        if copy.lastFix != nil { taken += 1 }
        // Whatever was taken, the machine goes on.
        _ = try? copy.update(
          Fix(time: 1_700_000_050_000, coordinate: Coordinate(latitude: 52.36, longitude: 4.885), accuracy: 8))
        _ = copy.advance(to: 1_700_000_060_000)
      }
    }
    #expect(taken > 0, "numbers of any value are possible")
    for count in 0..<bytes.count {
      let cut = Machine(state: machine.state, feed: .empty, page: Page(bytes: Array(bytes[..<count])))
      #expect(cut.lastFix == nil, "\(count) bytes")
    }
  }

  /// Each slot that is overwritten in any byte leaves the one before it.
  @Test func aDamagedByteLeavesTheSlotBefore() throws {
    let folder = try Folder()
    let path = folder.path()
    let first = Self.observed()
    var second = first
    _ = second.advance(to: 1_700_000_090_000)
    do {
      let store = try Store(path: path, seed: 1)
      _ = try store.load()
      store.save(first.page)
      store.save(second.page)
      store.close()
    }
    let whole = try Data(contentsOf: URL(filePath: path + "-page"))
    for index in stride(from: 0, to: whole.count, by: 4 / steps(4)) {
      var damaged = whole
      damaged[index] ^= 0x41
      try damaged.write(to: URL(filePath: path + "-page"))
      let found = PageFile(path: path + "-page").page(after: 1).page?.bytes
      #expect(found == second.page.bytes || found == first.page.bytes || (index < 16 && found == nil), "byte \(index)")
    }
    // Both slots are lost.
    var damaged = whole
    for index in 64..<whole.count { damaged[index] = 7 }
    try damaged.write(to: URL(filePath: path + "-page"))
    let store = try Store(path: path)
    let contents = try store.load()
    #expect(contents.page == nil && contents.hasForeignPage)
    store.close()
  }

  /// Fixes that were taken on the fast path stand behind the page, and end where a byte of one is damaged.
  @Test func fixesBehindAPage() throws {
    let folder = try Folder()
    let machine = Self.observed()
    let fixes = (0..<40).map { Fix(time: 1_700_000_041_000 + $0, coordinate: Coordinate(latitude: 1, longitude: 2)) }
    var store = try Store(path: folder.path(), seed: 1)
    #expect(!store.save(fixes[0]), "there is no page yet")
    store.save(machine.page)
    #expect(fixes.map { store.save($0) }.count { $0 } == 32)
    store.close()
    store = try Store(path: folder.path())
    #expect(try store.load().page?.fixes == Array(fixes[..<32]))
    // A new page has none behind it, whatever stands there.
    store.save(machine.page)
    store.save(machine.page)
    #expect(store.save(fixes[5]))
    store.close()
    store = try Store(path: folder.path())
    #expect(try store.load().page?.fixes == [fixes[5]])
    store.close()
    let path = folder.path() + "-page"
    let whole = try Data(contentsOf: URL(filePath: path))
    for index in stride(from: 64, to: whole.count, by: 4 / steps(4)) {
      var damaged = whole
      damaged[index] ^= 0x10
      try damaged.write(to: URL(filePath: path))
      let page = PageFile(path: path).page(after: 1).page
      #expect(page == nil || page!.bytes == machine.page.bytes)
      #expect(page.map { $0.fixes.isEmpty || $0.fixes == [fixes[5]] || $0.fixes.count > 1 } ?? true, "byte \(index)")
      #expect(page?.fixes.allSatisfy(fixes.contains) ?? true)
    }
  }

  @Test func aPageOfAnotherStoreOrAnEarlierTimeIsNotTaken() throws {
    let folder = try Folder()
    let machine = Self.observed()
    for name in ["a.db", "b.db"] {
      let store = try Store(path: folder.path(name), seed: name == "a.db" ? 1 : 2)
      store.save(machine.page)
      store.close()
    }
    let (a, b) = (folder.path("a.db-page"), folder.path("b.db-page"))
    let old = try Data(contentsOf: URL(filePath: a))
    try FileManager.default.removeItem(atPath: b)
    try FileManager.default.copyItem(atPath: a, toPath: b)
    var store = try Store(path: folder.path("b.db"))
    var contents = try store.load()
    #expect(contents.page == nil && contents.hasForeignPage)
    store.close()
    // A transaction later, the page from before it does not count.
    store = try Store(path: folder.path("a.db"))
    try store.commit(
      [.host(.cooldownPeriod(5))], of: machine.state, page: machine.page, outbox: [], delivered: 0)
    store.close()
    try old.write(to: URL(filePath: a))
    store = try Store(path: folder.path("a.db"))
    contents = try store.load()
    #expect(contents.page == nil && contents.hasForeignPage)
    store.close()
  }

  @Test func aLongPageGetsALargerFile() throws {
    let folder = try Folder()
    let machine = Self.observed { observations in
      for number in 0..<400 {
        _ = observations.count(Identifier("region \(number)"), at: 1_700_000_030_000, window: 20_000)
      }
    }
    var store = try Store(path: folder.path())
    store.save(Self.observed().page)
    store.save(machine.page)
    store.save(machine.page)
    #expect(store.pageFault == nil)
    store.close()
    store = try Store(path: folder.path())
    #expect(try store.load().page?.bytes == machine.page.bytes && machine.page.count > 4096)
    store.close()
    let facts = try FileManager.default.attributesOfItem(atPath: folder.path() + "-page")
    #expect(facts[.posixPermissions] as? Int == 0o600)
  }

  /// Something in the page's place that is no file: the store works, and says that nothing is kept.
  @Test func somethingElseInItsPlaceIsLeftAlone() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder.path() + "-page", withIntermediateDirectories: true)
    let store = try Store(path: folder.path())
    store.save(Self.observed().page)
    #expect(store.pageFault?.message.contains("-page") == true)
    try store.commit([.host(.cooldownPeriod(5))], of: State(), page: Self.observed().page, outbox: [], delivered: 0)
    #expect(try store.load().page == nil)
    store.close()
  }

  /// An image has the page in it, moved with everything else where it is shared.
  @Test func anImageHasIt() throws {
    let folder = try Folder()
    let machine = Self.observed()
    let store = try Store(path: folder.path())
    try store.commit([.host(.enabled(true))], of: machine.state, page: machine.page, outbox: [], delivered: 0)
    let image = try store.image(page: machine.page)
    #expect(try Store.contents(ofImage: image, zones: ZoneFiles()).page?.bytes == machine.page.bytes)
    store.close()
    let moved = try #require(Machine.page(machine.page) { $0 + 10 })
    let copy = Machine(state: State(), feed: .empty, page: moved)
    #expect(copy.lastFix?.coordinate.longitude == machine.lastFix!.coordinate.longitude + 10)
    #expect(copy.observations.track.plane.origin.longitude == machine.observations.track.plane.origin.longitude + 10)
  }
}
