extension BeaconRange {
  /// Metres within which a region is entered, half as far again as the SDK's round figures; nil for wherever it is heard.
  var reach: Double? {
    switch self {
    case .immediate: 1.5
    case .near: 3
    case .far: nil
    }
  }

  /// Whether a beacon at a distance, or of the host's proximity, is in this range. One that is visited may be twice as far.
  func holds(_ distance: Double?, _ proximity: BeaconRange?, visiting: Bool) -> Bool {
    guard let reach else { return true }
    if let proximity { return proximity.meters <= meters || (visiting && proximity == .near) }
    guard let distance else { return false }
    return distance <= (visiting ? 2 * reach : reach)
  }
}
