// Lines of the feed are longer than those of code.
// swift-format-ignore-file
import Testing

@testable import PlotDocuments

/// One feed with thirty faults: each is found at its line, and nothing else.
@Suite struct LintThirtyTests {
  static let feed = #"""
    {"version": 1, "regions": [
      {"id": "shop", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 300, "customFields": {"offer": "cards"}},
      {"id": "till", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 50},
      {"id": "door", "type": "geofence", "latitude": 52.38, "longitude": 4.885, "radius": 4},
      {"id": "lab", "type": "geofence", "latitude": 52.39, "longitude": 4.885, "radius": 4, "noise": {"maxAccuracy": 3}},
      {"id": "attic", "type": "geofence", "latitude": 52.4, "longitude": 4.885},
      {"id": "copy", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 50},
      {"id": "swapped", "type": "geofence", "latitude": 4.9, "longitude": 52.37},
      {"id": "sunday", "type": "geofence", "latitude": 52.41, "longitude": 4.885, "openingHours": {"sun": [["10:00", "17:00"]]}},
      {"id": "pair", "type": "group", "regions": ["shop", "sunday"], "enter": "beacon"},
      {"id": "office", "type": "geofence", "latitude": 52.42, "longitude": 4.885, "quietHours": {"hours": {"daily": [["00:00", "24:00"]]}}},
      {"id": "shop", "type": "geofence", "latitude": 52.43, "longitude": 4.885},
      {"id": "north", "type": "geofence", "latitude": 152, "longitude": 4.885},
      {"id": "beacon", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1},
      {"id": "hall", "type": "geofence", "latitude": 52.44, "longitude": 4.885, "customFields": {"ofer": "tea"}}],
    "campaigns": [
      {"id": "all", "type": "notification", "message": "m all", "regions": ["door", "lab", "copy", "swapped", "pair", "office"]},
      {"id": "typo", "type": "notification", "message": "m typo", "regions": ["shop"], "dwelingMinutes": 5},
      {"id": "blank", "type": "notification", "message": "m blank", "regions": ["shop"], "data": "{{code}}"},
      {"id": "offer", "type": "notification", "message": "{{offer}}", "regions": ["shop", "hall"]},
      {"id": "lost", "type": "notification", "message": "m lost", "regions": ["shop", "nowhere"]},
      {"id": "back", "type": "notification", "message": "m back", "regions": ["shop"], "start": "2026-06-02T00:00:00Z", "end": "2026-06-01T00:00:00Z"},
      {"id": "none", "type": "notification", "message": "m"},
      {"id": "monday", "type": "notification", "message": "m monday", "regions": ["sunday"], "start": "2026-06-01T12:00:00Z", "end": "2026-06-03T00:00:00Z"},
      {"id": "again", "type": "notification", "message": "m again", "regions": ["shop"], "start": "2026-06-01T00:00:00Z", "end": "2026-06-02T00:00:00Z", "cooldownPeriod": 172800},
      {"id": "nobody", "type": "notification", "message": "m nobody", "regions": ["shop"], "segmentation": {"all": [{"property": "age", "greater": 18}, {"property": "age", "atMost": 18}]}},
      {"id": "young", "type": "notification", "message": "m young", "regions": ["shop"], "segmentation": {"any": [{"property": "member", "exists": true}, {"property": "age", "equals": "17"}]}},
      {"id": "second", "type": "notification", "message": "m second", "regions": ["shop"], "segmentation": {"campaign": "first", "shown": true}},
      {"id": "tour", "type": "notification", "message": "m tour", "regions": ["shop"], "after": {"steps": [{"region": "hall"}, {"region": "hall", "event": "dwelling", "minutes": 30}], "within": 600}},
      {"id": "near", "type": "notification", "message": "m near", "regions": ["beacon"], "trigger": "approaching", "arrivalSeconds": 60},
      {"id": "twice", "type": "notification", "message": "m twice", "regions": ["shop", "till"]},
      {"id": "page", "type": "notification", "message": "m page", "regions": ["shop"], "handlerType": "landingPage"},
      {"id": "group", "type": "notification", "message": "m group", "regions": ["shop"], "coalescingGroup": "offers"}],
    "settings": {
      "slots": {"count": 1},
      "strategies": [{"key": "few", "type": "maximum", "max": 3, "window": 60}, {"key": "few", "type": "sameContent", "field": "data"}],
      "caps": [{"per": "all", "max": 2, "days": 1}, {"per": "all", "max": 3, "days": 1}],
      "quietHours": [{"tag": "promo", "hours": {"daily": [["22:00", "07:00"]]}}],
      "coalescing": [{"group": "deals", "message": "{{count}} deals"}],
      "messages": {"rules": [{"if": {"all": [{"senderIn": "friends"}, {"senderNotIn": "friends"}]}, "then": "mute"}]}}}
    """#

  /// Line, code, pointer.
  static let planted = [
    "4 region-too-small /regions/2/radius",
    "5 unreachable-accuracy /regions/3/noise",
    "6 unused-region /regions/4",
    "7 twin-regions /regions/5",
    "8 stray-region /regions/6/latitude",
    "10 group-never-entered /regions/8/enter",
    "11 always-quiet /regions/9/quietHours",
    "12 duplicate-id /regions/10/id",
    "13 invalid-value /regions/11/latitude",
    "15 misspelt-field /regions/13/customFields/ofer",
    "18 unknown-key /campaigns/1/dwelingMinutes",
    "19 missing-field /campaigns/2/data",
    "21 unknown-region /campaigns/4/regions/1",
    "22 contradictory-window /campaigns/5/end",
    "23 missing-key /campaigns/6",
    "24 never-in-times /campaigns/7/regions",
    "25 repeats-never /campaigns/8/cooldownPeriod",
    "26 segmentation-never /campaigns/9/segmentation",
    "27 mixed-types /campaigns/10/segmentation/any/1",
    "28 unknown-campaign /campaigns/11/segmentation/campaign",
    "29 steps-never /campaigns/12/after/within",
    "30 trigger-never /campaigns/13/trigger",
    "31 nested-same-message /campaigns/14/regions/1",
    "32 no-link /campaigns/15/handlerType",
    "33 unknown-group /campaigns/16/coalescingGroup",
    "36 duplicate-id /settings/strategies/1/key",
    "37 cap-without-effect /settings/caps/1",
    "38 unused-tag /settings/quietHours/0/tag",
    "39 coalescing-never /settings/coalescing/0",
    "40 rule-never /settings/messages/rules/0/if",
  ]

  @Test func eachIsFoundAndNothingElse() {
    let found = lint(nil, Self.feed).map { "\($0.line) \($0.code.rawValue) \($0.pointer)" }
    #expect(found == Self.planted)
    #expect(Self.planted.count == 30 && Set(Self.planted.map { $0.split(separator: " ")[1] }).count >= 28)
  }

  /// A configuration beside it adds its own, and takes nothing away.
  @Test func aConfigurationBesideItAddsItsOwn() {
    let config = #"{"publicToken":"t","maxRegionsMonitored":5,"debgu":true}"#
    let found = lint(config, Self.feed).map { "\($0.document.rawValue) \($0.line) \($0.code.rawValue) \($0.pointer)" }
    #expect(found == ["configuration 1 unknown-property /debgu"] + Self.planted.map { "feed \($0)" })
  }
}
