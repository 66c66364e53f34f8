internal import PlotCore

// Segmentation (docs/feed.md, Segmentation).
extension FeedReader {
  private static let comparisons = [
    "equals", "differs", "less", "atMost", "atLeast", "greater", "between", "in", "exists", "begins", "contains",
    "version",
  ]
  private static let comparisonSet = KeySet(comparisons)
  private static let propertySet = KeySet(["property"] + comparisons)
  private static let kinds = ["all", "any", "not", "property", "campaign", "country"]
  private static let (allSet, anySet) = (KeySet(["all"]), KeySet(["any"]))
  private static let (notSet, countrySet) = (KeySet(["not"]), KeySet(["country"]))

  /// Of several kinds, the first of the list above counts; the others are then unknown keys.
  func segment(_ node: Node) throws(DocumentError) -> Segment {
    var expected: String { "an object with one of " + Self.kinds.map { "\"\($0)\"" }.joined(separator: ", ") }
    let object = unsafe try reader.object(node, expected)
    if unsafe reader.has(object, "all") { return .all(unsafe try segments(object, "all", Self.allSet)) }
    if unsafe reader.has(object, "any") { return .any(unsafe try segments(object, "any", Self.anySet)) }
    if unsafe reader.has(object, "not") {
      unsafe try reader.refuseUnknown(object, Self.notSet, of: "a condition with \"not\"")
      return .not(
        unsafe try reader.required(object, "not", "a condition") { (node) throws(DocumentError) in
          unsafe try segment(node)
        })
    }
    if unsafe reader.has(object, "property") { return unsafe try property(object) }
    if unsafe reader.has(object, "campaign") { return unsafe try history(object) }
    guard unsafe reader.has(object, "country") else { throw reader.fail(expected: expected, found: "none of them") }
    unsafe try reader.refuseUnknown(object, Self.countrySet, of: "a condition with \"country\"")
    return .country(
      unsafe try reader.required(object, "country", "an array of countries") { (node) throws(DocumentError) in
        unsafe try filled(
          reader.array(node, "an array of countries") { (node, _) throws(DocumentError) in unsafe try country(node) })
      })
  }

  private func segments(_ object: Node, _ kind: StaticString, _ known: KeySet) throws(DocumentError) -> [Segment] {
    unsafe try reader.refuseUnknown(object, known, of: "a condition with \"\(kind)\"")
    return unsafe try reader.required(object, kind, "an array of conditions") { (node) throws(DocumentError) in
      unsafe try filled(
        reader.array(node, "an array of conditions") { (node, _) throws(DocumentError) in unsafe try segment(node) })
    }
  }

  private func filled<T>(_ elements: [T]) throws(DocumentError) -> [T] {
    guard !elements.isEmpty else { throw reader.fail(expected: "at least one element", found: "an empty array") }
    return elements
  }

  private func history(_ object: Node) throws(DocumentError) -> Segment {
    unsafe try reader.refuseUnknown(object, ["campaign", "shown", "opened"], of: "a condition with \"campaign\"")
    let campaign = Identifier(
      unsafe try reader.required(object, "campaign", Self.identifierForm) { (node) throws(DocumentError) in
        let id = unsafe try reader.string(node, Self.identifierForm)
        guard Self.isIdentifier(id) else { throw unsafe reader.mismatch(node, Self.identifierForm) }
        return id
      })
    func within(_ key: StaticString) throws(DocumentError) -> Milliseconds?? {
      unsafe try reader.member(object, key) { (node) throws(DocumentError) -> Milliseconds? in
        if unsafe reader.kind(node) == .boolean, unsafe try reader.boolean(node) { return nil }
        let expected = "true, or {\"within\": seconds}"
        guard unsafe reader.kind(node) == .object else { throw unsafe reader.mismatch(node, expected) }
        unsafe try reader.refuseUnknown(node, ["within"], of: "a time of history")
        return unsafe try reader.required(node, "within", "seconds") { (node) throws(DocumentError) in
          unsafe try reader.integer(node, 1...Self.longest) * 1000
        }
      }
    }
    switch (try within("shown"), try within("opened")) {
    case (let shown?, nil): return .shown(campaign, within: shown)
    case (nil, let opened?): return .opened(campaign, within: opened)
    default: throw reader.fail(expected: "one of \"shown\" and \"opened\"", found: "none or both")
    }
  }

  /// A hundred years, in seconds.
  private static let longest: Int64 = 3_153_600_000

  private func property(_ object: Node) throws(DocumentError) -> Segment {
    unsafe try reader.refuseUnknown(object, Self.propertySet, of: "a condition with \"property\"")
    let form = "a string that is not empty"
    let name = unsafe try reader.required(object, "property", form) { (node) throws(DocumentError) in
      let name = unsafe try reader.string(node, form)
      guard !name.isEmpty else { throw unsafe reader.mismatch(node, form) }
      return name
    }
    guard unsafe reader.count(object, in: Self.comparisonSet) == 1 else {
      let given = unsafe reader.keys(object).filter(Self.comparisons.contains)
      throw reader.fail(
        expected: "one comparison (\(Self.comparisons.joined(separator: ", ")))",
        found: given.isEmpty ? "none" : given.joined(separator: ", "))
    }
    return .property(Identifier(name), unsafe try comparison(object))
  }

  /// The comparison of an object that has one.
  private func comparison(_ object: Node) throws(DocumentError) -> Comparison {
    if unsafe reader.has(object, "equals") {
      return .equals(unsafe try value(object, "equals") { (node) throws(DocumentError) in unsafe try operand(node) })
    }
    if unsafe reader.has(object, "differs") {
      return .differs(unsafe try value(object, "differs") { (node) throws(DocumentError) in unsafe try operand(node) })
    }
    if unsafe reader.has(object, "atLeast") { return unsafe try order(object, "atLeast", .atLeast) }
    if unsafe reader.has(object, "atMost") { return unsafe try order(object, "atMost", .atMost) }
    if unsafe reader.has(object, "less") { return unsafe try order(object, "less", .less) }
    if unsafe reader.has(object, "greater") { return unsafe try order(object, "greater", .greater) }
    if unsafe reader.has(object, "between") {
      return unsafe try value(object, "between") { (node) throws(DocumentError) in
        let ends = unsafe try reader.array(node, "[least, most]") { (node, _) throws(DocumentError) in
          unsafe try ordered(node)
        }
        guard ends.count == 2 else { throw reader.fail(expected: "[least, most]", found: "\(ends.count) elements") }
        return .between(ends[0], ends[1])
      }
    }
    if unsafe reader.has(object, "in") {
      return unsafe try value(object, "in") { (node) throws(DocumentError) in
        .isIn(
          unsafe try filled(
            reader.array(node, "an array of values") { (node, _) throws(DocumentError) in unsafe try operand(node) }))
      }
    }
    if unsafe reader.has(object, "exists") {
      return .exists(
        unsafe try value(object, "exists") { (node) throws(DocumentError) in unsafe try reader.boolean(node) })
    }
    if unsafe reader.has(object, "begins") {
      return .begins(
        unsafe try value(object, "begins") { (node) throws(DocumentError) in unsafe try reader.string(node) })
    }
    if unsafe reader.has(object, "contains") {
      return .contains(
        unsafe try value(object, "contains") { (node) throws(DocumentError) in unsafe try reader.string(node) })
    }
    return unsafe try value(object, "version") { (node) throws(DocumentError) in unsafe try version(node) }
  }

  @inline(__always)
  private func value<T>(
    _ object: Node, _ key: StaticString, _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T {
    unsafe try reader.required(object, key, "a value", body)
  }

  @inline(__always)
  private func order(
    _ object: Node, _ key: StaticString, _ order: Comparison.Order
  ) throws(DocumentError) -> Comparison {
    .order(order, unsafe try value(object, key) { (node) throws(DocumentError) in unsafe try ordered(node) })
  }

  private func version(_ node: Node) throws(DocumentError) -> Comparison {
    let object = unsafe try reader.object(node, "an object, as in {\"atLeast\": \"1.10\"}")
    let orders = Comparison.Order.allCases.map(\.rawValue)
    unsafe try reader.refuseUnknown(object, orders, of: "a version")
    guard let name = unsafe reader.keys(object).first, unsafe reader.keys(object).count == 1,
      let order = Comparison.Order(rawValue: name)
    else { throw reader.fail(expected: "one of " + orders.joined(separator: ", "), found: "none or several") }
    return .version(
      order,
      unsafe try reader.required(object, name, "a version") { (node) throws(DocumentError) in
        let text = unsafe try reader.string(node)
        guard Comparison.isVersion(text) else {
          throw unsafe reader.mismatch(node, "dotted numbers, as in \"1.10.2\"")
        }
        return text
      })
  }

  /// A value that has an order: anything but a boolean.
  private func ordered(_ node: Node) throws(DocumentError) -> Operand {
    let value = unsafe try operand(node)
    if case .value(.boolean) = value { throw unsafe reader.mismatch(node, "a string, a number or a date") }
    return value
  }

  private func operand(_ node: Node) throws(DocumentError) -> Operand {
    let expected = "a string, a boolean, a number, {\"date\": \"…\"}, {\"ago\": seconds} or {\"ahead\": seconds}"
    switch unsafe reader.kind(node) {
    case .string: return .value(.string(unsafe try reader.string(node)))
    case .boolean: return .value(.boolean(unsafe try reader.boolean(node)))
    case .integer: return .value(.integer(unsafe try reader.integer(node, .min ... .max)))
    case .real: return .value(.double(unsafe try reader.number(node, expected)))
    case .object:
      guard let key = unsafe reader.keys(node).first, unsafe reader.keys(node).count == 1 else {
        throw unsafe reader.mismatch(node, expected)
      }
      unsafe try reader.refuseUnknown(node, ["date", "ago", "ahead"], of: "a date")
      return unsafe try reader.required(node, key, expected) { (node) throws(DocumentError) in
        if key == "date" { return .value(.date(unsafe try time(node))) }
        let period = unsafe try reader.integer(node, 0...Self.longest) * 1000
        return .ago(key == "ago" ? period : -period)
      }
    case .array, .null: throw unsafe reader.mismatch(node, expected)
    }
  }
}
