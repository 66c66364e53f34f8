/// Why a campaign has not been shown at a region yet, or when it was (docs/explain.md).
public struct Explanation: Equatable, Sendable {
  /// An obstacle, or something that is waited for, that is no decision about a candidate.
  public enum State: String, CaseIterable, Sendable {
    case disabled
    case notAtRegion = "not-at-region"
    case noFix = "no-fix"
    case notInside = "not-inside"
    case entering
    case silent
    case dwelling
    case timeOfDay = "time-of-day"
    case exit
    case counted
    case absence
    case absenceReported = "absence-told"
    case noTrip = "no-trip"
    case trip
    case showing
    case turn
    case shown

    public var verdict: Verdict {
      switch self {
      case .shown: .pass
      case .disabled, .notAtRegion, .noFix, .notInside, .silent, .counted, .noTrip: .drop
      case .entering, .dwelling, .timeOfDay, .exit, .showing, .turn, .absence, .absenceReported, .trip: .hold
      }
    }
  }

  public enum Cause: Equatable, Sendable {
    case state(State, Inputs)
    case decision(Decision)
  }

  /// When it is so; of a decision that is remembered, when that was.
  public var time: Milliseconds
  public var campaign: Identifier
  public var region: Identifier
  public var cause: Cause
  /// The earliest time at which it could be shown, where that is known: all that has a time taken together.
  public var nextPossible: Milliseconds?
}

extension Explanation {
  /// How near it is to a showing; the least is the nearest.
  var rank: Int {
    switch cause {
    case .state(.showing, _): 0
    case .state(.turn, _): 1
    case .decision(let decision) where decision.verdict == .hold: 2
    case .state(.dwelling, _), .state(.timeOfDay, _), .state(.absence, _): 3
    case .state(.exit, _), .state(.entering, _), .state(.trip, _): 4
    case .state(.shown, _): 6
    case .state, .decision: 5
    }
  }
}
