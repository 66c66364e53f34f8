internal import PlotTracks

/// The events on a track, one row each, under a heading for each day. All times are UTC.
package struct Timeline {
  package var style: Style
  private var date = ""

  package init(style: Style) { self.style = style }

  /// A row, with the day's heading before it where the day has changed; no line end after it.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - kind: as for `row(time:kind:place:text:style:)`.
  package mutating func next(time: Int64, kind: String, place: String, text: String) -> String {
    let row = Timeline.row(time: time, kind: kind, place: place, text: text, style: style)
    let day = UTCTime(time).date
    guard day != date else { return row }
    let gap = date.isEmpty ? "" : "\n"
    date = day
    return gap + Timeline.heading(time: time, style: style) + "\n" + row
  }

  /// `Monday, 18 February 2019`, in UTC.
  package static func heading(time: Int64, style: Style) -> String {
    let days = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    let dayNumber = time >= 0 ? time / 86_400_000 : -((-time + 86_399_999) / 86_400_000)
    let weekday = days[Int(((dayNumber % 7) + 7) % 7)]
    return style.bold("\(weekday), \(UTCTime(time).longDate)") + style.dim(" UTC")
  }

  /// One row: time of day, a symbol for what happened, the place in a column of its own, the text. Control characters of
  /// place and text are replaced, so that a feed cannot steer the terminal.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - kind: `enter`, `exit`, `dwell`, `approach`, `inside`, `notification`, `geotrigger`, `opened`,
  ///     `removed`, `dropped` or `failed`; any other gets a dot.
  package static func row(time: Int64, kind: String, place: String, text: String, style: Style) -> String {
    let place = Terminal.clean(place)
    let text = Terminal.clean(text)
    let clock = style.dim(UTCTime(time).timeOfDay)
    let gap = text.isEmpty ? "" : String(repeating: " ", count: max(0, placeWidth - Terminal.width(place))) + "  "
    let symbol: String
    var name = place
    var words = text
    switch kind {
    case "enter", "inside": symbol = style.green("▸")
    case "exit":
      symbol = style.dim("◂")
      name = style.dim(place)
    case "approach": symbol = style.cyan("↗")
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
    return "  \(clock)  \(symbol) \(name)\(gap)\(words)"
  }

  private static let placeWidth = 26
}
