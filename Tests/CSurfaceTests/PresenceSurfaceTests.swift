import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// Beacons, regions that move and fixes that come late, through the header.
  @Suite(.serialized) struct Presence {
    private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
    private static let feed = #"""
      {"version": 1, "campaigns": [{"id": "soon", "type": "geotrigger", "name": "soon", "regions": ["shop"],
         "trigger": "approaching", "arrivalSeconds": 60}],
       "regions": [
         {"id": "door", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1},
         {"id": "frames", "type": "beacon", "namespaceId": "00112233445566778899", "range": "near"},
         {"id": "shop", "type": "geofence", "latitude": 0, "longitude": 0, "radius": 50},
         {"id": "bus", "type": "geofence", "latitude": 10, "longitude": 0, "radius": 50, "moving": true}]}
      """#

    private func hear(
      _ phone: Phone, _ time: Int64, uuid: String = uuid, major: Int32 = 1, minor: Int32 = 2,
      proximity: Int32 = PLOT_PROXIMITY_UNKNOWN, rssi: Double = 0, power: Double = 0
    ) throws {
      try check { plot_engine_update_ibeacon(phone.engine, time, uuid, major, minor, proximity, rssi, power, $0) }
    }

    private func frame(_ phone: Phone, _ time: Int64, rssi: Double, namespace: String = "00112233445566778899") throws {
      try check {
        plot_engine_update_eddystone(
          phone.engine, time, namespace, "aabbccddeeff", PLOT_PROXIMITY_UNKNOWN, rssi, -18, $0)
      }
    }

    private func told(_ phone: Phone) throws -> [String] {
      try phone.events.map { json in
        let event = try record(json)
        return "\(event["time"] ?? "") \(event["event"] ?? "") \(event["region"] ?? "")"
      }.map { String($0.dropFirst(14)) }
    }

    /// What was heard before the end of a process leads to its exit in the next one, at its own time.
    @Test func aBeaconOverARestart() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      do {
        let phone = try Phone()
        try phone.listen()
        try phone.start(store: path)
        try phone.feed(Self.feed)
        try hear(phone, 1000, uuid: Self.uuid.uppercased())
        try hear(phone, 2000)
        // Ten metres away, then half a metre, twice: in the mean of all it is near.
        try frame(phone, 3000, rssi: -79)
        try frame(phone, 4000, rssi: -53)
        try frame(phone, 5000, rssi: -53)
        #expect(try told(phone) == ["00:02Z region-enter door", "00:05Z region-enter frames"])
        #expect(try phone.wakeup == 665_000)
      }
      let phone = try Phone()
      try phone.listen()
      try phone.start(store: path, at: 900_000)
      #expect(try told(phone) == ["11:05Z region-exit door", "11:08Z region-exit frames"])
      let exit = try record(phone.events[0])
      #expect(exit["since"] as? String == "1970-01-01T00:00:02Z" && exit["source"] as? String == "beacon")
    }

    @Test func whatIsRefused() throws {
      let phone = try Phone()
      try phone.start()
      try phone.feed(Self.feed)
      try hear(phone, 1000)
      let faults: [(String, Int32, () throws -> Void)] = [
        ("proximity_uuid", PLOT_INVALID_ARGUMENT, { try hear(phone, 2000, uuid: "f7826da6") }),
        ("major_id", PLOT_INVALID_ARGUMENT, { try hear(phone, 2000, major: 65_536) }),
        ("minor_id", PLOT_INVALID_ARGUMENT, { try hear(phone, 2000, minor: -1) }),
        ("proximity", PLOT_INVALID_ARGUMENT, { try hear(phone, 2000, proximity: 4) }),
        ("rssi", PLOT_INVALID_ARGUMENT, { try hear(phone, 2000, rssi: .nan) }),
        ("power", PLOT_INVALID_ARGUMENT, { try hear(phone, 2000, power: .infinity) }),
        ("namespace_id", PLOT_INVALID_ARGUMENT, { try frame(phone, 2000, rssi: -50, namespace: "0011") }),
        ("the fix of", PLOT_OUT_OF_ORDER, { try hear(phone, 999) }),
      ]
      for (name, status, call) in faults {
        let failure = try failure(call)
        #expect(failure.status == status && failure.message.hasPrefix(name), "\(failure)")
      }
      #expect(
        plot_engine_update_ibeacon(phone.engine, 2000, nil, 1, 2, 0, 0, 0, nil) == PLOT_INVALID_ARGUMENT)
      var newest: Int64 = 0
      try check { plot_engine_next_wakeup(phone.engine, &newest, $0) }
      #expect(newest == PLOT_NO_WAKEUP)
      for (region, latitude) in [("shop", 0.0), ("nowhere", 0), ("bus", 91), ("bus", .nan)] {
        #expect(
          plot_engine_move_region(phone.engine, 2000, region, latitude, 0, nil) == PLOT_INVALID_ARGUMENT, "\(region)")
      }
    }

    @Test func aRegionThatMovesAndAnApproach() throws {
      let phone = try Phone()
      try phone.listen()
      try phone.start()
      try phone.feed(Self.feed)
      try check { plot_engine_update_location(phone.engine, 1000, 0.004, 0, 5, 10, 180, $0) }
      try check { plot_engine_move_region(phone.engine, 2000, "bus", 0.0041, 0, $0) }
      try check { plot_engine_move_region(phone.engine, 3000, "bus", 0.01, 0, $0) }
      #expect(
        try told(phone) == [
          "00:01Z region-approach shop", "00:01Z geotrigger shop", "00:02Z region-enter bus", "00:03Z region-exit bus",
        ])
      let approach = try record(phone.events[0])
      #expect(
        approach["arrivalSeconds"] as? Int == 60 && "\(approach["arrival"] ?? "")".hasPrefix("1970-01-01T00:00:4"))
      #expect(try phone.values("source", of: "region-exit") == ["move"])
    }

    @Test func aLateFixLeavesADecision() throws {
      let phone = try Phone()
      try check {
        plot_engine_set_decision_callback(
          phone.engine, { me, _, json, _ in Phone.from(me).log.append(String(cString: json!)) },
          Unmanaged.passUnretained(phone).toOpaque(), nil, $0)
      }
      try phone.start(
        #"{"publicToken": "t", "engine": {"noise": {"preset": "exact", "maxLateness": 5}, "initial": "enter"}}"#)
      try phone.feed(Self.feed)
      try phone.fix(1000, 1, 1)
      try phone.advance(20_000)
      try phone.fix(16_000, 0, 0)
      #expect(try failure { try phone.fix(14_000, 0, 0) }.status == PLOT_OUT_OF_ORDER)
      #expect(
        phone.log.last
          == #"{"time":"1970-01-01T00:00:20Z","step":"presence","verdict":"drop","reason":"late"}"#)
    }
  }
}
