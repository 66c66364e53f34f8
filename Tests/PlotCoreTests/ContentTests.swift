import PlotTesting
import Testing

@testable import PlotCore

/// Rich content: filled in, kept through edits, checked; actions, and the advertising identifier.
@Suite struct ContentTests {
  static func rich(_ id: String, _ fill: (inout ContentTemplate) -> Void) -> Campaign {
    var campaign = notification(id)
    var content = ContentTemplate()
    fill(&content)
    campaign.values.content = content
    return campaign
  }

  static func entries(_ values: KeyValuePairs<String, String>) -> [UserInfoEntry] {
    values.map { UserInfoEntry(key: Identifier($0.key), json: $0.value) }
  }

  static let offer = PlotCore.Category(
    id: Identifier("offer"),
    actions: [
      ActionTemplate(Action(id: "save", title: "Save")),
      ActionTemplate(Action(id: "go", title: "Go", foreground: true)),
    ])

  static func machine(
    _ campaigns: [Campaign], fields: [CustomField] = [], _ configure: (inout Machine.Settings) -> Void = { _ in }
  ) -> Machine {
    let feed = Feed(
      revision: nil, regions: [circle("a", fields: fields)], campaigns: campaigns, categories: [offer], digest: "d")
    var machine = Machine(state: State(), feed: feed)
    machine.settings.noise = .exact
    machine.settings.initial = .enter
    machine.settings.recordsDecisions = true
    configure(&machine.settings)
    return machine
  }

  @Test func everyTextIsFilledIn() throws {
    let campaign = Self.rich("c") {
      $0.title = Template("t {{f}}")
      $0.subtitle = Template("s {{f}}")
      $0.body = Template("b {{f}}")
      $0.attachments = [ContentTemplate.Attachment(id: "p", url: Template("http:{{f}}")!, type: nil)]
      $0.sound = "{{f}}"
      $0.category = "offer"
    }
    var machine = Self.machine([campaign], fields: [CustomField(name: "f", value: "x")])
    let loaded = try #require(machine.loaded(geotriggers: false, limit: 0).first?.content)
    let item = try #require(machine.fix(1000, origin).shows.first)
    #expect(item.content.title == "t x" && item.content.subtitle == "s x" && item.content.body == "b x")
    #expect(item.content.sound == "{{f}}", "a name, not a text")
    #expect(item.content.actions == Self.offer.actions.map(\.action))
    #expect(item.content.attachments == [], "left out, and the text goes on")
    #expect(loaded.title == "t x" && loaded.attachments == [Attachment(id: "p", url: "http:x")])
    for (position, path) in [\ContentTemplate.title, \.subtitle, \.body].enumerated() {
      let campaign = Self.rich("c") { $0[keyPath: path] = Template("{{f}}") }
      var machine = Self.machine([campaign])
      let listed = try #require(machine.loaded(geotriggers: false, limit: 0).first?.content)
      #expect([listed.title, listed.subtitle, listed.body][position] == "{{f}}")
      let last = try machine.fix(1000, origin).last("c")
      #expect(last?.reason == .missingField && last?.detail == "f" && last?.verdict == .drop)
    }
    var url = Self.machine([
      Self.rich("c") { $0.attachments = [ContentTemplate.Attachment(id: "p", url: Template("{{f}}")!, type: nil)] }
    ])
    #expect(try url.fix(1000, origin).last("c")?.reason == .missingField)
  }

  @Test func aCategoryThatTheFeedLacksBringsNothing() throws {
    let own = [Action(id: "own", title: "Own")]
    var machine = Self.machine([
      Self.rich("c") {
        $0.category = "elsewhere"
        $0.actions = own.map { ActionTemplate($0) }
      }, Self.rich("d") { $0.category = "elsewhere" },
    ])
    let shows = try machine.fix(1000, origin).shows
    #expect(shows.map(\.content.category) == ["elsewhere", "elsewhere"] && shows.map(\.content.actions) == [own, []])
  }

  @Test func userInfoOutlivesEdits() throws {
    let campaign = Self.rich("c") { $0.userInfo = Self.entries(["b": "1", "a": "2", "é": "3"]) }
    func answered(_ userInfo: [UserInfoEntry]) throws -> [UserInfoEntry] {
      var machine = Self.machine([campaign]) { $0.hasFilter = true }
      let batch = try #require(machine.fix(1000, origin).asks.first)
      var kept = batch.items[0].kept
      kept.content.userInfo = userInfo
      kept.content.title = "new"
      let shown = try #require(machine.answerFilter(batch.token, [kept], at: 2000).shows.first)
      #expect(shown.content.title == "new")
      return shown.content.userInfo
    }
    #expect(try answered([]) == Self.entries(["b": "1", "a": "2", "é": "3"]))
    #expect(
      try answered(Self.entries(["z": "0", "a": "null", "e\u{301}": "4"]))
        == Self.entries(["b": "1", "a": "null", "é": "3", "z": "0", "e\u{301}": "4"]))
  }

  // MARK: Attachments

  @Test(arguments: [
    ("/a/b.png", "/a/b.png"), ("b.png", "/files/b.png"), ("x/b.png", "/files/x/b.png"), ("/a%20b?c#d", "/a%20b?c#d"),
    ("file:///a%20b.png", "/a b.png"), ("file:/a.png", "/a.png"), ("FILE://localhost/a", "/a"), ("file:///a?b", "/a"),
    ("file:///a#b", "/a"), ("file:///%C3%A9", "/é"), ("a..b/..c", "/files/a..b/..c"), ("/a/../b", "/a/../b"),
    ("", nil), ("../b.png", nil), ("x/../b.png", nil), ("file://host/a", nil), ("file:a", nil), ("file:", nil),
    ("file:///%", nil), ("file:///%2", nil), ("file:///%2g", nil), ("file:///%00", nil), ("file:///%ff", nil),
    ("http://a/b.png", nil), ("https:b.png", nil), ("c:b.png", nil), ("a\0b", nil), ("/a\0b", nil),
    ("file:///a\0", nil),
  ])
  func paths(_ url: String, _ path: String?) {
    #expect(LocalFile.path(of: url, folder: "/files") == path)
    if path?.hasPrefix("/files") == true {
      #expect(LocalFile.path(of: url, folder: nil) == nil && LocalFile.path(of: url, folder: "") == nil)
    }
  }

  @Test func kindsAndLimits() throws {
    let megabytes: [String: Int64] = [
      "aiff": 5, "aif": 5, "wav": 5, "mp3": 5, "m4a": 5, "jpg": 10, "jpeg": 10, "gif": 10, "png": 10, "mpg": 50,
      "mpeg": 50, "mp2": 50, "mp4": 50, "avi": 50,
    ]
    func reason(_ url: String, _ type: String?, _ size: Int64?) throws -> Reason? {
      let campaign = Self.rich("c") {
        $0.attachments = [ContentTemplate.Attachment(id: "p", url: Template(url)!, type: type)]
      }
      var machine = Self.machine([campaign]) { $0.inspect = FileInspection { _ in size.map(FileFacts.init) } }
      let output = try machine.fix(1000, origin)
      let decision = try #require(output.decisions.first { $0.step == .attachment })
      #expect(decision.detail == "p" && decision.campaign == Identifier("c"))
      #expect((decision.verdict == .pass) == (decision.reason == .attached))
      #expect(output.shows.map(\.content.attachments.count) == [decision.reason == .attached ? 1 : 0])
      #expect(output.last("c") == decision, "after the cooldown, before it is shown")
      return decision.reason
    }
    for (type, limit) in megabytes {
      #expect(try reason("/a." + type, nil, limit * 1_000_000) == .attached)
      #expect(try reason("/a." + type.uppercased(), nil, limit * 1_000_000 + 1) == .attachmentSize)
      #expect(try reason("/a.txt", type.uppercased(), 0) == .attached)
    }
    for url in ["/a", "/a.txt", "/a.png.", "/png", "/a.png/b", "/.png/b"] {
      #expect(try reason(url, nil, 1) == .attachmentKind, "\(url)")
    }
    #expect(try reason("/a.png", "txt", 1) == .attachmentKind, "the type goes before the extension")
    #expect(try reason("/a.png", nil, nil) == .attachmentUnreadable)
    #expect(try reason("/a.txt", nil, nil) == .attachmentKind)
    #expect(try reason("a.png", nil, 1) == .attachmentUnreadable, "there is no folder")
  }

  @Test func filesAreLookedAtWhenTheyAreNeeded() throws {
    // A filter sets an attachment; it is checked after the answer, and the one left out is not sent either.
    var machine = Self.machine([notification("c")]) {
      $0.hasFilter = true
      $0.attachmentFolder = "/files"
      $0.inspect = FileInspection { $0 == "/files/good.png" ? FileFacts(size: 1) : nil }
    }
    let batch = try #require(machine.fix(1000, origin).asks.first)
    var kept = batch.items[0].kept
    kept.content.attachments = [Attachment(id: "x", url: "bad.png"), Attachment(id: "y", url: "good.png")]
    let output = try machine.answerFilter(batch.token, [kept], at: 2000)
    #expect(output.reasons("c") == [.kept, .allowed, .attachmentUnreadable, .attached])
    #expect(output.shows.map { $0.content.attachments.map(\.id) } == [["y"]])
    _ = try machine.confirmAll(output)
    #expect(machine.state.history.sentNotifications.map { $0.content.attachments.map(\.id) } == [["y"]])
  }

  // MARK: Actions

  static func sent(_ campaign: Campaign) throws -> (Machine, String) {
    var machine = machine([campaign])
    let output = try machine.fix(1000, origin)
    _ = try machine.confirmAll(output)
    return (machine, try #require(output.shows.first?.matchIdentifier))
  }

  @Test func anActionOpensOnlyWhenItSaysSo() throws {
    var (machine, match) = try Self.sent(Self.rich("c") { $0.category = "offer" })
    let saved = try machine.takeAction("save", of: match, at: 2000)
    #expect(saved.events.names == ["notification-action c"] && saved.opens.isEmpty)
    #expect(saved.events.map(\.action) == ["save"] && saved.events[0].item?.sent?.answered == 2000)
    #expect(machine.state.history.sentNotifications[0].sent?.answered == 2000)
    #expect(machine.state.history.lastOpened == [Identifier("c"): 2000])
    #expect(machine.state.screen.displayed.isEmpty && machine.state.screen.lastRemoved == 2000, "it is off the screen")
    let opened = try machine.takeAction("go", of: match, at: 3000)
    #expect(opened.events.names == ["notification-action c", "notification-opened c"])
    #expect(opened.events.map(\.action) == ["go", nil] && opened.opens.map(\.matchIdentifier) == [match])
    #expect(machine.state.history.sentNotifications[0].sent?.answered == 2000, "the first counts")
    #expect(machine.state.history.lastOpened == [Identifier("c"): 3000])
    let before = dump(machine)
    #expect(throws: InputError.unknownAction("other")) { try machine.takeAction("other", of: match, at: 4000) }
    #expect(throws: InputError.unknownMatch("x")) { try machine.takeAction("save", of: "x", at: 4000) }
    #expect(dump(machine) == before)
  }

  @Test func withoutKnownActionsAnyIsTaken() throws {
    var (machine, match) = try Self.sent(Self.rich("c") { $0.category = "the app's own" })
    let output = try machine.takeAction("whatever", of: match, at: 2000)
    #expect(output.events.map(\.action) == ["whatever"] && output.opens.isEmpty)
  }

  // MARK: Advertising

  @Test func eventsCarryTheIdentifierFromThenOn() throws {
    var machine = Self.machine([notification("c")])
    _ = machine.setAdvertising("id", limitsTracking: false, at: 500)
    let known = Advertising(identifier: "id", limitsTracking: false)
    #expect(machine.state.host.advertising == known)
    let output = try machine.fix(1000, origin)
    #expect(output.events.map(\.advertising) == [known])
    #expect(machine.setAdvertising("id", limitsTracking: true, at: 1000).changes.count == 1)
    #expect(machine.setAdvertising("other", limitsTracking: true, at: 1000).changes.isEmpty, "it is not kept")
    #expect(try machine.confirmAll(output).map(\.advertising) == [Advertising(identifier: nil, limitsTracking: true)])
    _ = machine.setAdvertising(nil, limitsTracking: true, at: 1000)
    #expect(try machine.fix(2000, north(5000)).events.map(\.advertising) == [nil])
  }
}
