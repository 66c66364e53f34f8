public import PlotCore

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
  typealias Node = JSONReader.Node

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
    let root = unsafe try reader.object(reader.root, Self.form)
    unsafe try refuseUnknownKeys(root)
    unsafe try checkVersion(root)
    let revision = unsafe try reader.member(root, "revision") { (node) throws(DocumentError) in
      unsafe try reader.string(node)
    }
    var positions: [Identifier: Int] = [:]
    var regions = unsafe try reader.required(root, "regions", "an array of regions") { (node) throws(DocumentError) in
      unsafe try reader.array(node, "an array of regions", most: Feed.countLimit) {
        (node, index) throws(DocumentError) in
        let region = unsafe try region(node)
        try claim(region.id, index, &positions)
        return region
      }
    }
    unsafe try settleGroups(&regions, positions, root)
    let categories = unsafe try categories(root)
    var campaignIds: [Identifier: Int] = [:]
    let campaigns = unsafe try reader.required(root, "campaigns", "an array of campaigns") {
      (node) throws(DocumentError) in
      unsafe try reader.array(node, "an array of campaigns", most: Feed.countLimit) {
        (node, index) throws(DocumentError) in
        let campaign = unsafe try campaign(node, { positions[$0] }, categories)
        try claim(campaign.id, index, &campaignIds)
        return campaign
      }
    }
    let settings = unsafe try reader.member(root, "settings") { (node) throws(DocumentError) in
      unsafe try self.settings(node)
    }
    return Feed(
      revision: revision, regions: FeedList(regions, positions: positions),
      campaigns: FeedList(campaigns, positions: campaignIds), settings: settings ?? FeedSettings(),
      categories: categories, digest: digest)
  }

  /// The form of a feed, in words.
  static let form = "a feed: {\"version\": 1, \"regions\": […], \"campaigns\": […]}"

  func refuseUnknownKeys(_ root: Node) throws(DocumentError) {
    let keys = ["version", "revision", "regions", "campaigns", "settings", "categories"]
    unsafe try reader.refuseUnknown(root, keys, of: "a feed", allowsOwn: true)
  }

  func checkVersion(_ root: Node) throws(DocumentError) {
    unsafe try reader.required(root, "version", "the integer 1") { (node) throws(DocumentError) in
      guard (try? unsafe reader.integer(node, 1...1)) != nil else {
        throw unsafe reader.mismatch(node, "the integer 1")
      }
    }
  }

  func claim(
    _ id: Identifier, _ index: Int, _ positions: inout [Identifier: Int]
  ) throws(DocumentError) {
    if let first = positions.updateValue(index, forKey: id) { throw try claimed(id, first) }
  }

  /// The fault of an id that an element before has.
  func claimed(_ id: Identifier, _ first: Int) throws(DocumentError) -> DocumentError {
    try reader.within(.key("id")) { () throws(DocumentError) -> DocumentError in
      reader.fail(expected: "an id of its own", found: "\"\(id.text)\", which element \(first) has", .duplicate)
    }
  }

  // MARK: Regions

  private enum RegionType: String, CaseIterable { case geofence, beacon, group }
  private static let regionTypes = Choices(RegionType.self)

  private static let regionKeys = [
    "id", "type", "name", "customFields", "country", "timeZone", "openingHours", "timespans", "caps", "quietHours",
  ]
  private static let geofenceSet = KeySet(regionKeys + geofenceKeys + presenceKeys)
  private static let eddystoneSet = KeySet(regionKeys + ["namespaceId", "instanceId", "range"])
  private static let beaconSet = KeySet(regionKeys + ["proximityUUID", "majorId", "minorId", "range"])
  private static let groupSet = KeySet(regionKeys + groupKeys)

  func region(_ node: Node) throws(DocumentError) -> Region {
    let object = unsafe try reader.object(node, "a region, an object")
    let type = unsafe try reader.required(object, "type", "\"geofence\" or \"beacon\" or \"group\"") {
      (node) throws(DocumentError) in
      unsafe try reader.choice(node, Self.regionTypes)
    }
    let isEddystone = unsafe type == .beacon && reader.has(object, "namespaceId")
    let known =
      switch type {
      case .geofence: Self.geofenceSet
      case .beacon where isEddystone: Self.eddystoneSet
      case .beacon: Self.beaconSet
      case .group: Self.groupSet
      }
    unsafe try reader.refuseUnknown(
      object, known, of: isEddystone ? "an Eddystone beacon" : "a \(type.rawValue)", allowsOwn: true)
    let shape: Region.Shape =
      switch type {
      case .geofence: unsafe try place(object)
      case .beacon where isEddystone: .eddystone(unsafe try eddystone(object))
      case .beacon: .beacon(unsafe try beacon(object))
      case .group: .group(unsafe try group(object))
      }
    var region = Region.Values(id: unsafe try identifier(object), shape: shape)
    unsafe try complete(&region, object, isGeofence: type == .geofence)
    return Region(region)
  }

  private func complete(_ region: inout Region.Values, _ object: Node, isGeofence: Bool) throws(DocumentError) {
    region.name = unsafe try reader.member(object, "name") { (node) throws(DocumentError) in
      unsafe try reader.string(node)
    }
    region.customFields =
      unsafe try reader.member(object, "customFields") { (node) throws(DocumentError) in
        unsafe try customFields(node)
      } ?? []
    region.country = unsafe try reader.member(object, "country") { (node) throws(DocumentError) in
      unsafe try country(node)
    }
    region.zone =
      unsafe try reader.member(object, "timeZone") { (node) throws(DocumentError) in unsafe try zone(node) } ?? nil
    region.times = unsafe try times(object)
    unsafe try limits(object, &region)
    if isGeofence { region.travelTime = unsafe try travelTime(object) }
    unsafe try presence(object, &region)
  }

  private func place(_ object: Node) throws(DocumentError) -> Region.Shape {
    if let area = unsafe try area(object) { return .area(area) }
    return .circle(unsafe try circle(object))
  }

  static let radiusForm = "metres, above 0 and at most 100000"
  static func isRadius(_ metres: Double) -> Bool { metres > 0 && metres <= 100_000 }

  private func circle(_ object: Node) throws(DocumentError) -> Circle {
    func degrees(_ key: StaticString, _ most: Double) throws(DocumentError) -> Double {
      var expected: String { "a number from \(Int(saturating: -most)) to \(Int(saturating: most))" }
      return unsafe try reader.required(object, key, expected) { (node) throws(DocumentError) in
        let value = unsafe try reader.number(node, expected)
        guard abs(value) <= most else { throw unsafe reader.mismatch(node, expected) }
        return value
      }
    }
    let center = Coordinate(latitude: try degrees("latitude", 90), longitude: try degrees("longitude", 180))
    let radius = unsafe try reader.member(object, "radius") { (node) throws(DocumentError) in
      let value = unsafe try reader.number(node, Self.radiusForm)
      guard Self.isRadius(value) else { throw unsafe reader.mismatch(node, Self.radiusForm) }
      return value
    }
    return Circle(center: center, radius: radius ?? 200)
  }

  private func beacon(_ object: Node) throws(DocumentError) -> Beacon {
    let expected = "a UUID, as in \"f7826da6-4fa2-4e98-8024-bc5b71e0893e\""
    let uuid = unsafe try reader.required(object, "proximityUUID", expected) { (node) throws(DocumentError) in
      let text = unsafe try reader.string(node, expected)
      guard Sighting.isUUID(text) else { throw unsafe reader.mismatch(node, expected) }
      return text
    }
    func number(_ node: Node) throws(DocumentError) -> UInt16 {
      UInt16(truncatingIfNeeded: unsafe try reader.integer(node, 0...65535))
    }
    return Beacon(
      proximityUUID: uuid,
      majorId: unsafe try reader.required(object, "majorId", "an integer from 0 to 65535", number),
      minorId: unsafe try reader.member(object, "minorId", number),
      range: unsafe try range(object))
  }

  private func customFields(_ node: Node) throws(DocumentError) -> [CustomField] {
    let object = unsafe try reader.object(node, "an object of strings, numbers and booleans")
    var fields: [CustomField] = []
    var seen: Set<String> = []
    for key in unsafe reader.keys(object) {
      let value = unsafe try reader.required(object, key, "a string, a number or a boolean") {
        (node) throws(DocumentError) in
        guard seen.insert(key.lowercased()).inserted else {
          throw reader.fail(expected: "names that differ in more than case", found: "\"\(key)\" again")
        }
        guard let value = unsafe try fieldText(node) else {
          throw unsafe reader.mismatch(node, "a string, a number or a boolean")
        }
        return value
      }
      fields.append(CustomField(name: key, value: value))
    }
    return fields
  }

  /// A string, number or boolean as text; nil for anything else.
  func fieldText(_ node: Node) throws(DocumentError) -> String? {
    switch unsafe reader.kind(node) {
    case .string: return unsafe try reader.string(node)
    case .integer: return String(unsafe try reader.integer(node, .min ... .max))
    case .real:
      let number = unsafe try reader.number(node, "a number")
      return Int64(exactly: number).map(String.init) ?? "\(number)"
    case .boolean: return unsafe try reader.boolean(node) ? "true" : "false"
    case .null, .array, .object: return nil
    }
  }

  // MARK: Shared

  func identifier(_ object: Node) throws(DocumentError) -> Identifier {
    unsafe try reader.required(object, "id", Self.identifierForm) { (node) throws(DocumentError) in
      let id = unsafe try reader.string(node, Self.identifierForm)
      guard Self.isIdentifier(id) else { throw unsafe reader.mismatch(node, Self.identifierForm) }
      return Identifier(id)
    }
  }

  static let identifierForm = Feed.identifierForm

  static func isIdentifier(_ text: String) -> Bool { Feed.isIdentifier(text) }

  // MARK: Campaigns

  private enum CampaignType: String, CaseIterable { case notification, geotrigger }
  private static let campaignTypes = Choices(CampaignType.self)

  private static let campaignKeys =
    [
      "id", "type", "data", "trigger", "dwellingMinutes", "regions", "start", "end", "triggerTimes", "segmentation",
      "resend", "cooldownPeriod", "cooldownFrom", "insideAt", "after", "visits",
    ] + visitKeys
  private static let notificationSet = KeySet(
    campaignKeys + ["message", "handlerType", "content"] + showingKeys + limitKeys)
  private static let geotriggerSet = KeySet(campaignKeys + ["name"])
  private enum TriggerName: String, CaseIterable { case enter, exit, dwelling, inside, approaching }
  private static let triggerNames = Choices(TriggerName.self)
  private enum HandlerName: String, CaseIterable { case regular, landingPage, applink, appLink }

  func campaign(
    _ node: Node, _ positions: (Identifier) -> Int?, _ categories: [PlotCore.Category]
  ) throws(DocumentError) -> Campaign {
    let object = unsafe try reader.object(node, "a campaign, an object")
    let type = unsafe try reader.required(object, "type", "\"notification\" or \"geotrigger\"") {
      (node) throws(DocumentError) in unsafe try reader.choice(node, Self.campaignTypes)
    }
    let isNotification = type == .notification
    unsafe try reader.refuseUnknown(
      object, isNotification ? Self.notificationSet : Self.geotriggerSet, of: "a \(type.rawValue)", allowsOwn: true)
    let handler = unsafe try reader.member(object, "handlerType") { (node) throws(DocumentError) in
      let name = unsafe try reader.choice(node, HandlerName.self)
      return HandlerType(rawValue: name.rawValue) ?? .applink
    }
    let id = unsafe try identifier(object)
    let textKey: StaticString = isNotification ? "message" : "name"
    let text = unsafe try reader.required(object, textKey, "a string that is not empty") {
      (node) throws(DocumentError) in unsafe try textTemplate(node)
    }
    let data = unsafe try reader.member(object, "data") { (node) throws(DocumentError) in unsafe try template(node) }
    var campaign = Campaign.Values(
      id: id, kind: isNotification ? .notification(handler ?? .regular) : .geotrigger, text: text,
      trigger: unsafe try trigger(object))
    if let data { campaign.data = data }
    unsafe try complete(&campaign, object, isNotification, positions, categories)
    return Campaign(campaign)
  }

  private func complete(
    _ campaign: inout Campaign.Values, _ object: Node, _ isNotification: Bool, _ positions: (Identifier) -> Int?,
    _ categories: [PlotCore.Category]
  ) throws(DocumentError) {
    (campaign.start, campaign.end) = unsafe try span(object)
    let resend = unsafe try reader.member(object, "resend") { (node) throws(DocumentError) in
      unsafe try reader.boolean(node)
    }
    let cooldown = unsafe try reader.member(object, "cooldownPeriod") { (node) throws(DocumentError) in
      unsafe try reader.integer(node, 0...31_536_000)
    }
    campaign.regions = unsafe try regions(object, positions)
    campaign.times = unsafe try triggerTimes(object, campaign.trigger)
    campaign.segmentation = unsafe try reader.member(object, "segmentation") { (node) throws(DocumentError) in
      unsafe try segment(node)
    }
    campaign.repeatRule = (cooldown ?? 0) > 0 ? .after((cooldown ?? 0) * 1000) : resend == true ? .always : .once
    campaign.content = unsafe try content(object, categories)
    campaign.cooldownAnchor = unsafe try cooldownAnchor(object)
    if isNotification {
      unsafe try showing(object, &campaign)
      unsafe try limits(object, &campaign)
    }
    campaign.after = unsafe try chain(object, positions)
    campaign.visits = unsafe try visits(object)
    unsafe try visiting(object, &campaign)
  }

  func template(_ node: Node) throws(DocumentError) -> Template {
    guard let template = Template(unsafe try reader.string(node)) else {
      throw unsafe reader.mismatch(node, "a placeholder as {{field}}, closed and not empty")
    }
    return template
  }

  private func trigger(_ object: Node) throws(DocumentError) -> Trigger {
    let name = unsafe try reader.member(object, "trigger") { (node) throws(DocumentError) in
      unsafe try reader.choice(node, Self.triggerNames)
    }
    let insideAt = unsafe try insideAt(object, isInside: name == .inside)
    let arrivalSeconds = unsafe try arrivalSeconds(object, isApproaching: name == .approaching)
    guard name == .dwelling else {
      _ = unsafe try reader.member(object, "dwellingMinutes") { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"dwellingMinutes\" unless the trigger is \"dwelling\"", found: unsafe reader.describe(node))
      }
      return insideAt.map(Trigger.inside) ?? arrivalSeconds.map(Trigger.approaching) ?? (name == .exit ? .exit : .enter)
    }
    return .dwelling(
      minutes: unsafe try reader.required(object, "dwellingMinutes", "an integer from 5 to 720") {
        (node) throws(DocumentError) in unsafe try reader.integer(node, Trigger.dwellingRange)
      })
  }

  func span(_ object: Node) throws(DocumentError) -> (start: Milliseconds?, end: Milliseconds?) {
    let start = unsafe try reader.member(object, "start") { (node) throws(DocumentError) in unsafe try time(node) }
    let end = unsafe try reader.member(object, "end") { (node) throws(DocumentError) in
      let end = unsafe try time(node)
      if let start, end <= start { throw unsafe reader.mismatch(node, "a time after \"start\"", .endBeforeStart) }
      return end
    }
    return (start, end)
  }

  func time(_ node: Node) throws(DocumentError) -> Milliseconds {
    let expected = "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\""
    guard let time = unsafe try reader.time(node, expected) else { throw unsafe reader.mismatch(node, expected) }
    return time
  }

  private func regions(_ object: Node, _ positions: (Identifier) -> Int?) throws(DocumentError) -> [Int] {
    unsafe try reader.required(object, "regions", "an array of region ids") { (node) throws(DocumentError) in
      // For one region, which is what most have, no set is made.
      var first = -1
      var seen: Set<Int> = []
      let regions = unsafe try reader.array(node, "an array of region ids") { (node, index) throws(DocumentError) in
        guard let position = positions(Identifier(unsafe try reader.string(node))) else {
          throw unsafe reader.mismatch(node, "the id of a region of this feed", .unknownRegion)
        }
        if index == 0 {
          first = position
        } else if position == first || !seen.insert(position).inserted {
          throw unsafe reader.mismatch(node, "each region once", .duplicate)
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
