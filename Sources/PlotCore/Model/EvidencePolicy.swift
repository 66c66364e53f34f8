/// How much must speak for it until a region counts as entered, or left, where a device has a track (docs/noise.md). Accuracies are
/// the radii within which a position lies with a probability of 68 %.
public struct EvidencePolicy: Equatable, Sendable {
  /// So many fixes in a row must lie inside to enter on the way.
  public var enterFixes: Int64 = 1
  /// How much of its accuracy a fix must lie within the edge to enter alone; never more than a fifth of the region's size.
  public var enterDepth = 0.0
  /// The same in addition for a device that is slow, and not known to be at rest yet.
  public var slowDepth = 0.8
  /// How far within the edge a fix must lie to enter alone, as a share of how far neighbouring fixes disagree.
  public var roughDepth = 1.0
  /// How far beyond the edge a fix may enter whose neighbours agree better than it claims: a share of the difference.
  public var enterSlack = 0.5
  /// So many fixes, each with its whole error circle beyond the margin, leave on the way; one less when fixes come seldom.
  public var exitFixes: Int64 = 4
  /// A fix inside enters if what cells alone tell lies at most so many uncertainties beyond the edge; 0: never.
  public var cellReach = 1.25
  /// How long a jump must last to be believed. Of the engine, not of a region.
  public var jumpTime: Milliseconds = 60_000

  /// No fix is taken to be better than 8 m, whatever it claims.
  static func accuracy(_ claimed: Double) -> Double { max(claimed, leastAccuracy) }

  static let leastAccuracy = 8.0
  /// At rest, so many fixes in a row with their whole error circle inside enter where the anchor cannot tell.
  static let fixesAtRest: Int64 = 3
  /// An accuracy of more metres may be coarse.
  static let coarse = 50.0

  /// Metres beyond a region's edge at which its visit ends, beside what is not known.
  static func exitMargin(_ size: Double) -> Double { max(0.1 * size, 20) }

  /// Whether what lies so far beyond a region's edge lies there with its whole error circle, and beyond the margin.
  static func isBeyond(_ distance: Double, _ error: Double, size: Double) -> Bool {
    distance - exitError(error, size) > exitMargin(size)
  }

  /// How far beyond the edge a fix may be wrong, for a region of this size.
  static func exitError(_ error: Double, _ size: Double) -> Double { min(error, max(150, size)) }

  public static let balanced = EvidencePolicy()
  public static let eager = EvidencePolicy(
    slowDepth: 0, roughDepth: 0, enterSlack: 0.7, exitFixes: 3, cellReach: 2, jumpTime: 45_000)
  public static let careful = EvidencePolicy(enterFixes: 2, enterDepth: 0.5, enterSlack: 0, cellReach: 0)
}
