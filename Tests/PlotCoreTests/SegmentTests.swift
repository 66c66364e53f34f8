import PlotTesting
import Testing

@testable import PlotCore

/// The rules of docs/feed.md, Segmentation, written as tables.
@Suite struct SegmentTests {
  static let name = Identifier("p")
  static let now: Milliseconds = 1_778_932_800_000

  /// The answer of a comparison about a value: true, false, or nil for unknown.
  static func truth(_ comparison: Comparison, _ value: PropertyValue?) -> Bool? {
    truth(.property(name, comparison), context(value.map { [name: $0] } ?? [:], at: now))
  }

  static func truth(_ segment: Segment, _ context: SegmentContext) -> Bool? {
    switch segment.truth(context) {
    case .yes: true
    case .no: false
    case .unknown: nil
    }
  }

  static func value(_ value: PropertyValue) -> Operand { .value(value) }

  // MARK: Every operator and every pair of types

  enum Kind: Equatable { case text, flag, number, date }

  /// Values with their kind and their place in that kind's order; booleans have none.
  static let values: [(value: PropertyValue, kind: Kind, rank: Int)] = [
    (.string(""), .text, 0), (.string("10"), .text, 1), (.string("9"), .text, 2), (.string("Z"), .text, 3),
    (.string("a"), .text, 4), (.string("cafe\u{301}"), .text, 5), (.string("caf\u{e9}"), .text, 6),
    (.string("true"), .text, 7), (.string("\u{ffff}"), .text, 8), (.string("\u{10000}"), .text, 9),
    (.boolean(false), .flag, 0), (.boolean(true), .flag, 1),
    (.double(-1e300), .number, 0), (.integer(.min), .number, 1), (.double(-0x1p63), .number, 1),
    (.integer(.min + 1), .number, 2), (.integer(-2), .number, 3), (.double(-1.5), .number, 4),
    (.integer(-1), .number, 5),
    (.double(-0.5), .number, 6), (.integer(0), .number, 7), (.double(-0.0), .number, 7), (.double(5e-320), .number, 8),
    (.integer(1), .number, 9), (.double(1), .number, 9), (.double(1.5), .number, 10), (.integer(2), .number, 11),
    (.integer(9_007_199_254_740_991), .number, 12), (.double(0x1p53), .number, 13),
    (.integer(9_007_199_254_740_992), .number, 13), (.integer(9_007_199_254_740_993), .number, 14),
    (.double(0x1p53 + 2), .number, 15), (.integer(.max - 1), .number, 16), (.integer(.max), .number, 17),
    (.double(0x1p63), .number, 18), (.double(1e300), .number, 19),
    (.date(0), .date, 0), (.date(1), .date, 1), (.date(now), .date, 2), (.date(Timestamp.range.upperBound), .date, 3),
  ]

  @Test func everyOperatorForEveryPair() {
    for a in Self.values {
      for b in Self.values {
        let comment = Comment("\(a.value) and \(b.value)")
        let operand = Self.value(b.value)
        let isSame = a.kind == b.kind
        let hasOrder = isSame && a.kind != .flag
        #expect(Self.truth(.equals(operand), a.value) == (isSame ? a.rank == b.rank : nil), comment)
        #expect(Self.truth(.differs(operand), a.value) == (isSame ? a.rank != b.rank : nil), comment)
        #expect(Self.truth(.isIn([operand]), a.value) == (isSame ? a.rank == b.rank : nil), comment)
        #expect(Self.truth(.order(.less, operand), a.value) == (hasOrder ? a.rank < b.rank : nil), comment)
        #expect(Self.truth(.order(.atMost, operand), a.value) == (hasOrder ? a.rank <= b.rank : nil), comment)
        #expect(Self.truth(.order(.atLeast, operand), a.value) == (hasOrder ? a.rank >= b.rank : nil), comment)
        #expect(Self.truth(.order(.greater, operand), a.value) == (hasOrder ? a.rank > b.rank : nil), comment)
        #expect(Self.truth(.between(operand, operand), a.value) == (hasOrder ? a.rank == b.rank : nil), comment)
      }
    }
  }

  @Test func betweenForEveryTriple() {
    for a in Self.values {
      for low in Self.values {
        for high in Self.values where high.kind == low.kind || a.kind == low.kind {
          let isKnown = a.kind == low.kind && a.kind == high.kind && a.kind != .flag
          let expected = isKnown ? a.rank >= low.rank && a.rank <= high.rank : nil
          let comparison = Comparison.between(Self.value(low.value), Self.value(high.value))
          if Self.truth(comparison, a.value) != expected {
            Issue.record("\(a.value) between \(low.value) and \(high.value)")
          }
        }
      }
    }
  }

  /// All comparisons, with an operand where they have one.
  static let all: [Comparison] = [
    .equals(.value(.integer(1))), .differs(.value(.integer(1))), .order(.less, .value(.integer(1))),
    .order(.atMost, .ago(0)), .order(.atLeast, .value(.string("a"))), .order(.greater, .value(.double(1))),
    .between(.value(.integer(0)), .value(.integer(2))), .isIn([.value(.boolean(true)), .value(.string("a"))]),
    .begins(""), .contains(""), .version(.atLeast, "0"),
  ]

  @Test func aMissingPropertyIsUnknownToAllButExists() {
    for comparison in Self.all {
      let segment = Segment.property(Self.name, comparison)
      #expect(segment.truth(context()) == .unknown(Self.name, isMissing: true), "\(comparison)")
      #expect(Segment.not(segment).truth(context()) == .unknown(Self.name, isMissing: true), "\(comparison)")
      let other = context([Identifier("P"): .integer(1)])
      #expect(segment.truth(other) == .unknown(Self.name, isMissing: true), "names differ in case")
    }
    #expect(Self.truth(.exists(true), nil) == false && Self.truth(.exists(false), nil) == true)
    for (value, _, _) in Self.values {
      #expect(Self.truth(.exists(true), value) == true && Self.truth(.exists(false), value) == false)
    }
  }

  @Test func aPropertyOfAnotherTypeIsUnknown() {
    let segment = Segment.property(Self.name, .equals(.value(.integer(1))))
    let text = context([Self.name: .string("1")])
    #expect(segment.truth(text) == .unknown(Self.name, isMissing: false))
    #expect(Segment.not(segment).truth(text) == .unknown(Self.name, isMissing: false))
    for (value, kind, _) in Self.values where kind != .text {
      for comparison in [Comparison.begins(""), .contains(""), .version(.atLeast, "0")] {
        #expect(Self.truth(comparison, value) == nil, "\(comparison) of \(value)")
      }
    }
  }

  @Test func isInIsTrueForOneKnownWhenOneCanBeCompared() {
    let mixed = Comparison.isIn([.value(.integer(1)), .value(.string("a")), .ago(0)])
    #expect(Self.truth(mixed, .integer(1)) == true && Self.truth(mixed, .double(1)) == true)
    #expect(Self.truth(mixed, .string("a")) == true && Self.truth(mixed, .date(Self.now)) == true)
    #expect(Self.truth(mixed, .integer(2)) == false && Self.truth(mixed, .string("b")) == false)
    #expect(Self.truth(mixed, .boolean(true)) == nil && Self.truth(mixed, nil) == nil)
  }

  // MARK: Numbers

  @Test func integersAndDoublesCompareExactly() {
    var generator = SplitMix64(11)
    var witnesses = Witnesses()
    for _ in 0..<5000 {
      let shift = Int64.random(in: 0..<63, using: &generator)
      let integer = Int64.random(in: .min ... .max, using: &generator) >> shift
      for double in [Double(integer), Double(integer).nextUp, Double(integer).nextDown, Double(integer) + 0.5] {
        // By the definition: below the smallest integer that is not less, above the largest that is not greater.
        let expected: Int
        if let whole = Int64(exactly: double) {
          expected = integer < whole ? -1 : integer > whole ? 1 : 0
        } else if abs(double) >= 0x1p63 {
          expected = double > 0 ? -1 : 1
        } else {
          expected = integer <= Int64(double.rounded(.down)) ? -1 : 1
        }
        #expect(Comparison.sign(.integer(integer), .double(double)) == expected, "\(integer) and \(double)")
        #expect(Comparison.sign(.double(double), .integer(integer)) == -expected, "\(double) and \(integer)")
        witnesses.see(expected < 0 ? "less" : expected > 0 ? "greater" : "equal")
        if Double(integer) == double, expected != 0 { witnesses.see("equal only as doubles") }
      }
    }
    #expect(
      witnesses.below(["less": 7900, "equal": 3500, "greater": 4500, "equal only as doubles": 1000])
        == [])
  }

  // MARK: Texts

  @Test(arguments: [
    ("", "", true, true), ("a", "", true, true), ("", "a", false, false), ("abc", "ab", true, true),
    ("abc", "bc", false, true), ("abc", "abc", true, true), ("abc", "abcd", false, false), ("Abc", "a", false, false),
    ("aab", "ab", false, true), ("caf\u{e9}", "caf\u{e9}", true, true), ("cafe\u{301}", "caf\u{e9}", false, false),
    // One text in another's bytes, though not in its characters.
    ("cafe\u{301}", "cafe", true, true), ("👨‍👩‍👧", "👨", true, true), ("x👨‍👩‍👧", "👧", false, true), ("\r\n", "\n", false, true),
  ])
  func beginsAndContains(_ text: String, _ part: String, _ begins: Bool, _ contains: Bool) {
    #expect(Self.truth(.begins(part), .string(text)) == begins)
    #expect(Self.truth(.contains(part), .string(text)) == contains)
  }

  /// a, b, sign; nil when one of them is no version.
  @Test(arguments: [
    ("1.10", "1.9", 1), ("1.9", "1.10", -1), ("1", "1.0.0", 0), ("1.0.1", "1", 1), ("1.10.2", "1.10.10", -1),
    ("01.002", "1.2", 0), ("0", "0.0", 0), ("2", "1.99.99", 1), ("999999999999999999", "999999999999999998", 1),
    ("1.2", "1.2", 0), ("", "1", nil), ("1.", "1", nil), (".1", "1", nil), ("1..2", "1", nil), ("1.2-beta", "1", nil),
    ("v1", "1", nil), (" 1", "1", nil), ("-1", "1", nil), ("+1", "1", nil), ("1.a", "1", nil), ("١", "1", nil),
    ("1000000000000000000", "1", nil),
  ])
  func versions(_ a: String, _ b: String, _ sign: Int?) {
    #expect(Comparison.isVersion(b) && Comparison.isVersion(a) == (sign != nil))
    for order in Comparison.Order.allCases {
      let expected: Bool? = sign.map { order.accepts($0) }
      #expect(Self.truth(.version(order, b), .string(a)) == expected, "\(a) \(order) \(b)")
    }
    #expect(Comparison.Order.allCases.filter { $0.accepts(0) } == [.atMost, .atLeast])
    #expect(Comparison.Order.allCases.filter { $0.accepts(-1) } == [.less, .atMost])
    #expect(Comparison.Order.allCases.filter { $0.accepts(1) } == [.atLeast, .greater])
  }

  // MARK: Dates

  @Test func agoAndAheadCountFromNow() {
    let week: Milliseconds = 604_800_000
    let recent = Comparison.order(.atLeast, .ago(week))
    #expect(Self.truth(recent, .date(Self.now)) == true && Self.truth(recent, .date(Self.now - week)) == true)
    #expect(Self.truth(recent, .date(Self.now - week - 1)) == false)
    let soon = Comparison.between(.ago(0), .ago(-3_600_000))
    #expect(Self.truth(soon, .date(Self.now)) == true && Self.truth(soon, .date(Self.now + 3_600_000)) == true)
    #expect(Self.truth(soon, .date(Self.now - 1)) == false && Self.truth(soon, .date(Self.now + 3_600_001)) == false)
    #expect(Self.truth(soon, .integer(Self.now)) == nil, "a number is no date")
    #expect(Self.truth(.equals(.ago(5)), .date(Self.now - 5)) == true)
    #expect(Self.truth(.differs(.ago(5)), .date(Self.now - 5)) == false)
    #expect(Self.truth(.order(.less, .ago(1 << 50)), .date(0)) == false, "before 1970")
  }
}
