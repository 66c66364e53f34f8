import Foundation
import PlotDocuments
import PlotEngine
import PlotTesting
import Testing

@testable import plot

/// The vectors on the engine without the C interface, and what the runner says of them.
@Suite struct VectorTests {
  private static let folder = projectRoot.appendingPathComponent("Tests/vectors")

  private static let names = ((try? VectorsCommand.names(in: folder.path).scenarios) ?? []).sorted()

  @Test func thereAreVectors() { #expect(Self.names.count > 100) }

  @Test(arguments: names) func vector(name: String) throws {
    let command = try #require(try VectorsCommand.parse([Self.folder.path]) as VectorsCommand?)
    let row = try command.row(name)
    #expect(row.passes, "\(row.outcome)")
    #expect(row.area != "none" && row.effects > 0)
  }

  @Test(arguments: names) func vectorWithCompiledFeeds(name: String) throws {
    let command = try #require(try VectorsCommand.parse([Self.folder.path]) as VectorsCommand?)
    let row = try command.row(name, compilesFeeds: true)
    #expect(row.passes, "\(row.outcome)")
  }

  /// Vectors that are not the same after a new process, and why.
  private static let notTheSame = [
    "decisions-kept": "an app asks anew in each process that decisions are kept",
    "explain-remembers": "the same",
    "filter-recovery-drop": "the configuration says that a question without an answer ends with the process",
    "filter-unknown-token": "it tests an engine without a store",
    "inside-overdue-with-a-feed": "what is overdue happens at the start, before the next input",
  ]

  /// A process begins the synchronization anew, with a seed of its own.
  private static let inManyProcesses = names.filter {
    let name = $0.split(separator: "/").last.map(String.init) ?? ""
    return notTheSame[name] == nil && !name.hasPrefix("sync-")
  }

  /// A new process after every input, every second and every seventh one.
  @Test(arguments: inManyProcesses)
  func vectorInManyProcesses(name: String) throws {
    let command = try #require(try VectorsCommand.parse([Self.folder.path]) as VectorsCommand?)
    for count in [1, 2, 7] {
      let row = try command.row(name, reopensAfter: count)
      #expect(row.passes, "after \(count): \(row.outcome)")
    }
  }

  /// The same, with each engine going on from what the one before it has saved. What a scenario with a store restarts has to be in that.
  @Test(arguments: inManyProcesses)
  func vectorInManyEngines(name: String) throws {
    let scenario = try JSONValue(
      parsing: Array(Data(contentsOf: Self.folder.appendingPathComponent("\(name).json"))))
    if case .boolean(true)? = scenario["store"] { return }
    let command = try #require(try VectorsCommand.parse([Self.folder.path]) as VectorsCommand?)
    for count in [1, 2, 7] {
      let row = try command.row(name, reopensAfter: count, saves: true)
      #expect(row.passes, "after \(count): \(row.outcome)")
    }
  }

  @Test func theFirstDifference() {
    func compare(_ actual: String, _ expected: String) -> String {
      switch VectorTable.compare(Array(actual.utf8), with: Array(expected.utf8)) {
      case .pass: "pass"
      case .missing(let file): file
      case .differs(let line, let byte, let expected, let actual): "\(line) \(byte) \(expected ?? "-") \(actual ?? "-")"
      }
    }
    #expect(compare("a\nb\n", "a\nb\n") == "pass")
    #expect(compare("a\nbcd\n", "a\nbxd\n") == "2 2 bxd bcd")
    #expect(compare("a\n", "a\nb\n") == "2 1 b ")
    #expect(compare("a\nb", "a\nb\n") == "3 1  -")
    #expect(compare("a\nb\n", "a\nb") == "3 1 - ")
    #expect(compare("", "a\n") == "1 1 a ")
    // The same to the eye, but not the same bytes.
    #expect(compare("e\u{301}\n", "\u{E9}\n") == "1 1 \u{E9} e\u{301}")
  }

  @Test func statuses() {
    #expect(ExitStatus(OutputError(code: ENOSPC)) == .io)
    #expect(ExitStatus(OutputFileError(path: "a", action: "written", code: ENOSPC)) == .io)
    #expect(ExitStatus(JSONLinesError(path: "a", action: "written", code: ENOSPC)) == .io)
    #expect(ExitStatus(JSONLinesError(path: "a", action: "read", code: EIO)) == .input)
    #expect(ExitStatus(InputFault("a: b")) == .input)
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 64, 65, 74])
  }

  @Test func valuesKeepTheirOrder() throws {
    let text = #"{"b":1,"a":[null,true,2.5,"\u001f\"é"],"c":{}}"#
    #expect(try JSONValue(parsing: Array(text.utf8)).text == text)
    #expect(throws: DocumentError.self) { try JSONValue(parsing: Array(#"{"a":1,"a":2}"#.utf8)) }
  }
}
