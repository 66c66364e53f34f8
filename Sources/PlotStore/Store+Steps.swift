internal import PlotCore

// How far one is in the steps of campaigns, and the times of day that visits were told.
extension Store {
  /// Nil writes that nothing of it is done any more.
  func write(_ campaign: Identifier, _ starts: [Milliseconds?]?) {
    guard let starts else { return write(.chainEnded, .text(campaign.text)) }
    let text = starts.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
    write(.chain, .text(campaign.text), .text(text))
  }

  func loadChains(_ state: inout State) throws(StoreError) {
    try database.run("SELECT campaign, starts FROM chain") { row throws(StoreError) in
      var starts: [Milliseconds?] = []
      for part in (row[1].text ?? "").split(separator: " ") {
        let start = Int64(part)
        guard start != nil || part == "-" else { throw damaged }
        starts.append(start)
      }
      state.chains[Identifier(row[0].text ?? "")] = starts
    }
  }

  /// As `1080 region`, with a comma between two.
  static func text(_ times: [InsideTime]) -> String {
    times.map { "\($0.minute) \($0.zone.rawValue)" }.joined(separator: ",")
  }

  func insideTold(_ text: String) throws(StoreError) -> [InsideTime] {
    var times: [InsideTime] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      guard words.count == 2, let minute = Int64(words[0]), let zone = TriggerTimes.Zone(rawValue: String(words[1]))
      else { throw damaged }
      times.append(InsideTime(minute: minute, zone: zone))
    }
    return times
  }
}
