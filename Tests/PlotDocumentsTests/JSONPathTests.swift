import Testing

@testable import PlotDocuments

@Suite struct JSONPathTests {
  static func offset(_ steps: [PathStep], _ text: String) -> Int {
    JSONPath(steps: steps).offset(in: Array(text.utf8))
  }

  @Test(
    arguments: [
      ([], ""), ([.key("a")], "/a"), ([.key("a"), .index(0), .key("b")], "/a/0/b"), ([.key("")], "/"),
      ([.key("a/b")], "/a~1b"), ([.key("m~n")], "/m~0n"), ([.key("~1")], "/~01"),
      ([.key("/~"), .index(12)], "/~1~0/12"),
      ([.key("é\"\\ ")], "/é\"\\ "), ([.key("0")], "/0"),
    ] as [([PathStep], String)])
  func pointers(_ steps: [PathStep], _ pointer: String) {
    #expect(JSONPath(steps: steps).pointer == pointer)
  }

  /// A value marked by @ in the text, and the way to it. Nothing but the mark is removed.
  static let marked: [([PathStep], String)] = [
    ([], "@{}"), ([], "  \n\t\r@5"), ([.key("a")], #"{"a":@1}"#), ([.key("a")], "{ \n \"a\" \t:\r\n @1}"),
    ([.key("b")], #"{"a":1,"b":@2}"#), ([.index(0)], "[@1]"), ([.index(2)], "[1, 2 ,@3]"),
    ([.index(1)], #"["a,]\"b",@2]"#), ([.index(1)], #"["\\",@2]"#), ([.index(1)], #"["\\\"",@2]"#),
    ([.index(1)], #"[{"a":[1,{"b":"}]"}]},@2]"#), ([.index(1)], "[[[],[{}]],@[]]"),
    ([.key("b"), .index(1), .key("c")], #"{"a":{"b":[0,{"c":9}]},"b":[{"c":1},{"d":2,"c":@3}]}"#),
    ([.key("c")], #"{"a":true,"b":null,"c":@false}"#), ([.key("b")], #"{"a":-1.5e+3,"b":@1}"#),
    ([.key("b")], #"{"a":"b","b":@1}"#), ([.key("b")], #"{"a":{"b":1},"b":@2}"#), ([.key("")], #"{"a":1,"":@2}"#),
    ([.key("é")], #"{"e":1,"é":@2}"#), ([.key("a:b,c")], #"{"a":1,"a:b,c":@2}"#),
    ([.key("b")], #"{"a\"b":1,"b":@2}"#), ([.key("b")], #"{"\\":1,"b":@2}"#),
  ]

  @Test(arguments: marked)
  func offsets(_ steps: [PathStep], _ text: String) throws {
    let bytes = Array(text.utf8)
    let mark = try #require(bytes.firstIndex(of: UInt8(ascii: "@")))
    let good = String(decoding: bytes[..<mark] + bytes[(mark + 1)...], as: UTF8.self)
    #expect(Self.offset(steps, good) == mark)
  }

  /// A key that is written with escapes is not found; then the value around it is given.
  @Test func keysWithEscapes() {
    #expect(Self.offset([.key("é")], #"{"\u00e9":1}"#) == 0)
    #expect(Self.offset([.key("a"), .key("b\"")], #"{"a": {"b\"":1}}"#) == 6)
    #expect(Self.offset([.key("a"), .key("b\""), .index(3)], #"{"a": {"b\"":[1,2,3,4]}}"#) == 6)
    #expect(Self.offset([.index(5)], " [1]") == 1)
  }

  @Test func places() {
    let text = Array("ab\ncé\n\nx".utf8)
    let expected = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (4, 1), (4, 2), (4, 2)]
    for (offset, place) in expected.enumerated() {
      #expect(JSONPath.place(of: offset, in: text) == place, "offset \(offset)")
    }
    #expect(JSONPath.place(of: 99, in: []) == (1, 1))
  }

  /// An error in an object whose key has escapes still has a line.
  @Test func aFaultUnderAKeyWithEscapes() throws {
    let text =
      "{\"version\":1,\"campaigns\":[],\n\"regions\":[\n"
      + "{\"id\":\"a\",\"type\":\"geofence\",\"\\u006eame\":5,\"latitude\":1,\"longitude\":1}]}"
    let error = try #require(fault(ofFeed: text))
    #expect(short(error) == "3:1 /regions/0/name | a string | the number 5")
  }
}
