package import FoundationEssentials
package import PlotCore
internal import PlotDocuments
package import PlotEngine

/// An observation of a device beside its fixes (docs/simulate.md).
package struct SensedInput: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case moves, sightings, hints
  }

  package enum Value: Sendable {
    case move(region: String, Coordinate)
    case sighting(Sighting)
    case hint(Hint)
  }

  package var time: Int64
  package var kind: Kind
  package var value: Value

  /// Hands it to an engine.
  package func play(_ engine: Engine) throws(EngineError) {
    switch value {
    case .move(let region, let center): try engine.moveRegion(region, to: center, at: time)
    case .sighting(let sighting): try engine.update(sighting)
    case .hint(let hint): try engine.hint(hint)
    }
  }

  /// In the order in which an engine is told: by time, moves first; fixes come after the moves of their time.
  package static func inOrder(_ inputs: [SensedInput]) -> [SensedInput] {
    func rank(_ input: SensedInput) -> Int { Kind.allCases.firstIndex(of: input.kind) ?? 0 }
    return inputs.enumerated().sorted {
      ($0.element.time, rank($0.element), $0.offset) < ($1.element.time, rank($1.element), $1.offset)
    }.map(\.element)
  }
}

/// Reads sightings, hints and moves from CSV with a header line, or from JSON Lines.
package enum SensedReader {
  /// One line: what stands under each name, and where.
  private struct Line {
    var cells: [String: CSVCell]
    var place: TrackError.Place

    func text(_ name: String, _ expected: String) throws(TrackError) -> String {
      guard let cell = cells[name], !cell.text.trimmingBlanks().isEmpty else {
        throw TrackError(at: cells[name]?.place ?? place, expected: "\(name), \(expected)", found: "nothing")
      }
      return cell.text.trimmingBlanks()
    }

    private func numberText(_ name: String, _ expected: String) throws(TrackError) -> String {
      _ = try text(name, expected)
      return cells[name]?.number.trimmingBlanks() ?? ""
    }

    func has(_ name: String) -> Bool { cells[name].map { !$0.text.trimmingBlanks().isEmpty } ?? false }

    func fault(_ name: String, _ expected: String) -> TrackError {
      TrackError(
        at: cells[name]?.place ?? place, expected: expected, found: TrackError.quote(cells[name]?.text ?? ""))
    }

    func number(_ name: String, _ expected: String) throws(TrackError) -> Double {
      guard let number = Double(try numberText(name, expected)), number.isFinite else { throw fault(name, expected) }
      return number
    }

    func field(_ field: TrackField) throws(TrackError) -> Double {
      guard let value = field.value(of: try numberText(field.rawValue, field.expected)) else {
        throw fault(field.rawValue, field.expected)
      }
      return value
    }

    func integer(_ name: String) throws(TrackError) -> UInt16 {
      let expected = "an integer from 0 to 65535"
      guard let value = UInt16(try text(name, expected)) else { throw fault(name, expected) }
      return value
    }

    func digits(_ name: String, _ count: Int) throws(TrackError) -> String {
      let expected = "\(count) hexadecimal digits"
      let digits = try text(name, expected)
      guard digits.utf8.count == count, Sighting.isHexadecimal(digits) else { throw fault(name, expected) }
      return digits
    }

    func uuid(_ name: String) throws(TrackError) -> String {
      let expected = "a UUID as 8-4-4-4-12 hexadecimal digits"
      let uuid = try text(name, expected)
      guard Sighting.isUUID(uuid) else { throw fault(name, expected) }
      return uuid
    }

    func choice(_ name: String, _ words: [String]) throws(TrackError) -> Int {
      let expected = words.joined(separator: ", ")
      guard let index = words.firstIndex(of: try text(name, expected)) else { throw fault(name, expected) }
      return index
    }

    func time() throws(TrackError) -> Int64 {
      let expected = "a time as ISO 8601 or in seconds since 1970"
      guard let time = TrackReader.milliseconds(try text("time", expected)) else { throw fault("time", expected) }
      return time
    }
  }

  package static func read(path: String, _ kind: SensedInput.Kind) throws -> [SensedInput] {
    let data = try TrackReader.contents(of: path)
    do {
      let isJSON = ["jsonl", "ndjson", "json"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
      return try parse(data, kind, isJSON: isJSON)
    } catch {
      var error = error
      error.file = path
      throw error
    }
  }

  package static func parse(_ data: Data, _ kind: SensedInput.Kind, isJSON: Bool) throws(TrackError) -> [SensedInput] {
    var inputs: [SensedInput] = []
    for line in isJSON ? try jsonLines(data, kind) : try csvLines(data, kind) { inputs.append(try input(line, kind)) }
    return inputs
  }

  private static let names: [SensedInput.Kind: Set<String>] = [
    .moves: ["time", "region", "latitude", "longitude"],
    .hints: ["time", "region", "kind", "latitude", "longitude", "accuracy"],
    .sightings: [
      "time", "proximityUUID", "majorId", "minorId", "namespaceId", "instanceId", "proximity", "rssi", "power",
    ],
  ]

  private static func known(
    _ name: String, _ kind: SensedInput.Kind, _ place: TrackError.Place
  ) throws(TrackError) -> String {
    let names = names[kind] ?? []
    guard let known = names.first(where: { $0.lowercased() == name.trimmingBlanks().lowercased() }) else {
      throw TrackError(at: place, expected: names.sorted().joined(separator: ", "), found: TrackError.quote(name))
    }
    return known
  }

  private static func csvLines(_ data: Data, _ kind: SensedInput.Kind) throws(TrackError) -> [Line] {
    var scanner = CSVScanner(data)
    guard let header = try scanner.next() else {
      throw TrackError(at: .position(line: 1, column: 1), expected: "a header line", found: "an empty file")
    }
    var columns: [String] = []
    for cell in header {
      let name = try known(cell.text, kind, cell.place)
      guard !columns.contains(name) else {
        throw TrackError(at: cell.place, expected: "one column \(name)", found: "a second one")
      }
      columns.append(name)
    }
    var lines: [Line] = []
    while let cells = try scanner.next() {
      guard cells.count == columns.count else {
        throw TrackError(
          at: cells[min(cells.count, columns.count) - 1].place, expected: "\(columns.count) cells, as in the header",
          found: "\(cells.count)")
      }
      lines.append(Line(cells: Dictionary(zip(columns, cells)) { first, _ in first }, place: cells[0].place))
    }
    return lines
  }

  private static func jsonLines(_ data: Data, _ kind: SensedInput.Kind) throws(TrackError) -> [Line] {
    var lines: [Line] = []
    for (index, bytes) in TrackReader.lines(data).enumerated() {
      let place = TrackError.Place.position(line: index + 1, column: 1)
      if bytes.allSatisfy({ [0x20, 0x09].contains($0) }) { continue }
      var cells: [String: CSVCell] = [:]
      for (key, value, column) in try object(Array(bytes), line: index + 1).members {
        let place = TrackError.Place.position(line: index + 1, column: column)
        let name = try known(key, kind, place)
        guard cells[name] == nil else { throw TrackError(at: place, expected: "one \(name)", found: "a second one") }
        switch value {
        case .string(let text): cells[name] = CSVCell(text: text, line: index + 1, column: column)
        case .integer(let number): cells[name] = CSVCell(text: "\(number)", line: index + 1, column: column)
        case .real(let number): cells[name] = CSVCell(text: "\(number)", line: index + 1, column: column)
        case .other(let found):
          throw TrackError(at: place, expected: "\(name) as a string or a number", found: found)
        }
      }
      lines.append(Line(cells: cells, place: place))
    }
    return lines
  }

  private static func object(_ bytes: [UInt8], line: Int) throws(TrackError) -> FlatObject {
    do {
      return try FlatObject(bytes)
    } catch {
      let place = TrackError.Place.position(line: line, column: error.column)
      throw TrackError(at: place, expected: error.expected, found: error.found)
    }
  }

  private static func input(_ line: Line, _ kind: SensedInput.Kind) throws(TrackError) -> SensedInput {
    let time = try line.time()
    switch kind {
    case .moves:
      let place = Coordinate(latitude: try line.field(.latitude), longitude: try line.field(.longitude))
      return SensedInput(
        time: time, kind: kind, value: .move(region: try line.text("region", "the id of a region"), place))
    case .hints:
      var position: Position?
      if ["latitude", "longitude", "accuracy"].contains(where: line.has) {
        let place = Coordinate(latitude: try line.field(.latitude), longitude: try line.field(.longitude))
        position = Position(place, accuracy: line.has("accuracy") ? try line.field(.accuracy) : 0)
      }
      let words = Hint.Kind.allCases.map(\.rawValue)
      let hint = Hint(
        time: time, region: Identifier(try line.text("region", "the id of a region")),
        kind: Hint.Kind.allCases[try line.choice("kind", words)], position: position)
      return SensedInput(time: time, kind: kind, value: .hint(hint))
    case .sightings:
      let ranges: [BeaconRange?] = [nil] + BeaconRange.allCases.map(Optional.some)
      let words = ["unknown"] + BeaconRange.allCases.map(\.rawValue)
      let proximity = line.has("proximity") ? ranges[try line.choice("proximity", words)] : nil
      let rssi = line.has("rssi") ? try line.number("rssi", "dBm") : 0
      let power = line.has("power") ? try line.number("power", "dBm") : 0
      let isEddystone = line.has("namespaceId") || line.has("instanceId")
      if isEddystone, ["proximityUUID", "majorId", "minorId"].contains(where: line.has) {
        throw TrackError(at: line.place, expected: "an iBeacon or an Eddystone", found: "something of both")
      }
      let sender: Sighting.Sender =
        isEddystone
        ? .eddystone(
          namespaceId: try line.digits("namespaceId", 20), instanceId: try line.digits("instanceId", 12))
        : .iBeacon(
          proximityUUID: try line.uuid("proximityUUID"), majorId: try line.integer("majorId"),
          minorId: try line.integer("minorId"))
      let sighting = Sighting(
        time: time, sender: sender, proximity: proximity, rssi: rssi,
        power: isEddystone ? Sighting.power(ofFrame: power) : power)
      return SensedInput(time: time, kind: kind, value: .sighting(sighting))
    }
  }
}
