internal import ArgumentParser
import FoundationEssentials
internal import Glibc
internal import PlotCore
internal import PlotDocuments
internal import PlotTracks

struct FeedNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Ask some questions, and write a campaign feed from the answers.",
    discussion: """
      An empty answer is the one in brackets. Answers are read from standard input, line by line; questions go to standard error.
      """)

  @Option(name: .shortAndLong, help: "The feed to write; without it, standard output.", completion: .file())
  var output: String?

  @OptionGroup var quiet: QuietOption

  func run() throws {
    if let output, unsafe access(output, F_OK) == 0 {
      throw InputFault("\(output): expected a name that is free, found a file; plot feed diff compares two")
    }
    var questions = Questions()
    let feed = try questions.feed()
    // The reader of feeds has the last word.
    let read = try InputFault.of("the answers") { try Feed.parse(Array(feed.text.utf8)) }
    if let output {
      try OutputFile.write(feed.indented + "\n", to: output)
    } else {
      try Output.line(feed.indented)
    }
    if quiet.isOn { return }
    for finding in Lint.findings(configuration: nil, feed: Array(feed.text.utf8)) {
      Output.warn("warning: \(finding.sentence)")
    }
    let name = output ?? "the feed"
    Output.warn(
      "\(name): \(Words.count(read.regions.count, "region")), \(Words.count(read.campaigns.count, "campaign")). Next: plot simulate --feed \(output ?? "FILE") --track WALK"
    )
  }
}

/// The questions, in their order, and the feed that the answers make.
private struct Questions {
  private var regions: [JSONValue] = []
  private var ids: [String] = []

  mutating func feed() throws -> JSONValue {
    repeat {
      try askPlace()
    } while try Self.ask("Is there another place? yes or no", "no", Self.yesOrNo)
    return .object([
      ("version", .integer(1)), ("regions", .array(regions)), ("campaigns", .array([try campaign()])),
    ])
  }

  private mutating func askPlace() throws {
    let place = try Self.ask(
      "Where is it? Latitude and longitude, as 52.3702, 4.8891, or a link to a map that has them", nil, Self.position)
    let name = try Self.ask("What is it called?", nil) { $0.isEmpty ? nil : $0 }
    let radius = try Self.ask("How many metres around it?", "100") { text in
      Double(text).flatMap { (20...100_000).contains($0) ? $0 : nil }
    }
    let id = freeId(name)
    ids.append(id)
    let zone = PlaceZones.zone(latitude: place.latitude, longitude: place.longitude)
    regions.append(
      .object([
        ("id", .string(id)), ("type", .string("geofence")), ("name", .string(name)),
        ("latitude", .real(place.latitude)), ("longitude", .real(place.longitude)),
        ("radius", Int64(exactly: radius).map { .integer($0) } ?? .real(radius)), ("timeZone", .string(zone)),
      ]))
  }

  private func campaign() throws -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string("welcome")), ("type", .string("notification")),
    ]
    let message = try Self.ask(
      "What does the notification say? {{name}} stands for the name of the place", "Welcome to {{name}}"
    ) { $0.isEmpty ? nil : $0 }
    members.append(("message", .string(message)))
    let trigger = try Self.ask("When: on enter, on exit, or after dwelling?", "enter") { text in
      ["enter", "exit", "dwelling"].first { text == $0 || text == "on \($0)" || text == "after \($0)" }
    }
    members.append(("trigger", .string(trigger)))
    if trigger == "dwelling" {
      let minutes = try Self.ask("After how many minutes, 5 to 720?", "10") { text in
        Int64(text).flatMap { Trigger.dwellingRange.contains($0) ? $0 : nil }
      }
      members.append(("dwellingMinutes", .integer(minutes)))
    }
    members.append(("regions", .array(ids.map { .string($0) })))
    let hours = try Self.ask("At which times of day, as 09:00-18:00? Or always", "always", Self.hours)
    if let hours { members.append(("triggerTimes", hours)) }
    let repeats = try Self.ask("How often for one person: once, daily, or always?", "daily") { text in
      ["once", "daily", "always"].first { $0 == text }
    }
    switch repeats {
    case "daily": members.append(("cooldownPeriod", .integer(86_400)))
    case "always": members.append(("resend", .boolean(true)))
    default: break
    }
    return .object(members)
  }

  /// Small letters and digits of the name with hyphens between them.
  private func freeId(_ name: String) -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let plain = words.isEmpty ? "place" : words.joined(separator: "-")
    var (id, number) = (plain, 1)
    while ids.contains(id) {
      number += 1
      id = "\(plain)-\(number)"
    }
    return id
  }

  // MARK: Answers

  /// Asks until there is an answer that can be taken.
  private static func ask<Answer>(
    _ question: String, _ standard: String?, _ read: (String) -> Answer?
  ) throws -> Answer {
    while true {
      Output.draw("\(question)\(standard.map { " [\($0)]" } ?? "") ")
      guard let line = readLine() else {
        Output.draw("\n")
        throw InputFault("standard input: expected an answer to \"\(question)\", found its end")
      }
      let text = line.trimmingBlanks()
      if let answer = read(text.isEmpty ? standard ?? "" : text) { return answer }
      Output.warn("That cannot be taken: \(TrackError.quoteOrNothing(text)).")
    }
  }

  private static func yesOrNo(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "y", "yes": true
    case "n", "no": false
    default: nil
    }
  }

  /// The first two numbers with a comma or a space between them that are a latitude and a longitude.
  static func position(_ text: String) -> Coordinate? {
    let isPart: (Character) -> Bool = { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
    var numbers: [(value: Double, start: String.Index, end: String.Index)] = []
    var rest = text[...]
    while let start = rest.firstIndex(where: isPart) {
      let end = rest[start...].firstIndex { !isPart($0) } ?? rest.endIndex
      if let value = Double(rest[start..<end]) { numbers.append((value, start, end)) }
      rest = rest[end...]
    }
    for (north, east) in zip(numbers, numbers.dropFirst()) {
      let between = text[north.end..<east.start]
      let isPair = !between.isEmpty && between.allSatisfy { $0 == "," || $0 == " " || $0 == "/" || $0 == "°" }
      // A zoom level, as 17/52.37/4.89, has no point.
      guard isPair, text[north.start..<north.end].contains("."),
        let latitude = TrackField.latitude.value(of: north.value),
        let longitude = TrackField.longitude.value(of: east.value)
      else { continue }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
    return nil
  }

  /// Opening hours of every day; the outer nil for no answer, the inner one for always.
  private static func hours(_ text: String) -> JSONValue?? {
    if text == "always" { return .some(nil) }
    let times = text.split(separator: "-").map { String($0).trimmingBlanks() }
    guard times.count == 2, times[0] != times[1],
      times.allSatisfy({ $0 == "24:00" || CalendarTime.parse("2026-01-01T\($0):00Z") != nil })
    else { return nil }
    let span = JSONValue.array([.array(times.map { .string($0) })])
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { (key: $0, value: span) }
    return .object([("type", .string("openinghours")), ("openingHours", .object(days))])
  }
}
