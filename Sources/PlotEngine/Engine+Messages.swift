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
    try checkListName(name)
    var update: ListUpdate?
    if let list {
      do throws(DocumentError) { update = try ListUpdate(parsing: list) } catch { throw EngineError(error) }
    }
    try input(
      .list(Identifier(name), version: update?.version ?? 0, entries: update?.entries, at: time), .info,
      update.map { "list \(name), version \($0.version), \($0.entries.count) entries" } ?? "list \(name) absent")
  }

  /// Adds entries to a list and takes others away, as JSON.
  public func editList(_ name: String, _ edit: [UInt8], at time: Milliseconds) throws(EngineError) {
    try checkListName(name)
    let change: ListEdit
    do throws(DocumentError) { change = try ListEdit(parsing: edit) } catch { throw EngineError(error) }
    try input(
      .listEdit(Identifier(name), add: change.add, remove: change.remove, at: time), .info,
      "list \(name), \(change.add.count) added, \(change.remove.count) removed")
  }

  /// Whether an entry is in a list. Throws `notFound` when there is no such list.
  public func listContains(_ name: String, _ entry: String) throws(EngineError) -> Bool {
    try checkListName(name)
    guard let list = try lists()[Identifier(name)] else {
      throw EngineError(.notFound, "no list has the name \"\(name)\"")
    }
    return list.entries.contains(Identifier(entry))
  }

  private func checkListName(_ name: String) throws(EngineError) {
    guard Feed.isIdentifier(name) else {
      throw EngineError(argument: "name", expected: Feed.identifierForm, found: "\"\(name)\"")
    }
  }

  /// By name.
  public func lists() throws(EngineError) -> [Identifier: MessageList] {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return session.machine.state.messages.lists
    }
  }
}
