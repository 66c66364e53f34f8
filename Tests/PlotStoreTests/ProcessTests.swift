import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// A life in many processes is the same as one in one process: nothing that decides ends with a process.
@Suite struct ProcessTests {
  /// Inputs of all kinds, beacons, hints, regions that move, passages, approaches and new feeds among them.
  @Test(arguments: NoisePolicy.presets.map(\.name), [1, 2, 7])
  func aRandomLife(_ policy: String, _ count: Int) throws {
    let folder = try Folder()
    for seed in UInt64(500)..<500 + UInt64(steps(4)) {
      var (one, many) = (try Device(path: folder.path("one\(seed)")), try Device(path: folder.path("many\(seed)")))
      one.machine.settings.noise = try #require(NoisePolicy.preset(policy))
      many.machine.settings.noise = one.machine.settings.noise
      var (first, second) = (RandomLife(seed: seed, hasRadio: true), RandomLife(seed: seed, hasRadio: true))
      try one.take(one.machine.setFeed(first.feed(), at: first.time))
      try many.take(many.machine.setFeed(second.feed(), at: second.time))
      for step in 0..<steps(320) {
        try first.step(&one)
        try second.step(&many)
        if step % count == 0 {
          // A start repeats what the host has not answered yet.
          try one.settle()
          try many.settle()
          try many.restart()
        }
        try #require(many.machine.page.bytes == one.machine.page.bytes, "seed \(seed), step \(step)")
        try #require(many.outbox.map(\.json) == one.outbox.map(\.json), "seed \(seed), step \(step)")
      }
      #expect(dump(many.machine.state, lasting: true) == dump(one.machine.state, lasting: true), "seed \(seed)")
      #expect(one.machine.state.sequence > 15)
      one.store.close()
      many.store.close()
    }
  }

  /// Dense fixes with correlated errors and outliers around a few regions: the track, jumps, suspects and rest.
  /// Fixes on the fast path are kept by themselves; with decisions there are few.
  @Test(arguments: NoisePolicy.presets.map(\.name), [(true, 1), (false, 1), (false, 7), (false, 50)])
  func aNoisyWalk(_ policy: String, _ life: (decisions: Bool, count: Int)) throws {
    let folder = try Folder()
    let regions = (0..<4).map { number in
      Region(
        id: Identifier("r\(number)"), name: nil,
        shape: .circle(
          Circle(
            center: Coordinate(latitude: 52.36 + Double(number) * 0.002, longitude: 4.885),
            radius: 60 + 40 * Double(number))))
    }
    let feed = try Feed.parse(
      Feed(revision: nil, regions: regions, campaigns: [], settings: FeedSettings(), categories: [], digest: "").json)
    var one = try Device(path: folder.path("one.db"))
    var many = try Device(path: folder.path("many.db"))
    one.machine.settings.noise = try #require(NoisePolicy.preset(policy))
    many.machine.settings.noise = one.machine.settings.noise
    one.machine.settings.recordsDecisions = life.decisions
    many.machine.settings.recordsDecisions = life.decisions
    var (fast, whole) = (0, 0)
    var time: Milliseconds = 1_700_000_000_000
    try one.take(one.machine.setFeed(feed, at: time))
    try many.take(many.machine.setFeed(feed, at: time))
    var random = SplitMix64(11)
    var (error, held) = ((0.0, 0.0), 0)
    // Four places, with a rest at each.
    let count = steps(1600)
    for step in 0..<count {
      time += [1000, 1000, 5000, 60_000].randomElement(using: &random)!
      let progress = Double(step / (count / 4)) * 0.0015 + min(Double(step % (count / 4)) / 60, 1) * 0.0015
      error = (
        0.9 * error.0 + Double.random(in: -6...6, using: &random),
        0.9 * error.1 + Double.random(in: -6...6, using: &random)
      )
      if held == 0, random.chance(0.03) { held = Int.random(in: 1...8, using: &random) }
      let jump = held > 0 ? 300.0 : 0
      held = max(0, held - 1)
      let fix = Fix(
        time: time,
        coordinate: Coordinate(
          latitude: 52.359 + progress + error.0 / 111_000, longitude: 4.885 + (error.1 + jump) / 68_000),
        accuracy: random.chance(0.1) ? 600 : 15)
      let expected = try? one.machine.takeInFull(fix)
      if let expected { try one.take(expected) }
      if many.machine.takeFast(fix) {
        #expect(expected?.effects.isEmpty == true, "step \(step)")
        fast += 1
        if !many.store.save(fix) {
          whole += 1
          many.store.save(many.machine.page)
        }
      } else {
        let output = try? many.machine.update(fix)
        #expect("\(expected?.effects as Any)" == "\(output?.effects as Any)", "step \(step)")
        if let output { try many.take(output) }
      }
      if step % life.count == 0 { try many.restart() }
      try #require(many.machine.page.bytes == one.machine.page.bytes, "step \(step)")
    }
    #expect(one.machine.state.sequence >= 4)
    #expect(fast > (life.decisions ? 0 : count / 10) && (life.count < 50 || whole > 0), "\(fast), \(whole)")
    one.store.close()
    many.store.close()
  }
}
