import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Times and segmentation: what they become, and their round trip.
@Suite struct RichFeedTests {
  static let hours = #"""
    {"mon": [["09:00", "12:30"], ["13:30", "17:30"]], "fri": [["18:00", "02:00"]], "sat": [["00:00", "24:00"]],
     "sun": [["23:59", "00:00"]], "exceptions": {"2027-01-01": [["12:00", "12:00"]], "2026-12-25": []}}
    """#

  static let text = #"""
    {
      "version": 1,
      "regions": [
        {"id": "bar", "type": "geofence", "latitude": 1, "longitude": 2, "country": "NLD", "timeZone": "Europe/Amsterdam",
         "openingHours": \#(hours)},
        {"id": "fair", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1,
         "timeZone": "UTC", "timespans": [{"start": "2026-05-16T14:00:00+02:00"}, {"end": "2026-05-16T12:00:00.250Z"},
           {"start": "2026-05-16T12:00:00Z", "end": "2026-05-16T12:00:00.001Z"}]},
        {"id": "shut", "type": "geofence", "latitude": 1, "longitude": 2, "openingHours": {}}
      ],
      "campaigns": [
        {"id": "a", "type": "notification", "message": "m", "regions": ["bar"],
         "triggerTimes": {"type": "inherit", "zone": "device", "outside": "hold"},
         "segmentation": {"all": [
           {"any": [{"property": "p", "equals": "a"}, {"property": "p", "differs": true}, {"property": "é", "less": 5},
             {"property": "p", "atMost": 5.0}, {"property": "p", "atLeast": {"date": "2026-03-01T00:00:00.5Z"}},
             {"property": "p", "greater": {"ago": 604800}}, {"property": "p", "less": {"ahead": 3600}}]},
           {"not": {"property": "p", "between": [{"ago": 0}, {"ahead": 3153600000}]}},
           {"property": "p", "in": ["a", 1, 1.5, false, {"date": "1970-01-01T00:00:00Z"}, {"ago": 1}]},
           {"property": "p", "exists": false}, {"property": "p", "exists": true}, {"property": "p", "begins": ""},
           {"property": "p", "contains": "\"\\\u0001"}, {"property": "p", "version": {"less": "1.10"}},
           {"property": "p", "version": {"atMost": "01.0"}}, {"campaign": "b", "shown": true},
           {"campaign": "elsewhere", "opened": {"within": 60}}, {"campaign": "b", "shown": {"within": 1}},
           {"campaign": "b", "opened": true}, {"country": ["NLD", "BEL"]}]}},
        {"id": "b", "type": "geotrigger", "name": "n", "regions": ["fair"], "triggerTimes": {"type": "anytime"}},
        {"id": "c", "type": "notification", "message": "m", "regions": ["shut"], "trigger": "exit",
         "triggerTimes": {"type": "openinghours", "openingHours": \#(hours)}, "segmentation": {"country": ["NLD"]}},
        {"id": "d", "type": "notification", "message": "m", "regions": ["shut"], "triggerTimes":
         {"type": "timespans", "timespans": [{"end": "2026-05-16T12:00:00Z"}], "zone": "region", "outside": "hold"}},
        {"id": "e", "type": "notification", "message": "m", "regions": ["shut"],
         "triggerTimes": {"type": "inherit", "zone": "region", "outside": "drop"}},
        {"id": "f", "type": "notification", "message": "m", "regions": ["shut"],
         "triggerTimes": {"type": "openinghours", "openingHours": {"exceptions": {}}}}
      ]
    }
    """#

  @Test func readingWhatWasWrittenGivesAnEqualFeed() throws {
    let feed = try Feed.parse(Self.text)
    let again = try Feed.parse(feed.json)
    #expect(again.regions == feed.regions && again.campaigns == feed.campaigns)
    #expect(again.json == feed.json, "a fixed point")
    for (a, b) in zip(again.regions, feed.regions) { #expect(a.zone?.name == b.zone?.name) }
  }

  @Test func timesBecomeThese() throws {
    let feed = try Feed.parse(Self.text)
    func span(_ start: Int64, _ end: Int64) -> OpeningHours.Span { OpeningHours.Span(start: start, end: end) }
    let hours = OpeningHours(
      week: [
        [span(540, 750), span(810, 1050)], [], [], [], [span(1080, 120)], [span(0, 1440)], [span(1439, 0)],
      ], exceptions: [20_819: [span(720, 720)], 20_812: []])
    let noon: Milliseconds = 1_778_932_800_000
    #expect(feed.regions[0].times == .hours(hours))
    #expect(feed.regions[0].country == "NLD" && feed.regions[0].zone?.name == "Europe/Amsterdam")
    #expect(
      feed.regions[1].times
        == .spans([
          TimeSpan(start: noon, end: nil), TimeSpan(start: nil, end: noon + 250), TimeSpan(start: noon, end: noon + 1),
        ]))
    #expect(feed.regions[1].zone == .utc && feed.regions[1].country == nil)
    let shut = OpeningHours(week: Array(repeating: [], count: 7))
    #expect(feed.regions[2].times == .hours(shut) && feed.regions[2].zone == nil)
    #expect(
      feed.campaigns.map(\.times) == [
        TriggerTimes(rule: .inherit, zone: .device, outside: .hold),
        TriggerTimes(rule: .anytime, zone: .region, outside: .drop),
        TriggerTimes(rule: .own(.hours(hours)), zone: .region, outside: .drop),
        TriggerTimes(rule: .own(.spans([TimeSpan(start: nil, end: noon)])), zone: .region, outside: .hold), .standard,
        TriggerTimes(rule: .own(.hours(shut)), zone: .region, outside: .drop),
      ])
  }

  @Test func treesBecomeThese() throws {
    let feed = try Feed.parse(Self.text)
    let (p, b) = (Identifier("p"), Identifier("b"))
    let any = Segment.any([
      .property(p, .equals(.value(.string("a")))), .property(p, .differs(.value(.boolean(true)))),
      .property(Identifier("é"), .order(.less, .value(.integer(5)))),
      .property(p, .order(.atMost, .value(.double(5)))),
      .property(p, .order(.atLeast, .value(.date(1_772_323_200_500)))),
      .property(p, .order(.greater, .ago(604_800_000))), .property(p, .order(.less, .ago(-3_600_000))),
    ])
    let values: [Operand] = [
      .value(.string("a")), .value(.integer(1)), .value(.double(1.5)), .value(.boolean(false)), .value(.date(0)),
      .ago(1000),
    ]
    let parts: [Segment] = [
      any, .not(.property(p, .between(.ago(0), .ago(-3_153_600_000_000)))), .property(p, .isIn(values)),
      .property(p, .exists(false)), .property(p, .exists(true)), .property(p, .begins("")),
      .property(p, .contains("\"\\\u{1}")), .property(p, .version(.less, "1.10")),
      .property(p, .version(.atMost, "01.0")), .shown(b, within: nil),
      .opened(Identifier("elsewhere"), within: 60_000), .shown(b, within: 1000), .opened(b, within: nil),
      .country(["NLD", "BEL"]),
    ]
    #expect(feed.campaigns[0].segmentation == .all(parts))
    #expect(feed.campaigns[1].segmentation == nil && feed.campaigns[2].segmentation == .country(["NLD"]))
  }

  @Test func theDeepestTree() throws {
    // The document, its campaigns and the campaign are three levels; the last country another two.
    func feed(_ depth: Int) -> String {
      let tree =
        String(repeating: #"{"not":"#, count: depth) + #"{"country":["NLD"]}"# + String(repeating: "}", count: depth)
      return TimesFaultTests.inCampaign(#","segmentation":"# + tree)
    }
    let deepest = try Feed.parse(feed(59))
    #expect(try Feed.parse(deepest.json).campaigns == deepest.campaigns)
    #expect(fault(ofFeed: feed(60))?.expected == "at most 64 levels of nesting")
  }
}
