import PlotTesting
import Testing

@testable import PlotCore

/// A clock that jumps by years: what one input does is bounded by what waits, and not by how far the clock went. Counted in the moments that
/// `advance` lets come, each of which looks once at all that waits.
@Suite struct ClockJumpTests {
  static let minute: Milliseconds = 60_000
  static let day: Milliseconds = 86_400_000
  static let year: Milliseconds = 365 * day
  static let start = utc("2026-05-16T12:00")
  static let jumps = [year, 100 * year, 7900 * year]

  /// Where something waits, at `start` or soon after it.
  struct Waiting: Sendable, CustomTestStringConvertible {
    var name: String
    /// How many moments a jump may take at most.
    var most: Int
    var make: @Sendable () throws -> Machine

    var testDescription: String { name }
  }

  static func inside(
    _ campaigns: [Campaign], _ change: (inout FeedSettings) -> Void = { _ in },
    _ configure: (inout Machine.Settings) -> Void = { _ in }
  ) throws -> Machine {
    var machine = Machine(state: State(), feed: feed([circle("a"), circle("b", radius: 300)], campaigns, change))
    machine.settings.noise = .exact
    machine.settings.initial = .enter
    configure(&machine.settings)
    _ = machine.advance(to: start)
    let output = try machine.fix(start, origin)
    for item in output.shows { _ = try machine.confirm(item.matchIdentifier ?? "", shown: true) }
    return machine
  }

  static let deferred: Waiting = Waiting(name: "a deferred message", most: 1) {
    var machine = try inside([]) {
      $0.messages.rules = [MessageRule(condition: nil, action: .defer(.minute(600)))]
    }
    _ = machine.process(Message(id: "m", content: Content(message: "text", data: "")), at: start)
    return machine
  }

  static let silence: Waiting = Waiting(name: "a beacon that falls silent", most: 1) {
    var phone = BeaconTests.phone([beacon("a", minor: 7)])
    for second in [0, 10, 20] { try phone.hear(start / 1000 + Int64(second)) }
    #expect(phone.machine.state.presence.visits.count == 1)
    return phone.machine
  }

  static let all: [Waiting] = [
    Waiting(name: "a trigger that comes again each minute", most: 4) {
      try inside([
        geotrigger("r", at: [0, 1], repeatRule: .always).with { $0.repeatEvery = minute },
        geotrigger("s", .dwelling(minutes: 7), at: [0], repeatRule: .always).with { $0.repeatEvery = 11 * minute },
      ])
    },
    Waiting(name: "one that comes again before its region may have been left", most: 5) {
      var machine = try inside(
        [geotrigger("r", at: [0], repeatRule: .always).with { $0.repeatEvery = minute }], { _ in },
        {
          $0.noise.confirmFixes = 9
          $0.noise.confirmAlone = 90 * day
        })
      _ = machine.advance(to: start + 90 * day)
      _ = try machine.fix(start + 90 * day + minute, north(5000))
      return machine
    },
    Waiting(name: "dwellings", most: 3) {
      try inside([5, 60, 720].map { geotrigger("d\($0)", .dwelling(minutes: Int64($0)), at: [0, 1]) })
    },
    Waiting(name: "a time of day", most: 2) {
      try inside([
        geotrigger("i", .inside(minuteOfDay: 0), at: [0, 1]), geotrigger("j", .inside(minuteOfDay: 719), at: [0]),
      ])
    },
    Waiting(name: "opening hours", most: 2) {
      try inside([
        notification(
          "h", times: TriggerTimes(rule: .own(.hours(.daily((60, 90)))), zone: .device, outside: .hold),
          repeatRule: .always)
      ])
    },
    Waiting(name: "spans", most: 2) {
      try inside([
        notification(
          "h",
          times: TriggerTimes(
            rule: .own(
              .spans([TimeSpan(start: start + day, end: start + day), TimeSpan(start: start + 2 * day, end: nil)])),
            zone: .device, outside: .hold), repeatRule: .always)
      ])
    },
    Waiting(name: "quiet hours", most: 1) {
      try inside([notification("q")]) { $0.quietHours = [QuietHours(hours: .daily((600, 800)), during: .hold)] }
    },
    Waiting(name: "quiet hours that follow each other for ever", most: Limits.mostInARow) {
      try inside([notification("q")]) {
        $0.quietHours = [
          QuietHours(hours: .daily((0, 720)), during: .hold), QuietHours(hours: .daily((720, 1440)), during: .hold),
        ]
      }
    },
    Waiting(name: "a filter's deadline", most: 1) {
      try inside([notification("f")], { _ in }, { $0.hasFilter = true })
    },
    Waiting(name: "one that shows the original", most: 1) {
      try inside(
        [notification("f")], { _ in },
        {
          $0.hasFilter = true
          $0.filterFallback = .showOriginal
        })
    },
    Waiting(name: "a welcome that leaves the screen", most: 2) {
      var machine = try inside([ScreenTests.welcome { $0.minimumDisplay = 60 * minute }])
      _ = try machine.fix(start + 1000, north(250))
      return machine
    },
    deferred, silence,
  ]

  @Test(arguments: all)
  func aJumpTakesAsManyMomentsHoweverFar(_ waiting: Waiting) throws {
    var counts: [Int] = []
    for jump in Self.jumps {
      var machine = try waiting.make()
      let output = machine.advance(to: Self.start + jump)
      counts.append(output.moments)
      #expect(machine.nextWakeup ?? .max > Self.start + jump)
    }
    #expect(counts.allSatisfy { $0 <= waiting.most }, "\(counts)")
  }

  /// Each kind waits indeed: else a count of none would prove nothing.
  @Test func somethingWaits() throws {
    for waiting in Self.all {
      let machine = try waiting.make()
      if waiting.name.hasSuffix("for ever") {
        #expect(
          machine.state.delivery.waiting.isEmpty && machine.lastReason == .quietHours, "quiet hours without an end drop"
        )
      } else {
        #expect(machine.nextWakeup != nil, "\(waiting.name)")
      }
    }
  }

  /// As if the host had come at each wakeup, but for those of which nobody saw more than the last.
  @Test func theLastOfManyRepetitionsCountsAndItsNumberGoesOn() throws {
    let again = geotrigger("r", at: [0], repeatRule: .always).with { $0.repeatEvery = 7 * Self.minute }
    var machine = try Self.inside([again])
    let late = Self.start + 10 * Self.year + 3 * Self.minute
    let output = machine.advance(to: late)
    let count = (late - Self.start) / (7 * Self.minute)
    #expect(output.events.map(\.time) == [Self.start + count * 7 * Self.minute])
    #expect(machine.nextWakeup == Self.start + (count + 1) * 7 * Self.minute)
    #expect(machine.state.presence.visits.first?.repeated == Self.start + count * 7 * Self.minute)
  }

  /// Two quiet hours that leave a minute between them have an end.
  @Test func quietHoursWithAGapAreWaitedFor() throws {
    var machine = try Self.inside([notification("q")]) {
      $0.quietHours = [
        QuietHours(hours: .daily((0, 720)), during: .hold), QuietHours(hours: .daily((720, 1439)), during: .hold),
      ]
    }
    let output = machine.advance(to: Self.start + Self.day)
    #expect(output.shows.map(\.campaign.text) == ["q"] && output.moments == 1)
  }

  // MARK: The last of all times

  /// Whatever waits, a wakeup is a time that an advance takes; near the end of the year 9999 there is none.
  @Test(arguments: all)
  func aWakeupIsATimeThatIsTaken(_ waiting: Waiting) throws {
    for left in [0, 1, Self.minute, 6 * Self.minute, 13 * 60 * Self.minute, 3 * Self.day, 200 * Self.day] {
      var machine = try waiting.make()
      let end = Timestamp.range.upperBound
      _ = machine.advance(to: end - left)
      // Met anew, all of it waits again.
      _ = machine.setEnabled(false, at: end - left)
      _ = machine.setEnabled(true, at: end - left)
      _ = try machine.fix(end - left, origin)
      _ = machine.process(Message(id: "late", content: Content(message: "text", data: "")), at: end - left)
      var moments = 0
      while let wakeup = machine.nextWakeup {
        try #require(Timestamp.range.contains(wakeup), "\(left)")
        let output = machine.advance(to: wakeup)
        for item in output.shows { _ = try machine.confirm(item.matchIdentifier ?? "", shown: true) }
        try #require(machine.nextWakeup ?? .max > wakeup, "\(left)")
        moments += 1
        if moments > 10_000 { break }
      }
      _ = machine.advance(to: end)
      #expect(machine.nextWakeup == nil)
    }
  }
}
