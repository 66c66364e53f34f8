import PlotCore
import PlotDocuments
import Testing

@testable import PlotSync

@Suite struct FeedTests {
  @Test func theFirstRequestComesAfterARandomPartOfTheInterval() throws {
    var waits: [Milliseconds] = []
    for seed in UInt8(0)..<200 {
      var device = Device()
      let start = device.now
      try device.begin(seed: seed)
      let request = try device.next()
      #expect(request.method == "GET" && request.url.hasSuffix("/device/v1/feed"))
      waits.append(device.now - start)
    }
    #expect(waits.allSatisfy { (0...3_600_000).contains($0) })
    // Their mean is half of the interval; it strays by 73 s.
    #expect(abs(waits.reduce(0, +) / 200 - 1_800_000) < 300_000)
  }

  @Test func withoutAnyFeedItAsksAtOnce() throws {
    var device = Device()
    let start = device.now
    try device.begin(hasFeed: false)
    _ = device.request()
    #expect(device.now == start)
  }

  @Test func aProcessForEachFixAsksAsOne() throws {
    var device = Device()
    try device.begin()
    let pollAt = try #require(device.sync.saved.pollAt)
    for seed in UInt8(2)..<12 {
      device.now += 60_000
      device.sync = Sync(device.sync.settings, saved: SyncState(device.sync.saved.text))
      try device.begin(seed: seed)
      #expect(device.sync.saved.pollAt == pollAt)
    }
  }

  @Test func aFeedIsTakenAndAskedForByItsEtag() throws {
    var device = Device()
    try device.begin()
    var request = try device.next()
    device.answerWithFeed(request, 7, ["Plot-Poll-After": "600"])
    #expect(device.feeds == 1 && device.sync.status == .applied && device.sync.saved.publication == 7)
    let before = device.now
    request = try device.next()
    #expect((540_000...660_000).contains(device.now - before))
    #expect(request["If-None-Match"] == "\"7\"")
    device.answer(request, 304, Device.headers(7))
    #expect(device.sync.status == .unchanged && device.feeds == 1)
  }

  /// Faults of the transport are retried, and remembered nowhere.
  static let faults: [(name: String, status: Int, headers: [String: String], body: String)] = [
    ("a portal", 200, ["Content-Type": "text/html"], "<html>"),
    ("a portal that refuses", 401, ["Content-Type": "text/html; charset=utf-8"], "<html>"),
    ("no type", 200, ["ETag": "\"1\"", "Plot-Publication": "1", "Plot-Issued": "1"], Device.feed),
    ("no etag", 200, ["Content-Type": Device.json, "Plot-Publication": "1", "Plot-Issued": "1"], Device.feed),
    ("a weak etag", 200, Device.headers(1, ["ETag": "W/\"1\""]), Device.feed),
    ("no publication", 200, ["Content-Type": Device.json, "ETag": "\"1\""], Device.feed),
    ("a wrong length", 200, Device.headers(1, ["Content-Length": "999"]), Device.feed),
    ("a wrong digest", 200, Device.headers(1, ["Plot-Digest": "sha-256=AAAA"]), Device.feed),
    ("half of a feed", 200, Device.headers(1), String(Device.feed.prefix(20))),
    ("304 without an etag", 304, [:], ""), ("a redirect", 302, ["Location": "/"], ""), ("404", 404, [:], ""),
    ("500", 500, [:], ""), ("429", 429, ["Retry-After": "100"], ""),
  ]

  @Test(arguments: 0..<faults.count) func aFaultOfTheTransportChangesNothing(number: Int) throws {
    let fault = Self.faults[number]
    var device = Device()
    try device.begin()
    device.answerWithFeed(try device.next())
    let saved = device.sync.saved
    device.answer(try device.next(), fault.status, fault.headers, fault.body)
    guard fault.name != "304 without an etag" else { return }
    #expect(
      device.feeds == 1 && device.sync.saved.etag == saved.etag && device.sync.saved.refusal == nil, "\(fault.name)")
    #expect(device.sync.saved.failures == 1)
    #expect(device.sync.status == .offline || device.sync.status == .refused)
    let wait = device.sync.saved.retryAt - device.now
    let least: Milliseconds = fault.status == 429 ? 100_000 : 0
    #expect((least...least + 60_000).contains(wait))
    device.answerWithFeed(try device.next(), 2)
    #expect(device.feeds == 2 && device.sync.saved.failures == 0)
  }

  @Test func failuresWaitLongerAndLonger() throws {
    for failures in Int64(1)...20 {
      var device = Device()
      try device.begin()
      let most: Milliseconds = min(86_400_000, 30_000 << failures)
      let waits = (0..<300).map { _ in device.sync.backoff(after: failures) }
      #expect(waits.allSatisfy { (0...most).contains($0) })
      #expect(waits.max()! > most * 9 / 10 && waits.min()! < most / 10)
    }
  }

  @Test func aRefusedFeedIsRememberedOnlyWhereItIsGenuine() throws {
    let bad = #"{"version":1,"regions":[{"id":"a"}],"campaigns":[]}"#
    let digest = "sha-256=" + base64(Hashes.sha256(Array(bad.utf8)))
    var device = Device()
    try device.begin()
    device.answerWithFeed(try device.next(), 1)
    device.answerWithFeed(try device.next(), 2, ["Plot-Digest": digest], body: bad)
    #expect(device.sync.status == .refused && device.feeds == 1 && device.sync.saved.failures == 0)
    #expect(device.sync.reason?.contains("/regions/0") == true)
    let request = try device.next()
    #expect(request["If-None-Match"] == "\"1\", \"2\"")
    device.answer(request, 304, ["ETag": "\"2\""])
    #expect(device.sync.status == .refused)
    // Another library may read it.
    var another = device
    another.version = "2"
    #expect(try another.next()["If-None-Match"] == "\"1\"")
    // And it is remembered no longer than a day.
    device.now += 86_400_000
    let later = try device.next()
    #expect(later["If-None-Match"] == "\"1\"")
  }

  @Test func signatures() throws {
    let seed = [UInt8](repeating: 7, count: 32)
    let key = publicKey(seed)
    func headers(_ publication: Int64, _ body: String, app: String = "shop", key name: String? = nil) -> [String:
      String]
    {
      let signed = SignedFeed(
        app: app, publication: publication, issued: publication, mediaType: Device.json, body: Array(body.utf8))
      return [
        "Plot-Signature": base64(signed.signature(seed)!), "Plot-Signature-Key": name ?? SignedFeed.keyId(key),
      ]
    }
    var device = Device {
      $0.app = "shop"
      $0.feedKeys = [base64([UInt8](repeating: 9, count: 32)), base64(key)]
    }
    try device.begin()
    device.answerWithFeed(try device.next(), 5, headers(5, Device.feed))
    #expect(device.feeds == 1)
    let refused: [(Int64, [String: String], String, String)] = [
      (6, [:], Device.feed, "not signed"), (6, headers(6, "{}"), Device.feed, "wrong"),
      (6, headers(7, Device.feed), Device.feed, "wrong"),
      (6, headers(6, Device.feed, app: "other"), Device.feed, "wrong"),
      (6, headers(6, Device.feed, key: "0011223344556677"), Device.feed, "sync.feedKeys"),
      (4, headers(4, Device.feed), Device.feed, "older"),
    ]
    for (publication, more, body, word) in refused {
      device.answerWithFeed(try device.next(), publication, more, body: body)
      #expect(device.feeds == 1 && device.sync.status == .refused && device.sync.saved.publication == 5, "\(word)")
      #expect(
        device.sync.reason?.contains(word) == true && device.sync.saved.refusal == nil, "\(device.sync.reason ?? "")")
    }
    device.answerWithFeed(try device.next(), 6, headers(6, Device.feed))
    #expect(device.feeds == 2)
  }

  @Test func aServiceThatWasSetUpAnewIsFollowedWithoutKeys() throws {
    var device = Device()
    try device.begin()
    device.answerWithFeed(try device.next(), 9)
    device.answerWithFeed(try device.next(), 3)
    #expect(device.feeds == 1 && device.sync.status == .refused)
    device.answerWithFeed(try device.next(), 3, ["Plot-Issued": "10"])
    #expect(device.feeds == 2 && device.sync.saved.publication == 3)
  }

  @Test(arguments: [401, 403, 410]) func itStops(status: Int) throws {
    var device = Device()
    try device.begin()
    device.refuse(try device.next(), status, "no")
    #expect(device.sync.status == .stopped)
    let silent = device.request()
    #expect(silent == nil)
    device.sync.now(at: device.now)
    _ = try device.next()
    device.sync.stop(at: device.now)
    try device.begin()
    _ = try device.next()
  }

  @Test func anAppThatIsOverMayClearItsFeed() throws {
    var device = Device { $0.gone = .clear }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.refuse(try device.next(), 410, "gone")
    #expect(device.feeds == 0 && device.sync.status == .stopped)
  }

  @Test func anotherTokenHasNothingOfTheFirst() throws {
    var device = Device()
    try device.begin()
    device.answerWithFeed(try device.next())
    var settings = device.sync.settings
    settings.token = "another"
    #expect(Sync(settings, saved: device.sync.saved).saved.publication == 0)
    #expect(Sync(device.sync.settings, saved: device.sync.saved).saved.publication == 1)
  }

  @Test func theHostsOwnFeedComesFirst() throws {
    var device = Device()
    try device.begin()
    device.answerWithFeed(try device.next())
    let request = try device.next()
    device.sync.hostHasSetFeed()
    device.answerWithFeed(request, 2)
    #expect(device.feeds == 1 && device.sync.saved.etag == nil && device.sync.saved.publication == 0)
  }

  @Test func whatIsKeptIsReadAsItWasWritten() throws {
    var device = Device()
    try device.begin()
    device.add(3)
    device.answerWithFeed(try device.next())
    try device.register()
    _ = try device.next()
    device.sync.clear(at: device.now)
    device.sync.saved.refusal = SyncState.Refusal(etag: "\"é\"", until: 5, judge: "j", reason: "r\n")
    device.sync.saved.batch = SyncState.Batch(id: "b", through: 3, count: 2)
    (device.sync.saved.rejected, device.sync.saved.lastRejection, device.sync.saved.facts) = (2, "x", "f")
    (device.sync.saved.lastSuccess, device.sync.saved.lastApplied, device.sync.saved.etag) = (1, 2, "\"1\"")
    #expect(SyncState(device.sync.saved.text) == device.sync.saved)
    #expect(!device.sync.saved.erasures.isEmpty)
    #expect(SyncState("{}") == nil && SyncState("nonsense") == nil)
  }
}

@Suite struct EventTests {
  @Test func eventsGoHomeOnce() throws {
    var device = Device { $0.eventCount = 10 }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.add(1200)
    try device.register()
    var counts: [Int] = []
    while let request = device.request(), request.method == "POST" {
      let body = try JSONValue(parsing: Array(request.body!.utf8))
      guard case .array(let events)? = body["events"] else { break }
      counts.append(events.count)
      try device.take(request)
    }
    #expect(counts == [500, 500, 200] && device.waiting.isEmpty)
  }

  @Test func aBatchIsSentAgainAsItWas() throws {
    var device = Device()
    try device.begin()
    device.add(100)
    device.sync.now(at: device.now)
    device.answerWithFeed(try device.next())
    try device.register()
    let first = try device.next()
    device.sync.take(failure: "cut", of: first.number, at: device.now)
    device.add(50)
    // Also by the next process.
    device.sync = Sync(device.sync.settings, saved: SyncState(device.sync.saved.text))
    try device.begin(seed: 9)
    let second = try device.next()
    #expect(second.body == first.body)
    try device.take(second)
    #expect(device.waiting.count == 50)
  }

  @Test func theyWaitForOthersOrTheirAge() throws {
    var device = Device()
    try device.begin()
    device.answerWithFeed(try device.next())
    device.sync.sent(left: 0)
    device.add(99)
    let start = device.now
    var context = device.context
    context.oldest = start
    #expect(device.sync.nextTime(context) == start + 900_000)
    context.waiting = 100
    #expect(device.sync.nextTime(context) == device.sync.saved.retryAt)
    context.waiting = 1
    context.isForeground = true
    #expect(device.sync.nextTime(context) == device.sync.saved.retryAt)
    context.waiting = 0
    #expect(device.sync.nextTime(context) == device.sync.saved.pollAt)
  }

  @Test func placesAreSentOnlyIfTheAppSaysSo() throws {
    for (includes, wanted) in [
      ([], [false, false]), ([SyncSettings.Inclusion.coordinates], [true, false]),
      ([.advertisingIdentifier], [false, true]),
    ] as [(Set<SyncSettings.Inclusion>, [Bool])] {
      var device = Device { $0.includes = includes }
      device.add(1)
      let sent = Sync.fitting(device.waiting, includes)[0].json
      #expect([sent.contains("latitude"), sent.contains("advertisingIdentifier")] == wanted)
      #expect(sent.contains("\"sequence\":1"))
    }
  }

  @Test func aBatchHasNoMoreBytesThanItMay() {
    let long = (1...40).map {
      (sequence: Int64($0), json: "{\"message\":\"\(String(repeating: "x", count: 10_000))\"}")
    }
    #expect(Sync.fitting(long, []).count == 26)
    #expect(Sync.fitting([(1, "{\"message\":\"\(String(repeating: "x", count: 300_000))\"}")], []).count == 1)
  }

  @Test func rejectedEventsAreCountedAndBlockNothing() throws {
    var device = Device { $0.eventCount = 1 }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.add(3)
    try device.register()
    try device.take(try device.next(), rejected: "{\"index\":1,\"reason\":\"time: bad\"}")
    #expect(device.waiting.isEmpty && device.sync.saved.rejected == 1 && device.sync.saved.lastRejection == "time: bad")
  }

  /// A body that the service refuses as a whole is halved, until the one event is found that it is about.
  @Test func oneEventThatIsRefusedKeepsBackNoOther() throws {
    var device = Device { $0.eventCount = 1 }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.add(37)
    try device.register()
    var taken = 0
    for _ in 0..<100 {
      guard let request = device.request(), request.method == "POST" else { break }
      if request.body!.contains("\"sequence\":20}") || request.body!.contains("\"sequence\":20,") {
        device.refuse(request, 413, "too-large")
      } else {
        let before = device.waiting.count
        try device.take(request)
        taken += before - device.waiting.count
      }
    }
    #expect(device.waiting.isEmpty && taken == 36 && device.sync.saved.rejected == 1)
  }

  @Test func anUnknownInstallationIsMadeAnew() throws {
    var device = Device { $0.eventCount = 1 }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.add(3)
    try device.register()
    let id = device.sync.saved.installation?.id
    device.refuse(try device.next(), 403, "unknown-installation")
    #expect(device.sync.saved.installation?.id != id)
    try device.register()
    // A service that forgets each one at once is not asked for ever.
    device.refuse(try device.next(), 403, "unknown-installation")
    #expect(device.sync.status == .stopped)
  }

  @Test func aLostSecretMakesANewInstallation() throws {
    var device = Device { $0.eventCount = 1 }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.add(1)
    let request = try device.next()
    #expect(request.method == "PUT")
    let id = device.sync.saved.installation?.id
    device.sync.take(failure: "cut", of: request.number, at: device.now)
    #expect(device.sync.saved.installation?.id != id)
  }

  @Test func aClearedInstallationIsErased() throws {
    var device = Device { $0.eventCount = 1 }
    try device.begin()
    device.answerWithFeed(try device.next())
    device.add(1)
    try device.register()
    let old = try #require(device.sync.saved.installation)
    device.sync.clear(at: device.now)
    device.waiting = []
    let request = try device.next()
    #expect(request.method == "DELETE" && request["Plot-Installation"] == old.id)
    #expect(request["Plot-Secret"] == "s")
    device.sync.take(failure: "cut", of: request.number, at: device.now)
    device.sync = Sync(device.sync.settings, saved: SyncState(device.sync.saved.text))
    try device.begin(seed: 3)
    device.answer(try device.next(), 204)
    #expect(device.sync.saved.erasures.isEmpty && device.sync.saved.installation != old)
    let next = try device.next()
    #expect(next.method == "GET")
  }
}

@Suite struct StreamTests {
  @Test func aMessageAsksForTheFeedWithinItsSpread() throws {
    var waits: [Milliseconds] = []
    for seed in UInt8(0)..<100 {
      var device = Device { $0.hasQuickSync = true }
      try device.begin(seed: seed)
      let stream = try device.next()
      #expect(stream.isStream && stream["Last-Event-ID"] == "0")
      device.sync.take(
        Array("id: 2\nevent: feed\ndata: {\"publication\":2,\"spread\":60}\n\n".utf8), of: stream.number, at: device.now
      )
      waits.append(try #require(device.sync.saved.pollAt) - device.now)
    }
    #expect(waits.allSatisfy { (0...60_000).contains($0) } && waits.max()! > 50_000)
  }

  @Test func aBrokenStreamComesBackWithinAMinuteOrMore() throws {
    var waits: [Milliseconds] = []
    for seed in UInt8(0)..<100 {
      var device = Device { $0.hasQuickSync = true }
      try device.begin(seed: seed)
      let stream = try device.next()
      device.sync.take(Array(": open\n\n".utf8), of: stream.number, at: device.now)
      device.sync.take(failure: "cut", of: stream.number, at: device.now)
      waits.append(device.sync.streamAt - device.now)
    }
    #expect(waits.allSatisfy { (0...60_000).contains($0) } && waits.max()! > 50_000 && waits.min()! < 10_000)
  }

  @Test func quickSyncMayBeOff() throws {
    var device = Device()
    try device.begin()
    let request = try device.next()
    #expect(!request.isStream)
    let pollAt = device.sync.saved.pollAt
    let isOurs = device.sync.take(message: Array("{\"publication\":9}".utf8), at: device.now)
    let isOther = device.sync.take(message: Array("{\"aps\":{}}".utf8), at: device.now)
    #expect(isOurs && !isOther && device.sync.saved.pollAt == pollAt)
  }

  @Test func withoutANetworkNothingIsAsked() throws {
    var device = Device { $0.hasQuickSync = true }
    try device.begin()
    device.hasNetwork = false
    device.sync.network(false, at: device.now)
    let silent = device.request()
    #expect(silent == nil && device.sync.status == .offline)
    device.hasNetwork = true
    device.sync.network(true, at: device.now)
    _ = try device.next()
  }

  @Test func anAnswerThatNeverComesIsNotWaitedForForEver() throws {
    var device = Device()
    try device.begin()
    _ = try device.next()
    let next = try device.next()
    #expect(next.method == "GET" && device.sync.saved.failures == 1)
  }
}

private func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let three = Array(bytes[start..<min(start + 3, bytes.count)])
    let word = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
    for index in 0...three.count { text.append(digits[word >> (18 - 6 * index) & 63]) }
  }
  return text
}

private func publicKey(_ seed: [UInt8]) -> [UInt8] { Hashes.publicKey(seed: seed)! }
