import Foundation
import PlotEngineKit
import PlotTesting
import Testing

@testable import PlotRun

/// Inputs of sources, as the host reads it.
@MainActor @Suite struct SourceTests {
  private func read(_ lines: String...) throws -> GPSDReader.Report {
    var reader = GPSDReader()
    var last = GPSDReader.Report.other
    for line in lines { last = try reader.read(Array(line.utf8)) }
    return last
  }

  private func place(_ more: String, before: String...) throws -> PlaceReport? {
    var reader = GPSDReader()
    for line in before { _ = try reader.read(Array(line.utf8)) }
    let line =
      #"{"class":"TPV","mode":3,"time":"2026-05-16T11:00:00.500Z","lat":52.0,"lon":4.5,"track":360.0,"speed":1.5\#(more)}"#
    guard case .place(let report) = try reader.read(Array(line.utf8)) else { return nil }
    return report
  }

  @Test func positions() throws {
    let report = try #require(try place(""))
    #expect((report.latitude, report.longitude) == (52.0, 4.5))
    #expect(report.speed == 1.5)
    #expect(report.course == 0)
    #expect(report.time == Date(timeIntervalSince1970: 1_778_929_200.5))
    #expect(report.accuracy == nil)
    #expect(try read(#"{"class":"TPV","mode":1,"lat":52.0,"lon":4.5}"#) == .noFix)
    #expect(try read(#"{"class":"TPV","mode":0}"#) == .noFix)
    #expect(try read(#"{"class":"TPV","mode":3,"time":"2026-05-16T11:00:00Z"}"#) == .noFix)
    #expect(try read(#"{"class":"VERSION","release":"3.22"}"#) == .version("3.22"))
    // One fix that is reported twice counts once; the same place at another time is another fix.
    let fix = #"{"class":"TPV","mode":3,"time":"2026-05-16T11:00:00Z","lat":52.0,"lon":4.5}"#
    #expect(try read(fix, fix) == .other)
    #expect(try read(fix, fix.replacingOccurrences(of: "11:00:00", with: "11:00:01")) != .other)
  }

  /// The 68 % of two normal errors, worked out by themselves: sqrt(-2 ln 0.32) = 1.5096, of 95 % sqrt(-2 ln 0.05) = 2.4477.
  @Test func accuracies() throws {
    func close(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-3 } ?? false }
    #expect(close(try place(#","eph":24.477"#)?.accuracy, 15.096))
    #expect(close(try place(#","epx":1.96,"epy":1.96,"eph":99"#)?.accuracy, 1.5096))
    let deviations = #"{"class":"GST","time":"2026-05-16T11:00:00.500Z","lat":3.0,"lon":4.0}"#
    #expect(close(try place(#","eph":99"#, before: deviations)?.accuracy, 1.5096 * (25.0 / 2).squareRoot()))
    // Those of another time say nothing of this fix.
    let others = deviations.replacingOccurrences(of: "11:00:00", with: "10:59:59")
    #expect(close(try place(#","eph":24.477"#, before: others)?.accuracy, 15.096))
    for wrong in [#","eph":-1"#, #","eph":"x""#, #","epx":5"#] { #expect(try place(wrong)?.accuracy == nil) }
  }

  @Test func nonsenseOfGPSD() {
    for line in ["", "x", "[]", "{}", #"{"class":"TPV"}"#, #"{"class":"TPV","mode":3,"lat":91,"lon":0}"#] {
      #expect(throws: PlotError.self) { try read(line) }
    }
  }

  @Test func geoClue() {
    func location(_ changes: [String: BusValue] = [:]) -> BusValue {
      var values: [String: BusValue] = [
        "Latitude": .double(52), "Longitude": .double(4.5), "Accuracy": .double(30), "Speed": .double(-1),
        "Heading": .double(-1), "Timestamp": .structure([.unsigned(1_778_929_200), .unsigned(500_000)]),
      ]
      values.merge(changes) { $1 }
      return .dictionary(values.map { .init(key: .text($0), value: $1) })
    }
    let time = Date(timeIntervalSince1970: 1_778_929_200.5)
    let plain = PlaceReport(latitude: 52, longitude: 4.5, accuracy: 30, speed: nil, course: nil, time: time)
    #expect(SourceGeoClue.report(location()) == plain)
    #expect(SourceGeoClue.report(location(["Speed": .double(2), "Heading": .double(90)]))?.course == 90)
    #expect(SourceGeoClue.report(location(["Latitude": .double(.nan)])) == nil)
    #expect(SourceGeoClue.report(location(["Latitude": .text("52")])) == nil)
    #expect(SourceGeoClue.report(location(["Timestamp": .structure([.unsigned(.max), .unsigned(0)])]))?.time == nil)
    #expect(SourceGeoClue.report(.structure([])) == nil)
  }

  @Test func beacons() {
    let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
    let frame = bytes("0215" + uuid.replacingOccurrences(of: "-", with: "") + "0001" + "0007" + "c5")
    let heard = Advertisement.beacon(manufacturer: 0x4C, frame)
    #expect(heard?.beacon == .iBeacon(proximityUUID: uuid, majorId: 1, minorId: 7))
    #expect(heard?.power == -59)
    #expect(Advertisement.beacon(manufacturer: 0x59, frame) == nil)
    #expect(Advertisement.beacon(manufacturer: 0x4C, frame.dropLast()) == nil)
    #expect(Advertisement.beacon(manufacturer: 0x4C, []) == nil)
    let service = "0000FEAA-0000-1000-8000-00805F9B34FB"
    let uid = bytes("00ee00112233445566778899aabbccddeeff0000")
    #expect(
      Advertisement.beacon(service: service, uid)
        == .init(beacon: .eddystone(namespaceId: "00112233445566778899", instanceId: "aabbccddeeff"), power: -18))
    // A URL frame, and one that is cut off.
    #expect(Advertisement.beacon(service: service, [0x10] + uid.dropFirst()) == nil)
    #expect(Advertisement.beacon(service: service, Array(uid.prefix(17))) == nil)
  }

  private func bytes(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.count, by: 2).map {
      let start = digits.index(digits.startIndex, offsetBy: $0)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)!
    }
  }

  @Test func addresses() {
    #expect(SourceGPSD.Address("localhost") == .standard)
    #expect(SourceGPSD.Address("10.0.0.1:99") == .init(host: "10.0.0.1", port: 99))
    #expect(SourceGPSD.Address("[::1]:99") == .init(host: "::1", port: 99))
    #expect(SourceGPSD.Address("[::1]") == .init(host: "::1", port: 2947))
    for wrong in ["", ":", "host.example", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000", "[::1", "[::1]x"] {
      #expect(SourceGPSD.Address(wrong) == nil, "\(wrong)")
    }
  }
}

/// The parts of the system that the host has.
@MainActor @Suite struct SystemTests {
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("run-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func zones() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appendingPathComponent("localtime").path
    #expect(LocalZone.name(variable: nil, link: link) == "UTC")
    let target = "../usr/share/zoneinfo/America/Argentina/Ushuaia"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(LocalZone.name(variable: nil, link: link) == "America/Argentina/Ushuaia")
    #expect(LocalZone.name(variable: ":Europe/Paris", link: link) == "Europe/Paris")
    #expect(LocalZone.name(variable: "/usr/share/zoneinfo/Asia/Tokyo", link: link) == "Asia/Tokyo")
  }

  /// A change of a folder, a child and a timer are reported, and a timer that is set anew counts from then.
  @Test func loop() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let loop = try EventLoop()
    var seen: Set<String> = []
    let changes = try loop.changes(of: folder.path) { seen.insert("change") }
    let child = try loop.child(ChildProgram.spawn(["sh", "-c", "exit 3"], nil, nil)) { seen.insert("child \($0)") }
    let killed = try loop.child(ChildProgram.spawn(["sh", "-c", "kill -9 $$"], nil, nil)) { seen.insert("child \($0)") }
    let never = try loop.timer { seen.insert("never") }
    never.set(after: 10)
    never.set(after: nil)
    let end = try loop.timer { loop.stop() }
    end.set(after: 1)
    end.set(after: 600)
    let start = EventLoop.uptime()
    try Data().write(to: folder.appendingPathComponent("localtime"))
    try loop.run()
    #expect(EventLoop.uptime() - start >= 600)
    #expect(seen == ["change", "child 137", "child 3"])
    withExtendedLifetime((changes, child, killed)) {}
  }

  /// The loop has let go of the pipes of a command that failed, also where another process still holds them, as a child does that is
  /// just beginning.
  @Test func commandThatFails() throws {
    let loop = try EventLoop()
    let before = try pipes()
    var outcome: ChildCommand.Outcome?
    let command = try ChildCommand("read -r line; exit 1", input: Array("{}\n".utf8), timeout: 20_000, loop) {
      outcome = $0
    }
    let held = try pipes().subtracting(before).map { dup($0) }
    try loop.run(for: 20_000, until: { outcome != nil })
    #expect(held.count >= 2)
    guard case .status(1) = outcome else {
      Issue.record("expected status 1, found \(String(describing: outcome))")
      return
    }
    // The other ends are closed: a pipe that the loop still had would be reported, for a source that is gone.
    try loop.run(for: 50)
    for descriptor in held { close(descriptor) }
    withExtendedLifetime(command) {}
  }

  private func pipes() throws -> Set<Int32> {
    let folder = "/proc/self/fd"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Set(
      names.filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        return target?.hasPrefix("pipe:") == true
      }.compactMap { Int32($0) })
  }

  @Test func backoff() {
    var backoff = Backoff(longest: 5000)
    #expect((0..<5).map { _ in backoff.delay() } == [1000, 2000, 4000, 5000, 5000])
    backoff.reset()
    #expect(backoff.delay() == 1000)
  }
}

/// Lines of JSON.
@MainActor @Suite struct InputLineTests {
  private func read(_ text: String) throws -> InputLine { try InputLine(parsing: Array(text.utf8)) }

  @Test func kinds() throws {
    let schema = try Data(contentsOf: projectRoot.appendingPathComponent("docs/schema/input-line.schema.json"))
    let properties = try #require(
      (try JSONSerialization.jsonObject(with: schema) as? [String: Any])?["properties"] as? [String: Any])
    #expect(Set(properties.keys) == Set(InputLine.kinds + ["time"]))
    let fix = try read(#"{"time":"2026-05-16T11:00:00Z","fix":{"latitude":52,"longitude":4.5,"accuracy":8}}"#)
    #expect(fix.time == Date(timeIntervalSince1970: 1_778_929_200))
    #expect(fix.value == .fix(PlaceReport(latitude: 52, longitude: 4.5, accuracy: 8)))
    let date =
      #"{"property":{"a":1,"b":null,"c":{"type":"date","value":"2026-05-16T11:00:00Z"},"d":true,"e":1.5,"f":"x"}}"#
    #expect(
      try read(date).value
        == .properties([
          .init(key: "a", value: 1), .init(key: "b", value: nil),
          .init(key: "c", value: .date(Date(timeIntervalSince1970: 1_778_929_200))), .init(key: "d", value: true),
          .init(key: "e", value: 1.5), .init(key: "f", value: "x"),
        ]))
    #expect(try read(#"{"action":{"id":"a","matchIdentifier":"m"}}"#).value == .action("a", of: "m"))
    #expect(
      try read(#"{"startTrip":{"id":"t","region":"r"}}"#).value == .startTrip(#"{"id":"t","region":"r"}"#))
    #expect(try read(#"{"endTrip":{"id":"t"}}"#).value == .endTrip("t", hasArrived: false))
    #expect(try read(#"{"endTrip":{"id":"t","arrived":true}}"#).value == .endTrip("t", hasArrived: true))
    #expect(try read(#"{"push":{"id":"a"}}"#).value == .push(#"{"id":"a"}"#))
  }

  @Test func faults() {
    for (text, place) in [
      (#"{}"#, "input"), (#"{"fix":{},"push":{}}"#, "input"), (#"{"fix":{"latitude":1}}"#, "fix"),
      (#"{"fix":{"latitude":"1","longitude":1}}"#, "fix.latitude"), (#"{"time":7,"open":"m"}"#, "time"),
      (#"{"open":""}"#, "open"), (#"{"network":1}"#, "network"),
      (#"{"startTrip":"t"}"#, "startTrip"), (#"{"endTrip":{"id":"t","arrived":1}}"#, "endTrip.arrived"),
      (#"{"property":{"a":[1]}}"#, "property.a"),
      (#"{"sighting":{"proximityUUID":"x","majorId":70000,"minorId":1}}"#, "sighting.majorId"),
    ] {
      let error = #expect(throws: PlotError.self) { try read(text) }
      #expect(error?.argument == place, "\(text)")
    }
  }
}

/// The answer in a command's output about an item.
@MainActor @Suite struct ItemAnswerTests {
  private let item =
    #"{"identifier":"c;r","matchIdentifier":"m","campaignId":"c","regionId":"r","message":"Hi","data":""}"#

  private func answer(_ kind: ItemCommands.Kind, _ lines: String...) -> ItemCommands.Answer {
    ItemCommands.answer(kind, item, .lines(lines.map { Array($0.utf8) }))
  }

  @Test func filters() {
    #expect(answer(.filter, "true") == .item(item))
    #expect(answer(.filter) == .leftOut)
    #expect(answer(.filter, "false") == .leftOut)
    #expect(ItemCommands.answer(.filter, item, .status(1)) == .none("it ended with status 1"))
    #expect(answer(.filter, "true", "true") == .none("expected one notification or nothing, found 2 lines"))
    for wrong in ["nonsense", "{}", "[]", "1"] {
      guard case .none = answer(.filter, wrong) else { return #expect(Bool(false), "\(wrong)") }
    }
  }

  @Test func handlers() {
    #expect(answer(.geotrigger) == .item(item))
    #expect(answer(.geotrigger, "done", "and more") == .item(item))
    #expect(answer(.geotrigger, "false") == .leftOut)
    #expect(ItemCommands.answer(.geotrigger, item, .status(1)) == .leftOut)
    #expect(ItemCommands.answer(.geotrigger, item, .failed("late")) == .none("late"))
  }
}
