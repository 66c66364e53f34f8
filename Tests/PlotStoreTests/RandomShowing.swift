import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// How notifications stand beside others: random keys of campaigns and settings, and what the host says of itself.
extension RandomLife {
  private static let night = OpeningHours.daily((0, 720), (1300, 60))

  /// Gives a campaign some of the keys that its kind and its trigger allow.
  mutating func enrich(_ campaign: inout Campaign.Values, _ regions: [Region]) {
    campaign.cooldownAnchor = CooldownAnchor.allCases.randomElement(using: &generator)!
    if generator.chance(0.15) { campaign.trigger = .inside(minuteOfDay: Int64.random(in: 0..<1440, using: &generator)) }
    if generator.chance(0.2) {
      var links = [Chain.Link(region: place(in: regions), event: .enter)]
      if generator.chance(0.4) { links.append(Chain.Link(region: place(in: regions), event: .exit, isForbidden: true)) }
      if generator.chance(0.4) { links.append(Chain.Link(region: place(in: regions), event: .dwelling(minutes: 5))) }
      campaign.after = Chain(links: links, within: generator.chance(0.5) ? 3_600_000 : nil)
    }
    if generator.chance(0.15) { campaign.visits = VisitRule(from: 1, to: nil, every: 2) }
    guard campaign.kind != .geotrigger else { return }
    campaign.priority = Int64.random(in: -1...1, using: &generator)
    campaign.stay.endsAtExit = generator.chance(0.3)
    campaign.stay.endsWithCampaign = generator.chance(0.3)
    if generator.chance(0.2) { campaign.stay.expireAfter = Int64.random(in: 1...1200, using: &generator) * 1000 }
    if generator.chance(0.3) { campaign.correlationKey = Template(generator.chance(0.5) ? "k1" : "é {{field}}")! }
    if generator.chance(0.2) { campaign.exclusionGroup = Identifier("x") }
    if generator.chance(0.4) { campaign.coalescingGroup = Identifier("many") }
    if campaign.trigger.dwellingMinutes > 0 { campaign.filtersAtEnter = generator.chance(0.7) }
    if campaign.trigger == .enter, generator.chance(0.3) {
      campaign.welcome = Welcome(
        period: 600_000,
        offline: generator.chance(0.7)
          ? Welcome.Content(message: Template("offline '{{field}}'")!, data: Template("")!) : nil,
        minimumDisplay: 300_000, isAlone: generator.chance(0.3))
    }
    if generator.chance(0.5) { campaign.tags = [Identifier("t"), Identifier("u")] }
    if generator.chance(0.2) { campaign.caps = [Cap(scope: .campaign, maximum: 2, span: .window(3_600_000))] }
    if generator.chance(0.1) { campaign.quietHours = [quietHours(tag: nil)] }
    if campaign.trigger == .exit { campaign.quietHours = campaign.quietHours.filter { $0.during != .holdInside } }
  }

  private mutating func place(in regions: [Region]) -> Identifier { regions.randomElement(using: &generator)!.id }

  private mutating func quietHours(tag: Identifier?) -> QuietHours {
    QuietHours(
      tag: tag, hours: Self.night, zone: .device, during: [.hold, .holdInside, .drop].randomElement(using: &generator)!)
  }

  /// Adds to a feed's settings.
  mutating func enrich(_ settings: inout FeedSettings) {
    settings.notificationsEnabled = generator.chance(0.97)
    if generator.chance(0.5) {
      settings.slots = Slots(count: 2, whenFull: Slots.WhenFull.allCases.randomElement(using: &generator)!)
    }
    settings.specificFirst = generator.chance(0.5)
    if generator.chance(0.4) {
      settings.coalescing = [
        Coalescing(
          group: Identifier("many"), atLeast: 2, message: Template("{{count}} of '{{field}}'")!,
          within: settings.specificFirst ? 600_000 : 0)
      ]
    }
    if settings.specificFirst {
      settings.exclusion = [Exclusion(group: Identifier("x"), within: 900_000)]
      settings.specificWithin = settings.slots == nil ? 20_000 : nil
    }
    let strategies: [Strategy] = [
      Strategy(key: Identifier("max"), rule: .maximum(3, window: 1_800_000), isEnabled: true),
      Strategy(
        key: Identifier("time"),
        rule: .minimumTime(60_000, after: Strategy.Anchor.allCases.randomElement(using: &generator)!), isEnabled: true),
      Strategy(key: Identifier("same"), rule: .sameContent(.data), isEnabled: generator.chance(0.5)),
      Strategy(
        key: Identifier("own"), rule: .custom(parameters: #"{"a":"é"}"#), isEnabled: generator.chance(0.8)),
    ]
    settings.strategies = strategies.filter { _ in generator.chance(0.25) }
    if generator.chance(0.3) {
      settings.caps = [
        Cap(scope: .all, maximum: 20, span: .days(1, .device)),
        Cap(scope: .tag(Identifier("t")), maximum: 2, span: .window(1_800_000)),
        Cap(scope: .visit, maximum: 3, span: .visit),
      ]
    }
    if generator.chance(0.15) { settings.quietHours = [quietHours(tag: generator.chance(0.5) ? Identifier("u") : nil)] }
  }

  /// One random word of the host about itself, or about what it shows.
  mutating func hostStep(_ device: inout Device) throws {
    switch Int.random(in: 0..<15, using: &generator) {
    case 10..<12: try confirm(&device)
    case 0: try device.take(device.machine.setForeground(generator.chance(0.5), at: time))
    case 1: try device.take(device.machine.setNetwork(generator.chance(0.5), at: time))
    case 2: try dismiss(&device)
    case 3: try clock(&device)
    case 4:
      let name = ["UTC", "Europe/Amsterdam", "Asia/Kathmandu"].randomElement(using: &generator)!
      try device.take(device.machine.setTimeZone(#require(ZoneFiles().zone(name)), at: time))
    case 5, 12:
      device.machine.settings.strategies = generator.chance(0.6) ? [Identifier("own"), Identifier("other")] : []
      device.machine.settings.canRemove = generator.chance(0.8)
      device.machine.settings.filterFallback = FilterFallback.allCases.randomElement(using: &generator)!
      try device.take(
        device.machine.saveStates([Identifier("own"): "{\"n\":\(Int.random(in: 0..<9, using: &generator))}"]))
    case 6..<10: try vote(&device)
    default: try removed(&device)
    }
  }

  private mutating func dismiss(_ device: inout Device) throws {
    guard let match = device.machine.state.screen.displayed.randomElement(using: &generator)?.matchIdentifier else {
      return
    }
    try device.take(device.machine.dismiss(match, at: time))
    #expect(!device.machine.state.screen.displayed.contains { $0.matchIdentifier == match })
  }

  /// The clocks agree, or the one on the wall was set, at times after the device was started anew.
  private mutating func clock(_ device: inout Device) throws {
    monotonic += Int64.random(in: 1...100_000, using: &generator)
    if generator.chance(0.2) { boot += 1 }
    if generator.chance(0.3) { time += Int64.random(in: -7_200_000...7_200_000, using: &generator) }
    let reading = ClockReading(wall: time, monotonic: monotonic, boot: "boot \(boot)")
    try device.take(device.machine.setClock(reading))
    time = max(time, device.machine.state.newest)
  }

  private mutating func vote(_ device: inout Device) throws {
    guard let ballot = device.ballots.randomElement(using: &generator) else { return }
    device.ballots.removeAll { $0 == ballot }
    let vetoes = ballot.voters.filter { _ in generator.chance(0.2) }
    try device.take(device.machine.answerVote(ballot, vetoes: vetoes))
  }

  private mutating func removed(_ device: inout Device) throws {
    guard let match = device.leaving.randomElement(using: &generator) else { return }
    device.leaving.removeAll { $0 == match }
    let isGone = generator.chance(0.8)
    let states: [Identifier: String] = generator.chance(0.3) ? [Identifier("own"): "\(time)"] : [:]
    try device.take(device.machine.confirmRemoved(match, removed: isGone, states: states))
    if isGone { #expect(!device.machine.state.screen.displayed.contains { $0.matchIdentifier == match }) }
  }
}

extension Device {
  /// The host answers all that it was asked: every vote with yes, every display and every removal as done.
  mutating func settle() throws {
    for _ in 0..<10_000 {
      if let ballot = ballots.first {
        ballots.removeFirst()
        try take(machine.answerVote(ballot, vetoes: []))
      } else if let match = leaving.first {
        leaving.removeFirst()
        try take(machine.confirmRemoved(match, removed: true))
      } else if let match = machine.state.delivery.intents.first?.matchIdentifier {
        try take(machine.confirm(match, shown: true))
      } else {
        break
      }
    }
    #expect(
      machine.state.delivery.pending.isEmpty && machine.state.screen.removals.isEmpty,
      "nothing waits once the host has answered everything")
  }
}
