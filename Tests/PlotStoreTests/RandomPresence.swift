import PlotTesting

@testable import PlotCore
@testable import PlotDocuments

/// How regions are entered and left: random policies, beacons, groups, regions that move, hints and plans.
extension RandomLife {
  /// Gives regions policies of their own, and adds a group.
  mutating func enrich(_ regions: inout [Region]) {
    for index in regions.indices where regions[index].shape.isPlace {
      if generator.chance(0.3) {
        var policy = NoisePolicy.exact
        policy.confirmFixes = Int64.random(in: 1...3, using: &generator)
        policy.confirmAlone = generator.chance(0.5) ? 300_000 : 0
        policy.minInside = generator.chance(0.3) ? 30_000 : 0
        policy.minOutside = generator.chance(0.3) ? 120_000 : 0
        regions[index].noise = policy
      }
      if generator.chance(0.2) {
        regions[index].values.initial = InitialPolicy.allCases.randomElement(using: &generator)!
      }
      regions[index].values.isMoving = index == 1 && generator.chance(0.8)
      if index == 0, case .circle(let circle) = regions[0].shape {
        let ends = [90.0, 270].map { Earth.destination(from: circle.center, course: $0, metres: 2000) }
        regions[0].values.shape = .area(Area(.corridor(ends, width: circle.radius)))
      }
    }
    var group = Group(members: regions.map(\.id).filter { _ in generator.chance(0.5) } + [Identifier("eddy")])
    group.enter = Group.Enter.allCases.randomElement(using: &generator)!
    group.hold = Group.Hold.allCases.randomElement(using: &generator)!
    let eddystone = Eddystone(namespaceId: "00112233445566778899", instanceId: nil, range: .far)
    regions.append(Region(id: Identifier("eddy"), name: nil, shape: .eddystone(eddystone)))
    regions.append(Region(id: Identifier("a group"), name: nil, shape: .group(group)))
  }

  /// Gives a campaign what its trigger allows.
  mutating func enrichPresence(_ campaign: inout Campaign.Values) {
    if campaign.trigger == .exit || campaign.trigger == .enter { campaign.countsPassages = generator.chance(0.3) }
    let repeats = campaign.trigger == .enter || campaign.trigger.dwellingMinutes > 0
    if campaign.countsPassages, campaign.welcome == nil, generator.chance(0.3) {
      campaign.crossing =
        generator.chance(0.6)
        ? CrossingRule(direction: CrossingRule.Direction.allCases.randomElement(using: &generator))
        : CrossingRule(course: .init(from: 200, to: Double.random(in: 0...180, using: &generator)))
      return
    }
    if repeats, campaign.repeatRule != .once, generator.chance(0.3) { campaign.repeatEvery = 300_000 }
    if campaign.trigger.insideMinute != nil, campaign.repeatRule != .once { campaign.isDaily = generator.chance(0.5) }
    if generator.chance(0.15), campaign.welcome == nil {
      let minutes = Int64.random(in: 1...20, using: &generator)
      let rule = AbsenceRule(
        generator.chance(0.5)
          ? .lasting(minutes: minutes) : .upTo(.init(by: .random(in: 1...1440, using: &generator))),
        leastVisit: generator.chance(0.3) ? 60_000 : 0, longestGap: generator.chance(0.5) ? 120_000 : 86_400_000)
      (campaign.trigger, campaign.absence) = (.absent, rule)
      (campaign.isDaily, campaign.countsPassages) = (false, false)
      (campaign.repeatEvery, campaign.filtersAtEnter) = (nil, nil)
      return
    }
    if generator.chance(0.2), campaign.welcome == nil {
      campaign =
        Campaign(
          id: campaign.id, kind: campaign.kind, text: Template("{{field}} {{trip.é|none}}")!, data: campaign.data,
          trigger: .trip(TripMoment.allCases.randomElement(using: &generator)!), regions: campaign.regions,
          repeatRule: campaign.repeatRule
        ).values
      return
    }
    if campaign.kind == .geotrigger, generator.chance(0.2) {
      campaign =
        Campaign(
          id: campaign.id, kind: .geotrigger, text: campaign.text, data: campaign.data,
          trigger: .approaching(seconds: generator.chance(0.5) ? 60 : 600), regions: campaign.regions
        ).values
    }
  }

  /// One random word of a radio, of the system, or about a region that moves.
  mutating func presenceStep(_ device: inout Device) throws {
    switch Int.random(in: 0..<13, using: &generator) {
    case 0..<4:
      let sender: Sighting.Sender =
        generator.chance(0.5)
        ? .eddystone(namespaceId: "00112233445566778899", instanceId: "00000000000\(generator.chance(0.5) ? 1 : 2)")
        : .iBeacon(proximityUUID: "F7826DA6-4fa2-4e98-8024-bc5b71e0893e", majorId: 1, minorId: 2)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        time += 1000
        let proximity = generator.chance(0.7) ? BeaconRange.allCases.randomElement(using: &generator)! : nil
        try device.take(device.machine.update(Sighting(time: time, sender: sender, proximity: proximity)))
      }
    case 4..<6:
      guard let region = device.machine.feed.regions.first(where: \.isMoving)?.id else { return }
      let place = somewhere()
      try device.take(device.machine.moveRegion(region, to: place, at: time))
    case 6..<9:
      guard let region = device.machine.feed.regions.filter({ !$0.shape.isGroup }).randomElement(using: &generator)?.id
      else { return }
      let position = generator.chance(0.5) ? Position(somewhere(), accuracy: 20) : nil
      let kind = Hint.Kind.allCases.randomElement(using: &generator)!
      try device.take(device.machine.hint(Hint(time: time, region: region, kind: kind, position: position)))
    case 10..<13: try tripStep(&device)
    default:
      let here = Position(somewhere())
      let request = Machine.PlanRequest(time: time, here: here, budget: generator.chance(0.5) ? 3 : 20)
      try device.take(device.machine.planRegions(request).0)
    }
  }

  /// Begins a trip, gives it another plan, or ends it.
  private mutating func tripStep(_ device: inout Device) throws {
    let id = Identifier("trip \"\(Int.random(in: 0..<4, using: &generator))\"")
    if generator.chance(0.3) {
      guard device.machine.state.trips.find(id) != nil else { return }
      return try device.take(device.machine.endTrip(id, hasArrived: generator.chance(0.5), at: time))
    }
    let regions = device.machine.feed.regions.map(\.id)
    guard let region = regions.randomElement(using: &generator) else { return }
    var plan = TripPlan(id: id, region: region)
    plan.mode = TravelTime.Mode.allCases.randomElement(using: &generator)!
    if generator.chance(0.5) { plan.route = Route([somewhere(), somewhere(), somewhere()]) }
    if generator.chance(0.5) { plan.deadline = time + Int64.random(in: -100_000...3_000_000, using: &generator) }
    if generator.chance(0.5) { plan.expires = time + Int64.random(in: 1000...4_000_000, using: &generator) }
    if generator.chance(0.3) { plan.approachingMetres = 500 }
    plan.others = regions.filter { _ in generator.chance(0.3) }.filter { $0 != region }
    if generator.chance(0.5) { plan.metadata = [Identifier("é"): .string("'\""), Identifier("n"): .double(0.5)] }
    try device.take(device.machine.startTrip(plan, at: time))
  }
}
