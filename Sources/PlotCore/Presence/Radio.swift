#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How strongly one beacon was heard lately.
struct Radio {
  private var samples: [(time: Milliseconds, loss: Double)] = []

  /// Adds a sample, and gives metres from all within the window: the mean of what was lost on the way, without the tenth at either end
  ///, taken back to a distance in free space, where 20 dB are ten times as far.
  mutating func distance(adding loss: Double, at time: Milliseconds, window: Milliseconds) -> Double {
    samples.removeAll { $0.time <= time - window }
    samples.append((time, loss))
    let sorted = samples.map(\.loss).sorted()
    let cut = sorted.count / 10
    let kept = sorted[cut..<(sorted.count - cut)]
    return pow(10, kept.reduce(0, +) / Double(kept.count) / 20)
  }

  mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&samples, empty: (0, 0)) { coder, sample in
      coder.code(&sample.time)
      coder.code(&sample.loss)
    }
  }

  /// Whether it may have been heard up to then.
  func isPossible(before newest: Milliseconds) -> Bool {
    !samples.isEmpty && samples.allSatisfy { (0...newest).contains($0.time) && $0.loss.isFinite }
  }
}
