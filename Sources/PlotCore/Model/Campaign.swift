/// The event at a place that a campaign waits for. Dwelling takes 5 to 720 minutes.
public enum Trigger: Equatable, Sendable {
  case enter
  case exit
  case dwelling(minutes: Int64)
  /// Entered, and still there when clocks come to this minute of the day, 0 to 1,439.
  case inside(minuteOfDay: Int64)

  /// There in at most so many seconds, 10 to 3,600, at the present course and speed.
  case approaching(seconds: Int64)

  /// Nobody was there, as the campaign's `absence` says.
  case absent

  /// Something has happened on a trip to the region.
  case trip(TripMoment)

  public static let dwellingRange: ClosedRange<Int64> = 5...720

  public var name: String {
    switch self {
    case .enter: "enter"
    case .exit: "exit"
    case .dwelling: "dwelling"
    case .inside: "inside"
    case .approaching: "approaching"
    case .absent: "absent"
    case .trip: "trip"
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
    case .exit, .approaching, .absent, .trip: false
    }
  }

  /// The parameter that tells it from others of its name.
  var parameter: Int64 {
    switch self {
    case .enter, .exit, .absent: 0
    case .dwelling(let minutes): minutes
    case .inside(let minute): minute
    case .approaching(let seconds): seconds
    case .trip(let moment): moment.number
    }
  }

  public var tripMoment: TripMoment? {
    if case .trip(let moment) = self { moment } else { nil }
  }

  public var insideMinute: Int64? {
    if case .inside(let minute) = self { minute } else { nil }
  }
}

/// The effect of opening a notification. Android spells the last one `appLink`.
public enum HandlerType: String, CaseIterable, Sendable {
  case regular, landingPage, applink
}

/// How often one notification may be shown.
public enum RepeatRule: Equatable, Sendable {
  case once
  case always
  /// Again when at least this much time has passed.
  case after(Milliseconds)
}

/// One message, or one silent trigger, over a set of regions.
public struct Campaign: Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    case notification(HandlerType)
    case geotrigger
  }

  /// The values of a campaign: its properties say what each is.
  public struct Values: Equatable, Sendable {
    public var id: Identifier
    public var kind: Kind
    public var text: Template
    public var data: Template = .empty
    public var content: ContentTemplate?
    public var trigger: Trigger
    public var regions: [Int] = []
    public var start: Milliseconds?
    public var end: Milliseconds?
    public var times: TriggerTimes = .standard
    public var segmentation: Segment?
    public var repeatRule: RepeatRule = .once
    public var cooldownAnchor: CooldownAnchor = CooldownAnchor.shown
    public var priority: Int64 = 0
    public var stay = Stay()
    public var showsLate: Bool = false
    public var correlationKey: Template?
    public var exclusionGroup: Identifier?
    public var coalescingGroup: Identifier?
    public var filtersAtEnter: Bool?
    public var welcome: Welcome?
    public var countsPassages: Bool = false
    public var repeatEvery: Milliseconds?
    public var isDaily: Bool = false
    public var after: Chain?
    public var visits: VisitRule?
    public var tags: [Identifier] = []
    public var caps: [Cap] = []
    public var quietHours: [QuietHours] = []
    public var crossing: CrossingRule?
    public var absence: AbsenceRule?
    public var holdout: Holdout?
    public var translations: [Translation] = []

    public init(id: Identifier, kind: Kind, text: Template, trigger: Trigger) {
      self.id = id
      self.kind = kind
      self.text = text
      self.trigger = trigger
    }
  }

  private var boxed: Boxed<Values>

  public var description: String { boxed.description }

  public var id: Identifier {
    _read { yield boxed.values.id }
    _modify { yield &boxed.values.id }
  }

  public var kind: Kind {
    _read { yield boxed.values.kind }
    _modify { yield &boxed.values.kind }
  }

  /// The message of a notification, the name of a geotrigger.
  public var text: Template {
    _read { yield boxed.values.text }
    _modify { yield &boxed.values.text }
  }

  public var data: Template {
    _read { yield boxed.values.data }
    _modify { yield &boxed.values.data }
  }

  /// Notifications only.
  public var content: ContentTemplate? {
    _read { yield boxed.values.content }
    _modify { yield &boxed.values.content }
  }

  /// The category that its content names.
  public var category: String? { boxed.values.content?.category }

  public var trigger: Trigger {
    _read { yield boxed.values.trigger }
    _modify { yield &boxed.values.trigger }
  }

  /// Positions in the feed's regions.
  public var regions: [Int] {
    _read { yield boxed.values.regions }
    _modify { yield &boxed.values.regions }
  }

  /// Active from here on.
  public var start: Milliseconds? {
    _read { yield boxed.values.start }
    _modify { yield &boxed.values.start }
  }

  /// Active before this.
  public var end: Milliseconds? {
    _read { yield boxed.values.end }
    _modify { yield &boxed.values.end }
  }

  public var times: TriggerTimes {
    _read { yield boxed.values.times }
    _modify { yield &boxed.values.times }
  }

  /// Nil for everybody.
  public var segmentation: Segment? {
    _read { yield boxed.values.segmentation }
    _modify { yield &boxed.values.segmentation }
  }

  public var repeatRule: RepeatRule {
    _read { yield boxed.values.repeatRule }
    _modify { yield &boxed.values.repeatRule }
  }

  /// From when the campaign's own cooldown counts.
  public var cooldownAnchor: CooldownAnchor {
    _read { yield boxed.values.cooldownAnchor }
    _modify { yield &boxed.values.cooldownAnchor }
  }

  /// Higher goes first.
  public var priority: Int64 {
    _read { yield boxed.values.priority }
    _modify { yield &boxed.values.priority }
  }

  /// When its notification leaves the screen by itself.
  public var stay: Stay {
    _read { yield boxed.values.stay }
    _modify { yield &boxed.values.stay }
  }

  /// Whether it is shown during the visit alone.
  var belongsToVisit: Bool { stay.endsAtExit && trigger.isInVisit && welcome == nil }

  /// Whether it is shown though its visit was over when the fixes of it were handed over.
  public var showsLate: Bool {
    _read { yield boxed.values.showsLate }
    _modify { yield &boxed.values.showsLate }
  }

  /// Notifications with the same key replace each other on the screen.
  public var correlationKey: Template? {
    _read { yield boxed.values.correlationKey }
    _modify { yield &boxed.values.correlationKey }
  }

  /// Of one such group, one is on the screen at a time.
  public var exclusionGroup: Identifier? {
    _read { yield boxed.values.exclusionGroup }
    _modify { yield &boxed.values.exclusionGroup }
  }

  /// Notifications of one such group that come at once become one.
  public var coalescingGroup: Identifier? {
    _read { yield boxed.values.coalescingGroup }
    _modify { yield &boxed.values.coalescingGroup }
  }

  /// For a dwelling campaign: whether the app's filter is asked at the enter, as on iOS; nil: as the configuration says.
  public var filtersAtEnter: Bool? {
    _read { yield boxed.values.filtersAtEnter }
    _modify { yield &boxed.values.filtersAtEnter }
  }

  /// Whether it is a dwelling about which the app's filter is asked at the enter; `standard`: what the configuration says.
  func asksAtEnter(_ standard: Bool) -> Bool { trigger.dwellingMinutes > 0 && filtersAtEnter ?? standard }

  /// Whether `welcome` is set, without copying it.
  var isWelcome: Bool { boxed.values.welcome != nil }

  public var welcome: Welcome? {
    _read { yield boxed.values.welcome }
    _modify { yield &boxed.values.welcome }
  }

  /// For an enter or an exit: whether the way between two fixes through the region counts.
  public var countsPassages: Bool {
    _read { yield boxed.values.countsPassages }
    _modify { yield &boxed.values.countsPassages }
  }

  /// For an enter or a dwelling: how often it comes again while the visit lasts; nil for once.
  public var repeatEvery: Milliseconds? {
    _read { yield boxed.values.repeatEvery }
    _modify { yield &boxed.values.repeatEvery }
  }

  /// For an inside: whether it comes again on each day of the visit.
  public var isDaily: Bool {
    _read { yield boxed.values.isDaily }
    _modify { yield &boxed.values.isDaily }
  }

  /// Events that must have happened before the trigger comes.
  public var after: Chain? {
    _read { yield boxed.values.after }
    _modify { yield &boxed.values.after }
  }

  /// Nil for every visit.
  public var visits: VisitRule? {
    _read { yield boxed.values.visits }
    _modify { yield &boxed.values.visits }
  }

  /// Tags that caps and quiet hours of the settings may name.
  public var tags: [Identifier] {
    _read { yield boxed.values.tags }
    _modify { yield &boxed.values.tags }
  }

  public var caps: [Cap] {
    _read { yield boxed.values.caps }
    _modify { yield &boxed.values.caps }
  }

  public var quietHours: [QuietHours] {
    _read { yield boxed.values.quietHours }
    _modify { yield &boxed.values.quietHours }
  }

  /// For an enter or an exit: how the region's edge must be crossed; nil for any way.
  public var crossing: CrossingRule? {
    _read { yield boxed.values.crossing }
    _modify { yield &boxed.values.crossing }
  }

  /// The absence that it waits for; nil unless the trigger is `absent`.
  public var absence: AbsenceRule? {
    _read { yield boxed.values.absence }
    _modify { yield &boxed.values.absence }
  }

  /// Its texts in other languages; `text` is for those who want none of them.
  public var translations: [Translation] {
    _read { yield boxed.values.translations }
    _modify { yield &boxed.values.translations }
  }

  /// Whether `translations` has some, without copying it.
  var isTranslated: Bool { !boxed.values.translations.isEmpty }

  /// The same with the texts that suit `languages` best, and the language of these.
  func worded(for languages: String) -> (campaign: Campaign, language: String) {
    guard let place = Languages.best(of: translations.map(\.language), for: languages) else {
      return (self, Languages.standard)
    }
    let translation = translations[place]
    var campaign = self
    campaign.text = translation.message
    if let title = translation.title { campaign.content?.title = title }
    if let subtitle = translation.subtitle { campaign.content?.subtitle = subtitle }
    if let body = translation.body { campaign.content?.body = body }
    return (campaign, translation.language)
  }

  /// The people who do not get it, so that its effect can be measured; nil for nobody.
  public var holdout: Holdout? {
    _read { yield boxed.values.holdout }
    _modify { yield &boxed.values.holdout }
  }

  public init(
    id: Identifier, kind: Kind, text: Template, data: Template, trigger: Trigger, regions: [Int],
    start: Milliseconds? = nil, end: Milliseconds? = nil, times: TriggerTimes = .standard, segmentation: Segment? = nil,
    repeatRule: RepeatRule = .once
  ) {
    var values = Values(id: id, kind: kind, text: text, trigger: trigger)
    values.data = data
    values.regions = regions
    values.start = start
    values.end = end
    values.times = times
    values.segmentation = segmentation
    values.repeatRule = repeatRule
    boxed = Boxed(values)
  }

  public init(_ values: consuming Values) { boxed = Boxed(values) }
}
