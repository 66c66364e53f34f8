import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Steps, visits and times of day: what they become, their round trip, and their faults.
@Suite struct StepsFeedTests {
  static let places = ["a", "b"].map { #"{"id":"\#($0)","type":"geofence","latitude":1,"longitude":2}"# }

  static func feed(_ members: String) -> String {
    "{\"version\":1,\"regions\":[\(places.joined(separator: ","))],\n\"campaigns\":[\n\(CampaignFaultTests.notification(members))]}"
  }

  @Test func theyBecomeThese() throws {
    let text = #"""
      ,"after":{"steps":[{"region":"b"},{"not":{"region":"a","event":"exit"}},{"not":{"region":"b","event":"enter"}},
        {"region":"a","event":"dwelling","minutes":720}],"within":31536000},
      "visits":{"from":2,"to":2,"every":1000000},"trigger":"inside","insideAt":"00:00"
      """#
    let feed = try Feed.parse(Self.feed(text))
    let campaign = feed.campaigns[0]
    let (a, b) = (Identifier("a"), Identifier("b"))
    let links = [
      Chain.Link(region: b, event: .enter), Chain.Link(region: a, event: .exit, isForbidden: true),
      Chain.Link(region: b, event: .enter, isForbidden: true), Chain.Link(region: a, event: .dwelling(minutes: 720)),
    ]
    #expect(campaign.after == Chain(links: links, within: 31_536_000_000))
    #expect(campaign.visits == VisitRule(from: 2, to: 2, every: 1_000_000))
    #expect(campaign.trigger == .inside(minuteOfDay: 0))
    let again = try Feed.parse(feed.json)
    #expect(again.campaigns == feed.campaigns && again.json == feed.json)
  }

  @Test(arguments: [
    (#","visits":{"to":1}"#, VisitRule(to: 1)), (#","visits":{"every":3}"#, VisitRule(every: 3)),
    (#","visits":{"from":1000000}"#, VisitRule(from: 1_000_000)),
  ])
  func visits(_ members: String, _ rule: VisitRule) throws {
    let feed = try Feed.parse(Self.feed(members))
    #expect(feed.campaigns[0].visits == rule)
    #expect(try Feed.parse(feed.json).campaigns == feed.campaigns)
  }

  @Test(arguments: [("23:59", 1439), ("00:01", 1), ("18:00", 1080)])
  func timesOfDay(_ text: String, _ minute: Int64) throws {
    let feed = try Feed.parse(Self.feed(#","trigger":"inside","insideAt":"\#(text)""#))
    #expect(feed.campaigns[0].trigger == .inside(minuteOfDay: minute) && feed.json.contains("\"insideAt\":\"\(text)\""))
    #expect(try Feed.parse(feed.json).campaigns == feed.campaigns)
  }

  @Test func sixteenStepsAreTheMost() throws {
    func steps(_ count: Int) -> String {
      #","after":{"steps":["# + Array(repeating: #"{"region":"a"}"#, count: count).joined(separator: ",") + "]}"
    }
    #expect(try Feed.parse(Self.feed(steps(16))).campaigns[0].after?.links.count == 16)
    #expect(fault(ofFeed: Self.feed(steps(17)))?.expected == "at most 16 elements")
    let feed = try Feed.parse(Self.feed(steps(1)))
    #expect(feed.campaigns[0].after?.within == nil && feed.campaigns[0].visits == nil)
    #expect(try Feed.parse(feed.json).campaigns == feed.campaigns)
  }

  // MARK: Faults

  static let stepForm = "a step, as in {\"region\": \"a\", \"event\": \"exit\"} or {\"not\": {\"region\": \"a\"}}"
  static let regionForm = "the id of a region of this feed"
  static let stepKeys = "a key of a step (region, event, minutes)"
  static let clock = "a time from \"00:00\" to \"23:59\""

  /// Faults of a step, with pointers below it.
  static let steps: [FaultCase] = [
    FaultCase("{}", "", "{}", "\"region\", \(regionForm)", "no such key"),
    FaultCase(#"{"region":"x"}"#, "/region", "\"x", regionForm, "the string \"x\""),
    FaultCase(#"{"region":5}"#, "/region", "5", regionForm, "the number 5"),
    FaultCase(#"{"regions":["a"]}"#, "/regions", "[", stepKeys, "the unknown key \"regions\""),
    FaultCase(#"{"region":"a","x-own":1}"#, "/x-own", "1", stepKeys, "the unknown key \"x-own\""),
    FaultCase(
      #"{"region":"a","event":"inside"}"#, "/event", "\"inside", "\"enter\" or \"exit\" or \"dwelling\"",
      "the string \"inside\""),
    FaultCase(
      #"{"region":"a","event":"dwelling"}"#, "", "{\"region\":\"a\",\"event", "\"minutes\", an integer from 5 to 720",
      "no such key"),
    FaultCase(
      #"{"region":"a","event":"dwelling","minutes":4}"#, "/minutes", "4", "an integer from 5 to 720", "the number 4"),
    FaultCase(
      #"{"region":"a","event":"dwelling","minutes":721}"#, "/minutes", "721", "an integer from 5 to 720",
      "the number 721"),
    FaultCase(
      #"{"region":"a","minutes":5}"#, "/minutes", "5", "no \"minutes\" unless the event is \"dwelling\"",
      "the number 5"),
    FaultCase(
      #"{"region":"a","event":"exit","minutes":5}"#, "/minutes", "5", "no \"minutes\" unless the event is \"dwelling\"",
      "the number 5"),
  ]

  static let chains: [FaultCase] = [
    FaultCase("[]", "", "[]", "an object, as in {\"steps\": [{\"region\": \"a\"}]}", "an array"),
    FaultCase("{}", "", "{}", "\"steps\", an array of steps", "no such key"),
    FaultCase(#"{"steps":{}}"#, "/steps", "{}", "an array of steps", "an object"),
    FaultCase(#"{"steps":[]}"#, "/steps", "[]", "at least one step", "an empty array"),
    FaultCase(#"{"steps":["a"]}"#, "/steps/0", "\"a\"", stepForm, "the string \"a\""),
    FaultCase(
      #"{"steps":[{"not":{"region":"a"}}]}"#, "/steps/0/not", "{\"region", "a step before the first \"not\"", "none"),
    FaultCase(
      #"{"steps":[{"region":"a"},{"not":"b"}]}"#, "/steps/1/not", "\"b\"", "a step, as in {\"region\": \"a\"}",
      "the string \"b\""),
    FaultCase(
      #"{"steps":[{"region":"a"},{"not":{"not":{"region":"b"}}}]}"#, "/steps/1/not/not", "{\"region", stepKeys,
      "the unknown key \"not\""),
    FaultCase(
      #"{"steps":[{"region":"a"},{"not":{"region":"b"},"event":"exit"}]}"#, "/steps/1/event", "\"exit",
      "a key of a step with \"not\" (not)", "the unknown key \"event\""),
    FaultCase(
      #"{"steps":[{"region":"a"}],"within":0}"#, "/within", "0", "an integer from 1 to 31536000", "the number 0"),
    FaultCase(
      #"{"steps":[{"region":"a"}],"within":31536001}"#, "/within", "31536001", "an integer from 1 to 31536000",
      "the number 31536001"),
    FaultCase(
      #"{"steps":[{"region":"a"}],"x-own":1}"#, "/x-own", "1", "a key of \"after\" (steps, within)",
      "the unknown key \"x-own\""),
  ]

  static let visitFaults: [FaultCase] = [
    FaultCase("3", "", "3", "an object, as in {\"from\": 3}", "the number 3"),
    FaultCase("{}", "", "{}", "\"from\", \"to\", \"every\" or several of them", "none"),
    FaultCase(#"{"from":0}"#, "/from", "0", "an integer from 1 to 1000000", "the number 0"),
    FaultCase(#"{"from":3,"to":2}"#, "/to", "2", "an integer from 3 to 1000000", "the number 2"),
    FaultCase(#"{"to":1000001}"#, "/to", "1000001", "an integer from 1 to 1000000", "the number 1000001"),
    FaultCase(#"{"every":1.0}"#, "/every", "1.0", "an integer from 1 to 1000000", "the number 1.0"),
    FaultCase(#"{"only":3}"#, "/only", "3", "a key of \"visits\" (from, to, every)", "the unknown key \"only\""),
  ]

  static let times: [FaultCase] = [
    FaultCase(#","trigger":"inside""#, "", "{", "\"insideAt\", \(clock)", "no such key"),
    FaultCase(#","trigger":"inside","insideAt":"24:00""#, "/insideAt", "\"24", clock, "the string \"24:00\""),
    FaultCase(#","trigger":"inside","insideAt":"6:00""#, "/insideAt", "\"6", clock, "the string \"6:00\""),
    FaultCase(#","trigger":"inside","insideAt":18"#, "/insideAt", "18", clock, "the number 18"),
    FaultCase(
      #","insideAt":"18:00""#, "/insideAt", "\"18", "no \"insideAt\" unless the trigger is \"inside\"",
      "the string \"18:00\""),
    FaultCase(
      #","trigger":"inside","insideAt":"18:00","dwellingMinutes":5"#, "/dwellingMinutes", "5",
      "no \"dwellingMinutes\" unless the trigger is \"dwelling\"", "the number 5"),
  ]

  @Test(arguments: steps)
  func stepsAreRefused(_ test: FaultCase) throws {
    let first = Self.feed(#","after":{"steps":["# + test.text + "]}")
    try FeedFaultTests.check(first, test, in: "/campaigns/0/after/steps/0")
    let forbidden = Self.feed(#","after":{"steps":[{"region":"b"},{"not":"# + test.text + "}]}")
    try FeedFaultTests.check(forbidden, test, in: "/campaigns/0/after/steps/1/not")
  }

  @Test(arguments: chains)
  func chainsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(Self.feed(#","after":"# + test.text), test, in: "/campaigns/0/after")
  }

  @Test(arguments: visitFaults)
  func visitsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(Self.feed(#","visits":"# + test.text), test, in: "/campaigns/0/visits")
  }

  @Test(arguments: times)
  func timesAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(Self.feed(test.text), test, in: "/campaigns/0")
  }
}
