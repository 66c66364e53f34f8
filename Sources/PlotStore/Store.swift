public import PlotCore
internal import PlotDocuments
public import PlotFiles

/// An event that waits to be delivered.
public struct OutboxEntry: Sendable {
  public var sequence: Int64
  public var json: String
  public var item: Item?

  public init(sequence: Int64, json: String, item: Item?) {
    self.sequence = sequence
    self.json = json
    self.item = item
  }
}

/// How far a consumer of events has come.
public struct EventCursor: Equatable, Sendable {
  public var consumer: String
  /// It needs no event up to this one.
  public var acknowledged: Int64
  /// How many events it has lost, since they were too many.
  public var lost: Int64

  public init(consumer: String, acknowledged: Int64, lost: Int64) {
    self.consumer = consumer
    self.acknowledged = acknowledged
    self.lost = lost
  }
}

/// The state that must survive the process, in one SQLite file: one transaction for each input that changes something durable, written to the
/// disk before the host hears of it (docs/store.md). Held by one engine at a time, and used by one thread at a time: the engine's lock sees to that.
public final class Store: @unchecked Sendable {
  let database: Database
  /// The transaction that is being made.
  var line = LogLine()
  /// Nil for an image.
  let log: LogFile?
  /// Nil for an image.
  let pageFile: PageFile?
  /// Nil for an image.
  let feedCopy: FeedCopy?
  /// The page that the current transaction leaves to the next process.
  var page: Page?
  /// The checksum that the first line of the log follows, and that which the next one does.
  var seed: UInt64 = 0 { didSet { last = seed } }
  var last: UInt64 = 0
  /// A transaction that was refused may be found in the files after a restart. The next one goes into the tables, which rules that out.
  var isCommitUncertain = false
  /// The contents that were read after a process had left a log, for the first load.
  var found: Contents?

  static var version: Int64 { Int64(schema.count) }
  /// "Plot" in ASCII: tells a store from any other SQLite file.
  static let applicationId: Int64 = 0x506C_6F74

  /// Opens or makes a store. The file is left as it was when it is not a store of ours, is damaged or newer.
  /// `seed` is a random number: a store that is made begins its log with it, so that the log of no other store follows.
  public init(path: String, seed: UInt64) throws(StoreError) {
    let (database, length) = try Self.opened(path)
    self.database = database
    log = LogFile(path: database.resolvedPath + "-log")
    pageFile = PageFile(path: database.resolvedPath + "-page")
    feedCopy = FeedCopy(path: database.resolvedPath + "-feed")
    do {
      try open(path, length: length, seed: seed)
    } catch {
      log?.close()
      database.leaveLog()
      database.close()
      throw error
    }
  }

  /// The file, locked, and its size when no journal belongs to it: SQLite takes the rest of a last page that was cut off for zeros.
  private static func opened(_ path: String) throws(StoreError) -> (Database, length: Int64?) {
    // SQLite opens the path once more; by then another file may have been put there.
    for _ in 0..<100 {
      let lock = try StoreLock(path: path)
      // SQLite takes a file of a few bytes for an empty one, and would write over it.
      guard !(1..<100).contains(lock.size) else {
        throw StoreError(kind: .damaged, message: "\(path): the file is not a store, or is damaged")
      }
      do throws(StoreError) {
        let database = try Database(path: path, lock: lock)
        if database.isAtPath { return (database, length: database.hasJournal ? nil : lock.size) }
        database.close()
      } catch {
        guard !lock.isAtPath else { throw error }
      }
    }
    throw StoreError(kind: .failed, message: "\(path): the file is replaced again and again while it is opened")
  }

  /// Opens an image in memory. One that an older version has written is brought up to this one.
  init(image: [UInt8]) throws(StoreError) {
    database = try Database(image: image)
    log = nil
    pageFile = nil
    feedCopy = nil
    do {
      let version = try check("the store's image")
      try Self.bringUp(database, from: version)
    } catch {
      database.close()
      throw error
    }
  }

  /// The version of a file of ours.
  private func check(_ path: String) throws(StoreError) -> Int64 {
    let version = try database.pragma("user_version")
    guard try database.pragma("application_id") == Self.applicationId, version > 0 else {
      throw StoreError(kind: .damaged, message: "\(path): the file is not a store of this library")
    }
    guard version <= Self.version else {
      throw StoreError(
        kind: .newer, message: "\(path): the file has version \(version), this library knows \(Self.version)")
    }
    return version
  }

  private func open(_ path: String, length: Int64?, seed: UInt64) throws(StoreError) {
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    var tables: Int64 = 0
    try database.run("SELECT count(*) FROM sqlite_schema") { tables = $0[0].integer ?? 0 }
    let isNew = tables == 0 ? try database.pragma("application_id") == 0 : false
    let version = isNew ? 0 : try check(path)
    if !isNew {
      var answer = ""
      try database.run("PRAGMA quick_check(1)") { answer = $0[0].text ?? "" }
      let isCutOff = (length ?? 0) % (try database.pragma("page_size")) != 0
      guard answer == "ok", !isCutOff else {
        throw StoreError(kind: .damaged, message: "\(path): the file is damaged")
      }
    }
    database.checkpointsOnClose(true)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    // Takes the file for this engine alone, until it is closed.
    try database.execute("BEGIN IMMEDIATE")
    do {
      try Self.bringUp(database, from: version)
      if version < Self.version {
        try database.execute("PRAGMA user_version = \(Self.version)")
      }
      // In the same transaction: a log that another store has left here must not be taken, whenever the process ends. A store that has
      // a log of its own keeps its seed, or the log would be lost.
      if version < Self.firstVersionWithLog { try writeSeed(seed) }
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
    try recover(newSeed: seed)
  }

  /// Makes the tables of this version out of those of another one; 0 has none.
  static func bringUp(_ database: Database, from version: Int64) throws(StoreError) {
    for statements in schema[Int(version)...] { try database.execute(statements) }
  }

  /// A log that cannot be brought into the tables stays where it is, for the next time.
  public func close() {
    // In a forked child all of it is the parent's.
    if database.isInherited { log?.close() } else if (try? fold()) != nil { log?.remove() }
    pageFile?.close()
    database.close()
  }

  deinit { close() }

  /// The statements that make each version of the file out of the one before it.
  static let schema = [
    """
    PRAGMA application_id = \(applicationId);
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
    """,
    """
    CREATE TABLE opened (campaign TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE held (region TEXT NOT NULL, campaign TEXT NOT NULL, until INTEGER,
      PRIMARY KEY (region, campaign)) STRICT, WITHOUT ROWID;
    CREATE TABLE chain (campaign TEXT PRIMARY KEY, starts TEXT NOT NULL) STRICT, WITHOUT ROWID;
    ALTER TABLE visit ADD COLUMN inside TEXT NOT NULL DEFAULT '';
    CREATE TABLE zone (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT;
    ALTER TABLE batch ADD COLUMN at_enter INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE pending (id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, visit TEXT, item TEXT NOT NULL) STRICT;
    CREATE TABLE displayed (id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, visit TEXT, item TEXT NOT NULL) STRICT;
    CREATE TABLE prefiltered (id INTEGER PRIMARY KEY, region TEXT NOT NULL, campaign TEXT NOT NULL, visit TEXT, item TEXT,
      UNIQUE (region, campaign)) STRICT;
    CREATE TABLE last_item (id INTEGER PRIMARY KEY CHECK (id = 1), visit TEXT, item TEXT NOT NULL) STRICT;
    CREATE TABLE anchor (campaign TEXT NOT NULL, region TEXT NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (campaign, region)) STRICT, WITHOUT ROWID;
    CREATE TABLE strategy (key TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE advertising (id INTEGER PRIMARY KEY CHECK (id = 1), identifier TEXT, limited INTEGER NOT NULL) STRICT;
    ALTER TABLE visit ADD COLUMN since INTEGER;
    CREATE TABLE display (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, campaign TEXT NOT NULL, region TEXT NOT NULL,
      visit TEXT, tags TEXT NOT NULL) STRICT;
    CREATE TABLE waiting (id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, visit TEXT, item TEXT NOT NULL,
      until INTEGER NOT NULL, inside INTEGER NOT NULL) STRICT;
    CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), wall INTEGER NOT NULL, monotonic INTEGER NOT NULL,
      boot TEXT NOT NULL) STRICT;
    """ + messageSchema,
    """
    ALTER TABLE visit ADD COLUMN repeated INTEGER;
    CREATE TABLE approach (region TEXT NOT NULL, seconds INTEGER NOT NULL, distance REAL NOT NULL,
      PRIMARY KEY (region, seconds)) STRICT, WITHOUT ROWID;
    CREATE TABLE crossing (region TEXT PRIMARY KEY, enters INTEGER NOT NULL, since INTEGER NOT NULL, fixes INTEGER NOT NULL,
      latitude REAL, longitude REAL) STRICT, WITHOUT ROWID;
    CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), budget INTEGER NOT NULL, latitude REAL, longitude REAL, radius REAL,
      dense INTEGER NOT NULL, unwatched INTEGER NOT NULL) STRICT;
    CREATE TABLE planned (id TEXT PRIMARY KEY, kind TEXT NOT NULL, latitude REAL, longitude REAL, radius REAL, beacon TEXT)
      STRICT, WITHOUT ROWID;
    CREATE TABLE heard (region TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE moved (region TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL) STRICT, WITHOUT ROWID;
    """,
    logSchema,
    // Of an image only: beside a file the page is a file of its own.
    "CREATE TABLE page (id INTEGER PRIMARY KEY CHECK (id = 1), bytes TEXT NOT NULL) STRICT;",
    "CREATE TABLE loss (id INTEGER PRIMARY KEY CHECK (id = 1), parts TEXT NOT NULL) STRICT;",
    """
    CREATE TABLE consumer (name TEXT PRIMARY KEY, acknowledged INTEGER NOT NULL, lost INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """,
    "CREATE TABLE sync (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL) STRICT;",
    """
    CREATE TABLE absence (campaign TEXT PRIMARY KEY, since INTEGER NOT NULL, visited INTEGER, gap_start INTEGER,
      gap_end INTEGER, told INTEGER) STRICT, WITHOUT ROWID;
    """,
    tripSchema,
  ]

  // MARK: Writing

  /// Writes what an input has changed, all or nothing. `outbox` are the events to be delivered; those up to `delivered` are done with for every
  /// consumer. `cursors` are those that have moved.
  /// A commit that need not wait for the disk survives the process; a loss of power may take it, until a later commit has waited.
  /// `page` is what the machine is to go on from beside it; without one, the next process finds none.
  /// `sync` is what the synchronization keeps, if that has changed.
  public func commit(
    _ changes: [Change], of state: State, page: Page? = nil, outbox: [OutboxEntry], delivered: Int64,
    cursors: [EventCursor] = [], sync: String? = nil, waitsForDisk: Bool = true
  ) throws(StoreError) {
    try database.checkProcess()
    begin(changes, of: state, outbox: outbox, delivered: delivered)
    if let sync { write(.sync, .text(sync)) }
    for cursor in cursors {
      write(.consumer, .text(cursor.consumer), .integer(cursor.acknowledged), .integer(cursor.lost))
    }
    self.page = page
    try writeLine(waitsForDisk: waitsForDisk)
    for case .feed(let feed) in changes { feedCopy?.save(feed) }
  }

  /// Keeps what an input has changed that is worth no transaction. No system call; what cannot be kept is lost with the process.
  public func save(_ page: borrowing Page) { pageFile?.write(page, after: last) }

  /// The same for a fix that was taken on the fast path after the newest page, which is cheaper; false where that cannot be.
  public func save(_ fix: borrowing Fix) -> Bool { pageFile?.write(fix, after: last) ?? true }

  /// Why no page is kept; nil while it is.
  public var pageFault: StoreError? { pageFile?.fault }

  func begin(_ changes: [Change], of state: State, outbox: [OutboxEntry], delivered: Int64) {
    line.begin(
      LogLine.Head(
        newest: state.newest, sequence: state.sequence, lastToken: Int64(clamping: state.delivery.lastToken),
        delivered: delivered))
    for change in changes { write(change) }
    for entry in outbox {
      write(.outbox, .integer(entry.sequence), .text(entry.json), text(entry.item?.visit), text(entry.item?.json))
    }
  }

  /// Adds a statement to the transaction: its values in their order.
  func write(
    _ statement: Statement, _ a: Column? = nil, _ b: Column? = nil, _ c: Column? = nil, _ d: Column? = nil,
    _ e: Column? = nil, _ f: Column? = nil, _ g: Column? = nil, _ h: Column? = nil
  ) {
    line.add(statement)
    if let a { line.add(a) }
    if let b { line.add(b) }
    if let c { line.add(c) }
    if let d { line.add(d) }
    if let e { line.add(e) }
    if let f { line.add(f) }
    if let g { line.add(g) }
    if let h { line.add(h) }
  }

  func text(_ value: String?) -> Column { value.map(Column.text) ?? .null }

  func flag(_ value: Bool) -> Column { .integer(value ? 1 : 0) }

  func set(_ key: String, _ value: Int64) { write(.setting, .text(key), .integer(value)) }

  func write(_ change: Change) {
    switch change {
    case .presence(let change): write(change)
    case .history(let change): write(change)
    case .delivery(let change): write(change)
    case .screen(let change): write(change)
    case .messages(let change): write(change)
    case .trips(let change): write(change)
    case .host(let change): write(change)
    case .feed(let feed): write(.feed, .text(feed.digest), .text(feed.json))
    case .clockMoved(let move, let wall, let latestDeadline):
      write(.clockMoved, .integer(move), .integer(wall), .integer(latestDeadline))
    case .allCleared: write(.dataCleared)
    case .setAsideReported: write(.lossReported)
    }
  }

  func write(_ statement: Statement, _ item: Item) {
    write(statement, text(item.matchIdentifier), text(item.visit))
    line.add(item)
  }

  // MARK: Reading

  /// The contents of a store.
  public struct Contents: Sendable {
    public var state: State
    public var feed: Feed?
    /// The events that some consumer may not have.
    public var outbox: [OutboxEntry]
    public var cursors: [EventCursor]
    /// The state that a synchronization has kept.
    public var sync: String?
    /// No engine has started on this store before.
    public var isNew: Bool
    /// The page from which the machine goes on, beside the state.
    public var page: Page?
    /// There was a page beside the store that does not belong to it, or not to its last transaction.
    public var hasForeignPage = false

    public init(
      state: State, feed: Feed?, outbox: [OutboxEntry], cursors: [EventCursor], sync: String? = nil, isNew: Bool,
      page: Page?
    ) {
      (self.state, self.feed, self.outbox, self.cursors) = (state, feed, outbox, cursors)
      (self.sync, self.isNew, self.page) = (sync, isNew, page)
    }
  }

  /// Everything that was written.
  /// `offered` is taken in place of the stored feed if that is the same, and then its JSON is not read.
  public func load(zones: ZoneFiles = ZoneFiles(), offered: Feed? = nil) throws(StoreError) -> Contents {
    try load(zones, offered, .present)
  }

  /// `names`: what those of noise policies stand for.
  func load(_ zones: ZoneFiles, _ offered: Feed?, _ names: NoisePolicy.Names) throws(StoreError) -> Contents {
    if var contents = found {
      found = nil
      if let offered, offered.digest == contents.feed?.digest { contents.feed = offered }
      addPage(to: &contents)
      return contents
    }
    try fold()
    do {
      var contents = try contents(zones, offered, names)
      addPage(to: &contents)
      return contents
    } catch {
      database.leaveLog()
      throw error
    }
  }

  /// Of a file: an image has it in a table.
  private func addPage(to contents: inout Contents) {
    guard let pageFile else { return }
    (contents.page, contents.hasForeignPage) = pageFile.page(after: last)
  }

  private func contents(
    _ zones: ZoneFiles, _ offered: Feed?, _ names: NoisePolicy.Names
  ) throws(StoreError) -> Contents {
    let (state, isNew) = try state(zones)
    return Contents(
      state: state, feed: try loadFeed(zones, offered, names), outbox: try loadOutbox(), cursors: try loadCursors(),
      sync: try loadSync(), isNew: isNew, page: try imagePage())
  }

  /// The state of all owners; `isNew` where no engine has started on this store before.
  func state(_ zones: ZoneFiles) throws(StoreError) -> (State, isNew: Bool) {
    var state = State()
    var settings = try loadSettings()
    let isNew = !settings.has("enabled")
    state.host = try loadHost(&settings, zones)
    state.presence = try loadPresence(&settings)
    state.screen = try loadScreen(&settings)
    state.history = try loadHistory(&settings)
    state.delivery = try loadDelivery(&settings)
    state.newest = settings.take("newest") ?? 0
    state.sequence = settings.take("sequence") ?? 0
    guard Timestamp.range.contains(state.newest), (0..<(.max / 2)).contains(state.sequence) else {
      throw .unreadableRecord
    }
    try settings.finish()
    state.messages = try loadMessages()
    state.trips = try loadTrips()
    state.lost = try loadLoss()
    return (state, isNew)
  }

  func loadOutbox() throws(StoreError) -> [OutboxEntry] {
    var outbox: [OutboxEntry] = []
    try database.run("SELECT visit, item, sequence, json FROM outbox ORDER BY sequence") { row throws(StoreError) in
      guard let sequence = row[2].integer, let json = row[3].text else { throw .unreadableRecord }
      outbox.append(OutboxEntry(sequence: sequence, json: json, item: row[1] == .null ? nil : try item(row)))
    }
    return outbox
  }

  func loadCursors() throws(StoreError) -> [EventCursor] {
    var cursors: [EventCursor] = []
    try database.run("SELECT name, acknowledged, lost FROM consumer ORDER BY name") { row throws(StoreError) in
      guard let name = row[0].text, let acknowledged = row[1].integer, let lost = row[2].integer,
        (0..<(.max / 2)).contains(acknowledged), (0..<(.max / 2)).contains(lost)
      else { throw .unreadableRecord }
      cursors.append(EventCursor(consumer: name, acknowledged: acknowledged, lost: lost))
    }
    return cursors
  }

  func loadSync() throws(StoreError) -> String? {
    var text: String?
    try database.run("SELECT state FROM sync") { text = $0[0].text }
    return text
  }

  /// The single numbers of the store, from which each owner takes its own.
  struct Settings {
    private var values: [String: Int64] = [:]

    func has(_ key: String) -> Bool { values[key] != nil }

    mutating func take(_ key: String) -> Int64? { values.removeValue(forKey: key) }

    fileprivate mutating func put(_ key: String, _ value: Int64) { values[key] = value }

    /// Throws where there is one that nobody has taken.
    func finish() throws(StoreError) { if !values.isEmpty { throw .unreadableRecord } }
  }

  private func loadSettings() throws(StoreError) -> Settings {
    var settings = Settings()
    try database.run("SELECT key, value FROM setting") { row throws(StoreError) in
      guard let key = row[0].text, let value = row[1].integer else { throw .unreadableRecord }
      settings.put(key, value)
    }
    return settings
  }

  func loadFeed(
    _ zones: ZoneFiles, _ offered: Feed?, _ names: NoisePolicy.Names
  ) throws(StoreError) -> Feed? {
    var digest: String?
    try database.run("SELECT digest FROM feed") { row throws(StoreError) in digest = row[0].text ?? "" }
    guard let digest else { return nil }
    if let offered, digest == offered.digest { return offered }
    let copy = names == .present ? feedCopy : nil
    if let feed = copy?.feed(digest: digest) { return feed }
    var json = ""
    try database.run("SELECT json FROM feed") { row throws(StoreError) in json = row[0].text ?? "" }
    do throws(DocumentError) {
      let feed = try Feed(keptJSON: json, digest: digest, zones: zones, names)
      copy?.save(feed)
      return feed
    } catch {
      throw .unreadableRecord
    }
  }

  func item(_ row: [Column]) throws(StoreError) -> Item {
    guard let json = row[1].text, let item = Item(json: json, visit: row[0].text) else { throw .unreadableRecord }
    return item
  }
}
