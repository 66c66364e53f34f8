import CPlotEngine
import Foundation
import PlotCore
import PlotEngine
import PlotTesting
import Testing

/// Fixes as columns.
struct Columns {
  var times: [Int64] = []
  var latitudes: [Double] = []
  var longitudes: [Double] = []
  var accuracies: [Double] = []
  var devices: [UInt32] = []

  mutating func add(_ time: Int64, _ latitude: Double, _ longitude: Double, accuracy: Double = 0, device: UInt32 = 0) {
    times.append(time)
    latitudes.append(latitude)
    longitudes.append(longitude)
    accuracies.append(accuracy)
    devices.append(device)
  }

  /// Inside the museum, or far from it, a minute apart.
  static func visits(_ places: Bool..., from time: Int64 = 60_000) -> Columns {
    var columns = Columns()
    for (index, isInside) in places.enumerated() {
      columns.add(time + Int64(index) * 60_000, isInside ? 52.36 : 52.4, 4.885)
    }
    return columns
  }

  func update(
    _ engine: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    plot_engine_update_locations(
      engine, times.count, times, latitudes, longitudes, accuracies, nil, nil, out, error)
  }

  func updateTogether(
    _ engine: OpaquePointer?, at time: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    plot_engine_update_locations_together(
      engine, time, times.count, times, latitudes, longitudes, accuracies, nil, nil, out, error)
  }

  func update(
    _ engines: [OpaquePointer?], _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    plot_engines_update_locations(
      engines, engines.count, devices, times.count, times, latitudes, longitudes, accuracies, nil, nil, out, error)
  }
}

extension Columns {
  func replay(
    _ engines: [OpaquePointer?], until: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    plot_engines_replay(
      engines, engines.count, devices, times.count, times, latitudes, longitudes, accuracies, nil, nil, until, out,
      error)
  }

  subscript(range: Range<Int>) -> Columns {
    var part = Columns()
    for index in range {
      part.add(times[index], latitudes[index], longitudes[index], accuracy: accuracies[index], device: devices[index])
    }
    return part
  }
}

/// The results of a call, as values.
func effects(
  _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
) throws -> [plot_effect] {
  let effects = try take(call)
  defer { plot_effects_free(effects) }
  let records = plot_effects_get_records(effects)
  #expect((records == nil) == (plot_effects_get_count(effects) == 0))
  return Array(UnsafeBufferPointer(start: records, count: plot_effects_get_count(effects)))
}

/// The fix and the kind of each record.
func kinds(_ effects: [plot_effect]) -> [[Int32]] { effects.map { [Int32($0.fix), Int32($0.kind)] } }

extension CSurface {
  @Suite(.serialized) struct ManyFixes {
    let feed = museum(
      notification("hello", #", "resend": true"#),
      #"{"id": "door", "type": "geotrigger", "name": "door", "data": "d", "regions": ["museum"], "trigger": "exit", "resend": true}"#
    )

    private func phone(_ config: String = #"{"publicToken": "t", "engine": {"noise": "exact", "initial": "none"}}"#)
      throws -> Phone
    {
      let phone = try Phone()
      try phone.listen()
      try phone.start(config)
      try phone.feed(feed)
      return phone
    }

    @Test func recordsAreAsTheHeaderHasThem() throws {
      #expect(MemoryLayout<plot_effect>.size == 40 && MemoryLayout<plot_effect>.alignment == 8)
      #expect(MemoryLayout<plot_effect>.offset(of: \.number) == 8)
      #expect(MemoryLayout<plot_effect>.offset(of: \.fix) == 16)
      #expect(MemoryLayout<plot_effect>.offset(of: \.campaign) == 36)
      let header = try String(contentsOf: projectRoot.appendingPathComponent("include/plotengine.h"), encoding: .utf8)
      let numbers = header.matches(of: /#define PLOT_EFFECT_([A-Z_]+) (\d+)/).map { "\($0.1) \($0.2)" }
      let events = Event.Kind.allCases.enumerated().map { index, kind in
        // In the order of docs/events.md: the number of an event is its place there.
        #expect(kind.number == UInt32(index) + 1)
        return "\(kind.rawValue.uppercased().replacing("-", with: "_")) \(BatchEffect.Kind.event(kind).number)"
      }
      #expect(numbers == ["REFUSED 0"] + events + ["FILTER_ASKED 64", "GEOTRIGGERS_ASKED 65"])
      #expect(BatchEffect.Kind.filterAsked.number == 64 && BatchEffect.Kind.geotriggersAsked.number == 65)
      #expect(PLOT_NO_POSITION == BatchEffect.none)
    }

    @Test func oneDevice() throws {
      let before = plot_live_objects()
      do {
        let phone = try phone()
        let records = try effects { Columns.visits(false, true, true, false, false).update(phone.engine, $0, $1) }
        #expect(
          kinds(records) == [
            [1, PLOT_EFFECT_REGION_ENTER], [1, PLOT_EFFECT_NOTIFICATION_SHOWN], [3, PLOT_EFFECT_REGION_EXIT],
            [3, PLOT_EFFECT_GEOTRIGGER],
          ])
        #expect(records.map(\.number) == [1, 2, 3, 4])
        #expect(records.map(\.time_ms) == [120_000, 120_000, 240_000, 240_000])
        #expect(records.map(\.region) == [0, 0, 0, 0])
        #expect(records.map(\.campaign) == [PLOT_NO_POSITION, 0, PLOT_NO_POSITION, 1])
        #expect(records.map(\.detail) == [1, 0, 1, 0])
        #expect(records.allSatisfy { $0.device == 0 })
        #expect(phone.events.count == 4 && phone.shown == ["hello at Museum shop"])
        #expect(try effects { Columns.visits(false, from: 400_000).update(phone.engine, $0, $1) }.isEmpty)
        #expect(try effects { Columns().update(phone.engine, $0, $1) }.isEmpty)
      }
      #expect(plot_live_objects() == before)
    }

    @Test func absentColumnsAreNotKnown() throws {
      let phone = try phone()
      let times: [Int64] = [1000]
      let place = [52.36]
      let east = [4.885]
      let records = try effects {
        plot_engine_update_locations(phone.engine, 1, times, place, east, nil, nil, nil, $0, $1)
      }
      #expect(kinds(records) == [[0, PLOT_EFFECT_REGION_INSIDE]])
      // A value that is there counts: 300 m/s is too fast to enter.
      let fast = try Phone()
      try fast.listen()
      try fast.start(#"{"publicToken": "t", "engine": {"noise": {"maxSpeed": 20}, "initial": "none"}}"#)
      try fast.feed(feed)
      let speed: [Double] = [300]
      let course: [Double] = [90]
      let none = try effects {
        plot_engine_update_locations(fast.engine, 1, times, place, east, [5], speed, course, $0, $1)
      }
      #expect(none.isEmpty)
    }

    @Test func aRefusedFixDoesNotEndTheCall() throws {
      let phone = try phone()
      var columns = Columns.visits(false, true)
      columns.add(60_000, 52.4, 4.885)  // older
      columns.add(180_000, .nan, 4.885)
      columns.add(180_000, 52.4, 181)
      columns.add(180_000, 52.4, 4.885, accuracy: -1)
      columns.add(.max, 52.4, 4.885)
      columns.add(180_000, 52.4, 4.885)
      let records = try effects { columns.update(phone.engine, $0, $1) }
      let refused = records.filter { $0.kind == UInt32(PLOT_EFFECT_REFUSED) }
      #expect(refused.map(\.fix) == [2, 3, 4, 5, 6])
      #expect(
        refused.map { Int32($0.detail) } == [PLOT_OUT_OF_ORDER] + Array(repeating: PLOT_INVALID_ARGUMENT, count: 4))
      #expect(refused.map(\.time_ms) == [60_000, 180_000, 180_000, 180_000, .max])
      #expect(refused.allSatisfy { $0.region == PLOT_NO_POSITION && $0.campaign == PLOT_NO_POSITION && $0.number == 0 })
      #expect(kinds(records).last == [7, PLOT_EFFECT_GEOTRIGGER])
      #expect(phone.events.count == 4)
    }

    /// Also where nothing is near: a time that no clock shows is not taken because nothing happens there.
    @Test func aTimeBeyondAllIsRefusedFarFromEverything() throws {
      let phone = try phone()
      try phone.fix(60_000, 40, 4)
      #expect(plot_engine_update_location(phone.engine, 1 << 62, 40, 4, 0, -1, -1, nil) == PLOT_INVALID_ARGUMENT)
      var columns = Columns()
      columns.add(61_000, 40, 4)
      columns.add(1 << 62, 40, 4)
      columns.add(62_000, 40, 4)
      #expect(kinds(try effects { columns.update(phone.engine, $0, $1) }) == [[1, PLOT_EFFECT_REFUSED]])
      #expect(kinds(try effects { columns.update([phone.engine], $0, $1) }).map { $0[0] } == [0, 1])
    }

    @Test func faultsOfTheCallAreNamed() throws {
      let phone = try phone()
      let other = try Phone()
      let closed = try self.phone()
      plot_engine_close(closed.engine)
      var columns = Columns.visits(true, true)
      func fault(_ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws
        -> Phone.Failure
      { try failure { _ = try effects(call) } }
      #expect(columns.update(phone.engine, nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(columns.update([phone.engine], nil, nil) == PLOT_INVALID_ARGUMENT)
      let engine: OpaquePointer? = phone.engine
      let (times, place) = (columns.times, columns.latitudes)
      let noTimes = try fault {
        plot_engine_update_locations(engine, 1, nil, place, place, nil, nil, nil, $0, $1)
      }
      #expect(noTimes.message == "times_ms: expected a pointer, found NULL")
      let noLatitudes = try fault {
        plot_engine_update_locations(engine, 1, times, nil, place, nil, nil, nil, $0, $1)
      }
      #expect(noLatitudes.message == "latitudes: expected a pointer, found NULL")
      let noLongitudes = try fault {
        plot_engines_update_locations([engine], 1, [0], 1, times, place, nil, nil, nil, nil, $0, $1)
      }
      #expect(noLongitudes.message == "longitudes: expected a pointer, found NULL")
      let many = try fault {
        plot_engine_update_locations(engine, 4_294_967_295, times, place, place, nil, nil, nil, $0, $1)
      }
      #expect(many.message == "count: expected a number from 0 to 4294967294, found 4294967295")
      let noEngines = try fault {
        plot_engines_update_locations(nil, 1, [0], 1, times, place, place, nil, nil, nil, $0, $1)
      }
      #expect(noEngines.message == "engines: expected a pointer, found NULL")
      let noDevices = try fault {
        plot_engines_update_locations([engine], 1, nil, 1, times, place, place, nil, nil, nil, $0, $1)
      }
      #expect(noDevices.message == "devices: expected a pointer, found NULL")
      let nobody = try fault {
        plot_engines_update_locations([engine], 0, [0], 1, times, place, place, nil, nil, nil, $0, $1)
      }
      #expect(nobody.message == "devices[0]: expected a number below 0, found 0")
      columns.devices = [0, 3]
      let engines: [OpaquePointer?] = [phone.engine, nil, other.engine, closed.engine]
      let late = try fault { columns.update(engines, $0, $1) }
      #expect(late.status == PLOT_CLOSED && late.message == "engines[3]: the engine is closed")
      columns.devices = [0, 2]
      let early = try fault { columns.update(engines, $0, $1) }
      #expect(early.status == PLOT_NOT_INITIALIZED && early.message.hasPrefix("engines[2]: the engine has not been"))
      columns.devices = [0, 1]
      let absent = try fault { columns.update(engines, $0, $1) }
      #expect(absent.status == PLOT_INVALID_ARGUMENT && absent.message == "engines[1]: expected a pointer, found NULL")
      columns.devices = [0, 4]
      let beyond = try fault { columns.update(engines, $0, $1) }
      #expect(beyond.message == "devices[1]: expected a number below 4, found 4")
      // Nothing was taken by all of that; and engines that no fix is for do not matter.
      #expect(phone.events.isEmpty)
      columns.devices = [0, 0]
      #expect(try effects { columns.update(engines, $0, $1) }.count == 1)
      #expect(try effects { Columns().update([], $0, $1) }.isEmpty)
    }

    @Test func manyDevicesAreToldApart() throws {
      let before = plot_live_objects()
      do {
        let phones = try (0..<130).map { _ in try phone() }
        var columns = Columns()
        for round in 0..<4 {
          for device in phones.indices where device != 64 {
            let isInside = round == 1 || round == 2 && device % 2 == 0
            columns.add(Int64(round + 1) * 60_000, isInside ? 52.36 : 52.4, 4.885, device: UInt32(device))
          }
        }
        let records = try effects { columns.update(phones.map(\.engine), $0, $1) }
        #expect(records.count == 129 * 4)
        for record in records { #expect(record.device == columns.devices[Int(record.fix)]) }
        let exits = records.filter { $0.kind == UInt32(PLOT_EFFECT_REGION_EXIT) }
        #expect(exits.allSatisfy { $0.time_ms == ($0.device % 2 == 0 ? 240_000 : 180_000) })
        #expect(phones[64].events.isEmpty && phones[65].events.count == 4)
      }
      #expect(plot_live_objects() == before)
    }

    /// A call looks ahead in the feed of its first device; others have another one, and more places in one spot than are noted ahead.
    @Test func devicesOfTwoFeeds() throws {
      func rings(_ radii: [Int]) -> String {
        let regions = radii.map {
          #"{"id": "r\#($0)", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": \#($0)}"#
        }
        return #"{"version": 1, "regions": [\#(regions.joined(separator: ", "))], "campaigns": []}"#
      }
      let feeds = [rings([500, 450, 400, 350, 300, 250, 200, 150, 100]), rings([300])]
      let sets = try (0..<2).map { _ in
        try (0..<40).map { device in
          let phone = try phone()
          try phone.feed(feeds[device % 2])
          return phone
        }
      }
      var generator = SplitMix64(11)
      var columns = Columns()
      for tick in 0..<60 {
        for device in 0..<40 {
          columns.add(
            Int64(tick + 1) * 60_000, 52.36 + Double.random(in: -0.007...0.007, using: &generator), 4.885,
            device: UInt32(device))
        }
      }
      for index in columns.times.indices {
        let status = plot_engine_update_location(
          sets[0][Int(columns.devices[index])].engine, columns.times[index], columns.latitudes[index],
          columns.longitudes[index], 0, -1, -1, nil)
        #expect(status == PLOT_OK)
      }
      _ = try effects { columns.update(sets[1].map(\.engine), $0, $1) }
      for device in 0..<40 {
        #expect(sets[0][device].events == sets[1][device].events, "\(device)")
        #expect(sets[1][device].events.count > 10, "\(device)")
      }
    }

    /// The same walk, fix by fix and in calls of any size: the same words to the host, the same state.
    @Test(arguments: UInt64(1)...6) func anySplitGivesTheSame(seed: UInt64) throws {
      var generator = SplitMix64(seed)
      var columns = Columns()
      var time: Int64 = 1_700_000_000_000
      var (latitude, longitude) = (52.36, 4.885)
      for _ in 0..<600 {
        time += Int64.random(in: -5_000...90_000, using: &generator)
        latitude += Double.random(in: -0.0007...0.0007, using: &generator) + (52.36 - latitude) / 8
        longitude += Double.random(in: -0.0012...0.0012, using: &generator) + (4.885 - longitude) / 8
        columns.add(time, latitude, longitude, accuracy: Double.random(in: 0...60, using: &generator))
      }
      let feed = museum(
        notification("hello", #", "resend": true"#),
        notification("stay", #", "trigger": "dwelling", "dwellingMinutes": 5, "resend": true"#))
      let walks = try (0..<2).map { _ in
        let phone = try Phone()
        try phone.listen(filter: true)
        phone.filter = { phone, token, list in
          // The time is older than the fix's; it counts as of the newest.
          #expect(plot_engine_answer_filter(phone.engine, 1, token, list, nil) == PLOT_OK)
        }
        try phone.start()
        try phone.feed(feed)
        return phone
      }
      for index in columns.times.indices {
        _ = plot_engine_update_location(
          walks[0].engine, columns.times[index], columns.latitudes[index], columns.longitudes[index],
          columns.accuracies[index], -1, -1, nil)
      }
      var records: [plot_effect] = []
      var first = 0
      while first < columns.times.count {
        let next = min(columns.times.count, first + Int.random(in: 1...200, using: &generator))
        var part = Columns()
        for index in first..<next {
          part.add(
            columns.times[index], columns.latitudes[index], columns.longitudes[index],
            accuracy: columns.accuracies[index])
        }
        records += try effects { part.update(walks[1].engine, $0, $1) }
        first = next
      }
      #expect(walks[0].events.count > 20, "seed \(seed)")
      #expect(walks[0].events == walks[1].events, "seed \(seed)")
      #expect(walks[0].shown == walks[1].shown && walks[0].batches == walks[1].batches, "seed \(seed)")
      let told = records.filter { (1...16).contains($0.kind) }
      #expect(told.map(\.number) == (1...UInt64(walks[1].events.count)).map { $0 }, "seed \(seed)")
      let asked = records.filter { $0.kind == UInt32(PLOT_EFFECT_FILTER_ASKED) }
      #expect(asked.map(\.number) == walks[1].batches, "seed \(seed)")
      let visits = try walks.map { phone in try text { plot_engine_get_visits(phone.engine, $0, $1) } }
      #expect(visits[0] == visits[1], "seed \(seed)")
      #expect(try walks[0].wakeup == walks[1].wakeup, "seed \(seed)")
    }

    /// A replay is what a host does that calls `advance` at each wakeup, in calls of any size.
    @Test(arguments: UInt64(1)...4) func replayFollowsTheWakeups(seed: UInt64) throws {
      var generator = SplitMix64(seed)
      var columns = Columns()
      var time: Int64 = 1_700_000_000_000
      for number in 0..<800 {
        time += Int64.random(in: -5_000...200_000, using: &generator)
        let isInside = number >= 797 || number < 780 && Double.random(in: 0...1, using: &generator) < 0.9
        // A refused fix makes no time pass.
        columns.add(
          number % 50 == 7 ? time + 3_600_000 : time, number % 50 == 7 ? 91 : isInside ? 52.36 : 52.4, 4.885,
          accuracy: 10, device: UInt32(number % 3))
      }
      let feed = museum(
        notification("hello", #", "resend": true"#),
        notification("stay", #", "trigger": "dwelling", "dwellingMinutes": 5, "resend": true"#))
      let config =
        #"{"publicToken": "t", "engine": {"noise": {"minInside": 20, "minOutside": 90}, "proof": {"maxAge": 0}}}"#
      let until = time + 600_000
      let sets = try (0..<2).map { _ in
        // The last one has no fixes.
        try (0..<4).map { _ in
          let phone = try Phone()
          try phone.listen()
          try phone.start(config)
          try phone.feed(feed)
          return phone
        }
      }
      func follow(_ phone: Phone, to time: Int64) throws {
        while case let wakeup = try phone.wakeup, wakeup >= 0, wakeup < time {
          try check { plot_engine_advance(phone.engine, wakeup, $0) }
        }
      }
      for index in columns.times.indices {
        let phone = sets[0][Int(columns.devices[index])]
        if columns.latitudes[index] < 90 { try follow(phone, to: columns.times[index]) }
        _ = plot_engine_update_location(
          phone.engine, columns.times[index], columns.latitudes[index], columns.longitudes[index],
          columns.accuracies[index], -1, -1, nil)
      }
      for phone in sets[0] { try follow(phone, to: until + 1) }

      let engines = sets[1].map(\.engine)
      var records: [plot_effect] = []
      var first = 0
      while first < columns.times.count {
        let next = min(columns.times.count, first + Int.random(in: 1...200, using: &generator))
        records += try effects { columns[first..<next].replay(engines, until: -1, $0, $1) }
        first = next
      }
      let last = try effects { Columns().replay(engines, until: until, $0, $1) }
      #expect(!last.isEmpty && last.allSatisfy { $0.fix == PLOT_NO_POSITION }, "seed \(seed)")
      records += last
      for device in 0..<4 {
        let (single, replayed) = (sets[0][device], sets[1][device])
        #expect(single.events == replayed.events && single.shown == replayed.shown, "seed \(seed), \(device)")
        #expect(single.events.count > (device < 3 ? 20 : -1), "seed \(seed), \(device)")
        let told = records.filter { $0.device == device && (1...16).contains($0.kind) }
        #expect(told.map(\.number) == (0..<UInt64(replayed.events.count)).map { $0 + 1 }, "seed \(seed), \(device)")
        #expect(try single.wakeup == replayed.wakeup, "seed \(seed), \(device)")
      }
      // Without the wakeups it is another walk.
      let late = try Phone()
      try late.listen()
      try late.start(config)
      try late.feed(feed)
      let mine = columns.times.indices.filter { columns.devices[$0] == 0 }
      for index in mine {
        _ = plot_engine_update_location(
          late.engine, columns.times[index], columns.latitudes[index], columns.longitudes[index], 10, -1, -1, nil)
      }
      #expect(late.events != sets[1][0].events, "seed \(seed)")
    }

    /// Whether somebody listens to decisions, and whether a process ends between two fixes, makes no difference. The fixes come at the minute, so that
    /// dwellings come due with fixes that are held.
    @Test(arguments: 1...UInt64(steps(60))) func theSameWithDecisionsAndFromBytes(seed: UInt64) throws {
      var generator = SplitMix64(seed)
      var columns = Columns()
      var (latitude, longitude) = (52.36, 4.885)
      let hasGates = seed.isMultiple(of: 4)
      for minute in 0..<150 {
        latitude += Double.random(in: -0.0006...0.0006, using: &generator)
        longitude += Double.random(in: -0.0010...0.0010, using: &generator)
        let accuracy = hasGates ? Double.random(in: 5...80, using: &generator) : 0
        columns.add(
          1_700_000_000_000 + Int64(minute) * (hasGates ? 300_000 : 60_000), latitude, longitude, accuracy: accuracy)
      }
      let text = museum(
        notification("hello"), notification("stay", #", "trigger": "dwelling", "dwellingMinutes": 5, "resend": true"#))
      let feed = try take { plot_feed_parse(text, text.utf8.count, $0, $1) }
      let settings = hasGates ? #"{"engine": {"noise": "driving-1"}}"# : "{}"
      let config = try take { plot_config_parse(settings, settings.utf8.count, $0, $1) }
      defer {
        plot_feed_free(feed)
        plot_config_free(config)
      }
      func walk(listens: Bool, isRestored: Bool) throws -> [[UInt64]] {
        var engine = try take { plot_engine_new($0, $1) }
        defer { plot_engine_free(engine) }
        try check { plot_engine_init(engine, columns.times[0], config, nil, $0) }
        try check { plot_engine_set_feed(engine, columns.times[0], feed, $0) }
        if listens { try check { plot_engine_set_decision_callback(engine, { _, _, _, _ in }, nil, nil, $0) } }
        var told: [[UInt64]] = []
        for index in columns.times.indices {
          if isRestored {
            let saved = try take { plot_engine_save(engine, 0, $0, $1) }
            defer { plot_string_free(saved) }
            plot_engine_free(engine)
            engine = try take { plot_engine_new($0, $1) }
            try check {
              plot_engine_restore(
                engine, -1, config, feed, nil, plot_string_get(saved), plot_string_get_length(saved), $0)
            }
          }
          let records = try effects { columns[index..<index + 1].replay([engine], until: -1, $0, $1) }
          told += records.map { [UInt64($0.time_ms), $0.number, UInt64($0.kind), UInt64($0.region)] }
        }
        return told
      }
      let quiet = try walk(listens: false, isRestored: false)
      #expect(try walk(listens: true, isRestored: false) == quiet, "seed \(seed)")
      #expect(try walk(listens: false, isRestored: true) == quiet, "seed \(seed)")
    }

    /// A wakeup that moves is told between two fixes, also where nothing else is.
    @Test func wakeupsAreToldBetween() throws {
      func wakeups(_ update: (OpaquePointer, Columns) throws -> Void) throws -> [Int64] {
        let phone = try Phone()
        try phone.start(#"{"publicToken": "t", "engine": {"noise": {"minInside": 300}, "initial": "none"}}"#)
        try phone.feed(feed)
        let box = Box()
        try check {
          plot_engine_set_wakeup_callback(
            phone.engine,
            { box, _, time in Unmanaged<Box>.fromOpaque(box!).takeUnretainedValue().wakeups.append(time) },
            Unmanaged.passUnretained(box).toOpaque(), nil, $0)
        }
        try update(phone.engine, Columns.visits(false, true, false, true, true, false))
        return box.wakeups
      }
      let single = try wakeups { engine, columns in
        for index in columns.times.indices {
          try check {
            plot_engine_update_location(
              engine, columns.times[index], columns.latitudes[index], columns.longitudes[index], 0, -1, -1, $0)
          }
        }
      }
      let batch = try wakeups { engine, columns in
        let records = try effects { columns.update(engine, $0, $1) }
        #expect(records.isEmpty)
      }
      #expect(single == [420_000, -1, 540_000, -1])
      #expect(batch == single)
    }

    @Test func aCallbackMayCloseTheEngine() throws {
      let phone = try phone()
      try check {
        plot_engine_set_show_callback(
          phone.engine,
          { _, engine, _ in
            plot_engine_close(engine)
            return PLOT_OK
          }, nil, nil, $0)
      }
      let records = try effects { Columns.visits(false, true, true, false).update(phone.engine, $0, $1) }
      #expect(
        kinds(records) == [
          [1, PLOT_EFFECT_REGION_ENTER], [2, PLOT_EFFECT_REFUSED], [3, PLOT_EFFECT_REFUSED],
        ])
      #expect(records.dropFirst().allSatisfy { Int32($0.detail) == PLOT_CLOSED })
    }

    @Test func aCallbackMayFreeItsEngine() throws {
      let before = plot_live_objects()
      do {
        let engine = try take { plot_engine_new($0, $1) }
        let config = #"{"publicToken": "t", "engine": {"noise": "exact", "initial": "none"}}"#
        let read = try early(config)
        #expect(plot_engine_init(engine, 0, read, nil, nil) == PLOT_OK)
        plot_config_free(read)
        let places = try take { plot_feed_parse(feed, feed.utf8.count, $0, $1) }
        #expect(plot_engine_set_feed(engine, 0, places, nil) == PLOT_OK)
        plot_feed_free(places)
        try check {
          plot_engine_set_show_callback(
            engine,
            { _, engine, _ in
              plot_engine_free(engine)
              return PLOT_OK
            }, nil, nil, $0)
        }
        let records = try effects { Columns.visits(false, true, true).update(engine, $0, $1) }
        #expect(kinds(records) == [[1, PLOT_EFFECT_REGION_ENTER], [2, PLOT_EFFECT_REFUSED]])
        #expect(records[1].detail == UInt32(PLOT_CLOSED))
      }
      #expect(plot_live_objects() == before)
    }

    @Test func aCallbackMayFreeAnEngineOfTheCall() throws {
      let before = plot_live_objects()
      do {
        let phone = try phone()
        var other: OpaquePointer?
        plot_engine_new(&other, nil)
        let config = pinned
        let read = try early(config)
        #expect(plot_engine_init(other, 0, read, nil, nil) == PLOT_OK)
        plot_config_free(read)
        let victim = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
        defer { victim.deallocate() }
        victim.pointee = other
        try check {
          plot_engine_set_show_callback(
            phone.engine,
            { victim, _, _ in
              plot_engine_free(victim!.assumingMemoryBound(to: OpaquePointer?.self).pointee)
              return PLOT_OK
            }, victim, nil, $0)
        }
        var columns = Columns.visits(false, true, false, false)
        columns.devices = [1, 1, 0, 1]
        let records = try effects { columns.update([other, phone.engine], $0, $1) }
        #expect(
          records.filter { Int32($0.kind) == PLOT_EFFECT_REFUSED }.map { [Int32($0.fix), Int32($0.detail)] } == [
            [2, PLOT_CLOSED]
          ])
        #expect(phone.events.count == 4)
      }
      #expect(plot_live_objects() == before)
    }

    /// A fix that a callback gives counts between those of the call, and what it leads to is in the call's records.
    @Test func aCallbackMayGiveAFix() throws {
      let phone = try phone()
      try check {
        plot_engine_set_show_callback(
          phone.engine,
          { _, engine, _ in
            #expect(plot_engine_update_location(engine, 130_000, 52.4, 4.885, 0, -1, -1, nil) == PLOT_OK)
            return PLOT_OK
          }, nil, nil, $0)
      }
      let records = try effects { Columns.visits(false, true, false, false).update(phone.engine, $0, $1) }
      #expect(
        kinds(records) == [
          [1, PLOT_EFFECT_REGION_ENTER], [1, PLOT_EFFECT_REGION_EXIT], [1, PLOT_EFFECT_GEOTRIGGER],
          [1, PLOT_EFFECT_NOTIFICATION_SHOWN],
        ])
      #expect(records.map(\.number) == [1, 2, 3, 4])
      #expect(phone.events.count == 4)
    }

    /// A call inside a callback gives what its own fixes have led to at once; the outer one has the rest.
    @Test func aCallInsideACallback() throws {
      let phone = try phone()
      let inner = Box()
      try check {
        plot_engine_set_show_callback(
          phone.engine,
          { inner, engine, _ in
            let box = Unmanaged<Box>.fromOpaque(inner!).takeUnretainedValue()
            box.rounds += 1
            guard box.rounds == 1 else { return PLOT_OK }
            box.records =
              (try? effects { Columns.visits(false, true, from: 130_000).update(engine, $0, $1) }) ?? []
            return PLOT_OK
          }, Unmanaged.passUnretained(inner).toOpaque(), nil, $0)
      }
      let records = try effects { Columns.visits(false, true, false, false).update(phone.engine, $0, $1) }
      let times = try phone.values("time", of: "region-enter")
      #expect(times.count == 2)
      #expect(
        kinds(inner.records) == [
          [0, PLOT_EFFECT_REGION_EXIT], [0, PLOT_EFFECT_GEOTRIGGER], [1, PLOT_EFFECT_REGION_ENTER],
        ])
      // No event is in both, and none in neither; the third fix of the outer call is older than the inner ones.
      let all = (records + inner.records).filter { $0.kind != UInt32(PLOT_EFFECT_REFUSED) }
      #expect(all.map(\.number).sorted() == (1...UInt64(phone.events.count)).map { $0 })
      #expect(records.filter { $0.kind == UInt32(PLOT_EFFECT_REFUSED) }.map(\.fix) == [2])
      withExtendedLifetime(inner) {}
    }

    @Test func whatWasAskedHasItsToken() throws {
      let phone = try Phone()
      try phone.listen(filter: true)
      try check {
        plot_engine_set_geotrigger_callback(
          phone.engine,
          { _, engine, token, list in
            #expect(plot_engine_mark_geotriggers_handled(engine, 0, token, list, nil) == PLOT_OK)
          }, nil, nil, $0)
      }
      try phone.start(#"{"publicToken": "t", "engine": {"noise": "exact", "initial": "none"}}"#)
      try phone.feed(feed)
      let records = try effects { Columns.visits(false, true, false).update(phone.engine, $0, $1) }
      #expect(
        kinds(records) == [
          [1, PLOT_EFFECT_REGION_ENTER], [1, PLOT_EFFECT_FILTER_ASKED], [2, PLOT_EFFECT_NOTIFICATION_FILTERED],
          [2, PLOT_EFFECT_REGION_EXIT], [2, PLOT_EFFECT_GEOTRIGGERS_ASKED], [2, PLOT_EFFECT_GEOTRIGGER],
        ])
      #expect(phone.batches == [records[1].number])
      #expect(records.filter { (64...65).contains($0.kind) }.map(\.campaign) == [0, 1])
      #expect(records.filter { (64...65).contains($0.kind) }.allSatisfy { $0.region == 0 })
    }

    @Test func positionsHaveNames() throws {
      let json = museum(notification("één"), notification("b"))
      let feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
      defer { plot_feed_free(feed) }
      #expect(String(cString: plot_feed_get_region_id(feed, 0)) == "museum")
      #expect(String(cString: plot_feed_get_campaign_id(feed, 0)) == "één")
      #expect(String(cString: plot_feed_get_campaign_id(feed, 1)) == "b")
      #expect(plot_feed_get_campaign_id(feed, 1) == plot_feed_get_campaign_id(feed, 1))
      #expect(plot_feed_get_region_id(feed, 1) == nil && plot_feed_get_campaign_id(feed, 2) == nil)
      #expect(plot_feed_get_region_id(feed, Int(PLOT_NO_POSITION)) == nil && plot_feed_get_region_id(feed, -1) == nil)
      #expect(plot_feed_get_region_id(nil, 0) == nil && plot_feed_get_campaign_id(nil, 0) == nil)
      #expect(plot_effects_get_count(nil) == 0 && plot_effects_get_records(nil) == nil)
      plot_effects_free(nil)
    }
  }
}

private final class Box {
  var records: [plot_effect] = []
  var wakeups: [Int64] = []
  var rounds = 0
}
