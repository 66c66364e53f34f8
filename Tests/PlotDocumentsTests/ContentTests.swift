import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Rich content: in feeds, in items, and changed.
@Suite struct ContentTests {
  static let editable = [
    "message", "data", "title", "subtitle", "body", "sound", "badge", "category", "attachments", "actions", "userInfo",
  ]

  static let item: Item = {
    var item = RecordTests.notification
    item.values.loaded.content.title = "t\""
    item.values.loaded.content.subtitle = "s"
    item.values.loaded.content.body = ""
    item.values.loaded.content.sound = "bell.aiff"
    item.values.loaded.content.badge = 0
    item.values.loaded.content.category = "offer;own"
    item.values.loaded.content.attachments = [
      Attachment(id: "p", url: "file:///a%20b.png"), Attachment(id: "q", url: "", type: "PNG"),
    ]
    item.values.loaded.content.actions = [
      Action(id: "a", title: "A"), Action(id: "b", title: "B", foreground: true),
      Action(id: "c", title: "C", destructive: true),
    ]
    item.values.loaded.content.userInfo = [
      UserInfoEntry(key: Identifier("z"), json: #"{"b":[1,1.0,-0.0,1e+30,null,true],"a":"\"\n/é"}"#),
      UserInfoEntry(key: Identifier("a\""), json: "9223372036854775807"),
    ]
    return item
  }()

  static let contentJSON =
    #""title":"t\"","subtitle":"s","body":"","sound":"bell.aiff","badge":0,"category":"offer;own","#
    + #""attachments":[{"id":"p","url":"file:///a%20b.png"},{"id":"q","url":"","type":"PNG"}],"#
    + #""actions":[{"id":"a","title":"A","foreground":false,"destructive":false,"compact":true},"#
    + #"{"id":"b","title":"B","foreground":true,"destructive":false,"compact":true},"#
    + #"{"id":"c","title":"C","foreground":false,"destructive":true,"compact":false}],"#
    + #""userInfo":{"z":{"b":[1,1.0,-0.0,1e+30,null,true],"a":"\"\n/é"},"a\"":9223372036854775807}"#

  static let json = RecordTests.notificationJSON.replacingOccurrences(
    of: #""data":"","#, with: #""data":"",\#(contentJSON),"#)

  @Test func whatIsNoContentIsNotRead() {
    for (old, new) in [
      (#""badge":0"#, #""badge":-1"#), (#""title":"t\"""#, #""title":5"#), (#""id":"q","#, ""),
      (#""attachments":[{"#, #""attachments":[5,{"#), (#""actions":[{"#, #""actions":[null,{"#),
      (#""userInfo":{"#, #""userInfo":5,"u":{"#),
    ] {
      let changed = Self.json.replacingOccurrences(of: old, with: new)
      #expect(changed != Self.json)
      #expect(Item(json: changed, visit: "v-1") == nil, "\(new)")
    }
  }

  // MARK: Edits

  @Test func everyContentKeyIsSetByItsJSONAndCleared() throws {
    var item = RecordTests.notification
    for (key, value) in Self.item.members where Self.editable.contains(key) {
      // An empty text can come from a placeholder, but cannot be set; user info is written anew.
      if case .string("") = value { continue }
      try item.set(key, json: Array(" \(value.json)\n".utf8))
    }
    var expected = Self.item
    expected.values.loaded.content.body = nil
    expected.values.loaded.content.message = item.message
    #expect(item == expected)
    for key in Self.editable.dropFirst(2) { try item.clear(key) }
    #expect(item == RecordTests.notification)
    for key in Self.editable.prefix(2) { #expect(throws: HostItem.SetError.always) { try item.clear(key) } }
  }

  @Test func stringsAndIntegersAreSet() throws {
    var item = RecordTests.notification
    for key in ["title", "subtitle", "body", "sound", "category"] {
      try item.set(key, to: "new \(key)")
      #expect(item.members.first { $0.key == key }?.value == .string("new \(key)"))
      #expect(throws: HostItem.SetError.empty) { try item.set(key, to: "") }
      #expect(throws: HostItem.SetError.empty) { try item.set(key, json: Array(#""""#.utf8)) }
      #expect(throws: HostItem.SetError.wrongType(holds: "a string")) { try item.set(key, to: 5) }
      #expect(throws: HostItem.SetError.wrongType(holds: "a string")) { try item.set(key, json: Array("null".utf8)) }
    }
    for badge in [0, 2_147_483_647] as [Int64] {
      try item.set("badge", to: badge)
      #expect(item.content.badge == badge)
    }
    for badge in [-1, 2_147_483_648] as [Int64] {
      let error = HostItem.SetError.outOfRange(expected: "an integer from 0 to 2147483647", found: "\(badge)")
      #expect(throws: error) { try item.set("badge", to: badge) }
      #expect(throws: error) { try item.set("badge", json: Array("\(badge)".utf8)) }
    }
    #expect(item.content.badge == 2_147_483_647)
    for key in ["badge", "attachments", "actions", "userInfo"] {
      let held = key == "badge" ? "an integer" : key == "userInfo" ? "an object" : "an array"
      #expect(throws: HostItem.SetError.wrongType(holds: held)) { try item.set(key, to: "5") }
      #expect(throws: HostItem.SetError.wrongType(holds: held)) { try item.set(key, json: Array("1.0".utf8)) }
    }
  }

  static let faults: [(key: String, json: String, fault: String)] = [
    ("title", "\"", "1:1  | JSON | premature end of input near '\"'"),
    ("title", "", "1:2  | JSON | unexpected token near the end of the text"),
    (
      "attachments", #"[{"id":"a","url":"u"},{"id":"a","url":"u"}]"#,
      #"1:29 /1/id | an id of its own | "a", which element 0 has"#
    ),
    ("attachments", #"[{"url":"u"}]"#, #"1:2 /0 | "id", a string that is not empty | no such key"#),
    ("attachments", #"[{"id":"a"}]"#, #"1:2 /0 | "url", a string that is not empty | no such key"#),
    ("attachments", #"[{"id":"a","url":1}]"#, "1:18 /0/url | a string | the number 1"),
    (
      "attachments", #"[{"id":"a","url":"u","x-a":1}]"#,
      #"1:28 /0/x-a | a key of an attachment (id, url, type) | the unknown key "x-a""#
    ),
    ("actions", "[5]", "1:2 /0 | an action, an object | the number 5"),
    ("actions", #"[{"id":"","title":"T"}]"#, #"1:8 /0/id | a string that is not empty | the string """#),
    ("actions", #"[{"id":"a"}]"#, #"1:2 /0 | "title", a string that is not empty | no such key"#),
    ("actions", #"[{"id":"a","title":"T","foreground":1}]"#, "1:37 /0/foreground | true or false | the number 1"),
    ("actions", "[" + String(repeating: "0,", count: 10) + "0]", "1:1  | at most 10 elements | 11"),
    ("userInfo", #"{"a":1,"a":2}"#, "1:8  | each key once | the key \"a\" again"),
  ]

  @Test func faultsHaveTheirPlaces() {
    var item = Self.item
    for (key, json, expected) in Self.faults {
      do throws(HostItem.SetError) {
        try item.set(key, json: Array(json.utf8))
        Issue.record("taken: \(json)")
      } catch {
        guard case .document(let fault) = error else {
          Issue.record("\(error) for \(json)")
          continue
        }
        #expect(short(fault) == expected, "\(json)")
      }
    }
    #expect(item == Self.item, "nothing has changed")
  }

  @Test func theDeepestUserInfoIsReadBackWithItsItem() throws {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)).utf8)
    }
    var item = RecordTests.notification
    try item.set("userInfo", json: nested(60))
    #expect(Item(json: item.json, visit: item.visit) == item)
    #expect((try? JSONReader(Array(ListDocument.items([.occurrence(item)]).utf8))) != nil)
    do throws(HostItem.SetError) {
      try item.set("userInfo", json: nested(61))
      Issue.record("taken")
    } catch {
      guard case .document(let fault) = error else { throw error }
      #expect(short(fault) == "1:301  | at most 60 levels of nesting | one more")
    }
  }

  // MARK: Feeds

  static let feed = #"""
    {"version": 1,
     "categories": [
       {"id": "offer", "x-own": 1, "actions": [
         {"id": "save", "title": "Save", "x-own": 1}, {"id": "go", "title": "Go", "foreground": true, "destructive": true}]},
       {"id": "none", "actions": []}],
     "regions": [{"id": "a", "type": "geofence", "latitude": 1, "longitude": 2}],
     "campaigns": [
       {"id": "all", "type": "notification", "message": "m", "regions": ["a"], "content": {
         "title": "{{t}}", "subtitle": "s", "body": "b {{name}}", "sound": "bell", "badge": 2147483647, "x-own": {},
         "category": "offer", "attachments": [{"id": "p", "url": "{{u}}.png"}, {"id": "q", "url": "/q", "type": "gif"}],
         "userInfo": {"z": {"n": null}, "a": 1.50}}},
       {"id": "own", "type": "notification", "message": "m", "regions": ["a"],
        "content": {"category": "app's;own", "actions": [{"id": "x", "title": "X", "destructive": true}]}},
       {"id": "none", "type": "notification", "message": "m", "regions": ["a"],
        "content": {"category": "none", "actions": []}},
       {"id": "empty", "type": "notification", "message": "m", "regions": ["a"], "content": {}},
       {"id": "plain", "type": "notification", "message": "m", "regions": ["a"]}]}
    """#

  @Test func feedsBecomeThis() throws {
    let feed = try Feed.parse(Self.feed)
    let offer = [Action(id: "save", title: "Save"), Action(id: "go", title: "Go", foreground: true, destructive: true)]
    #expect(
      feed.categories == [
        PlotCore.Category(id: Identifier("offer"), actions: offer.map { ActionTemplate($0) }),
        PlotCore.Category(id: Identifier("none"), actions: []),
      ])
    let all = try #require(feed.campaigns[0].content)
    #expect(all.title == Template("{{t}}") && all.subtitle == Template("s") && all.body == Template("b {{name}}"))
    #expect(all.sound == "bell" && all.badge == 2_147_483_647 && all.category == "offer" && all.actions.isEmpty)
    #expect(
      all.attachments == [
        ContentTemplate.Attachment(id: "p", url: Template("{{u}}.png")!, type: nil),
        ContentTemplate.Attachment(id: "q", url: Template("/q")!, type: "gif"),
      ])
    #expect(
      all.userInfo == [
        UserInfoEntry(key: Identifier("z"), json: #"{"n":null}"#), UserInfoEntry(key: Identifier("a"), json: "1.5"),
      ])
    #expect(feed.campaigns[1].content?.actions == [ActionTemplate(Action(id: "x", title: "X", destructive: true))])
    #expect(feed.campaigns[3].content == ContentTemplate() && feed.campaigns[4].content == nil)
    let again = try Feed.parse(feed.json)
    #expect(again.campaigns == feed.campaigns && again.categories == feed.categories && again.json == feed.json)
  }

  static let form = "a string that is not empty"
  static let keys =
    "a key of a content (title, titles, subtitle, subtitles, body, bodies, sound, badge, category, attachments, actions, userInfo)"
  static let contents: [FaultCase] = [
    FaultCase("[]", "", "[]", "a content, an object", "an array"),
    FaultCase("null", "", "null", "a content, an object", "null"),
    FaultCase(#"{"titel":"t"}"#, "/titel", "\"t\"", keys, "the unknown key \"titel\""),
    FaultCase(
      #"{"titles":{"nl":"t"}}"#, "/titles", "{", "languages that \"messages\" has", "\"nl\""),
    FaultCase(#"{"title":""}"#, "/title", "\"\"", form, "the string \"\""),
    FaultCase(#"{"subtitle":5}"#, "/subtitle", "5", "a string", "the number 5"),
    FaultCase(#"{"body":"{{"}"#, "/body", "\"{{", CampaignFaultTests.templateForm, "the string \"{{\""),
    FaultCase(#"{"sound":""}"#, "/sound", "\"\"", form, "the string \"\""),
    FaultCase(#"{"category":null}"#, "/category", "null", form, "null"),
    FaultCase(#"{"badge":-1}"#, "/badge", "-1", "an integer from 0 to 2147483647", "the number -1"),
    FaultCase(#"{"badge":1.0}"#, "/badge", "1.0", "an integer from 0 to 2147483647", "the number 1.0"),
    FaultCase(#"{"userInfo":[]}"#, "/userInfo", "[]", "an object", "an array"),
    FaultCase(#"{"attachments":{}}"#, "/attachments", "{}", "an array of attachments", "an object"),
    FaultCase(#"{"attachments":[5]}"#, "/attachments/0", "5", "an attachment, an object", "the number 5"),
    FaultCase(#"{"attachments":[{"id":"a"}]}"#, "/attachments/0", "{", "\"url\", \(form)", "no such key"),
    FaultCase(#"{"attachments":[{"id":"a","url":""}]}"#, "/attachments/0/url", "\"\"", form, "the string \"\""),
    FaultCase(
      #"{"attachments":[{"id":"a","url":"{{}}"}]}"#, "/attachments/0/url", "\"{{", CampaignFaultTests.templateForm,
      "the string \"{{}}\""),
    FaultCase(
      #"{"attachments":[{"id":"a","url":"u","type":""}]}"#, "/attachments/0/type", "\"\"", form, "the string \"\""),
    FaultCase(
      #"{"attachments":[{"id":"a","url":"u"},{"id":"a","url":"u"}]}"#, "/attachments/1/id", "\"a\"", "an id of its own",
      "\"a\", which element 0 has"),
    FaultCase(
      #"{"attachments":[{"id":"a","url":"u","kind":"png"}]}"#, "/attachments/0/kind", "\"png",
      "a key of an attachment (id, url, type)", "the unknown key \"kind\""),
    FaultCase(#"{"actions":{}}"#, "/actions", "{}", "an array of actions", "an object"),
    FaultCase(#"{"actions":[{"id":"a"}]}"#, "/actions/0", "{", "\"title\", \(form)", "no such key"),
    FaultCase(
      #"{"actions":[{"id":"a","title":"A","compact":true}]}"#, "/actions/0/compact", "true",
      "a key of an action (id, title, titles, foreground, destructive)", "the unknown key \"compact\""),
    FaultCase(
      #"{"actions":[{"id":"a","title":"A","titles":{"dutch language":"x"}}]}"#, "/actions/0/titles/dutch language",
      "\"x", "a language's tag (BCP 47) as the key, as in \"nl\" or \"pt-BR\"", "\"dutch language\""),
    FaultCase(
      #"{"actions":[{"id":"a","title":"A","titles":{"nl":""}}]}"#, "/actions/0/titles/nl", "\"\"",
      "a string that is not empty", "the string \"\""),
    FaultCase(
      #"{"actions":[{"id":"a","title":"A","destructive":"no"}]}"#, "/actions/0/destructive", "\"no", "true or false",
      "the string \"no\""),
    FaultCase(
      #"{"actions":[0,0,0,0,0,0,0,0,0,0,0]}"#, "/actions", "[0", "at most 10 elements", "11"),
    FaultCase(
      #"{"category":"offer","actions":[{"id":"a","title":"A"}]}"#, "/actions", "[{",
      "no \"actions\" beside a category of this feed that has some", "an array"),
  ]

  @Test(arguments: contents)
  func contentsAreRefused(_ test: FaultCase) throws {
    let category = #"{"id":"offer","actions":[{"id":"a","title":"A"}]}"#
    let text =
      #"{"version":1,"regions":[\#(FeedTests.place)],"campaigns":[{"id":"c","type":"notification","message":"m","#
      + #""regions":["a"],"content":\#(test.text)}],"categories":[\#(category)]}"#
    try FeedFaultTests.check(text, test, in: "/campaigns/0/content")
  }

  static let categories: [FaultCase] = [
    FaultCase("{}", "", "{}", "an array of categories", "an object"),
    FaultCase("[5]", "/0", "5", "a category, an object", "the number 5"),
    FaultCase(#"[{"id":"a"}]"#, "/0", "{", "\"actions\", an array of actions", "no such key"),
    FaultCase(#"[{"actions":[]}]"#, "/0", "{", "\"id\", \(FeedFaultTests.idForm)", "no such key"),
    FaultCase(#"[{"id":"a;b","actions":[]}]"#, "/0/id", "\"a;b", FeedFaultTests.idForm, "the string \"a;b\""),
    FaultCase(
      #"[{"id":"a","actions":[]},{"id":"a","actions":[]}]"#, "/1/id", "\"a\"", "an id of its own",
      "\"a\", which element 0 has"),
    FaultCase(
      #"[{"id":"a","actions":[],"title":"t"}]"#, "/0/title", "\"t\"", "a key of a category (id, actions)",
      "the unknown key \"title\""),
    FaultCase(
      #"[{"id":"a","actions":[{"id":"b","title":"B"},{"id":"b","title":"B"}]}]"#, "/0/actions/1/id", "\"b\"",
      "an id of its own", "\"b\", which element 0 has"),
  ]

  @Test(arguments: categories)
  func categoriesAreRefused(_ test: FaultCase) throws {
    let text = #"{"version":1,"regions":[],"campaigns":[],"categories":\#(test.text)}"#
    try FeedFaultTests.check(text, test, in: "/categories")
  }

  @Test func geotriggersHaveNoContent() throws {
    let fault = FaultCase(
      CampaignFaultTests.geotrigger(#","content":{}"#), "/content", "{}", CampaignFaultTests.geotriggerKeys,
      "the unknown key \"content\"")
    let text = #"{"version":1,"regions":[\#(FeedTests.place)],"campaigns":[\#(fault.text)]}"#
    try FeedFaultTests.check(text, fault, in: "/campaigns/0")
  }

  // MARK: Files

  @Test func filesAreInspected() throws {
    let folder = try Folder()
    let file = folder.path("a b é.png")
    #expect(FileFacts.of(file) == nil)
    #expect(FileManager.default.createFile(atPath: file, contents: Data([1, 2, 3])))
    #expect(FileFacts.of(file) == FileFacts(size: 3))
    #expect(truncate(file, 10_000_001) == 0)
    #expect(FileFacts.of(file) == FileFacts(size: 10_000_001))
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(FileFacts.of(pipe) == nil, "and it does not wait")
    for path in [folder.url.path, "/dev/null", "", file + "/x"] { #expect(FileFacts.of(path) == nil, "\(path)") }
  }
}
