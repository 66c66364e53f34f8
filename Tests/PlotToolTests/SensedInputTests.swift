import Foundation
import PlotCore
import PlotDocuments
import PlotTesting
import Testing

@testable import PlotStory
@testable import PlotTracks
@testable import plot

/// Sightings, hints and moves beside a track: read, refused with their places, and played in the order of their times.
@Suite final class SensedInputTests {
  private let temporary: Folder
  private var folder: String { temporary.url.path }

  init() throws { temporary = try Folder() }

  private func parse(_ text: String, _ kind: SensedInput.Kind, isJSON: Bool = false) throws -> [SensedInput] {
    try SensedReader.parse(Data(text.utf8), kind, isJSON: isJSON)
  }

  @Test func bothFormsSayTheSame() throws {
    let csv = """
      rssi,TIME,proximityuuid,majorId,minorId,proximity,namespaceId,instanceId,power
      -64.5,2026-01-01T00:00:01Z,\(beaconUUID),1,7,near,,,-59
      -60,1767225602,,,,,00112233445566778899,AABBCCDDEEFF,-20
      """
    let jsonl = """
      {"time":"2026-01-01T00:00:01Z","proximityUUID":"\(beaconUUID)","majorId":1,"minorId":7,"proximity":"near","rssi":-64.5,"power":-59}

      {"time":1767225602,"namespaceId":"00112233445566778899","instanceId":"AABBCCDDEEFF","rssi":-60,"power":-20}
      """
    let expected = [
      Sighting(
        time: 1_767_225_601_000, sender: .iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: 7), proximity: .near,
        rssi: -64.5, power: -59),
      Sighting(
        time: 1_767_225_602_000,
        sender: .eddystone(namespaceId: "00112233445566778899", instanceId: "aabbccddeeff"), rssi: -60, power: -61),
    ]
    for inputs in [try parse(csv, .sightings), try parse(jsonl, .sightings, isJSON: true)] {
      let sightings = inputs.compactMap { if case .sighting(let sighting) = $0.value { sighting } else { nil } }
      #expect(sightings == expected && inputs.map(\.time) == expected.map(\.time))
    }
    let hints = try parse("time,region,kind,latitude,longitude\n5,a,exit,1,2\n6,b,inside,,\n", .hints)
    #expect(
      hints.compactMap { if case .hint(let hint) = $0.value { hint } else { nil } } == [
        Hint(
          time: 5000, region: Identifier("a"), kind: .exit, position: Position(Coordinate(latitude: 1, longitude: 2))),
        Hint(time: 6000, region: Identifier("b"), kind: .inside),
      ])
  }

  /// As spreadsheets write them; a text keeps its commas.
  @Test func semicolonsAndDecimalCommas() throws {
    for text in [
      "time,region,latitude,longitude\n1,\"a,b\",52.36,4.5\n", "time;region;latitude;longitude\n1;a,b;52,36;4,5\n",
      "time\tregion\tlatitude\tlongitude\n1\ta,b\t52.36\t4,5\n",
    ] {
      guard case .move(let region, let place)? = try parse(text, .moves).first?.value else {
        Issue.record("no move: \(text)")
        continue
      }
      #expect(region == "a,b" && place == Coordinate(latitude: 52.36, longitude: 4.5), "\(text)")
    }
  }

  @Test(arguments: [
    ("time,region,latitude,longitude\n1,a,91,2", "line 2, column 5: expected a latitude from -90 to 90, found \"91\""),
    (
      "time,region,latitude,longitude\nx,a,1,2",
      "line 2, column 1: expected a time as ISO 8601 or in seconds since 1970, found \"x\""
    ),
    ("time,region,latitude,longitude\n1,,1,2", "line 2, column 3: expected region, the id of a region, found nothing"),
    ("time,place\n1,a", "line 1, column 6: expected latitude, longitude, region, time, found \"place\""),
    ("time,region,latitude,longitude\n1,a,1", "line 2, column 5: expected 4 cells, as in the header, found 3"),
    ("", "line 1, column 1: expected a header line, found an empty file"),
    ("time,region,Time\n", "line 1, column 13: expected one column time, found a second one"),
  ])
  func faultsOfMoves(_ text: String, _ message: String) {
    let error = #expect(throws: TrackError.self) { try parse(text, .moves) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (
      #"{"time":1,"region":"a","kind":"leave"}"#,
      #"line 1, column 31: expected enter, exit, inside, outside, found "leave""#
    ),
    ("\n[1]", "line 2, column 1: expected an object, found an array"),
    (#"{"time":1,"region":"a","#, "line 1, column 24: expected a key after the comma, found the end of the text"),
    (#"{"time":1,"time":2}"#, "line 1, column 11: expected each key once, found the key \"time\" again"),
    (#"{"time":1,"Time":2}"#, "line 1, column 18: expected one time, found a second one"),
    (
      #"{"time":1,"region":"a","kind":"exit","latitude":true,"longitude":1}"#,
      "line 1, column 49: expected latitude as a string or a number, found true"
    ),
    (
      #"{"time":1,"region":"a","kind":"exit","accuracy":5}"#,
      "line 1, column 1: expected latitude, a latitude from -90 to 90, found nothing"
    ),
    (
      #"{"time":1,"region":["a"],"kind":"exit"}"#,
      "line 1, column 20: expected region as a string or a number, found an array"
    ),
    (
      #"{"time":1,"region":"a","kind":"exit","latitude":1}"#,
      "line 1, column 1: expected longitude, a longitude from -180 to 180, found nothing"
    ),
  ])
  func faultsOfHints(_ text: String, _ message: String) {
    let error = #expect(throws: TrackError.self) { try parse(text, .hints, isJSON: true) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("1,f7826da6,1,7,,", "line 2, column 3: expected a UUID as 8-4-4-4-12 hexadecimal digits, found \"f7826da6\""),
    ("1,,,,0011,001122334455", "line 2, column 6: expected 20 hexadecimal digits, found \"0011\""),
    (
      "1,,,,00112233445566778899,00112233445g",
      "line 2, column 27: expected 12 hexadecimal digits, found \"00112233445g\""
    ),
    ("1,,,,,001122334455", "line 2, column 6: expected namespaceId, 20 hexadecimal digits, found nothing"),
    (
      "1,,,7,00112233445566778899,001122334455",
      "line 2, column 1: expected an iBeacon or an Eddystone, found something of both"
    ),
  ])
  func faultsOfSightings(_ row: String, _ message: String) {
    let head = "time,proximityUUID,majorId,minorId,namespaceId,instanceId\n"
    let error = #expect(throws: TrackError.self) { try parse(head + row, .sightings) }
    #expect(error?.description == message)
  }

  /// A shop with a beacon, a bus that moves, and a system that watches the park.
  private static let feed = #"""
    {"version": 1, "campaigns": [{"id": "in", "type": "geotrigger", "name": "in", "regions": ["door", "bus", "park", "place"], "resend": true}],
     "regions": [
       {"id": "door", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1, "minorId": 7},
       {"id": "shop", "type": "geofence", "latitude": 0, "longitude": 0, "radius": 50},
       {"id": "place", "type": "group", "regions": ["door", "shop"]},
       {"id": "bus", "type": "geofence", "latitude": 10, "longitude": 0, "radius": 50, "moving": true},
       {"id": "park", "type": "geofence", "latitude": 0.01, "longitude": 0, "radius": 500}]}
    """#

  private func replay(
    _ points: [TrackPoint], _ sensed: [SensedInput], name: String, store: Bool = false
  ) throws -> (events: [String], summary: String) {
    let simulation = Simulation(
      feed: try Feed.parse(Self.feed), track: Track(name: nil, points: points, warnings: []),
      sensed: sensed,
      options: .init(quiet: true, speed: nil, collectsMarks: false))
    let path = "\(folder)/\(name).jsonl"
    try simulation.openFiles(events: path, decisions: nil, resuming: store)
    let configuration = try Configuration(
      parsing: Array(#"{"publicToken": "t", "engine": {"noise": "exact", "initial": "enter", "earliestTime": 0}}"#.utf8)
    )
    try simulation.run(configuration, storePath: store ? "\(folder)/\(name).db" : nil, [])
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let events = try lines.map { line in
      let record = try RunRecord(String(line))
      return "\(record.time.dropFirst(14).dropLast()) \(record.event ?? "") \(record.region ?? "")"
    }
    return (events, simulation.summary)
  }

  private func sensed() throws -> [SensedInput] {
    try parse("time,region,kind\n5,park,enter\n30,park,enter\n40,nowhere,exit", .hints)
      + parse("time,proximityUUID,majorId,minorId\n10,\(beaconUUID),1,7\n11,\(beaconUUID),1,7", .sightings)
      + parse("time,region,latitude,longitude\n20,bus,5,0\n25,shop,5,0", .moves)
  }

  private let track = [(0, 0.016), (20, 5.0), (50, 5.0)].map { time, latitude in
    TrackPoint(time: time * 1000, latitude: latitude, longitude: 0)
  }

  @Test func allGoInByTheirTimes() throws {
    let (events, summary) = try replay(track, try sensed(), name: "all")
    #expect(
      events == [
        "00:05 region-enter park", "00:05 geotrigger park", "00:11 region-enter door", "00:11 region-enter place",
        "00:11 geotrigger door", "00:11 geotrigger place", "00:20 region-exit park", "00:20 region-enter bus",
        "00:20 geotrigger bus",
      ], "the bus has moved before the fix of the same time")
    #expect(
      summary.hasPrefix("3 fixes, 2 moves, 2 sightings, 3 hints, 4 enters, 1 exit"), "\(summary)")
    #expect(summary.contains("; 2 other inputs were refused (1970-01-01T00:00:25Z: region: "), "\(summary)")
  }

  @Test func withoutATrack() throws {
    let (events, _) = try replay([], try sensed().filter { $0.kind != .moves }, name: "none")
    #expect(events.count == 6 && events[0] == "00:05 region-enter park")
  }

  @Test func aRunThatGoesOnDoesNotTellAgain() throws {
    let all = try sensed()
    for end in [8000, 11_000, 20_000] {
      let name = "broken\(end)"
      _ = try replay(track.filter { $0.time <= end }, all.filter { $0.time <= end }, name: name, store: true)
      let (events, _) = try replay(track, all, name: name, store: true)
      #expect(events == (try replay(track, all, name: "whole\(end)").events), "broken off at \(end)")
    }
  }

  /// Nothing is half run, and the demo's beacon is heard when demo/README.md says so.
  @Test func command() throws {
    let demo = projectRoot.appendingPathComponent("demo").path
    let arguments = [
      "--config", "\(demo)/plotconfig.json", "--feed", "\(demo)/feed.json", "--track", "\(demo)/walk.gpx",
      "--sightings",
      "\(demo)/beacons.csv", "--property", "language=en", "--events", folder + "/events", "--map", folder + "/map",
      "--quiet",
    ]
    let hints = folder + "/hints.csv"
    try "time,region,kind\n1,a,left\n".write(toFile: hints, atomically: true, encoding: .utf8)
    #expect(throws: TrackError.self) { try SimulateCommand.parse(arguments + ["--hints", hints]).run() }
    #expect(!FileManager.default.fileExists(atPath: folder + "/events"))
    try SimulateCommand.parse(arguments).run()
    let events = try String(contentsOfFile: folder + "/events", encoding: .utf8).split(separator: "\n")
    #expect(
      events.filter { $0.contains("till-hello") }.map { $0.prefix(59) } == [
        #"{"time":"2026-05-16T11:27:10Z","event":"notification-shown""#
      ])
    #expect(try String(contentsOfFile: folder + "/map", encoding: .utf8).contains("Show this at the till"))
    for wrong in [["--plan", "1001"], ["--plan-file", "plan.jsonl"]] {
      #expect(throws: (any Error).self) { try SimulateCommand.parse(arguments + wrong) }
    }
  }

  @Test func plansAlongTheTrack() throws {
    let simulation = Simulation(
      feed: try Feed.parse(Self.feed),
      track: Track(
        name: nil,
        points: [(0, 0.05), (10, 0.0501), (60, 5.0), (70, 5.0001)].map { time, latitude in
          TrackPoint(time: time * 1000, latitude: latitude, longitude: 0)
        }, warnings: []),
      sensed: try parse("time,region,latitude,longitude\n20,bus,0.06,0\n25,shop,5,0", .moves),
      options: .init(quiet: true, speed: nil, collectsMarks: false, planBudget: 3))
    try simulation.openFiles(events: nil, decisions: nil, plans: folder + "/plans", resuming: false)
    try simulation.run(
      Configuration(#"{"publicToken": "t", "engine": {"noise": "exact", "earliestTime": 0}}"#),
      storePath: nil, [])
    let plans = try String(contentsOfFile: folder + "/plans", encoding: .utf8).split(separator: "\n").map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let plan = try #require(object["plan"] as? [String: Any])
      let added = (plan["add"] as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
      let removed = plan["remove"] as? [String] ?? []
      return "\((object["time"] as? String ?? "").dropFirst(14).prefix(5)) +\(added) -\(removed)"
    }
    #expect(plans == [#"00:00 +["door", "park"] -[]"#, #"00:20 +["bus"] -["park"]"#, "01:00 +[] -[]"])
  }
}
