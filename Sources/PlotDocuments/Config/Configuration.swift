public import PlotCore
internal import PlotFiles

/// The treatment of a damaged store (docs/store.md).
public enum DamagedStore: String, CaseIterable, Sendable {
  /// The engine does not start, and the file stays as it is.
  case refuse
  /// The file gets another name, and a new store takes its place, with what can still be read.
  case setAside
}

/// The consumers of events beside the event callback (docs/events.md, Consumers).
public struct EventPolicy: Equatable, Sendable {
  /// The app lists events and acknowledges them: they are kept until it has.
  public var acknowledge = false
  /// How many wait for it at most.
  public var limit = 10_000

  public init() {}

  init(_ values: [String: Property.Value]) {
    acknowledge = values["acknowledge"]?.boolean ?? acknowledge
    limit = values["limit"]?.integer.map { Int($0) } ?? limit
  }
}

/// The values of plotconfig.json, defaults filled in (docs/plotconfig.md).
public struct Configuration: Sendable {
  /// Nil when there is none: only an engine that asks a campaign service needs one.
  public let publicToken: String?
  public let enableOnFirstRun: Bool
  public let debug: Bool
  /// Seconds; nil keeps the value of the previous session.
  public let cooldownPeriod: Int64?
  public let sharedNoise: Boxed<NoisePolicy>
  /// Of the first fix.
  public let initial: InitialPolicy
  /// Of a region that a feed update brings.
  public let initialOnUpdate: InitialPolicy
  /// A recording of the first releases has no decision about a visit that begins so.
  public let recordsInitial: Bool
  /// Seconds.
  public let filterDeadline: Int64
  /// How many regions the system watches at once.
  public let maxRegionsMonitored: Int64
  public let filterFallback: FilterFallback
  public let filterRecovery: FilterRecovery
  /// The filter is asked about dwellings when the region is entered, where the campaign does not say.
  public let filterAtEnter: Bool
  /// Geotriggers keep the global cooldown, and begin it when they are handled.
  public let geotriggersKeepCooldown: Bool
  /// Where attachments with relative paths lie.
  public let attachmentFolder: String?
  /// Which data of an opened notification is a URI.
  public let uriSchemes: [String]
  /// While the app is in the foreground the person is asked before a notification is opened.
  public let confirmInForeground: Bool
  /// Logs, events and decisions are without places (docs/privacy.md).
  public let hideCoordinates: Bool
  /// An input of an earlier time is refused. A recording that does not say so has 0.
  public let earliestTime: Milliseconds
  /// Seconds; an input that is further than this beyond the clocks is refused, and 0 is for none. A recording that does not say so has 0.
  public let maxAhead: Int64
  /// The treatment of a damaged store: `refuse` by default.
  public let damagedStore: DamagedStore
  public let capabilities: Capabilities
  public let beacons: BeaconPolicy
  public let proof: ProofPolicy
  public let events: EventPolicy
  /// Nil where there is no campaign service.
  public let sync: SyncSettings?
  /// One sentence each: a byte-order mark, unknown keys, values of an odd form.
  public let warnings: [String]
  /// Every property with its value, as JSON.
  public let json: String
  /// The same with "-" for the token, whether there is one or not: recordings are shown to others, and readers of
  /// older versions require a token. An earliest time of 0 is left out, and what an older recording did not say: it
  /// stays the same bytes.
  let recordedJSON: String

  public var noise: NoisePolicy { sharedNoise.values }

  public static let sizeLimit = 1 << 20
  /// With a byte-order mark.
  public static let textLimit = sizeLimit + 3

  /// Reads a configuration.
  public init(parsing bytes: [UInt8]) throws(DocumentError) {
    var warnings: [String] = []
    var bytes = bytes
    if bytes.hasByteOrderMark {
      warnings.append("the text begins with a byte-order mark")
      bytes = bytes.withoutByteOrderMark
    }
    try DocumentError.checkSize(of: bytes, most: Self.sizeLimit)
    try self.init(reading: JSONReader(bytes, hidesStrings: true), warnings: warnings)
  }

  /// Reads the configuration that a recording holds.
  init(recorded json: String, _ names: NoisePolicy.Names = .present) throws(DocumentError) {
    let bytes = Array(json.utf8)
    try DocumentError.checkSize(of: bytes, most: Self.sizeLimit)
    try self.init(reading: JSONReader(bytes, hidesStrings: true), recorded: names)
  }

  /// Reads what was parsed; `warnings` are those up to here. `recorded`: of a recording, with this meaning of names.
  init(
    reading reader: JSONReader, warnings: [String] = [], recorded: NoisePolicy.Names? = nil
  ) throws(DocumentError) {
    var warnings = warnings
    let own = recorded.map(Property.recordedEngine) ?? Property.engine
    let root = try reader.object(reader.root, "an object, as in {\"cooldownPeriod\": 600}")
    let values = try Property.read(Property.all, root, reader, &warnings, in: "")
    let engine =
      try reader.member(root, "engine") { (node) throws(DocumentError) in
        try Property.read(own, reader.object(node), reader, &warnings, in: "engine.")
      } ?? Property.defaults(own)
    func part(
      _ name: String, _ properties: [Property], of owner: String = "engine"
    ) throws(DocumentError) -> [String: Property.Value] {
      try reader.member(root, owner) { (node) throws(DocumentError) in
        try reader.member(node, name) { (node) throws(DocumentError) in
          try Property.read(properties, reader.object(node), reader, &warnings, in: "\(owner).\(name).")
        }
      }.flatMap { $0 } ?? Property.defaults(properties)
    }
    let abilities = try part("capabilities", Property.capabilities)
    let hearing = try part("beacons", Property.beacons)
    let taking = try part("events", Property.events)
    // A recording from before there was one needs no proof, and gives none.
    let hasProof =
      try reader.member(root, "engine") { (node) throws(DocumentError) in
        reader.keys(node).contains("proof")
      } ?? false
    let provesNothing = recorded != nil && !hasProof
    let proving = provesNothing ? ["maxAge": .integer(0)] : try part("proof", Property.proof)
    let syncing =
      try reader.member(root, "sync") { (node) throws(DocumentError) in
        try Property.read(Property.sync, reader.object(node), reader, &warnings, in: "sync.")
      } ?? Property.defaults(Property.sync)
    let sending = try part("events", Property.syncEvents, of: "sync")
    for key in reader.keys(root)
    where !["engine", "sync", JSONReader.schemaKey].contains(key) && !Property.all.contains(where: { $0.name == key }) {
      warnings.append(
        Property.ofTitanium.contains(key)
          ? "\"\(key)\" is an option of initPlot (Titanium), not of plotconfig.json; it is ignored"
          : "the key \"\(key)\" is unknown; it is ignored")
    }
    publicToken = values["publicToken"]?.string
    maxRegionsMonitored = values["maxRegionsMonitored"]?.integer ?? 20
    enableOnFirstRun = values["enableOnFirstRun"]?.boolean ?? true
    debug = values["debug"]?.boolean ?? false
    let cooldown = values["cooldownPeriod"]?.integer ?? -1
    cooldownPeriod = cooldown < 0 ? nil : cooldown
    sharedNoise = Boxed(engine["noise"]?.noise ?? .standard(recorded ?? .present))
    initial = engine["initial"]?.string.flatMap(InitialPolicy.init) ?? .enter
    // Recordings from before there was one: a feed update was as a first fix.
    initialOnUpdate = engine[Property.initialOnUpdate]?.string.flatMap(InitialPolicy.init) ?? initial
    recordsInitial = recorded != .first
    filterDeadline = engine["filterDeadline"]?.integer ?? 60
    filterFallback = engine["filterFallback"]?.string.flatMap(FilterFallback.init) ?? .drop
    filterRecovery = engine["filterRecovery"]?.string.flatMap(FilterRecovery.init) ?? .offerAgain
    filterAtEnter = engine[Property.filterAtEnter]?.boolean ?? false
    geotriggersKeepCooldown = engine[Property.geotriggersKeepCooldown]?.boolean ?? false
    attachmentFolder = engine["attachmentFolder"]?.string
    uriSchemes = engine[Property.uriSchemes]?.strings ?? URISchemes.standard
    confirmInForeground = engine[Property.confirmInForeground]?.boolean ?? false
    hideCoordinates = engine["hideCoordinates"]?.boolean ?? false
    earliestTime = engine[Property.earliestTime]?.integer ?? 0
    maxAhead = engine[Property.maxAhead]?.integer ?? 0
    damagedStore = engine[Property.damagedStore]?.string.flatMap(DamagedStore.init) ?? .refuse
    capabilities = Capabilities(abilities)
    beacons = BeaconPolicy(hearing)
    proof = ProofPolicy(proving)
    events = EventPolicy(taking)
    sync = SyncSettings(
      syncing, sending, token: publicToken, hasQuickSync: values["quickSyncDisabled"]?.boolean != true)
    self.warnings = warnings
    var parts = [("capabilities", Property.capabilities, abilities), ("beacons", Property.beacons, hearing)]
    if !provesNothing { parts.append(("proof", Property.proof, proving)) }
    // The consumers of events decide nothing: a recording leaves them out.
    json = Self.write(
      values, engine, parts + [("events", Property.events, taking)], sync == nil ? nil : (syncing, sending))
    var hidden = values
    hidden["publicToken"] = .string("-")
    recordedJSON = Self.write(
      hidden, engine, parts,
      leavingOut: [
        // The app's treatment of a tap decides nothing.
        Property.uriSchemes, Property.confirmInForeground, earliestTime == 0 ? Property.earliestTime : nil,
        maxAhead == 0 ? Property.maxAhead : nil,
        filterAtEnter ? nil : Property.filterAtEnter,
        geotriggersKeepCooldown ? nil : Property.geotriggersKeepCooldown,
        engine[Property.damagedStore] == Property.Value.none ? Property.damagedStore : nil,
        engine[Property.initialOnUpdate] == Property.Value.none ? Property.initialOnUpdate : nil,
      ],
      recorded == .first ? .first : nil)
  }

  /// Reads a configuration file. Throws `FileError` or `DocumentError`.
  public init(path: String) throws {
    try self.init(parsing: TextFile.read(path, limit: Self.textLimit))
  }

  private static func write(
    _ values: [String: Property.Value], _ engine: [String: Property.Value],
    _ parts: [(name: String, properties: [Property], values: [String: Property.Value])],
    _ sync: (own: [String: Property.Value], events: [String: Property.Value])? = nil,
    leavingOut left: [String?] = [],
    _ names: NoisePolicy.Names? = .present
  ) -> String {
    var json = JSONText()
    func members(_ properties: [Property], _ values: [String: Property.Value], _ json: inout JSONText) {
      for property in properties where !left.contains(property.name) {
        json.key(property.name)
        (values[property.name] ?? .none).write(to: &json, names)
      }
    }
    json.object { json in
      members(Property.all, values, &json)
      json.key("engine")
      json.object { json in
        members(Property.engine, engine, &json)
        for part in parts {
          json.key(part.name)
          json.object { json in members(part.properties, part.values, &json) }
        }
      }
      guard let sync else { return }
      json.key("sync")
      json.object { json in
        members(Property.sync, sync.own, &json)
        json.key("events")
        json.object { json in members(Property.syncEvents, sync.events, &json) }
      }
    }
    return json.text
  }
}

/// One property of plotconfig.json: the table that reading, writing and docs/plotconfig.md agree on.
struct Property: Sendable {
  enum Form: Sendable {
    case token
    case string
    case color
    case boolean
    /// A boolean that real files also write as a string.
    case looseBoolean
    case integer(ClosedRange<Int64>)
    case strings
    case schemes
    case choice([String])
    /// Some of these.
    case words([String])
    /// Of a campaign service.
    case url
    /// Public keys.
    case keys
    case noise
    /// Of a recording.
    case recordedNoise(NoisePolicy.Names)
  }

  enum Value: Equatable, Sendable {
    case none
    case string(String)
    case boolean(Bool)
    case integer(Int64)
    case strings([String])
    case noise(NoisePolicy)

    var noise: NoisePolicy? { if case .noise(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var strings: [String]? { if case .strings(let value) = self { value } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    func write(to json: inout JSONText, _ names: NoisePolicy.Names?) {
      switch self {
      case .none: json.raw("null")
      case .string(let value): json.value(value)
      case .boolean(let value): json.value(value)
      case .integer(let value): json.value(value)
      case .noise(let policy): policy.write(to: &json, ofRegion: false, names)
      case .strings(let values): json.array { json in for value in values { json.value(value) } }
      }
    }
  }

  let name: String
  let form: Form
  let standard: Value

  init(_ name: String, _ form: Form, _ standard: Value = .none) {
    self.name = name
    self.form = form
    self.standard = standard
  }

  /// Seed 001, 1.4, and the SDK reference, section 2.
  static let all: [Property] = [
    Property("publicToken", .token),
    Property("enableOnFirstRun", .boolean, .boolean(true)),
    Property("notificationSmallIcon", .string),
    Property("notificationAccentColor", .color),
    Property("askPermissionAgainAfterDays", .integer(-1...36_500), .integer(1)),
    Property("maxRegionsMonitored", .integer(5...20), .integer(20)),
    Property("debug", .boolean, .boolean(false)),
    Property("cooldownPeriod", .integer(-1...31_536_000), .integer(-1)),
    Property("automaticallyAskLocationPermission", .boolean, .boolean(true)),
    Property("automaticallyAskNotificationPermission", .boolean, .boolean(true)),
    Property("provisionalNotificationPermission", .boolean, .boolean(false)),
    Property("quickSyncDisabled", .boolean, .boolean(false)),
    Property("enableBackgroundLocation", .boolean, .boolean(true)),
    Property("emulatorTesting", .boolean, .boolean(false)),
    Property("addMainActivityToBackStack", .boolean, .boolean(false)),
    Property("notificationChannelName", .string),
    Property("maxGeofencesMonitored", .integer(1...100), .integer(100)),
    Property("forceFallbackForGooglePlay", .boolean, .boolean(false)),
    Property("showOnGoingNotification", .string),
    Property("enableCombinedMonitoring", .looseBoolean, .boolean(false)),
    Property("enableTransitionRecognition", .boolean, .boolean(false)),
    Property("transitionRecognitionActivities", .strings, .strings([])),
    Property("enableAltBeaconMonitoring", .boolean, .boolean(false)),
    Property("enableAltBeaconForegroundService", .boolean, .boolean(false)),
  ]

  /// The engine's own, under the key `engine`.
  static let engine: [Property] = [
    Property("noise", .noise, .noise(.standard)),
    Property("initial", .choice(InitialPolicy.allCases.map(\.rawValue)), .string(InitialPolicy.enter.rawValue)),
    Property(
      initialOnUpdate, .choice(InitialPolicy.allCases.map(\.rawValue)), .string(InitialPolicy.none.rawValue)),
    Property("filterDeadline", .integer(1...86_400), .integer(60)),
    Property("filterFallback", .choice(FilterFallback.allCases.map(\.rawValue)), .string(FilterFallback.drop.rawValue)),
    Property(
      "filterRecovery", .choice(FilterRecovery.allCases.map(\.rawValue)), .string(FilterRecovery.offerAgain.rawValue)),
    Property(filterAtEnter, .boolean, .boolean(false)),
    // Without a value the mirrors of the SDK can tell that the app has said nothing.
    Property(geotriggersKeepCooldown, .boolean),
    Property("attachmentFolder", .string),
    Property(uriSchemes, .schemes, .strings(URISchemes.standard)),
    Property(confirmInForeground, .boolean, .boolean(false)),
    Property("hideCoordinates", .boolean, .boolean(false)),
    // 1990-01-01T00:00:00Z: no time in seconds comes up to it, and no clock of a phone is before it.
    Property(earliestTime, .integer(Timestamp.range), .integer(631_152_000_000)),
    Property(maxAhead, .integer(0...86_400), .integer(600)),
    // Without a value the mirrors of the SDK can tell that the app has said nothing.
    Property(damagedStore, .choice(DamagedStore.allCases.map(\.rawValue))),
  ]

  static let events = [
    Property("acknowledge", .boolean, .boolean(false)), Property("limit", .integer(1...100_000), .integer(10_000)),
  ]

  static let filterAtEnter = "filterAtEnter"
  static let geotriggersKeepCooldown = "geotriggersKeepCooldown"
  static let uriSchemes = "uriSchemes"
  static let confirmInForeground = "confirmInForeground"
  static let earliestTime = "earliestTime"
  static let maxAhead = "maxAhead"
  static let damagedStore = "damagedStore"
  static let initialOnUpdate = "initialOnUpdate"

  /// The same in a recording: one from before there was an earliest time has none, and what one of the first releases leaves out has the
  /// value of those.
  static func recordedEngine(_ names: NoisePolicy.Names) -> [Property] {
    engine.map { property in
      switch property.name {
      case earliestTime, maxAhead: Property(property.name, property.form, .integer(0))
      case initialOnUpdate: Property(initialOnUpdate, property.form)
      case "noise": Property("noise", .recordedNoise(names), .noise(.standard(names)))
      case "initial" where names == .first:
        Property("initial", property.form, .string(InitialPolicy.none.rawValue))
      default: property
      }
    }
  }

  /// Options of `initPlot` in Titanium, which people look for here.
  static let ofTitanium = ["notificationFilterEnabled", "geotriggerHandlerEnabled"]

  static func defaults(_ properties: [Property]) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.standard) })
  }

  static func read(
    _ properties: [Property], _ object: Node, _ reader: JSONReader, _ warnings: inout [String],
    in prefix: String
  ) throws(DocumentError) -> [String: Value] {
    var values = defaults(properties)
    for property in properties {
      if let value = try reader.member(
        object, property.name, { (node) throws(DocumentError) in try property.read(node, reader, &warnings) })
      {
        values[property.name] = value
      }
    }
    if prefix != "" {
      for key in reader.keys(object)
      where !properties.contains(where: { $0.name == key })
        && !["engine.capabilities", "engine.beacons", "engine.proof", "engine.events", "sync.events"].contains(
          prefix + key)
      {
        warnings.append("the key \"\(prefix)\(key)\" is unknown; it is ignored")
      }
    }
    return values
  }

  private func read(
    _ node: Node, _ reader: JSONReader, _ warnings: inout [String]
  ) throws(DocumentError) -> Value {
    switch form {
    case .token:
      // A token never appears in an error.
      let expected = "a string that is not empty"
      guard node.isString else {
        throw reader.fail(expected: expected, found: "another type of value")
      }
      let token = try reader.string(node)
      guard !token.isEmpty else { throw reader.fail(expected: expected, found: "an empty string") }
      return .string(token)
    case .string: return .string(try reader.string(node))
    case .color:
      let color = try reader.string(node)
      let isGood =
        !color.hasPrefix("#") || (color.utf8.count == 7 && color.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit })
      guard isGood && !color.isEmpty else {
        throw reader.mismatch(node, "a colour as #RRGGBB, or the name of a colour resource")
      }
      return .string(color)
    case .boolean: return .boolean(try reader.boolean(node))
    case .looseBoolean:
      if node.isString, let value = Bool(try reader.string(node)) {
        warnings.append("\"\(name)\" is the string \"\(value)\"; it is taken as the boolean")
        return .boolean(value)
      }
      return .boolean(try reader.boolean(node))
    case .integer(let range): return .integer(try reader.integer(node, range))
    case .strings:
      return .strings(
        try reader.array(node, "an array of strings") { (node, _) throws(DocumentError) in
          try reader.string(node)
        })
    case .schemes:
      let expected =
        "a URI scheme in small letters, as \"https\", and none of \(URISchemes.never.joined(separator: ", "))"
      return .strings(
        try reader.array(node, "an array of URI schemes", most: 100) { (node, _) throws(DocumentError) in
          let name = try reader.string(node, expected)
          guard URISchemes.isAllowed(name) else { throw reader.mismatch(node, expected) }
          return name
        })
    case .words(let names):
      let expected = names.map { "\"\($0)\"" }.joined(separator: " or ")
      return .strings(
        try reader.array(node, "an array of \(expected)", most: names.count) { (node, _) throws(DocumentError) in
          let name = try reader.string(node, expected)
          guard names.contains(name) else { throw reader.mismatch(node, expected) }
          return name
        })
    case .url:
      let expected = "a URL as \"https://campaigns.example.com\", without query, user and a slash at the end"
      let url = try reader.string(node, expected)
      guard Self.isService(url) else { throw reader.mismatch(node, expected) }
      return .string(url)
    case .keys:
      let expected = "a public key of 43 characters in base64, as plot-server key prints it"
      return .strings(
        try reader.array(node, "an array of public keys", most: 4) { (node, _) throws(DocumentError) in
          let key = try reader.string(node, expected)
          guard Self.isKey(key) else { throw reader.mismatch(node, expected) }
          return key
        })
    case .noise: return .noise(try NoisePolicy.read(node, reader, ofRegion: false))
    case .recordedNoise(let names):
      var policy = try NoisePolicy.read(node, reader, ofRegion: false, names)
      // Recordings from before there was one.
      if !reader.keys(node).contains("unknownAccuracy") { policy.unknownAccuracy = 0 }
      return .noise(policy)
    case .choice(let names):
      let expected = names.map { "\"\($0)\"" }.joined(separator: " or ")
      let value = try reader.string(node, expected)
      guard names.contains(value) else { throw reader.mismatch(node, expected) }
      return .string(value)
    }
  }
}
