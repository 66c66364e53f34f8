import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through what can be wrong with a hint.
struct HintTour {
  static func decisions() throws -> [Decision] {
    let corners = [(0.0, 0.0), (0, 1), (1, 1), (1, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    let regions = [
      circle("a", Coordinate(latitude: 10, longitude: 10), radius: 100),
      Region(id: Identifier("area"), name: nil, shape: .area(Area(.polygons([[corners]])))),
    ]
    var host = TestHost(feed(regions, []))
    func hint(_ kind: Hint.Kind, _ region: String, _ time: Milliseconds) throws {
      try host.play(host.machine.hint(Hint(time: time, region: Identifier(region), kind: kind)))
    }
    try host.go(Coordinate(latitude: 0.5, longitude: 2), at: 5)
    try hint(.enter, "a", 4)
    try hint(.enter, "a", 5)
    try hint(.exit, "a", 5)
    try hint(.enter, "area", 3_600_000)
    try host.play(host.machine.setEnabled(false, at: 3_600_001))
    try hint(.enter, "a", 3_600_002)
    return host.decisions
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
