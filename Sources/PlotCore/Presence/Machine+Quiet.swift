/// The quiet path. Most fixes change nothing: every visit goes on, none begins, nothing is due. One answer of the index tells so, without
/// an allocation, and without counting a reference of the feed that many engines share (docs/performance.md).
extension Machine {
  /// What a fix is compared with, found anew when anything has changed.
  struct Quiet: Sendable {
    /// Nothing waits for fixes but the places below.
    var isStill = false
    /// Of the feed in force.
    var search: RegionIndex.Search
    /// Positions of the places that are visited.
    var places: [Int] = []
  }

  /// Takes a fix that changes nothing but the newest fix and the newest time. False for any other, and then nothing has happened:
  /// `update` must take it.
  public mutating func takeQuietly(_ fix: Fix) -> Bool {
    guard quiet.isStill, fix.time >= state.newest, fix.time < nextWakeup ?? .max, fix.isGood else { return false }
    if let most = settings.noise.maxImpliedSpeed, let lastFix, Motion.leastSpeed(from: lastFix, to: fix) > most {
      return false
    }
    var visited = 0
    var isNew = false
    quiet.search.forEachContaining(fix.coordinate) { position in
      for place in quiet.places.indices where quiet.places[place] == position {
        visited &+= 1
        return
      }
      isNew = true
    }
    guard !isNew, visited == quiet.places.count else { return false }
    suspects = nil
    inputTime = fix.time
    state.newest = fix.time
    lastFix = fix
    return true
  }

  /// Finds out what the next fix is compared with.
  mutating func settle() {
    quiet.search = feed.index.search
    quiet.places.removeAll(keepingCapacity: true)
    quiet.isStill =
      state.isEnabled && state.hasBaseline && state.newRegions.isEmpty && state.crossings.isEmpty
      && state.approaches.isEmpty && feed.moving.isEmpty && feed.passable.isEmpty && feed.approachable.isEmpty
    guard quiet.isStill else { return }
    for visit in state.visits {
      if let position = feed.region(visit.region), feed.regions[position].shape.isPlace {
        quiet.places.append(position)
      }
    }
  }

  /// Whether the next fix is compared with what is so now.
  var isSettled: Bool { quiet.search.isOf(feed.index) }
}
