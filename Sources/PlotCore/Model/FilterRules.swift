/// The fate of a batch that the app has not answered in time.
public enum FilterFallback: String, CaseIterable, Sendable {
  case drop, showOriginal
}

/// The fate of a batch that was open when the process ended.
public enum FilterRecovery: String, CaseIterable, Sendable {
  case offerAgain, drop
}
