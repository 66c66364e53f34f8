/// A JSON value that keeps the order of its keys.
public indirect enum JSONValue: Sendable {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  case string(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case null

  /// Throws for a text that is not JSON, and for a key that is there twice.
  public init(parsing text: [UInt8]) throws(DocumentError) {
    let reader = try JSONReader(text, textLimit: .max)
    self = try JSONValue(reader.root, reader)
  }

  private init(_ node: Node, _ reader: JSONReader) throws(DocumentError) {
    switch node.kind {
    case .object:
      var members: [(key: String, value: JSONValue)] = []
      for key in reader.keys(node) {
        let value = try reader.member(node, key) { (value) throws(DocumentError) -> JSONValue in
          try JSONValue(value, reader)
        }
        members.append((key, value ?? .null))
      }
      self = .object(members)
    case .array:
      self = .array(
        try reader.array(node, "an array", most: .max) { (value, _) throws(DocumentError) -> JSONValue in
          try JSONValue(value, reader)
        })
    case .string: self = .string(try reader.string(node))
    case .integer: self = .integer(try reader.integer(node, .min ... .max))
    case .real: self = .real(try reader.number(node, "a number"))
    case .boolean: self = .boolean(try reader.boolean(node))
    case .null: self = .null
    }
  }

  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Without white space, keys in their order.
  public var text: String {
    var json = JSONText()
    write(to: &json)
    return json.text
  }

  private func write(to json: inout JSONText) {
    switch self {
    case .object(let members):
      json.object { json in
        for (key, value) in members {
          json.key(key)
          value.write(to: &json)
        }
      }
    case .array(let values): json.array { json in for value in values { value.write(to: &json) } }
    case .string(let value): json.value(value)
    case .integer(let value): json.value(value)
    case .real(let value): json.value(value)
    case .boolean(let value): json.value(value)
    case .null: json.raw("null")
    }
  }

  /// A string as JSON text: only what must be escaped is.
  public static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
