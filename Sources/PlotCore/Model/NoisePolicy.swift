/// When a fix counts, and when it counts as inside or outside of a region. The one place where inaccuracy is weighed
/// (docs/noise.md).
public struct NoisePolicy: Equatable, Sendable {
  /// Metres. A fix of worse accuracy decides nothing about a region that is not larger itself; nil: every fix does.
  public var maxAccuracy: Double?
  /// How much of its accuracy a fix must lie within a region to enter it, 0 to 1; never more than half the region's size.
  public var enterShare = 0.0
  /// How much of its accuracy a fix must lie beyond a region to leave it, 0 to 1.
  public var exitShare = 0.0
  /// The least metres beyond a region at which it is left.
  public var margin = 0.0
  /// The same as a share of the region's size.
  public var marginShare = 0.0
  /// The most metres that all of these ask for.
  public var maxMargin = 0.0
  /// So many fixes, one after the other, must say that a region was entered, or left.
  public var confirmFixes: Int64 = 1
  /// Fewer do to enter, but two at least, when nothing has spoken against the first for so long; 0: they never do.
  public var confirmTime: Milliseconds = 0
  /// One alone does when nothing has spoken against it for so long; 0: it never does.
  public var confirmAlone: Milliseconds = 0
  /// Least time inside before a region is entered.
  public var minInside: Milliseconds = 0
  /// Least time outside before it is left.
  public var minOutside: Milliseconds = 0
  /// Metres a second; who is faster passes by, and does not enter. Nil: everybody enters.
  public var maxSpeed: Double?
  /// Metres a second; a fix that nobody could have reached from the one before is left out. Nil: none is. Of the engine, not of a region.
  public var maxImpliedSpeed: Double?
  /// How the evidence of a device's track is weighed; nil for a policy of gates, which looks at each fix by itself. With it, the values above
  /// say nothing.
  public var evidence: EvidencePolicy?
  /// A fix may be older than the newest input by so much, if it is newer than the newest fix. Of the engine, not of a region.
  public var maxLateness: Milliseconds = 0
  /// Metres: a fix without a known accuracy counts as one of this accuracy; 0: as exact. Of the engine, not of a region.
  public var unknownAccuracy = 0.0

  /// Every fix is the truth.
  public static let exact = NoisePolicy()

  /// The default.
  public static let standard = balanced

  /// The gates that were the default before policies weighed evidence; the base of all others with gates.
  public static let gates: NoisePolicy = {
    var policy = NoisePolicy()
    policy.maxAccuracy = 100
    policy.exitShare = 1
    policy.margin = 20
    policy.marginShare = 0.1
    policy.maxMargin = 100
    return policy
  }()

  /// The policies that have a name, as in plotconfig.json and in a feed.
  public static let presets: [(name: String, policy: NoisePolicy)] = [
    ("default", standard), ("exact", exact), ("eager", eager), ("balanced", balanced), ("careful", careful),
    ("walking", balanced), ("driving", balanced), ("indoor", balanced), ("conservative", careful),
  ]

  /// Names whose values never change: those that a preset had up to a release that changed it. What must be the same for ever, as a
  /// vector or a test of an app, names one of these.
  public static let permanent: [(name: String, policy: NoisePolicy)] = [
    ("default-1", gates), ("walking-1", walkingGates), ("driving-1", drivingGates), ("indoor-1", indoorGates),
    ("conservative-1", conservativeGates),
  ]

  public static let eager = weighing(.eager)
  public static let balanced = weighing(.balanced)
  public static let careful = weighing(.careful)

  private static func weighing(_ evidence: EvidencePolicy) -> NoisePolicy {
    var policy = NoisePolicy()
    policy.evidence = evidence
    // Systems hand fixes over in batches, minutes later.
    policy.maxLateness = 3_600_000
    policy.unknownAccuracy = 30
    return policy
  }

  public static let walkingGates: NoisePolicy = {
    var policy = gates
    policy.confirmFixes = 2
    policy.confirmAlone = 300_000
    policy.maxImpliedSpeed = 20
    policy.maxLateness = 5000
    return policy
  }()

  public static let drivingGates: NoisePolicy = {
    var policy = gates
    policy.margin = 40
    policy.confirmFixes = 3
    policy.confirmTime = 10_000
    policy.confirmAlone = 1_200_000
    policy.maxImpliedSpeed = 70
    policy.maxLateness = 5000
    return policy
  }()

  public static let indoorGates: NoisePolicy = {
    var policy = gates
    policy.maxAccuracy = 50
    policy.margin = 10
    policy.maxMargin = 50
    policy.confirmFixes = 3
    policy.confirmTime = 20_000
    policy.confirmAlone = 300_000
    policy.minOutside = 30_000
    policy.maxImpliedSpeed = 10
    policy.maxLateness = 5000
    return policy
  }()

  public static let conservativeGates: NoisePolicy = {
    var policy = gates
    policy.enterShare = 1
    policy.margin = 50
    policy.maxMargin = 150
    policy.confirmFixes = 3
    policy.confirmTime = 60_000
    policy.confirmAlone = 600_000
    policy.minInside = 30_000
    policy.minOutside = 60_000
    policy.maxSpeed = 8
    policy.maxImpliedSpeed = 70
    return policy
  }()

  /// The meaning of the names of presets.
  public enum Names: Sendable {
    case present
    /// As in the first releases: `walking` is `walking-1`.
    case first
  }

  /// All that have a name; a preset comes before a permanent name of the same values.
  public static let named = presets + permanent

  /// The policy of a name, a preset's or a permanent one.
  public static func preset(_ name: String, _ names: Names = .present) -> NoisePolicy? {
    func policy(_ name: String) -> NoisePolicy? { named.first { $0.name == name }?.policy }
    return names == .first ? policy(name + "-1") ?? policy(name) : policy(name)
  }

  /// The default, as a release with these names had it.
  public static func standard(_ names: Names) -> NoisePolicy { preset("default", names) ?? standard }
}

/// The meaning of being inside at the first fix.
public enum InitialPolicy: String, CaseIterable, Sendable {
  /// A visit, but neither an enter nor a dwelling comes of it.
  case none
  /// An enter like any other.
  case enter
  /// A visit without an enter; dwellings are counted from here.
  case dwellOnly
}
