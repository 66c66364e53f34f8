import Foundation

/// The rules of docs/feed.md and docs/events.md for exact fixes, written as simply as they can be and without a look at
/// the engine: a device whose host shows at once what it is handed, with no filter and no geotrigger handler.
struct NaiveModel {
  struct Place {
    var id: String
    var latitude: Double
    var longitude: Double
    var radius: Double
  }

  enum When: Equatable {
    case enter, exit
    case dwelling(Int64)
  }

  struct Action {
    var id: String
    var isGeotrigger: Bool
    var when: When
    var places: [String]
    var start: Int64?
    var end: Int64?
    /// Nil: once. 0: each time. Else: milliseconds.
    var again: Int64?
  }

  struct Stay {
    var ordinal: Int
    var since: Int64
    var isSilent: Bool
    var told: Set<Int64> = []
  }

  var places: [Place]
  var actions: [Action]
  var cooldown: Int64 = 0
  var entersAtFirst = true

  var stays: [String: Stay] = [:]
  var counts: [String: Int] = [:]
  var hasFix = false
  var last: [String: Int64] = [:]
  var lastNotification: Int64?
  /// The events, by kind.
  var regionLines: [String] = []
  var shownLines: [String] = []
  var geotriggerLines: [String] = []

  mutating func advance(_ time: Int64) {
    while let due = dwellings().map({ $0.time }).min(), due <= time {
      var happened: [(String, When)] = []
      for dwelling in dwellings() where dwelling.time == due {
        stays[dwelling.place]!.told.insert(dwelling.minutes)
        regionLines.append(
          "\(due) region-dwell \(dwelling.place) \(stays[dwelling.place]!.ordinal) \(dwelling.minutes)")
        happened.append((dwelling.place, .dwelling(dwelling.minutes)))
      }
      act(happened, due)
    }
  }

  mutating func fix(_ time: Int64, _ latitude: Double, _ longitude: Double) {
    advance(time)
    var happened: [(String, When)] = []
    let sorted = places.sorted { Array($0.id.utf8).lexicographicallyPrecedes(Array($1.id.utf8)) }
    for place in sorted where stays[place.id] != nil && !contains(place, latitude, longitude) {
      regionLines.append("\(time) region-exit \(place.id) \(stays[place.id]!.ordinal)")
      stays[place.id] = nil
      happened.append((place.id, .exit))
    }
    for place in sorted where stays[place.id] == nil && contains(place, latitude, longitude) {
      counts[place.id, default: 0] += 1
      let isSilent = !hasFix && !entersAtFirst
      stays[place.id] = Stay(ordinal: counts[place.id]!, since: time, isSilent: isSilent)
      regionLines.append("\(time) region-\(isSilent ? "inside" : "enter") \(place.id) \(counts[place.id]!)")
      if !isSilent { happened.append((place.id, .enter)) }
    }
    hasFix = true
    act(happened, time)
  }

  /// All dwellings that are still to come, by place and length.
  private func dwellings() -> [(place: String, minutes: Int64, time: Int64)] {
    var all: [(place: String, minutes: Int64, time: Int64)] = []
    for (place, stay) in stays where !stay.isSilent {
      for action in actions where action.places.contains(place) {
        guard case .dwelling(let minutes) = action.when, !stay.told.contains(minutes) else { continue }
        guard !all.contains(where: { $0.place == place && $0.minutes == minutes }) else { continue }
        all.append((place, minutes, stay.since + minutes * 60_000))
      }
    }
    return all.sorted { ($0.place, $0.minutes) < ($1.place, $1.minutes) }
  }

  private mutating func act(_ happened: [(String, When)], _ time: Int64) {
    for (place, when) in happened {
      for action in actions where action.when == when && action.places.contains(place) {
        guard time >= action.start ?? 0, time < action.end ?? .max else { continue }
        let key = action.id + ";" + place
        if let last = last[key] {
          guard let again = action.again, time >= last + again else { continue }
        }
        if !action.isGeotrigger {
          if let lastNotification, time < lastNotification + cooldown { continue }
          lastNotification = time
        }
        last[key] = time
        if action.isGeotrigger {
          geotriggerLines.append("\(time) \(key)")
        } else {
          shownLines.append("\(time) \(key)")
        }
      }
    }
  }

  /// By the chord between the two points in space.
  private func contains(_ place: Place, _ latitude: Double, _ longitude: Double) -> Bool {
    func vector(_ latitude: Double, _ longitude: Double) -> [Double] {
      let (a, b) = (latitude * .pi / 180, longitude * .pi / 180)
      return [cos(a) * cos(b), cos(a) * sin(b), sin(a)]
    }
    let (a, b) = (vector(place.latitude, place.longitude), vector(latitude, longitude))
    let chord = (pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)).squareRoot()
    return 2 * 6_371_008.8 * asin(chord / 2) <= place.radius
  }
}
