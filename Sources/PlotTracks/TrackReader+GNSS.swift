package import FoundationEssentials

extension TrackReader {
  /// Reads the `Fix` lines of GnssLogger and of apps that write as it does. Of several providers one counts, as for an app: the fused one, otherwise that of
  /// the satellites, otherwise the network's.
  package static func readGNSS(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    var reader = GNSSReader()
    for (index, line) in lines(data).enumerated() {
      try reader.read(String(decoding: line, as: UTF8.self), line: index + 1)
    }
    // A log may hold sentences of the receiver only.
    guard reader.hasFixes else { return try readNMEA(data, ignoresTimes: ignoresTimes) }
    return try reader.track(ignoresTimes: ignoresTimes)
  }
}

/// The lines of a log of GnssLogger.
struct GNSSReader {
  /// The meaning of a column behind `Fix`.
  enum Column: Hashable {
    case provider, time
    case field(TrackField)
  }

  private struct Fix {
    var provider: String
    var cells: [Column: String]
    var line: Int
  }

  /// Of the first versions, and of the later ones: the number of cells tells, where no header does.
  private static let short: [Column?] = [
    .provider, .field(.latitude), .field(.longitude), nil, .field(.speed), .field(.accuracy), .time,
  ]
  private static let long: [Column?] = [
    .provider, .field(.latitude), .field(.longitude), nil, .field(.speed), .field(.accuracy), .field(.course), .time,
  ]

  private var header: [Column?]?
  private var fixes: [Fix] = []

  var hasFixes: Bool { !fixes.isEmpty }

  /// The columns that a comment tells, as `# Fix,Provider,LatitudeDegrees,…`; nil for another line.
  static func columns(in line: some StringProtocol) -> [Column?]? {
    guard line.hasPrefix("#") else { return nil }
    let cells = line.drop { $0 == "#" || $0 == " " }.split(separator: ",", omittingEmptySubsequences: false)
    guard cells.first == "Fix", cells.count > 1 else { return nil }
    return cells.dropFirst().map { cell in
      switch String(cell).trimmingBlanks() {
      case "Provider": .provider
      case "Latitude", "LatitudeDegrees": .field(.latitude)
      case "Longitude", "LongitudeDegrees": .field(.longitude)
      case "Speed", "SpeedMps": .field(.speed)
      case "Accuracy", "AccuracyMeters": .field(.accuracy)
      case "Bearing", "BearingDegrees": .field(.course)
      case "(UTC)TimeInMs", "UnixTimeMillis": .time
      default: nil
      }
    }
  }

  mutating func read(_ line: String, line number: Int) throws(TrackError) {
    if let columns = Self.columns(in: line) { header = columns }
    guard line.hasPrefix("Fix,") else { return }
    let cells = line.split(separator: ",", omittingEmptySubsequences: false).dropFirst()
    let columns = header ?? (cells.count < Self.long.count ? Self.short : Self.long)
    var named: [Column: String] = [:]
    for (cell, column) in zip(cells, columns) {
      if let column { named[column] = String(cell).trimmingBlanks() }
    }
    for needed in [Column.provider, .field(.latitude), .field(.longitude), .time] where named[needed] == nil {
      throw TrackError(
        at: .line(number), expected: "a provider, a latitude, a longitude and a time behind Fix",
        found: Words.count(cells.count, "cell"))
    }
    fixes.append(Fix(provider: (named[.provider] ?? "").lowercased(), cells: named, line: number))
  }

  func track(ignoresTimes: Bool) throws(TrackError) -> Track {
    let order = ["fused", "flp", "gps", "network", "nlp"]
    let providers = Set(fixes.map(\.provider))
    let first = order.first { providers.contains($0) } ?? providers.min()
    var track = TrackCollector(ignoresTimes: ignoresTimes)
    for fix in fixes where fix.provider == first { try add(fix, to: &track) }
    let others = fixes.count { $0.provider != first }
    return try TrackReader.finish(
      track, name: nil,
      warnings: Words.leftOut(others, "fix", "fixes", because: "of other providers than \(first ?? "")"))
  }

  private func add(_ fix: Fix, to track: inout TrackCollector) throws(TrackError) {
    var point = TrackPoint(time: 0, latitude: 0, longitude: 0)
    for field in TrackField.allCases {
      guard let text = fix.cells[.field(field)] else { continue }
      if text.isEmpty, field != .latitude, field != .longitude { continue }
      guard let value = field.value(of: text) else {
        throw TrackError(at: .line(fix.line), expected: field.expected, found: TrackError.quoteOrNothing(text))
      }
      point.set(field, value)
    }
    let time = try track.time(.line(fix.line)) { () throws(TrackError) in
      let text = fix.cells[.time] ?? ""
      guard let time = Int64(text), CalendarTime.range.contains(time) else {
        throw TrackError(
          at: .line(fix.line), expected: "milliseconds since 1970", found: TrackError.quoteOrNothing(text))
      }
      return time
    }
    track.add(point, at: time)
  }
}
