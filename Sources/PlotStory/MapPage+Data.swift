internal import PlotCore

extension MapPage {
  /// Gives each text a number, in the order in which they come.
  private struct Texts {
    private(set) var all = [""]
    private var numbers = ["": 0]

    mutating func number(_ text: String?) -> Int {
      let text = text ?? ""
      if let number = numbers[text] { return number }
      numbers[text] = all.count
      all.append(text)
      return all.count - 1
    }
  }

  /// The data of the script, as JSON. Times are milliseconds after `start`, places metres on the plane; texts are numbers in
  /// `strings`, regions numbers in `places`.
  package static func payload(_ scene: MapScene) -> String {
    func number(_ value: Double) -> String { HTMLText.number(value) }
    let start = scene.span.lowerBound
    let names = Dictionary(
      scene.input.regions.map { ($0.id, $0.label) }, uniquingKeysWith: { first, _ in first })
    var texts = Texts()
    var places = Texts()
    var regions: [String] = []
    for region in scene.regions {
      let moves = region.moves.map { "\($0.time - start),\(number($0.position.x)),\(number($0.position.y))" }
      regions.append(
        """
        [\(number(region.position.x)),\(number(region.position.y)),\(number(region.radius)),\
        \(places.number(region.region.id)),\(region.isVisited ? 1 : 0),[\(moves.joined(separator: ","))]]
        """)
    }
    let marks = scene.marks.map { mark in
      let position = mark.position.map { "\(number($0.x)),\(number($0.y))" } ?? "null,null"
      let (head, more) = words(mark)
      let outcomes = ([more].filter { !$0.isEmpty } + mark.mark.outcomes).map { HTMLText.json($0) }.joined(
        separator: ",")
      return """
        [\(mark.mark.time - start),\(HTMLText.json(signClassOrPin(mark.mark.kind))),\(position),\
        \(places.number(mark.mark.region)),\(HTMLText.json(head)),\(texts.number(mark.mark.campaign)),\
        \(mark.number ?? 0),[\(outcomes)]]
        """
    }
    let decisions = scene.decisions.map { decision in
      let verdict =
        switch decision.verdict {
        case "pass": 0
        case "hold": 1
        default: decision.holdsBack ? 3 : 2
        }
      return """
        [\(decision.time - start),\(texts.number(decision.campaign ?? decision.message)),\
        \(places.number(decision.region)),\(texts.number(decision.step)),\(verdict),\(texts.number(decision.reason)),\
        \(texts.number(decision.detail)),\(decision.nextPossible.map { "\($0 - start)" } ?? "null"),\
        \(texts.number(decision.sentence))]
        """
    }
    var changes: [String] = []
    for id in scene.changes.keys.sorted() {
      let steps = (scene.changes[id] ?? []).map { change in
        "\(change.time - start),\(change.state.rawValue),\(change.since.map { "\($0 - start)" } ?? "null")"
      }
      changes.append("[\(places.number(id)),\(steps.joined(separator: ","))]")
    }
    let track = scene.pieces.map { piece in
      "["
        + piece.map { "\($0.time - start),\(number($0.position.x)),\(number($0.position.y))" }.joined(separator: ",")
        + "]"
    }
    let fixes = scene.fixes.map { fix in
      """
      [\(fix.moment.time - start),\(number(fix.moment.position.x)),\(number(fix.moment.position.y)),\
      \(number(fix.accuracy)),\(fix.objection ?? -1)]
      """
    }
    let offsets = scene.input.clock.offsets(in: scene.span).map { "[\($0.time - start),\($0.offset)]" }
    let bounds = scene.bounds
    let labels = places.all.map { "[\(HTMLText.json($0)),\(HTMLText.json(names[$0] ?? $0))]" }
    return """
      {"tiles":\(scene.input.tiles.map { HTMLText.json($0.template) } ?? "null"),"start":\(start),"end":\(scene.span.upperBound),"zone":\(HTMLText.json(scene.input.clock.zone)),\
      "offsets":[\(offsets.joined(separator: ","))],
      "bounds":[\(number(bounds.minX)),\(number(bounds.minY)),\(number(bounds.maxX)),\(number(bounds.maxY))],\
      "centre":[\(HTMLText.number(scene.projection.latitude, decimals: 7)),\
      \(HTMLText.number(scene.projection.longitude, decimals: 7))],\
      "degree":[\(HTMLText.number(MapProjection.metersPerDegree, decimals: 3)),\
      \(HTMLText.number(scene.projection.metersPerDegreeEast, decimals: 3))],
      "places":[\(labels.joined(separator: ",\n"))],
      "regions":[\(regions.joined(separator: ",\n"))],
      "changes":[\(changes.joined(separator: ",\n"))],
      "track":[\(track.joined(separator: ",\n"))],
      "fixes":[\(fixes.joined(separator: ",\n"))],
      "objections":[\(MapScene.objections.sorted().map { HTMLText.json($0) }.joined(separator: ","))],
      "marks":[\(marks.joined(separator: ",\n"))],
      "strings":[\(texts.all.map { HTMLText.json($0) }.joined(separator: ",\n"))],
      "total":\(scene.input.decisions.count),
      "decisions":[\(decisions.joined(separator: ",\n"))]}
      """
  }

  private static func signClassOrPin(_ kind: String) -> String {
    kind == "notification" || kind == "geotrigger" ? kind : signClass(kind)
  }
}
