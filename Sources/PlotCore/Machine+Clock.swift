/// The host's clocks (docs/rules.md, Clocks; reference: peers, A1 to A3). Waits are counted in wall time; when the wall clock is set, all that
/// they count from moves with it, so that what remains of a wait stays the same, and is never more than the whole.
extension Machine {
  /// Differences below this are the drift of a clock, not a change of it.
  static let drift: Milliseconds = 1000

  /// Takes what the clocks show. Throws `invalid` when the monotonic one has gone back within a boot, and then nothing has changed.
  public mutating func setClock(_ reading: ClockReading) throws(InputError) -> Output {
    let clock = try compared(reading)
    output.restart()
    take(clock)
    recheckAfterClock(at: reading.wall)
    proceed(to: reading.wall)
    return finish()
  }

  /// The same before `recover`: nothing that is due happens yet.
  public mutating func startClock(_ reading: ClockReading) throws(InputError) -> Output {
    let clock = try compared(reading)
    output.restart()
    take(clock)
    return finish()
  }

  /// What to keep of a reading, and by how much the wall clock was set since the last one.
  private func compared(
    _ reading: ClockReading
  ) throws(InputError) -> (reading: ClockReading, move: Milliseconds) {
    guard let last = state.clock, last.boot == reading.boot else {
      // How long the device was off is not known: time that has gone back is counted as none.
      let move = reading.wall - max(state.clock?.wall ?? 0, state.newest)
      return (reading, move <= -Self.drift ? move : 0)
    }
    guard reading.monotonic >= last.monotonic else {
      throw .invalid(
        name: "monotonic_ms", expected: "\(last.monotonic) or more, as before in this boot",
        found: "\(reading.monotonic)")
    }
    let expected = last.wall + (reading.monotonic - last.monotonic)
    let move = reading.wall - expected
    guard abs(move) < Self.drift else { return (reading, move) }
    // So that small differences add up to a change.
    var kept = reading
    kept.wall = expected
    return (kept, 0)
  }

  private mutating func take(_ clock: (reading: ClockReading, move: Milliseconds)) {
    if clock.move != 0 {
      moveTimes(by: clock.move, to: clock.reading.wall)
      isClockMoved = true
    }
    if clock.reading != state.clock {
      state.clock = clock.reading
      output.note(.host(.clock(clock.reading)))
    }
    schedule()
  }

  /// Moves all from which a length of time is counted; none comes to lie after `wall`, and no deadline further than a whole wait after it.
  private mutating func moveTimes(by move: Milliseconds, to wall: Milliseconds) {
    func moved(_ time: Milliseconds) -> Milliseconds { max(0, min(time + move, wall)) }
    let latestDeadline = wall + settings.filterDeadline
    output.note(.clockMoved(by: move, to: wall, latestDeadline: latestDeadline))
    state.newest = moved(state.newest)
    newestHint = moved(newestHint)
    if let time = lastFix?.time { lastFix?.time = moved(time) }
    state.lastShown = state.lastShown.mapValues(moved)
    state.campaignShown = state.campaignShown.mapValues(moved)
    state.lastOpened = state.lastOpened.mapValues(moved)
    state.lastNotification = state.lastNotification.map(moved)
    state.lastRemoved = state.lastRemoved.map(moved)
    state.backgroundSince = state.backgroundSince.map(moved)
    state.anchors = state.anchors.mapValues { $0 == .max ? .max : moved($0) }
    for index in state.displays.indices { state.displays[index].time = moved(state.displays[index].time) }
    for index in state.visits.indices {
      state.visits[index].since = moved(state.visits[index].since)
      state.visits[index].repeated = state.visits[index].repeated.map(moved)
    }
    foregroundSince = foregroundSince.map(moved)
    radios = [:]
    sightings = [:]
    state.heard = state.heard.mapValues(moved)
    for index in state.crossings.indices { state.crossings[index].since = moved(state.crossings[index].since) }
    for (campaign, starts) in state.chains.sorted(by: { $0.key < $1.key }) {
      let starts = starts.map { $0.map(moved) }
      state.chains[campaign] = starts
      output.note(.history(.chain(campaign, starts)))
    }
    moveMessages(by: move, to: wall)
    for index in state.batches.indices {
      state.batches[index].deadline = max(0, min(state.batches[index].deadline + move, latestDeadline))
    }
  }

  /// What waits for a time on the wall waits for another one, after the clock was set.
  mutating func recheckAfterClock(at time: Milliseconds) {
    guard isClockMoved else { return }
    isClockMoved = false
    inputTime = max(now, time)
    reconsider { $0.until != nil }
    reconsiderWaiting()
    schedule()
  }
}
