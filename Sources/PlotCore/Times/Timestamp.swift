/// ISO 8601 text for points in time. No clock, no zone, no locale: the proleptic Gregorian calendar in UTC.
public enum Timestamp {
  /// The times that the engine takes: from 0 to the last millisecond of the year 9999.
  public static let range: ClosedRange<Milliseconds> = 0...253_402_300_799_999

  /// `2026-05-16T12:00:00Z`, with `.250` before the `Z` when there are milliseconds. A time out of `range` is clamped.
  public static func text(_ time: Milliseconds) -> String {
    let time = min(max(time, range.lowerBound), range.upperBound)
    let (days, ofDay) = time.quotientAndRemainder(dividingBy: 86_400_000)
    let (year, month, day) = CivilDate.civil(days)
    var text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T"
    text += "\(pad(ofDay / 3_600_000, 2)):\(pad(ofDay / 60_000 % 60, 2)):\(pad(ofDay / 1000 % 60, 2))"
    if ofDay % 1000 != 0 { text += "." + pad(ofDay % 1000, 3) }
    return text + "Z"
  }

  /// Reads `YYYY-MM-DDTHH:MM:SS`, an optional fraction, and `Z` or an offset as `+02:00`. Nil when the text is anything else, names
  /// a day that is not in the calendar, or lies out of `range`. Digits beyond milliseconds are cut off.
  public static func parse(_ text: String) -> Milliseconds? { parse(text.utf8.span) }

  /// The same of UTF-8.
  public static func parse(_ bytes: Span<UInt8>) -> Milliseconds? {
    var scanner = Scanner()
    guard let year = scanner.digits(4, bytes), scanner.take("-", bytes), let month = scanner.digits(2, bytes),
      scanner.take("-", bytes), let day = scanner.digits(2, bytes),
      scanner.take("T", bytes) || scanner.take("t", bytes), let hour = scanner.digits(2, bytes),
      scanner.take(":", bytes), let minute = scanner.digits(2, bytes), scanner.take(":", bytes),
      let second = scanner.digits(2, bytes)
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= CivilDate.length(ofMonth: month, year: year), hour < 24,
      minute < 60,
      second < 60
    else { return nil }
    var milliseconds: Int64 = 0
    if scanner.take(".", bytes) {
      guard let fraction = scanner.fraction(bytes) else { return nil }
      milliseconds = fraction
    }
    var offset: Int64 = 0
    if !(scanner.take("Z", bytes) || scanner.take("z", bytes)) {
      let sign: Int64 = scanner.take("-", bytes) ? -1 : scanner.take("+", bytes) ? 1 : 0
      guard sign != 0, let hours = scanner.digits(2, bytes), scanner.take(":", bytes),
        let minutes = scanner.digits(2, bytes), hours < 24, minutes < 60
      else { return nil }
      offset = sign * (hours * 60 + minutes) * 60_000
    }
    guard scanner.position == bytes.count else { return nil }
    let ofDay = (hour * 3600 + minute * 60 + second) * 1000 + milliseconds
    let time = CivilDate.days(year: year, month: month, day: day) * 86_400_000 + ofDay - offset
    return range.contains(time) ? time : nil
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The day that `YYYY-MM-DD` names, counted from 1970-01-01; nil when it is not in the calendar.
  public static func parseDay(_ text: String) -> Int64? {
    guard text.utf8.count == 10, let time = parse(text + "T00:00:00Z") else { return nil }
    return time / 86_400_000
  }

  /// `2026-05-16`.
  public static func dayText(_ day: Int64) -> String { String(text(day * 86_400_000).prefix(10)) }

  /// How far the bytes of a text are read.
  private struct Scanner {
    var position = 0

    mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func digits(_ count: Int, _ bytes: Span<UInt8>) -> Int64? {
      guard position + count <= bytes.count else { return nil }
      var value: Int64 = 0
      for _ in 0..<count {
        let digit = bytes[position] &- 0x30
        guard digit < 10 else { return nil }
        value = value * 10 + Int64(digit)
        position += 1
      }
      return value
    }

    /// At least one digit; the first three are milliseconds.
    mutating func fraction(_ bytes: Span<UInt8>) -> Int64? {
      var value: Int64 = 0
      var count = 0
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        if count < 3 { value = value * 10 + Int64(bytes[position] - 0x30) }
        count += 1
        position += 1
      }
      guard count > 0 else { return nil }
      for _ in count..<max(3, count) { value *= 10 }
      return value
    }
  }
}

extension Timestamp {
  /// A time of a device's state.
  static func code(_ time: inout Milliseconds, _ coder: inout some StateCoder) {
    coder.code(&time)
    let isPossible = range.contains(time)
    coder.require(isPossible)
  }

  static func code(_ time: inout Milliseconds?, _ coder: inout some StateCoder) {
    coder.code(&time, empty: 0) { coder, time in code(&time, &coder) }
  }
}
