/// Numbers and lengths of time in English sentences.
package enum Words {
  /// `1 fix`, `2 fixes`; without `many`, the plural ends in s.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `12 s`, `5 min 3 s`.
  package static func length(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
