import PlotTesting
import Testing

@testable import PlotCore

/// The owner of the trips: its changes are complete, and its invariants hold whatever comes.
@Suite struct TripOwnerTests {
  /// A copy that gets the changes alone, as a store does, knows the same.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var (trips, copy) = (Trips(), Trips())
    var seen: [String: Int] = [:]
    for step in Int64(1)...2000 {
      let id = Identifier("t\(Int.random(in: 0..<20, using: &generator))")
      let before = trips.find(id)
      var change: TripChange?
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        if before == nil, trips.isFull { continue }
        var plan = TripPlan(id: id, region: Identifier("r\(Int.random(in: 0..<3, using: &generator))"))
        if generator.chance(0.5) { plan.deadline = step + 100 }
        change = trips.put(before?.with(plan) ?? Trip(plan: plan, started: step))
      case 2:
        change = trips.end(id)
        #expect((change == nil) == (before == nil) && trips.find(id) == nil && trips.progress(of: id) == nil)
      case 3:
        guard var trip = before else { continue }
        trip.isDelayed.toggle()
        trip.wrongVisit = "v\(step)"
        change = trips.put(trip)
        guard case .reports? = change else {
          Issue.record("a whole trip for what was told")
          continue
        }
      case 4:
        trips.put(TripProgress(), of: id)
        #expect((trips.progress(of: id) != nil) == (before != nil))
      default:
        let moved = { (time: Milliseconds) in max(0, min(time + 7, step)) }
        trips.moveTimes(moved)
        copy.moveTimes(moved)
      }
      if let change {
        copy.apply(change)
        switch change {
        case .trip: seen["trip", default: 0] += 1
        case .reports: seen["told", default: 0] += 1
        case .ended: seen["ended", default: 0] += 1
        }
      }
      #expect(trips.all == copy.all)
      #expect(trips.all.map(\.id) == Set(trips.all.map(\.id)).sorted() && trips.all.count <= TripPlan.limit)
      #expect(trips.all.isEmpty == (trips.nextDue { _ in false } == .max))
    }
    #expect(seen.count == 3 && seen.values.allSatisfy { $0 > 100 }, "\(seen)")
  }
}
