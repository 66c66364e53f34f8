import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The settings for messages, messages and lists: faults with their places, and what is read.
@Suite struct MessageFaultTests {
  static let idForm = FeedFaultTests.idForm
  static let textForm = CampaignFaultTests.textForm
  static let nameForm = "a string of 1 to 255 bytes"
  static let pathForm = "keys with dots between them, as in \"payload.customId\""
  static let fields = "no placeholder but {{id}}, {{sender}}, {{thread}}, {{title}}, {{body}}"
  static let condition =
    "an object with one of \"all\", \"any\", \"not\", \"senderIn\", \"senderNotIn\", \"threadIn\", \"contains\""
  static let day = "a time from \"00:00\" to \"23:59\""

  // MARK: Settings

  static let settings: [FaultCase] = [
    FaultCase("[]", "", "[]", "settings for messages, an object", "an array"),
    FaultCase(
      #"{"rule":[]}"#, "/rule", "[]",
      "a key of the settings for messages (profile, paths, correlation, revision, rules, placeholder, tombstoneDays, cooldown)",
      "the unknown key \"rule\""),
    FaultCase(#"{"correlation":"k"}"#, "/correlation", "\"k\"", "an object with a \"path\"", "the string \"k\""),
    FaultCase(#"{"correlation":{}}"#, "/correlation", "{}", "\"path\", \(pathForm)", "no such key"),
    FaultCase(
      #"{"revision":{"path":"a","x":1}}"#, "/revision/x", "1", "a key of \"revision\" (path)", "the unknown key \"x\""),
    FaultCase(#"{"revision":{"path":""}}"#, "/revision/path", "\"\"", pathForm, "the string \"\""),
    FaultCase(#"{"revision":{"path":"a..b"}}"#, "/revision/path", "\"a", pathForm, "the string \"a..b\""),
    FaultCase(#"{"placeholder":""}"#, "/placeholder", "\"\"", textForm, "the string \"\""),
    FaultCase(#"{"tombstoneDays":0}"#, "/tombstoneDays", "0", "an integer from 1 to 365", "the number 0"),
    FaultCase(#"{"tombstoneDays":366}"#, "/tombstoneDays", "366", "an integer from 1 to 365", "the number 366"),
    FaultCase(#"{"cooldown":1}"#, "/cooldown", "1", "true or false", "the number 1"),
    FaultCase(#"{"rules":{}}"#, "/rules", "{}", "an array of rules", "an object"),
    FaultCase(#"{"rules":[5]}"#, "/rules/0", "5", "a rule, an object", "the number 5"),
  ]

  @Test(arguments: settings) func settingsThatAreRefused(_ fault: FaultCase) throws {
    try expect(fault, #"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":"#, "}}", "/settings/messages")
  }

  // MARK: Rules

  static let actions = #""keep" or "drop" or "mute" or "rewrite" or "defer""#
  static func rule(_ members: String) -> String { #"{"then":"keep","if":\#(members)}"# }

  static let rules: [FaultCase] = [
    FaultCase("{}", "", "{}", "\"then\", \(actions)", "no such key"),
    FaultCase(#"{"then":"show"}"#, "/then", "\"show", actions, "the string \"show\""),
    FaultCase(
      #"{"then":"drop","body":"x"}"#, "/body", "\"x", "a key of a rule with \"drop\" (id, if, then, whenAbsent)",
      "the unknown key \"body\""),
    FaultCase(
      #"{"then":"rewrite","title":"x","seconds":1}"#, "/seconds", "1",
      "a key of a rule with \"rewrite\" (id, if, then, title, body, whenAbsent)", "the unknown key \"seconds\""),
    FaultCase(#"{"id":"a;b","then":"keep"}"#, "/id", "\"a;", idForm, "the string \"a;b\""),
    FaultCase(
      #"{"then":"keep","whenAbsent":"drop"}"#, "/whenAbsent", "\"drop", #""skip" or "apply""#, "the string \"drop\""),
    FaultCase(#"{"then":"rewrite"}"#, "", "{", "\"title\" or \"body\", or both", "none of them"),
    FaultCase(#"{"then":"rewrite","body":""}"#, "/body", "\"\"", textForm, "the string \"\""),
    FaultCase(#"{"then":"rewrite","body":"{{name}}"}"#, "/body", "\"{{", fields, "the string \"{{name}}\""),
    FaultCase(
      #"{"then":"rewrite","title":"{{"}"#, "/title", "\"{{", CampaignFaultTests.templateForm, "the string \"{{\""),
    FaultCase(#"{"then":"defer"}"#, "", "{", "one of \"seconds\" and \"until\"", "none of them"),
    FaultCase(#"{"then":"defer","seconds":1,"until":"08:00"}"#, "", "{", "one of \"seconds\" and \"until\"", "both"),
    FaultCase(#"{"then":"defer","seconds":0}"#, "/seconds", "0", "an integer from 1 to 604800", "the number 0"),
    FaultCase(#"{"then":"defer","until":"24:00"}"#, "/until", "\"24", day, "the string \"24:00\""),
    FaultCase(#"{"then":"defer","until":480}"#, "/until", "480", day, "the number 480"),
    FaultCase(rule("5"), "/if", "5", condition, "the number 5"),
    FaultCase(rule("{}"), "/if", "{}", condition, "none of them"),
    FaultCase(rule(#"{"all":[]}"#), "/if/all", "[]", "at least one element", "an empty array"),
    FaultCase(rule(#"{"any":{}}"#), "/if/any", "{}", "an array of conditions", "an object"),
    FaultCase(
      rule(#"{"not":{"any":[{"contains":""}]}}"#), "/if/not/any/0/contains", "\"\"", textForm, "the string \"\""),
    FaultCase(rule(#"{"senderIn":""}"#), "/if/senderIn", "\"\"", idForm, "the string \"\""),
    FaultCase(rule(#"{"senderNotIn":7}"#), "/if/senderNotIn", "7", idForm, "the number 7"),
    FaultCase(
      rule(#"{"threadIn":"a","contains":"b"}"#), "/if/contains", "\"b",
      "a key of a condition with \"threadIn\" (threadIn)", "the unknown key \"contains\""),
  ]

  @Test(arguments: rules) func rulesThatAreRefused(_ fault: FaultCase) throws {
    try expect(
      fault, #"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":{"rules":[{"then":"mute"},"#, "]}}}",
      "/settings/messages/rules/1")
  }

  private func expect(_ wanted: FaultCase, _ start: String, _ end: String, _ place: String) throws {
    let text = start + wanted.text + end
    let error = try #require(fault(ofFeed: text))
    #expect(error.pointer == place + wanted.pointer)
    #expect(error.expected == wanted.expected && error.found == wanted.found)
    #expect(String(text.utf8.dropFirst(error.column - 1))?.hasPrefix(wanted.at) == true)
  }

  static let full =
    #"{"correlation":{"path":"payload.customId"},"revision":{"path":"sentAt"},"rules":["#
    + #"{"id":"r","if":{"all":[{"senderIn":"l"},{"any":[{"senderNotIn":"m"},{"not":{"threadIn":"é"}}]}]},"#
    + #""then":"drop","whenAbsent":"apply"},{"if":{"contains":"x"},"then":"rewrite","title":"","body":"{{ body }}"},"#
    + #"{"then":"rewrite","title":"{{sender}}"},{"then":"defer","seconds":604800},{"then":"defer","until":"08:05"},"#
    + #"{"then":"mute"},{"then":"keep"}],"placeholder":"Mail","tombstoneDays":1,"cooldown":true}"#

  @Test func settingsAreWrittenAsTheyWereRead() throws {
    for messages in [Self.full, #"{"rules":[{"then":"keep"}]}"#, #"{"revision":{"path":"a"}}"#] {
      let text = #"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":\#(messages)}}"#
      let feed = try Feed.parse(text)
      #expect(feed.json == text)
      #expect(try Feed.parse(feed.json).settings == feed.settings)
    }
    let settings = try Feed.parse(#"{"version":1,"regions":[],"campaigns":[],"settings":{"messages":{}}}"#).settings
    #expect(settings == FeedSettings())
    #expect(
      settings.messages.places(of: .correlation) == [["correlationKey"]]
        && settings.messages.places(of: .revision) == [["revision"]])
    #expect(settings.messages.placeholder == "New message" && settings.messages.memory == 7 * 86_400_000)
  }

  // MARK: Messages

  private func message(_ text: String, _ correlation: String = "correlationKey") throws -> Message {
    var settings = MessageSettings()
    settings.paths[.correlation] = [correlation.split(separator: ".").map(String.init)]
    return try Message.parse(Array(text.utf8), settings)
  }

  @Test func messagesThatAreRefused() throws {
    for (text, expected) in [
      ("5", "1:1  | a message: {\"id\": \"…\", \"body\": \"…\"} | the number 5"),
      (#"{"id":1,"body":"b"}"#, "1:7 /id | \(Self.nameForm) | the number 1"),
      (#"{"id":"\#(String(repeating: "é", count: 128))","body":"b"}"#, "1:7 /id | \(Self.nameForm) | the string"),
      (#"{"id":"m","body":null}"#, "1:1  | \"body\", \(Self.textForm) | null"),
      (#"{"id":"m","op":"retract","body":7}"#, "1:33 /body | \(Self.textForm) | the number 7"),
      (#"{"id":"m","op":"retract","body":""}"#, "1:33 /body | \(Self.textForm) | the string \"\""),
      (#"{"id":"m","body":"b","title":[]}"#, "1:30 /title | a string | an array"),
      (#"{"id":"m","body":"b","thread":""}"#, "1:31 /thread | \(Self.nameForm) | the string \"\""),
      (#"{"id":"m","body":"b","id":"n"}"#, "1:22  | each key once | the key \"id\" again"),
    ] {
      var found = ""
      do { _ = try message(text) } catch let error as DocumentError { found = short(error) }
      #expect(found.hasPrefix(expected), "\(found)")
    }
  }

  @Test func everyKeyIsRead() throws {
    let message = try message(
      #"{"id":"m","op":"update","sender":"s","thread":"t","title":"T","subtitle":"S","body":"B","data":[1, 2.50],"#
        + #""sound":"bell","badge":0,"category":"c","userInfo":{"b":{},"a":1},"priority":-1000,"correlationKey":7,"#
        + #""revision":"-3","aps":{"alert":1}}"#)
    #expect(message.id == "m" && message.operation == .update && message.sender == "s" && message.thread == "t")
    #expect(message.content.title == "T" && message.content.subtitle == "S" && message.content.message == "B")
    #expect(message.content.data == "[1,2.5]" && message.content.sound == "bell" && message.content.badge == 0)
    #expect(message.content.category == "c" && message.content.userInfo.map(\.key.text) == ["b", "a"])
    #expect(message.priority == -1000 && message.correlationKey == "7" && message.revision == -3)
  }

  @Test(
    arguments: [
      (#""1""#, "1"), ("12", "12"), (#""""#, nil), ("1.5", nil), ("true", nil), ("null", nil), ("[\"1\"]", nil),
      ("{}", nil),
      (#""\#(String(repeating: "x", count: 256))""#, nil),
    ] as [(String, String?)])
  func valuesOfACorrelationKey(_ value: String, _ key: String?) throws {
    #expect(try message(#"{"id":"m","body":"b","a":{"b":\#(value)}}"#, "a.b").correlationKey == key)
    let inner = #"{"b":\#(value)}"#.replacingOccurrences(of: "\"", with: "\\\"")
    #expect(try message(#"{"id":"m","body":"b","a":"\#(inner)"}"#, "a.b").correlationKey == key, "in a string")
  }

  @Test func aPathThatEndsEarlyLeadsNowhere() throws {
    for payload in ["5", "\"\"", "\"[1]\"", "\"5\"", "\"{\"", "{}", "[]", "null", #"{"c":1}"#] {
      #expect(try message(#"{"id":"m","body":"b","a":\#(payload)}"#, "a.b").correlationKey == nil, "\(payload)")
    }
    #expect(try message(#"{"id":"m","body":"b"}"#, "a.b").correlationKey == nil)
  }

  // MARK: Lists

  @Test func listsThatAreRefused() throws {
    let entries = "\"entries\", an array of strings"
    let most = Array(repeating: "\"e\"", count: 100_001).joined(separator: ",")
    for (text, expected) in [
      ("[]", "1:1  | a list: {\"version\": 1, \"entries\": [\"…\"]} | an array"),
      (#"{"version":1}"#, "1:1  | \(entries) | no such key"),
      (#"{"version":1.0,"entries":[]}"#, "1:12 /version | an integer, 0 or more | the number 1.0"),
      (#"{"version":1,"entries":[null]}"#, "1:25 /entries/0 | \(Self.nameForm) | null"),
      (#"{"version":1,"entries":[],"name":"l"}"#, "1:34 /name | a key of a list (version, entries) | the unknown"),
      (#"{"version":1,"entries":[\#(most)]}"#, "1:24 /entries | at most 100000 elements | 100001"),
    ] {
      var found = ""
      do { _ = try ListUpdate(parsing: Array(text.utf8)) } catch { found = short(error) }
      #expect(found.hasPrefix(expected), "\(found)")
    }
    let update = try ListUpdate(parsing: Array(#"{"version":0,"entries":["b","a","b"]}"#.utf8))
    #expect(update.version == 0 && update.entries == [Identifier("a"), Identifier("b")])
    #expect(ListUpdate.text(update.entries) == #"["a","b"]"#)
    #expect(ListUpdate.entries(#"["a","b"]"#) == update.entries && ListUpdate.entries("{}") == nil)
  }
}
