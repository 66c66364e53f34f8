import PlotDocuments
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// Files that earlier versions of this library have written.
@Suite struct UpgradeTests {
  /// The file of version 1, as it was released.
  static let version1 = """
    PRAGMA application_id = 1349283700;
    PRAGMA user_version = 1;
    CREATE TABLE setting (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE feed (id INTEGER PRIMARY KEY CHECK (id = 1), digest TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE TABLE visit (region TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, entered INTEGER NOT NULL,
      silent INTEGER NOT NULL, dwelt TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE ordinal (region TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE new_region (region TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE property (key TEXT PRIMARY KEY, type TEXT NOT NULL, value ANY NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE shown (campaign TEXT NOT NULL, region TEXT NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (campaign, region)) STRICT, WITHOUT ROWID;
    CREATE TABLE sent (id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, geotrigger INTEGER NOT NULL,
      visit TEXT, item TEXT NOT NULL) STRICT;
    CREATE TABLE batch (token INTEGER PRIMARY KEY, geotrigger INTEGER NOT NULL, deadline INTEGER NOT NULL) STRICT;
    CREATE TABLE batch_item (token INTEGER NOT NULL, position INTEGER NOT NULL, visit TEXT, item TEXT NOT NULL,
      PRIMARY KEY (token, position)) STRICT, WITHOUT ROWID;
    CREATE TABLE intent (id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, visit TEXT, item TEXT NOT NULL) STRICT;
    CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, json TEXT NOT NULL, visit TEXT, item TEXT) STRICT;
    """

  @Test func aFileOfVersion1KeepsWhatItHas() throws {
    let folder = try Folder()
    try RawConnection(folder.path()).execute(
      Self.version1 + """
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
    // What is new can be written.
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
      Store.schema[..<3].joined() + """
        PRAGMA user_version = 3;
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
    #expect(try RawConnection(folder.path()).integer("PRAGMA user_version") == 4)
  }

  @Test func anUpgradedFileHasTheTablesOfANewOne() throws {
    let folder = try Folder()
    try RawConnection(folder.path()).execute(Self.version1)
    for name in ["store.db", "new.db"] { try Store(path: folder.path(name)).close() }
    let list = "SELECT count(*) FROM sqlite_schema"
    #expect(try RawConnection(folder.path()).integer(list) == RawConnection(folder.path("new.db")).integer(list))
  }

  /// An upgrade is all or nothing: a process that ends in it leaves the file as it was.
  @Test func aFileThatCannotBeUpgradedStaysAsItWas() throws {
    let folder = try Folder()
    // A table in the way.
    try RawConnection(folder.path()).execute(Self.version1 + "CREATE TABLE held (x INTEGER) STRICT;")
    #expect(failure(at: folder.path()) != nil)
    #expect(try RawConnection(folder.path()).integer("PRAGMA user_version") == 1)
  }
}
