internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotTracks

/// Plans regions along a track as a host does that obeys docs/region-plan.md: at the first fix, when the fence is left, and when a region
/// has moved.
struct RegionPlanner {
  var budget: Int64
  private var here: Position?
  private var fence: Circle?

  init(budget: Int64) { self.budget = budget }

  /// A line with what has changed, after a fix that the engine has taken; nil when nothing has.
  mutating func plan(after point: TrackPoint, _ engine: Engine) throws -> String? {
    let coordinate = Coordinate(latitude: point.latitude, longitude: point.longitude)
    let isFirst = here == nil
    here = Position(coordinate, accuracy: point.accuracy)
    let isFenceLeft = fence.map { Earth.distance(coordinate, $0.center) > $0.radius } ?? false
    return isFirst || isFenceLeft ? try plan(at: point.time, isFenceLeft: isFenceLeft, engine) : nil
  }

  /// The same after a region has moved.
  mutating func plan(afterMoveAt time: Int64, _ engine: Engine) throws -> String? {
    here == nil ? nil : try plan(at: time, isFenceLeft: false, engine)
  }

  private mutating func plan(at time: Int64, isFenceLeft: Bool, _ engine: Engine) throws -> String? {
    let time = max(time, try engine.newestTime())
    var request = Machine.PlanRequest(time: time, here: here, budget: budget)
    request.isFenceLeft = isFenceLeft
    let difference = try engine.planRegions(request)
    fence = difference.fence
    return difference.isEmpty ? nil : #"{"time":"\#(Timestamp.text(time))","plan":\#(difference.json)}"#
  }
}
