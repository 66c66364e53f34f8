import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Notifications side by side, strategies and welcomes: the faults with their places, and the result of the rest.
@Suite struct ShowingFaultTests {
  static let nameForm = FeedReader.identifierForm
  static let full = CampaignFaultTests.textForm
  static let seconds = "an integer from 1 to 31536000"
  static let types = #""maximum", "minimumTime", "sameContent" or "custom""#
  static let typeChoice = #""maximum" or "minimumTime" or "sameContent" or "custom""#
  static let dwelling = #","trigger":"dwelling","dwellingMinutes":5"#
  static let placeholder = CampaignFaultTests.templateForm

  /// Members of a notification.
  static let campaigns: [FaultCase] = [
    FaultCase(#","priority":1001"#, "/priority", "1001", "an integer from -1000 to 1000", "the number 1001"),
    FaultCase(#","priority":-1001"#, "/priority", "-1001", "an integer from -1000 to 1000", "the number -1001"),
    FaultCase(#","priority":1.0"#, "/priority", "1.0", "an integer from -1000 to 1000", "the number 1.0"),
    FaultCase(#","priority":"high""#, "/priority", "\"high", "an integer from -1000 to 1000", "the string \"high\""),
    FaultCase(#","removeOnExit":1"#, "/removeOnExit", "1", "true or false", "the number 1"),
    FaultCase(#","removeAtEnd":1"#, "/removeAtEnd", "1", "true or false", "the number 1"),
    FaultCase(#","expireAfter":0"#, "/expireAfter", "0", "an integer from 1 to 31536000", "the number 0"),
    FaultCase(
      #","expireAt":"tomorrow""#, "/expireAt", #""tomorrow""#, CampaignFaultTests.timeForm, #"the string "tomorrow""#),
    FaultCase(
      #","start":"2026-03-02T00:00:00Z","expireAt":"2026-03-02T00:00:00Z""#, "/expireAt", #""2026-03-02T00:00:00Z""#,
      "a time after \"start\"", #"the string "2026-03-02T00:00:00Z""#),
    FaultCase(#","showLate":1"#, "/showLate", "1", "true or false", "the number 1"),
    FaultCase(#","removeOnExit":null"#, "/removeOnExit", "null", "true or false", "null"),
    FaultCase(#","correlationKey":"""#, "/correlationKey", "\"\"", full, "the string \"\""),
    FaultCase(#","correlationKey":5"#, "/correlationKey", "5", "a string", "the number 5"),
    FaultCase(#","correlationKey":"{{a""#, "/correlationKey", "\"{{a", placeholder, "the string \"{{a\""),
    FaultCase(#","exclusionGroup":"""#, "/exclusionGroup", "\"\"", nameForm, "the string \"\""),
    FaultCase(#","exclusionGroup":"a;b""#, "/exclusionGroup", "\"a;b", nameForm, "the string \"a;b\""),
    FaultCase(#","exclusionGroup":["a"]"#, "/exclusionGroup", "[\"a", nameForm, "an array"),
    FaultCase(#","coalescingGroup":"""#, "/coalescingGroup", "\"\"", nameForm, "the string \"\""),
    FaultCase(#","coalescingGroup":true"#, "/coalescingGroup", "true", nameForm, "true"),
    FaultCase(
      #","cooldownFrom":"leaving""#, "/cooldownFrom", "\"leaving",
      #""shown" or "enter" or "exit" or "removed" or "background""#, "the string \"leaving\""),
    FaultCase(
      #","cooldownFrom":null"#, "/cooldownFrom", "null", #""shown" or "enter" or "exit" or "removed" or "background""#,
      "null"),
    FaultCase(
      dwelling + #","filterAt":"exit""#, "/filterAt", "\"exit", #""fire" or "enter""#, "the string \"exit\""),
    FaultCase(
      #","filterAt":"enter""#, "/filterAt", "\"enter", "no \"filterAt\" unless the trigger is \"dwelling\"",
      "the string \"enter\""),
    FaultCase(
      #","filterAt":"fire""#, "/filterAt", "\"fire", "no \"filterAt\" unless the trigger is \"dwelling\"",
      "the string \"fire\""),
    FaultCase(
      #","trigger":"exit","welcome":{"period":1}"#, "/welcome", "{\"period",
      "no \"welcome\" unless the trigger is \"enter\"",
      "an object"),
    FaultCase(
      dwelling + #","welcome":{"period":1}"#, "/welcome", "{\"period", "no \"welcome\" unless the trigger is \"enter\"",
      "an object"),
    FaultCase(#","welcome":true"#, "/welcome", "true", "an object", "true"),
    FaultCase(#","welcome":{}"#, "/welcome", "{}", "\"period\", seconds, \(seconds)", "no such key"),
    FaultCase(#","welcome":{"period":0}"#, "/welcome/period", "0", seconds, "the number 0"),
    FaultCase(#","welcome":{"period":31536001}"#, "/welcome/period", "31536001", seconds, "the number 31536001"),
    FaultCase(
      #","welcome":{"period":1,"minDisplayTime":-1}"#, "/welcome/minDisplayTime", "-1", "an integer from 0 to 86400",
      "the number -1"),
    FaultCase(
      #","welcome":{"period":1,"minDisplayTime":86401}"#, "/welcome/minDisplayTime", "86401",
      "an integer from 0 to 86400", "the number 86401"),
    FaultCase(
      #","welcome":{"period":1,"alone":"yes"}"#, "/welcome/alone", "\"yes", "true or false", "the string \"yes\""),
    FaultCase(#","welcome":{"period":1,"offline":"m"}"#, "/welcome/offline", "\"m\"", "an object", "the string \"m\""),
    FaultCase(
      #","welcome":{"period":1,"offline":{}}"#, "/welcome/offline", "{}", "\"message\", \(full)", "no such key"),
    FaultCase(
      #","welcome":{"period":1,"offline":{"message":""}}"#, "/welcome/offline/message", "\"\"", full, "the string \"\""),
    FaultCase(
      #","welcome":{"period":1,"offline":{"message":"{{"}}"#, "/welcome/offline/message", "\"{{", placeholder,
      "the string \"{{\""),
    FaultCase(
      #","welcome":{"period":1,"offline":{"message":"m","data":5}}"#, "/welcome/offline/data", "5", "a string",
      "the number 5"),
    FaultCase(
      #","welcome":{"period":1,"offline":{"message":"m","x-a":5}}"#, "/welcome/offline/x-a", "5",
      "a key of \"offline\" (message, data)", "the unknown key \"x-a\""),
    FaultCase(
      #","welcome":{"period":1,"Alone":true}"#, "/welcome/Alone", "true",
      "a key of \"welcome\" (period, minDisplayTime, alone, offline)", "the unknown key \"Alone\""),
    FaultCase(#","holdout":10"#, "/holdout", "10", "an object", "the number 10"),
    FaultCase(#","holdout":{}"#, "/holdout", "{", "\"percent\", an integer from 1 to 99", "no such key"),
    FaultCase(
      #","holdout":{"percent":100}"#, "/holdout/percent", "100", "an integer from 1 to 99", "the number 100"),
    FaultCase(
      #","holdout":{"percent":1,"property":""}"#, "/holdout/property", "\"\"", "a string that is not empty",
      "the string \"\""),
    FaultCase(
      #","holdout":{"percent":1,"share":1}"#, "/holdout/share", "1", "a key of \"holdout\" (percent, group, property)",
      "the unknown key \"share\""),
  ]

  @Test(arguments: campaigns)
  func campaignsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(TimesFaultTests.inCampaign(test.text), test, in: "/campaigns/0")
  }

  @Test func geotriggersHaveNone() throws {
    let members = [
      "priority": "1", "removeOnExit": "true", "removeAtEnd": "true", "expireAfter": "1",
      "expireAt": "\"2026-03-02T00:00:00Z\"", "showLate": "true", "correlationKey": "\"k\"", "exclusionGroup": "\"g\"",
      "coalescingGroup": "\"g\"", "filterAt": "\"fire\"", "welcome": "{}", "holdout": "{}",
    ]
    let others =
      DocumentKeys.geotrigger.keys + ["message", "messages", "handlerType", "content", "tags", "caps", "quietHours"]
    #expect(Set(members.keys) == Set(DocumentKeys.notification.keys).subtracting(others))
    for (key, value) in members {
      let text =
        "{\"version\":1,\"regions\":[\(FeedFaultTests.geofence(""))],\n\"campaigns\":[\n"
        + CampaignFaultTests.geotrigger(",\"\(key)\":\(value)") + "]}"
      let test = FaultCase("", "/\(key)", value, CampaignFaultTests.geotriggerKeys, "the unknown key \"\(key)\"")
      try FeedFaultTests.check(text, test, in: "/campaigns/0")
    }
  }

  // MARK: Settings

  static let settings: [FaultCase] = [
    FaultCase(#""exclusion":{}"#, "/exclusion", "{}", "an array of groups", "an object"),
    FaultCase(
      #""exclusion":[{"group":"g"}]"#, "/exclusion/0", "{\"group", "\"within\", an integer from 1 to 86400",
      "no such key"),
    FaultCase(
      #""exclusion":[{"group":"g","within":0}]"#, "/exclusion/0/within", "0", "an integer from 1 to 86400",
      "the number 0"),
    FaultCase(
      #""exclusion":[{"group":"g","within":1},{"group":"g","within":1}]"#, "/exclusion/1/group", "\"g",
      "each group once",
      "the string \"g\""),
    FaultCase(
      #""coalescing":[{"group":"g","message":"m","within":86401}]"#, "/coalescing/0/within", "86401",
      "an integer from 1 to 86400", "the number 86401"),
    FaultCase(
      #""specificFirst":0"#, "/specificFirst", "0", #"true, false or an object with "within""#, "the number 0"),
    FaultCase(
      #""specificFirst":{"within":0}"#, "/specificFirst/within", "0", "an integer from 1 to 86400", "the number 0"),
    FaultCase(#""specificFirst":{}"#, "/specificFirst", "{}", "\"within\", an integer from 1 to 86400", "no such key"),
    FaultCase(
      #""specificFirst":{"for":1}"#, "/specificFirst/for", "1}", "a key of \"specificFirst\" (within)",
      "the unknown key \"for\""),
    FaultCase(#""slots":1"#, "/slots", "1", "an object", "the number 1"),
    FaultCase(#""slots":null"#, "/slots", "null", "an object", "null"),
    FaultCase(#""slots":{}"#, "/slots", "{}", "\"count\", an integer from 1 to 100", "no such key"),
    FaultCase(#""slots":{"count":0}"#, "/slots/count", "0", "an integer from 1 to 100", "the number 0"),
    FaultCase(#""slots":{"count":101}"#, "/slots/count", "101", "an integer from 1 to 100", "the number 101"),
    FaultCase(
      #""slots":{"count":1,"whenFull":"drop"}"#, "/slots/whenFull", "\"drop", #""keep" or "replace""#,
      "the string \"drop\""),
    FaultCase(
      #""slots":{"count":1,"x-mine":1}"#, "/slots/x-mine", "1}", "a key of the slots (count, whenFull)",
      "the unknown key \"x-mine\""),
    FaultCase(#""coalescing":{}"#, "/coalescing", "{}", "an array of groups", "an object"),
    FaultCase(#""coalescing":["g"]"#, "/coalescing/0", "\"g\"", "a group, an object", "the string \"g\""),
    FaultCase(#""coalescing":[{"message":"m"}]"#, "/coalescing/0", "{", "\"group\", \(nameForm)", "no such key"),
    FaultCase(
      #""coalescing":[{"group":"a;b","message":"m"}]"#, "/coalescing/0/group", "\"a;b", nameForm, "the string \"a;b\""),
    FaultCase(#""coalescing":[{"group":"g"}]"#, "/coalescing/0", "{", "\"message\", \(full)", "no such key"),
    FaultCase(
      #""coalescing":[{"group":"g","message":""}]"#, "/coalescing/0/message", "\"\"", full, "the string \"\""),
    FaultCase(
      #""coalescing":[{"group":"g","message":"{{count}"}]"#, "/coalescing/0/message", "\"{{count", placeholder,
      "the string \"{{count}\""),
    FaultCase(
      #""coalescing":[{"group":"g","atLeast":1,"message":"m"}]"#, "/coalescing/0/atLeast", "1,",
      "an integer from 2 to 1000", "the number 1"),
    FaultCase(
      #""coalescing":[{"group":"g","atLeast":1001,"message":"m"}]"#, "/coalescing/0/atLeast", "1001",
      "an integer from 2 to 1000", "the number 1001"),
    FaultCase(
      #""coalescing":[{"group":"g","message":"m"},{"group":"h","message":"m"},{"group":"g","message":"n"}]"#,
      "/coalescing/2/group", "\"g\",\"message\":\"n", "each group once", "the string \"g\""),
    FaultCase(
      #""coalescing":[{"group":"g","message":"m","data":"d"}]"#, "/coalescing/0/data", "\"d\"",
      "a key of a group (group, atLeast, message, within)", "the unknown key \"data\""),
  ]

  static let strategies: [FaultCase] = [
    FaultCase("5", "", "5", "a strategy, an object", "the number 5"),
    FaultCase("{}", "", "{", "\"type\", \(types)", "no such key"),
    FaultCase(#"{"type":"Maximum"}"#, "/type", "\"Maximum", typeChoice, "the string \"Maximum\""),
    FaultCase(#"{"type":"custom"}"#, "", "{", "\"key\", \(nameForm)", "no such key"),
    FaultCase(#"{"key":"","type":"custom"}"#, "/key", "\"\"", nameForm, "the string \"\""),
    FaultCase(#"{"key":"a;b","type":"custom"}"#, "/key", "\"a;b", nameForm, "the string \"a;b\""),
    FaultCase(#"{"key":"first","type":"custom"}"#, "/key", "\"first", "each key once", "the string \"first\""),
    FaultCase(#"{"key":"k","type":"custom","enabled":1}"#, "/enabled", "1", "true or false", "the number 1"),
    FaultCase(#"{"key":"k","type":"custom","parameters":[]}"#, "/parameters", "[]", "an object", "an array"),
    FaultCase(#"{"key":"k","type":"custom","parameters":null}"#, "/parameters", "null", "an object", "null"),
    FaultCase(
      #"{"key":"k","type":"custom","max":1}"#, "/max", "1",
      "a key of a strategy of this type (key, type, parameters, enabled)", "the unknown key \"max\""),
    FaultCase(
      #"{"key":"k","type":"maximum","window":1}"#, "", "{", "\"max\", an integer from 1 to 1000", "no such key"),
    FaultCase(
      #"{"key":"k","type":"maximum","max":0,"window":1}"#, "/max", "0", "an integer from 1 to 1000", "the number 0"),
    FaultCase(
      #"{"key":"k","type":"maximum","max":1001,"window":1}"#, "/max", "1001", "an integer from 1 to 1000",
      "the number 1001"),
    FaultCase(#"{"key":"k","type":"maximum","max":1}"#, "", "{", "\"window\", seconds, \(seconds)", "no such key"),
    FaultCase(#"{"key":"k","type":"maximum","max":1,"window":0}"#, "/window", "0", seconds, "the number 0"),
    FaultCase(
      #"{"key":"k","type":"maximum","max":1,"window":31536001}"#, "/window", "31536001", seconds,
      "the number 31536001"),
    FaultCase(
      #"{"key":"k","type":"maximum","max":1,"window":1,"seconds":1}"#, "/seconds", "1",
      "a key of a strategy of this type (key, type, max, window, enabled)", "the unknown key \"seconds\""),
    FaultCase(#"{"key":"k","type":"minimumTime"}"#, "", "{", "\"seconds\", seconds, \(seconds)", "no such key"),
    FaultCase(#"{"key":"k","type":"minimumTime","seconds":0}"#, "/seconds", "0", seconds, "the number 0"),
    FaultCase(
      #"{"key":"k","type":"minimumTime","seconds":1,"after":"exit"}"#, "/after", "\"exit",
      #""shown" or "removed" or "background""#, "the string \"exit\""),
    FaultCase(
      #"{"key":"k","type":"minimumTime","seconds":1,"field":"data"}"#, "/field", "\"data",
      "a key of a strategy of this type (key, type, seconds, after, enabled)", "the unknown key \"field\""),
    FaultCase(
      #"{"key":"k","type":"sameContent","field":"title"}"#, "/field", "\"title", #""shown" or "message" or "data""#,
      "the string \"title\""),
    FaultCase(
      #"{"key":"k","type":"sameContent","parameters":{}}"#, "/parameters", "{}",
      "a key of a strategy of this type (key, type, field, enabled)", "the unknown key \"parameters\""),
  ]

  @Test(arguments: settings)
  func settingsAreRefused(_ test: FaultCase) throws {
    try FeedFaultTests.check(LimitFaultTests.inSettings(test.text), test, in: "/settings")
  }

  @Test(arguments: strategies)
  func strategiesAreRefused(_ test: FaultCase) throws {
    let text = LimitFaultTests.inSettings("\"strategies\":[{\"key\":\"first\",\"type\":\"custom\"},\n\(test.text)]")
    try FeedFaultTests.check(text, test, in: "/settings/strategies/1")
  }

  @Test func listsThatAreNoneOrTooLong() throws {
    for (key, what) in [("strategies", "an array of strategies"), ("coalescing", "an array of groups")] {
      let none = FaultCase("\"\(key)\":5", "/\(key)", "5", what, "the number 5")
      try FeedFaultTests.check(LimitFaultTests.inSettings(none.text), none, in: "/settings")
      func list(_ count: Int) -> String {
        let member = key == "strategies" ? #""type":"custom","key""# : #""message":"m","group""#
        return "\"\(key)\":[" + (0..<count).map { "{\(member):\"\($0)\"}" }.joined(separator: ",") + "]"
      }
      let long = FaultCase(list(101), "/\(key)", "[{", "at most 100 elements", "101")
      try FeedFaultTests.check(LimitFaultTests.inSettings(long.text), long, in: "/settings")
      #expect(fault(ofFeed: LimitFaultTests.inSettings(list(100))) == nil)
    }
  }

  // MARK: What they become

  static let all = #"""
    {"version": 1,
     "regions": [{"id": "a", "type": "geofence", "latitude": 1, "longitude": 2, "customFields": {"k": "v"}}],
     "campaigns": [
       {"id": "lowest", "type": "notification", "message": "m", "regions": ["a"], "priority": -1000, "removeOnExit": true, "showLate": true,
        "removeAtEnd": false, "expireAfter": 31536000, "expireAt": "2026-03-02T00:00:00.500+01:00",
        "correlationKey": "{{ k }} é", "exclusionGroup": "x \"y\"", "coalescingGroup": "g", "cooldownPeriod": 60,
        "cooldownFrom": "exit"},
       {"id": "highest", "type": "notification", "message": "m", "regions": ["a"], "priority": 1000, "trigger": "dwelling",
        "dwellingMinutes": 5, "filterAt": "enter", "cooldownFrom": "background"},
       {"id": "plain", "type": "notification", "message": "m", "regions": ["a"], "trigger": "dwelling", "dwellingMinutes": 5,
        "priority": 0, "removeOnExit": false, "showLate": false, "filterAt": "fire", "cooldownFrom": "shown"},
       {"id": "hello", "type": "notification", "message": "m", "regions": ["a"], "welcome": {"period": 31536000,
        "minDisplayTime": 86400, "alone": true, "offline": {"message": "off at {{name}}", "data": "d"}}},
       {"id": "short", "type": "notification", "message": "m", "regions": ["a"], "cooldownFrom": "enter",
        "welcome": {"period": 1, "minDisplayTime": 0, "alone": false, "offline": {"message": "o"}}},
       {"id": "shortest", "type": "notification", "message": "m", "regions": ["a"], "cooldownFrom": "removed",
        "welcome": {"period": 1}}],
     "settings": {
       "notificationsEnabled": false, "specificFirst": {"within": 86400}, "exclusion": [{"group": "x", "within": 86400}], "slots": {"count": 100, "whenFull": "replace"},
       "coalescing": [{"group": "g", "atLeast": 1000, "message": "{{count}} at {{k}}"}, {"group": "h", "message": "m"}],
       "strategies": [
         {"key": "few", "type": "maximum", "max": 1000, "window": 31536000},
         {"key": "gap", "type": "minimumTime", "seconds": 1, "after": "background", "enabled": false},
         {"key": "gap2", "type": "minimumTime", "seconds": 31536000}, {"key": "same", "type": "sameContent"},
         {"key": "same2", "type": "sameContent", "field": "data", "enabled": true},
         {"key": "é \"", "type": "custom", "parameters": {"b": [1, 2.50, null, "\u00e9\n"], "a": {}}},
         {"key": "none", "type": "custom", "enabled": false}, {"key": "empty", "type": "custom", "parameters": {}}]}}
    """#

  @Test func theyBecomeThese() throws {
    let feed = try Feed.parse(Self.all)
    let campaigns = feed.campaigns
    #expect(campaigns.map(\.priority) == [-1000, 1000, 0, 0, 0, 0])
    #expect(campaigns.map(\.stay.endsAtExit) == [true, false, false, false, false, false])
    #expect(campaigns.map { $0.correlationKey?.source } == ["{{ k }} é", nil, nil, nil, nil, nil])
    #expect(campaigns[0].exclusionGroup == Identifier("x \"y\"") && campaigns[0].coalescingGroup == Identifier("g"))
    #expect(campaigns[1].exclusionGroup == nil && campaigns[1].coalescingGroup == nil)
    #expect(campaigns.map(\.filtersAtEnter) == [nil, true, false, nil, nil, nil])
    #expect(campaigns.map(\.cooldownAnchor) == [.exit, .background, .shown, .shown, .enter, .removed])
    let offline = Welcome.Content(message: Template("off at {{name}}")!, data: Template("d")!)
    let short = Welcome.Content(message: Template("o")!, data: Template("")!)
    #expect(
      campaigns.map(\.welcome) == [
        nil, nil, nil,
        Welcome(period: 31_536_000_000, offline: offline, minimumDisplay: 86_400_000, isAlone: true),
        Welcome(period: 1000, offline: short, minimumDisplay: 0, isAlone: false),
        Welcome(period: 1000, offline: nil, minimumDisplay: 0, isAlone: false),
      ])
    let settings = feed.settings
    #expect(!settings.notificationsEnabled && settings.specificFirst && settings.specificWithin == 86_400_000)
    #expect(settings.exclusion == [Exclusion(group: Identifier("x"), within: 86_400_000)])
    #expect(settings.slots == Slots(count: 100, whenFull: .replace))
    #expect(
      settings.coalescing == [
        Coalescing(group: Identifier("g"), atLeast: 1000, message: Template("{{count}} at {{k}}")!),
        Coalescing(group: Identifier("h"), atLeast: 2, message: Template("m")!),
      ])
    func strategy(_ key: String, _ rule: Strategy.Rule, isEnabled: Bool = true) -> Strategy {
      Strategy(key: Identifier(key), rule: rule, isEnabled: isEnabled)
    }
    #expect(
      settings.strategies == [
        strategy("few", .maximum(1000, window: 31_536_000_000)),
        strategy("gap", .minimumTime(1000, after: .background), isEnabled: false),
        strategy("gap2", .minimumTime(31_536_000_000, after: .shown)), strategy("same", .sameContent(.shown)),
        strategy("same2", .sameContent(.data)),
        strategy("é \"", .custom(parameters: #"{"b":[1,2.5,null,"é\n"],"a":{}}"#)),
        strategy("none", .custom(parameters: nil), isEnabled: false), strategy("empty", .custom(parameters: "{}")),
      ])
  }

  @Test func withoutTheirKeysTheyAreTheDefaults() throws {
    let feed = try Feed.parse(Array(TimesFaultTests.inCampaign("").utf8))
    #expect(feed.settings == FeedSettings())
    let defaults = TimesFaultTests.inCampaign(#","priority":0,"removeOnExit":false,"cooldownFrom":"shown""#)
    #expect(try Feed.parse(defaults).campaigns == feed.campaigns)
    #expect(feed.campaigns[0].welcome == nil && feed.campaigns[0].cooldownAnchor == .shown)
  }

  @Test func readingWhatWasWrittenGivesAnEqualFeed() throws {
    let feed = try Feed.parse(Self.all)
    let again = try Feed.parse(feed.json)
    #expect(again.campaigns == feed.campaigns && again.settings == feed.settings && again.regions == feed.regions)
    #expect(again.json == feed.json, "a fixed point")
  }
}
