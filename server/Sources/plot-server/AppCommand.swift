internal import ArgumentParser
internal import PlotServer
internal import PlotServerStorage

struct AppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Make and list apps.", subcommands: [Create.self, List.self, Set.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an app: its public token, a private key, and a key that signs its publications.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app: 1 to 64 letters, digits, -, _ and dots.")
    var app: String

    @Option(help: "Its name, for people.")
    var name: String?

    func run() async throws {
      try await database.with { storage, _ in
        let made = try await Apps.make(app, name: name ?? app, storage, now: now)
        print(
          """
          public token  \(made.token)
          private key   \(made.key)
          signing key   \(made.signingKey) (Ed25519, public: \(made.publicKey))
          The private key is shown once: keep it.
          """)
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the apps.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
      try await database.with { storage, _ in
        for app in try await storage.read({ try $0.apps() }) {
          let count = try await storage.read { try $0.installationCount(ofApp: app.key) }
          print(
            "\(app.id)  \(app.state.rawValue)  publication \(app.publication)  \(count) installations  token \(app.token)"
          )
        }
      }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Change an app.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app.")
    var app: String

    @Option(help: "active; blocked: its token is refused (401); gone: clients stop for good (410).")
    var state: String?

    @Option(help: "How many seconds clients wait before they ask again.")
    var pollAfter: Int64?

    @Option(help: "true: an editor's draft is published by an approver or an owner; false: by editors too.")
    var approval: Bool?

    @Option(help: "For how many days events are kept, 1 to 36500; 0 for as long as the app is there. Counts stay.")
    var retention: Int64?

    func run() async throws {
      try await database.with { storage, _ in
        let record = try await Apps.known(app, storage)
        if let retention {
          guard (0...36_500).contains(retention) else {
            throw Fault("--retention: expected 0 to 36500 days, found \(retention)")
          }
          try await storage.write { try $0.setRetention(days: retention == 0 ? nil : retention, ofApp: record.key) }
        }
        if let state {
          guard let state = AppRecord.State(rawValue: state) else {
            throw Fault("--state: expected active, blocked or gone, found \(state)")
          }
          try await storage.write { try $0.setState(state, ofApp: record.key) }
        }
        if let pollAfter {
          guard Apps.pollRange.contains(pollAfter) else {
            throw Fault("--poll-after: expected 10 to 604800 seconds, found \(pollAfter)")
          }
          try await storage.write { try $0.setPollAfter(pollAfter, ofApp: record.key) }
        }
        if let approval { try await storage.write { try $0.setNeedsApproval(approval, ofApp: record.key) } }
      }
    }
  }
}

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make, list and revoke keys.",
    subcommands: [Create.self, List.self, Revoke.self, Rotate.self, Elsewhere.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a private key, which publishes and reads statistics.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app.")
    var app: String

    @Option(help: "A name, for people.")
    var name = ""

    @Option(help: "viewer, editor, approver or owner.")
    var role = "owner"

    func run() async throws {
      let role = try PersonCommand.role(role)
      try await database.with { storage, _ in
        print(try await PrivateKeys(storage, now: now).make(app: app, name: name, role: role).key)
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the keys of an app.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app.")
    var app: String

    func run() async throws {
      try await database.with { storage, _ in
        let record = try await Apps.known(app, storage)
        for key in try await storage.read({ try $0.privateKeys(ofApp: record.key) }) {
          print("private  \(key.id)  \(key.revoked == nil ? "in use" : "revoked")  \(key.role.rawValue)  \(key.name)")
        }
        for key in try await storage.read({ try $0.signingKeys(ofApp: record.key) }) {
          print("signing  \(key.id)  \(key.retired == nil ? "in use" : "retired")  \(Apps.text(key.publicKey))")
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revoke a private key.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app.")
    var app: String

    @Argument(help: "The id of the key.")
    var key: String

    func run() async throws {
      try await database.with { storage, _ in
        guard try await PrivateKeys(storage, now: now).revoke(key, ofApp: app) else {
          throw Fault("expected the id of a private key in use, found \(key); `plot-server key list \(app)` shows all")
        }
      }
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new key that signs, from the next publication on; the old one is retired.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app.")
    var app: String

    func run() async throws {
      try await database.with { storage, _ in
        let made = try await Apps.rotateSigningKey(ofApp: app, storage, now: now)
        print("\(made.id)  \(made.publicKey)")
      }
    }
  }

  struct Elsewhere: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take the public half of a key that stays elsewhere; publications then need its signatures.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The id of the app.")
    var app: String

    @Argument(help: "The public key, as plot-server sign --make-key prints it.")
    var key: String

    func run() async throws {
      try await database.with { storage, _ in
        print(try await Apps.addPublicKey(key, ofApp: app, storage, now: now))
      }
    }
  }
}
