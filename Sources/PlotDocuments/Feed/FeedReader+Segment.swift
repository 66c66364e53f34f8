internal import PlotCore

// Segmentation (docs/feed.md, Segmentation).
extension FeedReader {
  /// One of these stands beside `property`.
  private static let comparisonSet = KeySet(DocumentKeys.comparison.keys.filter { $0 != "property" })
  private static let kinds = ["all", "any", "not", "property", "campaign", "country", "travelMinutes", "travelMode"]

  /// Of several kinds, the first of the list above counts; the others are then unknown keys.
  func segment(_ node: Node) throws(DocumentError) -> Segment {
    var expected: String { "an object with one of " + Self.kinds.map { "\"\($0)\"" }.joined(separator: ", ") }
    let object = try reader.object(node, expected)
    if reader.has(object, "all") { return .all(try segments(object, "all", DocumentKeys.allOfConditions)) }
    if reader.has(object, "any") { return .any(try segments(object, "any", DocumentKeys.anyOfConditions)) }
    if reader.has(object, "not") {
      try reader.refuseUnknown(object, DocumentKeys.notCondition, of: "a condition with \"not\"")
      return .not(
        try reader.required(object, "not", "a condition") { (node) throws(DocumentError) in
          try segment(node)
        })
    }
    if reader.has(object, "property") { return try property(object) }
    if reader.has(object, "campaign") { return try history(object) }
    if reader.has(object, "travelMinutes") { return .travel(try travelMinutes(object)) }
    if reader.has(object, "travelMode") { return .travel(try travelMode(object)) }
    guard reader.has(object, "country") else { throw reader.fail(expected: expected, found: "none of them") }
    try reader.refuseUnknown(object, DocumentKeys.country, of: "a condition with \"country\"")
    return .country(
      try reader.required(object, "country", "an array of countries") { (node) throws(DocumentError) in
        try filled(
          reader.array(node, "an array of countries") { (node, _) throws(DocumentError) in try country(node) })
      })
  }

  private func travelMinutes(_ object: Node) throws(DocumentError) -> TravelCondition {
    try reader.refuseUnknown(object, DocumentKeys.travelMinutes, of: "a condition with \"travelMinutes\"")
    return try reader.required(object, "travelMinutes", "an object") { (node) throws(DocumentError) in
      let (order, name) = try order(node, "an object, as in {\"atMost\": 10}", of: "a travel time")
      return .minutes(
        order,
        try reader.required(node, name, "minutes") { (node) throws(DocumentError) in
          try reader.integer(node, TravelTime.range)
        })
    }
  }

  private func travelMode(_ object: Node) throws(DocumentError) -> TravelCondition {
    try reader.refuseUnknown(object, DocumentKeys.travelMode, of: "a condition with \"travelMode\"")
    return .mode(
      try reader.required(object, "travelMode", "an array of modes") { (node) throws(DocumentError) in
        try filled(
          reader.array(node, "an array of modes") { (node, _) throws(DocumentError) in
            try reader.choice(node, TravelTime.Mode.self)
          })
      })
  }

  private func segments(_ object: Node, _ kind: StaticString, _ known: KeySet) throws(DocumentError) -> [Segment] {
    try reader.refuseUnknown(object, known, of: "a condition with \"\(kind)\"")
    return try reader.required(object, kind, "an array of conditions") { (node) throws(DocumentError) in
      try filled(
        reader.array(node, "an array of conditions") { (node, _) throws(DocumentError) in try segment(node) })
    }
  }

  private func filled<T>(_ elements: [T]) throws(DocumentError) -> [T] {
    guard !elements.isEmpty else { throw reader.fail(expected: "at least one element", found: "an empty array") }
    return elements
  }

  private func history(_ object: Node) throws(DocumentError) -> Segment {
    try reader.refuseUnknown(object, DocumentKeys.history, of: "a condition with \"campaign\"")
    let campaign = try reader.required(object, "campaign", Self.identifierForm) { (node) throws(DocumentError) in
      try name(node)
    }
    func within(_ key: StaticString) throws(DocumentError) -> Milliseconds?? {
      try reader.member(object, key) { (node) throws(DocumentError) -> Milliseconds? in
        if node.kind == .boolean, try reader.boolean(node) { return nil }
        let expected = "true, or {\"within\": seconds}"
        guard node.isObject else { throw reader.mismatch(node, expected) }
        try reader.refuseUnknown(node, DocumentKeys.moment, of: "a time of history")
        return try reader.required(node, "within", "seconds") { (node) throws(DocumentError) in
          try reader.integer(node, 1...Self.longest) * 1000
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
    try reader.refuseUnknown(object, DocumentKeys.comparison, of: "a condition with \"property\"")
    let name = try reader.required(object, "property", Self.propertyForm) { (node) throws(DocumentError) in
      try propertyName(node)
    }
    guard reader.count(object, in: Self.comparisonSet) == 1 else {
      let given = reader.keys(object).filter(Self.comparisonSet.keys.contains)
      throw reader.fail(
        expected: "one comparison (\(Self.comparisonSet.keys.joined(separator: ", ")))",
        found: given.isEmpty ? "none" : given.joined(separator: ", "))
    }
    return .property(name, try comparison(object))
  }

  private static let propertyForm = "a string that is not empty"

  func propertyName(_ node: Node) throws(DocumentError) -> Identifier {
    let name = try reader.string(node, Self.propertyForm)
    guard !name.isEmpty else { throw reader.mismatch(node, Self.propertyForm) }
    return Identifier(name)
  }

  /// The comparison of an object that has one.
  private func comparison(_ object: Node) throws(DocumentError) -> Comparison {
    if reader.has(object, "equals") {
      return .equals(try value(object, "equals") { (node) throws(DocumentError) in try operand(node) })
    }
    if reader.has(object, "differs") {
      return .differs(try value(object, "differs") { (node) throws(DocumentError) in try operand(node) })
    }
    if reader.has(object, "atLeast") { return try order(object, "atLeast", .atLeast) }
    if reader.has(object, "atMost") { return try order(object, "atMost", .atMost) }
    if reader.has(object, "less") { return try order(object, "less", .less) }
    if reader.has(object, "greater") { return try order(object, "greater", .greater) }
    if reader.has(object, "between") {
      return try value(object, "between") { (node) throws(DocumentError) in
        let ends = try reader.array(node, "[least, most]") { (node, _) throws(DocumentError) in
          try ordered(node)
        }
        guard ends.count == 2 else { throw reader.fail(expected: "[least, most]", found: "\(ends.count) elements") }
        return .between(ends[0], ends[1])
      }
    }
    if reader.has(object, "in") {
      return try value(object, "in") { (node) throws(DocumentError) in
        .isIn(
          try filled(
            reader.array(node, "an array of values") { (node, _) throws(DocumentError) in try operand(node) }))
      }
    }
    if reader.has(object, "exists") {
      return .exists(
        try value(object, "exists") { (node) throws(DocumentError) in try reader.boolean(node) })
    }
    if reader.has(object, "begins") {
      return .begins(
        try value(object, "begins") { (node) throws(DocumentError) in try reader.string(node) })
    }
    if reader.has(object, "contains") {
      return .contains(
        try value(object, "contains") { (node) throws(DocumentError) in try reader.string(node) })
    }
    return try value(object, "version") { (node) throws(DocumentError) in try version(node) }
  }

  @inline(__always)
  private func value<T>(
    _ object: Node, _ key: StaticString, _ body: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> T {
    try reader.required(object, key, "a value", body)
  }

  @inline(__always)
  private func order(
    _ object: Node, _ key: StaticString, _ order: Comparison.Order
  ) throws(DocumentError) -> Comparison {
    .order(order, try value(object, key) { (node) throws(DocumentError) in try ordered(node) })
  }

  private func version(_ node: Node) throws(DocumentError) -> Comparison {
    let (order, name) = try order(node, "an object, as in {\"atLeast\": \"1.10\"}", of: "a version")
    return .version(
      order,
      try reader.required(node, name, "a version") { (node) throws(DocumentError) in
        let text = try reader.string(node)
        guard Comparison.isVersion(text) else {
          throw reader.mismatch(node, "dotted numbers, as in \"1.10.2\"")
        }
        return text
      })
  }

  /// The only key of an object.
  private func order(
    _ node: Node, _ expected: String, of whole: String
  ) throws(DocumentError) -> (order: Comparison.Order, name: String) {
    let object = try reader.object(node, expected)
    let orders = DocumentKeys.version.keys
    try reader.refuseUnknown(object, DocumentKeys.version, of: whole)
    guard let name = reader.keys(object).first, reader.keys(object).count == 1,
      let order = Comparison.Order(rawValue: name)
    else { throw reader.fail(expected: "one of " + orders.joined(separator: ", "), found: "none or several") }
    return (order, name)
  }

  /// A value that has an order: anything but a boolean.
  private func ordered(_ node: Node) throws(DocumentError) -> Operand {
    let value = try operand(node)
    if case .value(.boolean) = value { throw reader.mismatch(node, "a string, a number or a date") }
    return value
  }

  private func operand(_ node: Node) throws(DocumentError) -> Operand {
    let expected = "a string, a boolean, a number, {\"date\": \"…\"}, {\"ago\": seconds} or {\"ahead\": seconds}"
    switch node.kind {
    case .string: return .value(.string(try reader.string(node)))
    case .boolean: return .value(.boolean(try reader.boolean(node)))
    case .integer: return .value(.integer(try reader.integer(node, .min ... .max)))
    case .real: return .value(.double(try reader.number(node, expected)))
    case .object:
      guard let key = reader.keys(node).first, reader.keys(node).count == 1 else {
        throw reader.mismatch(node, expected)
      }
      try reader.refuseUnknown(node, ["date", "ago", "ahead"], of: "a date")
      return try reader.required(node, key, expected) { (node) throws(DocumentError) in
        if key == "date" { return .value(.date(try time(node))) }
        let period = try reader.integer(node, 0...Self.longest) * 1000
        return .ago(key == "ago" ? period : -period)
      }
    case .array, .null: throw reader.mismatch(node, expected)
    }
  }
}
