/// Writes fields as words of 64 bits, or reads them back: a type lists its fields once, for both directions.
protocol FieldCoder {
  /// Writes the word, or replaces it by the one read.
  mutating func code(_ word: inout UInt64)
  /// The same for a text.
  mutating func code(_ text: inout String)
  /// As a word, where a coder has no better way.
  mutating func code(_ value: inout Double)
  mutating func code(_ value: inout Int64)
}

extension FieldCoder {
  private static var mostElements: Int { 4096 }

  @inline(__always)
  mutating func code(_ value: inout Double) {
    var word = value.bitPattern
    code(&word)
    value = Double(bitPattern: word)
  }

  @inline(__always)
  mutating func code(_ value: inout Int64) {
    var word = UInt64(bitPattern: value)
    code(&word)
    value = Int64(bitPattern: word)
  }

  mutating func code(_ value: inout Int) {
    var number = Int64(value)
    code(&number)
    value = Int(clamping: number)
  }

  mutating func code(_ value: inout Identifier) {
    var text = value.text
    code(&text)
    value = Identifier(text)
  }

  /// `empty` stands where a missing value would.
  @inline(__always)
  mutating func code<Value>(
    _ value: inout Value?, empty: Value, _ codeValue: (inout Self, inout Value) -> Void
  ) {
    var isThere: UInt64 = value == nil ? 0 : 1
    var inner = value ?? empty
    code(&isThere)
    codeValue(&self, &inner)
    value = isThere == 0 ? nil : inner
  }

  /// The number of elements, then each of them.
  mutating func code<Value>(_ values: inout [Value], empty: Value, _ codeValue: (inout Self, inout Value) -> Void) {
    var count = values.count
    code(&count)
    // No input leaves so many, and no reader asks for memory for more.
    count = max(0, min(count, Self.mostElements))
    if values.count > count { values.removeLast(values.count - count) }
    for index in 0..<count {
      if index == values.count { values.append(empty) }
      codeValue(&self, &values[index])
    }
  }
}
