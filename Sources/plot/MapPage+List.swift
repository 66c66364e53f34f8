extension MapPage {
  /// The side list: the title, the facts of the track and a row for each mark.
  static func panel(_ scene: MapScene) -> String {
    let pinned = scene.marks.count { $0.mark.isPinned }
    let visits = scene.marks.count - pinned
    let hasDropped = scene.marks.contains { $0.mark.kind == "dropped" }
    let showsVisits = pinned == 0
    var rows: [String] = []
    var date = ""
    let dates = Set(scene.marks.map { UTCTime($0.mark.time).date })
    for mark in scene.marks {
      let time = UTCTime(mark.mark.time)
      if dates.count > 1, time.date != date {
        date = time.date
        rows.append(#"<li class="day"><h2>\#(time.longDate)</h2></li>"#)
      }
      rows.append(mark.mark.isPinned ? pinRow(mark, time) : visitRow(mark, time))
    }
    let list =
      rows.isEmpty
      ? #"<p class="empty">Nothing happened on this track.</p>"#
      : #"<ol class="list" id="list">"# + "\n" + rows.joined(separator: "\n") + "\n</ol>"
    let toggle =
      visits == 0
      ? ""
      : """
      <label class="toggle"><input type="checkbox" id="toggle"\(showsVisits ? " checked" : "")>\
      <span>Show visits\(hasDropped ? " and what was not shown" : "")</span></label>
      """
    return """
      <aside class="panel\(showsVisits ? " visits" : "")" id="panel">
      <header>
      <p class="when">\(when(scene.input))</p>
      <h1 dir="auto">\(HTMLText.escape(scene.input.title))</h1>
      <dl>\(facts(scene, pinned: pinned))</dl>
      \(toggle)
      </header>
      \(list)
      <p class="note">\(note(scene))</p>
      </aside>
      """
  }

  /// What the script needs to know: the plane, the regions and the marks, as JSON.
  static func payload(_ scene: MapScene) -> String {
    func number(_ value: Double) -> String { HTMLText.number(value) }
    let regions = scene.regions.map { region in
      """
      [\(number(region.position.x)),\(number(region.position.y)),\(number(region.radius)),\
      \(HTMLText.json(region.region.label)),\(region.isVisited ? 1 : 0)]
      """
    }
    let marks = scene.marks.map { mark in
      """
      [\(number(mark.position.x)),\(number(mark.position.y)),\(HTMLText.json(UTCTime(mark.mark.time).timeOfDay)),\
      \(HTMLText.json(mark.place)),\(HTMLText.json(sentence(mark))),\(mark.mark.isPinned ? 1 : 0)]
      """
    }
    let bounds = scene.bounds
    return """
      {"bounds":[\(number(bounds.minX)),\(number(bounds.minY)),\(number(bounds.maxX)),\(number(bounds.maxY))],\
      "centre":[\(HTMLText.number(scene.projection.latitude, decimals: 7)),\
      \(HTMLText.number(scene.projection.longitude, decimals: 7))],\
      "degree":[\(HTMLText.number(MapProjection.metersPerDegree, decimals: 3)),\
      \(HTMLText.number(scene.projection.metersPerDegreeEast, decimals: 3))],
      "regions":[\(regions.joined(separator: ",\n"))],
      "marks":[\(marks.joined(separator: ",\n"))]}
      """
  }

  private static func pinRow(_ mark: MapScene.Mark, _ time: UTCTime) -> String {
    let kind = mark.mark.kind == "geotrigger" ? "geotrigger" : "notification"
    var details = [#"<span dir="auto">\#(HTMLText.escape(mark.place))</span>"#]
    if let campaign = mark.mark.campaign, !campaign.isEmpty {
      details.append(#"<span class="campaign" dir="auto">\#(HTMLText.escape(campaign))</span>"#)
    }
    for outcome in mark.mark.outcomes { details.append("<span>\(HTMLText.escape(outcome))</span>") }
    return """
      <li><button type="button" class="row \(kind)" data-i="\(mark.index)">\
      <span class="number">\(mark.number ?? 0)</span>\
      <span class="words"><span class="message" dir="auto">\(HTMLText.escape(mark.mark.title))</span>\
      <span class="details">\(details.joined())</span></span>\
      <time datetime="\(time.date)T\(time.timeOfDay)Z">\(time.timeOfDay)</time></button></li>
      """
  }

  private static func visitRow(_ mark: MapScene.Mark, _ time: UTCTime) -> String {
    """
    <li class="visit-only"><button type="button" class="row quiet" data-i="\(mark.index)">\
    <span class="number"><svg viewBox="-9 -9 18 18" aria-hidden="true">\
    <g class="visit \(visitClass(mark.mark.kind))">\(visitShape(mark.mark.kind))</g></svg></span>\
    <span class="words"><span dir="auto">\(HTMLText.escape(sentence(mark)))</span></span>\
    <time datetime="\(time.date)T\(time.timeOfDay)Z">\(time.timeOfDay)</time></button></li>
    """
  }

  /// A mark in words: the message of a pin; for a visit what was done there, and its text when it has one; why something was not
  /// shown.
  private static func sentence(_ mark: MapScene.Mark) -> String {
    if mark.mark.isPinned { return mark.mark.title }
    if mark.mark.kind == "dropped" { return "\(mark.place): \(mark.mark.title)" }
    let verb =
      switch mark.mark.kind {
      case "enter": "Entered"
      case "exit": "Left"
      case "dwell": "Dwelt at"
      default: mark.mark.kind
      }
    let title = mark.mark.title
    return title.isEmpty || title == mark.place ? "\(verb) \(mark.place)" : "\(verb) \(mark.place): \(title)"
  }

  private static func when(_ input: MapInput) -> String {
    let times = input.points.isEmpty ? input.marks.map(\.time) : input.points.map(\.time)
    guard let first = times.min(), let last = times.max() else { return "" }
    let (start, end) = (UTCTime(first), UTCTime(last))
    let minutes: (UTCTime) -> String = { String($0.timeOfDay.dropLast(3)) }
    if start.date == end.date { return "\(start.longDate), \(minutes(start)) – \(minutes(end)) UTC" }
    return "\(start.longDate), \(minutes(start)) – \(end.longDate), \(minutes(end)) UTC"
  }

  private static func facts(_ scene: MapScene, pinned: Int) -> String {
    let points = scene.input.points
    var facts: [(String, String)] = []
    if points.count > 1, let first = points.map(\.time).min(), let last = points.map(\.time).max() {
      var meters = 0.0
      for (one, other) in zip(points, points.dropFirst()) { meters += MapProjection.distance(one, other) }
      facts.append(("Length", distance(meters)))
      facts.append(("Time", duration(last.subtractingReportingOverflow(first).partialValue)))
    }
    if !scene.input.regions.isEmpty { facts.append(("Places", HTMLText.count(scene.input.regions.count))) }
    for (kind, name) in [("notification", "Notifications"), ("geotrigger", "Geotriggers")] {
      let count = scene.marks.count { $0.mark.kind == kind }
      if count > 0 || (kind == "notification" && pinned == 0) { facts.append((name, HTMLText.count(count))) }
    }
    return facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined()
  }

  private static func note(_ scene: MapScene) -> String {
    var sentences: [String] = []
    let hidden = scene.input.regions.count - scene.regions.count
    if hidden > 0 {
      sentences.append(
        "\(HTMLText.count(scene.regions.count)) of \(HTMLText.count(scene.input.regions.count)) places are drawn, "
          + "those near the track.")
    }
    sentences.append("All times are UTC. North is up; circles are true to scale.")
    return sentences.joined(separator: " ")
  }

  /// `850 m`, `19.6 km`
  private static func distance(_ meters: Double) -> String {
    if meters < 1_000 { return "\(Int(meters.rounded())) m" }
    return meters < 100_000
      ? "\(HTMLText.number(meters / 1_000)) km" : "\(HTMLText.count(Int((meters / 1_000).rounded()))) km"
  }

  /// `48 s`, `12 min`, `1 h 14 min`, `3 d 2 h`
  private static func duration(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1_000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(seconds / 60) min"
    case ..<86_400: return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
    default: return "\(seconds / 86_400) d \(seconds / 3_600 % 24) h"
    }
  }
}
