import Foundation
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Trees of conditions that are refused, with their places.
@Suite struct ConditionFaultTests {
  static let form =
    "an object with one of \"all\", \"any\", \"not\", \"property\", \"campaign\", \"country\", "
    + "\"travelMinutes\", \"travelMode\""
  static let textForm = CampaignFaultTests.textForm
  static let values = "a string, a boolean, a number, {\"date\": \"…\"}, {\"ago\": seconds} or {\"ahead\": seconds}"
  static let comparisons =
    "equals, differs, less, atMost, atLeast, greater, between, in, exists, begins, contains, version"
  static let propertyKeys = "a key of a condition with \"property\" (property, \(comparisons))"
  static let one = "one comparison (\(comparisons))"
  static let seconds = "an integer from 0 to 3153600000"
  static let atLeastOne = "at least one element"
  static let orders = "less, atMost, atLeast, greater"
  static let historyForm = "one of \"shown\" and \"opened\""

  static func property(_ comparison: String) -> String { #"{"property":"p",\#(comparison)}"# }
  static func history(_ members: String) -> String { #"{"campaign":"c","# + members + "}" }

  static let trees: [FaultCase] = [
    FaultCase("5", "", "5", form, "the number 5"),
    FaultCase("[]", "", "[]", form, "an array"),
    FaultCase("null", "", "null", form, "null"),
    FaultCase("{}", "", "{}", form, "none of them"),
    FaultCase(#"{"equals":1}"#, "", "{\"e", form, "none of them"),
    FaultCase(#"{"x-all":[]}"#, "", "{\"x", form, "none of them"),
    // all, any, not.
    FaultCase(#"{"all":{}}"#, "/all", "{}", "an array of conditions", "an object"),
    FaultCase(#"{"all":null}"#, "/all", "null", "an array of conditions", "null"),
    FaultCase(#"{"all":[]}"#, "/all", "[]", atLeastOne, "an empty array"),
    FaultCase(#"{"any":[]}"#, "/any", "[]", atLeastOne, "an empty array"),
    FaultCase(#"{"any":[{"country":["NLD"]},true]}"#, "/any/1", "true", form, "true"),
    FaultCase(
      #"{"all":[{"country":["NLD"]}],"any":[]}"#, "/any", "[]", "a key of a condition with \"all\" (all)",
      "the unknown key \"any\""),
    FaultCase(
      #"{"any":[{"country":["NLD"]}],"x-any":1}"#, "/x-any", "1", "a key of a condition with \"any\" (any)",
      "the unknown key \"x-any\""),
    FaultCase(#"{"not":[]}"#, "/not", "[]", form, "an array"),
    FaultCase(#"{"not":{"not":{"not":7}}}"#, "/not/not/not", "7", form, "the number 7"),
    FaultCase(
      #"{"not":{"country":["NLD"]},"property":"p"}"#, "/property", "\"p\"", "a key of a condition with \"not\" (not)",
      "the unknown key \"property\""),
    // Countries.
    FaultCase(#"{"country":"NLD"}"#, "/country", "\"NLD", "an array of countries", "the string \"NLD\""),
    FaultCase(#"{"country":[]}"#, "/country", "[]", atLeastOne, "an empty array"),
    FaultCase(
      #"{"country":["NLD","nl"]}"#, "/country/1", "\"nl\"", TimesFaultTests.countryForm, "the string \"nl\""),
    FaultCase(
      #"{"country":["NLD"],"equals":1}"#, "/equals", "1", "a key of a condition with \"country\" (country)",
      "the unknown key \"equals\""),
    // History.
    FaultCase(#"{"campaign":"c"}"#, "", "{", historyForm, "none or both"),
    FaultCase(history(#""shown":true,"opened":true"#), "", "{", historyForm, "none or both"),
    FaultCase(
      #"{"campaign":7,"shown":true}"#, "/campaign", "7", FeedFaultTests.idForm, "the number 7"),
    FaultCase(
      #"{"campaign":"a;b","shown":true}"#, "/campaign", "\"a;b", FeedFaultTests.idForm, "the string \"a;b\""),
    FaultCase(history(#""shown":false"#), "/shown", "false", "true, or {\"within\": seconds}", "false"),
    FaultCase(history(#""opened":60"#), "/opened", "60", "true, or {\"within\": seconds}", "the number 60"),
    FaultCase(history(#""shown":{}"#), "/shown", "{}", "\"within\", seconds", "no such key"),
    FaultCase(
      history(#""shown":{"within":0}"#), "/shown/within", "0", "an integer from 1 to 3153600000", "the number 0"),
    FaultCase(
      history(#""shown":{"within":3153600001}"#), "/shown/within", "3153600001", "an integer from 1 to 3153600000",
      "the number 3153600001"),
    FaultCase(
      history(#""opened":{"within":1.5}"#), "/opened/within", "1.5", "an integer from 1 to 3153600000", "the number 1.5"
    ),
    FaultCase(
      history(#""opened":{"ago":1}"#), "/opened/ago", "1", "a key of a time of history (within)",
      "the unknown key \"ago\""),
    FaultCase(
      history(#""seen":true"#), "/seen", "true", "a key of a condition with \"campaign\" (campaign, shown, opened)",
      "the unknown key \"seen\""),
  ]

  static let properties: [FaultCase] = [
    FaultCase(#"{"property":"","equals":1}"#, "/property", "\"\"", textForm, "the string \"\""),
    FaultCase(#"{"property":7,"equals":1}"#, "/property", "7", textForm, "the number 7"),
    FaultCase(#"{"property":"p"}"#, "", "{\"p", one, "none"),
    FaultCase(property(#""equals":1,"less":2"#), "", "{\"p", one, "equals, less"),
    FaultCase(property(#""is":1"#), "/is", "1", propertyKeys, "the unknown key \"is\""),
    FaultCase(property(#""equals":1,"x-p":2"#), "/x-p", "2", propertyKeys, "the unknown key \"x-p\""),
    FaultCase(
      property(#""equals":1,"not":true"#), "/property", "\"p\"", "a key of a condition with \"not\" (not)",
      "the unknown key \"property\""),
    FaultCase(property(#""equals":null"#), "/equals", "null", values, "null"),
    FaultCase(property(#""equals":[1]"#), "/equals", "[1]", values, "an array"),
    FaultCase(property(#""differs":{}"#), "/differs", "{}", values, "an object"),
    FaultCase(property(#""less":{"ago":1,"ahead":1}"#), "/less", "{", values, "an object"),
    FaultCase(
      property(#""equals":{"time":"now"}"#), "/equals/time", "\"now", "a key of a date (date, ago, ahead)",
      "the unknown key \"time\""),
    FaultCase(
      property(#""equals":{"date":"now"}"#), "/equals/date", "\"now", CampaignFaultTests.timeForm, "the string \"now\""),
    FaultCase(property(#""atLeast":{"ago":-1}"#), "/atLeast/ago", "-1", seconds, "the number -1"),
    FaultCase(property(#""atLeast":{"ahead":1.0}"#), "/atLeast/ahead", "1.0", seconds, "the number 1.0"),
    FaultCase(
      property(#""atMost":{"ago":3153600001}"#), "/atMost/ago", "3153600001", seconds, "the number 3153600001"),
    FaultCase(property(#""in":[]"#), "/in", "[]", atLeastOne, "an empty array"),
    FaultCase(property(#""in":"a""#), "/in", "\"a\"", "an array of values", "the string \"a\""),
    FaultCase(property(#""in":["a",[]]"#), "/in/1", "[]", values, "an array"),
    FaultCase(property(#""between":5"#), "/between", "5", "[least, most]", "the number 5"),
    FaultCase(property(#""between":[1]"#), "/between", "[1]", "[least, most]", "1 elements"),
    FaultCase(property(#""between":[1,2,3]"#), "/between", "[1,2,3]", "[least, most]", "3 elements"),
    FaultCase(property(#""between":[1,null]"#), "/between/1", "null", values, "null"),
    FaultCase(
      property(#""between":[true,2]"#), "/between/0", "true", "a string, a number or a date", "true"),
    FaultCase(property(#""exists":1"#), "/exists", "1", "true or false", "the number 1"),
    FaultCase(property(#""begins":1"#), "/begins", "1", "a string", "the number 1"),
    FaultCase(property(#""contains":null"#), "/contains", "null", "a string", "null"),
    FaultCase(
      property(#""version":"1.10""#), "/version", "\"1.10", "an object, as in {\"atLeast\": \"1.10\"}",
      "the string \"1.10\""),
    FaultCase(property(#""version":{}"#), "/version", "{}", "one of \(orders)", "none or several"),
    FaultCase(
      property(#""version":{"less":"1","greater":"1"}"#), "/version", "{", "one of \(orders)", "none or several"),
    FaultCase(
      property(#""version":{"equals":"1"}"#), "/version/equals", "\"1", "a key of a version (\(orders))",
      "the unknown key \"equals\""),
    FaultCase(property(#""version":{"less":1}"#), "/version/less", "1", "a string", "the number 1"),
    FaultCase(
      property(#""version":{"less":"1.x"}"#), "/version/less", "\"1.x", "dotted numbers, as in \"1.10.2\"",
      "the string \"1.x\""),
  ]

  static let orderFaults: [FaultCase] = ["less", "atMost", "atLeast", "greater"].map {
    FaultCase(property("\"\($0)\":false"), "/\($0)", "false", "a string, a number or a date", "false")
  }

  @Test(arguments: trees + properties + orderFaults)
  func treesAreRefused(_ test: FaultCase) throws {
    let text = TimesFaultTests.inCampaign(#","segmentation":"# + test.text)
    try FeedFaultTests.check(text, test, in: "/campaigns/0/segmentation")
    let inside = TimesFaultTests.inCampaign(#","segmentation":{"all":[{"country":["NLD"]},{"not":\#(test.text)}]}"#)
    try FeedFaultTests.check(inside, test, in: "/campaigns/0/segmentation/all/1/not")
  }
}
