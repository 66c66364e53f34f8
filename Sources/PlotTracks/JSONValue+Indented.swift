public import PlotDocuments

extension JSONValue {
  /// With white space; arrays of plain values on one line.
  public var indented: String { indented(by: "") }

  private func indented(by space: String) -> String {
    let inner = space + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map { "\(inner)\(JSONValue.string($0.key).text): \($0.value.indented(by: inner))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(space)}"
    case .array(let elements) where elements.contains(where: \.isObject):
      return "[\n\(elements.map { inner + $0.indented(by: inner) }.joined(separator: ",\n"))\n\(space)]"
    default: return text
    }
  }

  private var isObject: Bool { if case .object = self { true } else { false } }
}
