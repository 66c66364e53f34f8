/// What is on its way to a display at one moment, and where each is, so that many candidates can be compared with it without a look at all of it
/// for each.
struct InFlight: Sendable {
  /// From so many candidates on, this is less work than a look at all for each.
  static let least = 16

  /// What the same notification waits for, as decisions name it.
  private var keys: [ItemKey: String] = [:]
  private var campaigns: [Identifier: String] = [:]
  /// Until when the app may answer about dwellings to come, by match identifier; and which those are.
  private var askedAtEnter: [String: Milliseconds] = [:]
  private var keysAtEnter: Set<ItemKey> = []

  init(pending: Queue<Pending>, intents: Queue<Item>, waiting: [Waiting], batches: [Batch]) {
    // The first of these is named where there are several: it comes last.
    for pending in pending { add(pending.item, "turn") }
    for item in intents { add(item, "show") }
    for waiting in waiting { add(waiting.item, "quiet") }
    for batch in batches {
      for item in batch.items {
        if batch.isAtEnter {
          askedAtEnter[item.matchIdentifier ?? ""] = batch.deadline
          keysAtEnter.insert(item.key)
        } else {
          add(item, "filter")
        }
      }
    }
  }

  private mutating func add(_ item: Item, _ place: String) {
    keys[item.key] = place
    campaigns[item.campaign] = place
  }

  /// What a notification waits for; nil when it is not on its way. There is one welcome, wherever it is.
  func find(_ key: ItemKey, _ campaign: Campaign) -> String? {
    campaign.welcome == nil ? keys[key] : campaigns[key.campaign]
  }

  /// Whether it is on its way, or the app is asked about it before its time.
  func isBusy(_ key: ItemKey) -> Bool { keys[key] != nil || keysAtEnter.contains(key) }

  /// Until when the app may answer about a dwelling to come; nil when it is not asked.
  func deadlineAtEnter(_ matchIdentifier: String) -> Milliseconds? { askedAtEnter[matchIdentifier] }
}

extension Machine {
  var notificationsInFlight: InFlight {
    InFlight(pending: state.pending, intents: state.intents, waiting: state.waiting, batches: state.batches)
  }

  /// Does something to many candidates, or items, while what is on its way changes only by themselves.
  mutating func withInFlight(for count: Int, _ body: (inout Machine) -> Void) {
    guard count >= InFlight.least, inFlight == nil else { return body(&self) }
    inFlight = notificationsInFlight
    body(&self)
    inFlight = nil
  }
}
