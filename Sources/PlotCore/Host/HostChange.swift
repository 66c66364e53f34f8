/// A change of the host's facts that must survive the process.
public enum HostChange: Sendable {
  case enabled(Bool)
  case cooldownPeriod(Milliseconds)
  case property(Identifier, PropertyValue?)
  case zone(ZoneRules)
  case foreground(Bool, backgroundSince: Milliseconds?)
  case network(Bool)
  case strategyState(Identifier, String)
  case advertising(Advertising?)
  case clock(ClockReading)
}
