/// The tables of an owner of state, with the changes to them when the wall clock is set, and when the person is forgotten. Each
/// owner's file has one; the statements for both are made of them, and of nothing else.
///
/// The numbers of those two statements never change, so a log that was left by an older version is read as this one understands
/// them.
struct OwnedTables {
  /// A column from which a length of time is counted, or a deadline.
  struct Time {
    var table: String
    var column: String
    /// Where it is empty, another column's value counts.
    var otherwise: String?
    /// `.max` in it stands for "not yet", and stays.
    var hasNever = false
    /// A deadline: after a move of the clock it may lie beyond now.
    var isDeadline = false

    init(_ table: String, _ column: String) { (self.table, self.column) = (table, column) }

    func with(_ change: (inout Time) -> Void) -> Time {
      var changed = self
      change(&changed)
      return changed
    }
  }

  /// The tables that are about the person.
  var tables: [String]
  /// The tables that are not.
  var lastingTables: [String] = []
  var times: [Time] = []
  /// The single numbers that are about the person.
  var numbers: [String] = []
  /// The single numbers that are not.
  var lastingNumbers: [String] = []
  /// The single numbers, of either kind, that are times from which a length of time is counted.
  var numberTimes: [String] = []

  static let all = [
    Store.presenceTables, Store.historyTables, Store.deliveryTables, Store.screenTables, Store.messageTables,
    Store.tripTables, Store.hostTables, Store.conductorTables,
  ]
}

extension Statement {
  /// By how much, up to what time at the latest, and deadlines up to what time. As `Machine.moveTimes`; what is not stored by itself is made
  /// from these.
  static let clockMovedRule: Rule = {
    func move(_ table: String, _ column: String, most: String = "?2", _ rest: String = "") -> String {
      "UPDATE \(table) SET \(column) = max(0, min(\(column) + ?1, \(most))) \(rest)"
    }
    var sql: [String] = []
    for time in OwnedTables.all.flatMap(\.times) {
      let (table, column) = (time.table, time.column)
      if let otherwise = time.otherwise {
        sql.append("UPDATE \(table) SET \(column) = \(otherwise) WHERE \(column) IS NULL")
      }
      let never = time.hasNever ? " AND \(column) < \(Int64.max)" : ""
      sql.append(move(table, column, most: time.isDeadline ? "?3" : "?2", "WHERE \(column) IS NOT NULL\(never)"))
    }
    let keys = OwnedTables.all.flatMap(\.numberTimes).map { "'\($0)'" }.joined(separator: ", ")
    sql.append(move("setting", "value", "WHERE key IN (\(keys))"))
    return Rule(.setting, .all, 3, key: 0, all: sql)
  }()

  /// Keeps the rows that `Machine.clearAllData` leaves.
  static let dataClearedRule: Rule = {
    let keys = OwnedTables.all.flatMap(\.lastingNumbers).map { "'\($0)'" }.joined(separator: ", ")
    return Rule(
      .setting, .all, 0, key: 0,
      all: OwnedTables.all.flatMap(\.tables).map { "DELETE FROM \($0)" } + [
        "DELETE FROM setting WHERE key NOT IN (\(keys))"
      ]
    )
  }()
}

extension Store {
  /// The tables about all owners together. `setting` has the single numbers of all of them, and `log` is the store's own.
  static let conductorTables = OwnedTables(
    tables: ["feed", "outbox", "consumer", "page", "loss", "sync"], lastingTables: ["setting", "log"],
    lastingNumbers: ["newest", "sequence"])
}
