internal import PlotCore

/// A noise policy as plotconfig.json and a feed write it: a name, or an object of a `preset` and what differs from it (docs/noise.md). Of an
/// object the keys say which of two kinds it is: one with gates, or one that weighs evidence.
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

  /// Of policies with gates.
  static func gates(ofRegion: Bool) -> [Key] {
    let shared: [Key] = [
      .limit("maxAccuracy", \.maxAccuracy, most: 100_000), .number("enterShare", \.enterShare, most: 1),
      .number("exitShare", \.exitShare, most: 1), .number("margin", \.margin, most: 100_000),
      .number("marginShare", \.marginShare, most: 1), .number("maxMargin", \.maxMargin, most: 100_000),
      .count("confirmFixes", \.confirmFixes, 1...100), .seconds("confirmTime", \.confirmTime, most: 86_400),
      .seconds("confirmAlone", \.confirmAlone, most: 86_400),
      .seconds("minInside", \.minInside, most: 86_400), .seconds("minOutside", \.minOutside, most: 86_400),
      .limit("maxSpeed", \.maxSpeed, most: 1000),
    ]
    return ofRegion ? shared : shared + [.limit("maxImpliedSpeed", \.maxImpliedSpeed, most: 100_000)]
  }

  /// Of policies that weigh evidence.
  static func evidenceKeys(ofRegion: Bool) -> [Key] {
    let shared: [Key] = [
      .count("enterFixes", \.weighed.enterFixes, 1...100), .number("enterDepth", \.weighed.enterDepth, most: 1),
      .number("slowDepth", \.weighed.slowDepth, most: 1), .number("roughDepth", \.weighed.roughDepth, most: 10),
      .number("enterSlack", \.weighed.enterSlack, most: 1), .count("exitFixes", \.weighed.exitFixes, 1...100),
      .number("cellReach", \.weighed.cellReach, most: 10),
    ]
    return ofRegion ? shared : shared + [.seconds("jumpTime", \.weighed.jumpTime, most: 3600)]
  }

  /// Of both.
  static func keys(ofRegion: Bool) -> [Key] {
    gates(ofRegion: ofRegion) + evidenceKeys(ofRegion: ofRegion) + common(ofRegion: ofRegion)
  }

  static func common(ofRegion: Bool) -> [Key] {
    ofRegion
      ? []
      : [
        .seconds("maxLateness", \.maxLateness, most: 3600),
        .number("unknownAccuracy", \.unknownAccuracy, most: 100_000),
      ]
  }

  /// Of one that weighs evidence.
  private var weighed: EvidencePolicy {
    get { evidence ?? .balanced }
    set { evidence = newValue }
  }

  static let names = presets.map { "\"\($0.name)\"" }.joined(separator: " or ")

  static func read(
    _ node: Node, _ reader: JSONReader, ofRegion: Bool, _ meaning: Names = .present
  ) throws(DocumentError) -> NoisePolicy {
    func knownName(_ node: Node, _ expected: String) throws(DocumentError) -> String {
      let name = try reader.string(node, expected)
      guard preset(name, meaning) != nil else { throw reader.mismatch(node, expected) }
      return name
    }
    guard node.isObject else {
      let name = try knownName(node, names + " or an object")
      return standing(for: name, meaning, ofRegion)
    }
    let keys = keys(ofRegion: ofRegion)
    try reader.refuseUnknown(node, ["preset"] + keys.map(\.name), of: "a noise policy")
    let given = Set(reader.keys(node))
    let gate = gates(ofRegion: false).first { given.contains($0.name) }
    let weight = evidenceKeys(ofRegion: false).first { given.contains($0.name) }
    let base =
      try reader.member(node, "preset") { (node) throws(DocumentError) in
        let name = try knownName(node, names)
        let policy = standing(for: name, meaning, ofRegion)
        // The gates of a preset that has them no more are those of its permanent name.
        if let gate, policy.evidence != nil, gated(name) == nil {
          throw reader.mismatch(node, "a preset with gates beside \"\(gate.name)\", as \"default-1\"")
        }
        if let weight, policy.evidence == nil {
          throw reader.mismatch(node, "a preset that weighs evidence beside \"\(weight.name)\", as \"balanced\"")
        }
        return name
      } ?? "default"
    if let gate, let weight {
      _ = try reader.member(node, weight.name) { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"\(weight.name)\" beside \"\(gate.name)\": a policy has gates, or it weighs evidence",
          found: reader.describe(node))
      }
    }
    var policy = standing(for: base, meaning, ofRegion)
    if gate != nil, policy.evidence != nil, let gated = gated(base) { policy = ofRegion ? gated.ofRegion : gated }
    if weight != nil, policy.evidence == nil { policy = ofRegion ? balanced.ofRegion : balanced }
    for key in keys {
      _ = try reader.member(node, key.name) { (node) throws(DocumentError) in
        switch key {
        case .limit(_, let path, let most):
          let value = try number(node, reader, most)
          policy[keyPath: path] = value > 0 ? value : nil
        case .number(_, let path, let most): policy[keyPath: path] = try number(node, reader, most)
        case .count(_, let path, let range): policy[keyPath: path] = try reader.integer(node, range)
        case .seconds(_, let path, let most):
          policy[keyPath: path] = try reader.integer(node, 0...most) * 1000
        }
      }
    }
    return policy
  }

  /// The policy of a known name.
  private static func standing(for name: String, _ meaning: Names, _ ofRegion: Bool) -> NoisePolicy {
    let policy = preset(name, meaning) ?? standard(meaning)
    return ofRegion ? policy.ofRegion : policy
  }

  /// The gates that a preset has, or had under its permanent name.
  private static func gated(_ name: String) -> NoisePolicy? {
    [name, name + "-1"].lazy.compactMap { preset($0) }.first { $0.evidence == nil }
  }

  /// Without what only an engine has.
  private var ofRegion: NoisePolicy {
    var policy = self
    policy.maxImpliedSpeed = nil
    policy.maxLateness = 0
    policy.unknownAccuracy = 0
    if policy.evidence != nil { policy.weighed.jumpTime = EvidencePolicy.balanced.jumpTime }
    return policy
  }

  private static func number(
    _ node: Node, _ reader: JSONReader, _ most: Double
  ) throws(DocumentError) -> Double {
    try reader.number(node, 0...most, "a number from 0 to \(Int(saturating: most))")
  }

  /// A name where there is one, with this meaning; or else every key, and with `names` nil, always.
  func write(to json: inout JSONText, ofRegion: Bool, _ names: Names? = .present) {
    func isSame(_ name: String) -> Bool {
      Self.preset(name, names ?? .present).map { (ofRegion ? $0.ofRegion : $0) == self } ?? false
    }
    if names != nil, let name = Self.named.map(\.name).first(where: isSame) { return json.value(name) }
    let own = evidence == nil ? Self.gates(ofRegion: ofRegion) : Self.evidenceKeys(ofRegion: ofRegion)
    json.object { json in
      for key in own + Self.common(ofRegion: ofRegion) {
        // Recordings from before there was one are written as they are.
        if names != .present, key.name == "unknownAccuracy", unknownAccuracy == 0 { continue }
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
