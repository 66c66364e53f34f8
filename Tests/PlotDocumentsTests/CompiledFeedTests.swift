import Dispatch
import Foundation
import PlotFiles
import PlotTesting
import Synchronization
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Compiled feeds: what they give, and what is done with those that are damaged or were made to be wrong.
@Suite struct CompiledFeedTests {
  /// Of everything a little: shapes, zones, groups, beacons, steps, passages, categories.
  static let text = #"""
    {"version": 1, "revision": "r", "x-own": [1],
     "categories": [{"id": "offer", "actions": [{"id": "go", "title": "Go"}]}],
     "settings": {"slots": {"count": 3}},
     "regions": [
      {"id": "bar", "type": "geofence", "latitude": 52, "longitude": 4, "timeZone": "Europe/Amsterdam", "moving": true},
      {"id": "ünï", "type": "geofence", "name": "N \"q\"", "latitude": 52.5, "longitude": 4.25, "radius": 80,
       "customFields": {"a": 1, "b": "x"}, "timeZone": "UTC"},
      {"id": "square", "type": "geofence", "geometry": {"type": "Polygon", "coordinates": [[[5, 52], [5.1, 52], [5.1, 52.1], [5, 52]]]}},
      {"id": "fair", "type": "beacon", "proximityUUID": "F7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1},
      {"id": "till", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1, "minorId": 7},
      {"id": "eddy", "type": "beacon", "namespaceId": "00112233445566778899", "instanceId": "aabbccddeeff"},
      {"id": "shop", "type": "group", "regions": ["till", "square", "bar"], "enter": "all"}],
     "campaigns": [
      {"id": "a", "type": "notification", "message": "At {{name}}", "regions": ["ünï", "bar"], "passages": true,
       "content": {"category": "offer"}},
      {"id": "b", "type": "geotrigger", "name": "n", "regions": ["bar"], "trigger": "approaching", "arrivalSeconds": 60},
      {"id": "c", "type": "notification", "message": "m", "regions": ["shop"],
       "after": {"steps": [{"region": "bar", "event": "dwelling", "minutes": 5}, {"not": {"region": "till"}}, {"region": "square"}]}}]}
    """#

  static func feed() throws -> Feed { try Feed.parse(text) }

  /// With another byte somewhere and the checksum of that.
  static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let sum = FileChecksum.of(bytes.span)
    for index in 0..<8 { bytes[FeedFile.Field.checksum + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
    return bytes
  }

  @Test func itIsTheFeedThatItWasMadeOf() throws {
    let feed = try Self.feed()
    let mapped = try Feed.map(compiled: feed.compiled())
    #expect(mapped.regions == feed.regions && mapped.campaigns == feed.campaigns)
    #expect(mapped.settings == feed.settings && mapped.categories == feed.categories)
    #expect(mapped.revision == "r" && mapped.digest == feed.digest && mapped.zoneNames == feed.zoneNames)
    #expect(mapped.tables == feed.tables && feed.zoneNames == ["Europe/Amsterdam", "UTC"])
    #expect(mapped.json == feed.json)
    #expect(mapped.compiled() == feed.compiled(), "a fixed point")
    for region in feed.regions { #expect(mapped.region(region.id) == feed.region(region.id)) }
    for campaign in feed.campaigns { #expect(mapped.campaign(campaign.id) == campaign) }
    #expect(mapped.region(Identifier("nobody")) == nil && mapped.campaign(Identifier("")) == nil)
    #expect(mapped.campaign(Identifier("a"))?.content?.category == "offer")
  }

  @Test func whatItLooksUp() throws {
    let feed = try Feed.map(compiled: Self.feed().compiled())
    #expect(feed.moving == [0] && feed.passable == [0, 1] && feed.approachable == [0] && feed.tables.groups == [6])
    #expect(feed.campaigns(naming: Identifier("bar")) == [2] && feed.campaigns(naming: Identifier("eddy")) == [])
    #expect(feed.dwellings(at: Identifier("bar")) == [5] && feed.dwellings(at: Identifier("till")) == [])
    #expect(feed.groups(of: Identifier("till")) == [6] && feed.groups(of: Identifier("ünï")) == [])
    let uuid = "f7826DA6-4fa2-4e98-8024-bc5b71e0893e"
    #expect(feed.positions(of: .iBeacon(proximityUUID: uuid, majorId: 1, minorId: 7)) == [4, 3])
    #expect(feed.positions(of: .iBeacon(proximityUUID: uuid, majorId: 1, minorId: 8)) == [3])
    #expect(feed.positions(of: .iBeacon(proximityUUID: uuid, majorId: 2, minorId: 7)) == [])
    let namespace = "00112233445566778899"
    #expect(feed.positions(of: .eddystone(namespaceId: namespace, instanceId: "AABBccddeeff")) == [5])
    #expect(feed.positions(of: .eddystone(namespaceId: namespace, instanceId: "000000000000")) == [])
  }

  @Test func feedsOfNothing() throws {
    let empty = try Feed.parse(#"{"version": 1, "regions": [], "campaigns": []}"#)
    let mapped = try Feed.map(compiled: empty.compiled())
    #expect(mapped.regions.isEmpty && mapped.campaigns.isEmpty && mapped.json == empty.json)
    #expect(mapped.region(Identifier("a")) == nil)
  }

  @Test func filesTakeThePlaceOfOthers() throws {
    let folder = try Folder()
    let path = folder.path("feed.bin")
    let feed = try Self.feed()
    try Feed.empty.save(path: path)
    let old = try Feed.map(path: path)
    try feed.save(path: path)
    let mapped = try Feed.map(path: path)
    #expect(mapped.json == feed.json && old.regions.isEmpty, "the old one is still there for those who have it")
    #expect(!FileManager.default.fileExists(atPath: path + ".part0"))
    #expect(throws: FileError.self) { try feed.save(path: "/nowhere/at/all") }
    #expect(throws: FileError(path: "/dev/null", reason: "not a plain file")) { try feed.save(path: "/dev/null") }
    let link = path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try Feed.empty.save(path: link)
    #expect(try Feed.map(path: path).regions.isEmpty)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    try feed.save(path: path)
    #expect(throws: FileError.self) { try Feed.map(path: "/nowhere/at/all") }
    #expect(throws: FileError.self) { try Feed.map(path: "/") }
    let device = FileError(path: "/dev/null", reason: "expected a plain file, found a device")
    #expect(throws: device) { try Feed.map(path: "/dev/null") }
    try TextFile.write([Self.text], to: path)
    #expect(throws: DocumentError.self) { try Feed.map(path: path) }
  }

  @Test func everyFlippedByteIsRefused() throws {
    let good = try Self.feed().compiled()
    for offset in good.indices {
      var bytes = good
      bytes[offset] ^= UInt8(1 << (offset % 8))
      #expect(throws: DocumentError.self, "byte \(offset)") { try Feed.map(compiled: bytes) }
    }
  }

  @Test func everyTruncationIsRefused() throws {
    let good = try Self.feed().compiled()
    for count in good.indices {
      #expect(throws: DocumentError.self, "\(count) bytes") { try Feed.map(compiled: Array(good[..<count])) }
    }
    #expect(throws: DocumentError.self) { try Feed.map(compiled: good + Array(repeating: 0, count: 64)) }
  }

  @Test func faultsSayWhatWasExpected() throws {
    let good = try Self.feed().compiled()
    func fault(_ change: (inout [UInt8]) -> Void) -> String {
      var bytes = good
      change(&bytes)
      do throws(DocumentError) {
        _ = try Feed.map(compiled: bytes)
        return "none"
      } catch { return short(error) }
    }
    #expect(
      fault { $0[0] = 0 } == "0:0  | a compiled feed, which begins with \"PLOTFEED\" | a file that does not")
    for old in [1, 2, 5] as [UInt8] {
      #expect(fault { $0[8] = old } == "0:0  | a compiled feed of version 3 or 4, at byte 8 | version \(old)")
    }
    #expect(
      fault { $0.removeLast(64) }
        == "0:0  | a compiled feed of \(good.count) bytes, as it says at byte 16 | \(good.count - 64) bytes")
    #expect(
      fault { $0[good.count / 2] ^= 1 }
        == "0:0  | the checksum that the compiled feed has at byte 24 | another, for the file is damaged")
    #expect(fault { $0 = [] } == "0:0  | a compiled feed, of \(FeedFile.headerSize) bytes or more | 0 bytes")
    #expect(
      fault {
        $0[12] = 3
        $0 = Self.mended($0)
      } == "0:0  | \(FeedFile.Section.allCases.count) sections, at byte 12 | 3")
    let index = try FeedMapping(good).range(.index).lowerBound
    #expect(
      fault {
        $0[index] ^= 1
        $0 = Self.mended($0)
      } == "0:0  | an index in the section \"index\" | something else")
    let name = try #require(good.firstRange(of: Array("Europe/Amsterdam\",\"UTC".utf8))?.lowerBound)
    #expect(
      fault {
        $0[name] = UInt8(ascii: "Z")
        $0 = Self.mended($0)
      }
        == "0:0  | the IANA name of a time zone that this system has, as in \"Europe/Amsterdam\" | \"Zurope/Amsterdam\""
    )
  }

  /// Files of another version would all be refused at their ninth byte, and prove nothing about what comes after.
  @Test func theCorpusOfTheFuzzersIsOfThisVersion() throws {
    let folder = projectRoot.appendingPathComponent("Tests/fuzz/corpus/feedfile")
    var taken = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      // As Tests/fuzz/feedfile.c puts them right.
      var bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
      guard bytes.count >= FeedFile.headerSize, bytes.count.isMultiple(of: 2) else { continue }
      bytes += Array(repeating: 0, count: FeedFile.padding(bytes.count))
      for index in 0..<8 { bytes[FeedFile.Field.size + index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index)) }
      if (try? Feed.map(compiled: Self.mended(bytes))) != nil { taken += 1 }
    }
    #expect(taken >= 12, "\(taken) files")
  }

  @Test func anUnreadableRecordStandsForNothing() throws {
    let good = try Self.feed().compiled()
    func changed(_ text: String, _ other: String) throws -> Feed {
      var bytes = good
      let range = try #require(good.firstRange(of: Array(text.utf8)))
      bytes.replaceSubrange(range, with: Array(other.utf8))
      return try Feed.map(compiled: Self.mended(bytes))
    }
    let feed = try changed(#""id":"bar","type""#, #""id":"baz","type""#)
    #expect(feed.regions[0] == .unreadable(Identifier("bar")) && feed.regions[0].coordinate == nil)
    #expect(feed.campaigns[0].regions == [1, 0], "others are as they were")
    let other = try changed(#""arrivalSeconds":60"#, #""arrivalSeconds":6x"#)
    #expect(other.campaigns[1] == .unreadable(Identifier("b")))
  }

  /// Bytes that are no UTF-8 are a fault with their place, and are not read as another text.
  @Test func theFrameIsUTF8() throws {
    var bytes = try Self.feed().compiled()
    let range = try FeedMapping(bytes).range(.frame)
    let title = try #require(bytes[range].firstRange(of: Array("Go".utf8)))
    bytes[title.lowerBound] = 0xFF
    let error = try #require(throws: DocumentError.self) { try Feed.map(compiled: Self.mended(bytes)) }
    #expect(error.expected == "UTF-8 text" && error.found == "the byte 0xff")
  }

  /// It has no list of campaigns that wait for an absence.
  @Test func aFileOfVersion3IsRead() throws {
    let feed = try Self.feed()
    var bytes = feed.compiled()
    (bytes[FeedFile.Field.version], bytes[FeedFile.Field.sectionCount]) = (3, 26)
    let entry = FeedFile.tableOffset + 16 * FeedFile.Section.absent.rawValue
    bytes.replaceSubrange(entry..<entry + 16, with: Array(repeating: 0, count: 16))
    let old = try Feed.map(compiled: Self.mended(bytes))
    #expect(old.json == feed.json && old.tables == feed.tables)
  }

  @Test func aPositionThatIsNowhereReadsNothing() throws {
    var bytes = try Self.feed().compiled()
    // Without a region and a campaign that could be read.
    let mapping = try FeedMapping(bytes)
    for offset in mapping.range(.regions) { bytes[offset] = UInt8(ascii: "x") }
    for offset in mapping.range(.campaigns) { bytes[offset] = UInt8(ascii: "x") }
    let feed = try Feed.map(compiled: Self.mended(bytes))
    var found: [Int] = []
    feed.index.forEachNear(Coordinate(latitude: 10, longitude: 10), 1000) { position, _ in found.append(position) }
    #expect(found == [])
    feed.index.forEachNear(Coordinate(latitude: 52.5, longitude: 4.25), 0) { position, _ in found.append(position) }
    #expect(found == [1], "the index knows the circles")
    #expect(feed.regions.id(at: 1) == Identifier("ünï") && feed.region(Identifier("ünï")) == 1)
    #expect(feed.regions[1] == .unreadable(Identifier("ünï")))
  }

  /// Whatever is in the file: it is refused, or everything about it can be asked.
  @Test(arguments: 0..<4) func forgeriesDoNotTrap(round: Int) throws {
    let good = try Self.feed().compiled()
    var generator = SplitMix64(UInt64(round))
    var (refused, taken) = (0, 0)
    for _ in 0..<800 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        // Half of them where the numbers are.
        let limit = Bool.random(using: &generator) ? FeedFile.headerSize : bytes.count
        let offset = Int.random(in: 26..<limit, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[offset] = .random(in: 0...255, using: &generator)
        case 1: bytes[offset] = [0, 1, 255, 0x7F, 0x80].randomElement(using: &generator)!
        case 2: bytes[offset] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
        default:
          for index in offset..<min(offset + 8, bytes.count) { bytes[index] = .random(in: 0...255, using: &generator) }
        }
      }
      guard let feed = try? Feed.map(compiled: Self.mended(bytes)) else {
        refused += 1
        continue
      }
      taken += 1
      Self.ask(feed)
    }
    #expect(refused >= 550 && taken >= 75, "\(refused) refused, \(taken) taken")
  }

  /// Asks a feed for all it has, and an engine's machine to live with it.
  static func ask(_ feed: Feed) {
    for region in feed.regions { _ = (region.coordinate, region.field("name"), feed.region(region.id)) }
    for campaign in feed.campaigns { _ = (campaign.regions.map { feed.regions[$0].id }, feed.campaign(campaign.id)) }
    _ = (feed.json, feed.zoneNames, feed.compiled())
    var machine = Machine(state: State(), feed: .empty)
    machine.settings.noise = .exact
    machine.settings.initial = .enter
    _ = machine.setEnabled(true, at: 0)
    _ = machine.setFeed(feed, at: 1)
    var time: Milliseconds = 1000
    let places = [(52, 4), (52.5, 4.25), (52.02, 5.05), (0, 0), (52, 4)]
    for (latitude, longitude) in places {
      let fix = Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude), accuracy: 5)
      _ = try? machine.update(fix)
      for minor in [1, 7] as [UInt16] {
        _ = try? machine.update(
          Sighting(time: time + 1, sender: .iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: minor)))
      }
      time += 600_000
      _ = machine.advance(to: time)
    }
    _ = machine.setFeed(.empty, at: time)
  }

  @Test func anyNumberOfThreadsMayReadARecordAtOnce() throws {
    var regions: [String] = []
    var campaigns: [String] = []
    for number in 0..<2000 {
      regions.append(
        #"{"id":"r\#(number)","type":"geofence","latitude":\#(number % 90),"longitude":4,"timeZone":"UTC"}"#)
      campaigns.append(
        #"{"id":"c\#(number)","type":"notification","message":"m \#(number)","regions":["r\#(number)"]}"#)
    }
    let lists = [regions, campaigns].map { $0.joined(separator: ",") }
    let text = #"{"version":1,"regions":[\#(lists[0])],"campaigns":[\#(lists[1])]}"#
    let feed = try Feed.parse(text)
    let mapped = try Feed.map(compiled: feed.compiled())
    let found = Mutex<[[ObjectIdentifier]]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      // Each from another end.
      let order = (0..<2000).map { (thread.isMultiple(of: 2) ? $0 : 1999 - $0) }
      var ids = [ObjectIdentifier?](repeating: nil, count: 4000)
      for position in order {
        let (region, campaign) = (mapped.regions.records!.record(position), mapped.campaigns.records!.record(position))
        if region.element == feed.regions[position] { ids[position] = ObjectIdentifier(region) }
        if campaign.element == feed.campaigns[position] { ids[2000 + position] = ObjectIdentifier(campaign) }
      }
      found.withLock { $0.append(ids.compactMap { $0 }) }
    }
    let all = found.withLock { $0 }
    #expect(all.count == 8 && all.allSatisfy { $0.count == 4000 && $0 == all[0] }, "all threads have the same objects")
  }
}
