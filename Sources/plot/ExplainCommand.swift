internal import ArgumentParser
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotStory
internal import PlotTracks

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Say why a notification was shown, or was not.",
    discussion: """
      Explains a recording (docs/recording.md). Without further options, prints a table of campaigns, and at which step their \
      candidates stopped. With --campaign, --region or --at, prints the story of that campaign, region or minute. To explain a \
      simulation: plot simulate ... --record - | plot explain -
      """)

  @Argument(help: "A recording; - is standard input.", completion: .file())
  var recording: String

  @Option(help: "The story of this campaign; may be repeated.")
  var campaign: [String] = []

  @Option(help: "The story of this region; may be repeated.")
  var region: [String] = []

  @Option(help: "All that happened in this minute, as 11:22 or 2026-05-16T11:22; may be repeated.")
  var at: [String] = []

  @Option(help: "The time zone of all times, by its IANA name; without it, that of the recorded device.")
  var timeZone: ZoneOption?

  @Option(help: "The language of the reasons: \(Sentences.languages.joined(separator: ", ")).")
  var language = "en"

  @Flag(
    help: "Print one JSON object (docs/explain.md), of the given campaigns and regions, or of all.")
  var json = false

  @OptionGroup var map: MapOptions

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard Sentences.languages.contains(language) else {
      throw ValidationError("--language must be one of \(Sentences.languages.joined(separator: ", ")).")
    }
    if json, !at.isEmpty { throw ValidationError("--json has no --at: it has the times of all decisions.") }
  }

  func run() throws {
    let ground = try map.ground { warning in
      if !quiet.isOn { Output.warn("warning: \(warning)") }
    }
    var drawn = map.isWanted ? MapCollector() : nil
    let story = try InputFault.of(recording) {
      let reader = try LineReader(path: recording, quiet: quiet.isOn)
      return try Story({ try reader.next() }, drawingOn: &drawn, clock: timeZone?.clock)
    }
    let title = recording == "-" ? "Recording" : URL(fileURLWithPath: recording).lastPathComponent
    if let drawn { try map.write(drawn.input(title: title), on: ground) }
    for id in campaign where story.feed.campaign(Identifier(id)) == nil {
      guard story.candidates.contains(where: { $0.campaign == id }) else {
        throw InputFault("\(recording): expected the id of a campaign in it, found \"\(id)\"")
      }
    }
    for id in region where story.feed.region(Identifier(id)) == nil {
      guard story.visits.contains(where: { $0.region == id }) else {
        throw InputFault("\(recording): expected the id of a region in it, found \"\(id)\"")
      }
    }
    if json { return try Output.line(StoryDocument(story, campaign, region, language).json) }
    let text = StoryText(
      story: story, language: language, style: .standardOutput(), clock: timeZone?.clock ?? story.clock)
    let parts =
      campaign.map(text.campaign) + region.map(text.region)
      + (try at.map { text.minute(from: try Self.minute($0, in: story, text.clock)) })
    try Output.show(parts.isEmpty ? text.summary() : parts.joined(separator: "\n"))
  }

  /// When a minute begins that is given with its day, or by itself: then on the first day on which something happened at that time.
  private static func minute(_ text: String, in story: Story, _ clock: LocalClock) throws -> Int64 {
    let expected = "a minute as 11:22 or 2026-05-16T11:22"
    func hasMoment(_ minute: Int64) -> Bool {
      story.moments.contains { minute <= $0.time && $0.time < minute + 60_000 }
    }
    // By itself it may be on any day of the recording; an hour that comes twice has two.
    let first = story.first ?? 0
    let days =
      text.utf8.count == 5
      ? stride(from: first, through: story.last + 86_400_000, by: 86_400_000).map { clock($0).date } : []
    let texts = days.isEmpty ? [text] : days.map { "\($0)T\(text)" }
    let minutes = texts.flatMap { $0.utf8.count == 16 ? clock.moments(of: $0) ?? [] : [] }
    guard let minute = minutes.first(where: hasMoment) ?? minutes.first else {
      throw ValidationError("--at: expected \(expected), found \"\(text)\".")
    }
    return minute
  }
}

/// A story as JSON (docs/explain.md).
struct StoryDocument {
  private struct Document: Encodable {
    var from: String
    var to: String
    var fixes: Int
    var refused: Int
    var summary: [StorySummary.Row]
    var candidates: [Candidate]
    var visits: [Visit]
    var doubts: [Doubt]
    var never: [Never]
    var now: [Now]
  }

  private struct Candidate: Encodable {
    var time: String
    var campaign: String?
    var region: String?
    var visit: String?
    var messageId: String?
    var result: String
    var step: String?
    var reason: String?
    var detail: String?
    var sentence: String?
    var nextPossible: String?
    /// The steps that it came to: `step: reason`.
    var steps: [String]
  }

  private struct Visit: Encodable {
    var region: String
    var visit: String
    var ordinal: Int64?
    var entered: String
    var left: String?
  }

  private struct Doubt: Encodable {
    var region: String?
    var reason: String
    var sentence: String
    var count: Int
    var first: String
    var last: String
  }

  private struct Never: Encodable {
    var campaign: String
    var why: [String]
  }

  private struct Now: Encodable {
    var campaign: String
    var region: String
    var sentence: String
    var nextPossible: String?
  }

  private let document: Document

  /// With campaigns or regions, what is about those alone.
  init(_ story: Story, _ campaigns: [String], _ regions: [String], _ language: String) {
    func isWanted(_ campaign: String?, _ region: String?) -> Bool {
      (campaigns.isEmpty || campaign.map(campaigns.contains) ?? false)
        && (regions.isEmpty || region.map(regions.contains) ?? false)
    }
    let text = StoryText(story: story, language: language, style: .plain, clock: .utc)
    let rows = StorySummary(story).rows.filter { campaigns.isEmpty || campaigns.contains($0.campaign) }
    document = Document(
      from: Timestamp.text(story.first ?? 0), to: Timestamp.text(story.last), fixes: story.fixes,
      refused: story.refusals, summary: rows,
      candidates: story.candidates.filter { isWanted($0.campaign, $0.region) }.map { Self.candidate($0, language) },
      visits: story.visits.filter { regions.isEmpty || regions.contains($0.region) }.map {
        Visit(
          region: $0.region, visit: $0.id, ordinal: $0.ordinal, entered: Timestamp.text($0.entered),
          left: $0.left.map(Timestamp.text))
      },
      doubts: story.doubts.sorted { $0.key < $1.key }.filter { regions.isEmpty || regions.contains($0.key) }.flatMap {
        region, doubts in
        doubts.map {
          Doubt(
            region: region.isEmpty ? nil : region, reason: $0.decision.reason.rawValue,
            sentence: $0.decision.sentence(language), count: $0.count, first: Timestamp.text($0.decision.time),
            last: Timestamp.text($0.last))
        }
      },
      never: rows.filter { $0.candidates == 0 }.map { Never(campaign: $0.campaign, why: text.whyNever($0.campaign)) },
      now: story.feed.campaigns.filter { campaigns.isEmpty || campaigns.contains($0.id.text) }.compactMap { campaign in
        (story.machine.flatMap { try? $0.explain(campaign.id) }).map {
          Now(
            campaign: campaign.id.text, region: $0.region.text, sentence: $0.sentence(language),
            nextPossible: $0.nextPossible.map(Timestamp.text))
        }
      })
  }

  private static func candidate(_ candidate: Story.Candidate, _ language: String) -> Candidate {
    var row = Candidate(
      time: Timestamp.text(candidate.time), campaign: candidate.message == nil ? candidate.campaign : nil,
      region: candidate.message == nil ? candidate.region : nil,
      visit: candidate.message == nil ? candidate.visit : nil, messageId: candidate.message, result: "open",
      steps: candidate.decisions.map { "\($0.step.rawValue): \($0.reason.rawValue)" })
    switch candidate.result {
    case .shown: row.result = "shown"
    case .open: break
    case .stopped(let decision):
      row.result = decision.verdict == .hold ? "held" : "dropped"
      row.step = decision.step.rawValue
      row.reason = decision.reason.rawValue
      row.detail = decision.detail
      row.sentence = decision.sentence(language)
      row.nextPossible = decision.nextPossible.map(Timestamp.text)
    }
    return row
  }

  /// One object; keys sorted.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
