/// What must happen at a place (seed 001, 1.8). Dwelling takes 5 to 720 minutes.
public enum Trigger: Equatable, Sendable {
  case enter
  case exit
  case dwelling(minutes: Int64)
  /// Entered, and still there when clocks come to this minute of the day, 0 to 1,439.
  case inside(minuteOfDay: Int64)

  /// There in at most so many seconds, 10 to 3,600, at the present course and speed.
  case approaching(seconds: Int64)

  public static let dwellingRange: ClosedRange<Int64> = 5...720

  public var name: String {
    switch self {
    case .enter: "enter"
    case .exit: "exit"
    case .dwelling: "dwelling"
    case .inside: "inside"
    case .approaching: "approaching"
    }
  }

  public var dwellingMinutes: Int64 {
    if case .dwelling(let minutes) = self { minutes } else { 0 }
  }

  public var arrivalSeconds: Int64? {
    if case .approaching(let seconds) = self { seconds } else { nil }
  }

  /// Whether it comes in a visit that goes on.
  var isInVisit: Bool {
    switch self {
    case .enter, .dwelling, .inside: true
    case .exit, .approaching: false
    }
  }

  /// What tells it from others of its name.
  var parameter: Int64 {
    switch self {
    case .enter, .exit: 0
    case .dwelling(let minutes): minutes
    case .inside(let minute): minute
    case .approaching(let seconds): seconds
    }
  }

  public var insideMinute: Int64? {
    if case .inside(let minute) = self { minute } else { nil }
  }
}

/// What opening a notification leads to (seed 001, glossary). Android spells the last one `appLink`.
public enum HandlerType: String, CaseIterable, Sendable {
  case regular, landingPage, applink
}

/// How often one notification may be shown (seed 001, 1.1 and 1.3).
public enum RepeatRule: Equatable, Sendable {
  case once
  case always
  /// Again when at least this much time has passed.
  case after(Milliseconds)
}

/// One message, or one silent trigger, over a set of regions.
public struct Campaign: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case notification(HandlerType)
    case geotrigger
  }

  public var id: Identifier
  public var kind: Kind
  /// The message of a notification, the name of a geotrigger.
  public var text: Template
  public var data: Template
  /// Notifications only.
  public var content: ContentTemplate?
  public var trigger: Trigger
  /// Positions in the feed's regions.
  public var regions: [Int]
  /// Active from here on.
  public var start: Milliseconds?
  /// Active before this.
  public var end: Milliseconds?
  public var times: TriggerTimes
  /// Nil for everybody.
  public var segmentation: Segment?
  public var repeatRule: RepeatRule
  /// From when the campaign's own cooldown counts.
  public var cooldownAnchor = CooldownAnchor.shown
  /// Higher goes first.
  public var priority: Int64 = 0
  /// Whether its notification leaves the screen when the region is left (seed 004).
  public var removesOnExit = false
  /// Notifications with the same key replace each other on the screen (seed 003).
  public var correlationKey: Template?
  /// Of one such group, one is on the screen at a time.
  public var exclusionGroup: Identifier?
  /// Notifications of one such group that come at once become one.
  public var coalescingGroup: Identifier?
  /// For a dwelling campaign: whether the app's filter is asked at the enter, as on iOS (seed 000).
  public var filtersAtEnter = false
  public var welcome: Welcome?
  /// For an enter or an exit: whether the way between two fixes through the region counts.
  public var countsPassages = false
  /// For an enter or a dwelling: how often it comes again while the visit lasts; nil for once.
  public var repeatEvery: Milliseconds?
  /// What must have happened before the trigger comes.
  public var after: Chain?
  /// Nil for every visit.
  public var visits: VisitRule?
  /// What caps and quiet hours of the settings may be about.
  public var tags: [Identifier] = []
  public var caps: [Cap] = []
  public var quietHours: [QuietHours] = []

  public init(
    id: Identifier, kind: Kind, text: Template, data: Template, trigger: Trigger, regions: [Int],
    start: Milliseconds? = nil, end: Milliseconds? = nil, times: TriggerTimes = .standard, segmentation: Segment? = nil,
    repeatRule: RepeatRule = .once
  ) {
    self.id = id
    self.kind = kind
    self.text = text
    self.data = data
    self.trigger = trigger
    self.regions = regions
    self.start = start
    self.end = end
    self.times = times
    self.segmentation = segmentation
    self.repeatRule = repeatRule
  }
}

/// A typed value of the device (seed 001, 2.14).
public enum PropertyValue: Equatable, Sendable {
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case date(Milliseconds)

  public var typeName: String {
    switch self {
    case .string: "string"
    case .boolean: "boolean"
    case .integer: "integer"
    case .double: "double"
    case .date: "date"
    }
  }
}
