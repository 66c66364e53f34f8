internal import PlotCore
internal import PlotFiles

/// The ids of a compiled feed's regions or campaigns, and the order by which one is found: positions, sorted by the bytes of their ids.
///
/// Whoever makes the file chooses the ids, so nothing here depends on a hash: a search takes at most log2(count) + 1 comparisons.
/// `init` checks the order in linear time, so that a search is right whatever the file holds.
struct SortedIds: Sendable {
  let count: Int
  private let mapping: FeedMapping
  private let texts: MappedTexts
  /// Where the positions lie, 4 bytes each.
  private let order: Int

  init(
    _ mapping: FeedMapping, count: Int, _ ids: FeedFile.Section, _ starts: FeedFile.Section, _ order: FeedFile.Section
  ) throws(DocumentError) {
    self.count = count
    self.mapping = mapping
    texts = try MappedTexts(mapping, count: count, ids, starts)
    let range = mapping.range(order)
    self.order = range.lowerBound
    guard range.count == 4 * count else {
      throw FeedMapping.damaged("\(4 * count) bytes in the section \"\(order)\"", "\(range.count)")
    }
    guard areUTF8(mapping, ids) else {
      throw FeedMapping.damaged("ids of UTF-8 in the section \"\(ids)\"", "other bytes")
    }
    var before: Int?
    for rank in 0..<count {
      let next = position(atRank: rank)
      guard next < count else {
        throw FeedMapping.damaged("numbers below \(count) in the section \"\(order)\"", "\(next)")
      }
      // Each is greater than the one before: none is there twice, and so every position is.
      guard before.map({ bytes(at: $0).order(bytes(at: next)) < 0 }) ?? true else {
        throw FeedMapping.damaged(
          "positions in the section \"\(order)\", ascending by the bytes of their ids", "another order at \(rank)")
      }
      before = next
    }
  }

  /// The order section of a feed with these ids.
  static func order(of ids: [Identifier]) -> [UInt32] {
    ids.indices.sorted { ids[$0] == ids[$1] ? $0 < $1 : ids[$0] < ids[$1] }.map { UInt32($0) }
  }

  @_lifetime(borrow self)
  func bytes(at position: Int) -> Span<UInt8> { texts.bytes(at: position) }

  func text(at position: Int) -> String { texts.text(at: position) }

  func position(of id: Identifier) -> Int? { find(id).position }

  /// Where an id is, and how many ids it was compared with.
  func find(_ id: Identifier) -> (position: Int?, comparisons: Int) {
    let wanted = id.text.utf8.span
    var (low, high, comparisons) = (0, count, 0)
    while low < high {
      let middle = (low + high) / 2
      let position = position(atRank: middle)
      let order = wanted.order(bytes(at: position))
      comparisons += 1
      if order == 0 { return (position, comparisons) }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return (nil, comparisons)
  }

  private func position(atRank rank: Int) -> Int { Int(mapping.number(UInt32.self, at: order + 4 * rank)) }

  /// Whether all ids are UTF-8, each by itself: the section is, and no id begins within a character.
  private func areUTF8(_ mapping: FeedMapping, _ ids: FeedFile.Section) -> Bool {
    let all = mapping.bytes(in: mapping.range(ids))
    guard let text = try? UTF8Span(validating: all) else { return false }
    return text.isKnownASCII
      || (0..<count).allSatisfy { position in
        let id = bytes(at: position)
        return id.isEmpty || id[0] & 0xC0 != 0x80
      }
  }
}

/// Texts of a compiled feed that follow each other, and where each begins. Together they are their section: none overlaps another, so that
/// reading all of them is reading the section once.
struct MappedTexts: Sendable {
  private let mapping: FeedMapping
  private let all: Range<Int>
  private let starts: Int
  private let count: Int

  init(
    _ mapping: FeedMapping, count: Int, _ section: FeedFile.Section, _ startSection: FeedFile.Section
  ) throws(DocumentError) {
    self.mapping = mapping
    self.count = count
    all = mapping.range(section)
    let range = mapping.range(startSection)
    starts = range.lowerBound
    guard range.count == 8 * (count + 1) else {
      throw FeedMapping.damaged("\(8 * (count + 1)) bytes in the section \"\(startSection)\"", "\(range.count)")
    }
    var before: UInt64 = 0
    for position in 0...count {
      let start = mapping.number(UInt64.self, at: starts + 8 * position)
      guard start >= before, position > 0 || start == 0, position < count || start == UInt64(all.count) else {
        throw FeedMapping.damaged(
          "ascending numbers from 0 to \(all.count) in the section \"\(startSection)\"", "\(start) at \(position)")
      }
      before = start
    }
  }

  func text(at position: Int) -> String { String(copying: bytes(at: position)) }

  @_lifetime(borrow self)
  func bytes(at position: Int) -> Span<UInt8> {
    precondition((0..<count).contains(position))
    let at = starts + 8 * position
    let start = Int(truncatingIfNeeded: mapping.number(UInt64.self, at: at))
    let end = Int(truncatingIfNeeded: mapping.number(UInt64.self, at: at + 8))
    return mapping.bytes(in: (all.lowerBound + start)..<(all.lowerBound + end))
  }
}
