#if PLOT_TSAN
  internal import Synchronization

  /// Swift's mutex, which tells the thread sanitizer what it is (Tests/sanitize/run.sh): its own code is in a library that the sanitizer does not watch,
  /// and each use under it would look like one without.
  @safe public struct Lock<Value>: ~Copyable, @unchecked Sendable {
    private let mutex: Mutex<Value>
    private let sign: UnsafeMutableRawPointer

    public init(_ value: consuming sending Value) {
      mutex = Mutex(value)
      unsafe sign = .allocate(byteCount: 8, alignment: 8)
    }

    deinit { unsafe sign.deallocate() }

    public borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      unsafe willLock(sign, 0)
      defer { unsafe didUnlock(sign, 0) }
      return try mutex.withLock { (value) throws(E) -> sending Result in
        unsafe didLock(sign, 0, 0)
        defer { _ = unsafe willUnlock(sign, 0) }
        return try body(&value)
      }
    }
  }

  // Of the sanitizer (sanitizer/tsan_interface.h).
  @_silgen_name("__tsan_mutex_pre_lock") private func willLock(_ sign: UnsafeMutableRawPointer, _ flags: UInt32)
  @_silgen_name("__tsan_mutex_post_lock")
  private func didLock(_ sign: UnsafeMutableRawPointer, _ flags: UInt32, _ depth: Int32)
  @_silgen_name("__tsan_mutex_pre_unlock")
  private func willUnlock(_ sign: UnsafeMutableRawPointer, _ flags: UInt32) -> Int32
  @_silgen_name("__tsan_mutex_post_unlock") private func didUnlock(_ sign: UnsafeMutableRawPointer, _ flags: UInt32)
#elseif DEBUG
  internal import Synchronization

  /// Swift's mutex, which counts how often it is taken, for the tests.
  public struct Lock<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    let count = Atomic<Int>(0)

    public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    public borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      count.add(1, ordering: .relaxed)
      return try mutex.withLock(body)
    }
  }
#else
  public import Synchronization

  public typealias Lock = Mutex
#endif
