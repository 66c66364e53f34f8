/// Events and decisions about candidates and items.
extension Machine {
  mutating func emit(_ kind: Event.Kind, _ item: Item, recovered: Bool = false, reason: String? = nil) {
    // A geotrigger has none.
    let holdout = item.isGeotrigger ? nil : holdout(of: item, kind)
    emit(kind, region: item.region, visit: item.visit ?? "", at: now) {
      $0.item = item
      $0.reason = reason
      if let holdout { $0.holdout = holdout }
      $0.recovered = recovered
    }
  }

  /// The group that an event of a showing has.
  private func holdout(of item: Item, _ kind: Event.Kind) -> Identifier? {
    kind == .notificationShown || kind == .notificationHeldOut ? holdout(of: item)?.place?.group : nil
  }

  /// Records what was decided about a candidate.
  mutating func record(
    _ candidate: Candidate, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    _ nextPossible: Milliseconds? = nil
  ) {
    lastReason = reason
    guard settings.recordsDecisions else { return }
    record(decision(candidate, step, verdict, reason, detail, nextPossible))
  }

  func decision(
    _ candidate: Candidate, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    _ nextPossible: Milliseconds? = nil
  ) -> Decision {
    Decision(
      time: now, campaign: candidate.campaign.id, region: candidate.region.id, visit: candidate.visit, step: step,
      verdict: verdict, reason: reason, detail: detail, inputs: inputs(candidate, step, reason, detail),
      nextPossible: nextPossible)
  }

  /// Records what was decided about an item.
  mutating func record(
    _ item: Item, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    inputs own: Inputs? = nil, nextPossible: Milliseconds? = nil
  ) {
    lastReason = reason
    guard settings.recordsDecisions else { return }
    record(decision(item, step, verdict, reason, detail, inputs: own, nextPossible: nextPossible))
  }

  func decision(
    _ item: Item, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    inputs own: Inputs? = nil, nextPossible: Milliseconds? = nil
  ) -> Decision {
    Decision(
      time: now, campaign: item.isMessage ? nil : item.campaign, region: item.isMessage ? nil : item.region,
      visit: item.visit, message: item.incoming?.id, step: step, verdict: verdict, reason: reason, detail: detail,
      inputs: own ?? inputs(item, step, reason), nextPossible: nextPossible)
  }
}
