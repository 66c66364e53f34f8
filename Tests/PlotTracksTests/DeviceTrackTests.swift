import Foundation
import PlotGzip
import Testing

@testable import PlotTracks

/// Tracks as devices and Google write them: FIT, NMEA 0183, GnssLogger, Timeline. That one ride is the same in all formats is for Tests/tracks.
@Suite struct DeviceTrackTests {
  /// `time latitude longitude`, with seconds after `start`.
  private static func moments(_ track: PlotTracks.Track) -> [String] {
    track.points.map { "\(($0.time - start) / 1000) \($0.latitude) \($0.longitude)" }
  }

  private static let start = TrackFormatTests.start

  // MARK: NMEA

  private static func sentence(_ text: String) -> String {
    let sum = text.utf8.reduce(0, ^)
    return "$\(text)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
  }

  private static func nmea(_ sentences: String..., separator: String = "\r\n") throws(TrackError) -> PlotTracks.Track {
    try TrackFormatTests.read(sentences.map(sentence).joined(separator: separator), .nmea)
  }

  @Test func positionsOfAReceiver() throws {
    let track = try Self.nmea(
      "GPGGA,100000,5221.6,N,00453.1,E,1,08,0.9,2.0,M,,M,,", "GPRMC,100000,A,5221.6,N,00453.1,E,10,90,160526,,",
      "GPGST,100000,,,,,3,4,5", "GPRMC,100010.50,A,5221.6,S,00453.1,W,,,160526,,")
    #expect(Self.moments(track) == ["0 52.36 4.885", "10 -52.36 -4.885"])
    #expect(track.points[0].accuracy == 5 && track.points[0].course == 90 && abs(track.points[0].speed - 5.144) < 0.001)
    #expect(track.points[1].speed == -1 && track.points[1].accuracy == 0 && track.points[1].time == Self.start + 10_500)
  }

  @Test func aDateHoldsUntilTheNextOneAndOverMidnight() throws {
    let track = try Self.nmea(
      "GPZDA,235950,16,05,2026,00,00", "GPGLL,5221.6,N,00453.1,E,235955,A", "GPGLL,5221.6,N,00453.1,E,000005,A",
      separator: "\n")
    #expect(
      track.points.map { CalendarTime($0.time).date + " " + CalendarTime($0.time).timeOfDay } == [
        "2026-05-16 23:59:55", "2026-05-17 00:00:05",
      ])
    #expect(track.warnings == ["1 moment without a fix was left out."])
  }

  /// The end of a line is no part of the last field, also where no checksum stands between them.
  @Test func aReceiverWithoutChecksums() throws {
    let lines = [
      "$GPZDA,100000,16,05,2026,00,00", "$GPGLL,5221.6,N,00453.1,E,100001,V", "$GPGLL,5221.6,N,00453.1,E,100002,A",
    ]
    for end in ["\n", "\r\n"] {
      let track = try TrackFormatTests.read(lines.joined(separator: end), .nmea)
      #expect(Self.moments(track) == ["2 52.36 4.885"])
    }
  }

  @Test func sentencesThatDoNotCount() throws {
    let good = "GPRMC,100000,A,5221.6,N,00453.1,E,,,160526,,"
    let lines = [
      "2026-05-16 12:00:00 rx> " + Self.sentence(good) + ",17789", "$GPRMC,100001,A,5221.6,N,00453.1,E,,,160526,,*00",
      Self.sentence("GPRMC,100002,V,5221.6,N,00453.1,E,,,160526,,"), Self.sentence("GPGSV,1,1,00"),
      Self.sentence("GNGNS,100003,5221.6,N,00453.1,E,NN,,,,,,"), "$PGRME,1,M", "!AIVDM,1,1,,A,1,0*00", "noise",
    ]
    let track = try TrackFormatTests.read(lines.joined(separator: "\n"), .nmea)
    #expect(Self.moments(track) == ["0 52.36 4.885"])
    #expect(
      track.warnings == [
        "2 moments without a fix were left out.", "1 sentence with a wrong checksum, from line 2 on, was left out.",
      ])
    #expect(TrackReader.format(of: Data(lines[0].utf8), path: "a.log") == .nmea)
    #expect(TrackFormatTests.fault("$PGRME,1,M", .nmea)?.contains("a sentence of NMEA 0183 with a position") == true)
  }

  @Test(arguments: [
    ("GPRMC,240000,A,5221.6,N,00453.1,E,,,160526,,", "a time as hhmmss in field 1 of RMC, found \"240000\""),
    (
      "GPRMC,100000,A,5261.6,N,00453.1,E,,,160526,,",
      "a latitude in degrees and minutes in field 3 of RMC, found \"5261.6\""
    ),
    ("GPRMC,100000,A,9100.0,N,00453.1,E,,,160526,,", "found \"9100.0\""),
    ("GPRMC,100000,A,5221.6,N,00453.1,N,,,160526,,", "E or W in field 6 of RMC, found \"N\""),
    ("GPRMC,100000,A,5221.6,N,00453.1,E,fast,,160526,,", "a speed in knots in field 7 of RMC, found \"fast\""),
    ("GPRMC,100000,A,5221.6,N,00453.1,E,,400,160526,,", "found \"400\""),
    ("GPRMC,100000,A,5221.6,N,00453.1,E,,,310226,,", "a date in field 9 of RMC, found \"310226\""),
    ("GPGGA,1e5,5221.6,N,00453.1,E,1", "a time as hhmmss in field 1 of GGA"),
  ]) func faultsOfNMEA(_ text: String, _ words: String) {
    #expect(TrackFormatTests.fault("\n" + Self.sentence(text), .nmea)?.hasPrefix("line 2: expected ") == true)
    #expect(TrackFormatTests.fault(Self.sentence(text), .nmea)?.contains(words) == true)
  }

  // MARK: GnssLogger

  @Test func fixesOfALog() throws {
    let old = try TrackFormatTests.read("Fix,gps,52.36,4.885,2,1.5,8,1778925600000\nRaw,1\n", .gnss)
    let new = try TrackFormatTests.read("Fix,gps,52.36,4.885,2,1.5,8,90,1778925600000,,,1,\n", .gnss)
    #expect(Self.moments(old) == ["0 52.36 4.885"] && Self.moments(new) == Self.moments(old))
    #expect(old.points[0].speed == 1.5 && old.points[0].accuracy == 8 && new.points[0].course == 90)
    let mixed = try TrackFormatTests.read(
      "Fix,NLP,1,1,,,,,1778925600000\nFix,GPS,2,2,,,,,1778925600000\nFix,NLP,3,3,,,,,1778925601000\n", .gnss)
    #expect(Self.moments(mixed) == ["0 2.0 2.0"])
    #expect(mixed.warnings == ["2 fixes of other providers than gps were left out."])
    let sentences = "# Fix,Provider\nNMEA," + Self.sentence("GPRMC,100000,A,5221.6,N,00453.1,E,,,160526,,") + ",1\n"
    #expect(Self.moments(try TrackFormatTests.read(sentences, .gnss)) == ["0 52.36 4.885"])
    #expect(
      TrackFormatTests.fault("Fix,gps,52\n", .gnss)
        == "line 1: expected a provider, a latitude, a longitude and a time behind Fix, found 2 cells")
    #expect(
      TrackFormatTests.fault("Fix,gps,52.36,4.885,2,1.5,8,now\n", .gnss)
        == "line 1: expected milliseconds since 1970, found \"now\"")
  }

  // MARK: Google

  @Test func visitsAndActivities() throws {
    let month =
      #"{"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":523600000,"longitudeE7":4246117296},"duration":"#
      + #"{"startTimestampMs":"1778925600000","endTimestampMs":"1778925900000"}}},{"placeVisit":{"location":{},"duration":{}}}]}"#
    let track = try TrackFormatTests.read(month, .google)
    #expect(Self.moments(track) == ["0 52.36 -4.885", "300 52.36 -4.885"])
    #expect(track.warnings == ["2 entries without a position were left out."])
    let phone =
      #"[{"startTime":"2026-05-16T12:00:00+02:00","endTime":"2026-05-16T10:05:00Z","activity":{"start":"geo:52.36,4.885","end":"geo:52.37,4.885"}},"#
      + #"{"startTime":"2026-05-16T10:00:00Z","endTime":"2026-05-16T10:30:00Z","timelinePath":[{"point":"geo:52.4,4.885","durationMinutesOffsetFromStartTime":"7"}]},"#
      + #"{"startTime":"2026-05-16T10:10:00Z","endTime":"2026-05-16T10:20:00Z","visit":{"topCandidate":{"placeLocation":{"latLng":"52.5°, 4.885°"}}}}]"#
    #expect(
      Self.moments(try TrackFormatTests.read(phone, .google)) == [
        "0 52.36 4.885", "300 52.37 4.885", "420 52.4 4.885", "600 52.5 4.885", "1200 52.5 4.885",
      ])
    #expect(TrackReader.format(of: Data(phone.utf8), path: "x") == .google)
  }

  @Test func rawPositionsCountBetweenTheFirstAndTheLast() throws {
    func path(_ minute: Int) -> String { #"{"point":"1.0°, 1.0°","time":"2026-05-16T10:0\#(minute):00Z"}"# }
    func raw(_ minute: Int) -> String {
      #"{"position":{"LatLng":"2.0°, 2.0°","accuracyMeters":5,"timestamp":"2026-05-16T10:0\#(minute):00Z"}}"#
    }
    let text =
      #"{"semanticSegments":[{"timelinePath":[\#(path(0)),\#(path(2)),\#(path(9))]}],"rawSignals":[\#(raw(1)),{"wifiScan":{}},\#(raw(3))]}"#
    let track = try TrackFormatTests.read(text, .google)
    #expect(Self.moments(track) == ["60 2.0 2.0", "180 2.0 2.0", "0 1.0 1.0", "540 1.0 1.0"])
  }

  @Test(arguments: [
    (#"{"semanticSegments":{}}"#, "/semanticSegments: expected an array, found an object"),
    (
      #"{"locations":[{"latitudeE7":"52","longitudeE7":4,"timestamp":"2026-05-16T10:00:00Z"}]}"#,
      "/locations/0/latitudeE7: "
    ),
    (#"{"locations":[{"latitudeE7":52,"longitudeE7":4,"timestamp":"2026-05-16T10:00:00"}]}"#, "has no zone"),
    (#"{"locations":[{"latitudeE7":52,"longitudeE7":4,"timestampMs":"9e99"}]}"#, "milliseconds since 1970, as a text"),
    (#"[{"timelinePath":[{"point":7}]}]"#, "/0/timelinePath/0/point: "),
    (
      #"[{"startTime":"2026-05-16T10:00:00Z","timelinePath":[{"point":"geo:1,2","durationMinutesOffsetFromStartTime":"1e9"}]}]"#,
      "minutes"
    ),
    (#"{"places":[]}"#, "expected locations, timelineObjects, semanticSegments or rawSignals"),
    ("[]", "no track point"),
  ]) func faultsOfGoogle(_ text: String, _ words: String) {
    let fault = TrackFormatTests.fault(text, .google)
    #expect(fault?.contains(words) == true, "\(fault ?? "taken")")
  }

  // MARK: FIT

  private static func bytes(_ number: some FixedWidthInteger, isBig: Bool = false) -> [UInt8] {
    let little = (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return isBig ? little.reversed() : little
  }

  private static func sum(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
  }

  /// A file without a checksum of its header, which is allowed.
  private static func fit(_ messages: [UInt8]) -> [UInt8] {
    let all = [12, 0x10, 0, 0] + bytes(UInt32(messages.count)) + Array(".FIT".utf8) + messages
    return all + bytes(sum(all))
  }

  private static func read(_ bytes: [UInt8]) throws(TrackError) -> PlotTracks.Track {
    try TrackReader.read(data: Data(bytes), format: .fit)
  }

  private static func fault(_ bytes: [UInt8]) -> String? {
    do throws(TrackError) {
      _ = try read(bytes)
      return nil
    } catch { return error.description }
  }

  /// Fields of `record`: number, size, base type.
  private static func definition(_ fields: [[UInt8]], isBig: Bool = false, hasDeveloper: Bool = false) -> [UInt8] {
    [hasDeveloper ? 0x60 : 0x40, 0, isBig ? 1 : 0] + bytes(UInt16(20), isBig: isBig) + [UInt8(fields.count)]
      + fields.flatMap { $0 }
  }

  private static let position: [[UInt8]] = [[0, 4, 0x85], [1, 4, 0x85]]
  private static let time: [UInt8] = [253, 4, 0x86]
  private static let clock = UInt32((start - 631_065_600_000) / 1000)
  /// 45° north, 90° west.
  private static func place(isBig: Bool = false) -> [UInt8] {
    bytes(Int32(1) << 29, isBig: isBig) + bytes(-(Int32(1) << 30), isBig: isBig)
  }

  @Test func recordsOfADevice() throws {
    // A whole time, then two messages with the end of one, over the border of the five bits.
    let low = UInt8(Self.clock & 0x1F)
    let whole = [0x41, 0, 0] + Self.bytes(UInt16(20)) + [3] + (Self.position + [Self.time]).flatMap { $0 }
    let short = Self.definition(Self.position)
    let messages =
      whole + [1] + Self.place() + Self.bytes(Self.clock) + short + [0x80 | (low &+ 3) & 0x1F] + Self.place()
      + [0x80 | (low &+ 2) & 0x1F] + Self.place()
    let places = [0, 3, 34].map { "\($0) 45.0 -90.0" }
    #expect(Self.moments(try Self.read(Self.fit(messages))) == places)
    #expect(Self.moments(try Self.read(Self.fit(messages) + Self.fit(messages))) == places + places)
    #expect(TrackReader.format(of: Data(Self.fit(messages)), path: "x") == .fit)
  }

  @Test func bigEndianAndFieldsOfDevelopers() throws {
    // An array of values, a misaligned field and one of a developer are skipped; the speed of later devices counts first.
    let fields =
      Self.position + [Self.time, [6, 2, 0x84], [73, 4, 0x86], [200, 6, 0x84], [201, 3, 0x84], [31, 1, 0x02]]
    let head = Self.definition(fields, isBig: true, hasDeveloper: true) + [1, 0, 5, 0]
    let values =
      [0] + Self.place(isBig: true) + Self.bytes(Self.clock, isBig: true) + Self.bytes(UInt16(9_000), isBig: true)
      + Self.bytes(UInt32(2_500), isBig: true) + [UInt8](repeating: 7, count: 9) + [12] + [1, 2, 3, 4, 5]
    let unknown =
      [0] + Self.bytes(Int32.max, isBig: true) + Self.bytes(Int32.max, isBig: true)
      + Self.bytes(Self.clock + 1, isBig: true) + [UInt8](repeating: 0xFF, count: 6 + 9 + 1 + 5)
    let track = try Self.read(Self.fit(head + values + unknown))
    #expect(Self.moments(track) == ["0 45.0 -90.0"] && track.warnings == ["1 record without a position was left out."])
    #expect(track.points[0].speed == 2.5 && track.points[0].accuracy == 12)
  }

  @Test func faultsOfFIT() {
    let head = Self.definition(Self.position + [Self.time])
    let good = head + [0] + Self.place() + Self.bytes(Self.clock)
    #expect(Self.fault(Self.fit(good)) == nil)
    #expect(Self.fault([]) == "expected a FIT file, found an empty file")
    #expect(Self.fault([UInt8](repeating: 0, count: 20)) == "byte 0: expected a header of FIT, found something else")
    #expect(Self.fault(Self.fit([]))?.contains("the recording was not ended") == true)
    #expect(Self.fault(Self.fit(good) + [1])?.hasPrefix("byte \(Self.fit(good).count): expected a header") == true)
    #expect(
      Self.fault(Self.fit([0] + good)) == "byte 12: expected the definition of message 0 before its values, found none")
    #expect(Self.fault(Self.fit(good.dropLast()))?.contains("4 bytes of a message, found 3 up to the end") == true)
    #expect(Self.fault(Self.fit(head + [0x80] + Self.place()))?.contains("a message with a whole time first") == true)
    #expect(
      Self.fault(Self.fit(Self.definition([[0, 4, 0x55]])))?.contains("a base type of FIT, found 0x0055") == true)
    #expect(Self.fault(Self.fit([0x40, 0, 2, 20, 0, 0]))?.contains("0 or 1 for the order of the bytes") == true)
    let late = head + [0] + Self.bytes(Int32.min) + Self.bytes(Int32(0)) + Self.bytes(Self.clock)
    #expect(Self.fault(Self.fit(late))?.contains("a latitude from -90 to 90, found -180.0 in this record") == true)
    #expect(
      Self.fault(Self.fit(head + [0] + Self.place() + Self.bytes(UInt32(77))))?.contains(
        "a date, found 77 s since the device was turned on") == true)
    for index in Self.fit(good).indices {
      var damaged = Self.fit(good)
      damaged[index] ^= 0x10
      // The versions are told by the checksum, too.
      #expect(Self.fault(damaged) != nil, "byte \(index)")
    }
  }

  // MARK: Packed files

  @Test func packedFiles() throws {
    let text = Array("time,latitude,longitude\n2026-05-16T10:00:00Z,52.36,4.885\n".utf8)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tracks-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func read(_ name: String, _ bytes: [UInt8]) throws -> [String] {
      let file = folder.appendingPathComponent(name)
      try Data(bytes).write(to: file)
      return Self.moments(try TrackReader.read(path: file.path))
    }
    #expect(try read("way.csv.gz", Gzip.compress(text)) == ["0 52.36 4.885"])
    let halves = [text.prefix(30), text.dropFirst(30)].flatMap { Gzip.compress(Array($0)) }
    #expect(try read("two.gz", halves) == ["0 52.36 4.885"])
    #expect(throws: TrackError.self) { try read("cut.csv.gz", Gzip.compress(text).dropLast(3)) }
    #expect(throws: TrackError.self) { try read("more.csv.gz", Gzip.compress(text) + [0]) }
    #expect(throws: Gzip.Fault.tooLarge) { try Gzip.decompress(Gzip.compress(text), limit: 40) }
  }
}
