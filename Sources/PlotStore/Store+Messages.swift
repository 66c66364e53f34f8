internal import PlotCore
internal import PlotDocuments

/// The state of messages that survives the process.
extension Store {
  static let messageTables = OwnedTables(
    tables: ["list", "correlation", "message_seen", "message_deferred"],
    times: [OwnedTables.Time("message_seen", "time"), OwnedTables.Time("correlation", "time")])

  static let messageSchema = """
    CREATE TABLE list (name TEXT PRIMARY KEY, version INTEGER NOT NULL, refreshed INTEGER NOT NULL,
      entries TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE correlation (key TEXT PRIMARY KEY, revision INTEGER, match TEXT NOT NULL, retracted INTEGER NOT NULL,
      time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE message_seen (match TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE message_deferred (id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, until INTEGER NOT NULL,
      day INTEGER NOT NULL, item TEXT NOT NULL) STRICT;
    """

  func write(_ change: MessageChange) {
    switch change {
    case .list(let name, nil): write(.listEnded, .text(name.text))
    case .list(let name, let list?):
      write(
        .list, .text(name.text), .integer(list.version), .integer(list.refreshed),
        .text(ListUpdate.text(list.entries)))
    case .correlation(let key, let newest):
      write(
        .correlation, .text(key.text), newest.revision.map(Column.integer) ?? .null, .text(newest.matchIdentifier),
        flag(newest.isRetracted), .integer(newest.time))
    case .seen(let match, let time): write(.messageSeen, .text(match), .integer(time))
    case .unseen(let match): write(.messageUnseen, .text(match))
    case .forgotten(let time): write(.messagesForgotten, .integer(time))
    case .deferred(let deferred):
      write(
        .messageDeferred, .text(deferred.item.matchIdentifier), .integer(deferred.until),
        flag(deferred.isTimeOfDay), .text(deferred.item.json))
    case .deferredEnded(let match): write(.messageDeferredEnded, .text(match))
    }
  }

  func loadMessages() throws(StoreError) -> MessageState {
    var state = MessageState()
    try database.run("SELECT name, version, refreshed, entries FROM list") { row throws(StoreError) in
      guard let version = row[1].integer, let refreshed = row[2].integer, Timestamp.range.contains(refreshed),
        let entries = ListUpdate.entries(row[3].text ?? "")
      else { throw .unreadableRecord }
      let list = MessageList(version: version, entries: entries, refreshed: refreshed)
      state.apply(.list(Identifier(row[0].text ?? ""), list))
    }
    try database.run("SELECT key, revision, match, retracted, time FROM correlation") { row throws(StoreError) in
      guard let match = row[2].text, let time = row[4].integer else { throw .unreadableRecord }
      let newest = Correlation(
        revision: row[1].integer, matchIdentifier: match, isRetracted: row[3].integer == 1, time: time)
      state.apply(.correlation(Identifier(row[0].text ?? ""), newest))
    }
    try database.run("SELECT match, time FROM message_seen") { row throws(StoreError) in
      if let time = row[1].integer { state.apply(.seen(row[0].text ?? "", time)) }
    }
    try database.run("SELECT until, item, day FROM message_deferred ORDER BY id") { row throws(StoreError) in
      guard let until = row[0].integer, let json = row[1].text, let item = Item(json: json, visit: nil) else {
        throw .unreadableRecord
      }
      state.apply(.deferred(DeferredMessage(item: item, until: until, isTimeOfDay: row[2].integer == 1)))
    }
    return state
  }
}
