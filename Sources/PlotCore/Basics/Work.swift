#if DEBUG
  internal import Synchronization
#endif

/// Counts looks at identifiers and items, for tests that ask whether work grows in proportion. A release counts nothing.
enum Work {
  #if DEBUG
    private static let count = Atomic<Int>(0)

    /// All looks of this process so far.
    static var done: Int { count.load(ordering: .relaxed) }
  #endif

  @inline(__always)
  static func note() {
    #if DEBUG
      count.wrappingAdd(1, ordering: .relaxed)
    #endif
  }
}
