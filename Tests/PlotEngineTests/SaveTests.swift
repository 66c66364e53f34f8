import Foundation
import PlotCore
import PlotDocuments
import PlotFiles
import PlotTesting
import Testing

@testable import PlotEngine

/// A state as bytes, and what is no state.
@Suite struct SaveTests {
  private static let configuration = #"{"engine": {"noise": "balanced", "initial": "enter"}}"#

  private func world() -> Feed {
    feed(
      [circle("museum"), beacon("desk")],
      [notification("hello"), notification("stay", .dwelling(minutes: 5)), geotrigger("seen")])
  }

  private func device() throws -> Device {
    let device = Device()
    try device.start(Self.configuration)
    try device.engine.setFeed(world(), at: World.begin)
    for minute in 1...4 { try device.go(origin, at: World.begin + Milliseconds(minute) * 60_000) }
    return device
  }

  /// The answer to bytes; nil when they are taken.
  private func refusal(_ bytes: [UInt8]) throws -> Status? {
    let engine = Engine()
    defer { engine.close() }
    let configuration = try Configuration(parsing: Array(Self.configuration.utf8))
    do throws(EngineError) {
      try engine.restore(bytes, at: nil, configuration, feed: world(), storePath: nil)
      return nil
    } catch {
      #expect((try? engine.isEnabled()) == nil, "a refused state leaves an engine that is not started")
      return error.status
    }
  }

  /// A time of day that was told in a zone by its name is not told again.
  @Test(arguments: ["region", "device", "Asia/Tokyo"]) func aTimeOfDayInItsZoneIsKept(_ name: String) throws {
    let tokyo = try #require(ZoneFiles().zone("Asia/Tokyo"))
    let zone: TriggerTimes.Zone = name == "region" ? .region : name == "device" ? .device : .named(tokyo)
    var (place, campaign) = (circle("museum"), notification("evening"))
    place.values.zone = tokyo
    let minute = (name == "device" ? ZoneRules.utc : tokyo).local(World.begin + 150_000).ofDay / 60_000
    campaign.values.trigger = .inside(minuteOfDay: minute)
    campaign.values.times = TriggerTimes(rule: .anytime, zone: zone, outside: .drop)
    let world = feed([place], [campaign])
    let device = Device()
    try device.start(Self.configuration)
    try device.engine.setFeed(world, at: World.begin)
    for minute in 1...4 { try device.go(origin, at: World.begin + Milliseconds(minute) * 60_000) }
    let bytes = try device.engine.save(events: false)
    #expect(
      try device.engine.locked { session in session.machine.state.presence.visits[0].reportedInside.map(\.zone) } == [
        name
      ])
    let engine = Engine()
    defer { engine.close() }
    let configuration = try Configuration(parsing: Array(Self.configuration.utf8))
    try engine.restore(bytes, at: nil, configuration, feed: world, storePath: nil)
    #expect(try engine.save(events: false) == bytes)
  }

  /// The travel time of an item is kept.
  @Test(arguments: [TravelTime.Mode.auto, nil]) func aTravelTimeIsKept(_ mode: TravelTime.Mode?) throws {
    var place = circle("museum")
    place.values.travel = TravelTime(minutes: 15, mode: mode)
    let device = Device()
    try device.start(Self.configuration)
    try device.engine.setFeed(feed([place], [notification("welcome")]), at: World.begin)
    for minute in 1...4 { try device.go(origin, at: World.begin + Milliseconds(minute) * 60_000) }
    let bytes = try device.engine.save(events: false)
    let engine = Engine()
    defer { engine.close() }
    let configuration = try Configuration(parsing: Array(Self.configuration.utf8))
    try engine.restore(
      bytes, at: nil, configuration, feed: feed([place], [notification("welcome")]), storePath: nil)
    let sent = try engine.locked { session in session.machine.state.history.sentNotifications.map(\.travel) }
    #expect(sent == [place.travel])
    #expect(try engine.save(events: false) == bytes)
  }

  @Test func everyByteCounts() throws {
    let bytes = try device().engine.save(events: false)
    #expect(try StateBytes(bytes).state.count < 1024)
    #expect(try refusal(bytes) == nil)
    for index in bytes.indices {
      // Another bit of each byte; in `make test-long` four.
      for bit in (0..<steps(4)).map({ (index + 2 * $0) % 8 }) {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        let status = try refusal(damaged)
        #expect(status == .invalidDocument || (index == 4 && status == .storeNewer), "byte \(index)")
      }
    }
    for count in bytes.indices { #expect(try refusal(Array(bytes[..<count])) == .invalidDocument) }
  }

  /// With a checksum that is right, whatever the bytes between are: read or refused, and what is read is as an owner of state has it.
  @Test func bytesOfAnybody() throws {
    let saved = try StateBytes(device().engine.save(events: false))
    let state = Array(saved.bytes[saved.state])
    var random = SplitMix64(7)
    var taken = 0
    for round in 0..<steps(4000) {
      var changed = state
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(changed.count))
        switch round % 4 {
        case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: changed.remove(at: place)
        case 2: changed.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        default: changed.replaceSubrange(place..<min(place + 4, changed.count), with: [0xFF, 0xFF, 0xFF, 0xFF])
        }
      }
      let bytes = StateBytes.wrap(changed, events: [], digest: saved.digest)
      if try refusal(bytes) == nil { taken += 1 }
    }
    // Other texts and numbers that may be are states, too.
    #expect(taken > steps(100))
  }

  /// Unicode takes these two names for the same; the engine does not.
  @Test func namesThatLookAlike() throws {
    let twins = feed([circle("caf\u{e9}"), circle("cafe\u{301}")], [notification("hello")])
    let device = Device()
    try device.start(Self.configuration)
    try device.engine.setFeed(twins, at: World.begin)
    for minute in 1...4 { try device.go(origin, at: World.begin + Milliseconds(minute) * 60_000) }
    let bytes = try device.engine.save(events: false)
    let again = Engine()
    defer { again.close() }
    let configuration = try Configuration(parsing: Array(Self.configuration.utf8))
    try again.restore(bytes, at: nil, configuration, feed: twins, storePath: nil)
    #expect(try again.save(events: false) == bytes)
  }

  @Test func theSameOnAStoreAndInBytes() throws {
    let folder = try Folder()
    let first = try device()
    let bytes = try first.engine.save(events: true)
    let configuration = try Configuration(parsing: Array(Self.configuration.utf8))
    let (inMemory, onStore) = (Engine(), Engine())
    try inMemory.restore(bytes, at: nil, configuration, feed: world(), storePath: nil)
    try onStore.restore(bytes, at: nil, configuration, feed: world(), storePath: folder.path("store"))
    #expect(try onStore.save(events: true) == inMemory.save(events: true))
    onStore.close()
    let again = Engine()
    try again.initialize(at: World.begin + 240_000, configuration, storePath: folder.path("store"))
    #expect(try again.save(events: true) == inMemory.save(events: true))
    again.close()
    inMemory.close()
  }
}
