/// A region that moves and says often where it is, such as a bus: device and region are compared at times of which both are known
/// (docs/noise.md, Regions that move).
struct Companion: Equatable, Sendable {
  /// Where something was.
  struct Report: Equatable, Sendable {
    var time: Milliseconds
    var coordinate: Coordinate

    /// Between this report and a later one, at a time of which both ends are near enough; nil for another.
    func place(at time: Milliseconds, before next: Report) -> Coordinate? {
      if time == next.time { return next.coordinate }
      guard self.time < time, time < next.time, next.time - self.time <= Companion.mostGap else { return nil }
      let plane = Plane(around: coordinate)
      let share = Double(time - self.time) / Double(next.time - self.time)
      return plane.coordinate(share * plane.point(next.coordinate))
    }
  }

  /// A device and a region at one time.
  struct Meeting: Equatable {
    var time: Milliseconds
    var device: Coordinate
    var center: Coordinate
  }

  var region: Identifier
  /// In the order of their times, and never none: the newest two, and before them some of the last minutes, for fixes that come late.
  private(set) var reports: [Report]
  /// It has said twice within the longest gap where it is.
  private var isRegular = false

  init(_ region: Identifier, _ report: Report) { (self.region, reports) = (region, [report]) }

  var newest: Report { reports[reports.count - 1] }
  private var before: Report? { reports.count > 1 ? reports[reports.count - 2] : nil }

  /// A longer way between two reports is not known; and so long after the newest a region stands still.
  static let mostGap: Milliseconds = 120_000
  /// After a longer silence it is met anew.
  static let memory: Milliseconds = 600_000
  /// The page has no more of them, and no more reports of each.
  static let most = 64
  static let mostReports = 24
  /// So far apart are those before the newest two.
  private static let spacing: Milliseconds = 25_000

  /// Two reports of one time are one.
  mutating func add(_ report: Report) {
    if report.time > newest.time {
      let count = reports.count
      if count > 2, reports[count - 2].time - reports[count - 3].time < Self.spacing { reports.remove(at: count - 2) }
      reports.append(report)
      if reports.count > Self.mostReports { reports.removeFirst() }
    } else {
      reports[reports.count - 1] = report
    }
    if let before, newest.time - before.time <= Self.mostGap { isRegular = true }
  }

  /// Whether it is compared at common times only.
  func isFollowed(at time: Milliseconds) -> Bool { isRegular && time - newest.time <= Self.mostGap }

  /// The meeting that a fix shows: where the device was at the newest report before it, if that is between the last two fixes; or where the region was
  /// at a fix that comes late, between two reports.
  func meeting(_ fix: Fix, after previous: Fix?) -> Meeting? {
    let last = Report(fix)
    guard let index = reports.lastIndex(where: { $0.time <= last.time }) else { return nil }
    let report = reports[index]
    if previous.map({ $0.time < report.time }) ?? (report.time == last.time) {
      let place =
        previous.map(Report.init)?.place(at: report.time, before: last)
        ?? (report.time == last.time ? last.coordinate : nil)
      if let place { return Meeting(time: report.time, device: place, center: report.coordinate) }
    }
    guard index + 1 < reports.count, let center = report.place(at: last.time, before: reports[index + 1]) else {
      return nil
    }
    return Meeting(time: last.time, device: last.coordinate, center: center)
  }

  /// The meeting that a report shows: where the region was at the newest fix, if that lies between the last two reports.
  func meeting(lastFix fix: Fix) -> Meeting? {
    before?.place(at: fix.time, before: newest).map { Meeting(time: fix.time, device: fix.coordinate, center: $0) }
  }

  // MARK: The page

  mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&region)
    coder.code(&reports, empty: .none) { coder, report in report.code(&coder) }
    if reports.isEmpty { reports = [.none] }
    var flags: UInt64 = isRegular ? 1 : 0
    coder.code(&flags)
    isRegular = flags & 1 != 0
  }

  static let none = Companion(Identifier(""), .none)

  func isPossible(before time: Milliseconds) -> Bool {
    reports.allSatisfy {
      Fix(time: $0.time, coordinate: $0.coordinate).fault == nil && (0...time).contains($0.time)
    } && zip(reports, reports.dropFirst()).allSatisfy { $0.time <= $1.time }
  }

  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    for index in reports.indices { reports[index].time = moved(reports[index].time) }
  }

  mutating func movePlaces(_ moved: (Double) -> Double) {
    for index in reports.indices {
      reports[index].coordinate.longitude = moved(reports[index].coordinate.longitude)
    }
  }
}

extension Companion.Report {
  init(_ fix: Fix) { self.init(time: fix.time, coordinate: fix.coordinate) }

  static let none = Companion.Report(time: 0, coordinate: Coordinate(latitude: 0, longitude: 0))

  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&time)
    coder.code(&coordinate.latitude)
    coder.code(&coordinate.longitude)
  }
}

extension Presence {
  /// Holds a device against a region that moves, at one time: two meetings in a row inside enter, or one that is well inside where one is
  /// enough; as many beyond the margin as elsewhere leave.
  func judgeMeeting(
    _ sight: Sight, _ evidence: Evidence, _ policy: EvidencePolicy, error: Double
  ) -> Judgement {
    let (pending, distance, size) = (crossingPosition(sight.region), sight.edge, sight.shape.size)
    let isOut = EvidencePolicy.isBeyond(distance, error, size: size)
    guard sight.isVisited ? isOut : distance <= 0 else {
      if sight.isVisited, distance > 0 { return .held(.hysteresis) }
      return pending.found ? .refuted : .nothing
    }
    var crossing =
      pending.found
      ? crossings[pending.position]
      : PendingCrossing(
        region: sight.region, isEnter: !sight.isVisited, since: evidence.time, coordinate: evidence.fix.coordinate,
        fixes: 0)
    crossing.fixes += 1
    let needed = sight.isVisited ? max(2, policy.exitFixes - 1) : max(2, policy.enterFixes)
    let isDeep = !sight.isVisited && policy.enterFixes == 1 && distance <= -0.2 * size
    if crossing.fixes >= needed || isDeep { return .sure(Crossing(crossing, evidence.source, place: sight.place)) }
    let due = sight.isVisited ? crossing.silenceEnd(heard: evidence.heard) : nil
    return .waits(crossing, due: due, isStronger: true, needed: needed)
  }
}
