internal import PlotEngineKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A position as a source gives it, before the host has looked at its time.
struct PlaceReport: Equatable {
  var latitude: Double
  var longitude: Double
  /// Metres, the radius within which the device is with 68 %; nil where the source says nothing.
  var accuracy: Double?
  /// Metres a second.
  var speed: Double?
  /// Degrees clockwise from north.
  var course: Double?
  /// The source's own time.
  var time: Date?

  /// The fix at a time; nil stands for now.
  func fix(at date: Date?) -> Fix {
    Fix(latitude: latitude, longitude: longitude, accuracy: accuracy, speed: speed, course: course, date: date)
  }

  var isInRange: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}

/// Reads the reports of gpsd (its JSON protocol 3).
///
/// The accuracy is worked out from the best of what a report has. `GST` gives standard deviations along both axes. `epx` and `epy`, and `eph`, are
/// errors of 95 % in gpsd's own reckoning, which is also how it fills them from the dilution of precision.
struct GPSDReader {
  enum Report: Equatable {
    case place(PlaceReport)
    /// The receiver has no fix: mode 0 or 1.
    case noFix
    /// gpsd says who it is: `release`.
    case version(String)
    /// gpsd says that something is wrong.
    case error(String)
    /// A report that is of no use here.
    case other
  }

  /// The radius of 68 % of two errors, each normal: sqrt(-2 ln 0.32) standard deviations.
  private static let radius68 = 1.5096
  /// That of 95 %: sqrt(-2 ln 0.05).
  private static let radius95 = 2.4477
  /// A single normal error is below so many standard deviations with 95 %.
  private static let interval95 = 1.96

  /// Standard deviations of the newest `GST`, and its time.
  private var deviation: (time: String?, radius: Double)?
  private var last: PlaceReport?

  /// Reads a line; throws what is wrong with one that is no JSON object with a `class`.
  mutating func read(_ line: [UInt8]) throws(PlotError) -> Report {
    let object = try JSONObject(parsing: String(decoding: line, as: UTF8.self))
    guard let name = object["class"]?.string else {
      throw PlotError(.invalidDocument, "class: expected a report of gpsd, found an object without a class")
    }
    switch name {
    case "TPV": return try place(object)
    case "GST":
      if let north = object["lat"]?.number, let east = object["lon"]?.number, north.isFinite, east.isFinite {
        deviation = (object["time"]?.string, Self.radius68 * ((north * north + east * east) / 2).squareRoot())
      }
      return .other
    case "VERSION": return .version(object["release"]?.string ?? "?")
    case "ERROR": return .error(object["message"]?.string ?? "an error without a message")
    default: return .other
    }
  }

  private mutating func place(_ object: JSONObject) throws(PlotError) -> Report {
    guard let mode = object["mode"]?.integer else {
      throw PlotError(.invalidDocument, "mode: expected 0 to 3, found \(object["mode"]?.text ?? "nothing")")
    }
    guard mode >= 2 else { return .noFix }
    // gpsd may report the time of a fix before its place.
    guard let latitude = object["lat"]?.number, let longitude = object["lon"]?.number else { return .noFix }
    let time = object["time"]?.string
    let report = PlaceReport(
      latitude: latitude, longitude: longitude, accuracy: accuracy(object, time),
      speed: object["speed"]?.number.flatMap { $0 >= 0 ? $0 : nil },
      course: object["track"]?.number.flatMap {
        (0...360).contains($0) ? $0.truncatingRemainder(dividingBy: 360) : nil
      },
      time: time.flatMap(Moment.parse))
    guard report.isInRange else {
      throw PlotError(.invalidDocument, "lat, lon: expected degrees, found \(latitude), \(longitude)")
    }
    // gpsd may report one fix of the receiver several times, as more of its sentences come in.
    if let last, last.time != nil, last.time == report.time, last.latitude == latitude, last.longitude == longitude {
      return .other
    }
    last = report
    return .place(report)
  }

  private func accuracy(_ object: JSONObject, _ time: String?) -> Double? {
    if let deviation, deviation.time == time, deviation.radius > 0 { return deviation.radius }
    func error(_ key: String) -> Double? { object[key]?.number.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
    if let east = error("epx"), let north = error("epy") {
      return Self.radius68 / Self.interval95 * ((east * east + north * north) / 2).squareRoot()
    }
    return error("eph").map { $0 * Self.radius68 / Self.radius95 }
  }
}
