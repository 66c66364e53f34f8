import PlotTesting
import Testing

@testable import PlotCore

/// Very many candidates of one instant. The work is counted in looks at identifiers and items, and in elements that move.
@Suite struct CrowdTests {
  static let start = utc("2026-05-16T12:00")
  static let minute: Milliseconds = 60_000
  static let away = north(5000)

  /// Something that a host, an app and a walker do, with campaigns of one sort at each of the regions.
  struct Walk: Sendable, CustomTestStringConvertible {
    var name: String
    var campaign: @Sendable (String, [Int]) -> Campaign
    var change: @Sendable (inout FeedSettings) -> Void = { _ in }
    var configure: @Sendable (inout Machine.Settings) -> Void = { _ in }
    var go: @Sendable (inout Machine) throws -> Void

    var testDescription: String { name }

    func machine(_ count: Int) -> Machine {
      let regions = (0..<count).map { circle("r\($0)", radius: 100 + Double($0 % 50)) }
      // The order of the feed is not that of the ids.
      let campaigns = (0..<count).map { campaign("c\($0 * 7919 % 10_007)", Array(regions.indices)) }
      var machine = Machine(state: State(), feed: feed(regions, campaigns, change))
      machine.settings.noise = .exact
      machine.settings.initial = .enter
      machine.settings.listsChanges = true
      machine.settings.regionBudget = 20
      configure(&machine.settings)
      return machine
    }
  }

  /// Enters everything, and shows what is to be shown.
  static func enter(_ machine: inout Machine, at time: Milliseconds = start) throws {
    let output = try machine.fix(time, origin)
    try show(&machine, output)
  }

  static func show(_ machine: inout Machine, _ output: Machine.Output) throws {
    var queue = Queue(output.effects)
    while !queue.isEmpty {
      if case .show(let item) = queue.removeFirst() {
        queue += try machine.confirm(item.matchIdentifier ?? "", shown: true).effects
      }
    }
  }

  /// Answers the newest batch with all, with the last first, or with none.
  static func answer(_ machine: inout Machine, _ output: Machine.Output, keeping: ([Kept]) -> [Kept])
    throws
  {
    let batch = try #require(output.asks.last)
    let answer =
      batch.isGeotrigger
      ? try machine.markHandled(batch.token, keeping(batch.all), at: machine.state.newest)
      : try machine.answerFilter(batch.token, keeping(batch.all), at: machine.state.newest)
    try show(&machine, answer)
  }

  static let later = TriggerTimes(rule: .own(.hours(.daily((780, 840)))), zone: .device, outside: .hold)

  static let walks: [Walk] = [
    Walk(name: "shown") {
      notification($0, at: $1)
    } go: {
      try enter(&$0)
    },
    Walk(name: "shown one by one") {
      notification($0, at: $1)
    } go: {
      _ = $0.setCooldownPeriod(1, at: start)
      try enter(&$0)
    },
    Walk(name: "with decisions") {
      notification($0, at: $1)
    } configure: {
      $0.recordsDecisions = true
      $0.hasFilter = true
    } go: { machine in
      let output = try machine.fix(start, origin)
      // They are on their way, and asked for again.
      _ = try machine.fix(start + 1000, away)
      _ = try machine.fix(start + 2000, origin)
      try answer(&machine, output) { $0 }
    },
    Walk(name: "kept by a filter, last first") {
      notification($0, at: $1)
    } configure: {
      $0.hasFilter = true
    } go: {
      let output = try $0.fix(start, origin)
      try answer(&$0, output) { $0.reversed() }
    },
    Walk(name: "left out by a filter") {
      notification($0, at: $1)
    } configure: {
      $0.hasFilter = true
    } go: {
      let output = try $0.fix(start, origin)
      try answer(&$0, output) { Array($0.prefix($0.count / 2)) }
    },
    Walk(name: "handled geotriggers") {
      geotrigger($0, at: $1)
    } configure: {
      $0.hasGeotriggerHandler = true
    } go: {
      let output = try $0.fix(start, origin)
      try answer(&$0, output) { $0 }
    },
    Walk(name: "held for their times") {
      notification($0, at: $1, times: later)
    } go: {
      try enter(&$0)
      #expect($0.state.delivery.held.count == $0.feed.regions.count * $0.feed.campaigns.count)
      try show(&$0, $0.advance(to: start + 61 * minute))
    },
    Walk(name: "held until they are left") {
      notification($0, at: $1, times: later)
    } go: {
      try enter(&$0)
      _ = try $0.fix(start + 1000, away)
      #expect($0.state.delivery.held.isEmpty && $0.state.presence.visits.isEmpty)
    },
    Walk(name: "held for a property") {
      notification($0, at: $1, segmentation: equals("p", .integer(1)))
    } go: {
      try enter(&$0)
      try show(&$0, $0.setProperty(Identifier("p"), .integer(1), at: start + 1000))
    },
    Walk(name: "quiet") {
      notification($0, at: $1)
    } change: {
      $0.quietHours = [QuietHours(hours: .daily((700, 800)), during: .hold)]
    } go: {
      try enter(&$0)
      #expect($0.state.delivery.waiting.count == $0.feed.regions.count * $0.feed.campaigns.count)
      try show(&$0, $0.advance(to: start + 200 * minute))
    },
    Walk(name: "quiet, and another zone") {
      notification($0, at: $1)
    } change: {
      $0.quietHours = [QuietHours(hours: .daily((700, 800)), during: .hold)]
    } go: {
      try enter(&$0)
      try show(&$0, $0.setTimeZone(Zones.named("Asia/Tokyo"), at: start + 1000))
      #expect($0.state.delivery.waiting.isEmpty)
    },
    Walk(name: "coalesced") { id, regions in
      notification(id, at: regions).with { $0.coalescingGroup = Identifier("g") }
    } change: {
      $0.coalescing = [Coalescing(group: Identifier("g"), atLeast: 2, message: Template("{{count}}")!)]
    } go: {
      try enter(&$0)
    },
    Walk(name: "asked at the enter") { id, regions in
      notification(id, .dwelling(minutes: 5), at: regions).with { $0.filtersAtEnter = true }
    } configure: {
      $0.hasFilter = true
    } go: {
      let output = try $0.fix(start, origin)
      try answer(&$0, output) { $0 }
      try show(&$0, $0.advance(to: start + 6 * minute))
      #expect($0.state.delivery.prefiltered.isEmpty && $0.state.history.lastShown.count > 100)
    },
    Walk(name: "asked at the enter, answered late") { id, regions in
      notification(id, .dwelling(minutes: 5), at: regions).with { $0.filtersAtEnter = true }
    } configure: {
      $0.hasFilter = true
      $0.filterDeadline = 400_000
    } go: {
      let output = try $0.fix(start, origin)
      _ = $0.advance(to: start + 6 * minute)
      try answer(&$0, output) { $0 }
      #expect($0.state.history.lastShown.count > 100)
    },
    Walk(name: "not sure yet") {
      notification($0, .exit, at: $1)
    } configure: {
      $0.noise.minInside = 10_000
      $0.noise.minOutside = 10_000
    } go: {
      _ = try $0.fix(start, away)
      try enter(&$0, at: start + 1000)
      try enter(&$0, at: start + 15_000)
      #expect($0.state.presence.visits.count == $0.feed.regions.count)
      _ = try $0.fix(start + 20_000, away)
      try show(&$0, $0.advance(to: start + 40_000))
      #expect($0.state.presence.visits.isEmpty && $0.state.history.lastShown.count > 100)
    },
  ]

  static func work(_ walk: Walk, _ count: Int) throws -> Int {
    var machine = walk.machine(count)
    let before = Work.done
    try walk.go(&machine)
    return Work.done - before
  }

  /// Four times the candidates are four times the work, and what sorting takes.
  @Test(arguments: walks)
  func workGrowsInProportion(_ walk: Walk) throws {
    // A hash table may have a seed, which is another one in each run, with which many of its keys collide: then it is measured once more. What grows
    // with the square does so with every seed.
    var (once, four) = (0, Int.max)
    for _ in 0..<8 where four >= 6 * once {
      once = max(once, try Self.work(walk, 12))
      four = min(four, try Self.work(walk, 24))
    }
    #expect(once > 144)
    // The lists of what was sent and is displayed fill up on the way, and sorting takes a little more; the square would be 16 times.
    #expect(four < 6 * once, "\(once) looks for 144 candidates, \(four) for 576")
  }

  /// Elements move as often as there are, whether or not a copy of the list is kept.
  @Test(arguments: [1, 15, 16, 17, 1000, 4000])
  func aQueueIsEmptiedInProportion(_ count: Int) {
    var queue = Queue(Array(0..<count))
    var copies: [Queue<Int>] = []
    for number in 0..<count {
      copies.append(queue)
      #expect(queue.first == number && queue.removeFirst() == number && queue.count == count - number - 1)
      if number % 100 == 0 {
        #expect(Array(copies[number / 2]) == Array(number / 2..<count), "a copy stays as it is")
      }
    }
    #expect(queue.isEmpty && queue.moves <= count)
    queue += [1, 2, 3]
    #expect(queue.remove(at: 1) == 2 && queue == [1, 3])
    queue.insert(0, at: 0)
    queue.removeAll { $0 == 1 }
    #expect(queue == [0, 3] && "\(queue)" == "[0, 3]")
  }

  /// Visits of many regions begin and end among others, in the order of their ids.
  @Test func visitsStayInOrder() throws {
    var machine = machine(
      (0..<90).map { circle("r\($0 * 37 % 90)", north(Double($0 % 3) * 300)) }, [geotrigger("g", .exit, at: [0])])
    for (index, meters) in [0, 300, 150, 600, 450, 5000, 0].enumerated() {
      _ = try machine.fix(Self.start + Int64(index) * 1000, north(Double(meters)))
      let found = machine.state.presence.visits.map(\.region)
      #expect(found == found.sorted() && Set(found).count == found.count)
      let inside = machine.feed.regions.filter { ($0.shape.edgeDistance(from: north(Double(meters))) ?? 1) <= 0 }
      #expect(found == inside.map(\.id).sorted())
    }
  }

  /// Items beyond the limit are dropped, with a word about each; the first ones are shown.
  @Test func theLimitOfOneInstant() throws {
    let count = 101
    var machine = Walk(name: "", campaign: { geotrigger($0, at: $1) }, go: { _ in }).machine(count)
    machine.settings.recordsDecisions = true
    let output = try machine.fix(Self.start, origin)
    let beyond = count * count - Machine.candidateLimit
    #expect(output.leftOut == beyond)
    let dropped = output.decisions.filter { $0.reason == .tooMany }
    #expect(dropped.count == beyond && dropped.allSatisfy { $0.step == .trigger && $0.verdict == .drop })
    #expect(output.events.count { $0.kind == .geotrigger } == Machine.candidateLimit)
    #expect(output.events.count { $0.kind == .regionEnter } == count)
    // The order is that of the events: the last region by id has lost some, or all.
    #expect(
      dropped.allSatisfy {
        $0.region == machine.state.presence.visits.last?.region || $0.region == machine.state.presence.visits[99].region
      })
    #expect(try machine.fix(Self.start + 1, Self.away).leftOut == 0)
  }
}
