/// Fixes that nobody could have reached from the one before, the newest of them, and how many agree.
struct Suspects {
  var fix: Fix
  var count: Int

  /// How many must agree until it was the fix before them that was wrong.
  static let enough = 3

  enum Answer {
    /// One can have come here.
    case possible
    /// It is left out.
    case suspect(Suspects)
    /// Enough agree: the fix before them was wrong.
    case believed
  }

  /// Whether one can have come to a fix from the newest one. `mostSpeed`: metres a second; nil for any.
  static func weigh(_ fix: Fix, after last: Fix?, _ suspects: Suspects?, mostSpeed: Double?) -> Answer {
    guard let mostSpeed, let last, fix.time >= last.time, Motion.leastSpeed(from: last, to: fix) > mostSpeed
    else { return .possible }
    var count = 1
    if let suspects, fix.time >= suspects.fix.time, Motion.leastSpeed(from: suspects.fix, to: fix) <= mostSpeed {
      count = suspects.count + 1
    }
    return count < enough ? .suspect(Suspects(fix: fix, count: count)) : .believed
  }
}
