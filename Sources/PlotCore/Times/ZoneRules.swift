/// The offsets of a time zone from UTC, as a TZif file gives them (RFC 9636, which replaces RFC 8536): a table of transitions, and a rule for the
/// time after the last. A plain value made from bytes; where the bytes come from is not its business.
public final class ZoneRules: Sendable, Equatable {
  public let name: String
  /// Seconds since 1970 at which an offset begins, ascending.
  private let transitions: [Int64]
  /// Seconds east of UTC from each transition on.
  private let offsets: [Int64]
  /// The offset before the first transition.
  private let first: Int64
  private let footer: Footer?

  /// Seconds from UTC that a file may reasonably give: a day and an hour to either side.
  private static let sane: ClosedRange<Int64> = -90_000...90_000

  public static let utc = ZoneRules(name: "UTC", fixed: 0)

  /// By name: one process reads one set of zone data.
  public static func == (a: ZoneRules, b: ZoneRules) -> Bool { a.name == b.name }

  private init(name: String, fixed offset: Int64) {
    self.name = name
    transitions = []
    offsets = []
    first = offset
    footer = nil
  }

  /// Reads a TZif file of version 1 to 4; nil when the bytes are not one.
  public init?(name: String, tzif bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let header = reader.header() else { return nil }
    var block: Reader.Block?
    if header.version == 0 {
      block = reader.block(header, timeSize: 4)
    } else {
      reader.skip(header.size(timeSize: 4))
      guard let second = reader.header() else { return nil }
      block = reader.block(second, timeSize: 8)
    }
    guard let block, block.offsets.allSatisfy(Self.sane.contains), Self.sane.contains(block.first),
      zip(block.transitions, block.transitions.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    var footer: Footer?
    if header.version != 0 {
      guard let text = reader.footer() else { return nil }
      if !text.isEmpty {
        guard let rule = Footer(text) else { return nil }
        footer = rule
      }
    }
    self.name = name
    transitions = block.transitions
    offsets = block.offsets
    first = block.first
    self.footer = footer
  }

  /// Seconds east of UTC at a time.
  public func offset(at time: Milliseconds) -> Int64 {
    let seconds = time >= 0 ? time / 1000 : (time - 999) / 1000
    guard let last = transitions.last, seconds < last else {
      if let footer { return footer.offset(at: seconds) }
      return offsets.last ?? first
    }
    let next = Bisection.place(in: transitions.count) { transitions[$0] <= seconds }
    return next == 0 ? first : offsets[next - 1]
  }

  /// The day and the time of day that clocks of this zone show.
  public func local(_ time: Milliseconds) -> LocalTime {
    LocalTime(time + offset(at: time) * 1000)
  }

  /// When clocks of this zone show `local`: once on most days, twice in the hour that comes again in autumn, and in the hour that is
  /// skipped in spring not at all; then the moment of the change stands for it.
  public func times(of local: LocalTime) -> [Milliseconds] {
    // Two offsets can matter: those a day before and a day after.
    let wall = local.milliseconds
    let before = wall - offset(at: wall - 86_400_000) * 1000
    let after = wall - offset(at: wall + 86_400_000) * 1000
    let exact = before == after ? [before] : [min(before, after), max(before, after)]
    let found = exact.filter { self.local($0) == local }
    return found.isEmpty ? [change(between: exact[0], and: exact[exact.count - 1])] : found
  }

  /// The first time after `low`, up to `high`, with another offset than at `low`; `high` when there is none.
  func change(between low: Milliseconds, and high: Milliseconds) -> Milliseconds {
    let offset = offset(at: low)
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }
}

/// The reading of a clock on a wall: a day and a time of day, in no particular zone.
public struct LocalTime: Equatable, Comparable, Sendable {
  /// As if the clock were in UTC.
  public var milliseconds: Milliseconds

  public init(_ milliseconds: Milliseconds) { self.milliseconds = milliseconds }

  public init(day: Int64, minute: Int64) { milliseconds = day * 86_400_000 + minute * 60_000 }

  /// Days since 1970-01-01.
  public var day: Int64 {
    milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000
  }

  /// Milliseconds since midnight.
  public var ofDay: Milliseconds { milliseconds - day * 86_400_000 }

  /// 0 for Monday to 6 for Sunday.
  public var weekday: Int { Self.weekday(day) }

  public static func weekday(_ day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

  /// `21:10`.
  var clock: String { Self.clock(minute: ofDay / 60_000) }

  static func clock(minute: Int64) -> String {
    func pad(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(pad(minute / 60)):\(pad(minute % 60))"
  }

  public static func < (a: LocalTime, b: LocalTime) -> Bool { a.milliseconds < b.milliseconds }
}

extension ZoneRules {
  /// The rule behind the table (POSIX TZ, with the wider hours of RFC 8536): a standard offset, and maybe a summer time.
  struct Footer: Equatable {
    var standard: Int64
    var summer: (offset: Int64, start: Change, end: Change)?

    /// A day of the year and a time of that day in seconds.
    struct Change: Equatable {
      enum Day: Equatable {
        /// 1 to 365; February 29 is never counted.
        case julian(Int64)
        /// 0 to 365.
        case dayOfYear(Int64)
        /// Month, week (5 is the last) and weekday (0 is Sunday).
        case monthly(Int64, Int64, Int64)
      }

      var day: Day
      var seconds: Int64

      /// Seconds since 1970, on a clock that shows no offset.
      func wall(in year: Int64) -> Int64 {
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let newYear = CivilDate.days(year: year, month: 1, day: 1)
        let number: Int64
        switch day {
        case .julian(let day): number = newYear + day - 1 + (isLeap && day >= 60 ? 1 : 0)
        case .dayOfYear(let day): number = newYear + day
        case .monthly(let month, let week, let weekday):
          let first = CivilDate.days(year: year, month: month, day: 1)
          let sundayBased = ((first + 4) % 7 + 7) % 7
          var day = first + (weekday - sundayBased + 7) % 7 + (week - 1) * 7
          let length = CivilDate.length(ofMonth: month, year: year)
          while day >= first + length { day -= 7 }
          number = day
        }
        return number * 86_400 + seconds
      }
    }

    static func == (a: Footer, b: Footer) -> Bool {
      a.standard == b.standard && a.summer?.offset == b.summer?.offset && a.summer?.start == b.summer?.start
        && a.summer?.end == b.summer?.end
    }

    func offset(at time: Int64) -> Int64 {
      guard let summer else { return standard }
      let day = LocalTime((time + standard) * 1000).day
      let year = CivilDate.civil(day).year
      // A change may fall over the end of a year; look at the years around.
      var best: (time: Int64, offset: Int64)?
      for year in (year - 1)...(year + 1) {
        for change in [
          (time: summer.start.wall(in: year) - standard, offset: summer.offset),
          (time: summer.end.wall(in: year) - summer.offset, offset: standard),
        ] where change.time <= time && change.time >= best?.time ?? .min { best = change }
      }
      return best?.offset ?? standard
    }

    init?(_ text: [UInt8]) {
      var scanner = Scanner(text: text)
      guard scanner.name(), let standard = scanner.signedTime(), ZoneRules.sane.contains(standard) else { return nil }
      self.standard = -standard
      guard !scanner.atEnd else { return }
      guard scanner.name() else { return nil }
      var offset = self.standard + 3600
      if !scanner.atEnd, !scanner.peek(",") {
        guard let given = scanner.signedTime() else { return nil }
        offset = -given
      }
      guard scanner.take(","), let start = scanner.change(), scanner.take(","), let end = scanner.change(),
        scanner.atEnd,
        ZoneRules.sane.contains(offset)
      else { return nil }
      summer = (offset, start, end)
    }
  }

  private struct Scanner {
    let text: [UInt8]
    var position = 0

    init(text: [UInt8]) { self.text = text }

    var atEnd: Bool { position >= text.count }

    func peek(_ character: Character) -> Bool { position < text.count && text[position] == character.asciiValue }

    mutating func take(_ character: Character) -> Bool {
      guard peek(character) else { return false }
      position += 1
      return true
    }

    /// Letters, or anything in angle brackets.
    mutating func name() -> Bool {
      if take("<") {
        while position < text.count, !peek(">") { position += 1 }
        return take(">")
      }
      let start = position
      while position < text.count, Character(UnicodeScalar(text[position])).isLetter { position += 1 }
      return position - start >= 3
    }

    mutating func number() -> Int64? {
      var value: Int64 = 0
      let start = position
      while position < text.count, position - start < 4, (0x30...0x39).contains(text[position]) {
        value = value * 10 + Int64(text[position] - 0x30)
        position += 1
      }
      return position > start ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func signedTime() -> Int64? {
      let sign: Int64 = take("-") ? -1 : 1
      if sign == 1 { _ = take("+") }
      guard let hours = number(), hours <= 167 else { return nil }
      var seconds = hours * 3600
      if take(":") {
        guard let minutes = number(), minutes < 60 else { return nil }
        seconds += minutes * 60
        if take(":") {
          guard let rest = number(), rest < 60 else { return nil }
          seconds += rest
        }
      }
      return sign * seconds
    }

    mutating func change() -> Footer.Change? {
      let day: Footer.Change.Day
      if take("M") {
        guard let month = number(), (1...12).contains(month), take("."), let week = number(), (1...5).contains(week),
          take("."), let weekday = number(), weekday < 7
        else { return nil }
        day = .monthly(month, week, weekday)
      } else if take("J") {
        guard let number = number(), (1...365).contains(number) else { return nil }
        day = .julian(number)
      } else {
        guard let number = number(), number <= 365 else { return nil }
        day = .dayOfYear(number)
      }
      guard take("/") else { return Footer.Change(day: day, seconds: 7200) }
      return signedTime().map { Footer.Change(day: day, seconds: $0) }
    }
  }

  /// The binary part of a TZif file.
  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    struct Header {
      var version: UInt8
      var counts: [Int]

      // In the file's order: isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt.
      func size(timeSize: Int) -> Int {
        counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1] + counts[0]
      }
    }

    struct Block {
      var transitions: [Int64]
      var offsets: [Int64]
      var first: Int64
    }

    mutating func skip(_ count: Int) { position += count }

    mutating func header() -> Header? {
      guard position + 44 <= bytes.count, bytes[position..<(position + 4)].elementsEqual("TZif".utf8) else {
        return nil
      }
      let version = bytes[position + 4]
      var counts: [Int] = []
      for index in 0..<6 {
        let count = integer(at: position + 20 + index * 4, size: 4)
        guard (0...100_000).contains(count) else { return nil }
        counts.append(Int(count))
      }
      position += 44
      let header = Header(version: version, counts: counts)
      return counts[4] > 0 ? header : nil
    }

    mutating func block(_ header: Header, timeSize: Int) -> Block? {
      let size = header.size(timeSize: timeSize)
      guard position + size <= bytes.count else { return nil }
      let (times, types) = (header.counts[3], header.counts[4])
      let indices = position + times * timeSize
      let records = indices + times
      func offset(_ type: Int) -> Int64 { integer(at: records + type * 6, size: 4) }
      var transitions: [Int64] = []
      var offsets: [Int64] = []
      for index in 0..<times {
        let type = Int(bytes[indices + index])
        guard type < types else { return nil }
        transitions.append(integer(at: position + index * timeSize, size: timeSize))
        offsets.append(offset(type))
      }
      let block = Block(transitions: transitions, offsets: offsets, first: offset(0))
      position += size
      return block
    }

    /// The text between the two line ends at the end.
    mutating func footer() -> [UInt8]? {
      guard position < bytes.count, bytes[position] == 0x0A, let end = bytes[(position + 1)...].firstIndex(of: 0x0A)
      else {
        return nil
      }
      return Array(bytes[(position + 1)..<end])
    }

    private func integer(at offset: Int, size: Int) -> Int64 {
      var value: UInt64 = 0
      for byte in bytes[offset..<(offset + size)] { value = value << 8 | UInt64(byte) }
      return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
  }
}
