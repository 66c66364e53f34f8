import FoundationEssentials
public import PlotCore
public import PlotDocuments

/// A file of places that becomes a feed: GeoJSON, KML, or CSV with a header line.
public enum PlaceFile {
  public enum Format: String, CaseIterable, Sendable { case geojson, csv, kml }

  /// Places as GeoJSON, and the line of the file that each is from.
  struct Places {
    var features: [JSONValue] = []
    var lines: [Int] = []

    var geoJSON: [UInt8] {
      Array(JSONValue.object([("type", .string("FeatureCollection")), ("features", .array(features))]).text.utf8)
    }

    /// A fault in a feature is one of its line.
    func located(_ error: DocumentError) -> DocumentError {
      var error = error
      let steps = error.pointer.split(separator: "/")
      guard error.document != GeoJSONImport.options else { return error }
      (error.line, error.column) = (1, 1)
      if steps.first == "features", steps.count > 1, let index = Int(steps[1]), lines.indices.contains(index) {
        error.line = lines[index]
      }
      error.pointer = ""
      return error
    }
  }

  /// By the first character, as tracks are told apart.
  public static func format(of bytes: [UInt8]) -> Format {
    switch bytes.first(where: { !" \n\r\t\u{FEFF}".utf8.contains($0) }) {
    case UInt8(ascii: "<"): .kml
    case UInt8(ascii: "{"), UInt8(ascii: "["): .geojson
    default: .csv
    }
  }

  /// The feed. An error has its place in the file, or it is about an option (`GeoJSONImport.options`).
  public static func feed(
    from bytes: [UInt8], _ format: Format, _ options: GeoJSONImport
  ) throws(DocumentError) -> Feed {
    var options = options
    let places: Places
    switch format {
    case .geojson: return try options.feed(from: bytes)
    case .kml: places = try KMLPlaces.places(bytes)
    case .csv:
      places = try table(bytes, options)
      options.idProperty = nil
    }
    do throws(DocumentError) { return try options.feed(from: places.geoJSON) } catch { throw places.located(error) }
  }

  /// The rows of a table: a point each, and all columns but those of the position as properties.
  private static func table(_ bytes: [UInt8], _ options: GeoJSONImport) throws(DocumentError) -> Places {
    do throws(TrackError) {
      var scanner = CSVScanner(Data(bytes))
      guard let header = try scanner.next() else {
        throw TrackError(
          at: .position(line: 1, column: 1), expected: "a header line with latitude and longitude",
          found: "an empty file")
      }
      let names = header.map { $0.text.trimmingBlanks() }
      func column(_ field: TrackField) throws(TrackError) -> Int {
        if let index = names.firstIndex(where: { TrackField(column: $0) == field }) { return index }
        throw TrackError(
          at: header[0].place, expected: "a header line with a column \(field.rawValue)",
          found: TrackError.quote(names.joined(separator: ",")))
      }
      let (north, east) = (try column(.latitude), try column(.longitude))
      let id = try idColumn(header, names, options)
      var places = Places()
      while let cells = try scanner.next(asIn: header) {
        var numbers: [JSONValue] = []
        for (index, field) in [(east, TrackField.longitude), (north, .latitude)] {
          guard let value = field.value(of: cells[index].number) else {
            throw TrackError(
              at: cells[index].place, expected: field.expected, found: TrackError.quoteOrNothing(cells[index].text))
          }
          numbers.append(.real(value))
        }
        var members: [(key: String, value: JSONValue)] = [("type", .string("Feature"))]
        var properties: [(key: String, value: JSONValue)] = []
        for (index, cell) in cells.enumerated() where index != north && index != east && !cell.text.isEmpty {
          if index == id {
            members.append(("id", .string(cell.text)))
          } else {
            let isRadius = names[index] == options.radiusProperty
            properties.append((names[index], .string(isRadius ? cell.number : cell.text)))
          }
        }
        members.append(("geometry", .object([("type", .string("Point")), ("coordinates", .array(numbers))])))
        members.append(("properties", .object(properties)))
        places.features.append(.object(members))
        places.lines.append(cells[0].line)
      }
      return places
    } catch {
      guard case .position(let line, let column) = error.place else {
        throw DocumentError(line: 1, column: 1, pointer: "", expected: error.expected, found: error.found)
      }
      throw DocumentError(line: line, column: column, pointer: "", expected: error.expected, found: error.found)
    }
  }

  /// The column of the ids: `id`, or the one that an option names, which must be there then. No other name may come twice.
  private static func idColumn(
    _ header: [CSVCell], _ names: [String], _ options: GeoJSONImport
  ) throws(TrackError) -> Int? {
    for (index, name) in names.enumerated() where names.firstIndex(of: name) != index || name.isEmpty {
      throw TrackError(
        at: header[index].place, expected: "names of columns, each once",
        found: name.isEmpty ? "none" : "\(TrackError.quote(name)) again")
    }
    let id = names.firstIndex(of: options.idProperty ?? "id")
    if id == nil, let wanted = options.idProperty {
      throw TrackError(
        at: header[0].place, expected: "a column \(TrackError.quote(wanted)), which holds the id",
        found: TrackError.quote(names.joined(separator: ",")))
    }
    return id
  }
}
