internal import PlotCore
internal import PlotTracks

/// Draws a run as one SVG picture for documents: title, track, regions, numbered notifications and their messages, legend and scale bar.
/// The picture has no script and no style sheet, and needs no font of its own.
package struct MapPicture {
  /// For pages that are light or dark.
  package enum Theme: String, CaseIterable, Sendable {
    case light
    case dark
  }

  private struct Colours {
    /// Around the map, and around what is drawn on it.
    let page, casing: String
    let ground, ink, quiet, track, seen, region, pin, geotrigger: String
    /// On a pin.
    let label: String
    let green, water, building, square, road, rail, other: String

    static let light = Self(
      page: "white", casing: "white", ground: "#f6f4ee", ink: "#23292e", quiet: "#5f6360", track: "#2d5b7b",
      seen: "#3c7a5a", region: "#97917f", pin: "#c2432b", geotrigger: "#6a4c9c", label: "white", green: "#dfe6d0",
      water: "#c6dbe6", building: "#e3ddd0", square: "#fff", road: "#fffdf8", rail: "#cbc5b8", other: "#d6d0c3")
    /// Those of the page in the dark (MapPage+Style.swift).
    static let dark = Self(
      page: "#0d1117", casing: "#14191d", ground: "#14191d", ink: "#e4e6e3", quiet: "#9ba4a8", track: "#86b6d8",
      seen: "#76bb96", region: "#6f7a80", pin: "#ef8064", geotrigger: "#b69ae6", label: "#241009", green: "#1a241d",
      water: "#17303f", building: "#222a2f", square: "#313b42", road: "#313b42", rail: "#3a444b", other: "#2b343a")
  }

  private static let width = MapScene.width
  private static let rowLimit = 40

  private let colours: Colours

  package init(theme: Theme) { colours = theme == .dark ? .dark : .light }

  /// The picture as XML in UTF-8.
  package func render(_ input: MapInput) -> String {
    let scene = MapScene(input)
    let pins = scene.marks.filter(\.mark.isPinned)
    let rows = pins.prefix(Self.rowLimit)
    let top = 74.0
    let legendTop = top + MapScene.height
    let legend = legend(scene)
    let listTop = legendTop + 14 + 22 * Double(legend.lines) + 14
    let count = rows.count + (pins.count > rows.count ? 1 : 0)
    let columns = count > 12 ? 2 : 1
    let lines = (count + columns - 1) / columns
    let height = listTop + 22 * Double(lines) + 20
    var parts = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" width="\(Self.number(Self.width))" \
      height="\(Self.number(height))" role="img" aria-labelledby="title" \
      font-family="system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', sans-serif">
      """,
      #"<title id="title">\#(HTMLText.escape("Map: \(input.title)"))</title>"#,
      #"<rect width="100%" height="100%" fill="\#(colours.page)"/>"#,
      text(24, 34, Self.cut(input.title, 78), size: 22, weight: 600),
      text(24, 56, Self.about(scene), size: 13, colour: colours.quiet),
      #"<clipPath id="frame"><rect x="0" y="\#(Self.number(top))" width="\#(Self.number(Self.width))" height="\#(Self.number(MapScene.height))"/></clipPath>"#,
      #"<g clip-path="url(#frame)"><g transform="translate(0 \#(Self.number(top)))">"#,
      #"<rect width="\#(Self.number(Self.width))" height="\#(Self.number(MapScene.height))" fill="\#(colours.ground)"/>"#,
    ]
    parts += drawing(scene)
    parts.append("</g></g>")
    parts.append(scaleBar(scene, bottom: legendTop - 18))
    parts.append(#"<g transform="translate(24 \#(Self.number(legendTop + 22)))">\#(legend.items)</g>"#)
    for (index, mark) in rows.enumerated() {
      let x = 24 + Double(index / lines) * (Self.width - 24) / Double(columns)
      let y = listTop + 14 + 22 * Double(index % lines)
      parts.append(row(mark, x, y, length: columns == 1 ? 120 : 54, days: scene.span, clock: scene.input.clock))
    }
    if pins.count > rows.count {
      let x = 24 + Double(rows.count / lines) * (Self.width - 24) / Double(columns)
      let y = listTop + 14 + 22 * Double(rows.count % lines)
      let some = "and \(HTMLText.count(pins.count - rows.count)) more, of \(HTMLText.count(pins.count)) in all"
      parts.append(text(x, y, some, size: 13, colour: colours.quiet))
    }
    parts.append("</svg>\n")
    return parts.joined(separator: "\n")
  }

  // MARK: The map

  private func drawing(_ scene: MapScene) -> [String] {
    let origin = scene.screen(MapPosition(x: 0, y: 0))
    var parts = [
      #"<g transform="translate(\#(Self.number(origin.x)) \#(Self.number(origin.y))) scale(\#(HTMLText.number(scene.scale, decimals: 8)))" stroke-linejoin="round" stroke-linecap="round">"#
    ]
    // A width in pixels, on the plane.
    func pixels(_ width: Double) -> String { HTMLText.number(width / scene.scale, decimals: 2) }
    for shape in scene.background { parts.append(ground(shape, pixels)) }
    for region in scene.regions {
      let colour = region.isVisited ? colours.seen : colours.region
      let style = #"fill="\#(colour)" fill-opacity=".15" stroke="\#(colour)" stroke-width="\#(pixels(1.3))""#
      switch region.region.area?.outline {
      case nil:
        let place = region.moves.last?.position ?? region.position
        parts.append(
          #"<circle cx="\#(Self.number(place.x))" cy="\#(Self.number(place.y))" r="\#(Self.number(region.radius))" \#(style)/>"#
        )
      case .polygons(let polygons):
        let rings = polygons.joined().map { MapPage.path(scene.projection.path($0)) + "Z" }.joined()
        parts.append(#"<path fill-rule="evenodd" d="\#(rings)" \#(style)/>"#)
      case .corridor(let line, let width):
        let path = MapPage.path(scene.projection.path(line))
        parts.append(
          #"<path fill="none" stroke="\#(colour)" stroke-opacity=".25" stroke-width="\#(Self.number(width))" d="\#(path)"/>"#
        )
      }
    }
    for gap in scene.gaps {
      let dashes = "\(pixels(2)) \(pixels(6))"
      parts.append(
        #"<path fill="none" stroke="\#(colours.track)" stroke-width="\#(pixels(1.4))" stroke-dasharray="\#(dashes)" d="\#(MapPage.path(gap))"/>"#
      )
    }
    let track = scene.lines.map { MapPage.path($0) }.joined()
    if !track.isEmpty {
      parts.append(
        #"<path fill="none" stroke="\#(colours.casing)" stroke-opacity=".8" stroke-width="\#(pixels(6))" d="\#(track)"/>"#
      )
      parts.append(#"<path fill="none" stroke="\#(colours.track)" stroke-width="\#(pixels(2.6))" d="\#(track)"/>"#)
    }
    parts.append("</g>")
    if let start = scene.lines.first?.first.map(scene.screen), let end = scene.lines.last?.last.map(scene.screen) {
      parts.append(startSign(start))
      parts.append(endSign(end))
    }
    parts += labels(scene)
    for mark in scene.marks where mark.mark.isPinned && mark.isDrawn {
      guard let position = mark.position else { continue }
      parts.append(pin(mark, at: scene.screen(position)))
    }
    return parts
  }

  private func ground(_ shape: MapScene.Shape, _ pixels: (Double) -> String) -> String {
    let colour: String
    var width = 1.2
    switch shape.kind {
    case .green: colour = colours.green
    case .water: (colour, width) = (colours.water, 3)
    case .building: colour = colours.building
    case .road: (colour, width) = (shape.isFilled ? colours.square : colours.road, 4)
    case .path: (colour, width) = (colours.road, 1.6)
    case .rail: (colour, width) = (colours.rail, 1.8)
    case .other: colour = colours.other
    }
    if shape.isFilled {
      let rings = shape.lines.map { MapPage.path($0) + "Z" }.joined()
      return #"<path fill="\#(colour)" fill-rule="evenodd" d="\#(rings)"/>"#
    }
    return shape.lines.map { line in
      if line.count == 1 {
        let place = line[0]
        return
          #"<circle cx="\#(Self.number(place.x))" cy="\#(Self.number(place.y))" r="\#(pixels(2.5))" fill="\#(colours.region)"/>"#
      }
      return #"<path fill="none" stroke="\#(colour)" stroke-width="\#(pixels(width))" d="\#(MapPage.path(line))"/>"#
    }.joined()
  }

  private func startSign(_ at: MapPosition) -> String {
    #"<circle cx="\#(Self.number(at.x))" cy="\#(Self.number(at.y))" r="5" fill="\#(colours.casing)" stroke="\#(colours.track)" stroke-width="2.6"/>"#
  }

  private func endSign(_ at: MapPosition) -> String {
    """
    <rect x="\(Self.number(at.x - 4.5))" y="\(Self.number(at.y - 4.5))" width="9" height="9" rx="1.5" fill="\(colours.track)" stroke="\(colours.casing)" \
    stroke-width="1.8"/>
    """
  }

  private func pin(_ mark: MapScene.Mark, at: MapPosition) -> String {
    let isGeotrigger = mark.mark.kind == "geotrigger"
    let shape = isGeotrigger ? MapPage.geotriggerShape : MapPage.notificationShape
    let label = String(mark.number ?? 0)
    return """
      <g transform="translate(\(Self.number(at.x)) \(Self.number(at.y)))"><path d="\(shape)" \
      fill="\(isGeotrigger ? colours.geotrigger : colours.pin)" stroke="\(colours.casing)" stroke-width="1.4"/>\
      <text y="-14" fill="\(colours.label)" font-size="\(label.count > 2 ? "8.5" : "10.5")" font-weight="650" text-anchor="middle">\(label)</text></g>
      """
  }

  /// Names of the regions where they cover neither pins nor each other, the visited ones first.
  package func labels(_ scene: MapScene) -> [String] {
    var taken = scene.marks.compactMap { mark -> MapBounds? in
      guard mark.isDrawn, mark.mark.isPinned, let position = mark.position else { return nil }
      let at = scene.screen(position)
      return Self.box(at.x - 11, at.y - 30, 22, 32)
    }
    let line = scene.lines.joined().map { MapBounds(scene.screen($0), margin: 2) }
    let frame = Self.box(4, 4, MapScene.width - 8, MapScene.height - 60)
    var texts: [String] = []
    for region in scene.regions.reversed() where texts.count < 80 {
      let at = scene.screen(region.moves.last?.position ?? region.position)
      let name = Self.cut(region.region.label, 32)
      let (w, gap) = (Self.length(name, size: 12), max(region.radius * scene.scale, 4) + 5)
      let spots = [
        Self.box(at.x + gap, at.y - 8, w, 16), Self.box(at.x - gap - w, at.y - 8, w, 16),
        Self.box(at.x - w / 2, at.y + gap, w, 16),
        Self.box(at.x - w / 2, at.y - gap - 16, w, 16),
      ].filter { spot in
        spot.minX >= frame.minX && spot.maxX <= frame.maxX && spot.minY >= frame.minY && spot.maxY <= frame.maxY
          && !taken.contains { $0.intersects(spot) }
      }
      guard let spot = spots.first(where: { spot in !line.contains { $0.intersects(spot) } }) ?? spots.first else {
        continue
      }
      taken.append(spot)
      let colour = region.isVisited ? colours.ink : colours.quiet
      texts.append(
        """
        <text x="\(Self.number(spot.minX))" y="\(Self.number(spot.minY + 12))" font-size="12" fill="\(colour)" stroke="\(colours.ground)" \
        stroke-width="3" stroke-linejoin="round" paint-order="stroke">\(HTMLText.escape(name))</text>
        """)
    }
    return texts
  }

  private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> MapBounds {
    var box = MapBounds(MapPosition(x: x, y: y))
    box.include(MapBounds(MapPosition(x: x + width, y: y + height)))
    return box
  }

  // MARK: Around it

  private static func about(_ scene: MapScene) -> String {
    let points = scene.input.points
    var meters = 0.0
    for (one, other) in zip(points, points.dropFirst()) { meters += MapProjection.distance(one, other) }
    let length = points.count > 1 ? [MapPage.distance(meters)] : []
    let geotriggers = scene.marks.count { $0.mark.kind == "geotrigger" }
    let notifications = scene.marks.count { $0.mark.isPinned } - geotriggers
    func count(_ number: Int, _ name: String) -> String { "\(HTMLText.count(number)) \(name)\(number == 1 ? "" : "s")" }
    let counts = [count(notifications, "notification")] + (geotriggers == 0 ? [] : [count(geotriggers, "geotrigger")])
    return ([MapPage.when(scene)] + length + counts).filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// A round length of at most 160 pixels.
  private func scaleBar(_ scene: MapScene, bottom: Double) -> String {
    let meters = 160 / scene.scale
    var power = 1.0
    while power * 10 <= meters { power *= 10 }
    while power > meters { power /= 10 }
    let round = ([5.0, 2, 1].first { $0 * power <= meters } ?? 1) * power
    let label = round >= 1000 ? "\(HTMLText.number(round / 1000)) km" : "\(HTMLText.number(round)) m"
    let w = round * scene.scale
    return """
      <g><path d="M24 \(Self.number(bottom - 7))v7h\(Self.number(w))v-7" fill="none" stroke="\(colours.ink)" stroke-width="1.5"/>\
      <text x="\(Self.number(24 + w / 2))" y="\(Self.number(bottom - 9))" font-size="11" text-anchor="middle" fill="\(colours.ink)">\(label)</text></g>
      """
  }

  private func legend(_ scene: MapScene) -> (items: String, lines: Int) {
    let kinds = Set(scene.marks.map(\.mark.kind))
    var entries: [(sign: String, name: String)] = []
    let middle = MapPosition(x: 8, y: -4)
    if !scene.pieces.isEmpty {
      entries.append(
        (#"<path d="M0-1C5-1 5-7 8-7S11-2 16-7" fill="none" stroke="\#(colours.track)" stroke-width="2.6"/>"#, "Track"))
      if !scene.gaps.isEmpty {
        entries.append(
          (#"<path d="M0-4H16" stroke="\#(colours.track)" stroke-width="1.4" stroke-dasharray="2 6"/>"#, "Not recorded")
        )
      }
      entries.append((startSign(middle), "Start"))
      entries.append((endSign(middle), "End"))
    }
    func circle(_ colour: String) -> String {
      #"<circle cx="8" cy="-4" r="7" fill="\#(colour)" fill-opacity=".15" stroke="\#(colour)" stroke-width="1.3"/>"#
    }
    if scene.regions.contains(where: \.isVisited) { entries.append((circle(colours.seen), "Region, visited")) }
    if scene.regions.contains(where: { !$0.isVisited }) { entries.append((circle(colours.region), "Region")) }
    for (kind, name, colour, shape) in [
      ("notification", "Notification", colours.pin, MapPage.notificationShape),
      ("geotrigger", "Geotrigger", colours.geotrigger, MapPage.geotriggerShape),
    ] where kinds.contains(kind) {
      entries.append((#"<path d="\#(shape)" fill="\#(colour)" transform="translate(8 5) scale(.62)"/>"#, name))
    }
    if !scene.unplaced.isEmpty {
      let names = scene.unplaced.prefix(3).map { Self.cut($0.region.label, 30) }.joined(separator: ", ")
      let more = scene.unplaced.count > 3 ? " and \(HTMLText.count(scene.unplaced.count - 3)) more" : ""
      entries.append(("", "Without a place: \(names)\(more)"))
    }
    var (x, line) = (0.0, 0)
    var items: [String] = []
    for entry in entries {
      let indent = entry.sign.isEmpty ? 0.0 : 24
      let w = indent + Self.length(entry.name, size: 13) + 22
      if x > 0, x + w > Self.width - 48 { (x, line) = (0, line + 1) }
      items.append(
        #"<g transform="translate(\#(Self.number(x)) \#(Self.number(22 * Double(line))))">\#(entry.sign)\#(text(indent, 0, entry.name, size: 13, colour: colours.quiet))</g>"#
      )
      x += w
    }
    return (items.joined(), items.isEmpty ? 0 : line + 1)
  }

  private func row(
    _ mark: MapScene.Mark, _ x: Double, _ y: Double, length: Int, days: ClosedRange<Int64>, clock: LocalClock
  ) -> String {
    let isGeotrigger = mark.mark.kind == "geotrigger"
    let colour = isGeotrigger ? colours.geotrigger : colours.pin
    let time = clock(mark.mark.time)
    let isLong = clock(days.lowerBound).date != clock(days.upperBound).date
    let when = isLong ? "\(time.date.dropFirst(5)) \(time.timeOfDay)" : time.timeOfDay
    let sign =
      isGeotrigger
      ? #"<rect x="0" y="-13" width="17" height="17" rx="4" fill="\#(colour)"/>"#
      : #"<circle cx="8.5" cy="-4.5" r="8.5" fill="\#(colour)"/>"#
    return """
      <g transform="translate(\(Self.number(x)) \(Self.number(y)))">\(sign)<text x="8.5" y="-1" font-size="9.5" font-weight="650" \
      text-anchor="middle" fill="\(colours.label)">\(mark.number ?? 0)</text>\
      \(text(26, 0, when, size: 12, colour: colours.quiet))\
      \(text(isLong ? 120 : 84, 0, Self.cut(mark.mark.title.isEmpty ? mark.place : mark.mark.title, length), size: 13))</g>
      """
  }

  private func text(
    _ x: Double, _ y: Double, _ words: String, size: Double, weight: Int = 400, colour: String? = nil
  ) -> String {
    """
    <text x="\(Self.number(x))" y="\(Self.number(y))" font-size="\(Self.number(size))"\(weight == 400 ? "" : " font-weight=\"\(weight)\"") \
    fill="\(colour ?? colours.ink)">\(HTMLText.escape(words))</text>
    """
  }

  /// One line of at most about `limit` letters; wide ones count for two.
  private static func cut(_ words: String, _ limit: Int) -> String {
    var (used, kept) = (0, "")
    for letter in words {
      used += Terminal.width(String(letter))
      if used > limit { return kept + "…" }
      kept.append(letter.isNewline ? " " : letter)
    }
    return kept
  }

  /// About how long a text is, in pixels.
  private static func length(_ words: String, size: Double) -> Double { Double(Terminal.width(words)) * size * 0.56 }

  private static func number(_ value: Double) -> String { HTMLText.number(value) }
}
