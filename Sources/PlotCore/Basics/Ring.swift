/// The newest elements, as many as fit.
public struct Ring<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var start = 0
  public private(set) var capacity: Int

  public init(capacity: Int = 0) {
    self.capacity = capacity
  }

  /// Keeps the newest that fit.
  public mutating func setCapacity(_ capacity: Int) {
    guard capacity != self.capacity else { return }
    elements = Array(all.suffix(capacity))
    start = 0
    self.capacity = capacity
  }

  public mutating func add(_ element: Element) {
    guard capacity > 0 else { return }
    if elements.count < capacity {
      elements.append(element)
    } else {
      elements[start] = element
      start = (start + 1) % capacity
    }
  }

  public mutating func clear() { self = Ring(capacity: capacity) }

  /// Oldest first.
  public var all: [Element] { Array(elements[start...] + elements[..<start]) }
}
