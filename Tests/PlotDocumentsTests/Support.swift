import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The rows of a table of a page of docs/: the one of this number, from 0, after a line that begins so. The heading row
/// and the rule below it are left out.
func table(of page: String, after heading: String, number: Int = 0) throws -> [[String]] {
  let url = projectRoot.appendingPathComponent("docs/\(page)")
  let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
  let start = try #require(lines.firstIndex { $0.hasPrefix(heading) }, "\(page) has no line \(heading)")
  var tables: [[[String]]] = []
  var isInTable = false
  for line in lines[start...] {
    guard line.hasPrefix("|") else {
      isInTable = false
      continue
    }
    if !isInTable { tables.append([]) }
    isInTable = true
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
    tables[tables.count - 1].append(cells.map { $0.trimmingCharacters(in: .whitespaces) })
  }
  return Array(try #require(number < tables.count ? tables[number] : nil, "\(page) has no such table").dropFirst(2))
}

/// The words in backquotes of a cell.
func words(_ cell: String) -> [String] {
  cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
}

/// A fault in short: `line:column pointer | expected | found`.
func short(_ error: DocumentError) -> String {
  "\(error.line):\(error.column) \(error.pointer) | \(error.expected) | \(error.found)"
}

/// The fault of a configuration; nil when it is good.
func fault(ofConfiguration bytes: [UInt8]) -> DocumentError? {
  do {
    _ = try Configuration(parsing: bytes)
    return nil
  } catch { return error }
}

func fault(ofFeed text: String) -> DocumentError? {
  do {
    _ = try Feed.parse(text)
    return nil
  } catch { return error }
}

/// Some JSON as Foundation reads it.
func foundation(_ json: String) throws -> NSDictionary {
  try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
}

/// A text that is refused.
struct FaultCase: CustomTestStringConvertible, Sendable {
  var text: String
  var pointer: String
  /// The text at the line and column of the error.
  var at: String
  var expected: String
  var found: String

  init(_ text: String, _ pointer: String, _ at: String, _ expected: String, _ found: String) {
    self.text = text
    self.pointer = pointer
    self.at = at
    self.expected = expected
    self.found = found
  }

  var testDescription: String { text }
}
