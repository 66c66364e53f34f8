/// The quiet path. Most fixes change nothing: every visit goes on, none begins, nothing is due. One answer of the index tells so, without
/// an allocation, and without counting a reference of the feed that many engines share (docs/performance.md).
extension Machine {
  /// What a fix is compared with, found anew when anything has changed.
  struct Quiet: Sendable {
    /// Nothing waits for fixes but the places below.
    var isStill = false
    /// Of the feed in force.
    var search: RegionIndex.Search
    /// Metres a second; a fix that is further away than that is not quiet.
    var mostSpeed = Double.infinity
    /// How many places are visited, at most as many as there is room for.
    var count = 0
    /// Their positions, without an array: that would lie elsewhere in the memory.
    var places = InlineArray<14, Int32>(repeating: 0)
  }

  /// Takes a fix that changes nothing but the newest fix and the newest time. False for any other, and then nothing has happened:
  /// `update` must take it.
  public mutating func takeQuietly(_ fix: Fix) -> Bool {
    guard quiet.isStill, fix.time >= state.newest, fix.time < nextWakeup ?? .max, fix.isGood else { return false }
    if quiet.mostSpeed < .infinity, let lastFix, Motion.leastSpeed(from: lastFix, to: fix) > quiet.mostSpeed {
      return false
    }
    var inside: UInt64 = 0
    var isNew = false
    quiet.search.forEachContaining(fix.coordinate) { position in
      for place in 0..<quiet.count where quiet.places[place] == position {
        inside |= 1 &<< UInt64(truncatingIfNeeded: place)
        return
      }
      isNew = true
    }
    guard !isNew, inside == 1 &<< UInt64(quiet.count) &- 1 || areHeld(fix, but: inside) else { return false }
    if suspects != nil { suspects = nil }
    inputTime = fix.time
    state.newest = fix.time
    lastFix = fix
    return true
  }

  /// Whether the noise policy lets all other visits go on, though the fix is outside, and nobody is told so.
  private func areHeld(_ fix: Fix, but inside: UInt64) -> Bool {
    guard !settings.recordsDecisions else { return false }
    for number in 0..<quiet.count where inside >> UInt64(number) & 1 == 0 {
      let position = Int(quiet.places[number])
      let shape = feed.regions[position].shape
      guard let edge = shape.edgeDistance(from: fix.coordinate),
        case .hold = noise(at: position).answer(
          edge: edge, size: shape.size, accuracy: fix.accuracy, visiting: true)
      else { return false }
    }
    return true
  }

  /// Finds out what the next fix is compared with.
  mutating func settle() {
    quiet.search = feed.index.search
    quiet.mostSpeed = settings.noise.maxImpliedSpeed ?? .infinity
    quiet.count = 0
    quiet.isStill =
      state.isEnabled && state.hasBaseline && state.newRegions.isEmpty && state.crossings.isEmpty
      && state.approaches.isEmpty && feed.moving.isEmpty && feed.passable.isEmpty && feed.approachable.isEmpty
    guard quiet.isStill else { return }
    for visit in state.visits.indices {
      guard state.visits[visit].isAtPlace, let position = state.visits[visit].place else { continue }
      guard quiet.count < quiet.places.count else {
        quiet.isStill = false
        return
      }
      quiet.places[quiet.count] = Int32(position)
      quiet.count += 1
    }
  }

  /// Whether the next fix is compared with what is so now.
  var isSettled: Bool { quiet.search.isOf(feed.index) }
}
