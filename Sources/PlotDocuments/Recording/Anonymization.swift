public import PlotCore
public import PlotFiles

/// Takes a person's places out of a recording, and leaves what was decided (docs/recording.md, Sharing). All lengths stay what they are,
/// because everything moves along the parallels, by the same number of degrees.
public struct Anonymization: Sendable {
  /// Degrees of longitude.
  public let shift: Double
  /// The replacement of each name and custom field: the same for the same, because correlation keys and comparisons are made of them.
  private var words: [String: String] = [:]

  public init(shift: Double) {
    self.shift = shift
  }

  public func longitude(_ degrees: Double) -> Double {
    let moved = degrees + shift
    return moved > 180 ? moved - 360 : moved < -180 ? moved + 360 : moved
  }

  public func coordinate(_ coordinate: Coordinate) -> Coordinate {
    Coordinate(latitude: coordinate.latitude, longitude: longitude(coordinate.longitude))
  }

  private mutating func word(_ text: String) -> String {
    if let word = words[text] { return word }
    let word = text.isEmpty ? "" : "text \(words.count + 1)"
    words[text] = word
    return word
  }

  /// An item as a store keeps it: elsewhere, and without the name of its place.
  public mutating func item(_ item: Item) -> Item {
    var item = item
    item.values.loaded.coordinate = item.coordinate.map(coordinate)
    if let name = item.regionName { item.values.loaded.regionName = word(name) }
    return item
  }

  /// The plan of a trip: elsewhere, and without the app's own values.
  public mutating func trip(_ plan: TripPlan) -> TripPlan {
    var plan = plan
    plan.route = plan.route.map { Route($0.points.map(coordinate)) }
    plan.metadata = plan.metadata.mapValues { value in
      if case .string(let text) = value { .string(word(text)) } else { value }
    }
    return plan
  }

  /// A feed, as a store or a recording keeps it: elsewhere, and without names and custom fields of places.
  public mutating func feed(_ json: String) throws(DocumentError) -> String {
    let reader = try JSONReader(Array(json.utf8), nullIsAbsent: false, textLimit: .max)
    var replaced = self
    let text = reader.rewritten { path, node in
      guard path.count >= 3, path[0] == .key("regions"), case .index = path[1] else { return nil }
      switch path[2] {
      case .key("longitude"): return moved(node, reader)
      case .key("name"), .key("customFields"):
        guard let text = try? reader.string(node) else { return nil }
        return JSONText.string(replaced.word(text))
      case .key("geometry"):
        // A position is [longitude, latitude].
        guard path.last == .index(0), node.kind == .real || node.kind == .integer else {
          return nil
        }
        return moved(node, reader)
      default: return nil
      }
    }
    self = replaced
    return text
  }

  private func moved(_ node: Node, _ reader: JSONReader) -> String? {
    guard let degrees = try? reader.number(node, "degrees") else { return nil }
    return "\(longitude(degrees))"
  }

  /// A line of a recording. What its first line holds of a store, `PlotStore` changes.
  public mutating func line(_ line: RecordingLine, zones: ZoneFiles) throws(DocumentError) -> RecordingLine {
    guard case .input(var recorded) = line, case .machine(let input) = recorded.value else { return line }
    recorded.value = .machine(try self.input(input, zones: zones))
    return .input(recorded)
  }

  private mutating func input(_ input: Input, zones: ZoneFiles) throws(DocumentError) -> Input {
    switch input {
    case .fix(var fix):
      fix.coordinate = coordinate(fix.coordinate)
      return .fix(fix)
    case .fixes(var fixes, let time):
      for index in fixes.indices { fixes[index].coordinate = coordinate(fixes[index].coordinate) }
      return .fixes(fixes, at: time)
    case .hint(var hint):
      hint.position = hint.position.map(position)
      return .hint(hint)
    case .move(let region, let center, let time): return .move(region, to: coordinate(center), at: time)
    case .plan(var request):
      request.here = request.here.map(position)
      return .plan(request)
    case .feed(let feed, let time):
      return .feed(
        try Feed(keptJSON: self.feed(feed.recordedJSON(.present)), digest: feed.digest, zones: zones), at: time)
    case .startTrip(let plan, let time): return .startTrip(trip(plan), at: time)
    case .advertising(let identifier, let limits, let time):
      return .advertising(identifier == nil ? nil : "removed", limitsTracking: limits, at: time)
    default: return input
    }
  }

  private func position(_ position: Position) -> Position {
    Position(coordinate(position.coordinate), accuracy: position.accuracy)
  }
}
