internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The file beside the store that keeps the machine's page: mapped and shared, so that writing it is no system call, and what was written outlives
/// the process at whatever instruction it ends (docs/store.md, The page).
///
/// Two slots take turns. A slot says which line of the log it follows: it counts only for a store whose last line that is. A transaction writes its
/// page first, under the checksum that its line will have. If the line is not added, the other slot still counts.
@safe final class PageFile {
  /// "PlotPage" and the version of its form.
  private static let magic: [UInt64] = [0x6567_6150_746f_6c50, 1]
  /// The first bytes of such a file.
  static let mark = Array("PlotPage".utf8)
  private static let headerSize = 64
  /// Checksum, number, what it follows, length.
  private static let prefixSize = 32
  private static let firstSize = 8192
  /// At a slot's end: fixes that were taken on the fast path since, and what each takes.
  private static let mostFixes = 32
  private static let fixSize = 64
  private static let mostSize = 1 << 22

  private let path: String
  private var memory: UnsafeMutableRawPointer?
  private var size = 0
  /// How often the process had been forked when it was mapped: a child must not write into its parent's page.
  private var forks = 0
  private var newest: (slot: Int, number: UInt64) = (1, 0)
  /// Of each slot, what it follows, its checksum, and how many fixes stand behind it.
  private var slots = (Slot(), Slot())

  private struct Slot {
    var follows: UInt64 = 0
    var sum: UInt64 = 0
    /// Full until a page is written.
    var fixes = PageFile.mostFixes
  }
  /// Why nothing is kept; nil while it is.
  private(set) var fault: StoreError?

  init(path: String) { self.path = path }

  deinit { close() }

  private var slotSize: Int { (size - Self.headerSize) / 2 }
  /// The bytes that a page may have.
  private var room: Int { slotSize - Self.prefixSize - Self.mostFixes * Self.fixSize - 8 }

  /// The page that follows this line; nil where there is none. `isForeign`: there is a file, with pages of another store, another time, or damaged.
  func page(after last: UInt64) -> (page: Page?, isForeign: Bool) {
    if unsafe memory == nil {
      guard open(creates: false) else { return (nil, false) }
    }
    var best: (slot: Int, number: UInt64, page: Page)?
    for slot in 0...1 {
      guard let found = read(slot), found.follows == last, found.number > best?.number ?? 0 else { continue }
      best = (slot, found.number, found.page)
    }
    guard let best else {
      let isEmpty = (0...1).allSatisfy { unsafe base($0).load(fromByteOffset: 8, as: UInt64.self) == 0 }
      return (nil, !isEmpty)
    }
    newest = (best.slot, best.number)
    var page = best.page
    page.fixes = fixes(of: best.slot)
    return (page, false)
  }

  /// Keeps a fix that was taken on the fast path; false where a whole page is to be written instead.
  @inline(__always)
  func write(_ fix: borrowing Fix, after last: UInt64) -> Bool {
    guard isOpen, HeldFiles.shared.forks == forks else { return false }
    return newest.slot == 0 ? put(fix, after: last, in: &slots.0, 0) : put(fix, after: last, in: &slots.1, 1)
  }

  @inline(__always)
  private func put(_ fix: borrowing Fix, after last: UInt64, in slot: inout Slot, _ number: Int) -> Bool {
    guard slot.follows == last, slot.fixes < Self.mostFixes else { return false }
    let words = unsafe base(number) + slotSize - (slot.fixes + 1) * Self.fixSize
    let sum = Self.sum(fix, slot.sum &+ UInt64(truncatingIfNeeded: slot.fixes))
    unsafe words.storeBytes(of: fix.time, toByteOffset: 8, as: Int64.self)
    unsafe words.storeBytes(of: fix.coordinate.latitude, toByteOffset: 16, as: Double.self)
    unsafe words.storeBytes(of: fix.coordinate.longitude, toByteOffset: 24, as: Double.self)
    unsafe words.storeBytes(of: fix.accuracy, toByteOffset: 32, as: Double.self)
    unsafe words.storeBytes(of: fix.speed, toByteOffset: 40, as: Double.self)
    unsafe words.storeBytes(of: fix.course, toByteOffset: 48, as: Double.self)
    unsafe words.storeBytes(of: sum, as: UInt64.self)
    slot.fixes &+= 1
    return true
  }

  /// Of a fix at its place behind a page: what an earlier page has left there is none.
  @inline(__always)
  private static func sum(_ fix: borrowing Fix, _ seed: UInt64) -> UInt64 {
    var sum = PageSum(seed)
    sum.add(UInt64(bitPattern: fix.time))
    sum.add(fix.coordinate.latitude.bitPattern)
    sum.add(fix.coordinate.longitude.bitPattern)
    sum.add(fix.accuracy.bitPattern)
    sum.add(fix.speed.bitPattern)
    sum.add(fix.course.bitPattern)
    return sum.value
  }

  /// Those behind the page of a slot that counts.
  private func fixes(of slot: Int) -> [Fix] {
    var state = Slot(follows: word(slot, 16), sum: word(slot, 0), fixes: 0)
    var found: [Fix] = []
    while state.fixes < Self.mostFixes {
      let start = slotSize - (state.fixes + 1) * Self.fixSize
      func number(_ index: Int) -> Double { Double(bitPattern: word(slot, start + index * 8)) }
      let fix = Fix(
        time: Int64(bitPattern: word(slot, start + 8)),
        coordinate: Coordinate(latitude: number(2), longitude: number(3)), accuracy: number(4), speed: number(5),
        course: number(6))
      guard Self.sum(fix, state.sum &+ UInt64(state.fixes)) == word(slot, start) else { break }
      found.append(fix)
      state.fixes += 1
    }
    if slot == 0 { slots.0 = state } else { slots.1 = state }
    return found
  }

  private func word(_ slot: Int, _ offset: Int) -> UInt64 {
    unsafe base(slot).load(fromByteOffset: offset, as: UInt64.self)
  }

  /// Keeps a page for a store whose last line has this checksum. What cannot be kept is not: the next process finds the store as if the device had
  /// been silent.
  @discardableResult
  @inline(__always)
  func write(_ page: borrowing Page, after last: UInt64) -> Bool {
    guard fault == nil, isOpen || open(creates: true) else { return false }
    guard HeldFiles.shared.forks == forks else { return false }
    let count = page.count
    guard count <= room || grow(to: count) else { return false }
    let next = (slot: 1 - newest.slot, number: newest.number &+ 1)
    let sum = unsafe put(page, count, next.number, last, at: base(next.slot))
    let state = Slot(follows: last, sum: sum, fixes: 0)
    if next.slot == 0 { slots.0 = state } else { slots.1 = state }
    newest = next
    return true
  }

  private var isOpen: Bool { unsafe memory != nil }

  /// The transaction whose page was written last has failed: the one before counts.
  func takeBack() { newest = (1 - newest.slot, newest.number &- 1) }

  /// Takes the file away with all that was in it.
  func erase() throws(StoreError) {
    if let memory = unsafe memory { unsafe memset(memory, 0, size) }
    close()
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(path, errno) }
  }

  /// Leaves the file as it is.
  func close() {
    if let memory = unsafe memory { unsafe munmap(memory, size) }
    unsafe memory = nil
    (size, newest, slots) = (0, (1, 0), (Slot(), Slot()))
  }

  // MARK: Slots

  private func base(_ slot: Int) -> UnsafeMutableRawPointer { unsafe memory! + Self.headerSize + slot * slotSize }

  @inline(__always)
  private func put(
    _ page: borrowing Page, _ count: Int, _ number: UInt64, _ last: UInt64, at slot: UnsafeMutableRawPointer
  ) -> UInt64 {
    var sum = PageSum()
    var position = 8
    @inline(__always)
    func put(_ word: UInt64) {
      unsafe slot.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
      sum.add(word)
      position &+= 8
    }
    put(number)
    put(last)
    put(UInt64(count))
    let inline = page.inlineWords
    for index in 0..<inline.count { put(inline.words[index]) }
    if !page.rest.isEmpty {
      let rest = page.rest
      for start in stride(from: 0, to: rest.count, by: 8) {
        var word: UInt64 = 0
        for index in (start..<min(start + 8, rest.count)).reversed() { word = word << 8 | UInt64(rest[index]) }
        put(word)
      }
    }
    unsafe slot.storeBytes(of: sum.value, as: UInt64.self)
    return sum.value
  }

  private func read(_ slot: Int) -> (number: UInt64, follows: UInt64, page: Page)? {
    let bytes = unsafe base(slot)
    func word(_ offset: Int) -> UInt64 { unsafe bytes.load(fromByteOffset: offset, as: UInt64.self) }
    guard let length = Int(exactly: word(24)), length <= room else { return nil }
    var sum = PageSum()
    for offset in stride(from: 8, to: Self.prefixSize + (length + 7) / 8 * 8, by: 8) { sum.add(word(offset)) }
    guard sum.value == word(0), word(8) > 0 else { return nil }
    var content = [UInt8](repeating: 0, count: length)
    for index in content.indices {
      content[index] = unsafe bytes.load(fromByteOffset: Self.prefixSize + index, as: UInt8.self)
    }
    return (word(8), word(16), Page(bytes: content))
  }

  // MARK: The file

  /// False where there is no file, or none that can be used.
  private func open(creates: Bool) -> Bool {
    guard fault == nil else { return false }
    do throws(StoreError) {
      let descriptor = try opened(path, creates: creates)
      guard descriptor >= 0 else { return false }
      defer { SystemCalls.close(descriptor) }
      var facts = stat()
      guard unsafe fstat(descriptor, &facts) == 0 else { throw .system(path, errno) }
      guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
      let found = Int(clamping: facts.st_size)
      let isOurs = found >= Self.firstSize && found <= Self.mostSize && found % Self.firstSize == 0
      try map(descriptor, isOurs ? found : Self.firstSize, isNew: !isOurs)
      return true
    } catch {
      fault = error
      return false
    }
  }

  private func opened(_ path: String, creates: Bool, more: Int32 = 0) throws(StoreError) -> Int32 {
    // Not blocking, should a pipe be there.
    let flags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT : 0) | more
    let descriptor = PlainFile.aboveStandard(SystemCalls.open(path, flags, 0o600))
    guard descriptor >= 0 || (!creates && errno == ENOENT) else { throw .system(path, errno) }
    return descriptor
  }

  /// Maps a file of this size, whose blocks are all there: writing to the memory of one that lacks some ends the process when the disk is full.
  private func map(_ descriptor: Int32, _ size: Int, isNew: Bool) throws(StoreError) {
    if isNew { guard ftruncate(descriptor, 0) == 0 else { throw .system(path, errno) } }
    let code = SystemCalls.reserve(descriptor, size)
    guard code == 0 else { throw .system(path, code) }
    guard let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe memory != MAP_FAILED
    else { throw .system(path, errno) }
    unsafe (self.memory, self.size) = (memory, size)
    forks = HeldFiles.shared.forks
    let isOurs = Self.magic.indices.allSatisfy {
      unsafe memory.load(fromByteOffset: $0 * 8, as: UInt64.self) == Self.magic[$0]
    }
    if isOurs { return }
    unsafe memset(memory, 0, size)
    for (index, word) in Self.magic.enumerated() {
      unsafe memory.storeBytes(of: word, toByteOffset: index * 8, as: UInt64.self)
    }
  }

  /// Puts a larger file in its place, with the newest page in it.
  private func grow(to count: Int) -> Bool {
    var wanted = size
    while (wanted - Self.headerSize) / 2 - (slotSize - room) < count { wanted *= 2 }
    let kept = newest.number > 0 ? read(newest.slot) : nil
    do throws(StoreError) {
      guard wanted <= Self.mostSize else {
        throw StoreError(kind: .failed, message: "\(path): a page of \(count) bytes is too long")
      }
      let new = path + "-new"
      unlinkIfThere(new)
      let descriptor = try opened(new, creates: true, more: O_EXCL)
      defer { SystemCalls.close(descriptor) }
      close()
      try map(descriptor, wanted, isNew: true)
      if let kept {
        _ = unsafe put(kept.page, kept.page.count, 1, kept.follows, at: base(0))
        newest = (0, 1)
      }
      guard unsafe rename(new, path) == 0 else { throw .system(path, errno) }
      return true
    } catch {
      close()
      fault = error
      return false
    }
  }

  private func unlinkIfThere(_ path: String) { unsafe unlink(path) }
}

/// Four sums side by side, each as FNV-1a over words: no change within one word leaves it as it is.
private struct PageSum {
  private var sums: (UInt64, UInt64, UInt64, UInt64) = (
    0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4, 0x9ce4_8422_2325_cbf2, 0x2325_cbf2_9ce4_8422
  )
  private static let prime: UInt64 = 0x100_0000_01b3

  init(_ seed: UInt64 = 0) { sums.0 ^= seed }

  /// The next word goes to the next sum.
  @inline(__always)
  mutating func add(_ word: UInt64) {
    sums = (sums.1, sums.2, sums.3, (sums.0 ^ word) &* Self.prime)
  }

  var value: UInt64 {
    var value = (sums.0 &* Self.prime ^ sums.1) &* Self.prime
    value = (value ^ sums.2) &* Self.prime
    return (value ^ sums.3) &* Self.prime
  }
}
