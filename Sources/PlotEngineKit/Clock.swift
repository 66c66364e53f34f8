#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A reading of a device's clocks at one moment.
public struct ClockReading: Hashable, Sendable {
  /// The wall clock, which may be set.
  public var date: Date
  /// The time since the device was started, also while it sleeps; nil where nothing says so.
  public var uptime: Duration?
  /// A name for that start: 1 to 255 bytes, another one after the next start.
  public var boot: String

  /// A reading of the wall clock, with the time since the device was started where that is known, and a text that is
  /// another one after each start.
  public init(date: Date, uptime: Duration? = nil, boot: String = "") {
    self.date = date
    self.uptime = uptime
    self.boot = boot
  }
}

/// Gives the time of every input that comes without one.
///
/// A clock that also reads the time since the device was started lets the engine notice that the wall clock was set.
public struct EngineClock: Sendable {
  /// Gives a reading, at each call.
  public var read: @Sendable () -> ClockReading
  /// Waits for about so long, and throws when the task is cancelled: ``Engine/run()`` looks at the clock again afterwards.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// A clock of the app's own.
  public init(_ read: @escaping @Sendable () -> ClockReading) { self.read = read }

  /// A clock of dates alone, as a test or a replay has it.
  public static func dates(_ now: @escaping @Sendable () -> Date) -> EngineClock {
    EngineClock { ClockReading(date: now()) }
  }

  /// The clocks of this machine.
  public static let system = EngineClock { SystemClock.read() }
}

private enum SystemClock {
  /// Two clocks read further apart than this, as when the process was stopped, are read again.
  private static let together = Duration.milliseconds(100)

  static func read() -> ClockReading {
    guard let boot, var before = uptime() else { return ClockReading(date: Date()) }
    var date = Date()
    if let after = uptime(), after - before >= together, let again = uptime() { (before, date) = (again, Date()) }
    return ClockReading(date: date, uptime: before, boot: boot)
  }

  private static func uptime() -> Duration? {
    var time = timespec()
    #if os(Linux) || os(Android)
      guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
    #elseif canImport(Darwin)
      // On Apple's systems this one goes on while the device sleeps.
      guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return nil }
    #else
      return nil
    #endif
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The system's name for this start of the machine; nil where it has none. It also names the clock that counts from it, and on Linux the time
  /// namespace, in which that clock may be shifted.
  private static let boot: String? = {
    #if os(Linux) || os(Android)
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/sys/kernel/random/boot_id")) else {
        return nil
      }
      let name = "boottime " + String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
      let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/time")
      return namespace.map { $0 == "time:[4026531834]" ? name : "\(name) \($0)" } ?? name
    #elseif canImport(Darwin)
      var size = 0
      guard unsafe sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
      return "monotonic " + String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      return nil
    #endif
  }()
}

/// Compares the wall clock with the time since the start of the device, from the reading that the engine was last given (docs/rules.md, Clocks).
///
/// The times that it gives never go back unless the engine is told that the clock was set: a wall clock that was set back by less than the engine
/// counts as a change stands still until it has caught up.
struct ClockWatch: Sendable {
  private var boot: String
  private var offset: Int64
  private var latest: Int64

  /// Milliseconds: the engine takes smaller differences between the two clocks for drift.
  private static let drift: Int64 = 1000
  /// Milliseconds: a time of the host's that is further beyond the clock is given to the engine with a reading.
  private static let moment: Int64 = 60_000

  init(told wall: Int64, uptime: Int64, boot: String) {
    self.boot = boot
    offset = wall - uptime
    latest = wall
  }

  /// The time of an input that is made now; nil when the engine must be given the reading first.
  mutating func time(_ wall: Int64, uptime: Int64, boot: String) -> Int64? {
    guard boot == self.boot, abs(wall - uptime - offset) < Self.drift else { return nil }
    latest = max(latest, wall)
    return latest
  }

  /// Whether a time that the host gives lies beyond the clock.
  static func isBeyond(_ time: Int64, _ wall: Int64) -> Bool { time - wall > moment }
}
