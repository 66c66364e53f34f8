package import FoundationEssentials
package import PlotDocuments

extension TrackReader {
  /// The value of a JSON text; `title` is what it should be.
  package static func json(_ data: Data, _ title: String = "a GeoJSON document") throws(TrackError) -> JSONNode {
    guard !data.isEmpty else { throw TrackError(at: .file, expected: title, found: "an empty file") }
    do {
      return JSONNode(try JSONValue(parsing: Array(data)))
    } catch {
      let place = error.line > 0 ? TrackError.Place.position(line: error.line, column: error.column) : .file
      throw TrackError(at: place, expected: error.expected, found: error.found)
    }
  }
}

/// A JSON value with its type.
package enum JSONNode {
  case object(JSONValue)
  case array([JSONValue])
  case string(String)
  case number(Double)
  case boolean
  case null

  package init(_ value: JSONValue?) {
    switch value {
    case .object?: self = .object(value!)
    case .array(let items)?: self = .array(items)
    case .string(let text)?: self = .string(text)
    case .integer(let number)?: self = .number(Double(number))
    case .real(let number)?: self = .number(number)
    case .boolean?: self = .boolean
    case .null?, nil: self = .null
    }
  }

  package subscript(key: String) -> JSONNode? {
    guard case .object(let object) = self, let member = object[key] else { return nil }
    return JSONNode(member)
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Its kind, for error messages.
  package var found: String {
    switch self {
    case .object: "an object"
    case .array(let items): "an array of \(items.count)"
    case .string(let text): TrackError.quote(text)
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }

  /// The same of a member that may be missing.
  package static func found(_ node: JSONNode?) -> String { node?.found ?? "nothing" }

  /// The number as a value of a field; nil for one out of its range, and for what is no number.
  package func value(of field: TrackField) -> Double? {
    if case .number(let number) = self { field.value(of: number) } else { nil }
  }

  /// Puts the members that are there into the fields of a point; null is not known. `pointer` is the place of the object.
  func read(
    _ fields: [(key: String, field: TrackField)], into point: inout TrackPoint, _ pointer: String
  ) throws(TrackError) {
    for (key, field) in fields {
      guard let node = self[key] else { continue }
      if case .null = node { continue }
      guard let value = node.value(of: field) else {
        throw TrackError(at: .pointer("\(pointer)/\(key)"), expected: field.expected, found: node.found)
      }
      point.set(field, value)
    }
  }

  /// The values of an array; `expected` is what it should be.
  package static func items(
    _ node: JSONNode?, _ pointer: @autoclosure () -> String, _ expected: String
  ) throws(TrackError) -> [JSONValue] {
    guard case .array(let items)? = node else {
      throw TrackError(at: .pointer(pointer()), expected: expected, found: found(node))
    }
    return items
  }
}
