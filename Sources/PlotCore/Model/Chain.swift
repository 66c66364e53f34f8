/// Events that must have happened before a campaign's own trigger comes, at regions, in this order (docs/feed.md, Steps).
public struct Chain: Equatable, Sendable {
  /// An event of a visit.
  public enum Event: Equatable, Sendable {
    case enter
    case exit
    case dwelling(minutes: Int64)

    public var name: String {
      switch self {
      case .enter: "enter"
      case .exit: "exit"
      case .dwelling: "dwelling"
      }
    }
  }

  public struct Link: Equatable, Sendable {
    public var region: Identifier
    public var event: Event
    /// It must not happen between the step before it and the next step.
    public var isForbidden: Bool

    public init(region: Identifier, event: Event, isForbidden: Bool = false) {
      self.region = region
      self.event = event
      self.isForbidden = isForbidden
    }

    /// As decisions name it.
    var text: String {
      if case .dwelling(let minutes) = event {
        "dwelling \(region.text) \(minutes)"
      } else {
        "\(event.name) \(region.text)"
      }
    }

    func matches(_ region: Identifier, _ event: Event) -> Bool { self.region == region && self.event == event }
  }

  /// A step, and what must not happen between it and the next.
  struct Stage: Equatable, Sendable {
    var step: Link
    var forbidden: [Link] = []
  }

  public static let limit = 16

  public let links: [Link]
  /// The most that may pass between the first step and the trigger.
  public let within: Milliseconds?
  let stages: [Stage]

  /// The first link must be a step.
  public init(links: [Link], within: Milliseconds? = nil) {
    self.links = links
    self.within = within
    var stages: [Stage] = []
    for link in links {
      if !link.isForbidden {
        stages.append(Stage(step: link))
      } else if !stages.isEmpty {
        stages[stages.count - 1].forbidden.append(link)
      }
    }
    self.stages = stages
  }

  /// How far one is, after an event. For each stage, `starts` has the latest time of a first step from which it was reached, with nothing
  /// forbidden since: the latest is the best for `within`.
  func advance(_ starts: inout [Milliseconds?], _ region: Identifier, _ event: Event, at time: Milliseconds) {
    // From last to first, so that one event counts for one step only.
    for position in stages.indices.reversed() {
      if stages[position].forbidden.contains(where: { $0.matches(region, event) }) { starts[position] = nil }
      guard stages[position].step.matches(region, event) else { continue }
      if let start = position == 0 ? time : starts[position - 1] { starts[position] = start }
    }
  }
}

/// Which visits of a region count, by their ordinals from 1 (docs/feed.md, Visits).
public struct VisitRule: Equatable, Sendable {
  public var from: Int64
  /// Nil for no end.
  public var to: Int64?
  public var every: Int64

  public static let range: ClosedRange<Int64> = 1...1_000_000

  public init(from: Int64 = 1, to: Int64? = nil, every: Int64 = 1) {
    self.from = from
    self.to = to
    self.every = every
  }

  func counts(_ ordinal: Int64) -> Bool {
    ordinal >= from && ordinal <= to ?? .max && (ordinal - from) % every == 0
  }
}
