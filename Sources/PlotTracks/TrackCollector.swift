/// The points of a track as a reader finds them.
struct TrackCollector {
  /// Points without a time count, too, and times are not looked at: they will get others (`TrackPace`).
  let ignoresTimes: Bool
  private(set) var points: [TrackPoint] = []
  /// How many points were left out, having no time.
  private(set) var untimed = 0
  private(set) var watch = TimeWatch()

  init(ignoresTimes: Bool) { self.ignoresTimes = ignoresTimes }

  /// Reads a time; nil where it does not count. Throws for one that no engine takes.
  mutating func time(
    _ place: @autoclosure () -> TrackError.Place, _ read: () throws(TrackError) -> Int64?
  ) throws(TrackError) -> Int64? {
    guard !ignoresTimes, let time = try read() else { return nil }
    try watch.take(time, at: place())
    return time
  }

  mutating func add(_ point: TrackPoint, at time: Int64?) {
    guard time != nil || ignoresTimes else {
      untimed += 1
      return
    }
    var point = point
    point.time = time ?? 0
    points.append(point)
  }
}
