import PlotTesting

@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through every decision about a message and a list.
enum MessageTour {
  private static let feed = #"""
    {"version": 1, "regions": [], "campaigns": [], "settings": {"messages": {"rules": [
      {"if": {"senderIn": "blocked"}, "then": "drop"}, {"if": {"contains": "keep"}, "then": "keep"},
      {"if": {"contains": "mute"}, "then": "mute"}, {"if": {"contains": "new"}, "then": "rewrite", "body": "x"},
      {"if": {"contains": "later"}, "then": "defer", "seconds": 60}]}}}
    """#

  static func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(feed))
    func message(_ id: String, _ body: String, retracts: Bool = false, from sender: String? = nil) throws {
      var message = Message(id: id, content: Content(message: body, data: ""))
      message.sender = sender
      message.correlationKey = "k"
      message.revision = Int64(id)
      message.operation = retracts ? .retract : .post
      try host.play(host.machine.process(message, at: 1))
    }
    func list(_ version: Int64) throws {
      let entries: Set = [Identifier("b")]
      try host.play(host.machine.setList(Identifier("blocked"), version: version, entries: entries, at: 1))
    }
    try message("1", "plain")
    try message("1", "plain")
    try message("0", "old")
    try list(2)
    try list(1)
    for (id, body) in [("2", "keep"), ("3", "mute"), ("4", "new"), ("5", "later")] { try message(id, body) }
    try message("6", "plain", from: "b")
    try message("7", "", retracts: true)
    try message("7", "plain")
    host.machine.settings.canSuppress = false
    for fallback in SuppressFallback.allCases {
      host.machine.settings.suppressFallback = fallback
      try message("0", "old")
    }
    return host.decisions
  }
}
