/// Writes text and numbers into HTML, into SVG and into JSON within HTML.
package enum HTMLText {
  /// Text for an element or a quoted attribute. What neither HTML nor XML allows,
  /// such as control characters, becomes U+FFFD.
  package static func escape(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
      case "\n", "\t": escaped.append(scalar)
      default:
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        let isNoncharacter = scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
        escaped.append(isControl || isNoncharacter ? "\u{FFFD}" : scalar)
      }
    }
    return String(escaped)
  }

  /// A JSON string with its quotes. Nothing in it can end a script element or start a comment there.
  package static func json(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "<", ">", "&", "'", "\u{2028}", "\u{2029}": quoted += unicodeEscape(scalar)
      default:
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
          quoted += unicodeEscape(scalar)
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }

  /// A number with at most `decimals` decimals, in a form that HTML, SVG and JSON share.
  package static func number(_ value: Double, decimals: Int = 1) -> String {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    let rounded = (value * factor).rounded() / factor
    if let whole = Int64(exactly: rounded) { return String(whole) }
    // Too great to have decimals.
    return "\(rounded.isFinite ? rounded : value)"
  }

  /// A count with commas between the thousands: `2,144`.
  package static func count(_ value: Int) -> String {
    var grouped = ""
    for (index, digit) in String(value.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return (value < 0 ? "-" : "") + String(grouped.reversed())
  }

  private static func unicodeEscape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
