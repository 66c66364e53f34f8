internal import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotEngineKit

/// Reads walks from requests.
enum TrialReader {
  static func text(_ date: Date) -> String { Timestamp.text(Int64((date.timeIntervalSince1970 * 1000).rounded())) }

  private static func time(_ value: JSONValue?, _ place: String) throws(RequestFault) -> Date {
    if case .string(let text)? = value, let time = Timestamp.parse(text) {
      return Date(timeIntervalSince1970: Double(time) / 1000)
    }
    throw .invalid(place, "an ISO 8601 date and time, as in 2026-05-16T12:00:00Z", value)
  }

  private static func number(
    _ value: JSONValue?, _ place: String, _ range: ClosedRange<Double>
  ) throws(RequestFault) -> Double {
    let number: Double? =
      switch value {
      case .real(let number)?: number
      case .integer(let number)?: Double(number)
      default: nil
      }
    guard let number, range.contains(number) else {
      throw .invalid(place, "a number from \(range.lowerBound) to \(range.upperBound)", value)
    }
    return number
  }

  /// A walk: `fixes`, or a `route`; `person`, `properties` and `end` where wanted.
  static func walk(
    _ value: JSONValue, _ place: String, _ others: [String] = [], most: Int
  ) throws(RequestFault) -> TrialWalk {
    try RequestFault.checkKeys(value, place, ["person", "fixes", "route", "properties", "end"] + others)
    var walk = TrialWalk(person: "", fixes: [], properties: [])
    switch value["person"] {
    case nil: break
    case .string(let person)?: walk.person = person
    case let other?: throw .invalid("\(place)/person", "a string", other)
    }
    if let end = value["end"] { walk.end = try time(end, "\(place)/end") }
    walk.properties = try properties(value["properties"], "\(place)/properties")
    switch (value["fixes"], value["route"]) {
    case (.array(let list)?, nil) where (1...most).contains(list.count):
      for (index, one) in list.enumerated() { walk.fixes.append(try fix(one, "\(place)/fixes/\(index)")) }
    case (nil, let route?): walk.fixes = try fixes(along: route, "\(place)/route", most: most)
    default: throw .invalid("\(place)/fixes", "1 to \(most) fixes, or a \"route\"", value["fixes"])
    }
    return walk
  }

  private static func fix(_ value: JSONValue, _ place: String) throws(RequestFault) -> PlotEngineKit.Fix {
    try RequestFault.checkKeys(value, place, ["time", "latitude", "longitude", "accuracy", "speed", "course"])
    var fix = PlotEngineKit.Fix(
      latitude: try number(value["latitude"], "\(place)/latitude", -90...90),
      longitude: try number(value["longitude"], "\(place)/longitude", -180...180),
      date: try time(value["time"], "\(place)/time"))
    if let accuracy = value["accuracy"] { fix.accuracy = try number(accuracy, "\(place)/accuracy", 0...1e7) }
    if let speed = value["speed"] { fix.speed = try number(speed, "\(place)/speed", -1...1e4) }
    if let course = value["course"] { fix.course = try number(course, "\(place)/course", -1...360) }
    return fix
  }

  private static func properties(
    _ value: JSONValue?, _ place: String
  ) throws(RequestFault) -> [(key: String, value: PlotEngineKit.PropertyValue)] {
    guard let value else { return [] }
    guard case .object(let members) = value else { throw .invalid(place, "an object", value) }
    var found: [(key: String, value: PlotEngineKit.PropertyValue)] = []
    for (key, one) in members {
      switch one {
      case .string(let text): found.append((key, .string(text)))
      case .boolean(let flag): found.append((key, .boolean(flag)))
      case .integer(let number): found.append((key, .integer(number)))
      case .real(let number): found.append((key, .double(number)))
      default: throw .invalid("\(place)/\(key)", "a string, a number, true or false", one)
      }
    }
    return found
  }

  /// A line that somebody walks: a fix at each interval, and one at its end.
  private static func fixes(along route: JSONValue, _ place: String, most: Int) throws(RequestFault) -> [PlotEngineKit
    .Fix]
  {
    try RequestFault.checkKeys(route, place, ["points", "start", "speed", "interval", "accuracy"])
    guard case .array(let list)? = route["points"], list.count >= 2 else {
      throw .invalid("\(place)/points", "at least two [latitude, longitude]", route["points"])
    }
    var points: [(latitude: Double, longitude: Double)] = []
    for (index, one) in list.enumerated() {
      guard case .array(let pair) = one, pair.count == 2 else {
        throw .invalid("\(place)/points/\(index)", "[latitude, longitude]", one)
      }
      points.append(
        (
          try number(pair[0], "\(place)/points/\(index)/0", -90...90),
          try number(pair[1], "\(place)/points/\(index)/1", -180...180)
        ))
    }
    let start = try time(route["start"], "\(place)/start")
    let speed =
      try route["speed"].map { (value) throws(RequestFault) in
        try number(value, "\(place)/speed", 0.1...100)
      } ?? 1.4
    let interval =
      try route["interval"].map { (value) throws(RequestFault) in
        try number(value, "\(place)/interval", 1...3600)
      } ?? 10
    let accuracy =
      try route["accuracy"].map { (value) throws(RequestFault) in
        try number(value, "\(place)/accuracy", 0...1e5)
      } ?? 10
    var fixes: [PlotEngineKit.Fix] = []
    /// How far it is along the line so far, and where the next fix is.
    var (passed, next) = (0.0, 0.0)
    func add(_ point: (latitude: Double, longitude: Double), after distance: Double) throws(RequestFault) {
      guard fixes.count < most else {
        throw .invalid(place, "a line of at most \(most) fixes", .string("a longer one"))
      }
      let seconds = (distance / speed * 1000).rounded() / 1000
      fixes.append(
        PlotEngineKit.Fix(
          latitude: point.latitude, longitude: point.longitude, accuracy: accuracy,
          date: start.addingTimeInterval(seconds)))
    }
    for (from, to) in zip(points, points.dropFirst()) {
      let length = Earth.distance(
        Coordinate(latitude: from.latitude, longitude: from.longitude),
        Coordinate(latitude: to.latitude, longitude: to.longitude))
      while next <= passed + length {
        let share = length == 0 ? 0 : (next - passed) / length
        try add(
          (
            from.latitude + (to.latitude - from.latitude) * share,
            from.longitude + (to.longitude - from.longitude) * share
          ), after: next)
        next += speed * interval
      }
      passed += length
    }
    if let last = points.last, next - speed * interval < passed { try add(last, after: passed) }
    return fixes
  }
}
