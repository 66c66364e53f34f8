/// The facts that segmentation uses.
struct SegmentContext {
  var time: Milliseconds
  var country: String?
  var travel: TravelTime?
  var properties: [Identifier: PropertyValue]
  var shown: NumberTable<Identifier>
  var opened: [Identifier: Milliseconds]
}

extension Segment {
  /// True, false, or unknown: a property that is missing, or of a type that cannot be compared, is never a match, not under `not` either.
  enum Truth: Equatable {
    case yes
    case no(Identifier?)
    /// The property that is missing, or of another type.
    case unknown(Identifier, isMissing: Bool)
  }

  func truth(_ context: SegmentContext) -> Truth {
    switch self {
    case .all(let parts): return Self.first(of: parts, context) { if case .no = $0 { true } else { false } }
    case .any(let parts): return Self.first(of: parts, context) { $0 == .yes }
    case .not(let part):
      switch part.truth(context) {
      case .yes: return .no(part.subject)
      case .no: return .yes
      case .unknown(let name, let isMissing): return .unknown(name, isMissing: isMissing)
      }
    case .property(let name, let comparison):
      if case .exists(let wanted) = comparison { return (context.properties[name] != nil) == wanted ? .yes : .no(name) }
      guard let value = context.properties[name] else { return .unknown(name, isMissing: true) }
      switch comparison.accepts(value, at: context.time) {
      case true?: return .yes
      case false?: return .no(name)
      case nil: return .unknown(name, isMissing: false)
      }
    case .shown(let campaign, let within): return Self.isRecent(context.shown[campaign], within, campaign, context)
    case .opened(let campaign, let within): return Self.isRecent(context.opened[campaign], within, campaign, context)
    case .country(let countries): return countries.contains(context.country ?? "") ? .yes : .no(nil)
    case .travel(let condition): return condition.accepts(context.travel) ? .yes : .no(nil)
    }
  }

  /// The first outcome that decides; else the first unknown one; else the last.
  private static func first(
    of parts: [Segment], _ context: SegmentContext, where decides: (Truth) -> Bool
  ) -> Truth {
    var last = Truth.no(nil)
    var unknown: Truth?
    for part in parts {
      last = part.truth(context)
      if decides(last) { return last }
      if case .unknown = last, unknown == nil { unknown = last }
    }
    return unknown ?? last
  }

  private static func isRecent(
    _ time: Milliseconds?, _ within: Milliseconds?, _ campaign: Identifier, _ context: SegmentContext
  ) -> Truth {
    guard let time else { return .no(campaign) }
    guard let within else { return .yes }
    return context.time - time <= within ? .yes : .no(campaign)
  }

  private var subject: Identifier? {
    switch self {
    case .property(let name, _), .shown(let name, _), .opened(let name, _): name
    case .all, .any, .not, .country, .travel: nil
    }
  }

  /// Whether it looks at this property.
  func mentions(_ name: Identifier) -> Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains { $0.mentions(name) }
    case .not(let part): part.mentions(name)
    case .property(let property, _): property == name
    case .shown, .opened, .country, .travel: false
    }
  }
}

extension Comparison {
  /// Nil when value and operand cannot be compared.
  public func accepts(_ value: PropertyValue, at time: Milliseconds) -> Bool? {
    switch self {
    case .equals(let operand): return Self.isEqual(value, operand.value(at: time))
    case .differs(let operand): return Self.isEqual(value, operand.value(at: time)).map { !$0 }
    case .order(let order, let operand): return Self.sign(value, operand.value(at: time)).map(order.accepts)
    case .between(let low, let high):
      guard let least = Self.sign(value, low.value(at: time)), let most = Self.sign(value, high.value(at: time)) else {
        return nil
      }
      return least >= 0 && most <= 0
    case .isIn(let operands):
      let answers = operands.map { Self.isEqual(value, $0.value(at: time)) }
      if answers.contains(true) { return true }
      return answers.contains(false) ? false : nil
    case .exists(let wanted): return wanted
    case .begins(let start): return Self.text(value).map { $0.utf8.starts(with: start.utf8) }
    case .contains(let part): return Self.text(value).map { Self.contains(Array($0.utf8), Array(part.utf8)) }
    case .version(let order, let wanted):
      guard let text = Self.text(value), let a = Self.version(text), let b = Self.version(wanted) else { return nil }
      return order.accepts(Self.sign(a, b))
    }
  }

  private static func text(_ value: PropertyValue) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
  }

  /// Nil for values of kinds that are never equal.
  static func isEqual(_ a: PropertyValue, _ b: PropertyValue) -> Bool? {
    switch (a, b) {
    case (.boolean(let a), .boolean(let b)): a == b
    default: sign(a, b).map { $0 == 0 }
    }
  }

  /// Below, equal or above: -1, 0, 1. Strings by their bytes; integers and doubles by their exact numbers.
  static func sign(_ a: PropertyValue, _ b: PropertyValue) -> Int? {
    switch (a, b) {
    case (.string(let a), .string(let b)):
      a.utf8.elementsEqual(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    case (.integer(let a), .integer(let b)), (.date(let a), .date(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.integer(let a), .double(let b)): sign(a, b)
    case (.double(let a), .integer(let b)): -sign(b, a)
    default: nil
    }
  }

  /// Without rounding the integer: beyond 2^53 not every integer is a double.
  private static func sign(_ a: Int64, _ b: Double) -> Int {
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(saturating: b.rounded(.down))
    if a != whole { return a < whole ? -1 : 1 }
    return b > b.rounded(.down) ? -1 : 0
  }

  /// The parts of a version; nil when it is not dotted numbers of at most 18 digits each.
  static func version(_ text: String) -> [Int64]? {
    var parts: [Int64] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard (1...18).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int64(part)
      else { return nil }
      parts.append(number)
    }
    return parts
  }

  /// Whether a text can be compared as a version.
  public static func isVersion(_ text: String) -> Bool { version(text) != nil }

  private static func sign(_ a: [Int64], _ b: [Int64]) -> Int {
    for index in 0..<max(a.count, b.count) {
      let (x, y) = (index < a.count ? a[index] : 0, index < b.count ? b[index] : 0)
      if x != y { return x < y ? -1 : 1 }
    }
    return 0
  }
}
