/// A date and a time of day; of a moment in UTC, unless a `LocalClock` made it. It depends on neither the locale nor the time zone of the machine.
package struct CalendarTime: Equatable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64
  package var hour: Int64
  package var minute: Int64
  package var second: Int64
  package var millisecond: Int64

  /// The moment that is `milliseconds` after 1970-01-01T00:00:00Z.
  package init(_ milliseconds: Int64) {
    let dayLength: Int64 = 86_400_000
    var dayNumber = milliseconds / dayLength
    var rest = milliseconds % dayLength
    if rest < 0 {
      rest += dayLength
      dayNumber -= 1
    }
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1_000 % 60
    millisecond = rest % 1_000
    // The mean year gives the year or a neighbour of it.
    year = 1970 + Int64(saturating: (Double(dayNumber) / 365.2425).rounded(.down))
    while Self.days(before: year) > dayNumber { year -= 1 }
    while Self.days(before: year + 1) <= dayNumber { year += 1 }
    var left = dayNumber - Self.days(before: year)
    month = 1
    while left >= Self.length(ofMonth: month, year: year) {
      left -= Self.length(ofMonth: month, year: year)
      month += 1
    }
    day = left + 1
  }

  /// `2026-03-01`
  package var date: String { "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))" }

  /// `07:45:50`
  package var timeOfDay: String { "\(Self.pad(hour, 2)):\(Self.pad(minute, 2)):\(Self.pad(second, 2))" }

  /// `1 March 2026`
  package var longDate: String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(day) \(names[Int(month) - 1]) \(year)"
  }

  /// `Saturday`
  package var weekday: String {
    let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    let days = (Self.start(ofDay: day, month: month, year: year) ?? 0) / 86_400_000
    return names[Int(((days % 7) + 7) % 7)]
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Days from 1970-01-01 to the first day of the year, by the Gregorian calendar throughout.
  private static func days(before year: Int64) -> Int64 {
    func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
      value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
    let last = year - 1
    let leapDays = floor(last, 4) - floor(last, 100) + floor(last, 400)
    let leapDaysBefore1970: Int64 = 477
    return (year - 1970) * 365 + leapDays - leapDaysBefore1970
  }

  private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarTime {
  /// The form that `parse` accepts, for error messages.
  package static let expectedText = "an ISO 8601 time with Z or an offset, like 2026-03-01T09:30:00Z"

  /// A text that is no time, for error messages, with the cure where only the zone is missing.
  package static func found(_ text: String) -> String {
    let lacksZone = parse(text.trimmingBlanks() + "Z") != nil
    return TrackError.quote(text) + (lacksZone ? ", which has no zone; write Z or an offset behind it" : "")
  }

  /// Milliseconds since 1970 of an ISO 8601 date and time: `2026-03-01T09:30:00Z`, or with a space for the `T` and before the
  /// zone (RFC 3339); with a fraction of a second after a point or a comma (cut to milliseconds), and with `Z`, `+01:00`, `+0100` or `+01`. Nil for all
  /// other text: a time without a zone is not a moment. A leap second counts as the second after it.
  package static func parse(_ text: String) -> Int64? {
    var reader = DigitReader(text.trimmingBlanks())
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), reader.skip("T") || reader.skip(" "), let hour = reader.number(2), reader.skip(":"),
      let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
      let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    guard let start = start(ofDay: day, month: month, year: year), hour < 24, minute < 60, second <= 60
    else { return nil }
    let seconds = start / 1000 + (hour * 60 + minute - offset) * 60 + second
    // A leap second stands at the end of a UTC day, nowhere else.
    if second == 60, seconds % 86_400 != 0 { return nil }
    return seconds * 1_000 + fraction
  }

  /// Milliseconds since 1970 when a day begins in UTC; nil for a day that no calendar has, and beyond the years 0 to 9999.
  package static func start(ofDay day: Int64, month: Int64, year: Int64) -> Int64? {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year)
    else { return nil }
    var days = days(before: year) + day - 1
    for earlier in 1..<month { days += length(ofMonth: earlier, year: year) }
    return days * 86_400_000
  }

  /// Milliseconds since 1970 in the years 0 to 9999.
  package static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// Milliseconds since 1970 of a whole number: seconds when its magnitude is below 100,000,000,000, else milliseconds.
  /// Nil beyond the year 9999.
  package static func milliseconds(ofNumber number: Int64) -> Int64? {
    let milliseconds = number.magnitude < 100_000_000_000 ? number * 1_000 : number
    return range.contains(milliseconds) ? milliseconds : nil
  }
}

/// Reads the parts of an ISO 8601 time from the front.
private struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Exactly `count` digits.
  mutating func number(_ count: Int) -> Int64? {
    guard bytes.count - position >= count else { return nil }
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// A fraction of a second in milliseconds; 0 when there is none, nil when it has no digits.
  mutating func fraction() -> Int64? {
    guard skip(".") || skip(",") else { return 0 }
    var value: Int64 = 0
    var count = 0
    while let digit = digit() {
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    guard count > 0 else { return nil }
    while count < 3 {
      value *= 10
      count += 1
    }
    return value
  }

  /// `Z` or an offset from UTC, in minutes; a space may stand before it.
  mutating func offset() -> Int64? {
    _ = skip(" ")
    if skip("Z") { return 0 }
    let sign: Int64
    if skip("+") {
      sign = 1
    } else if skip("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = number(2), hours < 24 else { return nil }
    let hasColon = skip(":")
    if isAtEnd && !hasColon { return sign * hours * 60 }
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private mutating func digit() -> Int64? {
    guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else { return nil }
    defer { position += 1 }
    return Int64(bytes[position] - UInt8(ascii: "0"))
  }
}
