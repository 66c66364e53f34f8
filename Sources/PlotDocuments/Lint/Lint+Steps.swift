internal import PlotCore

/// Triggers and steps.
extension Lint {
  mutating func checkSteps() {
    checkTriggers()
    checkChains()
  }

  private mutating func checkTriggers() {
    guard let feed else { return }
    for (index, campaign) in feed.known where campaign.trigger.arrivalSeconds != nil {
      guard let regions = feed.allRegions(of: campaign), regions.allSatisfy({ !$0.shape.isPlace }) else { continue }
      report(
        .triggerNever, campaign: index, "trigger",
        sentence: "The \(campaign.title) waits for an approach, and none of its regions is a geofence.")
    }
  }

  private mutating func checkChains() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      guard let chain = campaign.after, let reason = Self.hindrance(chain, campaign, feed) else { continue }
      report(
        .stepsNever, campaign: index, "after", reason.isTime ? "within" : "steps",
        sentence: "The steps of the \(campaign.title) can never be done: \(reason.text).")
    }
  }

  /// A step, or at the end the trigger, where that is about one region.
  private struct Moment {
    var region: Identifier
    var event: Chain.Event
    /// The steps that must not happen before it.
    var forbidden: [Chain.Link]
  }

  private static func hindrance(
    _ chain: Chain, _ campaign: Campaign, _ feed: FeedSurvey
  ) -> (text: String, isTime: Bool)? {
    var moments: [Moment] = []
    var forbidden: [Chain.Link] = []
    for link in chain.links {
      if link.isForbidden {
        forbidden.append(link)
      } else {
        moments.append(Moment(region: link.region, event: link.event, forbidden: forbidden))
        forbidden = []
      }
    }
    if let regions = feed.allRegions(of: campaign), regions.count == 1, let event = campaign.trigger.event {
      moments.append(Moment(region: regions[0].id, event: event, forbidden: forbidden))
    }
    for (position, moment) in moments.enumerated() {
      // A dwelling after an enter at the same region takes its time.
      if let within = chain.within, case .dwelling(let minutes) = moment.event, minutes * 60_000 > within,
        moments[..<position].contains(where: { $0.region == moment.region && $0.event == .enter })
      {
        return (
          "\(minutes) minutes at \"\(moment.region.text)\" take longer than the \(within / 1000) seconds of \"within\"",
          true
        )
      }
      // Between two enters of a region is an exit, and between two exits an enter.
      guard position > 0, moments[position - 1].region == moment.region, moments[position - 1].event == moment.event,
        let between: Chain.Event = moment.event == .enter ? .exit : moment.event == .exit ? .enter : nil,
        moment.forbidden.contains(where: { $0.region == moment.region && $0.event == between })
      else { continue }
      return (
        "between two \(moment.event.name)s of \"\(moment.region.text)\" is an \(between.name), which is forbidden",
        false
      )
    }
    return nil
  }
}

extension Trigger {
  /// As a step.
  fileprivate var event: Chain.Event? {
    switch self {
    case .enter: .enter
    case .exit: .exit
    case .dwelling(let minutes): .dwelling(minutes: minutes)
    case .inside, .approaching, .absent, .trip: nil
    }
  }
}
