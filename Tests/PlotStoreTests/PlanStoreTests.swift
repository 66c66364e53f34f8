import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// The plan that the host was given outlives the process: the system watches it on.
@Suite struct PlanStoreTests {
  static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 1, "longitude": 1},
       {"id": "b'é", "type": "geofence", "latitude": 1.1, "longitude": 1.123456789012345, "radius": 120},
       {"id": "c", "type": "geofence", "latitude": 1.2, "longitude": 1},
       {"id": "one", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1, "minorId": 7},
       {"id": "two", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 2}],
     "campaigns": []}
    """#

  static func request(_ budget: Int64, at time: Milliseconds) -> Machine.PlanRequest {
    Machine.PlanRequest(
      time: time, here: Position(Coordinate(latitude: 1, longitude: 1.001), accuracy: 5), budget: budget)
  }

  @Test(arguments: [2, 3, 4, 5, 7, 8, 100] as [Int64])
  func aPlanIsReadBack(_ budget: Int64) throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    try device.take(device.machine.setFeed(Feed.parse(Self.feed), at: 1))
    let (output, plan) = try device.machine.planRegions(Self.request(budget, at: 2))
    try device.take(output)
    #expect(plan.add.count == device.machine.state.presence.plan.registrations.count && !plan.add.isEmpty)
    try device.check("a plan of \(budget)")
    try LimitStoreTests.restart(&device)
    let (nothing, again) = try device.machine.planRegions(Self.request(budget, at: 3))
    #expect(again.isEmpty && nothing.changes.isEmpty)
    // Another one takes its place.
    let (other, _) = try device.machine.planRegions(Self.request(budget + 1, at: 4))
    try device.take(other)
    try device.check("another")
  }

  @Test func aDamagedPlanIsSeen() throws {
    for damage in [
      "INSERT INTO planned VALUES ('x', 'square', 1, 1, 1, NULL)",
      "INSERT INTO planned VALUES ('x', 'circle', 1, NULL, 1, NULL)",
      "INSERT INTO planned VALUES ('x', 'beacon', NULL, NULL, NULL, 'u 1 x')",
      "INSERT INTO plan VALUES (1, 5, NULL, NULL, 1, 0, 0)",
    ] {
      let folder = try Folder()
      try Store(path: folder.path()).close()
      try RawConnection(folder.path()).execute(damage)
      let store = try Store(path: folder.path())
      #expect(throws: StoreError.self, "\(damage)") { try store.load() }
      store.close()
    }
  }
}
