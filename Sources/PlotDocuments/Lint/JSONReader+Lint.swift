extension JSONReader {
  /// The value that a pointer without escapes leads to; nil when it is not there.
  @_lifetime(borrow self)
  func value(at pointer: String) -> Node? {
    var node = root
    for step in pointer.split(separator: "/") {
      guard let next = node.isArray ? node.element(Int(step) ?? -1) : node.member(String(step)) else { return nil }
      node = next
    }
    return node
  }

  func has(_ pointer: String) -> Bool {
    guard let node = value(at: pointer) else { return false }
    return !nullIsAbsent || !node.isNull
  }

  /// Every string in a value, but for keys.
  func strings(in node: Node) -> [String] {
    switch node.kind {
    case .string: return [(try? string(node)) ?? ""]
    case .object:
      return keys(node).flatMap { key in
        guard let value = node.member(key) else { return [String]() }
        return strings(in: value)
      }
    case .array:
      return (0..<node.count).flatMap { index in
        guard let value = node.element(index) else { return [String]() }
        return strings(in: value)
      }
    default: return []
    }
  }
}
