/// Of a whole file, whose size is a multiple of 64: eight lanes, so that the processor works on eight words at once. Any change of one word
/// changes it: each step gives different lanes for different words, and different lanes stay so. The fourth word counts as 0: the checksum itself
/// stands there.
public enum FileChecksum {
  public static func of(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in unsafe of(bytes.assumingMemoryBound(to: UInt64.self)) }
  }

  private static func of(_ words: UnsafeBufferPointer<UInt64>) -> UInt64 {
    let count = words.count
    var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    var (e, f, g, h): (UInt64, UInt64, UInt64, UInt64) = (5, 6, 7, 8)
    var index = 0
    while index < count {
      let own = index == 0 ? 0 : unsafe words[index &+ 3]
      mix(&a, unsafe words[index])
      mix(&b, unsafe words[index &+ 1])
      mix(&c, unsafe words[index &+ 2])
      mix(&d, own)
      mix(&e, unsafe words[index &+ 4])
      mix(&f, unsafe words[index &+ 5])
      mix(&g, unsafe words[index &+ 6])
      mix(&h, unsafe words[index &+ 7])
      index &+= 8
    }
    var sum = UInt64(truncatingIfNeeded: count)
    for lane in [a, b, c, d, e, f, g, h] { mix(&sum, lane) }
    return sum ^ sum >> 32
  }

  @inline(__always)
  private static func mix(_ lane: inout UInt64, _ word: UInt64) {
    let product = (lane ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
    lane = product << 29 | product >> 35
  }
}
