import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

@Suite struct ConfigurationTests {
  /// All properties of docs/plotconfig.md with their defaults, as `plot_config_to_json` writes them.
  static let defaults =
    #"{"publicToken":"REPLACE_ME","enableOnFirstRun":true,"notificationSmallIcon":null,"notificationAccentColor":null,"#
    + #""askPermissionAgainAfterDays":1,"maxRegionsMonitored":20,"debug":false,"cooldownPeriod":-1,"#
    + #""automaticallyAskLocationPermission":true,"automaticallyAskNotificationPermission":true,"#
    + #""provisionalNotificationPermission":false,"quickSyncDisabled":false,"enableBackgroundLocation":true,"#
    + #""emulatorTesting":false,"addMainActivityToBackStack":false,"notificationChannelName":null,"#
    + #""maxGeofencesMonitored":100,"forceFallbackForGooglePlay":false,"showOnGoingNotification":null,"#
    + #""enableCombinedMonitoring":false,"enableTransitionRecognition":false,"transitionRecognitionActivities":[],"#
    + #""enableAltBeaconMonitoring":false,"enableAltBeaconForegroundService":false,"#
    + #""engine":{"noise":"default","initial":"enter","initialOnUpdate":"none","filterDeadline":60,"filterFallback":"drop","#
    + #""filterRecovery":"offerAgain","filterAtEnter":false,"geotriggersKeepCooldown":null,"attachmentFolder":null,"uriSchemes":["http","https","mailto","tel","geo"],"confirmInForeground":false,"hideCoordinates":false,"earliestTime":631152000000,"maxAhead":600,"damagedStore":null,"#
    + #""capabilities":{"suppress":true,"#
    + #""removeDelivered":true,"messageDeadline":null,"fallback":"placeholder"},"#
    + #""beacons":{"sightings":2,"window":20,"silence":30,"silenceInBackground":660},"#
    + #""proof":{"maxAge":90,"deadline":30,"staleAfter":3600},"events":{"acknowledge":false,"limit":10000}}}"#

  static let withoutToken = defaults.replacingOccurrences(of: #""REPLACE_ME""#, with: "null")

  /// The same with another value everywhere.
  static let others =
    #"{"publicToken":"abcdefghijklmnop","enableOnFirstRun":false,"notificationSmallIcon":"ic_mood_white_24dp","#
    + ##""notificationAccentColor":"#01579B","askPermissionAgainAfterDays":7,"maxRegionsMonitored":10,"debug":true,"##
    + #""cooldownPeriod":3600,"automaticallyAskLocationPermission":false,"#
    + #""automaticallyAskNotificationPermission":false,"provisionalNotificationPermission":true,"#
    + #""quickSyncDisabled":true,"enableBackgroundLocation":false,"emulatorTesting":true,"#
    + #""addMainActivityToBackStack":true,"notificationChannelName":"Offers","maxGeofencesMonitored":50,"#
    + #""forceFallbackForGooglePlay":true,"showOnGoingNotification":"during_network_request","#
    + #""enableCombinedMonitoring":true,"enableTransitionRecognition":true,"#
    + #""transitionRecognitionActivities":["EXIT-VEHICLE","ENTER-WALKING"],"enableAltBeaconMonitoring":true,"#
    + #""enableAltBeaconForegroundService":true,"#
    + #""engine":{"noise":"exact","initial":"none","initialOnUpdate":"dwellOnly","filterDeadline":30,"filterFallback":"showOriginal","#
    + #""filterRecovery":"drop","filterAtEnter":true,"geotriggersKeepCooldown":true,"attachmentFolder":"files","uriSchemes":["https","x-own.app+1"],"confirmInForeground":true,"hideCoordinates":true,"earliestTime":0,"maxAhead":0,"damagedStore":"setAside","#
    + #""capabilities":{"suppress":false,"#
    + #""removeDelivered":false,"messageDeadline":30,"fallback":"silent"},"#
    + #""beacons":{"sightings":1,"window":600,"silence":86400,"silenceInBackground":1},"#
    + #""proof":{"maxAge":0,"deadline":10,"staleAfter":60},"events":{"acknowledge":true,"limit":5}}}"#

  @Test func defaultsAreFilledIn() throws {
    for text in [#"{"publicToken": "REPLACE_ME"}"#, #"{"publicToken": "REPLACE_ME", "engine": {}}"#] {
      let configuration = try Configuration(text)
      #expect(configuration.json == Self.defaults)
      #expect(configuration.warnings.isEmpty)
      #expect(configuration.publicToken == "REPLACE_ME")
      #expect(configuration.enableOnFirstRun)
      #expect(!configuration.debug)
      #expect(configuration.cooldownPeriod == nil)
      #expect(
        configuration.noise == .balanced && configuration.initial == .enter && configuration.initialOnUpdate == .none)
      #expect(configuration.filterDeadline == 60 && configuration.filterFallback == .drop)
      #expect(configuration.attachmentFolder == nil)
      #expect(!configuration.hideCoordinates)
      #expect(Timestamp.text(configuration.earliestTime) == "1990-01-01T00:00:00Z")
      #expect(configuration.filterRecovery == .offerAgain)
    }
  }

  @Test func everyPropertyIsReadAndWritten() throws {
    let configuration = try Configuration(Self.others)
    #expect(configuration.json == Self.others)
    #expect(configuration.warnings.isEmpty)
    #expect(configuration.publicToken == "abcdefghijklmnop")
    #expect(!configuration.enableOnFirstRun)
    #expect(configuration.debug)
    #expect(configuration.cooldownPeriod == 3600)
    #expect(configuration.noise == .exact && configuration.initial == .none)
    #expect(configuration.initialOnUpdate == .dwellOnly)
    #expect(configuration.filterDeadline == 30 && configuration.filterFallback == .showOriginal)
    #expect(configuration.attachmentFolder == "files")
    #expect(configuration.hideCoordinates)
    #expect(configuration.earliestTime == 0)
    #expect(configuration.filterRecovery == .drop)
    let (defaults, others) = (try foundation(Self.defaults), try foundation(Self.others))
    for key in try #require(others.allKeys as? [String]) {
      #expect(others[key] as? NSObject != defaults[key] as? NSObject, "\(key) is not another value")
    }
  }

  @Test func writingIsAFixedPoint() throws {
    for text in [Self.defaults, Self.others] { #expect(try Configuration(text).json == text) }
  }

  @Test func nullCountsAsAbsent() throws {
    let keys = try #require(foundation(Self.defaults).allKeys as? [String])
    for key in keys where key != "publicToken" {
      let configuration = try Configuration(#"{"publicToken": "REPLACE_ME", "\#(key)": null}"#)
      #expect(configuration.json == Self.defaults, "\(key)")
      #expect(configuration.warnings.isEmpty)
    }
    for key in [
      "noise", "initial", "initialOnUpdate", "filterDeadline", "filterFallback", "filterRecovery", "attachmentFolder",
      "hideCoordinates",
      "earliestTime", "maxAhead", "damagedStore",
    ] {
      let configuration = try Configuration(#"{"publicToken": "REPLACE_ME", "engine": {"\#(key)": null}}"#)
      #expect(configuration.json == Self.defaults, "\(key)")
    }
  }

  @Test(arguments: [
    "{}", #"{"publicToken": null}"#, #"{"engine": {}}"#, #"{"engine": null}"#, #"{"debug": false, "publicToken":null}"#,
  ])
  func aTokenIsOptional(_ text: String) throws {
    let configuration = try Configuration(text)
    #expect(configuration.publicToken == nil)
    #expect(configuration.json == Self.withoutToken)
    #expect(configuration.warnings.isEmpty)
    #expect(try Configuration(configuration.json).json == configuration.json)
  }

  /// Neither the token nor whether there is one.
  @Test func aRecordingHidesTheToken() throws {
    let configuration = try Configuration(Self.defaults)
    let recorded = configuration.recordedJSON
    var noise = JSONText()
    configuration.noise.write(to: &noise, ofRegion: false, nil)
    let expected = Self.defaults.replacingOccurrences(of: "REPLACE_ME", with: "-")
      .replacingOccurrences(of: #""noise":"default""#, with: #""noise":\#(noise.text)"#)
      .replacingOccurrences(of: #""damagedStore":null,"#, with: "")
      .replacingOccurrences(of: #""geotriggersKeepCooldown":null,"#, with: "")
      .replacingOccurrences(of: #""filterAtEnter":false,"#, with: "")
      .replacingOccurrences(of: #""uriSchemes":["http","https","mailto","tel","geo"],"#, with: "")
      .replacingOccurrences(of: #""confirmInForeground":false,"#, with: "")
      .replacingOccurrences(of: #","events":{"acknowledge":false,"limit":10000}"#, with: "")
    #expect(recorded == expected && noise.text.hasPrefix("{"))
    #expect(try Configuration("{}").recordedJSON == recorded)
    #expect(try Configuration(recorded: recorded).recordedJSON == recorded)
  }

  @Test func beaconsAreInMilliseconds() throws {
    let policy = try Configuration(Self.others).beacons
    #expect(policy.sightings == 1 && policy.window == 600_000 && policy.silence == 86_400_000)
    #expect(policy.silenceInBackground == 1000)
    #expect(try Configuration(Self.defaults).beacons == BeaconPolicy())
    for (key, least, most) in [("sightings", 1, 20), ("window", 1, 600), ("silence", 1, 86_400)] {
      for value in [least - 1, most + 1] {
        let text = #"{"publicToken": "t", "engine": {"beacons": {"\#(key)": \#(value)}}}"#
        let error = try #require(fault(ofConfiguration: Array(text.utf8)))
        #expect(
          short(error).hasSuffix("/engine/beacons/\(key) | an integer from \(least) to \(most) | the number \(value)"))
      }
    }
    let unknown = try Configuration(#"{"publicToken": "t", "engine": {"beacons": {"x": 1}}}"#)
    #expect(unknown.warnings == [#"the key "engine.beacons.x" is unknown; it is ignored"#])
  }

  static let ranges: [(String, Int64, Int64)] = [
    ("askPermissionAgainAfterDays", -1, 36_500), ("maxRegionsMonitored", 5, 20), ("cooldownPeriod", -1, 31_536_000),
    ("maxGeofencesMonitored", 1, 100), ("engine.filterDeadline", 1, 86_400),
  ]

  @Test(arguments: ranges)
  func integersAreTakenWithinTheirRangeOnly(_ key: String, _ least: Int64, _ most: Int64) throws {
    let isInEngine = key.hasPrefix("engine.")
    let name = isInEngine ? String(key.dropFirst(7)) : key
    func text(_ value: String) -> String {
      let member = #""\#(name)": \#(value)"#
      return #"{"publicToken": "t", "# + (isInEngine ? #""engine": {\#(member)}}"# : "\(member)}")
    }
    for value in [least, least + 1, most - 1, most] {
      #expect(try Configuration(text("\(value)")).json.contains(#""\#(name)":\#(value)"#))
    }
    let pointer = isInEngine ? "/engine/\(name)" : "/\(name)"
    let column = (isInEngine ? 37 : 26) + name.utf8.count
    let cases = [
      ("\(least - 1)", "the number \(least - 1)"), ("\(most + 1)", "the number \(most + 1)"),
      ("9223372036854775807", "the number 9223372036854775807"),
      ("-9223372036854775808", "the number -9223372036854775808"), ("\(most).0", "the number \(most).0"),
      ("1e1", "the number 10.0"), ("\"\(most)\"", "the string \"\(most)\""), ("true", "true"), ("[]", "an array"),
      ("{}", "an object"),
    ]
    for (value, found) in cases {
      let error = try #require(fault(ofConfiguration: Array(text(value).utf8)), "\(value) is taken")
      #expect(short(error) == "1:\(column) \(pointer) | an integer from \(least) to \(most) | \(found)")
    }
  }

  @Test(arguments: [
    "enableOnFirstRun", "debug", "automaticallyAskLocationPermission", "automaticallyAskNotificationPermission",
    "provisionalNotificationPermission", "quickSyncDisabled", "enableBackgroundLocation", "emulatorTesting",
    "addMainActivityToBackStack", "forceFallbackForGooglePlay", "enableCombinedMonitoring",
    "enableTransitionRecognition", "enableAltBeaconMonitoring", "enableAltBeaconForegroundService",
  ])
  func booleans(_ key: String) throws {
    for value in ["true", "false"] {
      let configuration = try Configuration(#"{"publicToken": "t", "\#(key)": \#(value)}"#)
      #expect(configuration.json.contains(#""\#(key)":\#(value)"#))
      #expect(configuration.warnings.isEmpty)
    }
    for (value, found) in [("1", "the number 1"), (#""yes""#, #"the string "yes""#), ("[true]", "an array")] {
      let error = try #require(fault(ofConfiguration: Array(#"{"publicToken": "t", "\#(key)": \#(value)}"#.utf8)))
      #expect(short(error) == "1:\(26 + key.utf8.count) /\(key) | true or false | \(found)")
    }
  }

  @Test(arguments: [
    "notificationSmallIcon", "notificationAccentColor", "notificationChannelName", "showOnGoingNotification",
  ])
  func strings(_ key: String) throws {
    let configuration = try Configuration(#"{"publicToken": "t", "\#(key)": "a \"b\" é"}"#)
    #expect(configuration.json.contains(#""\#(key)":"a \"b\" é""#))
    for (value, found) in [("1.5", "the number 1.5"), ("false", "false"), ("{}", "an object")] {
      let error = try #require(fault(ofConfiguration: Array(#"{"publicToken": "t", "\#(key)": \#(value)}"#.utf8)))
      #expect(short(error) == "1:\(26 + key.utf8.count) /\(key) | a string | \(found)")
    }
  }

  @Test func colours() throws {
    for color in ["#01579B", "#01579b", "#000000", "accent", "colour_1", "01579B"] {
      let configuration = try Configuration(#"{"publicToken": "t", "notificationAccentColor": "\#(color)"}"#)
      #expect(configuration.json.contains(#""notificationAccentColor":"\#(color)""#))
    }
    for color in ["", "#", "#01579", "#01579B0", "#01579G", "#０１", "##01579", "# 1579B"] {
      let text = #"{"publicToken": "t", "notificationAccentColor": "\#(color)"}"#
      let error = try #require(fault(ofConfiguration: Array(text.utf8)), "\(color) is taken")
      let expected = "a colour as #RRGGBB, or the name of a colour resource"
      #expect(short(error) == "1:49 /notificationAccentColor | \(expected) | the string \"\(color)\"")
    }
  }

  @Test func words() throws {
    let cases = [
      (
        "noise",
        PresenceFaultTests.presets + " or an object",
        ["", "Exact", "standard", "defaul"]
      ),
      ("initial", #""none" or "enter" or "dwellOnly""#, ["exit", "None"]),
      ("filterFallback", #""drop" or "showOriginal""#, ["show", "showoriginal"]),
      ("filterRecovery", #""offerAgain" or "drop""#, ["offer", "Drop"]),
    ]
    for (key, expected, values) in cases {
      for value in values {
        let text = #"{"publicToken": "t", "engine": {"\#(key)": "\#(value)"}}"#
        let error = try #require(fault(ofConfiguration: Array(text.utf8)), "\(value) is taken")
        #expect(short(error) == "1:\(37 + key.utf8.count) /engine/\(key) | \(expected) | the string \"\(value)\"")
      }
      let error = try #require(fault(ofConfiguration: Array(#"{"publicToken": "t", "engine": {"\#(key)": 1}}"#.utf8)))
      #expect(short(error) == "1:\(37 + key.utf8.count) /engine/\(key) | \(expected) | the number 1")
    }
  }

  @Test func arraysOfStrings() throws {
    let start = #"{"publicToken": "t", "transitionRecognitionActivities": "#
    let cases = [
      ("\"EXIT-VEHICLE\"", "1:57 /transitionRecognitionActivities | an array of strings | the string \"EXIT-VEHICLE\""),
      ("[\"a\", 5]", "1:63 /transitionRecognitionActivities/1 | a string | the number 5"),
      ("[null]", "1:58 /transitionRecognitionActivities/0 | a string | null"),
    ]
    for (value, expected) in cases {
      let error = try #require(fault(ofConfiguration: Array((start + value + "}").utf8)))
      #expect(short(error) == expected)
    }
  }

  /// The table of the page against the table of the code.
  @Test func thePageHasTheSamePropertiesAndDefaults() throws {
    for (heading, properties, others) in [
      ("## The properties", Property.all, ["engine", "sync"]),
      ("## `engine`", Property.engine, ["capabilities", "beacons", "proof", "events"]),
      ("## `engine.capabilities`", Property.capabilities, []), ("## `engine.beacons`", Property.beacons, []),
      ("## `engine.proof`", Property.proof, []), ("## `engine.events`", Property.events, []),
      ("## `sync`", Property.sync, ["events"]), ("## `sync.events`", Property.syncEvents, []),
    ] {
      let rows = try table(of: "plotconfig.md", after: heading)
      let names = properties.map(\.name) + others
      #expect(rows.map { $0[0] } == names.map { "`\($0)`" })
      for (row, property) in zip(rows, properties) {
        var json = JSONText()
        property.standard.write(to: &json, .present)
        let standard = json.text == "null" ? "none" : json.text
        #expect(row[2].replacingOccurrences(of: "`", with: "") == standard, "\(property.name)")
        if case .integer(let range) = property.form {
          #expect(row[3] == "\(range.lowerBound) to \(range.upperBound)", "\(property.name)")
        }
      }
    }
  }
}
