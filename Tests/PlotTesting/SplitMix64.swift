import Foundation

/// The random number generator of all tests: SplitMix64, whose numbers depend on the seed alone.
///
/// `SplitMix64Tests` compares it with the published outputs.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// True in this share of all calls, from 0 to 1.
  package mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}

/// The number of steps that a long random test takes: a quarter of them in `make test`, all of them in
/// `make test-long`.
package func steps(_ all: Int) -> Int {
  ProcessInfo.processInfo.environment["PLOT_LONG"] == nil ? all / 4 : all
}
