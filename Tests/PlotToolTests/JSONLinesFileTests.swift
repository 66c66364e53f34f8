import Foundation
import Testing

@testable import plot

@Suite final class JSONLinesFileTests {
  private let path = NSTemporaryDirectory() + "plot-\(UUID().uuidString).jsonl"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private var content: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

  @Test func linesAreThereAtOnce() throws {
    let file = try JSONLinesFile(path: path, append: false)
    #expect(try JSONLinesFile.lastLine(path: path) == nil)
    try file.write("{\"a\":1}")
    #expect(try content == "{\"a\":1}\n")
    try file.write("{\"b\":\"é\"}")
    #expect(try JSONLinesFile.lastLine(path: path) == "{\"b\":\"é\"}")
    try file.close()
    try file.close()
    let error = #expect(throws: JSONLinesError.self) { try file.write("{}") }
    #expect(error?.description == "\(path): is closed")
  }

  @Test(
    arguments: [
      ("", "", nil), ("{\"a\":1}\n", "{\"a\":1}\n", "{\"a\":1}"), ("{\"a\":1}\n{\"b\":", "{\"a\":1}\n", "{\"a\":1}"),
      ("{\"torn", "", nil), ("{}\n\n", "{}\n\n", ""),
    ] as [(String, String, String?)])
  func tornLineIsCutOff(before: String, kept: String, last: String?) throws {
    try before.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try JSONLinesFile.lastLine(path: path) == last)
    let file = try JSONLinesFile(path: path, append: true)
    #expect(try content == kept)
    try file.write("{\"new\":1}")
    try file.close()
    #expect(try content == kept + "{\"new\":1}\n")
  }

  @Test func longTornLineIsCutOff() throws {
    let whole = String(repeating: "x", count: 200_000)
    let torn = String(repeating: "y", count: 150_000)
    try "{}\n\(whole)\n\(torn)".write(toFile: path, atomically: false, encoding: .utf8)
    let last = try JSONLinesFile.lastLine(path: path)
    #expect(last?.count == 200_000 && last?.allSatisfy { $0 == "x" } == true)
    try JSONLinesFile(path: path, append: true).close()
    let length = try content.utf8.count
    #expect(length == 200_004)
  }

  /// Lines that a process has written are there when it is killed.
  @Test func nothingWaitsInABuffer() throws {
    let file = try JSONLinesFile(path: path, append: false)
    for index in 0..<1_000 { try file.write("{\"index\":\(index)}") }
    let lines = try content.split(separator: "\n")
    #expect(lines.count == 1_000)
    #expect(try JSONLinesFile.lastLine(path: path) == "{\"index\":999}")
    withExtendedLifetime(file) {}
  }

  @Test func withoutAppendTheFileIsEmptied() throws {
    try "old\n".write(toFile: path, atomically: false, encoding: .utf8)
    try JSONLinesFile(path: path, append: false).close()
    #expect(try content == "")
  }

  @Test func lineEndsInALineAreRefused() throws {
    let file = try JSONLinesFile(path: path, append: false)
    let error = #expect(throws: JSONLinesError.self) { try file.write("a\nb") }
    #expect(error?.reason == "a line must not hold a line end")
    #expect(try content == "")
  }

  @Test func faults() throws {
    #expect(try JSONLinesFile.lastLine(path: path) == nil)
    let directory = #expect(throws: JSONLinesError.self) {
      try JSONLinesFile(path: NSTemporaryDirectory(), append: true)
    }
    #expect(directory?.description == "\(NSTemporaryDirectory()): cannot be opened: Is a directory")
    try Data([0x7B, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: path))
    let encoding = #expect(throws: JSONLinesError.self) { try JSONLinesFile.lastLine(path: path) }
    #expect(encoding?.reason == "its last line is not UTF-8")
  }

  @Test func fullDiskLeavesNoHalfLine() throws {
    let file = try JSONLinesFile(path: "/dev/full", append: true)
    let error = #expect(throws: JSONLinesError.self) { try file.write("{}") }
    #expect(error?.reason == "cannot be written: No space left on device")
  }
}
