internal import PlotCore

/// Regions by themselves, and how they are entered.
extension Lint {
  /// Metres: what phones achieve outdoors at their best is about 5, and in a town 10 and more.
  static let achievable = (best: 5.0, usual: 10.0)

  mutating func checkRegions() {
    checkUse()
    checkSizes()
    checkAccuracy()
    checkNoiseOfRegions()
    checkDwellings()
    checkTwinRegions()
    checkStrays()
    checkRegionGroups()
  }

  private mutating func checkUse() {
    // A campaign without regions was to have some.
    guard let feed, !feed.campaigns.isEmpty, !feed.faults.contains(where: { $0.code == .noRegions }) else { return }
    var used: Set<Identifier> = []
    for (_, campaign) in feed.known {
      for region in feed.regions(of: campaign) { used.insert(region.id) }
      for link in campaign.after?.links ?? [] { used.insert(link.region) }
    }
    for case .group(let group)? in feed.regions.map({ $0?.shape }) { used.formUnion(group.members) }
    for (index, region) in feed.regions.enumerated() {
      guard let region, !used.contains(region.id), !feed.leftOut.contains(region.id.text) else { continue }
      report(
        .unusedRegion, region: index, sentence: "No campaign, group or step uses the region \"\(region.id.text)\".")
    }
  }

  private mutating func checkSizes() {
    guard let feed else { return }
    for (index, region) in feed.regions.enumerated() {
      guard let region, region.shape.isPlace, region.shape.size < Self.achievable.usual,
        unreachable(region) == nil
      else { continue }
      let size = (region.shape.size * 10).rounded() / 10
      let key =
        switch region.shape {
        case .area(let area): if case .corridor = area.outline { "width" } else { "geometry" }
        default: "radius"
        }
      report(
        .regionTooSmall, region: index, key,
        sentence:
          "The region \"\(region.id.text)\" reaches \(size) metres from its middle, and phones are no more"
          + " accurate than 10."
      )
    }
  }

  private mutating func checkAccuracy() {
    guard let feed else { return }
    for (index, region) in feed.regions.enumerated() {
      guard let region, let limit = unreachable(region) else { continue }
      report(
        .unreachableAccuracy, region: index, "noise",
        sentence:
          "At the region \"\(region.id.text)\" only fixes of at most \(limit) metres count, and phones have none."
      )
    }
  }

  /// The accuracy that must be had there, where phones do not have it.
  private func unreachable(_ region: Region) -> Double? {
    let shared = isRead("/engine/noise") ? configuration?.noise : nil
    guard region.shape.isPlace, let most = (region.noise ?? shared)?.maxAccuracy else { return nil }
    let limit = max(most, region.shape.size)
    return limit < Self.achievable.best ? limit : nil
  }

  private mutating func checkNoiseOfRegions() {
    guard let feed else { return }
    for (index, region) in feed.regions.enumerated() {
      guard let region, let noise = region.noise else { continue }
      reportNoise(noise, .feed, [.key("regions"), .index(index), .key("noise")], "the region \"\(region.id.text)\"")
    }
  }

  mutating func reportNoise(
    _ policy: NoisePolicy, _ document: Finding.Document, _ path: [PathStep], _ owner: String
  ) {
    if policy.margin > policy.maxMargin {
      report(
        .contradictoryNoise, document, path + [.key("margin")],
        "The noise policy of \(owner) has a margin of \(policy.margin) metres, and at most \(policy.maxMargin)"
          + " by maxMargin."
      )
    }
    if let fastest = policy.maxSpeed, let implied = policy.maxImpliedSpeed, implied < fastest {
      report(
        .contradictoryNoise, document, path + [.key("maxImpliedSpeed")],
        "The noise policy of \(owner) leaves out fixes that need \(implied) metres a second, and lets who has"
          + " \(fastest) enter."
      )
    }
    if policy.confirmAlone > 0, policy.confirmTime > policy.confirmAlone {
      report(
        .contradictoryNoise, document, path + [.key("confirmTime")],
        "The noise policy of \(owner) trusts one fix after \(policy.confirmAlone / 1000) seconds, and two only"
          + " after \(policy.confirmTime / 1000)."
      )
    }
  }

  /// A least time inside that is as long as the dwelling: both would come at once, or the dwelling is long over.
  private mutating func checkDwellings() {
    guard let feed else { return }
    let shared = isRead("/engine/noise") ? configuration?.noise : nil
    for (index, campaign) in feed.known where campaign.trigger.dwellingMinutes > 0 {
      let minutes = campaign.trigger.dwellingMinutes
      let late = feed.regions(of: campaign).first { region in
        region.shape.isPlace && (region.noise ?? shared ?? .standard).minInside > minutes * 60_000
      }
      guard let late else { continue }
      report(
        .noiseOutlastsDwelling, campaign: index, "dwellingMinutes",
        sentence:
          "The \(campaign.title) waits for \(minutes) minutes, and the region \"\(late.id.text)\" is entered"
          + " only after \((late.noise ?? shared ?? .standard).minInside / 1000) seconds."
      )
    }
  }

  // MARK: One beside another

  private mutating func checkTwinRegions() {
    guard let feed else { return }
    var known: [String: [Int]] = [:]
    for (index, region) in feed.regions.enumerated() {
      guard let region, !region.isMoving, let key = region.shape.key else { continue }
      guard let twin = known[key]?.first(where: { feed.regions[$0]?.shape == region.shape }) else {
        known[key, default: []].append(index)
        continue
      }
      report(
        .twinRegions, region: index,
        sentence: "The region \"\(region.id.text)\" is the same place as \"\(feed.regions[twin]?.id.text ?? "")\".")
    }
  }

  /// More than 1000 km from the middle of all, and near it when latitude and longitude are swapped; or at 0, 0.
  private mutating func checkStrays() {
    guard let feed else { return }
    let places = feed.regions.enumerated().compactMap { index, region in
      region?.shape.circle.map { (index: index, center: $0.center) }
    }
    guard places.count >= 4 else { return }
    let latitudes = places.map(\.center.latitude).sorted()
    let longitudes = places.map(\.center.longitude).sorted()
    let middle = Coordinate(latitude: latitudes[places.count / 2], longitude: longitudes[places.count / 2])
    for (index, center) in places where Earth.distance(center, middle) > 1_000_000 {
      let name = feed.regions[index]?.id.text ?? ""
      if center.latitude == 0, center.longitude == 0 {
        report(
          .strayRegion, region: index, "latitude", sentence: "The region \"\(name)\" is at 0, 0, far from all others.")
      } else if abs(center.longitude) <= 90,
        Earth.distance(Coordinate(latitude: center.longitude, longitude: center.latitude), middle) < 200_000
      {
        report(
          .strayRegion, region: index, "latitude",
          sentence: "The region \"\(name)\" would lie among the others if its latitude and longitude were swapped.")
      }
    }
  }

  private mutating func checkRegionGroups() {
    guard let feed else { return }
    for (index, region) in feed.regions.enumerated() {
      guard let region, case .group(let group) = region.shape else { continue }
      let members = group.members.compactMap { feed.positions[$0].flatMap { feed.regions[$0] } }
      guard members.count == group.members.count else { continue }
      func lacks(_ isBeacon: Bool) -> Bool { !members.contains { $0.shape.isBeacon == isBeacon } }
      var reason: String?
      if group.enter == .beacon, lacks(true) { reason = "it is entered by a beacon, and has none" }
      if group.enter == .geofence, lacks(false) { reason = "it is entered by a geofence, and has none" }
      if group.enter == .all, let apart = Self.apart(members) {
        reason = "\"\(apart.0.id.text)\" and \"\(apart.1.id.text)\" lie too far apart to be visited both"
      }
      if let reason {
        report(
          .groupNeverEntered, region: index, "enter",
          sentence: "The group \"\(region.id.text)\" can never be entered: \(reason).")
      } else if feedReader?.has("/regions/\(index)/hold") == true,
        group.hold == .beacon && lacks(true) || group.hold == .geofence && lacks(false)
      {
        report(
          .idleKey, region: index, "hold",
          sentence: "\"hold\" of the group \"\(region.id.text)\" has no effect: it has no \(group.hold.rawValue).")
      }
    }
  }

  /// Two that cannot be visited at once: a visit lasts a margin beyond its region, and fixes are inaccurate.
  private static func apart(_ members: [Region]) -> (Region, Region)? {
    let fixed = members.filter { !$0.isMoving }
    for (position, one) in fixed.enumerated() {
      for other in fixed[(position + 1)...] {
        guard let a = one.shape.circle, let b = other.shape.circle else { continue }
        if Earth.distance(a.center, b.center) > a.radius + b.radius + 2000 { return (one, other) }
      }
    }
    return nil
  }

  // MARK: The plan

  mutating func checkPlan() {
    checkBudget()
    checkBeacons()
  }

  /// The iOS budget, with the place of the finding; nil when it could not be read.
  private var budget: (count: Int, document: Finding.Document, path: [PathStep])? {
    if configurationReader?.has("/maxRegionsMonitored") == true {
      guard isRead("/maxRegionsMonitored"), let count = configuration?.maxRegionsMonitored else { return nil }
      return (Int(count), .configuration, [.key("maxRegionsMonitored")])
    }
    return (20, .feed, [.key("regions")])
  }

  /// As a plan would be dense wherever the device is: more places within its least fence than there is room for
  /// (docs/region-plan.md).
  private mutating func checkBudget() {
    guard let feed, let budget else { return }
    let places = feed.regions.compactMap { $0 }.filter { $0.shape.isPlace && !$0.isMoving }
    let beacons = feed.regions.count { if case .beacon? = $0?.shape { true } else { false } }
    let share = max(budget.count / RegionPlan.beaconShare, budget.count - places.count)
    let room = budget.count - min(beacons, share)
    guard places.count > room, places.count <= Self.pairLimit else { return }
    let index = RegionIndex(places)
    var worst: (count: Int, id: String) = (0, "")
    for place in places {
      guard let center = place.shape.circle?.center else { continue }
      var count = 0
      index.forEachNear(center, RegionPlan.fence.least) { _, _ in count += 1 }
      if count > worst.count { worst = (count, place.id.text) }
    }
    guard worst.count > room - 1 else { return }
    report(
      .budgetTooSmall, budget.document, budget.path,
      "At the region \"\(worst.id)\" \(worst.count) regions lie within 100 metres, and the system may watch"
        + " \(max(room - 1, 0)) besides the fence."
    )
  }

  private mutating func checkBeacons() {
    guard let feed, let budget else { return }
    var uuids: Set<String> = []
    var count = 0
    for region in feed.regions {
      guard case .beacon(let beacon)? = region?.shape else { continue }
      count += 1
      uuids.insert(beacon.proximityUUID.lowercased())
    }
    let places = feed.regions.count { $0?.shape.isPlace == true }
    let share = max(budget.count / RegionPlan.beaconShare, budget.count - places)
    guard count > share, uuids.count > share else { return }
    report(
      .unwatchedBeacons, budget.document, budget.path,
      "There are beacons of \(uuids.count) UUIDs, and the system may watch \(share) beside the places.")
  }
}

extension Region.Shape {
  /// Equal for equal shapes; nil for groups.
  fileprivate var key: String? {
    switch self {
    case .circle(let circle): "\(circle.center.latitude) \(circle.center.longitude) \(circle.radius)"
    case .area(let area): "\(area.center.latitude) \(area.center.longitude) area"
    case .beacon(let beacon): "\(beacon.proximityUUID) \(beacon.majorId)"
    case .eddystone(let beacon): beacon.namespaceId
    case .group: nil
    }
  }
}
