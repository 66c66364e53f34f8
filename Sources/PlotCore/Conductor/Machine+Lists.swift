/// Lists that the host may look at.
extension Machine {
  /// An item for each campaign and region, sent ones too: nearest edge first when a fix is known (beacons last), else in the order
  /// of the feed. At most `limit`; 0 for all.
  public func loaded(geotriggers: Bool, limit: Int) -> [LoadedItem] {
    var entries: [(distance: Double, campaign: Int, region: Int)] = []
    for (position, campaign) in feed.campaigns.enumerated() where (campaign.kind == .geotrigger) == geotriggers {
      for region in campaign.regions { entries.append((edgeDistance(feed.regions[region]), position, region)) }
    }
    if lastFix != nil { entries.sort { ($0.distance, $0.campaign, $0.region) < ($1.distance, $1.campaign, $1.region) } }
    return entries.prefix(limit == 0 ? entries.count : limit).map { entry in
      let campaign = feed.campaigns[entry.campaign]
      let region = feed.regions[entry.region]
      return LoadedItem(campaign, region, shown(campaign, entry.region))
    }
  }

  /// Metres to the edge, 0 inside.
  private func edgeDistance(_ region: Region) -> Double {
    guard let lastFix, let distance = region.shape.edgeDistance(from: lastFix.coordinate) else { return .infinity }
    return max(0, distance)
  }

  /// Its texts as they would be now; where something is missing for one, that is as it was written.
  private func shown(_ campaign: Campaign, _ position: Int) -> Content {
    let (worded, language) = campaign.isTranslated ? campaign.worded(for: languages) : (campaign, Languages.standard)
    return feed.content(of: worded, languages: languages) { template in
      guard !template.isPlain else { return template.source }
      return (try? template.filled(filling(candidate(campaign, position), language))) ?? template.source
    }
  }
}
