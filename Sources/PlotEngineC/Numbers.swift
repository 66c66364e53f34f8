internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

/// A count, length, limit or position that the host gives.
///
/// `size_t` reaches Swift as a signed `Int`, in which 2^63 and more are negative. No export uses such a number, or an
/// element of a `uint32_t` column, before it has gone through this type.
struct Size {
  /// The number that the host wrote.
  private let value: UInt

  init(_ value: Int) { self.value = UInt(bitPattern: value) }

  init(_ value: UInt32) { self.value = UInt(value) }

  /// For a limit, of which the greatest numbers mean "all".
  var limit: Int { Int(clamping: value) }

  /// The position, when it is below `count`; otherwise nil.
  func position(below count: Int) -> Int? { position(below: Size(count)) }

  func position(below count: Size) -> Int? { value < count.value ? Int(exactly: value) : nil }

  /// The count of elements at an address, when it is in `range`.
  func count(_ name: String, in range: ClosedRange<Int>) throws(EngineError) -> Int {
    guard let count = Int(exactly: value), range.contains(count) else {
      throw EngineError(
        argument: name, expected: "a number from \(range.lowerBound) to \(range.upperBound)", found: text)
    }
    return count
  }

  /// The length of a document. One that is too long is refused by its length alone: none of its bytes are read.
  func length(_ name: String, most limit: Int) throws -> Int {
    guard let length = Int(exactly: value) else {
      throw EngineError(argument: name, expected: "a length", found: text)
    }
    try DocumentError.checkSize(length, most: limit)
    return length
  }

  var text: String { "\(value)" }
}

/// A number that stands for one of a few values: a kind, flags, a truth value.
func number<T: FixedWidthInteger>(
  _ value: T, _ name: String, in range: ClosedRange<T>, _ expected: String
) throws(EngineError) -> T {
  guard range.contains(value) else { throw EngineError(argument: name, expected: expected, found: "\(value)") }
  return value
}

/// 0 or 1.
func flag(_ value: Int32, _ name: String) throws(EngineError) -> Bool {
  try number(value, name, in: 0...1, "0 or 1") == 1
}
