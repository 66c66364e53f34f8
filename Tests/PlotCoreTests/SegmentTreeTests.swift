import PlotTesting
import Testing

@testable import PlotCore

/// Trees: three values, history and country.
@Suite struct SegmentTreeTests {
  /// One leaf for each of the three.
  static let yes = equals("known", .integer(1))
  static let no = equals("known", .integer(2))
  static let missing = equals("missing", .integer(1))
  static let other = equals("known", .string("1"))
  static let leaves: [(Segment, Bool?)] = [(yes, true), (no, false), (missing, nil), (other, nil)]
  static let properties: [Identifier: PropertyValue] = [Identifier("known"): .integer(1)]

  static func truth(_ segment: Segment) -> Bool? { SegmentTests.truth(segment, context(properties)) }

  @Test func kleene() {
    for (a, x) in Self.leaves {
      #expect(Self.truth(a) == x)
      #expect(Self.truth(.not(a)) == x.map { !$0 })
      #expect(Self.truth(.not(.not(a))) == x)
      #expect(Self.truth(.all([a])) == x && Self.truth(.any([a])) == x)
      for (b, y) in Self.leaves {
        #expect(Self.truth(.all([a, b])) == (x == false || y == false ? false : x == nil || y == nil ? nil : true))
        #expect(Self.truth(.any([a, b])) == (x == true || y == true ? true : x == nil || y == nil ? nil : false))
      }
    }
  }

  /// A random tree, and what Kleene's three-valued logic says about it (with the least and the greatest of 0, 1 and 2).
  static func tree(_ depth: Int, _ generator: inout SplitMix64) -> (Segment, Int) {
    let kind = depth == 0 ? 0 : Int.random(in: 0..<4, using: &generator)
    if kind == 0 {
      let (leaf, truth) = leaves.randomElement(using: &generator)!
      return (leaf, truth == true ? 2 : truth == false ? 0 : 1)
    }
    let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in tree(depth - 1, &generator) }
    switch kind {
    case 1: return (.all(parts.map(\.0)), parts.map(\.1).min()!)
    case 2: return (.any(parts.map(\.0)), parts.map(\.1).max()!)
    default: return (.not(parts[0].0), 2 - parts[0].1)
    }
  }

  @Test func randomTrees() {
    var generator = SplitMix64(21)
    var counts = [0, 0, 0]
    var conjunctions = 0
    for _ in 0..<5000 {
      let (tree, value) = Self.tree(5, &generator)
      counts[value] += 1
      if Self.truth(tree) != [false, nil, true][value] { Issue.record("\(tree)") }
      // De Morgan.
      if case .all(let parts) = tree {
        conjunctions += 1
        #expect(Self.truth(tree) == Self.truth(.not(.any(parts.map { .not($0) }))))
      }
    }
    #expect(counts.min()! >= 1100 && conjunctions >= 1000, "\(counts) and \(conjunctions)")
  }

  @Test func theOutcomeNamesWhatDecides() {
    func outcome(_ segment: Segment) -> (Reason, String?) {
      let outcome = Eligibility.segmentation(notification("c", segmentation: segment), context(Self.properties))
      return (outcome.reason, outcome.detail)
    }
    #expect(outcome(Self.yes) == (.matched, nil))
    #expect(outcome(Self.no) == (.propertyDiffers, "known"))
    #expect(outcome(Self.missing) == (.propertyMissing, "missing"))
    #expect(outcome(Self.other) == (.propertyDiffers, "known"))
    #expect(outcome(.all([Self.missing, Self.no])) == (.propertyDiffers, "known"), "false comes before unknown")
    #expect(outcome(.all([Self.yes, Self.missing, Self.other])) == (.propertyMissing, "missing"), "the first unknown")
    #expect(outcome(.any([Self.no, Self.missing])) == (.propertyMissing, "missing"))
    #expect(outcome(.not(Self.yes)) == (.propertyDiffers, "known"))
    #expect(outcome(.not(.shown(Identifier("x"), within: nil))) == (.matched, nil))
    #expect(outcome(.opened(Identifier("x"), within: nil)) == (.propertyDiffers, "x"))
    #expect(outcome(.country(["NLD"])) == (.propertyDiffers, nil))
  }

  @Test func history() {
    let campaign = Identifier("c")
    let now: Milliseconds = 10_000_000
    func truth(_ segment: Segment, shown: Milliseconds? = nil, opened: Milliseconds? = nil) -> Bool? {
      SegmentTests.truth(
        segment,
        context(at: now, shown: shown.map { [campaign: $0] } ?? [:], opened: opened.map { [campaign: $0] } ?? [:]))
    }
    #expect(truth(.shown(campaign, within: nil)) == false && truth(.opened(campaign, within: nil)) == false)
    #expect(truth(.not(.shown(campaign, within: 1000))) == true, "never shown is known")
    #expect(truth(.shown(campaign, within: nil), shown: 0) == true)
    #expect(
      truth(.shown(campaign, within: nil), opened: 0) == false
        && truth(.opened(campaign, within: nil), shown: 0) == false)
    #expect(truth(.opened(campaign, within: nil), opened: 0) == true)
    #expect(truth(.shown(Identifier("d"), within: nil), shown: 0) == false)
    for (time, expected) in [(now, true), (now - 999, true), (now - 1000, true), (now - 1001, false), (0, false)] {
      #expect(truth(.shown(campaign, within: 1000), shown: time) == expected, "shown at \(time)")
      #expect(truth(.opened(campaign, within: 1000), opened: time) == expected, "opened at \(time)")
    }
  }

  @Test func country() {
    func truth(_ countries: [String], _ country: String?) -> Bool? {
      SegmentTests.truth(.country(countries), context(country: country))
    }
    #expect(truth(["NLD"], "NLD") == true && truth(["BEL", "NLD"], "NLD") == true && truth(["BEL"], "NLD") == false)
    #expect(truth(["NLD"], nil) == false)
  }

  @Test func mentions() {
    let tree = Segment.any([
      .all([equals("a", .integer(1)), .not(.property(Identifier("b"), .exists(true)))]),
      .shown(Identifier("c"), within: nil),
      .opened(Identifier("d"), within: nil), .country(["NLD"]),
    ])
    #expect(["a", "b", "c", "d", "A", "NLD", ""].filter { tree.mentions(Identifier($0)) } == ["a", "b"])
  }
}
