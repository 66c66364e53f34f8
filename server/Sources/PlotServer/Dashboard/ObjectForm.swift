internal import PlotDocuments
internal import PlotServerStorage

/// The fields of the feed's objects, from the schema of the feed, which is made from its page.
struct ObjectSchema: Sendable {
  struct Field: Sendable {
    enum Kind: Sendable {
      case text(isLong: Bool)
      case number
      case flag
      case choice([String])
      /// Texts, one in a line.
      case list
      /// Anything else, as JSON.
      case json
    }

    var key: String
    var kind: Kind
    var help: String
    /// As JSON; nil for none.
    var standard: String?
    var isRequired: Bool
  }

  /// By kind of object, in the order of the schema.
  let fields: [DraftObject.Kind: [Field]]

  /// Nil for a schema of another form.
  init?(_ schema: JSONValue) {
    guard case .object(let definitions)? = schema["$defs"] else { return nil }
    let parts = Dictionary(definitions.map { ($0.key, $0.value) }) { first, _ in first }
    var fields: [DraftObject.Kind: [Field]] = [:]
    for kind in DraftObject.Kind.allCases {
      guard let part = parts[kind.rawValue], case .object(let properties)? = part["properties"] else { return nil }
      let required = (part["required"]?.texts ?? []) + (kind == .campaign ? ["message"] : [])
      fields[kind] = properties.map { key, value in
        Field(
          key: key, kind: Self.kind(value, key, parts), help: value["description"]?.string ?? "",
          standard: value["default"].map { $0.string ?? $0.text },
          isRequired: required.contains(key) && key != "message")
      }
    }
    self.fields = fields
  }

  private static func kind(_ value: JSONValue, _ key: String, _ parts: [String: JSONValue]) -> Field.Kind {
    var value = value
    if let name = value["$ref"]?.string?.split(separator: "/").last, let part = parts[String(name)] { value = part }
    if let words = value["enum"]?.texts { return .choice(words) }
    switch value["type"]?.string {
    case "string": return .text(isLong: ["message"].contains(key))
    case "boolean": return .flag
    case "integer", "number": return .number
    case "array":
      guard let items = value["items"], case .text = kind(items, "", parts) else { return .json }
      return .list
    default: return .json
    }
  }
}

extension JSONValue {
  var string: String? { if case .string(let text) = self { text } else { nil } }

  var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// Nil where it is no list, or something in it is no text.
  var texts: [String]? {
    guard case .array(let items) = self else { return nil }
    let found = items.compactMap(\.string)
    return found.count == items.count ? found : nil
  }
}

/// An object as the fields of a form, and back.
struct ObjectForm {
  struct Fault: Error {
    var key: String
    var message: String
  }

  let fields: [ObjectSchema.Field]

  /// The names of a form's fields begin so: others are its own.
  static let prefix = "field-"

  func texts(of object: JSONValue) -> [String: String] {
    guard case .object(let members) = object else { return [:] }
    return Dictionary(members.map { ($0.key, text($0.value, kind($0.key))) }) { first, _ in first }
  }

  private func kind(_ key: String) -> ObjectSchema.Field.Kind? { fields.first { $0.key == key }?.kind }

  private func text(_ value: JSONValue, _ kind: ObjectSchema.Field.Kind?) -> String {
    switch kind {
    case .text, .choice: value.string ?? value.text
    case .list:
      // A line is one text: whatever has lines of its own stays JSON.
      value.texts.flatMap { $0.contains { $0.contains { $0.isNewline } } ? nil : $0.joined(separator: "\n") }
        ?? value.text
    default: value.text
    }
  }

  /// The object that somebody has entered. Keys that are no fields stay as they were in the old one.
  func object(_ entered: [String: String], old: JSONValue?) throws(Fault) -> JSONValue {
    var values: [String: JSONValue] = [:]
    for field in fields {
      let text = (entered[Self.prefix + field.key] ?? "").replacing("\r\n", with: "\n")
      guard text.contains(where: { !$0.isWhitespace }) else {
        // One that must be there is a list without lines.
        if field.isRequired, case .list = field.kind { values[field.key] = .array([]) }
        continue
      }
      values[field.key] = try value(text, field)
    }
    var members: [(key: String, value: JSONValue)] = []
    if case .object(let former)? = old {
      for (key, value) in former {
        if kind(key) == nil {
          members.append((key, value))
        } else if let new = values.removeValue(forKey: key) {
          members.append((key, new))
        }
      }
    }
    for field in fields { if let value = values[field.key] { members.append((field.key, value)) } }
    return .object(members)
  }

  private func value(_ text: String, _ field: ObjectSchema.Field) throws(Fault) -> JSONValue {
    let trimmed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    func parsed() throws(Fault) -> JSONValue {
      do throws(DocumentError) { return try JSONValue(parsing: Array(trimmed.utf8)) } catch {
        throw Fault(key: field.key, message: error.message)
      }
    }
    switch field.kind {
    case .text, .choice: return .string(text)
    case .flag: return trimmed == "true" ? .boolean(true) : trimmed == "false" ? .boolean(false) : .string(trimmed)
    case .number:
      // Such as 1e3 and 52,3, which the reader of feeds refuses in its own words.
      let number = try? JSONValue(parsing: Array(trimmed.utf8))
      switch number {
      case .integer?, .real?: return number!
      default: return .string(trimmed)
      }
    case .list:
      if trimmed.hasPrefix("[") { return try parsed() }
      return .array(text.split(separator: "\n").map { .string(String($0)) })
    case .json: return try parsed()
    }
  }
}
