/// Numbers and lengths of time in English sentences.
package enum Words {
  /// `1 fix`, `2 fixes`; without `many`, the plural ends in s.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// A warning that something was left out, if it was: `3 points without a time were left out.`
  package static func leftOut(_ number: Int, _ one: String, _ many: String? = nil, because reason: String) -> [String] {
    number == 0 ? [] : ["\(count(number, one, many)) \(reason) \(number == 1 ? "was" : "were") left out."]
  }

  /// `850 m`, `12.3 km`, `4,312 km`.
  package static func distance(_ metres: Double) -> String {
    if metres < 999.5 { return "\(Int(metres.rounded())) m" }
    let kilometres = metres / 1000
    if kilometres < 99.95 { return "\((kilometres * 10).rounded() / 10) km" }
    let whole = String(Int(kilometres.rounded()))
    return (whole.count > 3 ? whole.dropLast(3) + "," + whole.suffix(3) : whole[...]) + " km"
  }

  /// `12 s`, `5 min 3 s`, `10 min`, `1 h 42 min`, `3 days 2 h`.
  package static func length(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1000
    func parts(_ large: Int64, _ unit: String, _ small: Int64, _ part: String) -> String {
      small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(part)"
    }
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3_600: return parts(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: return parts(seconds / 3_600, "h", seconds / 60 % 60, "min")
    default: return parts(seconds / 86_400, seconds < 172_800 ? "day" : "days", seconds / 3_600 % 24, "h")
    }
  }
}
