internal import PlotCore
internal import PlotDocuments
package import PlotTracks

/// A story in plain sentences. Reasons are in one of the languages of docs/reasons.json, all else is English.
package struct StoryText {
  package let story: Story
  package let language: String
  package let style: Style
  package let clock: LocalClock

  package init(story: Story, language: String, style: Style, clock: LocalClock) {
    (self.story, self.language, self.style, self.clock) = (story, language, style, clock)
  }

  // MARK: The whole

  /// The inputs, and a table of campaigns: candidates, shown, opened, and where the others stopped.
  package func summary() -> String {
    var text = head + "\n"
    let rows = StorySummary(story).rows
    let width = min(32, rows.map { Terminal.width(Terminal.clean($0.campaign)) }.max() ?? 0)
    func pad(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - Terminal.width(text)))
    }
    func right(_ number: Int, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - String(number).count)) + String(number)
    }
    if !rows.isEmpty {
      text += "\n" + style.bold(pad("campaign", max(width, 8)) + "  candidates  shown  opened  not shown") + "\n"
    }
    for row in rows {
      let stops = row.stops.map { "\($0.count) × \($0.reason) (\($0.step))" }.joined(separator: ", ")
      text +=
        pad(Terminal.clean(row.campaign), max(width, 8)) + "  \(right(row.candidates, 10))  \(right(row.shown, 5))"
      text += "  \(right(row.opened, 6))  \(row.candidates == 0 ? style.dim("was never a candidate") : stops)\n"
    }
    let silent = rows.filter { $0.candidates == 0 }
    for row in silent {
      text += "\n" + style.bold(Terminal.clean(row.campaign)) + " was never a candidate:\n"
      for line in whyNever(row.campaign) { text += "  \(line)\n" }
    }
    return text
  }

  private var head: String {
    let first = story.first ?? 0
    var text = "\(clock.text(first)) to \(clock.text(story.last, besides: first)) \(clock.zone): "
    text += "\(Words.count(story.fixes, "fix", "fixes")), \(Words.count(story.visits.count, "visit"))"
    if story.refusals > 0 { text += ", \(Words.count(story.refusals, "input")) refused" }
    let alone = story.doubts[""] ?? []
    for doubt in alone { text += "; \(doubt.count) × \(doubt.decision.reason.rawValue)" }
    return text
  }

  // MARK: One campaign

  package func campaign(_ id: String) -> String {
    let own = story.candidates.filter { $0.campaign == id }
    let campaign = story.feed.campaign(Identifier(id))
    var text = style.bold(Terminal.clean(id))
    if let campaign {
      let places = campaign.regions.map { Terminal.clean(name(story.feed.regions[$0].id.text)) }
      text += ", \(campaign.trigger.name) at \(places.prefix(5).joined(separator: ", "))"
      if places.count > 5 { text += " and \(places.count - 5) more" }
    }
    text += zone + "\n"
    for candidate in own { text += line(candidate, at: true) }
    if own.isEmpty { for line in whyNever(id) { text += "  \(line)\n" } }
    for event in story.aftermath where event.item?.campaign.text == id { text += "  \(line(event))\n" }
    if campaign != nil, let now = story.machine.flatMap({ try? $0.explain(Identifier(id)) }) {
      text += "  at the end: \(Terminal.clean(now.sentence(language, in: clock.rules)))\n"
    }
    return text
  }

  /// Why no place of a campaign made it a candidate.
  package func whyNever(_ id: String) -> [String] {
    guard let campaign = story.feed.campaign(Identifier(id)) else { return ["The feed has no such campaign."] }
    let most = 20
    let told = campaign.regions.prefix(most).map { position in
      let region = story.feed.regions[position]
      return "\(Terminal.clean(name(region.id.text))): \(whyNever(campaign, region))"
    }
    let rest = campaign.regions.count - told.count
    return rest > 0 ? told + ["and \(rest) more; --region shows one"] : told
  }

  private func whyNever(_ campaign: Campaign, _ region: Region) -> String {
    let id = region.id.text
    let visits = story.visits.filter { $0.region == id }
    if campaign.trigger.tripMoment != nil {
      return "it waits for a trip, and none came to what it asks for"
    }
    if campaign.trigger == .absent {
      let places = visits.isEmpty ? "not visited" : "visited \(visits.count == 1 ? "once" : "\(visits.count) times")"
      return "\(places); it waits for an absence, and none was reported"
    }
    guard !visits.isEmpty else {
      var text =
        neverEntered(id) ?? (region.shape.isPlace ? "never entered; no fix came" : "never entered: it was not heard")
      for doubt in story.doubts[id] ?? [] { text += doubted(doubt) }
      return text
    }
    let longest = visits.map { ($0.left ?? story.last) - $0.entered }.max() ?? 0
    let times = "visited \(visits.count == 1 ? "once" : "\(visits.count) times")"
    switch campaign.trigger {
    case .dwelling(let minutes):
      let text =
        "\(times), \(Words.length(longest)) at the longest; it waits for \(Words.length(Int64(minutes) * 60_000))"
      // It was long enough, and nothing proved it in time.
      return (story.doubts[id] ?? []).filter { $0.decision.reason == .stale }.reduce(text) { $0 + doubted($1) }
    case .exit where visits.allSatisfy({ $0.left == nil }): return "\(times), and not left yet"
    case .approaching(let seconds):
      return "\(times), and never approached so that one would be there within \(seconds) s"
    case .inside(let minute): return "\(times), but not at \(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    default:
      if visits.allSatisfy({ $0.entered < story.first ?? 0 }) {
        return "entered at \(clock(visits[0].entered).timeOfDay), before the recording begins"
      }
      guard visits.allSatisfy(\.isFound) else { return "\(times), and the campaign was not there then" }
      let first = clock(visits[0].entered).timeOfDay
      return "found inside at \(first), which is no enter (engine.initial in plotconfig.json)"
    }
  }

  private func doubted(_ doubt: Story.Doubt) -> String {
    ". \(doubt.count) × \(Terminal.clean(doubt.decision.sentence(language, in: clock.rules)))"
  }

  /// How near a fix came to a region that was not entered; nil where that is not known.
  private func neverEntered(_ id: String) -> String? {
    story.nearest(id).map { nearest in
      let time = clock(nearest.time).timeOfDay
      return nearest.meters < 0
        ? "never entered, though a fix was \(HTMLText.number((-nearest.meters).rounded(.down), decimals: 0)) m inside at \(time)"
        : "never entered; the nearest fix was \(HTMLText.number(nearest.meters, decimals: 0)) m from its edge, at \(time)"
    }
  }

  // MARK: One region

  package func region(_ id: String) -> String {
    var text = style.bold(Terminal.clean(name(id))) + zone + "\n"
    for visit in story.visits where visit.region == id {
      let left =
        visit.left.map { " until \(clock($0).timeOfDay), \(Words.length($0 - visit.entered))" } ?? ", not left"
      text += "  \(clock(visit.entered).timeOfDay)  visit \(visit.ordinal.map(String.init) ?? "")\(left)\n"
      for candidate in story.candidates where candidate.visit == visit.id && candidate.region == id {
        text += "  " + line(candidate, at: false)
      }
    }
    if !story.visits.contains(where: { $0.region == id }) {
      text += "  \(neverEntered(id) ?? "never entered")\n"
    }
    for doubt in story.doubts[id] ?? [] {
      text += "  \(clock(doubt.decision.time).timeOfDay)"
      text += doubt.count == 1 ? "  " : " to \(clock(doubt.last).timeOfDay), \(doubt.count) times: "
      text += Terminal.clean(doubt.decision.sentence(language, in: clock.rules)) + "\n"
    }
    return text
  }

  // MARK: A minute

  package func minute(from time: Int64) -> String {
    let moments = story.moments.filter { time <= $0.time && $0.time < time + 60_000 }
    var text = style.bold("\(clock(time).date) \(clock(time).timeOfDay.prefix(5)) \(clock.zone)") + "\n"
    if moments.isEmpty { text += "  nothing happened\n" }
    for moment in moments {
      let words: String
      switch moment.what {
      case .input(let input): words = style.dim(Self.words(input))
      case .refusal(let message): words = style.red("refused: " + Terminal.clean(message))
      case .event(let event): words = line(event, hasTime: false)
      case .decision(let decision):
        let about = [decision.campaign?.text ?? decision.message, decision.region.map { name($0.text) }].compactMap(
          \.self)
        let start = about.isEmpty ? "" : Terminal.clean(about.joined(separator: " at ")) + ": "
        words =
          "\(start)\(Terminal.clean(decision.sentence(language, in: clock.rules)))"
          + style.dim(" [\(decision.step.rawValue): \(decision.verdict.rawValue)]")
      }
      text += "  \(clock(moment.time).timeOfDay)  \(words)\n"
    }
    return text
  }

  // MARK: Parts

  /// Behind a title, so that nobody has to guess.
  private var zone: String { style.dim(" (\(clock.zone))") }

  private func name(_ region: String) -> String { story.regionName(region) }

  private func line(_ candidate: Story.Candidate, at hasPlace: Bool) -> String {
    let time = clock(candidate.time).timeOfDay
    let about = candidate.message ?? (hasPlace ? name(candidate.region) : candidate.campaign)
    return "  \(style.dim(time))  \(Terminal.clean(about)): \(verdict(candidate))\n"
  }

  /// The outcome of a candidate.
  package func verdict(_ candidate: Story.Candidate) -> String {
    switch candidate.result {
    case .shown(let time):
      let later = time > candidate.time ? " at \(clock(time).timeOfDay)" : ""
      return style.green("shown") + later
    case .open: return "on its way when the recording ends"
    case .stopped(let decision):
      let word = decision.verdict == .hold ? style.yellow("waits") : style.red("not shown")
      var text = "\(word): \(Terminal.clean(decision.sentence(language, in: clock.rules)))"
      if let next = decision.nextPossible {
        text += style.dim(" Possible from \(clock.text(next, besides: decision.time)).")
      }
      return text
    }
  }

  private func line(_ event: Event, hasTime: Bool = true) -> String {
    let campaign = event.item.map { $0.incoming?.id ?? $0.campaign.text }
    let about = [campaign, event.region.text.isEmpty ? nil : name(event.region.text)].compactMap(\.self)
    let words = event.kind.rawValue.split(separator: "-").joined(separator: " ")
    var text = "\(Terminal.clean(about.joined(separator: " at "))): \(words)"
    if let message = event.item?.message, event.kind == .notificationShown {
      text += ", \"\(Terminal.clean(message))\""
    }
    if let reason = event.reason { text += " (\(Terminal.clean(reason)))" }
    return (hasTime ? clock(event.time).timeOfDay + "  " : "") + text
  }

  private static func words(_ input: Input) -> String {
    switch input {
    case .fix(let fix):
      let accuracy = fix.accuracy == 0 ? "" : ", to \(HTMLText.number(fix.accuracy, decimals: 0)) m"
      return "fix at \(fix.coordinate.latitude), \(fix.coordinate.longitude)\(accuracy)"
    case .fixes(let fixes, _): return "\(Words.count(fixes.count, "fix", "fixes")) together"
    case .hint(let hint): return "the system: \(hint.kind.rawValue) \(Terminal.clean(hint.region.text))"
    case .sighting(let sighting): return "beacon heard, \(sighting.rssi) dBm"
    default: return input.name
    }
  }
}

/// Campaign by campaign, in the feed's order, and then those that no feed has any more.
package struct StorySummary {
  package struct Stop: Encodable, Equatable {
    package var step: String
    package var reason: String
    package var count: Int
  }

  package struct Row: Encodable {
    package var campaign: String
    package var candidates: Int
    package var shown: Int
    package var opened: Int
    /// The most frequent first.
    package var stops: [Stop]
  }

  package private(set) var rows: [Row] = []

  package init(_ story: Story) {
    var ids = story.feed.campaigns.map(\.id.text)
    for candidate in story.candidates where !ids.contains(candidate.campaign) && candidate.message == nil {
      ids.append(candidate.campaign)
    }
    let byCampaign = Dictionary(grouping: story.candidates.filter { $0.message == nil }, by: \.campaign)
    for id in ids { rows.append(Self.row(id, byCampaign[id] ?? [], story.opened(id))) }
    let messages = story.candidates.filter { $0.message != nil }
    if !messages.isEmpty { rows.append(Self.row("(messages)", messages, 0)) }
  }

  private static func row(_ id: String, _ candidates: [Story.Candidate], _ opened: Int) -> Row {
    var row = Row(campaign: id, candidates: candidates.count, shown: 0, opened: opened, stops: [])
    for candidate in candidates {
      switch candidate.result {
      case .shown: row.shown += 1
      case .open: break
      case .stopped(let decision):
        let stop = Stop(step: decision.step.rawValue, reason: decision.reason.rawValue, count: 1)
        if let index = row.stops.firstIndex(where: { $0.step == stop.step && $0.reason == stop.reason }) {
          row.stops[index].count += 1
        } else {
          row.stops.append(stop)
        }
      }
    }
    row.stops = row.stops.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
    return row
  }
}
