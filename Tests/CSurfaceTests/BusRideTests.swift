import CPlotEngine
import Foundation
import PlotTesting
import Testing

/// A real bus ride (see the data's own README), through the header alone, beside the tool.
extension CSurface {
  @Suite(.serialized, .enabled(if: hasRealTraces, "there are no real traces beside the project")) struct BusRide {
    static let data = realTraces.appendingPathComponent("bus304")

    private func read(_ name: String) throws -> String {
      try String(contentsOf: Self.data.appendingPathComponent(name), encoding: .utf8)
    }

    struct Fix {
      var time: Int64
      var latitude: Double
      var longitude: Double
    }

    /// The track, read by a pattern: the file has one point like the other.
    private func track() throws -> [Fix] {
      let pattern = #/<trkpt lat="([-0-9.]+)" lon="([-0-9.]+)">\s*<ele>[^<]*</ele>\s*<time>([^<]+)</time>/#
      let fixes = try read("track.gpx").matches(of: pattern).map { match in
        Fix(
          time: Int64(try Date(String(match.3), strategy: .iso8601).timeIntervalSince1970 * 1000),
          latitude: try #require(Double(match.1)), longitude: try #require(Double(match.2)))
      }
      #expect(fixes.count == 2144)
      return fixes
    }

    private func feed(radius: Double) throws -> String {
      let stops = try read("stops.geojson")
      let options = #"{"radius": \#(radius), "message": "At {{name}}", "idProperty": "id", "nameProperty": "name"}"#
      let feed = try take { plot_feed_import_geojson(stops, stops.utf8.count, options, $0, $1) }
      defer { plot_feed_free(feed) }
      #expect(plot_feed_get_region_count(feed) == 36 && plot_feed_get_campaign_count(feed) == 1)
      return try text { plot_feed_to_json(feed, $0, $1) }
    }

    private static let exact = #"{"publicToken": "t", "engine": {"noise": "exact", "initial": "enter"}}"#

    private func ride(radius: Double, store: String? = nil, fixes: [Fix]) throws -> Phone {
      let phone = try Phone()
      try phone.listen()
      try phone.start(Self.exact, store: store, at: fixes[0].time)
      try phone.feed(try feed(radius: radius), at: fixes[0].time)
      for fix in fixes { try? phone.fix(fix.time, fix.latitude, fix.longitude) }
      return phone
    }

    private func crossings(_ phone: Phone) throws -> [String] {
      try phone.events.compactMap { json in
        let event = try record(json)
        guard let kind = event["event"] as? String, ["region-enter", "region-exit"].contains(kind) else { return nil }
        return "\(event["time"]!) \(kind.dropFirst("region-".count)) \(event["region"]!)"
      }
    }

    @Test func crossingsAreThoseOfTheIndependentProgram() throws {
      let phone = try ride(radius: 60, fixes: try track())
      let expected = try read("crossings-r60.txt").split(separator: "\n").map(String.init)
      #expect(expected.count == 71)
      #expect(try crossings(phone) == expected)
      #expect(try phone.shown.count == 36 && Set(phone.values("region", of: "notification-shown")).count == 36)
    }

    /// For any other radius, against a plain loop with its own distance (by vectors, not haversine).
    @Test(arguments: [15.0, 37.5, 60, 90, 250, 1200]) func anyRadius(radius: Double) throws {
      let fixes = try track()
      let phone = try ride(radius: radius, fixes: fixes)
      let stops = try #require(try record(try feed(radius: radius))["regions"] as? [[String: Any]])
      func vector(_ latitude: Double, _ longitude: Double) -> SIMD3<Double> {
        let (a, b) = (latitude * .pi / 180, longitude * .pi / 180)
        return SIMD3(cos(a) * cos(b), cos(a) * sin(b), sin(a))
      }
      let places = try stops.map { stop in
        (
          id: try #require(stop["id"] as? String),
          at: vector(try #require(stop["latitude"] as? Double), try #require(stop["longitude"] as? Double))
        )
      }.sorted { $0.id < $1.id }
      var inside: Set<String> = []
      var expected: [String] = []
      for fix in fixes {
        let here = vector(fix.latitude, fix.longitude)
        let now = Set(
          places.filter { place in
            let gap = here - place.at
            return 2 * 6_371_008.8 * asin((gap * gap).sum().squareRoot() / 2) <= radius
          }.map(\.id))
        let time = Date(timeIntervalSince1970: Double(fix.time) / 1000).formatted(.iso8601)
        expected += inside.subtracting(now).sorted().map { "\(time) exit \($0)" }
        expected += now.subtracting(inside).sorted().map { "\(time) enter \($0)" }
        inside = now
      }
      #expect(try crossings(phone) == expected)
    }

    // MARK: Beside the tool

    private static var tool: URL {
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("plot")
    }

    private func simulate(
      feed: String, track: String? = nil, store: String? = nil, events: String, more: [String] = []
    ) throws -> Process {
      let process = Process()
      process.executableURL = Self.tool
      process.arguments =
        [
          "simulate", "--feed", feed, "--track", track ?? Self.data.appendingPathComponent("track.gpx").path, "--noise",
          "exact", "--initial", "enter", "--events", events, "--quiet",
        ] + (store.map { ["--store", $0] } ?? []) + more
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      return process
    }

    private func lines(_ path: String) throws -> [String] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func regions(shownIn path: String) throws -> [String] {
      try lines(path).map { try record($0) }.filter { $0["event"] as? String == "notification-shown" }.map {
        try #require($0["region"] as? String)
      }
    }

    private func finish(_ process: Process) {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    @Test func theToolGivesTheSameRecords() throws {
      let feedPath = temporary("feed.json")
      let events = temporary("events.jsonl")
      defer { for path in [feedPath, events] { try? FileManager.default.removeItem(atPath: path) } }
      try feed(radius: 60).write(toFile: feedPath, atomically: true, encoding: .utf8)
      finish(try simulate(feed: feedPath, events: events))
      let phone = try ride(radius: 60, fixes: try track())
      #expect(try lines(events) == phone.events)
    }

    @Test func aSecondRideOnTheSameStoreShowsNothing() throws {
      let store = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: store) }
      let fixes = try track()
      #expect(try ride(radius: 60, store: store, fixes: fixes).shown.count == 36)
      #expect(try ride(radius: 60, store: store, fixes: fixes).shown == [])
      // A day later it is a new ride, and once only is what keeps them away.
      let tomorrow = fixes.map { Fix(time: $0.time + 86_400_000, latitude: $0.latitude, longitude: $0.longitude) }
      let again = try ride(radius: 60, store: store, fixes: tomorrow)
      #expect(again.shown == [])
      #expect(try again.values("region", of: "region-enter").count == 36)
    }

    /// The ride, and a last fix a day later: a replay in time with the clock is still waiting for it when it is killed, however late that is.
    private func endlessTrack() throws -> String {
      let text = try read("track.gpx")
      let end = try #require(text.range(of: "</trkseg>", options: .backwards))
      let point = #"<trkpt lat="52.67" lon="-8.57"><time>2019-02-19T09:00:00Z</time></trkpt>"#
      return text.replacingCharacters(in: end, with: point + "</trkseg>")
    }

    /// Killed at several places of the ride, and resumed on the same store each time. A notification that was handed over and
    /// not yet answered for when the process died is reported by the next one, as `recovered`.
    @Test func killedAndResumedShowsEachOnce() throws {
      let feedPath = temporary("feed.json")
      let whole = temporary("whole.jsonl")
      let endless = temporary("track.gpx")
      defer { for path in [feedPath, whole, endless] { try? FileManager.default.removeItem(atPath: path) } }
      try feed(radius: 60).write(toFile: feedPath, atomically: true, encoding: .utf8)
      try endlessTrack().write(toFile: endless, atomically: true, encoding: .utf8)
      finish(try simulate(feed: feedPath, events: whole))
      let expected = try regions(shownIn: whole)
      #expect(expected.count == 36)
      for kills in [[18], [3, 11, 27, 33]] {
        let store = temporary("store")
        let events = temporary("events.jsonl")
        defer {
          for path in [store, store + "-wal", store + "-log", events] {
            try? FileManager.default.removeItem(atPath: path)
          }
        }
        for kill in kills {
          let process = try simulate(
            feed: feedPath, track: endless, store: store, events: events, more: ["--speed", "2000"])
          while process.isRunning, ((try? regions(shownIn: events))?.count ?? 0) < kill {
            Thread.sleep(forTimeInterval: 0.002)
          }
          #expect(process.isRunning, "it was meant to be killed on the way")
          Foundation.kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
          #expect(process.terminationReason == .uncaughtSignal)
        }
        finish(try simulate(feed: feedPath, store: store, events: events))
        #expect(try regions(shownIn: events) == expected)
        let recovered = #","recovered":true"#
        #expect(try lines(events).map { $0.replacingOccurrences(of: recovered, with: "") } == lines(whole))
        // Events that were on their way at a kill are of one fix, which may have entered several regions.
        let late = try lines(events).filter { $0.contains(recovered) }.map { try record($0) }
        #expect(late.allSatisfy { $0["event"] as? String == "notification-shown" })
        #expect(Set(late.map { $0["time"] as? String }).count <= kills.count)
      }
    }
  }
}
