import Foundation
import Testing

@testable import plot

/// The error of reading `text`; fails the test when there is none.
func trackError(
  _ text: String, _ format: TrackFormat, file: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> TrackError? {
  #expect(throws: TrackError.self, sourceLocation: sourceLocation) {
    try TrackReader.read(data: Data(text.utf8), format: format, file: file)
  }
}

@Suite struct TrackFileTests {
  /// The traces lie beside the package. A missing one fails the test.
  static func trace(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../shared/data/\(name)")
      .standardizedFileURL.path
  }

  @Test func busRide() throws {
    let track = try TrackReader.read(path: Self.trace("bus304/track.gpx"))
    #expect(track.name == "304.1")
    #expect(track.points.count == 2_144)
    #expect(track.warnings.isEmpty)
    let first = TrackPoint(time: 1_550_475_950_000, latitude: 52.6291510, longitude: -8.6617460)
    #expect(track.points.first == first)
    #expect(track.points.last?.time == 1_550_480_426_000)
    #expect(zip(track.points, track.points.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func hike() throws {
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
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let error = #expect(throws: TrackError.self) { try TrackReader.read(path: path) }
    #expect(error?.found == "a directory")
    #expect(error?.place == .file)
  }

  @Test(arguments: [
    ("<gpx/>", "a.csv", TrackFormat.gpx), ("\u{FEFF}\n <gpx/>", "a", .gpx), (" {}", "a.gpx", .geojson),
    ("[1]", "a", .geojson), ("time,lat,lon\n", "a.gpx", .csv), ("a;b", "a.csv", .csv), ("", "a.JSON", .geojson),
  ])
  func formatByContentThenExtension(text: String, path: String, format: TrackFormat) {
    #expect(TrackReader.format(of: Data(text.utf8), path: path) == format)
  }

  @Test func formatUnknown() throws {
    let path = NSTemporaryDirectory() + "plot-\(UUID().uuidString).bin"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: TrackError.self) { try TrackReader.read(path: path) }
    #expect(error?.expected == "a track in GPX, GeoJSON or CSV")
  }
}

/// The text of XML that libxml2 gets: UTF-8 without a declaration, for its converters crash when the parser is stopped.
@Suite struct XMLTextTests {
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
    ("Shift_JIS", .shiftJIS, "東京"), ("UTF-16", .utf16, "Łódź 東京"), ("UTF-16", .utf16LittleEndian, "東京"),
    ("UTF-16BE", .utf16BigEndian, "東京"),
  ]

  @Test(arguments: known)
  func encodings(_ declared: String, _ encoding: String.Encoding, _ word: String) throws {
    let data = try #require(Self.document(Self.declaration(declared), name: word).data(using: encoding))
    let track = try TrackReader.read(data: data, format: .gpx)
    #expect(track.name == word && track.points.count == 1)
    // A fault behind the declaration stops the parser, and has the place that it has in UTF-8.
    let bad = try #require(Self.document(Self.declaration(declared), name: "x", latitude: "91").data(using: encoding))
    let error = #expect(throws: TrackError.self) { try TrackReader.read(data: bad, format: .gpx) }
    #expect(error?.place == trackError(Self.document("", name: "x", latitude: "91"), .gpx)?.place)
    #expect(error?.found == "lat=\"91\"")
  }

  @Test(arguments: ["UTF-7", "EUC-JP", "GB18030", "ISO-2022-JP", "HZ", "UTF-32", "KOI8-R", "x"])
  func otherEncodings(_ name: String) {
    let text = Self.document(#"<?xml version="1.0"\#n  encoding = '\#(name)' standalone="yes" ?>"#, latitude: "91")
    let error = trackError(text, .gpx)
    #expect(error?.place == .position(line: 2, column: 15))
    #expect(error?.found == "\"\(name)\"")
    #expect(error?.expected.hasPrefix("UTF-8, UTF-16") == true)
  }

  /// A declaration, and where and what the fault is.
  @Test(arguments: [
    (#"<?xml encoding="UTF-8"?>"#, "1:1 an XML declaration"),
    (#"<?xml version="1.0" encoding="UTF-8">"#, "1:1 an XML declaration"),
    (#"<?xml version="1.0" encoding="UTF-16"?>"#, "1:31 UTF-8, UTF-16"),
    (#" <?xml version="1.0" encoding="UTF-8"?>"#, "1:7 well-formed XML"),
    (#"<?xml version="1.0"?><?xml version="1.0" encoding="UTF-7"?>"#, "1:27 well-formed XML"),
  ])
  func badDeclarations(_ declaration: String, _ expected: String) {
    guard let error = trackError(Self.document(declaration), .gpx), case .position(let line, let column) = error.place
    else { return #expect(Bool(false), "no place") }
    #expect("\(line):\(column) \(error.expected)".hasPrefix(expected), "\(error)")
  }

  @Test func goodDeclarations() throws {
    for declaration in ["", "<?xml version='1.1'?>", "<?xml\tversion=\"1.0\"\r\n\tstandalone='no'?>", "\u{FEFF}"] {
      let track = try TrackReader.read(data: Data(Self.document(declaration).utf8), format: .gpx)
      #expect(track.name == "Łódź", "\(declaration)")
    }
  }

  /// Bytes that are not of the encoding; zero bytes, from which libxml2 would guess one.
  @Test func bytesThatAreNoText() throws {
    let latin = Data(Self.document(Self.declaration("ISO-8859-2")).utf8)
    let ascii = Data(Self.document(Self.declaration("ascii")).utf8)
    #expect(try TrackReader.read(data: latin, format: .gpx).points.count == 1, "every byte is a letter there")
    let odd = try #require(Self.document("").data(using: .utf16LittleEndian)) + [0x3E]
    let lone = Data([0xFF, 0xFE, 0x00, 0xD8, 0x41, 0x00])
    for data in [ascii, odd, lone, Data([0x00, 0x00, 0x00, 0x3C]), Data([0x3C, 0x00, 0x00, 0x00, 0x3F, 0x00])] {
      let error = #expect(throws: TrackError.self) { try TrackReader.read(data: data, format: .gpx) }
      #expect(error?.found == "bytes that are not text in the file's encoding" || error?.found == "a zero byte")
    }
    let utf8 = Data(Self.document("").utf8.dropLast(20)) + [0xFF, 0xC3] + Data(Self.document("").utf8.suffix(20))
    let error = #expect(throws: TrackError.self) { try TrackReader.read(data: utf8, format: .gpx) }
    #expect(error?.place != .file && error?.expected == "well-formed XML")
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
    // The end of the start tag.
    #expect(latitude?.description == "a.gpx:3:24: expected a latitude from -90 to 90, found lat=\"91\"")
    let longitude = trackError(point(time, "lat=\"1\""), .gpx)
    #expect(longitude?.description.hasPrefix("line 3, column ") == true)
    #expect(longitude?.found == "no attribute lon")
    #expect(trackError(point(time, "lat=\"nan\" lon=\"4\""), .gpx)?.found == "lat=\"nan\"")
    #expect(trackError(point(time, "lat=\"0x1\" lon=\"4\""), .gpx)?.found == "lat=\"0x1\"")
    let noZone = trackError(point("\n<time>2026-03-01T00:00:00</time>"), .gpx)
    #expect(noZone?.expected == UTCTime.expectedText)
    #expect(noZone?.found == "\"2026-03-01T00:00:00\"")
    guard case .position(line: 4, column: _)? = noZone?.place else {
      Issue.record("place of the time: \(String(describing: noZone?.place))")
      return
    }
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
