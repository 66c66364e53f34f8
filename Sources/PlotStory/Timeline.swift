package import PlotTracks

/// The events on a track, one row each, under a heading for each day.
package struct Timeline {
  package var style: Style
  package var clock: LocalClock
  private var date = ""

  package init(style: Style, clock: LocalClock) { (self.style, self.clock) = (style, clock) }

  /// A row, with the day's heading before it where the day has changed; no line end after it.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - kind: as for `row(time:kind:place:text:style:)`.
  package mutating func next(time: Int64, kind: String, place: String, text: String) -> String {
    let row = Timeline.row(time: time, kind: kind, place: place, text: text, style: style, clock: clock)
    let day = clock(time).date
    guard day != date else { return row }
    let gap = date.isEmpty ? "" : "\n"
    date = day
    return gap + Timeline.heading(time: time, style: style, clock: clock) + "\n" + row
  }

  /// `Monday, 18 February 2019`, and the zone.
  package static func heading(time: Int64, style: Style, clock: LocalClock) -> String {
    style.bold("\(clock(time).weekday), \(clock(time).longDate)") + style.dim(" \(clock.zone)")
  }

  /// One row: time of day, a symbol for what happened, the place in a column of its own, the text. Control characters of
  /// place and text are replaced, so that a feed cannot steer the terminal.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - kind: `enter`, `exit`, `dwell`, `approach`, `inside`, `notification`, `geotrigger`, `opened`,
  ///     `removed`, `dropped` or `failed`; any other gets a dot.
  package static func row(
    time: Int64, kind: String, place: String, text: String, style: Style, clock: LocalClock
  ) -> String {
    let place = Terminal.clean(place)
    let text = Terminal.clean(text)
    let timeOfDay = style.dim(clock(time).timeOfDay)
    let gap = text.isEmpty ? "" : String(repeating: " ", count: max(0, placeWidth - Terminal.width(place))) + "  "
    let symbol: String
    var name = place
    var words = text
    switch kind {
    case "enter", "inside": symbol = style.green("▸")
    case "exit":
      symbol = style.dim("◂")
      name = style.dim(place)
    case "approach", "trip": symbol = style.cyan("↗")
    case "absence": symbol = style.cyan("◇")
    case "dwell": symbol = style.cyan("◔")
    case "notification":
      symbol = style.yellow("●")
      words = style.bold(text)
    case "geotrigger":
      symbol = style.magenta("◆")
      words = style.bold(text)
    case "opened": symbol = style.yellow("◉")
    case "removed": symbol = style.dim("◌")
    case "dropped":
      symbol = style.dim("○")
      words = style.dim(text)
    case "failed": symbol = style.red("✕")
    default: symbol = style.dim("·")
    }
    return "  \(timeOfDay)  \(symbol) \(name)\(gap)\(words)"
  }

  private static let placeWidth = 26
}
