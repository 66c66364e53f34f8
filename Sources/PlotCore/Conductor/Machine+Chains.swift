/// The walks that campaigns ask for before their triggers.
extension Machine {
  /// Whether the steps are done as the trigger comes; nil for a campaign without steps. Events of the same moment that were told before
  /// the trigger count, the trigger itself and those after it do not.
  func steps(of campaign: Campaign) -> Eligibility.Outcome? {
    guard let chain = campaign.after else { return nil }
    return Eligibility.steps(chain, starts(campaign.id, chain), at: now)
  }

  private func starts(_ campaign: Identifier, _ chain: Chain) -> [Milliseconds?] {
    if let starts = state.history.chains[campaign], starts.count == chain.stages.count { return starts }
    return Array(repeating: nil, count: chain.stages.count)
  }

  /// Something has happened at a region: every chain that names it goes on.
  mutating func advanceChains(_ region: Identifier, _ event: Chain.Event) {
    for position in feed.campaigns(naming: region) {
      let campaign = feed.campaigns[position]
      guard let chain = campaign.after else { continue }
      let before = starts(campaign.id, chain)
      var after = before
      chain.advance(&after, region, event, at: now)
      if after != before { setChain(campaign.id, after) }
    }
  }

  private mutating func setChain(_ campaign: Identifier, _ starts: [Milliseconds?]) {
    let change = state.history.setChain(campaign, starts)
    output.note(.history(change))
  }

  /// It was shown, or handled: the walk must be done again.
  mutating func useUpChain(of campaign: Identifier) {
    if !state.history.chains.isEmpty, state.history.chains[campaign] != nil { setChain(campaign, []) }
  }

  mutating func forgetChains() {
    for campaign in state.history.chains.keys.sorted() { setChain(campaign, []) }
  }

  /// A campaign whose steps are the same in a new feed goes on where it is; others start anew, also those that wait in a visit.
  mutating func carryChains(for new: Feed) {
    let old = feed
    func goesOn(_ campaign: Identifier) -> Bool {
      guard let before = old.chain(of: campaign) else { return false }
      return before == new.chain(of: campaign)
    }
    for campaign in state.history.chains.keys.sorted() where !goesOn(campaign) { setChain(campaign, []) }
    release(where: { new.chain(of: $0.campaign) != nil && !goesOn($0.campaign) })
  }
}
