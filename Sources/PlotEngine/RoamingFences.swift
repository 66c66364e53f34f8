public import PlotCore

/// Fences that move with devices (docs/roaming.md): which devices come near each other, and part. Any thread may use it at any time.
public final class RoamingFences: Sendable {
  private let roaming: Lock<Roaming>

  /// Throws `invalid` for rules out of range.
  public init(_ rules: Roaming.Rules) throws(EngineError) {
    let most = Roaming.Rules.mostDistance
    guard rules.enter > 0, rules.enter <= most else {
      throw EngineError(
        argument: "enter_metres", expected: "metres above 0, at most 100000", found: "\(rules.enter)")
    }
    guard rules.exit >= rules.enter, rules.exit <= 2 * most else {
      throw EngineError(
        argument: "exit_metres", expected: "metres, not below enter_metres, at most 200000",
        found: "\(rules.exit)")
    }
    if let age = rules.longestAge, age < 0 {
      throw EngineError(argument: "max_age_ms", expected: "0 or more", found: "\(age)")
    }
    roaming = Lock(Roaming(rules))
  }

  /// Takes fixes in their order. Throws `invalid` for one that is none, and then nothing has changed. A device's fix that is older than its
  /// newest says nothing.
  public func update(_ count: Int, _ fix: (Int) -> (device: UInt32, fix: Fix)) throws(EngineError) -> [Roaming.Pair] {
    for index in 0..<count {
      try check(fix(index).fix, index)
    }
    return roaming.withLock { roaming in
      var pairs: [Roaming.Pair] = []
      for index in 0..<count {
        let (device, fix) = fix(index)
        roaming.take(fix.coordinate, of: device, at: fix.time, fix: index, into: &pairs)
      }
      return pairs
    }
  }

  private func check(_ fix: Fix, _ index: Int) throws(EngineError) {
    guard Timestamp.range.contains(fix.time) else {
      throw EngineError(
        argument: "times_ms[\(index)]", expected: Engine.timeForm, found: "\(fix.time)")
    }
    guard case .invalid(let name, let expected, let found) = fix.fault else { return }
    throw EngineError(argument: "\(name)s[\(index)]", expected: expected, found: found)
  }

  /// Forgets a device; nil for one that is not known.
  public func remove(_ device: UInt32) -> [Roaming.Pair]? {
    roaming.withLock { roaming in
      var pairs: [Roaming.Pair] = []
      return roaming.remove(device, into: &pairs) ? pairs : nil
    }
  }

  /// Forgets the devices whose newest fix is older than a time.
  public func expire(before time: Milliseconds) -> [Roaming.Pair] {
    roaming.withLock { roaming in
      var pairs: [Roaming.Pair] = []
      roaming.expire(before: time, into: &pairs)
      return pairs
    }
  }

  /// The pairs that are near each other.
  public var pairs: [Roaming.Pair] { roaming.withLock { $0.pairs() } }

  /// How many devices are known.
  public var count: Int { roaming.withLock { $0.count } }
}
