import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// A campaign that is called impossible never fires: rules against the code that decides, with random documents.
@Suite struct LintPropertyTests {
  // MARK: Segmentation

  static let now: Milliseconds = 1_780_000_000_000
  static let texts = ["", "a", "ab", "abc", "b", "1", "1.2", "1.10", "2"]
  static let values: [PropertyValue] =
    texts.map { .string($0) } + [.boolean(true), .boolean(false)] + (-1...4).map { .integer($0) }
    + [0.5, 1, 1.5, 2.5, 3.5].map { .double($0) } + (-3...3).map { .date(now + $0 * 500) }

  static func operand(_ random: inout SplitMix64, ordered: Bool = false) -> Operand {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .ago(Milliseconds.random(in: -2...2, using: &random) * 500)
    case 1: .value(.date(now + Milliseconds.random(in: -2...2, using: &random) * 500))
    case 2: .value(.string(texts.randomElement(using: &random)!))
    case 3 where !ordered: .value(.boolean(.random(using: &random)))
    case 4: .value(.double(Double.random(in: 0...3, using: &random).rounded() + 0.5))
    default: .value(.integer(.random(in: 0...3, using: &random)))
    }
  }

  static func comparison(_ random: inout SplitMix64) -> Comparison {
    let order = Comparison.Order.allCases.randomElement(using: &random)!
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .equals(operand(&random))
    case 1: return .differs(operand(&random))
    case 2: return .between(operand(&random, ordered: true), operand(&random, ordered: true))
    case 3: return .isIn([operand(&random), operand(&random)])
    case 4: return .exists(.random(using: &random))
    case 5: return .begins(texts.randomElement(using: &random)!)
    case 6: return .contains(texts.randomElement(using: &random)!)
    case 7: return .version(order, ["1", "1.2", "1.10", "2"].randomElement(using: &random)!)
    default: return .order(order, operand(&random, ordered: true))
    }
  }

  static func segment(_ random: inout SplitMix64, depth: Int) -> Segment {
    let kind = Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random)
    func parts() -> [Segment] {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in segment(&random, depth: depth - 1) }
    }
    switch kind {
    case 3:
      return .shown(
        Identifier(Bool.random(using: &random) ? "x" : "y"), within: [nil, 500, 1000].randomElement(using: &random)!)
    case 4: return .country(["NLD"])
    case 5: return .all(parts())
    case 6: return .any(parts())
    case 7: return .not(segment(&random, depth: depth - 1))
    default: return .property(Identifier(Bool.random(using: &random) ? "p" : "q"), comparison(&random))
    }
  }

  @Test func noSegmentationThatMatchesIsCalledImpossible() {
    var random = SplitMix64(7)
    var (impossible, matched) = (0, 0)
    for _ in 0..<6000 {
      let segment = Self.segment(&random, depth: 3)
      let country = ["NLD", "BEL"].randomElement(using: &random)!
      var culprits: Set<String> = []
      let canBe = SegmentWays(place: .init(country: country, travel: nil), campaign: nil).canBeTrue(segment, &culprits)
      if !canBe { impossible += 1 }
      for _ in 0..<60 {
        var properties: [Identifier: PropertyValue] = [:]
        for name in ["p", "q"] where Int.random(in: 0..<4, using: &random) > 0 {
          properties[Identifier(name)] = Self.values.randomElement(using: &random)!
        }
        var shown: NumberTable<Identifier> = [:]
        for name in ["x", "y"] where Bool.random(using: &random) {
          shown.set(Identifier(name), Self.now - Milliseconds.random(in: 0...3, using: &random) * 400)
        }
        let context = SegmentContext(
          time: Self.now, country: country, properties: properties, shown: shown, opened: [:])
        guard segment.truth(context) == .yes else { continue }
        matched += 1
        #expect(canBe, "\(segment) with \(properties), \(shown), \(country)")
      }
    }
    #expect(impossible >= 820 && matched >= 75_000, "\(impossible) impossible, \(matched) matches")
  }

  // MARK: Times

  static func hours(_ random: inout SplitMix64, first: Int64) -> OpeningHours {
    func spans() -> [OpeningHours.Span] {
      (0..<Int.random(in: 0...1, using: &random)).map { _ in
        OpeningHours.Span(
          start: .random(in: 0...47, using: &random) * 30, end: Int64.random(in: 0...48, using: &random) * 30)
      }
    }
    let week = (0..<7).map { _ in spans() }
    var exceptions: [Int64: [OpeningHours.Span]] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      exceptions[first + .random(in: 0...12, using: &random)] = spans()
    }
    return OpeningHours(week: week, exceptions: exceptions)
  }

  @Test func noTimeThatComesIsCalledImpossible() throws {
    var random = SplitMix64(11)
    let amsterdam = try #require(ZoneFiles().zone("Europe/Amsterdam"))
    let tokyo = try #require(ZoneFiles().zone("Asia/Tokyo"))
    let half: Milliseconds = 1_800_000
    var (impossible, possible) = (0, 0)
    for round in 0..<3000 {
      // Now and then over the nights in which clocks change.
      let base: Milliseconds = [1_780_272_000_000, 1_774_656_000_000, 1_792_800_000_000].randomElement(using: &random)!
      let start = base + Milliseconds.random(in: 0...96, using: &random) * half
      let end = start + Milliseconds.random(in: 1...300, using: &random) * half
      let zone = [amsterdam, tokyo, nil].randomElement(using: &random)!
      let day = start / 86_400_000
      let opening = Self.hours(&random, first: day)
      let quiet = (0..<Int.random(in: 0...2, using: &random)).map { _ in Self.hours(&random, first: day) }
      let moments = Moments(within: start, end, zone: zone, hours: opening, minute: nil, quiet: quiet)
      let actual = zone ?? (round % 2 == 0 ? tokyo : amsterdam)
      let comes = stride(from: start, to: end, by: Int(half)).contains { time in
        opening.isOpen(at: time, in: actual) && !quiet.contains { $0.isOpen(at: time, in: actual) }
      }
      if comes { possible += 1 } else if !moments.exist { impossible += 1 }
      #expect(moments.exist || !comes, "\(opening), not \(quiet), from \(start) to \(end) in \(actual.name)")
    }
    #expect(impossible >= 440 && possible >= 1800, "\(impossible) impossible, \(possible) possible")
  }
}
