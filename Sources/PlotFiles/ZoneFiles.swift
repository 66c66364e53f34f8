public import PlotCore

/// Where time zones come from, by their IANA names.
public protocol ZoneSource {
  func zone(_ name: String) -> ZoneRules?
}

extension ZoneFiles: ZoneSource {}

/// The time zones of this system, by their IANA names: TZif files in the usual folders, each read once.
public final class ZoneFiles {
  private var read: [String: ZoneRules?] = [:]
  public static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]

  public init() {}

  /// Nil when the system has no such zone. `UTC` is always there.
  public func zone(_ name: String) -> ZoneRules? {
    if name == "UTC" { return .utc }
    if let known = read[name] { return known }
    let zone = Self.load(name)?.zone
    read[name] = .some(zone)
    return zone
  }

  /// Takes a zone as a recording has it, in place of the system's; false when the bytes are no TZif file.
  public func take(_ zone: RecordedZone) -> Bool {
    guard let rules = ZoneRules(name: zone.name, tzif: zone.bytes) else { return false }
    read[zone.name] = .some(rules)
    return true
  }

  /// The file of a zone; nil for one that the system does not have, and for UTC, which needs none.
  public static func recorded(_ name: String) -> RecordedZone? {
    name == "UTC" ? nil : load(name).map { RecordedZone(name: name, bytes: $0.bytes) }
  }

  private static func load(_ name: String) -> (zone: ZoneRules, bytes: [UInt8])? {
    let isName = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || Array("_+-/".utf8).contains(byte)
    }
    // The system's own choice of a zone, and the variants with leap seconds, are no names of places.
    let isPlace = !["localtime", "posixrules"].contains(name) && !name.hasPrefix("right/") && !name.hasPrefix("posix/")
    guard isName, isPlace, (1...64).contains(name.utf8.count), !name.hasPrefix("/"), !name.hasSuffix("/") else {
      return nil
    }
    for folder in folders {
      if let bytes = try? TextFile.read("\(folder)/\(name)", limit: 1 << 20),
        let zone = ZoneRules(name: name, tzif: bytes)
      {
        return (zone, bytes)
      }
    }
    return nil
  }
}

/// A time zone as the system had it: TZif bytes.
public struct RecordedZone: Equatable, Sendable {
  public var name: String
  public var bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}
