import CPlotEngine
import Testing

extension CSurface {
  /// Hints and region plans through the header.
  @Suite(.serialized) struct Plans {
    static let feed = #"""
      {"version": 1, "campaigns": [], "regions": [
        {"id": "a", "type": "geofence", "latitude": 1, "longitude": 1, "radius": 100},
        {"id": "b", "type": "geofence", "latitude": 2, "longitude": 1, "radius": 100}]}
      """#

    static func phone() throws -> Phone {
      let phone = try Phone()
      try phone.listen()
      try phone.start()
      try phone.feed(feed)
      return phone
    }

    static func hint(_ phone: Phone, _ region: String?, _ kind: Int32, _ accuracy: Double = -1) -> Int32 {
      plot_engine_region_hint(phone.engine, 5, region, kind, 1, 1, accuracy, nil)
    }

    static func plan(_ phone: Phone, _ budget: Int32, _ flags: Int32 = 0, accuracy: Double = 0) throws -> String {
      try text { plot_engine_plan_regions(phone.engine, 6, 1, 1.01, accuracy, budget, flags, $0, $1) }
    }

    @Test func aHintIsAnEnterAndAnExit() throws {
      let phone = try Self.phone()
      #expect(Self.hint(phone, "a", PLOT_HINT_ENTER) == PLOT_OK)
      #expect(Self.hint(phone, "a", PLOT_HINT_ENTER) == PLOT_OK, "the decision tells")
      let visits = try text { plot_engine_get_visits(phone.engine, $0, $1) }
      #expect(visits.hasPrefix(#"[{"region":"a","#))
      #expect(Self.hint(phone, "a", PLOT_HINT_OUTSIDE, 20) == PLOT_OK)
      #expect(try text { plot_engine_get_visits(phone.engine, $0, $1) } == "[]")
    }

    @Test func aHintThatCannotBeTaken() throws {
      let phone = try Self.phone()
      for kind: Int32 in [-1, 4, .min, .max] { #expect(Self.hint(phone, "a", kind) == PLOT_INVALID_ARGUMENT) }
      for accuracy in [-2, -0.5, 20_037_509, .infinity] {
        #expect(Self.hint(phone, "a", 0, accuracy) == PLOT_INVALID_ARGUMENT)
      }
      #expect(Self.hint(phone, nil, 0) == PLOT_INVALID_ARGUMENT)
      let unknown = try failure {
        try check { plot_engine_region_hint(phone.engine, 5, "x", PLOT_HINT_ENTER, 0, 0, -1, $0) }
      }
      #expect(unknown.status == PLOT_NOT_FOUND && unknown.message == #"the feed has no region "x""#)
      #expect(try text { plot_engine_get_visits(phone.engine, $0, $1) } == "[]")
    }

    @Test func plans() throws {
      let phone = try Self.phone()
      let whole = try Self.plan(phone, 2)
      let place = #","kind":"circle","latitude":"#
      #expect(
        whole == #"{"add":[{"id":"a"\#(place)1.0,"longitude":1.0,"radius":100.0},"#
          + #"{"id":"b"\#(place)2.0,"longitude":1.0,"radius":100.0}],"remove":[],"fence":null,"fenceChanged":false,"#
          + #""dense":false,"unwatchedBeacons":0}"#)
      let empty = #"{"add":[],"remove":[],"fence":null,"fenceChanged":false,"dense":false,"unwatchedBeacons":0}"#
      #expect(try Self.plan(phone, 0) == empty && Self.plan(phone, 1000, PLOT_PLAN_FENCE_LEFT) == empty)
      #expect(try Self.plan(phone, 2, PLOT_PLAN_RESET) == whole)
      #expect(try Self.plan(phone, 1, 3).hasPrefix(#"{"add":[],"remove":[],"fence":{"latitude":1.0,"#))
    }

    @Test func aPlanThatCannotBeMade() throws {
      let phone = try Self.phone()
      for (budget, flags, accuracy) in [
        (-1, 0, 0), (1001, 0, 0), (5, 4, 0), (5, -1, 0), (5, 0, -2), (5, 0, .infinity),
      ] as [(Int32, Int32, Double)] {
        let refused = try failure { _ = try Self.plan(phone, budget, flags, accuracy: accuracy) }
        #expect(refused.status == PLOT_INVALID_ARGUMENT)
      }
      let lost = try failure { _ = try Self.plan(phone, 1, accuracy: -1) }
      #expect(lost.status == PLOT_NOT_FOUND && lost.message.hasPrefix("no position is given"))
      #expect(plot_engine_plan_regions(phone.engine, 6, 1, 1, 0, 5, 0, nil, nil) == PLOT_INVALID_ARGUMENT)
    }
  }
}
