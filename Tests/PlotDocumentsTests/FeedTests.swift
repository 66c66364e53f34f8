import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The result of reading a good feed, and how it is written.
@Suite struct FeedTests {
  static func feed(_ region: String, _ campaign: String = "") throws -> Feed {
    try Feed.parse(#"{"version":1,"regions":[\#(region)],"campaigns":[\#(campaign)]}"#)
  }

  static let place = FeedFaultTests.geofence("")

  @Test func defaultsOfRegions() throws {
    let region = try #require(Self.feed(Self.place).regions.first)
    let circle = Circle(center: Coordinate(latitude: 1, longitude: 2), radius: 200)
    #expect(region == Region(id: Identifier("a"), name: nil, shape: .circle(circle)))
    let beacon = try #require(Self.feed(FeedFaultTests.beacon("")).regions.first)
    #expect(beacon.shape == .beacon(Beacon(proximityUUID: beaconUUID, majorId: 1, minorId: nil, range: .far)))
  }

  @Test func defaultsOfCampaigns() throws {
    let campaign = try #require(Self.feed(Self.place, CampaignFaultTests.notification("")).campaigns.first)
    #expect(
      campaign
        == Campaign(
          id: Identifier("c"), kind: .notification(.regular), text: Template("m")!, data: Template("")!,
          trigger: .enter,
          regions: [0]))
    #expect(campaign.repeatRule == .once && campaign.start == nil && campaign.end == nil)
    let geotrigger = try #require(Self.feed(Self.place, CampaignFaultTests.geotrigger("")).campaigns.first)
    #expect(geotrigger.kind == .geotrigger && geotrigger.text.source == "m")
  }

  @Test(arguments: [
    ("0.000001", 0.000_001), ("100000", 100_000), ("1e5", 100_000), ("200.5", 200.5), ("1", 1),
  ])
  func radii(_ text: String, _ radius: Double) throws {
    let region = try #require(Self.feed(FeedFaultTests.geofence(",\"radius\":\(text)")).regions.first)
    #expect(region.shape == .circle(Circle(center: Coordinate(latitude: 1, longitude: 2), radius: radius)))
  }

  @Test func theEndsOfAllRanges() throws {
    let long = String(repeating: "x", count: 255)
    let region =
      #"{"id":"\#(long)","type":"geofence","latitude":-90,"longitude":-180},"#
      + #"{"id":" ","type":"geofence","latitude":90.0,"longitude":180.0},"#
      + #"{"id":"b","type":"beacon","proximityUUID":"F7826DA6-4FA2-4E98-8024-BC5B71E0893E","#
      + #""majorId":65535,"minorId":0}"#
    let campaign =
      #"{"id":"c","type":"geotrigger","name":"n","regions":["\#(long)"," ","b"],"trigger":"dwelling","#
      + #""dwellingMinutes":720,"cooldownPeriod":31536000,"start":"1970-01-01T00:00:00Z","#
      + #""end":"9999-12-31T23:59:59.999Z"}"#
    let feed = try Self.feed(region, campaign)
    #expect(feed.regions[0].id.text == long)
    let uuid = "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"
    #expect(
      feed.regions[2].shape == .beacon(Beacon(proximityUUID: uuid, majorId: 65535, minorId: 0, range: .far)))
    #expect(feed.campaigns[0].trigger == .dwelling(minutes: 720))
    #expect(feed.campaigns[0].repeatRule == .after(31_536_000_000))
    #expect(feed.campaigns[0].start == 0 && feed.campaigns[0].end == Timestamp.range.upperBound)
    #expect(feed.campaigns[0].regions == [0, 1, 2])
  }

  @Test(arguments: [
    ("", Trigger.enter), (#","trigger":"enter""#, .enter), (#","trigger":"exit""#, .exit),
    (#","trigger":"dwelling","dwellingMinutes":5"#, .dwelling(minutes: 5)),
  ])
  func triggers(_ members: String, _ trigger: Trigger) throws {
    for campaign in [CampaignFaultTests.notification(members), CampaignFaultTests.geotrigger(members)] {
      #expect(try Self.feed(Self.place, campaign).campaigns.map(\.trigger) == [trigger])
    }
  }

  @Test(arguments: [
    ("regular", HandlerType.regular), ("landingPage", .landingPage), ("applink", .applink), ("appLink", .applink),
  ])
  func handlers(_ name: String, _ handler: HandlerType) throws {
    let feed = try Self.feed(Self.place, CampaignFaultTests.notification(#","handlerType":"\#(name)""#))
    #expect(feed.campaigns.map(\.kind) == [.notification(handler)])
  }

  @Test(arguments: [
    (#","resend":false"#, RepeatRule.once), (#","resend":true"#, .always), (#","cooldownPeriod":0"#, .once),
    (#","cooldownPeriod":60"#, .after(60_000)), (#","resend":true,"cooldownPeriod":0"#, .always),
  ])
  func repeatRules(_ members: String, _ rule: RepeatRule) throws {
    #expect(try Self.feed(Self.place, CampaignFaultTests.notification(members)).campaigns.map(\.repeatRule) == [rule])
  }

  @Test(arguments: [
    (#""gold""#, PropertyValue.string("gold")), (#""""#, .string("")), ("true", .boolean(true)),
    ("false", .boolean(false)),
    ("5", .integer(5)), ("-9223372036854775808", .integer(.min)), ("5.0", .double(5)), ("1e3", .double(1000)),
    (#"{"date":"2026-03-01T00:00:00Z"}"#, .date(1_772_323_200_000)),
  ])
  func conditions(_ value: String, _ expected: PropertyValue) throws {
    let feed = try Self.feed(Self.place, CampaignFaultTests.when(#"{"property":"p","equals":\#(value)}"#))
    #expect(feed.campaigns[0].segmentation == .all([.property(Identifier("p"), .equals(.value(expected)))]))
  }

  @Test func customFieldsAreTexts() throws {
    let members =
      #","name":"N","customFields":{"s":"text","i":5,"big":9223372036854775807,"r":0.5,"whole":2.0,"#
      + #""yes":true,"no":false,"":""}"#
    let region = try #require(Self.feed(FeedFaultTests.geofence(members)).regions.first)
    #expect(region.name == "N")
    let expected = [
      ("s", "text"), ("i", "5"), ("big", "9223372036854775807"), ("r", "0.5"), ("whole", "2"), ("yes", "true"),
      ("no", "false"), ("", ""),
    ]
    #expect(region.customFields == expected.map { CustomField(name: $0, value: $1) })
  }

  @Test func ownKeysAreIgnored() throws {
    let own = #","x-note":{"any":[null]},"x-":1"#
    let text =
      #"{"version":1,"regions":[\#(FeedFaultTests.geofence(own))],"#
      + #""campaigns":[\#(CampaignFaultTests.notification(own))]"# + own + "}"
    #expect(try Feed.parse(text).json == Self.feed(Self.place, CampaignFaultTests.notification("")).json)
  }

  @Test func aByteOrderMarkIsIgnored() throws {
    let text = #"{"version":1,"revision":"é","regions":[],"campaigns":[]}"#
    let feed = try Feed.parse("\u{FEFF}" + text)
    #expect(feed.revision == "é")
    #expect(try feed.digest == Feed.parse(text).digest)
    #expect(fault(ofFeed: "\u{FEFF}\u{FEFF}" + text) != nil)
  }

  @Test func theDigestStandsForTheText() throws {
    let text = #"{"version":1,"regions":[],"campaigns":[]}"#
    #expect(try Feed.parse(text).digest == Feed.parse(text).digest)
    #expect(try Feed.parse(text).digest != Feed.parse(text.replacingOccurrences(of: "1", with: "1 ")).digest)
    let revised = #"{"version":1,"revision":"","regions":[],"campaigns":[]}"#
    #expect(try Feed.parse(text).digest != Feed.parse(revised).digest)
  }

  // MARK: Round trip

  static let rich = #"""
    {
      "version": 1, "revision": "42 \"é\" \\ \u0001",
      "campaigns": [
        {"id": "all", "type": "notification", "message": "{{ name }}: {{Offer}} \n\t\"", "data": "app://{{offer}}",
         "handlerType": "appLink", "trigger": "dwelling", "dwellingMinutes": 5, "regions": ["till", "museum", "café"],
         "start": "2026-05-16T14:00:00.250+02:00", "end": "2027-01-01T00:00:00Z", "cooldownPeriod": 86400,
         "segmentation": {"all": [
           {"property": "premium/~", "equals": true}, {"property": "level", "equals": 3},
           {"property": "share", "equals": 0.1},
           {"property": "tiny", "equals": 1e-7}, {"property": "born", "equals": {"date": "2026-03-01T00:00:00Z"}},
           {"property": "tier", "equals": "gold"}]}},
        {"id": "page", "type": "notification", "message": "m", "handlerType": "landingPage", "trigger": "exit",
         "regions": ["museum"], "resend": true},
        {"id": "silent", "type": "geotrigger", "name": "n {{name}}", "data": "d", "regions": ["museum"],
         "resend": false},
        {"id": "plain", "type": "notification", "message": "m", "regions": ["café"]}
      ],
      "regions": [
        {"id": "museum", "type": "geofence", "name": "Museum shop", "latitude": 52.36, "longitude": 4.885,
         "radius": 99.5,
         "customFields": {"offer": "postcards", "number": 0.1, "open": true, "Ä\"": "{{x}}"}},
        {"id": "café", "type": "geofence", "latitude": -0.1234567890123456, "longitude": 1e-7},
        {"id": "till", "type": "beacon", "name": "", "proximityUUID": "F7826da6-4fa2-4e98-8024-bc5b71e0893e",
         "majorId": 1, "minorId": 7, "range": "near"},
        {"id": "any", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 0,
         "range": "immediate"}
      ]
    }
    """#

  @Test func readingWhatWasWrittenGivesAnEqualFeed() throws {
    let feed = try Feed.parse(Self.rich)
    #expect(feed.campaigns[0].start == 1_778_932_800_250)
    #expect(feed.campaigns[0].segmentation?.mentions(Identifier("tier")) == true)
    #expect(feed.campaigns[0].regions == [2, 0, 1])
    let again = try Feed.parse(feed.json)
    #expect(again.revision == feed.revision)
    #expect(again.regions == feed.regions)
    #expect(again.campaigns == feed.campaigns)
    #expect(again.json == feed.json, "a fixed point")
  }

  @Test func writtenFeedsHaveTheseBytes() throws {
    let feed = try Self.feed(
      FeedFaultTests.geofence(#","name":"N","customFields":{"a\u0001":1e-7}"#) + ","
        + #"{"id":"b","type":"beacon","proximityUUID":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","majorId":1,"minorId":2}"#,
      CampaignFaultTests.notification(#","start":"2026-05-16T12:00:00+02:00","cooldownPeriod":60"#))
    #expect(
      feed.json
        == #"{"version":1,"regions":[{"id":"a","type":"geofence","name":"N","latitude":1.0,"longitude":2.0,"#
        + #""radius":200.0,"customFields":{"a\u0001":"1e-07"}},{"id":"b","type":"beacon","#
        + #""proximityUUID":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","majorId":1,"minorId":2,"range":"far"}],"#
        + #""campaigns":[{"id":"c","type":"notification","message":"m","handlerType":"regular","data":"","#
        + #""trigger":"enter","regions":["a"],"start":"2026-05-16T10:00:00Z","cooldownPeriod":60}]}"#)
  }

  @Test func coordinatesSurviveAnyRoundTrip() throws {
    var generator = SplitMix64(12)
    for _ in 0..<2000 {
      let latitude = Double.random(in: -90...90, using: &generator)
      let longitude = Double.random(in: -180...180, using: &generator)
      let circle = Circle(center: Coordinate(latitude: latitude, longitude: longitude), radius: abs(latitude) + 0.1)
      let region = Region(id: Identifier("a"), name: nil, shape: .circle(circle))
      let feed = Feed(revision: nil, regions: [region], campaigns: [], digest: "")
      #expect(try Feed.parse(feed.json).regions == [region])
    }
  }

  /// The example of the page is a good feed.
  @Test func theExampleOfThePage() throws {
    let page = try String(contentsOf: projectRoot.appendingPathComponent("docs/feed.md"), encoding: .utf8)
    let block = try #require(
      page.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
    let feed = try Feed.parse(block)
    #expect(feed.regions.map(\.id.text) == ["museum", "till"] && feed.campaigns.map(\.id.text) == ["welcome"])
    #expect(feed.campaigns[0].trigger == .dwelling(minutes: 5))
  }

  @Test func filesAreRead() throws {
    let folder = try Folder()
    let file = folder.url.appendingPathComponent("feed.json")
    try Data(Self.rich.utf8).write(to: file)
    #expect(try Feed.load(path: file.path).json == Feed.parse(Self.rich).json)
    let missing = file.path + ".missing"
    #expect(throws: FileError(path: missing, code: ENOENT)) { try Feed.load(path: missing) }
  }
}
