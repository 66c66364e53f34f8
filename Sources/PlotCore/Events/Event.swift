/// Something that happened (docs/events.md).
public struct Event: Equatable, Sendable {
  public var time: Milliseconds
  public var kind: Kind
  /// Counts up by one per store.
  public var sequence: Int64
  /// Empty for a message and for the store, as is the visit.
  public var region: Identifier
  public var visit: String
  /// Where the region stands in the feed that was in force, when that was known without a look; `position(in:)` says it always.
  var place: Int?
  /// Region events only.
  public var ordinal: Int64?
  /// The fix that led to it.
  public var coordinate: Coordinate?
  /// When the region was entered or left; nil when that was at `time`.
  public var since: Milliseconds?
  /// The source of the event; nil for a fix.
  public var source: Source?
  /// The notification or geotrigger it is about.
  public var item: Item?
  /// Nil for most events, which keeps them small: an event is moved several times.
  private var boxed: Boxed<Rest>?

  private struct Rest: Equatable, Sendable {
    var dwellingMinutes: Int64?
    var arrivalSeconds: Int64?
    var arrival: Milliseconds?
    var absence: Absence?
    var trip: Boxed<Trip>?
    var action: String?
    var recovered = false
    var isLate = false
    var reason: String?
    var holdout: Identifier?
    var lost: [StorePart]?
    var advertising: Advertising?
  }

  init(time: Milliseconds, kind: Kind, sequence: Int64, region: Identifier, visit: String) {
    self.time = time
    self.kind = kind
    self.sequence = sequence
    self.region = region
    self.visit = visit
  }

  public var dwellingMinutes: Int64? {
    get { boxed?.values.dwellingMinutes }
    set { change(newValue != nil) { $0.dwellingMinutes = newValue } }
  }

  /// Of an approach: the campaign's seconds, and when the device would arrive.
  public var arrivalSeconds: Int64? {
    get { boxed?.values.arrivalSeconds }
    set { change(newValue != nil) { $0.arrivalSeconds = newValue } }
  }

  public var arrival: Milliseconds? {
    get { boxed?.values.arrival }
    set { change(newValue != nil) { $0.arrival = newValue } }
  }

  /// The span in which nobody was at a campaign's regions, and the part of it of which nothing is known.
  public struct Absence: Equatable, Sendable {
    public var campaign: Identifier
    public var from: Milliseconds
    public var to: Milliseconds
    public var unknown: Range<Milliseconds>?
  }

  public var absence: Absence? {
    get { boxed?.values.absence }
    set { change(newValue != nil) { $0.absence = newValue } }
  }

  /// The trip that it is about.
  public struct Trip: Equatable, Sendable {
    public var plan: TripPlan
    /// Metres that are left on the way; nil where that is not known.
    public var metres: Double?
    /// How much later than the deadline it is, or will be.
    public var delay: Milliseconds?
    /// Where the device is, and should not be.
    public var other: Identifier?
  }

  public var trip: Trip? {
    get { boxed?.values.trip?.values }
    set { change(newValue != nil) { $0.trip = newValue.map { Boxed($0) } } }
  }

  /// The id of the action that was taken.
  public var action: String? {
    get { boxed?.values.action }
    set { change(newValue != nil) { $0.action = newValue } }
  }

  /// The process ended between handing a notification to the host and its answer.
  public var recovered: Bool {
    get { boxed?.values.recovered ?? false }
    set { change(newValue) { $0.recovered = newValue } }
  }

  /// The fix behind it came late, or the event waited for a proof.
  public var isLate: Bool {
    get { boxed?.values.isLate ?? false }
    set { change(newValue) { $0.isLate = newValue } }
  }

  /// Why a notification was taken off the screen, or a message not shown.
  public var reason: String? {
    get { boxed?.values.reason }
    set { change(newValue != nil) { $0.reason = newValue } }
  }

  /// The holdout group in which it is known whether the person is.
  public var holdout: Identifier? {
    get { boxed?.values.holdout }
    set { change(newValue != nil) { $0.holdout = newValue } }
  }

  /// Of a store that was set aside: the parts of which something could not be read.
  public var lost: [StorePart]? {
    get { boxed?.values.lost }
    set { change(newValue != nil) { $0.lost = newValue } }
  }

  public var advertising: Advertising? {
    get { boxed?.values.advertising }
    set { change(newValue != nil) { $0.advertising = newValue } }
  }

  /// Changes `boxed`. Does not allocate it for a value that is the default.
  @inline(__always)
  private mutating func change(_ isSomething: Bool, _ body: (inout Rest) -> Void) {
    guard isSomething || boxed != nil else { return }
    var rest = boxed?.values ?? Rest()
    body(&rest)
    boxed = rest == Rest() ? nil : Boxed(rest)
  }

  /// Where its region stands in a feed; nil when it does not.
  public func position(in feed: Feed) -> Int? {
    if let place, feed.regions.indices.contains(place), feed.regions.id(at: place) == region { return place }
    return feed.region(region)
  }
}

/// The source of an enter or an exit.
public enum Source: String, CaseIterable, Sendable {
  /// A fix, inside or outside.
  case fix
  /// The way between two fixes that are both outside.
  case passage
  /// Sightings of a beacon, or their absence.
  case beacon
  /// The operating system.
  case hint
  /// A region of a group.
  case group
  /// The region has moved.
  case move
}

/// The identifier by which the person lets others know the device.
public struct Advertising: Equatable, Sendable {
  /// Nil when tracking is limited.
  public var identifier: String?
  public var limitsTracking: Bool

  public init(identifier: String?, limitsTracking: Bool) {
    self.identifier = identifier
    self.limitsTracking = limitsTracking
  }
}
