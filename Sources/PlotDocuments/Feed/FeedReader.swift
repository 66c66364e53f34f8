public import PlotCore
public import PlotFiles

extension Feed {
  public static let sizeLimit = 512 << 20
  static let countLimit = 1_000_000
  /// The form of an id, in words.
  public static let identifierForm = "a string of 1 to 255 bytes without ; and control characters"

  public static func isIdentifier(_ text: String) -> Bool {
    let bytes = text.utf8.span
    guard (1...255).contains(bytes.count) else { return false }
    var isGood = true
    for index in bytes.indices {
      isGood = isGood && bytes[index] >= 0x20 && bytes[index] != 0x3B && bytes[index] != 0x7F
    }
    return isGood
  }

  /// Reads a campaign feed (docs/feed.md): whole, or not at all.
  ///
  /// With `toleratesUnknownZones` a zone that this system lacks is as none: a feed that was good when a store took it stays good.
  public static func parse(
    _ bytes: [UInt8], toleratesUnknownZones: Bool = false, zones: ZoneFiles = ZoneFiles(),
    _ names: NoisePolicy.Names = .present
  ) throws(DocumentError) -> Feed {
    try DocumentError.checkSize(of: bytes, most: sizeLimit)
    let bytes = bytes.withoutByteOrderMark
    let digest = StableIdentifier.make(bytes: bytes)
    var trial = FeedTrial(bytes, toleratesUnknownZones: toleratesUnknownZones, zones: zones, names)
    if let feed = trial.feed(digest: digest) { return feed }
    let reader = try JSONReader(bytes, nullIsAbsent: false)
    return try FeedReader(reader, toleratesUnknownZones: toleratesUnknownZones, zones: zones, names).feed(
      digest: digest)
  }

  /// The feed that `json` is of, as a store or a recording keeps it: what it says, and the digest that it had.
  public convenience init(
    keptJSON json: String, digest: String, zones: ZoneFiles, _ names: NoisePolicy.Names = .present
  ) throws(DocumentError) {
    let feed = try Feed.parse(Array(json.utf8), toleratesUnknownZones: true, zones: zones, names)
    self.init(
      revision: feed.revision, regions: feed.regions, campaigns: feed.campaigns, settings: feed.settings,
      categories: feed.categories, digest: digest, index: feed.index, tables: feed.tables)
  }

  /// Reads a feed file. Throws `FileError` or `DocumentError`.
  public static func load(path: String) throws -> Feed {
    try parse(TextFile.read(path, limit: sizeLimit))
  }
}

/// From a JSON tree to a feed.
struct FeedReader {

  let reader: JSONReader
  let zones: any ZoneSource
  let toleratesUnknownZones: Bool
  /// The meaning of the names of noise policies.
  let names: NoisePolicy.Names

  init(
    _ reader: JSONReader, toleratesUnknownZones: Bool = false, zones: any ZoneSource = ZoneFiles(),
    _ names: NoisePolicy.Names = .present
  ) {
    self.reader = reader
    self.names = names
    self.zones = zones
    self.toleratesUnknownZones = toleratesUnknownZones
  }

  func feed(digest: String) throws(DocumentError) -> Feed {
    let survey = survey(faultLimit: 1)
    if let fault = survey.faults.first { throw fault }
    // Nothing was left out.
    var regions = survey.regions.compactMap(\.self)
    _ = Self.placeGroups(&regions, survey.positions)
    return Feed(
      revision: survey.revision, regions: FeedList(regions, positions: survey.positions),
      campaigns: FeedList(survey.campaigns.compactMap(\.self), positions: survey.campaignPositions),
      settings: survey.settings, categories: survey.categories, digest: digest)
  }

  /// The form of a feed, in words.
  static let form = "a feed: {\"version\": 1, \"regions\": […], \"campaigns\": […]}"

  func claim(
    _ id: Identifier, _ index: Int, _ positions: inout [Identifier: Int]
  ) throws(DocumentError) {
    guard let first = positions.updateValue(index, forKey: id) else { return }
    positions[id] = first
    throw try reader.within(.key("id")) { () throws(DocumentError) -> DocumentError in
      reader.fail(expected: "an id of its own", found: "\"\(id.text)\", which element \(first) has", .duplicate)
    }
  }

  // MARK: Regions

  private enum RegionType: String, CaseIterable { case geofence, beacon, group }
  private static let regionTypes = Choices(RegionType.self)

  func region(_ node: Node) throws(DocumentError) -> Region {
    let object = try reader.object(node, "a region, an object")
    let type = try reader.required(object, "type", "\"geofence\" or \"beacon\" or \"group\"") {
      (node) throws(DocumentError) in
      try reader.choice(node, Self.regionTypes)
    }
    let isEddystone = type == .beacon && reader.has(object, "namespaceId")
    let known =
      switch type {
      case .geofence: DocumentKeys.geofence
      case .beacon where isEddystone: DocumentKeys.eddystone
      case .beacon: DocumentKeys.beacon
      case .group: DocumentKeys.group
      }
    try reader.refuseUnknown(object, known, of: isEddystone ? "an Eddystone beacon" : "a \(type.rawValue)")
    let shape: Region.Shape =
      switch type {
      case .geofence: try place(object)
      case .beacon where isEddystone: .eddystone(try eddystone(object))
      case .beacon: .beacon(try beacon(object))
      case .group: .group(try group(object))
      }
    var region = Region.Values(id: try identifier(object), shape: shape)
    try complete(&region, object, isGeofence: type == .geofence)
    return Region(region)
  }

  private func complete(_ region: inout Region.Values, _ object: Node, isGeofence: Bool) throws(DocumentError) {
    region.name = try reader.member(object, "name") { (node) throws(DocumentError) in
      try reader.string(node)
    }
    region.customFields =
      try reader.member(object, "customFields") { (node) throws(DocumentError) in
        try customFields(node)
      } ?? []
    region.country = try reader.member(object, "country") { (node) throws(DocumentError) in
      try country(node)
    }
    region.zone =
      try reader.member(object, "timeZone") { (node) throws(DocumentError) in try zone(node) } ?? nil
    region.times = try times(object)
    try limits(object, &region)
    if isGeofence { region.travel = try travel(object) }
    try presence(object, &region)
  }

  private func place(_ object: Node) throws(DocumentError) -> Region.Shape {
    if let area = try area(object) { return .area(area) }
    return .circle(try circle(object))
  }

  static let radiusForm = "metres, above 0 and at most 100000"
  static func isRadius(_ metres: Double) -> Bool { metres > 0 && metres <= 100_000 }

  private func circle(_ object: Node) throws(DocumentError) -> Circle {
    func degrees(_ key: StaticString, _ most: Double) throws(DocumentError) -> Double {
      var expected: String { "a number from \(Int(saturating: -most)) to \(Int(saturating: most))" }
      return try reader.required(object, key, expected) { (node) throws(DocumentError) in
        let value = try reader.number(node, expected)
        guard abs(value) <= most else { throw reader.mismatch(node, expected) }
        return value
      }
    }
    let center = Coordinate(latitude: try degrees("latitude", 90), longitude: try degrees("longitude", 180))
    let radius = try reader.member(object, "radius") { (node) throws(DocumentError) in
      let value = try reader.number(node, Self.radiusForm)
      guard Self.isRadius(value) else { throw reader.mismatch(node, Self.radiusForm) }
      return value
    }
    return Circle(center: center, radius: radius ?? 200)
  }

  private func beacon(_ object: Node) throws(DocumentError) -> Beacon {
    let expected = "a UUID, as in \"f7826da6-4fa2-4e98-8024-bc5b71e0893e\""
    let uuid = try reader.required(object, "proximityUUID", expected) { (node) throws(DocumentError) in
      let text = try reader.string(node, expected)
      guard Sighting.isUUID(text) else { throw reader.mismatch(node, expected) }
      return text
    }
    func number(_ node: Node) throws(DocumentError) -> UInt16 {
      UInt16(truncatingIfNeeded: try reader.integer(node, 0...65535))
    }
    return Beacon(
      proximityUUID: uuid,
      majorId: try reader.required(object, "majorId", "an integer from 0 to 65535", number),
      minorId: try reader.member(object, "minorId", number),
      range: try range(object))
  }

  private func customFields(_ node: Node) throws(DocumentError) -> [CustomField] {
    let object = try reader.object(node, "an object of strings, numbers and booleans")
    var fields: [CustomField] = []
    var seen: Set<String> = []
    for key in reader.keys(object) {
      let value = try reader.required(object, key, "a string, a number or a boolean") {
        (node) throws(DocumentError) in
        guard seen.insert(key.lowercased()).inserted else {
          throw reader.fail(expected: "names that differ in more than case", found: "\"\(key)\" again")
        }
        guard let value = try fieldText(node) else {
          throw reader.mismatch(node, "a string, a number or a boolean")
        }
        return value
      }
      fields.append(CustomField(name: key, value: value))
    }
    return fields
  }

  /// A string, number or boolean as text; nil for anything else.
  func fieldText(_ node: Node) throws(DocumentError) -> String? {
    switch node.kind {
    case .string: return try reader.string(node)
    case .integer: return String(try reader.integer(node, .min ... .max))
    case .real:
      let number = try reader.number(node, "a number")
      return Int64(exactly: number).map(String.init) ?? "\(number)"
    case .boolean: return try reader.boolean(node) ? "true" : "false"
    case .null, .array, .object: return nil
    }
  }

  // MARK: Shared

  func identifier(_ object: Node) throws(DocumentError) -> Identifier {
    try reader.required(object, "id", Self.identifierForm) { (node) throws(DocumentError) in try name(node) }
  }

  static let identifierForm = Feed.identifierForm

  static func isIdentifier(_ text: String) -> Bool { Feed.isIdentifier(text) }

  // MARK: Campaigns

  private enum CampaignType: String, CaseIterable { case notification, geotrigger }
  private static let campaignTypes = Choices(CampaignType.self)

  private enum TriggerName: String, CaseIterable { case enter, exit, dwelling, inside, approaching, absent, trip }
  private static let triggerNames = Choices(TriggerName.self)
  private enum HandlerName: String, CaseIterable { case regular, landingPage, applink, appLink }

  func campaign(
    _ node: Node, _ positions: (Identifier) -> Int?, _ categories: [PlotCore.Category]
  ) throws(DocumentError) -> Campaign {
    let object = try reader.object(node, "a campaign, an object")
    let type = try reader.required(object, "type", "\"notification\" or \"geotrigger\"") {
      (node) throws(DocumentError) in try reader.choice(node, Self.campaignTypes)
    }
    let isNotification = type == .notification
    try reader.refuseUnknown(
      object, isNotification ? DocumentKeys.notification : DocumentKeys.geotrigger, of: "a \(type.rawValue)")
    let handler = try reader.member(object, "handlerType") { (node) throws(DocumentError) in
      let name = try reader.choice(node, HandlerName.self)
      return HandlerType(rawValue: name.rawValue) ?? .applink
    }
    let id = try identifier(object)
    let textKey: StaticString = isNotification ? "message" : "name"
    let translations = isNotification ? try translations(object) : []
    let text: Template
    if !translations.isEmpty, !reader.has(object, "message") {
      text = translations[0].message
    } else {
      text = try reader.required(object, textKey, "a string that is not empty") {
        (node) throws(DocumentError) in try textTemplate(node)
      }
    }
    let data = try reader.member(object, "data") { (node) throws(DocumentError) in try template(node) }
    var campaign = Campaign.Values(
      id: id, kind: isNotification ? .notification(handler ?? .regular) : .geotrigger, text: text,
      trigger: try trigger(object))
    if let data { campaign.data = data }
    campaign.translations = translations
    try complete(&campaign, object, isNotification, positions, categories)
    return Campaign(campaign)
  }

  private func complete(
    _ campaign: inout Campaign.Values, _ object: Node, _ isNotification: Bool, _ positions: (Identifier) -> Int?,
    _ categories: [PlotCore.Category]
  ) throws(DocumentError) {
    (campaign.start, campaign.end) = try span(object)
    let resend = try reader.member(object, "resend") { (node) throws(DocumentError) in
      try reader.boolean(node)
    }
    let cooldown = try reader.member(object, "cooldownPeriod") { (node) throws(DocumentError) in
      try reader.integer(node, 0...31_536_000)
    }
    campaign.regions = try regions(object, positions)
    campaign.times = try triggerTimes(object, campaign.trigger)
    campaign.segmentation = try reader.member(object, "segmentation") { (node) throws(DocumentError) in
      try segment(node)
    }
    campaign.repeatRule = (cooldown ?? 0) > 0 ? .after((cooldown ?? 0) * 1000) : resend == true ? .always : .once
    campaign.content = try content(object, categories)
    campaign.cooldownAnchor = try cooldownAnchor(object)
    if isNotification {
      try showing(object, &campaign)
      try limits(object, &campaign)
    }
    campaign.after = try chain(object, positions)
    campaign.visits = try visits(object)
    try visiting(object, &campaign)
  }

  func template(_ node: Node) throws(DocumentError) -> Template {
    let text = try reader.string(node)
    if let template = Template(text) { return template }
    throw reader.mismatch(
      node,
      Template.hasPlural(text)
        ? "a plural as {{field, plural, one {# visit} other {# visits}}}, with a form other and none twice"
        : "a placeholder as {{field}}, closed and not empty")
  }

  private func trigger(_ object: Node) throws(DocumentError) -> Trigger {
    let name = try reader.member(object, "trigger") { (node) throws(DocumentError) in
      try reader.choice(node, Self.triggerNames)
    }
    let insideAt = try insideAt(object, isInside: name == .inside)
    let arrivalSeconds = try arrivalSeconds(object, isApproaching: name == .approaching)
    let tripMoment = try tripMoment(object, isTrip: name == .trip)
    guard name == .dwelling else {
      _ = try reader.member(object, "dwellingMinutes") { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"dwellingMinutes\" unless the trigger is \"dwelling\"", found: reader.describe(node))
      }
      if name == .absent { return .absent }
      if let tripMoment { return .trip(tripMoment) }
      return insideAt.map(Trigger.inside) ?? arrivalSeconds.map(Trigger.approaching) ?? (name == .exit ? .exit : .enter)
    }
    return .dwelling(
      minutes: try reader.required(object, "dwellingMinutes", "an integer from 5 to 720") {
        (node) throws(DocumentError) in try reader.integer(node, Trigger.dwellingRange)
      })
  }

  func span(_ object: Node) throws(DocumentError) -> (start: Milliseconds?, end: Milliseconds?) {
    let start = try reader.member(object, "start") { (node) throws(DocumentError) in try time(node) }
    let end = try reader.member(object, "end") { (node) throws(DocumentError) in
      let end = try time(node)
      if let start, end <= start { throw reader.mismatch(node, "a time after \"start\"", .endBeforeStart) }
      return end
    }
    return (start, end)
  }

  func time(_ node: Node) throws(DocumentError) -> Milliseconds {
    let expected = "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\""
    guard let time = try reader.time(node, expected) else { throw reader.mismatch(node, expected) }
    return time
  }

  private func regions(_ object: Node, _ positions: (Identifier) -> Int?) throws(DocumentError) -> [Int] {
    try reader.required(object, "regions", "an array of region ids") { (node) throws(DocumentError) in
      // For one region, which is what most have, no set is made.
      var first = -1
      var seen: Set<Int> = []
      let regions = try reader.array(node, "an array of region ids") { (node, index) throws(DocumentError) in
        guard let position = positions(Identifier(try reader.string(node))) else {
          throw reader.mismatch(node, "the id of a region of this feed", .unknownRegion)
        }
        if index == 0 {
          first = position
        } else if position == first || !seen.insert(position).inserted {
          throw reader.mismatch(node, "each region once", .duplicate)
        }
        return position
      }
      guard !regions.isEmpty else {
        throw reader.fail(expected: "at least one region id", found: "an empty array", .noRegions)
      }
      return regions
    }
  }
}
