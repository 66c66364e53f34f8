import Foundation
import PlotTesting
import Testing

@testable import PlotDocuments

/// A document with something in it to be found, and one that is almost the same, without it.
struct LintCase: CustomTestStringConvertible {
  var code: LintCode
  var pointer: String
  var config: String?
  var feed: String?
  var nearConfig: String?
  var nearFeed: String?
  var time: Int64?
  var testDescription: String { "\(code.rawValue) \(pointer)" }

  /// Of a feed.
  init(_ code: LintCode, _ pointer: String, at time: Int64? = nil, config: String? = nil, _ feed: String, near: String)
  {
    self.code = code
    self.pointer = pointer
    self.config = config
    self.feed = feed
    nearConfig = config
    nearFeed = near
    self.time = time
  }

  /// Of a configuration.
  init(_ code: LintCode, _ pointer: String, properties: String, near: String) {
    self.code = code
    self.pointer = pointer
    config = #"{"publicToken":"t",\#(properties)}"#
    nearConfig = #"{"publicToken":"t",\#(near)}"#
  }

  /// Of a whole configuration.
  init(_ code: LintCode, _ pointer: String, config: String, near: String) {
    self.code = code
    self.pointer = pointer
    self.config = config
    nearConfig = near
  }

  static func circle(_ id: String, _ latitude: Double = 52, _ more: String = "") -> String {
    #"{"id":"\#(id)","type":"geofence","latitude":\#(latitude),"longitude":5\#(more.isEmpty ? "" : "," + more)}"#
  }

  static func beacon(_ id: String, _ uuid: Int = 1) -> String {
    let digits = String(uuid)
    let start = String(repeating: "0", count: 8 - digits.count) + digits
    return #"{"id":"\#(id)","type":"beacon","proximityUUID":"\#(start)-0000-0000-0000-000000000000","majorId":1}"#
  }

  static func note(_ id: String, _ more: String = "", at regions: String = #""a""#) -> String {
    #"{"id":"\#(id)","type":"notification","message":"m \#(id)","regions":[\#(regions)]\#(more.isEmpty ? "" : "," + more)}"#
  }

  static func doc(_ regions: [String], _ campaigns: [String], _ settings: String = "") -> String {
    #"{"version":1,"regions":[\#(regions.joined(separator: ","))],"campaigns":[\#(campaigns.joined(separator: ","))]"#
      + (settings.isEmpty ? "}" : #","settings":{\#(settings)}}"#)
  }

  /// One campaign at one region.
  static func one(_ campaign: String, region: String = "", _ settings: String = "") -> String {
    doc([circle("a", 52, region)], [note("c", campaign)], settings)
  }

  private static func segment(_ text: String) -> String { one(#""segmentation":\#(text)"#) }

  private static let span = #""start":"2026-06-01T00:00:00Z","end":"2026-06-02T00:00:00Z""#
  private static let weekdays = #""mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]]"#

  static let reading: [LintCase] = [
    LintCase(.syntax, "", #"{"version":1,}"#, near: one("")),
    LintCase(.unknownKey, "/campaigns/0/dwelingMinutes", one(#""dwelingMinutes":5"#), near: one(#""x-dwelling":5"#)),
    LintCase(
      .unknownKey, "/settings/slot", one("", #""slot":{"count":1}"#), near: one("", #""slots":{"count":1}"#)),
    LintCase(.missingKey, "", #"{"regions":[],"campaigns":[]}"#, near: doc([], [])),
    LintCase(
      .missingKey, "/regions/0", doc([#"{"id":"a","type":"geofence","latitude":1}"#], []),
      near: doc([#"{"id":"a","type":"geofence","latitude":1,"longitude":1}"#], [])),
    LintCase(
      .invalidValue, "/regions/0/radius", one("", region: #""radius":0"#), near: one("", region: #""radius":10"#)),
    LintCase(
      .invalidValue, "/campaigns/0/caps/0/max", one(#""caps":[{"max":0,"days":1}]"#),
      near: one(#""caps":[{"max":1,"days":1}]"#)),
    LintCase(
      .duplicateId, "/regions/1/id", doc([circle("a"), circle("a", 53)], [note("c")]),
      near: doc([circle("a"), circle("A", 53)], [note("c", at: #""a","A""#)])),
    LintCase(
      .duplicateId, "/settings/strategies/1/key",
      doc([], [], #""strategies":[{"key":"k","type":"custom"},{"key":"k","type":"custom"}]"#),
      near: doc([], [], #""strategies":[{"key":"k","type":"custom"},{"key":"l","type":"custom"}]"#)),
    LintCase(
      .unknownRegion, "/campaigns/0/regions/1", doc([circle("a")], [note("c", at: #""a","b""#)]),
      near: doc([circle("a"), circle("b", 53)], [note("c", at: #""a","b""#)])),
    LintCase(
      .invalidValue, "/campaigns/0/after/steps/0/region", one(#""after":{"steps":[{"region":7}]}"#),
      near: one(#""after":{"steps":[{"region":"a"}]}"#)),
    LintCase(
      .unknownRegion, "/regions/1/regions/1",
      doc([circle("a"), #"{"id":"g","type":"group","regions":["a","b"]}"#], [note("c", at: #""g""#)]),
      near: doc([circle("a"), #"{"id":"g","type":"group","regions":["a"]}"#], [note("c", at: #""g""#)])),
    LintCase(.noRegions, "/campaigns/0/regions", doc([circle("a")], [note("c", at: "")]), near: one("")),
    LintCase(
      .contradictoryWindow, "/campaigns/0/end", one(#""start":"2026-06-01T00:00:00Z","end":"2026-06-01T00:00:00Z""#),
      near: one(#""start":"2026-06-01T00:00:00Z","end":"2026-06-01T00:00:01Z""#)),
  ]

  static let configurations: [LintCase] = [
    LintCase(.unknownProperty, "/cooldown", properties: #""cooldown":1"#, near: #""cooldownPeriod":1"#),
    LintCase(
      .unknownProperty, "/engine/beacons/silent", properties: #""engine":{"beacons":{"silent":1}}"#,
      near: #""engine":{"beacons":{"silence":1}}"#),
    LintCase(
      .looseValue, "/enableCombinedMonitoring", properties: #""enableCombinedMonitoring":"true""#,
      near: #""enableCombinedMonitoring":true"#),
    LintCase(
      .provisionalPermission, "/provisionalNotificationPermission",
      properties: #""provisionalNotificationPermission":true,"automaticallyAskLocationPermission":false"#,
      near: #""provisionalNotificationPermission":true,"automaticallyAskLocationPermission":true"#),
    LintCase(
      .idleKey, "/transitionRecognitionActivities", properties: #""transitionRecognitionActivities":["EXIT-VEHICLE"]"#,
      near: #""transitionRecognitionActivities":["EXIT-VEHICLE"],"enableTransitionRecognition":true"#),
    LintCase(
      .idleKey, "/enableAltBeaconForegroundService", properties: #""enableAltBeaconForegroundService":true"#,
      near: #""enableAltBeaconForegroundService":true,"enableAltBeaconMonitoring":true"#),
    LintCase(
      .idleKey, "/engine/capabilities/fallback", properties: #""engine":{"capabilities":{"fallback":"silent"}}"#,
      near: #""engine":{"capabilities":{"fallback":"silent","suppress":false}}"#),
    LintCase(.noPublicToken, "", config: "{}", near: #"{"publicToken":"t"}"#),
    LintCase(
      .contradictoryNoise, "/engine/noise/margin", properties: #""engine":{"noise":{"margin":101}}"#,
      near: #""engine":{"noise":{"margin":100}}"#),
    LintCase(
      .contradictoryNoise, "/engine/noise/maxImpliedSpeed",
      properties: #""engine":{"noise":{"maxSpeed":8,"maxImpliedSpeed":7}}"#,
      near: #""engine":{"noise":{"maxSpeed":8,"maxImpliedSpeed":8}}"#),
    LintCase(
      .contradictoryNoise, "/engine/noise/confirmTime",
      properties: #""engine":{"noise":{"confirmTime":61,"confirmAlone":60}}"#,
      near: #""engine":{"noise":{"confirmTime":60,"confirmAlone":60}}"#),
  ]

  static let times: [LintCase] = [
    LintCase(
      .campaignOver, "/campaigns/0/end", at: 1_780_358_400_000, one(span),
      near: one(#""end":"2026-06-02T00:00:00.001Z""#)),
    LintCase(
      .neverInTimes, "/campaigns/0/triggerTimes",
      one(span + #","triggerTimes":{"type":"timespans","timespans":[{"end":"2026-06-01T00:00:00Z"}]}"#),
      near: one(span + #","triggerTimes":{"type":"timespans","timespans":[{"end":"2026-06-01T00:00:01Z"}]}"#)),
    // The first of June 2026 is a Monday; a device may be where it is still Sunday, or Tuesday already.
    LintCase(
      .neverInTimes, "/campaigns/0/triggerTimes",
      one(span + #","triggerTimes":{"type":"openinghours","openingHours":{"thu":[["09:00","17:00"]]}}"#),
      near: one(span + #","triggerTimes":{"type":"openinghours","openingHours":{"tue":[["09:00","17:00"]]}}"#)),
    LintCase(
      .neverInTimes, "/campaigns/0/regions",
      one(span, region: #""timeZone":"UTC","openingHours":{"tue":[["02:00","17:00"]]}"#),
      near: one(span, region: #""timeZone":"UTC","openingHours":{"mon":[["23:00","24:00"]]}"#)),
    LintCase(
      .neverInTimes, "/campaigns/0/regions", one("", region: #""openingHours":{}"#),
      near: one("", region: #""openingHours":{"exceptions":{"2026-12-25":[["09:00","10:00"]]}}"#)),
    LintCase(
      .neverInTimes, "/campaigns/0/regions",
      one(#""trigger":"inside","insideAt":"17:00""#, region: #""openingHours":{\#(weekdays)}"#),
      near: one(#""trigger":"inside","insideAt":"16:59""#, region: #""openingHours":{\#(weekdays)}"#)),
    LintCase(
      .neverInTimesHere, "/campaigns/0/regions/1",
      doc(
        [circle("a"), circle("b", 53, #""timespans":[{"end":"2026-01-01T00:00:00Z"}]"#)],
        [note("c", span, at: #""a","b""#)]),
      near: doc(
        [circle("a"), circle("b", 53, #""timespans":[{"end":"2026-06-01T10:00:00Z"}]"#)],
        [note("c", span, at: #""a","b""#)])),
    LintCase(
      .alwaysQuiet, "/settings/quietHours/0", one("", #""quietHours":[{"hours":{"daily":[["00:00","24:00"]]}}]"#),
      near: one("", #""quietHours":[{"hours":{"daily":[["00:00","23:59"]]}}]"#)),
    LintCase(
      .alwaysQuiet, "/regions/0/quietHours", one("", region: #""quietHours":{"hours":{"daily":[["08:00","08:00"]]}}"#),
      near: one("", region: #""quietHours":{"hours":{"daily":[["08:00","08:00"]]},"during":"holdInside"}"#)),
    LintCase(
      .alwaysQuiet, "/campaigns/0/quietHours", one(#""quietHours":{"hours":{"daily":[["00:00","24:00"]]}}"#),
      near: one(#""quietHours":{"hours":{"daily":[["00:00","24:00"]],"exceptions":{"2026-12-25":[]}}}"#)),
    LintCase(
      .alwaysQuiet, "/campaigns/0",
      one("", region: #""openingHours":{\#(weekdays)}"#, #""quietHours":{"hours":{"daily":[["08:00","18:00"]]}}"#),
      near: one("", region: #""openingHours":{\#(weekdays)}"#, #""quietHours":{"hours":{"daily":[["09:01","18:00"]]}}"#)
    ),
    // Whose clocks differ is not compared.
    LintCase(
      .alwaysQuiet, "/campaigns/0",
      one(
        "", region: #""timeZone":"UTC","openingHours":{\#(weekdays)}"#,
        #""quietHours":{"zone":"region","hours":{"daily":[["08:00","18:00"]]}}"#),
      near: one(
        "", region: #""timeZone":"UTC","openingHours":{\#(weekdays)}"#,
        #""quietHours":{"hours":{"daily":[["08:00","18:00"]]}}"#)),
    LintCase(
      .alwaysQuietHere, "/campaigns/0/regions/1",
      doc(
        [circle("a"), circle("b", 53, #""openingHours":{\#(weekdays)}"#)],
        [note("c", #""quietHours":{"hours":{"daily":[["08:00","18:00"]]}}"#, at: #""a","b""#)]),
      near: doc(
        [circle("a"), circle("b", 53, #""openingHours":{\#(weekdays),"sun":[["07:00","09:00"]]}"#)],
        [note("c", #""quietHours":{"hours":{"daily":[["08:00","18:00"]]}}"#, at: #""a","b""#)])),
  ]

  static let limits: [LintCase] = [
    LintCase(
      .repeatsNever, "/campaigns/0/cooldownPeriod", one(span + #","cooldownPeriod":86400"#),
      near: one(span + #","cooldownPeriod":86399"#)),
    LintCase(
      .repeatsNever, "/campaigns/0/caps/0", one(span + #","resend":true,"caps":[{"max":1,"window":86400}]"#),
      near: one(span + #","resend":true,"caps":[{"max":1,"window":86399}]"#)),
    LintCase(
      .repeatBelowCooldown, "/campaigns/0/repeatMinutes", one(#""repeatMinutes":1,"cooldownPeriod":61"#),
      near: one(#""repeatMinutes":1,"cooldownPeriod":60"#)),
    LintCase(
      .silenceHidesAbsence, "/campaigns/0/absence",
      one(#""trigger":"absent","absence":{"by":"09:00","from":"08:00"},"resend":true"#),
      near: one(#""trigger":"absent","absence":{"by":"09:00","from":"08:00","silenceMinutes":59},"resend":true"#)),
    LintCase(
      .silenceHidesAbsence, "/campaigns/0/absence",
      one(#""trigger":"absent","absence":{"minutes":1440,"silenceMinutes":1440},"resend":true"#),
      near: one(#""trigger":"absent","absence":{"minutes":1440},"resend":true"#)),
    LintCase(
      .pauseOutlastsCampaign, "/campaigns/0/end", config: #"{"publicToken":"t","cooldownPeriod":86400}"#,
      doc([circle("a")], [note("c", span), note("d")]),
      near: doc([circle("a")], [note("c", #""start":"2026-06-01T00:00:00Z","end":"2026-06-02T00:00:01Z""#), note("d")])),
    LintCase(
      .pauseOutlastsCampaign, "/campaigns/0/end",
      doc(
        [circle("a")], [note("c", span), note("d")], #""strategies":[{"key":"k","type":"minimumTime","seconds":86400}]"#
      ),
      near: doc(
        [circle("a")], [note("c", span), note("d")],
        #""strategies":[{"key":"k","type":"minimumTime","seconds":86400,"enabled":false}]"#)),
    LintCase(
      .capWithoutEffect, "/settings/caps/1",
      one("", #""caps":[{"per":"all","max":2,"window":60},{"per":"all","max":3,"window":60}]"#),
      near: one("", #""caps":[{"per":"all","max":2,"window":60},{"per":"all","max":3,"window":61}]"#)),
    LintCase(
      .unusedTag, "/settings/caps/0/tag", one("", #""caps":[{"per":"tag","tag":"promo","max":2,"days":1}]"#),
      near: one(#""tags":["promo"]"#, #""caps":[{"per":"tag","tag":"promo","max":2,"days":1}]"#)),
    LintCase(
      .unusedTag, "/settings/quietHours/0/tag", one("", #""quietHours":[{"tag":"promo","hours":{}}]"#),
      near: one(#""tags":["promo"]"#, #""quietHours":[{"tag":"promo","hours":{}}]"#)),
    LintCase(
      .notificationsDisabled, "/settings/notificationsEnabled", one("", #""notificationsEnabled":false"#),
      near: one("", #""notificationsEnabled":true"#)),
    LintCase(
      .idleKey, "/campaigns/0/cooldownFrom", one(#""cooldownFrom":"exit""#),
      near: one(#""cooldownFrom":"exit","cooldownPeriod":5"#)),
    LintCase(.idleKey, "/campaigns/0/resend", one(#""resend":true,"cooldownPeriod":5"#), near: one(#""resend":true"#)),
    LintCase(
      .idleKey, "/campaigns/0/cooldownPeriod", one(#""welcome":{"period":60},"cooldownPeriod":5"#),
      near: one(#""welcome":{"period":60}"#)),
    LintCase(
      .idleKey, "/campaigns/0/showLate", one(#""trigger":"exit","showLate":true"#), near: one(#""showLate":true"#)),
    LintCase(
      .idleKey, "/campaigns/0/removeOnExit", one(#""trigger":"exit","removeOnExit":true"#),
      near: one(#""removeOnExit":true"#)),
    LintCase(
      .idleKey, "/campaigns/0/passages", doc([beacon("a")], [note("c", #""passages":true"#)]),
      near: one(#""passages":true"#)),
    LintCase(
      .idleKey, "/campaigns/0/crossing", doc([beacon("a")], [note("c", #""crossing":{"leastSpeed":2}"#)]),
      near: one(#""crossing":{"leastSpeed":2}"#)),
    LintCase(
      .idleKey, "/campaigns/0/crossing", one(#""crossing":{"direction":"leftToRight"}"#),
      near: one(#""crossing":{"leastSpeed":2}"#)),
    LintCase(
      .idleKey, "/campaigns/0/visits", one(#""visits":{"from":2,"to":4,"every":3}"#),
      near: one(#""visits":{"from":2,"to":5,"every":3}"#)),
  ]

  private static func nested(_ radius: Int, _ campaigns: [String]) -> String {
    doc([circle("a", 52, #""radius":500"#), circle("b", 52.001, #""radius":\#(radius)"#)], campaigns)
  }

  static let screen: [LintCase] = [
    LintCase(
      .coalescingNever, "/settings/coalescing/0",
      one(#""coalescingGroup":"g""#, #""coalescing":[{"group":"g","message":"m"}]"#),
      near: doc(
        [circle("a"), circle("b", 53)], [note("c", #""coalescingGroup":"g""#, at: #""a","b""#)],
        #""coalescing":[{"group":"g","message":"m"}]"#)),
    LintCase(
      .unknownGroup, "/campaigns/0/coalescingGroup", one(#""coalescingGroup":"g""#),
      near: doc(
        [circle("a"), circle("b", 53)], [note("c", #""coalescingGroup":"g""#, at: #""a","b""#)],
        #""coalescing":[{"group":"g","message":"m"}]"#)),
    LintCase(
      .lonelyExclusion, "/campaigns/0/exclusionGroup", one(#""exclusionGroup":"g""#),
      near: doc([circle("a")], [note("c", #""exclusionGroup":"g""#), note("d", #""exclusionGroup":"g""#)])),
    LintCase(
      .untranslated, "/campaigns/0/content/title",
      one(#""messages":{"nl":"x"},"content":{"title":"a"}"#),
      near: one(#""messages":{"nl":"x"},"content":{"title":"a","titles":{"NL":"b"}}"#)),
    LintCase(
      .sharedHoldout, "/campaigns/0/holdout",
      doc(
        [circle("a")],
        [note("c", #""coalescingGroup":"g","holdout":{"percent":10}"#), note("d", #""coalescingGroup":"g""#)],
        #""coalescing":[{"group":"g","message":"m"}]"#),
      near: doc(
        [circle("a")],
        ["c", "d"].map { note($0, #""coalescingGroup":"g","holdout":{"percent":10,"group":"h"}"#) },
        #""coalescing":[{"group":"g","message":"m"}]"#)),
    LintCase(
      .lonelyExclusion, "/settings/exclusion/0",
      doc([circle("a")], [note("c")], #""exclusion":[{"group":"g","within":60}]"#),
      near: doc(
        [circle("a")], [note("c", #""exclusionGroup":"g""#), note("d", #""exclusionGroup":"g""#)],
        #""exclusion":[{"group":"g","within":60}]"#)),
    LintCase(
      .twinCampaigns, "/campaigns/1",
      doc([circle("a")], [note("c"), note("d").replacingMessage("m c")]),
      near: doc([circle("a")], [note("c"), note("d", #""trigger":"exit""#).replacingMessage("m c")])),
    LintCase(
      .nestedSameMessage, "/campaigns/0/regions/1", nested(388, [note("c", at: #""a","b""#)]),
      near: nested(389, [note("c", at: #""a","b""#)])),
    LintCase(
      .nestedSameMessage, "/campaigns/1/regions/0",
      nested(50, [note("c"), note("d", at: #""b""#).replacingMessage("m c")]),
      near: nested(
        50,
        [note("c", #""exclusionGroup":"g""#), note("d", #""exclusionGroup":"g""#, at: #""b""#).replacingMessage("m c")])
    ),
    LintCase(
      .nestedSameMessage, "/campaigns/0/regions/1", nested(50, [note("c", at: #""a","b""#)]),
      near: nested(50, [note("c", at: #""a","b""#).replacingMessage("{{name}}")])
        .replacingName("a", "A").replacingName("b", "B")),
  ]

  private static func group(_ members: [String], _ rule: String, _ regions: [String]) -> String {
    let names = members.map { "\"\($0)\"" }.joined(separator: ",")
    return doc(regions + [#"{"id":"g","type":"group","regions":[\#(names)],\#(rule)}"#], [note("c", at: #""g""#)])
  }

  private static func many(_ count: Int, step: Double) -> String {
    let regions = (0..<count).map { circle("r\($0)", 52 + Double($0) * step, #""radius":100"#) }
    return doc(regions, (0..<count).map { note("c\($0)", at: "\"r\($0)\"") })
  }

  private static func beacons(_ count: Int) -> String {
    let places = (0..<14).map { circle("p\($0)", 40 + Double($0)) }
    let all = (0..<count).map { beacon("b\($0)", $0) }
    let names = ((0..<14).map { "\"p\($0)\"" } + (0..<count).map { "\"b\($0)\"" }).joined(separator: ",")
    return doc(places + all, [note("c", at: names)])
  }

  static let regions: [LintCase] = [
    LintCase(
      .unusedRegion, "/regions/1", doc([circle("a"), circle("b", 53)], [note("c")]),
      near: doc([circle("a"), circle("b", 53)], [note("c", #""after":{"steps":[{"region":"b"}]}"#)])),
    LintCase(
      .regionTooSmall, "/regions/0/radius", one("", region: #""radius":9.9"#), near: one("", region: #""radius":10"#)),
    LintCase(
      .unreachableAccuracy, "/regions/0/noise", one("", region: #""radius":4,"noise":{"maxAccuracy":4.9}"#),
      near: one("", region: #""radius":4,"noise":{"maxAccuracy":5}"#)),
    LintCase(
      .contradictoryNoise, "/regions/0/noise/margin", one("", region: #""noise":{"margin":101}"#),
      near: one("", region: #""noise":{"margin":101,"maxMargin":101}"#)),
    LintCase(
      .noiseOutlastsDwelling, "/campaigns/0/dwellingMinutes",
      one(#""trigger":"dwelling","dwellingMinutes":5"#, region: #""noise":{"minInside":301}"#),
      near: one(#""trigger":"dwelling","dwellingMinutes":5"#, region: #""noise":{"minInside":300}"#)),
    LintCase(
      .twinRegions, "/regions/1", doc([circle("a"), circle("b")], [note("c"), note("d", at: #""b""#)]),
      near: doc([circle("a"), circle("b", 52.00001)], [note("c"), note("d", at: #""b""#)])),
    LintCase(
      .strayRegion, "/regions/3/latitude",
      doc(
        [
          circle("a"), circle("b", 52.1), circle("d", 52.2),
          #"{"id":"e","type":"geofence","latitude":5,"longitude":52}"#,
        ],
        [note("c", at: #""a","b","d","e""#)]),
      near: doc(
        [
          circle("a"), circle("b", 52.1), circle("d", 52.2),
          #"{"id":"e","type":"geofence","latitude":25,"longitude":52}"#,
        ],
        [note("c", at: #""a","b","d","e""#)])),
    LintCase(
      .groupNeverEntered, "/regions/1/enter", group(["a"], #""enter":"beacon""#, [circle("a")]),
      near: group(["a", "b"], #""enter":"beacon""#, [circle("a"), beacon("b")])),
    LintCase(
      .groupNeverEntered, "/regions/2/enter", group(["a", "b"], #""enter":"all""#, [circle("a"), circle("b", 53)]),
      near: group(["a", "b"], #""enter":"any""#, [circle("a"), circle("b", 53)])),
    LintCase(
      .idleKey, "/regions/1/hold", group(["a"], #""hold":"beacon""#, [circle("a")]),
      near: group(["a"], #""hold":"geofence""#, [circle("a")])),
    LintCase(
      .budgetTooSmall, "/maxRegionsMonitored", config: #"{"publicToken":"t","maxRegionsMonitored":5}"#,
      many(6, step: 0.0001), near: many(6, step: 0.01)),
    LintCase(.budgetTooSmall, "/regions", many(21, step: 0.0001), near: many(20, step: 0.0001)),
    LintCase(.unwatchedBeacons, "/regions", beacons(7), near: beacons(6)),
  ]

  private static func steps(_ steps: String, _ more: String = "", _ campaign: String = "") -> String {
    doc(
      [circle("a"), circle("b", 53)],
      [note("c", #""after":{"steps":[\#(steps)]\#(more)}"# + campaign), note("d", at: #""b""#)])
  }

  static let conditions: [LintCase] = [
    LintCase(
      .missingField, "/campaigns/0/data", one(#""trigger":"exit","data":"{{trip.order}}""#),
      near: one(#""trigger":"trip","tripEvent":"arrived","data":"{{trip.order}}""#)),
    LintCase(
      .triggerNever, "/campaigns/0/trigger",
      doc([beacon("a")], [note("c", #""trigger":"approaching","arrivalSeconds":60"#)]),
      near: one(#""trigger":"approaching","arrivalSeconds":60"#)),
    LintCase(
      .stepsNever, "/campaigns/0/after/within",
      steps(#"{"region":"b"},{"region":"b","event":"dwelling","minutes":10}"#, #","within":599"#),
      near: steps(#"{"region":"b"},{"region":"b","event":"dwelling","minutes":10}"#, #","within":600"#)),
    LintCase(
      .stepsNever, "/campaigns/0/after/within",
      steps(#"{"region":"a"}"#, #","within":299"#, #","trigger":"dwelling","dwellingMinutes":5"#),
      near: steps(#"{"region":"b"}"#, #","within":299"#, #","trigger":"dwelling","dwellingMinutes":5"#)),
    LintCase(
      .stepsNever, "/campaigns/0/after/steps", steps(#"{"region":"a"},{"not":{"region":"a","event":"exit"}}"#),
      near: steps(#"{"region":"a"},{"not":{"region":"b","event":"exit"}}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      segment(#"{"all":[{"property":"n","greater":5},{"property":"n","less":5}]}"#),
      near: segment(#"{"all":[{"property":"n","atLeast":5},{"property":"n","atMost":5}]}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation", segment(#"{"property":"n","between":[2,1]}"#),
      near: segment(#"{"property":"n","between":[1,1]}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      segment(#"{"not":{"any":[{"property":"n","exists":true},{"property":"n","exists":false}]}}"#),
      near: segment(#"{"not":{"all":[{"property":"n","exists":true},{"property":"o","exists":false}]}}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      segment(#"{"all":[{"property":"s","begins":"ab"},{"property":"s","begins":"ac"}]}"#),
      near: segment(#"{"all":[{"property":"s","begins":"ab"},{"property":"s","begins":"abc"}]}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      segment(#"{"all":[{"property":"s","in":["a","b"]},{"not":{"property":"s","begins":""}}]}"#),
      near: segment(#"{"all":[{"property":"s","in":["a","b"]},{"not":{"property":"s","begins":"a"}}]}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      segment(#"{"all":[{"property":"v","version":{"atLeast":"1.10"}},{"property":"v","version":{"less":"1.9"}}]}"#),
      near: segment(
        #"{"all":[{"property":"v","version":{"atLeast":"1.9"}},{"property":"v","version":{"less":"1.10"}}]}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      segment(#"{"all":[{"property":"d","greater":{"ago":60}},{"property":"d","less":{"ago":120}}]}"#),
      near: segment(#"{"all":[{"property":"d","greater":{"ago":120}},{"property":"d","less":{"ago":60}}]}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation", segment(#"{"campaign":"c","shown":true}"#),
      near: segment(#"{"not":{"campaign":"c","shown":true}}"#)),
    LintCase(
      .segmentationNever, "/campaigns/0/segmentation",
      one(#""segmentation":{"country":["BEL"]}"#, region: #""country":"NLD""#),
      near: one(#""segmentation":{"country":["BEL"]}"#, region: #""country":"BEL""#).replacingCountry()),
    LintCase(
      .segmentationAlways, "/campaigns/0/segmentation",
      segment(#"{"any":[{"property":"n","exists":true},{"property":"n","exists":false}]}"#),
      near: segment(#"{"any":[{"property":"n","exists":true},{"property":"o","exists":false}]}"#)),
    LintCase(
      .mixedTypes, "/campaigns/1/segmentation",
      doc(
        [circle("a")],
        [
          note("c", #""segmentation":{"property":"n","equals":1}"#),
          note("d", #""segmentation":{"property":"n","equals":"1"}"#),
        ]),
      near: doc(
        [circle("a")],
        [
          note("c", #""segmentation":{"property":"n","equals":1}"#),
          note("d", #""segmentation":{"property":"n","equals":1.5}"#),
        ])),
    LintCase(
      .unknownCampaign, "/campaigns/0/segmentation/not/campaign", segment(#"{"not":{"campaign":"x","shown":true}}"#),
      near: segment(#"{"not":{"campaign":"c","shown":true}}"#)),
  ]

  private static func rules(_ rules: String) -> String { doc([], [], #""messages":{"rules":[\#(rules)]}"#) }

  static let texts: [LintCase] = [
    LintCase(
      .missingField, "/campaigns/0/data", one(#""data":"{{code}}""#),
      near: one(#""data":"{{code}}""#, region: #""customFields":{"Code":1}"#)),
    LintCase(
      .missingField, "/settings/coalescing/0/message",
      one(#""coalescingGroup":"g""#, #""coalescing":[{"group":"g","message":"{{count}} {{x}}"}]"#).replacingTwo(),
      near: one(#""coalescingGroup":"g""#, #""coalescing":[{"group":"g","message":"{{count}}"}]"#).replacingTwo()),
    LintCase(
      .misspeltField, "/regions/1/customFields/ofer",
      doc(
        [circle("a", 52, #""customFields":{"offer":"x"}"#), circle("b", 53, #""customFields":{"ofer":"y"}"#)],
        [note("c", #""data":"{{offer}}""#, at: #""a","b""#)]),
      near: doc(
        [circle("a", 52, #""customFields":{"offer":"x"}"#), circle("b", 53, #""customFields":{"other":"y"}"#)],
        [note("c", #""data":"{{offer}}""#, at: #""a","b""#)])),
    LintCase(
      .noLink, "/campaigns/0/handlerType", one(#""handlerType":"landingPage""#),
      near: one(#""handlerType":"landingPage","data":"https://example.org/""#)),
    LintCase(
      .noAttachmentFolder, "/campaigns/0/content/attachments/0/url", config: #"{"publicToken":"t"}"#,
      one(#""content":{"attachments":[{"id":"p","url":"p.png"}]}"#),
      near: one(#""content":{"attachments":[{"id":"p","url":"/p.png"}]}"#)),
    LintCase(
      .ruleNever, "/settings/messages/rules/0/if",
      rules(#"{"if":{"all":[{"senderIn":"l"},{"senderNotIn":"l"}]},"then":"drop"}"#),
      near: rules(#"{"if":{"all":[{"senderIn":"l"},{"senderNotIn":"k"}]},"then":"drop"}"#)),
    LintCase(
      .ruleNever, "/settings/messages/rules/0/if",
      rules(#"{"if":{"senderIn":"l"},"then":"drop"}"#).replacingOccurrences(
        of: #""messages":{"#, with: #""messages":{"profile":"apns","#),
      near: rules(#"{"if":{"senderIn":"l"},"then":"drop"}"#).replacingOccurrences(
        of: #""messages":{"#, with: #""messages":{"profile":"apns","paths":{"sender":"s"},"#)),
    LintCase(
      .ruleUnreachable, "/settings/messages/rules/1", rules(#"{"then":"keep"},{"if":{"contains":"x"},"then":"drop"}"#),
      near: rules(#"{"if":{"contains":"x"},"then":"drop"},{"then":"keep"}"#)),
  ]

  static let all = reading + configurations + times + limits + screen + regions + conditions + texts
}

extension String {
  /// Of campaigns that `note` makes.
  fileprivate func replacingMessage(_ text: String) -> String {
    let start = range(of: #""message":""#)!.upperBound
    return String(self[..<start]) + text + self[self[start...].firstIndex(of: "\"")!...]
  }

  fileprivate func replacingName(_ id: String, _ name: String) -> String {
    replacingOccurrences(
      of: #"{"id":"\#(id)","type":"geofence","#, with: #"{"id":"\#(id)","type":"geofence","name":"\#(name)","#)
  }

  /// A second region, in another country.
  fileprivate func replacingCountry() -> String {
    replacingOccurrences(
      of: #""regions":[{"#,
      with: #""regions":[{"id":"z","type":"geofence","latitude":10,"longitude":10,"country":"NLD"},{"#
    )
    .replacingOccurrences(of: #""regions":["a"]"#, with: #""regions":["a","z"]"#)
  }

  /// The campaign at two regions.
  fileprivate func replacingTwo() -> String {
    replacingOccurrences(
      of: #""regions":[{"#, with: #""regions":[{"id":"z","type":"geofence","latitude":10,"longitude":10},{"#
    )
    .replacingOccurrences(of: #""regions":["a"]"#, with: #""regions":["a","z"]"#)
  }
}
