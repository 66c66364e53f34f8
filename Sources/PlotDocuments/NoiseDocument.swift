internal import PlotCore

/// A noise policy as plotconfig.json and a feed write it: a name, or an object of a `preset` and what differs from it (docs/noise.md).
extension NoisePolicy {
  /// One key of the object. For limits in metres and metres a second, 0 stands for none.
  enum Key {
    case limit(String, WritableKeyPath<NoisePolicy, Double?>, most: Double)
    case number(String, WritableKeyPath<NoisePolicy, Double>, most: Double)
    case count(String, WritableKeyPath<NoisePolicy, Int64>, ClosedRange<Int64>)
    case seconds(String, WritableKeyPath<NoisePolicy, Milliseconds>, most: Int64)

    var name: String {
      switch self {
      case .limit(let name, _, _), .number(let name, _, _), .count(let name, _, _), .seconds(let name, _, _): name
      }
    }
  }

  static func keys(ofRegion: Bool) -> [Key] {
    let shared: [Key] = [
      .limit("maxAccuracy", \.maxAccuracy, most: 100_000), .number("enterShare", \.enterShare, most: 1),
      .number("exitShare", \.exitShare, most: 1), .number("margin", \.margin, most: 100_000),
      .number("marginShare", \.marginShare, most: 1), .number("maxMargin", \.maxMargin, most: 100_000),
      .count("confirmFixes", \.confirmFixes, 1...100), .seconds("confirmTime", \.confirmTime, most: 86_400),
      .seconds("confirmAlone", \.confirmAlone, most: 86_400),
      .seconds("minInside", \.minInside, most: 86_400), .seconds("minOutside", \.minOutside, most: 86_400),
      .limit("maxSpeed", \.maxSpeed, most: 1000),
    ]
    if ofRegion { return shared }
    return shared + [
      .limit("maxImpliedSpeed", \.maxImpliedSpeed, most: 100_000),
      .seconds("maxLateness", \.maxLateness, most: 3600),
    ]
  }

  static let names = presets.map { "\"\($0.name)\"" }.joined(separator: " or ")

  static func read(
    _ node: JSONReader.Node, _ reader: JSONReader, ofRegion: Bool, _ meaning: Names = .present
  ) throws(DocumentError) -> NoisePolicy {
    func named(_ node: JSONReader.Node, _ expected: String) throws(DocumentError) -> NoisePolicy {
      guard let policy = preset(unsafe try reader.string(node, expected), meaning) else {
        throw unsafe reader.mismatch(node, expected)
      }
      return policy
    }
    guard unsafe reader.kind(node) == .object else {
      let policy = unsafe try named(node, names + " or an object")
      return ofRegion ? policy.ofRegion : policy
    }
    let keys = keys(ofRegion: ofRegion)
    unsafe try reader.refuseUnknown(node, ["preset"] + keys.map(\.name), of: "a noise policy")
    var policy =
      unsafe try reader.member(node, "preset") { (node) throws(DocumentError) in unsafe try named(node, names) }
      ?? standard(meaning)
    for key in keys {
      _ = unsafe try reader.member(node, key.name) { (node) throws(DocumentError) in
        switch key {
        case .limit(_, let path, let most):
          let value = unsafe try number(node, reader, most)
          policy[keyPath: path] = value > 0 ? value : nil
        case .number(_, let path, let most): policy[keyPath: path] = unsafe try number(node, reader, most)
        case .count(_, let path, let range): policy[keyPath: path] = unsafe try reader.integer(node, range)
        case .seconds(_, let path, let most):
          policy[keyPath: path] = unsafe try reader.integer(node, 0...most) * 1000
        }
      }
    }
    return ofRegion ? policy.ofRegion : policy
  }

  /// Without what only an engine has.
  private var ofRegion: NoisePolicy {
    var policy = self
    policy.maxImpliedSpeed = nil
    policy.maxLateness = 0
    return policy
  }

  private static func number(
    _ node: JSONReader.Node, _ reader: JSONReader, _ most: Double
  ) throws(DocumentError) -> Double {
    let expected = "a number from 0 to \(Int(saturating: most))"
    let value = unsafe try reader.number(node, expected)
    guard (0...most).contains(value) else { throw unsafe reader.mismatch(node, expected) }
    return value
  }

  /// A name where there is one, with this meaning; or else every key, and with `names` nil, always.
  func write(to json: inout JSONText, ofRegion: Bool, _ names: Names? = .present) {
    func isSame(_ name: String) -> Bool {
      Self.preset(name, names ?? .present).map { (ofRegion ? $0.ofRegion : $0) == self } ?? false
    }
    if names != nil, let name = Self.presets.map(\.name).first(where: isSame) { return json.value(name) }
    json.object { json in
      for key in Self.keys(ofRegion: ofRegion) {
        switch key {
        case .limit(let name, let path, _): json.member(name, self[keyPath: path] ?? 0)
        case .number(let name, let path, _): json.member(name, self[keyPath: path])
        case .count(let name, let path, _): json.member(name, self[keyPath: path])
        case .seconds(let name, let path, _): json.member(name, self[keyPath: path] / 1000)
        }
      }
    }
  }
}
