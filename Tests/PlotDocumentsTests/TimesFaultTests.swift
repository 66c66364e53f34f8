import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Times, zones and countries that are refused, with their places.
@Suite struct TimesFaultTests {
  static let countryForm = "a country's three letters, as in \"NLD\""
  static let zoneForm = "the IANA name of a time zone that this system has, as in \"Europe/Amsterdam\""
  static let hoursForm = "an object, as in {\"mon\": [[\"09:00\", \"17:30\"]]}"
  static let hoursKeys = "a key of opening hours (mon, tue, wed, thu, fri, sat, sun, exceptions)"
  static let spanForm = "[start, end], as in [\"09:00\", \"17:30\"]"
  static let startForm = "a time from \"00:00\" to \"23:59\""
  static let endForm = "a time from \"00:00\" to \"24:00\""
  static let types = #""inherit" or "anytime" or "timespans" or "openinghours""#
  static let timeForm = CampaignFaultTests.timeForm
  static let wallForm = timeForm + ", or without an offset for the time on the wall"

  /// Faults of opening hours, with pointers below them.
  static let hours: [FaultCase] = [
    FaultCase("[]", "", "[]", hoursForm, "an array"),
    FaultCase(#"{"Mon":[]}"#, "/Mon", "[]", hoursKeys, "the unknown key \"Mon\""),
    FaultCase(#"{"x-mon":[]}"#, "/x-mon", "[]", hoursKeys, "the unknown key \"x-mon\""),
    FaultCase(#"{"mon":null}"#, "/mon", "null", "an array of spans [start, end]", "null"),
    FaultCase(#"{"mon":{}}"#, "/mon", "{}", "an array of spans [start, end]", "an object"),
    FaultCase(#"{"mon":["09:00","17:30"]}"#, "/mon/0", "\"09", spanForm, "the string \"09:00\""),
    FaultCase(#"{"mon":[[]]}"#, "/mon/0", "[]", spanForm, "0 elements"),
    FaultCase(#"{"sun":[["09:00"]]}"#, "/sun/0", "[\"09:00\"]", spanForm, "1 elements"),
    FaultCase(#"{"tue":[["09:00","10:00"],["11:00","12:00","13:00"]]}"#, "/tue/1", "[\"11", spanForm, "3 elements"),
    FaultCase(#"{"wed":[[9,10]]}"#, "/wed/0/0", "9,", startForm, "the number 9"),
    FaultCase(#"{"wed":[["24:00","10:00"]]}"#, "/wed/0/0", "\"24", startForm, "the string \"24:00\""),
    FaultCase(#"{"wed":[["9:00","10:00"]]}"#, "/wed/0/0", "\"9", startForm, "the string \"9:00\""),
    FaultCase(#"{"wed":[["09:60","10:00"]]}"#, "/wed/0/0", "\"09", startForm, "the string \"09:60\""),
    FaultCase(#"{"wed":[["0900 ","10:00"]]}"#, "/wed/0/0", "\"09", startForm, "the string \"0900 \""),
    FaultCase(#"{"wed":[["0a:00","10:00"]]}"#, "/wed/0/0", "\"0a", startForm, "the string \"0a:00\""),
    FaultCase(#"{"thu":[["09:00","24:01"]]}"#, "/thu/0/1", "\"24", endForm, "the string \"24:01\""),
    FaultCase(#"{"thu":[["09:00","25:00"]]}"#, "/thu/0/1", "\"25", endForm, "the string \"25:00\""),
    FaultCase(#"{"thu":[["09:00","-1:00"]]}"#, "/thu/0/1", "\"-1", endForm, "the string \"-1:00\""),
    FaultCase(#"{"thu":[["09:00",null]]}"#, "/thu/0/1", "null", endForm, "null"),
    FaultCase(#"{"exceptions":[]}"#, "/exceptions", "[]", "an object", "an array"),
    FaultCase(
      #"{"exceptions":{"25-12-2026":[]}}"#, "/exceptions/25-12-2026", "[]", "a day as \"2026-12-25\"", "\"25-12-2026\""),
    FaultCase(
      #"{"exceptions":{"2026-02-29":[]}}"#, "/exceptions/2026-02-29", "[]", "a day as \"2026-12-25\"", "\"2026-02-29\""),
    FaultCase(
      #"{"exceptions":{"2026-1-1":[]}}"#, "/exceptions/2026-1-1", "[]", "a day as \"2026-12-25\"", "\"2026-1-1\""),
    FaultCase(#"{"exceptions":{"":[]}}"#, "/exceptions/", "[]", "a day as \"2026-12-25\"", "\"\""),
    FaultCase(
      #"{"exceptions":{"2026-12-25":null}}"#, "/exceptions/2026-12-25", "null", "an array of spans [start, end]", "null"
    ),
    FaultCase(
      #"{"exceptions":{"2026-12-25":[["10:00","1:00"]]}}"#, "/exceptions/2026-12-25/0/1", "\"1:", endForm,
      "the string \"1:00\""),
  ]

  /// Faults of spans, with pointers below them.
  static let spans: [FaultCase] = [
    FaultCase("{}", "", "{}", "an array of spans", "an object"),
    FaultCase("null", "", "null", "an array of spans", "null"),
    FaultCase("[]", "", "[]", "at least one span", "an empty array"),
    FaultCase("[5]", "/0", "5", "a span, an object", "the number 5"),
    FaultCase("[{}]", "/0", "{}", "\"start\", \"end\" or both", "neither"),
    FaultCase(#"[{"from":5}]"#, "/0/from", "5", "a key of a span (start, end)", "the unknown key \"from\""),
    FaultCase(#"[{"start":"2026-05-16"}]"#, "/0/start", "\"2026", wallForm, "the string \"2026-05-16\""),
    FaultCase(#"[{"start":"2026-05-16T12:00:00Z"},{"end":5}]"#, "/1/end", "5", wallForm, "the number 5"),
    FaultCase(
      #"[{"start":"2026-05-16T12:00:00Z","end":"2026-05-16T12:00:00Z"}]"#, "/0/end", "\"2026", "a time after \"start\"",
      "the string \"2026-05-16T12:00:00Z\""),
    FaultCase(
      #"[{"start":"2026-05-16T12:00:00","end":"2026-05-16T13:00:00Z"}]"#, "/0/end", "\"2026-05-16T13",
      "a time without an offset, as \"start\" has none", "the string \"2026-05-16T13:00:00Z\""),
    FaultCase(
      #"[{"start":"2026-05-16T12:00:00+02:00","end":"2026-05-16T13:00:00"}]"#, "/0/end", "\"2026-05-16T13",
      "a time with an offset, as \"start\" has one", "the string \"2026-05-16T13:00:00\""),
    FaultCase(
      #"[{"start":"2026-05-16T12:00:00","end":"2026-05-16T12:00:00"}]"#, "/0/end", "\"2026-05-16T12:00:00\"}",
      "a time after \"start\"", "the string \"2026-05-16T12:00:00\""),
  ]

  static let regions: [FaultCase] = [
    FaultCase(#","country":"nld""#, "/country", "\"nld", countryForm, "the string \"nld\""),
    FaultCase(#","country":"NL""#, "/country", "\"NL\"", countryForm, "the string \"NL\""),
    FaultCase(#","country":"NLDX""#, "/country", "\"NLDX", countryForm, "the string \"NLDX\""),
    FaultCase(#","country":"ÉA""#, "/country", "\"É", countryForm, "the string \"ÉA\""),
    FaultCase(#","country":528"#, "/country", "528", countryForm, "the number 528"),
    FaultCase(#","country":null"#, "/country", "null", countryForm, "null"),
    FaultCase(#","timeZone":"Europe/Atlantis""#, "/timeZone", "\"Eu", zoneForm, "the string \"Europe/Atlantis\""),
    FaultCase(#","timeZone":"""#, "/timeZone", "\"\"", zoneForm, "the string \"\""),
    FaultCase(#","timeZone":"../zoneinfo/UTC""#, "/timeZone", "\"..", zoneForm, "the string \"../zoneinfo/UTC\""),
    FaultCase(
      #","timeZone":"/usr/share/zoneinfo/UTC""#, "/timeZone", "\"/", zoneForm, "the string \"/usr/share/zoneinfo/UTC\""),
    FaultCase(#","timeZone":"Europe""#, "/timeZone", "\"Eu", zoneForm, "the string \"Europe\""),
    FaultCase(#","timeZone":"zone1970.tab""#, "/timeZone", "\"zone", zoneForm, "the string \"zone1970.tab\""),
    FaultCase(#","timeZone":2"#, "/timeZone", "2", zoneForm, "the number 2"),
    FaultCase(#","timezone":"UTC""#, "/timezone", "\"UTC", FeedFaultTests.geofenceKeys, "the unknown key \"timezone\""),
    FaultCase(
      #","openingHours":{},"timespans":[{"end":"2026-05-16T12:00:00Z"}]"#, "/openingHours", "{}",
      "\"timespans\" or \"openingHours\", not both", "an object"),
  ]

  static let campaigns: [FaultCase] = [
    FaultCase("5", "", "5", "an object, as in {\"type\": \"anytime\"}", "the number 5"),
    FaultCase(
      "{}", "", "{}", "\"type\", \"inherit\" or \"anytime\" or \"timespans\" or \"openinghours\"", "no such key"),
    FaultCase(#"{"type":"openingHours"}"#, "/type", "\"op", types, "the string \"openingHours\""),
    FaultCase(#"{"type":null}"#, "/type", "null", types, "null"),
    FaultCase(
      #"{"type":"anytime","timespans":[]}"#, "/timespans", "[]", "a key of times of type anytime (type, zone, outside)",
      "the unknown key \"timespans\""),
    FaultCase(
      #"{"type":"inherit","openingHours":{}}"#, "/openingHours", "{}",
      "a key of times of type inherit (type, zone, outside)", "the unknown key \"openingHours\""),
    FaultCase(
      #"{"type":"timespans","openingHours":{}}"#, "/openingHours", "{}",
      "a key of times of type timespans (type, timespans, zone, outside)", "the unknown key \"openingHours\""),
    FaultCase(
      #"{"type":"openinghours","openingHours":{},"hold":1}"#, "/hold", "1",
      "a key of times of type openinghours (type, openingHours, zone, outside)", "the unknown key \"hold\""),
    FaultCase(#"{"type":"timespans"}"#, "", "{", "\"timespans\", an array of spans", "no such key"),
    FaultCase(#"{"type":"openinghours"}"#, "", "{", "\"openingHours\", opening hours, an object", "no such key"),
    FaultCase(
      #"{"type":"anytime","zone":"Mars/Base"}"#, "/zone", "\"Mars", LimitFaultTests.zones, "the string \"Mars/Base\""),
    FaultCase(#"{"type":"anytime","outside":true}"#, "/outside", "true", "\"drop\" or \"hold\"", "true"),
  ]

  static func inRegion(_ members: String) -> String {
    "{\"version\":1,\n\"regions\":[\(FeedFaultTests.geofence(members))],\n\"campaigns\":[]}"
  }

  static func inCampaign(_ members: String) -> String {
    "{\"version\":1,\"regions\":[\(FeedFaultTests.geofence(""))],\n\"campaigns\":[\n\(CampaignFaultTests.notification(members))]}"
  }

  @Test(arguments: hours)
  func openingHoursAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(Self.inRegion(#","openingHours":"# + test.text), test, in: "/regions/0/openingHours")
    let own = #","triggerTimes":{"type":"openinghours","openingHours":\#(test.text)}"#
    try FeedFaultTests.check(Self.inCampaign(own), test, in: "/campaigns/0/triggerTimes/openingHours")
  }

  @Test(arguments: spans)
  func spansAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(Self.inRegion(#","timespans":"# + test.text), test, in: "/regions/0/timespans")
    let own = #","triggerTimes":{"type":"timespans","timespans":\#(test.text)}"#
    try FeedFaultTests.check(Self.inCampaign(own), test, in: "/campaigns/0/triggerTimes/timespans")
  }

  @Test(arguments: regions)
  func regionsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(Self.inRegion(test.text), test, in: "/regions/0")
  }

  @Test(arguments: campaigns)
  func campaignsAreRefused(_ test: FaultCase) throws {
    let text = Self.inCampaign(#","triggerTimes":"# + test.text)
    try FeedFaultTests.check(text, test, in: "/campaigns/0/triggerTimes")
  }

  @Test func anExitCannotWait() throws {
    let exit = Self.inCampaign(#","trigger":"exit","triggerTimes":{"type":"anytime","outside":"hold"}"#)
    let test = FaultCase("", "/outside", "\"hold", "\"drop\", for nobody is inside after an exit", "\"hold\"")
    try FeedFaultTests.check(exit, test, in: "/campaigns/0/triggerTimes")
    #expect(fault(ofFeed: exit.replacingOccurrences(of: "hold", with: "drop")) == nil)
    #expect(fault(ofFeed: exit.replacingOccurrences(of: "exit", with: "enter")) == nil)
  }
}
