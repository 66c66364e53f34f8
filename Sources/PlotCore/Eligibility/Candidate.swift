/// A campaign whose trigger has come, at a region, in a visit.
struct Candidate {
  var campaign: Campaign
  var region: Region
  var visit: String
  /// Which visit to the region it is.
  var ordinal: Int64 = 0
  /// When the region was entered, or will be reached.
  var arrival: Milliseconds?
  /// How its steps stood when the trigger came; nil without steps.
  var steps: Eligibility.Outcome?

  /// More about what it comes of; nil for most.
  var origin: Origin?

  enum Origin {
    /// How the region's edge was crossed, for a campaign that asks for it.
    case crossing(Boxed<EdgeCrossing>)
    case trip(Boxed<TripPlan>)
  }

  var crossing: Boxed<EdgeCrossing>? { if case .crossing(let crossing)? = origin { crossing } else { nil } }
  var trip: Boxed<TripPlan>? { if case .trip(let trip)? = origin { trip } else { nil } }

  /// How many times the trigger had come in the visit before.
  var repetition: Int64 = 0

  var matchIdentifier: String {
    var id = StableIdentifier()
    id.add("match")
    id.add(visit)
    id.add(campaign.id.text)
    id.add(campaign.kind == .geotrigger ? "geotrigger" : "notification")
    id.add(campaign.trigger.name)
    let parameter = campaign.trigger.parameter
    if repetition > 0 { id.add("\(parameter) \(repetition)") } else { id.add(parameter) }
    return id.text
  }
}
