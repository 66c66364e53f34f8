internal import CRunLibraries
internal import Glibc

/// A call of the system, or of a library that reports an `errno`, has failed.
package nonisolated struct SystemFault: Error, CustomStringConvertible {
  var action: String
  /// An `errno`, positive; 0 where the action says all.
  var code: Int32

  init(_ action: String, code: Int32 = errno) {
    self.action = action
    self.code = abs(code)
  }

  package var description: String { code == 0 ? action : unsafe "\(action): \(String(cString: strerror(code)))" }

  /// The result of a call that gives a negative `errno` when it fails.
  @discardableResult
  static func check(_ result: Int32, _ action: String) throws(SystemFault) -> Int32 {
    guard result >= 0 else { throw SystemFault(action, code: result) }
    return result
  }
}

/// The one event loop of the process, which is sd-event's.
///
/// It sleeps until a descriptor, a timer, a signal or a child has something. Timers are of the clock that counts on while the device sleeps
/// (`CLOCK_BOOTTIME`), so that one that has come meanwhile is due at the resume.
@safe final class EventLoop {
  let handle: OpaquePointer
  /// How often the process has gone on after a sleep.
  private(set) var wakeups: UInt64 = 0
  private var isRunning = true

  /// Blocks the signals that it reports, here and in threads that begin later.
  init() throws(SystemFault) {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] { unsafe sigaddset(&mask, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &mask, nil)
    if let fault = unsafe plot_load_systemd() { throw unsafe SystemFault(String(cString: fault), code: ENOPKG) }
    var loop: OpaquePointer?
    try SystemFault.check(unsafe sd_event_new(&loop), "event loop")
    unsafe handle = loop!
  }

  isolated deinit { unsafe sd_event_unref(handle) }

  /// Runs until `stop`, or until a condition holds, or so many milliseconds are over.
  func run(for milliseconds: Int64? = nil, until isOver: () -> Bool = { false }) throws(SystemFault) {
    var isLate = false
    let end = try timer { isLate = true }
    end.set(after: milliseconds)
    while isRunning, !isLate, !isOver() {
      var ready = try SystemFault.check(unsafe sd_event_prepare(handle), "event loop")
      if ready == 0 {
        ready = try SystemFault.check(unsafe sd_event_wait(handle, .max), "event loop")
        wakeups += 1
      }
      if ready > 0 { try SystemFault.check(unsafe sd_event_dispatch(handle), "event loop") }
    }
  }

  func stop() { isRunning = false }

  /// Milliseconds since the start of the device.
  static func uptime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Calls `action` with the events (`EPOLLIN`, …) of a descriptor. The source has it from now on, and closes it when it is cancelled: one
  /// that is closed while it is watched goes on being reported as long as a child that has just begun holds it too. It stays open when this throws.
  func watch(owning descriptor: Int32, _ events: UInt32, _ action: @escaping (UInt32) -> Void) throws(SystemFault)
    -> LoopSource
  {
    let source = try watch(descriptor, events, action)
    source.owned = descriptor
    return source
  }

  /// Calls `action` with the events of a descriptor that stays the caller's, who cancels the source before it is closed.
  func watch(_ descriptor: Int32, _ events: UInt32, _ action: @escaping (UInt32) -> Void) throws(SystemFault)
    -> LoopSource
  {
    let source = LoopSource { action(UInt32(truncatingIfNeeded: $0)) }
    try unsafe source.add("watch") { pointer, context in
      unsafe sd_event_add_io(
        self.handle, pointer, descriptor, events,
        { _, _, events, context in
          unsafe LoopSource.fire(context, Int64(events))
          return 0
        }, context)
    }
    return source
  }

  /// Calls `action` when a timer that was set has come.
  func timer(_ action: @escaping () -> Void) throws(SystemFault) -> LoopTimer {
    let source = LoopSource { _ in action() }
    try unsafe source.add("timer") { pointer, context in
      unsafe sd_event_add_time(
        self.handle, pointer, CLOCK_BOOTTIME, .max, LoopTimer.accuracy,
        { _, _, context in
          unsafe LoopSource.fire(context, 0)
          return 0
        }, context)
    }
    return LoopTimer(source)
  }

  /// Calls `action` for each signal of this number.
  func signal(_ number: Int32, _ action: @escaping () -> Void) throws(SystemFault) -> LoopSource {
    let source = LoopSource { _ in action() }
    try unsafe source.add("signal") { pointer, context in
      unsafe sd_event_add_signal(
        self.handle, pointer, number,
        { _, _, context in
          unsafe LoopSource.fire(context, 0)
          return 0
        }, context)
    }
    return source
  }

  /// Calls `action` with the exit status of a child, or 128 and the number of the signal that has ended it.
  func child(_ process: pid_t, _ action: @escaping (Int32) -> Void) throws(SystemFault) -> LoopSource {
    let source = LoopSource { action(Int32(truncatingIfNeeded: $0)) }
    try unsafe source.add("child") { pointer, context in
      unsafe sd_event_add_child(
        self.handle, pointer, process, WEXITED,
        { _, info, context in
          let status = unsafe info!.pointee._sifields._sigchld.si_status
          let isExit = unsafe info!.pointee.si_code == Int32(CLD_EXITED)
          unsafe LoopSource.fire(context, Int64(isExit ? status : 128 + status))
          return 0
        }, context)
    }
    return source
  }

  /// Calls `action` when something in a folder was made, replaced or taken away.
  func changes(of folder: String, _ action: @escaping () -> Void) throws(SystemFault) -> LoopSource {
    let source = LoopSource { _ in action() }
    let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE | IN_ONLYDIR)
    try unsafe source.add("watch \(folder)") { pointer, context in
      unsafe sd_event_add_inotify(
        self.handle, pointer, folder, events,
        { _, _, context in
          unsafe LoopSource.fire(context, 0)
          return 0
        }, context)
    }
    return source
  }
}

/// Something that the loop watches, as long as this lives.
@safe final class LoopSource {
  fileprivate var pointer: OpaquePointer?
  /// A descriptor that is closed after the loop has let go of it.
  fileprivate var owned: Int32?
  private let action: (Int64) -> Void

  fileprivate init(_ action: @escaping (Int64) -> Void) { self.action = action }

  isolated deinit { cancel() }

  fileprivate func add(
    _ name: String, _ body: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemFault) {
    var source: OpaquePointer?
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    try SystemFault.check(unsafe withUnsafeMutablePointer(to: &source) { unsafe body($0, context) }, name)
    unsafe pointer = source
    // A fault of ours must not take the source away in silence.
    unsafe sd_event_source_set_exit_on_failure(source, 1)
  }

  fileprivate static func fire(_ context: UnsafeMutableRawPointer?, _ value: Int64) {
    // Held while it runs: the action may cancel its own source.
    let source = unsafe Unmanaged<LoopSource>.fromOpaque(context!).takeUnretainedValue()
    source.action(value)
  }

  /// Which events of a descriptor are reported from now on.
  func setEvents(_ events: UInt32) { unsafe sd_event_source_set_io_events(pointer, events) }

  func cancel() {
    guard let source = unsafe pointer else { return }
    unsafe pointer = nil
    unsafe sd_event_source_disable_unref(source)
    if let owned { close(owned) }
  }
}

/// A timer that is set again and again.
final class LoopTimer {
  /// Microseconds by which it may be late, so that timers come together.
  static let accuracy: UInt64 = 20_000

  private let source: LoopSource

  fileprivate init(_ source: LoopSource) { self.source = source }

  /// Comes once, in so many milliseconds; nil for never.
  func set(after milliseconds: Int64?) {
    guard let pointer = unsafe source.pointer else { return }
    guard let milliseconds else {
      unsafe sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
      return
    }
    // At most a year: what lies further away is looked at again then.
    let rest = min(max(0, milliseconds), 31_536_000_000)
    unsafe sd_event_source_set_time(pointer, UInt64(EventLoop.uptime() + rest) * 1000)
    unsafe sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT))
  }

  func cancel() { source.cancel() }
}

/// How long to wait before the next try: 1 s at first, then twice as long each time.
struct Backoff {
  private let longest: Int64
  private var next: Int64 = 1000

  /// `longest` in milliseconds.
  init(longest: Int64) { self.longest = longest }

  mutating func delay() -> Int64 {
    defer { next = min(next * 2, longest) }
    return min(next, longest)
  }

  mutating func reset() { next = 1000 }
}
