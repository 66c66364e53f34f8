/// Where values begin in a JSON text that is known to be good, found in one walk for all that are asked for.
struct Places {
  private final class Node {
    var keys: [String: Node] = [:]
    var elements: [Int: Node] = [:]
    var offset: Int?

    func child(_ step: PathStep) -> Node? {
      switch step {
      case .key(let key): keys[key]
      case .index(let index): elements[index]
      }
    }

    func add(_ step: PathStep) -> Node {
      if let known = child(step) { return known }
      let node = Node()
      switch step {
      case .key(let key): keys[key] = node
      case .index(let index): elements[index] = node
      }
      return node
    }
  }

  private let root = Node()
  private var lines: [Int: (line: Int, column: Int)] = [:]

  init(_ paths: [[PathStep]], in text: [UInt8]) {
    for path in paths { _ = path.reduce(root) { $0.add($1) } }
    var walker = JSONPath.Walker(text: text)
    walker.skipSpace()
    var offsets: [Int] = []
    Self.walk(&walker, root, &offsets)
    // They come in the order of the text.
    var (line, start, position) = (1, 0, 0)
    for offset in offsets {
      while position < offset {
        if text[position] == 0x0A { (line, start) = (line + 1, position + 1) }
        position += 1
      }
      lines[offset] = (line, offset - start + 1)
    }
  }

  /// The place of a value; of the nearest one around it when it is not there.
  func place(_ path: [PathStep]) -> (pointer: String, line: Int, column: Int) {
    var (node, count) = (root, 0)
    for step in path {
      guard let next = node.child(step), next.offset != nil else { break }
      (node, count) = (next, count + 1)
    }
    let place = node.offset.flatMap { lines[$0] } ?? (1, 1)
    return (JSONPath(steps: Array(path.prefix(count))).pointer, place.line, place.column)
  }

  /// A key as it is meant, of how it is written.
  private static func key(_ written: ArraySlice<UInt8>) -> String {
    if written.contains(0x5C), let reader = try? JSONReader([0x22] + written + [0x22]),
      let text = try? reader.string(reader.root)
    {
      return text
    }
    return String(decoding: written, as: UTF8.self)
  }

  /// Goes over one value, and notes where those begin in it that are wanted.
  private static func walk(_ walker: inout JSONPath.Walker, _ node: Node, _ offsets: inout [Int]) {
    node.offset = walker.position
    offsets.append(walker.position)
    guard !node.keys.isEmpty || !node.elements.isEmpty, walker.byte == 0x7B || walker.byte == 0x5B else {
      return walker.skipValue()
    }
    let isObject = walker.byte == 0x7B
    let closing: UInt8 = isObject ? 0x7D : 0x5D
    walker.position += 1
    var index = 0
    while true {
      walker.skipSpace()
      guard walker.position < walker.text.count else { return }
      if walker.byte == closing {
        walker.position += 1
        return
      }
      var wanted = node.elements[index]
      if isObject {
        let start = walker.position + 1
        walker.skipString()
        wanted = node.keys[key(walker.text[start..<max(start, walker.position - 1)])]
        walker.skipSpace()
        walker.position += 1
        walker.skipSpace()
      }
      if let wanted { walk(&walker, wanted, &offsets) } else { walker.skipValue() }
      walker.skipSpace()
      if walker.byte == 0x2C { walker.position += 1 }
      index += 1
    }
  }
}
