/// A value that a step decided on.
public enum InputValue: Equatable, Sendable {
  case integer(Int64)
  /// Whole seconds.
  case seconds(Int64)
  case double(Double)
  case text(String)
  case texts([String])
  case time(Milliseconds)
  case boolean(Bool)

  /// Metres, or metres a second, to a tenth: more is not known, and the last digits of a sine are not the same everywhere.
  static func tenths(_ value: Double) -> InputValue { .double((value * 10).rounded() / 10 + 0) }

  static func length(_ length: Milliseconds) -> InputValue { .seconds(length / 1000) }

  static func property(_ value: PropertyValue) -> InputValue {
    switch value {
    case .string(let text): .text(text)
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .date(let time): .time(time)
    }
  }
}

/// The values that a step decided on, in the order of docs/decisions.md.
public struct Inputs: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  public struct Entry: Equatable, Sendable {
    public var key: String
    public var value: InputValue
  }

  public private(set) var entries: [Entry] = []

  public init() {}

  /// Leaves nil values out.
  public init(dictionaryLiteral elements: (String, InputValue?)...) {
    for (key, value) in elements { if let value { entries.append(Entry(key: key, value: value)) } }
  }

  public mutating func remove(_ key: String) { entries.removeAll { $0.key == key } }

  public var isEmpty: Bool { entries.isEmpty }

  public subscript(key: String) -> InputValue? { entries.first { $0.key == key }?.value }

  static func + (a: Inputs, b: Inputs) -> Inputs {
    var all = a
    all.entries += b.entries
    return all
  }
}
