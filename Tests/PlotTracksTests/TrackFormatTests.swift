import Foundation
import PlotCore
import Testing

@testable import PlotTracks

/// TCX and KML, and ways without times (docs/tracks.md).
@Suite struct TrackFormatTests {
  static func read(_ text: String, _ format: TrackFormat, pace: TrackPace? = nil) throws(TrackError) -> PlotTracks.Track
  {
    try TrackReader.read(data: Data(text.utf8), format: format, pace: pace)
  }

  static func fault(_ text: String, _ format: TrackFormat, pace: TrackPace? = nil) -> String? {
    do throws(TrackError) {
      _ = try read(text, format, pace: pace)
      return nil
    } catch { return error.description }
  }

  static let start: Int64 = 1_778_925_600_000

  // MARK: One ride, in each format

  /// Four positions, ten seconds apart.
  static let ride: [(latitude: Double, longitude: Double)] = [
    (52.36, 4.885), (52.3605, 4.8851), (52.361, 4.8852), (52.3615, 4.8853),
  ]
  static func time(_ index: Int) -> String { "2026-05-16T10:00:\(index)0Z" }

  static let tcx =
    #"<?xml version="1.0" encoding="UTF-8"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" "#
    + #"xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities><Activity Sport="Biking"><Id>2026-05-16T10:00:00Z</Id>"#
    + #"<Lap StartTime="2026-05-16T10:00:00Z"><TotalTimeSeconds>30</TotalTimeSeconds><Track>"#
    + ride.enumerated().map { index, place in
      "<Trackpoint><Time>\(time(index))</Time><Position><LatitudeDegrees>\(place.latitude)</LatitudeDegrees>"
        + "<LongitudeDegrees>\(place.longitude)</LongitudeDegrees></Position><AltitudeMeters>3.0</AltitudeMeters>"
        + "<Extensions><ns3:TPX><ns3:Speed>5.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>"
    }.joined()
    + "<Trackpoint><Time>2026-05-16T10:01:00Z</Time></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>"

  static let kml =
    #"<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>"#
    + "<name>A ride</name><Placemark><gx:Track>" + ride.indices.map { "<when>\(time($0))</when>" }.joined()
    + ride.map { "<gx:coord>\($0.longitude) \($0.latitude) 3</gx:coord>" }.joined()
    + "</gx:Track></Placemark></Document></kml>"

  static let gpx =
    #"<gpx version="1.1" creator="x"><trk><name>A ride</name><trkseg>"#
    + ride.enumerated().map { index, place in
      #"<trkpt lat="\#(place.latitude)" lon="\#(place.longitude)"><time>\#(time(index))</time></trkpt>"#
    }.joined() + "</trkseg></trk></gpx>"

  @Test func oneRideIsTheSameInEachFormat() throws {
    let wanted = ride(from: try Self.read(Self.gpx, .gpx))
    #expect(wanted.count == 4)
    let (tcx, kml) = (try Self.read(Self.tcx, .tcx), try Self.read(Self.kml, .kml))
    #expect(ride(from: tcx) == wanted && ride(from: kml) == wanted)
    #expect(tcx.points.allSatisfy { $0.speed == 5.5 } && kml.name == "A ride" && tcx.name == "2026-05-16T10:00:00Z")
    #expect(tcx.warnings == ["1 point without a position was left out."] && kml.warnings.isEmpty)
    for (text, format) in [(Self.tcx, TrackFormat.tcx), (Self.kml, .kml), (Self.gpx, .gpx)] {
      #expect(TrackReader.format(of: Data(text.utf8), path: "ride") == format)
    }
  }

  private func ride(from track: PlotTracks.Track) -> [String] {
    track.points.map { "\($0.time) \($0.latitude) \($0.longitude)" }
  }

  // MARK: KML

  private static func placemarks(_ text: String) -> String { "<kml><Document>\(text)</Document></kml>" }

  @Test func placesWithTimesAndSpans() throws {
    let track = try Self.read(
      Self.placemarks(
        "<Placemark><TimeStamp><when>2026-05-16T10:00:00Z</when></TimeStamp><Point><coordinates>4.885,52.36,0</coordinates></Point>"
          + "</Placemark><Placemark><name>At home</name><TimeSpan><begin>2026-05-16T10:10:00Z</begin><end>2026-05-16T10:30:00Z</end></TimeSpan>"
          + "<Point><coordinates>4.885,52.37</coordinates></Point></Placemark><Placemark><TimeSpan><begin>2026-05-16T11:00:00Z</begin>"
          + "<end>2026-05-16T11:00:40+00:00</end></TimeSpan><LineString><coordinates>4.0,52.0 4.0,52.1\n 4.0,52.4</coordinates></LineString>"
          + "</Placemark>"), .kml)
    #expect(track.points.map { ($0.time - Self.start) / 1000 } == [0, 600, 1800, 3600, 3610, 3640])
    #expect(track.points.map(\.latitude) == [52.36, 52.37, 52.37, 52.0, 52.1, 52.4] && track.name == "At home")
  }

  @Test func faultsOfKMLAndTCX() {
    let two =
      "<Placemark><Track><when>2026-05-16T10:00:00Z</when><coord>4 52</coord><coord>4 53</coord></Track></Placemark>"
    #expect(
      Self.fault(Self.placemarks(two), .kml)
        == "line 1, column 27: expected as many <when> as <coord> in a track, found 1 and 2")
    let north = "<Placemark><Point><coordinates>4.0,95.0</coordinates></Point></Placemark>"
    #expect(
      Self.fault(Self.placemarks(north), .kml)?.hasSuffix(
        "expected a longitude, a latitude, and perhaps an altitude, found \"4.0,95.0\"") == true)
    #expect(Self.fault("<html/>", .kml) == "line 1, column 1: expected the element <kml>, found <html>")
    #expect(Self.fault("", .tcx) == "line 1, column 1: expected a TCX document, found an empty file")
    let wrong = Self.tcx.replacingOccurrences(of: "52.361<", with: "152.361<")
    #expect(Self.fault(wrong, .tcx)?.hasSuffix("expected a latitude from -90 to 90, found \"152.361\"") == true)
    let noon = Self.tcx.replacingOccurrences(of: "<Time>2026-05-16T10:00:10Z", with: "<Time>noon")
    #expect(Self.fault(noon, .tcx)?.hasSuffix("found \"noon\"") == true)
  }

  // MARK: Ways without times

  static let pace = TrackPace(start: start, speed: 5)

  static let ways: [(String, TrackFormat)] = [
    (
      #"<gpx><rte><name>Way</name>"#
        + ride.map { #"<rtept lat="\#($0.latitude)" lon="\#($0.longitude)"/>"# }.joined() + "</rte></gpx>", .gpx
    ),
    // Times of 1901, as some old phones wrote them.
    (gpx.replacingOccurrences(of: "2026-", with: "1901-"), .gpx),
    (kml.replacingOccurrences(of: "2026-", with: "1901-"), .kml),
    (
      placemarks(
        "<Placemark><LineString><coordinates>" + ride.map { "\($0.longitude),\($0.latitude)" }.joined(separator: " ")
          + "</coordinates></LineString></Placemark>"), .kml
    ),
    (tcx.replacingOccurrences(of: "<Time>2026", with: "<Time>never"), .tcx),
    ("latitude,longitude\n" + ride.map { "\($0.latitude),\($0.longitude)" }.joined(separator: "\n"), .csv),
    (
      #"{"type":"LineString","coordinates":["# + ride.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
        + "]}", .geojson
    ),
  ]

  @Test(arguments: ways.indices) func aWayGetsTimes(_ index: Int) throws {
    let (text, format) = Self.ways[index]
    do throws(TrackError) {
      _ = try Self.read(text, format)
      Issue.record("taken without times")
    } catch {
      #expect(error.isAboutTimes || format == .tcx, "\(error)")
    }
    let track = try Self.read(text, format, pace: Self.pace)
    // 3 × 56 m at 5 m/s: 12 s, with a point each 5 s at most.
    #expect(track.points.first?.time == Self.start && track.points.count == 10)
    let length = zip(Self.ride, Self.ride.dropFirst()).reduce(0) { sum, pair in
      sum
        + Earth.distance(
          Coordinate(latitude: pair.0.latitude, longitude: pair.0.longitude),
          Coordinate(latitude: pair.1.latitude, longitude: pair.1.longitude))
    }
    #expect(track.points.last.map { abs(Double($0.time - Self.start) / 1000 - length / 5) < 0.01 } == true)
    #expect(track.points.last?.latitude == 52.3615 && track.points.last?.longitude == 4.8853)
    #expect(zip(track.points, track.points.dropFirst()).allSatisfy { (1...5000).contains($1.time - $0.time) })
  }

  @Test func aWayOverTheAntimeridianIsTheShortOne() throws {
    let line = #"{"type":"LineString","coordinates":[[179.999,0],[-179.999,0]]}"#
    let track = try Self.read(line, .geojson, pace: Self.pace)
    #expect(track.points.allSatisfy { abs($0.longitude) >= 179.999 } && track.points.count == 10)
  }

  @Test func aWayThatIsTooLongIsRefused() {
    let line = #"{"type":"LineString","coordinates":[[0,0],[170,0]]}"#
    #expect(
      Self.fault(line, .geojson, pace: TrackPace(start: Self.start, speed: 0.5))
        == "expected a way that is over after a million fixes, one each 5 s, found a longer one; give another pace")
    #expect(
      Self.fault(#"{"type":"LineString","coordinates":[]}"#, .geojson, pace: Self.pace)?.contains("no track point")
        == true)
  }

  @Test func pacesInWords() {
    #expect(TrackPace.speed("36") == 10 && TrackPace.speed("pedestrian") == 1.35 && TrackPace.speed("bicycle") == 4.5)
    for text in ["0", "-5", "fast", "", "1001", "nan"] { #expect(TrackPace.speed(text) == nil) }
  }
}
