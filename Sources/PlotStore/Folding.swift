/// Brings lines of the log into the tables. What later lines undo is not written at all.
struct Folding {
  /// A statement and where its values begin.
  private struct Call {
    let statement: Statement
    let bytes: [UInt8]
    let position: Int
  }

  /// A change of the rows of one key.
  private struct Step {
    /// No such row was there before.
    var isNew: Bool
    var deletion: Call?
    var rows: [Call] = []
  }

  /// Keys are equal when their bytes are.
  private struct Key: Hashable {
    let table: UInt8
    let bytes: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) {
      hasher.combine(table)
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }

  private let database: Database
  private var steps: [Step] = []
  private var places: [Key: Int] = [:]
  private var head: LogLine.Head?

  init(into database: Database) { self.database = database }

  mutating func add(_ bytes: [UInt8], _ line: Range<Int>) throws(StoreError) {
    var reader = try LogReader(bytes, line)
    places.reserveCapacity(places.isEmpty ? bytes.count / 256 : 0)
    head = reader.head
    while let statement = try reader.statement() {
      let rule = statement.rule
      let call = Call(statement: statement, bytes: bytes, position: reader.position)
      for _ in 0..<rule.key { _ = try reader.value() }
      let key = Key(table: rule.table.rawValue, bytes: bytes[call.position..<reader.position])
      for _ in rule.key..<rule.values { _ = try reader.value() }
      switch rule.effect {
      case .put: put(call, key, isNew: false, stays: false)
      case .putNew: put(call, key, isNew: true, stays: false)
      case .add: put(call, key, isNew: false, stays: true)
      case .addNew: put(call, key, isNew: true, stays: true)
      case .delete: delete(call, key)
      case .all:
        try flush()
        try run(call)
      }
    }
  }

  /// Writes the rest.
  mutating func finish() throws(StoreError) {
    guard let head else { return }
    try flush(delivered: head.delivered)
    try database.run("DELETE FROM outbox WHERE sequence <= ?", [.integer(head.delivered)])
    let settings = [("newest", head.newest), ("sequence", head.sequence), ("lastToken", head.lastToken)]
    for (key, value) in settings { try database.run(Statement.setting.rule.sql[0], [.text(key), .integer(value)]) }
  }

  private mutating func put(_ call: Call, _ key: Key, isNew: Bool, stays: Bool) {
    guard let place = places[key] else {
      places[key] = steps.count
      steps.append(Step(isNew: isNew, rows: [call]))
      return
    }
    if stays, !steps[place].rows.isEmpty {
      steps[place].rows.append(call)
      return
    }
    // To the end, for the order in which rows came is kept.
    let step = Step(isNew: steps[place].isNew, deletion: steps[place].deletion, rows: [call])
    steps[place] = Step(isNew: true)
    places[key] = steps.count
    steps.append(step)
  }

  private mutating func delete(_ call: Call, _ key: Key) {
    guard let place = places[key] else {
      places[key] = steps.count
      steps.append(Step(isNew: false, deletion: call))
      return
    }
    steps[place].rows = []
    if !steps[place].isNew { steps[place].deletion = call }
  }

  private mutating func flush(delivered: Int64 = .min) throws(StoreError) {
    for step in steps {
      if let deletion = step.deletion { try run(deletion) }
      for row in step.rows {
        if row.statement == .outbox {
          var reader = LogReader(row.bytes, at: row.position)
          if case .integer(let sequence) = try reader.value(), sequence <= delivered { continue }
        }
        try run(row)
      }
    }
    steps.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  private func run(_ call: Call) throws(StoreError) {
    let rule = call.statement.rule
    for sql in rule.sql { try database.run(sql, LogReader(call.bytes, at: call.position), values: rule.values) }
  }
}
