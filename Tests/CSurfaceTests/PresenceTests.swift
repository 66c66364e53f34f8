import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// Beacons, regions that move, approaches and late fixes through the header.
  @Suite(.serialized) struct PresenceInputs {
    static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
    /// In the background a beacon is left 60 s after it was last heard, and a tenth of `silence`.
    static let config =
      #"{"publicToken": "t", "engine": {"noise": "exact", "initial": "none", "beacons": {"silence": 30, "silenceInBackground": 60}}}"#
    static let feed = #"""
      {"version": 1, "regions": [
        {"id": "door", "type": "beacon", "proximityUUID": "\#(uuid)", "majorId": 1, "minorId": 7},
        {"id": "cone", "type": "beacon", "namespaceId": "00112233445566778899", "range": "near"},
        {"id": "bus", "type": "geofence", "latitude": 53, "longitude": 5, "radius": 50, "moving": true},
        {"id": "shop", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 60}],
       "campaigns": [
        {"id": "soon", "type": "notification", "message": "soon", "regions": ["shop"], "trigger": "approaching",
         "arrivalSeconds": 600}]}
      """#

    static func phone() throws -> Phone {
      let phone = try Phone()
      try phone.listen()
      try phone.start(config)
      try phone.feed(feed)
      return phone
    }

    static func hear(
      _ phone: Phone, _ time: Int64, _ uuid: String = uuid, major: Int32 = 1, minor: Int32 = 7,
      proximity: Int32 = PLOT_PROXIMITY_UNKNOWN, rssi: Double = 0, power: Double = 0
    ) throws {
      try check {
        plot_engine_update_ibeacon(phone.engine, time, uuid, major, minor, proximity, rssi, power, $0)
      }
    }

    static func hearFrame(
      _ phone: Phone, _ time: Int64, _ namespace: String = "00112233445566778899",
      _ instance: String = "AABBCCDDEEFF", proximity: Int32 = 0, rssi: Double = 0, power: Double = 0
    ) throws {
      try check {
        plot_engine_update_eddystone(phone.engine, time, namespace, instance, proximity, rssi, power, $0)
      }
    }

    static func move(_ phone: Phone, _ time: Int64, _ region: String, _ latitude: Double, _ longitude: Double) throws {
      try check { plot_engine_move_region(phone.engine, time, region, latitude, longitude, $0) }
    }

    static func told(_ phone: Phone) throws -> [String] {
      try phone.events.map(record).map { event in
        ["event", "region", "time", "since", "source"].compactMap { event[$0] as? String }.joined(separator: " ")
      }
    }

    static func visits(_ phone: Phone) throws -> String {
      try text { plot_engine_get_visits(phone.engine, $0, $1) }
    }

    @Test func aBeaconIsLeftAtItsOwnTimeOverARestart() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let phone = try Phone()
      try phone.listen()
      try phone.start(Self.config, store: path)
      try phone.feed(Self.feed)
      try Self.hear(phone, 1000)
      #expect(phone.events.isEmpty)
      try Self.hear(phone, 2000, Self.uuid.uppercased())
      #expect(
        try Self.told(phone) == ["region-enter door 1970-01-01T00:00:02Z 1970-01-01T00:00:01Z beacon"])
      #expect(try phone.wakeup == 65_000)
      #expect(plot_engine_close(phone.engine) == PLOT_OK)

      let again = try Phone()
      try again.listen()
      try again.start(Self.config, store: path, at: 30_000)
      #expect(try again.wakeup == 65_000)
      try again.advance(64_999)
      #expect(again.events.isEmpty)
      try again.advance(100_000)
      #expect(try Self.told(again) == ["region-exit door 1970-01-01T00:01:05Z 1970-01-01T00:00:02Z beacon"])
      #expect(try Self.visits(again) == "[]")
      #expect(try again.wakeup == PLOT_NO_WAKEUP)
    }

    @Test func anEddystoneIsNearByItsFrames() throws {
      let phone = try Self.phone()
      // -59 dBm at one metre: 25 dB lost are 18 m, 5 dB are 1.8 m.
      for time: Int64 in [1000, 2000] { try Self.hearFrame(phone, time, rssi: -84, power: -18) }
      #expect(phone.events.isEmpty)
      for time: Int64 in [40_000, 41_000] { try Self.hearFrame(phone, time, rssi: -64, power: -18) }
      #expect(
        try Self.told(phone) == ["region-enter cone 1970-01-01T00:00:41Z 1970-01-01T00:00:40Z beacon"])
    }

    @Test func aSightingThatCannotBeTakenChangesNothing() throws {
      let phone = try Self.phone()
      try Self.hear(phone, 1000)
      let later: Int64 = 10_000
      let refusals: [(String, () throws -> Void)] = [
        (
          "proximity: expected a PLOT_PROXIMITY_ value, 0 to 3, found 4",
          { try Self.hear(phone, later, proximity: 4) }
        ),
        (
          "proximity: expected a PLOT_PROXIMITY_ value, 0 to 3, found -1",
          { try Self.hearFrame(phone, later, proximity: -1) }
        ),
        (
          #"proximity_uuid: expected a UUID as 8-4-4-4-12 hexadecimal digits, found "f7826da64fa2""#,
          { try Self.hear(phone, later, "f7826da64fa2") }
        ),
        (
          "major_id: expected an integer from 0 to 65535, found -1",
          { try Self.hear(phone, later, major: -1) }
        ),
        (
          "minor_id: expected an integer from 0 to 65535, found 65536",
          { try Self.hear(phone, later, minor: 65_536) }
        ),
        (
          "rssi: expected dBm from -200 to 20, 0 when not known, found nan", { try Self.hear(phone, later, rssi: .nan) }
        ),
        (
          "power: expected dBm from -200 to 20, 0 when not known, found inf",
          { try Self.hear(phone, later, rssi: -60, power: .infinity) }
        ),
        (
          #"namespace_id: expected 20 hexadecimal digits, found "0011""#,
          { try Self.hearFrame(phone, later, "0011") }
        ),
        (
          #"instance_id: expected 12 hexadecimal digits, found "aabbccddeefg""#,
          { try Self.hearFrame(phone, later, "00112233445566778899", "aabbccddeefg") }
        ),
      ]
      for (message, call) in refusals {
        let refused = try failure(call)
        #expect(refused.status == PLOT_INVALID_ARGUMENT)
        #expect(refused.message == message)
      }
      #expect(plot_engine_update_ibeacon(phone.engine, later, nil, 1, 7, 0, 0, 0, nil) == PLOT_INVALID_ARGUMENT)
      #expect(
        plot_engine_update_eddystone(phone.engine, later, "00112233445566778899", nil, 0, 0, 0, nil)
          == PLOT_INVALID_ARGUMENT)
      // Neither the count of sightings nor the time has gone on.
      #expect(try phone.events.isEmpty && Self.visits(phone) == "[]")
      try Self.hear(phone, 2000)
      #expect(try phone.values("region", of: "region-enter") == ["door"])
    }

    @Test func aRegionMoves() throws {
      let phone = try Self.phone()
      try phone.fix(1000, 52, 4.885)
      try Self.move(phone, 2000, "bus", 52.0003, 4.885)
      try Self.move(phone, 3000, "bus", 52.01, 4.885)
      #expect(
        try Self.told(phone) == [
          "region-enter bus 1970-01-01T00:00:02Z move", "region-exit bus 1970-01-01T00:00:03Z move",
        ])
      for region in ["shop", "nowhere"] {
        let refused = try failure { try Self.move(phone, 4000, region, 52, 4.885) }
        #expect(refused.status == PLOT_INVALID_ARGUMENT)
        #expect(
          refused.message == #"region: expected the id of a region with "moving": true, found \#(region)"#)
      }
      for (latitude, longitude) in [(91, 0), (0, 180.1), (.nan, 0), (0, -.infinity)] as [(Double, Double)] {
        let refused = try failure { try Self.move(phone, 4000, "bus", latitude, longitude) }
        #expect(refused.status == PLOT_INVALID_ARGUMENT)
        #expect(refused.message.contains("itude: expected a number from -"))
      }
      #expect(plot_engine_move_region(phone.engine, 4000, nil, 52, 4.885, nil) == PLOT_INVALID_ARGUMENT)
      #expect(phone.events.count == 2)
      try Self.move(phone, 3000, "bus", 52, 4.885)
      #expect(try Self.visits(phone).contains(#""region":"bus""#), "the refused moves were at a later time")
    }

    @Test func aRegionIsApproached() throws {
      let phone = try Self.phone()
      // 6 km to the south, north at 12 m/s.
      try check { plot_engine_update_location(phone.engine, 0, 52.3060407, 4.885, 5, 12, 0, $0) }
      #expect(phone.shown == ["soon"])
      #expect(try phone.values("arrivalSeconds", of: "region-approach") == ["600"])
      #expect(try phone.values("arrival", of: "region-approach") == ["1970-01-01T00:08:15.001Z"])
      let sent = try #require(try phone.sent.first)
      #expect(sent[PLOT_KEY_TRIGGER] as? String == "approaching" && sent[PLOT_KEY_ARRIVAL_SECONDS] as? Int == 600)
      let list = try take { plot_engine_get_sent_notifications(phone.engine, $0, $1) }
      defer { plot_list_free(list) }
      var seconds: Int64 = 0
      #expect(plot_item_get_integer(plot_list_get(list, 0), PLOT_KEY_ARRIVAL_SECONDS, &seconds) == PLOT_OK)
      #expect(seconds == 600)
    }

    @Test func aLateFixIsRefusedWithADecision() throws {
      let phone = try Self.phone()
      try phone.fix(2000, 52.4, 4.9)
      try check {
        plot_engine_set_decision_callback(
          phone.engine, { me, _, json, _ in Phone.from(me).log.append(String(cString: json!)) },
          Unmanaged.passUnretained(phone).toOpaque(), nil, $0)
      }
      let late = try failure { try phone.fix(1000, 52.36, 4.885) }
      #expect(late.status == PLOT_OUT_OF_ORDER)
      #expect(
        late.message
          == "the fix of 1970-01-01T00:00:01Z is older than the newest input, 1970-01-01T00:00:02Z")
      #expect(
        phone.log == [
          #"{"time":"1970-01-01T00:00:02Z","step":"presence","verdict":"drop","reason":"late","inputs":{"newest":"1970-01-01T00:00:02Z"}}"#
        ])
      #expect(try phone.events.isEmpty && Self.visits(phone) == "[]")
    }
  }
}
