#if os(Linux)
  public import ArgumentParser
  import FoundationEssentials
  internal import PlotCore
  internal import PlotDocuments
  internal import PlotEngineKit
  public import PlotRun

  extension RunOptions.Clock: ExpressibleByArgument {}
  extension RunOptions.ScreenMode: ExpressibleByArgument {}

  struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Run the engine on this machine, with real positions and notifications.",
      discussion: """
        Positions come from gpsd and GeoClue, beacons from BlueZ, and all else as lines of JSON (docs/linux.md). A source that is absent is \
        tried again. Notifications go to the desktop, or else to standard output; the log goes to standard error.

        SIGHUP reads feed and configuration again, SIGTERM ends the command. --status, --explain, --set-property and --send speak to the \
        one of this --name that is running.
        """)

    @Option(
      help: "plotconfig.json; without it, every property has its default.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(help: "The campaign feed, as JSON or compiled.", completion: .file(extensions: ["json", "bin"]))
    var feed: String?

    @Option(
      help: "A store file, made when it is absent; without it, everything is kept in memory.", completion: .file())
    var store: String?

    @Option(help: "A name for this one, where several run: letters, digits, - and _.")
    var name = "default"

    @Option(
      name: .customLong("property"),
      help: "Set a segmentation property as KEY=VALUE, as plot simulate does; may be repeated.")
    var properties: [PropertyOption] = []

    @Option(help: "Where gpsd listens: an IP address or localhost, and perhaps :PORT.")
    var gpsd = "localhost:2947"

    @Flag(help: "No positions from gpsd.")
    var noGpsd = false

    @Flag(help: "No positions from GeoClue.")
    var noGeoclue = false

    @Flag(help: "No beacons from BlueZ.")
    var noBluetooth = false

    @Option(
      help: "Lines of JSON with fixes, sightings, properties and pushes: a named pipe, or - for standard input.",
      completion: .file())
    var input: String?

    @Option(
      help: "The time: that of the system, or that of the sources, to replay a log as fast as it comes.")
    var clock = RunOptions.Clock.system

    @Option(help: "The device's time zone, by its IANA name; without it, that of the system, as it changes.")
    var timeZone: String?

    @Option(
      help: """
        Where notifications are shown: on the desktop where there is one, and else as text; on the desktop alone (without one they fail, and \
        may come again); or as text.
        """)
    var screen = RunOptions.ScreenMode.automatic

    @Option(
      help: """
        A command for each notification that is about to be shown: it gets the notification as JSON, and writes it to have it shown, changed \
        or not.
        """)
    var filter: String?

    @Option(
      help:
        "A command for each geotrigger that fires: it gets the geotrigger as JSON, and has handled it when it ends with status 0."
    )
    var onGeotrigger: String?

    @Option(help: "A command that gets an opened notification as JSON; without it, the desktop opens its URI.")
    var onOpen: String?

    @Option(help: "Post each event to this URL as JSON, until the server takes it.")
    var webhook: String?

    @Option(help: "A file with a token that the webhook gets as Authorization: Bearer.", completion: .file())
    var webhookToken: String?

    @Option(help: "The device in the ids of events; without it, an id of this machine.")
    var device: String?

    @Option(help: "Append every event to this file, one JSON record a line.", completion: .file())
    var events: String?

    @Option(
      help: "Record all inputs and effects of the engine into this folder (docs/recording.md); needs --store.",
      completion: .directory)
    var record: String?

    @Option(help: "Begin another recording when one has so many megabytes.")
    var recordSize = 16

    @Option(help: "Keep so many recordings.")
    var recordKeep = 8

    @Flag(help: "Show the state of the running engine.")
    var status = false

    @Option(help: "Ask the running engine why this campaign is not shown now.")
    var explain: String?

    @Option(help: "With --explain: this region, and not the nearest one of the campaign.")
    var region: String?

    @Option(help: "With --explain: the language, \(Sentences.languages.joined(separator: ", ")).")
    var language = "en"

    @Option(
      name: .customLong("set-property"),
      help: "Set a segmentation property of the running engine, as KEY=VALUE; may be repeated.")
    var setProperties: [PropertyOption] = []

    @Option(help: "Send the running engine a line of JSON, as for --input.")
    var send: String?

    @Flag(help: "Have the running engine read feed and configuration again, and report whether it did.")
    var reload = false

    @Flag(help: "With --status or --explain: the answer as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Only warnings and errors in the log.")
    var quiet = false

    private var isRequest: Bool { status || explain != nil || !setProperties.isEmpty || send != nil || reload }

    func validate() throws {
      let isPlain = name.utf8.allSatisfy { UnicodeScalar($0).isPlainName }
      guard (1...40).contains(name.utf8.count), isPlain else {
        throw ValidationError("--name must have 1 to 40 letters, digits, - and _.")
      }
      guard Sentences.languages.contains(language) else {
        throw ValidationError("--language must be one of \(Sentences.languages.joined(separator: ", ")).")
      }
      if explain == nil, region != nil { throw ValidationError("--region needs --explain.") }
      if isRequest { return }
      if feed == nil { throw ValidationError("Missing expected argument '--feed <feed>'") }
      if record != nil, store == nil { throw ValidationError("--record needs --store.") }
      guard recordSize > 0, recordKeep > 0 else {
        throw ValidationError("--record-size and --record-keep must be above 0.")
      }
      if let device, device.isEmpty || !device.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
        throw ValidationError("--device must have letters, digits and signs of ASCII, without blanks.")
      }
      if webhookToken != nil, webhook == nil { throw ValidationError("--webhook-token needs --webhook.") }
      if let webhook, !webhook.hasPrefix("http://"), !webhook.hasPrefix("https://") {
        throw ValidationError("--webhook must be a URL of http or https.")
      }
      if noGpsd, noGeoclue, noBluetooth, input == nil { throw ValidationError("No source is left: give --input.") }
    }

    func run() throws {
      if isRequest { return try request() }
      let options = self.options
      let isQuiet = quiet
      // The tool begins on the main thread, and stays there.
      try MainActor.assumeIsolated {
        let journal = Journal(
          write: { level, text in
            if isQuiet && level < .warning || level == .debug { return }
            Output.warn(Self.prefix(level) + text)
          },
          show: { text in
            try? Output.show(line: text)
            try? Output.flush()
          })
        try Host(options, journal, onEvent: eventWriter()).run()
      }
    }

    /// Appends events to the file of `--events`. On a store, an event that is in it already, as after a kill, is not written again.
    private func eventWriter() throws -> ((PlotEngineKit.Event) throws -> Void)? {
      guard let events else { return nil }
      var last = store == nil ? 0 : try JSONLinesFile.lastSequence(path: events)
      // The places and times of a person.
      let file = try JSONLinesFile(path: events, append: true, mode: 0o600)
      return { event in
        guard event.sequence > last else { return }
        try file.write(event.json)
        last = Int64(event.sequence)
      }
    }

    /// The priority of a line for the journal; on a terminal, its word.
    private static func prefix(_ level: LogEntry.Level) -> String {
      let isJournal = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil
      return switch level {
      case .error: isJournal ? "<3>" : "error: "
      case .warning: isJournal ? "<4>" : "warning: "
      case .info: isJournal ? "<6>" : ""
      case .debug: isJournal ? "<7>" : "debug: "
      }
    }

    private var options: RunOptions {
      var options = RunOptions()
      options.name = name
      options.config = config
      options.feed = feed ?? ""
      options.store = store
      options.properties = properties.map { ($0.pair.key, PlotEngineKit.PropertyValue($0.pair.value)) }
      options.clock = clock
      options.timeZone = timeZone
      options.gpsd = noGpsd ? nil : gpsd
      options.geoclue = !noGeoclue
      options.bluetooth = !noBluetooth
      options.input = input
      options.screen = screen
      options.filter = filter
      options.onGeotrigger = onGeotrigger
      options.onOpen = onOpen
      options.webhook = webhook
      options.webhookToken = webhookToken
      options.device = device
      options.record = record
      options.recordSize = recordSize << 20
      options.recordKeep = recordKeep
      return options
    }

    // MARK: To the running one

    private func request() throws {
      if !setProperties.isEmpty {
        let properties = JSONObject(setProperties.map { ($0.pair.key, $0.json) })
        try ask(["property": .object(properties)])
      }
      if let send { try ask(try JSONObject(parsing: send)) }
      if reload { try ask(["reload": true]) }
      if let explain {
        var request: JSONObject = ["explain": .string(explain), "language": .string(language)]
        request["region"] = region.map { .string($0) }
        let answer = try ask(request)
        let explanation = answer["explanation"]?.object ?? [:]
        if json {
          try Output.line(explanation.text)
        } else {
          try Output.show(line: explanation["sentence"]?.string ?? "")
        }
      }
      if status {
        let answer = try ask(["status": true])
        if json { try Output.line(answer.text) } else { try Output.show(Self.text(of: answer)) }
      }
    }

    @discardableResult
    private func ask(_ request: JSONObject) throws -> JSONObject {
      let answer = try JSONObject(parsing: try ControlClient.ask(request.text, name: name))
      if let error = answer["error"]?.string { throw RequestFault(description: error) }
      return answer
    }

    /// The running one has refused a request.
    private struct RequestFault: LocalizedError, CustomStringConvertible {
      var description: String
      var errorDescription: String? { description }
    }

    /// A line for each member; those of an object are set in.
    private static func text(of status: JSONObject, indent: String = "") -> String {
      var text = ""
      for (key, value) in status {
        if let object = value.object {
          text += "\(indent)\(key)\n" + Self.text(of: object, indent: indent + "  ")
        } else {
          let shown =
            value.string ?? value.array.map { $0.map { $0.string ?? $0.text }.joined(separator: ", ") } ?? value.text
          let name = key + String(repeating: " ", count: max(1, 18 - indent.count - key.count))
          text += "\(indent)\(name)\(shown.isEmpty || value == .null ? "-" : shown)\n"
        }
      }
      return text
    }
  }

  extension UnicodeScalar {
    /// Whether it may be in the name of an instance, and of its files.
    fileprivate var isPlainName: Bool {
      ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) || self == "-"
        || self == "_"
    }
  }

  extension PropertyOption {
    /// The value as a line of JSON has it.
    fileprivate var json: JSON {
      switch pair.value {
      case .string(let text): .string(text)
      case .boolean(let flag): .boolean(flag)
      case .integer(let number): .integer(number)
      case .double(let number): .number(number)
      case .date(let time): .object(["type": "date", "value": .string(Timestamp.text(time))])
      }
    }
  }
#endif
