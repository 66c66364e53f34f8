import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The limits of the reliability page that hold for every document, each at its edge. The others stand beside the tests of their documents.
@Suite struct TextLimitTests {
  private static let most = 1 << 20

  private static func feed(message count: Int) -> String {
    #"{"version":1,"regions":[{"id":"r","type":"geofence","latitude":1,"longitude":2,"radius":100}],"#
      + #""campaigns":[{"id":"a","type":"notification","regions":["r"],"message":""#
      + String(repeating: "m", count: count) + #""}]}"#
  }

  @Test func aTextOfAFeed() throws {
    #expect(fault(ofFeed: Self.feed(message: Self.most)) == nil)
    let long = try #require(fault(ofFeed: Self.feed(message: Self.most + 1)))
    #expect(long.pointer == "/campaigns/0/message" && long.line == 1 && long.column == 166)
    #expect(long.expected == "a text of at most 1048576 bytes" && long.found == "1048577")
  }

  /// Bytes count, and not characters.
  @Test func aTextOfAnItem() throws {
    let euros = String(repeating: "€", count: Self.most / 3)
    var json = Array(#""\#(euros)""#.utf8)
    #expect(try JSONReader(json).isText)
    json.insert(contentsOf: Array("xy".utf8), at: 1)
    #expect(try !JSONReader(json).isText)
    let own = try JSONReader(json, textLimit: .max)
    #expect(own.isText)
  }

  @Test func anArray() throws {
    func reader(_ count: Int) throws -> JSONReader {
      try JSONReader(Array(("[" + String(repeating: "0,", count: count - 1) + "0]").utf8))
    }
    #expect(try reader(1_000_000).count == 1_000_000)
    #expect(throws: DocumentError.self) { try reader(1_000_001).elements() }
    do {
      _ = try reader(1_000_001).elements()
    } catch let error as DocumentError {
      #expect(error.expected == "at most 1000000 elements" && error.found == "1000001")
    }
  }

  @Test func anEditOfAnItem() throws {
    var item = RecordTests.notification
    let room = Self.most - #"{"a":""}"#.utf8.count
    func edit(_ count: Int) -> [UInt8] { Array((#"{"a":""# + String(repeating: "a", count: count) + #""}"#).utf8) }
    try item.set("userInfo", json: edit(room))
    let before = item.content.userInfo
    #expect(
      throws: HostItem.SetError.document(
        DocumentError(line: 0, column: 0, pointer: "", expected: "at most 1048576 bytes", found: "1048577"))
    ) { try item.set("userInfo", json: edit(room + 1)) }
    #expect(item.content.userInfo == before)
  }

  /// A feed of some megabytes could otherwise ask for any amount of memory.
  @Test func aTextThatIsFilledIn() throws {
    let long = String(repeating: "n", count: 1 << 18)
    let text =
      #"{"version":1,"regions":[{"id":"r","type":"geofence","latitude":0,"longitude":0,"name":"\#(long)"}],"#
      + #""campaigns":[]}"#
    let region = try #require(Feed.parse(text).regions.first)
    let four = try #require(Template("{{name}}{{name}}{{name}}{{name}}"))
    #expect(try four.filled(for: region).utf8.count == Self.most)
    let five = try #require(Template("!{{name}}{{name}}{{name}}{{name}}"))
    #expect(throws: Template.MissingField(name: "name")) { try five.filled(for: region) }
    #expect(four.filled { _ in long }.utf8.count == Self.most)
    #expect(five.filled { _ in long }.utf8.count == 1 + 3 << 18)
  }

  /// The place of the fault is behind a text that is looked at backwards, once.
  @Test func aLongTextInTheWrongPlace() throws {
    for escape in [#"\\"#, #"\""#] {
      let text = #"["a" ""# + String(repeating: escape, count: 400_000) + #""]"#
      let error = try #require(fault(ofFeed: text))
      #expect(error.column == 6 && error.expected == "']'")
    }
  }

  /// A search that starts anew at each byte would take minutes here.
  @Test func aConditionOnALongMessage() {
    let text = String(repeating: "a", count: Self.most)
    for (part, isThere) in [
      (text, true), (String(repeating: "a", count: Self.most / 2) + "b", false), ("aab", false), ("AAA", true),
    ] {
      var item = RecordTests.notification
      item.values.loaded.content.message = text
      #expect((MessageCondition.contains(part).truth(item.facts, [:]) == .yes) == isThere)
    }
  }
}

extension JSONReader {
  fileprivate var isText: Bool { (try? string(root)) != nil }

  fileprivate func elements() throws(DocumentError) -> [Int64] {
    try array(root, "an array") { (node, _) throws(DocumentError) in try integer(node, 0...9) }
  }

  fileprivate var count: Int { (try? elements())?.count ?? -1 }
}
