import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStory
@testable import PlotTracks

@Suite struct MapCollectorTests {
  private let start = Timestamp.parse("2026-05-16T11:00:00Z") ?? 0

  private func feed() -> Feed {
    let circle = Region(
      id: Identifier("shop"), name: "Shop",
      shape: .circle(Circle(center: Coordinate(latitude: 52, longitude: 4), radius: 50)))
    let beacon = Region(
      id: Identifier("till"), name: nil,
      shape: .beacon(
        Beacon(proximityUUID: "6b0d1f5e-3a8c-4c27-9f41-d2a7e0c85b13", majorId: 1, minorId: 4, range: .near)))
    return Feed(revision: nil, regions: [circle, beacon], campaigns: [], digest: "")
  }

  private func event(_ second: Int, _ kind: String, _ more: String = "") throws -> RunRecord {
    let time = String(format: "2026-05-16T11:00:%02dZ", second)
    return try RunRecord("{\"time\":\"\(time)\",\"event\":\"\(kind)\",\"region\":\"shop\",\"visit\":\"v\"\(more)}")
  }

  private func decision(
    _ second: Int, _ reason: String, _ verdict: String, step: String = "presence", region: String = "shop",
    _ more: String = ""
  ) throws -> RunRecord {
    let time = Timestamp.text(start + Int64(second) * 1000)
    return try RunRecord(
      """
      {"time":"\(time)","region":"\(region)","step":"\(step)","verdict":"\(verdict)","reason":"\(reason)"\(more)}
      """)
  }

  /// Perhaps entered, inside, dwelling, perhaps left and not, perhaps left, outside.
  @Test func statesOfARegion() throws {
    var map = MapCollector()
    map.add(feed())
    let due = #","nextPossible":"2026-05-16T11:00:10Z""#
    map.decision(try decision(1, "not-confirmed", "hold", due))
    map.decision(try decision(2, "not-confirmed", "hold", due))
    map.event(try event(10, "region-enter", #","since":"2026-05-16T11:00:01Z","ordinal":1"#))
    map.event(try event(20, "region-dwell", #","dwellingMinutes":5"#))
    map.decision(try decision(30, "not-confirmed", "hold", due))
    map.decision(try decision(31, "refuted", "drop"))
    map.decision(try decision(40, "not-confirmed", "hold", due))
    map.event(try event(50, "region-exit"))
    let input = map.input(title: "")
    let since = start + 1000
    func change(_ second: Int64, _ state: MapChange.State, _ since: Int64? = nil) -> MapChange {
      MapChange(time: start + second * 1000, region: "shop", state: state, since: since)
    }
    #expect(
      input.changes == [
        change(1, .pending), change(10, .inside, since), change(20, .dwelling, since), change(30, .leaving, since),
        change(31, .dwelling, since), change(40, .leaving, since), change(50, .outside),
      ])
    #expect(input.marks.map(\.kind) == ["enter", "dwell", "exit"])
    #expect(input.marks.map(\.title) == ["visit 1", "for 5 min", "after 49 s"])
  }

  /// A beacon that is heard once has no crossing, and nothing says so.
  @Test func aDoubtWithoutAnEndEnds() throws {
    var map = MapCollector()
    map.add(feed())
    map.decision(try decision(0, "not-confirmed", "hold", region: "till"))
    map.decision(try decision(30, "not-confirmed", "hold", region: "till"))
    map.decision(try decision(200, "hysteresis", "hold"))
    let input = map.input(title: "")
    #expect(input.changes.map(\.state) == [.pending, .outside])
    #expect(input.changes.map(\.time) == [start, start + 90_000])
    #expect(input.regions.map(\.isPlaced) == [true, false])
  }

  @Test func visitsThatEndInSilence() throws {
    var map = MapCollector()
    map.add(feed())
    map.event(try event(1, "region-inside"))
    map.decision(try decision(2, "region-removed", "drop"))
    map.decision(try decision(3, "disabled", "drop"))
    #expect(map.input(title: "").changes.map(\.state) == [.inside, .outside])
  }

  /// Where the device is; without a fix where the region is, and has moved to; nowhere when nobody knows.
  @Test func placesOfMarks() throws {
    var map = MapCollector()
    map.add(feed())
    let shown = try event(1, "notification-shown", #","campaign":"c","matchIdentifier":"m","message":"Hello""#)
    map.event(shown)
    map.move("shop", to: Coordinate(latitude: 53, longitude: 5), at: start)
    map.event(shown)
    var elsewhere = shown
    elsewhere.region = "till"
    map.event(elsewhere)
    map.add(TrackPoint(time: start, latitude: 54, longitude: 6))
    map.event(shown)
    map.event(try event(2, "region-exit", #","latitude":55,"longitude":7"#))
    let input = map.input(title: "")
    #expect(input.marks.map { $0.place?.latitude } == [52, 53, nil, 54, 55])
    #expect(input.regions[0].moves == [MapMove(time: start, place: Coordinate(latitude: 53, longitude: 5))])
    let scene = MapScene(input)
    #expect(scene.marks.map(\.isDrawn) == [true, true, false, true, false])
    #expect(scene.marks.map(\.number) == [1, 2, 3, 4, nil])
  }

  @Test func outcomesGoToTheirPin() throws {
    var map = MapCollector()
    let match = #","campaign":"c","matchIdentifier":"m""#
    map.event(try event(1, "notification-shown", match + #","message":"Hello""#))
    map.event(try event(2, "notification-opened", match))
    map.event(try event(3, "notification-removed", match + #","reason":"exit""#))
    let marks = map.input(title: "").marks
    #expect(marks[0].outcomes == ["opened at 11:00:02", "removed at 11:00:03"])
    #expect(marks.map(\.kind) == ["notification", "opened", "removed"])
    #expect(marks[2].title == "c: removed (exit)")
  }

  /// One sign on the map for a notification that two strategies are against; none for a campaign that is not for this visit.
  @Test func dropsAreMarkedOnce() throws {
    var map = MapCollector()
    let campaign = #","campaign":"c""#
    map.decision(try decision(1, "property-differs", "drop", step: "segmentation", campaign))
    map.decision(try decision(2, "vetoed", "drop", step: "strategies", campaign))
    map.decision(try decision(2, "vetoed", "drop", step: "strategies", campaign))
    map.decision(try decision(3, "filtered-out", "drop", step: "filter", campaign))
    let input = map.input(title: "")
    #expect(input.marks.map(\.title) == ["c is not shown: vetoed"])
    #expect(input.decisions.map(\.holdsBack) == [true, true, true, true])
  }

  @Test func whatIsNoRecordIsRefused() {
    #expect(throws: (any Error).self) { try RunRecord("{}") }
    #expect(throws: (any Error).self) { try RunRecord("no") }
  }
}
