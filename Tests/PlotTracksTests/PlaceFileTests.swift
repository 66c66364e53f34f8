import Foundation
import PlotCore
import PlotDocuments
import Testing

@testable import PlotTracks

/// Feeds of tables, and where their faults are (docs/feed.md, Import).
@Suite struct PlaceFileTests {
  private static func feed(
    _ text: String, _ format: PlaceFile.Format? = nil, _ change: (inout GeoJSONImport) -> Void = { _ in }
  ) throws(DocumentError) -> Feed {
    let bytes = Array(text.utf8)
    var options = GeoJSONImport()
    change(&options)
    return try PlaceFile.feed(from: bytes, format ?? PlaceFile.format(of: bytes), options)
  }

  private static func fault(_ text: String, _ change: (inout GeoJSONImport) -> Void = { _ in }) -> String? {
    do throws(DocumentError) {
      _ = try feed(text, nil, change)
      return nil
    } catch { return error.message }
  }

  @Test func aTableHasEveryProperty() throws {
    let text = "id;name;latitude;longitude;radius;City\na;\"Shop; first\";52,36;4,885;80,5;Delft\nb;;52,37;4,886;;\n"
    let feed = try Self.feed(text)
    #expect(feed.regions.map(\.id.text) == ["a", "b"] && feed.regions[0].name == "Shop; first")
    #expect(feed.regions.map { $0.shape.circle?.radius } == [80.5, 200] && feed.regions[1].name == nil)
    #expect(feed.regions[0].customFields.map { "\($0.name)=\($0.value)" } == ["City=Delft"])
    #expect(feed.regions[0].shape.circle?.center == Coordinate(latitude: 52.36, longitude: 4.885))
    let other = try Self.feed("code,title,Lat,LNG,m\nx,X,1,2,90\n") { options in
      (options.idProperty, options.nameProperty, options.radiusProperty) = ("code", "title", "m")
    }
    #expect(other.regions[0].id.text == "x" && other.regions[0].name == "X")
    #expect(other.regions[0].shape.circle?.radius == 90 && other.regions[0].customFields.isEmpty)
    #expect(try Self.feed("lat,lon\n1,2\n3,4\n").regions.map(\.id.text) == ["region-1", "region-2"])
  }

  @Test func aRadiusOfItsOwnAlsoInGeoJSONAndKML() throws {
    func point(_ radius: String) -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4,52]},"properties":{"radius":\#(radius)}}"#
    }
    #expect(try Self.feed(point("60")).regions[0].shape.circle?.radius == 60)
    #expect(try Self.feed(point(#""60.5""#)).regions[0].shape.circle?.radius == 60.5)
    #expect(Self.fault(point("0"))?.contains("/properties/radius") == true)
    let kml =
      "<kml><Placemark><ExtendedData><Data name='radius'><value>70</value></Data></ExtendedData><Point><coordinates>4,52</coordinates></Point></Placemark></kml>"
    #expect(try Self.feed(kml).regions[0].shape.circle?.radius == 70)
    let line =
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[4,52],[5,52]]},"properties":{"radius":"big"}}"#
    #expect(try Self.feed(line).regions[0].customFields.map(\.value) == ["big"])
  }

  @Test(arguments: [
    ("", "line 1, column 1: expected a header line with latitude and longitude, found an empty file"),
    ("id,latitude\n", "line 1, column 1: expected a header line with a column longitude, found \"id,latitude\""),
    ("lat,lon\n1,east\n", "line 2, column 3: expected a longitude from -180 to 180, found \"east\""),
    ("lat,lon\n100,2\n", "line 2, column 1: expected a latitude from -90 to 90, found \"100\""),
    ("lat,lon\n1\n", "line 2, column 1: expected 2 cells, as in the header, found 1"),
    ("lat,lon,x,x\n1,2,3,4\n", "line 1, column 11: expected names of columns, each once, found \"x\" again"),
    ("id,lat,lon\na,1,2\n\na,1,2\n", "line 4, column 1: expected a feature with an id of its own, found \"a\" again"),
    ("lat,lon,radius\n1,2,3\n1,2,wide\n", "line 3, column 1: expected metres, above 0"),
    (
      "<kml>\n<Placemark id='a'><Point><coordinates>4,99</coordinates></Point></Placemark></kml>",
      "line 2, column 1: expected [longitude"
    ),
  ]) func faults(_ text: String, _ words: String) {
    let fault = Self.fault(text)
    #expect(fault?.hasPrefix(words) == true, "\(fault ?? "taken")")
  }

  @Test func faultsOfOptions() {
    #expect(
      Self.fault("lat,lon\n1,2\n") { $0.idProperty = "code" }?.contains("a column \"code\", which holds the id") == true
    )
    #expect(Self.fault("lat,lon\n1,2\n") { $0.trigger = "often" }?.contains("trigger") == true)
  }
}
