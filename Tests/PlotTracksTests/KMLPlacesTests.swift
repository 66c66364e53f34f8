import Foundation
import PlotCore
import PlotDocuments
import Testing

@testable import PlotTracks

@Suite struct KMLPlacesTests {
  private func places(_ body: String) throws -> String {
    let text = #"<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>\#(body)</Document></kml>"#
    return String(decoding: try KMLPlaces.places(Array(text.utf8)).geoJSON, as: UTF8.self)
  }

  @Test func geometriesAndProperties() throws {
    let found = try places(
      """
      <name>All</name><Folder><Placemark id="dam"><name> Dam </name><description>The <![CDATA[<b>square</b>]]></description>
      <ExtendedData><Data name="kind"><displayName>Kind</displayName><value>square</value></Data>
      <SchemaData schemaUrl="#s"><SimpleData name="size">3</SimpleData></SchemaData></ExtendedData>
      <Point><altitudeMode>clampToGround</altitudeMode><coordinates>4.8926,52.3731,2</coordinates></Point></Placemark></Folder>
      <Placemark><LineString><coordinates>
        4.8,52.3 4.9,52.4
      </coordinates></LineString></Placemark>
      <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs>
      <innerBoundaryIs><LinearRing><coordinates>.6,.3 .7,.3 .7,.4 .6,.3</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
      <Placemark><MultiGeometry><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing>
      </outerBoundaryIs></Polygon><Polygon><outerBoundaryIs><LinearRing><coordinates>2,2 3,2 3,3 2,2</coordinates></LinearRing>
      </outerBoundaryIs></Polygon></MultiGeometry></Placemark>
      """)
    let document = try JSONValue(parsing: Array(found.utf8))
    guard case .array(let features)? = document["features"] else { throw CocoaError(.coderInvalidValue) }
    #expect(
      features[0].text
        == #"{"type":"Feature","id":"dam","geometry":{"type":"Point","coordinates":[4.8926,52.3731]},"properties":{"name":"Dam","description":"The <b>square</b>","kind":"square","size":"3"}}"#
    )
    #expect(features[1]["geometry"]?.text == #"{"type":"LineString","coordinates":[[4.8,52.3],[4.9,52.4]]}"#)
    #expect(
      features[2]["geometry"]?.text
        == #"{"type":"Polygon","coordinates":[[[0.0,0.0],[1.0,0.0],[1.0,1.0],[0.0,0.0]],[[0.6,0.3],[0.7,0.3],[0.7,0.4],[0.6,0.3]]]}"#
    )
    #expect(features[3]["geometry"]?["type"]?.text == #""MultiPolygon""#)
    // The feed that it becomes is one that can be read.
    let feed = try Feed.parse(Array(GeoJSONImport().feed(from: Array(found.utf8)).json.utf8))
    #expect(feed.regions.map(\.id.text) == ["dam", "region-2", "region-3", "region-4"])
  }

  @Test func faultsHaveTheirLine() throws {
    for (body, line, found) in [
      ("\n<Placemark><Point><coordinates>east,52</coordinates></Point></Placemark>", 2, "east,52"),
      ("<Placemark><Point><coordinates>4;52</coordinates></Point></Placemark>", 1, "4;52"),
      ("<Placemark><Point><coordinates>4,52 5,53</coordinates></Point></Placemark>", 1, "2"),
      ("\n\n<Placemark><name>Nowhere</name></Placemark>", 3, "none"),
      (
        "<Placemark><Point><coordinates>1,1</coordinates></Point><LineString><coordinates>1,1 2,2</coordinates></LineString></Placemark>",
        1, "several"
      ),
      ("<Placemark><gx:Track><when>2026</when></gx:Track></Placemark>", 1, "track"), ("<Placemark>", 1, "end tag"),
    ] {
      let error = #expect(throws: DocumentError.self) { try places(body) }
      #expect(error?.line == line && error?.found.contains(found) == true, "\(body): \(error?.message ?? "")")
    }
    for text in ["", "<gpx/>", "<!DOCTYPE kml [<!ENTITY a 'b'>]><kml>&a;</kml>", "<kml>"] {
      #expect(throws: DocumentError.self, "\(text)") { try KMLPlaces.places(Array(text.utf8)) }
    }
  }
}
