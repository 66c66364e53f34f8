/// Where a device is, as its fixes tell: how much each is worth beside those before it. Metres, and seconds where nothing else is said;
/// accuracies are the radii within which a position lies with a probability of 68 %.
///
/// Errors of neighbouring fixes resemble each other, so a device at rest has an anchor, to which a fix adds the less the sooner it comes after
/// the one before. A fix to which nobody could have come so soon begins a jump, and one that leaves a place of rest a shift; they are believed
/// when they last. What a region makes of it stands in Presence+Evidence.
public struct Track: Equatable, Sendable {
  enum Constant {
    /// So long within the circle of rest until a device is at rest.
    static let rest: Milliseconds = 135_000
    // One by one: values of a pattern are made at their first use, and each use asks whether they are there.
    /// How long a device at rest must seem to be elsewhere, without travel, when fixes are sparse.
    static let shift: Milliseconds = 500_000
    /// The same when they come often.
    static let shiftDense: Milliseconds = 320_000
    /// How long with travel, when they come often.
    static let shiftTravelled: Milliseconds = 8000
    /// A fix at most so long after the one before can be judged by speed.
    static let dense: Milliseconds = 30_000
    /// One that comes later than this after it counts as sparse.
    static let few: Milliseconds = 20_000
    /// Fixes further apart than this come seldom.
    static let seldom: Milliseconds = 240_000
    /// Nobody exceeds it between two fixes.
    static let fastest = 50.0
    /// After so long, a fix begins anew.
    static let silence: Milliseconds = 1_800_000
    /// A fix that is less certain than this comes from cells alone.
    static let blur = 200.0
    /// So many uncertainties beyond an edge and its margin, cells alone end a visit.
    static let cellDoubt = 1.5
    /// Square metres that no number of fixes removes from an anchor's uncertainty.
    static let drift = 140.0
    /// How long errors resemble each other.
    static let correlation = 150.0
    /// At rest, between two fixes that are weighed: those between would add next to nothing.
    static let pause: Milliseconds = 20_000
    /// A device as fast as this is not about to rest.
    static let moving = 1.5
    /// A slack of less is none.
    static let leastSlack = 4.0
    static let mostSlack = 15.0
    /// So long without a contradiction until neighbours may give slack.
    static let settled: Milliseconds = 10_000
  }

  /// The fate of a fix.
  enum Answer: Equatable, Sendable {
    /// It knows less than is known already: it is left out.
    case coarse
    /// The first, or the first after a long silence.
    case began
    case followed
    /// Part of a jump, or of a shift, that is not believed yet.
    case held
    /// It makes one believed.
    case believed

    /// Whether the device is where the fix says.
    var isFollowed: Bool { self != .coarse && self != .held }
  }

  private(set) var isKnown = false
  private(set) var isResting = false
  private(set) var waits = false
  /// The waiting fixes are a jump, and no shift.
  private(set) var isJump = false
  private var isGradual = false
  /// Fixes came often, and then none for a while.
  private(set) var isAfterGap = false
  /// And the first one after it lies where the device would be, had it gone on at its pace.
  private(set) var isAtPace = false
  private(set) var plane = Plane(around: Coordinate(latitude: 0, longitude: 0))
  /// The newest fix that was followed, and its accuracy.
  private(set) var place = Point()
  private(set) var accuracy = 0.0
  private(set) var time: Milliseconds = 0
  /// When the newest fix was that was not coarse, and how long after the one before that; negative for no other.
  private(set) var seen: Milliseconds = 0
  private var pace: Milliseconds = -1
  /// A smoothed position, and its variance; where it was ten seconds ago or more, and the speed since.
  private(set) var smooth = Point()
  private(set) var variance = 0.0
  private var mark = Point()
  private var marked: Milliseconds = 0
  private(set) var speed = 0.0
  /// How far neighbouring fixes disagree.
  private(set) var scatter = 0.0
  /// Since when nothing contradicts where it is.
  private(set) var trusted: Milliseconds = 0
  /// The anchor, its variance but for the drift, when it was set, and a running mean of where fixes lie beside it.
  private(set) var anchor = Point()
  private var anchorVariance = 0.0
  private(set) var planted: Milliseconds = 0
  private var beside = Point()
  /// The newest fix that moved it.
  private var weighed: Milliseconds = 0
  /// The waiting fixes: the newest one and its accuracy, when and where they began, and how many they are.
  private var newest = Point()
  private var newestAccuracy = 0.0
  private(set) var since: Milliseconds = 0
  private(set) var start = Point()
  private(set) var count = 0
  /// From the fix that was followed before to this one; negative when there was none, or long before.
  private(set) var gap: Milliseconds = -1

  /// Whether a fix is the newest one, handed over again: it says nothing new.
  func repeats(_ fix: Fix) -> Bool {
    guard isKnown, fix.time == seen else { return false }
    let (point, s) = (plane.point(fix.coordinate), EvidencePolicy.accuracy(fix.accuracy))
    return waits && seen > time
      ? point == newest && s == newestAccuracy : fix.time == time && point == place && s == accuracy
  }

  /// The newest fix of what waits, if anything does.
  var held: Fix? {
    isKnown && waits ? Fix(time: seen, coordinate: plane.coordinate(newest), accuracy: newestAccuracy) : nil
  }

  /// The newest fix has the time of the one before.
  var isRepeated: Bool { pace == 0 }

  /// Of the anchor.
  var uncertainty: Double { (anchorVariance + Constant.drift).squareRoot() }

  /// Whether the newest fix that was followed came soon after the one before.
  var isOften: Bool { gap >= 0 && gap <= Constant.few }

  /// Whether it came long after the one before: then a shift that is believed is proof enough.
  var isSeldom: Bool { gap >= Constant.seldom }

  /// Takes a fix that is not older than any before. `jump`: how long a jump must last.
  mutating func take(_ fix: Fix, jump: Milliseconds) -> Answer {
    guard isKnown else { return begin(fix, EvidencePolicy.accuracy(fix.accuracy)) }
    var point = plane.point(fix.coordinate)
    if plane.isFar(point) {
      move(to: fix.coordinate)
      point = Point()
    }
    return take(fix, at: point, jump: jump)
  }

  /// The same of a known track, with the point where the fix lies.
  mutating func take(_ fix: Fix, at point: Point, jump: Milliseconds) -> Answer {
    let s = EvidencePolicy.accuracy(fix.accuracy)
    return restsOn(fix, point, s) ? .followed : weigh(fix, at: point, s, jump: jump)
  }

  /// Takes a fix that adds next to nothing: at rest, at home, soon after one that was weighed.
  @inline(__always)
  private mutating func restsOn(_ fix: Fix, _ point: Point, _ s: Double) -> Bool {
    guard !waits, fix.accuracy <= EvidencePolicy.coarse, isAlike(point, s, fix.time) else { return false }
    let elapsed = fix.time &- time
    see(fix.time)
    if elapsed > 10_000 { trusted = fix.time }
    (place, accuracy, time, gap) = (point, s, fix.time, elapsed)
    return true
  }

  private mutating func weigh(_ fix: Fix, at point: Point, _ s: Double, jump: Milliseconds) -> Answer {
    let elapsed = fix.time &- time
    let gap = Double(elapsed) * 0.001
    let step = point.distance(to: place)
    var reach = (0.3 + speed) * gap
    if gap > 60 { reach = max(reach, 0.2 * Constant.fastest * min(gap - 60, 600)) }
    let variance = self.variance + reach * reach
    let travel = min(Constant.fastest, 1.5 * speed + gap) * gap
    if fix.accuracy > EvidencePolicy.coarse, s * s > 6.25 * variance, variance < Constant.blur * Constant.blur {
      // It knows less than we do: it counts only if even so it lies elsewhere.
      let most = elapsed > Constant.silence ? 3 * fix.accuracy : travel + 3 * (fix.accuracy + accuracy)
      if step <= most { return .coarse }
    }
    // Fixes that were held are no silence: they may be believed now.
    if elapsed > Constant.silence, !waits || fix.time &- seen > Constant.silence { return begin(fix, s) }
    // Any other one that is like the anchor has been taken by `restsOn`.
    let mayBeAlike = waits || fix.accuracy > EvidencePolicy.coarse
    let answer = claim(point, s, fix.time, elapsed, step, travel, jump)
    isAtPace = isAfterGap && step <= (speed + 1) * gap + 2 * s
    switch answer {
    case .held: return .held
    case .believed:
      (smooth, self.variance, trusted) = (point, s * s, fix.time)
      (mark, marked) = (point, fix.time)
      (isResting, waits) = (false, false)
      plant(point, s, fix.time)
    default: follow(point, s, fix.time, gap, step, variance, mayBeAlike: mayBeAlike)
    }
    (place, accuracy, time, self.gap) = (point, s, fix.time, elapsed)
    return answer
  }

  @inline(never)
  private mutating func begin(_ fix: Fix, _ s: Double) -> Answer {
    plane = Plane(around: fix.coordinate)
    (isKnown, isResting, waits, isAfterGap, isAtPace) = (true, false, false, false, false)
    (place, accuracy, time, seen) = (Point(), s, fix.time, fix.time)
    (smooth, variance) = (Point(), s * s)
    (mark, marked, speed) = (Point(), fix.time, 0)
    (scatter, trusted, pace, gap) = (s, fix.time, -1, -1)
    plant(Point(), s, fix.time)
    return .began
  }

  private mutating func plant(_ point: Point, _ s: Double, _ time: Milliseconds) {
    (anchor, anchorVariance, planted, weighed, beside) = (point, s * s, time, time, Point())
  }

  /// Notes that a fix came that is not coarse; how long after the one before.
  @discardableResult
  private mutating func see(_ time: Milliseconds) -> Milliseconds {
    let since = time &- seen
    seen = time
    isAfterGap = pace >= 0 && pace <= 10_000 && since > max(8000, 3 * pace)
    pace = since
    return since
  }

  /// Whether a fix is followed, held, or makes what waits believed.
  private mutating func claim(
    _ point: Point, _ s: Double, _ time: Milliseconds, _ gap: Milliseconds, _ step: Double, _ travel: Double,
    _ jump: Milliseconds
  ) -> Answer {
    enum Kind { case follow, same, new }
    let since = see(time)
    var kind = Kind.follow
    if waits, isJump {
      if !isAtHome(point, s) {
        let seconds = Double(since) / 1000
        let apart = point.distance(to: newest)
        let reach =
          min(Constant.fastest, 1.5 * speed + seconds) * seconds
          + 4 * (s * s + newestAccuracy * newestAccuracy).squareRoot()
        kind = apart <= reach && apart < step ? .same : step > limit(travel, s) ? .new : .follow
      }
    } else if isResting {
      kind = isAtHome(point, s) ? .follow : waits ? .same : .new
    } else if gap <= Constant.dense, step > travel, step > limit(travel, s) {
      kind = .new
    }
    if kind == .follow {
      waits = false
      return .followed
    }
    if kind == .new {
      let isSoon = since <= Constant.dense
      (waits, isJump, count) = (true, isSoon && step > limit(travel, s), 0)
      (self.since, start) = (time, point)
      // One step at a time, as feet go, and not all at once, as errors do.
      isGradual = isSoon && scatter <= 15 && step <= 3 * scatter + 1.5 * Double(since) / 1000
    }
    (newest, newestAccuracy) = (point, s)
    // A second fix of the same time is not another witness.
    if since > 0 || count == 0 { count += 1 }
    return count >= 2 && time - self.since >= patience(point, s, since, jump) ? .believed : .held
  }

  /// How long what waits must last. `since`: from the newest fix before.
  private func patience(_ point: Point, _ s: Double, _ since: Milliseconds, _ jump: Milliseconds) -> Milliseconds {
    if isJump { return min(jump, self.since - trusted) }
    let gone = point.distance(to: start)
    let away = point.distance(to: anchor)
    let least = (s * s + 200).squareRoot()
    if since <= Constant.dense {
      let hasTravelled = isGradual || gone >= 1.3 * least || away >= 150
      return hasTravelled ? Constant.shiftTravelled : Constant.shiftDense
    }
    let hasTravelled = gone > 1.25 * least || away > 6 * home(s)
    return hasTravelled ? 0 : Constant.shift
  }

  /// How far a fix may lie from the one before, and still be of the same way.
  private func limit(_ travel: Double, _ s: Double) -> Double {
    travel + 4 * (s * s + accuracy * accuracy).squareRoot()
  }

  /// How far a fix may lie from the anchor, and still be of the same place. Compared as squares, most often.
  private func home(_ s: Double) -> Double { homeSquare(s).squareRoot() }

  private func homeSquare(_ s: Double) -> Double {
    max(625, 4.84 * (s * s + anchorVariance + Constant.drift))
  }

  private func isAtHome(_ point: Point, _ s: Double) -> Bool {
    isResting && (point - anchor).square <= homeSquare(s)
  }

  /// Whether a fix would add next to nothing to the anchor: at home, soon after one that was weighed.
  private func isAlike(_ point: Point, _ s: Double, _ time: Milliseconds) -> Bool {
    isAtHome(point, s) && time &- weighed < Constant.pause
  }

  /// The fix is where the device is: moves the smoothed position and the anchor.
  private mutating func follow(
    _ point: Point, _ s: Double, _ time: Milliseconds, _ gap: Double, _ step: Double, _ variance: Double,
    mayBeAlike: Bool
  ) {
    if gap > 10 { trusted = time }
    if mayBeAlike, isAlike(point, s, time) { return }
    let offset = point - anchor
    let square = offset.square
    if isBeyond(step - 1.5 * speed * gap, 6.25 * (s * s + accuracy * accuracy)) { trusted = time }
    scatter += 0.1 * (min(max(0, step - speed * gap) * (1 / 1.4), 2 * s) - scatter)
    let gain = variance / (variance + s * s)
    smooth = smooth + gain * (point - smooth)
    self.variance = (1 - gain) * variance
    if time &- marked >= 10_000 {
      speed = min(Constant.fastest, smooth.distance(to: mark) * (1000 / Double(time &- marked)))
      (mark, marked) = (smooth, time)
    }
    if square > homeSquare(s) || !isResting && speed >= Constant.moving {
      isResting = false
      return plant(point, s, time)
    }
    let lasted = Double(time &- weighed) * 0.001
    weighed = time
    let share = lasted < 18 ? lasted / (90 + lasted) : 1.0 / 6
    // A fix weighs (1 - rho) / (1 + rho) / s² with rho = exp(-gap / correlation). That is tanh(h) / s², of which this is within 2 %.
    let h = min(lasted * (1 / (2 * Constant.correlation)), 3)
    var (weight, unit) = (h * (27 + h * h), (27 + 9 * h * h) * (s * s))
    var cut = 1.0
    if square > 2.25 * s * s {
      weight *= 2.25 * s * s
      unit *= square
      cut = min(1, 2 * s / square.squareRoot())
    }
    beside = beside + share * (cut * offset - beside)
    let rest = anchorVariance / (unit + weight * anchorVariance)
    anchor = anchor + weight * rest * offset
    anchorVariance = max(unit * rest, s * s * (1 / 60))
    guard time &- planted >= Constant.rest else { return }
    isResting =
      s >= Constant.blur
      ? beside.square <= 0.36 * (s * s) : beside.square <= 0.49 * (s * s) || gap * 1000 > Double(Constant.dense)
    if !isResting { plant(point, s, time) }
  }

  private func isBeyond(_ distance: Double, _ square: Double) -> Bool {
    distance > 0 && distance * distance > square
  }

  /// The same in the plane around another position.
  @inline(never)
  private mutating func move(to origin: Coordinate) {
    let before = plane
    plane = Plane(around: origin)
    func move(_ point: inout Point) { point = plane.point(before.coordinate(point)) }
    move(&place)
    move(&smooth)
    move(&mark)
    move(&anchor)
    move(&newest)
    move(&start)
  }

  /// The wall clock was set: each time becomes what `moved` makes of it.
  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    guard isKnown else { return }
    (time, seen, marked) = (moved(time), moved(seen), moved(marked))
    (trusted, planted, weighed, since) = (moved(trusted), moved(planted), moved(weighed), moved(since))
  }

  // MARK: The page

  @inline(__always)
  mutating func code(_ coder: inout some FieldCoder) {
    var flags: UInt64 =
      (isKnown ? 1 : 0) | (isResting ? 2 : 0) | (waits ? 4 : 0) | (isJump ? 8 : 0) | (isGradual ? 16 : 0)
      | (isAfterGap ? 32 : 0) | (isAtPace ? 64 : 0)
    coder.code(&flags)
    (isKnown, isResting, waits) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    (isJump, isGradual) = (flags & 8 != 0, flags & 16 != 0)
    (isAfterGap, isAtPace) = (flags & 32 != 0, flags & 64 != 0)
    plane.code(&coder)
    coder.code(&place)
    coder.code(&accuracy)
    coder.code(&time)
    coder.code(&seen)
    coder.code(&pace)
    coder.code(&smooth)
    coder.code(&variance)
    coder.code(&mark)
    coder.code(&marked)
    coder.code(&speed)
    coder.code(&scatter)
    coder.code(&trusted)
    coder.code(&anchor)
    coder.code(&anchorVariance)
    coder.code(&planted)
    coder.code(&beside)
    coder.code(&weighed)
    coder.code(&newest)
    coder.code(&newestAccuracy)
    coder.code(&since)
    coder.code(&start)
    coder.code(&count)
    coder.code(&gap)
  }

  /// Whether it may have been followed up to then.
  func isPossible(before newest: Milliseconds) -> Bool {
    let numbers = [accuracy, variance, speed, scatter, anchorVariance, newestAccuracy]
    let points = [place, smooth, mark, anchor, beside, self.newest, start]
    let times = [time, seen, marked, trusted, planted, weighed, since]
    return plane.isOnEarth && numbers.allSatisfy { $0.isFinite && $0 >= 0 }
      && points.allSatisfy { $0.square.isFinite } && times.allSatisfy { (0...newest).contains($0) }
      && count >= 0 && pace <= newest && gap <= newest
  }

  /// The same elsewhere: all points lie around the origin of the plane.
  mutating func movePlaces(_ moved: (Double) -> Double) {
    let origin = plane.origin
    plane = Plane(around: Coordinate(latitude: origin.latitude, longitude: moved(origin.longitude)))
  }
}
