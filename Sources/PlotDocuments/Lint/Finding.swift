/// Something in a document that is wrong, or most likely not what was meant (docs/lint.md).
public struct Finding: Equatable, Sendable {
  public enum Document: String, CaseIterable, Comparable, Sendable {
    case configuration, feed

    public static func < (a: Self, b: Self) -> Bool { a == .configuration && b == .feed }
  }

  public var code: LintCode
  public var document: Document
  /// JSON pointer (RFC 6901) to the value, or to the nearest one around it; empty for the whole document.
  public var pointer: String
  /// Counted from 1; 0 when there is no place in the text.
  public var line: Int
  /// Counted from 1, in bytes.
  public var column: Int
  /// With the names of what it is about.
  public var sentence: String
  public var remedy: String

  public var severity: LintSeverity { code.severity }
}

extension Finding {
  /// Findings as a JSON array, without white space.
  public static func json(_ findings: [Finding]) -> String {
    var json = JSONText()
    json.array { json in
      for finding in findings {
        json.object { json in
          json.member("code", finding.code.rawValue)
          json.member("severity", finding.severity.rawValue)
          json.member("document", finding.document.rawValue)
          json.member("pointer", finding.pointer)
          json.member("line", Int64(finding.line))
          json.member("column", Int64(finding.column))
          json.member("sentence", finding.sentence)
          json.member("remedy", finding.remedy)
        }
      }
    }
    return json.text
  }
}
