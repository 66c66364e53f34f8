import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Ids that somebody has chosen so that a hash cannot tell them apart. What is counted are steps, never time.
@Suite struct HashFloodTests {
  /// Identifiers of 16 bytes that have one hash, by inverting what mixes it: for any first word there is a second that leads to the same state.
  /// `seed` is what the mixing starts from, xored with the length; `stableHash` starts from 0.
  struct Attack {
    let seed: UInt64

    static func mixed(_ word: UInt64) -> UInt64 {
      let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.low ^ product.high &+ 0xD6E8_FEB8_6659_FD93
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: ";")
    }

    func hash(_ id: Identifier) -> UInt64 {
      let bytes = Array(id.text.utf8)
      var hash = seed ^ UInt64(bytes.count)
      for start in stride(from: 0, through: bytes.count, by: 8) {
        var word: UInt64 = 0
        for byte in bytes[start..<min(start + 8, bytes.count)] { word = word << 8 | UInt64(byte) }
        hash = Self.mixed(hash ^ word)
      }
      return hash
    }

    /// ASCII without a zero byte. `forFeeds`: only what the ids of a feed may have, which takes longer to find.
    func ids(_ count: Int, forFeeds: Bool = false) -> [Identifier] {
      let (low, high): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
      let target: UInt64 = 0x0123_4567_89AB_CDEF ^ seed
      var ids: [Identifier] = []
      ids.reserveCapacity(count)
      var number: UInt64 = 0
      while ids.count < count {
        number &+= 1
        // 32 bits of the number, four in each byte.
        var first = number
        first = (first | first << 16) & 0x0000_FFFF_0000_FFFF
        first = (first | first << 8) & 0x00FF_00FF_00FF_00FF
        first = ((first | first << 4) & 0x0F0F_0F0F_0F0F_0F0F) | 0x4040_4040_4040_4040
        let second = Self.mixed(seed ^ 16 ^ first) ^ target
        if (second | (second &- low)) & high != 0 { continue }
        if forFeeds, (0..<8).contains(where: { !Self.isPlain(UInt8(truncatingIfNeeded: second >> UInt64(8 * $0))) }) {
          continue
        }
        let text = String(unsafeUninitializedCapacity: 16) { bytes in
          for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: first >> UInt64(56 - 8 * index))
            bytes[8 + index] = UInt8(truncatingIfNeeded: second >> UInt64(56 - 8 * index))
          }
          return 16
        }
        ids.append(Identifier(text))
      }
      return ids
    }
  }

  /// How many slots are looked at while all are put into a table of Swift's kind, which goes on to the next slot when one is taken. The sum is the
  /// same in any order: every slot is passed by those that found no place before it.
  static func probes(_ hashes: [Int]) -> Int {
    var size = 1
    while size * 3 / 4 < hashes.count { size *= 2 }
    var homes = [Int](repeating: 0, count: size)
    for hash in hashes { homes[hash & (size - 1)] += 1 }
    var (passing, probes) = (0, hashes.count)
    // Once around to know how many pass by the end.
    for home in homes { passing = max(0, passing + home - 1) }
    for home in homes {
      passing = max(0, passing + home - 1)
      probes += passing
    }
    return probes
  }

  @Test func theCountOfProbesIsThatOfASearchSlotBySlot() {
    var generator = SplitMix64(5)
    for bits in [0, 3, 8, 20] {
      let hashes = (0..<300).map { _ in Int.random(in: 0..<(1 << bits), using: &generator) }
      var (taken, probes) = ([Bool](repeating: false, count: 512), 0)
      for hash in hashes {
        var slot = hash & 511
        probes += 1
        while taken[slot] { (slot, probes) = ((slot + 1) & 511, probes + 1) }
        taken[slot] = true
      }
      #expect(Self.probes(hashes) == probes)
    }
  }

  /// Seeds are what a table gives: small ones without randomness, the address of its memory otherwise.
  @Test(arguments: [
    (0, 10_000), (17, 10_000), (0x5555_5576_82A0, 10_000), (0x7FFF_F700_0010, 80_000),
    (-7_046_029_254_386_353_131, 10_000),
  ])
  func idsMadeForASeedDoNotMeetInATable(_ seed: Int, _ count: Int) {
    let attack = Attack(seed: UInt64(bitPattern: Int64(seed)))
    let ids = attack.ids(count)
    #expect(Set(ids.map(\.text)).count == ids.count)
    #expect(Set(ids.prefix(100).map { attack.hash($0) }).count == 1, "the attack works on what it is made for")
    if seed == 0 { #expect(Set(ids.prefix(100).map(\.stableHash)).count == 1) }
    for hashes in [
      ids.map { $0._rawHashValue(seed: seed) }, ids.map(\.hashValue),
      ids.map { ItemKey(campaign: $0, region: ids[0])._rawHashValue(seed: seed) },
      ids.map { ItemKey(campaign: ids[0], region: $0)._rawHashValue(seed: seed) },
    ] {
      let probes = Self.probes(hashes)
      #expect(probes < 3 * ids.count, "\(probes) probes for \(ids.count) ids of seed \(seed)")
    }
  }

  private static func feed(_ ids: [Identifier]) throws -> Feed {
    let regions = ids.map { #"{"id":\#(JSONText.string($0.text)),"type":"geofence","latitude":52,"longitude":4}"# }
    return try Feed.parse(
      Array(#"{"version":1,"regions":[\#(regions.joined(separator: ","))],"campaigns":[]}"#.utf8))
  }

  /// The ids of a compiled feed are found by a binary search, whatever they are.
  @Test func aCompiledFeedIsSearchedInFewSteps() throws {
    let ids = Attack(seed: 0).ids(1000, forFeeds: true)
    #expect(ids.allSatisfy { $0.stableHash == ids[0].stableHash })
    let mapped = try Feed.map(compiled: Self.feed(ids).compiled())
    let sorted = try #require(mapped.regions.records as? MappedRecords<Region>).ids
    for (position, id) in ids.enumerated() {
      let found = sorted.find(id)
      #expect(found.position == position && found.comparisons <= 10, "2 to the 10th is more than 1000")
      let absent = sorted.find(Identifier(id.text + "x"))
      #expect(absent.position == nil && absent.comparisons <= 10)
    }
  }

  @Test func idsAreFoundByTheirBytes() throws {
    let texts = ["b", "a", "ab", "é", "z", "\u{ffff}", "\u{10000}", "e\u{301}", "a long one of many bytes"]
    let ids = texts.map(Identifier.init)
    let feed = try Self.feed(ids)
    #expect(SortedIds.order(of: ids) == [1, 8, 2, 0, 7, 4, 3, 5, 6])
    let mapped = try Feed.map(compiled: feed.compiled())
    for (position, id) in ids.enumerated() { #expect(mapped.region(id) == position) }
    for text in ["", "A", "aa", "zz", "\u{e8}", "\u{10FFFF}"] { #expect(mapped.region(Identifier(text)) == nil) }
    #expect(try Self.feed(ids).compiled() == feed.compiled() && mapped.compiled() == feed.compiled())
  }

  // MARK: Files that somebody has made

  private static func small() throws -> [UInt8] { try feed(["b", "é", "c"].map(Identifier.init)).compiled() }

  /// The error for a small file with other bytes in a section.
  private func fault(_ section: FeedFile.Section, _ change: (inout [UInt8]) -> Void) throws -> String {
    var bytes = try Self.small()
    let range = try FeedMapping(bytes).range(section)
    var part = Array(bytes[range])
    change(&part)
    bytes.replaceSubrange(range, with: part)
    do throws(DocumentError) {
      _ = try Feed.map(compiled: CompiledFeedTests.mended(bytes))
      return "none"
    } catch { return short(error) }
  }

  @Test func anOrderThatIsNoneIsRefused() throws {
    var order: [UInt8] = []
    #expect(try fault(.regionOrder) { order = $0 } == "none")
    #expect(order == [0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0])
    let expected =
      #"0:0  | positions in the section "regionOrder", ascending by the bytes of their ids | another order at "#
    #expect(try fault(.regionOrder) { $0.swapAt(0, 4) } == expected + "1")
    #expect(try fault(.regionOrder) { $0.swapAt(4, 8) } == expected + "2")
    #expect(try fault(.regionOrder) { $0[4] = 0 } == expected + "1", "one is there twice")
    #expect(try fault(.regionOrder) { $0[8] = 3 } == #"0:0  | numbers below 3 in the section "regionOrder" | 3"#)
    #expect(try fault(.regionIds) { $0[3] = UInt8(ascii: "b") } == expected + "1", "two have one id")
  }

  @Test func idsThatAreNoTextAreRefused() throws {
    let expected = #"0:0  | ids of UTF-8 in the section "regionIds" | other bytes"#
    #expect(try fault(.regionIds) { $0[3] = 0xFF } == expected)
    #expect(try fault(.regionIds) { $0[1] = UInt8(ascii: "d") } == expected)
    #expect(try fault(.regionIdStarts) { $0[16] = 2 } == expected, "an id that begins within a character")
  }

  /// Else many records could be one long text, and reading them all would take their number times its length.
  @Test(arguments: [FeedFile.Section.regionIdStarts, .regionStarts]) func textsDoNotOverlap(_ section: FeedFile.Section)
    throws
  {
    let texts = section == .regionStarts ? FeedFile.Section.regions : .regionIds
    let end = try FeedMapping(Self.small()).range(texts).count
    let expected = #"0:0  | ascending numbers from 0 to \#(end) in the section "\#(section)" | "#
    #expect(try fault(section) { $0[0] = 1 } == expected + "1 at 0")
    #expect(try fault(section) { $0[16] = 0 }.hasPrefix(expected) == true)
    #expect(try fault(section) { $0[24] &-= 1 } == expected + "\(end - 1) at 3")
    #expect(try fault(section) { $0[15] = 0x80 }.hasPrefix(expected) == true)
  }

  // MARK: Beacons

  /// The records of a feed, and how many of them were asked for.
  private final class Counted: FeedRecords, @unchecked Sendable {
    let records: MappedRecords<Region>
    var count: Int { records.count }
    var asked = 0

    init(_ records: MappedRecords<Region>) { self.records = records }

    func record(_ position: Int) -> FeedRecord<Region> {
      asked += 1
      return records.record(position)
    }
    func id(at position: Int) -> Identifier { records.id(at: position) }
    func position(of id: Identifier) -> Int? { records.position(of: id) }
  }

  /// The hashes of what beacons send are the file's own. One that gives many the same is not searched for long.
  @Test func beaconsWithAHashThatIsNotTheirsAreNotLookedThrough() throws {
    let regions = (0..<500).map {
      #"{"id":"b\#($0)","type":"beacon","proximityUUID":"\#(beaconUUID)","majorId":1,"minorId":\#($0)}"#
    }
    let feed = try Feed.parse(
      Array(#"{"version":1,"regions":[\#(regions.joined(separator: ","))],"campaigns":[]}"#.utf8))
    let mapped = try Feed.map(compiled: feed.compiled())
    func asked(_ change: (inout FeedTables) -> Void) throws -> (positions: [Int], asked: Int) {
      var tables = mapped.tables
      change(&tables)
      let counted = Counted(try #require(mapped.regions.records as? MappedRecords<Region>))
      let feed = Feed(
        revision: nil, regions: FeedList(counted), campaigns: [], settings: mapped.settings, categories: [],
        digest: mapped.digest, index: mapped.index, tables: tables)
      return (feed.positions(of: .iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: 7)), counted.asked)
    }
    #expect(try asked { _ in } == ([7], 1))
    let hash = Beacon.key(beaconUUID, 1, 7).stableHash
    let forged = try asked {
      $0.senderHashes = Array(repeating: hash, count: 500)
      $0.senders = Array(0..<500)
    }
    #expect(forged == ([], 1))
  }
}
