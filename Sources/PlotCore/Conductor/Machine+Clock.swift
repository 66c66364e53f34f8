/// The host's clocks (docs/rules.md, Clocks). Waits are counted in wall time; when the wall clock is set, all that
/// they count from moves with it, so that what remains of a wait stays the same, and is never more than the whole.
extension Machine {
  /// Takes what the clocks show. Throws `invalid` when the monotonic one has gone back within a boot, and then nothing has changed.
  public mutating func setClock(_ reading: ClockReading) throws(InputError) -> Output {
    let clock = try compared(reading)
    // A reading without anything new says what time it is now.
    let isNow = state.host.clock?.boot == reading.boot && clock.move == nil
    output.restart()
    follow(clock, reading)
    state.host.noteReading(at: isNow ? reading.wall : nil)
    prepareFastPath()
    recheckAfterClock(at: reading.wall)
    proceed(to: reading.wall)
    return finish()
  }

  /// The same before `recover`: nothing that is due happens yet.
  public mutating func startClock(_ reading: ClockReading) throws(InputError) -> Output {
    let clock = try compared(reading)
    output.restart()
    follow(clock, reading)
    return finish()
  }

  private func compared(_ reading: ClockReading) throws(InputError) -> (reading: ClockReading, move: Milliseconds?) {
    try state.host.compared(reading, newest: state.newest, mostAhead: settings.maxAhead)
  }

  private mutating func follow(_ clock: (reading: ClockReading, move: Milliseconds?), _ reading: ClockReading) {
    if let last = state.host.clock, last.boot != reading.boot {
      observations.endWatches()
      if !feed.absent.isEmpty { observations.noteOff() }
    }
    if let move = clock.move { moveTimes(by: move, to: reading.wall) }
    learn(.clock(clock.reading))
    schedule()
  }

  /// Throws `ahead` for a time beyond the clocks.
  mutating func checkTime(_ time: Milliseconds) throws(InputError) {
    let fault = state.host.fault(of: time, newest: state.newest, mostAhead: settings.maxAhead)
    endReading(by: time)
    if let fault { throw fault }
  }

  mutating func endReading(by time: Milliseconds) { if state.host.endReading(by: time) { prepareFastPath() } }

  /// Moves all from which a length of time is counted; none comes to lie after `wall`, and no deadline further than a whole wait after it.
  private mutating func moveTimes(by move: Milliseconds, to wall: Milliseconds) {
    func moved(_ time: Milliseconds) -> Milliseconds { max(0, min(time + move, wall)) }
    let latestDeadline = wall + settings.filterDeadline
    output.note(.clockMoved(by: move, to: wall, latestDeadline: latestDeadline))
    state.newest = moved(state.newest)
    observations.moveTimes(moved)
    state.screen.moveTimes(moved)
    state.host.moveTimes(moved)
    state.presence.moveTimes(moved)
    state.trips.moveTimes(moved)
    for change in state.history.moveTimes(moved) { output.note(.history(change)) }
    moveMessages(by: move, to: wall)
    state.delivery.moveDeadlines(by: move, latest: latestDeadline)
  }

  /// Items that wait for a time on the wall wait for another one, after the clock was set.
  mutating func recheckAfterClock(at time: Milliseconds) {
    guard state.host.takeClockMove() else { return }
    inputTime = max(now, time)
    reconsider { $0.until != nil }
    reconsiderWaiting()
    schedule()
  }
}
