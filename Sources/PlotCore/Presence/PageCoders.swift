/// Appends words in memory that does not grow, and what does not fit in bytes behind.
struct FieldWriter: FieldCoder {
  private(set) var page = Page()

  @inline(__always)
  mutating func code(_ word: inout UInt64) { page.append(word) }

  mutating func code(_ text: inout String) { page.append(text) }
}

/// Reads what a `FieldWriter` wrote. Behind the end it reads zeros, and is not sound.
struct FieldReader: FieldCoder {
  private let page: Page
  private var position = 0
  private var isSound = true

  init(_ page: Page) { self.page = page }

  /// Whether every field was there, and none is left.
  var isComplete: Bool { isSound && position == page.count }

  mutating func code(_ word: inout UInt64) {
    word = page.word(at: position) ?? fail(0)
    position += 8
  }

  mutating func code(_ text: inout String) {
    let count = page.word(at: position) ?? fail(0)
    position += 8
    text = page.text(at: position, count) ?? fail("")
    position += text.utf8.count
  }

  private mutating func fail<Value>(_ value: Value) -> Value {
    isSound = false
    return value
  }
}
