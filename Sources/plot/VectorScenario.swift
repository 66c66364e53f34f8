import FoundationEssentials
internal import PlotDocuments
internal import PlotEngineKit

internal import enum PlotCore.Timestamp

/// A scenario is not what Tests/vectors/README.md says.
struct VectorFault: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

/// Reading a scenario.
extension JSONValue {
  /// Every key must be one of `keys`, words with a space between.
  @discardableResult
  func allow(_ keys: String) throws -> JSONValue {
    let known = keys.split(separator: " ").map(String.init)
    guard case .object(let members) = self else { throw VectorFault("expected an object with \(keys)") }
    for (key, _) in members where !known.contains(key) {
      throw VectorFault("unknown key \"\(key)\"; expected \(keys)")
    }
    return self
  }

  func member(_ key: String) throws -> JSONValue {
    guard let value = self[key] else { throw VectorFault("\(key) is missing") }
    return value
  }

  func optionalString(_ key: String) throws -> String? {
    guard let value = self[key] else { return nil }
    guard case .string(let text) = value else { throw VectorFault("\(key): expected a string") }
    return text
  }

  func string(_ key: String) throws -> String {
    guard let text = try optionalString(key) else { throw VectorFault("\(key): expected a string") }
    return text
  }

  func word(_ key: String, or otherwise: String?, of words: [String]) throws -> String {
    guard let word = try optionalString(key) ?? otherwise, words.contains(word) else {
      throw VectorFault("\(key): expected one of \(words.joined(separator: ", "))")
    }
    return word
  }

  func strings(_ key: String) throws -> [String] {
    try elements(key, isOptional: true).map { value in
      guard case .string(let text) = value else { throw VectorFault("\(key): expected strings") }
      return text
    }
  }

  /// The texts of an object; none where it is absent.
  func texts(_ key: String) throws -> [String: String] {
    guard let value = self[key] else { return [:] }
    guard case .object(let members) = value else { throw VectorFault("\(key): expected an object") }
    return try Dictionary(uniqueKeysWithValues: members.map { name, _ in (name, try value.string(name)) })
  }

  func integer(_ key: String) throws -> Int64 {
    guard case .integer(let number)? = self[key] else { throw VectorFault("\(key): expected an integer") }
    return number
  }

  func number(_ key: String, or otherwise: Double? = nil) throws -> Double {
    switch self[key] {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case nil: if let otherwise { return otherwise }
    default: break
    }
    throw VectorFault("\(key): expected a number")
  }

  func flag(_ key: String) throws -> Bool {
    guard let value = self[key] else { return false }
    guard case .boolean(let flag) = value else { throw VectorFault("\(key): expected true or false") }
    return flag
  }

  func elements(_ key: String, isOptional: Bool = false) throws -> [JSONValue] {
    if isOptional, self[key] == nil { return [] }
    guard case .array(let values)? = self[key] else { throw VectorFault("\(key): expected an array") }
    return values
  }

  func time(_ key: String) throws -> Date {
    let text = try string(key)
    guard text.hasSuffix("Z"), let time = Timestamp.parse(text) else {
      throw VectorFault("\(key): expected a time as 2026-05-16T12:00:00Z, found \"\(text)\"")
    }
    return Date(milliseconds: time)
  }

  func fix() throws -> Fix {
    try allow("time latitude longitude accuracy speed course")
    return try Fix(
      latitude: number("latitude"), longitude: number("longitude"), accuracy: number("accuracy", or: 0),
      speed: number("speed", or: -1), course: number("course", or: -1), date: time("time"))
  }

  func position() throws -> Position? {
    guard self["latitude"] != nil else { return nil }
    return Position(
      latitude: try number("latitude"), longitude: try number("longitude"), accuracy: try number("accuracy", or: 0))
  }
}
