/// A list whose first element goes without a move of the others, or a copy of them where the list is shared with a copy of the state. Those that
/// have gone are let go of when they are half of all. Inlinable, because other modules have queues of their own types: a generic that is not
/// specialized costs a crossing a tenth of its instructions.
public struct Queue<Element: Sendable>: Sendable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection
{
  @usableFromInline var elements: [Element] = []
  /// How many at the beginning have gone.
  @usableFromInline var gone = 0
  /// How many elements have been moved, to be counted by tests.
  @usableFromInline var moves = 0

  @inlinable public init() {}

  @inlinable public init(_ elements: [Element]) { self.elements = elements }

  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { elements.count - gone }

  public subscript(position: Int) -> Element {
    @inlinable _read { yield elements[gone + position] }
    @inlinable _modify { yield &elements[gone + position] }
  }

  @inlinable public mutating func replaceSubrange(_ range: Range<Int>, with others: some Collection<Element>) {
    moves += count - range.upperBound
    elements.replaceSubrange(range.lowerBound + gone..<range.upperBound + gone, with: others)
  }

  @inlinable public mutating func append(_ element: Element) { elements.append(element) }

  @inlinable public mutating func append(contentsOf others: some Sequence<Element>) {
    elements.append(contentsOf: others)
  }

  @inlinable public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(gone + count) }

  @discardableResult @inlinable
  public mutating func removeFirst() -> Element {
    let first = elements[gone]
    gone += 1
    if gone == elements.count {
      gone = 0
      // The room of a few is kept for the next.
      if elements.capacity <= 16 { elements.removeAll(keepingCapacity: true) } else { elements = [] }
    } else if gone >= 16, gone >= elements.count - gone {
      moves += elements.count - gone
      elements.removeFirst(gone)
      gone = 0
    }
    return first
  }

  @discardableResult @inlinable
  public mutating func remove(at position: Int) -> Element {
    if position == 0 { return removeFirst() }
    moves += count - position - 1
    return elements.remove(at: gone + position)
  }

  /// Asks for where the elements are.
  @inline(__always)
  func prefetch() { Prefetch.target(of: elements) }
}

extension Queue: ExpressibleByArrayLiteral {
  @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension Queue: Equatable where Element: Equatable {
  public static func == (a: Queue, b: Queue) -> Bool { a.elementsEqual(b) }
}

extension Queue: CustomStringConvertible {
  public var description: String { "\(Array(self))" }
}
