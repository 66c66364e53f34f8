public import PlotCore

extension Machine {
  /// A fix at a place, exact unless an accuracy is given.
  package mutating func fix(_ time: Milliseconds, _ place: Coordinate, accuracy: Double = 0) throws -> Output {
    try update(Fix(time: time, coordinate: place, accuracy: accuracy))
  }

  /// A fix, after which the host shows everything that it is asked to show.
  package mutating func fixShowing(_ time: Milliseconds, _ place: Coordinate) throws -> [Event] {
    let output = try fix(time, place)
    return try output.events + confirmAll(output)
  }

  /// Confirms all displays of an output, or reports all as failed; returns the events of that.
  package mutating func confirmAll(_ output: Output, shown: Bool = true) throws -> [Event] {
    var events: [Event] = []
    for item in output.shows { events += try confirm(item.matchIdentifier, shown: shown).events }
    return events
  }
}

extension Machine.Output {
  package var events: [Event] { effects.events }
  package var decisions: [Decision] { effects.decisions }
  package var shows: [Item] { effects.compactMap { if case .show(let item) = $0 { item } else { nil } } }
  package var removes: [Item] { effects.compactMap { if case .remove(let item) = $0 { item } else { nil } } }
  package var asks: [Batch] { effects.compactMap { if case .ask(let batch) = $0 { batch } else { nil } } }
  package var opens: [Item] { effects.compactMap { if case .open(let item) = $0 { item } else { nil } } }
  package var votes: [Ballot] { effects.compactMap { if case .vote(let ballot) = $0 { ballot } else { nil } } }

  /// The reasons of one campaign's decisions, in order.
  package func reasons(_ campaign: String) -> [Reason] { decisions.reasons(campaign) }

  /// The last decision about a campaign.
  package func last(_ campaign: String) -> Decision? { decisions.last { $0.campaign == Identifier(campaign) } }
}

extension [Machine.Effect] {
  package var events: [Event] { compactMap { if case .event(let event) = $0 { event } else { nil } } }
  package var decisions: [Decision] { compactMap { if case .decision(let decision) = $0 { decision } else { nil } } }
}

extension [Decision] {
  /// The reasons of the decisions about one campaign, in order.
  package func reasons(_ campaign: String) -> [Reason] {
    filter { $0.campaign == Identifier(campaign) }.map(\.reason)
  }
}

extension [Event] {
  /// `kind region` of each, or `kind campaign`.
  package var names: [String] { map { "\($0.kind.rawValue) \($0.item?.campaign.text ?? $0.region.text)" } }
}

extension Batch {
  /// An answer that keeps everything as it is.
  package var all: [Kept] { items.map(\.kept) }
}

extension Item {
  package init(
    kind: Campaign.Kind, campaign: Identifier, region: Identifier, regionName: String?, matchIdentifier: String,
    visit: String?, message: String, data: String, coordinate: Coordinate?, trigger: Trigger, matchRange: Int64,
    sent: Sent? = nil
  ) {
    self.init(
      LoadedItem(
        kind: kind, campaign: campaign, region: region, regionName: regionName,
        content: Content(message: message, data: data), coordinate: coordinate, trigger: trigger,
        matchRange: matchRange),
      matchIdentifier: matchIdentifier, visit: visit, sent: sent)
  }

  package var kept: Kept { Kept(matchIdentifier: matchIdentifier, content: self.content) }
}

// MARK: States as text

/// So that the order of a set does not show.
extension MessageList: CustomStringConvertible {
  public var description: String { "\(version) \(refreshed) \(entries.sorted().map(\.text))" }
}

/// All fields of a state as text, including fields that are added later; those of its owners with the owner's name
/// before them. Dictionaries and sets are sorted.
///
/// - Parameter lasting: Leaves out what ends with the process.
package func dump(_ state: State, lasting: Bool = false) -> [String: String] {
  var fields: [String: String] = [:]
  for child in Mirror(reflecting: state).children {
    let name = child.label ?? ""
    let isOwner =
      child.value is HostFacts || child.value is Screen || child.value is History || child.value is MessageState
      || child.value is Delivery || child.value is Presence || child.value is Trips
    for field in isOwner ? Array(Mirror(reflecting: child.value).children) : [child] {
      if lasting, ["session", "removals", "progress"].contains(field.label) { continue }
      fields[isOwner ? "\(name).\(field.label ?? "")" : name] = text(ofField: field.value)
    }
  }
  return fields
}

private func text(ofField value: Any) -> String {
  if let trips = value as? [Trip] {
    return trips.map { trip in
      var plain = trip
      plain.plan.metadata = [:]
      return "\(plain) \(text(ofField: trip.plan.metadata.map { "\($0.key) \($0.value)" }.sorted()))"
    }.joined(separator: "\n")
  }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .dictionary || mirror.displayStyle == .set else { return "\(value)" }
  return mirror.children.map { "\($0.value)" }.sorted().joined(separator: "\n")
}

/// As a store gives it back, from changes alone.
package func asStored(_ delivery: Delivery) -> Delivery {
  var stored = Delivery(lastToken: delivery.lastToken)
  for held in delivery.held { stored.apply(.held(held)) }
  for batch in delivery.batches { stored.apply(.batch(batch)) }
  for pending in delivery.pending { stored.apply(.pending(pending.item)) }
  for item in Array(delivery.intents) + delivery.unreported { stored.apply(.intent(item)) }
  for answer in delivery.prefiltered.all { stored.apply(.prefiltered(answer)) }
  for waiting in delivery.waiting { stored.apply(.waiting(waiting)) }
  return stored
}
