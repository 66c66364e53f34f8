/// Devices that come near each other: fences that move with devices (docs/roaming.md).
///
/// A grid follows the devices. Only devices in the cells around a fix are compared with it, and those that were near.
///
/// Invariants: a device is in the cell of its place; of a pair, each has the other among those near it, by their numbers.
public struct Roaming: Sendable {
  public struct Rules: Equatable, Sendable {
    /// Metres, above 0; two devices are near each other when they are not further apart than that,
    public var enter: Double
    /// and until they are further apart than that; not below `enter`.
    public var exit: Double
    /// Two fixes that are further apart in time do not say that devices are near; nil for any.
    public var longestAge: Milliseconds?
    /// Whether each fix tells the distances of pairs that stay near.
    public var tellsDistances: Bool

    public init(enter: Double, exit: Double, longestAge: Milliseconds? = nil, tellsDistances: Bool = false) {
      (self.enter, self.exit, self.longestAge, self.tellsDistances) = (enter, exit, longestAge, tellsDistances)
    }

    /// The most metres of a rule.
    public static let mostDistance = 100_000.0
  }

  /// News about two devices, or that they are near.
  public struct Pair: Equatable, Sendable {
    public enum Kind: UInt32, Sendable {
      case enter = 1
      case exit, near
    }

    public var kind: Kind
    public var time: Milliseconds
    /// How far apart they are, as far as is known.
    public var metres: Double
    /// The lower number first.
    public var devices: (UInt32, UInt32)
    /// The position of the fix that told it; nil for none.
    public var fix: Int?

    init(_ kind: Kind, _ a: UInt32, _ b: UInt32, metres: Double, time: Milliseconds, fix: Int?) {
      (self.kind, self.time, self.metres, self.fix) = (kind, time, metres, fix)
      devices = a < b ? (a, b) : (b, a)
    }

    public static func == (a: Pair, b: Pair) -> Bool {
      a.kind == b.kind && a.time == b.time && a.metres == b.metres && a.devices == b.devices && a.fix == b.fix
    }
  }

  private struct Device {
    var number: UInt32
    var time: Milliseconds
    var coordinate: Coordinate
    var cell: Cell
    /// The slots before and after it in its bucket.
    var previous = Roaming.none
    var next = Roaming.none
    /// The slots of those near it, by their numbers.
    var near: [Int] = []
  }

  public let rules: Rules
  private let grid: RoamingGrid
  private var devices: [Device] = []
  /// Slots of `devices` that nobody has.
  private var free: [Int] = []
  private var slots: [UInt32: Int] = [:]
  /// The first device of each list of cells.
  private var buckets = Array(repeating: Roaming.none, count: 64)

  typealias Cell = RoamingGrid.Cell

  public init(_ rules: Rules) {
    self.rules = rules
    grid = RoamingGrid(reach: rules.enter)
  }

  public var count: Int { slots.count }

  // MARK: Inputs

  /// Takes a fix of a device; one that is older than the newest of the same device says nothing. News are added to `pairs`, by the number of the
  /// other device.
  public mutating func take(
    _ coordinate: Coordinate, of number: UInt32, at time: Milliseconds, fix: Int? = nil, into pairs: inout [Pair]
  ) {
    let slot: Int
    if let known = slots[number] {
      guard time >= devices[known].time else { return }
      slot = known
      move(slot, to: coordinate)
      devices[slot].time = time
    } else {
      slot = add(number, coordinate, time)
    }
    let first = pairs.count
    var leaving: [Int] = []
    for other in devices[slot].near {
      let metres = distance(slot, other)
      if metres > rules.exit || isOld(slot, other) {
        leaving.append(other)
        pairs.append(Pair(.exit, number, devices[other].number, metres: metres, time: time, fix: fix))
      } else if rules.tellsDistances {
        pairs.append(Pair(.near, number, devices[other].number, metres: metres, time: time, fix: fix))
      }
    }
    for other in leaving { part(slot, other) }
    var coming: [Int] = []
    var around = grid.cells(around: coordinate)
    while let cell = around.next() {
      var other = buckets[bucket(cell)]
      while other != Self.none {
        if other != slot, devices[other].cell == cell, !isOld(slot, other), !isNear(slot, other),
          distance(slot, other) <= rules.enter
        {
          coming.append(other)
        }
        other = devices[other].next
      }
    }
    for other in coming {
      meet(slot, other)
      pairs.append(
        Pair(.enter, number, devices[other].number, metres: distance(slot, other), time: time, fix: fix))
    }
    if !coming.isEmpty {
      pairs[first...].sort { a, b in
        let (a, b) = (a.devices.0 ^ a.devices.1 ^ number, b.devices.0 ^ b.devices.1 ^ number)
        return a < b
      }
    }
  }

  /// Forgets a device; its pairs are over. False where it is not known.
  public mutating func remove(_ number: UInt32, into pairs: inout [Pair]) -> Bool {
    guard let slot = slots[number] else { return false }
    remove(slot, at: devices[slot].time, into: &pairs)
    return true
  }

  /// Forgets all devices whose newest fix is older than a time.
  public mutating func expire(before time: Milliseconds, into pairs: inout [Pair]) {
    for number in slots.filter({ devices[$0.value].time < time }).keys.sorted() {
      if let slot = slots[number] { remove(slot, at: time, into: &pairs) }
    }
  }

  /// All pairs that are near each other, by their numbers, each with the time of its newer fix.
  public func pairs() -> [Pair] {
    slots.keys.sorted().flatMap { number -> [Pair] in
      guard let slot = slots[number] else { return [] }
      return devices[slot].near.filter { devices[$0].number > number }.map { other in
        Pair(
          .near, number, devices[other].number, metres: distance(slot, other),
          time: max(devices[slot].time, devices[other].time), fix: nil)
      }
    }
  }

  // MARK: Pairs

  private func distance(_ a: Int, _ b: Int) -> Double {
    // In one order, so that both ways give the same bits.
    let (a, b) = devices[a].number < devices[b].number ? (a, b) : (b, a)
    return Earth.distance(devices[a].coordinate, devices[b].coordinate)
  }

  private func isOld(_ a: Int, _ b: Int) -> Bool {
    guard let longest = rules.longestAge else { return false }
    return abs(devices[a].time - devices[b].time) > longest
  }

  private func place(of other: Int, near slot: Int) -> (place: Int, found: Bool) {
    let (near, number) = (devices[slot].near, devices[other].number)
    let place = Bisection.place(in: near.count) { devices[near[$0]].number < number }
    return (place, place < near.count && near[place] == other)
  }

  private func isNear(_ slot: Int, _ other: Int) -> Bool {
    !devices[slot].near.isEmpty && place(of: other, near: slot).found
  }

  private mutating func meet(_ a: Int, _ b: Int) {
    devices[a].near.insert(b, at: place(of: b, near: a).place)
    devices[b].near.insert(a, at: place(of: a, near: b).place)
  }

  private mutating func part(_ a: Int, _ b: Int) {
    devices[a].near.remove(at: place(of: b, near: a).place)
    devices[b].near.remove(at: place(of: a, near: b).place)
  }

  // MARK: Cells

  private mutating func add(_ number: UInt32, _ coordinate: Coordinate, _ time: Milliseconds) -> Int {
    let device = Device(number: number, time: time, coordinate: coordinate, cell: grid.cell(of: coordinate))
    let slot = free.popLast() ?? devices.count
    if slot == devices.count { devices.append(device) } else { devices[slot] = device }
    slots[number] = slot
    if devices.count > buckets.count { widen() } else { enter(slot) }
    return slot
  }

  private mutating func move(_ slot: Int, to coordinate: Coordinate) {
    let cell = grid.cell(of: coordinate)
    devices[slot].coordinate = coordinate
    guard cell != devices[slot].cell else { return }
    leave(slot)
    devices[slot].cell = cell
    enter(slot)
  }

  /// Where the devices of a cell are listed, among others.
  private func bucket(_ cell: Cell) -> Int {
    let bits = UInt64(UInt32(bitPattern: cell.row)) << 32 | UInt64(UInt32(bitPattern: cell.column))
    var hash = KeyedHash()
    hash.add(bits)
    return Int(truncatingIfNeeded: hash.finished()) & (buckets.count - 1)
  }

  private mutating func enter(_ slot: Int) {
    let bucket = bucket(devices[slot].cell)
    let first = buckets[bucket]
    (devices[slot].previous, devices[slot].next) = (Self.none, first)
    if first != Self.none { devices[first].previous = slot }
    buckets[bucket] = slot
  }

  private mutating func leave(_ slot: Int) {
    let (previous, next) = (devices[slot].previous, devices[slot].next)
    if previous == Self.none { buckets[bucket(devices[slot].cell)] = next } else { devices[previous].next = next }
    if next != Self.none { devices[next].previous = previous }
  }

  /// Makes room for twice as many.
  private mutating func widen() {
    buckets = Array(repeating: Self.none, count: 2 * buckets.count)
    let unused = Set(free)
    for slot in devices.indices where !unused.contains(slot) { enter(slot) }
  }

  private static let none = -1

  private mutating func remove(_ slot: Int, at time: Milliseconds, into pairs: inout [Pair]) {
    let number = devices[slot].number
    for other in devices[slot].near {
      pairs.append(
        Pair(.exit, number, devices[other].number, metres: distance(slot, other), time: time, fix: nil))
    }
    for other in devices[slot].near { part(slot, other) }
    leave(slot)
    slots[number] = nil
    free.append(slot)
  }
}
