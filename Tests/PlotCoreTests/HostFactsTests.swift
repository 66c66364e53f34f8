import PlotTesting
import Testing

@testable import PlotCore

/// The owner of what the host says: its changes are complete, and its invariants hold whatever comes.
@Suite struct HostFactsTests {
  /// All facts as text.
  static func text(_ facts: HostFacts) -> String {
    let properties = facts.properties.sorted { $0.key < $1.key }
    let states = facts.strategyStates.sorted { $0.key < $1.key }
    return "\(facts.isEnabled) \(facts.hasNetwork) \(facts.isForeground) \(facts.cooldownPeriod) \(facts.zone.name) "
      + "\(facts.advertising as Any) \(properties) \(facts.backgroundSince as Any) \(facts.clock as Any) \(states)"
  }

  static func change(_ generator: inout SplitMix64) throws -> HostChange {
    let number = Int64.random(in: 0...2, using: &generator)
    let name = Identifier("n\(Int.random(in: 0...1, using: &generator))")
    switch Int.random(in: 0...7, using: &generator) {
    case 0: return .enabled(number == 0)
    case 1: return .cooldownPeriod(number * 1000)
    case 2: return .property(name, number == 0 ? nil : .integer(number))
    case 3: return .zone(try Zones.named(["UTC", "Europe/Amsterdam", "Asia/Kolkata"][Int(number)]))
    case 4: return .network(number == 0)
    case 5: return .strategyState(name, "\(number)")
    case 6: return .advertising(number == 0 ? nil : Advertising(identifier: "\(number)", limitsTracking: false))
    default: return .clock(ClockReading(wall: number, monotonic: number, boot: "b"))
    }
  }

  /// A copy that gets the changes alone, as a store does, knows the same; what is no change is not told.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) throws {
    var generator = SplitMix64(seed)
    var (facts, copy) = (HostFacts(), HostFacts())
    var (told, silent) = (0, 0)
    for time in Int64(1)...400 {
      let before = Self.text(facts)
      let change =
        generator.chance(0.2)
        ? facts.take(isForeground: generator.chance(0.5), at: time) : facts.take(try Self.change(&generator))
      if let change {
        copy.apply(change)
        told += 1
      } else {
        #expect(Self.text(facts) == before)
        silent += 1
      }
      #expect(change == nil || Self.text(facts) != before || facts.isForeground == false)
      #expect(Self.text(copy) == Self.text(facts))
      #expect(
        facts.isForeground || facts.foregroundSince == nil, "since when it is in the foreground, only while it is")
      #expect(facts.backgroundSince ?? 0 <= time && facts.foregroundSince ?? 0 <= time)
    }
    #expect(told >= 190 && silent >= 120, "\(told) told, \(silent) silent")
  }

  @Test func settingsSurviveClearingAndThePersonDoesNot() throws {
    var facts = HostFacts()
    for change: HostChange in [
      .enabled(false), .cooldownPeriod(5), .property(Identifier("p"), .integer(1)),
      .zone(try Zones.named("Asia/Kolkata")),
      .network(false), .strategyState(Identifier("s"), "x"),
      .advertising(Advertising(identifier: "a", limitsTracking: false)),
      .clock(ClockReading(wall: 9, monotonic: 4, boot: "b")),
    ] {
      let told = facts.take(change)
      #expect(told != nil)
    }
    _ = facts.take(isForeground: false, at: 6)
    _ = facts.take(isForeground: true, at: 7)
    let kept = facts.withoutThePerson
    #expect(!kept.isEnabled && kept.cooldownPeriod == 5 && !kept.hasNetwork && kept.clock == facts.clock)
    #expect(kept.isForeground && kept.backgroundSince == 6 && kept.foregroundSince == 7)
    #expect(kept.properties.isEmpty && kept.strategyStates.isEmpty && kept.advertising == nil && kept.zone == .utc)
  }

  @Test func aClockThatIsSetMovesTimesOnce() {
    var facts = HostFacts()
    _ = facts.take(isForeground: false, at: 100)
    _ = facts.take(isForeground: true, at: 200)
    var isMoved = facts.takeClockMove()
    #expect(!isMoved)
    facts.moveTimes { $0 - 50 }
    #expect(facts.backgroundSince == 50 && facts.foregroundSince == 150)
    isMoved = facts.takeClockMove()
    #expect(isMoved)
    isMoved = facts.takeClockMove()
    #expect(!isMoved)
  }
}
