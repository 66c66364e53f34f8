/// The facts of a machine that no stored change carries, as bytes: they change with nearly every input, and cost no transaction
/// (docs/store.md, The page).
///
/// The first fields lie in memory of its own size, so that a fix that changes nothing allocates nothing.
public struct Page: Sendable {
  /// How many words need no further memory.
  public static let wordCount = 48

  private var words = InlineArray<48, UInt64>(repeating: 0)
  private var used = 0
  /// The bytes behind the words, where there are more.
  public private(set) var rest: [UInt8] = []
  /// The fixes that the machine took on its fast path after it, in their order: each follows from the page and itself, and is much shorter.
  public var fixes: [Fix] = []

  init() {}

  /// From bytes, as `forEachWord` and `rest` gave them.
  public init(bytes: [UInt8]) {
    var position = 0
    while bytes.count - position >= 8, used < Self.wordCount {
      words[used] = Self.number(bytes, at: position)
      used += 1
      position += 8
    }
    rest = Array(bytes[position...])
  }

  /// How many bytes it has, without its fixes.
  public var count: Int { used * 8 + rest.count }

  /// The words that lie in it itself; each has its lowest byte first.
  public var inlineWords: (count: Int, words: InlineArray<48, UInt64>) {
    @inline(__always) get { (used, words) }
  }

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in 0..<used { Self.append(words[index], to: &bytes) }
    return bytes + rest
  }

  @inline(__always)
  mutating func append(_ word: UInt64) {
    if used < Self.wordCount, rest.isEmpty {
      words[used] = word
      used += 1
    } else {
      Self.append(word, to: &rest)
    }
  }

  mutating func append(_ text: String) {
    append(UInt64(text.utf8.count))
    rest.append(contentsOf: text.utf8)
  }

  /// Nil behind its end.
  func word(at position: Int) -> UInt64? {
    guard position >= 0, position <= count - 8 else { return nil }
    if position % 8 == 0, position < used * 8 { return words[position / 8] }
    let start = position - used * 8
    return start < 0 ? nil : Self.number(rest, at: start)
  }

  /// Nil behind its end, and for what is no UTF-8.
  func text(at position: Int, _ length: UInt64) -> String? {
    if length == 0 { return "" }
    let start = position - used * 8
    guard start >= 0, start <= rest.count, length <= UInt64(rest.count - start) else { return nil }
    return String(validating: rest[start..<start + Int(length)], as: UTF8.self)
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: UInt64(64), by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  private static func number(_ bytes: [UInt8], at position: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in (0..<8).reversed() { word = word << 8 | UInt64(bytes[position + index]) }
    return word
  }
}
