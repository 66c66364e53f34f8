import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Tags, caps and quiet hours that are refused, with their places.
@Suite struct LimitFaultTests {
  static let settingsScopes = #""all" or "tag" or "campaign" or "region" or "visit""#
  static let capKeys = "a key of a cap (per, max, window, days, zone)"
  static let quietKeys = "a key of quiet hours (hours, zone, during)"
  static let settingsCapKeys = "a key of a cap (per, tag, max, window, days, zone)"
  static let settingsQuietKeys = "a key of quiet hours (tag, hours, zone, during)"
  static let quietForm = "quiet hours, an object, or an array of them"
  static let dailyForm = "an object, as in {\"daily\": [[\"22:00\", \"07:00\"]]}"
  static let hoursKeys = "a key of hours (daily, mon, tue, wed, thu, fri, sat, sun, exceptions)"
  static let zones =
    #""region", "device" or the IANA name of a time zone that this system has, as in "Europe/Amsterdam""#

  /// Faults of one cap in any place; `PER` stands for a scope that each has, in its own words.
  static let caps: [FaultCase] = [
    FaultCase("5", "", "5", "a cap, an object", "the number 5"),
    FaultCase(#"{"per":"visit"}"#, "", "{", "\"max\", an integer from 1 to 1000", "no such key"),
    FaultCase(#"{"per":"visit","max":0}"#, "/max", "0", "an integer from 1 to 1000", "the number 0"),
    FaultCase(#"{"per":"visit","max":1001}"#, "/max", "1001", "an integer from 1 to 1000", "the number 1001"),
    FaultCase(#"{"per":"visit","max":1.0}"#, "/max", "1.0", "an integer from 1 to 1000", "the number 1.0"),
    FaultCase(#"{"per":"region","max":1}"#, "", "{", "\"window\" or \"days\"", "neither"),
    FaultCase(
      #"{"per":"region","max":1,"window":0}"#, "/window", "0", "an integer from 1 to 31536000", "the number 0"),
    FaultCase(
      #"{"per":"region","max":1,"window":31536001}"#, "/window", "31536001", "an integer from 1 to 31536000",
      "the number 31536001"),
    FaultCase(#"{"per":"visit","max":1,"days":0}"#, "/days", "0", "an integer from 1 to 366", "the number 0"),
    FaultCase(#"{"per":"visit","max":1,"days":367}"#, "/days", "367", "an integer from 1 to 366", "the number 367"),
    FaultCase(
      #"{"per":"visit","max":1,"window":60,"days":9}"#, "/days", "9", "\"window\" or \"days\", not both", "the number 9"
    ),
    FaultCase(
      #"{"per":"visit","max":1,"window":60,"zone":"region"}"#, "/zone", "\"re", "no \"zone\" without \"days\"",
      "the string \"region\""),
    FaultCase(
      #"{"per":"visit","max":1,"days":1,"zone":"Mars/Base"}"#, "/zone", "\"Mars", zones, "the string \"Mars/Base\""),
    FaultCase(#"{"per":"visit","max":1,"window":null}"#, "/window", "null", "an integer from 1 to 31536000", "null"),
  ]

  /// Faults of quiet hours in any place.
  static let quiet: [FaultCase] = [
    FaultCase("5", "", "5", quietForm, "the number 5"),
    FaultCase("null", "", "null", quietForm, "null"),
    FaultCase("{}", "", "{", "\"hours\", \(dailyForm)", "no such key"),
    FaultCase(#"{"hours":[]}"#, "/hours", "[]", "an object, as in {\"daily\": [[\"09:00\", \"17:30\"]]}", "an array"),
    FaultCase(#"{"hours":{"Daily":[]}}"#, "/hours/Daily", "[]", hoursKeys, "the unknown key \"Daily\""),
    FaultCase(
      #"{"hours":{"daily":[],"tue":[]}}"#, "/hours/tue", "[]", "\"daily\" or the days of the week, not both", "an array"
    ),
    FaultCase(
      #"{"hours":{"daily":[["22:00"]]}}"#, "/hours/daily/0", "[\"22", TimesFaultTests.spanForm, "1 elements"),
    FaultCase(
      #"{"hours":{"exceptions":{"25-12":[]}}}"#, "/hours/exceptions/25-12", "[]", "a day as \"2026-12-25\"", "\"25-12\""
    ),
    FaultCase(#"{"hours":{},"zone":"Mars/Base"}"#, "/zone", "\"Mars", zones, "the string \"Mars/Base\""),
    FaultCase(
      #"{"hours":{},"during":"wait"}"#, "/during", "\"wait", #""hold" or "holdInside" or "drop""#, "the string \"wait\""
    ),
  ]

  static func inSettings(_ member: String) -> String {
    "{\"version\":1,\"regions\":[],\"campaigns\":[],\n\"settings\":{\(member)}}"
  }

  /// The document with a member in each place, and where it then is.
  static func everywhere(_ key: String, _ value: String) -> [(text: String, pointer: String)] {
    let member = "\"\(key)\":\(value)"
    return [
      (inSettings(member), "/settings/\(key)"), (TimesFaultTests.inRegion("," + member), "/regions/0/\(key)"),
      (TimesFaultTests.inCampaign("," + member), "/campaigns/0/\(key)"),
    ]
  }

  @Test(arguments: caps)
  func capsAreRefused(_ test: FaultCase) throws {
    for (text, pointer) in Self.everywhere("caps", "[{\"per\":\"visit\",\"max\":7},\n \(test.text)]") {
      try FeedFaultTests.check(text, test, in: pointer + "/1")
    }
  }

  @Test(arguments: quiet)
  func quietHoursAreRefused(_ test: FaultCase) throws {
    for (text, pointer) in Self.everywhere("quietHours", test.text) {
      try FeedFaultTests.check(text, test, in: pointer)
    }
    guard !test.text.hasPrefix("null") else { return }
    for (text, pointer) in Self.everywhere("quietHours", "[{\"hours\":{}},\n \(test.text)]") {
      try FeedFaultTests.check(text, test, in: pointer + "/1")
    }
  }

  @Test func whatOnlyOnePlaceHas() throws {
    let cases: [(place: Int, key: String, FaultCase)] = [
      (0, "caps", FaultCase(#"{"max":1,"days":1}"#, "", "{", "\"per\", \(Self.settingsScopes)", "no such key")),
      (
        0, "caps",
        FaultCase(
          #"{"per":"week","max":1,"days":1}"#, "/per", "\"week", Self.settingsScopes, "the string \"week\"")
      ),
      (
        0, "caps",
        FaultCase(
          #"{"per":"tag","max":1,"days":1}"#, "", "{", "\"tag\", \(FeedReader.identifierForm)", "no such key")
      ),
      (
        0, "caps",
        FaultCase(
          #"{"per":"tag","tag":"a;b","max":1,"days":1}"#, "/tag", "\"a;b", FeedReader.identifierForm,
          "the string \"a;b\"")
      ),
      (
        0, "caps",
        FaultCase(
          #"{"per":"all","tag":"t","max":1,"days":1}"#, "/tag", "\"t\"", "no \"tag\" unless it is per \"tag\"",
          "the string \"t\"")
      ),
      (
        0, "caps",
        FaultCase(#"{"per":"all","x-a":1}"#, "/x-a", "1}", Self.settingsCapKeys, "the unknown key \"x-a\"")
      ),
      (
        1, "caps",
        FaultCase(
          #"{"per":"all","max":1,"days":1}"#, "/per", "\"all", #""region" or "visit""#, "the string \"all\"")
      ),
      (1, "caps", FaultCase(#"{"tag":"t"}"#, "/tag", "\"t\"", Self.capKeys, "the unknown key \"tag\"")),
      (
        2, "caps",
        FaultCase(
          #"{"per":"all","max":1,"days":1}"#, "/per", "\"all", #""campaign" or "region" or "visit""#,
          "the string \"all\"")
      ),
      (
        0, "quietHours",
        FaultCase(#"{"hours":{},"tag":""}"#, "/tag", "\"\"", FeedReader.identifierForm, "the string \"\"")
      ),
      (
        0, "quietHours",
        FaultCase(#"{"hour":{}}"#, "/hour", "{}", Self.settingsQuietKeys, "the unknown key \"hour\"")
      ),
      (
        1, "quietHours",
        FaultCase(#"{"hours":{},"tag":"t"}"#, "/tag", "\"t\"", Self.quietKeys, "the unknown key \"tag\"")
      ),
      (
        2, "quietHours",
        FaultCase(#"{"hours":{},"tag":"t"}"#, "/tag", "\"t\"", Self.quietKeys, "the unknown key \"tag\"")
      ),
    ]
    for (place, key, test) in cases {
      let (text, pointer) = Self.everywhere(key, "[\(test.text)]")[place]
      try FeedFaultTests.check(text, test, in: pointer + "/0")
    }
  }

  @Test func listsThatAreNoneOrTooLong() throws {
    let tooMany = { (element: String) in "[" + Array(repeating: element, count: 101).joined(separator: ",") + "]" }
    for (text, pointer) in Self.everywhere("caps", "{}") {
      try FeedFaultTests.check(text, FaultCase("", "", "{}", "an array of caps", "an object"), in: pointer)
    }
    for (key, element) in [("caps", #"{"per":"visit","max":7}"#), ("quietHours", #"{"hours":{}}"#)] {
      for (text, pointer) in Self.everywhere(key, tooMany(element)) {
        try FeedFaultTests.check(text, FaultCase("", "", "[{", "at most 100 elements", "101"), in: pointer)
      }
    }
  }

  static let tags: [FaultCase] = [
    FaultCase(#""promo""#, "", "\"promo", "an array of tags", "the string \"promo\""),
    FaultCase(#"["a",""]"#, "/1", "\"\"", FeedReader.identifierForm, "the string \"\""),
    FaultCase(#"["a;b"]"#, "/0", "\"a;b", FeedReader.identifierForm, "the string \"a;b\""),
    FaultCase("[5]", "/0", "5", FeedReader.identifierForm, "the number 5"),
    FaultCase(#"["a","b","a"]"#, "/2", "\"a\"]", "each tag once", "the string \"a\""),
  ]

  @Test(arguments: tags)
  func tagsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(TimesFaultTests.inCampaign(#","tags":"# + test.text), test, in: "/campaigns/0/tags")
  }

  @Test func anExitCannotWaitInside() throws {
    for rule in [#"{"hours":{},"during":"holdInside"}"#, #"[{"hours":{},"during":"holdInside"}]"#] {
      let exit = TimesFaultTests.inCampaign(#","trigger":"exit","quietHours":"# + rule)
      let pointer = rule.hasPrefix("[") ? "/campaigns/0/quietHours/0" : "/campaigns/0/quietHours"
      let expected = "\"hold\" or \"drop\", for nobody is inside after an exit"
      try FeedFaultTests.check(exit, FaultCase("", "/during", "\"holdI", expected, "\"holdInside\""), in: pointer)
      #expect(fault(ofFeed: exit.replacingOccurrences(of: "holdInside", with: "hold")) == nil)
      #expect(fault(ofFeed: exit.replacingOccurrences(of: "exit", with: "enter")) == nil)
    }
  }

  @Test func geotriggersHaveNone() throws {
    for key in ["tags", "caps", "quietHours"] {
      let text =
        "{\"version\":1,\"regions\":[\(FeedFaultTests.geofence(""))],\n\"campaigns\":[\n"
        + CampaignFaultTests.geotrigger(",\"\(key)\":[]") + "]}"
      let test = FaultCase("", "/\(key)", "[]", CampaignFaultTests.geotriggerKeys, "the unknown key \"\(key)\"")
      try FeedFaultTests.check(text, test, in: "/campaigns/0")
    }
  }

  // MARK: What they become

  static let all = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 1, "longitude": 2,
        "caps": [{"max": 2, "days": 1, "zone": "region"}, {"per": "visit", "max": 1}, {"per": "region", "max": 3, "window": 60}],
        "quietHours": {"hours": {"daily": [["22:00", "07:00"]]}, "zone": "region"}},
       {"id": "b", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1, "quietHours": []}],
     "campaigns": [
       {"id": "c", "type": "notification", "message": "m", "regions": ["a"], "tags": ["promo", "é"],
        "caps": [{"max": 3, "days": 30}, {"per": "region", "max": 1, "window": 86400}, {"per": "visit", "max": 2, "days": 1}],
        "quietHours": {"hours": {"mon": [["00:00", "24:00"]]}, "during": "holdInside"}},
       {"id": "d", "type": "notification", "message": "m", "regions": ["a"], "tags": []}],
     "settings": {
       "caps": [{"per": "all", "max": 1000, "window": 31536000}, {"per": "tag", "tag": "promo", "max": 1, "days": 366},
         {"per": "campaign", "max": 1, "days": 1, "zone": "device"}, {"per": "region", "max": 1, "days": 2}, {"per": "visit", "max": 1},
         {"per": "visit", "max": 1, "window": 5}],
       "quietHours": [{"tag": "promo", "hours": {"daily": [["20:00", "09:00"]], "exceptions": {"2026-12-25": []}}, "during": "hold"},
         {"hours": {}, "zone": "device", "during": "drop"}]}}
    """#

  @Test func theyBecomeThese() throws {
    let feed = try Feed.parse(Self.all)
    let nights = OpeningHours.daily((1320, 420))
    #expect(
      feed.regions[0].caps == [
        Cap(scope: .region, maximum: 2, span: .days(1, .region)), Cap(scope: .visit, maximum: 1, span: .visit),
        Cap(scope: .region, maximum: 3, span: .window(60_000)),
      ])
    #expect(feed.regions[0].quietHours == [QuietHours(hours: nights, zone: .region, during: .drop)])
    #expect(feed.regions[1].quietHours.isEmpty && feed.regions[1].caps.isEmpty)
    #expect(feed.campaigns[0].tags == [Identifier("promo"), Identifier("é")] && feed.campaigns[1].tags.isEmpty)
    #expect(
      feed.campaigns[0].caps == [
        Cap(scope: .campaign, maximum: 3, span: .days(30, .device)),
        Cap(scope: .region, maximum: 1, span: .window(86_400_000)),
        Cap(scope: .visit, maximum: 2, span: .days(1, .device)),
      ])
    var week = Array(repeating: [OpeningHours.Span](), count: 7)
    week[0] = [OpeningHours.Span(start: 0, end: 1440)]
    #expect(feed.campaigns[0].quietHours == [QuietHours(hours: OpeningHours(week: week), during: .holdInside)])
    #expect(
      feed.settings.caps == [
        Cap(scope: .all, maximum: 1000, span: .window(31_536_000_000)),
        Cap(scope: .tag(Identifier("promo")), maximum: 1, span: .days(366, .device)),
        Cap(scope: .campaign, maximum: 1, span: .days(1, .device)),
        Cap(scope: .region, maximum: 1, span: .days(2, .device)), Cap(scope: .visit, maximum: 1, span: .visit),
        Cap(scope: .visit, maximum: 1, span: .window(5000)),
      ])
    let promo = OpeningHours(
      week: Array(repeating: [OpeningHours.Span(start: 1200, end: 540)], count: 7),
      exceptions: [Timestamp.parseDay("2026-12-25")!: []])
    #expect(
      feed.settings.quietHours == [
        QuietHours(tag: Identifier("promo"), hours: promo, during: .hold),
        QuietHours(hours: OpeningHours(week: Array(repeating: [], count: 7))),
      ])
  }

  @Test func readingWhatWasWrittenGivesAnEqualFeed() throws {
    let feed = try Feed.parse(Self.all)
    let again = try Feed.parse(feed.json)
    #expect(again.regions == feed.regions && again.campaigns == feed.campaigns && again.settings == feed.settings)
    #expect(again.json == feed.json, "a fixed point")
  }
}
