import CPlotEngine
import Foundation
import PlotTesting
import Testing

@testable import PlotEngineC

extension CSurface {
  @Suite(.serialized) struct RecordingTests {
    static let feed =
      #"{"version":1,"regions":[{"id":"museum","type":"geofence","latitude":52.36,"longitude":4.885,"radius":200}],"#
      + #""campaigns":[{"id":"c","type":"notification","message":"Hello","regions":["museum"]}]}"#

    /// A walk into the museum and out again.
    static func walk(_ phone: Phone) throws {
      try phone.feed(feed, at: 1000)
      try phone.fix(2000, 52.4, 4.9)
      try phone.fix(62_000, 52.36, 4.885)
      try phone.fix(122_000, 52.4, 4.9)
    }

    /// The lines that its recording has.
    static func recordedWalk() throws -> [String] {
      let phone = try Phone()
      let me = Unmanaged.passUnretained(phone).toOpaque()
      try check {
        plot_engine_set_recording_callback(
          phone.engine, { me, _, line, _ in Phone.from(me).log.append(String(cString: line!)) }, me, nil, $0)
      }
      try phone.start(at: 1000)
      try walk(phone)
      return phone.log
    }

    /// The result of a recording's replay.
    static func replayed(_ recording: String) throws -> String {
      let replay = try take { plot_replay_new($0, $1) }
      defer { plot_replay_free(replay) }
      return try recording.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
        try text { plot_replay_take_line(replay, String(line), line.utf8.count, $0, $1) }
      }.joined()
    }

    @Test func aFileAndACallbackGetTheSameLinesAndAReplayGivesThemBack() throws {
      let folder = try Folder()
      let path = folder.path("r.jsonl")
      let phone = try Phone()
      try check { plot_engine_record_to_file(phone.engine, path, 0, $0) }
      let me = Unmanaged.passUnretained(phone).toOpaque()
      try check {
        plot_engine_set_recording_callback(
          phone.engine,
          { me, _, line, length in
            #expect(strlen(line!) == length)
            Phone.from(me).log.append(String(cString: line!))
          }, me, nil, $0)
      }
      try phone.listen()
      try phone.start(at: 1000)
      try Self.walk(phone)
      let recording = try String(contentsOfFile: path, encoding: .utf8)
      #expect(recording == phone.log.map { $0 + "\n" }.joined())
      #expect(try Self.replayed(recording) == recording)
      #expect(recording.contains(#"{"show":{"identifier":"c;museum""#))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      // Lines behind the end are not in it.
      try check { plot_engine_stop_recording(phone.engine, $0) }
      try check { plot_engine_stop_recording(phone.engine, $0) }
      try phone.fix(200_000, 52.36, 4.885)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == recording)
      #expect(phone.log.count == recording.split(separator: "\n").count)
    }

    @Test func inputsAloneLeadToTheSameEffects() throws {
      let folder = try Folder()
      var recordings: [String] = []
      for flags in [0, PLOT_RECORD_INPUTS] {
        let path = folder.path("\(flags).jsonl")
        let phone = try Phone()
        try check { plot_engine_record_to_file(phone.engine, path, flags, $0) }
        try phone.start(at: 1000)
        try Self.walk(phone)
        plot_engine_close(phone.engine)
        recordings.append(try String(contentsOfFile: path, encoding: .utf8))
      }
      #expect(
        recordings[1].split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"input":"#) || $0.hasPrefix(#"{"rec"#) })
      #expect(try Self.replayed(recordings[1]) == recordings[1])
      let asked = recordings[1].replacingOccurrences(of: #""effects":false"#, with: #""effects":true"#)
      #expect(try Self.replayed(asked) == recordings[0])
    }

    @Test func aRecordingBeginsWithTheEngine() throws {
      let folder = try Folder()
      let path = folder.path("r.jsonl")
      let phone = try Phone()
      try phone.start()
      let late = try failure { try check { plot_engine_record_to_file(phone.engine, path, 0, $0) } }
      #expect(late.status == PLOT_ALREADY_INITIALIZED)
      #expect(late.message == "the engine has been initialized; a recording begins before plot_engine_init")
      #expect(!FileManager.default.fileExists(atPath: path))
      // A callback that is not taken is destroyed at once.
      let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      defer { count.deallocate() }
      count.pointee = 0
      let status = plot_engine_set_recording_callback(
        phone.engine, { _, _, _, _ in }, count, { $0!.assumingMemoryBound(to: Int.self).pointee += 1 }, nil)
      #expect(status == PLOT_ALREADY_INITIALIZED)
      #expect(count.pointee == 1)
      plot_engine_close(phone.engine)
      #expect(plot_engine_record_to_file(phone.engine, path, 0, nil) == PLOT_CLOSED)
      #expect(plot_engine_stop_recording(phone.engine, nil) == PLOT_CLOSED)
    }

    @Test func badArgumentsHaveAStatus() throws {
      let folder = try Folder()
      let path = folder.path("r.jsonl")
      try "kept".write(toFile: path, atomically: false, encoding: .utf8)
      let phone = try Phone()
      #expect(plot_engine_record_to_file(phone.engine, path, 0, nil) == PLOT_IO_ERROR)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
      #expect(plot_engine_record_to_file(phone.engine, folder.path("no/r.jsonl"), 0, nil) == PLOT_IO_ERROR)
      #expect(plot_engine_record_to_file(phone.engine, folder.path("new"), 2, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_record_to_file(phone.engine, nil, 0, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_record_to_file(nil, path, 0, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_stop_recording(nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_replay_new(nil, nil) == PLOT_INVALID_ARGUMENT)
      let replay = try take { plot_replay_new($0, $1) }
      defer { plot_replay_free(replay) }
      #expect(withObject { plot_replay_take_line(nil, "{}", 2, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_replay_take_line(replay, nil, 2, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(plot_replay_take_line(replay, "{}", 2, nil, nil) == PLOT_INVALID_ARGUMENT)
      plot_replay_free(nil)
    }

    @Test func aFaultHasTheLineOfTheRecording() throws {
      let recorded = try Self.recordedWalk()
      var lines = recorded
      let input = try #require(lines.firstIndex { $0.hasPrefix(#"{"input":"fix""#) })
      for (line, pointer, expected, found) in [
        ("", "", "a line of a recording", "an empty line"),
        ("[]", "", "a line of a recording, an object", "an array"),
        ("{}", "", "\"recording\", \"host\", \"input\", \"sync\" or an effect as the first key", "\"\""),
        (#"{"input":"jump","time":"2026-05-16T12:00:00Z"}"#, "/input", "an input of docs/recording.md", "\"jump\""),
        (#"{"input":"fix","time":"noon"}"#, "/time", "a time as ISO 8601", "the string \"noon\""),
        (#"{"input":"fix","time":"2026-05-16T12:00:00Z","latitude":1}"#, "", "\"longitude\", degrees", "no such key"),
        (lines[0], "", "an input or an effect", "the start of another recording"),
      ] {
        let old = lines[input]
        lines[input] = line
        let error = try failure { _ = try Self.replayed(lines.map { $0 + "\n" }.joined()) }
        #expect(error.status == PLOT_INVALID_DOCUMENT, "\(line)")
        #expect(error.line == Int32(input + 1), "\(line)")
        #expect([error.pointer, error.expected, error.found] == [pointer, expected, found], "\(line)")
        lines[input] = old
      }
      let noStart = try failure { _ = try Self.replayed(lines[1] + "\n") }
      #expect(noStart.expected == #"the first line of a recording: {"recording": 2, …}"#)
      let newer = lines[0].replacingOccurrences(of: #""recording":2"#, with: #""recording":3"#)
      let version = try failure { _ = try Self.replayed(newer + "\n") }
      #expect(version.pointer == "/recording")
      #expect(version.found == "the number 3")
      // An image that is no store.
      let image = lines[0].replacingOccurrences(of: #""host":"#, with: #""store":"AAAA","host":"#)
      #expect(try failure { _ = try Self.replayed(image + "\n") }.status == PLOT_STORE_DAMAGED)
    }

    @Test func aReplayGoesOnBehindABadLine() throws {
      let replay = try take { plot_replay_new($0, $1) }
      defer { plot_replay_free(replay) }
      let recorded = try Self.recordedWalk()
      var given = ""
      for line in recorded {
        #expect(withObject { plot_replay_take_line(replay, "nonsense", 8, $0, nil) } == PLOT_INVALID_DOCUMENT)
        given += try text { plot_replay_take_line(replay, line, line.utf8.count, $0, $1) }
      }
      #expect(given == recorded.map { $0 + "\n" }.joined())
    }
  }
}
