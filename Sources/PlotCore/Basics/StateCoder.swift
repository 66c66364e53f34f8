/// Writes a device's state as bytes, or reads it back (docs/state-bytes.md).
protocol StateCoder: FieldCoder {
  static var reads: Bool { get }
  /// Of the bytes (`StateVersion`): a field that came with a later one is coded only from that one on.
  var version: UInt8 { get }
  /// Notes that a value that was read is impossible.
  mutating func reject()
  /// Whether there may be one more of so many elements that are still to be read.
  func expects(_ count: Int) -> Bool
}

extension StateCoder {
  mutating func code(_ flag: inout Bool) {
    var word: UInt64 = flag ? 1 : 0
    code(&word)
    flag = word != 0
    if word > 1 { reject() }
  }

  /// As every coder of fields, but a writer leaves what it writes as it is, and counts no reference of it.
  mutating func code(_ value: inout Identifier) {
    var text = value.text
    code(&text)
    if Self.reads { value = Identifier(text) }
  }

  mutating func code(_ text: inout String?) { code(&text, empty: "") { coder, text in coder.code(&text) } }
  mutating func code(_ number: inout Int64?) { code(&number, empty: 0) { coder, number in coder.code(&number) } }

  /// A value that is there or not; nothing follows where it is not.
  mutating func code<Value>(_ value: inout Value?, empty: Value, _ codeValue: (inout Self, inout Value) -> Void) {
    var isThere = value != nil
    code(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var inner = value ?? empty
    codeValue(&self, &inner)
    if Self.reads { value = inner }
  }

  /// Elements, in their order: how many, then each. One that was read is handed to `put`.
  mutating func each<Value>(
    _ values: some Collection<Value>, empty: @autoclosure () -> Value, put: (Value) -> Void,
    _ codeValue: (inout Self, inout Value) -> Void
  ) {
    var count = UInt64(values.count)
    code(&count)
    if !Self.reads {
      for value in values {
        var value = value
        codeValue(&self, &value)
      }
      return
    }
    guard let count = Int(exactly: count), expects(count) else { return reject() }
    for left in stride(from: count, to: 0, by: -1) {
      guard expects(left) else { return reject() }
      var value = empty()
      codeValue(&self, &value)
      put(value)
    }
  }

  /// The same for an array.
  mutating func list<Value>(_ values: inout [Value], empty: Value, _ codeValue: (inout Self, inout Value) -> Void) {
    var read: [Value] = []
    each(values, empty: empty, put: { read.append($0) }, codeValue)
    if Self.reads { values = read }
  }

  /// A table in the order of its keys: each key, then its value.
  mutating func table<Value>(
    _ table: some Sequence<(key: Identifier, value: Value)>, empty: Value, put: (Identifier, Value) -> Void,
    _ codeValue: (inout Self, inout Value) -> Void
  ) {
    each(
      table.sorted { $0.key < $1.key }, empty: (key: Identifier(""), value: empty), put: { put($0.key, $0.value) },
      { coder, entry in
        coder.code(&entry.key)
        codeValue(&coder, &entry.value)
      })
  }

  mutating func require(_ condition: @autoclosure () -> Bool) {
    if Self.reads, !condition() { reject() }
  }

  /// One of the cases of a type, by its place among them.
  mutating func code<Value: CaseIterable & Equatable>(_ value: inout Value) where Value.AllCases == [Value] {
    var place = Value.allCases.firstIndex(of: value) ?? 0
    var word = UInt64(place)
    code(&word)
    place = Int(clamping: word)
    guard place < Value.allCases.count else { return reject() }
    value = Value.allCases[place]
  }
}

/// The version of a state's bytes.
public enum StateVersion {
  /// Grows when something is added; what older versions have written is read.
  public static let newest: UInt8 = 4
}
