internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

/// Why something was not shown.
extension Engine {
  /// Keeps the newest decisions in memory, 0 to 100,000; 0 for none.
  public func keepDecisions(_ capacity: Int64) throws(EngineError) {
    guard (0...Int64(DecisionRing.limit)).contains(capacity) else {
      throw EngineError(argument: "capacity", expected: "an integer from 0 to 100000", found: "\(capacity)")
    }
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      session.ring.setCapacity(Int(capacity))
      session.updateSettings()
    }
  }

  /// Those that are kept, as a JSON array, oldest first: the newest `limit`, 0 for all.
  public func decisions(campaign: String?, region: String?, limit: Int) throws(EngineError) -> String {
    let decisions = try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return session.ring.decisions(
        campaign: campaign.map { Identifier($0) }, region: region.map { Identifier($0) }, limit: limit)
    }
    return ListDocument.decisions(decisions)
  }

  /// Appends decisions to a file from now on, each a line of JSON; nil stops.
  public func writeDecisions(to path: String?) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      if let path {
        do throws(FileError) { try TextFile.append([], to: path) } catch { throw EngineError(error) }
      }
      session.decisionFile = path
      session.updateSettings()
    }
  }

  /// One JSON object (docs/explain.md).
  public func explain(
    _ campaign: String, region: String?, language: String
  ) throws(EngineError) -> String {
    let explanation = try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      let id = Identifier(campaign)
      let ring = session.ring
      do throws(InputError) {
        return try session.machine.explain(id, at: region.map { Identifier($0) }) { ring.lastObstacle(id, $0) }
      } catch { throw EngineError(error, at: 0) }
    }
    return explanation.json(language)
  }
}

extension Session {
  /// Adds decisions to the ring and to the file. A fault of the file ends the writing.
  mutating func add(_ decisions: [Decision]) {
    guard !decisions.isEmpty else { return }
    for decision in decisions { ring.add(decision) }
    guard let path = decisionFile else { return }
    do throws(FileError) {
      try TextFile.append(decisions.map(\.json), to: path)
    } catch {
      decisionFile = nil
      updateSettings()
      report(.error, "decisions are not written any more: \(error.message)")
    }
  }
}
