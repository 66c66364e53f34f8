public import PlotCore
internal import PlotDocuments

/// Messages from outside, and the lists that their rules ask.
extension Engine {
  /// Takes a payload. Throws `invalidDocument` when it is no message, and then nothing has changed.
  public func processMessage(_ payload: [UInt8], at time: Milliseconds) throws(EngineError) {
    let settings = try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return session.machine.feed.settings.messages
    }
    let message: Message
    do throws(DocumentError) {
      message = try Message.parse(payload, settings)
    } catch {
      let refusal = EngineError(error)
      try locked { (session) throws(EngineError) in session.report(.warning, "message: " + refusal.message) }
      deliver()
      throw refusal
    }
    try input(.message(message, at: time), .info, "message \(message.id), \(message.operation.rawValue)")
  }

  /// Takes a list, as JSON; nil makes it absent.
  public func setList(_ name: String, _ list: [UInt8]?, at time: Milliseconds) throws(EngineError) {
    guard Feed.isIdentifier(name) else {
      throw EngineError(argument: "name", expected: Feed.identifierForm, found: "\"\(name)\"")
    }
    var update: ListUpdate?
    if let list {
      do throws(DocumentError) { update = try ListUpdate(parsing: list) } catch { throw EngineError(error) }
    }
    try input(
      .list(Identifier(name), version: update?.version ?? 0, entries: update?.entries, at: time), .info,
      update.map { "list \(name), version \($0.version), \($0.entries.count) entries" } ?? "list \(name) absent")
  }

  /// By name.
  public func lists() throws(EngineError) -> [Identifier: MessageList] {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return session.machine.state.messages.lists
    }
  }
}
