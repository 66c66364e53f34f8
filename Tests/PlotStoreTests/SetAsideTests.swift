import Foundation
import PlotDocuments
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// Damaged stores that are set aside: `Store.setAside`.
@Suite struct SetAsideTests {
  /// Sets a store aside, and gives what the new one holds.
  private func setAside(_ folder: Folder) throws -> Store.Contents {
    try Store.setAside(folder.path(), Store.Identity(path: folder.path()), seed: 7)
    let store = try Store(path: folder.path())
    defer { store.close() }
    return try store.load()
  }

  /// The files of a killed process, and its state.
  private func killedLife() throws -> (Folder, State) {
    let folder = try Folder()
    let killed = try Folder()
    var device = try Device(path: folder.path())
    var life = RandomLife(seed: 11)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<60 { try life.step(&device) }
    for (name, data) in try folder.contents() { try data.write(to: URL(fileURLWithPath: killed.path(name))) }
    device.store.close()
    return (killed, device.machine.state)
  }

  @Test func aRecordThatCannotBeReadIsAllThatIsLost() throws {
    let folder = try Folder()
    try DamageTests.life(3, at: folder.path())
    let before = try Store(path: folder.path())
    let whole = try before.load()
    before.close()
    #expect(!whole.state.history.displays.isEmpty && !whole.state.history.sentNotifications.isEmpty)
    try RawConnection(folder.path()).execute(
      "INSERT INTO intent (match, visit, item) VALUES ('m', 'v', '{}'); INSERT INTO setting VALUES ('unheard of', 1)")
    let damaged = try folder.contents()["store.db"]
    #expect(failure(at: folder.path()) == .damaged)
    let found = try setAside(folder)
    #expect(found.state.lost == [.open, .settings])
    #expect(found.state.history.displays == whole.state.history.displays)
    #expect(Array(found.state.history.sentNotifications) == Array(whole.state.history.sentNotifications))
    #expect(found.state.presence.visits == whole.state.presence.visits)
    #expect(found.state.host.properties == whole.state.host.properties)
    #expect(found.state.sequence == whole.state.sequence && found.state.newest == whole.state.newest)
    #expect(found.feed?.digest == whole.feed?.digest && !found.isNew)
    #expect(try folder.contents()["store.db-damaged"] == damaged)
    #expect(
      try folder.contents().keys.sorted().filter { $0.contains("salvage") || $0.contains("replacement") }.isEmpty)
  }

  /// 512 bytes of every 1,536 in turn, and the file cut off there.
  @Test(arguments: [false, true]) func whatIsReadableIsTakenOver(_ isCut: Bool) throws {
    let folder = try Folder()
    try DamageTests.life(5, at: folder.path())
    let good = try Data(contentsOf: URL(fileURLWithPath: folder.path()))
    let store = try Store(path: folder.path())
    let whole = try store.load()
    store.close()
    var kept = 0
    var damages = 0
    for start in stride(from: 0, to: good.count, by: 1536 * 4 / steps(4)) {
      let other = try Folder()
      var bytes = good
      if isCut {
        bytes = bytes.prefix(start + 200)
      } else {
        bytes.replaceSubrange(start..<start + 512, with: Data(repeating: 0xA7, count: 512))
      }
      try bytes.write(to: URL(fileURLWithPath: other.path()))
      guard let kind = failure(at: other.path()) else { continue }
      guard kind == .damaged else { continue }
      damages += 1
      let found = try setAside(other)
      #expect(found.state.lost != nil, "at \(start)")
      for item in found.state.history.sentNotifications {
        #expect(whole.state.history.sentNotifications.contains { $0.matchIdentifier == item.matchIdentifier })
      }
      for visit in found.state.presence.visits { #expect(whole.state.presence.visits.contains(visit)) }
      if Array(found.state.history.sentNotifications) == Array(whole.state.history.sentNotifications) { kept += 1 }
      #expect(try other.contents()["store.db-damaged"] == bytes, "at \(start)")
    }
    // Most damages are elsewhere.
    #expect(damages > 10 && (isCut || kept * 2 > damages), "\(kept) of \(damages)")
  }

  /// The files of a killed process: the log's lines count.
  @Test func theLogIsTakenOver() throws {
    let (killed, state) = try killedLife()
    #expect((try killed.contents()["store.db-log"])?.count ?? 0 > 1000)
    var log = try #require(try killed.contents()["store.db-log"])
    let other = try Folder()
    for (name, data) in try killed.contents() { try data.write(to: URL(fileURLWithPath: other.path(name))) }
    let found = try setAside(other)
    #expect(found.state.sequence == state.sequence && found.state.lost == [])
    log[0] = 1
    try log.write(to: URL(fileURLWithPath: killed.path("store.db-log")))
    #expect(failure(at: killed.path()) == .damaged)
    #expect(try setAside(killed).state.lost == [.log])
  }

  /// The first process was killed before it had made the tables: the log beside the file shows alone that it is a store.
  @Test(arguments: ["-wal", "-log"]) func aLogBesideAFileShowsThatItIsAStore(_ suffix: String) throws {
    let (killed, _) = try killedLife()
    let log = try #require(try killed.contents()["store.db" + suffix])
    let folder = try Folder()
    try Data(repeating: 0xA7, count: 4096).write(to: URL(fileURLWithPath: folder.path()))
    // Of the -wal the pages before the end of the first transaction, which each page says.
    var end = 32
    while end + 8 <= log.count, log[end + 4..<end + 8].allSatisfy({ $0 == 0 }) { end += 4096 + 24 }
    try log.prefix(end).write(to: URL(fileURLWithPath: folder.path("store.db" + suffix)))
    #expect(failure(at: folder.path()) == .damaged)
    #expect(try setAside(folder).feed == nil)
    #expect(failure(at: folder.path()) == nil)
  }

  /// SQLite has another answer than for other damages where a record claims more bytes than it allows.
  @Test func aLengthBeyondAllLimitsIsDamage() throws {
    let folder = try Folder()
    try DamageTests.life(3, at: folder.path())
    let good = try #require(try folder.contents()["store.db"])
    var places = 0
    let table = Data("CREATE TABLE".utf8)
    // Of 4 GB: the length, the number of the row, a header of eleven bytes, and a text of 2 GB first.
    let length: [UInt8] = [0x8F, 0xFF, 0xFF, 0xFF, 0x7F]
    let record = length + [1, 11] + length + [0x17, 0x17, 0x01, 0x17]
    for page in stride(from: 4096, to: good.count, by: 4096) {
      // A leaf of the schema: the number of its cells, and where each begins.
      guard good[page] == 13, good[page..<page + 4096].range(of: table) != nil else { continue }
      for cell in 0..<Int(good[page + 4]) {
        let pointer = page + 8 + 2 * cell
        let start = page + Int(good[pointer]) << 8 + Int(good[pointer + 1])
        var bytes = good
        bytes.replaceSubrange(start..<start + record.count, with: record)
        try bytes.write(to: URL(fileURLWithPath: folder.path()))
        places += 1
        #expect(failure(at: folder.path()) == .damaged, "page \(page / 4096), cell \(cell)")
      }
    }
    #expect(places > 10)
  }

  @Test func whatIsNoStoreIsLeftAlone() throws {
    let folder = try Folder()
    let text = Data(String(repeating: "{\"publicToken\": \"REPLACE_ME\"}\n", count: 9).utf8)
    try text.write(to: URL(fileURLWithPath: folder.path()))
    let error = #expect(throws: StoreError.self) { try setAside(folder) }
    #expect(error?.message == "\(folder.path()): the file shows no sign of a store, and is left alone")
    #expect(try folder.contents() == ["store.db": text])
    let another = try Folder()
    do { try RawConnection(another.path()).execute("CREATE TABLE letters (a); INSERT INTO letters VALUES (1)") }
    let before = try another.contents()
    #expect(throws: StoreError.self) { try setAside(another) }
    #expect(try another.contents() == before)
  }

  /// A region that holds the person, but whose visit could not be read, gives no second enter.
  @Test func withoutVisitsAllRegionsAreNew() throws {
    let folder = try Folder()
    try DamageTests.life(3, at: folder.path())
    try RawConnection(folder.path()).execute("DROP TABLE visit")
    #expect(failure(at: folder.path()) == .damaged)
    let found = try setAside(folder)
    #expect(found.state.lost == [.visits] && found.state.presence.visits.isEmpty)
    let regions = try #require(found.feed).regions
    #expect(found.state.presence.hasBaseline && !regions.indices.isEmpty)
    #expect(found.state.presence.newRegions == Set(regions.indices.map { regions.id(at: $0) }))
  }

  /// A shown notification is not shown again while the lists know of it.
  @Test func displaysComeFromTheLists() throws {
    let folder = try Folder()
    try DamageTests.life(2, at: folder.path(), steps: 300)
    let before = try Store(path: folder.path())
    let whole = try before.load().state.history
    before.close()
    let sent = whole.sentNotifications.filter { $0.campaign.text != "" }
    #expect(sent.count > 2)
    try RawConnection(folder.path()).execute(
      "DROP TABLE shown; DELETE FROM display WHERE id = (SELECT min(id) FROM display)")
    let found = try setAside(folder)
    #expect(found.state.lost == [.displays])
    #expect(found.state.history.lastNotification == whole.lastNotification)
    let displays = found.state.history.displays
    #expect(displays.map(\.time) == displays.map(\.time).sorted())
    func keys(_ displays: [Display]) -> [String] {
      displays.map { "\($0.campaign.text) \($0.region.text) \($0.visit ?? "")" }.sorted()
    }
    #expect(keys(Array(displays)) == keys(Array(whole.displays)))
    for item in sent {
      #expect(found.state.history.lastShown[ItemKey(campaign: item.campaign, region: item.region)] != nil)
    }
  }

  /// A start was ended after the damaged files had got their new names, and the log its old one no more.
  @Test func whatWasBegunIsDoneAgain() throws {
    let (killed, state) = try killedLife()
    for end in ["", "-log", "-wal"] {
      try FileManager.default.linkItem(
        atPath: killed.path("store.db" + end), toPath: killed.path("store.db-damaged" + end))
    }
    for end in ["-log", "-wal", "-page"] { try FileManager.default.removeItem(atPath: killed.path("store.db" + end)) }
    try Data([1]).write(to: URL(fileURLWithPath: killed.path("store.db-replacement")))
    let found = try setAside(killed)
    #expect(found.state.lost == [] && found.state.sequence == state.sequence)
    #expect(found.state.presence.visits == state.presence.visits)
    #expect(
      try killed.contents().keys.sorted() == [
        "store.db", "store.db-damaged", "store.db-damaged-feed", "store.db-damaged-log", "store.db-damaged-wal",
        "store.db-feed",
      ])
  }

  /// Only the newest damaged store is kept.
  @Test func anEarlierDamagedStoreIsReplaced() throws {
    let folder = try Folder()
    try DamageTests.life(3, at: folder.path())
    for end in ["", "-log"] {
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path("store.db-damaged" + end)))
    }
    let damaged = try folder.contents()["store.db"]
    _ = try setAside(folder)
    #expect(try folder.contents()["store.db-damaged"] == damaged && folder.contents()["store.db-damaged-log"] == nil)
  }

  @Test func aFileThatWasReplacedMeanwhileStays() throws {
    let folder = try Folder()
    try DamageTests.life(3, at: folder.path())
    let before = try folder.contents()
    try Store.setAside(folder.path(), Store.Identity(path: folder.path("another")), seed: 7)
    #expect(try folder.contents() == before)
  }

  @Test func clearingTakesTheDamagedFileAway() throws {
    let folder = try Folder()
    try DamageTests.life(3, at: folder.path())
    _ = try setAside(folder)
    #expect(try folder.contents()["store.db-damaged"] != nil)
    let device = try Device(path: folder.path())
    var isCleared = false
    try device.store.clear([.allCleared], of: device.machine.state, delivered: 0, isCleared: &isCleared)
    device.store.close()
    #expect(try folder.contents().keys.filter { $0.contains("damaged") }.isEmpty)
  }
}
