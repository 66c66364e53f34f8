internal import PlotEngineKit

/// Beacons in the advertisements of Bluetooth LE devices.
///
/// iBeacon: manufacturer 0x004C, type 2, 21 bytes: UUID, major, minor, power at one metre. Eddystone: service 0xFEAA, frame type 0 (UID): power at
/// no distance, namespace, instance (github.com/google/eddystone, protocol specification).
enum Advertisement {
  private static let apple: UInt64 = 0x004C
  private static let eddystone = "0000feaa-0000-1000-8000-00805f9b34fb"

  /// The beacon in the data of a manufacturer.
  static func beacon(manufacturer: UInt64, _ data: [UInt8]) -> Heard? {
    guard manufacturer == apple, data.count == 23, data[0] == 0x02, data[1] == 0x15 else { return nil }
    let digits = data[2..<18].hexadecimal
    var uuid = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { uuid += "-" }
      uuid.append(digit)
    }
    return Heard(
      beacon: .iBeacon(
        proximityUUID: uuid, majorId: UInt16(data[18]) << 8 | UInt16(data[19]),
        minorId: UInt16(data[20]) << 8 | UInt16(data[21])),
      power: power(data[22]))
  }

  /// The beacon in the data of a service.
  static func beacon(service: String, _ data: [UInt8]) -> Heard? {
    guard service.lowercased() == eddystone, data.count >= 18, data[0] == 0x00 else { return nil }
    return Heard(
      beacon: .eddystone(namespaceId: data[2..<12].hexadecimal, instanceId: data[12..<18].hexadecimal),
      power: power(data[1]))
  }

  struct Heard: Equatable {
    var beacon: Sighting.Beacon
    /// dBm as the frame says it: of an iBeacon at one metre, of an Eddystone at none. Nil for a value that no beacon has.
    var power: Double?
  }

  private static func power(_ byte: UInt8) -> Double? {
    let power = Double(Int8(bitPattern: byte))
    return power == 0 || power == -128 ? nil : power
  }
}
