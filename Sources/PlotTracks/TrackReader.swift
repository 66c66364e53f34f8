package import FoundationEssentials
internal import Glibc
internal import PlotDocuments
internal import PlotFiles
internal import PlotGzip

/// Reads recorded tracks (docs/tracks.md).
package enum TrackReader {
  /// The largest file that is unpacked.
  private static let unpackedLimit = 1 << 30

  /// Reads a track file, also one that gzip has packed; `-` is standard input. The format is told by the content, or, where that is unclear, by the
  /// file's extension. With a pace, the times of the file do not count, and a way needs none.
  ///
  /// - Throws: `TrackError` with the file and the place of the fault.
  package static func read(path: String, pace: TrackPace? = nil) throws(TrackError) -> Track {
    let (data, name) = try unpacked(contents(of: path), path)
    guard let format = format(of: data, path: name) else {
      let expected = "a track (docs/tracks.md lists the formats)"
      let isZip = data.starts(with: [0x50, 0x4B, 0x03, 0x04])
      let found =
        data.isEmpty
        ? "an empty file"
        : isZip
          ? "a ZIP archive; unpack it, and give the track in it" : "none by the content nor by the file's extension"
      throw TrackError(file: path, at: .file, expected: expected, found: found)
    }
    return try read(data: data, format: format, file: path, pace: pace)
  }

  /// The data behind gzip, and the file's name without the extension of that.
  private static func unpacked(_ data: Data, _ path: String) throws(TrackError) -> (Data, String) {
    guard Gzip.isPacked(data) else { return (data, path) }
    let name = path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
    do throws(Gzip.Fault) {
      return (Data(try Gzip.decompress(Array(data), limit: unpackedLimit)), name)
    } catch {
      switch error {
      case .tooLarge:
        throw TrackError(
          file: path, at: .file, expected: "at most \(unpackedLimit >> 20) MiB in a packed file",
          found: "more; unpack it, or cut it into parts")
      case .damaged:
        throw TrackError(
          file: path, at: .file, expected: "a whole file behind gzip", found: "one that is damaged or cut short")
      }
    }
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
        case .google: try readGoogle(data, ignoresTimes: ignoresTimes)
        case .gnss: try readGNSS(data, ignoresTimes: ignoresTimes)
        case .nmea: try readNMEA(data, ignoresTimes: ignoresTimes)
        case .fit: try readFIT(data, ignoresTimes: ignoresTimes)
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
    if FITReader.isFIT(data) { return .fit }
    // A log of GnssLogger begins with some thousand characters of comments.
    let head = data.prefix(32_768)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head.dropFirst(mark.count) : head
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let content = text.drop(while: isBlank)
    switch content.first {
    case UInt8(ascii: "<"):
      let words = String(decoding: content, as: UTF8.self)
      if words.contains("<TrainingCenterDatabase") { return .tcx }
      return words.contains("<kml") ? .kml : .gpx
    case UInt8(ascii: "["): return .google
    case UInt8(ascii: "{"):
      // The first key tells.
      let key = content.dropFirst().drop(while: isBlank).dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      return GoogleReader.keys.contains(String(decoding: key, as: UTF8.self)) ? .google : .geojson
    default: break
    }
    let lines = String(decoding: content, as: UTF8.self).split(
      omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    if lines.contains(where: { $0.hasPrefix("Fix,") || GNSSReader.columns(in: $0) != nil }) { return .gnss }
    if lines.contains(where: { NMEASentence.parts(of: $0) != nil }) { return .nmea }
    let first = lines.first?.lowercased() ?? ""
    if first.contains(where: { ",;\t".contains($0) }), first.contains("lat") { return .csv }
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "gpx", "xml": return .gpx
    case "tcx": return .tcx
    case "kml": return .kml
    case "geojson", "json": return .geojson
    case "csv", "txt": return .csv
    case "nmea": return .nmea
    case "fit": return .fit
    default: return nil
    }
  }

  /// The lines of a text, without their ends, LF or CRLF; a blank one counts too.
  static func lines(_ data: Data) -> [Data] {
    data.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
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
    let all = warnings + Words.leftOut(untimed, "point", because: "without a time")
    return Track(name: name, points: track.points, warnings: all, jumps: track.watch.jumps)
  }

  /// All bytes of an input that is given by its path.
  package static func contents(of path: String) throws(TrackError) -> Data {
    do throws(FileError) {
      return Data(try InputFile.read(path == "-" ? "/dev/stdin" : path))
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
