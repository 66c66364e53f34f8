internal import Synchronization

/// Buckets of tokens: each key may do `burst` things at once, and `rate` a second. The memory is bounded: a key that was not used for a while is
/// forgotten, and has a full bucket then, as it would have anyway.
final class Limiter<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: Int64
  }

  private struct Contents {
    var new: [Key: Bucket] = [:]
    var old: [Key: Bucket] = [:]
  }

  private let rate: Double
  private let burst: Double
  private let contents = Mutex(Contents())

  /// With a rate of 0 there is no limit.
  init(rate: Int64, burst: Int64) {
    self.rate = Double(rate)
    self.burst = Double(burst)
  }

  /// Nil when it may go on; else after how many seconds.
  func take(_ key: Key, at now: Int64) -> Int? {
    guard rate > 0 else { return nil }
    return contents.withLock { contents in
      var bucket = contents.new[key] ?? contents.old[key] ?? Bucket(tokens: burst, time: now)
      bucket.tokens = min(burst, bucket.tokens + Double(max(0, now - bucket.time)) / 1000 * rate)
      bucket.time = now
      defer {
        if contents.new.count >= 50_000 {
          contents.old = contents.new
          contents.new = [:]
        }
        contents.new[key] = bucket
      }
      guard bucket.tokens >= 1 else { return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up))) }
      bucket.tokens -= 1
      return nil
    }
  }

  /// Whether a key has nothing left, without taking anything.
  func isEmpty(_ key: Key, at now: Int64) -> Bool {
    guard rate > 0 else { return false }
    return contents.withLock { contents in
      guard let bucket = contents.new[key] ?? contents.old[key] else { return false }
      return min(burst, bucket.tokens + Double(max(0, now - bucket.time)) / 1000 * rate) < 1
    }
  }
}
