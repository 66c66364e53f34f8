import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// How regions are entered and left, and what campaigns make of it: what is refused, and what is read.
@Suite struct PresenceFaultTests {
  static let presets =
    #""default" or "exact" or "eager" or "balanced" or "careful" or "walking" or "driving" or "indoor" or "conservative""#
  static let policyKeys =
    "a key of a noise policy (preset, maxAccuracy, enterShare, exitShare, margin, marginShare, maxMargin, confirmFixes, "
    + "confirmTime, confirmAlone, minInside, minOutside, maxSpeed, enterFixes, enterDepth, slowDepth, roughDepth, "
    + "enterSlack, exitFixes, cellReach)"

  static let regions: [FaultCase] = [
    FaultCase(#","noise":"Driving""#, "/noise", "\"D", presets + " or an object", "the string \"Driving\""),
    FaultCase(#","noise":3"#, "/noise", "3", presets + " or an object", "the number 3"),
    FaultCase(#","noise":{"preset":"x"}"#, "/noise/preset", "\"x", presets, "the string \"x\""),
    FaultCase(#","noise":{"maxLateness":3}"#, "/noise/maxLateness", "3", policyKeys, "the unknown key \"maxLateness\""),
    FaultCase(
      #","noise":{"preset":"balanced","margin":1}"#, "/noise/preset", "\"b",
      "a preset with gates beside \"margin\", as \"default-1\"", "the string \"balanced\""),
    FaultCase(
      #","noise":{"preset":"driving-1","exitFixes":2}"#, "/noise/preset", "\"d",
      "a preset that weighs evidence beside \"exitFixes\", as \"balanced\"", "the string \"driving-1\""),
    FaultCase(
      #","noise":{"margin":1,"exitFixes":2}"#, "/noise/exitFixes", "2",
      "no \"exitFixes\" beside \"margin\": a policy has gates, or it weighs evidence", "the number 2"),
    FaultCase(#","noise":{"jumpTime":3}"#, "/noise/jumpTime", "3", policyKeys, "the unknown key \"jumpTime\""),
    FaultCase(#","noise":{"exitFixes":0}"#, "/noise/exitFixes", "0", "an integer from 1 to 100", "the number 0"),
    FaultCase(#","noise":{"cellReach":11}"#, "/noise/cellReach", "11", "a number from 0 to 10", "the number 11"),
    FaultCase(#","noise":{"margin":-1}"#, "/noise/margin", "-1", "a number from 0 to 100000", "the number -1"),
    FaultCase(#","noise":{"enterShare":1.01}"#, "/noise/enterShare", "1.01", "a number from 0 to 1", "the number 1.01"),
    FaultCase(
      #","noise":{"confirmFixes":0}"#, "/noise/confirmFixes", "0", "an integer from 1 to 100", "the number 0"),
    FaultCase(
      #","noise":{"minInside":1.5}"#, "/noise/minInside", "1.5", "an integer from 0 to 86400", "the number 1.5"),
    FaultCase(#","noise":{"maxSpeed":"9"}"#, "/noise/maxSpeed", "\"9", "a number from 0 to 1000", "the string \"9\""),
    FaultCase(#","initial":"dwell""#, "/initial", "\"d", #""none" or "enter" or "dwellOnly""#, "the string \"dwell\""),
    FaultCase(#","moving":1"#, "/moving", "1", "true or false", "the number 1"),
  ]

  static let campaigns: [FaultCase] = [
    FaultCase(
      #","arrivalSeconds":60"#, "/arrivalSeconds", "60", "no \"arrivalSeconds\" unless the trigger is \"approaching\"",
      "the number 60"),
    FaultCase(
      #","trigger":"approaching""#, "", "{", "\"arrivalSeconds\", an integer from 10 to 3600", "no such key"),
    FaultCase(
      #","trigger":"approaching","arrivalSeconds":9"#, "/arrivalSeconds", "9", "an integer from 10 to 3600",
      "the number 9"),
    FaultCase(
      #","trigger":"approaching","arrivalSeconds":60,"passages":true"#, "/passages", "true",
      "no \"passages\" unless the trigger is \"enter\" or \"exit\"", "true"),
    FaultCase(#","passages":"yes""#, "/passages", "\"y", "true or false", "the string \"yes\""),
    FaultCase(
      #","trigger":"dwelling","dwellingMinutes":5,"crossing":{"course":[0,90]}"#, "/crossing", "{\"course",
      "no \"crossing\" unless the trigger is \"enter\" or \"exit\"", "an object"),
    FaultCase(
      #","crossing":{}"#, "/crossing", "{}",
      "\"direction\", \"course\", \"leastSpeed\", \"mostSpeed\" or several of them", "none"),
    FaultCase(
      #","crossing":{"direction":"left"}"#, "/crossing/direction", "\"left\"",
      "\"leftToRight\" or \"rightToLeft\"", "the string \"left\""),
    FaultCase(
      #","crossing":{"course":[10]}"#, "/crossing/course", "[10]", "two courses from 0 to 360, as in [315, 45]",
      "an array"),
    FaultCase(
      #","crossing":{"course":[10,361]}"#, "/crossing/course/1", "361", "degrees from 0 to 360", "the number 361"),
    FaultCase(
      #","crossing":{"leastSpeed":3,"mostSpeed":2.5}"#, "/crossing/mostSpeed", "2.5",
      "metres a second, 3.0 to 1000", "the number 2.5"),
    FaultCase(
      #","crossing":{"leastSpeed":3},"passages":false"#, "/passages", "false",
      "no \"passages\" of false together with \"crossing\"", "false"),
    FaultCase(
      #","resend":true,"crossing":{"leastSpeed":3},"repeatMinutes":5"#, "/repeatMinutes", "5",
      "no \"repeatMinutes\" together with \"crossing\"", "the number 5"),
    FaultCase(
      #","tripEvent":"arrived""#, "/tripEvent", "\"arrived\"}", "no \"tripEvent\" unless the trigger is \"trip\"",
      "the string \"arrived\""),
    FaultCase(
      #","trigger":"trip""#, "", "{", "\"tripEvent\", what happens on a trip, as \"arrived\"", "no such key"),
    FaultCase(
      #","trigger":"trip","tripEvent":"there""#, "/tripEvent", "\"there",
      #""started" or "approaching" or "arrived" or "stopped" or "off-route" or "delayed" or "wrong-destination" "#
        + #"or "expired" or "cancelled""#, "the string \"there\""),
    FaultCase(
      #","absence":{"by":"09:00"}"#, "/absence", "{\"by", "no \"absence\" unless the trigger is \"absent\"", "an object"
    ),
    FaultCase(
      #","trigger":"absent""#, "", "{",
      "\"absence\", an absence, an object as {\"by\": \"09:00\"} or {\"minutes\": 10080}", "no such key"),
    FaultCase(
      #","trigger":"absent","absence":{"leastMinutes":5}"#, "/absence", "{\"least", "\"by\" or \"minutes\"", "neither"),
    FaultCase(
      #","trigger":"absent","absence":{"by":"00:00"}"#, "/absence/by", "\"00:00", "a time from \"00:01\" to \"24:00\"",
      "the string \"00:00\""),
    FaultCase(
      #","trigger":"absent","absence":{"by":"09:00","minutes":5}"#, "/absence/by", "\"09",
      "\"minutes\" or \"by\", not both",
      "the string \"09:00\""),
    FaultCase(
      #","trigger":"absent","absence":{"minutes":5,"days":["mon"]}"#, "/absence/days", "[\"mon",
      "no \"days\" without \"by\"", "an array"),
    FaultCase(
      #","trigger":"absent","absence":{"by":"09:00","from":"09:00"}"#, "/absence/from", "\"09:00\"}",
      "a time before \"by\"",
      "the string \"09:00\""),
    FaultCase(
      #","trigger":"absent","absence":{"by":"09:00","days":["mon","mon"]}"#, "/absence/days/1", "\"mon\"]",
      "each day once",
      "the string \"mon\""),
    FaultCase(
      #","trigger":"absent","absence":{"by":"09:00","days":[]}"#, "/absence/days", "[]", "at least one day",
      "an empty array"),
    FaultCase(
      #","trigger":"absent","absence":{"by":"09:00","fromDay":"monday"}"#, "/absence/fromDay", "\"monday",
      "a day of the week, as \"mon\"", "the string \"monday\""),
    FaultCase(
      #","trigger":"absent","absence":{"minutes":0}"#, "/absence/minutes", "0", "an integer from 1 to 525600",
      "the number 0"),
    FaultCase(
      #","daily":true"#, "/daily", "true", "no \"daily\" unless the trigger is \"inside\"", "true"),
    FaultCase(
      #","trigger":"inside","insideAt":"18:00","daily":true"#, "/daily", "true",
      "no \"daily\" of true without \"resend\" or a \"cooldownPeriod\"", "true"),
    FaultCase(
      #","repeatMinutes":5"#, "/repeatMinutes", "5", "no \"repeatMinutes\" without \"resend\" or a \"cooldownPeriod\"",
      "the number 5"),
    FaultCase(
      #","resend":true,"repeatMinutes":1441"#, "/repeatMinutes", "1441", "an integer from 1 to 1440", "the number 1441"),
    FaultCase(
      #","resend":true,"trigger":"exit","repeatMinutes":5"#, "/repeatMinutes", "5",
      "no \"repeatMinutes\" unless the trigger is \"enter\" or \"dwelling\"", "the number 5"),
  ]

  @Test(arguments: regions)
  func regionsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(TimesFaultTests.inRegion(test.text), test, in: "/regions/0")
  }

  @Test func anAreaDoesNotMove() throws {
    let area =
      #"{"id":"a","type":"geofence","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,1],[0,0]]]},"moving":true}"#
    let test = FaultCase(area, "/moving", "true", "no \"moving\" but of a circle", "true")
    try FeedFaultTests.check("{\"version\":1,\"regions\":[\(area)],\"campaigns\":[]}", test, in: "/regions/0")
  }

  static let groupForm = "the id of a geofence or a beacon of this feed"

  @Test(arguments: [
    FaultCase(
      #"{"id":"g","type":"group"}"#, "", "{", "\"regions\", an array of region ids", "no such key"),
    FaultCase(#"{"id":"g","type":"group","regions":[]}"#, "/regions", "[]", "at least one region id", "an array"),
    FaultCase(
      #"{"id":"g","type":"group","regions":["a","a"]}"#, "/regions/1", "\"a\"]", "each region once", "the string \"a\""),
    FaultCase(#"{"id":"g","type":"group","regions":["a","z"]}"#, "/regions/1", "\"z", groupForm, "the string \"z\""),
    FaultCase(#"{"id":"g","type":"group","regions":["g"]}"#, "/regions/0", "\"g\"]", groupForm, "the string \"g\""),
    FaultCase(
      #"{"id":"g","type":"group","regions":["a"],"enter":"one"}"#, "/enter", "\"one",
      #""any" or "all" or "beacon" or "geofence""#, "the string \"one\""),
    FaultCase(
      #"{"id":"g","type":"group","regions":["a"],"hold":"all"}"#, "/hold", "\"all",
      #""any" or "beacon" or "geofence""#, "the string \"all\""),
    FaultCase(
      #"{"id":"e","type":"beacon","namespaceId":"0011223344556677889"}"#, "/namespaceId", "\"0011",
      "20 hexadecimal digits", "the string \"0011223344556677889\""),
    FaultCase(
      #"{"id":"e","type":"beacon","namespaceId":"00112233445566778899","instanceId":"00112233445g"}"#, "/instanceId",
      "\"00112233445g", "12 hexadecimal digits", "the string \"00112233445g\""),
  ])
  func beaconsAndGroupsAreRefused(_ test: FaultCase) throws {
    let text = "{\"version\":1,\n\"regions\":[\(FeedFaultTests.geofence("")),\n\(test.text)],\n\"campaigns\":[]}"
    try FeedFaultTests.check(text, test, in: "/regions/1")
  }

  @Test func beaconsAndGroupsAreRead() throws {
    let feed = try Feed.parse(
      #"""
      {"version": 1, "campaigns": [], "regions": [
        {"id": "g", "type": "group", "regions": ["e", "c"], "enter": "beacon", "hold": "geofence"},
        {"id": "e", "type": "beacon", "namespaceId": "00112233445566778899", "instanceId": "AABBCCDDEEFF", "range": "near"},
        {"id": "c", "type": "geofence", "latitude": 1, "longitude": 2, "radius": 30},
        {"id": "f", "type": "beacon", "namespaceId": "00112233445566778899"},
        {"id": "h", "type": "group", "regions": ["f"]}]}
      """#)
    let members = [Identifier("e"), Identifier("c")]
    let place = Circle(center: Coordinate(latitude: 1, longitude: 2), radius: 30)
    #expect(
      feed.regions.map(\.shape) == [
        .group(Group(members: members, enter: .beacon, hold: .geofence, place: place)),
        .eddystone(Eddystone(namespaceId: "00112233445566778899", instanceId: "AABBCCDDEEFF", range: .near)),
        .circle(place), .eddystone(Eddystone(namespaceId: "00112233445566778899", instanceId: nil, range: .far)),
        .group(Group(members: [Identifier("f")], enter: .any, hold: .any, place: nil)),
      ])
    #expect(feed.regions.map(\.matchRange) == [30, 2, 30, 30, 30])
    let again = try Feed.parse(feed.json)
    #expect(again.regions == feed.regions && again.json == feed.json)
  }

  @Test(arguments: campaigns)
  func campaignsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(TimesFaultTests.inCampaign(test.text), test, in: "/campaigns/0")
  }

  static let all = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 1, "longitude": 2, "noise": "driving-1", "initial": "dwellOnly", "moving": true},
       {"id": "b", "type": "geofence", "latitude": 1, "longitude": 2,
        "noise": {"preset": "exact", "maxAccuracy": 12.5, "enterShare": 0.5, "exitShare": 1, "margin": 3, "marginShare": 0.25,
          "maxMargin": 99, "confirmFixes": 4, "confirmTime": 5, "confirmAlone": 6, "minInside": 7, "minOutside": 8, "maxSpeed": 9}},
       {"id": "c", "type": "geofence", "latitude": 1, "longitude": 2, "noise": {"maxAccuracy": 0}}],
     "campaigns": [
       {"id": "p", "type": "geotrigger", "name": "n", "regions": ["a"], "trigger": "exit", "passages": true},
       {"id": "q", "type": "geotrigger", "name": "n", "regions": ["a"], "trigger": "approaching", "arrivalSeconds": 3600},
       {"id": "r", "type": "notification", "message": "m", "regions": ["a"], "repeatMinutes": 1440, "cooldownPeriod": 1},
       {"id": "s", "type": "notification", "message": "m", "regions": ["a"], "trigger": "exit",
        "crossing": {"direction": "rightToLeft", "course": [350.5, 10], "leastSpeed": 1.5, "mostSpeed": 9}},
       {"id": "t", "type": "geotrigger", "name": "n", "regions": ["a"], "trigger": "absent",
        "absence": {"by": "24:00", "from": "00:30", "days": ["sun", "mon"], "fromDay": "wed", "leastMinutes": 20,
          "silenceMinutes": 30}},
       {"id": "u", "type": "geotrigger", "name": "n", "regions": ["a"], "trigger": "absent",
        "absence": {"minutes": 10080}},
       {"id": "v", "type": "geotrigger", "name": "n", "regions": ["a"], "trigger": "inside", "insideAt": "18:00",
        "resend": true, "daily": true}]}
    """#

  @Test func theyBecomeThese() throws {
    let feed = try Feed.parse(Self.all)
    var driving = NoisePolicy.drivingGates
    driving.maxImpliedSpeed = nil
    driving.maxLateness = 0
    var own = NoisePolicy.exact
    own.maxAccuracy = 12.5
    own.enterShare = 0.5
    own.exitShare = 1
    own.margin = 3
    own.marginShare = 0.25
    own.maxMargin = 99
    own.confirmFixes = 4
    own.confirmTime = 5000
    own.confirmAlone = 6000
    own.minInside = 7000
    own.minOutside = 8000
    own.maxSpeed = 9
    var all = NoisePolicy.gates
    all.maxAccuracy = nil
    #expect(feed.regions.map(\.noise) == [driving, own, all])
    #expect(
      feed.regions.map(\.initial) == [.dwellOnly, nil, nil] && feed.regions.map(\.isMoving) == [true, false, false])
    #expect(
      feed.campaigns.map(\.trigger) == [
        .exit, .approaching(seconds: 3600), .enter, .exit, .absent, .absent, .inside(minuteOfDay: 1080),
      ])
    #expect(feed.campaigns.map(\.countsPassages) == [true, false, false, true, false, false, false])
    let rule = CrossingRule(
      direction: .rightToLeft, course: .init(from: 350.5, to: 10), leastSpeed: 1.5, mostSpeed: 9)
    #expect(feed.campaigns.map(\.crossing) == [nil, nil, nil, rule, nil, nil, nil])
    #expect(feed.campaigns.map(\.repeatEvery) == [nil, nil, 86_400_000, nil, nil, nil, nil])
    let days = [true, false, false, false, false, false, true]
    let week = AbsenceRule(
      .upTo(.init(by: 1440, days: days, from: 30, fromDay: 2)), leastVisit: 1_200_000, longestGap: 1_800_000)
    let long = AbsenceRule(.lasting(minutes: 10_080), longestGap: 43_200_000)
    #expect(feed.campaigns.map(\.absence) == [nil, nil, nil, nil, week, long, nil])
    #expect(feed.campaigns.map(\.isDaily) == [false, false, false, false, false, false, true])
    let again = try Feed.parse(feed.json)
    #expect(again.regions == feed.regions && again.campaigns == feed.campaigns && again.json == feed.json)
  }

  @Test func thePolicyOfAnEngine() throws {
    for (name, policy) in NoisePolicy.presets {
      let configuration = try Configuration(#"{"publicToken": "t", "engine": {"noise": "\#(name)"}}"#)
      #expect(configuration.noise == policy)
      // Of names with one meaning the first is written.
      let written = NoisePolicy.presets.first { $0.policy == policy }?.name ?? name
      #expect(configuration.json.contains(#""noise":"\#(written)""#))
      let object = try Configuration(#"{"publicToken": "t", "engine": {"noise": {"preset": "\#(name)"}}}"#)
      #expect(object.noise == policy)
    }
    let text =
      #"{"publicToken": "t", "engine": {"noise": {"preset": "walking", "maxLateness": 60, "maxImpliedSpeed": 0}}}"#
    var expected = NoisePolicy.walkingGates
    expected.maxLateness = 60_000
    expected.maxImpliedSpeed = nil
    let configuration = try Configuration(text)
    #expect(configuration.noise == expected)
    #expect(try Configuration(configuration.json).noise == expected, "what is written is read back")
    let error = try #require(
      fault(ofConfiguration: Array(#"{"publicToken": "t", "engine": {"noise": {"maxLateness": 3601}}}"#.utf8)))
    #expect(short(error).hasSuffix("/engine/noise/maxLateness | an integer from 0 to 3600 | the number 3601"))
  }
}
