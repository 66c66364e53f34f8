/// A region is entered, or left.
struct Crossing {
  var region: Identifier
  var isEnter: Bool
  /// When it happened: at most `now`, which is when it is sure.
  var since: Milliseconds
  /// Where the device was then.
  var coordinate: Coordinate?
  var source = Source.fix
  /// Somebody saw it happen: it is an enter, also of a region that no fix has met.
  var isSeen = false
  /// The fix that made it sure came late.
  var isLate = false
  /// Where the region stands in the feed; nil when that was not looked up.
  var place: Int?

  /// A passage is for the campaigns that ask for it.
  func counts(for campaign: Campaign) -> Bool { source != .passage || campaign.countsPassages }
}

extension Event {
  mutating func take(_ crossing: Crossing) {
    coordinate = crossing.coordinate
    since = crossing.since == time ? nil : crossing.since
    source = crossing.source == .fix ? nil : crossing.source
    isLate = crossing.isLate
  }
}
