package import PlotCore

/// A random feed of circles, and random inputs near them.
package struct World {
  package enum Input {
    case fix(Milliseconds, Coordinate)
    case advance(Milliseconds)

    package var time: Milliseconds {
      switch self {
      case .fix(let time, _), .advance(let time): time
      }
    }
  }

  package var regions: [Region] = []
  package var campaigns: [Campaign] = []
  package var inputs: [Input] = []
  package var cooldown: Milliseconds = 0
  package var initial = InitialPolicy.enter
  package static let begin: Milliseconds = 1_700_000_000_000

  package init(seed: UInt64, inputs count: Int = 30) {
    var generator = SplitMix64(seed)
    // Some worlds lie at a pole or on the antimeridian.
    let center = [origin, Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: -89.995, longitude: 30)]
      .randomElement(using: &generator)!
    func place(_ generator: inout SplitMix64) -> Coordinate {
      let latitude = center.latitude + Double.random(in: -0.006...0.006, using: &generator)
      var longitude = center.longitude + Double.random(in: -0.006...0.006, using: &generator)
      if longitude > 180 { longitude -= 360 }
      return Coordinate(latitude: max(-90, latitude), longitude: longitude)
    }
    for number in 0..<Int.random(in: 1...6, using: &generator) {
      // The order of the feed is not the order of the ids.
      let id = "\("qbxamc".split(separator: "")[number])\(number)"
      regions.append(circle(id, place(&generator), radius: Double.random(in: 20...600, using: &generator)))
    }
    for number in 0..<Int.random(in: 0...6, using: &generator) {
      campaigns.append(campaign(number, &generator))
    }
    var time = Self.begin
    for _ in 0..<count {
      time += generator.chance(0.1) ? 0 : Int64.random(in: 1...900_000, using: &generator)
      inputs.append(generator.chance(0.75) ? .fix(time, place(&generator)) : .advance(time))
    }
    cooldown = generator.chance(0.5) ? 0 : Int64.random(in: 1...3600, using: &generator) * 1000
    initial = generator.chance(0.5) ? .enter : .none
  }

  private func campaign(_ number: Int, _ generator: inout SplitMix64) -> Campaign {
    let trigger: Trigger =
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: .enter
      case 1: .exit
      default: .dwelling(minutes: [5, 6, 10, 15].randomElement(using: &generator)!)
      }
    let repeatRule: RepeatRule =
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: .once
      case 1: .always
      default: .after(Int64.random(in: 1...7200, using: &generator) * 1000)
      }
    let at = regions.indices.shuffled(using: &generator).prefix(Int.random(in: 1...regions.count, using: &generator))
    var campaign =
      generator.chance(0.3)
      ? geotrigger("g\(number)", trigger, at: Array(at), repeatRule: repeatRule)
      : notification("n\(number)", trigger, at: Array(at), repeatRule: repeatRule)
    if generator.chance(0.2) { campaign.values.start = Self.begin + Int64.random(in: 0...7_200_000, using: &generator) }
    if generator.chance(0.2) {
      campaign.values.end = Self.begin + Int64.random(in: 3_600_000...10_800_000, using: &generator)
    }
    return campaign
  }

  package func machine(_ configure: (inout Machine.Settings) -> Void = { _ in }) -> Machine {
    var state = State()
    state.host.apply(.cooldownPeriod(cooldown))
    var machine = Machine(state: state, feed: feed(regions, campaigns))
    machine.settings.noise = .exact
    machine.settings.initial = initial
    configure(&machine.settings)
    return machine
  }

  /// An advance to a wakeup left something undone that was due by then.
  package struct Stuck: Error {}

  /// The events of all inputs. The host shows everything at once, and advances at each wakeup or only at some.
  package func run(advancing: (Milliseconds) -> Bool = { _ in true }) throws -> [Event] {
    try live(advancing: advancing).events
  }

  /// The host after all inputs.
  package func live(
    advancing: (Milliseconds) -> Bool = { _ in true }, recordsDecisions: Bool = false
  ) throws -> TestHost {
    var host = TestHost(machine { $0.recordsDecisions = recordsDecisions })
    for input in inputs {
      while let wakeup = host.machine.nextWakeup, wakeup <= input.time, advancing(wakeup) {
        try host.wait(until: wakeup)
        guard host.machine.nextWakeup ?? .max > wakeup else { throw Stuck() }
      }
      switch input {
      case .fix(let time, let place): try host.go(place, at: time)
      case .advance(let time): try host.wait(until: time)
      }
    }
    return host
  }
}
