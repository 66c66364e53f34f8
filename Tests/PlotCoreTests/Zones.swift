import Foundation
import PlotTesting
import Testing

@testable import PlotCore

/// The system's own zone files, and Python's zoneinfo as a second reader of them.
enum Zones {
  static let folder = "/usr/share/zoneinfo"

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  static func named(_ name: String) throws -> ZoneRules {
    try #require(try ZoneRules(name: name, tzif: bytes(name)), "\(name)")
  }

  /// A zone that consists of its footer only.
  static func posix(_ text: String) -> ZoneRules? { ZoneRules(name: text, tzif: file(footer: text)) }

  /// A TZif file of version 2 with transitions (second, index of the offset) and offsets; the first offset comes before them.
  static func file(
    transitions: [(Int64, UInt8)] = [], offsets: [Int32] = [0], footer: String = "", version: UInt8 = 0x32
  ) -> [UInt8] {
    func number(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    func header(_ times: Int, _ types: Int, _ characters: Int) -> [UInt8] {
      Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
        + [0, 0, 0, times, types, characters].flatMap { number(UInt32($0)) }
    }
    func block(_ time: (Int64) -> [UInt8]) -> [UInt8] {
      header(transitions.count, offsets.count, 1) + transitions.flatMap { time($0.0) } + transitions.map(\.1)
        + offsets.flatMap { number($0) + [0, 0] } + [0]
    }
    let first = block { number(Int32(clamping: $0)) }
    if version == 0 { return first }
    return first + block { number($0) } + [0x0A] + Array(footer.utf8) + [0x0A]
  }

  // MARK: Python

  struct Hours: Encodable {
    var zone: String
    var week: [String: [[String]]]
    var exceptions: [String: [[String]]]
    /// Minutes since 1970.
    var from: Int64
    var to: Int64
  }

  struct Question: Encodable {
    struct Offsets: Encodable {
      var zones: [String]
      /// Seconds since 1970.
      var times: [Int64]
    }

    struct Span: Encodable {
      var zone: String
      /// On the wall.
      var start: String
      var end: String
      /// Minutes since 1970.
      var from: Int64
      var to: Int64
    }

    struct Days: Encodable {
      var zone: String
      /// Seconds since 1970.
      var times: [Int64]
    }

    var hours: [Hours] = []
    var spans: [Span] = []
    var days: [Days] = []
    var offsets: Offsets?
  }

  struct Answer: Decodable {
    /// The minutes at which it opens and closes by turns.
    var hours: [[Int64]]
    var spans: [[Int64]]
    var days: [[Int64]]
    var offsets: [[Int64]]?
  }

  /// Without Python there is no answer, and the test fails.
  static func ask(_ question: Question) throws -> Answer {
    let script = projectRoot.appendingPathComponent("Tests/support/zones.py")
    let folder = try Folder()
    let (input, output) = (folder.url.appendingPathComponent("question"), folder.url.appendingPathComponent("answer"))
    try JSONEncoder().encode(question).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "python3 with zoneinfo is needed")
    return try JSONDecoder().decode(Answer.self, from: Data(contentsOf: output))
  }
}

extension OpeningHours {
  static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// From spans as a feed has them.
  init(_ week: [String: [[String]]], _ exceptions: [String: [[String]]] = [:]) {
    func spans(_ texts: [[String]]) -> [Span] {
      texts.map { texts in
        let minutes = texts.map { text in
          let parts = text.split(separator: ":").map { Int64($0)! }
          return parts[0] * 60 + parts[1]
        }
        return Span(start: minutes[0], end: minutes[1])
      }
    }
    self.init(
      week: Self.days.map { spans(week[$0] ?? []) },
      exceptions: Dictionary(
        uniqueKeysWithValues: exceptions.map { (Timestamp.parseDay($0)!, spans($1)) }))
  }
}

/// The time that a clock on the wall shows, as `utc` reads it.
func wall(_ text: String) -> LocalTime { LocalTime(utc(text)) }
