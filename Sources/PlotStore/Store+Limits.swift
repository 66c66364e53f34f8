internal import PlotCore
internal import PlotDocuments

/// The history of displays, and what waits for the end of quiet hours.
extension Store {
  func loadLimits(_ state: inout State) throws(StoreError) {
    try database.run("SELECT time, campaign, region, visit, tags FROM display ORDER BY id") { row throws(StoreError) in
      guard let time = row[0].integer, Timestamp.range.contains(time), let campaign = row[1].text,
        let region = row[2].text,
        let tags = row[4].text
      else { throw .unreadableRecord }
      state.displays.append(
        Display(
          time: time, campaign: Identifier(campaign), region: Identifier(region), visit: row[3].text,
          tags: tags.split(separator: "\n").map { Identifier(String($0)) }))
    }
    try database.run("SELECT visit, item, until, inside FROM waiting ORDER BY id") { row throws(StoreError) in
      guard let until = row[2].integer, Timestamp.range.contains(until) else { throw .unreadableRecord }
      state.waiting.append(Waiting(item: try item(row), until: until, insideOnly: row[3].integer == 1))
    }
  }
}
