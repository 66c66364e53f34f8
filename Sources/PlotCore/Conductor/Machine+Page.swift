/// State that survives the process without a transaction (docs/store.md, The page).
extension Machine {
  /// The newest time, the observations, and what else no stored change carries.
  public var page: Page { Self.page(state.newest, lastForgotten, state.host.session, observations, state.trips) }

  /// The page of a machine with these values.
  static func page(
    _ newest: Milliseconds, _ lastForgotten: Milliseconds?, _ session: HostSession, _ observations: Observations,
    _ trips: Trips
  ) -> Page {
    var writer = FieldWriter()
    // Copies: a list of fields is for reading, too.
    var (newest, forgotten, host, observations) = (newest, lastForgotten ?? -1, session, observations)
    writer.code(&newest)
    writer.code(&forgotten)
    host.code(&writer)
    observations.code(&writer)
    // Most have none, and pages of earlier releases end here.
    if trips.hasProgress {
      var trips = trips
      trips.codeProgress(&writer)
    }
    return writer.page
  }

  /// Goes on from a page; false where it is not one of a machine with this state, and then nothing has changed.
  mutating func take(_ page: Page) -> Bool {
    var reader = FieldReader(page)
    var (newest, forgotten, host, observations) = (state.newest, state.newest, state.host.session, Observations())
    reader.code(&newest)
    reader.code(&forgotten)
    host.code(&reader)
    observations.code(&reader)
    var trips = state.trips
    if !reader.isComplete { trips.codeProgress(&reader) }
    guard reader.isComplete, trips.isPossible(before: newest), newest >= state.newest, Timestamp.range.contains(newest),
      observations.isPossible(before: newest), forgotten <= newest
    else { return false }
    state.newest = newest
    self.observations = observations
    state.trips = trips
    state.host.take(host)
    lastForgotten = forgotten < 0 ? nil : forgotten
    for fix in page.fixes where fix.fault == nil && fix.time >= state.newest { retake(fix) }
    return true
  }

  /// Takes a fix that a machine with this page has taken on its fast path.
  private mutating func retake(_ fix: Fix) {
    guard Timestamp.range.contains(fix.time) else { return }
    state.newest = fix.time
    if settings.noise.evidence == nil {
      observations.forgetSuspects()
    } else if !observations.weigh(fix, jump: trackPolicy.jumpTime).isFollowed {
      return
    }
    observations.follow(fix)
  }

  /// A page with its places elsewhere, for a recording that is shared; nil for one that no machine has left. `moved` makes one longitude of
  /// another.
  public static func page(_ page: Page, movingPlaces moved: (Double) -> Double) -> Page? {
    var machine = Machine(state: State(), feed: .empty)
    guard machine.take(page) else { return nil }
    machine.observations.movePlaces(moved)
    machine.state.trips.movePlaces(moved)
    return machine.page
  }
}
