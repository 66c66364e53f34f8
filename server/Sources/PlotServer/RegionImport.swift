internal import PlotCore
internal import PlotDocuments
internal import PlotTracks

/// Regions out of files of other systems.
struct RegionImport: Sendable {
  enum Format: String, CaseIterable, Sendable { case geojson, csv, kml }

  var geoJSON = GeoJSONImport()
  /// The columns of a table that are the region's own; others become custom fields.
  private static let columns = ["id", "name", "latitude", "longitude", "radius"]

  /// The regions, each as a feed has it, with its id. Throws `DocumentError`.
  func regions(_ bytes: [UInt8], _ format: Format) throws -> [(id: String, region: JSONValue)] {
    switch format {
    case .geojson, .kml:
      let document = format == .kml ? try KMLPlaces.geoJSON(bytes) : bytes
      let feed = try JSONValue(parsing: Array(try geoJSON.feed(from: document).json.utf8))
      guard case .array(let list)? = feed["regions"] else { return [] }
      return list.compactMap { region in if case .string(let id)? = region["id"] { (id, region) } else { nil } }
    case .csv: return try table(bytes)
    }
  }

  private func table(_ bytes: [UInt8]) throws(DocumentError) -> [(id: String, region: JSONValue)] {
    func fault(_ line: Int, _ column: Int, _ expected: String, _ found: String) -> DocumentError {
      DocumentError(line: line, column: column, pointer: "", expected: expected, found: RequestFault.short(found))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw fault(1, 1, "UTF-8", "other bytes") }
    let rows = CSV.rows(text)
    guard let head = rows.first?.cells else { throw fault(1, 1, "a line with the names of the columns", "nothing") }
    for name in ["id", "latitude", "longitude"] where !head.contains(name) {
      throw fault(1, 1, "a column \"\(name)\"", head.joined(separator: ", "))
    }
    var found: [(id: String, region: JSONValue)] = []
    for row in rows.dropFirst() where row.cells != [""] {
      guard row.cells.count == head.count else {
        throw fault(row.line, 1, "\(head.count) columns", "\(row.cells.count)")
      }
      func number(_ name: String) throws(DocumentError) -> JSONValue? {
        guard let column = head.firstIndex(of: name), !row.cells[column].isEmpty else { return nil }
        let cell = row.cells[column]
        guard let number = Double(cell), number.isFinite else { throw fault(row.line, column + 1, "a number", cell) }
        return Int64(cell).map { .integer($0) } ?? .real(number)
      }
      var members: [(key: String, value: JSONValue)] = []
      var id = ""
      var fields: [(key: String, value: JSONValue)] = []
      for (column, cell) in zip(head, row.cells) where !cell.isEmpty {
        switch column {
        case "id": id = cell
        case "name": members.append(("name", .string(cell)))
        case _ where Self.columns.contains(column): break
        default: fields.append((column, .string(cell)))
        }
      }
      for name in ["latitude", "longitude"] {
        guard let value = try number(name) else {
          throw fault(row.line, (head.firstIndex(of: name) ?? 0) + 1, "a number", "")
        }
        members.append((name, value))
      }
      members.append(("radius", try number("radius") ?? .real(geoJSON.radius)))
      if !fields.isEmpty { members.append(("customFields", .object(fields))) }
      found.append((id, .object([("id", .string(id)), ("type", .string("geofence"))] + members)))
    }
    return found
  }
}

extension CSV {
  /// The rows of a table (RFC 4180), each with the line at which it begins. A quote within plain text is text.
  static func rows(_ text: String) -> [(line: Int, cells: [String])] {
    var rows: [(line: Int, cells: [String])] = []
    var (cells, cell): ([String], String) = ([], "")
    var (line, start) = (1, 1)
    var (isQuoted, isBegun) = (false, false)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\n" { line += 1 }
      if isQuoted {
        guard scalar == "\"" else {
          cell.unicodeScalars.append(scalar)
          continue
        }
        if rest.first == "\"" {
          cell.unicodeScalars.append("\"")
          rest.removeFirst()
        } else {
          isQuoted = false
        }
        continue
      }
      switch scalar {
      case "\"" where cell.isEmpty: (isQuoted, isBegun) = (true, true)
      case ",":
        cells.append(cell)
        (cell, isBegun) = ("", true)
      case "\r" where rest.first == "\n": break
      case "\n":
        rows.append((start, cells + [cell]))
        (cells, cell, start, isBegun) = ([], "", line, false)
      default:
        cell.unicodeScalars.append(scalar)
        isBegun = true
      }
    }
    if isBegun || !cells.isEmpty { rows.append((start, cells + [cell])) }
    return rows
  }
}
