import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Where the pushes of services have what a message says (docs/messages.md, Pushes as they came). What the engine makes of whole ones is in the
/// vectors.
@Suite struct MessagePathTests {
  private static let services = MessageProfile.allCases.filter { $0 != .plain }

  @Test func thePageHasThePlacesOfEachProfile() throws {
    let rows = try table(of: "messages.md", after: "The places of each profile, in the order in which they are tried:")
    let expected = MessageField.allCases.map { field in
      ["`\(field.rawValue)`"]
        + Self.services.map { $0.places(of: field).map { "`\($0.text)`" }.joined(separator: ", ") }
    }
    #expect(rows == expected)
  }

  @Test func pathsAreTexts() {
    for (text, path) in [
      ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), (#"a\.b.c"#, ["a.b", "c"]), (#"a\\.b"#, [#"a\"#, "b"]),
      ("é.ü", ["é", "ü"]),
    ] {
      #expect(MessagePath(text: text) == path)
      #expect(path.text == text)
    }
    for text in ["", ".", "a.", ".a", "a..b", #"a\"#] { #expect(MessagePath(text: text) == nil, "\(text)") }
  }

  private func parse(_ text: String, _ settings: MessageSettings) throws -> Message {
    try Message.parse(Array(text.utf8), settings)
  }

  /// A value of another kind is as if it were not there, and the next place is tried.
  @Test func theFirstPlaceThatFitsCounts() throws {
    var settings = MessageSettings()
    settings.paths = [
      .sender: [["a"], ["b", "c"], ["d"]], .badge: [["e"], ["f"]], .data: [["g"], ["h"]], .body: [["text"]],
      .title: [["i"]],
    ]
    let long = String(repeating: "x", count: 256)
    for (json, sender) in [
      (#""a":"1","d":"2""#, "1"), (#""a":"","d":"2""#, "2"), (#""a":null,"b":{"c":7}"#, "7"),
      (#""b":"{\"c\":\"x\"}""#, "x"),
      (#""b":"no JSON","d":true"#, nil), (#""a":"\#(long)","d":"2""#, "2"), (#""a":1.5"#, nil), (#""b":[1]"#, nil),
    ] as [(String, String?)] {
      #expect(try parse(#"{"text":"t",\#(json)}"#, settings).sender == sender, "\(json)")
    }
    #expect(try parse(#"{"text":"t","e":-1,"f":"3"}"#, settings).content.badge == 3)
    #expect(try parse(#"{"text":"t","e":"many"}"#, settings).content.badge == nil)
    #expect(try parse(#"{"text":"t","g":{"k":[1]}}"#, settings).content.data == #"{"k":[1]}"#)
    #expect(try parse(#"{"text":"t","g":null,"h":5}"#, settings).content.data == "5")
    #expect(try parse(#"{"text":"t","i":5}"#, settings).content.title == nil)
  }

  @Test func aPushWithoutATextIsRefused() throws {
    var settings = MessageSettings()
    settings.profile = .apns
    let error = #expect(throws: DocumentError.self) { try parse(#"{"aps":{"content-available":1}}"#, settings) }
    #expect(
      error?.expected == #"a text to show at one of "aps.alert.body", "aps.alert", "aps.alert.loc-key""#
        && error?.found == "an object")
  }

  /// The same bytes give the same id, others another.
  @Test func withoutAnIdTheBytesGiveOne() throws {
    let settings = MessageSettings()
    let one = try parse(#"{"body":"b"}"#, settings)
    #expect(try parse(#"{"body":"b"}"#, settings) == one)
    #expect(try parse(#"{"body":"b"} "#, settings).id != one.id)
    #expect(one.id.utf8.count == 36)
  }

  @Test func settingsWithPathsAreWrittenAsTheyWereRead() throws {
    for messages in [
      #"{"profile":"apns","paths":{"sender":"senderId","title":["aps.alert.title","a\\.b"]},"correlation":{"path":["a","b.c"]}}"#,
      #"{"profile":"zego","revision":{"path":"x"}}"#, #"{"paths":{"id":"x"},"revision":{"path":["revision","y"]}}"#,
    ] {
      let text = #"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":\#(messages)}}"#
      let feed = try Feed.parse(text)
      #expect(feed.json == text)
      #expect(try Feed.parse(feed.json).settings == feed.settings)
    }
    let usual = #"{"profile":"plain","correlation":{"path":"correlationKey"},"paths":{}}"#
    #expect(
      try Feed.parse(#"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":\#(usual)}}"#).settings
        == FeedSettings())
  }

  @Test func whatIsWrongIsSaid() throws {
    for (messages, pointer, expected) in [
      (#"{"profile":"apple"}"#, "/profile", #""plain" or "apns" or "fcm" or "cometchat" or "zego""#),
      (#"{"paths":{"correlation":"a"}}"#, "/paths/correlation", nil),
      (#"{"paths":{"sender":"a..b"}}"#, "/paths/sender", #"keys with dots between them, as in "payload.customId""#),
      (#"{"paths":{"sender":[]}}"#, "/paths/sender", "an array of paths that is not empty"),
      (#"{"paths":{"sender":["a",5]}}"#, "/paths/sender/1", #"keys with dots between them, as in "payload.customId""#),
    ] as [(String, String, String?)] {
      let text = #"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":\#(messages)}}"#
      let error = #expect(throws: DocumentError.self) { try Feed.parse(text) }
      #expect(error?.pointer == "/settings/messages" + pointer)
      if let expected { #expect(error?.expected == expected) }
    }
  }
}
