/// The three distances of an iBeacon region.
public enum BeaconRange: String, CaseIterable, Sendable {
  case immediate, near, far

  /// About how many metres that is: below 1, around 2, around 30.
  public var meters: Int64 {
    switch self {
    case .immediate: 1
    case .near: 2
    case .far: 30
    }
  }
}

/// An iBeacon, or with no `minorId` all beacons of one `majorId`.
public struct Beacon: Equatable, Sendable {
  public var proximityUUID: String
  public var majorId: UInt16
  public var minorId: UInt16?
  public var range: BeaconRange

  public init(proximityUUID: String, majorId: UInt16, minorId: UInt16?, range: BeaconRange) {
    self.proximityUUID = proximityUUID
    self.majorId = majorId
    self.minorId = minorId
    self.range = range
  }
}

/// A beacon that sends Eddystone UID frames, or with no `instanceId` all of one namespace.
public struct Eddystone: Equatable, Sendable {
  /// 20 hexadecimal digits.
  public var namespaceId: String
  /// 12 hexadecimal digits.
  public var instanceId: String?
  public var range: BeaconRange

  public init(namespaceId: String, instanceId: String?, range: BeaconRange) {
    self.namespaceId = namespaceId
    self.instanceId = instanceId
    self.range = range
  }
}

/// Regions that stand for one place, such as a shop's circle and the beacon at its door.
public struct Group: Equatable, Sendable {
  /// The regions that enter it.
  public enum Enter: String, CaseIterable, Sendable {
    case any, all, beacon, geofence
  }

  /// The regions that keep one in it.
  public enum Hold: String, CaseIterable, Sendable {
    case any, beacon, geofence
  }

  public var members: [Identifier]
  public var enter: Enter
  public var hold: Hold
  /// The first geofence among them, or the circle around it.
  public var place: Circle?

  public init(members: [Identifier], enter: Enter = .any, hold: Hold = .any, place: Circle? = nil) {
    self.members = members
    self.enter = enter
    self.hold = hold
    self.place = place
  }
}

/// How beacons are heard (`engine.beacons` in plotconfig.json).
public struct BeaconPolicy: Equatable, Sendable {
  /// So many sightings in range, all within `window`, enter a region.
  public var sightings: Int64 = 2
  /// Also how long a sighting counts for the distance.
  public var window: Milliseconds = 20_000
  /// A region is left when nothing in range has been heard for so long.
  public var silence: Milliseconds = 30_000
  /// The same in the background, where systems listen now and then only.
  public var silenceInBackground: Milliseconds = 660_000

  public init() {}
}

/// A beacon that was heard.
public struct Sighting: Equatable, Sendable {
  public enum Sender: Hashable, Sendable {
    case iBeacon(proximityUUID: String, majorId: UInt16, minorId: UInt16)
    case eddystone(namespaceId: String, instanceId: String)
  }

  public var time: Milliseconds
  public var sender: Sender
  /// The host's own word; nil when it has none.
  public var proximity: BeaconRange?
  /// How strongly it was heard, in dBm; 0 when not known.
  public var rssi: Double
  /// How strongly it is heard at one metre, in dBm; 0 when not known.
  public var power: Double

  /// Letters in ids may be of either case.
  public init(time: Milliseconds, sender: Sender, proximity: BeaconRange? = nil, rssi: Double = 0, power: Double = 0) {
    self.time = time
    self.sender =
      switch sender {
      case .iBeacon(let uuid, let major, let minor):
        .iBeacon(proximityUUID: uuid.lowercased(), majorId: major, minorId: minor)
      case .eddystone(let namespace, let instance):
        .eddystone(namespaceId: namespace.lowercased(), instanceId: instance.lowercased())
      }
    self.proximity = proximity
    self.rssi = rssi
    self.power = power
  }

  /// The strength at one metre of a beacon whose Eddystone frames say how strong it is at zero metres; 0 when not known.
  public static func power(ofFrame power: Double) -> Double { power == 0 ? 0 : power - 41 }

  public static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { isHexadecimal($0) }
  }

  public static func isHexadecimal(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  var fault: InputError? {
    func check(_ name: String, _ isGood: Bool, _ expected: String, _ found: String) -> InputError? {
      isGood ? nil : .invalid(name: name, expected: expected, found: found)
    }
    let id: InputError? =
      switch sender {
      case .iBeacon(let uuid, _, _):
        check("proximity_uuid", Self.isUUID(uuid), "a UUID as 8-4-4-4-12 hexadecimal digits", "\"\(uuid)\"")
      case .eddystone(let namespace, let instance):
        check(
          "namespace_id", namespace.utf8.count == 20 && Self.isHexadecimal(namespace), "20 hexadecimal digits",
          "\"\(namespace)\"")
          ?? check(
            "instance_id", instance.utf8.count == 12 && Self.isHexadecimal(instance), "12 hexadecimal digits",
            "\"\(instance)\"")
      }
    return id ?? check("rssi", (-200...20).contains(rssi), "dBm from -200 to 20, 0 when not known", "\(rssi)")
      ?? check("power", (-200...20).contains(power), "dBm from -200 to 20, 0 when not known", "\(power)")
  }
}
