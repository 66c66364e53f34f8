public import PlotCore

/// The abilities of the host (docs/plotconfig.md, `engine.capabilities`).
public struct Capabilities: Equatable, Sendable {
  /// It can keep a message from being shown.
  public var suppress: Bool
  /// It can take off the screen what is there.
  public var removeDelivered: Bool
  /// Seconds that the system waits for a word about a message; nil when it waits as long as it takes.
  public var messageDeadline: Int64?
  public var fallback: SuppressFallback

  init(_ values: [String: Property.Value]) {
    suppress = values["suppress"]?.boolean ?? true
    removeDelivered = values["removeDelivered"]?.boolean ?? true
    messageDeadline = values["messageDeadline"]?.integer
    fallback = values["fallback"]?.string.flatMap(SuppressFallback.init) ?? .placeholder
  }
}

extension Property {
  /// Under the key `capabilities` of the engine's own.
  static let capabilities: [Property] = [
    Property("suppress", .boolean, .boolean(true)),
    Property("removeDelivered", .boolean, .boolean(true)),
    Property("messageDeadline", .integer(3...86_400)),
    Property(
      "fallback", .choice(SuppressFallback.allCases.map(\.rawValue)), .string(SuppressFallback.placeholder.rawValue)),
  ]
}
