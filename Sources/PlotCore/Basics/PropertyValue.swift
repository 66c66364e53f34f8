/// A typed value of the device.
public enum PropertyValue: Equatable, Sendable {
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case date(Milliseconds)

  public var typeName: String {
    switch self {
    case .string: "string"
    case .boolean: "boolean"
    case .integer: "integer"
    case .double: "double"
    case .date: "date"
    }
  }
}
