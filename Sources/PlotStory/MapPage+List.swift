internal import PlotCore
internal import PlotTracks

extension MapPage {
  /// How many rows the page has without JavaScript.
  private static let rowLimit = 500

  /// The side list: the title, the facts of the run and a row for each mark. The script puts its own list in the place of the rows.
  package static func panel(_ scene: MapScene) -> String {
    let pinned = scene.marks.count { $0.mark.isPinned }
    var rows: [String] = []
    var date = ""
    let dates = Set(scene.marks.map { scene.input.clock($0.mark.time).date })
    for mark in scene.marks.prefix(rowLimit) {
      let time = scene.input.clock(mark.mark.time)
      if dates.count > 1, time.date != date {
        date = time.date
        rows.append(#"<li class="day"><h2>\#(time.longDate)</h2></li>"#)
      }
      rows.append(mark.mark.isPinned ? pinRow(mark, time) : quietRow(mark, time))
    }
    let list =
      rows.isEmpty
      ? #"<p class="empty">Nothing happened in this run.</p>"#
      : #"<ol class="list">"# + "\n" + rows.joined(separator: "\n") + "\n</ol>"
    return """
      <aside class="panel" id="panel" aria-label="What happened">
      <header>
      <p class="when">\(when(scene))</p>
      <h1 dir="auto">\(HTMLText.escape(scene.input.title))</h1>
      <dl>\(facts(scene, pinned: pinned))</dl>
      <noscript><p class="plain">\(withoutScript(scene))</p></noscript>
      <div class="filters" id="filters" hidden>
      <div class="views" role="radiogroup" aria-label="The list">\(views(scene))</div>
      <label class="pick"><span>Campaign</span><select id="campaign"><option value="">all</option></select></label>
      <label class="pick"><span>Region</span><select id="region"><option value="">all</option></select></label>
      <p class="count" id="count" role="status"></p>
      </div>
      </header>
      <div class="scroll" id="scroll">
      \(list)
      </div>
      <section class="detail" id="detail" aria-label="The chosen row" hidden></section>
      <footer class="note">
      <details id="keys" hidden><summary>Keys</summary>\(keys)</details>
      <p>\(note(scene))</p>
      </footer>
      </aside>
      """
  }

  private static func views(_ scene: MapScene) -> String {
    let dropped = scene.decisions.count { $0.holdsBack }
    return [
      ("happened", "Happened", scene.marks.count), ("decisions", "Decisions", scene.decisions.count),
      ("dropped", "Not shown", dropped),
    ].map { value, name, count in
      """
      <label><input type="radio" name="view" value="\(value)"\(value == "happened" ? " checked" : "")>\
      <span>\(name) <small>\(HTMLText.count(count))</small></span></label>
      """
    }.joined()
  }

  private static let keys = """
    <table>
    <tr><td><kbd>space</kbd></td><td>play or pause</td></tr>
    <tr><td><kbd>N</kbd> <kbd>P</kbd></td><td>next, previous notification</td></tr>
    <tr><td><kbd>J</kbd> <kbd>K</kbd></td><td>next, previous row of the list</td></tr>
    <tr><td><kbd>←</kbd> <kbd>→</kbd></td><td>on the slider: a step; ten with shift, or page up and down</td></tr>
    <tr><td><kbd>↑</kbd> <kbd>↓</kbd></td><td>on the list: row by row; home, end, page up and down</td></tr>
    <tr><td><kbd>arrows</kbd></td><td>on the map: move it; on a pin: the next pin</td></tr>
    <tr><td><kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd></td><td>on the map: zoom, show all</td></tr>
    <tr><td><kbd>enter</kbd></td><td>on a pin: go to its time</td></tr>
    <tr><td><kbd>esc</kbd></td><td>on the map: choose nothing</td></tr>
    </table>
    """

  private static func withoutScript(_ scene: MapScene) -> String {
    var sentences = ["Without JavaScript this is the whole run at once; time, filters and decisions need it."]
    if !scene.input.decisions.isEmpty {
      let count = HTMLText.count(scene.input.decisions.count)
      sentences.append("There are \(count) decisions; --decisions writes them to a file.")
    }
    if scene.marks.count > rowLimit {
      sentences.append("The list has the first \(rowLimit) of \(HTMLText.count(scene.marks.count)) rows.")
    }
    return sentences.joined(separator: " ")
  }

  private static func pinRow(_ mark: MapScene.Mark, _ time: CalendarTime) -> String {
    let kind = mark.mark.kind == "geotrigger" ? "geotrigger" : "notification"
    var details = [#"<span dir="auto">\#(HTMLText.escape(mark.place))</span>"#]
    if let campaign = mark.mark.campaign, !campaign.isEmpty {
      details.append(#"<span class="campaign" dir="auto">\#(HTMLText.escape(campaign))</span>"#)
    }
    for outcome in mark.mark.outcomes { details.append("<span>\(HTMLText.escape(outcome))</span>") }
    return """
      <li class="row \(kind)"><span class="number">\(mark.number ?? 0)</span>\
      <span class="words"><span class="message" dir="auto">\(HTMLText.escape(mark.mark.title))</span>\
      <span class="details">\(details.joined())</span></span>\
      <time datetime="\(Timestamp.text(mark.mark.time))">\(time.timeOfDay)</time></li>
      """
  }

  private static func quietRow(_ mark: MapScene.Mark, _ time: CalendarTime) -> String {
    let (head, more) = words(mark)
    return """
      <li class="row quiet"><span class="number"><svg viewBox="-9 -9 18 18" aria-hidden="true">\
      <g class="visit \(signClass(mark.mark.kind))">\(sign(mark.mark.kind))</g></svg></span>\
      <span class="words"><span dir="auto">\(HTMLText.escape(head))</span>\
      <span class="details" dir="auto">\(HTMLText.escape(more))</span></span>\
      <time datetime="\(Timestamp.text(mark.mark.time))">\(time.timeOfDay)</time></li>
      """
  }

  /// A mark in words: the message of a pin; for a visit what was done there; why something was not shown. `more` is what there is
  /// to say besides, the place and the campaign of pins apart.
  package static func words(_ mark: MapScene.Mark) -> (head: String, more: String) {
    let title = mark.mark.title
    let verb: String
    switch mark.mark.kind {
    case "notification", "geotrigger": return (title, "")
    case "dropped", "opened", "removed": return (title, mark.place)
    case "enter": verb = "Entered"
    case "inside": verb = "Already inside"
    case "exit": verb = "Left"
    case "dwell": verb = "Dwelt at"
    case "approach": verb = "Near"
    default: verb = mark.mark.kind
    }
    return (mark.place.isEmpty ? verb : "\(verb) \(mark.place)", title == mark.place ? "" : title)
  }

  /// `16 May 2026, 13:00 – 14:42 Europe/Amsterdam, 1 h 42 min`
  package static func when(_ scene: MapScene) -> String {
    if scene.span == 0...0 { return "" }
    let (first, last) = (scene.span.lowerBound, scene.span.upperBound)
    let (start, end) = (scene.input.clock(first), scene.input.clock(last))
    let minutes: (CalendarTime) -> String = { String($0.timeOfDay.dropLast(3)) }
    let day = start.date == end.date ? "" : "\(end.longDate), "
    let length = Words.length(last.subtractingReportingOverflow(first).partialValue)
    return "\(start.longDate), \(minutes(start)) – \(day)\(minutes(end)) \(scene.input.clock.zone), \(length)"
  }

  private static func facts(_ scene: MapScene, pinned: Int) -> String {
    let points = scene.input.points
    var facts: [(String, String)] = []
    if points.count > 1 {
      var meters = 0.0
      for (one, other) in zip(points, points.dropFirst()) { meters += MapProjection.distance(one, other) }
      facts.append(("Length", distance(meters)))
    }
    if !scene.input.regions.isEmpty { facts.append(("Regions", HTMLText.count(scene.input.regions.count))) }
    for (kind, name) in [("notification", "Notifications"), ("geotrigger", "Geotriggers")] {
      let count = scene.marks.count { $0.mark.kind == kind }
      if count > 0 || (kind == "notification" && pinned == 0) { facts.append((name, HTMLText.count(count))) }
    }
    return facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined()
  }

  private static func note(_ scene: MapScene) -> String {
    var sentences: [String] = []
    let placed = scene.input.regions.count(where: \.isPlaced)
    if placed > scene.regions.count {
      sentences.append(
        "\(HTMLText.count(scene.regions.count)) of \(HTMLText.count(placed)) places are drawn, those near the track.")
    }
    if !scene.unplaced.isEmpty {
      let names = scene.unplaced.prefix(3).map { HTMLText.escape($0.region.label) }
      let rest = scene.unplaced.count - names.count
      let more = rest > 0 ? " and \(HTMLText.count(rest)) more" : ""
      sentences.append("Without a place, and named only: \(names.joined(separator: ", "))\(more).")
    }
    let pins = scene.marks.count { $0.mark.isPinned }
    if pins > MapScene.pinLimit {
      sentences.append("The first \(HTMLText.count(MapScene.pinLimit)) of \(HTMLText.count(pins)) pins are on the map.")
    }
    if scene.decisions.count < scene.input.decisions.count {
      let (some, all) = (HTMLText.count(scene.decisions.count), HTMLText.count(scene.input.decisions.count))
      sentences.append("The page has the first \(some) of \(all) decisions.")
    }
    let points = scene.pieces.reduce(0) { $0 + $1.count }
    if points < scene.input.points.count {
      sentences.append(
        "The line is drawn with \(HTMLText.count(points)) of \(HTMLText.count(scene.input.points.count)) fixes.")
    }
    sentences.append(
      "Times are those of \(HTMLText.escape(scene.input.clock.zone)). North is up; circles are true to scale.")
    return sentences.joined(separator: " ")
  }

  /// `850 m`, `19.6 km`
  package static func distance(_ meters: Double) -> String {
    if meters < 1_000 { return "\(HTMLText.number(meters, decimals: 0)) m" }
    let kilometers = meters / 1_000
    guard kilometers >= 100, let whole = Int(exactly: kilometers.rounded()) else {
      return "\(HTMLText.number(kilometers)) km"
    }
    return "\(HTMLText.count(whole)) km"
  }
}
