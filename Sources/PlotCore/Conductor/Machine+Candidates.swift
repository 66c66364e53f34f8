/// From candidates to what the host shows. The order of the steps is the seeds': filter before cooldown, counters only
/// on a confirmed display.
extension Machine {
  /// The most candidates of one instant. Those beyond it, in the order of their events, are dropped, each with a decision.
  public static let candidateLimit = 10_000

  /// Takes the candidates of one instant through the steps up to the filter, and asks the app about those that pass.
  mutating func consider(_ candidates: [Candidate]) {
    let candidates = handover == nil ? candidates : putOff(candidates)
    withInFlight(for: candidates.count) { $0.consider(few: candidates) }
  }

  /// The first ones. Those that are too many are dropped.
  mutating func withinLimit(_ candidates: [Candidate]) -> [Candidate] {
    guard candidates.count > Self.candidateLimit else { return candidates }
    for candidate in candidates[Self.candidateLimit...] {
      output.countLeftOut()
      record(candidate, .trigger, .drop, .tooMany)
    }
    return Array(candidates[..<Self.candidateLimit])
  }

  private mutating func consider(few candidates: [Candidate]) {
    var notifications: [Item] = []
    var landingPages: Set<String> = []
    var geotriggers: [Item] = []
    var welcomes: Set<Identifier> = []
    for candidate in withinLimit(candidates) {
      record(candidate, .trigger, .pass, .triggered)
      if isAskedAtEnter(candidate) { continue }
      if candidate.campaign.isWelcome, welcomes.contains(candidate.campaign.id) {
        record(candidate, .repeat, .drop, .inFlight)
        continue
      }
      guard isEligible(candidate), var item = fill(candidate) else { continue }
      if passPrefiltered(candidate) { continue }
      switch item.kind {
      case .geotrigger:
        item.sent = Item.Sent(date: now, answered: nil)
        geotriggers.append(item)
      case .notification(let handler):
        if handler == .landingPage { landingPages.insert(item.matchIdentifier) }
        if candidate.campaign.isWelcome { welcomes.insert(item.campaign) }
        notifications.append(item)
      }
    }
    if !notifications.isEmpty { notifications = feed.inOrder(alone(notifications)) }
    fire(geotriggers)
    // Most crossings have none: the rest costs a fourteenth of them.
    guard !notifications.isEmpty else {
      if settings.hasFilter || feed.settings.joins { pump() }
      return
    }
    if settings.hasFilter {
      let asked = notifications.filter { !landingPages.contains($0.matchIdentifier) }
      ask(asked, isGeotrigger: false)
      deliver(notifications.filter { landingPages.contains($0.matchIdentifier) }, passing: .landingPage)
    } else {
      for item in notifications {
        let reason: Reason = landingPages.contains(item.matchIdentifier) ? .landingPage : .noFilter
        record(item, .filter, .pass, reason)
        if !feed.settings.joins { enqueue([item]) }
      }
      if feed.settings.joins { enqueue(notifications) }
    }
  }

  mutating func fill(_ candidate: Candidate) -> Item? {
    let (campaign, region) = (candidate.campaign, candidate.region)
    do throws(Template.MissingField) {
      let (content, language) = try content(of: candidate)
      var item = Item(
        LoadedItem(campaign, region, content), matchIdentifier: candidate.matchIdentifier, visit: candidate.visit)
      if let template = campaign.correlationKey {
        let key = template.isPlain ? template.source : try template.filled(filling(candidate, language))
        item.values.correlationKey = key
      } else if campaign.isWelcome {
        item.values.correlationKey = "welcome;\(campaign.id.text)"
      }
      record(candidate, .content, .pass, .filled)
      return item
    } catch {
      record(candidate, .content, .drop, .missingField, error.name)
      return nil
    }
  }

  /// Its texts, and their language.
  private func content(of candidate: Candidate) throws(Template.MissingField) -> (Content, language: String) {
    let campaign = candidate.campaign
    // Most have one text for all.
    guard campaign.isTranslated || campaign.isWelcome else {
      return (try content(of: campaign, candidate, Languages.standard), Languages.standard)
    }
    var (worded, language) = campaign.worded(for: languages)
    if !state.host.hasNetwork, let offline = campaign.welcome?.offline {
      (worded.values.text, worded.values.data, language) = (offline.message, offline.data, Languages.standard)
    }
    return (try content(of: worded, candidate, language), language)
  }

  private func content(
    of campaign: Campaign, _ candidate: Candidate, _ language: String
  ) throws(Template.MissingField) -> Content {
    try feed.content(of: campaign, languages: languages) { (template) throws(Template.MissingField) in
      template.isPlain ? template.source : try template.filled(filling(candidate, language))
    }
  }

  /// The languages of the device, as its property says.
  var languages: String {
    if case .string(let tags) = state.host.properties[Languages.property] { tags } else { "" }
  }

  func filling(_ candidate: Candidate, _ language: String) -> Filling {
    var filling = Filling(region: candidate.region)
    if candidate.ordinal > 0 { filling.ordinal = candidate.ordinal }
    (filling.arrival, filling.now, filling.properties) = (candidate.arrival, now, state.host.properties)
    filling.zone = candidate.region.clockZone(candidate.campaign.times.zone, device: state.host.zone)
    filling.language = language
    filling.trip = candidate.trip
    return filling
  }

  mutating func ask(_ items: [Item], isGeotrigger: Bool, isAtEnter: Bool = false) {
    guard !items.isEmpty else { return }
    let batch = state.delivery.ask(
      items, isGeotrigger: isGeotrigger, until: reportingTime + filterDeadline(items), isAtEnter: isAtEnter)
    output.note(.delivery(.batch(batch)))
    for item in items { record(item, .filter, .hold, .asked, inputs: noted(["deadline": .time(batch.deadline)])) }
    output.effects.append(.ask(batch))
  }
}
