internal import ArgumentParser
internal import PlotServer
internal import PlotServerStorage

struct PersonCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "person", abstract: "Those who sign in: make and list them, give roles and passwords.",
    subcommands: [Create.self, List.self, SetRole.self, Password.self, Disable.self, Enable.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a person, and print a password.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The name to sign in by: 1 to 64 letters, digits, -, _ and dots.")
    var name: String

    @Option(help: "An app in which the person gets the role of --role.")
    var app: String?

    @Option(help: "viewer, editor, approver or owner.")
    var role = "editor"

    @Option(help: "Of the dashboard: en, nl or de.")
    var language = "en"

    func run() async throws {
      let role = try PersonCommand.role(role)
      try await database.with { storage, _ in
        // Before anything is made.
        if let app { _ = try await Apps.known(app, storage) }
        let password = People.newPassword()
        let people = People(storage, now: now)
        do { try await people.make(name: name, password: password, language: language) } catch StorageError.conflict {
          throw Fault("there is a person \(name) already; `plot-server person list` shows all")
        }
        if let app { try await people.setRole(role, of: name, inApp: app, actor: "command") }
        print("password  \(password)\nIt is shown once: keep it.")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the people, and their roles.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
      try await database.with { storage, _ in
        for person in try await storage.read({ try $0.people() }) {
          let roles = try await storage.read { try $0.apps(ofPerson: person.key) }
          let text = roles.map { "\($0.app.id): \($0.role.rawValue)" }.joined(separator: ", ")
          print("\(person.name)  \(person.disabled == nil ? "in use" : "disabled")  \(text)")
        }
      }
    }
  }

  struct SetRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "role", abstract: "Give a person a role in an app, or take it away.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The name of the person.")
    var name: String

    @Argument(help: "The id of the app.")
    var app: String

    @Argument(help: "viewer, editor, approver, owner, or none.")
    var role: String

    func run() async throws {
      let role = role == "none" ? nil : try PersonCommand.role(role)
      try await database.with { storage, _ in
        // With none left, a command makes the next.
        try await People(storage, now: now).setRole(
          role, of: name, inApp: app, actor: "command", keepsAnOwner: false)
      }
    }
  }

  struct Password: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a new password; the sessions of the person end.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The name of the person.")
    var name: String

    func run() async throws {
      try await database.with { storage, _ in
        let password = People.newPassword()
        try await People(storage, now: now).setPassword(password, of: name)
        print("password  \(password)\nIt is shown once: keep it.")
      }
    }
  }

  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let nobody sign in by a name; its sessions end.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The name of the person.")
    var name: String

    func run() async throws {
      try await database.with { storage, _ in try await People(storage, now: now).setDisabled(true, of: name) }
    }
  }

  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let a person sign in again.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The name of the person.")
    var name: String

    func run() async throws {
      try await database.with { storage, _ in try await People(storage, now: now).setDisabled(false, of: name) }
    }
  }

  static func role(_ text: String) throws -> Role {
    do { return try Role(named: text) } catch { throw DatabaseOptions.fault(error) }
  }
}
