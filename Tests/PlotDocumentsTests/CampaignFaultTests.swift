import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

@Suite struct CampaignFaultTests {
  static let textForm = "a string that is not empty"
  static let templateForm = "a placeholder as {{field}}, closed and not empty"
  static let timeForm = "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\""
  static let notificationKeys = "a key of a notification (\(DocumentKeys.notification.keys.joined(separator: ", ")))"
  static let geotriggerKeys = "a key of a geotrigger (\(DocumentKeys.geotrigger.keys.joined(separator: ", ")))"
  static let handlers = #""regular" or "landingPage" or "applink" or "appLink""#
  static let triggers = #""enter" or "exit" or "dwelling" or "inside" or "approaching" or "absent" or "trip""#

  static func notification(_ members: String) -> String {
    #"{"id":"c","type":"notification","message":"m","regions":["a"]"# + members + "}"
  }

  static func geotrigger(_ members: String) -> String {
    #"{"id":"c","type":"geotrigger","name":"m","regions":["a"]"# + members + "}"
  }

  static func at(_ regions: String) -> String {
    #"{"id":"c","type":"notification","message":"m","regions":\#(regions)}"#
  }
  static func saying(_ message: String) -> String {
    #"{"id":"c","type":"notification","message":\#(message),"regions":["a"]}"#
  }
  static func when(_ condition: String) -> String { notification(#","segmentation":{"all":[\#(condition)]}"#) }

  static let campaigns: [FaultCase] = [
    FaultCase(#"{"id":"c","regions":["a"]}"#, "", "{", "\"type\", \"notification\" or \"geotrigger\"", "no such key"),
    FaultCase(
      #"{"id":"c","type":"Notification"}"#, "/type", "\"N", "\"notification\" or \"geotrigger\"",
      "the string \"Notification\""),
    FaultCase(
      #"{"type":"notification","message":"m","regions":["a"]}"#, "", "{", "\"id\", \(FeedFaultTests.idForm)",
      "no such key"),
    FaultCase(
      #"{"id":"a;b","type":"notification","message":"m","regions":["a"]}"#, "/id", "\"a;b\"", FeedFaultTests.idForm,
      "the string \"a;b\""),
    // Texts.
    FaultCase(#"{"id":"c","type":"notification","regions":["a"]}"#, "", "{", "\"message\", \(textForm)", "no such key"),
    FaultCase(#"{"id":"c","type":"geotrigger","regions":["a"]}"#, "", "{", "\"name\", \(textForm)", "no such key"),
    FaultCase(saying(#""""#), "/message", "\"\"", textForm, "the string \"\""),
    FaultCase(saying("null"), "/message", "null", "a string", "null"),
    FaultCase(saying("5"), "/message", "5", "a string", "the number 5"),
    FaultCase(saying(#""{{offer""#), "/message", "\"{{", templateForm, "the string \"{{offer\""),
    FaultCase(saying(#""{{ }}""#), "/message", "\"{{", templateForm, "the string \"{{ }}\""),
    FaultCase(
      #"{"id":"c","type":"geotrigger","name":"{{a}","regions":["a"]}"#, "/name", "\"{{a}", templateForm,
      "the string \"{{a}\""),
    FaultCase(
      #"{"id":"c","type":"geotrigger","name":"","regions":["a"]}"#, "/name", "\"\"", textForm, "the string \"\""),
    FaultCase(
      notification(#","messages":{}"#), "/messages", "{}", "at least one language", "an empty object"),
    FaultCase(
      notification(#","messages":{"Nederlands":"x"}"#), "/messages/Nederlands", "\"x\"",
      "a language's tag (BCP 47) as the key, as in \"nl\" or \"pt-BR\"", "\"Nederlands\""),
    FaultCase(
      notification(#","messages":{"nl":""}"#), "/messages/nl", "\"\"", "a string that is not empty", "the string \"\""),
    FaultCase(
      notification(#","messages":{"nl":"x","NL":"y"}"#), "/messages", "{\"nl", "each language once", "an object"),
    FaultCase(
      notification(#","messages":{"nl":"{{n, plural, one {#}}}"}"#), "/messages/nl", "\"{{n",
      "a plural as {{field, plural, one {# visit} other {# visits}}}, with a form other and none twice",
      "the string \"{{n, plural, one {#}}}\""),
    FaultCase(notification(#","data":"{{""#), "/data", "\"{{", templateForm, "the string \"{{\""),
    FaultCase(notification(#","data":{}"#), "/data", "{}", "a string", "an object"),
    // Keys.
    FaultCase(notification(#","name":"n""#), "/name", "\"n\"", notificationKeys, "the unknown key \"name\""),
    FaultCase(geotrigger(#","message":"n""#), "/message", "\"n\"", geotriggerKeys, "the unknown key \"message\""),
    FaultCase(
      geotrigger(#","handlerType":"regular""#), "/handlerType", "\"r", geotriggerKeys, "the unknown key \"handlerType\""
    ),
    FaultCase(
      notification(#","trigger":"dwelling","dwelingMinutes":5"#), "/dwelingMinutes", "5", notificationKeys,
      "the unknown key \"dwelingMinutes\""),
    FaultCase(notification(#","handlerType":"Applink""#), "/handlerType", "\"A", handlers, "the string \"Applink\""),
    FaultCase(notification(#","handlerType":null"#), "/handlerType", "null", handlers, "null"),
    // Triggers.
    FaultCase(notification(#","trigger":"leave""#), "/trigger", "\"leave", triggers, "the string \"leave\""),
    FaultCase(notification(#","trigger":1"#), "/trigger", "1", triggers, "the number 1"),
    FaultCase(
      notification(#","trigger":"dwelling""#), "", "{", "\"dwellingMinutes\", an integer from 5 to 720", "no such key"),
    FaultCase(
      notification(#","trigger":"dwelling","dwellingMinutes":4"#), "/dwellingMinutes", "4", "an integer from 5 to 720",
      "the number 4"),
    FaultCase(
      notification(#","trigger":"dwelling","dwellingMinutes":721"#), "/dwellingMinutes", "721",
      "an integer from 5 to 720", "the number 721"),
    FaultCase(
      notification(#","trigger":"dwelling","dwellingMinutes":5.0"#), "/dwellingMinutes", "5.0",
      "an integer from 5 to 720", "the number 5.0"),
    FaultCase(
      notification(#","dwellingMinutes":5"#), "/dwellingMinutes", "5",
      "no \"dwellingMinutes\" unless the trigger is \"dwelling\"", "the number 5"),
    FaultCase(
      notification(#","trigger":"exit","dwellingMinutes":5"#), "/dwellingMinutes", "5",
      "no \"dwellingMinutes\" unless the trigger is \"dwelling\"", "the number 5"),
    // Regions.
    FaultCase(
      #"{"id":"c","type":"geotrigger","name":"n"}"#, "", "{", "\"regions\", an array of region ids", "no such key"),
    FaultCase(at("[]"), "/regions", "[]", "at least one region id", "an empty array"),
    FaultCase(at(#""a""#), "/regions", "\"a\"", "an array of region ids", "the string \"a\""),
    FaultCase(at(#"["a","zoo"]"#), "/regions/1", "\"zoo\"", "the id of a region of this feed", "the string \"zoo\""),
    FaultCase(at(#"["A"]"#), "/regions/0", "\"A\"", "the id of a region of this feed", "the string \"A\""),
    FaultCase(at(#"["a",0]"#), "/regions/1", "0]", "a string", "the number 0"),
    FaultCase(at(#"["a","b","a"]"#), "/regions/2", "\"a\"]", "each region once", "the string \"a\""),
    // Times.
    FaultCase(notification(#","start":"2026-05-16""#), "/start", "\"2026", timeForm, "the string \"2026-05-16\""),
    FaultCase(notification(#","start":1778932800000"#), "/start", "17", timeForm, "the number 1778932800000"),
    FaultCase(notification(#","start":null"#), "/start", "null", timeForm, "null"),
    FaultCase(
      notification(#","end":"2026-05-16T12:00:00""#), "/end", "\"2026", timeForm, "the string \"2026-05-16T12:00:00\""),
    FaultCase(
      notification(#","end":"2026-02-29T12:00:00Z""#), "/end", "\"2026", timeForm,
      "the string \"2026-02-29T12:00:00Z\""),
    FaultCase(
      notification(#","end":"2026-05-16T12:00:00Z","start":"2026-05-16T12:00:00Z""#), "/end", "\"2026",
      "a time after \"start\"", "the string \"2026-05-16T12:00:00Z\""),
    FaultCase(
      notification(#","start":"2026-05-16T12:00:00Z","end":"2026-05-16T13:59:59+02:00""#), "/end", "\"2026",
      "a time after \"start\"", "the string \"2026-05-16T13:59:59+02:00\""),
    // Repeating.
    FaultCase(notification(#","resend":1"#), "/resend", "1", "true or false", "the number 1"),
    FaultCase(notification(#","resend":null"#), "/resend", "null", "true or false", "null"),
    FaultCase(
      notification(#","cooldownPeriod":-1"#), "/cooldownPeriod", "-1", "an integer from 0 to 31536000",
      "the number -1"),
    FaultCase(
      notification(#","cooldownPeriod":31536001"#), "/cooldownPeriod", "31536001", "an integer from 0 to 31536000",
      "the number 31536001"),
  ]

  @Test(arguments: campaigns)
  func campaignsAreRefused(_ test: FaultCase) throws {
    let regions = ["a", "b"].map { FeedFaultTests.identified("\"\($0)\"") }.joined(separator: ",")
    let good = Self.notification("").replacingOccurrences(of: #""c""#, with: #""good""#)
    let text = "{\"campaigns\":[\(good),\n\n\n\(test.text)],\n\"regions\":[\(regions)],\"version\":1}"
    try FeedFaultTests.check(text, test, in: "/campaigns/1")
  }

  @Test func tooMany() throws {
    let zeros = "[" + String(repeating: "0,", count: 1_000_000) + "0]"
    let regions = try #require(fault(ofFeed: #"{"version":1,"regions":\#(zeros),"campaigns":[]}"#))
    #expect(short(regions) == "1:24 /regions | at most 1000000 elements | 1000001")
    let campaigns = try #require(fault(ofFeed: #"{"version":1,"regions":[],"campaigns":\#(zeros)}"#))
    #expect(short(campaigns) == "1:39 /campaigns | at most 1000000 elements | 1000001")
  }
}
