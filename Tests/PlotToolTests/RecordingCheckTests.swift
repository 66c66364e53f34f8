import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotEngine
@testable import plot

@Suite struct RecordingCheckTests {
  /// The output of `plot replay` for these lines.
  static func check(_ lines: [String]) throws -> RecordingCheck {
    var check = RecordingCheck()
    for line in lines { _ = try check.take(Array(line.utf8)) }
    try check.finish("r.jsonl")
    return check
  }

  @Test func theSameIsTheSame() throws {
    let lines = try WhatIfTests.recording()
    let check = try Self.check(lines)
    #expect(check.difference == nil)
    #expect(check.inputs == lines.count { $0.hasPrefix(#"{"input":"#) })
    #expect(check.effects == lines.count - check.inputs - 1)
  }

  @Test func aChangedEffectIsShownSideBySide() throws {
    var lines = try WhatIfTests.recording()
    let index = try #require(lines.firstIndex { $0.contains(#""step":"repeat""#) })
    let input = try #require(lines[..<index].lastIndex { $0.hasPrefix(#"{"input":"#) })
    lines[index] = lines[index].replacingOccurrences(of: #""reason":"allowed""#, with: #""reason":"in-flight""#)
    let difference = try #require(try Self.check(lines).difference)
    #expect(difference.line == index + 1)
    #expect(difference.inputLine == input + 1)
    let text = DifferenceText.text(difference, style: .plain).split(separator: "\n").map(String.init)
    #expect(text[0] == "line \(index + 1) differs")
    #expect(text[1].contains("recorded") && text[1].contains("replayed"))
    let marked = text.filter { $0.hasPrefix("  ≠ ") }
    #expect(marked.count == 1)
    #expect(marked.first?.split(separator: " ") == ["≠", "reason", "in-flight", "allowed"])
    #expect(text.last?.hasPrefix("  after line \(input + 1): {\"input\":\"fix\"") == true)
  }

  @Test func whatIsMissingAndWhatIsTooMuchAreDifferences() throws {
    let lines = try WhatIfTests.recording()
    let index = try #require(lines.firstIndex { $0.hasPrefix(#"{"show":"#) })
    var fewer = lines
    fewer.remove(at: index)
    let missing = try #require(try Self.check(fewer).difference)
    #expect(missing.replayed == lines[index])
    var more = lines
    more.insert(lines[index], at: index)
    #expect(try Self.check(more).difference?.recorded == lines[index])
    // At the very end there is no line that shows it.
    let last = try #require(lines.lastIndex { !$0.hasPrefix(#"{"input":"#) })
    let cut = try #require(try Self.check(Array(lines[..<last])).difference)
    #expect(cut.recorded == nil && cut.replayed == lines[last])
    #expect(DifferenceText.text(cut, style: .plain).contains("nothing more"))
    #expect(throws: InputFault.self) { try Self.check([]) }
  }

  @Test func anInputThatIsWrittenOtherwiseIsADifference() throws {
    var lines = try WhatIfTests.recording()
    let index = try #require(lines.firstIndex { $0.contains(#""input":"fix""#) })
    lines[index] = lines[index].replacingOccurrences(of: #""accuracy":0.0"#, with: #""accuracy":0"#)
    #expect(try Self.check(lines).difference?.line == index + 1)
  }

  /// Elsewhere each decision is the same, and nothing of the place is left.
  @Test func anAnonymizedRecordingDecidesTheSame() throws {
    let lines = try WhatIfTests.recording { $0.campaign.text != "walk" }
    var check = RecordingCheck(comparing: .decisions, Replay(anonymizing: Anonymization(shift: 100)))
    var given: [String] = []
    for line in lines { given += try check.take(Array(line.utf8)) }
    try check.finish("r.jsonl")
    #expect(check.difference == nil)
    #expect(try Self.check(given).difference == nil)
    #expect(given.count == lines.count)
    #expect(!given.contains { $0.contains(#""longitude":5.0"#) || $0.contains(#"Longitude":5.0"#) })
    #expect(given.contains { $0.contains(#""longitude":105.0"#) })
    // Over the edge of the map.
    #expect(Anonymization(shift: 100).longitude(170) == -90)
    #expect(Anonymization(shift: -100).longitude(-170) == 90)
  }

  /// Names and custom fields give way to words, the same for the same.
  @Test func namesAndFieldsAreTakenOutOfAFeed() throws {
    let feed = #"""
      {"version":1,"regions":[
      {"id":"a","type":"geofence","name":"Museum","latitude":1,"longitude":2,"radius":50,"customFields":{"line":"9","shop":"Museum"}},
      {"id":"b","type":"geofence","name":"Shop","geometry":{"type":"Polygon","coordinates":[[[2,1],[2.1,1],[2.1,1.1],[2,1]]]},"customFields":{"line":"9"}}],
      "campaigns":[{"id":"c","type":"notification","message":"{{shop}}","regions":["a"]}]}
      """#
    var anonymization = Anonymization(shift: 10)
    let json = try anonymization.feed(Feed.parse(feed).json)
    let moved = try Feed.parse(json)
    #expect(moved.regions.map(\.name) == ["text 1", "text 3"])
    #expect(moved.regions[0].customFields.map(\.value) == ["text 2", "text 1"])
    #expect(moved.regions[1].customFields.map(\.value) == ["text 2"])
    #expect(moved.regions[0].shape.circle?.center == Coordinate(latitude: 1, longitude: 12))
    #expect(json.contains("[[[12.0,1.0],[12.1,1.0],[12.1,1.1],[12.0,1.0]]]"))
    #expect(!json.contains("Museum"))
  }

  /// A recording that cannot be written ends, and the engine goes on.
  @Test func aWriteFaultEndsTheRecording() throws {
    var session = Session()
    session.debug = true
    session.recording.recorder = Recorder(file: nil, hasCallback: true, hasEffects: true, &session.machine.settings)
    session.record { (_) throws(FileError) in throw FileError(path: "r.jsonl", reason: "No space left on device") }
    #expect(session.recording.recorder == nil)
    #expect(session.log.all.last?.hasSuffix("ERROR the recording has ended: r.jsonl: No space left on device") == true)
  }
}
