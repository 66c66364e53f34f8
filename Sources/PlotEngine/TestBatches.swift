public import PlotCore
public import PlotDocuments

/// Batches that the app tries its filter or handler on; they change nothing.
struct TestBatches: Sendable {
  struct Entry: Sendable {
    var batch: Batch
    var answer: [Item]?
  }

  private var entries: [Entry] = []
  private var lastToken = firstToken

  /// Above all tokens of real batches, and exact as a double.
  private static let firstToken: UInt64 = 1 << 52
  /// Older ones are forgotten.
  static let limit = 64

  static func isTest(_ token: UInt64) -> Bool { token > firstToken }

  mutating func add(_ items: [HostItem], isGeotrigger: Bool) -> Batch {
    lastToken += 1
    let items = items.enumerated().map { number, item in
      item.occurrence
        ?? Item(
          item.loaded, matchIdentifier: StableIdentifier.make("test", item.identifier, "\(number)"), visit: nil)
    }
    let batch = Batch(token: lastToken, isGeotrigger: isGeotrigger, items: items, deadline: .max)
    entries.append(Entry(batch: batch, answer: nil))
    if entries.count > Self.limit { entries.removeFirst() }
    return batch
  }

  mutating func clear() { entries = [] }

  func find(_ token: UInt64) -> Entry? { entries.first { $0.batch.token == token } }

  mutating func answer(_ token: UInt64, _ items: [Item]) {
    for index in entries.indices where entries[index].batch.token == token { entries[index].answer = items }
  }
}

extension Engine {
  /// Puts items to the app's filter, or its geotrigger handler, without any consequence; the token of the answer.
  public func test(_ items: [HostItem], geotriggers: Bool) throws(EngineError) -> UInt64 {
    if let wrong = items.first(where: { $0.isGeotrigger != geotriggers }) {
      throw EngineError(
        argument: geotriggers ? "geotriggers" : "notifications",
        expected: geotriggers ? "geotriggers" : "notifications",
        found: wrong.isGeotrigger ? "a geotrigger" : "a notification")
    }
    let token = try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      let batch = session.tests.add(items, isGeotrigger: geotriggers)
      session.hostQueue.add(.ask(batch))
      return batch.token
    }
    deliver()
    return token
  }

  /// The app's answer to a test. Throws `notFound` while it has not answered.
  public func testAnswer(_ token: UInt64) throws(EngineError) -> [Item] {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      guard let test = session.tests.find(token) else {
        throw EngineError(.unknownToken, "no test has, or still has, the token \(token)")
      }
      guard let answer = test.answer else {
        throw EngineError(.notFound, "the test \(token) has not been answered yet")
      }
      return answer
    }
  }

  /// Takes an answer to a test; false when the token is that of a real batch.
  func answerTest(
    _ token: UInt64, _ kept: [Kept], isGeotrigger: Bool, at time: Milliseconds
  ) throws(EngineError) -> Bool {
    guard TestBatches.isTest(token) else { return false }
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      if time != 0 { try session.check(time) }
      guard let test = session.tests.find(token), test.batch.isGeotrigger == isGeotrigger else {
        throw EngineError(InputError.unknownToken, at: 0)
      }
      guard test.answer == nil else { throw EngineError(InputError.alreadyAnswered, at: 0) }
      do throws(InputError) {
        session.tests.answer(token, try test.batch.chosen(kept))
      } catch { throw EngineError(error, at: 0) }
    }
    return true
  }
}
