/// Random numbers that follow from the host's seed: SHA-256 of it and a counter.
struct Randomness: Sendable {
  private let seed: [UInt8]
  private var count: UInt64 = 0

  init(seed: [UInt8]) { self.seed = Hashes.sha256(seed) }

  private mutating func bytes() -> [UInt8] {
    count += 1
    return Hashes.sha256(seed + bytes(of: count))
  }

  private func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// From 0 to `limit`.
  mutating func time(upTo limit: Int64) -> Int64 {
    guard limit > 0 else { return 0 }
    var number: UInt64 = 0
    for byte in bytes().prefix(8) { number = number << 8 | UInt64(byte) }
    return Int64(number % UInt64(limit + 1))
  }

  /// About `time`: a tenth more or less.
  mutating func about(_ time: Int64) -> Int64 { time - time / 10 + self.time(upTo: time / 5) }

  /// 32 hexadecimal digits.
  mutating func name() -> String { Hashes.hexadecimal(bytes().prefix(16)) }
}
