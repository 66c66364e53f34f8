import PlotTesting
import Testing

@testable import PlotCore

/// Devices that come near each other (docs/roaming.md), against a comparison of each with each.
@Suite struct RoamingTests {
  /// Every device with every other one.
  struct Model {
    var rules: Roaming.Rules
    var devices: [UInt32: (place: Coordinate, time: Milliseconds)] = [:]
    var near: Set<[UInt32]> = []

    mutating func take(_ place: Coordinate, of number: UInt32, at time: Milliseconds, fix: Int) -> [Roaming.Pair] {
      if let known = devices[number], time < known.time { return [] }
      devices[number] = (place, time)
      return devices.keys.sorted().compactMap { other in
        guard other != number, let device = devices[other] else { return nil }
        let pair = [min(number, other), max(number, other)]
        let ends = [devices[pair[0]]!.place, devices[pair[1]]!.place]
        let metres = Earth.distance(ends[0], ends[1])
        let isOld = rules.longestAge.map { abs(time - device.time) > $0 } ?? false
        let kind: Roaming.Pair.Kind
        if near.contains(pair) {
          if metres > rules.exit || isOld {
            near.remove(pair)
            kind = .exit
          } else {
            guard rules.tellsDistances else { return nil }
            kind = .near
          }
        } else {
          guard metres <= rules.enter, !isOld else { return nil }
          near.insert(pair)
          kind = .enter
        }
        return Roaming.Pair(kind, number, other, metres: metres, time: time, fix: fix)
      }
    }
  }

  /// Middles of crowds: a city, the antimeridian, both poles, and the equator.
  static let middles = [
    Coordinate(latitude: 52.36, longitude: 4.885), Coordinate(latitude: -17, longitude: 179.999),
    Coordinate(latitude: 89.999, longitude: 20), Coordinate(latitude: -89.99, longitude: -170),
    Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 90, longitude: 0),
  ]

  @Test(arguments: UInt64(1)...48) func agreesWithEachAgainstEach(_ seed: UInt64) throws {
    var generator = SplitMix64(seed)
    let middle = Self.middles[Int(seed) % Self.middles.count]
    let enter = [1.0, 50, 300, 5000, 100_000].randomElement(using: &generator)!
    let rules = Roaming.Rules(
      enter: enter, exit: enter * [1, 1.2, 3].randomElement(using: &generator)!,
      longestAge: generator.chance(0.4) ? 60_000 : nil, tellsDistances: generator.chance(0.3))
    var (roaming, model) = (Roaming(rules), Model(rules: rules))
    var time: Milliseconds = 1_000_000
    var news = 0
    for step in 0..<1500 {
      time += .random(in: 0...4000, using: &generator)
      let number = UInt32.random(in: 0..<25, using: &generator) * 171_798_691
      switch Int.random(in: 0..<40, using: &generator) {
      case 0:
        var pairs: [Roaming.Pair] = []
        let isKnown = model.devices.removeValue(forKey: number) != nil
        let gone = model.near.filter { $0.contains(number) }
        model.near.subtract(gone)
        #expect(roaming.remove(number, into: &pairs) == isKnown)
        #expect(pairs.map { [$0.devices.0, $0.devices.1] } == gone.sorted { $0.lexicographicallyPrecedes($1) })
      case 1:
        var pairs: [Roaming.Pair] = []
        roaming.expire(before: time - 90_000, into: &pairs)
        let old = Set(model.devices.filter { $0.value.time < time - 90_000 }.keys)
        for number in old { model.devices[number] = nil }
        let gone = model.near.filter { !old.isDisjoint(with: $0) }
        model.near.subtract(gone)
        #expect(Set(pairs.map { [$0.devices.0, $0.devices.1] }) == gone && pairs.allSatisfy { $0.kind == .exit })
      default:
        let place = Earth.destination(
          from: middle, course: .random(in: 0..<360, using: &generator),
          metres: enter * .random(in: 0...4, using: &generator))
        let late = generator.chance(0.1) ? time - 10_000 : time
        var pairs: [Roaming.Pair] = []
        roaming.take(place, of: number, at: late, fix: step, into: &pairs)
        let expected = model.take(place, of: number, at: late, fix: step)
        #expect(pairs == expected, "step \(step)")
        news += pairs.count
      }
      #expect(roaming.count == model.devices.count)
    }
    #expect(news > 100)
    let all = roaming.pairs()
    #expect(all.map { [$0.devices.0, $0.devices.1] } == model.near.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(all.allSatisfy { $0.kind == .near && $0.fix == nil })
  }

  /// Every place within reach lies in a cell that is looked at, also where rows and columns end.
  @Test(arguments: UInt64(1)...30) func allWithinReachIsLookedAt(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    let reach = Double.random(in: 1...100_000, using: &generator)
    let grid = RoamingGrid(reach: reach)
    for _ in 0..<300 {
      let latitude = [Double.random(in: -90...90, using: &generator), 90, -90, 89.9999, 0].randomElement(
        using: &generator)!
      let longitude = [Double.random(in: -180...180, using: &generator), 180, -180, 0].randomElement(using: &generator)!
      let middle = Coordinate(latitude: latitude, longitude: longitude)
      let other = Earth.destination(
        from: middle, course: .random(in: 0..<360, using: &generator),
        metres: reach * .random(in: 0.99...1, using: &generator))
      guard Earth.distance(middle, other) <= reach else { continue }
      var cells: [RoamingGrid.Cell] = []
      var around = grid.cells(around: middle)
      while let cell = around.next() { cells.append(cell) }
      #expect(Set(cells).count == cells.count, "each once")
      #expect(cells.contains(grid.cell(of: other)), "\(middle) \(other) \(reach)")
    }
  }

  /// A circle of the reach meets few cells wherever it lies: nobody can make a host look at many.
  @Test(arguments: [1.0, 50, 3000, 100_000]) func fewCellsAreLookedAt(_ reach: Double) {
    let grid = RoamingGrid(reach: reach)
    for latitude in stride(from: -90.0, through: 90, by: 0.37) {
      for offset in [0, 1e-5, -1e-5, 0.01, -0.01] where abs(latitude + offset) <= 90 {
        var count = 0
        var around = grid.cells(around: Coordinate(latitude: latitude + offset, longitude: 12.3))
        while around.next() != nil { count += 1 }
        #expect(count <= 24, "\(latitude + offset) \(reach)")
      }
    }
  }

  @Test func hysteresis() {
    var roaming = Roaming(Roaming.Rules(enter: 100, exit: 150))
    var pairs: [Roaming.Pair] = []
    roaming.take(origin, of: 7, at: 0, fix: 0, into: &pairs)
    for (index, metres) in [120.0, 99, 149, 151, 120, 100].enumerated() {
      roaming.take(north(metres), of: 3, at: Milliseconds(index + 1), fix: index + 1, into: &pairs)
    }
    #expect(pairs.map(\.kind) == [.enter, .exit, .enter] && pairs.map(\.fix) == [2, 4, 6])
    #expect(pairs.allSatisfy { $0.devices == (3, 7) } && Swift.abs(pairs[0].metres - 99) < 0.01)
  }
}
