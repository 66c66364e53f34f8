import Foundation
import PlotTesting
import Testing

@testable import PlotTracks

private let midnight: Int64 = 1_772_323_200_000

@Suite struct GeoJSONTests {
  private func read(_ text: String) throws -> Track { try TrackReader.read(data: Data(text.utf8), format: .geojson) }

  private func feature(_ geometry: String, _ properties: String) -> String {
    "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}"
  }

  private let line = "{\"type\":\"LineString\",\"coordinates\":[[4,52,7],[4.5,52.5]]}"
  private let times = "[\"2026-03-01T00:00:00Z\",1772323201000]"

  private let points = [
    TrackPoint(time: midnight, latitude: 52, longitude: 4),
    TrackPoint(time: midnight + 1_000, latitude: 52.5, longitude: 4.5),
  ]

  @Test func lineStrings() throws {
    for properties in [
      "{\"coordTimes\":\(times),\"name\":\"Walk\"}", "{\"times\":\(times),\"name\":\"Walk\"}",
      "{\"coordinateProperties\":{\"times\":\(times)},\"name\":\"Walk\"}",
    ] {
      let alone = try read(feature(line, properties))
      #expect(alone == Track(name: "Walk", points: points, warnings: []))
      let dot = feature("{\"type\":\"Point\",\"coordinates\":[0,0]}", "null")
      let text = "{\"type\":\"FeatureCollection\",\"features\":[\(dot),\(feature(line, properties))]}"
      let track = try read(text)
      #expect(track.points == points)
      #expect(track.warnings == ["1 feature other than lines was left out."])
    }
  }

  @Test func aTimeOfAnotherYearIsNamedWithItsPlace() throws {
    let geojson = try TrackReader.read(
      data: Data(feature(line, #"{"times":["2026-05-16T10:00:00Z","2045-12-30T10:01:00Z"]}"#).utf8), format: .geojson,
      file: "walk.geojson")
    let text =
      "the time 2045-12-30T10:01:00Z is 19 years after the one before it, 2026-05-16T10:00:00Z; look for a wrong year, or"
      + " seconds for milliseconds."
    #expect(geojson.warnings == ["walk.geojson: /properties/times/1: " + text])
    let csv = try TrackReader.read(
      data: Data("time,lat,lon\n2026-05-16T10:00:00Z,1,2\n2045-12-30T10:01:00Z,1,2\n".utf8), format: .csv, file: "w.csv"
    )
    #expect(csv.warnings == ["w.csv:3:1: " + text])
    let gpx =
      #"<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><trk><trkseg>"#
      + #"<trkpt lat="1" lon="2"><time>2026-05-16T10:00:00Z</time></trkpt>"#
    let later = try TrackReader.read(
      data: Data(
        (gpx + "\n<trkpt lat=\"1\" lon=\"2\"><time>2045-12-30T10:01:00Z</time></trkpt></trkseg></trk></gpx>").utf8),
      format: .gpx, file: "w.gpx")
    #expect(later.warnings == ["w.gpx:2:30: " + text])
    let fault = #expect(throws: TrackError.self) {
      try TrackReader.read(
        data: Data(
          (gpx + "\n<trkpt lat=\"1\" lon=\"2\"><time>1901-12-14T00:00:00Z</time></trkpt></trkseg></trk></gpx>").utf8),
        format: .gpx, file: "w.gpx")
    }
    #expect(fault?.description == "w.gpx:2:30: expected a time from 1970 on, found 1901-12-14 00:00:00")
  }

  @Test func multiLineString() throws {
    let geometry = "{\"type\":\"MultiLineString\",\"coordinates\":[[[4,52]],[[4.5,52.5],[0,0]]]}"
    let track = try read(feature(geometry, "{\"coordTimes\":[[1772323200],[1772323201000,null]]}"))
    #expect(track.points == points)
    #expect(track.warnings == ["1 point without a time was left out."])
  }

  @Test func pointCollection() throws {
    let first = feature(
      "{\"type\":\"Point\",\"coordinates\":[4,52]}",
      "{\"time\":\"2026-03-01T00:00:00Z\",\"accuracy\":5,\"speed\":1.5,\"heading\":90}")
    let second = feature(
      "{\"type\":\"Point\",\"coordinates\":[4.5,52.5]}", "{\"timestamp\":1772323201000,\"speed\":null}")
    let third = feature("{\"type\":\"Point\",\"coordinates\":[4.5,52.5]}", "{}")
    let track = try read("{\"type\":\"FeatureCollection\",\"features\":[\(first),\(second),\(third)]}")
    let exact = TrackPoint(time: midnight, latitude: 52, longitude: 4, accuracy: 5, speed: 1.5, course: 90)
    #expect(track.points == [exact, points[1]])
    #expect(track.warnings == ["1 point without a time was left out."])
  }

  private func expectFault(
    _ text: String, _ pointer: String, _ expected: String, _ found: String, isAboutTimes: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = trackError(text, .geojson, sourceLocation: sourceLocation)
    var wanted = TrackError(at: .pointer(pointer), expected: expected, found: found)
    wanted.isAboutTimes = isAboutTimes
    #expect(error == wanted, sourceLocation: sourceLocation)
  }

  @Test func faultsInStructure() {
    expectFault("[1]", "", "a GeoJSON object", "an array of 1")
    expectFault("{}", "/type", "a GeoJSON type", "nothing")
    expectFault("{\"type\":\"FeatureCollection\"}", "/features", "an array of features", "nothing")
    expectFault(
      "{\"type\":\"FeatureCollection\",\"features\":[true]}", "/features/0", "a GeoJSON object", "a boolean")
    expectFault(
      "{\"type\":\"FeatureCollection\",\"features\":[\(line)]}", "/features/0/type", "\"Feature\"", "\"LineString\"")
    expectFault(
      "{\"type\":\"FeatureCollection\",\"features\":[]}", "", "a LineString, a MultiLineString or Points", "no feature")
    expectFault(
      "{\"type\":\"Polygon\",\"coordinates\":[]}", "", "a LineString, a MultiLineString or Points", "Polygon")
    expectFault(
      line, "", "at least one track point with a time", "2 points, none with a time", isAboutTimes: true)
  }

  @Test func faultsInLines() {
    let when = CalendarTime.expectedText + ", or whole seconds or milliseconds since 1970"
    expectFault(
      feature(line, "{\"coordTimes\":[1]}"), "/properties/coordTimes", "2 times, as many as coordinates", "1")
    expectFault(feature(line, "{\"times\":[\"noon\",2]}"), "/properties/times/0", when, "\"noon\"")
    expectFault(feature(line, "{\"times\":[2,true]}"), "/properties/times/1", when, "a boolean")
    expectFault(feature(line, "{\"times\":[2,1.5]}"), "/properties/times/1", when, "1.5")
    expectFault(
      feature(line, "{\"coordinateProperties\":{\"times\":\"now\"}}"), "/properties/coordinateProperties/times",
      "an array of times, one for each coordinate", "\"now\"")
    let bad = "{\"type\":\"LineString\",\"coordinates\":[[4,52],[4,\"x\"]]}"
    expectFault(feature(bad, "{\"times\":[1,2]}"), "/geometry/coordinates/1/1", "a latitude from -90 to 90", "\"x\"")
    let far = "{\"type\":\"LineString\",\"coordinates\":[[181,52]]}"
    expectFault(
      feature(far, "{\"times\":[1]}"), "/geometry/coordinates/0/0", "a longitude from -180 to 180", "181")
    let short = "{\"type\":\"LineString\",\"coordinates\":[[1]]}"
    expectFault(
      feature(short, "{\"times\":[1]}"), "/geometry/coordinates/0", "longitude and latitude", "an array of 1")
    let multi = "{\"type\":\"MultiLineString\",\"coordinates\":[[[4,52]],[[4,52]]]}"
    expectFault(
      feature(multi, "{\"times\":[[1]]}"), "/properties/times", "2 arrays, as many as coordinates", "1")
    expectFault(
      feature(multi, "{\"times\":[[1],2]}"), "/properties/times/1", "an array of times, one for each coordinate", "2")
  }

  @Test func faultsInPoints() {
    let geometry = "{\"type\":\"Point\",\"coordinates\":[4,52]}"
    let text = feature(geometry, "{\"time\":1,\"speed\":\"fast\"}")
    expectFault(text, "/properties/speed", TrackField.speed.expected, "\"fast\"")
    expectFault(
      feature(geometry, "{\"time\":1,\"accuracy\":-1}"), "/properties/accuracy", TrackField.accuracy.expected, "-1")
    let located = trackError(text, .geojson, file: "a.json")
    #expect(located?.description.hasPrefix("a.json: /properties/speed: expected a speed") == true)
  }

  @Test func faultsInSyntax() {
    let error = trackError("{\"type\":\n  [1, tru]}", .geojson)
    #expect(error?.expected == "a JSON value")
    #expect(error?.place == .position(line: 2, column: 7))
    #expect(error?.found == "'tru'")
    let end = trackError("{\"type\":\n", .geojson)
    #expect(end?.found.hasSuffix("the end of the text") == true)
    #expect(trackError("", .geojson)?.found == "an empty file")
  }
}

@Suite struct CSVTests {
  private func read(_ text: String) throws -> Track { try TrackReader.read(data: Data(text.utf8), format: .csv) }

  @Test func allColumnsInAnyOrder() throws {
    let text = """
      \u{FEFF}lon, Lat ,timestamp,Course,speed,accuracy\r
      4,52,2026-03-01T00:00:00Z,90,1.5,10\r
      \r
      "4.5","52.5",1772323201000,,,\r
      4.5,52.5,1772323201,-1,-2,\r
      4.5,52.5,,,,
      """
    let track = try read(text)
    let second = TrackPoint(time: midnight + 1_000, latitude: 52.5, longitude: 4.5)
    let first = TrackPoint(time: midnight, latitude: 52, longitude: 4, accuracy: 10, speed: 1.5, course: 90)
    #expect(track.points == [first, second, second])
    #expect(track.warnings == ["1 point without a time was left out."])
  }

  @Test func quotesAndOtherColumns() throws {
    let track = try read("time,lat,lng,note\n1,2,3,\"a \"\"b\"\",\nc\"\n2,3,4,\n")
    #expect(track.points.map(\.time) == [1_000, 2_000])
    #expect(track.warnings == ["The column was not read: \"note\"."])
  }

  @Test func lineEndsOfAllKinds() throws {
    for end in ["\n", "\r\n", "\r"] {
      let track = try read(["time,lat,lon", "", "1,2,3", "2,3,4", ""].joined(separator: end))
      #expect(track.points.count == 2)
      let error = trackError(["time,lat,lon", "", "1,2,3", "2,x,4"].joined(separator: end), .csv)
      #expect(error?.place == .position(line: 4, column: 3))
    }
  }

  @Test(arguments: [
    ("", 1, 1, "a header line with time, latitude and longitude", "an empty file"),
    ("\ntime,lat\n1,2", 2, 1, "a header line with a column longitude", "\"time,lat\""),
    ("1,2,3\n", 1, 1, "a header line with a column time", "\"1,2,3\""),
    ("time,lat,latitude,lon\n", 1, 10, "one column for the latitude", "a second one, \"latitude\""),
    ("time,lat,lon\n1,2\n", 2, 3, "3 cells, as in the header", "2"),
    ("time,lat,lon\n1,2,3,4\n", 2, 7, "3 cells, as in the header", "4"),
    ("time,lat,lon\n1,é,3\n", 2, 3, "a latitude from -90 to 90", "\"é\""),
    ("time,lat,lon\n1,2,\n", 2, 5, "a longitude from -180 to 180", "nothing"),
    ("time,lat,lon\n1,2,\"3\n", 2, 5, "a closing quote", "the end of the file"),
    ("time,lat,lon\n1,2,\"3\"4\n", 2, 8, "a comma or the end of the line after a quoted cell", "more text"),
    ("time,lat,lon\n1,2,3\"4\n", 2, 6, "quotes around the whole cell", "a quote within it"),
    ("lat,lon,speed,time\n1,2,inf,4\n", 2, 5, "a speed in metres a second, at most 299792458, or -1", "\"inf\""),
    ("lat,lon,course,time\n1,2,361,4\n", 2, 5, "a course from 0 to 360, or -1", "\"361\""),
  ])
  func faults(text: String, line: Int, column: Int, expected: String, found: String) {
    let error = trackError(text, .csv, file: "a.csv")
    #expect(error?.description == "a.csv:\(line):\(column): expected \(expected), found \(found)")
  }

  @Test func faultsInTimes() {
    let noZone = trackError("time,lat,lon\n2026-03-01T00:00:00,2,3\n", .csv)
    #expect(noZone?.found == "\"2026-03-01T00:00:00\", which has no zone; write Z or an offset behind it")
    for time in ["2026-03-01", "noon", "1.5", "99999999999999999"] {
      let error = trackError("time,lat,lon\n\(time),2,3\n", .csv)
      #expect(error?.place == .position(line: 2, column: 1))
      #expect(error?.found == "\"\(time)\"")
    }
  }

  @Test func faultInEncoding() {
    let bytes = Array("time,lat,lon\n1,2,".utf8) + [0xFF]
    let error = #expect(throws: TrackError.self) { try TrackReader.read(data: Data(bytes), format: .csv) }
    #expect(error?.description == "line 2, column 5: expected UTF-8, found bytes that are not UTF-8")
  }
}

@Suite struct CalendarTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64(0)), ("2026-03-01T00:00:00Z", midnight), ("2000-02-29T12:00:00Z", 951_825_600_000),
    ("2026-03-01T01:30:00+01:30", midnight), ("2026-03-01T01:30:00+0130", midnight),
    ("2026-02-28T22:00:00-02", midnight), ("2026-03-01T00:00:00.5Z", midnight + 500),
    ("2026-03-01T00:00:00,1239Z", midnight + 123), ("1969-12-31T23:59:59Z", -1_000),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func good(text: String, time: Int64) { #expect(CalendarTime.parse(text) == time) }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T00:00:00", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z", "2026-03-01T12:00:60Z", "2026-03-01T00:00:00.Z",
    "2026-03-01  00:00:00Z", "2026-03-01T00:00:00z", "2026-03-01T00:00:00Zx", "2026-03-01T00:00:00+1",
    "2026-03-01T00:00:00+01:", "2026-03-01T00:00:00+24:00", "٢٠٢٦-03-01T00:00:00Z", "02026-03-01T00:00:00Z",
  ])
  func bad(text: String) { #expect(CalendarTime.parse(text) == nil) }

  @Test func thereAndBack() {
    var time: Int64 = -62_167_219_200_000
    while time <= 253_402_300_799_999 {
      let civil = CalendarTime(time)
      #expect(CalendarTime.parse("\(civil.date)T\(civil.timeOfDay).\(1_000 + civil.millisecond)Z") != nil)
      let fraction = String(String(1_000 + civil.millisecond).dropFirst())
      #expect(CalendarTime.parse("\(civil.date)T\(civil.timeOfDay).\(fraction)Z") == time)
      time += 97_531_246_801_357 / 997
    }
  }

  @Test func ends() {
    #expect(CalendarTime(.max).year > 200_000_000)
    #expect(CalendarTime(.min).year < -200_000_000)
    #expect(CalendarTime(midnight - 1).longDate == "28 February 2026")
  }
}
