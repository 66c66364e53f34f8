package import FoundationEssentials
internal import Glibc
internal import PlotDocuments
internal import PlotFiles

/// Reads recorded tracks from GPX, TCX, KML, GeoJSON and CSV.
package enum TrackReader {
  /// Reads a track file. The format is told by the content, or, where that is unclear, by the file's extension. With a pace, the times of the file do
  /// not count, and a way needs none.
  ///
  /// - Throws: `TrackError` with the file and the place of the fault.
  package static func read(path: String, pace: TrackPace? = nil) throws(TrackError) -> Track {
    let data = try contents(of: path)
    guard let format = format(of: data, path: path) else {
      let expected = "a track in GPX, TCX, KML, GeoJSON or CSV"
      let found = data.isEmpty ? "an empty file" : "neither in the content nor in the file's extension"
      throw TrackError(file: path, at: .file, expected: expected, found: found)
    }
    return try read(data: data, format: format, file: path, pace: pace)
  }

  /// Reads a track from memory; `file` is the name that errors give.
  ///
  /// - Throws: `TrackError` with the place of the fault.
  package static func read(
    data: Data, format: TrackFormat, file: String? = nil, pace: TrackPace? = nil
  ) throws(TrackError) -> Track {
    do {
      let ignoresTimes = pace != nil
      var track =
        switch format {
        case .gpx: try readGPX(data, ignoresTimes: ignoresTimes)
        case .tcx: try readTCX(data, ignoresTimes: ignoresTimes)
        case .kml: try readKML(data, ignoresTimes: ignoresTimes)
        case .geojson: try readGeoJSON(data, ignoresTimes: ignoresTimes)
        case .csv: try readCSV(data, ignoresTimes: ignoresTimes)
        }
      if let pace { track = try pace.timed(track) }
      track.warnings += track.jumps.map { $0.text(file: file) }
      return track
    } catch {
      var located = error
      located.file = file
      throw located
    }
  }

  /// The format that the first characters show, otherwise the one of the extension.
  package static func format(of data: Data, path: String) -> TrackFormat? {
    let head = data.prefix(4_096)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head.dropFirst(mark.count) : head
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let content = text.drop(while: isBlank)
    switch content.first {
    case UInt8(ascii: "<"):
      let words = String(decoding: content, as: UTF8.self)
      if words.contains("<TrainingCenterDatabase") { return .tcx }
      return words.contains("<kml") ? .kml : .gpx
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .geojson
    default: break
    }
    let firstLine = String(decoding: content.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self).lowercased()
    if firstLine.contains(where: { ",;\t".contains($0) }), firstLine.contains("lat") { return .csv }
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "gpx", "xml": return .gpx
    case "tcx": return .tcx
    case "kml": return .kml
    case "geojson", "json": return .geojson
    case "csv", "txt": return .csv
    default: return nil
    }
  }

  /// The track, once at least one point has a time; `place` is where an error points to.
  static func finish(
    _ track: TrackCollector, name: String?, warnings: [String] = [], place: TrackError.Place = .file
  ) throws(TrackError) -> Track {
    let untimed = track.untimed
    guard !track.points.isEmpty else {
      let found = untimed == 0 ? "no track point" : "\(Words.count(untimed, "point")), none with a time"
      let expected = track.ignoresTimes ? "at least one point of a way" : "at least one track point with a time"
      var error = TrackError(at: place, expected: expected, found: found)
      error.isAboutTimes = !track.ignoresTimes
      throw error
    }
    var warnings = warnings
    if untimed > 0 {
      warnings.append("\(Words.count(untimed, "point")) without a time \(untimed == 1 ? "was" : "were") left out.")
    }
    return Track(name: name, points: track.points, warnings: warnings, jumps: track.watch.jumps)
  }

  /// All bytes of an input that is given by its path.
  package static func contents(of path: String) throws(TrackError) -> Data {
    do throws(FileError) {
      return Data(try InputFile.read(path))
    } catch {
      let found =
        switch error.code {
        case ENOENT, ENOTDIR: "none of this name"
        case EACCES, EPERM: "one without permission to read it"
        default: error.reason.replacing("expected a plain file, found ", with: "")
        }
      throw TrackError(file: path, at: .file, expected: "a readable file", found: found)
    }
  }
}
