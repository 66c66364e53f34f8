import PlotTesting

@testable import PlotCore

extension World {
  /// The same world as the naive model sees it.
  var model: NaiveModel {
    var model = NaiveModel(
      places: regions.map { region in
        guard case .circle(let circle) = region.shape else { fatalError("a circle") }
        return NaiveModel.Place(
          id: region.id.text, latitude: circle.center.latitude, longitude: circle.center.longitude,
          radius: circle.radius)
      },
      actions: campaigns.map { campaign in
        let when: NaiveModel.When =
          switch campaign.trigger {
          case .enter: .enter
          case .exit: .exit
          case .dwelling(let minutes): .dwelling(minutes)
          case .inside, .approaching, .absent, .trip: fatalError("worlds have none")
          }
        let again: Int64? =
          switch campaign.repeatRule {
          case .once: nil
          case .always: 0
          case .after(let period): period
          }
        return NaiveModel.Action(
          id: campaign.id.text, isGeotrigger: campaign.kind == .geotrigger, when: when,
          places: campaign.regions.map { regions[$0].id.text }, start: campaign.start, end: campaign.end, again: again)
      })
    model.cooldown = cooldown
    model.entersAtFirst = initial == .enter
    return model
  }
}
