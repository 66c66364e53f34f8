internal import CJansson
internal import PlotCore

/// Reads values out of a JSON text with their places at hand. The tree is Jansson's; nothing outside this folder sees it.
@safe final class JSONReader {
  let text: [UInt8]
  // A reader is used by one thread, and changes in `take` only.
  @exclusivity(unchecked) private var tree: UnsafeMutablePointer<json_t>
  /// Whether a key whose value is null counts as absent.
  let nullIsAbsent: Bool
  private var path = JSONPath()
  /// Whether errors are only told from their absence: then they have neither place nor words.
  private let isTrial: Bool
  /// Where JSON is written.
  @exclusivity(unchecked) private var scratch: [UInt8] = []
  /// The keys of the objects that were looked into last.
  private let shapes = ObjectShapes()
  /// Pointers to what is read as if it were not there: faults that `Lint` has told already.
  var skipped: Set<String> = []

  static let depthLimit = 64
  /// For a value that will stand in an item, and the item in a list.
  static let valueDepthLimit = 60

  /// Elements of an array, where a document says nothing smaller.
  static let elementLimit = 1_000_000
  /// Bytes of one text. What the engine wrote itself may be longer.
  private let textLimit: Int

  /// Parses a whole text. Duplicate keys, `\u0000`, numbers beyond a double or 64 bits, bad UTF-8 and deep nesting are errors.
  /// With `hidesStrings` no error quotes a string value: it may be a secret.
  init(
    _ text: [UInt8], nullIsAbsent: Bool = true, hidesStrings: Bool = false, depthLimit: Int = depthLimit,
    textLimit: Int = TextLimit.bytes
  ) throws(DocumentError) {
    self.nullIsAbsent = nullIsAbsent
    self.textLimit = textLimit
    isTrial = false
    // An empty array may have no address at all, which Jansson takes for a fault of the caller.
    let text = text.isEmpty ? [0x20] : text
    if let offset = Self.firstInvalidByte(text) {
      let place = JSONPath.place(of: offset, in: text)
      throw DocumentError(
        line: place.line, column: place.column, pointer: "", expected: "UTF-8 text",
        found: "the byte 0x" + String(text[offset], radix: 16))
    }
    if let offset = Self.firstTooDeep(text.span, depthLimit) {
      let place = JSONPath.place(of: offset, in: text)
      throw DocumentError(
        line: place.line, column: place.column, pointer: "", expected: "at most \(depthLimit) levels of nesting",
        found: "one more")
    }
    var error = json_error_t()
    let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
    let tree = unsafe text.withUnsafeBytes { bytes in
      unsafe json_loadb(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, Int(flags), &error)
    }
    guard let tree = unsafe tree else { throw Self.fault(error, text, hidesStrings) }
    self.text = text
    unsafe self.tree = tree
  }

  /// Reads values of a feed one after the other (see `take`), and leaves faults to another reader.
  init(trial: Void) {
    nullIsAbsent = false
    textLimit = TextLimit.bytes
    isTrial = true
    text = []
    unsafe tree = json_null()
  }

  deinit { unsafe json_decref(tree) }

  /// The whole text's value, until another one is taken.
  var root: Node {
    @_lifetime(borrow self)
    get { unsafe Node(tree, of: self) }
  }

  /// Takes the JSON value at the start of `text`, which others may follow, and gives its length; nil when there is none.
  func take(_ text: Span<UInt8>) -> Int? {
    var error = json_error_t()
    let flags = JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK
    let next = unsafe text.withUnsafeBytes { bytes in
      unsafe json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, Int(flags), &error)
    }
    guard let next = unsafe next else { return nil }
    unsafe json_decref(tree)
    unsafe tree = next
    // Facts about the old tree may have the same addresses.
    shapes.forget()
    return Int(error.position)
  }

  /// The same of a value in `depth` others, if it does not go too deep.
  func takeElement(_ text: Span<UInt8>, depth: Int) -> Int? {
    guard let length = take(text), length > 0, length <= text.count else { return nil }
    let value = text.extracting(first: length)
    let limit = Self.depthLimit - depth
    return Self.brackets(value) <= limit || Self.firstTooDeep(value, limit) == nil ? length : nil
  }

  /// How many brackets open; those in strings count as well, for it is fast.
  private static func brackets(_ text: Span<UInt8>) -> Int {
    var brackets = 0
    var index = 0
    // Eight at a time: none of their bits is left of those that open, and a high bit of each other one.
    let (tops, rest): (UInt64, UInt64) = (0x8080_8080_8080_8080, 0x7F7F_7F7F_7F7F_7F7F)
    while index + 8 <= text.count {
      let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      let others = (word | 0x2020_2020_2020_2020) ^ 0x7B7B_7B7B_7B7B_7B7B
      let bits = (((others & rest) &+ rest) | others) & tops
      if bits != tops { brackets &+= 8 &- bits.nonzeroBitCount }
      index += 8
    }
    while index < text.count {
      brackets &+= text[index] | 0x20 == 0x7B ? 1 : 0
      index += 1
    }
    return brackets
  }

  // MARK: Places

  func fail(
    expected: @autoclosure () -> String, found: @autoclosure () -> String,
    _ kind: @autoclosure () -> DocumentError.Kind = .value
  ) -> DocumentError {
    if isTrial { return DocumentError(line: 0, column: 0, pointer: "", expected: "", found: "") }
    let (expected, found) = (expected(), found())
    let place = JSONPath.place(of: path.offset(in: text), in: text)
    return DocumentError(
      line: place.line, column: place.column, pointer: path.pointer, expected: expected, found: found, kind: kind())
  }

  func isSkipped(_ step: PathStep) -> Bool {
    !skipped.isEmpty && skipped.contains(JSONPath(steps: path.steps + [step]).pointer)
  }

  /// Runs `body` with the path one step longer.
  func within<T>(_ step: PathStep, _ body: () throws(DocumentError) -> T) throws(DocumentError) -> T {
    if isTrial { return try body() }
    path.steps.append(step)
    defer { path.steps.removeLast() }
    return try body()
  }

  // MARK: Values

  /// The value of a key, with its place; nil when the key is absent or null.
  @inline(__always)
  func member<T>(
    _ object: Node, _ key: StaticString, _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T? {
    guard let value = shapes.value(object, key) else { return nil }
    if isTrial { return try body(value) }
    return try placed(value, "\(key)", body)
  }

  /// The same, for a key that is found at run time.
  @_disfavoredOverload
  func member<T>(
    _ object: Node, _ key: String, _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T? {
    guard let value = shapes.value(object, key) else { return nil }
    if isTrial { return try body(value) }
    return try placed(value, key, body)
  }

  private func placed<T>(
    _ value: Node, _ key: String, _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T? {
    if !skipped.isEmpty, isSkipped(.key(key)) { return nil }
    if nullIsAbsent, value.isNull { return nil }
    return try within(.key(key)) { () throws(DocumentError) -> T in try body(value) }
  }

  /// The same, for a key that must be there; `expected` names the value.
  @inline(__always)
  func required<T>(
    _ object: Node, _ key: StaticString, _ expected: @autoclosure () -> String,
    _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T {
    if let value = try member(object, key, body) { return value }
    throw missing(object, "\(key)", expected())
  }

  @_disfavoredOverload
  func required<T>(
    _ object: Node, _ key: String, _ expected: @autoclosure () -> String,
    _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T {
    if let value = try member(object, key, body) { return value }
    throw missing(object, key, expected())
  }

  private func missing(_ object: Node, _ key: String, _ expected: @autoclosure () -> String) -> DocumentError {
    let found = shapes.value(object, key) == nil ? "no such key" : "null"
    return fail(expected: "\"\(key)\", \(expected())", found: found, .missingKey)
  }

  /// Whether the object has the key, be its value null or not.
  @inline(__always)
  func has(_ object: Node, _ key: StaticString) -> Bool { shapes.value(object, key) != nil }

  func keys(_ object: Node) -> [String] {
    var keys: [String] = []
    object.forEachMember { key, _ in keys.append(String(copying: key)) }
    return keys
  }

  /// How many of an object's keys are in a set of short keys.
  func count(_ object: Node, in set: KeySet) -> Int {
    shapes.count(object, in: set) ?? keys(object).count(where: set.keys.contains)
  }

  /// Refuses keys beyond the known ones; with `allowsOwn`, those that begin with `x-` are the maker's own, and with `allowsSchema` an editor finds the
  /// schema of the document under `$schema`.
  func refuseUnknown(
    _ object: Node, _ known: [String], of what: String, allowsOwn: Bool = false, allowsSchema: Bool = false
  ) throws(DocumentError) {
    for key in keys(object)
    where !known.contains(key) && !(allowsOwn && key.hasPrefix("x-")) && !(allowsSchema && key == Self.schemaKey)
      && !isSkipped(.key(key))
    {
      throw try within(.key(key)) { () throws(DocumentError) -> DocumentError in
        fail(
          expected: "a key of \(what) (\(known.joined(separator: ", ")))", found: "the unknown key \"\(key)\"",
          .unknownKey(key, known: known))
      }
    }
  }

  /// The same, faster.
  func refuseUnknown(
    _ object: Node, _ known: KeySet, of what: @autoclosure () -> String, allowsSchema: Bool = false
  ) throws(DocumentError) {
    if shapes.isOf(object, known) { return }
    try refuseUnknown(object, known.keys, of: what(), allowsOwn: known.allowsOwn, allowsSchema: allowsSchema)
  }

  /// Names the JSON Schema of a document, for editors; nobody else looks at it.
  static let schemaKey = "$schema"

  @_lifetime(copy node)
  func object(
    _ node: Node, _ expected: @autoclosure () -> String = "an object"
  ) throws(DocumentError) -> Node {
    guard node.isObject else { throw mismatch(node, expected()) }
    return node
  }

  /// Runs `body` for each element, with its place.
  func array<T>(
    _ node: Node, _ expected: @autoclosure () -> String, most: Int = elementLimit,
    _ body: (Node, Int) throws(DocumentError) -> T
  ) throws(DocumentError) -> [T] {
    guard node.isArray else { throw mismatch(node, expected()) }
    let count = node.count
    guard count <= most else { throw fail(expected: "at most \(most) elements", found: "\(count)") }
    var result: [T] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      guard let element = node.element(index) else { continue }
      if !skipped.isEmpty, isSkipped(.index(index)) { continue }
      result.append(try within(.index(index)) { () throws(DocumentError) -> T in try body(element, index) })
    }
    return result
  }

  func string(
    _ node: Node, _ expected: @autoclosure () -> String = "a string"
  ) throws(DocumentError) -> String {
    guard node.isString else { throw mismatch(node, expected()) }
    let bytes = node.utf8
    guard bytes.count <= textLimit else {
      throw fail(expected: "a text of at most \(textLimit) bytes", found: "\(bytes.count)")
    }
    return String(copying: bytes)
  }

  /// A string that is a time; nil for another one.
  func time(_ node: Node, _ expected: @autoclosure () -> String) throws(DocumentError) -> Milliseconds? {
    guard node.isString else { throw mismatch(node, expected()) }
    return Timestamp.parse(node.utf8)
  }

  func boolean(_ node: Node) throws(DocumentError) -> Bool {
    if let value = node.boolean { return value }
    throw mismatch(node, "true or false")
  }

  func integer(_ node: Node, _ range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    if let value = node.integer, range.contains(value) { return value }
    throw mismatch(
      node,
      range.upperBound == .max
        ? "an integer, \(range.lowerBound) or more" : "an integer from \(range.lowerBound) to \(range.upperBound)")
  }

  /// Any number, as a double.
  func number(_ node: Node, _ expected: @autoclosure () -> String) throws(DocumentError) -> Double {
    if let value = node.number { return value }
    throw mismatch(node, expected())
  }

  func number(
    _ node: Node, _ range: ClosedRange<Double>, _ expected: @autoclosure () -> String
  ) throws(DocumentError) -> Double {
    if let value = node.number, range.contains(value) { return value }
    throw mismatch(node, expected())
  }

  /// A string, a number or a boolean; nil for another value.
  func plainValue(_ node: Node) throws(DocumentError) -> PropertyValue? {
    switch node.kind {
    case .string: .string(try string(node))
    case .boolean: .boolean(try boolean(node))
    case .integer: .integer(try integer(node, .min ... .max))
    case .real: .double(try number(node, "a number"))
    case .object, .array, .null: nil
    }
  }

  /// A string that is one of the words of a table.
  func choice<T>(_ node: Node, _ choices: Choices<T>) throws(DocumentError) -> T {
    if node.isString, let value = choices[KeyWord(node.utf8)] {
      return value
    }
    return try choice(node, T.self)
  }

  /// A string that is one of the cases of an enumeration.
  func choice<T: CaseIterable & RawRepresentable>(
    _ node: Node, _ type: T.Type
  ) throws(DocumentError) -> T where T.RawValue == String {
    if node.isString, let value = T(rawValue: node.text) { return value }
    throw mismatch(
      node, T.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "),
      node.isString ? .unknownWord(node.text, known: T.allCases.map(\.rawValue)) : .value)
  }

  // MARK: What was found

  /// The value as compact JSON text, keys in their order.
  func canonical(_ node: Node) -> String {
    unsafe scratch.removeAll(keepingCapacity: true)
    unsafe JSONText.append(to: &scratch) { json in
      var path: [PathStep]?
      write(node, to: &json, &path) { _, _ in nil }
    }
    return unsafe String(decoding: scratch, as: UTF8.self)
  }

  /// The whole text, compact, with other values in some places: `replacement` is asked about each value below the root, from the outside
  /// in, and gives the JSON to stand for it, or nil to leave it.
  func rewritten(_ replacement: (_ path: [PathStep], Node) -> String?) -> String {
    var json = JSONText()
    var path: [PathStep]? = []
    write(root, to: &json, &path, replacement)
    return json.text
  }

  /// Without a path `replacement` is not asked.
  private func write(
    _ node: Node, to json: inout JSONText, _ path: inout [PathStep]?, _ replacement: ([PathStep], Node) -> String?
  ) {
    func member(_ step: @autoclosure () -> PathStep, _ value: Node, _ json: inout JSONText) {
      guard path != nil else { return write(value, to: &json, &path, replacement) }
      path?.append(step())
      if let other = path.flatMap({ replacement($0, value) }) {
        json.raw(other)
      } else {
        write(value, to: &json, &path, replacement)
      }
      path?.removeLast()
    }
    switch node.kind {
    case .object:
      json.object { json in
        node.forEachMember { key, value in
          json.key(key)
          member(.key(String(copying: key)), value, &json)
        }
      }
    case .array:
      json.array { json in
        for index in 0..<node.count {
          guard let value = node.element(index) else { continue }
          member(.index(index), value, &json)
        }
      }
    case .string: json.value(node.utf8)
    case .integer: json.value(node.integer ?? 0)
    case .real: json.value(node.number ?? 0)
    case .boolean: json.value(node.boolean ?? false)
    case .null: json.raw("null")
    }
  }

  func mismatch(
    _ node: Node, _ expected: @autoclosure () -> String, _ kind: @autoclosure () -> DocumentError.Kind = .value
  ) -> DocumentError {
    fail(expected: expected(), found: describe(node), kind())
  }

  func describe(_ node: Node) -> String {
    switch node.kind {
    case .object: return "an object"
    case .array: return "an array"
    case .string:
      let text = node.text
      return "the string \"" + (text.count > 40 ? String(text.prefix(40)) + "…" : text) + "\""
    case .integer: return "the number \(node.integer ?? 0)"
    case .real: return "the number \(node.number ?? 0)"
    case .boolean: return node.boolean == true ? "true" : "false"
    case .null: return "null"
    }
  }

  // MARK: Faults of the text itself

  private static func firstInvalidByte(_ text: [UInt8]) -> Int? {
    if unsafe text.withUnsafeBufferPointer({ unsafe String(validating: $0, as: UTF8.self) }) != nil { return nil }
    var decoder = UTF8()
    var iterator = text.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += String(scalar).utf8.count
      case .emptyInput: return nil
      case .error: return min(offset, text.count - 1)
      }
    }
  }

  /// Where the nesting goes beyond the limit; brackets in strings do not count.
  static func firstTooDeep(_ text: Span<UInt8>, _ depthLimit: Int) -> Int? {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for offset in text.indices {
      let byte = text[offset]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x5B, 0x7B:
        depth += 1
        if depth > depthLimit { return offset }
      case 0x5D, 0x7D: depth -= 1
      default: break
      }
    }
    return nil
  }

  private static func near(_ text: String) -> Range<String.Index>? {
    let word = " near "
    return text.indices.lazy.compactMap { start in
      text[start...].hasPrefix(word) ? start..<text.index(start, offsetBy: word.count) : nil
    }.first
  }

  /// Jansson says "X expected near 'Y'", or some other text near something, and where it had got to.
  private static func fault(_ error: json_error_t, _ text: [UInt8], _ hidesStrings: Bool) -> DocumentError {
    var error = error
    let whole = unsafe withUnsafePointer(to: &error.text) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(JSON_ERROR_TEXT_LENGTH)) {
        unsafe String(cString: $0)
      }
    }
    var sentence = Substring(whole)
    var found = "something else"
    var offset = Int(error.position)
    if let near = Self.near(whole) {
      sentence = whole[..<near.lowerBound]
      let rest = whole[near.upperBound...]
      if rest == "end of file" {
        found = "the end of the text"
        offset = text.count
      } else {
        found = String(rest)
        offset = max(0, offset - (rest.utf8.count - 2))
      }
    } else {
      // Jansson names no token of more than 20 bytes.
      let end = min(offset, text.count)
      offset = tokenStart(before: end, in: text)
      found = "'\(String(decoding: text[offset..<end].prefix(40), as: UTF8.self))'"
    }
    if hidesStrings, sentence != "duplicate object key", found.contains("\"") { found = "a string" }
    let expected: String
    var kind = DocumentError.Kind.value
    let follows = text[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if follows == 0x2C, sentence == "string or '}' expected" || found == "']'" {
      expected = found == "']'" ? "a value after the comma" : "a key after the comma"
    } else if sentence.hasSuffix(" expected") {
      expected = String(sentence.dropLast(" expected".count))
    } else if sentence == "duplicate object key" {
      expected = "each key once"
      kind = .duplicate
      found = "the key \(found.dropFirst().dropLast()) again"
    } else if sentence == "invalid token" {
      expected = "a JSON value"
    } else {
      expected = "JSON"
      found = "\(sentence)" + (found == "something else" ? "" : " near \(found)")
    }
    let place = JSONPath.place(of: offset, in: text)
    return DocumentError(
      line: place.line, column: place.column, pointer: "", expected: expected, found: found, kind: kind)
  }

  /// Where the token begins that ends before `end`: a string with its quotes, or what stands between delimiters.
  private static func tokenStart(before end: Int, in text: [UInt8]) -> Int {
    guard end > 0 else { return 0 }
    var start = end - 1
    if text[start] == 0x22 {
      while start > 0 {
        start -= 1
        // Only before a quote: each run of backslashes is looked at once, however long it is.
        guard text[start] == 0x22 else { continue }
        let slashes = text[..<start].reversed().prefix { $0 == 0x5C }.count
        if slashes % 2 == 0 { return start }
      }
      return 0
    }
    while start > 0, !Array("{}[]:,\" \t\n\r".utf8).contains(text[start - 1]) { start -= 1 }
    return start
  }
}
