import CPlotEngine
import Foundation
import PlotTesting
import Testing

/// Errors in one of several documents.
extension CSurface {
  @Suite(.serialized) struct DocumentNames {
    @Test func anErrorNamesTheDocument() throws {
      let folder = try Folder()
      let path = folder.path("wrong")
      try Data("{\n 5}".utf8).write(to: URL(fileURLWithPath: path))
      let wrong = "{\n 5}"
      func name(_ body: () throws -> OpaquePointer) throws -> String {
        let failure = try failure { _ = try body() }
        #expect(failure.status == PLOT_INVALID_DOCUMENT)
        return String(failure.message.prefix { $0 != ":" })
      }
      #expect(try name { try take { plot_config_parse(wrong, wrong.utf8.count, $0, $1) } } == "configuration")
      #expect(try name { try take { plot_config_load(path, $0, $1) } } == path)
      #expect(try name { try take { plot_feed_parse(wrong, wrong.utf8.count, $0, $1) } } == "feed")
      #expect(try name { try take { plot_feed_load(path, $0, $1) } } == path)
      #expect(try name { try take { plot_feed_map(path, $0, $1) } } == path)
      let points = #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [4.9, 52.4]}}"#
      func imported(_ geojson: String, _ options: String?) throws -> OpaquePointer {
        try take { plot_feed_import_geojson(geojson, geojson.utf8.count, options, $0, $1) }
      }
      #expect(try name { try imported(wrong, nil) } == "GeoJSON")
      #expect(try name { try imported(points.replacingOccurrences(of: "52.4", with: "520"), "{}") } == "GeoJSON")
      for options in [wrong, #"{"radios": 5}"#, #"{"radius": -1}"#, #"{"width": 0}"#, #"{"trigger": "stay"}"#] {
        #expect(try name { try imported(points, options) } == "options", "\(options)")
      }
    }

    /// A line of a recording holds a configuration or a feed.
    @Test func aFaultInADocumentOfARecordingHasItsWholePointer() throws {
      let recording = try RecordingTests.recordedWalk()
      let spoilt = [
        (#""filterDeadline":60"#, #""filterDeadline":0"#, "/configuration/engine/filterDeadline"),
        (#""radius":200.0"#, #""radius":-1"#, "/feed/regions/0/radius"),
      ]
      for (good, bad, pointer) in spoilt {
        let text = recording.joined(separator: "\n") + "\n"
        #expect(text.contains(good), "\(text)")
        let refusal = try failure {
          _ = try RecordingTests.replayed(text.replacingOccurrences(of: good, with: bad))
        }
        #expect(refusal.pointer == pointer && refusal.message.contains(pointer), "\(refusal)")
      }
    }
  }
}
