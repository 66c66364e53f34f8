internal import HTTPTypes
internal import HummingbirdCore
internal import PlotDocuments

/// How a node runs: of a JSON file, and of the environment, which goes before it (docs/server.md, Settings).
public struct ServerConfiguration: Sendable {
  /// Where it listens.
  public var host = "127.0.0.1"
  public var port = 8080
  /// A file of SQLite, where `databaseURL` is absent.
  public var database = "plot-server.sqlite"
  /// PostgreSQL: `postgresql://…`.
  public var databaseURL: String?
  /// PEM files; with both, the server speaks TLS.
  public var certificate: String?
  public var certificateKey: String?
  /// The folder of the dashboard's files; nil for the one that was installed with the program.
  public var web: String?
  /// Where the dashboard's maps get their pictures, as `https://…/{z}/{x}/{y}.png`; without it they show a grid.
  public var mapTiles: String?
  /// The words that the owner of these pictures wants to be shown.
  public var mapAttribution: String?
  /// A GeoJSON file that the dashboard's maps show below the regions.
  public var mapBackground: String?
  /// The last address of `X-Forwarded-For` counts as the client's: only behind a proxy that sets it.
  public var trustsProxy = false
  /// The header in which that proxy says who has signed in there, as `X-Forwarded-User`; such a person needs no password here.
  public var signInHeader: String?
  /// How many requests a second one installation, or one address, may make, and how many at once.
  public var requestRate: Int64 = 20
  public var requestBurst: Int64 = 100
  /// How many streams an app may have on this node.
  public var streamLimit = 10_000
  /// Seconds between the comments that keep a stream open.
  public var heartbeat: Int64 = 25
  /// The largest feed, in bytes.
  public var feedLimit = 64 << 20
  /// Seconds that a connection may be silent, or a request unfinished.
  public var idleTimeout: Int64 = 30
  /// Where publications are sent to, so that devices are pushed; nothing is sent without it.
  public var pushWebhook: String?
  /// The key that signs what is sent there.
  public var pushSecret: String?
  /// The hosts that webhooks of apps may go to, with commas between; nothing is sent to another.
  public var webhookHosts: String?
  /// Recordings of devices are taken, which have the places and times of people.
  public var recordings = false
  /// A file that gets a line for each change of the audit.
  public var auditFile: String?
  /// `debug`, `info`, `warning` or `error`.
  public var logLevel = "info"

  public init() {}

  /// One setting: its key in the file. Its name in the environment is PLOT_SERVER_ and the key in capitals.
  private enum Setting {
    case text(WritableKeyPath<ServerConfiguration, String>)
    case optional(WritableKeyPath<ServerConfiguration, String?>)
    case flag(WritableKeyPath<ServerConfiguration, Bool>)
    case number(WritableKeyPath<ServerConfiguration, Int>, ClosedRange<Int64>)
    case seconds(WritableKeyPath<ServerConfiguration, Int64>, ClosedRange<Int64>)
  }

  private static var settings: [(key: String, setting: Setting)] {
    [
      ("host", .text(\.host)), ("port", .number(\.port, 0...65535)), ("database", .text(\.database)),
      ("databaseURL", .optional(\.databaseURL)), ("certificate", .optional(\.certificate)),
      ("certificateKey", .optional(\.certificateKey)), ("web", .optional(\.web)),
      ("mapTiles", .optional(\.mapTiles)), ("mapAttribution", .optional(\.mapAttribution)),
      ("mapBackground", .optional(\.mapBackground)), ("trustsProxy", .flag(\.trustsProxy)),
      ("signInHeader", .optional(\.signInHeader)),
      ("requestRate", .seconds(\.requestRate, 0...1_000_000)),
      ("requestBurst", .seconds(\.requestBurst, 1...1_000_000)),
      ("streamLimit", .number(\.streamLimit, 0...1_000_000)), ("heartbeat", .seconds(\.heartbeat, 1...3600)),
      ("feedLimit", .number(\.feedLimit, 1024...(512 << 20))), ("idleTimeout", .seconds(\.idleTimeout, 1...3600)),
      ("pushWebhook", .optional(\.pushWebhook)),
      ("pushSecret", .optional(\.pushSecret)), ("webhookHosts", .optional(\.webhookHosts)),
      ("recordings", .flag(\.recordings)), ("auditFile", .optional(\.auditFile)),
      ("logLevel", .text(\.logLevel)),
    ]
  }

  /// The names of all keys, for pages and tests.
  public static var keys: [String] { settings.map(\.key) }

  /// The name of a key in the environment: PLOT_SERVER_DATABASE_URL for `databaseURL`.
  public static func variable(_ key: String) -> String {
    var name = "PLOT_SERVER_"
    var wasLower = false
    for character in key {
      if character.isUppercase, wasLower { name += "_" }
      wasLower = character.isLowercase
      name += character.uppercased()
    }
    return name
  }

  /// Takes what a file has. Throws `SettingFault`.
  public mutating func take(file text: [UInt8]) throws {
    let document: JSONValue
    do throws(DocumentError) { document = try JSONValue(parsing: text) } catch { throw SettingFault(error.message) }
    guard case .object(let members) = document else { throw SettingFault("expected an object of settings") }
    for (key, value) in members {
      guard let setting = Self.settings.first(where: { $0.key == key })?.setting else {
        throw SettingFault("/\(key): expected one of \(Self.keys.joined(separator: ", ")), found an unknown key")
      }
      try set(setting, value, "/\(key)")
    }
  }

  /// Takes what the environment has. Throws `SettingFault`.
  public mutating func take(environment: [String: String]) throws {
    for (key, setting) in Self.settings {
      // The usual name of the database, too.
      guard let text = environment[Self.variable(key)] ?? (key == "databaseURL" ? environment["DATABASE_URL"] : nil)
      else { continue }
      let value: JSONValue
      switch setting {
      case .text, .optional: value = .string(text)
      case .flag: value = text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : .string(text)
      case .number, .seconds: value = Int64(text).map { .integer($0) } ?? .string(text)
      }
      try set(setting, value, Self.variable(key))
    }
  }

  /// Whether the settings go together, and this build has what they ask for. Throws `SettingFault`.
  public func check() throws(SettingFault) {
    guard (certificate == nil) == (certificateKey == nil) else {
      throw SettingFault(
        certificate == nil
          ? "certificateKey: expected a certificate beside it, found none"
          : "certificate: expected a certificateKey beside it, found none; without it the server would speak plain HTTP"
      )
    }
    guard signInHeader == nil || trustsProxy else {
      throw SettingFault(
        "signInHeader: expected trustsProxy beside it, found none; without a proxy that sets it anybody could write this header"
      )
    }
    guard signInHeader.map({ HTTPField.Name($0) != nil }) ?? true else {
      throw SettingFault("signInHeader: expected the name of a header, found \"\(signInHeader ?? "")\"")
    }
    guard certificate == nil || HTTPServerBuilder.speaksTLS else {
      throw SettingFault(
        "certificate: expected none, for this plot-server was built without TLS; build it with the trait TLS of its"
          + " package, or let a proxy speak TLS")
    }
  }

  private mutating func set(_ setting: Setting, _ value: JSONValue, _ place: String) throws(SettingFault) {
    switch (setting, value) {
    case (.text(let path), .string(let text)) where !text.isEmpty: self[keyPath: path] = text
    case (.optional(let path), .string(let text)) where !text.isEmpty: self[keyPath: path] = text
    case (.flag(let path), .boolean(let flag)): self[keyPath: path] = flag
    case (.number(let path, let range), .integer(let number)) where range.contains(number):
      self[keyPath: path] = Int(number)
    case (.seconds(let path, let range), .integer(let number)) where range.contains(number):
      self[keyPath: path] = number
    default:
      let expected =
        switch setting {
        case .text, .optional: "a string that is not empty"
        case .flag: "true or false"
        case .number(_, let range), .seconds(_, let range):
          "an integer from \(range.lowerBound) to \(range.upperBound)"
        }
      throw SettingFault("\(place): expected \(expected), found \(value.text)")
    }
  }
}

public struct SettingFault: Error, Sendable {
  public var message: String

  init(_ message: String) { self.message = message }
}
