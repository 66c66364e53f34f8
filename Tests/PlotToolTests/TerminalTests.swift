import Foundation
import Testing

@testable import PlotStory
@testable import PlotTracks
@testable import plot

@Suite struct TerminalTests {
  @Test func styleFollowsTerminalAndEnvironment() {
    #expect(Style.standardOutput(isTerminal: true, environment: [:]) == .ansi)
    #expect(Style.standardOutput(isTerminal: true, environment: ["NO_COLOR": ""]) == .ansi)
    #expect(Style.standardOutput(isTerminal: true, environment: ["NO_COLOR": "1"]) == .plain)
    #expect(Style.standardOutput(isTerminal: true, environment: ["TERM": "dumb"]) == .plain)
    #expect(Style.standardOutput(isTerminal: false, environment: [:]) == .plain)
    #expect(Style.standardOutput(isTerminal: false, environment: ["CLICOLOR_FORCE": "1"]) == .ansi)
    #expect(Style.standardOutput(isTerminal: false, environment: ["CLICOLOR_FORCE": "0"]) == .plain)
    #expect(Style.standardOutput(isTerminal: false, environment: ["CLICOLOR_FORCE": ""]) == .plain)
    #expect(Style.standardOutput(isTerminal: true, environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]) == .plain)
    #expect(Style.standardOutput(isTerminal: false, environment: ["CLICOLOR_FORCE": "1", "TERM": "dumb"]) == .plain)
    #expect(Terminal.allowsProgress(isTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!Terminal.allowsProgress(isTerminal: true, environment: ["TERM": "dumb"]))
    #expect(!Terminal.allowsProgress(isTerminal: false, environment: [:]))
    #expect(Terminal.visible(Style.ansi.bold("a"), keepsLines: true) == "\u{1B}[1ma\u{1B}[0m")
    #expect(Style.plain.bold("a") == "a")
  }

  @Test func onlyItsOwnEmphasisReachesTheTerminal() {
    let forged = Style.ansi.bold("a\u{1B}[31mb\n\u{202E}\u{9B}2J") + "\u{F8F0}0\u{F8F1}7m\n"
    #expect(
      Terminal.visible(forged, keepsLines: true)
        == "\u{1B}[1ma\\u001b[31mb\n\\u202e\\u009b2J\u{1B}[0m\u{F8F0}0\u{F8F1}7m\n")
    #expect(!Terminal.visible(forged, keepsLines: false).contains("\n"))
  }

  @Test func rowsAlignAndAreHarmless() {
    let row = Timeline.row(
      time: 1_772_355_000_500, kind: "notification", place: "Museum", text: "Hi\u{1B}[2J\nthere", style: .plain,
      clock: .utc)
    #expect(row == "  08:50:00  ● Museum                      Hi\u{FFFD}[2J there")
    let wide = Timeline.row(time: 0, kind: "enter", place: "東京", text: "x", style: .plain, clock: .utc)
    #expect(wide == "  00:00:00  ▸ 東京" + String(repeating: " ", count: 22) + "  x")
    #expect(Timeline.row(time: 0, kind: "exit", place: "A", text: "", style: .plain, clock: .utc) == "  00:00:00  ◂ A")
  }

  @Test func headingsWhenTheDayChanges() throws {
    var timeline = Timeline(style: .plain, clock: .utc)
    let first = timeline.next(time: 1_550_475_950_000, kind: "enter", place: "A", text: "")
    #expect(first == "Monday, 18 February 2019 UTC\n  07:45:50  ▸ A")
    let second = timeline.next(time: 1_550_475_951_000, kind: "exit", place: "A", text: "")
    #expect(second == "  07:45:51  ◂ A")
    let third = timeline.next(time: 1_550_562_351_000, kind: "other", place: "A", text: "")
    #expect(third == "\nTuesday, 19 February 2019 UTC\n  07:45:51  · A")
    var local = Timeline(style: .plain, clock: try #require(LocalClock(zone: "Europe/Amsterdam")))
    #expect(
      local.next(time: 1_550_530_800_000, kind: "enter", place: "A", text: "")
        == "Tuesday, 19 February 2019 Europe/Amsterdam\n  00:00:00  ▸ A")
    #expect(Timeline.heading(time: -1, style: .plain, clock: .utc) == "Wednesday, 31 December 1969 UTC")
  }

  @Test func progressIsDrawnByCount() {
    let drawn = Drawn()
    var bar = ProgressBar(total: 100_000, unit: "fixes", isVisible: true) { drawn.texts.append($0) }
    for done in 1...100_000 { bar.update(done) }
    #expect(drawn.texts.count > 100 && drawn.texts.count < 300)
    #expect(drawn.texts.last?.contains("100%  100000 of 100000 fixes") == true)
    bar.finish()
    #expect(drawn.texts.last == "\r\u{1B}[2K")
    let count = drawn.texts.count
    bar.finish()
    #expect(drawn.texts.count == count)
    var hidden = ProgressBar(total: 10, unit: "fixes", isVisible: false) { drawn.texts.append($0) }
    hidden.update(10)
    hidden.finish()
    #expect(drawn.texts.count == count)
    #expect(ProgressBar.bar(0).count == 24 && ProgressBar.bar(0.33).count == 24 && ProgressBar.bar(1).count == 24)
  }

  /// After two seconds, by the speed so far.
  @Test func progressSaysHowLongItTakes() {
    let drawn = Drawn()
    var time: Int64 = 0
    var bar = ProgressBar(total: 1_000, unit: "fixes", isVisible: true, now: { time }, draw: { drawn.texts.append($0) })
    for (done, now, words) in [(10, 1_999, ""), (100, 10_000, ", 1 min 30 s left"), (500, 50_000, ", 50 s left")] {
      time = Int64(now)
      bar.update(done)
      #expect(drawn.texts.last?.hasSuffix(" \(done) of 1000 fixes\(words)\u{1B}[K") == true)
    }
    bar.update(1_000)
    #expect(drawn.texts.last?.contains("left") == false)
    var file = ProgressBar(
      total: 10, unit: ProgressBar.bytes, isVisible: true, now: { 0 }, draw: { drawn.texts.append($0) })
    file.update(5)
    #expect(drawn.texts.last?.hasSuffix(" 50%\u{1B}[K") == true)
  }

  private final class Drawn { var texts: [String] = [] }

  /// Writes to a pipe that nobody reads.
  @Test func brokenPipeEndsQuietly() async {
    await #expect(processExitsWith: .exitCode(0)) {
      ignoreBrokenPipe()
      let pipe = Pipe()
      dup2(pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
      try pipe.fileHandleForReading.close()
      try Output.line("nobody reads this")
      try Output.flush()
      exit(9)
    }
  }

  @Test func fullDiskIsAnError() async {
    await #expect(processExitsWith: .exitCode(3)) {
      dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO)
      do {
        try Output.line("text")
        try Output.flush()
      } catch let error as OutputError where error.code == ENOSPC {
        exit(3)
      }
    }
  }
}
