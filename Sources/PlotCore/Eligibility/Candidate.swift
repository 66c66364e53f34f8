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

  /// How the region's edge was crossed, for a campaign that asks for it; nil where nothing is crossed.
  var crossing: Boxed<EdgeCrossing>?

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
