internal import PlotTracks

/// Draws a run as one HTML page that needs nothing else: the track, the regions, what happened and what was decided; no network, no fonts,
/// no pictures. Without JavaScript it shows the whole map; with it, the map has a time, and can be moved, zoomed and asked.
package enum MapPage {
  /// The page as HTML text in UTF-8.
  package static func render(_ input: MapInput) -> String {
    let scene = MapScene(input)
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\(imageSource(input))">
      <title>\(HTMLText.escape(input.title))</title>
      <style>
      \(style)</style>
      </head>
      <body>
      <main>
      <figure class="map">
      <div class="stage">
      \(drawing(scene))
      \(furniture)
      \(credit(input))
      </div>
      \(timeBar)
      <figcaption class="legend">\(legend(scene))</figcaption>
      </figure>
      \(panel(scene))
      </main>
      <script type="application/json" id="data">\(payload(scene))</script>
      <script>
      \(script)</script>
      </body>
      </html>

      """
  }

  /// The one place that pictures may come from; none without tiles.
  private static func imageSource(_ input: MapInput) -> String {
    input.tiles.map { "; img-src \(HTMLText.escape($0.origin))" } ?? ""
  }

  private static func credit(_ input: MapInput) -> String {
    guard let tiles = input.tiles, !tiles.credit.isEmpty else { return "" }
    return #"<p class="credit">\#(HTMLText.escape(tiles.credit))</p>"#
  }

  // MARK: Drawing

  private static func drawing(_ scene: MapScene) -> String {
    let scale = HTMLText.number(scene.scale, decimals: 8)
    let origin = scene.screen(MapPosition(x: 0, y: 0))
    let transform = "translate(\(place(origin))) scale(\(scale))"
    let label = HTMLText.escape("Map: \(scene.input.title)")
    var parts = [
      """
      <svg id="map" viewBox="0 0 \(HTMLText.number(MapScene.width)) \(HTMLText.number(MapScene.height))" \
      tabindex="0" role="group" aria-label="\(label). Arrow keys move the map or go from pin to pin, plus and minus zoom, 0 shows all.">
      """,
      #"<g id="grid"></g>"#,
      #"<g id="world" transform="\#(transform)"><g id="tiles"></g>"#,
    ]
    parts += ground(scene)
    for (index, region) in scene.regions.enumerated() { parts.append(shape(region, scene.projection, index: index)) }
    for gap in scene.gaps { parts.append(#"<path class="gap" d="\#(path(gap))"/>"#) }
    if !scene.pieces.isEmpty {
      let d = scene.lines.map { path($0) }.joined()
      parts.append(
        #"<path class="casing" d="\#(d)"/><path class="track" id="track" d="\#(d)"/><path class="track" id="past"/>"#)
    }
    parts.append(#"<path id="crosses"/><circle id="error" visibility="hidden"/></g>"#)
    parts.append(#"<g id="arrows"></g><g id="labels">"#)
    parts += MapPicture(theme: .light).labels(scene)
    parts.append("</g>")
    if let start = scene.lines.first?.first, let end = scene.lines.last?.last {
      parts.append(anchor("start", at: start, scene, shape: #"<circle r="5"/>"#))
      parts.append(anchor("end", at: end, scene, shape: #"<rect x="-4.5" y="-4.5" width="9" height="9" rx="1.5"/>"#))
    }
    parts.append(#"<g id="drops">"#)
    for mark in scene.marks where mark.isDrawn && !mark.mark.isPinned { parts.append(drop(mark, scene)) }
    parts.append(#"</g><g id="dots"></g><g id="pins">"#)
    for mark in scene.marks where mark.isDrawn && mark.mark.isPinned { parts.append(pin(mark, scene)) }
    parts.append(#"</g><g id="here" visibility="hidden"><circle r="13"/><circle r="6.5"/></g></svg>"#)
    return parts.joined(separator: "\n")
  }

  private static func anchor(_ kind: String, at position: MapPosition, _ scene: MapScene, shape: String) -> String {
    let transform = "translate(\(place(scene.screen(position))))"
    return """
      <g class="anchor \(kind)" data-x="\(HTMLText.number(position.x))" data-y="\(HTMLText.number(position.y))" \
      transform="\(transform)">\(shape)</g>
      """
  }

  private static func pin(_ mark: MapScene.Mark, _ scene: MapScene) -> String {
    let number = mark.number.map { String($0) } ?? ""
    let isGeotrigger = mark.mark.kind == "geotrigger"
    let shape = isGeotrigger ? geotriggerShape : notificationShape
    let label = "\(number). \(scene.input.clock(mark.mark.time).timeOfDay), \(mark.place): \(mark.mark.title)"
    let position = mark.position ?? MapPosition(x: 0, y: 0)
    return """
      <g class="pin \(isGeotrigger ? "geotrigger" : "notification")" data-i="\(mark.index)" tabindex="\(number == "1" ? 0 : -1)" role="button" \
      aria-label="\(HTMLText.escape(label))" transform="translate(\(place(scene.screen(position))))">\
      <circle class="dot" r="4.5"/><path class="drop" d="\(shape)"/>\
      <text y="-14"\(number.count > 2 ? " class=\"long\"" : "")>\(number)</text></g>
      """
  }

  private static func drop(_ mark: MapScene.Mark, _ scene: MapScene) -> String {
    let transform = "translate(\(place(scene.screen(mark.position ?? MapPosition(x: 0, y: 0)))))"
    return #"<g class="visit dropped" data-i="\#(mark.index)" transform="\#(transform)">\#(sign("dropped"))</g>"#
  }

  /// A drop and a kite, each with its tip at the origin.
  package static let notificationShape = "M0 0C-2.2-5.6-10.5-9.6-10.5-18A10.5 10.5 0 1 1 10.5-18C10.5-9.6 2.2-5.6 0 0Z"
  package static let geotriggerShape = "M0 0L-11-15.5Q-12-17-11-18.5L-1.2-28.6Q0-29.7 1.2-28.6L11-18.5Q12-17 11-15.5Z"

  /// The sign of what has no pin.
  package static func sign(_ kind: String) -> String {
    switch kind {
    case "enter", "inside": #"<path d="M-4-4.2L4.4 0L-4 4.2Z"/>"#
    case "exit": #"<path d="M4-4.2L-4.4 0L4 4.2Z"/>"#
    case "dropped": #"<circle r="4.6"/><path d="M-3.2 3.2L3.2-3.2"/>"#
    default: #"<circle r="3.8"/>"#
    }
  }

  /// A class of our own for each kind, so that no text of the input gets into an attribute.
  package static func signClass(_ kind: String) -> String {
    switch kind {
    case "enter", "exit", "dwell", "dropped": kind
    case "inside": "enter"
    default: "other"
    }
  }

  private static func place(_ position: MapPosition) -> String {
    "\(HTMLText.number(position.x)) \(HTMLText.number(position.y))"
  }

  // MARK: What lies over the drawing, and under it

  private static let furniture = """
    <div class="now" id="now" role="status" hidden></div>
    <div class="tip" id="tip" hidden></div>
    <div class="controls" id="controls" role="group" aria-label="Zoom">
    <button type="button" id="in" aria-label="Zoom in" title="Zoom in (+)">\
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3v10M3 8h10"/></svg></button>
    <button type="button" id="out" aria-label="Zoom out" title="Zoom out (-)">\
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10"/></svg></button>
    <button type="button" id="fit" aria-label="Show all" title="Show all (0)">\
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"/></svg></button>
    </div>
    <div class="scale" id="scale" aria-hidden="true"><span></span></div>
    """

  /// Play, the slider with a tick for each pin, which the script draws, and the clock.
  private static let timeBar = """
    <div class="time" id="time" hidden>
    <button type="button" id="before" aria-label="Previous notification" title="Previous notification (P)">\
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M12 3L5.5 8L12 13ZM4 3v10"/></svg></button>
    <button type="button" id="play" aria-label="Play" title="Play or pause (space)">\
    <svg viewBox="0 0 16 16" aria-hidden="true"><path class="go" d="M4 2.5L13 8L4 13.5Z"/><path class="halt" d="M4.5 3v10M11.5 3v10"/></svg>\
    </button>
    <button type="button" id="after" aria-label="Next notification" title="Next notification (N)">\
    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 3L10.5 8L4 13ZM12 3v10"/></svg></button>
    <div class="slide"><svg viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">\
    <path id="breaks"/><path id="notifications"/><path class="geotrigger" id="geotriggers"/></svg>\
    <input type="range" id="slider" min="0" step="1" aria-label="Time"></div>
    <output id="clock" for="slider"></output>
    </div>
    """

  private static func legend(_ scene: MapScene) -> String {
    func item(_ name: String, _ shape: String, box: String = "-9 -9 18 18", extra: String = "") -> String {
      """
      <span\(extra.isEmpty ? "" : " class=\"\(extra)\"")><svg viewBox="\(box)" aria-hidden="true">\(shape)</svg>\(name)</span>
      """
    }
    var items: [String] = []
    let kinds = Set(scene.marks.map(\.mark.kind))
    if !scene.pieces.isEmpty {
      items.append(item("Track", #"<path class="track" d="M-8 3C-3 3-3-3 0-3S5 2 8-3"/>"#))
      if !scene.gaps.isEmpty { items.append(item("Not recorded", #"<path class="gap" d="M-9 0H9"/>"#)) }
      items.append(item("Start", #"<g class="anchor start"><circle r="5"/></g>"#))
      let square = #"<rect x="-4.5" y="-4.5" width="9" height="9" rx="1.5"/>"#
      items.append(item("End", #"<g class="anchor end">\#(square)</g>"#))
    }
    if scene.fixes.contains(where: { $0.accuracy > 0 }) {
      items.append(item("Error of the fix", #"<circle class="error" r="7"/>"#, extra: "live"))
    }
    if scene.fixes.contains(where: { $0.objection != nil }) {
      items.append(item("Did not count", #"<path class="out" d="M-4-4L4 4M-4 4L4-4"/>"#, extra: "live"))
    }
    if scene.regions.contains(where: { !$0.isVisited }) || !scene.changes.isEmpty {
      items.append(item("Outside", #"<circle class="region" r="7"/>"#))
    }
    let states = Set(scene.changes.values.joined().map(\.state))
    if states.contains(.pending) || states.contains(.leaving) {
      items.append(item("Not sure yet", #"<circle class="region" data-state="pending" r="7"/>"#, extra: "live"))
    }
    if states.contains(.inside) || states.contains(.leaving) {
      items.append(item("Inside", #"<circle class="region" data-state="inside" r="7"/>"#, extra: "live"))
    }
    if states.contains(.dwelling) {
      items.append(item("Dwelling", #"<circle class="region" data-state="dwelling" r="7"/>"#, extra: "live"))
    }
    if scene.regions.contains(where: \.isVisited) {
      items.append(item("Visited", #"<circle class="region seen" r="7"/>"#))
    }
    for (kind, name, shape) in [
      ("notification", "Notification", notificationShape), ("geotrigger", "Geotrigger", geotriggerShape),
    ] where kinds.contains(kind) {
      items.append(item(name, #"<g class="pin \#(kind)"><path class="drop" d="\#(shape)"/></g>"#, box: "-15 -30 30 31"))
    }
    if scene.marks.contains(where: { $0.isDrawn && !$0.mark.isPinned }) {
      items.append(item("Not shown", #"<g class="visit dropped">\#(sign("dropped"))</g>"#, extra: "live"))
    }
    return items.joined(separator: "\n")
  }
}
