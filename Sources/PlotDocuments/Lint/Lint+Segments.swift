internal import PlotCore

/// Segmentation: whether anybody can get it.
extension Lint {
  mutating func checkSegments() {
    checkMatches()
    checkTypes()
    checkHistory()
  }

  private mutating func checkMatches() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      guard let segment = campaign.segmentation, let regions = feed.allRegions(of: campaign) else { continue }
      // Regions in one country, and as far away, are as one of them.
      let places = Set(regions.map { SegmentWays.Place(country: $0.country ?? "", travel: $0.travel) })
      var culprits: Set<String> = []
      let matches = places.contains { SegmentWays(place: $0, campaign: campaign.id).canBeTrue(segment, &culprits) }
      if !matches {
        let names = culprits.sorted().map { "\"\($0)\"" }.joined(separator: " and ")
        report(
          .segmentationNever, campaign: index, "segmentation",
          sentence: "The segmentation of the \(campaign.title) can never match"
            + (names.isEmpty ? "." : ", for what it asks of \(names) contradicts itself."))
      } else if segment.isAlwaysKnown {
        var unused: Set<String> = []
        let misses = places.contains { SegmentWays(place: $0, campaign: nil).canBeTrue(.not(segment), &unused) }
        if !misses {
          report(
            .segmentationAlways, campaign: index, "segmentation",
            sentence: "The segmentation of the \(campaign.title) always matches.")
        }
      }
    }
  }

  // MARK: Types

  private mutating func checkTypes() {
    guard let feed else { return }
    var first: [Identifier: (kind: ValueKind, campaign: Identifier)] = [:]
    var reported: Set<Identifier> = []
    for (index, campaign) in feed.known {
      guard let segment = campaign.segmentation else { continue }
      for (path, name, kind) in segment.uses([.key("campaigns"), .index(index), .key("segmentation")]) {
        guard let known = first[name] else {
          first[name] = (kind, campaign.id)
          continue
        }
        guard known.kind != kind, reported.insert(name).inserted else { continue }
        let other = known.campaign == campaign.id ? "elsewhere in it" : "in the campaign \"\(known.campaign.text)\""
        report(
          .mixedTypes, path,
          "The \(campaign.title) compares the property \"\(name.text)\" with a \(kind.rawValue), which is a"
            + " \(known.kind.rawValue) \(other)."
        )
      }
    }
  }

  private mutating func checkHistory() {
    guard let feed else { return }
    let known = Set(feed.known.map(\.campaign.id))
    for (index, campaign) in feed.known {
      guard let segment = campaign.segmentation else { continue }
      for (path, id) in segment.histories([.key("campaigns"), .index(index), .key("segmentation")])
      where !known.contains(id) && !feed.leftOut.contains(id.text) {
        report(
          .unknownCampaign, path,
          "The segmentation of the \(campaign.title) is about the campaign \"\(id.text)\", which this feed does"
            + " not have."
        )
      }
    }
  }
}

/// Values that can be compared with each other.
enum ValueKind: String {
  case string, boolean, number, date

  init(_ value: PropertyValue) {
    self =
      switch value {
      case .string: .string
      case .boolean: .boolean
      case .integer, .double: .number
      case .date: .date
      }
  }
}

extension Comparison {
  fileprivate var operands: [Operand] {
    switch self {
    case .equals(let value), .differs(let value), .order(_, let value): [value]
    case .between(let low, let high): [low, high]
    case .isIn(let values): values
    case .exists, .begins, .contains, .version: []
    }
  }

  /// Nil when it takes values of any kind, or of several.
  fileprivate var kind: ValueKind? {
    switch self {
    case .begins, .contains, .version: return .string
    case .exists: return nil
    default:
      let kinds = Set(operands.map { ValueKind($0.value(at: 0)) })
      return kinds.count == 1 ? kinds.first : nil
    }
  }
}

extension Segment {
  /// Whether it is never unknown: it looks at no value of a property.
  fileprivate var isAlwaysKnown: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isAlwaysKnown)
    case .not(let part): part.isAlwaysKnown
    case .property(_, .exists), .shown, .opened, .country, .travel: true
    case .property: false
    }
  }

  /// Its properties with the kind of what they are compared with, and where that stands.
  fileprivate func uses(_ path: [PathStep]) -> [(path: [PathStep], name: Identifier, kind: ValueKind)] {
    switch self {
    case .property(let name, let comparison): comparison.kind.map { [(path, name, $0)] } ?? []
    default: parts.flatMap { $0.part.uses(path + $0.path) }
    }
  }

  fileprivate func histories(_ path: [PathStep]) -> [(path: [PathStep], id: Identifier)] {
    switch self {
    case .shown(let id, _), .opened(let id, _): [(path + [.key("campaign")], id)]
    default: parts.flatMap { $0.part.histories(path + $0.path) }
    }
  }

  private var parts: [(path: [PathStep], part: Segment)] {
    switch self {
    case .all(let parts): parts.enumerated().map { ([.key("all"), .index($0)], $1) }
    case .any(let parts): parts.enumerated().map { ([.key("any"), .index($0)], $1) }
    case .not(let part): [([.key("not")], part)]
    case .property, .shown, .opened, .country, .travel: []
    }
  }
}

/// The ways in which a segmentation can be true at a place. In doubt there is one.
struct SegmentWays {
  /// The facts of a region that conditions are about.
  struct Place: Hashable {
    var country: String
    var travel: TravelTime?
  }

  private enum Atom {
    case property(Identifier, Comparison, Bool)
    case history(Identifier, isShown: Bool, within: Milliseconds?, Bool)
  }

  private static let limit = 512
  var place: Place
  /// It cannot have been shown before it is shown. Nil to leave that out.
  var campaign: Identifier?

  /// `culprits` gets the properties and campaigns that stand against it.
  func canBeTrue(_ segment: Segment, _ culprits: inout Set<String>) -> Bool {
    guard let ways = ways(segment, true) else { return true }
    for way in ways {
      guard let culprit = hindrance(way) else { return true }
      culprits.insert(culprit)
    }
    return false
  }

  /// The conditions that must hold in each way; nil for too many.
  private func ways(_ segment: Segment, _ wanted: Bool) -> [[Atom]]? {
    switch segment {
    case .not(let part): return ways(part, !wanted)
    case .property(let name, let comparison): return [[.property(name, comparison, wanted)]]
    case .shown(let id, let within): return [[.history(id, isShown: true, within: within, wanted)]]
    case .opened(let id, let within): return [[.history(id, isShown: false, within: within, wanted)]]
    case .country(let countries): return countries.contains(place.country) == wanted ? [[]] : []
    case .travel(let condition): return condition.accepts(place.travel) == wanted ? [[]] : []
    case .all(let parts), .any(let parts):
      let isAll = if case .all = segment { true } else { false }
      var result: [[Atom]] = isAll == wanted ? [[]] : []
      for part in parts {
        guard let more = ways(part, wanted) else { return nil }
        result = isAll == wanted ? result.flatMap { way in more.map { way + $0 } } : result + more
        if result.count > Self.limit { return nil }
      }
      return result
    }
  }

  /// The property or campaign of which too much is asked; nil when there is none.
  private func hindrance(_ way: [Atom]) -> String? {
    var properties: [Identifier: [(Comparison, Bool)]] = [:]
    var histories: [(id: Identifier, isShown: Bool, within: Milliseconds, wanted: Bool)] = []
    for atom in way {
      switch atom {
      case .property(let name, let comparison, let wanted): properties[name, default: []].append((comparison, wanted))
      case .history(let id, let isShown, let within, let wanted):
        if wanted, id == campaign { return id.text }
        histories.append((id, isShown, within ?? .max, wanted))
      }
    }
    for (name, asked) in properties.sorted(by: { $0.key < $1.key }) where !Self.isPossible(asked) { return name.text }
    for yes in histories where yes.wanted {
      for no in histories
      where !no.wanted && no.id == yes.id && no.isShown == yes.isShown && yes.within <= no.within {
        return yes.id.text
      }
    }
    return nil
  }

  // MARK: One property

  /// Whether some value of a property does all that is asked.
  private static func isPossible(_ asked: [(Comparison, Bool)]) -> Bool {
    var values: [(Comparison, Bool)] = []
    var (isSet, isMissing) = (false, false)
    for (comparison, wanted) in asked {
      if case .exists(let there) = comparison {
        if there == wanted { isSet = true } else { isMissing = true }
      } else {
        values.append((comparison, wanted))
      }
    }
    if isMissing { return !isSet && values.isEmpty }
    guard !values.isEmpty else { return true }
    let operands = values.flatMap { $0.0.operands }
    let isRelative = operands.contains { if case .ago = $0 { true } else { false } }
    let isFixed = operands.contains { if case .value(.date) = $0 { true } else { false } }
    // The span between a date and a date that moves depends on the time.
    if isRelative, isFixed { return true }
    let now: Milliseconds = 4_000_000_000_000
    let points = operands.map { $0.value(at: now) }
    let candidates =
      [PropertyValue.boolean(true), .boolean(false)] + numbers(points) + dates(points) + strings(values, points)
    if candidates.contains(where: { value in values.allSatisfy { $0.0.accepts(value, at: now) == $0.1 } }) {
      return true
    }
    return !isComplete(values)
  }

  /// Every number at, and between, those that are named.
  private static func numbers(_ points: [PropertyValue]) -> [PropertyValue] {
    var doubles: [Double] = []
    var result: [PropertyValue] = []
    for point in points {
      switch point {
      case .double(let value): doubles.append(value)
      case .integer(let value):
        doubles.append(Double(value))
        result += [.integer(value), .integer(value &+ 1), .integer(value &- 1)]
      default: break
      }
    }
    let sorted = doubles.sorted()
    let extremes = doubles.isEmpty ? [] : [-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude]
    let between = zip(sorted, sorted.dropFirst()).map { $0 / 2 + $1 / 2 }
    return result + (sorted + sorted.map(\.nextUp) + sorted.map(\.nextDown) + between + extremes).map { .double($0) }
  }

  private static func dates(_ points: [PropertyValue]) -> [PropertyValue] {
    points.flatMap { point -> [PropertyValue] in
      guard case .date(let time) = point else { return [] }
      return [.date(time), .date(time &+ 1), .date(time &- 1)]
    }
  }

  /// Of texts, those that are named and what comes next, put together from what they begin with and contain.
  private static func strings(_ asked: [(Comparison, Bool)], _ points: [PropertyValue]) -> [PropertyValue] {
    var result: [String] = ["", "0", "999999999"]
    for point in points {
      if case .string(let text) = point { result += [text, text + "\u{0}"] }
    }
    var whole = ""
    for (comparison, wanted) in asked {
      switch comparison {
      case .begins(let start):
        result += [start, start + "\u{0}"]
        if wanted, start.utf8.count > whole.utf8.count { whole = start }
      case .version(_, let text): result += [text, text + ".0.0.0.1"]
      default: break
      }
    }
    for (comparison, wanted) in asked {
      if case .contains(let part) = comparison, wanted { whole += part }
    }
    return (result + [whole, whole + "\u{0}", "\u{10FFFF}"]).map { .string($0) }
  }

  /// Whether the candidates above are all that matter: none of them will do, so nothing will.
  private static func isComplete(_ asked: [(Comparison, Bool)]) -> Bool {
    // Of other kinds than text, every value is as one of the candidates.
    let texts = asked.filter { comparison, _ in
      switch comparison {
      case .begins, .contains, .version: true
      default: comparison.operands.contains { if case .value(.string) = $0 { true } else { false } }
      }
    }
    // Something that no text can do: all is decided by the other kinds.
    let isOther = asked.contains { comparison, _ in
      !comparison.operands.isEmpty
        && !comparison.operands.contains { if case .value(.string) = $0 { true } else { false } }
    }
    if texts.isEmpty || isOther { return true }
    // One of a few texts.
    let isNamed = texts.contains { comparison, wanted in
      switch comparison {
      case .equals, .isIn: wanted
      case .differs: !wanted
      default: false
      }
    }
    if isNamed { return true }
    let starts = texts.compactMap { comparison, wanted -> String? in
      if case .begins(let start) = comparison, wanted { start } else { nil }
    }
    if starts.contains(where: { a in
      starts.contains { !$0.utf8.starts(with: a.utf8) && !a.utf8.starts(with: $0.utf8) }
    }) {
      return true
    }
    func all(_ isOf: (Comparison) -> Bool) -> Bool { texts.allSatisfy { isOf($0.0) } }
    return all { if case .version = $0 { true } else { false } }
      || all {
        switch $0 {
        case .begins, .contains, .version: false
        default: true
        }
      }
  }
}
