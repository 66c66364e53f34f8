import Foundation
import PlotCore
import PlotDocuments
import PlotTesting
import Testing

@testable import PlotStory
@testable import PlotTracks
@testable import plot

/// The inputs that the fuzzers of zones and tracks have kept, played without them: none of it is a trap, and values that are taken are in range.
@Suite struct CorpusTests {
  private static func files(_ target: String) throws -> [[UInt8]] {
    let folder = projectRoot.appendingPathComponent("Tests/fuzz/corpus/\(target)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
  }

  @Test func zones() throws {
    let files = try Self.files("zone")
    var taken = 0
    for bytes in files {
      guard let zone = ZoneRules(name: "Corpus/Zone", tzif: bytes) else { continue }
      taken += 1
      for step in 0..<1_100 {
        let time = Int64(step) * 230_000_000_000 + 17
        let moments = zone.times(of: zone.local(time))
        #expect(!moments.isEmpty && moments == moments.sorted())
      }
    }
    #expect(taken > 3 && taken < files.count)
  }

  @Test func tracks() throws {
    let files = try Self.files("track")
    // In the order of Fuzz/Sources/FuzzReaders.
    let readers: [([UInt8]) throws -> Void] = [
      { _ = try TrackReader.read(data: Data($0), format: .gpx) },
      { _ = try TrackReader.read(data: Data($0), format: .geojson) },
      { _ = try TrackReader.read(data: Data($0), format: .csv) },
      { _ = try MapBackground.read(Data($0)) },
      { bytes in for isJSON in [true, false] { _ = try SensedReader.parse(Data(bytes), .moves, isJSON: isJSON) } },
      { bytes in for isJSON in [true, false] { _ = try SensedReader.parse(Data(bytes), .hints, isJSON: isJSON) } },
      { bytes in for isJSON in [true, false] { _ = try SensedReader.parse(Data(bytes), .sightings, isJSON: isJSON) } },
      { _ = try SimulationRules.parse($0) },
      { _ = try PlaceFile.feed(from: $0, .kml, GeoJSONImport()) },
      { _ = try TrackReader.read(data: Data($0), format: .tcx) },
      { _ = try TrackReader.read(data: Data($0), format: .kml) },
      { _ = try TrackReader.read(data: Data($0), format: .gpx, pace: TrackPace(start: 0, speed: 10)) },
      { _ = try TrackReader.read(data: Data($0), format: .kml, pace: TrackPace(start: 0, speed: 10)) },
      { _ = try TrackReader.read(data: Data($0), format: .google) },
      { _ = try TrackReader.read(data: Data($0), format: .gnss) },
      { _ = try TrackReader.read(data: Data($0), format: .nmea) },
      { _ = try TrackReader.read(data: Data($0), format: .fit) },
      { _ = try PlaceFile.feed(from: $0, .csv, GeoJSONImport()) },
    ]
    // As many as the fuzzer has, or else the first byte of an input chooses another reader here than there.
    let source = projectRoot.appendingPathComponent("Fuzz/Sources/FuzzReaders/Readers.swift")
    let list = try String(contentsOf: source, encoding: .utf8).split(separator: "private let readers:")[1]
    #expect(list.split(separator: "\n]")[0].split(separator: "\n").count { $0.hasPrefix("  {") } == readers.count)
    var refused = 0
    for bytes in files {
      guard let choice = bytes.first else { continue }
      do {
        try readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
      } catch {
        #expect("\(error)".isEmpty == false)
        refused += 1
      }
    }
    #expect(refused > 0 && refused < files.count)
  }
}
