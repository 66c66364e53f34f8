/// From sightings of beacons to visits.
extension Machine {
  /// Takes a sighting. Throws `invalid` or `outOfOrder`, and then nothing has changed.
  public mutating func update(_ sighting: Sighting) throws(InputError) -> Output {
    if let fault = sighting.fault { throw fault }
    // One that comes late counts where a policy weighs evidence; several of one moment do.
    let last = observations.newestSighting
    try checkOrder(
      sighting.time, after: last, mayBeLate: settings.noise.evidence != nil && sighting.time >= last, isFix: false)
    output.restart()
    proceed(to: sighting.time)
    if state.host.isEnabled { hear(sighting) }
    return finish()
  }

  private mutating func hear(_ sighting: Sighting) {
    let positions = feed.positions(of: sighting.sender)
    guard !positions.isEmpty else { return }
    let (time, distance) = (sighting.time, distance(of: sighting))
    observations.noteSighting(at: time)
    var crossings: [Crossing] = []
    var isHeardAgain = false
    for position in positions.sorted(by: { feed.regions[$0].id < feed.regions[$1].id }) {
      let region = feed.regions[position]
      let visit = visitPosition(region.id)
      let range = region.shape.beaconRange
      guard range.holds(distance, sighting.proximity, visiting: visit.found) else {
        record(
          .hold, .beaconRange, at: region.id,
          inputs: noted([
            "range": .text(range.rawValue), "proximity": sighting.proximity.map { .text($0.rawValue) },
            "distance": distance.map { .tenths($0) },
          ]))
        continue
      }
      if visit.found {
        // Not each one is written: what is known is at most a tenth too old.
        if time - (state.presence.heard[region.id] ?? 0) >= settings.beacons.silence / 10 {
          rememberHeard(region.id, at: time)
          isHeardAgain = true
        }
        continue
      }
      let sightings = observations.count(region.id, at: time, window: settings.beacons.window)
      guard sightings.count >= Int(settings.beacons.sightings) else {
        record(
          .hold, .notConfirmed, at: region.id,
          inputs: noted([
            "enters": .boolean(true), "since": .time(sightings[0]), "sightings": .integer(Int64(sightings.count)),
            "needed": .integer(settings.beacons.sightings),
          ]))
        continue
      }
      observations.endCount(region.id)
      rememberHeard(region.id, at: time)
      var crossing = Crossing(
        region: region.id, isEnter: true, since: sightings[0], coordinate: nil, source: .beacon, isSeen: true)
      crossing.isLate = time < now
      crossings.append(crossing)
    }
    cross(crossings)
    // Dwellings that waited while it was not sure.
    if isHeardAgain { fireDwellings() }
  }

  /// Metres; nil when nothing tells.
  private mutating func distance(of sighting: Sighting) -> Double? {
    guard sighting.proximity == nil, sighting.rssi != 0, sighting.power != 0 else { return nil }
    return observations.distance(
      to: sighting.sender, adding: sighting.power - sighting.rssi, at: sighting.time, window: settings.beacons.window)
  }

  private mutating func rememberHeard(_ region: Identifier, at time: Milliseconds) {
    let change = state.presence.hear(region, at: time)
    output.note(.presence(change))
  }

  mutating func forgetHeard(_ region: Identifier) {
    if let change = state.presence.forgetHeard(region) { output.note(.presence(change)) }
  }

  /// Ends the visits whose beacons are silent.
  mutating func endSilentBeacons() {
    let rules = visitRules
    let ended = state.presence.heard.keys.sorted().filter { (state.presence.silenceEnd($0, rules) ?? .max) <= now }
    guard !ended.isEmpty else { return }
    cross(
      ended.map {
        Crossing(region: $0, isEnter: false, since: state.presence.heard[$0] ?? now, coordinate: nil, source: .beacon)
      })
    // Without a visit, as a store may have it, nothing has ended: it must not be due for ever.
    for region in ended { forgetHeard(region) }
  }

  // MARK: Groups

  /// The crossings of groups that follow from those of their members.
  func groupCrossings(after crossings: [Crossing]) -> [Crossing] {
    guard !feed.tables.groups.isEmpty else { return [] }
    let feed = feed
    var positions: Set<Int> = []
    // A device that only passes is not there.
    let crossings = crossings.filter { $0.source != .passage }
    for crossing in crossings { positions.formUnion(feed.groups(of: crossing.region)) }
    return positions.sorted { feed.regions[$0].id < feed.regions[$1].id }.compactMap { position in
      guard case .group(let group) = feed.regions[position].shape else { return nil }
      let id = feed.regions[position].id
      let isVisited = visitPosition(id).found
      let isInside = isInside(group, isVisited: isVisited)
      guard isInside != isVisited, let cause = Crossing.cause(of: group, isInside, crossings) else { return nil }
      return Crossing(
        region: id, isEnter: isInside, since: cause.since, coordinate: cause.coordinate, source: .group,
        // Else its members were found inside at a first fix, and so is it.
        isSeen: group.members.contains { visit(at: $0)?.isSilent == false })
    }
  }

  /// Groups of a new feed whose regions are visited already: no enter was seen.
  mutating func meetGroups() {
    cross(
      feed.tables.groups.compactMap { position in
        let id = feed.regions[position].id
        guard case .group(let group) = feed.regions[position].shape, visit(at: id) == nil,
          isInside(group, isVisited: false)
        else { return nil }
        return Crossing(region: id, isEnter: true, since: now, coordinate: nil, source: .group)
      })
  }

  private func isInside(_ group: Group, isVisited: Bool) -> Bool {
    let visited = group.members.filter { visitPosition($0).found }
    let beacons = visited.count { feed.region($0).map { feed.regions[$0].shape.isBeacon } ?? false }
    return group.isInside(beacons: beacons, geofences: visited.count - beacons, isVisited: isVisited)
  }

  /// Groups whose members have ended in silence, as those of a new feed, end so too.
  func emptyGroups() -> [Visit] {
    feed.tables.groups.compactMap { position in
      guard case .group(let group) = feed.regions[position].shape, let visit = visit(at: feed.regions[position].id),
        !isInside(group, isVisited: true)
      else { return nil }
      return visit
    }
  }
}
