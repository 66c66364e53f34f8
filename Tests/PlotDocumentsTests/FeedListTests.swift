import PlotCore
import Testing

@testable import PlotDocuments

/// Lists that a feed brings (docs/feed.md, A list).
@Suite struct FeedListTests {
  private func feed(_ lists: String) throws -> Feed {
    try Feed.parse(Array(#"{"version":1,"regions":[],"campaigns":[],"lists":\#(lists)}"#.utf8))
  }

  @Test func listsComeThroughEachForm() throws {
    let feed = try feed(
      #"[{"id":"b","version":7,"entries":["z","ä","z"]},{"id":"a","version":0,"entries":[],"x-note":1}]"#)
    let lists = feed.settings.messages.lists
    #expect(lists.map(\.name.text) == ["b", "a"] && lists.map(\.version) == [7, 0])
    #expect(lists[0].entries == [Identifier("z"), Identifier("ä")] && lists[1].entries.isEmpty)
    let end = #""lists":[{"id":"b","version":7,"entries":["z","ä"]},{"id":"a","version":0,"entries":[]}]}"#
    #expect(feed.json.hasSuffix(end))
    for other in [try Feed.parse(Array(feed.json.utf8)), try Feed.map(compiled: feed.compiled())] {
      #expect(other.settings == feed.settings && other.json == feed.json)
    }
    #expect(try !self.feed("[]").json.contains("lists"))
  }

  @Test(arguments: [
    (#"{}"#, "/lists"), (#"[1]"#, "/lists/0"), (#"[{"version":1,"entries":[]}]"#, "/lists/0"),
    (#"[{"id":"a","entries":[]}]"#, "/lists/0"), (#"[{"id":"a","version":-1,"entries":[]}]"#, "/lists/0/version"),
    (#"[{"id":"a","version":9007199254740992,"entries":[]}]"#, "/lists/0/version"),
    (#"[{"id":"a","version":1}]"#, "/lists/0"), (#"[{"id":"a","version":1,"entries":[""]}]"#, "/lists/0/entries/0"),
    (#"[{"id":"a","version":1,"entries":[],"entry":[]}]"#, "/lists/0/entry"),
    (#"[{"id":"a","version":1,"entries":[]},{"id":"a","version":2,"entries":[]}]"#, "/lists/1/id"),
  ]) func faultsSayWhere(_ lists: String, _ pointer: String) {
    let error = #expect(throws: DocumentError.self) { try feed(lists) }
    #expect(error?.pointer == pointer, "\(lists): \(error.map { "\($0)" } ?? "")")
  }

  @Test func moreThanAHundredAreRefused() {
    let many = (0...100).map { #"{"id":"l\#($0)","version":1,"entries":[]}"# }.joined(separator: ",")
    #expect(throws: DocumentError.self) { try feed("[\(many)]") }
  }
}
