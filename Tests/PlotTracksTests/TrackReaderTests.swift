import Foundation
import PlotTesting
import Testing

@testable import PlotTracks

/// The error of reading `text`; fails the test when there is none.
func trackError(
  _ text: String, _ format: TrackFormat, file: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> TrackError? {
  #expect(throws: TrackError.self, sourceLocation: sourceLocation) {
    try TrackReader.read(data: Data(text.utf8), format: format, file: file)
  }
}

@Suite struct TrackFileTests {
  static func trace(_ name: String) -> String { realTraces.appendingPathComponent(name).path }

  @Test(.enabled(if: hasRealTraces, "there are no real traces beside the project")) func busRide() throws {
    let track = try TrackReader.read(path: Self.trace("bus304/track.gpx"))
    #expect(track.name == "304.1")
    #expect(track.points.count == 2_144)
    #expect(track.warnings.isEmpty)
    let first = TrackPoint(time: 1_550_475_950_000, latitude: 52.6291510, longitude: -8.6617460)
    #expect(track.points.first == first)
    #expect(track.points.last?.time == 1_550_480_426_000)
    #expect(zip(track.points, track.points.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test(.enabled(if: hasRealTraces, "there are no real traces beside the project")) func hike() throws {
    let track = try TrackReader.read(path: Self.trace("hike/track.gpx"))
    #expect(track.points.count + untimed(track) == 296)
    #expect(track.points.count > 200)
    #expect(track.points.allSatisfy { TrackField.latitude.value(of: $0.latitude) != nil })
  }

  private func untimed(_ track: Track) -> Int {
    track.warnings.compactMap { Int($0.prefix { $0.isNumber }) }.reduce(0, +)
  }

  @Test func missingFile() {
    let error = #expect(throws: TrackError.self) { try TrackReader.read(path: "no/such/track.gpx") }
    #expect(error?.description == "no/such/track.gpx: expected a readable file, found none of this name")
    #expect(error?.errorDescription == error?.description)
  }

  @Test func directory() {
    let path = projectRoot.path
    let error = #expect(throws: TrackError.self) { try TrackReader.read(path: path) }
    #expect(error?.found == "a directory")
    #expect(error?.place == .file)
  }

  @Test(arguments: [
    ("<gpx/>", "a.csv", TrackFormat.gpx), ("\u{FEFF}\n <gpx/>", "a", .gpx), (" {}", "a.gpx", .geojson),
    ("[1]", "a", .google), ("{ \"locations\": []", "a", .google), ("time,lat,lon\n", "a.gpx", .csv),
    ("time;lat;lon\n", "a", .csv),
    ("lat\tlon\ttime", "a", .csv), ("a;b", "a.csv", .csv), ("", "a.JSON", .geojson),
  ])
  func formatByContentThenExtension(text: String, path: String, format: TrackFormat) {
    #expect(TrackReader.format(of: Data(text.utf8), path: path) == format)
  }

  /// The same track with each of the separators, and with numbers and times as spreadsheets write them.
  @Test func separatorsOfSpreadsheets() throws {
    let comma = "time,lat,lon,accuracy,note\n2026-05-16T08:00:00Z,52.36,4.885,5.5,\"a;b\"\n1778918460,52.37,-4.9,7,\n"
    let track = try TrackReader.read(data: Data(comma.utf8), format: .csv)
    #expect(track.points.map(\.latitude) == [52.36, 52.37] && track.points.map(\.accuracy) == [5.5, 7])
    let others = [
      "time;lat;lon;accuracy;note\r\n2026-05-16 10:00:00 +02:00;52,36;4,885;5,5;\"a;b\"\r\n1778918460;52.37;-4,9;7;\r\n",
      "time\tlat\tlon\taccuracy\tnote\n2026-05-16 08:00:00Z\t52,36\t4,885\t5.5\ta;b\n1778918460\t52.37\t-4.9\t7\t\n",
    ]
    for text in others {
      #expect(try TrackReader.read(data: Data(text.utf8), format: .csv).points == track.points, "\(text)")
    }
    let broken = "time;lat;lon\n2026-05-16T08:00:00Z;\"52,36\"x;4\n"
    let error = #expect(throws: TrackError.self) { try TrackReader.read(data: Data(broken.utf8), format: .csv) }
    #expect(error?.expected == "a semicolon or the end of the line after a quoted cell")
    #expect(error?.place == .position(line: 2, column: 29))
  }

  @Test func formatUnknown() throws {
    let path = NSTemporaryDirectory() + "plot-\(UUID().uuidString).bin"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: TrackError.self) { try TrackReader.read(path: path) }
    #expect(error?.expected == "a track (docs/tracks.md lists the formats)")
  }
}

/// Encodings beside UTF-8 that the reader of XML takes, and those that it refuses.
@Suite struct XMLReaderTests {
  private static func document(_ declaration: String, name: String = "Łódź", latitude: String = "52") -> String {
    "\(declaration)\n<gpx><trk><name>\(name)</name><trkseg>\n<trkpt lat=\"\(latitude)\" lon=\"4\">"
      + "<time>2026-05-16T11:00:00Z</time></trkpt></trkseg></trk></gpx>"
  }

  private static func declaration(_ encoding: String) -> String { #"<?xml version="1.0" encoding="\#(encoding)"?>"# }

  /// A declared name, the encoding of the bytes, and a word that it has.
  static let known: [(String, String.Encoding, String)] = [
    ("UTF-8", .utf8, "Łódź"), ("utf-8", .utf8, "Ωμέγα 東京"), ("US-ASCII", .ascii, "Lodz"),
    ("ISO-8859-1", .isoLatin1, "Málaga"), ("iso-8859-2", .isoLatin2, "Łódź"), ("windows-1250", .windowsCP1250, "Łódź"),
    ("windows-1251", .windowsCP1251, "Москва"), ("Windows-1252", .windowsCP1252, "Málaga – 5 €"),
    ("windows-1253", .windowsCP1253, "Αθήνα"), ("windows-1254", .windowsCP1254, "İzmir"),
    ("UTF-16", .utf16, "Łódź 東京"), ("UTF-16LE", .utf16LittleEndian, "東京"), ("UTF-16BE", .utf16BigEndian, "東京"),
  ]

  @Test(arguments: known)
  func encodings(_ declared: String, _ encoding: String.Encoding, _ word: String) throws {
    let data = try #require(Self.document(Self.declaration(declared), name: word).data(using: encoding))
    let track = try TrackReader.read(data: data, format: .gpx)
    #expect(track.name == word && track.points.count == 1)
    // A fault behind the declaration stops the parser, and has the place that it has in UTF-8.
    let bad = try #require(Self.document(Self.declaration(declared), name: "x", latitude: "91").data(using: encoding))
    let error = #expect(throws: TrackError.self) { try TrackReader.read(data: bad, format: .gpx) }
    #expect(error?.place == .position(line: 3, column: 1))
    #expect(error?.found == "lat=\"91\"")
  }

  @Test(arguments: ["UTF-7", "EUC-JP", "GB18030", "ISO-2022-JP", "HZ", "UTF-32", "KOI8-R", "Shift_JIS", "x"])
  func otherEncodings(_ name: String) {
    let error = trackError(
      Self.document("<?xml version=\"1.0\"\n  encoding = '\(name)' standalone=\"yes\" ?>", latitude: "91"), .gpx)
    #expect(error?.place == .position(line: 2, column: 15))
    #expect(error?.found.hasPrefix("an encoding that is not known") == true)
  }

  /// The beginning of a document, and the fault with its place.
  @Test(arguments: [
    (#"<?xml encoding="UTF-8"?>"#, "1:7 XML declaration not well-formed"),
    (
      #"<?xml version="1.0" encoding="UTF-8">"#,
      "1:1 an empty document, or a tag, a comment or the like that does not end"
    ),
    (#"<?xml version="1.0" encoding="UTF-16"?>"#, "1:31 encoding specified in XML declaration is incorrect"),
    (#" <?xml version="1.0" encoding="UTF-8"?>"#, "1:2 XML or text declaration not at start of entity"),
    (#"<!DOCTYPE gpx [<!ENTITY e "ha">]>"#, #"1:27 a declaration of the entity "e""#),
    (#"<!DOCTYPE gpx [<!ENTITY % e "ha">]>"#, #"1:29 a declaration of the entity "e""#),
  ])
  func badBeginnings(_ beginning: String, _ expected: String) {
    guard let error = trackError(Self.document(beginning), .gpx), case .position(let line, let column) = error.place
    else {
      Issue.record("no place")
      return
    }
    #expect("\(line):\(column) \(error.found)" == expected)
  }

  /// Among them an instruction without data, at which Foundation's parser crashed.
  @Test(arguments: [
    "", "<?xml version='1.0'?>", "<?xml\tversion=\"1.0\"\r\n\tstandalone='no'?>", "\u{FEFF}", "<?style?>",
    "<!-- no -->",
    "<!DOCTYPE gpx>",
  ])
  func goodBeginnings(_ beginning: String) throws {
    let track = try TrackReader.read(data: Data(Self.document(beginning).utf8), format: .gpx)
    #expect(track.name == "Łódź")
  }

  @Test func entitiesOfADocumentTypeElsewhere() {
    let error = trackError(
      Self.document("<!DOCTYPE gpx SYSTEM 'file:///etc/hostname'>", name: "&who;"), .gpx)
    #expect(error?.found == "an entity that is not declared")
  }

  /// Bytes that are not of the encoding.
  @Test func bytesThatAreNoText() throws {
    let ascii = Data(Self.document(Self.declaration("US-ASCII")).utf8)
    let unused = Data(Self.document(Self.declaration("windows-1252"), name: "x").utf8).map { $0 == 0x78 ? 0x81 : $0 }
    let odd = try #require(Self.document("").data(using: .utf16LittleEndian)) + [0x3E]
    let lone = try #require(Self.document("").data(using: .utf16LittleEndian)?.dropLast(40)) + [0x00, 0xD8, 0x41, 0x00]
    let utf8 = Data(Self.document("").utf8.dropLast(20)) + [0xFF, 0xC3] + Data(Self.document("").utf8.suffix(20))
    for data in [
      ascii, Data(unused), odd, lone, utf8, Data([0x00, 0x00, 0x00, 0x3C]), Data([0x3C, 0x00, 0x00, 0x00]),
    ] {
      let error = #expect(throws: TrackError.self) { try TrackReader.read(data: data, format: .gpx) }
      #expect(error?.expected == "well-formed XML" && error?.place != .file)
    }
  }

  /// The parser gives each line by itself; what came before it must not be looked at again each time.
  @Test(.timeLimit(.minutes(1))) func manyLinesOfText() throws {
    let lines = String(repeating: "\n", count: 200_000)
    #expect(try TrackReader.read(data: Data(Self.document("", name: lines + "x").utf8), format: .gpx).name == "x")
    let document = Self.document("").replacingOccurrences(of: "<time>", with: "<time>" + lines + "late ")
    #expect(trackError(document, .gpx)?.place == .position(line: 200_003, column: 1))
  }

  /// More than the parser gets at once.
  @Test func aLongDocument() throws {
    let comment = "<!-- " + String(repeating: "long ", count: 500_000) + "-->\n"
    let track = try TrackReader.read(data: Data(Self.document(comment + comment).utf8), format: .gpx)
    #expect(track.points.count == 1)
    #expect(trackError(Self.document(comment, latitude: "x"), .gpx)?.place == .position(line: 4, column: 1))
  }
}

@Suite struct GPXTests {
  private func point(_ inside: String, _ attributes: String = "lat=\"52\" lon=\"4\"") -> String {
    "<gpx version=\"1.1\">\n<trk><trkseg>\n<trkpt \(attributes)>\(inside)</trkpt></trkseg></trk></gpx>"
  }

  @Test func segmentsInDocumentOrder() throws {
    let text = """
      <?xml version="1.0"?>
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
      <wpt lat="1" lon="1"><time>2026-03-01T00:00:00Z</time></wpt>
      <rte><rtept lat="1" lon="1"><time>2026-03-01T00:00:00Z</time></rtept></rte>
      <trk><name> <![CDATA[A & B]]> </name>
      <trkseg><trkpt lat="52.5" lon="4.5"><time>2026-03-01T00:00:10Z</time></trkpt></trkseg>
      <trkseg><trkpt lat="-52" lon="-4"><time>2026-03-01T01:00:05.25+01:00</time><hdop>3</hdop></trkpt></trkseg></trk>
      <trk><name>C</name><trkseg><trkpt lat="0" lon="180"><time> 2026-03-01T00:00:20Z </time></trkpt>
      <trkpt lat="0" lon="0"/></trkseg></trk>
      </gpx>
      """
    let track = try TrackReader.read(data: Data(text.utf8), format: .gpx)
    let midnight: Int64 = 1_772_323_200_000
    #expect(track.name == "A & B")
    #expect(
      track.points == [
        TrackPoint(time: midnight + 10_000, latitude: 52.5, longitude: 4.5),
        TrackPoint(time: midnight + 5_250, latitude: -52, longitude: -4),
        TrackPoint(time: midnight + 20_000, latitude: 0, longitude: 180),
      ])
    #expect(track.warnings == ["1 point without a time was left out."])
  }

  @Test func speedAndCourseOfBothVersions() throws {
    let time = "<time>2026-03-01T00:00:00Z</time>"
    for inside in [
      "<course>90</course><speed>1.5</speed>",
      "<extensions><x:TrackPointExtension xmlns:x=\"u\"><x:speed>1.5</x:speed><x:course>90</x:course>"
        + "</x:TrackPointExtension></extensions>",
      "<extensions><undeclared:speed>1.5</undeclared:speed><undeclared:course>90</undeclared:course></extensions>",
    ] {
      let track = try TrackReader.read(data: Data(point(time + inside).utf8), format: .gpx)
      #expect(track.points.map(\.speed) == [1.5])
      #expect(track.points.map(\.course) == [90])
      #expect(track.points.map(\.accuracy) == [0])
    }
    let text = point(time + "<extensions><accuracy>12.5</accuracy><speed>-1</speed></extensions>")
    let track = try TrackReader.read(data: Data(text.utf8), format: .gpx)
    #expect(track.points == [TrackPoint(time: 1_772_323_200_000, latitude: 52, longitude: 4, accuracy: 12.5)])
  }

  @Test func faultsInPoints() {
    let time = "<time>2026-03-01T00:00:00Z</time>"
    let latitude = trackError(point(time, "lat=\"91\" lon=\"4\""), .gpx, file: "a.gpx")
    #expect(latitude?.description == "a.gpx:3:1: expected a latitude from -90 to 90, found lat=\"91\"")
    let longitude = trackError(point(time, "lat=\"1\""), .gpx)
    #expect(longitude?.description.hasPrefix("line 3, column ") == true)
    #expect(longitude?.found == "no attribute lon")
    #expect(trackError(point(time, "lat=\"nan\" lon=\"4\""), .gpx)?.found == "lat=\"nan\"")
    #expect(trackError(point(time, "lat=\"0x1\" lon=\"4\""), .gpx)?.found == "lat=\"0x1\"")
    let noZone = trackError(point("\n<time>2026-03-01T00:00:00</time>"), .gpx)
    #expect(noZone?.expected == CalendarTime.expectedText)
    #expect(noZone?.found == "\"2026-03-01T00:00:00\", which has no zone; write Z or an offset behind it")
    #expect(noZone?.place == .position(line: 4, column: 7), "where its text begins")
    let speed = trackError(point(time + "<speed>fast</speed>"), .gpx)
    #expect(speed?.expected == TrackField.speed.expected)
    #expect(speed?.found == "\"fast\"")
    let accuracy = trackError(point(time + "<extensions><accuracy>-3</accuracy></extensions>"), .gpx)
    #expect(accuracy?.expected == TrackField.accuracy.expected)
  }

  @Test func faultsInDocuments() {
    #expect(trackError("", .gpx)?.found == "an empty file")
    let root = trackError("<kml/>", .gpx)
    #expect(root?.expected == "the element <gpx>")
    #expect(root?.found == "<kml>")
    let end = trackError("<gpx>\n<trk>", .gpx)
    #expect(end?.found == "the end of the file within <trk>")
    #expect(end?.description.hasPrefix("line 2, ") == true)
    #expect(trackError("<gpx>\n<trk></gpx>", .gpx)?.found == "an end tag that does not close <trk>")
    #expect(trackError("<gpx>&nope;</gpx>", .gpx)?.found == "an entity that is not declared")
    #expect(trackError("hello", .gpx)?.expected == "well-formed XML")
    let untimed = trackError(point(""), .gpx, file: "a.gpx")
    let expected = "a.gpx: expected at least one track point with a time, found 1 point, none with a time"
    #expect(untimed?.description == expected)
    #expect(trackError("<gpx><wpt lat=\"1\" lon=\"1\"/></gpx>", .gpx)?.found == "no track point")
  }

  @Test func nestedEntitiesEnd() {
    let entities = (1...9).map { "<!ENTITY e\($0) \"" + String(repeating: "&e\($0 - 1);", count: 10) + "\">" }
    let text = "<!DOCTYPE gpx [<!ENTITY e0 \"ha\">" + entities.joined() + "]><gpx><name>&e9;</name></gpx>"
    #expect(trackError(text, .gpx) != nil)
  }
}
