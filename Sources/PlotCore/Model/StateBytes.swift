/// The beginning and the end of a device's state as bytes (docs/state-bytes.md): a mark, its version, the digest of the feed that was in force,
/// and a checksum.
public struct StateBytes: Sendable {
  private static let mark: [UInt8] = Array("PLST".utf8)
  private static let sumSize = 8

  /// That which they are of.
  public var version: UInt8
  /// Of the feed in force; empty for none.
  public var digest: String
  public var bytes: [UInt8]
  /// Where the state lies in them.
  public var state: Range<Int>
  /// Where the events lie that the app has yet to acknowledge; empty where they were left out.
  public var events: Range<Int>

  public enum Fault: Error, Equatable {
    /// They are no state, or damaged.
    case foreign
    case newer(version: Int)
  }

  /// Puts the parts together.
  public static func wrap(_ state: [UInt8], events: [UInt8], digest: String) -> [UInt8] {
    var bytes = mark + [StateVersion.newest]
    bytes.reserveCapacity(state.count + events.count + 64)
    append(UInt64(digest.utf8.count), to: &bytes)
    bytes += digest.utf8
    append(UInt64(state.count), to: &bytes)
    bytes += state
    bytes += events
    let sum = Checksum.fnv1a(of: bytes, 0..<bytes.count)
    for shift in 0..<UInt64(sumSize) { bytes.append(UInt8(truncatingIfNeeded: sum >> (shift * 8))) }
    return bytes
  }

  public init(_ bytes: [UInt8]) throws(Fault) {
    let end = bytes.count - Self.sumSize
    var at = Self.mark.count + 1
    guard at < end, Array(bytes[..<Self.mark.count]) == Self.mark else { throw .foreign }
    // Another version may have another checksum.
    guard bytes[at - 1] <= StateVersion.newest else { throw .newer(version: Int(bytes[at - 1])) }
    var sum: UInt64 = 0
    for index in (end..<bytes.count).reversed() { sum = sum << 8 | UInt64(bytes[index]) }
    guard bytes[at - 1] > 0, Checksum.fnv1a(of: bytes, 0..<end) == sum,
      let length = Self.number(bytes, at: &at, end), length <= end - at,
      let digest = String(validating: bytes[at..<at + length], as: UTF8.self)
    else { throw .foreign }
    at += length
    guard let size = Self.number(bytes, at: &at, end), size <= end - at else { throw .foreign }
    version = bytes[Self.mark.count]
    self.bytes = bytes
    self.digest = digest
    state = at..<at + size
    events = at + size..<end
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for shift in 0..<UInt64(4) { bytes.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
  }

  private static func number(_ bytes: [UInt8], at position: inout Int, _ end: Int) -> Int? {
    guard end - position >= 4 else { return nil }
    defer { position += 4 }
    return (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << ($1 * 8) }
  }

  // MARK: Events

  /// The events that the app has yet to acknowledge, as bytes.
  public static func events(acknowledged: Int64, lost: Int64, _ entries: [(sequence: Int64, json: String)]) -> [UInt8] {
    var (coder, acknowledged, lost) = (StateWriter(), acknowledged, lost)
    coder.code(&acknowledged)
    coder.code(&lost)
    coder.each(
      entries, empty: (0, ""), put: { _ in },
      { coder, entry in
        coder.code(&entry.sequence)
        coder.code(&entry.json)
      })
    return coder.bytes
  }

  /// Nil where they are none, or cannot be.
  public var pendingEvents: (acknowledged: Int64, lost: Int64, entries: [(sequence: Int64, json: String)])? {
    var (coder, acknowledged, lost) = (StateReader(bytes, events, version: version), Int64(0), Int64(0))
    var entries: [(sequence: Int64, json: String)] = []
    coder.code(&acknowledged)
    coder.code(&lost)
    coder.each(
      entries, empty: (0, ""), put: { entries.append($0) },
      { coder, entry in
        coder.code(&entry.sequence)
        coder.code(&entry.json)
      })
    let isOrdered = zip(entries, entries.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
    guard coder.isComplete, acknowledged >= 0, lost >= 0, isOrdered,
      entries.first.map({ $0.sequence > acknowledged }) ?? true
    else { return nil }
    return (acknowledged, lost, entries)
  }
}
