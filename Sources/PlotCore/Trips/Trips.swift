/// The trips that are on, and how far they have come.
///
/// Invariants: sorted by id, each id once, at most `TripPlan.limit`; only a trip that is on has a progress.
public struct Trips: Sendable {
  public private(set) var all: [Trip] = []
  /// Nil before the first fix of a trip; it is no part of the changes, and goes into the page.
  private var progress: [Identifier: TripProgress] = [:]

  public init() {}

  public var isEmpty: Bool { all.isEmpty }
  var isFull: Bool { all.count >= TripPlan.limit }

  public func find(_ id: Identifier) -> Trip? {
    let (position, found) = position(id)
    return found ? all[position] : nil
  }

  private func position(_ id: Identifier) -> (position: Int, found: Bool) {
    let place = Bisection.place(in: all.count) { all[$0].id < id }
    return (place, place < all.count && all[place].id == id)
  }

  /// Begins a trip, or takes what has become of it.
  mutating func put(_ trip: Trip) -> TripChange {
    let before = find(trip.id)
    let isOld = before?.plan == trip.plan && before?.started == trip.started
    let change: TripChange = isOld ? .reports(trip) : .trip(trip)
    apply(change)
    return change
  }

  /// Nil where it is not on.
  mutating func end(_ id: Identifier) -> TripChange? {
    guard position(id).found else { return nil }
    apply(.ended(id))
    return .ended(id)
  }

  public mutating func apply(_ change: TripChange) {
    switch change {
    case .trip(let trip), .reports(let trip):
      let (position, found) = position(trip.id)
      if found { all[position] = trip } else { all.insert(trip, at: position) }
    case .ended(let id):
      let (position, found) = position(id)
      if found { all.remove(at: position) }
      progress[id] = nil
    }
  }

  func progress(of id: Identifier) -> TripProgress? { progress[id] }

  mutating func put(_ value: TripProgress, of id: Identifier) { if position(id).found { progress[id] = value } }

  /// Places are not followed any more.
  mutating func forgetProgress() { progress = [:] }

  /// When something about a trip is due by itself; `.max` for never. Its deadline is not, where it waits to be sure of an arrival.
  func nextDue(_ waits: (Trip) -> Bool) -> Milliseconds {
    all.reduce(.max) { least, trip in
      guard let late = trip.lateAt, late < min(least, trip.end), !waits(trip) else { return min(least, trip.end) }
      return late
    }
  }

  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    for index in all.indices { all[index].started = moved(all[index].started) }
    for id in progress.keys { progress[id]?.moveTimes(moved) }
  }

  // MARK: The page

  var hasProgress: Bool { !progress.isEmpty }

  /// How far they have come, in the order of their ids. What is of none that is on is left out.
  mutating func codeProgress(_ coder: inout some FieldCoder) {
    var entries = progress.sorted { $0.key < $1.key }.map { Entry(id: $0.key, progress: $0.value) }
    coder.code(&entries, empty: Entry(id: Identifier(""), progress: TripProgress())) { coder, entry in
      coder.code(&entry.id)
      entry.progress.code(&coder)
    }
    progress = Dictionary(entries.map { ($0.id, $0.progress) }) { $1 }
  }

  private struct Entry {
    var id: Identifier
    var progress: TripProgress
  }

  func isPossible(before newest: Milliseconds) -> Bool { progress.values.allSatisfy { $0.isPossible(before: newest) } }

  /// Leaves out the progress of trips that are not on.
  mutating func forgetStrangers() { progress = progress.filter { position($0.key).found } }

  mutating func movePlaces(_ moved: (Double) -> Double) {
    for id in progress.keys { progress[id]?.movePlaces(moved) }
  }
}

/// A change in the trips that are on that must survive the process.
public enum TripChange: Sendable {
  case trip(Trip)
  /// Only what was told of it is another.
  case reports(Trip)
  case ended(Identifier)
}
