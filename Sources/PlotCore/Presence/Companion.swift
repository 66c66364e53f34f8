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
  private(set) var before: Report?
  private(set) var newest: Report
  /// It has said twice within the longest gap where it is.
  private var isRegular = false

  init(_ region: Identifier, _ report: Report) { (self.region, newest) = (region, report) }

  /// A longer way between two reports is not known; and so long after the newest a region stands still.
  static let mostGap: Milliseconds = 120_000
  /// After a longer silence it is met anew.
  static let memory: Milliseconds = 600_000
  /// The page has no more of them.
  static let most = 256

  /// Two reports of one time are one.
  mutating func add(_ report: Report) {
    if report.time > newest.time { before = newest }
    newest = report
    if let before, newest.time - before.time <= Self.mostGap { isRegular = true }
  }

  /// Whether it is compared at common times only.
  func isFollowed(at time: Milliseconds) -> Bool { isRegular && time - newest.time <= Self.mostGap }

  /// What a fix shows: where the device was at the newest report, if that lies between the last two fixes.
  func meeting(_ fix: Fix, after previous: Fix?) -> Meeting? {
    let (last, time) = (Report(fix), newest.time)
    guard previous.map({ $0.time < time }) ?? (time == last.time), time <= last.time else { return nil }
    let place = previous.map(Report.init)?.place(at: time, before: last) ?? (time == last.time ? last.coordinate : nil)
    return place.map { Meeting(time: time, device: $0, center: newest.coordinate) }
  }

  /// What a report shows: where the region was at the newest fix, if that lies between the last two reports.
  func meeting(lastFix fix: Fix) -> Meeting? {
    before?.place(at: fix.time, before: newest).map { Meeting(time: fix.time, device: fix.coordinate, center: $0) }
  }

  // MARK: The page

  mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&region)
    coder.code(&before, empty: .none) { coder, report in report.code(&coder) }
    newest.code(&coder)
    var flags: UInt64 = isRegular ? 1 : 0
    coder.code(&flags)
    isRegular = flags & 1 != 0
  }

  static let none = Companion(Identifier(""), .none)

  func isPossible(before time: Milliseconds) -> Bool {
    [before ?? newest, newest].allSatisfy {
      Fix(time: $0.time, coordinate: $0.coordinate).fault == nil && (0...time).contains($0.time)
    }
  }

  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    if let time = before?.time { before?.time = moved(time) }
    newest.time = moved(newest.time)
  }

  mutating func movePlaces(_ moved: (Double) -> Double) {
    if let longitude = before?.coordinate.longitude { before?.coordinate.longitude = moved(longitude) }
    newest.coordinate.longitude = moved(newest.coordinate.longitude)
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
