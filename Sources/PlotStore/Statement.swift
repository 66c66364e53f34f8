/// The kind of a line of the log, by its number there. A number is never used again for another kind.
enum Statement: UInt8, CaseIterable {
  case setting = 1
  case newRegionsCleared = 2
  case newRegion = 3
  case visit = 4
  case visitEnded = 5
  case ordinal = 6
  case property = 7
  case propertyCleared = 8
  case shown = 9
  case sent = 10
  case sentRemoved = 11
  case sentCleared = 12
  case opened = 13
  case held = 14
  case heldEnded = 15
  case chain = 16
  case chainEnded = 17
  case zone = 18
  case batch = 19
  case batchItem = 20
  case batchClosed = 21
  case intent = 22
  case intentClosed = 23
  case pending = 24
  case pendingEnded = 25
  case displayed = 26
  case displayedEnded = 27
  case lastItem = 28
  case prefiltered = 29
  case prefilteredEnded = 30
  case anchor = 31
  case strategy = 32
  case display = 33
  case displaysForgotten = 34
  case waiting = 35
  case waitingEnded = 36
  case clock = 37
  case clockMoved = 38
  case feed = 39
  case advertising = 40
  case advertisingCleared = 41
  case list = 42
  case listEnded = 43
  case correlation = 44
  case messageSeen = 45
  case messageUnseen = 46
  case messagesForgotten = 47
  case messageDeferred = 48
  case messageDeferredEnded = 49
  case plan = 50
  case plannedCleared = 51
  case planned = 52
  case crossing = 53
  case crossingEnded = 54
  case heard = 55
  case heardEnded = 56
  case moved = 57
  case movedEnded = 58
  case approach = 59
  case approachesEnded = 60
  case outbox = 61
  case dataCleared = 62
  case lossReported = 63
  case consumer = 64
  case sync = 65
  case absence = 66
  case absenceEnded = 67
  case trip = 68
  case tripEnded = 69
  case tripReports = 70
  case tripReportsEnded = 71

  /// The effect of a statement on the rows of its key, which are its first values.
  enum Effect {
    /// One row, in the place of what was there, as the newest.
    case put
    /// One more row; or what is there changes, and stays where it is.
    case add
    /// As `put` and `add`, of a key that was never there before.
    case putNew, addNew
    case delete
    /// Something that concerns other keys, too.
    case all
  }

  struct Rule {
    /// The statement that first wrote to the same rows.
    let table: Statement
    let effect: Effect
    /// How many values there are, and how many of them are the key.
    let values: Int
    let key: Int
    /// Each gets the values, as many as it takes.
    let sql: [String]

    init(_ table: Statement, _ effect: Effect, _ values: Int, key: Int, _ sql: String...) {
      self.init(table, effect, values, key: key, all: sql)
    }

    init(_ table: Statement, _ effect: Effect, _ values: Int, key: Int, all sql: [String]) {
      (self.table, self.effect, self.values, self.key, self.sql) = (table, effect, values, key, sql)
    }
  }

  var rule: Rule { Self.rules[Int(rawValue)] }

  /// By number; that of 0 is never asked for.
  private static let rules: [Rule] = [Rule(.setting, .all, 0, key: 0)] + allCases.map { $0.makeRule() }

  private static func replace(_ table: Statement, _ name: String, _ values: Int, key: Int, fixed: String = "") -> Rule {
    Rule(table, .put, values, key: key, insert("OR REPLACE INTO \(name)", values, fixed))
  }

  private static func insert(_ into: String, _ values: Int, _ fixed: String = "") -> String {
    "INSERT \(into) VALUES (\(fixed)\(Array(repeating: "?", count: values).joined(separator: ", ")))"
  }

  private static func delete(_ table: Statement, _ name: String, _ keys: String...) -> Rule {
    let condition = keys.isEmpty ? "" : " WHERE " + keys.map { "\($0) = ?" }.joined(separator: " AND ")
    return Rule(table, .delete, keys.count, key: keys.count, "DELETE FROM \(name)" + condition)
  }

  private func makeRule() -> Rule {
    switch self {
    case .setting: Self.replace(.setting, "setting", 2, key: 1)
    case .newRegion: Rule(.newRegion, .add, 1, key: 0, Self.insert("OR REPLACE INTO new_region", 1))
    case .newRegionsCleared: Self.delete(.newRegion, "new_region")
    case .visit: Self.replace(.visit, "visit", 8, key: 1)
    case .visitEnded: Self.delete(.visit, "visit", "region")
    case .ordinal: Self.replace(.ordinal, "ordinal", 2, key: 1)
    case .property: Self.replace(.property, "property", 3, key: 1)
    case .propertyCleared: Self.delete(.property, "property", "key")
    case .shown: Self.replace(.shown, "shown", 3, key: 2)
    case .sent:
      Rule(
        .sent, .add, 4, key: 1,
        """
        INSERT INTO sent (match, geotrigger, visit, item) VALUES (?, ?, ?, ?)
        ON CONFLICT (match) DO UPDATE SET item = excluded.item
        """)
    case .sentRemoved: Self.delete(.sent, "sent", "match")
    case .sentCleared: Rule(.sent, .all, 1, key: 0, "DELETE FROM sent WHERE geotrigger = ?")
    case .opened: Self.replace(.opened, "opened", 2, key: 1)
    case .held: Self.replace(.held, "held", 3, key: 2)
    case .heldEnded: Self.delete(.held, "held", "region", "campaign")
    case .chain: Self.replace(.chain, "chain", 2, key: 1)
    case .chainEnded: Self.delete(.chain, "chain", "campaign")
    case .zone: Self.replace(.zone, "zone", 1, key: 0, fixed: "1, ")
    case .batch: Rule(.batch, .putNew, 4, key: 1, Self.insert("OR REPLACE INTO batch", 4))
    case .batchItem: Rule(.batch, .addNew, 4, key: 1, Self.insert("OR REPLACE INTO batch_item", 4))
    case .batchClosed:
      Rule(
        .batch, .delete, 1, key: 1, "DELETE FROM batch WHERE token = ?", "DELETE FROM batch_item WHERE token = ?")
    case .intent: Self.replace(.intent, "intent (match, visit, item)", 3, key: 1)
    case .intentClosed: Self.delete(.intent, "intent", "match")
    case .pending: Self.replace(.pending, "pending (match, visit, item)", 3, key: 1)
    case .pendingEnded: Self.delete(.pending, "pending", "match")
    case .displayed: Self.replace(.displayed, "displayed (match, visit, item)", 3, key: 1)
    case .displayedEnded: Self.delete(.displayed, "displayed", "match")
    case .lastItem: Self.replace(.lastItem, "last_item", 2, key: 0, fixed: "1, ")
    case .prefiltered: Self.replace(.prefiltered, "prefiltered (region, campaign, visit, item)", 4, key: 2)
    case .prefilteredEnded: Self.delete(.prefiltered, "prefiltered", "region", "campaign")
    case .anchor: Self.replace(.anchor, "anchor", 3, key: 2)
    case .strategy: Self.replace(.strategy, "strategy", 2, key: 1)
    case .display: Rule(.display, .add, 5, key: 0, Self.insert("INTO display (time, campaign, region, visit, tags)", 5))
    case .displaysForgotten:
      Rule(.display, .all, 1, key: 0, "DELETE FROM display WHERE id IN (SELECT id FROM display ORDER BY id LIMIT ?)")
    case .waiting:
      Rule(
        .waiting, .add, 5, key: 1,
        """
        INSERT INTO waiting (match, visit, item, until, inside) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (match) DO UPDATE SET until = excluded.until, inside = excluded.inside
        """)
    case .waitingEnded: Self.delete(.waiting, "waiting", "match")
    case .clock: Self.replace(.clock, "clock", 3, key: 0, fixed: "1, ")
    case .clockMoved: Self.clockMovedRule
    case .feed: Self.replace(.feed, "feed", 2, key: 0, fixed: "1, ")
    case .advertising: Self.replace(.advertising, "advertising", 2, key: 0, fixed: "1, ")
    case .advertisingCleared: Self.delete(.advertising, "advertising")
    case .list: Self.replace(.list, "list", 4, key: 1)
    case .listEnded: Self.delete(.list, "list", "name")
    case .correlation: Self.replace(.correlation, "correlation", 5, key: 1)
    case .messageSeen: Self.replace(.messageSeen, "message_seen", 2, key: 1)
    case .messageUnseen: Self.delete(.messageSeen, "message_seen", "match")
    case .messagesForgotten:
      Rule(
        .messageSeen, .all, 1, key: 0, "DELETE FROM message_seen WHERE time <= ?",
        "DELETE FROM correlation WHERE time <= ?")
    case .messageDeferred:
      Rule(
        .messageDeferred, .add, 4, key: 1,
        """
        INSERT INTO message_deferred (match, until, day, item) VALUES (?, ?, ?, ?)
        ON CONFLICT (match) DO UPDATE SET until = excluded.until
        """)
    case .messageDeferredEnded: Self.delete(.messageDeferred, "message_deferred", "match")
    case .plan: Self.replace(.plan, "plan", 6, key: 0, fixed: "1, ")
    case .planned: Rule(.planned, .add, 6, key: 0, Self.insert("OR REPLACE INTO planned", 6))
    case .plannedCleared: Self.delete(.planned, "planned")
    case .crossing: Self.replace(.crossing, "crossing", 6, key: 1)
    case .crossingEnded: Self.delete(.crossing, "crossing", "region")
    case .heard: Self.replace(.heard, "heard", 2, key: 1)
    case .heardEnded: Self.delete(.heard, "heard", "region")
    case .moved: Self.replace(.moved, "moved", 3, key: 1)
    case .movedEnded: Self.delete(.moved, "moved", "region")
    case .approach: Rule(.approach, .add, 3, key: 1, Self.insert("OR REPLACE INTO approach", 3))
    case .approachesEnded: Self.delete(.approach, "approach", "region")
    case .outbox: Rule(.outbox, .putNew, 4, key: 1, Self.insert("OR REPLACE INTO outbox", 4))
    case .dataCleared: Self.dataClearedRule
    case .lossReported: Self.delete(.lossReported, "loss")
    case .consumer: Self.replace(.consumer, "consumer", 3, key: 1)
    case .sync: Self.replace(.sync, "sync", 1, key: 0, fixed: "1, ")
    case .absence: Self.replace(.absence, "absence", 6, key: 1)
    case .absenceEnded: Self.delete(.absence, "absence", "campaign")
    case .trip: Self.replace(.trip, "trip", 3, key: 1)
    case .tripEnded: Self.delete(.trip, "trip", "id")
    case .tripReports: Self.replace(.tripReports, "trip_told", 6, key: 1)
    case .tripReportsEnded: Self.delete(.tripReports, "trip_told", "id")
    }
  }
}
