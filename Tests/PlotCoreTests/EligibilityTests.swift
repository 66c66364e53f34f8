import PlotTesting
import Testing

@testable import PlotCore

@Suite struct EligibilityTests {
  /// A value of each type, several of the numbers. Equal are those with the same letter.
  static let values: [(PropertyValue, Character)] = [
    (.string("1"), "a"), (.string("caf\u{e9}"), "b"), (.string("cafe\u{301}"), "c"), (.string(""), "d"),
    (.string("true"), "e"), (.boolean(true), "f"), (.boolean(false), "g"), (.integer(1), "h"), (.double(1), "h"),
    (.integer(0), "i"), (.double(0), "i"), (.double(-0.0), "i"), (.double(1.5), "j"), (.date(1), "k"), (.date(0), "l"),
    (.integer(.max), "m"), (.double(9_223_372_036_854_775_808), "n"), (.integer(.min), "o"),
    (.double(-9_223_372_036_854_775_808), "o"), (.integer(9_007_199_254_740_993), "p"),
    (.double(9_007_199_254_740_992), "q"), (.integer(9_007_199_254_740_992), "q"), (.double(1e300), "r"),
    (.string("0"), "s"), (.string("1.0"), "t"),
  ]

  @Test func matchesForAllPairs() {
    for (value, a) in Self.values {
      for (expected, b) in Self.values {
        #expect((Comparison.isEqual(value, expected) == true) == (a == b), "\(value) and \(expected)")
      }
    }
  }

  @Test func validity() {
    let open = notification("a")
    let both = notification("a", start: 1000, end: 2000)
    #expect(Eligibility.validity(open, at: 0).passes)
    #expect(Eligibility.validity(open, at: Timestamp.range.upperBound).passes)
    let early = Eligibility.validity(both, at: 999)
    #expect(!early.passes && early.step == .validity && early.reason == .notStarted && early.nextPossible == 1000)
    #expect(Eligibility.validity(both, at: 1000).reason == .valid)
    #expect(Eligibility.validity(both, at: 1999).passes)
    let late = Eligibility.validity(both, at: 2000)
    #expect(!late.passes && late.reason == .ended && late.nextPossible == nil)
  }

  @Test func segmentation() {
    let campaign = notification(
      "a",
      segmentation: .all([equals("premium", .boolean(true)), equals("level", .integer(3))]))
    let premium = Identifier("premium")
    let level = Identifier("level")
    func outcome(_ properties: [Identifier: PropertyValue]) -> (Reason, String?) {
      let outcome = Eligibility.segmentation(campaign, context(properties))
      #expect(outcome.step == .segmentation)
      #expect(outcome.passes == (outcome.reason == .matched))
      return (outcome.reason, outcome.detail)
    }
    #expect(outcome([:]) == (.propertyMissing, "premium"))
    #expect(outcome([level: .integer(3)]) == (.propertyMissing, "premium"))
    #expect(outcome([premium: .boolean(false)]) == (.propertyDiffers, "premium"))
    #expect(outcome([premium: .string("true"), level: .integer(3)]) == (.propertyDiffers, "premium"))
    #expect(outcome([premium: .boolean(true)]) == (.propertyMissing, "level"))
    #expect(outcome([premium: .boolean(true), level: .integer(4)]) == (.propertyDiffers, "level"))
    #expect(outcome([premium: .boolean(true), level: .double(3)]) == (.matched, nil))
    #expect(Eligibility.segmentation(notification("b"), context()).reason == .matched)
  }

  /// rule, last shown, in flight, at; reason, next.
  static let repetitions: [(RepeatRule, Milliseconds?, Bool, Milliseconds, Reason, Milliseconds?)] = [
    (.once, nil, false, 0, .allowed, nil), (.once, 0, false, .max, .onceOnly, nil),
    (.once, nil, true, 0, .inFlight, nil),
    (.always, nil, false, 0, .allowed, nil), (.always, 5, false, 5, .allowed, nil),
    (.always, 5, true, 9, .inFlight, nil),
    (.after(1000), nil, false, 0, .allowed, nil), (.after(1000), 500, false, 1499, .campaignCooldown, 1500),
    (.after(1000), 500, false, 1500, .allowed, nil), (.after(1000), 500, true, 9000, .inFlight, nil),
  ]

  @Test func repetition() {
    for (rule, lastShown, isInFlight, time, reason, next) in Self.repetitions {
      let outcome = Eligibility.repetition(
        notification("a", repeatRule: rule), lastShown: lastShown, isInFlight: isInFlight, at: time)
      #expect(outcome.reason == reason, "\(rule) \(lastShown as Any) \(isInFlight) \(time)")
      #expect(outcome.step == .repeat)
      #expect(outcome.passes == (reason == .allowed))
      #expect(outcome.nextPossible == next)
    }
  }
}
