internal import PlotDocuments

/// A JSON value, such as one in a notification's ``PlotNotification/userInfo``.
public enum JSON: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A whole number that 64 bits hold.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object.
  case object(JSONObject)

  /// Reads a JSON text. Throws ``PlotError/Code-swift.struct/invalidDocument`` for a text that is not JSON.
  public init(parsing text: String) throws(PlotError) {
    do throws(DocumentError) {
      self.init(try JSONValue(parsing: Array(text.utf8)))
    } catch {
      throw PlotError(error)
    }
  }

  /// The value as JSON without white space, keys in their order.
  public var text: String { value.text }

  init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array(let values): self = .array(values.map(JSON.init))
    case .object(let members): self = .object(JSONObject(members.map { ($0.key, JSON($0.value)) }))
    }
  }

  var value: JSONValue {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    // JSON has no other numbers.
    case .number(let number): number.isFinite ? .real(number) : .null
    case .string(let text): .string(text)
    case .array(let values): .array(values.map(\.value))
    case .object(let object): .object(object.map { ($0.key, $0.value.value) })
    }
  }

  /// The text of a string; nil for every other value.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of an integer, or of a number without a fraction.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The value of an integer or of a number.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// The value of a boolean.
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// The elements of an array.
  public var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

  /// The members of an object.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}

extension JSON: Hashable {
  /// Numbers are equal when their values are: a coder may write 52.0 as 52.
  public static func == (a: JSON, b: JSON) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.integer, .number), (.number, .integer), (.number, .number): a.number == b.number
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .integer, .number: hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .array(let values): hasher.combine(values)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension JSON: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let values = try? container.decode([JSON].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode(JSONObject.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .object(let object) = self { return try object.encode(to: encoder) }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    case .object: break
    }
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}

/// A JSON object that keeps the order of its keys.
///
/// Two objects are equal when they have the same members, in whatever order.
public struct JSONObject: Sendable {
  private var members: [(key: String, value: JSON)] = []

  /// An object without members.
  public init() {}

  /// With members in this order. Of two with one key the last counts.
  public init(_ members: some Sequence<(String, JSON)>) {
    for (key, value) in members { self[key] = value }
  }

  /// Reads the text of a JSON object. Throws ``PlotError/Code-swift.struct/invalidDocument`` for any other text.
  public init(parsing text: String) throws(PlotError) {
    guard case .object(let object) = try JSON(parsing: text) else {
      throw PlotError(.invalidDocument, "expected a JSON object", expected: "an object", found: text)
    }
    self = object
  }

  /// The object as JSON without white space.
  public var text: String { JSON.object(self).text }

  /// The value of a key. A new key comes last; nil takes a key away.
  public subscript(key: String) -> JSON? {
    get { members.first { $0.key == key }?.value }
    set {
      let position = members.firstIndex { $0.key == key }
      switch (position, newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): members.remove(at: position)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: RandomAccessCollection {
  public var startIndex: Int { members.startIndex }
  public var endIndex: Int { members.endIndex }
  public subscript(position: Int) -> (key: String, value: JSON) { members[position] }
}

extension JSONObject: Hashable {
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(Dictionary(members.map { ($0.key, $0.value) }) { $1 })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

extension JSONObject: Codable {
  private struct CodedKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodedKey.self)
    // A decoder says the keys in any order.
    for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      self[key.stringValue] = try container.decodeNil(forKey: key) ? .null : container.decode(JSON.self, forKey: key)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodedKey.self)
    for (key, value) in members {
      let key = CodedKey(stringValue: key)
      if case .null = value { try container.encodeNil(forKey: key) } else { try container.encode(value, forKey: key) }
    }
  }
}

extension JSONObject: CustomStringConvertible {
  public var description: String { text }
}

extension JSON: CustomStringConvertible {
  public var description: String { text }
}
