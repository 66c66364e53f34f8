import PlotTesting
import Testing

/// The random numbers of all tests are those of the published algorithm.
@Suite struct SplitMix64Tests {
  /// Outputs for seed 0, by Vigna's reference implementation (https://prng.di.unimi.it/splitmix64.c).
  @Test func theOutputsAreThePublishedOnes() {
    var generator = SplitMix64(0)
    let outputs = (0..<3).map { _ in generator.next() }
    #expect(outputs == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
  }

  /// Seeds of one place beside another have nothing in common.
  @Test func seedsGiveOtherNumbers() {
    let firsts = (UInt64(0)..<1000).map { seed -> UInt64 in
      var generator = SplitMix64(seed)
      return generator.next()
    }
    #expect(Set(firsts).count == 1000)
  }
}
