/// The items on their way to a display at one moment, and where each is, so that many candidates can be compared
/// with them without a look at all for each.
struct InFlight: Sendable {
  /// From so many candidates on, this is less work than a look at all for each.
  static let least = 16

  /// Where each notification is.
  private var keys: [ItemKey: Delivery.Place] = [:]
  private var campaigns: [Identifier: Delivery.Place] = [:]
  /// Until when the app may answer about dwellings to come, by match identifier; and which those are.
  private var askedAtEnter: [String: Milliseconds] = [:]
  private var keysAtEnter: Set<ItemKey> = []

  init(_ delivery: Delivery) {
    delivery.forAll { add($0, $1) }
    for batch in delivery.batches where batch.isAtEnter {
      for item in batch.items {
        askedAtEnter[item.matchIdentifier] = batch.deadline
        keysAtEnter.insert(item.key)
      }
    }
  }

  private mutating func add(_ item: Item, _ place: Delivery.Place) {
    keys[item.key] = place
    campaigns[item.campaign] = place
  }

  /// Where a notification is; nil when it is not on its way. There is one welcome, wherever it is.
  func find(_ key: ItemKey, _ campaign: Campaign) -> Delivery.Place? {
    campaign.welcome == nil ? keys[key] : campaigns[key.campaign]
  }

  /// Whether it is on its way, or the app is asked about it before its time.
  func isBusy(_ key: ItemKey) -> Bool { keys[key] != nil || keysAtEnter.contains(key) }

  /// Until when the app may answer about a dwelling to come; nil when it is not asked.
  func deadlineAtEnter(_ matchIdentifier: String) -> Milliseconds? { askedAtEnter[matchIdentifier] }
}
