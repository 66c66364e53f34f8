import PlotTesting
import Testing

@testable import PlotCore

/// The owner of where the device is: its changes are complete, and its invariants hold whatever comes.
@Suite struct PresenceOwnerTests {
  /// Whether both are as a store keeps them.
  static func isSame(_ a: Presence, _ b: Presence) -> Bool {
    a.visits == b.visits && a.ordinals == b.ordinals && a.crossings == b.crossings && a.heard == b.heard
      && a.approaches == b.approaches && a.newRegions == b.newRegions && a.hasBaseline == b.hasBaseline
      && a.moved == b.moved && a.plan == b.plan
  }

  static func check(_ presence: Presence) {
    for regions in [presence.visits.map(\.region), presence.crossings.map(\.region)] {
      #expect(regions == regions.sorted() && Set(regions).count == regions.count)
    }
    let approaches = presence.approaches.map { "\($0.region.text) \($0.seconds + 1000)" }
    #expect(approaches == approaches.sorted() && Set(approaches).count == approaches.count)
    #expect(presence.visits.allSatisfy { $0.ordinal <= presence.ordinals[$0.region] ?? 0 })
  }

  /// A copy that gets the changes alone, as a store does, knows the same.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var (presence, copy) = (Presence(), Presence())
    var seen: [String: Int] = [:]
    func see(_ what: String, _ isSeen: Bool = true) { if isSeen { seen[what, default: 0] += 1 } }
    for step in Int64(1)...2000 {
      let region = Identifier("r\(Int.random(in: 0..<9, using: &generator))")
      let place = presence.visitPosition(region)
      let number = Int64.random(in: 0..<4, using: &generator)
      let before = presence
      var changes: [PresenceChange?] = []
      switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1:
        if place.found {
          let visit = presence.endVisit(at: place.position)
          #expect(visit.region == region && !presence.visitPosition(region).found)
          changes = [.visitEnded(region)]
          see("exit")
        } else {
          let ordinal = presence.countVisit(region)
          let visit = Visit(region: region, ordinal: ordinal, entered: step, isSilent: false)
          presence.begin(visit)
          changes = [.ordinal(region, ordinal), .visit(visit)]
          see("enter")
        }
      case 2:
        // Many at once.
        var (begun, ended): ([Visit], [Int]) = ([], [])
        for index in 0..<9 where generator.chance(0.3) {
          let id = Identifier("r\(index)")
          let (position, found) = presence.visitPosition(id)
          if found {
            ended.append(position)
            changes.append(.visitEnded(id))
          } else {
            let ordinal = presence.countVisit(id)
            begun.append(Visit(region: id, ordinal: ordinal, entered: step, isSilent: true))
            changes += [.ordinal(id, ordinal), .visit(begun[begun.count - 1])]
          }
        }
        presence.change(begun: begun, ended: ended)
        see("many", begun.count > 1 && ended.count > 1)
      case 3 where place.found:
        changes = [presence.update(place.position) { $0.dwelt = ($0.dwelt + [step]).sorted() }]
      case 4:
        changes = [
          presence.hold(
            PendingCrossing(region: region, isEnter: number == 0, since: step, coordinate: origin, fixes: number))
        ]
        #expect(presence.crossingPosition(region).found)
      case 5:
        changes = [presence.forgetCrossing(region)]
        see("forgotten", changes[0] != nil)
        #expect(!presence.crossingPosition(region).found)
      case 6:
        let due = presence.crossings.filter { $0.fixes == number }
        presence.endCrossings(due)
        changes = due.map { .crossingEnded($0.region) }
        see("sure", !due.isEmpty)
      case 7:
        changes = [generator.chance(0.5) ? presence.hear(region, at: step) : presence.forgetHeard(region)]
      case 8:
        let center = number == 0 ? nil : Coordinate(latitude: Double(number), longitude: 4)
        changes = [presence.move(region, to: center)]
      case 9:
        let isTold = presence.approaches(of: region).contains { $0.seconds == number }
        if isTold || generator.chance(0.2) {
          changes = [presence.endApproaches(of: region)]
          #expect(presence.approaches(of: region).isEmpty)
        } else {
          changes = [presence.add(Approach(region: region, seconds: number, distance: Double(step)))]
          #expect(presence.approaches(of: region).allSatisfy { $0.region == region })
          see("approach", presence.approaches(of: region).count > 1)
        }
      case 10:
        changes = [presence.setBaseline(generator.chance(0.5)), presence.setNewRegions(number < 2 ? [] : [region])]
      default:
        var plan = RegionPlan()
        plan.budget = number
        changes = [presence.setPlan(plan)]
      }
      let made = changes.compactMap(\.self)
      see("nothing new", made.isEmpty)
      if made.isEmpty { #expect(Self.isSame(presence, before), "what is no change is not told") }
      for change in made { copy.apply(change) }
      #expect(Self.isSame(copy, presence))
      Self.check(presence)
    }
    for (what, least) in [
      "enter": 80, "exit": 80, "many": 12, "forgotten": 30, "sure": 40, "approach": 20, "nothing new": 100,
    ] {
      #expect(seen[what, default: 0] >= least, "\(what): \(seen)")
    }
  }

  @Test func aClockThatIsSetMovesWhatIsCounted() {
    var presence = Presence()
    presence.begin(Visit(region: Identifier("r"), ordinal: 1, entered: 100, isSilent: false, repeated: 300))
    _ = presence.hold(PendingCrossing(region: Identifier("r"), isEnter: false, since: 200, coordinate: origin))
    _ = presence.hear(Identifier("r"), at: 150)
    presence.moveTimes { $0 - 50 }
    let visit = presence.visits[0]
    #expect(visit.since == 50 && visit.repeated == 250 && visit.entered == 100, "its id is made of when it was entered")
    #expect(presence.crossings[0].since == 150 && presence.heard[Identifier("r")] == 100)
  }
}
