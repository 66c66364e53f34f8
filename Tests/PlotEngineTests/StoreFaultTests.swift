import Foundation
import PlotCore
import PlotDocuments
import PlotStore
import PlotTesting
import Testing

@testable import PlotEngine

/// The behaviour of an engine when its store does not take what it writes.
@Suite struct StoreFaultTests {
  private let first = World.begin + 60_000
  private let museum = feed([circle("museum")], [notification("hello")])

  /// Any walk, on a store that fails now and then: an input that is refused has changed nothing, and given once more it does what it would have done.
  /// The effects, and the contents of the store at the end, are the same as without any fault.
  @Test(arguments: UInt64(1)...12) func aRefusedInputCanBeGivenOnceMore(seed: UInt64) throws {
    let world = World(seed: seed, inputs: 60)
    func live(_ fails: @escaping @Sendable (Int) -> Bool) throws -> (
      device: Device, refused: Int, lasting: [String: String]
    ) {
      let folder = try Folder()
      let device = Device(fails: fails)
      try device.listen()
      let initial = world.initial == .enter ? "enter" : "none"
      try device.start(
        #"{"cooldownPeriod": \#(world.cooldown / 1000), "engine": {"noise": "exact", "initial": "\#(initial)"}}"#,
        store: folder.path())
      var refused = 0
      func take(_ input: Input) throws {
        for _ in 0..<50 {
          // Earlier answers of the host may be taken first.
          let (before, waits) = device.engine.session.withLock {
            (dump($0.machine.state), !$0.writer.unwritten.isEmpty)
          }
          do throws(EngineError) { return try device.engine.input(input) } catch {
            #expect(error.status == .storeFailed && error.message == FailingStore.fault.message)
            refused += 1
            if !waits { #expect(dump(device.state) == before) }
          }
        }
        Issue.record("never taken")
      }
      try take(.feed(feed(world.regions, world.campaigns), at: World.begin))
      for input in world.inputs {
        switch input {
        case .fix(let time, let place): try take(.fix(Fix(time: time, coordinate: place, accuracy: 0)))
        case .advance(let time): try take(.advance(time))
        }
      }
      while device.engine.session.withLock({ !$0.writer.unwritten.isEmpty }) {
        try take(.advance(device.state.newest))
      }
      var state = device.state
      device.engine.close()
      state.delivery = asStored(state.delivery)
      let store = try Store(path: folder.path(), seed: 1)
      defer { store.close() }
      let stored = try store.load().state
      // A time at which nothing else has changed is not written.
      state.newest = stored.newest
      let lasting = dump(stored, lasting: true)
      #expect(lasting == dump(state, lasting: true))
      return (device, refused, lasting.filter { $0.key != "newest" })
    }
    let whole = try live { _ in false }
    #expect(whole.refused == 0)
    // Not the first few commits, which are those of the start.
    let torn = try live { number in number > 3 && (number &* 7 + Int(seed)) % 5 < 2 }
    #expect(torn.refused > 3)
    // When it is to come again may be told less often, or more.
    #expect(
      torn.device.heard.filter { !$0.hasPrefix("wakeup") } == whole.device.heard.filter { !$0.hasPrefix("wakeup") })
    for (field, value) in whole.lasting { #expect(torn.lasting[field] == value, "\(field)") }
  }

  /// The host is not asked again about a notification on the screen: its answer is taken before the next input.
  @Test func anAnswerWaitsForTheStore() throws {
    let folder = try Folder()
    let device = Device { [4, 5].contains($0) }
    try device.enter(museum, store: folder.path())
    #expect(device.failing.failures > 0 && device.state.delivery.intents.count == 1)
    #expect(device.heard == ["region-enter museum", "show hello"])
    try device.engine.advance(to: first)
    #expect(device.state.delivery.intents.isEmpty)
    #expect(device.heard == ["region-enter museum", "show hello", "notification-shown hello"])
  }

  /// How far the host has been told is written with the next commit, at the latest at the end. Where that fails, it is told once more.
  @Test(arguments: [true, false]) func whatHasBeenToldIsWrittenAtTheEnd(fails: Bool) throws {
    let folder = try Folder()
    let device = Device()
    try device.enter(museum, store: folder.path())
    #expect(device.heard.last == "notification-shown hello")
    device.fill(fails)
    device.engine.close()
    let next = Device()
    try next.listen()
    try next.start(store: folder.path(), at: first)
    #expect(next.heard == (fails ? ["notification-shown hello"] : []))
  }

  @Test func aRefusedClearingChangesNothing() throws {
    let folder = try Folder()
    let device = Device()
    try device.enter(museum, store: folder.path())
    let before = dump(device.state)
    device.failing.clearing.withLock { $0 = .refused }
    #expect(throws: EngineError.self) { try device.engine.clearAllData(at: first) }
    #expect(dump(device.state) == before)
    // Here all is cleared, and the host is told that bytes may be left.
    device.failing.clearing.withLock { $0 = .late }
    let error = #expect(throws: EngineError.self) { try device.engine.clearAllData(at: first) }
    #expect(error?.message.contains("clear once more") == true)
    #expect(device.state.presence.visits.isEmpty && device.state.history.displays.isEmpty)
    device.failing.clearing.withLock { $0 = .whole }
    try device.engine.clearAllData(at: first)
  }

  /// An engine whose store cannot be opened, or does not take the start, is as before, and can be started again.
  @Test(arguments: [true, false]) func aStartThatFailsLeavesNothing(isOpened: Bool) throws {
    let folder = try Folder()
    let device = Device()
    try device.listen()
    device.fill(true)
    // A folder is no store.
    #expect(throws: EngineError.self) { try device.start(store: isOpened ? folder.path() : folder.url.path) }
    #expect(device.engine.session.withLock { $0.writer.store == nil && $0.hostQueue.isEmpty && $0.phase == .fresh })
    device.fill(false)
    try device.start(store: folder.path("other.db"))
    try device.engine.setFeed(museum, at: World.begin)
    try device.go(origin, at: first)
    #expect(device.heard == ["region-enter museum", "show hello", "notification-shown hello"])
  }

  /// The newest fixes that cannot be kept are reported once, and so is a page that is not the store's.
  @Test func aPageThatIsNotKeptIsSaidOnce() throws {
    let folder = try Folder()
    let path = folder.path()
    try FileManager.default.createDirectory(atPath: path + "-page", withIntermediateDirectories: true)
    var hours: Int64 = 0
    func lines(_ folders: String) throws -> [String] {
      hours += 1
      let device = Device()
      try device.engine.setCallback(\.log) { _, line in device.hear(line) }
      try device.start(#"{"debug": true}"#, store: path, at: World.begin + hours * 3_600_000)
      for minute in Int64(1)...5 { try device.go(origin, at: World.begin + hours * 3_600_000 + minute * 60_000) }
      device.engine.close()
      return device.heard.filter { $0.contains("-page") || $0.contains("the page") }
    }
    let fault = try lines("a folder")
    #expect(
      fault.count == 1 && fault[0].contains("expected a regular file") || fault[0].contains("directory"), "\(fault)")
    try FileManager.default.removeItem(atPath: path + "-page")
    #expect(try lines("none").isEmpty)
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: path + "-page"))
    #expect(try lines("damaged").isEmpty, "a file that is no page is made anew")
    var page = try Data(contentsOf: URL(filePath: path + "-page"))
    for index in 64..<page.count { page[index] ^= 1 }
    try page.write(to: URL(filePath: path + "-page"))
    let foreign = try lines("foreign")
    #expect(foreign.count == 1 && foreign[0].contains("silent since then"), "\(foreign)")
  }
}
