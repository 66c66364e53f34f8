/// Tells whether bytes are still what they were. Against chance, not against somebody.
public enum Checksum {
  /// FNV-1a over eight bytes at a time, the rest one by one: no change within eight bytes leaves it as it is. `seed` is what they follow.
  public static func fnv1a(of bytes: [UInt8], _ range: Range<Int>, after seed: UInt64 = 0) -> UInt64 {
    var (sum, at) = (0xcbf2_9ce4_8422_2325 ^ seed, range.lowerBound)
    unsafe bytes.withUnsafeBytes { bytes in
      while at + 8 <= range.upperBound {
        let word = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        sum = (sum ^ word) &* 0x100_0000_01b3
        at += 8
      }
      while at < range.upperBound {
        sum = (sum ^ UInt64(unsafe bytes[at])) &* 0x100_0000_01b3
        at += 1
      }
    }
    return sum
  }
}
