/// A change in where the device is that must survive the process.
public enum PresenceChange: Sendable {
  case baseline(Bool)
  case newRegions(Set<Identifier>)
  case visit(Visit)
  case visitEnded(Identifier)
  case crossing(PendingCrossing)
  case crossingEnded(Identifier)
  case moved(Identifier, Coordinate?)
  case heard(Identifier, Milliseconds?)
  case approach(Approach)
  /// All of a region.
  case approachesEnded(Identifier)
  case ordinal(Identifier, Int64)
  case absence(AbsenceWatch)
  /// Of a campaign.
  case absenceEnded(Identifier)
  case plan(RegionPlan)
}
