// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CPlotEngine
internal import PlotCore
internal import PlotEngine

@_cdecl("plot_engine_update_locations") @implementation
public func plot_engine_update_locations(
  _ engine: OpaquePointer!, _ count: Int, _ times_ms: UnsafePointer<Int64>!, _ latitudes: UnsafePointer<Double>!,
  _ longitudes: UnsafePointer<Double>!, _ accuracies: UnsafePointer<Double>!, _ speeds: UnsafePointer<Double>!,
  _ courses: UnsafePointer<Double>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, accuracies, speeds, courses)
    try engine.checkRunning()
    var effects: [BatchEffect] = []
    engine.update(0..<columns.count, of: 0, into: &effects) { columns.fix($0) }
    return EffectsHandle(effects)
  }
}

@_cdecl("plot_engines_update_locations") @implementation
public func plot_engines_update_locations(
  _ engines: UnsafePointer<OpaquePointer?>!, _ engine_count: Int, _ devices: UnsafePointer<UInt32>!, _ count: Int,
  _ times_ms: UnsafePointer<Int64>!, _ latitudes: UnsafePointer<Double>!, _ longitudes: UnsafePointer<Double>!,
  _ accuracies: UnsafePointer<Double>!, _ speeds: UnsafePointer<Double>!, _ courses: UnsafePointer<Double>!,
  _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, accuracies, speeds, courses)
    let count = columns.count
    let fleet = unsafe try Fleet(engines, Size(engine_count), devices, count)
    var ahead = unsafe Lookahead(engines, devices, columns, count, try? fleet.engine(fleet.device(0)).feed())
    var effects: [BatchEffect] = []
    var first = 0
    while first < count {
      ahead.prefetchEngine(after: first)
      let device = fleet.device(first)
      var next = first + 1
      while next < count, fleet.device(next) == device { next += 1 }
      if next == first + 1, ahead.takeQuietly(first) {
        first = next
        continue
      }
      fleet.engine(device).update(first..<next, of: device, into: &effects) { columns.fix($0) }
      first = next
    }
    return EffectsHandle(effects)
  }
}

@_cdecl("plot_effects_get_count") @implementation
public func plot_effects_get_count(_ effects: OpaquePointer!) -> Int {
  (unsafe object(effects) as EffectsHandle?)?.count ?? 0
}

@_cdecl("plot_effects_get_records") @implementation
public func plot_effects_get_records(_ effects: OpaquePointer!) -> UnsafePointer<plot_effect>! {
  unsafe (unsafe object(effects) as EffectsHandle?)?.records
}

@_cdecl("plot_effects_free") @implementation
public func plot_effects_free(_ effects: OpaquePointer!) { unsafe Handle.free(effects) }

@_cdecl("plot_feed_get_region_id") @implementation
public func plot_feed_get_region_id(_ feed: OpaquePointer!, _ position: Int) -> UnsafePointer<CChar>! {
  unsafe (unsafe object(feed) as FeedHandle?)?.regionIds[Size(position)]
}

@_cdecl("plot_feed_get_campaign_id") @implementation
public func plot_feed_get_campaign_id(_ feed: OpaquePointer!, _ position: Int) -> UnsafePointer<CChar>! {
  unsafe (unsafe object(feed) as FeedHandle?)?.campaignIds[Size(position)]
}

/// Fixes as the host has them: a column for each value.
@safe private struct Columns {
  let count: Int
  private let times: UnsafePointer<Int64>?
  private let latitudes: UnsafePointer<Double>?
  private let longitudes: UnsafePointer<Double>?
  private let accuracies: UnsafePointer<Double>?
  private let speeds: UnsafePointer<Double>?
  private let courses: UnsafePointer<Double>?

  init(
    _ count: Int, _ times: UnsafePointer<Int64>?, _ latitudes: UnsafePointer<Double>?,
    _ longitudes: UnsafePointer<Double>?, _ accuracies: UnsafePointer<Double>?, _ speeds: UnsafePointer<Double>?,
    _ courses: UnsafePointer<Double>?
  ) throws(EngineError) {
    self.count = try Size(count).count("count", in: 0...Int(UInt32.max - 1))
    if count > 0 {
      for (isNull, name) in [
        (unsafe times == nil, "times_ms"), (unsafe latitudes == nil, "latitudes"),
        (unsafe longitudes == nil, "longitudes"),
      ] where isNull { throw EngineError(argument: name, expected: "a pointer", found: "NULL") }
    }
    unsafe self.times = times
    unsafe self.latitudes = latitudes
    unsafe self.longitudes = longitudes
    unsafe self.accuracies = accuracies
    unsafe self.speeds = speeds
    unsafe self.courses = courses
  }

  func fix(_ position: Int) -> Fix {
    unsafe Fix(
      time: times.unsafelyUnwrapped[position],
      coordinate: Coordinate(
        latitude: latitudes.unsafelyUnwrapped[position], longitude: longitudes.unsafelyUnwrapped[position]),
      accuracy: known(accuracies?[position] ?? 0, or: 0), speed: known(speeds?[position] ?? -1, or: -1),
      course: known(courses?[position] ?? -1, or: -1))
  }
}

/// The engines of a call, each looked at once, and held until the call is over: a callback may free them.
@safe private final class Fleet {
  private let engines: UnsafePointer<OpaquePointer?>?
  private let devices: UnsafePointer<UInt32>?
  private let count: Int
  /// The devices that are held, a bit each.
  private var held: [UInt64] = []

  init(
    _ engines: UnsafePointer<OpaquePointer?>?, _ engineCount: Size, _ devices: UnsafePointer<UInt32>?, _ count: Int
  ) throws(EngineError) {
    unsafe self.engines = engines
    unsafe self.devices = devices
    self.count = count
    guard count > 0 else { return }
    guard unsafe engines != nil else { throw EngineError(argument: "engines", expected: "a pointer", found: "NULL") }
    guard unsafe devices != nil else { throw EngineError(argument: "devices", expected: "a pointer", found: "NULL") }
    var last = 0
    for position in 0..<count {
      let given = Size(self.device(position))
      guard let device = given.position(below: engineCount) else {
        throw EngineError(
          argument: "devices[\(position)]", expected: "a number below \(engineCount.text)", found: given.text)
      }
      last = max(last, device)
    }
    // Not in `held` itself, of which each use is watched.
    var held = [UInt64](repeating: 0, count: last / 64 + 1)
    // Also when one of them is missing.
    defer { self.held = held }
    for position in 0..<count {
      let device = Int(self.device(position))
      guard held[device / 64] & 1 << UInt64(device % 64) == 0 else { continue }
      guard let engine = unsafe engines.unsafelyUnwrapped[device] else {
        throw EngineError(argument: "engines[\(device)]", expected: "a pointer", found: "NULL")
      }
      if let error = unsafe EngineHandle.hold(engine) {
        throw EngineError(error.status, "engines[\(device)]: \(error.message)")
      }
      held[device / 64] |= 1 << UInt64(device % 64)
    }
  }

  deinit {
    for (word, bits) in held.enumerated() {
      var bits = bits
      while bits != 0 {
        unsafe Handle.free(engines.unsafelyUnwrapped[word * 64 + bits.trailingZeroBitCount])
        bits &= bits - 1
      }
    }
  }

  func device(_ position: Int) -> UInt32 { unsafe devices.unsafelyUnwrapped[position] }

  /// One that is held.
  func engine(_ device: UInt32) -> Engine {
    let handle: EngineHandle? = unsafe object(engines.unsafelyUnwrapped[Int(device)])
    return unsafe handle.unsafelyUnwrapped.engine
  }
}

/// Looks ahead of the device that is at its turn: each has a memory of its own, and each fix is somewhere else.
@safe private struct Lookahead {
  private let engines: UnsafePointer<OpaquePointer?>?
  private let devices: UnsafePointer<UInt32>?
  private let columns: Columns
  private let count: Int
  /// Of the first device, and mostly of all; nil for few fixes, for which it is not worth it.
  private let feed: Feed?
  private let search: RegionIndex.Search
  private var ahead: SearchAhead
  /// What the index says of a group of fixes, from this one on.
  private var start = 0
  private var knownCount = 0
  private var known: InlineArray<16, KnownPlaces>

  init(
    _ engines: UnsafePointer<OpaquePointer?>?, _ devices: UnsafePointer<UInt32>?, _ columns: Columns, _ count: Int,
    _ feed: @autoclosure () -> Feed?
  ) {
    unsafe self.engines = engines
    unsafe self.devices = devices
    self.columns = columns
    self.count = count
    self.feed = count < SearchAhead.together ? nil : feed()
    search = (self.feed ?? .empty).index.search
    ahead = SearchAhead(search, count)
    known = InlineArray(repeating: KnownPlaces(search))
  }

  private func engine(_ position: Int) -> OpaquePointer? {
    unsafe engines.unsafelyUnwrapped[Int(devices.unsafelyUnwrapped[position])]
  }

  /// Asks for the memory of an engine that is soon at its turn.
  @inline(__always)
  func prefetchEngine(after position: Int) {
    if position &+ 8 < count { unsafe EngineHandle.prefetch(engine(position &+ 8)) }
  }

  /// `Engine.takeQuietly` of the engine that a fix is of. Positions ascend from call to call.
  @inline(__always)
  mutating func takeQuietly(_ position: Int) -> Bool {
    let fix = columns.fix(position)
    guard feed != nil else { return unsafe EngineHandle.takeQuietly(engine(position), fix) }
    if position >= start + knownCount { look(from: position) }
    return unsafe EngineHandle.takeQuietly(engine(position), fix, known: known[position - start])
  }

  private mutating func look(from position: Int) {
    start = position
    knownCount = min(SearchAhead.together, count - position)
    for number in 0..<knownCount { known[number] = KnownPlaces(search) }
    let columns = columns
    ahead.look(from: position) {
      columns.fix($0).coordinate
    } _: { number, place in
      known[number].add(place)
    }
  }
}

/// Records, as the header has them.
@safe final class EffectsHandle: Handle {
  let count: Int
  /// Nil for none.
  let records: UnsafePointer<plot_effect>?

  init(_ effects: [BatchEffect]) {
    count = effects.count
    guard count > 0 else {
      unsafe records = nil
      return
    }
    let memory = UnsafeMutablePointer<plot_effect>.allocate(capacity: count)
    for (index, effect) in effects.enumerated() {
      unsafe memory[index] = plot_effect(
        time_ms: effect.time, number: effect.number, fix: effect.fix, device: effect.device,
        kind: effect.kind.rawValue, detail: effect.detail, region: effect.region, campaign: effect.campaign)
    }
    unsafe records = UnsafePointer(memory)
  }

  deinit { unsafe records?.deallocate() }
}

/// Identifiers, each with a NUL at its end, at addresses of their own.
@safe final class IdentifierTexts {
  private let bytes: UnsafeMutablePointer<CChar>
  private let starts: [Int]

  init(_ identifiers: some Sequence<Identifier>) {
    var starts: [Int] = []
    var length = 0
    for identifier in identifiers {
      starts.append(length)
      length += identifier.text.utf8.count + 1
    }
    unsafe bytes = UnsafeMutablePointer<CChar>.allocate(capacity: max(length, 1))
    var next = 0
    for identifier in identifiers {
      for byte in identifier.text.utf8 {
        unsafe bytes[next] = CChar(bitPattern: byte)
        next += 1
      }
      unsafe bytes[next] = 0
      next += 1
    }
    self.starts = starts
  }

  deinit { unsafe bytes.deallocate() }

  /// NULL for a position out of range.
  subscript(position: Size) -> UnsafePointer<CChar>? {
    guard let position = position.position(below: starts.count) else { return nil }
    return unsafe UnsafePointer(bytes + starts[position])
  }
}
