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

  /// `12 s`, `5 min 3 s`.
  package static func length(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
