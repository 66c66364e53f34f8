import Foundation
import Glibc
import PlotFiles
import PlotTesting
import Synchronization
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Files beside a compiled feed that is written: leftovers of writers that died, files of others, other writers.
@Suite final class PartFileTests {
  private let temporary: Folder
  private let path: String
  private var folder: String { temporary.url.path }

  init() throws {
    temporary = try Folder()
    path = temporary.path("feed.bin")
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func text(_ number: Int) throws -> String {
    try String(contentsOfFile: "\(path).part\(number)", encoding: .utf8)
  }

  @Test func anyNumberOfFilesMayBeInTheWay() throws {
    for number in 0..<150 { try write("mine \(number)", "\(path).part\(number)") }
    let feed = try CompiledFeedTests.feed()
    for _ in 0..<2 { try feed.save(path: path) }
    #expect(try Feed.map(path: path).json == feed.json)
    #expect(try names().count == 151)
    for number in 0..<150 { #expect(try text(number) == "mine \(number)", "files of others stay") }
  }

  @Test func leftoversAreRemovedAndNothingElse() throws {
    try write("", path + ".part0")
    try write("PLOTPART and half a feed", path + ".part1")
    try write("PLOTFEED", path + ".part2")
    try write("PLOT", path + ".part3")
    let feed = try CompiledFeedTests.feed()
    // Each takes the place of the first leftover.
    try feed.save(path: path)
    #expect(try names() == ["feed.bin", "feed.bin.part1", "feed.bin.part2", "feed.bin.part3"])
    try write("mine", path + ".part0")
    try feed.save(path: path)
    #expect(try names() == ["feed.bin", "feed.bin.part0", "feed.bin.part2", "feed.bin.part3"])
    #expect(try text(0) == "mine" && text(2) == "PLOTFEED" && text(3) == "PLOT")
  }

  @Test func linksAndWhatIsNoFileStay() throws {
    try write("PLOTPART", folder + "/victim")
    try FileManager.default.createSymbolicLink(atPath: path + ".part0", withDestinationPath: folder + "/victim")
    try FileManager.default.linkItem(atPath: folder + "/victim", toPath: path + ".part1")
    try FileManager.default.createDirectory(atPath: path + ".part2", withIntermediateDirectories: false)
    #expect(mkfifo(path + ".part3", 0o600) == 0)
    let before = try names()
    try CompiledFeedTests.feed().save(path: path)
    #expect(try names() == (before + ["feed.bin"]).sorted())
    #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "PLOTPART")
  }

  @Test func aFileThatIsBeingWrittenStays() throws {
    let part = try PartFile(beside: path)
    #expect(part.path == path + ".part0")
    let feed = try CompiledFeedTests.feed()
    try feed.save(path: path)
    #expect(try names() == ["feed.bin", "feed.bin.part0"])
    try part.take(Feed.empty.compiled(), placeOf: path)
    close(part.file)
    #expect(try Feed.map(path: path).regions.isEmpty && names() == ["feed.bin"])
  }

  /// A writer that dies closes what it has open, and no more.
  @Test func whatAWriterThatDiedHasLeftIsOneOfTheLeftovers() throws {
    for _ in 0..<120 { close(try PartFile(beside: path).file) }
    #expect(try names() == ["feed.bin.part0"])
    try Feed.empty.save(path: path)
    #expect(try names() == ["feed.bin"])
  }

  @Test func manyMayWriteAtOnce() throws {
    let feeds = [Feed.empty, try CompiledFeedTests.feed()]
    let texts = feeds.map(\.json)
    let faults = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { [path] thread in
      for round in 0..<10 {
        do {
          try feeds[(thread + round) % 2].save(path: path)
          let found = try Feed.map(path: path).json
          if !texts.contains(found) { faults.withLock { $0.append(found) } }
        } catch {
          faults.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(faults.withLock { $0 } == [])
    #expect(try names() == ["feed.bin"])
  }
}
