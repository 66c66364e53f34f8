/// A stay at a region, from its enter to its exit.
public struct Visit: Equatable, Sendable, CustomStringConvertible {
  /// A UUID made from the region, the ordinal and the time of the enter.
  public let id: String
  public let region: Identifier
  /// Which visit to this region it is, from 1.
  public let ordinal: Int64
  public let entered: Milliseconds
  /// From when its length is counted: `entered`, moved when the wall clock is set.
  public var since: Milliseconds
  /// True when the device was found inside at a first fix, and that is no enter (`InitialPolicy`).
  public let isSilent: Bool
  /// Whether dwellings are told.
  public let countsDwelling: Bool
  /// The dwelling times, in minutes, that have been told; ascending.
  public var dwelt: [Int64]
  /// The times of day that have been told, in their order.
  public var reportedInside: [InsideTime]
  /// Up to when repeated triggers have been told; nil when none has been.
  public var repeated: Milliseconds?
  /// Where its region stands in the feed in force, which finds it; nil when it does not.
  var place: Int?
  /// Facts of the feed about the region, so that not every input looks there: whether it is a place, of which sort, and whether
  /// anything comes by itself in a visit.
  var isAtPlace = false
  /// A circle without a noise policy of its own.
  var isPlain = false
  var isTimed = false

  public init(
    region: Identifier, ordinal: Int64, entered: Milliseconds, isSilent: Bool, dwelt: [Int64] = [],
    reportedInside: [InsideTime] = [], since: Milliseconds? = nil, countsDwelling: Bool? = nil,
    repeated: Milliseconds? = nil
  ) {
    var id = StableIdentifier()
    id.add("visit")
    id.add(region.text)
    id.add(ordinal)
    id.add(entered)
    self.id = id.text
    self.region = region
    self.ordinal = ordinal
    self.entered = entered
    self.since = since ?? entered
    self.isSilent = isSilent
    self.countsDwelling = countsDwelling ?? !isSilent
    self.repeated = repeated
    self.dwelt = dwelt
    self.reportedInside = reportedInside
  }

  public var description: String {
    "\(region.text) \(ordinal) from \(entered), \(since), silent \(isSilent), dwelling \(countsDwelling) \(dwelt), "
      + "inside \(reportedInside), repeated \(repeated.map { String($0) } ?? "never")"
  }

  public static func == (a: Visit, b: Visit) -> Bool {
    // Not the place: another feed has it somewhere else.
    a.id == b.id && a.region == b.region && a.ordinal == b.ordinal && a.entered == b.entered && a.since == b.since
      && a.isSilent == b.isSilent && a.countsDwelling == b.countsDwelling && a.dwelt == b.dwelt
      && a.reportedInside == b.reportedInside && a.repeated == b.repeated
  }
}
