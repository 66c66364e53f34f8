package import PlotCore
internal import PlotFiles

/// Dates and times of day as people in a time zone read them.
package struct LocalClock: Equatable, Sendable {
  package let rules: ZoneRules

  package static let utc = LocalClock(.utc)

  package init(_ rules: ZoneRules) { self.rules = rules }

  /// Nil for a zone that this system does not have.
  package init?(zone: String) {
    guard let rules = ZoneFiles().zone(zone) else { return nil }
    self.rules = rules
  }

  /// The IANA name.
  package var zone: String { rules.name }

  /// `time` is in milliseconds since 1970.
  package func callAsFunction(_ time: Int64) -> CalendarTime { CalendarTime(rules.local(time).milliseconds) }

  /// `2026-05-16 13:49:30`, without the date on the day of another time.
  package func text(_ time: Int64, besides other: Int64? = nil) -> String {
    let here = self(time)
    return other.map { self($0).date } == here.date ? here.timeOfDay : "\(here.date) \(here.timeOfDay)"
  }

  /// `after 8 min, at 10:10:00`: how long a visit was, and when it ended, where that was certain, and so reported, only later.
  package func stay(from entered: Int64, to left: Int64, reported: Int64) -> String {
    let length = "after \(Words.length(left - entered))"
    return left == reported ? length : "\(length), at \(text(left, besides: reported))"
  }

  /// The moments of a local time; nil for text that is none. `2026-05-16T11:22` is 16 characters.
  package func moments(of text: String) -> [Int64]? {
    CalendarTime.parse(text + ":00Z").map { rules.times(of: LocalTime($0)) }
  }

  /// When the offset from UTC changes, with what it is from then on, in milliseconds; the first is that at the start of the range.
  package func offsets(in range: ClosedRange<Int64>) -> [(time: Int64, offset: Int64)] {
    func offset(_ time: Int64) -> Int64 { rules.local(time).milliseconds - time }
    var steps = [(time: range.lowerBound, offset: offset(range.lowerBound))]
    let (day, most) = (Int64(86_400_000), Int64(100_000))
    guard range.upperBound / day - range.lowerBound / day < most else { return steps }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Int(day)) {
      var (low, high) = (start, min(start + day, range.upperBound))
      guard offset(low) != offset(high) else { continue }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if offset(middle) == offset(low) { low = middle } else { high = middle }
      }
      steps.append((high, offset(high)))
    }
    return steps
  }
}
