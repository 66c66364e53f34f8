/// One record: a candidate came to a step, and this was the outcome.
public struct Decision: Equatable, Sendable {
  public var time: Milliseconds
  public var campaign: Identifier?
  public var region: Identifier?
  public var visit: String?
  /// The id of the message that it is about.
  public var message: String?
  public var step: Step
  public var verdict: Verdict
  public var reason: Reason
  /// The subject of the reason: a property, a field.
  public var detail: String?
  /// The values that the step decided on.
  public var inputs = Inputs()
  /// The earliest time at which it could pass, where that is known.
  public var nextPossible: Milliseconds?
}
