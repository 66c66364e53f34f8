package import FoundationEssentials

extension TrackReader {
  /// Reads sentences of NMEA 0183, one on a line, whatever stands before and behind it: RMC, GGA, GNS and GLL for the positions, ZDA for the date, GST for
  /// the accuracy. The sentences of one moment are one point. Others are skipped, and so are those with a wrong checksum.
  package static func readNMEA(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    var reader = NMEAReader(track: TrackCollector(ignoresTimes: ignoresTimes))
    for (index, line) in lines(data).enumerated() {
      try reader.read(String(decoding: line, as: UTF8.self), line: index + 1)
    }
    try reader.finishMoment()
    guard reader.sentences > 0 else {
      throw TrackError(
        at: .file, expected: "a sentence of NMEA 0183 with a position, as $GPRMC,…",
        found: "none in \(data.count) bytes")
    }
    return try finish(reader.track, name: nil, warnings: reader.warnings)
  }
}

/// A sentence: its type, as `RMC`, and its fields.
struct NMEASentence {
  var type: Substring
  var fields: [Substring]
  var line: Int

  /// The text of a sentence within a line, and the checksum behind it; nil where there is none.
  static func parts(of line: some StringProtocol) -> (text: Substring, sum: Substring?)? {
    let line = Substring(line)
    guard let dollar = line.utf8.firstIndex(of: UInt8(ascii: "$")) else { return nil }
    let rest = line[line.utf8.index(after: dollar)...]
    let star = rest.utf8.firstIndex(of: UInt8(ascii: "*"))
    let text = rest[..<(star ?? rest.endIndex)]
    let address = text.prefix { $0 != "," }
    guard address.utf8.count == 5, address.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }),
      address.endIndex < text.endIndex
    else { return nil }
    return (text, star.map { rest[rest.utf8.index(after: $0)...].prefix(2) })
  }

  /// Whether the checksum, where there is one, is that of the text.
  static func isWhole(_ text: Substring, _ sum: Substring?) -> Bool {
    guard let sum else { return true }
    return UInt8(sum, radix: 16) == text.utf8.reduce(0, ^)
  }

  subscript(_ index: Int) -> Substring { index < fields.count ? fields[index] : "" }

  /// Names a field, as manuals do: the address is field 0.
  func fault(_ index: Int, _ expected: String) -> TrackError {
    TrackError(
      at: .line(line), expected: "\(expected) in field \(index) of \(type)",
      found: TrackError.quoteOrNothing(String(self[index])))
  }

  func number(_ index: Int, _ expected: String) throws(TrackError) -> Double? {
    let text = self[index]
    if text.isEmpty { return nil }
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Double(text)
    else { throw fault(index, expected) }
    return number
  }

  /// Degrees and minutes, as 5221.6000, and the side in the next field; nil when both are empty.
  func angle(_ index: Int, _ field: TrackField) throws(TrackError) -> Double? {
    let (positive, negative) = field == .latitude ? ("N", "S") : ("E", "W")
    let expected = "a \(field.rawValue) in degrees and minutes"
    if self[index].isEmpty, self[index + 1].isEmpty { return nil }
    guard let number = try number(index, expected) else { throw fault(index, expected) }
    // The minutes are the last two digits before the point, and the rest.
    let text = self[index]
    let whole = text.prefix { $0 != "." }
    let degrees = (number / 100).rounded(.down)
    guard let minutes = Double(text.dropFirst(max(0, whole.count - 2))) else { throw fault(index, expected) }
    let side = self[index + 1]
    guard side == positive || side == negative else { throw fault(index + 1, "\(positive) or \(negative)") }
    guard minutes < 60, let angle = field.value(of: degrees + minutes / 60) else { throw fault(index, expected) }
    return side == positive ? angle : -angle
  }

  /// Milliseconds of the day of hhmmss.ss; nil when it is empty.
  func timeOfDay(_ index: Int) throws(TrackError) -> Int64? {
    let expected = "a time as hhmmss"
    guard let number = try number(index, expected) else { return nil }
    let digits = self[index].prefix { $0 != "." }
    guard digits.utf8.count == 6, let whole = Int64(digits) else { throw fault(index, expected) }
    let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard hour < 24, minute < 60, second <= 60 else { throw fault(index, expected) }
    let fraction = Int64(saturating: ((number - Double(whole)) * 1000).rounded())
    return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }
}

/// Puts the sentences of each moment together.
private struct NMEAReader {
  private(set) var track: TrackCollector
  private(set) var sentences = 0
  private var damaged = (count: 0, first: 0)
  private var withoutFix = 0
  private var moment: Moment?
  /// Milliseconds at the start of the day of the moment before, and its time of day.
  private var lastDay: Int64?
  private var lastTimeOfDay: Int64 = 0

  init(track: TrackCollector) { self.track = track }

  /// The sentences with one time of day.
  private struct Moment {
    var timeOfDay: Int64
    var line: Int
    var day: Int64?
    var latitude: Double?
    var longitude: Double?
    var accuracy: Double?
    var speed: Double?
    var course: Double?
    /// A receiver that says so has no fix now, whatever position it repeats.
    var isVoid = false
  }

  var warnings: [String] {
    var warnings = Words.leftOut(withoutFix, "moment", because: "without a fix")
    if damaged.count > 0 {
      let text = Words.leftOut(
        damaged.count, "sentence", because: "with a wrong checksum, from line \(damaged.first) on,")
      warnings += text
    }
    return warnings
  }

  mutating func read(_ text: String, line: Int) throws(TrackError) {
    guard let parts = NMEASentence.parts(of: text) else { return }
    let fields = parts.text.split(separator: ",", omittingEmptySubsequences: false)
    let sentence = NMEASentence(type: fields[0].suffix(3), fields: fields, line: line)
    let timeField: Int? =
      switch sentence.type {
      case "RMC", "GGA", "GNS", "GST", "ZDA": 1
      case "GLL": 5
      default: nil
      }
    guard let timeField else { return }
    guard NMEASentence.isWhole(parts.text, parts.sum) else {
      if damaged.count == 0 { damaged.first = line }
      damaged.count += 1
      return
    }
    sentences += 1
    guard let timeOfDay = try sentence.timeOfDay(timeField) else { return }
    if moment?.timeOfDay != timeOfDay {
      try finishMoment()
      moment = Moment(timeOfDay: timeOfDay, line: line)
    }
    try take(sentence)
  }

  private mutating func take(_ sentence: NMEASentence) throws(TrackError) {
    switch sentence.type {
    case "RMC":
      if sentence[2] != "A" { moment?.isVoid = true }
      try place(sentence, 3)
      let knot = 1852.0 / 3600
      if let knots = try sentence.number(7, "a speed in knots") {
        guard let speed = TrackField.speed.value(of: knots * knot) else { throw sentence.fault(7, "a speed in knots") }
        moment?.speed = speed
      }
      if let course = try sentence.number(8, "a course") {
        guard let course = TrackField.course.value(of: course) else {
          throw sentence.fault(8, TrackField.course.expected)
        }
        moment?.course = course
      }
      let day = try Self.date(sentence)
      moment?.day = day
    case "GGA":
      if sentence[6] == "0" { moment?.isVoid = true }
      try place(sentence, 2)
    case "GNS":
      if sentence[6].allSatisfy({ $0 == "N" }) { moment?.isVoid = true }
      try place(sentence, 2)
    case "GLL":
      if sentence[6] == "V" { moment?.isVoid = true }
      try place(sentence, 1)
    case "GST":
      // 63 to 68 % of all fixes are within this distance.
      guard let north = try sentence.number(6, "metres"), let east = try sentence.number(7, "metres") else { return }
      let error = (north * north + east * east).squareRoot()
      guard let accuracy = TrackField.accuracy.value(of: error) else { throw sentence.fault(6, "metres") }
      moment?.accuracy = accuracy
    case "ZDA":
      guard let day = try sentence.number(2, "a day"), let month = try sentence.number(3, "a month"),
        let year = try sentence.number(4, "a year")
      else { return }
      let start = try Self.day(
        sentence, 2, Int64(saturating: year), Int64(saturating: month), Int64(saturating: day))
      moment?.day = start
    default: break
    }
  }

  private mutating func place(_ sentence: NMEASentence, _ index: Int) throws(TrackError) {
    guard let latitude = try sentence.angle(index, .latitude),
      let longitude = try sentence.angle(index + 2, .longitude)
    else { return }
    moment?.latitude = latitude
    moment?.longitude = longitude
  }

  /// The date of RMC, ddmmyy.
  private static func date(_ sentence: NMEASentence) throws(TrackError) -> Int64? {
    let text = sentence[9]
    guard !text.isEmpty else { return nil }
    guard text.utf8.count == 6, let number = Int64(text) else { throw sentence.fault(9, "a date as ddmmyy") }
    let year = number % 100
    return try day(sentence, 9, year + (year < 80 ? 2000 : 1900), number / 100 % 100, number / 10_000)
  }

  private static func day(
    _ sentence: NMEASentence, _ index: Int, _ year: Int64, _ month: Int64, _ day: Int64
  ) throws(TrackError) -> Int64 {
    guard let start = CalendarTime.start(ofDay: day, month: month, year: year) else {
      throw sentence.fault(index, "a date")
    }
    return start
  }

  /// The point of the moment that is over.
  mutating func finishMoment() throws(TrackError) {
    guard let moment else { return }
    self.moment = nil
    var day = moment.day
    // Without a date of its own it has that of the moment before, or the day after it, when midnight lies between.
    if day == nil, let lastDay {
      day = lastDay + (moment.timeOfDay < lastTimeOfDay - 43_200_000 ? 86_400_000 : 0)
    }
    (lastDay, lastTimeOfDay) = (day, moment.timeOfDay)
    guard !moment.isVoid, let latitude = moment.latitude, let longitude = moment.longitude else {
      withoutFix += 1
      return
    }
    let time = try track.time(.line(moment.line)) { () throws(TrackError) in day.map { $0 + moment.timeOfDay } }
    track.add(
      TrackPoint(
        time: 0, latitude: latitude, longitude: longitude, accuracy: moment.accuracy ?? 0, speed: moment.speed ?? -1,
        course: moment.course ?? -1), at: time)
  }
}
