/// The filter's answers at the enter about dwellings to come: at most one about each campaign at each region. In the order in
/// which they came; found without a look at the others.
public struct PrefilteredList: Sendable {
  private struct Entry: Sendable {
    var number: Int
    var answer: Prefiltered
  }

  private var entries: [Identifier: [Identifier: Entry]] = [:]
  private var next = 0

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// In the place of one about the same, and behind all others.
  public mutating func put(_ answer: Prefiltered) {
    entries[answer.region, default: [:]][answer.campaign] = Entry(number: next, answer: answer)
    next += 1
  }

  public func find(_ campaign: Identifier, _ region: Identifier) -> Prefiltered? { entries[region]?[campaign]?.answer }

  mutating func remove(_ campaign: Identifier, _ region: Identifier) {
    entries[region]?[campaign] = nil
    if entries[region]?.isEmpty == true { entries[region] = nil }
  }

  /// Those about a region.
  func all(at region: Identifier) -> [Prefiltered] { Self.inOrder(entries[region].map { Array($0.values) } ?? []) }

  public var all: [Prefiltered] { Self.inOrder(entries.values.flatMap(\.values)) }

  private static func inOrder(_ entries: [Entry]) -> [Prefiltered] {
    entries.sorted { $0.number < $1.number }.map(\.answer)
  }
}

extension PrefilteredList: Equatable {
  public static func == (a: PrefilteredList, b: PrefilteredList) -> Bool { a.all == b.all }
}

extension PrefilteredList: CustomStringConvertible {
  public var description: String { "\(all)" }
}
