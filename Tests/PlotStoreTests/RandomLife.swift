import PlotTesting

@testable import PlotCore
@testable import PlotDocuments

/// Random inputs of all kinds for a device.
struct RandomLife {
  var generator: SplitMix64
  var time: Milliseconds = 1_700_000_000_000
  var monotonic: Milliseconds = 0
  var boot = 0

  /// Whether it hears beacons, is told of regions by the system and by those that move, and weighs its fixes: all that goes on from what a
  /// restart forgets.
  let hasRadio: Bool

  init(seed: UInt64, hasRadio: Bool = false) {
    generator = SplitMix64(seed)
    self.hasRadio = hasRadio
  }

  mutating func somewhere() -> Coordinate { PlotTesting.somewhere(&generator) }

  /// A feed whose ids come back in other feeds, a campaign's id always with the same kind.
  mutating func feed() -> Feed {
    var regions: [Region] = []
    for number in 0..<5 where generator.chance(0.8) {
      let isSame = generator.chance(0.7)
      let center =
        isSame ? Coordinate(latitude: origin.latitude + Double(number) / 1000, longitude: 4.885) : somewhere()
      regions.append(
        Region(
          id: Identifier("région \"\(number)\""), name: number % 2 == 0 ? "Name \(number)" : nil,
          shape: .circle(Circle(center: center, radius: 300)),
          customFields: [CustomField(name: "Field", value: "value \\ \(number)")]))
    }
    regions.append(
      Region(
        id: Identifier("beacon"), name: nil,
        shape: .beacon(Beacon(proximityUUID: beaconUUID, majorId: 1, minorId: 2, range: .near))))
    if hasRadio { enrich(&regions) }
    var campaigns: [Campaign] = []
    for number in 0..<6 where generator.chance(0.8) {
      let kinds: [Campaign.Kind] = [
        .notification(.regular), .geotrigger, .notification(.landingPage), .notification(.applink), .geotrigger,
        .notification(.regular),
      ]
      let triggers: [Trigger] = [.enter, .exit, .dwelling(minutes: 5), .enter, .dwelling(minutes: 10), .exit]
      let rules: [RepeatRule] = [.once, .always, .after(60_000)]
      let at = regions.indices.filter { _ in generator.chance(0.6) }
      if at.isEmpty { continue }
      var campaign =
        Campaign(
          id: Identifier("campagne \(number) é"), kind: kinds[number],
          text: Template("{{field}} at 'x' \"\(number)\"")!,
          data: Template(number % 2 == 0 ? "" : "data\n\(number)")!, trigger: triggers[number], regions: at,
          repeatRule: rules.randomElement(using: &generator)!)
      if kinds[number] != .geotrigger, generator.chance(0.5) { campaign.values.content = Self.content }
      enrich(&campaign.values, regions)
      if hasRadio { enrichPresence(&campaign.values) }
      campaigns.append(campaign)
    }
    var settings = generator.chance(0.8) ? Self.settings : FeedSettings()
    enrich(&settings)
    let categories = [
      PlotCore.Category(
        id: Identifier("offer"),
        actions: [
          ActionTemplate(
            Action(id: "a", title: "A", foreground: true), titles: [.init(language: "nl", text: "Aa")])
        ])
    ]
    let written = Feed(
      revision: generator.chance(0.5) ? "r" : nil, regions: regions, campaigns: campaigns,
      settings: settings, categories: categories,
      digest: "")
    return try! Feed.parse(written.json)
  }

  private static let content: ContentTemplate = {
    var content = ContentTemplate()
    content.title = Template("{{field}} \"title\"")!
    content.badge = 3
    content.category = "offer"
    content.attachments = [ContentTemplate.Attachment(id: "p", url: Template("/nowhere/{{field}}.png")!, type: nil)]
    content.userInfo = [UserInfoEntry(key: Identifier("é"), json: #"[null,"\""]"#)]
    return content
  }()

  /// One random input; what it led to is written.
  mutating func step(_ device: inout Device) throws {
    time += generator.chance(0.1) ? 0 : Int64.random(in: 1...200_000, using: &generator)
    switch Int.random(in: 0..<130, using: &generator) {
    case 100..<110 where hasRadio: try presenceStep(&device)
    case 100..<130: try hostStep(&device)
    case 0..<50: try device.take(device.machine.update(Fix(time: time, coordinate: somewhere())))
    case 50..<53: try message(&device)
    case 53..<54: try list(&device)
    case 54..<58: try device.take(device.machine.advance(to: time))
    case 58..<62: try device.take(device.machine.setFeed(feed(), at: time))
    case 62..<64: try device.take(device.machine.setEnabled(generator.chance(0.85), at: time))
    case 64..<66:
      try device.take(device.machine.setCooldownPeriod([0, 0, 60_000].randomElement(using: &generator)!, at: time))
    case 66..<72:
      let key = Identifier("p\(Int.random(in: 0..<4, using: &generator))")
      try device.take(device.machine.setProperty(key, value(), at: time))
    case 72..<84: try answer(&device)
    case 84..<94: try confirm(&device)
    case 94 where time % 7 == 0 && device.machine.state.sequence < 40:
      // Events that have not been delivered never will be.
      device.delivered = device.machine.state.sequence
      try device.take(device.machine.clearAllData(at: time))
    case 94..<95:
      let identifier = generator.chance(0.7) ? "advertising \(generator.chance(0.5))" : nil
      try device.take(device.machine.setAdvertising(identifier, limitsTracking: generator.chance(0.3), at: time))
    case 95..<96: try device.take(device.machine.clearSent(isGeotrigger: generator.chance(0.5), at: time))
    case 96..<98:
      if let match = device.machine.state.history.sentNotifications.randomElement(using: &generator)?.matchIdentifier {
        let output =
          generator.chance(0.5)
          ? try device.machine.open(match, at: time) : try? device.machine.takeAction("a", of: match, at: time)
        if let output { try device.take(output) }
      }
    default: device.delivered = Int64.random(in: device.delivered...device.machine.state.sequence, using: &generator)
    }
  }

  private mutating func value() -> PropertyValue? {
    let values: [PropertyValue?] = [
      nil, .string("text 'é' \""), .string(""), .boolean(true), .boolean(false), .integer(.min), .integer(5),
      .double(0.1),
      .double(5), .double(1e300), .date(Timestamp.range.upperBound),
    ]
    return values.randomElement(using: &generator)!
  }

  private mutating func answer(_ device: inout Device) throws {
    guard let batch = device.machine.state.delivery.batches.randomElement(using: &generator), time < batch.deadline
    else {
      return
    }
    var kept: [Kept] = []
    for item in batch.items.shuffled(using: &generator) where generator.chance(0.6) {
      var content = item.content
      if generator.chance(0.3) { content.message = "edited \"é\"" }
      if generator.chance(0.3) { content.title = content.title == nil ? "title" : nil }
      if generator.chance(0.3) { content.userInfo = [UserInfoEntry(key: Identifier("new"), json: #"{"a":[1.0]}"#)] }
      kept.append(Kept(matchIdentifier: item.matchIdentifier ?? "", content: content))
    }
    let output =
      batch.isGeotrigger
      ? try device.machine.markHandled(batch.token, kept, at: time)
      : try device.machine.answerFilter(batch.token, kept, at: time)
    try device.take(output)
  }

  private static let settings: FeedSettings = {
    var settings = FeedSettings()
    settings.messages.memory = 86_400_000
    settings.messages.rules = [
      MessageRule(condition: .senderIn(Identifier("l0")), action: .drop),
      MessageRule(id: Identifier("é"), condition: .contains("WAIT"), action: .defer(.period(300_000))),
      MessageRule(condition: .contains("morning"), action: .defer(.minute(480))),
      MessageRule(condition: .threadIn(Identifier("l1")), action: .mute),
    ]
    return settings
  }()

  private mutating func message(_ device: inout Device) throws {
    let texts = ["wait \"é\"", "hello", "good morning"]
    var message = Message(
      id: "m\(Int.random(in: 0..<40, using: &generator))",
      content: Content(message: texts.randomElement(using: &generator)!, data: "d"))
    message.operation = Message.Operation.allCases.randomElement(using: &generator)!
    message.sender = generator.chance(0.5) ? "s\(Int.random(in: 0..<3, using: &generator))" : nil
    message.thread = generator.chance(0.5) ? "t" : nil
    message.correlationKey = generator.chance(0.6) ? "k\(Int.random(in: 0..<4, using: &generator))" : nil
    message.revision = generator.chance(0.4) ? Int64.random(in: -2...9, using: &generator) : nil
    message.content.sound = generator.chance(0.5) ? "bell" : nil
    device.machine.settings.canSuppress = generator.chance(0.8)
    device.machine.settings.suppressFallback = generator.chance(0.5) ? .silent : .placeholder
    try device.take(device.machine.process(message, at: time))
  }

  private mutating func list(_ device: inout Device) throws {
    let entries: Set<Identifier>? = generator.chance(0.2) ? nil : [Identifier("s0"), Identifier("t"), Identifier("é'")]
    let name = Identifier("l\(Int.random(in: 0..<2, using: &generator))")
    let version = Int64.random(in: 0..<4, using: &generator)
    try device.take(device.machine.setList(name, version: version, entries: entries, at: time))
  }

  mutating func confirm(_ device: inout Device) throws {
    guard let match = device.machine.state.delivery.intents.randomElement(using: &generator)?.matchIdentifier else {
      return
    }
    try device.take(device.machine.confirm(match, shown: generator.chance(0.8)))
  }
}
