import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through what can be wrong with a hint.
struct HintTour {
  static func decisions() throws -> [Decision] {
    let corners = [(0.0, 0.0), (0, 1), (1, 1), (1, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    let regions = [
      Region(
        id: Identifier("a"), name: nil,
        shape: .circle(Circle(center: Coordinate(latitude: 10, longitude: 10), radius: 100))),
      Region(id: Identifier("area"), name: nil, shape: .area(Area(.polygons([[corners]])))),
    ]
    var machine = Machine(state: State(), feed: Feed(revision: nil, regions: regions, campaigns: [], digest: "d"))
    machine.settings.recordsDecisions = true
    var all: [Decision] = []
    func take(_ output: Machine.Output) {
      for case .decision(let decision) in output.effects { all.append(decision) }
    }
    func hint(_ kind: Hint.Kind, _ region: String, _ time: Milliseconds) throws {
      take(try machine.hint(Hint(time: time, region: Identifier(region), kind: kind)))
    }
    take(try machine.update(Fix(time: 5, coordinate: Coordinate(latitude: 0.5, longitude: 2))))
    try hint(.enter, "a", 4)
    try hint(.enter, "a", 5)
    try hint(.exit, "a", 5)
    try hint(.enter, "area", 3_600_000)
    take(machine.setEnabled(false, at: 3_600_001))
    try hint(.enter, "a", 3_600_002)
    return all
  }

  @Test func eachInItsTurn() throws {
    let reasons = try Self.decisions().map(\.reason)
    #expect(reasons == [.hintStale, .hintContradicted, .hintDuplicate, .hintUnproven, .disabled])
  }
}

/// The difference as JSON (docs/region-plan.md).
@Suite struct RegionPlanDocumentTests {
  @Test func theBytes() {
    let circle = Circle(center: Coordinate(latitude: 52.5, longitude: -0.25), radius: 100)
    let filter = RegionPlan.BeaconFilter(proximityUUID: "u", majorId: 65_535, minorId: 0)
    var plan = RegionPlan()
    plan.registrations = [
      .init(id: "a\"", target: .circle(circle)), .init(id: "b", target: .area(circle)),
      .init(id: "c", target: .beacon(filter)), .init(id: "d", target: .beacon(.init(proximityUUID: "u"))),
    ]
    plan.isDense = true
    plan.unwatchedBeacons = 3
    let place = #""latitude":52.5,"longitude":-0.25,"radius":100.0}"#
    let added =
      #"{"add":[{"id":"a\"","kind":"circle",\#(place),{"id":"b","kind":"area",\#(place),"#
      + #"{"id":"c","kind":"beacon","proximityUUID":"u","majorId":65535,"minorId":0},"#
      + #"{"id":"d","kind":"beacon","proximityUUID":"u"}],"#
    #expect(
      plan.difference(from: RegionPlan()).json == added
        + #""remove":[],"fence":null,"fenceChanged":false,"dense":true,"unwatchedBeacons":3}"#)
    var next = RegionPlan()
    next.fence = circle
    #expect(
      next.difference(from: plan).json
        == #"{"add":[],"remove":["a\"","b","c","d"],"fence":{\#(place),"fenceChanged":true,"dense":false,"unwatchedBeacons":0}"#
    )
  }
}
