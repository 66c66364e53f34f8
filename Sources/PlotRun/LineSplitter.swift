/// Cuts a stream of bytes into lines.
///
/// It keeps at most `limit` bytes of a line. A line that is longer is passed over up to its end, and counted.
nonisolated struct LineSplitter {
  let limit: Int
  /// How many lines were too long.
  private(set) var overlong = 0
  private var rest: [UInt8] = []
  private var isSkipping = false

  init(limit: Int) { self.limit = limit }

  /// The lines that end in these bytes, without their line ends; empty ones are left out.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isSkipping, let line = ended() { lines.append(line) }
        isSkipping = false
      } else if isSkipping {
        continue
      } else if rest.count == limit {
        overlong += 1
        isSkipping = true
        rest.removeAll()
      } else {
        rest.append(byte)
      }
    }
    return lines
  }

  /// The line that has no end, when the stream has one.
  mutating func finish() -> [UInt8]? {
    defer { isSkipping = false }
    return isSkipping ? nil : ended()
  }

  private mutating func ended() -> [UInt8]? {
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    defer { rest.removeAll(keepingCapacity: true) }
    return rest.isEmpty ? nil : rest
  }
}
