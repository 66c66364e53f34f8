/// The regions or the campaigns of a feed, by position: all of them in memory, or each read when it is first asked for.
public struct FeedList<Element: FeedElement>: RandomAccessCollection, Sendable {
  let elements: [Element]
  private let positions: [Identifier: Int]
  /// Those of a compiled feed; then the others are empty.
  public let records: (any FeedRecords<Element>)?

  /// Of elements with one id, the first is found by it.
  public init(_ elements: [Element]) {
    var positions = [Identifier: Int](minimumCapacity: elements.count)
    for position in elements.indices.reversed() { positions[elements[position].id] = position }
    self.init(elements, positions: positions)
  }

  public init(_ elements: [Element], positions: [Identifier: Int]) {
    self.elements = elements
    self.positions = positions
    records = nil
  }

  public init(_ records: any FeedRecords<Element>) {
    elements = []
    positions = [:]
    self.records = records
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { records?.count ?? elements.count }

  public subscript(position: Int) -> Element {
    if let records { return records.record(position).element }
    return elements[position]
  }

  /// Asks for where an element is said to be, and then, some time later, for the element: it will be looked at.
  @inline(__always)
  func prefetchPlace(_ position: Int) { if records == nil { Prefetch.element(position, of: elements) } }

  @inline(__always)
  func prefetch(_ position: Int) { if records == nil { Prefetch.target(ofElement: position, of: elements, 192) } }

  public func position(of id: Identifier) -> Int? {
    if let records { return records.position(of: id) }
    return positions[id]
  }

  /// The id of an element; a record is not read for it.
  public func id(at position: Int) -> Identifier {
    if let records { return records.id(at: position) }
    return elements[position].id
  }

  /// The ids of all, in their order.
  public var ids: some Sequence<Identifier> { indices.lazy.map { id(at: $0) } }
}

extension FeedList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension FeedList: Equatable {
  public static func == (a: FeedList, b: FeedList) -> Bool { a.elementsEqual(b) }
}

/// An element that a feed has many of.
public protocol FeedElement: Equatable, Sendable {
  var id: Identifier { get }
}

extension Region: FeedElement {}

extension Campaign: FeedElement {}

/// The regions or campaigns of a compiled feed. Any number of threads may ask at once. Positions are from 0 up to, and without, `count`.
public protocol FeedRecords<Element>: AnyObject, Sendable {
  associatedtype Element: FeedElement

  var count: Int { get }
  /// The same object each time.
  func record(_ position: Int) -> FeedRecord<Element>
  func id(at position: Int) -> Identifier
  func position(of id: Identifier) -> Int?
}

/// One that was read.
public final class FeedRecord<Element: FeedElement>: Sendable {
  public let element: Element

  public init(_ element: Element) { self.element = element }
}
