internal import CJansson

extension JSONReader {
  /// The value that a pointer without escapes leads to; nil when it is not there.
  func value(at pointer: String) -> Node? {
    var node = unsafe root
    for step in pointer.split(separator: "/") {
      let next =
        unsafe kind(node) == .array
        ? unsafe json_array_get(node, Int(step) ?? -1) : unsafe json_object_get(node, String(step))
      guard let next = unsafe next else { return nil }
      unsafe node = next
    }
    return unsafe node
  }

  func has(_ pointer: String) -> Bool {
    guard let node = unsafe value(at: pointer) else { return false }
    return unsafe !nullIsAbsent || kind(node) != .null
  }

  /// Every string in a value, but for keys.
  func strings(in node: Node) -> [String] {
    switch unsafe kind(node) {
    case .string: return [(try? unsafe string(node)) ?? ""]
    case .object:
      return unsafe keys(node).flatMap { key in
        guard let value = unsafe json_object_get(node, key) else { return [String]() }
        return unsafe strings(in: value)
      }
    case .array:
      return (0..<(unsafe json_array_size(node))).flatMap { index in
        guard let value = unsafe json_array_get(node, index) else { return [String]() }
        return unsafe strings(in: value)
      }
    default: return []
    }
  }
}
