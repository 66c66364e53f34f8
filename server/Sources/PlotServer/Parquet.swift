/// A table as a file of Apache Parquet (format 2.10; https://parquet.apache.org/docs/file-format/): one row group, a page for each column, values one after
/// the other, nothing packed. Statistics are small, and each reader takes this form. There is no Swift package that writes one.
enum Parquet {
  static func file(_ table: Table) -> [UInt8] {
    var bytes = mark
    let chunks = table.columns.map { column in
      let start = bytes.count
      let page = page(column)
      bytes += header(of: page, rows: table.rowCount) + page
      return (start: start, size: bytes.count - start)
    }
    let footer = footer(table, chunks)
    return bytes + footer + fixed(UInt32(footer.count)) + mark
  }

  private static let mark = Array("PAR1".utf8)

  /// The numbers that the format gives to its words.
  private enum Word {
    static let (int64, double, byteArray): (Int64, Int64, Int64) = (2, 5, 6)
    static let (required, optional): (Int64, Int64) = (0, 1)
    static let utf8: Int64 = 0
    static let (plain, rle): (Int64, Int64) = (0, 3)
    static let (uncompressed, dataPage): (Int64, Int64) = (0, 0)
  }

  // MARK: Values

  private static func page(_ column: Table.Column) -> [UInt8] {
    switch column.values {
    case .texts(let texts): texts.flatMap { fixed(UInt32($0.utf8.count)) + Array($0.utf8) }
    case .integers(let numbers): levels(numbers) + numbers.compactMap { $0 }.flatMap { fixed(UInt64(bitPattern: $0)) }
    case .reals(let numbers): levels(numbers) + numbers.compactMap { $0 }.flatMap { fixed($0.bitPattern) }
    }
  }

  /// Which values are there: a bit of each, eight to a byte, the first one lowest, as one run.
  private static func levels(_ values: [(some Any)?]) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: (values.count + 7) / 8)
    for (index, value) in values.enumerated() where value != nil { packed[index / 8] |= 1 << (index % 8) }
    let run = variable(UInt64(packed.count) << 1 | 1) + packed
    return fixed(UInt32(run.count)) + run
  }

  /// Little-endian.
  private static func fixed<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> T(8 * $0)) }
  }

  fileprivate static func variable(_ number: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  // MARK: What is said of them

  private static func header(of page: [UInt8], rows: Int) -> [UInt8] {
    var header = ThriftStruct()
    header.add(1, Word.dataPage)
    header.add(2, Int64(page.count))
    header.add(3, Int64(page.count))
    header.add(5, dataPage(rows))
    return header.finished
  }

  private static func dataPage(_ rows: Int) -> ThriftStruct {
    var page = ThriftStruct()
    page.add(1, Int64(rows))
    page.add(2, Word.plain)
    page.add(3, Word.rle)
    page.add(4, Word.rle)
    return page
  }

  private static func footer(_ table: Table, _ chunks: [(start: Int, size: Int)]) -> [UInt8] {
    var root = ThriftStruct()
    root.add(4, "table")
    root.add(5, Int64(table.columns.count))
    var group = ThriftStruct()
    group.add(1, zip(table.columns, chunks).map { chunk($0, $1, rows: table.rowCount) })
    group.add(2, wide: Int64(chunks.reduce(0) { $0 + $1.size }))
    group.add(3, wide: Int64(table.rowCount))
    var file = ThriftStruct()
    file.add(1, Int64(2))
    file.add(2, [root] + table.columns.map(element))
    file.add(3, wide: Int64(table.rowCount))
    file.add(4, [group])
    file.add(6, "plot-server")
    return file.finished
  }

  private static func type(_ column: Table.Column) -> Int64 {
    switch column.values {
    case .texts: Word.byteArray
    case .integers: Word.int64
    case .reals: Word.double
    }
  }

  private static func element(_ column: Table.Column) -> ThriftStruct {
    var element = ThriftStruct()
    element.add(1, type(column))
    if case .texts = column.values {
      element.add(3, Word.required)
      element.add(4, column.name)
      element.add(6, Word.utf8)
    } else {
      element.add(3, Word.optional)
      element.add(4, column.name)
    }
    return element
  }

  private static func chunk(_ column: Table.Column, _ place: (start: Int, size: Int), rows: Int) -> ThriftStruct {
    var data = ThriftStruct()
    data.add(1, type(column))
    data.add(2, numbers: [Word.plain, Word.rle])
    data.add(3, texts: [column.name])
    data.add(4, Word.uncompressed)
    data.add(5, wide: Int64(rows))
    data.add(6, wide: Int64(place.size))
    data.add(7, wide: Int64(place.size))
    data.add(9, wide: Int64(place.start))
    var chunk = ThriftStruct()
    chunk.add(2, wide: Int64(place.start))
    chunk.add(3, data)
    return chunk
  }
}

/// A struct of Thrift's compact protocol, whose fields are added in the order of their numbers.
private struct ThriftStruct {
  private var bytes: [UInt8] = []
  private var last = 0

  private enum Kind {
    static let (int32, int64, binary, list, structure): (UInt8, UInt8, UInt8, UInt8, UInt8) = (5, 6, 8, 9, 12)
  }

  /// Ends it.
  var finished: [UInt8] { bytes + [0] }

  private mutating func begin(_ field: Int, _ kind: UInt8) {
    bytes.append(UInt8(field - last) << 4 | kind)
    last = field
  }

  /// Small numbers of either sign take few bytes.
  private static func zigzag(_ number: Int64) -> [UInt8] {
    Parquet.variable(UInt64(bitPattern: number << 1) ^ UInt64(bitPattern: number >> 63))
  }

  private static func text(_ text: String) -> [UInt8] { Parquet.variable(UInt64(text.utf8.count)) + Array(text.utf8) }

  private mutating func list(_ field: Int, _ kind: UInt8, _ elements: [[UInt8]]) {
    begin(field, Kind.list)
    bytes +=
      elements.count < 15
      ? [UInt8(elements.count) << 4 | kind] : [0xF0 | kind] + Parquet.variable(UInt64(elements.count))
    bytes += elements.joined()
  }

  mutating func add(_ field: Int, _ number: Int64) {
    begin(field, Kind.int32)
    bytes += Self.zigzag(number)
  }

  mutating func add(_ field: Int, wide number: Int64) {
    begin(field, Kind.int64)
    bytes += Self.zigzag(number)
  }

  mutating func add(_ field: Int, _ text: String) {
    begin(field, Kind.binary)
    bytes += Self.text(text)
  }

  mutating func add(_ field: Int, _ value: ThriftStruct) {
    begin(field, Kind.structure)
    bytes += value.finished
  }

  mutating func add(_ field: Int, _ values: [ThriftStruct]) { list(field, Kind.structure, values.map(\.finished)) }

  mutating func add(_ field: Int, numbers: [Int64]) { list(field, Kind.int32, numbers.map(Self.zigzag)) }

  mutating func add(_ field: Int, texts: [String]) { list(field, Kind.binary, texts.map(Self.text)) }
}
