import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Rule files that are read, and those that are refused, with their places.
@Suite struct SimulationRulesTests {
  private func read(_ text: String) throws(DocumentError) -> SimulationRules { try .parse(Array(text.utf8)) }

  private func item(_ campaign: String, _ region: String) -> Item {
    var item = Item(
      kind: .notification(.regular), campaign: Identifier(campaign), region: Identifier(region), regionName: nil,
      matchIdentifier: "m", visit: "v", message: "old", data: "d", coordinate: nil, trigger: .enter, matchRange: 1)
    item.values.loaded.content.title = "t"
    item.values.loaded.content.badge = 3
    return item
  }

  @Test func nothingIsSaid() throws {
    #expect(try read("{}") == SimulationRules())
    #expect(try read("\u{FEFF}{\"x-own\":null}") == SimulationRules())
    let rules = try read(#"{"filter":[],"geotriggers":[]}"#)
    #expect(rules.filter == [] && rules.geotriggers == [])
  }

  @Test func theFirstThatIsAboutAnItemDecides() throws {
    let rules = try read(
      #"""
      {"filter": [
        {"identifier": "a;r", "drop": true}, {"campaign": "a", "answerAfter": 5}, {"region": "r", "answerAfter": 6},
        {"x-else": 1, "answerAfter": 7}]}
      """#)
    func answer(_ campaign: String, _ region: String) -> SimulationRules.Answer? {
      rules.filter?.outcome(for: item(campaign, region))
    }
    #expect(answer("a", "r")?.keeps == false)
    #expect(answer("a", "s")?.keeps == true && answer("a", "s")?.after == 5_000)
    #expect(answer("b", "r")?.after == 6_000 && answer("b", "s")?.after == 7_000)
    let show = try read(#"{"show": [{"campaign": "a", "fails": true}]}"#).show
    #expect(show.outcome(for: item("a", "r")) == true && show.outcome(for: item("b", "r")) == nil)
  }

  @Test func editsSetAndTakeAway() throws {
    let rules = try read(
      #"""
      {"filter": [{"set": {
        "message": "new", "data": "", "title": null, "subtitle": "s", "body": "b", "sound": "x", "badge": null, "category": "c",
        "attachments": [{"id": "p", "url": "p.png"}], "actions": [{"id": "a", "title": "A", "foreground": true}],
        "userInfo": {"z": 1, "a": [true]}}}, {"drop": false}]}
      """#)
    let edit = try #require(rules.filter?.first?.outcome.edit)
    var expected = Content(message: "new", data: "")
    (expected.subtitle, expected.body, expected.sound, expected.category) = ("s", "b", "x", "c")
    expected.attachments = [Attachment(id: "p", url: "p.png")]
    expected.actions = [Action(id: "a", title: "A", foreground: true)]
    expected.userInfo = [
      UserInfoEntry(key: Identifier("z"), json: "1"), UserInfoEntry(key: Identifier("a"), json: "[true]"),
    ]
    #expect(edit.applied(to: item("a", "r").content) == expected)
    let untouched = item("a", "r").content
    #expect(rules.filter?.last?.outcome.edit.applied(to: untouched) == untouched)
  }

  @Test func strategies() throws {
    let strategies = try read(
      #"""
      {"strategies": [{"key": "k", "veto": ["a"], "vetoDelete": ["b"], "minimumTime": 60, "after": "background", "max": 2, "window": 10},
        {"key": "l", "minimumTime": 1}]}
      """#
    ).strategies
    #expect(strategies.map(\.key.text) == ["k", "l"])
    #expect(strategies[0].veto == [Identifier("a")] && strategies[0].vetoDelete == [Identifier("b")])
    #expect(strategies[0].minimumTime == 60_000 && strategies[0].after == .background)
    #expect(strategies[0].maximum == .init(count: 2, window: 10_000))
    #expect(strategies[1].after == .shown && strategies[1].maximum == nil)
  }

  @Test func thePersonAndTheDevice() throws {
    let rules = try read(
      #"""
      {"person": [{"campaign": "a", "opens": 0}, {"campaign": "b", "dismisses": 5}, {"campaign": "c", "chooses": {"action": "x", "after": 1}}, {}],
       "inputs": [
        {"at": "2026-01-01T00:00:02Z", "foreground": true}, {"at": "2026-01-01T00:00:01Z", "network": false},
        {"at": "2026-01-01T01:00:02+01:00", "timeZone": "Europe/Amsterdam"},
        {"at": "2026-01-01T00:00:03Z", "property": {"key": "p", "value": {"date": "1970-01-01T00:00:01Z"}}},
        {"at": "2026-01-01T00:00:04Z", "property": {"key": "p", "value": 1}},
        {"at": "2026-01-01T00:00:05Z", "property": {"key": "p", "value": 1.5}},
        {"at": "2026-01-01T00:00:06Z", "property": {"key": "p", "value": "1"}},
        {"at": "2026-01-01T00:00:07Z", "property": {"key": "p", "value": false}},
        {"at": "2026-01-01T00:00:08Z", "clearProperty": "p"}]}
      """#)
    #expect(
      rules.person.map(\.outcome) == [
        .init(kind: .open, after: 0), .init(kind: .dismiss, after: 5_000),
        .init(kind: .choose(action: "x"), after: 1_000), nil,
      ])
    let first: Milliseconds = 1_767_225_601_000
    #expect(rules.inputs.map(\.time) == [0, 1, 1, 2, 3, 4, 5, 6, 7].map { first + $0 * 1_000 })
    #expect(
      rules.inputs.map(\.kind) == [
        .network(false), .foreground(true), .timeZone("Europe/Amsterdam"), .property("p", .date(1_000)),
        .property("p", .integer(1)), .property("p", .double(1.5)), .property("p", .string("1")),
        .property("p", .boolean(false)), .property("p", nil),
      ])
    #expect(rules.inputs[3].kind.isAboutTheSame(as: rules.inputs[8].kind))
    #expect(!rules.inputs[3].kind.isAboutTheSame(as: .property("q", nil)))
    #expect(!rules.inputs[0].kind.isAboutTheSame(as: rules.inputs[1].kind))
  }

  @Test func namesThatTheFeedDoesNotHave() throws {
    let feed = try Feed.parse(
      #"""
      {"version": 1, "regions": [{"id": "r", "type": "geofence", "latitude": 0, "longitude": 0}],
       "campaigns": [{"id": "c", "type": "notification", "message": "m", "regions": ["r"]}]}
      """#)
    let rules = try read(
      #"""
      {"filter": [{"identifier": "c;r"}, {"identifier": "d;s"}], "geotriggers": [{"region": "t"}],
       "strategies": [{"key": "k", "veto": ["c", "e"], "vetoDelete": ["f"]}], "show": [{"campaign": "g"}],
       "remove": [{}, {"campaign": "h"}], "person": [{"region": "r"}, {"region": "u"}]}
      """#)
    #expect(
      rules.strangers(in: feed) == [
        "/filter/1: the feed has no campaign \"d\"", "/filter/1: the feed has no region \"s\"",
        "/geotriggers/0: the feed has no region \"t\"", "/strategies/0/veto/1: the feed has no campaign \"e\"",
        "/strategies/0/vetoDelete/0: the feed has no campaign \"f\"", "/show/0: the feed has no campaign \"g\"",
        "/remove/1: the feed has no campaign \"h\"", "/person/1: the feed has no region \"u\"",
      ])
  }

  @Test func whatThePagesShowIsRead() throws {
    let demo = projectRoot.appendingPathComponent("demo")
    let rules = try SimulationRules.load(path: demo.appendingPathComponent("rules.json").path)
    #expect(rules.filter?.isEmpty == false && !rules.strategies.isEmpty && !rules.inputs.isEmpty)
    #expect(try rules.strangers(in: Feed.load(path: demo.appendingPathComponent("feed.json").path)) == [])
    let page = projectRoot.appendingPathComponent("docs/rules-file.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n").dropFirst()
    #expect(!blocks.isEmpty)
    for block in blocks {
      let example = try read(try #require(block.components(separatedBy: "```").first))
      #expect(example.filter?.isEmpty == false && example.person.isEmpty == false)
    }
  }

  // MARK: Faults

  static let time = "2026-01-01T00:00:00Z"
  static let idForm = FeedFaultTests.idForm
  static let textForm = "a string that is not empty"
  static let identifierForm = "an item's identifier, as in \"campaign;region\""
  static let timeForm = "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\""
  static let valueForm = "a string, a boolean, a number or {\"date\": \"…\"}"
  static let oneInput = "one of foreground, network, timeZone, property, clearProperty, startTrip, endTrip"

  static func filter(_ members: String) -> String { #"{"filter":[{}, {"# + members + "}]}" }
  static func person(_ members: String) -> String { #"{"person":[{"# + members + "}]}" }
  static func strategy(_ members: String) -> String { #"{"strategies":[{"key":"k","# + members + "}]}" }
  static func input(_ members: String) -> String { #"{"inputs":[{"at":"\#(time)","# + members + "}]}" }

  static let cases: [FaultCase] = [
    FaultCase("[]", "", "[]", "rules, an object", "an array"),
    FaultCase(
      #"{"filters":[]}"#, "/filters", "[]",
      "a key of the rules (filter, geotriggers, strategies, show, remove, person, inputs)",
      "the unknown key \"filters\""),
    FaultCase(#"{"filter":null}"#, "/filter", "null", "an array of rules", "null"),
    FaultCase(#"{"show":{}}"#, "/show", "{}", "an array of rules", "an object"),
    FaultCase(#"{"remove":[true]}"#, "/remove/0", "true", "a rule, an object", "true"),
    FaultCase(
      #"{"show":[{"drop":true}]}"#, "/show/0/drop", "true",
      "a key of a rule of \"show\" (campaign, region, identifier, fails)", "the unknown key \"drop\""),
    FaultCase(#"{"show":[{"fails":1}]}"#, "/show/0/fails", "1", "true or false", "the number 1"),
    FaultCase(
      #"{"geotriggers":[{"set":{}}]}"#, "/geotriggers/0/set", "{}",
      "a key of a rule of \"geotriggers\" (campaign, region, identifier, drop, answerAfter)",
      "the unknown key \"set\""),
    FaultCase(filter(#""campaign":"""#), "/filter/1/campaign", "\"\"", idForm, "the string \"\""),
    FaultCase(filter(#""region":"a;b""#), "/filter/1/region", "\"a;b", idForm, "the string \"a;b\""),
    FaultCase(filter(#""identifier":"a""#), "/filter/1/identifier", "\"a\"", identifierForm, "the string \"a\""),
    FaultCase(filter(#""identifier":"a;""#), "/filter/1/identifier", "\"a;", identifierForm, "the string \"a;\""),
    FaultCase(
      filter(#""identifier":"a;b;c""#), "/filter/1/identifier", "\"a;b", identifierForm, "the string \"a;b;c\""),
    FaultCase(filter(#""identifier":7"#), "/filter/1/identifier", "7", identifierForm, "the number 7"),
    FaultCase(
      filter(#""campaign":"a","identifier":"a;b""#), "/filter/1/campaign", "\"a\",",
      "no \"campaign\" beside \"identifier\"", "the string \"a\""),
    FaultCase(
      filter(#""identifier":"a;b","region":"b""#), "/filter/1/region", "\"b\"", "no \"region\" beside \"identifier\"",
      "the string \"b\""),
    FaultCase(filter(#""drop":"yes""#), "/filter/1/drop", "\"yes", "true or false", "the string \"yes\""),
    FaultCase(
      filter(#""set":{"data":"x"},"drop":true"#), "/filter/1/set", "{\"d", "no \"set\" for what is dropped", "an object"
    ),
    FaultCase(
      filter(#""answerAfter":1.5"#), "/filter/1/answerAfter", "1.5", "an integer from 0 to 604800", "the number 1.5"),
    FaultCase(
      filter(#""answerAfter":-1"#), "/filter/1/answerAfter", "-1", "an integer from 0 to 604800", "the number -1"),
    FaultCase(filter(#""set":[]"#), "/filter/1/set", "[]", "an object", "an array"),
    FaultCase(filter(#""set":{"message":""}"#), "/filter/1/set/message", "\"\"", textForm, "the string \"\""),
    FaultCase(filter(#""set":{"message":null}"#), "/filter/1/set/message", "null", textForm, "null"),
    FaultCase(filter(#""set":{"data":null}"#), "/filter/1/set/data", "null", "a string", "null"),
    FaultCase(filter(#""set":{"title":5}"#), "/filter/1/set/title", "5", textForm, "the number 5"),
    FaultCase(
      filter(#""set":{"badge":-1}"#), "/filter/1/set/badge", "-1", "an integer from 0 to 2147483647", "the number -1"),
    FaultCase(
      filter(#""set":{"attachments":[{"id":"a"}]}"#), "/filter/1/set/attachments/0", "{\"id", "\"url\", \(textForm)",
      "no such key"),
    FaultCase(
      filter(#""set":{"actions":[{"id":"a","title":"A","compact":true}]}"#), "/filter/1/set/actions/0/compact", "true",
      "a key of an action (id, title, foreground, destructive)", "the unknown key \"compact\""),
    FaultCase(filter(#""set":{"userInfo":[]}"#), "/filter/1/set/userInfo", "[]", "an object", "an array"),
    FaultCase(
      filter(#""set":{"priority":1}"#), "/filter/1/set/priority", "1",
      "a key of \"set\" (message, data, title, subtitle, body, sound, badge, category, attachments, actions, userInfo)",
      "the unknown key \"priority\""),
    // The person.
    FaultCase(
      person(#""opens":-5"#), "/person/0/opens", "-5", "an integer from 0 to 31536000", "the number -5"),
    FaultCase(
      person(#""opens":5,"dismisses":6"#), "/person/0/dismisses", "6",
      "one of \"opens\", \"dismisses\" and \"chooses\"", "\"opens\" and \"dismisses\""),
    FaultCase(
      person(#""chooses":"a""#), "/person/0/chooses", "\"a\"", "an object with \"action\" and \"after\"",
      "the string \"a\""),
    FaultCase(
      person(#""chooses":{"after":1}"#), "/person/0/chooses", "{\"after", "\"action\", \(textForm)", "no such key"),
    FaultCase(
      person(#""chooses":{"action":"a"}"#), "/person/0/chooses", "{\"action",
      "\"after\", seconds, an integer from 0 to 31536000", "no such key"),
    // Strategies.
    FaultCase(#"{"strategies":[{}]}"#, "/strategies/0", "{}", "\"key\", \(idForm)", "no such key"),
    FaultCase(
      #"{"strategies":[{"key":"k"},{"key":"k"}]}"#, "/strategies/1/key", "\"k\"}]", "each key once",
      "the string \"k\""),
    FaultCase(
      strategy(#""veto":"c""#), "/strategies/0/veto", "\"c\"", "an array of campaign ids", "the string \"c\""),
    FaultCase(strategy(#""vetoDelete":["c",1]"#), "/strategies/0/vetoDelete/1", "1", idForm, "the number 1"),
    FaultCase(
      strategy(#""minimumTime":0"#), "/strategies/0/minimumTime", "0", "an integer from 1 to 31536000", "the number 0"),
    FaultCase(
      strategy(#""after":"shown""#), "/strategies/0/after", "\"shown", "no \"after\" without \"minimumTime\"",
      "the string \"shown\""),
    FaultCase(
      strategy(#""minimumTime":1,"after":"opened""#), "/strategies/0/after", "\"opened",
      "\"shown\" or \"removed\" or \"background\"", "the string \"opened\""),
    FaultCase(
      strategy(#""max":1"#), "/strategies/0", "{\"key", "\"window\", seconds, an integer from 1 to 31536000",
      "no such key"),
    FaultCase(
      strategy(#""window":60"#), "/strategies/0/window", "60", "no \"window\" without \"max\"", "the number 60"),
    FaultCase(
      strategy(#""max":1001,"window":1"#), "/strategies/0/max", "1001", "an integer from 1 to 1000", "the number 1001"),
    // Inputs.
    FaultCase(#"{"inputs":[{"network":true}]}"#, "/inputs/0", "{\"net", "\"at\", \(timeForm)", "no such key"),
    FaultCase(
      #"{"inputs":[{"at":"noon","network":true}]}"#, "/inputs/0/at", "\"noon", timeForm, "the string \"noon\""),
    FaultCase(#"{"inputs":[{"at":"2026-01-01T00:00:00Z"}]}"#, "/inputs/0", "{\"at", oneInput, "none"),
    FaultCase(
      input(#""network":true,"foreground":true"#), "/inputs/0", "{\"at", oneInput, "network and foreground"),
    FaultCase(input(#""network":1"#), "/inputs/0/network", "1", "true or false", "the number 1"),
    FaultCase(input(#""foreground":null"#), "/inputs/0/foreground", "null", "true or false", "null"),
    FaultCase(
      input(#""timeZone":"Mars/Olympus""#), "/inputs/0/timeZone", "\"Mars",
      "the IANA name of a time zone that this system has, as in \"Europe/Amsterdam\"", "the string \"Mars/Olympus\""),
    FaultCase(
      input(#""startTrip":{"id":"t"}"#), "/inputs/0/startTrip", "{\"id", "\"region\", " + FeedReader.identifierForm,
      "no such key"),
    FaultCase(
      input(#""endTrip":{"id":"t","late":true}"#), "/inputs/0/endTrip/late", "true",
      "a key of the end of a trip (id, arrived)", "the unknown key \"late\""),
    FaultCase(input(#""clearProperty":"""#), "/inputs/0/clearProperty", "\"\"", textForm, "the string \"\""),
    FaultCase(
      input(#""property":"p""#), "/inputs/0/property", "\"p\"", "an object with \"key\" and \"value\"",
      "the string \"p\""),
    FaultCase(
      input(#""property":{"key":"p"}"#), "/inputs/0/property", "{\"key", "\"value\", \(valueForm)", "no such key"),
    FaultCase(
      input(#""property":{"key":"p","value":[]}"#), "/inputs/0/property/value", "[]", valueForm, "an array"),
    FaultCase(
      input(#""property":{"key":"p","value":{"date":"x"}}"#), "/inputs/0/property/value/date", "\"x\"", timeForm,
      "the string \"x\""),
    FaultCase(
      input(#""property":{"key":"p","value":{"ago":1}}"#), "/inputs/0/property/value/ago", "1",
      "a key of a date (date)",
      "the unknown key \"ago\""),
    FaultCase(
      input(#""enabled":true"#), "/inputs/0/enabled", "true",
      "a key of an input (at, foreground, network, timeZone, property, clearProperty, startTrip, endTrip)",
      "the unknown key \"enabled\""),
  ]

  @Test(arguments: cases) func faultsHaveTheirPlaces(fault: FaultCase) throws {
    let error = try #require(#expect(throws: DocumentError.self) { try read(fault.text) })
    let offset = try #require(fault.text.range(of: fault.at)?.lowerBound)
    let column = fault.text[..<offset].utf8.count + 1
    #expect(error.line == 1)
    #expect(
      [error.pointer, error.expected, error.found] == [fault.pointer, fault.expected, fault.found], "\(error.message)")
    // The place is that of the value, wherever the same text may stand before.
    #expect(fault.text.utf8.dropFirst(error.column - 1).starts(with: fault.at.utf8), "column \(error.column)")
    #expect(error.column >= column)
  }

  @Test func tooLarge() {
    let text = "{}" + String(repeating: " ", count: 16 << 20)
    let error = #expect(throws: DocumentError.self) { try read(text) }
    #expect(error?.expected == "at most 16777216 bytes" && error?.found == "16777218")
  }
}
