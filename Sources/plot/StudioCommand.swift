#if os(Linux)
  internal import ArgumentParser
  import FoundationEssentials
  internal import Glibc
  internal import PlotCore
  internal import PlotDocuments
  internal import PlotRun
  internal import PlotTracks

  struct StudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "studio", abstract: "Edit a feed and replay walks in the browser, on this machine only.",
      discussion: """
        Prints an address for the browser. The page edits the feed as text and on the map, shows the findings of lint, replays \
        a track, and explains why something was shown or not (docs/studio.md). Control-C ends it.
        """)

    @Option(help: "The campaign feed to edit; the page saves it there.", completion: .file(extensions: ["json"]))
    var feed: String?

    @Option(help: "The track to begin with.", completion: .file())
    var track: String?

    @Option(
      help: "plotconfig.json; without it, every property has its default.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(help: "The port on 127.0.0.1; 0 takes a free one.")
    var port: UInt16 = 0

    @OptionGroup var quiet: QuietOption

    func run() throws {
      let studio = try Studio(feed: feed, track: track, config: config)
      defer { studio.remove() }
      let server = try LoopbackServer(port: port)
      try Output.line("http://127.0.0.1:\(server.port)/#\(studio.token)")
      try Output.flush()
      if !quiet.isOn { Output.warn("Open this address in a browser. Control-C ends it.") }
      server.serve(studio.answer)
    }
  }

  /// The other side of the page: it runs the other commands of this program on what the page sends.
  private final class Studio {
    let token: String
    private let folder: URL
    private let feed: String?
    private let track: String?
    private let config: String?
    /// The feed's file as the page has it: what another program has written meanwhile is not overwritten.
    private var saved: [UInt8]?

    /// The files are read once here, so that a fault of theirs comes at once.
    init(feed: String?, track: String?, config: String?) throws {
      (self.feed, self.track, self.config) = (feed, track, config)
      var random = SystemRandomNumberGenerator()
      token = (0..<4).map { _ in String(UInt32.random(in: 0x1000_0000 ... .max, using: &random), radix: 16) }.joined()
      for path in [track, config].compactMap(\.self) { _ = try InputFault.of(path) { try InputFile.read(path) } }
      saved = try feed.map { path in try InputFault.of(path) { try InputFile.read(path, limit: Feed.sizeLimit) } }
      if let feed, let saved, Feed.isCompiled(saved) {
        throw InputFault("\(feed): expected a feed as JSON, found a compiled one")
      }
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("plot-studio-\(token.prefix(12))")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    // MARK: Requests

    private struct Files: Encodable {
      var feed: String?
      var feedName: String?
      var trackName: String?
      var track: Data?
    }

    private struct Run: Decodable {
      /// A folder of its own: `now` or `before`.
      var slot: String
      var feed: String
      var track: Data
      var trackName: String
      var start: String?
      var pace: String?
      var timeZone: String?
      var properties: [String]?
    }

    private struct Result: Encodable {
      var error: String?
      var summary: String?
      var map: String?
      var events: [String] = []
    }

    private struct Question: Decodable {
      var slot: String
      var campaign: String?
      var region: String?
      var at: String?
    }

    private struct Words: Codable {
      var text: String
    }

    func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
      if request.method == "GET", request.path == "/" { return page }
      guard request.headers["plot-token"] == token else { return refused(403, "the token of the address is needed") }
      do {
        switch (request.method, request.path) {
        case ("GET", "/files"): return try json(files())
        case ("POST", "/lint"): return try lint(decode(Words.self, request.body).text)
        case ("POST", "/run"): return try json(play(decode(Run.self, request.body)))
        case ("POST", "/explain"): return try json(explain(decode(Question.self, request.body)))
        case ("POST", "/save"): return try save(decode(Words.self, request.body).text)
        default: return refused(404, "there is no such request")
        }
      } catch {
        return refused(400, "\(error)")
      }
    }

    private var page: LoopbackServer.Response {
      LoopbackServer.Response(
        type: "text/html", body: Array(StudioPage.html.utf8),
        headers: [
          "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
        ])
    }

    private func refused(_ status: Int, _ text: String) -> LoopbackServer.Response {
      let body = (try? JSONEncoder().encode(Words(text: text))) ?? Data()
      return LoopbackServer.Response(status: status, body: Array(body))
    }

    private func json(_ value: some Encodable) throws -> LoopbackServer.Response {
      LoopbackServer.Response(body: Array(try JSONEncoder().encode(value)))
    }

    private func decode<T: Decodable>(_ type: T.Type, _ body: [UInt8]) throws -> T {
      do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
        throw InputFault("the request is not understood")
      }
    }

    private func files() throws -> Files {
      let data = try track.map { path in try InputFault.of(path) { Data(try InputFile.read(path)) } }
      func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
      return Files(
        feed: saved.map { String(decoding: $0, as: UTF8.self) }, feedName: feed.map(name), trackName: track.map(name),
        track: data)
    }

    // MARK: Commands

    /// Runs a command of this program: its status, what it says, and what it complains of, with the names that the page knows.
    private func command(_ words: [String], in place: URL) throws -> (status: Int32, output: String, errors: String) {
      let (output, errors) = (place.appendingPathComponent("output"), place.appendingPathComponent("errors"))
      let status = try ChildProgram.run(["/proc/self/exe"] + words, output: output.path, errors: errors.path)
      func text(_ file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self).replacing(place.path + "/", with: "")
      }
      return (status, try text(output), try text(errors))
    }

    private func place(_ slot: String) throws -> URL {
      guard ["now", "before", "lint"].contains(slot) else { throw InputFault("the request is not understood") }
      let place = folder.appendingPathComponent(slot)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      return place
    }

    private func lint(_ feed: String) throws -> LoopbackServer.Response {
      let place = try place("lint")
      try Data(feed.utf8).write(to: place.appendingPathComponent("feed.json"))
      let done = try command(
        ["lint", "--format", "json", "--feed", place.appendingPathComponent("feed.json").path], in: place)
      guard done.status <= 1 else { return refused(422, Self.error(done.errors)) }
      return LoopbackServer.Response(body: Array(done.output.utf8))
    }

    private func play(_ run: Run) throws -> Result {
      let place = try place(run.slot)
      // The format of a track is told by its content, or else by its extension.
      let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789")
      let `extension` = (run.trackName.split(separator: ".").last?.lowercased() ?? "").filter { allowed.contains($0) }
      let file = { place.appendingPathComponent($0).path }
      let track = "track.\(`extension`.prefix(8))"
      try Data(run.feed.utf8).write(to: place.appendingPathComponent("feed.json"))
      try run.track.write(to: place.appendingPathComponent(track))
      var words = [
        "simulate", "--quiet", "--feed=\(file("feed.json"))", "--track=\(file(track))", "--map=\(file("map.html"))",
      ]
      words += ["--events=\(file("events.jsonl"))", "--record=\(file("recording.jsonl"))"]
      if let config { words.append("--config=\(config)") }
      for (name, value) in [("start", run.start), ("pace", run.pace), ("time-zone", run.timeZone)] {
        if let value, !value.isEmpty { words.append("--\(name)=\(value)") }
      }
      words += (run.properties ?? []).map { "--property=\($0)" }
      for old in ["map.html", "events.jsonl", "recording.jsonl"] {
        try? FileManager.default.removeItem(at: place.appendingPathComponent(old))
      }
      let done = try command(words, in: place)
      guard done.status == 0 else { return Result(error: Self.error(done.errors)) }
      let events = String(decoding: try Data(contentsOf: place.appendingPathComponent("events.jsonl")), as: UTF8.self)
      return Result(
        summary: done.output.trimmingBlanks(),
        map: String(decoding: try Data(contentsOf: place.appendingPathComponent("map.html")), as: UTF8.self),
        events: events.split(separator: "\n").map(String.init))
    }

    private func explain(_ question: Question) throws -> Words {
      let place = try place(question.slot)
      var words = ["explain", "--quiet", place.appendingPathComponent("recording.jsonl").path]
      for (name, value) in [("campaign", question.campaign), ("region", question.region), ("at", question.at)] {
        if let value { words.append("--\(name)=\(value)") }
      }
      let done = try command(words, in: place)
      return Words(text: done.status == 0 ? done.output : Self.error(done.errors))
    }

    private func save(_ text: String) throws -> LoopbackServer.Response {
      guard let feed else { return refused(409, "plot studio was started without --feed") }
      guard let now = try? InputFile.read(feed, limit: Feed.sizeLimit), now == saved else {
        return refused(409, "\(feed) was changed by another program; it was not overwritten")
      }
      try OutputFile.write(text, to: feed)
      saved = Array(text.utf8)
      return try json(Words(text: feed))
    }

    private static func error(_ text: String) -> String {
      let line = text.split(separator: "\n").first.map(String.init) ?? "the command has ended without a word"
      return line.hasPrefix("Error: ") ? String(line.dropFirst(7)) : line
    }
  }
#endif
