import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Items, events and decisions as JSON: the exact bytes, and docs/items.md, docs/events.md and docs/decisions.md.
@Suite struct RecordTests {
  static let notification = Item(
    kind: .notification(.landingPage), campaign: Identifier("wel\"come"), region: Identifier("museum"),
    regionName: "Museum \\ shop", matchIdentifier: "m-1", visit: "v-1",
    message: "a\n\t\u{8}\u{c}\r\u{1}\u{1f}/é😀\u{7f}",
    data: "", coordinate: Coordinate(latitude: 52.36, longitude: 1e-7), trigger: .dwelling(minutes: 5), matchRange: 200)

  static let geotrigger = Item(
    kind: .geotrigger, campaign: Identifier("c"), region: Identifier("till"), regionName: nil, matchIdentifier: "g-1",
    visit: nil, message: "n", data: "d", coordinate: nil, trigger: .exit, matchRange: 2)

  static let notificationJSON =
    #"{"identifier":"wel\"come;museum","matchIdentifier":"m-1","campaignId":"wel\"come","regionId":"museum","#
    + #""regionName":"Museum \\ shop","message":"a\n\t\b\f\r\u0001\u001f/é😀"# + "\u{7f}" + #"","data":"","#
    + #""geofenceLatitude":52.36,"geofenceLongitude":1e-07,"trigger":"dwelling","dwellingMinutes":5,"#
    + #""notificationHandlerType":"landingPage","matchRange":200,"regionType":"geofence"}"#

  static let geotriggerJSON =
    #"{"identifier":"c;till","matchIdentifier":"g-1","campaignId":"c","regionId":"till","message":"n","name":"n","data":"d","trigger":"exit","#
    + #""dwellingMinutes":0,"matchRange":2,"regionType":"beacon"}"#

  static func sent(_ item: Item, _ date: Milliseconds, _ answered: Milliseconds?) -> Item {
    var item = item
    item.sent = Item.Sent(date: date, answered: answered)
    return item
  }

  static let besideOthers: Item = {
    var item = notification
    item.values.loaded.priority = -5
    item.values.correlationKey = "k"
    item.values.coalesced = [
      ItemKey(campaign: Identifier("x"), region: Identifier("y z")),
      ItemKey(campaign: Identifier("é"), region: Identifier("b")),
    ]
    return item
  }()

  static let evening: Item = {
    var item = geotrigger
    item.values.loaded.trigger = .inside(minuteOfDay: 1080)
    return item
  }()

  static let eveningJSON = geotriggerJSON.replacingOccurrences(
    of: #""exit","dwellingMinutes":0"#, with: #""inside","dwellingMinutes":0,"insideAt":"18:00""#)

  static let arrival: Item = {
    var item = geotrigger
    item.values.loaded.trigger = .approaching(seconds: 600)
    return item
  }()

  static let arrivalJSON = geotriggerJSON.replacingOccurrences(
    of: #""exit","dwellingMinutes":0"#, with: #""approaching","dwellingMinutes":0,"arrivalSeconds":600"#)

  static let awaited: Item = {
    var item = geotrigger
    item.values.loaded.trigger = .trip(.wrongDestination)
    return item
  }()

  static let awaitedJSON = geotriggerJSON.replacingOccurrences(
    of: #""exit","dwellingMinutes":0"#, with: #""trip","dwellingMinutes":0,"tripEvent":"wrong-destination""#)

  static let nearby: Item = {
    var item = geotrigger
    item.values.loaded.travel = TravelTime(minutes: 15, mode: .bicycle)
    return item
  }()

  static let nearbyJSON = geotriggerJSON.replacingOccurrences(
    of: #""regionType":"beacon""#, with: #""regionType":"beacon","travelMinutes":15,"travelMode":"bicycle""#)

  static let message: Item = {
    var incoming = Item.Incoming(id: "a;b\"")
    incoming.sender = "s"
    incoming.thread = "é"
    incoming.revision = -1
    incoming.isSilent = true
    incoming.isSuppressed = true
    var item = Item(incoming, Content(message: "m", data: ""), matchIdentifier: "m-2")
    item.values.loaded.content.title = "t"
    item.values.loaded.priority = 3
    item.values.correlationKey = "k"
    return item
  }()

  static let messageJSON =
    #"{"identifier":"a;b\"","matchIdentifier":"m-2","message":"m","data":"","title":"t","#
    + #""notificationHandlerType":"regular","priority":3,"correlationKey":"k","sender":"s","thread":"é","#
    + #""revision":-1,"silent":1,"suppressed":1}"#

  static let opened: Item = {
    var item = sent(message, 5, 6)
    item.values.opening = Opening(isAppInForeground: true, confirms: true)
    return item
  }()

  static let leaving: Item = {
    var item = notification
    item.values.loaded.stay.endsAtExit = true
    item.values.loaded.stay.endsWithCampaign = true
    item.values.loaded.stay.expireAfter = 60_000
    item.values.loaded.stay.expireAt = 7
    item.values.updates = "m"
    return item
  }()

  static let items: [(Item, String)] = [
    (message, messageJSON),
    (sent(message, 5, nil), messageJSON.dropLast() + #","dateSent":5,"dateOpened":-1,"isOpened":0}"#),
    (
      opened,
      messageJSON.dropLast()
        + #","dateSent":5,"dateOpened":6,"isOpened":1,"isAppInForeground":1,"confirm":1}"#
    ), (evening, eveningJSON), (arrival, arrivalJSON), (awaited, awaitedJSON),
    (nearby, nearbyJSON),
    (besideOthers, notificationJSON.dropLast() + #","priority":-5,"correlationKey":"k","coalesced":"x;y z\né;b"}"#),
    (
      leaving,
      notificationJSON.dropLast() + #","removeOnExit":1,"removeAtEnd":1,"expireAfter":60,"expireAt":7,"updates":"m"}"#
    ),
    (notification, notificationJSON), (geotrigger, geotriggerJSON), (ContentTests.item, ContentTests.json),
    (
      sent(notification, 1_700_000_000_000, nil),
      notificationJSON.dropLast() + #","dateSent":1700000000000,"dateOpened":-1,"isOpened":0}"#
    ),
    (sent(notification, 0, 5), notificationJSON.dropLast() + #","dateSent":0,"dateOpened":5,"isOpened":1}"#),
    (sent(geotrigger, 7, nil), geotriggerJSON.dropLast() + #","dateSent":7,"dateHandled":-1,"isHandled":0}"#),
    (sent(geotrigger, 7, 0), geotriggerJSON.dropLast() + #","dateSent":7,"dateHandled":0,"isHandled":1}"#),
  ]

  @Test func itemsHaveTheseBytesAndAreReadBack() {
    for (item, json) in Self.items {
      #expect(item.json == json)
      #expect(Item(json: json, visit: item.visit) == item)
    }
  }

  @Test func entriesOfLoadedListsHaveNoMatchIdentifier() throws {
    for item in [Self.notification, Self.geotrigger, ContentTests.item] {
      let loaded = HostItem.loaded(item.values.loaded)
      let match = "\"matchIdentifier\":\"\(item.matchIdentifier)\","
      #expect(loaded.json == item.json.replacingOccurrences(of: match, with: ""))
      #expect(HostItem(json: loaded.json, visit: nil) == loaded)
      #expect(Item(json: loaded.json, visit: nil) == nil, "it is no occurrence")
    }
    let message = Self.messageJSON.replacingOccurrences(of: "\"matchIdentifier\":\"m-2\",", with: "")
    #expect(HostItem(json: message, visit: nil) == nil, "a message is always an occurrence")
  }

  @Test func allKindsOfItemsAreReadBack() {
    for handler in HandlerType.allCases {
      for trigger in [
        Trigger.enter, .exit, .dwelling(minutes: 720), .inside(minuteOfDay: 0), .inside(minuteOfDay: 1439),
      ] {
        var item = Self.sent(Self.notification, 1, 2)
        item.values.loaded.kind = .notification(handler)
        item.values.loaded.trigger = trigger
        #expect(Item(json: item.json, visit: "v-1") == item)
        item.values.loaded.kind = .geotrigger
        #expect(Item(json: item.json, visit: "v-1") == item)
      }
    }
  }

  @Test(arguments: [
    (0.1, "0.1"), (1e-7, "1e-07"), (52.36, "52.36"), (-0.0, "-0.0"), (0, "0.0"), (90, "90.0"), (-180, "-180.0"),
    (4.885, "4.885"), (-8.6254356, "-8.6254356"), (0.1 + 0.2, "0.30000000000000004"),
    (.leastNonzeroMagnitude, "5e-324"),
    (0.0001, "0.0001"), (52.123456789012345, "52.123456789012344"),
  ])
  func numbersAreShortAndExact(_ number: Double, _ text: String) throws {
    var item = Self.notification
    item.values.loaded.coordinate = Coordinate(latitude: number, longitude: 1)
    #expect(item.json.contains(#""geofenceLatitude":\#(text),"#))
    let back = try #require(Item(json: item.json, visit: item.visit)?.coordinate?.latitude)
    #expect(back.bitPattern == number.bitPattern)
    #expect(Double(text) == number)
  }

  @Test func whatIsNoItemIsNotRead() throws {
    for text in ["", "5", "[]", "{}", "{", "null"] { #expect(Item(json: text, visit: nil) == nil) }
    for key in ["campaignId", "regionId", "message", "data", "trigger", "dwellingMinutes", "matchRange"] {
      let changed = Self.geotriggerJSON.replacingOccurrences(of: "\"\(key)\"", with: "\"other\"")
      #expect(changed != Self.geotriggerJSON)
      #expect(Item(json: changed, visit: nil) == nil, "an item without \(key)")
    }
  }

  @Test func settingContent() throws {
    var item = Self.notification
    try item.set("message", to: "new \"text\"")
    try item.set("data", to: "")
    #expect(item.message == "new \"text\"" && item.data == "")
    try item.set("data", to: "x")
    var expected = Self.notification
    expected.values.loaded.content = Content(message: "new \"text\"", data: "x")
    #expect(item == expected)
  }

  @Test func settingAnythingElseChangesNothing() {
    for original in [Self.notification, Self.geotrigger] {
      var item = original
      for key in HostItem.keys where original.isGeotrigger || !ContentTests.editable.contains(key) {
        #expect(throws: HostItem.SetError.readOnly, "\(key)") { try item.set(key, to: "5") }
        #expect(throws: HostItem.SetError.readOnly, "\(key)") { try item.set(key, to: 5) }
        #expect(throws: HostItem.SetError.readOnly, "\(key)") { try item.set(key, json: Array("5".utf8)) }
        #expect(throws: HostItem.SetError.readOnly, "\(key)") { try item.clear(key) }
      }
      for key in ["", "Message", "nothing", "message "] {
        #expect(throws: HostItem.SetError.unknown, "\(key)") { try item.set(key, to: "5") }
      }
      #expect(item == original)
    }
    var item = Self.notification
    #expect(throws: HostItem.SetError.empty) { try item.set("message", to: "") }
    #expect(item == Self.notification)
  }

  // MARK: Events and decisions

  @Test func eventsHaveTheseBytes() {
    var enter = Event(time: 1_778_932_800_250, kind: .regionEnter, sequence: 1, region: Identifier("a\"b"), visit: "v")
    enter.ordinal = 2
    enter.coordinate = Coordinate(latitude: -0.0, longitude: 0.1)
    #expect(
      enter.json
        == #"{"time":"2026-05-16T12:00:00.250Z","event":"region-enter","sequence":1,"region":"a\"b","visit":"v","#
        + #""ordinal":2,"latitude":-0.0,"longitude":0.1}"#)
    var dwell = Event(time: 0, kind: .regionDwell, sequence: .max, region: Identifier("r"), visit: "v")
    dwell.ordinal = 1
    dwell.dwellingMinutes = 5
    #expect(
      dwell.json
        == #"{"time":"1970-01-01T00:00:00Z","event":"region-dwell","sequence":9223372036854775807,"region":"r","#
        + #""visit":"v","ordinal":1,"dwellingMinutes":5}"#)
    var shown = Event(time: 1000, kind: .notificationShown, sequence: 3, region: Identifier("museum"), visit: "v-1")
    shown.item = Self.sent(Self.notification, 1000, nil)
    let json =
      #"{"time":"1970-01-01T00:00:01Z","event":"notification-shown","sequence":3,"region":"museum","visit":"v-1","#
      + #""campaign":"wel\"come","matchIdentifier":"m-1","message":"a\n\t\b\f\r\u0001\u001f/é😀"# + "\u{7f}"
      + #"","data":"""#
    #expect(shown.json == json + "}")
    shown.recovered = true
    #expect(shown.json == json + #","recovered":true}"#)
  }

  @Test func decisionsHaveTheseBytes() {
    var decision = Decision(
      time: 1, campaign: nil, region: nil, visit: nil, step: .presence, verdict: .hold, reason: .accuracy)
    #expect(
      decision.json == #"{"time":"1970-01-01T00:00:00.001Z","step":"presence","verdict":"hold","reason":"accuracy"}"#)
    decision.campaign = Identifier("c\\")
    decision.region = Identifier("r")
    decision.visit = "v"
    decision.step = .repeat
    decision.verdict = .drop
    decision.reason = .campaignCooldown
    decision.detail = "a \"field\""
    decision.nextPossible = 60_000
    #expect(
      decision.json
        == #"{"time":"1970-01-01T00:00:00.001Z","campaign":"c\\","region":"r","visit":"v","step":"repeat","#
        + #""verdict":"drop","#
        + #""reason":"campaign-cooldown","detail":"a \"field\"","nextPossible":"1970-01-01T00:01:00Z"}"#
    )
  }

  @Test func listsHaveTheseBytes() {
    #expect(ListDocument.items([]) == "[]")
    #expect(
      ListDocument.items([Self.geotrigger, Self.notification].map(HostItem.occurrence))
        == "[\(Self.geotriggerJSON),\(Self.notificationJSON)]")
    let visits = [
      Visit(region: Identifier("a\""), ordinal: 2, entered: 1500, isSilent: false),
      Visit(region: Identifier("b"), ordinal: 1, entered: 0, isSilent: true),
    ]
    #expect(ListDocument.visits([]) == "[]")
    #expect(
      ListDocument.visits(visits)
        == #"[{"region":"a\"","visit":"\#(visits[0].id)","ordinal":2,"entered":"1970-01-01T00:00:01.500Z"},"#
        + #"{"region":"b","visit":"\#(visits[1].id)","ordinal":1,"entered":"1970-01-01T00:00:00Z"}]"#)
    #expect(ListDocument.properties([:]) == "{}")
    let properties: [Identifier: PropertyValue] = [
      Identifier("é"): .date(0), Identifier("b"): .double(1), Identifier("B"): .boolean(false),
      Identifier("a\n"): .string("\""), Identifier("c"): .integer(.min),
    ]
    #expect(
      ListDocument.properties(properties)
        == #"{"B":{"type":"boolean","value":false},"a\n":{"type":"string","value":"\""},"b":{"type":"double","#
        + #""value":1.0},"#
        + #""c":{"type":"integer","value":-9223372036854775808},"é":{"type":"date","value":"1970-01-01T00:00:00Z"}}"#
    )
  }
}

extension Item {
  var members: [(key: String, value: Item.Value)] { HostItem.occurrence(self).members }

  mutating func set(_ key: String, to value: String) throws(HostItem.SetError) {
    try edit { (item) throws(HostItem.SetError) in try item.set(key, to: value) }
  }

  mutating func set(_ key: String, to value: Int64) throws(HostItem.SetError) {
    try edit { (item) throws(HostItem.SetError) in try item.set(key, to: value) }
  }

  mutating func set(_ key: String, json: [UInt8]) throws(HostItem.SetError) {
    try edit { (item) throws(HostItem.SetError) in try item.set(key, json: json) }
  }

  mutating func clear(_ key: String) throws(HostItem.SetError) {
    try edit { (item) throws(HostItem.SetError) in try item.clear(key) }
  }

  private mutating func edit(
    _ body: (inout HostItem) throws(HostItem.SetError) -> Void
  ) throws(HostItem.SetError) {
    var host = HostItem.occurrence(self)
    defer { self = host.occurrence! }
    try body(&host)
  }
}
