internal import PlotCore
internal import PlotDocuments

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// When a campaign fires.
public enum Trigger: Hashable, Sendable {
  /// At the entry.
  case enter
  /// At the exit.
  case exit
  /// After so many minutes inside.
  case dwelling(minutes: Int)
  /// Still inside when clocks come to this minute of the day, 0 to 1,439.
  case inside(minuteOfDay: Int)
  /// There in at most so many seconds, at the present course and speed.
  case approaching(seconds: Int)
  /// Nobody was at the campaign's regions for as long as it says.
  case absent
  /// Something has happened on a trip to the region.
  case trip(TripEvent)

  /// As documents and records have it.
  public var name: String {
    switch self {
    case .enter: "enter"
    case .exit: "exit"
    case .dwelling: "dwelling"
    case .inside: "inside"
    case .approaching: "approaching"
    case .absent: "absent"
    case .trip: "trip"
    }
  }
}

/// The default way to open a notification.
public enum HandlerType: String, Hashable, Codable, Sendable, CaseIterable {
  /// The data is a URI, which is opened; without one, the app.
  case regular
  /// The data is the URI of a page that is shown in the app. The filter and the notification handler do not see it.
  case landingPage
  /// The data names another app.
  case applink
}

/// A kind of region.
public enum RegionType: String, Hashable, Codable, Sendable, CaseIterable {
  /// A place by its shape, and one by a beacon.
  case geofence, beacon
}

/// A file to be shown or played with a notification.
public struct Attachment: Hashable, Codable, Sendable {
  /// Unique among those of the notification.
  public var id: String
  /// A `file:` URL, or a path.
  public var url: String
  /// The format as an extension; nil when that of ``url`` says it.
  public var type: String?

  /// An attachment; without a type, that of the file's extension.
  public init(id: String, url: String, type: String? = nil) {
    self.id = id
    self.url = url
    self.type = type
  }
}

/// Something that the person may choose on a notification.
public struct Action: Hashable, Codable, Sendable {
  /// The name by which the app hears of it.
  public var id: String
  /// The words of the button.
  public var title: String
  /// Choosing it opens the app.
  public var foreground: Bool
  /// A host may show it in red.
  public var destructive: Bool

  /// An action.
  public init(id: String, title: String, foreground: Bool = false, destructive: Bool = false) {
    self.id = id
    self.title = title
    self.foreground = foreground
    self.destructive = destructive
  }
}

/// The properties that notifications and geotriggers share (docs/items.md).
///
/// The engine makes items; a test makes one from its JSON. Its coding is the JSON of docs/items.md, whatever the strategies of the coder.
public protocol Item: Codable, Hashable, Sendable, CustomStringConvertible {
  /// Reads an item from its JSON. Throws ``PlotError/Code-swift.struct/invalidDocument`` for any other text.
  init(json: String) throws(PlotError)
  /// One JSON object, without white space.
  var json: String { get }
  /// `campaign;region`; a message's id.
  var identifier: String { get }
  /// One occurrence; nil in the loaded lists.
  var matchIdentifier: String? { get }
  /// Nil for a message, as is all about its place.
  var campaignId: String? { get }
  /// The id of the region; nil for a message from outside.
  var regionId: String? { get }
  /// The name of the region; nil where it has none.
  var regionName: String? { get }
  /// The campaign's `data`, with its placeholders filled.
  var data: String { get }
  /// Degrees; nil for a beacon.
  var geofenceLatitude: Double? { get }
  /// Degrees, of the region's centre; nil for a beacon.
  var geofenceLongitude: Double? { get }
  /// The trigger that it waits for; nil for a message from outside.
  var trigger: Trigger? { get }
  /// Metres; nil for a message.
  var matchRange: Int? { get }
  /// Whether the region is a place or a beacon; nil for a message from outside.
  var regionType: RegionType? { get }
  /// Of a region that is an isochrone: how long the way is that it stands for, in minutes.
  var travelMinutes: Int? { get }
  /// How one goes it: `pedestrian`, `bicycle` or `auto`.
  var travelMode: String? { get }
  /// When it was shown, or fired; nil for one that was not.
  var dateSent: Date? { get }
}

/// A notification.
///
/// A filter may change its content: ``message``, ``data`` and the properties from ``title`` to ``userInfo``. Everything else is fixed.
public struct PlotNotification: Item {
  var core: HostItem

  init(_ core: HostItem) { self.core = core }
}

/// A campaign that shows nothing: it hands your code a place and a moment.
public struct Geotrigger: Item {
  var core: HostItem

  init(_ core: HostItem) { self.core = core }

  /// The campaign's name for it.
  public var name: String { core.message }
  /// When it was handled; nil when it was not.
  public var dateHandled: Date? { core.occurrence?.sent?.answered.map(Date.init(milliseconds:)) }
  /// Whether the app has marked it handled.
  public var isHandled: Bool { core.occurrence?.sent?.answered != nil }
}

extension PlotNotification {
  /// A notification, made by hand: for the test of a filter.
  public init(
    campaignId: String, regionId: String, message: String, data: String = "", trigger: Trigger = .enter,
    latitude: Double? = nil, longitude: Double? = nil, matchRange: Int = 200, handlerType: HandlerType = .regular
  ) {
    self.init(
      .made(
        .notification(PlotCore.HandlerType(rawValue: handlerType.rawValue) ?? .regular), campaignId, regionId, message,
        data, trigger, latitude, longitude, matchRange))
  }

  /// The text.
  public var message: String {
    get { core.message }
    set { core.content.message = newValue }
  }

  /// Data from the campaign for the app: a URI, JSON, anything.
  public var data: String {
    get { core.data }
    set { core.content.data = newValue }
  }

  /// The line above the text.
  public var title: String? {
    get { core.content.title }
    set { core.content.title = newValue }
  }

  /// The line between title and text.
  public var subtitle: String? {
    get { core.content.subtitle }
    set { core.content.subtitle = newValue }
  }

  /// The text of the content, where it has one beside ``message``.
  public var body: String? {
    get { core.content.body }
    set { core.content.body = newValue }
  }

  /// The name of a sound; nil for none.
  public var sound: String? {
    get { core.content.sound }
    set { core.content.sound = newValue }
  }

  /// From 0; 0 takes the badge away.
  public var badge: Int? {
    get { core.content.badge.map(Int.init) }
    set { core.content.badge = newValue.map(Int64.init) }
  }

  /// The name of its set of actions.
  public var category: String? {
    get { core.content.category }
    set { core.content.category = newValue }
  }

  /// Pictures and the like, in their order.
  public var attachments: [Attachment] {
    get { core.content.attachments.map { Attachment(id: $0.id, url: $0.url, type: $0.type) } }
    set { core.content.attachments = newValue.map { PlotCore.Attachment(id: $0.id, url: $0.url, type: $0.type) } }
  }

  /// Its buttons, in their order.
  public var actions: [Action] {
    get {
      core.content.actions.map {
        Action(id: $0.id, title: $0.title, foreground: $0.foreground, destructive: $0.destructive)
      }
    }
    set {
      core.content.actions = newValue.map {
        PlotCore.Action(id: $0.id, title: $0.title, foreground: $0.foreground, destructive: $0.destructive)
      }
    }
  }

  /// Values that the app gets with the notification. An answer of a filter keeps the keys that are missing in it.
  public var userInfo: JSONObject {
    get { JSONObject(core.content.userInfo.map { ($0.key.text, (try? JSON(parsing: $0.json)) ?? .null) }) }
    set {
      core.content.userInfo = newValue.map { UserInfoEntry(key: Identifier($0.key), json: $0.value.text) }
    }
  }

  /// Sets a value of the content by its key in docs/items.md.
  ///
  /// Throws ``PlotError/Code-swift.struct/readOnlyKey``, ``PlotError/Code-swift.struct/notFound`` for an unknown key,
  /// ``PlotError/Code-swift.struct/wrongType``, ``PlotError/Code-swift.struct/invalidArgument`` and
  /// ``PlotError/Code-swift.struct/invalidDocument``; the notification is then as it was.
  public mutating func set(_ key: String, json: String) throws(PlotError) {
    try edit(key) { (item) throws(HostItem.SetError) in try item.set(key, json: Array(json.utf8)) }
  }

  /// Takes a value of the content away, where it may be absent.
  public mutating func clear(_ key: String) throws(PlotError) {
    try edit(key) { (item) throws(HostItem.SetError) in try item.clear(key) }
  }

  private mutating func edit(
    _ key: String, _ body: (inout HostItem) throws(HostItem.SetError) -> Void
  ) throws(PlotError) {
    var edited = core
    do throws(HostItem.SetError) {
      try body(&edited)
    } catch {
      switch error {
      case .readOnly: throw PlotError(.readOnlyKey, "\(key): only the content of a notification may be changed")
      case .unknown: throw PlotError(.notFound, "\(key): an item has no such key")
      case .empty:
        throw PlotError(.invalidArgument, "\(key): expected a text that is not empty, found an empty one")
      case .wrongType(let holds): throw PlotError(.wrongType, "\(key): the key holds \(holds)", expected: holds)
      case .outOfRange(let expected, let found):
        throw PlotError(
          .invalidArgument, "\(key): expected \(expected), found \(found)", expected: expected, found: found)
      case .always: throw PlotError(.invalidArgument, "\(key): the key is always there")
      case .document(let fault): throw PlotError(fault)
      }
    }
    // The keys that are missing keep their old values, as in an answer.
    edited.content = edited.content.keepingUserInfo(of: core.content)
    core = edited
  }

  /// The page or link that opens with it.
  public var handlerType: HandlerType {
    guard case .notification(let handler) = core.kind else { return .regular }
    return HandlerType(rawValue: handler.rawValue) ?? .regular
  }

  /// When it was opened; nil when it was not.
  public var dateOpened: Date? { core.occurrence?.sent?.answered.map(Date.init(milliseconds:)) }
  /// Whether it was opened.
  public var isOpened: Bool { core.occurrence?.sent?.answered != nil }
  /// The app was in the foreground when it was opened.
  public var isAppInForeground: Bool { core.occurrence?.opening.isAppInForeground ?? false }
  /// The person is to be asked before the default is done (`engine.confirmInForeground`).
  public var confirms: Bool { core.occurrence?.opening.confirms ?? false }
  /// The higher goes first.
  public var priority: Int { Int(core.priority) }
  /// It leaves the screen with the visit.
  public var removesOnExit: Bool { core.stay.endsAtExit }
  /// It leaves the screen with its campaign.
  public var removesAtEnd: Bool { core.stay.endsWithCampaign }
  /// How long after its display the engine takes it off.
  public var expiresAfter: Duration? { core.stay.expireAfter.map { .milliseconds($0) } }
  /// When the engine takes it off.
  public var expiresAt: Date? { core.stay.expireAt.map(Date.init(milliseconds:)) }
  /// The match identifier of the display whose place it takes.
  public var updates: String? { core.occurrence?.updates }
  /// Others with the same key are replaced by it on the screen.
  public var correlationKey: String? { core.occurrence?.correlationKey }
  /// The identifiers of others that it stands for.
  public var coalesced: [String] { core.occurrence?.coalesced.map { "\($0.campaign.text);\($0.region.text)" } ?? [] }
  /// Whether it is a message, such as a push, and about no place.
  public var isMessage: Bool { core.occurrence?.incoming != nil }
  /// The sender of a message.
  public var sender: String? { core.occurrence?.incoming?.sender }
  /// The conversation of a message.
  public var thread: String? { core.occurrence?.incoming?.thread }
  /// The number of the newest state of a message; nil where it has none.
  public var revision: Int? { core.occurrence?.incoming?.revision.map(Int.init) }
  /// A message to be shown without sound and badge.
  public var isSilent: Bool { core.occurrence?.incoming?.isSilent ?? false }
  /// It only shows because the host cannot suppress it.
  public var isSuppressed: Bool { core.occurrence?.incoming?.isSuppressed ?? false }
}

extension Geotrigger {
  /// A geotrigger, made by hand: for the test of a handler.
  public init(
    campaignId: String, regionId: String, name: String, data: String = "", trigger: Trigger = .enter,
    latitude: Double? = nil, longitude: Double? = nil, matchRange: Int = 200
  ) {
    self.init(.made(.geotrigger, campaignId, regionId, name, data, trigger, latitude, longitude, matchRange))
  }

  /// The campaign's `data`, with its placeholders filled.
  public var data: String { core.data }
}

/// Both read their shared properties from the same value, which only this module knows.
protocol CoreItem: Item {
  var core: HostItem { get }
  init(_ core: HostItem)
  static var isGeotrigger: Bool { get }
}

extension PlotNotification: CoreItem {
  public static func == (a: PlotNotification, b: PlotNotification) -> Bool { areEqual(a, b) }
  static var isGeotrigger: Bool { false }
  public init(json: String) throws(PlotError) { self.init(try .read(json, isGeotrigger: false)) }
  public init(from decoder: any Decoder) throws { try self.init(decoding: decoder) }
  public func encode(to encoder: any Encoder) throws { try encodeJSON(to: encoder) }
  public var json: String { core.json }
  public var description: String { core.json }
  public var identifier: String { core.identifier }
  public var matchIdentifier: String? { core.occurrence?.matchIdentifier }
  public var campaignId: String? { isMessage ? nil : core.campaign.text }
  /// The id of the region; nil for a message from outside.
  public var regionId: String? { isMessage ? nil : core.region.text }
  /// The name of the region; nil where it has none.
  public var regionName: String? { core.regionName }
  public var geofenceLatitude: Double? { core.coordinate?.latitude }
  /// Degrees, of the region's centre; nil for a beacon.
  public var geofenceLongitude: Double? { core.coordinate?.longitude }
  /// The trigger that it waits for; nil for a message from outside.
  public var trigger: Trigger? { isMessage ? nil : Trigger(core.trigger) }
  public var matchRange: Int? { isMessage ? nil : Int(core.matchRange) }
  /// Whether the region is a place or a beacon; nil for a message from outside.
  public var regionType: RegionType? { isMessage ? nil : core.isBeacon ? .beacon : .geofence }
  public var travelMinutes: Int? { (core.travel?.minutes).map { Int($0) } }
  public var travelMode: String? { core.travel?.mode?.rawValue }
  public var dateSent: Date? { (core.occurrence?.sent?.date).map(Date.init(milliseconds:)) }
  public func hash(into hasher: inout Hasher) { hasher.combine(core.occurrence?.matchIdentifier ?? core.identifier) }
}

extension Geotrigger: CoreItem {
  public static func == (a: Geotrigger, b: Geotrigger) -> Bool { areEqual(a, b) }
  static var isGeotrigger: Bool { true }
  public init(json: String) throws(PlotError) { self.init(try .read(json, isGeotrigger: true)) }
  public init(from decoder: any Decoder) throws { try self.init(decoding: decoder) }
  public func encode(to encoder: any Encoder) throws { try encodeJSON(to: encoder) }
  public var json: String { core.json }
  public var description: String { core.json }
  public var identifier: String { core.identifier }
  public var matchIdentifier: String? { core.occurrence?.matchIdentifier }
  public var campaignId: String? { core.campaign.text }
  /// The id of the region.
  public var regionId: String? { core.region.text }
  /// The name of the region; nil where it has none.
  public var regionName: String? { core.regionName }
  public var geofenceLatitude: Double? { core.coordinate?.latitude }
  /// Degrees, of the region's centre; nil for a beacon.
  public var geofenceLongitude: Double? { core.coordinate?.longitude }
  /// The trigger that it waits for.
  public var trigger: Trigger? { Trigger(core.trigger) }
  public var matchRange: Int? { Int(core.matchRange) }
  /// Whether the region is a place or a beacon.
  public var regionType: RegionType? { core.isBeacon ? .beacon : .geofence }
  public var travelMinutes: Int? { (core.travel?.minutes).map { Int($0) } }
  public var travelMode: String? { core.travel?.mode?.rawValue }
  public var dateSent: Date? { (core.occurrence?.sent?.date).map(Date.init(milliseconds:)) }
  public func hash(into hasher: inout Hasher) { hasher.combine(core.occurrence?.matchIdentifier ?? core.identifier) }
}

extension CoreItem {
  init(_ item: PlotCore.Item) { self.init(.occurrence(item)) }

  init(decoding decoder: any Decoder) throws {
    let object = try JSONObject(from: decoder)
    do {
      try self.init(json: object.text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }

  /// Whether both have the same JSON, whatever the order of keys in their user info.
  static func areEqual(_ a: Self, _ b: Self) -> Bool {
    a.core == b.core || (try? JSONObject(parsing: a.core.json)) == (try? JSONObject(parsing: b.core.json))
  }

  func encodeJSON(to encoder: any Encoder) throws { try JSONObject(parsing: core.json).encode(to: encoder) }

  var kept: Kept { core.kept }
}

extension HostItem {
  fileprivate static func read(_ json: String, isGeotrigger: Bool) throws(PlotError) -> HostItem {
    let expected = isGeotrigger ? "a geotrigger as docs/items.md has it" : "a notification as docs/items.md has it"
    guard let item = HostItem(json: json, visit: nil), item.isGeotrigger == isGeotrigger else {
      throw PlotError(.invalidDocument, "expected \(expected), found \(json)", expected: expected, found: json)
    }
    return item
  }

  fileprivate static func made(
    _ kind: Campaign.Kind, _ campaign: String, _ region: String, _ message: String, _ data: String, _ trigger: Trigger,
    _ latitude: Double?, _ longitude: Double?, _ matchRange: Int
  ) -> HostItem {
    var coordinate: Coordinate?
    if let latitude, let longitude { coordinate = Coordinate(latitude: latitude, longitude: longitude) }
    return .loaded(
      LoadedItem(
        kind: kind, campaign: Identifier(campaign), region: Identifier(region),
        content: Content(message: message, data: data), coordinate: coordinate, trigger: trigger.core,
        matchRange: Int64(matchRange)))
  }
}

extension Trigger {
  init(_ trigger: PlotCore.Trigger) {
    switch trigger {
    case .enter: self = .enter
    case .exit: self = .exit
    case .dwelling(let minutes): self = .dwelling(minutes: Int(minutes))
    case .inside(let minute): self = .inside(minuteOfDay: Int(minute))
    case .approaching(let seconds): self = .approaching(seconds: Int(seconds))
    case .absent: self = .absent
    case .trip(let moment): self = .trip(TripEvent(rawValue: moment.rawValue) ?? .started)
    }
  }

  var core: PlotCore.Trigger {
    switch self {
    case .enter: .enter
    case .exit: .exit
    case .dwelling(let minutes): .dwelling(minutes: Int64(minutes))
    case .inside(let minute): .inside(minuteOfDay: Int64(minute))
    case .approaching(let seconds): .approaching(seconds: Int64(seconds))
    case .absent: .absent
    case .trip(let event): .trip(TripMoment(rawValue: event.rawValue) ?? .started)
    }
  }
}

extension Date {
  package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// Whole milliseconds since 1970. A date that is out of reach gives one that the engine refuses.
  package var milliseconds: Int64 {
    let number = (timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: number) ?? (number > 0 ? .max : .min)
  }
}
