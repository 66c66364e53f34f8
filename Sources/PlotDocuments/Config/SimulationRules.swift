public import PlotCore

/// The actions of the app, its person and the device in a simulation (docs/rules-file.md). The first rule of a list that is about an item decides.
public struct SimulationRules: Equatable, Sendable {
  /// Nil: the app has no filter.
  public var filter: [Rule<Answer>]?
  /// Nil: the app has no geotrigger handler.
  public var geotriggers: [Rule<Answer>]?
  public var strategies: [AppStrategy] = []
  /// Whether showing fails.
  public var show: [Rule<Bool>] = []
  /// Whether taking off the screen fails.
  public var remove: [Rule<Bool>] = []
  public var person: [Rule<Act?>] = []
  /// By their times; those of one time in the order of the file.
  public var inputs: [Input] = []

  public init() {}

  public struct Rule<Outcome: Equatable & Sendable>: Equatable, Sendable {
    /// Nil: any.
    public var campaign: Identifier?
    public var region: Identifier?
    public var outcome: Outcome

    public func isAbout(_ item: Item) -> Bool {
      (campaign ?? item.campaign) == item.campaign && (region ?? item.region) == item.region
    }
  }

  /// The app's answer about one item of a batch.
  public struct Answer: Equatable, Sendable {
    public var keeps = true
    public var edit = Edit()
    /// How long after it was asked.
    public var after: Milliseconds = 0
  }

  /// New values of content keys (docs/items.md).
  public struct Edit: Equatable, Sendable {
    var keys: [String] = []
    /// Has the values of the keys; one that is taken away has none.
    var values = Content(message: "", data: "")

    public func applied(to content: Content) -> Content {
      var content = content
      for key in keys {
        switch key {
        case "message": content.message = values.message
        case "data": content.data = values.data
        case "badge": content.badge = values.badge
        case "attachments": content.attachments = values.attachments
        case "actions": content.actions = values.actions
        case "userInfo": content.userInfo = values.userInfo
        default: if let path = Self.texts[key] { content[keyPath: path] = values[keyPath: path] }
        }
      }
      return content
    }

    static var texts: [String: WritableKeyPath<Content, String?>] {
      ["title": \.title, "subtitle": \.subtitle, "body": \.body, "sound": \.sound, "category": \.category]
    }
  }

  /// A strategy of the app's own.
  public struct AppStrategy: Equatable, Sendable {
    public var key: Identifier
    /// The campaigns that it does not want shown, and not taken off the screen.
    public var veto: [Identifier] = []
    public var vetoDelete: [Identifier] = []
    public var minimumTime: Milliseconds?
    public var after = Strategy.Anchor.shown
    public var maximum: Maximum?

    /// At most so many in any stretch of this length.
    public struct Maximum: Equatable, Sendable {
      public var count: Int
      public var window: Milliseconds
    }
  }

  /// The person's action on a notification, so long after it was shown.
  public struct Act: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
      case open
      case dismiss
      case choose(action: String)
    }

    public var kind: Kind
    public var after: Milliseconds
  }

  /// Something that is set on the device.
  public struct Input: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
      case foreground(Bool)
      case network(Bool)
      case timeZone(String)
      /// Nil clears.
      case property(String, PropertyValue?)
      case startTrip(TripPlan)
      case endTrip(String, hasArrived: Bool)

      /// Whether the later of two takes the place of the earlier.
      public func isAboutTheSame(as other: Kind) -> Bool {
        switch (self, other) {
        case (.foreground, .foreground), (.network, .network), (.timeZone, .timeZone): true
        case (.property(let key, _), .property(let other, _)): Identifier(key) == Identifier(other)
        default: false
        }
      }
    }

    public var time: Milliseconds
    public var kind: Kind
  }

  /// Names of campaigns and regions that the feed does not have, each with its place, in words.
  public func strangers(in feed: Feed) -> [String] {
    var strangers: [String] = []
    func check(_ id: Identifier?, _ isKnown: (Identifier) -> Bool, _ kind: String, _ place: String) {
      if let id, !isKnown(id) { strangers.append("\(place): the feed has no \(kind) \"\(id.text)\"") }
    }
    func isCampaign(_ id: Identifier) -> Bool { feed.campaign(id) != nil }
    func check<Outcome>(_ rules: [Rule<Outcome>], _ list: String) {
      for (index, rule) in rules.enumerated() {
        check(rule.campaign, isCampaign, "campaign", "/\(list)/\(index)")
        check(rule.region, { feed.region($0) != nil }, "region", "/\(list)/\(index)")
      }
    }
    check(filter ?? [], "filter")
    check(geotriggers ?? [], "geotriggers")
    for (index, strategy) in strategies.enumerated() {
      for (position, id) in strategy.veto.enumerated() {
        check(id, isCampaign, "campaign", "/strategies/\(index)/veto/\(position)")
      }
      for (position, id) in strategy.vetoDelete.enumerated() {
        check(id, isCampaign, "campaign", "/strategies/\(index)/vetoDelete/\(position)")
      }
    }
    check(show, "show")
    check(remove, "remove")
    check(person, "person")
    for (index, input) in inputs.enumerated() {
      guard case .startTrip(let plan) = input.kind else { continue }
      for region in [plan.region] + plan.others {
        check(region, { feed.region($0) != nil }, "region", "/inputs/\(index)/startTrip")
      }
    }
    return strangers
  }
}

extension Array {
  /// The outcome of the first rule that is about an item; nil when none is.
  public func outcome<Outcome>(for item: Item) -> Outcome? where Element == SimulationRules.Rule<Outcome> {
    first { $0.isAbout(item) }?.outcome
  }
}
