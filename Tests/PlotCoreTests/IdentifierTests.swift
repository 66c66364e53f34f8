import PlotTesting
import Testing

@testable import PlotCore

@Suite struct IdentifierTests {
  /// FNV-1a with 128 bits, written with two halves so that it shares nothing with the implementation.
  struct FNV1a128 {
    var high: UInt64 = 0x6c62_272e_07bb_0142
    var low: UInt64 = 0x62b8_2175_6295_c58d

    mutating func mix(_ byte: UInt8) {
      low ^= UInt64(byte)
      // The prime is 2^88 + 0x13b.
      let product = low.multipliedFullWidth(by: 0x13b)
      high = high &* 0x13b &+ product.high &+ (low << 24)
      low = product.low
    }

    var hexadecimal: String {
      [high, low].map { half in
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
    }

    static func hash(_ bytes: some Sequence<UInt8>) -> FNV1a128 {
      var hash = FNV1a128()
      for byte in bytes { hash.mix(byte) }
      return hash
    }
  }

  /// The hash's form as a UUID: the version, 8, in the 13th digit; the variant, binary 10, in the 17th.
  static func uuid(_ hash: FNV1a128) -> String {
    var digits = Array(hash.hexadecimal)
    digits[12] = "8"
    let variant = UInt8(String(digits[16]), radix: 16)! & 0b0011 | 0b1000
    digits[16] = Character(String(variant, radix: 16))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  /// Published test vectors of FNV-1a, 128 bits.
  @Test(arguments: [
    ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
    ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
  ])
  func theTestsOwnHashIsFNV1a(_ text: String, _ hash: String) {
    #expect(FNV1a128.hash(text.utf8).hexadecimal == hash)
  }

  @Test func theySortByTheirBytes() {
    var generator = SplitMix64(31)
    var witnesses = Witnesses()
    let letters = Array("ab\u{1}\u{7F}é€😀")
    for _ in 0..<20_000 {
      // Most have much in common.
      let stem = String(
        (0..<Int.random(in: 0...17, using: &generator)).map { _ in letters[Int.random(in: 0...1, using: &generator)] })
      let ends = (0..<2).map { _ in
        String((0..<Int.random(in: 0...4, using: &generator)).map { _ in letters.randomElement(using: &generator)! })
      }
      let (a, b) = (stem + ends[0], stem + ends[1])
      let isLess = Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
      #expect((Identifier(a) < Identifier(b)) == isLess, "\(a) \(b)")
      #expect((Identifier(a) == Identifier(b)) == (Array(a.utf8) == Array(b.utf8)))
      witnesses.see(isLess ? "less" : Array(a.utf8) == Array(b.utf8) ? "equal" : "greater")
      if a.utf8.starts(with: b.utf8) { witnesses.see("one begins the other") }
    }
    #expect(
      witnesses.below(["less": 7600, "equal": 770, "greater": 7600, "one begins the other": 3500])
        == [])
  }

  @Test func noPartsGiveTheBasis() {
    #expect(StableIdentifier.make() == "6c62272e-07bb-8142-a2b8-21756295c58d")
  }

  @Test func identifiersAreTheHashOfTheirPartsEachWithAZero() {
    var generator = SplitMix64(2)
    let letters = Array("abz09 ;é€😀")
    for round in 0..<2000 {
      var parts = ["", "", ""]
      for part in parts.indices {
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
          parts[part].append(letters.randomElement(using: &generator)!)
        }
      }
      let bytes: [UInt8] = parts.flatMap { part in Array(part.utf8) + [0] }
      let identifier = StableIdentifier.make(parts[0], parts[1], parts[2])
      #expect(identifier == Self.uuid(FNV1a128.hash(bytes)), "round \(round)")
    }
  }

  /// Computed apart, with integers of any size: eight bytes at a time, little-endian, the rest byte by byte, and a zero byte.
  @Test(arguments: [
    ("", "d228cb69-101a-8caf-b891-2b704e4a147f"), ("PlotEng", "3d0dde13-7a65-8afe-bc49-bce729f4b48e"),
    ("PlotEngi", "8070de38-2faa-886b-ad2c-067aaa989c15"), ("PlotEngine", "43355c71-f75f-8f24-8d1b-4f33dc7012ae"),
    ("The digest of a feed", "b3046628-efe5-8b31-bad9-74085de8807c"),
  ])
  func digestsOfLongTextsGoByWords(_ text: String, _ digest: String) {
    #expect(StableIdentifier.make(bytes: Array(text.utf8)) == digest)
    var all: Set = [digest]
    for position in text.utf8.indices {
      for bit in 0..<8 {
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.startIndex, to: position)] ^= 1 << bit
        all.insert(StableIdentifier.make(bytes: bytes))
      }
    }
    #expect(all.count == 1 + text.utf8.count * 8)
  }

  @Test func theBordersBetweenPartsCount() {
    let all = [
      StableIdentifier.make("ab", "c"), StableIdentifier.make("a", "bc"), StableIdentifier.make("abc"),
      StableIdentifier.make("abc", ""), StableIdentifier.make("", "abc"), StableIdentifier.make(),
      StableIdentifier.make(""),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test func identifiersCompareAsBytes() {
    let composed = Identifier("caf\u{e9}")
    let decomposed = Identifier("cafe\u{301}")
    #expect(composed.text == decomposed.text, "the same text in the eyes of Unicode")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
    #expect(Identifier("B") < Identifier("a"))
    #expect(Identifier("a") < Identifier("aa"))
    #expect(Identifier("z") < Identifier("é"))
    #expect(!(Identifier("a") < Identifier("a")))
    #expect(Identifier("\u{ffff}") < Identifier("\u{10000}"), "by UTF-8, not by UTF-16")
  }

  /// A number counts as its decimal digits.
  @Test func numbersAreTheirDigits() {
    var numbers: [Int64] = [0, .max, .min, .min + 1]
    var power: Int64 = 1
    for _ in 0..<19 {
      numbers += [power - 1, power, power + 1, 7 * (power / 10), -power, power / 9 * 8]
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    var generator = SplitMix64(11)
    for shift in 0..<64 { numbers.append(Int64(bitPattern: generator.next()) >> Int64(shift)) }
    for number in numbers {
      var identifier = StableIdentifier()
      identifier.add(number)
      #expect(identifier.text == StableIdentifier.make("\(number)"), "\(number)")
    }
  }

  @Test func visitAndMatchIdentifiersAreMadeFromWhatTheyStandFor() {
    let visit = Visit(region: Identifier("museum"), ordinal: 3, entered: 1234, isSilent: false)
    #expect(visit.id == Self.uuid(FNV1a128.hash("visit\0museum\u{0}3\u{0}1234\0".utf8)))
    let candidate = Candidate(campaign: notification("welcome"), region: circle("museum"), visit: visit.id)
    let parts = "match\0\(visit.id)\0welcome\0notification\0enter\u{0}0\0"
    #expect(candidate.matchIdentifier == Self.uuid(FNV1a128.hash(parts.utf8)))
    let others = [
      notification("welcome", .exit), notification("welcome", .dwelling(minutes: 5)),
      notification("welcome", .dwelling(minutes: 6)), geotrigger("welcome"), notification("other"),
    ]
    let matches = others.map { Candidate(campaign: $0, region: circle("museum"), visit: visit.id).matchIdentifier }
    #expect(Set(matches + [candidate.matchIdentifier]).count == 6)
  }
}
