/// Another value in one place of a configuration or a feed: `cooldownPeriod=600`, `campaigns[3].trigger=exit`,
/// `campaigns[lunch].priority=5`. The value is JSON where it reads as JSON, else a text; `null` takes the key away.
public struct JSONEdit: Equatable, Sendable {
  enum Step: Equatable {
    case key(String)
    case index(Int)
    /// The element with this `id`.
    case id(String)
  }

  /// As it was given, and the path of it.
  public let text: String
  public let path: String
  let steps: [Step]
  /// JSON; nil takes the value away.
  let value: String?

  /// Nil for what is no path and value.
  public init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), let steps = Self.steps(text[..<equals]) else { return nil }
    self.text = text
    path = String(text[..<equals])
    self.steps = steps
    let given = String(text[text.index(after: equals)...])
    if let reader = try? JSONReader(Array(given.utf8), nullIsAbsent: false) {
      value = reader.root.isNull ? nil : reader.canonical(reader.root)
    } else {
      value = JSONText.string(given)
    }
  }

  private static func steps(_ path: Substring) -> [Step]? {
    var steps: [Step] = []
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty else { return nil }
      steps.append(.key(String(name)))
      for piece in pieces.dropFirst() {
        guard piece.last == "]", piece.count > 1 else { return nil }
        let inside = String(piece.dropLast())
        steps.append(Int(inside).map(Step.index) ?? .id(inside))
      }
    }
    return steps
  }

  /// Whether it is about a feed, and not about a configuration.
  public var isOfFeed: Bool {
    guard case .key(let first)? = steps.first else { return false }
    return DocumentKeys.feed.keys.contains(first)
  }

  /// The text with the other value. Throws where the path leads nowhere.
  public func applied(to json: [UInt8]) throws(DocumentError) -> [UInt8] {
    let reader = try JSONReader(json.withoutByteOrderMark, nullIsAbsent: false)
    return Array(try edited(reader.root, steps[...], "", reader).utf8)
  }

  private func edited(
    _ node: Node, _ rest: ArraySlice<Step>, _ pointer: String, _ reader: JSONReader
  ) throws(DocumentError) -> String {
    guard let step = rest.first else { return value ?? "null" }
    switch step {
    case .key(let key):
      guard node.isObject else {
        throw fault(pointer, "an object", reader.describe(node))
      }
      return try object(node, key, rest.dropFirst(), pointer, reader)
    case .index, .id:
      guard node.isArray else { throw fault(pointer, "an array", reader.describe(node)) }
      return try array(node, step, rest.dropFirst(), pointer, reader)
    }
  }

  private func object(
    _ node: Node, _ key: String, _ rest: ArraySlice<Step>, _ pointer: String, _ reader: JSONReader
  ) throws(DocumentError) -> String {
    var members: [(key: String, json: String)] = []
    var isThere = false
    for name in reader.keys(node) {
      guard let member = node.member(name) else { continue }
      if name == key {
        isThere = true
        if rest.isEmpty, value == nil { continue }
        members.append((name, try edited(member, rest, "\(pointer)/\(name)", reader)))
      } else {
        members.append((name, reader.canonical(member)))
      }
    }
    if !isThere, let value {
      // Objects on the way are made; an element of an array that is not there has no place.
      var json = value
      for step in rest.reversed() {
        guard case .key(let inner) = step else { throw fault(pointer, "an array \"\(key)\"", "no such key") }
        json = "{\(JSONText.string(inner)):\(json)}"
      }
      members.append((key, json))
    }
    var text = JSONText()
    text.object { text in
      for member in members {
        text.key(member.key)
        text.raw(member.json)
      }
    }
    return text.text
  }

  private func array(
    _ node: Node, _ step: Step, _ rest: ArraySlice<Step>, _ pointer: String, _ reader: JSONReader
  ) throws(DocumentError) -> String {
    let count = node.count
    let index: Int
    switch step {
    case .index(let wanted):
      guard (0..<count).contains(wanted) else {
        throw fault(pointer, count == 0 ? "an element" : "an element from 0 to \(count - 1)", "\(wanted)")
      }
      index = wanted
    case .id(let id):
      let found = (0..<count).first { index in
        guard let element = node.element(index), element.isObject,
          let own = element.member("id")
        else { return false }
        return (try? reader.string(own)) == id
      }
      guard let found else { throw fault(pointer, "an element with the id \"\(id)\"", "none") }
      index = found
    case .key: return reader.canonical(node)
    }
    var text = JSONText()
    var fault: DocumentError?
    text.array { text in
      for position in 0..<count where fault == nil {
        guard let element = node.element(position) else { continue }
        guard position == index else {
          text.raw(reader.canonical(element))
          continue
        }
        if rest.isEmpty, value == nil { continue }
        do throws(DocumentError) {
          text.raw(try edited(element, rest, "\(pointer)/\(position)", reader))
        } catch {
          fault = error
        }
      }
    }
    if let fault { throw fault }
    return text.text
  }

  private func fault(_ pointer: String, _ expected: String, _ found: String) -> DocumentError {
    DocumentError(line: 0, column: 0, pointer: pointer, expected: "\(expected) for \"\(path)\"", found: found)
  }
}
