import PlotTesting
import Testing

@testable import PlotCore

/// Whatever happens, no stretch of time has more displays than a cap allows.
@Suite struct LimitPropertyTests {
  static let minute: Milliseconds = 60_000

  struct Shown {
    var time: Milliseconds
    var campaign: String
    var region: String
    var visit: String?
    var isTagged: Bool
  }

  /// A day among four places, with a host that can or cannot show, and shows when it likes.
  static func life(_ seed: UInt64, _ caps: [Cap]) throws -> [Shown] {
    var generator = SplitMix64(seed)
    let regions = (0..<4).map { circle("r\($0)", north(Double($0) * 150), radius: 200) }
    let campaigns = (0..<6).map { number in
      notification(
        "c\(number)", [.enter, .exit, .dwelling(minutes: 5)][number % 3], at: [number % 4, (number + 1) % 4],
        repeatRule: .always
      ).with { if number % 2 == 0 { $0.tags = [Identifier("even")] } }
    }
    var machine = Machine(state: State(), feed: feed(regions, campaigns) { $0.caps = caps })
    machine.settings.noise = .exact
    machine.settings.initial = .enter
    var shown: [Shown] = []
    var open: [Item] = []
    var time: Milliseconds = 1_700_000_000_000
    for _ in 0..<250 {
      time += generator.chance(0.2) ? 0 : Int64.random(in: 1...(10 * minute), using: &generator)
      var output =
        generator.chance(0.8)
        ? try machine.fix(time, north(Double.random(in: -300...900, using: &generator))) : machine.advance(to: time)
      open += output.shows
      while let item = open.first, generator.chance(0.9) {
        open.removeFirst()
        let succeeds = generator.chance(0.7)
        output = try machine.confirm(item.matchIdentifier ?? "", shown: succeeds)
        open += output.shows
        guard succeeds else { continue }
        shown.append(
          Shown(
            time: machine.state.newest, campaign: item.campaign.text, region: item.region.text, visit: item.visit,
            isTagged: Int(item.campaign.text.dropFirst())! % 2 == 0))
      }
    }
    #expect(machine.state.history.displays.map(\.time) == shown.map(\.time), "only what was shown counts")
    return shown
  }

  /// The most in any stretch of this length that begins at one of them.
  static func most(_ shown: [Shown], in window: Milliseconds) -> Int {
    shown.map { first in shown.filter { $0.time >= first.time && $0.time < first.time + window }.count }.max() ?? 0
  }

  @Test func noStretchHasMore() throws {
    var witnesses = Witnesses()
    for seed in 0..<UInt64(steps(16)) { try Self.noStretchHasMore(seed, &witnesses) }
    #expect(
      witnesses.below([
        "all": steps(500), "tag": steps(2000), "campaign": steps(2000), "region": steps(1500), "visit": steps(3000),
        "full": steps(400), "fewer than without a cap": steps(7000), "visits": steps(1600),
      ]) == [])
  }

  private static func noStretchHasMore(_ seed: UInt64, _ witnesses: inout Witnesses) throws {
    var generator = SplitMix64(seed &+ 1000)
    let most = Int64.random(in: 1...5, using: &generator)
    let window = Int64.random(in: 5...240, using: &generator) * Self.minute
    func groups(_ shown: [Shown], _ key: (Shown) -> String) -> [[Shown]] {
      Array(Dictionary(grouping: shown, by: key).values)
    }
    let span = Cap.Span.window(window)
    let free = try Self.life(seed, [])
    let cases: [(String, Cap.Scope, ([Shown]) -> [[Shown]])] = [
      ("all", .all, { [$0] }), ("tag", .tag(Identifier("even")), { [$0.filter(\.isTagged)] }),
      ("campaign", .campaign, { shown in groups(shown) { $0.campaign } }),
      ("region", .region, { shown in groups(shown) { $0.region } }),
      ("visit", .visit, { shown in groups(shown) { $0.visit ?? "" } }),
    ]
    for (name, scope, split) in cases {
      let shown = try Self.life(seed, [Cap(scope: scope, maximum: most, span: span)])
      witnesses.see(name, shown.count)
      witnesses.see("fewer than without a cap", free.count - shown.count)
      for group in split(shown) {
        let count = Self.most(group, in: window)
        #expect(count <= most, "\(scope), seed \(seed)")
        if count == most { witnesses.see("full") }
      }
    }
    let visits = groups(try Self.life(seed, [Cap(scope: .visit, maximum: 1, span: .visit)])) { $0.visit ?? "" }
    #expect(visits.allSatisfy { $0.count == 1 })
    witnesses.see("visits", visits.count)
  }

  /// With a cap of one a rejected one is told when it could pass; a millisecond earlier it cannot, then it can.
  @Test func nextPossibleIsExact() throws {
    var generator = SplitMix64(7)
    var witnesses = Witnesses()
    let zones = try ["UTC", "Europe/Amsterdam", "America/Santiago", "Australia/Lord_Howe", "Asia/Kolkata"]
      .map(Zones.named)
    let nights = ["2026-03-28T12:00", "2026-10-24T12:00", "2026-09-05T12:00", "2026-04-04T12:00"].map(utc)
    let campaign = notification("c")
    for _ in 0..<500 {
      let span: Cap.Span =
        generator.chance(0.5)
        ? .days(Int64.random(in: 1...3, using: &generator), .device)
        : .window(Int64.random(in: 1...172_800, using: &generator) * 1000)
      let most = Int64.random(in: 1...3, using: &generator)
      let begin = nights.randomElement(using: &generator)!
      let times = (0..<5).map { _ in begin + Int64.random(in: 0...172_800_000, using: &generator) }.sorted()
      var limits = Limits(
        campaign: campaign, region: circle("a"), key: ItemKey(campaign: campaign.id, region: Identifier("a")),
        visit: "v", settings: FeedSettings(), device: zones.randomElement(using: &generator)!, time: times[4])
      limits.settings.caps = [Cap(scope: .all, maximum: most, span: span)]
      let displays = times.map {
        Display(time: $0, campaign: campaign.id, region: Identifier("a"), visit: "v", tags: [])
      }
      guard let next = limits.caps(displays)?.nextPossible else {
        witnesses.see("free")
        continue
      }
      if case .days = span { witnesses.see("days") } else { witnesses.see("window") }
      #expect(next > limits.time)
      limits.time = next - 1
      #expect(limits.caps(displays)?.passes == false, "\(limits.device.name), \(span), \(Timestamp.text(next))")
      limits.time = next
      #expect(limits.caps(displays)?.passes == true, "\(limits.device.name), \(span), \(Timestamp.text(next))")
    }
    #expect(witnesses.below(["free": 60, "days": 160, "window": 170]) == [])
  }
}
