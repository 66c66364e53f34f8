import Foundation
import PlotCore
import PlotDocuments
import PlotTesting
import Synchronization
import Testing

@testable import PlotEngine

/// The events that the app acknowledges, beside those that the callback gets.
@Suite struct OutboxTests {
  private static func configuration(acknowledge: Bool = true, limit: Int = 10_000) -> String {
    #"{"engine": {"noise": "exact", "initial": "enter", "events": {"acknowledge": \#(acknowledge), "limit": \#(limit)}}}"#
  }

  private static let words = ["region-enter museum", "notification-shown hello"]

  /// A device whose store lies in a folder; each process is another one.
  private struct Phone {
    let folder: Folder
    var device = Device()
    private var processes = 0

    init() throws { folder = try Folder() }

    var path: String { folder.path("store\(processes)") }

    func start(_ configuration: String = OutboxTests.configuration(), listens: Bool = false) throws {
      if listens { try device.listen() }
      try device.start(configuration, store: path)
    }

    /// The process ends at once: what is in the files is all that is left.
    mutating func kill() throws {
      let old = path
      processes += 1
      for suffix in ["", "-wal", "-log", "-page"] where FileManager.default.fileExists(atPath: old + suffix) {
        try FileManager.default.copyItem(atPath: old + suffix, toPath: path + suffix)
      }
      device.engine.close()
      device = Device()
    }

    func visit(_ number: Int = 0) throws {
      if number == 0 {
        try device.engine.setFeed(feed([circle("museum")], [notification("hello")]), at: World.begin)
      }
      let time = World.begin + 60_000 + Milliseconds(number) * 7_200_000
      try device.go(origin, at: time)
      try device.go(north(5000), at: time + 3_600_000)
    }

    func waiting(after sequence: Int64 = 0, limit: Int = 0) throws -> Page {
      try JSONDecoder().decode(
        Page.self, from: Data(device.engine.events(for: "app", after: sequence, limit: limit).utf8))
    }

    func acknowledge(_ sequence: Int64) throws { try device.engine.acknowledgeEvents(for: "app", through: sequence) }
  }

  private struct Page: Decodable {
    var acknowledged, lost: Int64
    var waiting: Int
    var events: [Record]

    struct Record: Decodable {
      var event: String
      var sequence: Int64
    }

    var sequences: [Int64] { events.map(\.sequence) }
  }

  @Test func theAppTakesWhatNoCallbackHears() throws {
    let device = Device()
    try device.start(Self.configuration())
    try device.engine.setFeed(feed([circle("museum")], [notification("hello")]), at: World.begin)
    try device.go(origin, at: World.begin + 60_000)
    let text = try device.engine.events(for: "app", after: 0, limit: 0)
    #expect(text.hasPrefix(#"{"acknowledged":0,"lost":0,"waiting":2,"events":[{"time":"#))
    #expect(try device.engine.events(for: "app", after: 2, limit: 0).hasSuffix(#""waiting":2,"events":[]}"#))
    try device.engine.acknowledgeEvents(for: "app", through: 1)
    try device.engine.acknowledgeEvents(for: "app", through: 1)
    try device.engine.acknowledgeEvents(for: "app", through: 0)
    #expect(
      try device.engine.events(for: "app", after: 0, limit: 0).hasPrefix(#"{"acknowledged":1,"lost":0,"waiting":1,"#))
  }

  /// Each consumer has its own place, whenever the process ends.
  @Test func whatNobodyHasAcknowledgedOutlivesTheProcess() throws {
    var phone = try Phone()
    try phone.start(listens: true)
    try phone.visit()
    try phone.kill()
    // The callback has had all; but nothing that came later says so of the last.
    try phone.start(listens: true)
    try phone.acknowledge(1)
    #expect(
      phone.device.heard.filter { $0.hasPrefix("region") || $0.hasPrefix("notification") } == ["region-exit museum"])
    #expect(try phone.waiting().acknowledged == 1)
    #expect(try phone.waiting().sequences == [2, 3])
    try phone.acknowledge(3)
    try phone.kill()
    try phone.start()
    #expect(try phone.waiting().sequences == [])
    // Without a callback they are kept all the same, and a callback that comes later hears of none of them.
    try phone.visit(1)
    #expect(try phone.waiting().sequences == [4, 5])
    try phone.kill()
    try phone.start(listens: true)
    #expect(phone.device.heard.allSatisfy { $0.hasPrefix("wakeup") })
    #expect(try phone.waiting(after: 3, limit: 1).sequences == [4])
  }

  /// A callback that comes while the engine runs gets what happens from then on, also in the next process.
  @Test func aCallbackThatComesLaterHearsOfNothingBefore() throws {
    var phone = try Phone()
    try phone.start()
    try phone.visit()
    try phone.device.listen()
    // It says where the consumers are.
    try phone.acknowledge(1)
    try phone.kill()
    try phone.start(listens: true)
    #expect(phone.device.heard.allSatisfy { $0.hasPrefix("wakeup") })
    #expect(try phone.waiting().sequences == [2, 3])
  }

  /// An app that stops acknowledging leaves nothing behind, and the callback's events are the callback's.
  @Test func anAppThatIsNotActiveHoldsNothing() throws {
    var phone = try Phone()
    try phone.start()
    try phone.visit()
    try phone.kill()
    try phone.start(Self.configuration(acknowledge: false), listens: true)
    #expect(phone.device.heard.allSatisfy { $0.hasPrefix("wakeup") })
    #expect(throws: EngineError.self) { _ = try phone.waiting() }
    try phone.visit(1)
    phone.device.engine.close()
    try phone.kill()
    try phone.start()
    #expect(try phone.waiting().sequences == [])
  }

  /// One that lags loses its own oldest, counted, and holds back nobody else.
  @Test(arguments: [true, false]) func theLimitIsTheAppsAlone(hasStore: Bool) throws {
    var phone = try Phone()
    try phone.device.listen()
    try phone.device.start(Self.configuration(limit: 2), store: hasStore ? phone.path : nil)
    try phone.visit()
    try phone.visit(1)
    #expect(phone.device.heard.filter { $0.hasPrefix("region-exit") }.count == 2)
    let page = try phone.waiting()
    #expect(page.sequences == [4, 5] && page.lost == 3 && page.acknowledged == 3)
    guard hasStore else { return }
    try phone.kill()
    try phone.start(Self.configuration(limit: 2))
    let later = try phone.waiting()
    #expect(later.sequences == [4, 5] && later.lost == 3 && later.acknowledged == 3)
    // With room for fewer, those that are too many are lost at the start.
    try phone.kill()
    try phone.start(Self.configuration(limit: 1))
    #expect(try phone.waiting().sequences == [5])
    #expect(try phone.waiting().lost == 4)
  }

  /// Random lives whose process ends at every k-th input list, acknowledge and lose what the unbroken life does.
  @Test func livesThatAreBrokenListTheSame() throws {
    var (listed, lost) = (0, Int64(0))
    for seed in 0..<UInt64(steps(60)) {
      var world = World(seed: seed, inputs: 40)
      // A feed of files, which are in a store as they came, has no campaign that ends before it begins.
      for index in world.campaigns.indices {
        (world.campaigns[index].values.start, world.campaigns[index].values.end) = (nil, nil)
      }
      var generator = SplitMix64(seed)
      let configuration = Self.configuration(limit: Int.random(in: 3...30, using: &generator))
      let period = Int.random(in: 1...7, using: &generator)
      let (unbroken, other) = (try Phone(), try Phone())
      var broken = other
      for phone in [unbroken, broken] {
        try phone.start(configuration)
        try phone.device.engine.setFeed(feed(world.regions, world.campaigns), at: World.begin)
      }
      for (index, input) in world.inputs.enumerated() {
        if index % period == period - 1 {
          try broken.kill()
          try broken.start(configuration)
        }
        let page = try unbroken.waiting()
        let through = generator.chance(0.2) ? page.sequences.randomElement(using: &generator) : nil
        var texts: [String] = []
        for phone in [unbroken, broken] {
          switch input {
          case .fix(let time, let place): try phone.device.go(place, at: time)
          case .advance(let time): try phone.device.engine.advance(to: time)
          }
          if let through, try phone.waiting().sequences.contains(through) { try phone.acknowledge(through) }
          texts.append(try phone.device.engine.events(for: "app", after: 0, limit: 0))
        }
        #expect(texts[0] == texts[1], "seed \(seed), input \(index)")
      }
      listed += try unbroken.waiting().waiting
      lost += try unbroken.waiting().lost
    }
    #expect(listed >= steps(200) && lost >= steps(200), "\(listed) wait, \(lost) lost")
  }

  /// A store that does not take an acknowledgement leaves all as it was.
  @Test func anAcknowledgementThatIsNotWrittenDidNotHappen() throws {
    let phone = try Phone()
    try phone.start()
    try phone.visit()
    phone.device.fill(true)
    #expect(throws: EngineError.self) { try phone.acknowledge(2) }
    #expect(try phone.waiting().sequences == [1, 2, 3])
    phone.device.fill(false)
    try phone.acknowledge(2)
    #expect(try phone.waiting().sequences == [3])
  }

  @Test func clearingTakesTheEventsOfBoth() throws {
    var phone = try Phone()
    try phone.start(Self.configuration(limit: 2))
    try phone.visit()
    try phone.device.engine.clearAllData(at: World.begin + 86_400_000)
    for _ in 0..<2 {
      let page = try phone.waiting()
      #expect(page.sequences == [] && page.lost == 0)
      try phone.kill()
      try phone.start(Self.configuration(limit: 2))
    }
  }

  @Test func whatIsWrongIsSaid() throws {
    let device = Device()
    try device.start(Self.configuration())
    for (consumer, sequence, expected) in [
      (
        "callback", Int64(0),
        #"consumer: expected "app", with engine.events.acknowledge in the configuration, found "callback""#
      ),
      ("app", 1, "sequence: expected a sequence from 0 to 0, that of the newest event, found 1"),
      ("app", -1, "sequence: expected a sequence from 0 to 0, that of the newest event, found -1"),
    ] {
      let error = #expect(throws: EngineError.self) {
        try device.engine.acknowledgeEvents(for: consumer, through: sequence)
      }
      #expect(error?.message == expected)
    }
    let other = Device()
    try other.start()
    let error = #expect(throws: EngineError.self) { try other.engine.acknowledgeEvents(for: "app", through: 0) }
    #expect(
      error?.message
        == #"consumer: expected "app", with engine.events.acknowledge in the configuration, found "app", without it"#)
  }
}
