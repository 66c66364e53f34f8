internal import CPlotEngine
internal import PlotCore
internal import PlotEngine

/// Fixes as the host has them: a column for each value.
@safe struct Columns {
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

  /// Gives them all to one engine.
  func update(_ engine: Engine) throws -> [BatchEffect] {
    try engine.checkRunning()
    var effects: [BatchEffect] = []
    engine.update(0..<count, of: 0, into: &effects) { fix($0) }
    return effects
  }

  /// Gives them all to one engine, in one moment.
  func update(_ engine: Engine, togetherAt time: Int64) throws -> [BatchEffect] {
    var effects: [BatchEffect] = []
    try engine.updateTogether(count, at: time, into: &effects) { fix($0) }
    return effects
  }

  /// Inlined: a caller that copies the answer in wider pieces than it was written waits for the memory.
  @inline(__always)
  func fix(_ position: Int) -> Fix {
    unsafe Fix(
      time: times.unsafelyUnwrapped[position],
      coordinate: Coordinate(
        latitude: latitudes.unsafelyUnwrapped[position], longitude: longitudes.unsafelyUnwrapped[position]),
      accuracy: known(accuracies?[position] ?? 0, or: 0), speed: known(speeds?[position] ?? -1, or: -1),
      course: known(courses?[position] ?? -1, or: -1))
  }
}

/// The engines of a call and their fixes. Each engine is looked at once, and held until the call is over: a callback may free it.
@safe final class Fleet {
  private let engines: UnsafePointer<OpaquePointer?>?
  private let devices: UnsafePointer<UInt32>?
  private let columns: Columns
  private var count: Int { columns.count }
  /// The devices that are held, a bit each.
  private var held: [UInt64] = []
  /// All devices below it are held, whether or not a fix is for them.
  private let everyone: Int

  init(
    _ engines: UnsafePointer<OpaquePointer?>?, _ engineCount: Size, _ devices: UnsafePointer<UInt32>?,
    _ columns: Columns, everyone: Int = 0
  ) throws(EngineError) {
    unsafe self.engines = engines
    unsafe self.devices = devices
    self.columns = columns
    self.everyone = everyone
    let count = columns.count
    guard count > 0 || everyone > 0 else { return }
    guard unsafe engines != nil else { throw EngineError(argument: "engines", expected: "a pointer", found: "NULL") }
    if count > 0, unsafe devices == nil {
      throw EngineError(argument: "devices", expected: "a pointer", found: "NULL")
    }
    var last = max(0, everyone - 1)
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
    for number in 0..<count + everyone {
      let device = number < count ? Int(self.device(number)) : number - count
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

  /// Gives each fix to its engine, as a host that follows the wakeups; then everyone gets those up to a time.
  func replay(through time: Milliseconds?) -> [BatchEffect] {
    var effects = update(wakesUp: true)
    guard let time else { return effects }
    for device in 0..<UInt32(everyone) { engine(device).wakeUp(through: time, of: device, into: &effects) }
    return effects
  }

  /// Gives each fix to its engine, in order; those of one device that follow each other go together.
  func update(wakesUp: Bool = false) -> [BatchEffect] {
    var effects: [BatchEffect] = []
    guard count > 0 else { return effects }
    var ahead = unsafe Lookahead(engines, devices, columns, try? engine(device(0)).feed())
    var first = 0
    while first < count {
      ahead.prefetchEngine(after: first)
      let device = device(first)
      var next = first + 1
      while next < count, self.device(next) == device { next += 1 }
      let fast: FastAnswer = next == first + 1 ? ahead.takeFast(first) : .notAsked
      if fast != .taken {
        engine(device).update(first..<next, of: device, wakesUp: wakesUp, after: fast, into: &effects) {
          columns.fix($0)
        }
      }
      first = next
    }
    return effects
  }

  private func device(_ position: Int) -> UInt32 { unsafe devices.unsafelyUnwrapped[position] }

  /// One that is held.
  private func engine(_ device: UInt32) -> Engine {
    let handle: EngineHandle? = unsafe object(engines.unsafelyUnwrapped[Int(device)])
    return unsafe handle.unsafelyUnwrapped.engine
  }
}

/// Looks ahead of the device that is at its turn: each has a memory of its own, and each fix is somewhere else.
@safe private struct Lookahead {
  private let engines: UnsafePointer<OpaquePointer?>?
  private let devices: UnsafePointer<UInt32>?
  private let columns: Columns
  private var count: Int { columns.count }
  /// Of the first device, and mostly of all; nil for few fixes, for which it is not worth it.
  private let feed: Feed?
  private let search: RegionIndex.Search
  private var ahead: SearchAhead
  /// The index's answer for a group of fixes, from this one on.
  private var start = 0
  private var knownCount = 0
  private var known: InlineArray<16, KnownPlaces>

  init(
    _ engines: UnsafePointer<OpaquePointer?>?, _ devices: UnsafePointer<UInt32>?, _ columns: Columns,
    _ feed: @autoclosure () -> Feed?
  ) {
    unsafe self.engines = engines
    unsafe self.devices = devices
    self.columns = columns
    let count = columns.count
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

  /// `Engine.takeFast` of the engine that a fix is of. Positions ascend from call to call.
  @inline(__always)
  mutating func takeFast(_ position: Int) -> FastAnswer {
    let fix = columns.fix(position)
    guard feed != nil else { return unsafe EngineHandle.takeFast(engine(position), fix) }
    if position >= start + knownCount { look(from: position) }
    return unsafe EngineHandle.takeFast(engine(position), fix, known: known[position - start])
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
