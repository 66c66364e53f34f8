@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through votes, slots and removals, with a host that answers everything.
struct ShowingTour {
  private static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50},
       {"id": "b", "type": "geofence", "latitude": 20, "longitude": 10, "radius": 50},
       {"id": "c", "type": "geofence", "latitude": 30, "longitude": 10, "radius": 50},
       {"id": "d", "type": "geofence", "latitude": 40, "longitude": 10, "radius": 50},
       {"id": "e", "type": "geofence", "latitude": 50, "longitude": 10, "radius": 50}],
     "campaigns": [
       {"id": "key", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "correlationKey": "k"},
       {"id": "group", "type": "notification", "message": "m", "regions": ["b"], "exclusionGroup": "g"},
       {"id": "other", "type": "notification", "message": "m", "regions": ["b"], "exclusionGroup": "g"},
       {"id": "one", "type": "notification", "message": "m", "regions": ["c"], "coalescingGroup": "many"},
       {"id": "two", "type": "notification", "message": "m", "regions": ["c"], "coalescingGroup": "many"},
       {"id": "hello", "type": "notification", "message": "m", "regions": ["d"], "welcome": {"period": 60, "alone": true}},
       {"id": "quiet", "type": "notification", "message": "m", "regions": ["d"]},
       {"id": "leaving", "type": "notification", "message": "m", "regions": ["e"], "removeOnExit": true, "resend": true},
       {"id": "stay", "type": "notification", "message": "m", "regions": ["e"], "trigger": "dwelling", "dwellingMinutes": 5,
        "filterAt": "enter"}],
     "settings": {"slots": {"count": 2}, "coalescing": [{"group": "many", "message": "{{count}}"}]}}
    """#

  private var machine: Machine
  private var time: Milliseconds = 1_000_000
  private var all: [Decision] = []
  private var vetoes = false
  private var canShow = true
  private var canTakeAway = true

  private mutating func play(_ output: Machine.Output) throws {
    var queue = output.effects
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .decision(let decision): all.append(decision)
      case .show(let item):
        queue += try machine.confirm(item.matchIdentifier ?? "", shown: canShow).effects
      case .vote(let ballot): queue += machine.answerVote(ballot, vetoes: vetoes ? ballot.voters : []).effects
      case .remove(let item):
        queue += machine.confirmRemoved(item.matchIdentifier ?? "", removed: canTakeAway).effects
      case .ask(let batch):
        let kept = batch.items.map {
          Kept(matchIdentifier: $0.matchIdentifier ?? "", message: $0.message, data: $0.data)
        }
        queue += try machine.answerFilter(batch.token, kept, at: time).effects
      case .event, .open, .tell, .plan: break
      }
    }
  }

  private mutating func go(_ latitude: Double) throws {
    time += 1000
    try play(machine.update(Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: 10))))
  }

  static func decisions() throws -> [Decision] {
    var tour = Self(machine: Machine(state: State(), feed: try Feed.parse(feed)))
    tour.machine.settings.recordsDecisions = true
    tour.machine.settings.initial = .enter
    try tour.go(10)
    try tour.go(15)
    try tour.go(10)
    tour.canTakeAway = false
    try tour.go(15)
    try tour.go(10)
    tour.machine.settings.canRemove = false
    try tour.go(15)
    try tour.go(10)
    tour.machine.settings.canRemove = true
    tour.canTakeAway = true
    for match in tour.machine.state.screen.displayed.map(\.matchIdentifier) {
      try tour.play(tour.machine.dismiss(match ?? "", at: tour.time))
    }
    for latitude in [20.0, 30, 40, 50, 55] { try tour.go(latitude) }
    for match in tour.machine.state.screen.displayed.map(\.matchIdentifier) {
      try tour.play(tour.machine.dismiss(match ?? "", at: tour.time))
    }
    tour.machine.settings.strategies = [Identifier("s")]
    try tour.go(50)
    tour.vetoes = true
    try tour.go(55)
    try tour.go(50)
    tour.machine.settings.hasFilter = true
    try tour.go(55)
    try tour.go(50)
    try tour.go(55)
    // A batch that is open when the process ends.
    tour.vetoes = false
    tour.time += 1000
    let asked = try tour.machine.update(
      Fix(time: tour.time, coordinate: Coordinate(latitude: 50, longitude: 10)))
    tour.all += asked.effects.compactMap { if case .decision(let decision) = $0 { decision } else { nil } }
    tour.machine.settings.filterRecovery = .drop
    try tour.play(tour.machine.recover(at: tour.time))
    return tour.all
  }
}
