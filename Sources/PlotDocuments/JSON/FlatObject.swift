/// A JSON object of plain values, as a line of a file of JSON lines holds one.
public struct FlatObject: Sendable {
  public enum Value: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    /// Another one, in the words of an error: `an object`, `true`.
    case other(String)
  }

  /// Without those that are null. `column` counts from 1, in bytes.
  public var members: [(key: String, value: Value, column: Int)] = []

  /// Throws for text that is no object, and for a key that is there twice.
  public init(_ line: [UInt8]) throws(DocumentError) {
    let reader = try JSONReader(line)
    let root = try reader.object(reader.root)
    for key in reader.keys(root) {
      let member = try reader.member(root, key) { (node) throws(DocumentError) -> (Value, Int) in
        (Self.value(node, reader), reader.fail(expected: "", found: "").column)
      }
      if let (value, column) = member { members.append((key, value, column)) }
    }
  }

  private static func value(_ node: Node, _ reader: JSONReader) -> Value {
    switch node.kind {
    case .string: if let text = try? reader.string(node) { return .string(text) }
    case .integer: if let number = try? reader.integer(node, .min ... .max) { return .integer(number) }
    case .real: if let number = try? reader.number(node, "a number") { return .real(number) }
    case .object, .array, .boolean, .null: break
    }
    return .other(reader.describe(node))
  }
}
