import Testing

@testable import PlotDocuments

@Suite struct JSONEditTests {
  static let document = #"{"a": 1, "campaigns": [{"id": "x", "n": 0.1}, {"id": "y", "deep": {"b": [1, 2]}}]}"#

  static func edited(_ edit: String) throws -> String {
    let edit = try #require(JSONEdit(edit))
    return String(decoding: try edit.applied(to: Array(document.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("a=2", #"{"a":2,"campaigns":[{"id":"x","n":0.1},{"id":"y","deep":{"b":[1,2]}}]}"#),
    ("a=null", #"{"campaigns":[{"id":"x","n":0.1},{"id":"y","deep":{"b":[1,2]}}]}"#),
    ("new.part=text", #"{"a":1,"campaigns":[{"id":"x","n":0.1},{"id":"y","deep":{"b":[1,2]}}],"new":{"part":"text"}}"#),
    ("new=null", #"{"a":1,"campaigns":[{"id":"x","n":0.1},{"id":"y","deep":{"b":[1,2]}}]}"#),
    (
      "campaigns[0].n=[1,{\"k\":true}]",
      #"{"a":1,"campaigns":[{"id":"x","n":[1,{"k":true}]},{"id":"y","deep":{"b":[1,2]}}]}"#
    ),
    ("campaigns[y].deep.b[1]=\"3\"", #"{"a":1,"campaigns":[{"id":"x","n":0.1},{"id":"y","deep":{"b":[1,"3"]}}]}"#),
    ("campaigns[x]=null", #"{"a":1,"campaigns":[{"id":"y","deep":{"b":[1,2]}}]}"#),
    ("a==", #"{"a":"=","campaigns":[{"id":"x","n":0.1},{"id":"y","deep":{"b":[1,2]}}]}"#),
  ])
  func oneValueChangesAndAllElseStays(_ edit: String, _ expected: String) throws {
    #expect(try Self.edited(edit) == expected)
  }

  @Test(arguments: [
    ("campaigns[2].n=1", "/campaigns", "an element from 0 to 1 for \"campaigns[2].n\"", "2"),
    ("campaigns[z].n=1", "/campaigns", "an element with the id \"z\" for \"campaigns[z].n\"", "none"),
    ("a.b=1", "/a", "an object for \"a.b\"", "the number 1"),
    ("a[0]=1", "/a", "an array for \"a[0]\"", "the number 1"),
    ("new[0]=1", "", "an array \"new\" for \"new[0]\"", "no such key"),
    ("campaigns[1].deep.b[7]=1", "/campaigns/1/deep/b", "an element from 0 to 1 for \"campaigns[1].deep.b[7]\"", "7"),
  ])
  func aPathThatLeadsNowhereIsAFault(_ edit: String, _ pointer: String, _ expected: String, _ found: String) {
    #expect(throws: DocumentError(line: 0, column: 0, pointer: pointer, expected: expected, found: found)) {
      try Self.edited(edit)
    }
  }

  @Test(arguments: ["", "a", "=1", ".a=1", "a.=1", "a[=1", "a[]=1", "a[0=1", "[0]=1"])
  func whatIsNoPathIsNil(_ text: String) { #expect(JSONEdit(text) == nil) }

  @Test func feedsAndConfigurationsAreToldApart() {
    for path in ["campaigns[0].trigger", "regions[a].radius", "settings.caps", "revision"] {
      #expect(JSONEdit("\(path)=1")?.isOfFeed == true)
    }
    for path in ["cooldownPeriod", "engine.noise.margin", "debug"] { #expect(JSONEdit("\(path)=1")?.isOfFeed == false) }
  }
}

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func theVectorsOfTheStandard(_ plain: String, _ text: String) {
    #expect(Base64.text(Array(plain.utf8)) == text)
    #expect(Base64.bytes(text) == Array(plain.utf8))
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg= =", "Z===", "Zh==", "Zg==Zg==", "Zm9\n", "Zm9-", "===="])
  func allElseIsRefused(_ text: String) { #expect(Base64.bytes(text) == nil) }

  @Test func everyByteGoesThere() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    #expect(Base64.bytes(Base64.text(bytes)) == bytes)
  }
}
