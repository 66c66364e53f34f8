import Foundation
import PlotDocuments
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// Files that earlier versions of this library have written.
@Suite struct UpgradeTests {
  /// The program that makes the file of a version, as it was released.
  static func tables(ofVersion version: Int) throws -> String {
    let released = try String(
      contentsOf: projectRoot.appendingPathComponent("Tests/golden/versions.sql"), encoding: .utf8)
    let end = try #require(released.range(of: "-- Version \(version + 1)\n")).lowerBound
    return String(released[..<end])
  }

  @Test func aFileOfVersion1KeepsWhatItHas() throws {
    let folder = try Folder()
    try RawConnection(folder.path()).execute(
      Self.tables(ofVersion: 1) + """
        INSERT INTO setting VALUES ('enabled', 0), ('newest', 5), ('sequence', 7), ('lastToken', 2), ('cooldownPeriod', 60000);
        INSERT INTO property VALUES ('premium', 'boolean', 1);
        INSERT INTO shown VALUES ('c', 'r', 4);
        """)
    let store = try Store(path: folder.path())
    let contents = try store.load()
    #expect(!contents.isNew && !contents.state.host.isEnabled)
    #expect(
      contents.state.sequence == 7 && contents.state.delivery.lastToken == 2
        && contents.state.host.cooldownPeriod == 60_000)
    #expect(contents.state.host.properties == [Identifier("premium"): .boolean(true)])
    #expect(contents.state.history.lastShown == [ItemKey(campaign: Identifier("c"), region: Identifier("r")): 4])
    // New kinds of changes can be written.
    try store.commit(
      [.host(.zone(try #require(ZoneFiles().zone("Europe/Amsterdam"))))], of: contents.state, outbox: [], delivered: 0)
    store.close()
    let again = try Store(path: folder.path())
    #expect(try again.load().state.host.zone.name == "Europe/Amsterdam")
    again.close()
    #expect(try RawConnection(folder.path()).integer("PRAGMA user_version") == Store.version)
  }

  /// A file of version 3, which had no log.
  @Test func aFileOfVersion3GetsALog() throws {
    let folder = try Folder()
    try RawConnection(folder.path()).execute(
      Self.tables(ofVersion: 3) + """
        INSERT INTO setting VALUES ('enabled', 1), ('newest', 5), ('sequence', 7), ('lastToken', 2);
        INSERT INTO heard VALUES ('r', 4);
        """)
    var store = try Store(path: folder.path())
    var state = try store.load().state
    #expect(state.sequence == 7 && state.presence.heard == [Identifier("r"): 4])
    state.sequence = 8
    try store.commit([.presence(.heard(Identifier("r"), nil))], of: state, outbox: [], delivered: 0)
    store.close()
    store = try Store(path: folder.path())
    #expect(try store.load().state.sequence == 8 && store.load().state.presence.heard.isEmpty)
    store.close()
    #expect(try RawConnection(folder.path()).integer("PRAGMA user_version") == Store.version)
  }

  /// Lines that a process without closing its store has left in the log are read by the library that upgrades the store.
  @Test func aFileOfVersion4KeepsItsLog() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path("open.db"))
    var state = try store.load().state
    state.sequence = 8
    try store.commit([.presence(.heard(Identifier("r"), 4))], of: state, outbox: [], delivered: 0)
    #expect(!store.log!.isEmpty)
    let path = folder.path("ended.db")
    for name in ["", "-wal", "-log"] {
      try FileManager.default.copyItem(atPath: folder.path("open.db" + name), toPath: path + name)
    }
    store.close()
    try RawConnection(path).execute(
      """
      DROP TABLE page; DROP TABLE loss; DROP TABLE consumer; DROP TABLE sync; DROP TABLE absence; DROP TABLE trip;
      DROP TABLE trip_told; PRAGMA user_version = 4;
      """
    )
    let upgraded = try Store(path: path)
    state = try upgraded.load().state
    #expect(state.sequence == 8 && state.presence.heard == [Identifier("r"): 4])
    upgraded.close()
  }

  @Test func anUpgradedFileHasTheTablesOfANewOne() throws {
    let folder = try Folder()
    try RawConnection(folder.path()).execute(Self.tables(ofVersion: 1))
    for name in ["store.db", "new.db"] { try Store(path: folder.path(name)).close() }
    let list = "SELECT count(*) FROM sqlite_schema"
    #expect(try RawConnection(folder.path()).integer(list) == RawConnection(folder.path("new.db")).integer(list))
  }

  /// An upgrade is all or nothing: a process that ends in it leaves the file as it was.
  @Test func aFileThatCannotBeUpgradedStaysAsItWas() throws {
    let folder = try Folder()
    // A table in the way.
    try RawConnection(folder.path()).execute(Self.tables(ofVersion: 1) + "CREATE TABLE held (x INTEGER) STRICT;")
    #expect(failure(at: folder.path()) != nil)
    #expect(try RawConnection(folder.path()).integer("PRAGMA user_version") == 1)
  }
}
