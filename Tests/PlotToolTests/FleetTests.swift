import Foundation
import PlotCore
import PlotDocuments
import PlotTesting
import Synchronization
import Testing

@testable import PlotTracks
@testable import plot

/// `plot replay-fleet`: what it reads, and that its rows are those of Python's `replay-fleet` (bindings/python/tests/test_fleet.py).
@Suite struct FleetTests {
  private func read(_ texts: String...) throws -> FleetFixes {
    var fixes = FleetFixes()
    for text in texts { try fixes.read(Data(text.utf8)) }
    fixes.sort()
    return fixes
  }

  @Test func semicolonsAndDecimalCommas() throws {
    let plain = try read("device,time,latitude,longitude\na,1000,52.36,4.5\n")
    let other = try read("device;time;latitude;longitude\na;1000;52,36;4,5\n")
    #expect(other.rows.map(\.fix) == plain.rows.map(\.fix) && plain.rows.count == 1)
  }

  @Test func fixesComeInTheOrderOfDevicesAndTimes() throws {
    let fixes = try read(
      """
      longitude,more,time,latitude,device,accuracy
      4,x,2026-05-16 10:00:01,52,b,
      4,x,2026-05-16T10:00:00Z,,b,5
      """, "device,time,latitude,longitude\n\"a\"\"\",1000,1,2\nB,1778925600000,1,2\n")
    #expect(fixes.devices.map(\.text) == ["B", "a\"", "b"])
    #expect(fixes.rows.map(\.device) == [0, 1, 2, 2])
    #expect(fixes.rows.map(\.fix.time) == [1_778_925_600_000, 1000, 1_778_925_600_000, 1_778_925_601_000])
    #expect(fixes.rows[2].fix.coordinate.latitude.isNaN && fixes.rows[2].fix.accuracy == 5)
    #expect(fixes.rows[3].fix.accuracy == 0 && fixes.rows[3].fix.speed == -1)
    #expect(fixes.parts(of: 1) == [0..<1, 1..<2, 2..<4] && fixes.parts(of: 2) == [0..<2, 2..<4])
  }

  @Test(arguments: [
    ("", "line 1, column 1: expected a header line with device, time, latitude and longitude, found an empty file"),
    (
      "device,time,latitude\n",
      #"line 1, column 1: expected a header line with a column longitude, found "device,time,latitude""#
    ),
    ("device,time,latitude,longitude,time\n", "line 1, column 32: expected one column time, found a second one"),
    ("device,time,latitude,longitude\n,1,1,1\n", "line 2, column 1: expected the id of a device, found nothing"),
    (
      "device,time,latitude,longitude\na,noon,1,1\n",
      "line 2, column 3: expected \(CalendarTime.expectedText), or whole milliseconds since 1970, found \"noon\""
    ),
    ("device,time,latitude,longitude\na,1,1,east\n", #"line 2, column 7: expected a number, found "east""#),
    ("device,time,latitude,longitude\na,1,1\n", "line 2, column 5: expected 4 cells, as in the header, found 3"),
  ]) func faults(text: String, says: String) throws {
    let error = try #require(throws: TrackError.self) { _ = try read(text) }
    #expect(error.description == says)
  }

  @Test func theRowsAreTheSameInAnyParts() throws {
    var text = "device,time,latitude,longitude\n"
    for device in 0..<20 {
      for minute in 0..<60 {
        let isInside = (minute / 7 + device).isMultiple(of: 2)
        text += "d\(device),\(1_778_925_600_000 + minute * 60_000),\(isInside ? 52.3686 : 52.4),4.8893\n"
      }
    }
    text += "d0,1778925600000,91,4\n"
    let fixes = try read(text)
    let feed = try Feed.parse(InputFile.read(projectRoot.appendingPathComponent("demo/feed.json").path))
    let replay = FleetReplay(
      feed: feed, configuration: try Configuration(parsing: Array("{}".utf8)), timeZone: "UTC", until: nil)
    let done = Mutex<[Int]>([])
    let whole = try replay.rows(of: fixes, parts: [fixes.rows.indices]) { _ in }
    let parts = try replay.rows(of: fixes, parts: fixes.parts(of: 100)) { count in done.withLock { $0.append(count) } }
    #expect(parts.count == 10 && parts.joined() == whole[0])
    #expect(done.withLock { $0.last } == fixes.rows.count && done.withLock { $0 == $0.sorted() })
    #expect(whole[0].contains(#""d0",2026-05-16 10:00:00.000Z,"fix-refused",,,,,,,"INVALID_ARGUMENT""#))
    #expect(whole[0].contains(#""region-enter",1,"coffee",,1,,,"#))
  }
}
