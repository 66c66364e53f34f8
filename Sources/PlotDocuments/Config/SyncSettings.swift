internal import PlotCore

/// The campaign service that an app asks, and how (docs/sync.md; docs/plotconfig.md, `sync`).
public struct SyncSettings: Equatable, Sendable {
  /// The end of an app at its service.
  public enum Gone: String, CaseIterable, Sendable {
    /// The feed stays.
    case keep
    /// The feed becomes empty.
    case clear
  }

  /// Parts of an event that are sent only if the app says so.
  public enum Inclusion: String, CaseIterable, Sendable {
    case coordinates
    case advertisingIdentifier
  }

  /// Where the service is, without a slash at the end.
  public var url: String
  public var token: String
  /// The id of the app, which signatures are about.
  public var app: String?
  /// Public keys in base64; with any of them a feed must be signed.
  public var feedKeys: [String] = []
  /// Seconds between two requests for the feed, where the service says nothing else.
  public var interval: Int64 = 3600
  /// A stream or a push message says when there is a new feed.
  public var hasQuickSync = true
  public var gone = Gone.keep
  /// Bytes.
  public var largestFeed = 64 << 20
  public var sendsEvents = true
  public var includes: Set<Inclusion> = []
  /// As many events are sent at once, however new they are.
  public var eventCount = 100
  /// Seconds; an event that is as old is sent.
  public var eventAge: Int64 = 900

  public init(url: String, token: String) { (self.url, self.token) = (url, token) }

  /// Nil where there is no service.
  init?(_ values: [String: Property.Value], _ events: [String: Property.Value], token: String?, hasQuickSync: Bool) {
    guard let url = values["url"]?.string else { return nil }
    self.init(url: url, token: token ?? "")
    app = values["app"]?.string
    feedKeys = values["feedKeys"]?.strings ?? []
    interval = values["interval"]?.integer ?? interval
    gone = values["gone"]?.string.flatMap(Gone.init) ?? gone
    largestFeed = values["largestFeed"]?.integer.map { Int($0) } ?? largestFeed
    sendsEvents = events["send"]?.boolean ?? sendsEvents
    includes = Set((events["include"]?.strings ?? []).compactMap(Inclusion.init))
    eventCount = events["count"]?.integer.map { Int($0) } ?? eventCount
    eventAge = events["maxAge"]?.integer ?? eventAge
    self.hasQuickSync = hasQuickSync
  }
}

extension Property {
  /// Under the key `sync`.
  static let sync: [Property] = [
    Property("url", .url), Property("app", .string), Property("feedKeys", .keys, .strings([])),
    Property("interval", .integer(60...604_800), .integer(3600)),
    Property("gone", .choice(SyncSettings.Gone.allCases.map(\.rawValue)), .string(SyncSettings.Gone.keep.rawValue)),
    Property("largestFeed", .integer(1024...Int64(Feed.sizeLimit)), .integer(64 << 20)),
  ]

  /// Under the key `events` of those.
  static let syncEvents: [Property] = [
    Property("send", .boolean, .boolean(true)),
    Property("include", .words(SyncSettings.Inclusion.allCases.map(\.rawValue)), .strings([])),
    Property("count", .integer(1...500), .integer(100)), Property("maxAge", .integer(0...86_400), .integer(900)),
  ]

  /// `https://` or `http://`, a host, and no slash at the end.
  static func isService(_ url: String) -> Bool {
    let rest = url.hasPrefix("https://") ? url.dropFirst(8) : url.hasPrefix("http://") ? url.dropFirst(7) : ""
    return rest.first.map { $0 != "/" && $0 != ":" } == true && !rest.hasSuffix("/")
      && rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![0x22, 0x23, 0x3F, 0x40, 0x5C].contains($0) }
  }

  /// An Ed25519 key of 32 bytes: 43 characters of base64, with `-` and `_`.
  static func isKey(_ text: String) -> Bool {
    text.utf8.count == 43
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x2D || byte == 0x5F
      }
  }
}
