import Foundation
import Testing

@testable import PlotCore

/// Sightings, and groups of beacons and circles.
@Suite struct BeaconTests {
  static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

  struct Phone {
    var machine: Machine
    var log: [String] = []

    init(_ regions: [Region], _ campaigns: [Campaign] = []) {
      machine = Machine(state: State(), feed: Feed(revision: nil, regions: regions, campaigns: campaigns, digest: "f"))
      machine.settings.noise = .exact
      machine.settings.recordsDecisions = true
    }

    mutating func take(_ output: Machine.Output) {
      for effect in output.effects {
        switch effect {
        case .event(let event) where event.kind.rawValue.hasPrefix("region-"):
          let since = event.since.map { " since \($0 / 1000)" } ?? ""
          let source = event.source.map { " by \($0.rawValue)" } ?? ""
          log.append("\(event.time / 1000) \(event.kind.rawValue) \(event.region.text)\(since)\(source)")
        case .decision(let decision) where decision.step == .presence:
          log.append("\(decision.time / 1000) \(decision.verdict.rawValue) \(decision.reason.rawValue)")
        default: break
        }
      }
    }

    mutating func hear(
      _ second: Int64, minor: UInt16 = 7, major: UInt16 = 1, _ proximity: BeaconRange? = nil, rssi: Double = 0
    ) throws {
      let sender = Sighting.Sender.iBeacon(proximityUUID: uuid.uppercased(), majorId: major, minorId: minor)
      take(
        try machine.update(
          Sighting(time: second * 1000, sender: sender, proximity: proximity, rssi: rssi, power: rssi == 0 ? 0 : -59)))
    }

    mutating func at(_ second: Int64, _ meters: Double) throws {
      take(try machine.update(Fix(time: second * 1000, coordinate: north(meters))))
    }

    mutating func wait(till second: Int64) { take(machine.advance(to: second * 1000)) }
  }

  static func region(_ id: String, minor: UInt16? = 7, range: BeaconRange = .far) -> Region {
    Region(
      id: Identifier(id), name: nil,
      shape: .beacon(Beacon(proximityUUID: uuid, majorId: 1, minorId: minor, range: range)))
  }

  @Test func enteredByTwoAndLeftBySilence() throws {
    var phone = Phone([Self.region("a")])
    phone.take(phone.machine.setForeground(true, at: 0))
    try phone.hear(10)
    try phone.hear(31)
    try phone.hear(32, minor: 8)
    try phone.hear(40)
    try phone.hear(42)
    try phone.hear(60)
    phone.wait(till: 92)
    phone.wait(till: 200)
    #expect(
      phone.log == [
        "10 hold not-confirmed", "31 hold not-confirmed", "40 region-enter a since 31 by beacon",
        "93 region-exit a since 60 by beacon",
      ], "two within 20 s; 30 s and a tenth after the last")
  }

  @Test func theSilenceOfTheBackgroundIsLonger() throws {
    var phone = Phone([Self.region("a")])
    try phone.hear(0)
    try phone.hear(1)
    phone.wait(till: 663)
    #expect(phone.log.count == 2)
    phone.wait(till: 664)
    #expect(phone.log.last == "664 region-exit a since 1 by beacon")
    // What begins in the background and goes on in the foreground.
    try phone.hear(700)
    try phone.hear(701)
    phone.take(phone.machine.setForeground(true, at: 900_000))
    phone.wait(till: 932)
    #expect(phone.log.last == "701 region-enter a since 700 by beacon")
    phone.wait(till: 933)
    #expect(phone.log.last == "933 region-exit a since 701 by beacon")
  }

  @Test func aDwellingWaitsWhileNothingIsHeard() throws {
    var phone = Phone([Self.region("a")], [geotrigger("d", .dwelling(minutes: 5))])
    try phone.hear(0)
    try phone.hear(1)
    phone.wait(till: 400)
    #expect(phone.log.count == 2)
    var left = phone
    try phone.hear(500)
    #expect(phone.log.last == "500 region-dwell a")
    left.wait(till: 1000)
    #expect(left.log.last == "664 region-exit a since 1 by beacon" && left.log.count == 3)
  }

  @Test func rangesByProximityAndByStrength() throws {
    for (range, limit) in [(BeaconRange.immediate, 1.5), (.near, 3.0)] {
      var phone = Phone([Self.region("a", range: range)])
      func rssi(_ meters: Double) -> Double { -59 - 20 * log10(meters) }
      let (within, beyond) = limit == 1.5 ? (1.4, 1.6) : (2.9, 3.1)
      try phone.hear(0, rssi: rssi(beyond))
      #expect(phone.log == ["0 hold beacon-range"])
      try phone.hear(100, rssi: rssi(within))
      try phone.hear(101, rssi: rssi(within))
      #expect(phone.log.last == "101 region-enter a since 100 by beacon")
      // Twice as far keeps it.
      try phone.hear(200, rssi: rssi(limit == 1.5 ? 2.9 : 5.9))
      #expect(phone.log.count == 3)
      try phone.hear(300, rssi: rssi(limit == 1.5 ? 3.1 : 6.1))
      #expect(phone.log.last == "300 hold beacon-range")
      phone.wait(till: 863)
      #expect(phone.log.last == "863 region-exit a since 200 by beacon")
    }
    var phone = Phone([Self.region("i", range: .immediate), Self.region("n", range: .near), Self.region("x")])
    for proximity in [BeaconRange.far, .far, .near, .near, .immediate, .immediate] {
      try phone.hear(phone.machine.state.newest / 1000 + 1, proximity, rssi: -1)
    }
    #expect(
      phone.log.filter { $0.contains("enter") } == [
        "2 region-enter x since 1 by beacon", "4 region-enter n since 3 by beacon",
        "6 region-enter i since 5 by beacon",
      ], "the host's word goes before the strength")
    // Nothing is known: it is heard, but not near.
    var quiet = Phone([Self.region("n", range: .near), Self.region("x")])
    try quiet.hear(1)
    try quiet.hear(2)
    #expect(quiet.machine.state.visits.map(\.region.text) == ["x"])
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
    var phone = Phone([
      Region(
        id: Identifier("one"), name: nil,
        shape: .eddystone(Eddystone(namespaceId: namespace, instanceId: "aabbccddeeff", range: .far))),
      Region(
        id: Identifier("all"), name: nil,
        shape: .eddystone(Eddystone(namespaceId: namespace, instanceId: nil, range: .far))),
      Self.region("major", minor: nil),
    ])
    for (second, instance) in [(1, "AABBCCDDEEFF"), (2, "000000000000"), (3, "AABBCCDDEEFF")] {
      let sender = Sighting.Sender.eddystone(namespaceId: namespace, instanceId: instance)
      phone.take(try phone.machine.update(Sighting(time: Int64(second) * 1000, sender: sender)))
    }
    try phone.hear(4, minor: 1)
    try phone.hear(5, minor: 65535)
    try phone.hear(6, major: 2)
    #expect(
      phone.log.filter { $0.contains("enter") } == [
        "2 region-enter all since 1 by beacon", "3 region-enter one since 1 by beacon",
        "5 region-enter major since 4 by beacon",
      ])
    let bad: [Sighting] = [
      Sighting(time: 9000, sender: .iBeacon(proximityUUID: "x", majorId: 1, minorId: 1)),
      Sighting(time: 9000, sender: .eddystone(namespaceId: "0", instanceId: "aabbccddeeff")),
      Sighting(time: 9000, sender: .eddystone(namespaceId: namespace, instanceId: "zabbccddeeff")),
      Sighting(time: 9000, sender: .iBeacon(proximityUUID: Self.uuid, majorId: 1, minorId: 1), rssi: .nan),
      Sighting(time: 9000, sender: .iBeacon(proximityUUID: Self.uuid, majorId: 1, minorId: 1), power: 21),
      Sighting(time: 1000, sender: .iBeacon(proximityUUID: Self.uuid, majorId: 1, minorId: 1)),
    ]
    for sighting in bad { #expect(throws: InputError.self) { try phone.machine.update(sighting) } }
    #expect(phone.machine.state.newest == 6000)
  }

  /// Reference: peers, A16: what was heard before a restart does not become new by it.
  @Test func oldEvidenceStaysOldOverARestart() throws {
    var phone = Phone([Self.region("a")])
    try phone.hear(0)
    try phone.hear(1)
    var again = Phone([Self.region("a")])
    again.machine = Machine(state: phone.machine.state, feed: phone.machine.feed)
    again.wait(till: 660)
    #expect(again.machine.state.visits.count == 1)
    again.wait(till: 900)
    #expect(again.log == ["664 region-exit a since 1 by beacon"], "at its own time")
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
      ), Self.region("door"), circle("shop", radius: 50),
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
      var phone = Phone(Self.group(enter, hold))
      try phone.at(0, 500)
      try phone.hear(1)
      try phone.hear(2)
      try phone.at(100, 0)
      try phone.at(1000, 500)
      try phone.hear(2000)
      try phone.hear(2001)
      phone.wait(till: 3000)
      let said = phone.log.filter { $0.contains(" g") }.map { line in
        let words = line.split(separator: " ")
        return "\(words[0]) \(words[1].dropFirst(7))"
      }
      #expect(said == expected, "\(enter) \(hold)")
    }
  }

  /// No system watches a group, and what it says of a beacon counts as a sighting would not: it has no silence of its own.
  @Test func hintsOfGroupsAndBeacons() throws {
    var phone = Phone(Self.group(.any, .any))
    #expect(throws: InputError.self) {
      try phone.machine.hint(Hint(time: 1000, region: Identifier("g"), kind: .enter))
    }
    phone.take(try phone.machine.hint(Hint(time: 1000, region: Identifier("door"), kind: .enter)))
    phone.wait(till: 10_000)
    phone.take(try phone.machine.hint(Hint(time: 10_001_000, region: Identifier("door"), kind: .exit)))
    #expect(
      phone.log == [
        "1 region-enter door by hint", "1 region-enter g by group", "10001 region-exit door by hint",
        "10001 region-exit g by group",
      ])
  }

  /// For random sightings, fixes and waits: enters and exits alternate, and a group is visited only while a member is.
  @Test(arguments: UInt64(0)..<30)
  func entersAndExitsAlternate(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed)
    let enter = Group.Enter.allCases.randomElement(using: &generator)!
    let regions =
      Self.group(enter, Group.Hold.allCases.randomElement(using: &generator)!) + [
        Self.region("near", range: .near), Self.region("all", minor: nil),
      ]
    var phone = Phone(regions)
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
      case 8: phone.wait(till: time)
      default: phone.take(phone.machine.setForeground(generator.chance(0.5), at: time * 1000))
      }
      #expect(phone.machine.nextWakeup.map { $0 > phone.machine.state.newest } ?? true)
      let visits = Set(phone.machine.state.visits.map(\.region.text))
      #expect(!visits.contains("g") || visits.contains("door") || visits.contains("shop"))
    }
    for line in phone.log where line.contains("region-") {
      let words = line.split(separator: " ")
      if words[1] == "region-exit" {
        #expect(inside.remove(String(words[2])) != nil, "seed \(seed): \(line)")
      } else {
        #expect(inside.insert(String(words[2])).inserted, "seed \(seed): \(line)")
      }
    }
    #expect(phone.log.count { $0.contains("enter") } > 3)
  }

  @Test func aVisitedBeaconLeavesFixesQuiet() throws {
    let beacon = Region(
      id: Identifier("b"), name: nil,
      shape: .beacon(Beacon(proximityUUID: Self.uuid, majorId: 1, minorId: 7, range: .near)))
    var phone = Phone([beacon, circle("a")])
    _ = try phone.machine.update(Fix(time: 1000, coordinate: north(5000)))
    try phone.hear(2, .near)
    try phone.hear(3, .near)
    #expect(phone.machine.state.visits.count == 1)
    let isQuiet = phone.machine.takeQuietly(Fix(time: 4000, coordinate: north(5001)))
    #expect(isQuiet)
  }
}
