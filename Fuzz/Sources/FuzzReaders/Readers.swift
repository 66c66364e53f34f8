import Foundation
import PlotCore
import PlotDocuments
import PlotStory
import PlotTracks

/// A reader of the tool takes the bytes, as its options tell it to: the first byte says which. 1 when it has taken them.
@_cdecl("fuzz_track") public func fuzzTrack(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = bytes.first else { return 0 }
  return unsafe readers[Int(choice) % readers.count](Array(bytes.dropFirst())) ? 1 : 0
}

/// The bytes are the file of a time zone. 1 when they are one: then what it says of a time can be asked for any time.
@_cdecl("fuzz_zone") public func fuzzZone(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let zone = ZoneRules(name: "Fuzz/Zone", tzif: bytes) else { return 0 }
  let range = Timestamp.range
  var times = [range.lowerBound, range.lowerBound + 1, range.upperBound]
  // Every month of some years, and then every seventh year: tables, the end of them, and the rule behind them.
  times += (0..<600).map { $0 * 2_629_746_000 }
  times += (0..<1_100).map { $0 * 230_000_000_000 + 17 }
  for time in times {
    let offset = zone.offset(at: time)
    precondition(abs(offset) < 26 * 3600, "an offset of \(offset) seconds")
    let local = zone.local(time)
    let moments = zone.times(of: local)
    precondition(!moments.isEmpty && moments == moments.sorted(), "the times of \(local): \(moments)")
    precondition(moments.allSatisfy { abs($0 - time) <= 3 * 86_400_000 }, "the times of \(local): \(moments)")
  }
  return 1
}

nonisolated(unsafe) private let readers: [([UInt8]) -> Bool] = [
  { isTaken($0, .gpx) },
  { isTaken($0, .geojson) },
  { isTaken($0, .csv) },
  { bytes in (try? MapBackground.read(Data(bytes))) != nil },
  { bytes in sensed(bytes, .moves) },
  { bytes in sensed(bytes, .hints) },
  { bytes in sensed(bytes, .sightings) },
  { bytes in (try? SimulationRules.parse(bytes)) != nil },
  { bytes in (try? PlaceFile.feed(from: bytes, .kml, GeoJSONImport())) != nil },
  { isTaken($0, .tcx) },
  { isTaken($0, .kml) },
  { isTaken($0, .gpx, TrackPace(start: 0, speed: 10)) },
  { isTaken($0, .kml, TrackPace(start: 0, speed: 10)) },
  { isTaken($0, .google) },
  { isTaken($0, .gnss) },
  { isTaken($0, .nmea) },
  { isTaken($0, .fit) },
  { bytes in (try? PlaceFile.feed(from: bytes, .csv, GeoJSONImport())) != nil },
]

private func isTaken(_ bytes: [UInt8], _ format: TrackFormat, _ pace: TrackPace? = nil) -> Bool {
  guard let track = try? TrackReader.read(data: Data(bytes), format: format, pace: pace) else { return false }
  for point in track.points {
    precondition(abs(point.latitude) <= 90 && abs(point.longitude) <= 180 && point.accuracy >= 0, "\(point)")
    precondition(point.speed == -1 || point.speed >= 0, "\(point)")
    precondition(point.course == -1 || (0...360).contains(point.course), "\(point)")
  }
  return true
}

private func sensed(_ bytes: [UInt8], _ kind: SensedInput.Kind) -> Bool {
  let taken = [true, false].map { (try? SensedReader.parse(Data(bytes), kind, isJSON: $0)) != nil }
  return taken.contains(true)
}
