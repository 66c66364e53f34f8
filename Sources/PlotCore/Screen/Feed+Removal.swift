extension Feed {
  /// Whether a notification leaves the screen with the visit, by its campaign. Welcomes have times of their own.
  func removesOnExit(_ item: Item) -> Bool {
    guard let campaign = campaign(item.campaign) else { return false }
    return campaign.removesOnExit && campaign.welcome == nil
  }
}
