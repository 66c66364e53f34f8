import Foundation
import PlotTesting
import Testing

@testable import PlotCore

/// Sightings, and groups of beacons and circles.
@Suite struct BeaconTests {
  static func phone(_ regions: [Region], _ campaigns: [Campaign] = []) -> TestHost {
    TestHost(feed(regions, campaigns)) { $0.noise = .exact }
  }

  @Test func enteredByTwoAndLeftBySilence() throws {
    var phone = Self.phone([beacon("a", minor: 7)])
    try phone.play(phone.machine.setForeground(true, at: 0))
    try phone.hear(10)
    try phone.hear(31)
    try phone.hear(32, minor: 8)
    try phone.hear(40)
    try phone.hear(42)
    try phone.hear(60)
    try phone.wait(till: 92)
    try phone.wait(till: 200)
    #expect(
      phone.presence == [
        "10 hold not-confirmed", "31 hold not-confirmed", "40 region-enter a since 31 by beacon",
        "93 region-exit a since 60 by beacon",
      ], "two within 20 s; 30 s and a tenth after the last")
  }

  @Test func theSilenceOfTheBackgroundIsLonger() throws {
    var phone = Self.phone([beacon("a", minor: 7)])
    try phone.hear(0)
    try phone.hear(1)
    try phone.wait(till: 663)
    #expect(phone.presence.count == 2)
    try phone.wait(till: 664)
    #expect(phone.presence.last == "664 region-exit a since 1 by beacon")
    // A visit that begins in the background and goes on in the foreground.
    try phone.hear(700)
    try phone.hear(701)
    try phone.play(phone.machine.setForeground(true, at: 900_000))
    try phone.wait(till: 932)
    #expect(phone.presence.last == "701 region-enter a since 700 by beacon")
    try phone.wait(till: 933)
    #expect(phone.presence.last == "933 region-exit a since 701 by beacon")
  }

  @Test func aDwellingWaitsWhileNothingIsHeard() throws {
    var phone = Self.phone([beacon("a", minor: 7)], [geotrigger("d", .dwelling(minutes: 5))])
    try phone.hear(0)
    try phone.hear(1)
    try phone.wait(till: 400)
    #expect(phone.presence.count == 2)
    var left = phone
    try phone.hear(500)
    #expect(phone.presence.last == "500 region-dwell a")
    try left.wait(till: 1000)
    #expect(left.presence.last == "664 region-exit a since 1 by beacon" && left.presence.count == 3)
  }

  @Test func rangesByProximityAndByStrength() throws {
    for (range, limit) in [(BeaconRange.immediate, 1.5), (.near, 3.0)] {
      var phone = Self.phone([beacon("a", minor: 7, range: range)])
      func rssi(_ meters: Double) -> Double { -59 - 20 * log10(meters) }
      let (within, beyond) = limit == 1.5 ? (1.4, 1.6) : (2.9, 3.1)
      try phone.hear(0, rssi: rssi(beyond))
      #expect(phone.presence == ["0 hold beacon-range"])
      try phone.hear(100, rssi: rssi(within))
      try phone.hear(101, rssi: rssi(within))
      #expect(phone.presence.last == "101 region-enter a since 100 by beacon")
      // Twice as far keeps it.
      try phone.hear(200, rssi: rssi(limit == 1.5 ? 2.9 : 5.9))
      #expect(phone.presence.count == 3)
      try phone.hear(300, rssi: rssi(limit == 1.5 ? 3.1 : 6.1))
      #expect(phone.presence.last == "300 hold beacon-range")
      try phone.wait(till: 863)
      #expect(phone.presence.last == "863 region-exit a since 200 by beacon")
    }
    var phone = Self.phone([
      beacon("i", minor: 7, range: .immediate), beacon("n", minor: 7, range: .near), beacon("x", minor: 7),
    ])
    for proximity in [BeaconRange.far, .far, .near, .near, .immediate, .immediate] {
      try phone.hear(phone.machine.state.newest / 1000 + 1, proximity, rssi: -1)
    }
    #expect(
      phone.presence.filter { $0.contains("enter") } == [
        "2 region-enter x since 1 by beacon", "4 region-enter n since 3 by beacon",
        "6 region-enter i since 5 by beacon",
      ], "the host's word goes before the strength")
    // Nothing is known: it is heard, but not near.
    var quiet = Self.phone([beacon("n", minor: 7, range: .near), beacon("x", minor: 7)])
    try quiet.hear(1)
    try quiet.hear(2)
    #expect(quiet.machine.state.presence.visits.map(\.region.text) == ["x"])
  }

  @Test func oneWildSampleIsCutOff() throws {
    var radio = Radio()
    var last = 0.0
    for second in 0..<20 {
      last = radio.distance(adding: second == 9 ? 60 : 6, at: Int64(second) * 1000, window: 60_000)
    }
    #expect(abs(last - 1.9953) < 0.001, "\(last)")
  }

  @Test func eddystoneAndWildcards() throws {
    let namespace = "00112233445566778899"
    var phone = Self.phone([
      Region(
        id: Identifier("one"), name: nil,
        shape: .eddystone(Eddystone(namespaceId: namespace, instanceId: "aabbccddeeff", range: .far))),
      Region(
        id: Identifier("all"), name: nil,
        shape: .eddystone(Eddystone(namespaceId: namespace, instanceId: nil, range: .far))),
      beacon("major"),
    ])
    for (second, instance) in [(1, "AABBCCDDEEFF"), (2, "000000000000"), (3, "AABBCCDDEEFF")] {
      let sender = Sighting.Sender.eddystone(namespaceId: namespace, instanceId: instance)
      try phone.play(phone.machine.update(Sighting(time: Int64(second) * 1000, sender: sender)))
    }
    try phone.hear(4, minor: 1)
    try phone.hear(5, minor: 65535)
    try phone.hear(6, major: 2)
    #expect(
      phone.presence.filter { $0.contains("enter") } == [
        "2 region-enter all since 1 by beacon", "3 region-enter one since 1 by beacon",
        "5 region-enter major since 4 by beacon",
      ])
    let bad: [Sighting] = [
      Sighting(time: 9000, sender: .iBeacon(proximityUUID: "x", majorId: 1, minorId: 1)),
      Sighting(time: 9000, sender: .eddystone(namespaceId: "0", instanceId: "aabbccddeeff")),
      Sighting(time: 9000, sender: .eddystone(namespaceId: namespace, instanceId: "zabbccddeeff")),
      Sighting(time: 9000, sender: .iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: 1), rssi: .nan),
      Sighting(time: 9000, sender: .iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: 1), power: 21),
      Sighting(time: 1000, sender: .iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: 1)),
    ]
    for sighting in bad { #expect(throws: InputError.self) { try phone.machine.update(sighting) } }
    #expect(phone.machine.state.newest == 6000)
  }

  /// Reference: peers, A16: what was heard before a restart does not become new by it.
  @Test func oldEvidenceStaysOldOverARestart() throws {
    var phone = Self.phone([beacon("a", minor: 7)])
    try phone.hear(0)
    try phone.hear(1)
    var again = Self.phone([beacon("a", minor: 7)])
    again.machine = Machine(state: phone.machine.state, feed: phone.machine.feed)
    try again.wait(till: 660)
    #expect(again.machine.state.presence.visits.count == 1)
    try again.wait(till: 900)
    #expect(again.presence == ["664 region-exit a since 1 by beacon"], "at its own time")
  }

  // MARK: Groups

  static func group(_ enter: Group.Enter, _ hold: Group.Hold) -> [Region] {
    [
      Region(
        id: Identifier("g"), name: nil,
        shape: .group(
          Group(
            members: [Identifier("door"), Identifier("shop")], enter: enter, hold: hold,
            place: Circle(center: origin, radius: 50)))
      ), beacon("door", minor: 7), circle("shop", radius: 50),
    ]
  }

  /// Beacon and circle disagree: a beacon may enter; GPS may hold, but not contradict.
  @Test func groups() throws {
    let cases: [(Group.Enter, Group.Hold, [String])] = [
      (.any, .any, ["2 enter", "1000 exit", "2001 enter", "2664 exit"]),
      (.beacon, .any, ["2 enter", "1000 exit", "2001 enter", "2664 exit"]),
      (.beacon, .geofence, ["2 enter", "1000 exit", "2001 enter", "2664 exit"]),
      (.beacon, .beacon, ["2 enter", "665 exit", "2001 enter", "2664 exit"]),
      (.all, .any, ["100 enter", "1000 exit"]), (.all, .beacon, ["100 enter", "665 exit"]),
      (.geofence, .any, ["100 enter", "1000 exit"]), (.geofence, .beacon, ["100 enter", "1000 exit"]),
    ]
    // The beacon is heard from 2 till 665, and from 2001 till 2664; the circle is visited from 100 till 1000.
    for (enter, hold, expected) in cases {
      var phone = Self.phone(Self.group(enter, hold))
      try phone.at(0, 500)
      try phone.hear(1)
      try phone.hear(2)
      try phone.at(100, 0)
      try phone.at(1000, 500)
      try phone.hear(2000)
      try phone.hear(2001)
      try phone.wait(till: 3000)
      let said = phone.presence.filter { $0.contains(" g") }.map { line in
        let words = line.split(separator: " ")
        return "\(words[0]) \(words[1].dropFirst(7))"
      }
      #expect(said == expected, "\(enter) \(hold)")
    }
  }

  /// No system watches a group, and what it says of a beacon counts as a sighting would not: it has no silence of its own.
  @Test func hintsOfGroupsAndBeacons() throws {
    var phone = Self.phone(Self.group(.any, .any))
    #expect(throws: InputError.self) {
      try phone.machine.hint(Hint(time: 1000, region: Identifier("g"), kind: .enter))
    }
    try phone.play(phone.machine.hint(Hint(time: 1000, region: Identifier("door"), kind: .enter)))
    try phone.wait(till: 10_000)
    try phone.play(phone.machine.hint(Hint(time: 10_001_000, region: Identifier("door"), kind: .exit)))
    #expect(
      phone.presence == [
        "1 region-enter door by hint", "1 region-enter g by group", "10001 region-exit door by hint",
        "10001 region-exit g by group",
      ])
  }

  /// For random sightings, fixes and waits: enters and exits alternate, and a group is visited only while a member is.
  @Test func entersAndExitsAlternate() throws {
    var witnesses = Witnesses()
    for seed in UInt64(0)..<30 { try Self.entersAndExitsAlternate(seed, &witnesses) }
    #expect(
      witnesses.below([
        "region-enter g": 280, "region-exit g": 280, "region-enter door": 170,
        "region-exit door": 170, "region-enter shop": 560, "region-enter near": 67,
        "region-enter all": 320, "steps in the group": 3200,
      ]) == [])
  }

  private static func entersAndExitsAlternate(_ seed: UInt64, _ witnesses: inout Witnesses) throws {
    var generator = SplitMix64(seed)
    let enter = Group.Enter.allCases.randomElement(using: &generator)!
    let regions =
      Self.group(enter, Group.Hold.allCases.randomElement(using: &generator)!) + [
        beacon("near", minor: 7, range: .near), beacon("all"),
      ]
    var phone = Self.phone(regions)
    var inside: Set<String> = []
    var time: Int64 = 0
    for _ in 0..<500 {
      time += Int64.random(in: 0...200, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6:
        try phone.hear(
          time, minor: generator.chance(0.7) ? 7 : 8,
          generator.chance(0.5) ? BeaconRange.allCases.randomElement(using: &generator)! : nil,
          rssi: Double(Int.random(in: -90 ... -50, using: &generator)))
      case 6..<8: try phone.at(time, generator.chance(0.5) ? 0 : 500)
      case 8: try phone.wait(till: time)
      default: try phone.play(phone.machine.setForeground(generator.chance(0.5), at: time * 1000))
      }
      #expect(phone.machine.nextWakeup.map { $0 > phone.machine.state.newest } ?? true)
      let visits = Set(phone.machine.state.presence.visits.map(\.region.text))
      if visits.contains("g") { witnesses.see("steps in the group") }
      #expect(!visits.contains("g") || visits.contains("door") || visits.contains("shop"))
    }
    for line in phone.presence where line.contains("region-") {
      let words = line.split(separator: " ")
      witnesses.see("\(words[1]) \(words[2])")
      if words[1] == "region-exit" {
        #expect(inside.remove(String(words[2])) != nil, "seed \(seed): \(line)")
      } else {
        #expect(inside.insert(String(words[2])).inserted, "seed \(seed): \(line)")
      }
    }
  }

  @Test func aVisitedBeaconLeavesFixesQuiet() throws {
    let beacon = Region(
      id: Identifier("b"), name: nil,
      shape: .beacon(Beacon(proximityUUID: beaconUUID, majorId: 1, minorId: 7, range: .near)))
    var phone = Self.phone([beacon, circle("a")])
    _ = try phone.machine.update(Fix(time: 1000, coordinate: north(5000)))
    try phone.hear(2, .near)
    try phone.hear(3, .near)
    #expect(phone.machine.state.presence.visits.count == 1)
    let isQuiet = phone.machine.takeFast(Fix(time: 4000, coordinate: north(5001)))
    #expect(isQuiet)
  }
}

extension TestHost {
  /// The events of regions and the decisions about presence, with times in seconds.
  var presence: [String] {
    effects.compactMap { effect in
      switch effect {
      case .event(let event) where event.kind.rawValue.hasPrefix("region-"):
        let since = event.since.map { " since \($0 / 1000)" } ?? ""
        let source = event.source.map { " by \($0.rawValue)" } ?? ""
        return "\(event.time / 1000) \(event.kind.rawValue) \(event.region.text)\(since)\(source)"
      case .decision(let decision) where decision.step == .presence:
        return "\(decision.time / 1000) \(decision.verdict.rawValue) \(decision.reason.rawValue)"
      default: return nil
      }
    }
  }

  mutating func hear(
    _ second: Int64, minor: UInt16 = 7, major: UInt16 = 1, _ proximity: BeaconRange? = nil, rssi: Double = 0
  ) throws {
    let sender = Sighting.Sender.iBeacon(proximityUUID: beaconUUID.uppercased(), majorId: major, minorId: minor)
    try play(
      machine.update(
        Sighting(time: second * 1000, sender: sender, proximity: proximity, rssi: rssi, power: rssi == 0 ? 0 : -59)))
  }
}
