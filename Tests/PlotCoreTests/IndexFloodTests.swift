import PlotTesting
import Testing

@testable import PlotCore

/// Places that somebody has chosen so that the blocks they are in meet in the index's hash table. What is counted are steps and bytes, never time.
@Suite struct IndexFloodTests {
  /// Rows and columns of blocks of the finest grid whose keys a single multiplication by 9E3779B97F4A7C15 takes to hashes with the same last 22 bits.
  private static let blocks: [(row: Int, column: Int)] = [
    (100018, 152806), (100040, 99559), (100042, 167017), (100044, 110520), (100047, 71477), (100063, 47777),
    (100077, 138863), (100087, 52975), (100108, 85870), (100126, 60784), (100159, 89127), (100229, 82900),
    (100230, 183645), (100325, 124250), (100428, 181118), (100441, 145124), (100474, 173467), (100476, 116970),
    (100497, 81287), (100522, 62706), (100525, 77848), (100532, 63910), (100535, 24867), (100555, 145234),
    (100558, 106191), (100644, 67416), (100657, 32779), (100661, 43740), (100664, 4697), (100694, 72083),
    (100712, 146792), (100715, 107749), (100745, 175135), (100748, 190277), (100776, 22347), (100882, 88711),
    (100909, 137588), (100912, 24836), (100912, 98545), (100948, 68321), (100991, 87852), (100994, 48809),
    (101024, 116195), (101027, 131337), (101029, 74840), (101083, 191189), (101097, 154216), (101100, 115173),
    (101111, 123054), (101114, 138196), (101130, 182559), (101133, 197701), (101147, 166539), (101175, 39411),
    (101190, 151318), (101228, 138306), (101238, 87170), (101241, 48127), (101341, 144038), (101363, 56039),
    (101367, 67000), (101400, 95343), (101413, 12736), (101421, 183349), (101437, 159649), (101462, 141068),
    (101498, 11049), (101517, 28230), (101531, 41237), (101558, 182418), (101615, 160848), (101618, 121805),
    (101648, 189191), (101664, 80924), (101679, 36403), (101697, 109267), (101697, 111112), (101700, 124409),
    (101730, 139455), (101794, 5997), (101815, 38892), (101822, 167073), (101855, 20390), (101888, 141037),
    (101894, 101908), (101896, 174578), (101911, 80242), (101916, 48661), (101927, 56542), (101930, 17499),
    (101976, 17420), (102014, 137110), (102082, 118536), (102083, 37279), (102093, 165374), (102162, 65543),
    (102175, 115638), (102190, 21302), (102201, 73352), (102204, 34309), (102232, 94068), (102235, 55025),
    (102254, 40821), (102265, 122411), (102281, 182002), (102288, 153920), (102298, 102784), (102304, 130220),
    (102321, 182263), (102328, 135418), (102340, 173705), (102347, 72675), (102347, 196364), (102400, 171570),
    (102401, 25105), (102403, 132527), (102403, 186712), (102406, 147669), (102420, 110696), (102445, 63174),
    (102453, 139039), (102528, 13462), (102561, 43650), (102567, 94980), (102589, 41733), (102600, 125168),
    (102732, 80099), (102736, 3968),
  ]

  private static func hash(_ key: UInt64) -> UInt64 {
    let product = key &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// A metre round the middle of the block's second cell in its second row.
  private static func circle(_ row: Int, _ column: Int, _ grid: RegionGrid) -> Circle {
    let band = row * 4 / grid.rowsPerBand
    let latitude = (Double(row * 4) + 1.5) / grid.rowScale - 90
    let longitude = (Double(column * 4) + 1.5) / grid.columnScale(band) - 180
    return Circle(center: Coordinate(latitude: latitude, longitude: longitude), radius: 1)
  }

  @Test func placesThatWereMadeToMeetMakeTheIndexNoLarger() {
    let keys = Self.blocks.map { IndexLayout.key($0.row, $0.column) }
    #expect(Set(keys).count == 128 && Set(keys.map { Self.hash($0) & 0x3F_FFFF }).count == 1, "they meet")
    let grid = RegionGrid(rows: RegionGrid.rowCounts.last!)
    func index(_ blocks: [(row: Int, column: Int)]) -> RegionIndex {
      RegionIndex(
        blocks.enumerated().map { number, block in
          Region(id: Identifier("r\(number)"), name: nil, shape: .circle(Self.circle(block.row, block.column, grid)))
        })
    }
    let made = index(Self.blocks)
    let plain = index(Self.blocks.indices.map { (100_000 + $0 * 20, 10_000 + $0 * 1000) })
    #expect(made.byteCount < plain.byteCount * 5 / 4, "\(made.byteCount) bytes, \(plain.byteCount) for others")
    for (number, block) in Self.blocks.enumerated() {
      var found: [Int] = []
      made.forEachContaining(Self.circle(block.row, block.column, grid).center) { found.append($0) }
      #expect(found == [number])
    }
  }

  /// Keys for the hash that is tried first: they lie in one sort of the table.
  @Test(arguments: [10, 40, 128, 400]) func keysThatMeetByOneHashDoNotByTheNext(_ count: Int) {
    var keys: [UInt64] = []
    var row = 100_000
    while keys.count < count {
      for column in 0..<(1 << 16) where IndexLayout.hash(IndexLayout.key(row, column), 0) & 0xFF == 0x21 {
        keys.append(IndexLayout.key(row, column))
      }
      row += 1
    }
    keys = Array(keys.prefix(count))
    let table = SlotTable(keys)
    #expect(table.tries <= 8, "\(table.tries) tries")
    #expect(table.count <= count + count / 8 + 1 && table.seeds.count <= max(1, count / 2))
    #expect(Set(table.numbers).count == count && table.numbers.allSatisfy { (0..<table.count).contains($0) })
    for (key, number) in zip(keys, table.numbers) {
      let hash = IndexLayout.hash(key, table.hashSeed)
      let seed = table.seeds[Int(hash & UInt64(table.seeds.count - 1))]
      #expect(IndexLayout.slot(hash, seed, UInt64(table.count)) == number)
    }
  }

  @Test func blocksAreNumberedInTheirOrder() {
    var blocks = BlockTable()
    let keys: [UInt64] = [7, 7, 1 << 40, 7, 0, 0, 1 << 50, 1 << 40]
    #expect(keys.map { blocks.number($0) } == [0, 0, 1, 0, 2, 2, 3, 1])
    #expect(blocks.keys == [7, 1 << 40, 0, 1 << 50])
  }

  /// Many levels that are all the same bytes would have them looked through once for each.
  @Test func levelsThatShareTheirBytesAreRefused() throws {
    let regions = (0..<40).map { number in
      Region(
        id: Identifier("r\(number)"), name: nil,
        shape: .circle(Circle(center: Coordinate(latitude: 52, longitude: Double(number) / 10), radius: 100)))
    }
    let size = MemoryLayout<IndexLayout.Level>.stride
    let good = RegionIndex(regions).withBytes { Array($0) }
    let header = good.withUnsafeBytes { $0.load(as: IndexLayout.Header.self) }
    let first = Int(header.levels)
    #expect(header.levelCount == 1)
    func isTaken(levels: Int) -> Bool {
      var header = header
      header.levelCount = UInt64(levels)
      header.levels = UInt64(good.count)
      let level = good[first..<(first + size)]
      let block = AlignedBlock(good.count + levels * size)
      header.byteCount = UInt64(block.count)
      let bytes = UnsafeMutableRawBufferPointer(start: block.address, count: block.count)
      bytes.copyBytes(from: good + (0..<levels).flatMap { _ in level })
      bytes.storeBytes(of: header, as: IndexLayout.Header.self)
      return RegionIndex(bytes: UnsafeRawBufferPointer(bytes), owner: block, regions: 40) { _ in nil } != nil
    }
    #expect(isTaken(levels: 1))
    #expect(!isTaken(levels: 3))
  }
}
