/// The quiet path. Most fixes change nothing: every visit goes on, none begins, nothing is due. One answer of the index tells so, without
/// an allocation, and without counting a reference of the feed that many engines share (docs/performance.md).
extension Machine {
  /// What a fix is compared with, found anew when anything has changed.
  struct Quiet: Sendable {
    /// Nothing waits for fixes but the places below.
    var isStill = false
    /// The time of the newest fix that was not quiet. It is offered more than once on its way, and one search is enough.
    var refused: Milliseconds?
    /// Of the feed in force.
    var search: RegionIndex.Search
    /// Metres a second; a fix that is further away than that is not quiet.
    var mostSpeed = Double.infinity
    /// How many places are visited, at most as many as there is room for.
    var count = 0
    /// Of each, whether it is a circle without a noise policy of its own: then the index says all of it.
    var plain: UInt16 = 0
    /// Their positions, without an array: that would lie elsewhere in the memory.
    var places = InlineArray<14, Int32>(repeating: 0)
  }

  /// Takes a fix that changes nothing but the newest fix and the newest time. False for any other, and then nothing has happened:
  /// `update` must take it. A second one of the same time may be refused without a look.
  public mutating func takeQuietly(_ fix: Fix) -> Bool {
    takeQuietly(fix) { search, see in search.forEachContaining(fix.coordinate, see) }
  }

  /// The same, with what an index has said of the fix, if that is the one of this feed.
  public mutating func takeQuietly(_ fix: Fix, known: KnownPlaces) -> Bool {
    guard known.search.isOf(quiet.search), known.count <= known.places.count else { return takeQuietly(fix) }
    return takeQuietly(fix) { _, see in for number in 0..<known.count { see(Int(known.places[number])) } }
  }

  @inline(__always)
  private mutating func takeQuietly(
    _ fix: Fix, _ forEachContaining: (RegionIndex.Search, (Int) -> Void) -> Void
  ) -> Bool {
    guard quiet.isStill, fix.time >= state.newest, fix.time < nextWakeup ?? .max, fix.isGood, fix.time != quiet.refused
    else { return false }
    if quiet.mostSpeed < .infinity, let lastFix, Motion.leastSpeed(from: lastFix, to: fix) > quiet.mostSpeed {
      return false
    }
    var inside: UInt64 = 0
    var isNew = false
    forEachContaining(quiet.search) { position in
      for place in 0..<quiet.count where quiet.places[place] == position {
        inside |= 1 &<< UInt64(truncatingIfNeeded: place)
        return
      }
      isNew = true
      feed.prefetchPlace(position)
    }
    guard !isNew, inside == 1 &<< UInt64(quiet.count) &- 1 || areHeld(fix, but: inside) else {
      quiet.refused = fix.time
      return false
    }
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
      guard isHeld(fix, at: position, isPlain: quiet.plain >> UInt16(number) & 1 != 0) else {
        feed.prefetchPlace(position)
        return false
      }
    }
    return true
  }

  private func isHeld(_ fix: Fix, at position: Int, isPlain: Bool) -> Bool {
    func isHeld(_ edge: Double, _ size: Double, _ noise: NoisePolicy) -> Bool {
      if case .hold = noise.answer(edge: edge, size: size, accuracy: fix.accuracy, visiting: true) { return true }
      return false
    }
    if isPlain {
      let circle = quiet.search.circle(position)
      return isHeld(circle.edgeDistance(from: fix.coordinate), circle.radius, settings.noise)
    }
    let shape = feed.regions[position].shape
    guard let edge = shape.edgeDistance(from: fix.coordinate) else { return false }
    return isHeld(edge, shape.size, noise(at: position))
  }

  /// Finds out what the next fix is compared with.
  mutating func settle() {
    quiet.search = feed.index.search
    quiet.mostSpeed = settings.noise.maxImpliedSpeed ?? .infinity
    quiet.count = 0
    quiet.plain = 0
    quiet.isStill =
      state.host.isEnabled && state.presence.hasBaseline && state.presence.newRegions.isEmpty
      && state.presence.crossings.isEmpty
      && state.presence.approaches.isEmpty && feed.moving.isEmpty && feed.passable.isEmpty && feed.approachable.isEmpty
    guard quiet.isStill else { return }
    for visit in state.presence.visits.indices {
      guard state.presence.visits[visit].isAtPlace, let position = state.presence.visits[visit].place else { continue }
      guard quiet.count < quiet.places.count else {
        quiet.isStill = false
        return
      }
      quiet.places[quiet.count] = Int32(position)
      if state.presence.visits[visit].isPlain { quiet.plain |= 1 << UInt16(quiet.count) }
      quiet.count += 1
    }
  }

  /// Whether the next fix is compared with what is so now.
  var isSettled: Bool { quiet.search.isOf(feed.index) }
}
