import PlotDocuments
import PlotTesting
import Synchronization
import Testing

@testable import PlotCore
@testable import PlotEngine

/// In which order the host hears of things, and what it may do while it is told.
@Suite struct DeliveringTests {
  private let first = World.begin + 60_000

  /// One place, entered by the first fix: an event, a notification to show, and the event that it was shown.
  private static func museum(_ campaigns: [Campaign] = [notification("hello")]) -> Feed {
    feed([circle("museum")], campaigns)
  }

  private static let words = ["region-enter museum", "show hello", "notification-shown hello"]

  @Test func eventsAndWhatIsShownComeInTheirOrder() throws {
    let device = Device()
    try device.enter(Self.museum())
    #expect(device.heard == Self.words)
  }

  /// Without a filter, a strategy or a recording, and with an answer in the callback.
  @Test func aShownNotificationTakesThreeLocks() throws {
    let device = Device()
    try device.listen()
    try device.start()
    // It ends within the hour: so there is a wakeup to tell of.
    try device.engine.setFeed(
      Self.museum([notification("hello"), notification("stay", .dwelling(minutes: 5))]), at: World.begin)
    let before = device.locks
    try device.go(origin, at: first)
    #expect(device.heard == Self.words + ["wakeup \(first + 300_000)"])
    // The first is that of the call.
    #expect(device.locks - before - 1 <= 3)
  }

  /// A strategy that is registered while the host is told hears of what it has saved before anything else.
  @Test func aNewStrategyIsLoadedBeforeWhatWaits() throws {
    let device = Device()
    try device.enter(Self.museum()) { [engine = device.engine] word in
      guard word.hasPrefix("region-enter") else { return }
      try! engine.setStrategy(
        "own",
        HostStrategy(key: "own") { call in
          device.hear("\(call.kind)")
          return StrategyReply(agrees: true)
        })
    }
    #expect(device.heard.starts(with: ["region-enter museum", "load", "show hello", "created", "save"]))
    #expect(device.heard.last == "notification-shown hello")
  }

  /// The callback that the host has registered last hears of all that has not been begun.
  @Test func aNewCallbackHearsOfTheRest() throws {
    let device = Device()
    try device.enter(Self.museum()) { [engine = device.engine] word in
      guard word.hasPrefix("region-enter") else { return }
      try! engine.setCallback(\.show) { item in
        device.hear("other show \(item.campaign.text)")
        return false
      }
    }
    #expect(device.heard == ["region-enter museum", "other show hello", "notification-failed hello"])
  }

  @Test(arguments: [true, false]) func nothingIsToldOfWhatIsGone(isClosed: Bool) throws {
    let device = Device()
    try device.enter(Self.museum()) { [engine = device.engine, first] word in
      guard word.hasPrefix("region-enter") else { return }
      if isClosed { engine.close() } else { try! engine.clearAllData(at: first) }
    }
    #expect(device.heard == ["region-enter museum"])
    #expect(device.state.sequence == 0 || !isClosed)
  }

  /// A call from within a callback leaves its part to whoever tells already: behind all that waits.
  @Test func aCallFromWithinIsToldOfLater() throws {
    let device = Device()
    // Three places at once: a run of three events, and more events behind it.
    try device.enter(feed(["a", "b", "c"].map { circle($0) }, [])) { [engine = device.engine, first] word in
      if word == "region-enter a" {
        try! engine.update(Fix(time: first + 60_000, coordinate: north(5000), accuracy: 0))
      }
    }
    #expect(
      device.heard == [
        "region-enter a", "region-enter b", "region-enter c", "region-exit a", "region-exit b", "region-exit c",
      ])
  }

  /// More than a run holds.
  @Test func aHundredEventsComeInTheirOrder() throws {
    let device = Device()
    let names = (100..<200).map { "r\($0)" }
    try device.enter(feed(names.map { circle($0) }, []))
    #expect(device.heard == names.map { "region-enter \($0)" })
  }

  /// Nobody has asked for it: so none is made.
  @Test func withoutACallbackThereIsNoJSON() throws {
    let device = Device()
    try device.start()
    try device.engine.setFeed(Self.museum(), at: World.begin)
    device.engine.session.withLock { session in
      let output = try! session.machine.update(Fix(time: first, coordinate: origin, accuracy: 0))
      #expect(output.events.count == 1 && output.shows.count == 1)
      let composed = session.compose(output)
      #expect(composed.hasEvent && composed.events.isEmpty && composed.deliveries.count == 1)
      #expect(session.board().context == "{}")
      let ballot = Ballot(kind: .create, item: output.shows[0], departure: nil, voters: [])
      #expect(session.board(for: ballot).context != "{}")
    }
  }
}
