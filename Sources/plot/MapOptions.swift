internal import ArgumentParser
internal import PlotStory

/// Where a map is drawn, and on what ground (docs/simulate.md): of a run, or of a recording.
struct MapOptions: ParsableArguments {
  @Option(
    name: .customLong("map"), help: "Draw a map: one HTML page that needs no network.",
    completion: .file(extensions: ["html"]))
  var page: String?

  @Option(help: "Draw a picture for documents: one SVG file.", completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(name: .customLong("svg-theme"), help: "The colours of --svg: for a light page, or for a dark one.")
  var theme: MapPicture.Theme = .light

  @Option(
    help: "A GeoJSON file to draw under the map: roads, water, buildings and the like (docs/simulate.md).",
    completion: .file(extensions: ["geojson", "json"]))
  var background: String?

  @Option(
    help: """
      Streets under the page of --map, from a server of tiles, as https://tile.example.org/{z}/{x}/{y}.png. The page asks the server when it is \
      shown.
      """)
  var tiles: String?

  @Option(help: "The credit that the server of --tiles asks for; OpenStreetMap's is known.")
  var tilesCredit: String?

  /// Whether something is drawn.
  var isWanted: Bool { page != nil || svg != nil }
  /// Whether any of them is given.
  var isGiven: Bool { isWanted || background != nil || tiles != nil }

  func validate() throws {
    if theme != .light, svg == nil { throw ValidationError("--svg-theme needs --svg.") }
    if tiles != nil, page == nil { throw ValidationError("--tiles needs --map.") }
    if tilesCredit != nil, tiles == nil { throw ValidationError("--tiles-credit needs --tiles.") }
    if let tiles, MapTiles(template: tiles) == nil {
      throw ValidationError("--tiles must be a URL as https://tile.example.org/{z}/{x}/{y}.png.")
    }
    if background != nil, !isWanted { throw ValidationError("--background needs --map or --svg.") }
  }

  /// The ground, which is read before anything runs: a fault of it comes first. Its warnings go to `warn`.
  func ground(_ warn: (String) -> Void) throws -> [MapShape] {
    guard let background else { return [] }
    let ground = try MapBackground.read(path: background)
    for warning in ground.warnings { warn("\(background): \(warning)") }
    return ground.shapes
  }

  func write(_ input: MapInput, on ground: [MapShape]) throws {
    var input = input
    input.background = ground
    input.tiles = tiles.flatMap { MapTiles(template: $0, credit: tilesCredit) }
    if let page { try OutputFile.write(MapPage.render(input), to: page) }
    if let svg { try OutputFile.write(MapPicture(theme: theme).render(input), to: svg) }
  }
}
