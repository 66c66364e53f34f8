import Testing

@testable import PlotCore

/// A random feed, and random inputs near its places.
struct World {
  enum Input {
    case fix(Milliseconds, Coordinate)
    case advance(Milliseconds)

    var time: Milliseconds {
      switch self {
      case .fix(let time, _), .advance(let time): time
      }
    }
  }

  var regions: [Region] = []
  var campaigns: [Campaign] = []
  var inputs: [Input] = []
  var cooldown: Milliseconds = 0
  var initial = InitialPolicy.enter
  static let begin: Milliseconds = 1_700_000_000_000

  init(seed: UInt64, inputs count: Int = 30) {
    var generator = SeededGenerator(seed)
    // Some worlds lie at a pole or on the antimeridian.
    let center = [origin, Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: -89.995, longitude: 30)]
      .randomElement(using: &generator)!
    func place(_ generator: inout SeededGenerator) -> Coordinate {
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

  private func campaign(_ number: Int, _ generator: inout SeededGenerator) -> Campaign {
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
    if generator.chance(0.2) { campaign.start = Self.begin + Int64.random(in: 0...7_200_000, using: &generator) }
    if generator.chance(0.2) { campaign.end = Self.begin + Int64.random(in: 3_600_000...10_800_000, using: &generator) }
    return campaign
  }

  func machine(_ configure: (inout Machine.Settings) -> Void = { _ in }) -> Machine {
    var state = State()
    state.host.apply(.cooldownPeriod(cooldown))
    var machine = Machine(state: state, feed: feed(regions, campaigns))
    machine.settings.noise = .exact
    machine.settings.initial = initial
    configure(&machine.settings)
    return machine
  }

  /// All events, with a host that advances at each wakeup, or only sometimes, and shows everything at once.
  func run(advancing: (Milliseconds) -> Bool = { _ in true }) throws -> [Event] {
    var machine = machine()
    var events: [Event] = []
    for input in inputs {
      while let wakeup = machine.nextWakeup, wakeup <= input.time, advancing(wakeup) {
        let output = machine.advance(to: wakeup)
        events += try output.events + machine.confirmAll(output)
        try #require(machine.nextWakeup ?? .max > wakeup, "an advance to a wakeup does what is due")
      }
      let output =
        switch input {
        case .fix(let time, let place): try machine.fix(time, place)
        case .advance(let time): machine.advance(to: time)
        }
      events += try output.events + machine.confirmAll(output)
    }
    return events
  }

  /// The same world as the naive model sees it.
  var model: NaiveModel {
    var model = NaiveModel(
      places: regions.map { region in
        guard case .circle(let circle) = region.shape else { fatalError("a circle") }
        return NaiveModel.Place(
          id: region.id.text, latitude: circle.center.latitude, longitude: circle.center.longitude,
          radius: circle.radius)
      },
      actions: campaigns.map { campaign in
        let when: NaiveModel.When =
          switch campaign.trigger {
          case .enter: .enter
          case .exit: .exit
          case .dwelling(let minutes): .dwelling(minutes)
          case .inside, .approaching: fatalError("worlds have none")
          }
        let again: Int64? =
          switch campaign.repeatRule {
          case .once: nil
          case .always: 0
          case .after(let period): period
          }
        return NaiveModel.Action(
          id: campaign.id.text, isGeotrigger: campaign.kind == .geotrigger, when: when,
          places: campaign.regions.map { regions[$0].id.text }, start: campaign.start, end: campaign.end, again: again)
      })
    model.cooldown = cooldown
    model.entersAtFirst = initial == .enter
    return model
  }
}
